"""How good a split is by all measures, for every label and overall, beside what is possible.

References
----------
.. [1] H. Tiittanen, L. Holm, P. Törönen, "Novel split quality measures for stratified multilabel cross validation
   with application to large and sparse gene ontology datasets", Applied Computing and Intelligence, 2022
   (LD, rLD, DCP, ED).
.. [2] K. Sechidis, G. Tsoumakas, I. Vlahavas, "On the stratification of multi-label data", ECML PKDD 2011
   (LD, ED, FZ, FLZ).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from optisplit.errors import FoldAssignmentError
from optisplit.folds.arrays import as_folds, as_shares
from optisplit.io.encoding.encode import Balance
from optisplit.labels import as_dataset, count_columns
from optisplit.measures.balanced import balanced_line
from optisplit.measures.by_name import ScoresByName
from optisplit.measures.counting import amounts_per_fold, count_rows_per_fold, of_amounts
from optisplit.measures.grade import Grade, own_grade
from optisplit.measures.registry import MEASURES, measures_per_label
from optisplit.measures.representative import labels_by_size, rows_by_kind, table_of
from optisplit.measures.score import SAME, Score, score_of
from optisplit.measures.shown import Shown, left_out_note, size_note
from optisplit.text import counted, distinct_names, short_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Report(Shown, ScoresByName):
    """Everything that the measures say of one split.

    Global forms are means over the scored labels: those with both a positive and a negative row. Rows that are
    always in training (fold -1) count nowhere: the report is about how the other rows are divided.

    Parameters
    ----------
    counts : ndarray of shape (n_splits, n_labels), dtype int32
        Positives of each label in each fold.
    fold_sizes : ndarray of shape (n_splits,), dtype int64
        Rows in each fold.
    shares : ndarray of shape (n_splits,), dtype float64
        The share of the rows that each fold should have; they sum to 1.
    label_names : tuple of str
        One name a label.
    fold_names : tuple of str
        What the folds are called; default: ``"fold 0"``, ``"fold 1"``, ...
    is_count : ndarray of shape (n_labels,), dtype bool, optional
        Which labels are amounts, of which a row may have more than one: `counts` adds them up. None: none of them.
    balanced : Report, optional
        The same of the columns that were to be balanced beside the labels.
    rows_by_n_labels : ndarray of shape (n_splits, most labels of a row + 1), dtype int64, optional
        Rows with 0, 1, 2, ... labels in each fold; without it, :attr:`row_shape` is NaN.
    """

    _shown_as = "report"

    counts: NDArray[np.int32]
    fold_sizes: NDArray[np.int64]
    shares: FloatArray
    label_names: tuple[str, ...]
    fold_names: tuple[str, ...] = ()
    is_count: NDArray[np.bool_] | None = None
    balanced: Report | None = None
    rows_by_n_labels: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if not self.fold_names:
            object.__setattr__(self, "fold_names", tuple(f"fold {fold}" for fold in range(self.n_splits)))

    @property
    def n_splits(self) -> int:
        """Number of folds."""
        return len(self.fold_sizes)

    @property
    def n_rows(self) -> int:
        """Number of rows in the folds."""
        return int(self.fold_sizes.sum())

    @cached_property
    def positives(self) -> NDArray[np.int64]:
        """Label sizes, shape (n_labels,): rows in the folds that carry each label."""
        return self.counts.sum(axis=0, dtype=np.int64)

    @cached_property
    def is_scored(self) -> NDArray[np.bool_]:
        """Which labels have both a positive and a negative row, or amounts that are not all 0, shape (n_labels,)."""
        is_on_some = self.positives < self.n_rows
        return (self.positives > 0) & (is_on_some if self.is_count is None else is_on_some | self.is_count)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of the labels that no split can do anything about, left out of the means."""
        return tuple(self.label_names[label] for label in np.flatnonzero(~self.is_scored))

    @cached_property
    def folds_without(self) -> NDArray[np.int64]:
        """Number of folds in which each label has no positive, shape (n_labels,)."""
        return (self.counts == 0).sum(axis=0)

    def score(self, measure: str) -> Score:
        """Give one score with its bound.

        Parameters
        ----------
        measure : str
            A key of :data:`optisplit.measures.registry.MEASURES`.

        Returns
        -------
        Score
            The score; NaN where no label is scored.
        """
        is_of_fair = self._fair_cost(measure) > SAME
        return score_of(measure, self.value(measure), self.bound(measure), is_of_fair=is_of_fair)

    @property
    def scores(self) -> dict[str, Score]:
        """Every score with its bound, by the keys of :data:`optisplit.measures.registry.MEASURES`."""
        return {measure: self.score(measure) for measure in MEASURES}

    def value(self, measure: str) -> float:
        """Give one score without its bound, which takes longer.

        Parameters
        ----------
        measure : str
            A key of :data:`optisplit.measures.registry.MEASURES`.

        Returns
        -------
        float
            The score; NaN where no label is scored.
        """
        overall = MEASURES[measure].overall
        if overall is None:
            return self._mean(self.per_label(measure))
        counts = self._counts_for(measure)
        return float("nan") if counts is None else overall(counts, self.fold_sizes, self.shares)

    def bound(self, measure: str) -> float:
        """Give the best possible score of these sizes, or of fair splits where this is one.

        Parameters
        ----------
        measure : str
            A key of :data:`optisplit.measures.registry.MEASURES`.

        Returns
        -------
        float
            The bound; NaN where there is none.
        """
        overall = MEASURES[measure].bound_overall
        if overall is None:
            return self._mean(self.bound_per_label(measure)) + self._fair_cost(measure)
        counts = self._counts_for(measure)
        if counts is None:
            return float("nan")
        return overall(counts.sum(axis=0, dtype=np.int64), self.fold_sizes, self.shares)

    def _fair_cost(self, measure: str) -> float:
        """Say what fair rounding costs in the mean of the labels' lowest scores."""
        cost, name = MEASURES[measure].fair_cost, f"{measure} fair cost"
        if cost is None or self.is_count is not None:
            return 0.0
        if name not in self._found:
            self._found[name] = np.array(cost(self.counts, self.fold_sizes, self.bound_per_label(measure)))
        return float(self._found[name])

    def _counts_for(self, measure: str) -> NDArray[Any] | None:
        return self.rows_by_n_labels if MEASURES[measure].is_of_rows else self.counts

    def per_label(self, measure: str) -> FloatArray:
        """Give the score of each label.

        Parameters
        ----------
        measure : str
            A key of :data:`optisplit.measures.registry.MEASURES`.

        Returns
        -------
        ndarray of shape (n_labels,), dtype float64
            The scores; NaN where the label is not scored.
        """
        return self._per_label(measure, MEASURES[measure].per_label, self.counts)

    def bound_per_label(self, measure: str) -> FloatArray:
        """Give the lowest possible score of each label at these fold sizes.

        Parameters
        ----------
        measure : str
            A key of :data:`optisplit.measures.registry.MEASURES`.

        Returns
        -------
        ndarray of shape (n_labels,), dtype float64
            The bounds; NaN where the label is not scored, or where they are not known.
        """
        return self._per_label(f"{measure} bound", MEASURES[measure].bound_per_label, self.positives)

    def _per_label(self, name: str, function: Callable[..., FloatArray] | None, counts: NDArray[Any]) -> FloatArray:
        if name not in self._found:
            no_values = np.full(counts.shape[-1], np.nan)
            values = no_values if function is None else function(counts, self.fold_sizes, self.shares)
            if self.is_count is not None and function is not None:
                is_for_them = MEASURES[name.removesuffix(" bound")].is_for_amounts
                amounts = of_amounts(function, counts[..., self.is_count], self.fold_sizes, self.shares)
                values[self.is_count] = amounts if is_for_them else np.nan
            self._found[name] = np.where(self.is_scored, values, np.nan)
        return self._found[name]

    @cached_property
    def _found(self) -> dict[str, FloatArray]:
        """What was computed already, by name."""
        return {}

    def _mean(self, values: FloatArray) -> float:
        is_known = self.is_scored if self.is_count is None else self.is_scored & ~np.isnan(values)
        return float(values[is_known].mean()) if is_known.any() else float("nan")

    @cached_property
    def fold_titles(self) -> tuple[str, ...]:
        """The folds' names, made distinct from each other and from the other columns of :attr:`per_class`."""
        taken = {"label", "positives", "folds_without", "parts_without", *self._label_columns}
        return distinct_names(self.fold_names, taken, "part")

    @cached_property
    def _label_columns(self) -> dict[str, FloatArray]:
        """Every measure that labels have, and its bound where there is one."""
        columns = {}
        for key in measures_per_label():
            columns[key] = self.per_label(key)
            if MEASURES[key].has_bound:
                columns[f"{key}_bound"] = self.bound_per_label(key)
        return columns

    @cached_property
    def per_class(self) -> pd.DataFrame:
        """One row a label: name, size, measures, bounds, folds without a positive, positives in each fold."""
        import pandas as pd

        columns: dict[str, Any] = {"label": pd.Series(self.label_names, dtype="str"), "positives": self.positives}
        columns |= {**self._label_columns, "folds_without": self.folds_without}
        return pd.DataFrame(columns | dict(zip(self.fold_titles, self.counts, strict=True)))

    @cached_property
    def rare_table(self) -> pd.DataFrame:
        """Where the positives of labels of each size are: one row a size, the smallest first.

        Columns: ``size`` (1, 2, ..., 9, 10–19, 20–49, ...), ``labels`` (how many there are of that size, without those
        on every row), ``positives`` (all of theirs), and, for each fold, the share of these positives that it holds,
        under its name, and the share that is due to it, under its name with "due": its share of the rows.
        """
        kinds = labels_by_size(self.counts, self.fold_sizes)
        return table_of(
            kinds, self.fold_titles, {"size": kinds.names, "labels": kinds.members, "positives": kinds.totals}
        )

    @cached_property
    def row_table(self) -> pd.DataFrame:
        """Where the rows with each number of labels are: one row a number, the fewest first.

        Columns: ``labels`` (how many a row has; neighbouring numbers together where there are more than 30), ``rows``
        (how many there are), and, for each fold, the share of these rows that it holds, under its name, and the share
        that is due to it, under its name with "due": its share of all rows. Empty where rows are not known.
        """
        none = np.zeros((self.n_splits, 1), dtype=np.int64)
        kinds = rows_by_kind(none if self.rows_by_n_labels is None else self.rows_by_n_labels, self.fold_sizes)
        return table_of(kinds, self.fold_titles, {"labels": kinds.names, "rows": kinds.members})

    @cached_property
    def grade(self) -> Grade:
        """How good the split is by its rLD, and by labels that are missing where they should be.

        What only the data says, such as whether parts are unfair or groups divided, :func:`optisplit.check_split` adds.
        """
        return own_grade(self)

    def __repr__(self) -> str:
        scores = [
            f"{measure.name} {short_number(score.value)}"
            + (f" (bound {short_number(score.bound)})" if measure.has_bound else "")
            for measure, score in zip(MEASURES.values(), self.scores.values(), strict=True)
        ]
        beside = "" if self.balanced is None else f"\n{balanced_line(self.balanced)}"
        return f"Report of {size_note(self)}: {', '.join(scores)}{left_out_note(self)}{beside}"


def evaluate(
    labels: Any,
    folds: Any,
    *,
    n_splits: int | None = None,
    shares: Any = None,
    fold_names: Sequence[str] | None = None,
    balance: Any = None,
) -> Report:
    """Measure how well a split spreads every label over the folds.

    - One pass over the positives; no array of n_rows x n_labels is made, and nothing given is changed.
    - Renaming the folds, or reordering the rows or labels, changes no global measure.
    - No score is below its bound.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    folds : array-like of shape (n_rows,), or list of (train, test) index pairs
        The fold whose test part holds each row; -1 for rows that are always in training.
    n_splits : int, optional
        Number of folds; default: the highest fold number plus one.
    shares : array-like of shape (n_splits,), optional
        The share of the rows that each fold should have, summing to 1, for unequal parts; default: equal.
    fold_names : sequence of str of length n_splits, optional
        What the folds are called; default: ``"fold 0"``, ``"fold 1"``, ...
    balance : object, optional
        What was balanced beside the labels, as for :func:`optisplit.split`; the report's ``balanced`` measures it.

    Returns
    -------
    Report
        The measures, for every label and overall, with their bounds.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If the folds do not fit the labels, or the shares or names do not fit the folds.

    Notes
    -----
    With p the positives in a fold divided by its rows (0 for an empty fold), d the positives divided by all rows,
    k folds and c positives of which c_j are in fold j, after [1]_:

    - LD: mean over folds of ``abs(p / (1 - p) - d / (1 - d))``; where p or d is 1, ``(m - 1) / m`` stands for it, m
      being the rows in question, as in the authors' code;
    - rLD: mean over folds of ``abs((d - p) / d)``;
    - DCP: ``abs(max_j(c_j / c) - 1 / k)``; with unequal `shares`, ``abs(max_j(c_j / c - share_j))``;
    - ED: mean over folds of ``abs(rows in the fold - wanted rows)``;
    - FZ, FLZ: folds, and pairs of fold and label, without a positive [2]_.

    Time and memory grow with the number of positives plus n_splits x n_labels.

    References
    ----------
    .. [1] Tiittanen, Holm, Törönen, Applied Computing and Intelligence, 2022.
    .. [2] Sechidis, Tsoumakas, Vlahavas, ECML PKDD 2011.

    Examples
    --------
    >>> report = evaluate([[1, 0], [1, 1], [0, 1], [0, 1]], [0, 1, 0, 1])
    >>> report.rld, report.dcp, report.ed
    (0.16666666666666666, 0.08333333333333331, 0.0)
    """
    data = as_dataset(labels)
    assigned, n_splits = as_folds(folds, data.n_rows, n_splits)
    names = tuple(map(str, fold_names or ()))
    if names and len(names) != n_splits:
        msg = f"fold_names has {counted(len(names), 'name')} for {n_splits} folds."
        raise FoldAssignmentError(msg)
    given = Balance.of(data, balance)
    beside = None
    if given is not None:
        beside = evaluate(given.targets, assigned, n_splits=n_splits, shares=shares, fold_names=names)
    rows = count_rows_per_fold(data.labels, assigned, n_splits)
    return Report(
        amounts_per_fold(data.labels, assigned, n_splits),
        rows.sum(axis=1),
        as_shares(shares, n_splits),
        data.label_names,
        names,
        count_columns(data.labels),
        beside,
        rows,
    )
