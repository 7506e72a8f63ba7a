"""Exchanges of groups of unlike size: annealing over pairs, for groups too few and too large to move one by one."""

from __future__ import annotations

import numpy as np

from optisplit.kernels.annealing import FROZEN, MIN_GAIN, Array, Problem, State, boltzmann, changes_of, move, uniform
from optisplit.kernels.jit import bare, inlined


@bare
def changes_if_moved(problem: Problem, state: State, unit: int, own: int) -> None:
    """Do what :func:`changes_of` does, compiled once for all that call it."""
    changes_of(problem, state, unit, own)


@bare
def move_unit(problem: Problem, state: State, unit: int, new: int) -> None:
    """Do what :func:`move` does, compiled once for all that call it."""
    move(problem, state, unit, new)


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
    folds, held, changes, random = state.folds, state.held, state.changes, state.random
    n_units, n_splits = folds.size, held.size
    off = 0
    for fold in range(n_splits):
        off += beyond(held[fold], low[fold], high[fold])
    for _ in range(n_steps):
        unit = min(int(uniform(random) * np.float32(n_units)), n_units - 1)
        own, other = folds[unit], -1
        if uniform(random) < np.float32(0.5):
            new = min(int(uniform(random) * np.float32(n_splits)), n_splits - 1)
        else:
            other = min(int(uniform(random) * np.float32(n_units)), n_units - 1)
            new = folds[other]
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
        changes_if_moved(problem, state, unit, own)
        change = float(changes[new])
        if other >= 0:
            move_unit(problem, state, unit, new)
            changes_if_moved(problem, state, other, new)
            change += float(changes[own])
        cost = (change + size_price * off_by) / temperature
        if cost > 0 and (cost > FROZEN or uniform(random) >= boltzmann(np.float32(-cost))):
            if other >= 0:
                move_unit(problem, state, unit, own)
            continue
        if other >= 0:
            move_unit(problem, state, other, own)
        else:
            move_unit(problem, state, unit, new)
        losses[0] += change
        off += off_by
        if off == 0 and losses[0] < losses[1] - MIN_GAIN:
            losses[1] = losses[0]
            for each in range(n_units):
                kept[each] = folds[each]
