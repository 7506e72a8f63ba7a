"""The labels that are furthest above the best score that they could have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from optisplit.errors import OptionError
from optisplit.measures.registry import with_excess
from optisplit.measures.score import SAME
from optisplit.plots.given import check_fold_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.measures.report import Report


def worst_labels(
    report: Report,
    *,
    by: str = "rld",
    n: int = 20,
    fold_names: Sequence[str] | None = None,
) -> pd.DataFrame:
    """List the labels that are above the best score that they could have, and their positives by fold.

    - The furthest above come first; among equals, the largest. Labels that are at their best are not listed.
    - Each label is measured against its own best, whatever becomes of the others.

    Parameters
    ----------
    report : Report
        See :func:`optisplit.evaluate`.
    by : {"rld", "dcp"}, default="rld"
        Which score.
    n : int, default=20
        Most labels listed.
    fold_names : sequence of str, optional
        What the folds are called; default: as in the report.

    Returns
    -------
    DataFrame
        Columns ``label``, ``positives``, ``score``, ``best possible``, and the positives in each fold; without lines
        where no label is above its best.

    Raises
    ------
    OptionError
        If the measure has no best possible value, or names and folds do not fit.
    """
    if by not in with_excess():
        what = "measure with a best possible value"
        raise OptionError.unknown(what, by, with_excess())
    check_fold_names([report], fold_names)
    score, bound = report.per_label(by), report.bound_per_label(by)
    above = np.flatnonzero(report.is_scored & (score - bound > SAME))
    excess = np.round(score[above] - bound[above], 12)  # equal up to floating point is equal
    chosen = above[np.lexsort((-report.positives[above], -excess))][: max(n, 0)]
    columns = {
        "label": pd.Series([report.label_names[j] for j in chosen], dtype="str"),
        "positives": report.positives[chosen],
        "score": score[chosen],
        "best possible": bound[chosen],
    }
    names = report.fold_names if fold_names is None else fold_names
    return pd.DataFrame(columns | {name: counts[chosen] for name, counts in zip(names, report.counts, strict=True)})
