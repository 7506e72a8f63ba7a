"""Checking a split before training: hard faults first, then how good it is between random and the best possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.check.faults import (
    find_faults,
    likely_group_faults,
    missing_label_faults,
    unfair_faults,
    worst_first,
)
from optisplit.check.missing import (
    advice_on,
    find_missing,
    find_untestable,
    find_untrainable,
    lacking_words,
    missing_table,
    never_everywhere,
)
from optisplit.check.random_splits import N_RANDOM, RandomScores, affordable, score_random_splits
from optisplit.check.scorable import widths_in_words, widths_table
from optisplit.check.told_apart import parts_told_apart
from optisplit.check.tries import stage
from optisplit.check.verdict import Verdict, judge
from optisplit.comparison.fairness import find_unfair
from optisplit.errors import OptionError
from optisplit.folds.constraints import as_groups
from optisplit.io.features import has_features
from optisplit.io.likely_groups import likely_groups, torn_groups
from optisplit.io.rows import groups_of, origin_of
from optisplit.io.splits.assembly import as_split
from optisplit.labels import as_dataset
from optisplit.measures.grade import Grade
from optisplit.measures.pairs import label_pairs
from optisplit.measures.registry import MEASURES, measures_per_label
from optisplit.measures.report import Report, evaluate
from optisplit.measures.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from optisplit.check.missing import Missing
    from optisplit.io.likely_groups import TornGroups
    from optisplit.io.splits.base import SplitFault, SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.methods.base import ProgressCallback


@dataclass(frozen=True)
class SplitCheck(Shown):
    """Everything that a check found.

    Parameters
    ----------
    data_name : str
        Name of the data.
    split : SplitFile
        The split.
    faults : tuple of SplitFault
        What is wrong with it, the worst first.
    verdict : Verdict
        What to make of it: its grade, and at most three sentences.
    report : Report
        The measures.
    random : mapping of str to RandomScores
        The scores of random splits, by measure; empty if none were made.
    missing_labels : DataFrame
        Labels without a positive in some part; see :func:`optisplit.find_missing_labels`.
    untestable : DataFrame
        Labels without a positive in a part that is tested on: ``label``, ``positives``, ``parts`` (names, as text),
        ``n_parts``, ``n_helpable`` (how many of these it could be in), ``n_due`` (how many should have it: its share of
        the others is less than a row), ``reason``; those first that could.
    untrainable : DataFrame
        Labels without a positive in the training rows of a tested part, with the same columns.
    pairs : Report or None
        The measures over pairs of labels, if asked for.
    pairs_refused : str
        Why they could not be measured; empty where they could, or were not asked for.
    notes : tuple of str
        How the file was read and what was decided, in sentences.
    n_not_due : int
        How many times labels are missing from parts that they could be in, but have too few rows for their share of.
    has_features : bool
        Whether the data has features, so that a model can be trained on it.
    groups : str
        Whether groups are whole, in a sentence; empty where none were given.
    apart : Apart or None
        Whether the parts can be told apart, if asked for: ``parts`` (``name``, ``n_rows``, ``auc``, ``low``, ``high``,
        ``is_apart``), ``leaks``, ``sentences`` and ``table``.
    apart_refused : str
        Why that could not be found out; empty where it could, or was not asked for.
    torn : TornGroups or None
        Rows of one value of a column that looks like groups, in several parts, where no groups were given: ``column``,
        ``noun``, ``n_torn``, ``n_values``, ``sentence`` and ``advice``; None where there are none.
    """

    _shown_as = "check"

    data_name: str
    split: SplitFile
    faults: tuple[SplitFault, ...]
    verdict: Verdict
    report: Report
    random: dict[str, RandomScores]
    missing_labels: pd.DataFrame
    untestable: pd.DataFrame
    untrainable: pd.DataFrame
    pairs: Report | None
    pairs_refused: str
    notes: tuple[str, ...]
    n_not_due: int = 0
    has_features: bool = False
    groups: str = ""
    apart: Any = None
    apart_refused: str = ""
    torn: TornGroups | None = None

    @property
    def grade(self) -> Grade:
        """How good the split is: ``key``, ``title``, ``severity`` ("fault", "warning" or "ok") and ``reason``."""
        return self.verdict.grade

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in at most three sentences."""
        return self.verdict.sentences

    @property
    def n_missing(self) -> int:
        """How many labels are missing from a part that should have them: a fault."""
        return sum(fault.count for fault in self.faults if fault.kind == "missing labels")

    @property
    def never_everywhere(self) -> list[str]:
        """Names of the labels that no split has in every part: to be left out, or put together with others."""
        return never_everywhere(self.missing_labels)

    @property
    def advice_on_never(self) -> str:
        """What to do about these, in a sentence; empty where there are none."""
        return advice_on(self.never_everywhere, self.split.noun) if self.never_everywhere else ""

    @property
    def untestable_words(self) -> str:
        """What could be done about labels that cannot be tested somewhere, in sentences; empty where there are none."""
        return lacking_words(self.untestable, self.split.noun)

    @property
    def untrainable_words(self) -> str:
        """The same of labels that cannot be trained on."""
        return lacking_words(self.untrainable, self.split.noun)

    @property
    def n_random(self) -> int:
        """How many random splits were made."""
        return len(next(iter(self.random.values())).values) if self.random else 0

    @cached_property
    def measures(self) -> pd.DataFrame:
        """One row a measure, with where random splits are and the best possible; NaN where there is none.

        Columns: ``measure``, ``name``, ``value``, ``bound``, ``percentile`` (per cent of the random splits that are
        better), ``place`` (the same in words), ``random_low``, ``random_mean``, ``random_high``.
        """
        import pandas as pd

        lines = []
        for key, score in self.report.scores.items():
            found = self.random.get(key)
            lines.append(
                {
                    "measure": key,
                    "name": MEASURES[key].name,
                    "value": float(score.value),
                    "bound": float(score.bound),
                    "percentile": found.percentile if found else np.nan,
                    "place": found.place if found else "",
                    "random_low": found.low if found else np.nan,
                    "random_mean": found.mean if found else np.nan,
                    "random_high": found.high if found else np.nan,
                }
            )
        return pd.DataFrame(lines)

    @cached_property
    def labels(self) -> pd.DataFrame:
        """One row a label, the farthest above its bound in rLD first.

        Columns: ``label``, ``positives``, ``rld``, ``rld_bound``, ``dcp``, ``dcp_bound``, ``parts_without``, and the
        positives in each part, by its name.
        """
        table = self.report.per_class
        without_bound = [key for key in measures_per_label() if not MEASURES[key].has_bound]
        shown = table.drop(columns=without_bound).rename(columns={"folds_without": "parts_without"})
        excess = (table["rld"] - table["rld_bound"]).round(12).fillna(-1.0)
        order = np.lexsort((np.arange(len(table)), -table["positives"], -excess))
        return shown.iloc[order].reset_index(drop=True)

    @cached_property
    def widths(self) -> pd.DataFrame:
        """One row a label: how wide the interval of its score is to be, the widest first.

        Columns: ``label``, ``positives``, ``part`` (of the parts that are tested on, that with fewest of them),
        ``in_test`` (how many it has), ``width`` (of the 95 % interval of the label's recall there; see
        :func:`optisplit.studies.impact.score_widths`).
        """
        return widths_table(self.report, self.split)

    @cached_property
    def width_sentences(self) -> tuple[str, ...]:
        """Which labels cannot be scored, and how wide the intervals of the others' scores are to be."""
        return widths_in_words(self.report, self.split)

    def html(self, title: str | None = None) -> str:
        """Make one HTML page of it all that needs nothing else.

        Parameters
        ----------
        title : str, optional
            Its title; default: the names of the data and the split.

        Returns
        -------
        str
            The page.
        """
        from optisplit.plots.check_report import check_page  # plotly is large, and few checks become a page

        return check_page(self, title)

    def __repr__(self) -> str:
        return f"SplitCheck of {self.split.name} on {self.data_name}: {self.verdict.sentence}"


def check_split(
    labels: Any,
    split: Any,
    *,
    groups: Any = None,
    row_digests: Any = None,
    pairs: bool = False,
    apart: bool = False,
    leave_out: Iterable[str] = (),
    shares: Any = None,
    n_random: int = N_RANDOM,
    random_state: int | np.random.Generator | np.random.RandomState | None = 0,
    on_progress: ProgressCallback | None = None,
) -> SplitCheck:
    """Look for what is wrong with a split, and say how good it is between random and the best possible.

    - Faults come first: rows in no part or in two, rows in training and test, ids that are not the data's, identical
      rows and groups on both sides, empty parts. Nothing is repaired; see :func:`optisplit.repair`.
    - Where no groups are given and a column of the data looks like groups, such as ids of patients, it is worth a look
      how many of these are divided.
    - Rows with the same features are a fault where they are more than one in a hundred; only worth a look where they
      are fewer, and where groups, or a column that looks like groups, say that they are of different ones.
    - Then labels that are missing from parts that should have them, and parts that are unfair to rare labels or rows:
      further from what is due to them than 95 % of random splits, and by more than rounding.
    - The random splits have the same part sizes, and leave rows that are always in training where they are.
    - The same int `random_state` gives the same result, and nothing given is changed.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    split : SplitFile, array-like of shape (n_rows,), or list of (train, test) pairs of index arrays
        What :func:`optisplit.read_split` gives; fold numbers with -1 for always in training; or what a scikit-learn
        splitter yields.
    groups : array-like of shape (n_rows,), str or path, optional
        Groups that are to stay whole.
    row_digests : array-like of shape (n_rows,), optional
        Numbers that are equal where rows are, as :func:`optisplit.io.splits.row_digests` gives them of the data's
        file. Default: rows are not compared, since that reads the file once more, which takes longer than loading it.
        The command line and the app do so by themselves; give these numbers for the same faults.
    pairs : bool, default=False
        Whether to measure pairs of labels that occur together in at least two rows too.
    apart : bool, default=False
        Whether to tell the parts apart by the data's features and labels too, and to name what gives them away.
    leave_out : iterable of str, optional
        Columns of the data that are not to be looked at for that, such as the split's own.
    shares : array-like of shape (n_parts,), optional
        The share of the rows that each part should have. Default: equal for folds; for parts those that they have.
    n_random : int, default=200
        Random splits to compare scores with; 0 for none. Of very large data fewer are made, which the notes say.
    random_state : int, Generator, RandomState or None, default=0
        Seed or source of randomness.
    on_progress : callable, optional
        Called as ``on_progress(done, total, nan)`` between random splits; what it raises ends the work.

    Returns
    -------
    SplitCheck
        Faults, verdict and evidence.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If the split does not fit the labels.
    FormatError
        If the split has fewer than two parts.
    OptionError
        If `groups`, `row_digests`, `shares` or `n_random` is unsuitable.

    Examples
    --------
    >>> check = check_split([[1], [1], [0], [0]], [0, 0, 1, 1], n_random=20)
    >>> check.grade.title, check.untestable["parts"].tolist()
    ('Faulty', ['fold 1'])
    """
    if isinstance(n_random, bool) or not isinstance(n_random, int | np.integer) or n_random < 0:
        msg = f"n_random must be a whole number from 0, got {n_random!r}."
        raise OptionError(msg)
    data = as_dataset(labels)
    groups = groups_of(groups, data)
    read = as_split(split, data)
    likely = None if groups is not None else next(iter(likely_groups(data)), None)
    torn = None if groups is not None else torn_groups(data, read.folds, read.noun, read.is_missing)
    faults, are_whole = find_faults(read, groups=groups, row_digests=row_digests, likely=likely)
    shares = read.shares if shares is None else shares
    named: dict[str, Any] = {"n_splits": read.n_parts, "shares": shares, "fold_names": read.part_names}
    report = evaluate(data, read.folds, **named)
    n_made = affordable(int(n_random), data, read.n_parts)
    notes = [*read.notes, *filter(None, [getattr(row_digests, "note", "")])]
    if n_made < n_random:
        notes.append(f"The data is so large that {n_made} random splits were made instead of {n_random}.")
    first, second = (stage(on_progress, number, 2) for number in range(2)) if apart else (on_progress, None)
    random = score_random_splits(data, read.folds, report, n_made, random_state, first)
    pair_report, refused = _of_pairs(data, read, named) if pairs else (None, "")
    told, told_note = parts_told_apart(data, read, leave_out, second) if apart else (None, "")
    notes += filter(None, [refused and f"Pairs of labels were not measured: {refused}", told_note])
    kept_whole = groups if are_whole else None
    missing = find_missing(data, read.folds, read.n_parts, groups=kept_whole)
    unfair = find_unfair(data, read.folds, report, groups=kept_whole)
    of_labels = [*missing_label_faults(missing, read, data.label_names), *unfair_faults(unfair, read)]
    faults = worst_first([*faults, *of_labels, *likely_group_faults(torn, read)])
    check = SplitCheck(
        data.name, read, faults, Verdict(Grade.of("unknown", ""), ()), report, random,
        missing_table(missing, data.label_names, read.part_names, read.noun),
        _lacking_table(data, read, find_untestable(data, read, missing)),
        _lacking_table(data, read, find_untrainable(data, read, report.counts)),
        pair_report, refused, tuple(notes), sum(each.n_drawn for each in missing),
        has_features(data), _told_of_groups(groups, data.n_rows, are_whole=are_whole), told, "" if told else told_note,
        torn,
    )  # fmt: skip
    return replace(check, verdict=judge(check, unfair, sum(each.n_due > 0 for each in missing)))


def _of_pairs(data: MultilabelDataset, split: SplitFile, named: dict[str, Any]) -> tuple[Report | None, str]:
    """Measure pairs of labels, or say why they cannot be measured."""
    try:
        return evaluate(label_pairs(data, min_rows=2), split.folds, **named), ""
    except OptionError as error:
        return None, str(error)


def _told_of_groups(groups: Any, n_rows: int, *, are_whole: bool | None) -> str:
    """Say whether groups are whole."""
    if groups is None:
        return ""
    n_groups = len(as_groups(groups, n_rows)[1])
    return f"Groups{origin_of(groups)}: {'all' if are_whole else 'not all'} {n_groups:,} are whole."


def _lacking_table(data: MultilabelDataset, split: SplitFile, found: Iterable[Missing]) -> pd.DataFrame:
    found = list(found)
    table = missing_table(found, data.label_names, split.part_names, split.noun)
    table["n_helpable"] = table["n_missing"] - table["n_unavoidable"]
    table["n_due"] = [each.n_due for each in found]
    table = table.rename(columns={"missing_from": "parts", "n_missing": "n_parts"})
    return table[["label", "positives", "parts", "n_parts", "n_helpable", "n_due", "reason"]]
