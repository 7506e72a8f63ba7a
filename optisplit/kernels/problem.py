"""What annealing works on, in plain arrays: the problem, the state of a search, and its tables counted afresh.

What moves is a unit: a row, or a group of rows that stay together. For each label and fold a table holds how far the
fold is from its ideal number of positives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.jit import kernel
from optisplit.kernels.records import Record

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Problem(Record):
    """What does not change while annealing; weights are in units of the typical weight of a label."""

    indptr: Array  # CSR arrays of the units' labels, units in the order in which they are visited
    indices: Array  # likewise
    amounts: Array  # float32, positives of each entry; or one number, for all
    stride: np.uint64  # 1; or 0 where ``amounts[0]`` is for all
    unit_sizes: Array  # (n_units,) int32, rows of each unit
    # (n_labels,) float32, what one positive of each label weighs in the loss; 0 for labels that are not scored
    weights: Array
    positives: Array  # (n_labels,) float64, label sizes
    sizes: Array  # (n_splits,) int64, rows that each fold is to have
    share: Array  # (n_splits,) float64, ``sizes / n_rows``
    scale: Array  # (width,) float32, ``1 / (n_splits * share)`` of each fold
    half: Array  # (width,) float32, .5 for each fold
    # (n_labels, n_splits) float64, DCP: the most positives a fold can hold of each label with its DCP at the bound;
    # else of shape (0, n_splits)
    caps: Array
    rarity: Array  # (n_units,) float32, the largest ``weight x amount`` among each unit's labels
    # (n_labels,) float32, price of a fold without a positive of the label: not 0 only where the label is scarce
    lack_weights: Array
    n_scarce: Array  # (n_units,) int32, scarce labels of each unit: its first ones, or 0 where they have no price
    reach: Array  # (n_labels,) float32, the most that one unit changes in each label's score
    # CSR arrays of what units have in common with others, such as labels of one size or their number of labels, and
    # float32 amounts of it; empty where nothing is to have its due
    fair_indptr: Array
    fair_indices: Array
    fair_amounts: Array
    fair_weights: Array  # (n_fair,) float32, price of an amount beyond the target or lacking
    fair_targets: Array  # (n_fair, n_splits) float64, how much of each the units of a fold are to have
    is_firm: bool  # whether that price is asked; signed prices always are
    home: Array  # (n_units,) int32, the fold that each unit is to leave only for a price; or of shape (0,)
    home_price: np.float32  # that price, for each row
    measure: int  # RLD, DCP or LD


@dataclass(frozen=True, eq=False)
class State(Record):
    """What annealing works on; every array is changed in place."""

    folds: Array  # (n_units,) int32, the fold of every unit
    # (n_labels * width,) float32, twice the positives of each label and fold beyond the ideal number; a line of `width`
    # numbers a label
    table: Array
    over: Array  # (n_labels * width,) float32, DCP: twice the positives beyond the cap; else of shape (0,)
    lack: Array  # (n_labels * width,) float32, twice the positives beyond one; kept for units with a scarce label alone
    fair_table: Array  # (n_fair * width,) float32, twice what each fold has beyond its target
    fair_prices: Array  # (n_fair * width,) float32, signed price of an amount of each in each fold
    held: Array  # (n_splits,) int64, rows in each fold
    size_price: Array  # (1,) float32, price of one row too many or too few in a fold
    size_prices: Array  # (n_splits,) float32, signed price of a row in each fold
    entering: Array  # (width,) float32, what a unit pays for sizes to enter each fold; infinite beyond the last
    leaving: Array  # (width,) float32, and to leave it
    rest: Array  # (n_units,) uint8, sweeps for which each unit is still passed over
    zeros: Array  # (width,) float32, never written to
    changes: Array  # (width,) float32, scratch
    random: Array  # (1,) uint64, state of the random numbers; never 0


@kernel
def scarce_first(
    indptr: Array, indices: Array, amounts: Array, stride: Any, weights: Array, lack_weights: Array, rarity: Array,
    n_scarce: Array,
) -> None:  # fmt: skip
    """Put each unit's scarce labels before its others, and find the largest weight among all of them.

    indptr, stride, weights, lack_weights: as in Problem; indices, amounts: likewise, put in order in place; rarity,
    n_scarce: (n_units,), set in place.
    """
    for unit in range(rarity.size):
        most = np.float32(0)
        end = indptr[unit]
        for at in range(indptr[unit], indptr[unit + 1]):
            label = indices[at]
            weight = weights[label] * amounts[at * stride]
            most = weight if weight > most else most
            if lack_weights[label] > 0:
                indices[at], indices[end] = indices[end], label
                amounts[at * stride], amounts[end * stride] = amounts[end * stride], amounts[at * stride]
                end += 1
        rarity[unit], n_scarce[unit] = most, end - indptr[unit]


@kernel
def only_labels(indptr: Array, indices: Array, amounts: Array, stride: Any, is_kept: Array) -> Any:
    """Leave labels out.

    indptr, indices, amounts, stride: as in Problem; is_kept: (n_labels,) bool. Returns the three arrays without the
    others' entries.
    """
    n_kept = 0
    for at in range(indices.size):
        n_kept += is_kept[indices[at]]
    ptr, labels = np.empty(indptr.size, dtype=indptr.dtype), np.empty(n_kept, dtype=indices.dtype)
    of_labels = np.empty(n_kept, dtype=amounts.dtype) if stride > 0 else amounts
    end = 0
    for unit in range(indptr.size - 1):
        ptr[unit] = end
        for at in range(indptr[unit], indptr[unit + 1]):
            if is_kept[indices[at]]:
                labels[end] = indices[at]
                if stride > 0:
                    of_labels[end] = amounts[at]
                end += 1
    ptr[indptr.size - 1] = end
    return ptr, labels, of_labels


@kernel
def count_units(indptr: Array, indices: Array, amounts: Array, stride: Any, folds: Array, counts: Array) -> None:
    """Count the positives of each label in each fold.

    indptr, indices, amounts, stride: as in Problem; folds: (n_units,) int32, the fold of every unit; counts: (n_labels,
    n_splits) float64, added to in place.
    """
    for unit in range(folds.size):
        for at in range(indptr[unit], indptr[unit + 1]):
            counts[indices[at], folds[unit]] += amounts[at * stride]
