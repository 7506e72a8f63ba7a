"""Units of rows, such as groups: gathering their labels, and placing them where there is room."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from optisplit.kernels.jit import kernel

Array = NDArray[Any]


@kernel
def place_in_turn(unit_sizes: Array, order: Array, room: Array, folds: Array) -> None:
    """Put units one by one into the fold that has the most room left.

    Parameters
    ----------
    unit_sizes : ndarray of shape (n_units,), dtype int32
        Rows of each unit.
    order : ndarray of int
        The order in which units are placed.
    room : ndarray of shape (n_splits,), dtype int64
        Rows that each fold still takes; changed in place.
    folds : ndarray of shape (n_units,), dtype int32
        Set in place.
    """
    for unit in order:
        best = 0
        for fold in range(1, room.size):
            if room[fold] > room[best]:
                best = fold
        folds[unit] = best
        room[best] -= unit_sizes[unit]


@kernel
def gather_rows(indptr: Array, indices: Array, rows: Array, new_indptr: Array, new_indices: Array) -> None:
    """Put the rows of a CSR matrix in another order, or some of them.

    Parameters
    ----------
    indptr, indices : ndarray of int
        CSR arrays.
    rows : ndarray of int
        The rows wanted, in their new order.
    new_indptr : ndarray of shape (len(rows) + 1,)
        Set in place.
    new_indices : ndarray
        Set in place; as long as the rows' entries are many.
    """
    end = 0
    new_indptr[0] = 0
    for at in range(rows.size):
        row = rows[at]
        for place in range(indptr[row], indptr[row + 1]):
            new_indices[end] = indices[place]
            end += 1
        new_indptr[at + 1] = end


@kernel
def add_amounts(indices: Array, amounts: Array, stride: Any, totals: Array) -> None:
    """Add up the amounts of each label.

    Parameters
    ----------
    indices : ndarray of int
        Label of each entry.
    amounts : ndarray of float32
        Amount of each entry.
    stride : int
        1; or 0 where ``amounts[0]`` is for all.
    totals : ndarray of shape (n_labels,), dtype float64
        Added to in place.
    """
    for at in range(indices.size):
        totals[indices[at]] += amounts[at * stride]
