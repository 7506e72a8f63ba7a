"""Counting positives: what every measure and every method starts from."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from optisplit.kernels.jit import kernel

Array = NDArray[Any]


@kernel
def count_positives(indptr: Array, indices: Array, folds: Array, counts: Array) -> None:
    """Count the positives of each label in each fold, in one pass over the non-zeros.

    indptr, indices: CSR arrays of the labels, shapes (n_rows + 1,) and (n_positives,); folds: (n_rows,) int32, the fold
    of every row; rows below 0 are passed over; counts: (n_splits, n_labels) int32, added to in place.
    """
    for row in range(folds.size):
        fold = folds[row]
        if fold >= 0:
            for at in range(indptr[row], indptr[row + 1]):
                counts[fold, indices[at]] += 1


@kernel
def count_amounts(indptr: Array, indices: Array, amounts: Array, folds: Array, counts: Array) -> None:
    """Add up the amounts of each column in each fold: :func:`count_positives` where a row may have more than one.

    amounts: (n_positives,) int32, how much of its column each non-zero is; all else as there.
    """
    for row in range(folds.size):
        fold = folds[row]
        if fold >= 0:
            for at in range(indptr[row], indptr[row + 1]):
                counts[fold, indices[at]] += amounts[at]


@kernel
def count_rows(indptr: Array, folds: Array, counts: Array) -> None:
    """Count the rows with 0, 1, 2, ... labels in each fold.

    indptr: (n_rows + 1,), of the labels' CSR array; folds: (n_rows,) int32, rows below 0 are passed over; counts:
    (n_splits, most labels of a row + 1) int64, added to in place.
    """
    for row in range(folds.size):
        fold = folds[row]
        if fold >= 0:
            counts[fold, indptr[row + 1] - indptr[row]] += 1
