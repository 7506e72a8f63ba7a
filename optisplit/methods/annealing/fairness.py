"""What each fold is to have its due of: labels of one size together, and rows with 0, 1, 2, ... labels.

In folds of unequal size every rare label by itself scores best where it is rounded in one way, and all of them
together leave the small parts. So what is due to each fold of all labels of one size is given to the search as a
target, and so is what is due to it of rows with each number of labels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.folds.arrays import ALWAYS_TRAIN
from optisplit.labels.matrix import positives_per_label, side_by_side, with_house_dtypes
from optisplit.measures.representative import SINGLE_SIZES, row_kinds, size_bands

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.kernels.problem import Problem, State
    from optisplit.labels import LabelMatrix
    from optisplit.methods.annealing.units import Units

    IntArray = NDArray[np.int64]

LEAST_WEIGHT = 8.0
"""Least price at the end of a positive of any label, in units of the typical weight of a label.

With a quarter of it folds of emotions end 5 % above the bound instead of at it; with four times as much, rows
are three times as far from their due.
"""

ROW_WEIGHT_IN_FOLDS, ROW_WEIGHT_IN_PARTS = 3.0, 8.0
"""Price then of a row too many or too few of its number of labels.

Parts of unequal size pay all of a higher one, since much pulls rows of one kind out of them: with less, parts of enron
are farther from their due of rows, with more, labels of medical are beyond their rounding.
"""

ROW_WEIGHT = 1.5
"""The same where labels keep their weights, times the root of the share of rows that the typical label is on.

With a fifth of it folds of GO human BP are three times as far from their due of rows, and .6 % nearer to the bound.
"""

MANY_ROWS = 100
"""From so many rows on, one too many or too few in a part makes no difference of a per cent, so either will do.

Where it must be one of them, parts of emotions end a sixth above the bound instead of at it.
"""

EXACT = 1e-9
"""What is this near to a whole number is one."""

PRICE_STEP = 0.1
"""How fast signed prices follow what is beyond its target, as a share of the temperature.

With a fifth of it parts of bibtex are a quarter farther from their due of rows, and labels of enron beyond rounding.
"""


@dataclass(frozen=True)
class Fair:
    """What units have in common with others, of which each fold is to have its due."""

    size_of_label: NDArray[np.int32]  # shape (n_labels,): the place of the label's size among the targets; or -1
    n_sizes: int
    n_exact: int  # of them, those of labels of exactly one size
    row_weight: float  # price of a row too many or too few
    indptr: NDArray[np.int32]  # CSR arrays of shape (n_units, n_fair): first the sizes, then numbers of labels
    indices: NDArray[np.int32]
    amounts: NDArray[np.float32]
    targets: NDArray[np.float64]  # shape (n_fair, n_splits): what is drawn for each fold
    middles: NDArray[np.float64]  # shape (n_fair, n_splits): between what is due, rounded down, and rounded up

    @classmethod
    def of(cls, labels: LabelMatrix, units: Units, rng: np.random.Generator) -> Fair:
        """List what is to be fair, and draw what each fold is to have: what is due to it, rounded up or down.

        In folds of equal size labels are fair by themselves, so there it is the numbers of labels alone.
        """
        sizes = units.constraints.sizes
        columns = [rows_by_number(labels)]
        in_folds = units.constraints.fixed != ALWAYS_TRAIN
        positives = positives_per_label(labels if in_folds.all() else labels[in_folds])
        is_scored = (positives > 0) & (positives < in_folds.sum())
        size_of_label, n_sizes, n_exact = np.full(labels.shape[1], -1, dtype=np.int32), 0, 0
        typical = float(np.median(positives[is_scored])) if is_scored.any() else 1.0
        row_weight = ROW_WEIGHT * float(np.sqrt(typical / in_folds.sum()))
        if np.ptp(sizes) > 1:
            used, places = np.unique(size_bands(positives[is_scored]), return_inverse=True)
            size_of_label[is_scored], n_sizes, n_exact = places, len(used), int((used <= SINGLE_SIZES).sum())
            columns.insert(0, positives_by_size(labels, size_of_label, n_sizes))
        common = side_by_side(*columns)
        gathered = units.gather(common)
        amounts = np.broadcast_to(gathered.amounts, gathered.indices.shape)
        indptr, indices = (np.ascontiguousarray(each, dtype=np.int32) for each in (gathered.indptr, gathered.indices))
        targets, middles = _targets(common, n_sizes, units, rng)
        return cls(
            size_of_label,
            n_sizes,
            n_exact,
            row_weight,
            indptr,
            indices,
            np.array(amounts, np.float32),
            targets,
            middles,
        )

    def weights(self, of_labels: NDArray[np.float64]) -> NDArray[np.float32]:
        """Give the price of an amount of each: that of a label of the size, or of a row."""
        has = self.size_of_label >= 0
        members = self.size_of_label[has]
        sums = np.bincount(members, of_labels[: len(has)][has], minlength=self.n_sizes)
        of_sizes = sums / np.bincount(members, minlength=self.n_sizes)
        of_rows = np.full(len(self.targets) - self.n_sizes, self.row_weight)
        return np.concatenate([of_sizes, of_rows]).astype(np.float32)


def rows_by_number(labels: LabelMatrix) -> LabelMatrix:
    """Put rows with 0, 1, 2, ... labels into a column each."""
    n_labels = np.diff(labels.indptr)
    _, kinds = np.unique(row_kinds(np.bincount(n_labels))[n_labels], return_inverse=True)
    return with_house_dtypes(sp.csr_array((np.ones(len(kinds), np.int8), kinds, np.arange(len(kinds) + 1))))


def positives_by_size(labels: LabelMatrix, size_of_label: NDArray[Any], n_sizes: int) -> LabelMatrix:
    """Count what each row has of labels of each size, given the place of every label's size; below 0 it has none."""
    has = np.flatnonzero(size_of_label >= 0)
    place = (has, size_of_label[has])
    member = sp.csr_array((np.ones(len(has), np.int32), place), shape=(labels.shape[1], n_sizes))
    return sp.csr_array(labels.astype(np.int32) @ member)


def between_roundings(due: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the middle of what is due, rounded down, and rounded up: from there both are as far."""
    whole = np.floor(due + EXACT)
    return whole + 0.5 * (due - whole > EXACT)


def _targets(
    common: LabelMatrix, n_sizes: int, units: Units, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw what units that move are to bring into each fold; and what they may bring at the end.

    There, many rows of one number of labels may be rounded either way, and in folds of equal size, each of which is a
    test set once, all rows. Few rows in unequal parts may not, and labels of one size neither: they would all be
    rounded as suits their score.
    """
    in_folds = np.flatnonzero(units.constraints.fixed != ALWAYS_TRAIN)
    totals = np.asarray(common[in_folds].sum(axis=0, dtype=np.int64)).ravel()
    due = due_to_folds(totals, units.fixed_counts(common), units.constraints.sizes, units.fixed_held())
    whole = np.floor(due + EXACT)
    part = np.where(due - whole > EXACT, due - whole, 0.0)
    # labels, one size after the other: along the folds, at equal steps from a random start
    upto = np.floor(np.cumsum(part[:n_sizes], axis=1) + rng.random((n_sizes, 1)) + EXACT)
    targets = np.vstack([whole[:n_sizes] + np.diff(upto, axis=1, prepend=0), divide_at_random(due[n_sizes:], rng)])
    may_round = (np.arange(len(due)) >= n_sizes) & ((totals >= MANY_ROWS) | (n_sizes == 0))
    return targets, np.where(may_round[:, None], between_roundings(due), targets)


def due_to_folds(
    totals: IntArray, fixed: NDArray[np.int32], sizes: IntArray, fixed_held: IntArray
) -> NDArray[np.float64]:
    """Tell what is due to each fold of the amounts that move, shape (n_amounts, n_splits).

    All that is in folds is divided by their sizes. A fold that has no room, or more than its due in rows that stay,
    gets nothing, and the others divide what is left.
    """
    takes = np.broadcast_to(sizes > fixed_held, fixed.shape).copy()
    while True:
        left = totals - (fixed * ~takes).sum(axis=1)
        wanted = takes * sizes
        due = wanted * (left / np.maximum(wanted.sum(axis=1), 1))[:, None] - fixed * takes
        is_over = due < 0
        if not is_over.any():
            return due
        takes &= ~is_over


def divide_at_random(due: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Divide whole amounts at random, so that each fold is expected to get just what is due to it.

    Folds are divided into halves, and those again. At each step the amounts are laid end to end, and a half takes what
    is due to it at equal steps from a random start: of each amount rounded up or down, and of all up to any of them
    together as well. `due` and what is returned have shape (n_amounts, n_splits).
    """
    result = np.empty_like(due)

    def divide(folds: IntArray, left: NDArray[np.float64]) -> None:
        if len(folds) == 1:
            result[:, folds[0]] = left
            return
        first, second = np.array_split(folds, 2)
        share = due[:, first].sum(axis=1) / np.maximum(due[:, folds].sum(axis=1), EXACT)
        upto = np.floor(np.cumsum(left * share) + rng.random() + EXACT)
        taken = np.minimum(np.diff(upto, prepend=0), left)
        divide(first, taken)
        divide(second, left - taken)

    divide(np.arange(due.shape[1]), np.rint(due.sum(axis=1)))
    return result


class FairPrices:
    """Signed prices, one for each fold and thing in common, which follow what is beyond its target."""

    def __init__(self, problem: Problem, fair: Fair) -> None:
        self._weights = problem.fair_weights.copy()
        self._weights[fair.n_sizes :] = 1  # rows answer at any temperature
        # a fold answers to a price in proportion to what it holds, and must not overshoot
        n_fair, n_splits = problem.fair_targets.shape
        self._slack = np.ones((n_fair, problem.scale.size), dtype=np.float32)
        self._slack[:, :n_splits] = 2 * (1 + np.maximum(problem.fair_targets, 0))  # twice, as in the state's table
        # units whose labels all weigh less than the temperature do not move: it is for nothing to ask them a price
        rarity = np.repeat(np.minimum(problem.rarity, 1), np.diff(problem.fair_indptr))
        amounts = problem.fair_amounts
        total = np.bincount(problem.fair_indices, amounts, n_fair)
        moving = np.bincount(problem.fair_indices, amounts * rarity, n_fair)
        self._moves_at = (moving / np.maximum(total, 1)).astype(np.float32)

    def adapt(self, problem: Problem, state: State, temperature: float) -> None:
        """Raise the price where there is more than the target, lower it where there is less."""
        steps = np.float32(PRICE_STEP) * np.minimum(np.float32(temperature), self._weights)
        steps[self._moves_at < temperature] = 0
        off = state.fair_table.reshape(self._slack.shape) / self._slack
        np.minimum(np.maximum(off, -1, out=off), 1, out=off)
        state.fair_prices[:] += (steps[:, None] * off).ravel()


def firm(problem: Problem, fair: Fair, *, is_plain: bool = False) -> Problem:
    """Ask a price for all that is beyond its due.

    In the score a positive weighs little where its label is frequent or its part large. Such labels would pay with more
    than their rounding for all that is fair, so here none weighs less than that, and all parts weigh alike; unless
    they are to keep their weights.
    """
    if is_plain:
        return replace(problem, fair_targets=fair.middles, is_firm=True)
    weights = np.where(problem.weights > 0, np.maximum(problem.weights, LEAST_WEIGHT), 0).astype(np.float32)
    alike = np.full_like(problem.scale, problem.scale.max())
    # labels of exactly one size are all drawn to the same side, by so much more
    fair_weights = problem.fair_weights.copy()
    fair_weights[fair.n_sizes :] = ROW_WEIGHT_IN_PARTS if fair.n_sizes else ROW_WEIGHT_IN_FOLDS
    fair_weights[: fair.n_exact] = np.maximum(fair_weights[: fair.n_exact], LEAST_WEIGHT)
    return replace(
        problem,
        lack_weights=problem.lack_weights * np.float32(LEAST_WEIGHT),  # still above all else
        weights=weights,
        scale=alike,
        fair_weights=fair_weights,
        fair_targets=fair.middles,
        is_firm=True,
    )
