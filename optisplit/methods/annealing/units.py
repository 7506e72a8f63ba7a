"""What moves as one: rows, or the rows of a group; and what does not move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optisplit import kernels
from optisplit.labels import has_counts
from optisplit.measures.counting import amounts_per_fold
from optisplit.methods.annealing.profiles import nearest_profile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.folds.constraints import Constraints
    from optisplit.labels import LabelMatrix


class Gathered(NamedTuple):
    """Labels of units."""

    indptr: NDArray[Any]  # CSR arrays of shape (n_units, n_labels)
    indices: NDArray[Any]  # CSR arrays of shape (n_units, n_labels)
    amounts: NDArray[np.float32]  # rows of each entry's unit that carry the label; or one number, for all

    @property
    def stride(self) -> np.uint64:
        """Step from one entry's amount to the next: 0 where one number is for all."""
        return np.uint64(len(self.amounts) > 1 or len(self.indices) == len(self.amounts))

    def totals(self, n_labels: int) -> NDArray[np.float64]:
        """Count the rows that carry each label."""
        totals, in_one = np.zeros((n_labels, 1)), np.zeros(len(self.indptr) - 1, dtype=np.int32)
        kernels.problem.count_units(self.indptr, self.indices, self.amounts, self.stride, in_one, totals)
        return totals[:, 0]


@dataclass(frozen=True)
class Units:
    """The units that a search places, in the order in which it visits them, and the rows that stay where they are."""

    constraints: Constraints  # what the split has to keep to
    of_row: NDArray[np.int32]  # shape (n_rows,): the unit of each row; -1 for rows that stay
    sizes: NDArray[np.int32]  # shape (n_units,): rows of each unit

    @classmethod
    def of(cls, constraints: Constraints, rng: np.random.Generator | None = None) -> Units:
        """Give numbers to the units, in a random order or as they come."""

        def order(n_units: int) -> NDArray[np.int64]:
            return np.arange(n_units) if rng is None else rng.permutation(n_units)

        free = np.flatnonzero(constraints.is_free)
        of_row = np.full(len(constraints.fixed), -1, dtype=np.int32)
        if constraints.groups is None:
            of_row[free[order(len(free))]] = np.arange(len(free), dtype=np.int32)
            return cls(constraints, of_row, np.ones(len(free), dtype=np.int32))
        used, group = np.unique(constraints.groups[free], return_inverse=True)
        of_row[free] = order(len(used)).astype(np.int32)[group]
        sizes = np.bincount(of_row[free], minlength=len(used)).astype(np.int32)
        return cls(constraints, of_row, sizes)

    def __len__(self) -> int:
        """Count the units."""
        return len(self.sizes)

    @property
    def are_rows(self) -> bool:
        """Whether every unit is a single row."""
        return self.constraints.groups is None

    def kinds(self) -> list[NDArray[np.int64]]:
        """Sort the units by size; leave out those that are the only ones of theirs."""
        if self.are_rows:
            return [np.arange(len(self))]
        order = np.argsort(self.sizes, kind="stable")
        return [kind for kind in np.split(order, np.flatnonzero(np.diff(self.sizes[order])) + 1) if len(kind) > 1]

    def count_positives(self, labels: LabelMatrix) -> int:
        """Count the positives of rows that move."""
        return int(np.diff(labels.indptr)[self.of_row >= 0].sum())

    def gather(self, labels: LabelMatrix) -> Gathered:
        """Add up the labels of each unit."""
        free = np.flatnonzero(self.of_row >= 0)
        if self.are_rows:
            rows = np.empty(len(free), dtype=np.int32)
            rows[self.of_row[free]] = free
            moved = labels[rows]
            amounts = moved.data if has_counts(labels) else np.ones(1)
            return Gathered(moved.indptr, moved.indices, amounts.astype(np.float32))
        import scipy.sparse as sp

        place = (self.of_row[free], free)
        selected = sp.csr_array((np.ones(len(free), np.int32), place), shape=(len(self), labels.shape[0]))
        summed = selected @ labels.astype(np.int32)
        summed.sort_indices()
        # of the types that rows have, so that the kernels are not compiled once more
        indptr, indices = summed.indptr.astype(labels.indptr.dtype), summed.indices.astype(labels.indices.dtype)
        return Gathered(indptr, indices, summed.data.astype(np.float32))

    def fixed_counts(self, labels: LabelMatrix) -> NDArray[np.int32]:
        """Count the positives of rows that stay in a fold."""
        n_splits, fixed = self.constraints.n_splits, self.constraints.fixed
        if not (fixed >= 0).any():
            return np.zeros((labels.shape[1], n_splits), dtype=np.int32)
        return np.ascontiguousarray(amounts_per_fold(labels, fixed, n_splits).T)

    def fixed_held(self) -> NDArray[np.int64]:
        """Count the rows that stay in each fold."""
        fixed = self.constraints.fixed
        return np.bincount(fixed[fixed >= 0], minlength=self.constraints.n_splits).astype(np.int64)

    def at_random(self, rng: np.random.Generator, *, may_shake: bool = True) -> FoldArray:
        """Place the units at random, in folds of the sizes asked for, or as near to them as groups allow.

        may_shake: as in :meth:`even_out`.
        """
        folds = self.scattered(rng)
        if not self.are_rows:
            self.even_out(folds, lambda units, surplus: _any_transfers(folds, units, surplus, rng), may_shake=may_shake)
        return folds

    def scattered(self, rng: np.random.Generator) -> FoldArray:
        """Place the units at random, groups in folds of about the sizes asked for."""
        room = self.constraints.sizes - self.fixed_held()
        order = rng.permutation(len(self))
        folds = np.empty(len(self), dtype=np.int32)
        if self.are_rows:
            folds[order] = np.repeat(np.arange(len(room), dtype=np.int32), room)
            return folds
        # the largest first, so that small ones are left to fill the gaps
        kernels.units.place_in_turn(self.sizes, order[np.argsort(-self.sizes[order], kind="stable")], room, folds)
        return folds

    def even_out(self, folds: FoldArray, transfer: Any, *, may_shake: bool = True) -> None:
        """Have units moved until fold sizes are exact, or as near to the sizes asked for as groups allow.

        may_shake: whether that may take a third of a second, where exchanges of groups do not reach them.
        """
        kind_sizes, kinds = np.unique(self.sizes, return_inverse=True)
        n_splits = self.constraints.n_splits
        profile = np.bincount(kinds * n_splits + folds, minlength=len(kind_sizes) * n_splits)
        profile = profile.reshape(len(kind_sizes), n_splits).astype(np.int64)
        sizes, held = self.constraints.sizes, self.fixed_held()
        due = self.constraints.shares * sizes.sum() - held
        surplus = profile - nearest_profile(
            profile, kind_sizes.astype(np.int64), sizes - held, due, may_shake=may_shake
        )
        for kind in np.flatnonzero(surplus.any(axis=1)):
            transfer(np.flatnonzero(kinds == kind), surplus[kind])

    def rows(self, folds: FoldArray) -> FoldArray:
        """Give each row the fold of its unit, or where it is to stay."""
        result = self.constraints.fixed.copy()
        is_free = self.of_row >= 0
        result[is_free] = folds[self.of_row[is_free]]
        return result

    def from_rows(self, folds: FoldArray) -> FoldArray:
        """Place each unit in the fold that holds most of its rows (the first of those that hold as many)."""
        is_free = self.of_row >= 0
        if self.are_rows:
            result = np.empty(len(self), dtype=np.int32)
            result[self.of_row[is_free]] = folds[is_free]
            return result
        n_splits = self.constraints.n_splits
        place = self.of_row[is_free].astype(np.int64) * n_splits + folds[is_free]
        votes = np.bincount(place, minlength=len(self) * n_splits).reshape(len(self), n_splits)
        return votes.argmax(axis=1).astype(np.int32)


def _any_transfers(
    folds: FoldArray, units: NDArray[np.int64], surplus: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Move any units of one size, as many as asked."""
    leaving = [rng.permutation(units[folds[units] == fold])[: surplus[fold]] for fold in np.flatnonzero(surplus > 0)]
    takers = np.maximum(-surplus, 0)
    folds[np.concatenate(leaving)] = np.repeat(np.arange(len(surplus), dtype=np.int32), takers)
