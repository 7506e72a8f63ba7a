"""Labels without a positive in some fold, and in how many folds more each could be: one count for all who ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.folds.constraints import constraints_of_split
from optisplit.measures.counting import count_positives_per_fold
from optisplit.measures.missing import due_and_beyond
from optisplit.methods.annealing.units import Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset

    IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Lacking:
    """The labels that are missing from some fold; arrays of shape (n_missing_labels,) where nothing else is said."""

    labels: IntArray  # their columns
    counts: NDArray[np.int32]  # shape (n_splits, n_missing_labels): their positives in each fold
    carriers: IntArray  # the groups, or rows, that are free and carry each
    n_reached: IntArray  # the folds that each can be in
    n_drawn: IntArray  # the folds that each could be in, but need not: too few rows for its share there
    is_any_fixed: bool  # whether rows stay in folds

    @property
    def n_helpable(self) -> IntArray:
        """Folds without each that it could be in."""
        return helpable(self.counts, self.n_reached)

    @property
    def n_due(self) -> IntArray:
        """Folds that should have each: it could be there, and would be where each fold has what is due to it."""
        return self.n_helpable - self.n_drawn


def find_lacking(
    data: MultilabelDataset, folds: FoldArray, n_splits: int, *, groups: Any = None, fixed: Any = None
) -> Lacking:
    """Find the labels that are missing from some fold; those without a positive in the folds do not count."""
    counts = count_positives_per_fold(data.labels, folds, n_splits)
    labels = np.flatnonzero((counts == 0).any(axis=0) & counts.any(axis=0))
    constraints = constraints_of_split(data.n_rows, folds, n_splits, groups=groups, fixed=fixed)
    counts, sizes = counts[:, labels], constraints.sizes
    if groups is None and fixed is None and (folds >= 0).all():
        carriers = counts.sum(axis=0, dtype=np.int64)
        n_reached = np.minimum(carriers, (sizes > 0).sum())
        is_any_fixed = False
    else:
        units = Units.of(constraints)
        carriers = np.bincount(units.gather(data.labels).indices, minlength=data.n_labels)[labels]
        has_fixed = (units.fixed_counts(data.labels) > 0)[labels]
        # folds that a row with the label could be brought to
        is_open = (sizes > units.fixed_held()) & ~has_fixed
        n_reached = has_fixed.sum(axis=1) + np.minimum(carriers, is_open.sum(axis=1))
        is_any_fixed = bool((constraints.fixed >= 0).any())
    n_drawn = count_drawn(counts, helpable(counts, n_reached), sizes)
    return Lacking(labels, counts, carriers, n_reached, n_drawn, is_any_fixed)


def helpable(counts: NDArray[Any], n_reached: IntArray) -> IntArray:
    """Count for each label the folds without it that it could be in."""
    return np.asarray((counts == 0).sum(axis=0) - (len(counts) - n_reached), dtype=np.int64)


def count_drawn(counts: NDArray[Any], n_helpable: IntArray, sizes: IntArray) -> IntArray:
    """Count for each label in how many folds it could be, but need not where each fold gets what is due to it.

    That is where less than one positive is due, unless other folds hold more than is due to them, rounded up.
    `counts` are the positives of each label in each fold, `sizes` the folds' rows, which are equal if they differ by
    one.
    """
    is_due, n_beyond = due_and_beyond(counts, sizes)
    return np.maximum(0, n_helpable - np.maximum(n_beyond, (is_due & (counts == 0)).sum(axis=0)))
