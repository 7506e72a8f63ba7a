"""What figures of several methods are given: reports that belong together, and their mean scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import OptionError
from optisplit.measures.score import Score, score_of
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.measures.report import Report


def reports_given(reports: Mapping[str, Sequence[Report]]) -> tuple[dict[str, list[Report]], list[Report]]:
    """Give the reports of the methods that have any, and all of them in a row; refuse those on different labels."""
    given = {key: list(each) for key, each in reports.items() if len(each)}
    every = [report for each in given.values() for report in each]
    for report in every[1:]:
        if report.label_names != every[0].label_names or not np.array_equal(report.positives, every[0].positives):
            msg = "The reports are on different labels; compare methods on one data set at a time."
            raise OptionError(msg)
    return given, every


def mean_score(reports: Sequence[Report], measure: str) -> Score:
    """Give the mean of the splits' scores beside the mean of what is best possible for each of them, as tables do."""
    each = [report.score(measure) for report in reports]
    value, bound = (float(np.mean([getattr(score, what) for score in each])) for what in ("value", "bound"))
    return score_of(measure, value, bound, is_of_fair=any(score.is_of_fair for score in each))


def check_fold_names(reports: Sequence[Report], fold_names: Sequence[str] | None) -> None:
    """Refuse reports on unlike numbers of folds, and names that are not one a fold."""
    numbers = {len(report.fold_sizes) for report in reports}
    if len(numbers) > 1:
        msg = f"The reports are on {' and '.join(map(str, sorted(numbers)))} folds; compare splits into equally many."
        raise OptionError(msg)
    if fold_names is not None and numbers and len(fold_names) not in numbers:
        msg = f"fold_names has {counted(len(fold_names), 'name')} for {numbers.pop():,} folds; give one a fold."
        raise OptionError(msg)
