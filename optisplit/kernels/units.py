"""Units of rows, such as groups: gathering their labels, and placing them where there is room."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from optisplit.kernels.jit import kernel

Array = NDArray[Any]


@kernel
def place_in_turn(unit_sizes: Array, order: Array, room: Array, folds: Array) -> None:
    """Put units one by one into the fold that has the most room left.

    unit_sizes: (n_units,) int32, rows of each unit; order: the order in which units are placed; room: (n_splits,)
    int64, rows that each fold still takes; changed in place; folds: (n_units,) int32, set in place.
    """
    for unit in order:
        best = 0
        for fold in range(1, room.size):
            if room[fold] > room[best]:
                best = fold
        folds[unit] = best
        room[best] -= unit_sizes[unit]
