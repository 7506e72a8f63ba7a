"""Exchanges of two rows between folds, until every column has in every fold what it may have there.

Where rows have amounts, a row that moves brings all of its amounts at once, so that few moves help: exchanges are
drawn at random, half of them of rows that have something of which there is too much, or too little, in their fold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.annealing import uniform
from optisplit.kernels.jit import inlined, kernel

Array = NDArray[Any]

N_TRIES = 8  # rows that are drawn to find one in a fold


@inlined
def beyond(count: float, low: float, high: float) -> float:
    """Tell how far a number is outside its limits."""
    return max(0.0, max(low - count, count - high))


@inlined
def drawn(random: Array, most: int) -> Any:
    """Draw a whole number below `most`."""
    return min(np.int64(uniform(random) * most), most - 1)


@kernel
def list_off(counts: Array, weights: Array, low: Array, high: Array, off: Array) -> int:
    """List the pairs of a column and a fold that are outside their limits, as ``column * n_splits + fold``.

    off: int64, as long as there are pairs; set in place. Returns how many there are.
    """
    n_off, n_splits = 0, counts.shape[1]
    for column in range(counts.shape[0]):
        for fold in range(n_splits):
            if weights[column] > 0 and beyond(counts[column, fold], low[column, fold], high[column, fold]) > 0:
                off[n_off] = column * n_splits + fold
                n_off += 1
    return n_off


@kernel
def exchange_at_random(
    indptr: Array, indices: Array, amounts: Array, row_ptr: Array, rows: Array, weights: Array, low: Array, high: Array,
    folds: Array, counts: Array, off: Array, random: Array, hot: float, cold: float, n_steps: int,
) -> None:  # fmt: skip
    """Exchange rows of two folds again and again, with a temperature that sinks from `hot` to `cold`.

    indptr, indices, amounts: CSR arrays of all columns; row_ptr, rows: the same by column, without amounts; weights:
    (n_columns,), price of one beyond the limits; low, high: (n_columns, n_splits), limits; folds: (n_rows,) int32, the
    fold of every row that may move, -1 for others; counts: (n_columns, n_splits) float64; both changed in place; off:
    room for all pairs of a column and a fold; random: (1,) uint64, not 0.
    """
    n_rows, n_columns, n_splits = folds.size, counts.shape[0], counts.shape[1]
    change, touched = np.zeros(n_columns), np.empty(n_columns, np.int64)
    temperature, n_off = hot, 0
    for step in range(n_steps):
        if step % 1024 == 0:
            temperature = hot * (cold / hot) ** (step / n_steps)
            n_off = list_off(counts, weights, low, high, off)
            if n_off == 0:
                return
        first, second = drawn(random, n_rows), drawn(random, n_rows)
        if step % 2 == 0:  # a row that has what there is too much of in its fold, or that its fold lacks
            pair = off[drawn(random, n_off)]
            column, fold = pair // n_splits, pair % n_splits
            is_lacking = counts[column, fold] < low[column, fold]
            n_having = row_ptr[column + 1] - row_ptr[column]
            for _ in range(N_TRIES):
                having = rows[row_ptr[column] + drawn(random, n_having)]
                if (folds[having] == fold) != is_lacking:
                    first = having
                    break
            for _ in range(N_TRIES):
                if (folds[second] == fold) == is_lacking:
                    break
                second = drawn(random, n_rows)
        a, b = folds[first], folds[second]
        if a == b or a < 0 or b < 0:
            continue
        n_touched = 0
        for at in range(indptr[first], indptr[first + 1]):
            change[indices[at]] += amounts[at]
            touched[n_touched] = indices[at]
            n_touched += 1
        for at in range(indptr[second], indptr[second + 1]):
            if change[indices[at]] == 0:
                touched[n_touched] = indices[at]
                n_touched += 1
            change[indices[at]] -= amounts[at]
        rise = 0.0
        for at in range(n_touched):
            column = touched[at]
            moved = change[column]
            if moved != 0:
                x, y = counts[column, a], counts[column, b]
                x_low, x_high, y_low, y_high = low[column, a], high[column, a], low[column, b], high[column, b]
                rise += weights[column] * (
                    beyond(x - moved, x_low, x_high) - beyond(x, x_low, x_high)
                    + beyond(y + moved, y_low, y_high) - beyond(y, y_low, y_high)
                )  # fmt: skip
        is_taken = rise <= 0 or uniform(random) < np.exp(-rise / temperature)
        for at in range(n_touched):
            column = touched[at]
            if is_taken:
                counts[column, a] -= change[column]
                counts[column, b] += change[column]
            change[column] = 0
        if is_taken:
            folds[first], folds[second] = b, a
