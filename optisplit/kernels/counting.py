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


@kernel
def count_members(indptr: Array, indices: Array, is_majority: Array, members: Array) -> None:
    """Count, for each row, the labels whose smaller side it is on.

    The smaller side of a label is its positives, or its negatives where `is_majority`.

    indptr, indices: CSR arrays of the labels; is_majority: (n_labels,) bool, labels with more positives than
    negatives; members: (n_rows,) int32, set in place: minority labels that the row has, plus majority labels that it
    lacks.
    """
    n_majority = 0
    for label in range(is_majority.size):
        n_majority += is_majority[label]
    for row in range(members.size):
        total = n_majority
        for at in range(indptr[row], indptr[row + 1]):
            total += -1 if is_majority[indices[at]] else 1
        members[row] = total


@kernel
def list_members(
    indptr: Array, indices: Array, is_majority: Array, majority: Array, member_ptr: Array, member_rows: Array,
    last_row: Array,
) -> None:  # fmt: skip
    """List the rows on the smaller side of each label, ascending (a CSC of that side).

    indptr, indices: CSR arrays of the labels; is_majority: (n_labels,) bool, labels that are listed by their
    negatives; majority: int64, these labels; member_ptr: (n_labels + 1,) int64, where each label's list starts. Used as
    the write position: afterwards entry i holds the end of list i; member_rows: int32, set in place; last_row:
    (n_labels,) int32, scratch; must come filled with -1.
    """
    for row in range(indptr.size - 1):
        for at in range(indptr[row], indptr[row + 1]):
            label = indices[at]
            last_row[label] = row
            if not is_majority[label]:
                member_rows[member_ptr[label]] = row
                member_ptr[label] += 1
        for label in majority:
            if last_row[label] != row:
                member_rows[member_ptr[label]] = row
                member_ptr[label] += 1
