"""Exchanges of groups of unlike size: annealing over pairs, for groups too few and too large to move one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit.kernels.annealing import MIN_GAIN, boltzmann, uniform
from optisplit.kernels.codes import FROZEN
from optisplit.kernels.jit import bare, inlined
from optisplit.kernels.swaps import ONE, ZERO, find_changes, move_units

if TYPE_CHECKING:
    from optisplit.kernels.problem import Array, Problem, State


@inlined
def beyond(held: int, low: int, high: int) -> int:
    """Count the rows by which a fold is outside its sizes."""
    return max(0, held - high, low - held)


@bare
def trade(
    problem: Problem, state: State, n_steps: int, temperature: float, size_price: float, low: Array, high: Array,
    kept: Array, losses: Array,
) -> None:  # fmt: skip
    """Try moves of one unit and exchanges of two, and keep the best folds whose sizes are as they are to be.

    The state is changed in place; n_steps: tries; temperature: the temperature; size_price: price of a row too many or
    too few in a fold; low, high: (n_splits,) int64, fewest and most rows that each fold is to have; kept: (n_units,)
    int32, the best folds, set in place; losses: (2,) float64, the loss as things stand and that of the best folds,
    changed in place.
    """
    folds, held, tried, found, random = state.folds, state.held, state.tried, state.found, state.random
    n_units, n_splits = folds.size, held.size
    off = 0
    for fold in range(n_splits):
        off += beyond(held[fold], low[fold], high[fold])
    for _ in range(n_steps):
        unit = min(int(uniform(random) * np.float32(n_units)), n_units - 1)
        own, other = np.int64(folds[unit]), -1
        if uniform(random) < np.float32(0.5):
            new = np.int64(min(int(uniform(random) * np.float32(n_splits)), n_splits - 1))
        else:
            other = min(int(uniform(random) * np.float32(n_units)), n_units - 1)
            new = np.int64(folds[other])
        if new == own:
            continue
        n_rows = np.int64(problem.unit_sizes[unit])
        if other >= 0:
            n_rows -= problem.unit_sizes[other]
        off_by = (
            beyond(held[own] - n_rows, low[own], high[own])
            - beyond(held[own], low[own], high[own])
            + beyond(held[new] + n_rows, low[new], high[new])
            - beyond(held[new], low[new], high[new])
        )
        tried[0] = unit
        find_changes(problem, state, tried, ZERO, ONE, new, new + ONE)
        change = float(found[0, new])
        if other >= 0:
            move_units(problem, state, tried, ZERO, ONE, new)
            tried[0] = other
            find_changes(problem, state, tried, ZERO, ONE, own, own + ONE)
            change += float(found[0, own])
        cost = (change + size_price * off_by) / temperature
        if cost > 0 and (cost > FROZEN or uniform(random) >= boltzmann(np.float32(-cost))):
            if other >= 0:
                tried[0] = unit
                move_units(problem, state, tried, ZERO, ONE, own)
            continue
        # the unit has gone already where there is another, which is what was looked at last
        move_units(problem, state, tried, ZERO, ONE, new if other < 0 else own)
        losses[0] += change
        off += off_by
        if off == 0 and losses[0] < losses[1] - MIN_GAIN:
            losses[1] = losses[0]
            for each in range(n_units):
                kept[each] = folds[each]
