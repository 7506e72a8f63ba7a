"""How good a split is: ED, LD, rLD, DCP, FZ and FLZ, for every class and overall, beside what is possible.

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
from optisplit.folds.arrays import as_folds, fold_sizes
from optisplit.labels import as_dataset
from optisplit.measures.bounds import dcp_bound_per_class, rld_bound_per_class
from optisplit.text import MEASURE_NAMES, counted, html_table, short_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix

FloatArray = NDArray[np.float64]

MEASURES = tuple(MEASURE_NAMES)
"""Measures that can be an objective, best first."""


@dataclass(frozen=True)
class Report:
    """Everything that the measures say of one split.

    Global forms are means over the scored classes: those with both a positive and a negative row. Rows that are
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
    """

    counts: NDArray[np.int32]
    fold_sizes: NDArray[np.int64]
    shares: FloatArray
    label_names: tuple[str, ...]
    fold_names: tuple[str, ...] = ()

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
        """Class sizes, shape (n_labels,): rows in the folds that carry each label."""
        return self.counts.sum(axis=0, dtype=np.int64)

    @cached_property
    def is_scored(self) -> NDArray[np.bool_]:
        """Which classes have both a positive and a negative row, shape (n_labels,)."""
        return (self.positives > 0) & (self.positives < self.n_rows)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of the classes that no split can do anything about, left out of the means."""
        return tuple(self.label_names[label] for label in np.flatnonzero(~self.is_scored))

    @cached_property
    def ld_per_class(self) -> FloatArray:
        """LD of each class, shape (n_labels,); NaN where the class is not scored."""
        return self._where_scored(ld_per_class(self.counts, self.fold_sizes))

    @cached_property
    def rld_per_class(self) -> FloatArray:
        """Relative LD of each class, shape (n_labels,); NaN where the class is not scored."""
        return self._where_scored(rld_per_class(self.counts, self.fold_sizes))

    @cached_property
    def dcp_per_class(self) -> FloatArray:
        """DCP of each class, shape (n_labels,); NaN where the class is not scored."""
        return self._where_scored(dcp_per_class(self.counts, self.shares))

    @cached_property
    def rld_bound_per_class(self) -> FloatArray:
        """Lowest possible rLD of each class at these fold sizes; NaN where the class is not scored."""
        return self._where_scored(rld_bound_per_class(self.positives, self.fold_sizes))

    @cached_property
    def dcp_bound_per_class(self) -> FloatArray:
        """Lowest possible DCP of each class at these fold sizes; NaN where the class is not scored."""
        return self._where_scored(dcp_bound_per_class(self.positives, self.fold_sizes, self.shares))

    @cached_property
    def folds_without(self) -> NDArray[np.int64]:
        """Number of folds in which each class has no positive, shape (n_labels,)."""
        return (self.counts == 0).sum(axis=0)

    @property
    def ed(self) -> float:
        """Mean over folds of the difference from the wanted number of rows (rows)."""
        return float(np.abs(self.fold_sizes - self.n_rows * self.shares).mean())

    @property
    def ld(self) -> float:
        """Mean LD over the scored classes."""
        return self._mean(self.ld_per_class)

    @property
    def rld(self) -> float:
        """Mean rLD over the scored classes."""
        return self._mean(self.rld_per_class)

    @property
    def dcp(self) -> float:
        """Mean DCP over the scored classes."""
        return self._mean(self.dcp_per_class)

    @property
    def rld_bound(self) -> float:
        """No split with these fold sizes has a lower :attr:`rld`."""
        return self._mean(self.rld_bound_per_class)

    @property
    def dcp_bound(self) -> float:
        """No split with these fold sizes has a lower :attr:`dcp`."""
        return self._mean(self.dcp_bound_per_class)

    @cached_property
    def fz(self) -> int:
        """Folds that lack a positive of at least one class that has any."""
        return int((self.counts[:, self.positives > 0] == 0).any(axis=1).sum())

    @cached_property
    def flz(self) -> int:
        """Pairs of a fold and a class (one that has positives) without a positive in it."""
        return int(self.folds_without[self.positives > 0].sum())

    @property
    def flz_bound(self) -> int:
        """No split has a lower :attr:`flz`: a class with c positives misses at least n_splits - c folds."""
        present = self.positives[self.positives > 0]
        return int(np.maximum(0, self.n_splits - present).sum())

    @cached_property
    def fold_titles(self) -> tuple[str, ...]:
        """The folds' names, made distinct from each other and from the other columns of :attr:`per_class`."""
        taken = {"label", "positives", "rld", "rld_bound", "dcp", "dcp_bound", "ld", "folds_without", "parts_without"}
        titles = []
        for name in self.fold_names:
            title = name if name not in taken else f"part {name}"
            while title in taken:
                title += "'"
            taken.add(title)
            titles.append(title)
        return tuple(titles)

    @cached_property
    def per_class(self) -> pd.DataFrame:
        """One row a label: name, size, measures, bounds, folds without a positive, positives in each fold."""
        import pandas as pd

        columns: dict[str, Any] = {
            "label": pd.Series(self.label_names, dtype="str"),
            "positives": self.positives,
            "rld": self.rld_per_class,
            "rld_bound": self.rld_bound_per_class,
            "dcp": self.dcp_per_class,
            "dcp_bound": self.dcp_bound_per_class,
            "ld": self.ld_per_class,
            "folds_without": self.folds_without,
        }
        columns |= dict(zip(self.fold_titles, self.counts, strict=True))
        return pd.DataFrame(columns)

    def _where_scored(self, values: FloatArray) -> FloatArray:
        return np.where(self.is_scored, values, np.nan)

    def _mean(self, values: FloatArray) -> float:
        return float(values[self.is_scored].mean()) if self.is_scored.any() else float("nan")

    def __repr__(self) -> str:
        left_out = int((~self.is_scored).sum())
        return (
            f"Report of {self.n_splits} folds over {self.n_rows:,} rows x {len(self.label_names):,} labels: "
            f"rLD {self.rld:.4g} (bound {self.rld_bound:.4g}), DCP {self.dcp:.4g} (bound {self.dcp_bound:.4g}), "
            f"LD {self.ld:.4g}, ED {self.ed:.4g}, FZ {self.fz}, FLZ {self.flz}"
            + (f"; {left_out:,} class(es) left out of the means" if left_out else "")
        )

    def _repr_html_(self) -> str:
        left_out = int((~self.is_scored).sum())
        caption = (
            f"{self.n_splits} folds over {self.n_rows:,} rows x {len(self.label_names):,} labels; less is better"
            + (f"; {left_out:,} label(s) on no row or on every row are left out of the means" if left_out else "")
        )
        return html_table(caption, ("Measure", "Score", "Best possible"), score_lines(self))


def evaluate(
    labels: Any,
    folds: Any,
    *,
    n_splits: int | None = None,
    shares: Any = None,
    fold_names: Sequence[str] | None = None,
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

    Returns
    -------
    Report
        The measures, for every class and overall, with their bounds.

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
    - FZ, FLZ: folds, and pairs of fold and class, without a positive [2]_.

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
    return Report(
        count_positives_per_fold(data.labels, assigned, n_splits),
        fold_sizes(assigned, n_splits),
        _check_shares(shares, n_splits),
        data.label_names,
        names,
    )


def score_lines(*reports: Report) -> list[list[str]]:
    """Write the scores of one or more splits beside each other."""
    lines = []
    for measure, name in {**MEASURE_NAMES, "ed": "ED, rows", "fz": "FZ, folds", "flz": "FLZ, pairs"}.items():
        scores = [short_number(getattr(report, measure)) for report in reports]
        bound = getattr(reports[-1], f"{measure}_bound", None)
        lines.append([name, *scores, "" if bound is None else short_number(bound)])
    return lines


def count_positives_per_fold(labels: LabelMatrix, folds: FoldArray, n_splits: int) -> NDArray[np.int32]:
    """Count the positives of each label in each fold."""
    from optisplit.kernels.counting import count_positives

    counts = np.zeros((n_splits, labels.shape[1]), dtype=np.int32)
    count_positives(labels.indptr, labels.indices, folds, counts)
    return counts


def ld_per_class(counts: NDArray[Any], sizes: NDArray[np.int64]) -> FloatArray:
    """Compute LD of each class: the mean difference of the odds in a fold from the odds overall."""
    n_rows = sizes.sum()
    overall = _odds(counts.sum(axis=0, dtype=np.int64) / n_rows, n_rows)
    in_fold = _odds(_share_in_fold(counts, sizes), np.maximum(sizes, 1)[:, None])
    return np.abs(in_fold - overall).mean(axis=0)


def rld_per_class(counts: NDArray[Any], sizes: NDArray[np.int64]) -> FloatArray:
    """Compute rLD of each class: the mean relative difference of its frequency in a fold from that overall."""
    overall = counts.sum(axis=0, dtype=np.int64) / sizes.sum()
    overall = np.where(overall > 0, overall, 1.0)
    return np.abs((overall - _share_in_fold(counts, sizes)) / overall).mean(axis=0)


def dcp_per_class(counts: NDArray[Any], shares: FloatArray) -> FloatArray:
    """Compute DCP of each class: how far the largest share of its positives is above the fold's share."""
    positives = np.maximum(counts.sum(axis=0, dtype=np.int64), 1)
    return np.abs((counts / positives - shares[:, None]).max(axis=0))


def score_per_class(measure: str, counts: NDArray[Any], sizes: NDArray[np.int64]) -> FloatArray:
    """Compute one of :data:`MEASURES` for each class, with equal shares."""
    if measure == "dcp":
        return dcp_per_class(counts, np.full(len(sizes), 1 / len(sizes)))
    return {"rld": rld_per_class, "ld": ld_per_class}[measure](counts, sizes)


def _share_in_fold(counts: NDArray[Any], sizes: NDArray[np.int64]) -> FloatArray:
    return np.asarray(counts / np.maximum(sizes, 1)[:, None], dtype=np.float64)


def _odds(share: FloatArray, n_rows: Any) -> FloatArray:
    """Turn shares into odds; a share of 1 counts as (n_rows - 1) / n_rows to stay finite."""
    finite = np.where(share == 1, (n_rows - 1) / n_rows, share)
    return np.asarray(finite / (1 - finite), dtype=np.float64)


def _check_shares(shares: Any, n_splits: int) -> FloatArray:
    if shares is None:
        return np.full(n_splits, 1 / n_splits)
    wanted = np.asarray(shares, dtype=np.float64)
    if wanted.shape != (n_splits,) or not np.all(wanted > 0) or not np.isclose(wanted.sum(), 1):
        msg = f"shares must be {n_splits} positive numbers that sum to 1, got {wanted.tolist()}."
        raise FoldAssignmentError(msg)
    return wanted
