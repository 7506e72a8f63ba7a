"""Exchanges of groups of unlike size: annealing over pairs, for groups too few and too large to move one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.kernels.annealing import MIN_GAIN, boltzmann, draw, uniform
from optisplit.kernels.codes import FROZEN
from optisplit.kernels.jit import inlined, kernel
from optisplit.kernels.lanes import add_prices
from optisplit.kernels.records import call

if TYPE_CHECKING:
    from optisplit.kernels.annealing import Task
    from optisplit.kernels.problem import Array


@inlined
def beyond(held: Any, low: Any, high: Any) -> Any:
    """Count the rows by which a fold is outside its sizes."""
    return max(0, held - high, low - held)


@kernel
def farther(held: Array, low: Array, high: Array, fold: Any, n_rows: Any) -> Any:
    """Count the rows by which a fold would be farther outside its sizes if some entered it."""
    return beyond(held[fold] + n_rows, low[fold], high[fold]) - beyond(held[fold], low[fold], high[fold])


@kernel
def one_of(n: int, random: Array) -> Any:
    """Draw a number below another."""
    return np.int64(min(int(uniform(random) * np.float32(n)), n - 1))


@kernel
def trade(
    task: Task, n_steps: int, temperature: float, size_price: float, low: Array, high: Array,
    kept: Array, losses: Array,
) -> None:  # fmt: skip
    """Move single units and exchange two, and keep the best folds of those that are least outside their sizes.

    Every other try, on average, draws the fold of one unit anew; the others ask whether two units may change places.

    The state is changed in place; n_steps: tries; temperature: the temperature; size_price: price of a row too many or
    too few in a fold; low, high: (n_splits,) int64, fewest and most rows that each fold is to have; kept: (n_units,)
    int32, the best folds, set in place; losses: (3,) float64, the loss as things stand, that of the best folds, and by
    how many rows those are outside their sizes, changed in place.
    """
    problem, state = task.problem, task.state
    folds, held, changes, random = state.folds, state.held, state.changes, state.random
    n_units, n_splits = folds.size, held.size
    price, coldness = np.float32(size_price), np.float32(1.0 / temperature)
    off = 0
    for fold in range(n_splits):
        off += beyond(held[fold], low[fold], high[fold])
    for _ in range(n_steps):
        unit = one_of(n_units, random)
        own, n_rows = np.int64(folds[unit]), np.int64(problem.unit_sizes[unit])
        if uniform(random) < np.float32(0.5):
            call(task.changes_of, task, (unit, own, np.int64(0), n_splits))
            for fold in range(n_splits):
                state.entering[fold] = price * np.float32(farther(held, low, high, fold, n_rows))
            leaving = price * np.float32(farther(held, low, high, own, -n_rows))
            least = add_prices(changes, state.entering, leaving, np.uint64(own))
            new = np.int64(draw(changes, own, least, coldness, random))
            if new == own:
                continue
            call(task.changes_of, task, (unit, own, new, new + 1))  # drawing has overwritten it
            change = float(changes[new])
            outside = farther(held, low, high, own, -n_rows) + farther(held, low, high, new, n_rows)
            call(task.move, task, (unit, new))
        else:
            other = one_of(n_units, random)
            new = np.int64(folds[other])
            if new == own:
                continue
            n_rows -= problem.unit_sizes[other]
            outside = farther(held, low, high, own, -n_rows) + farther(held, low, high, new, n_rows)
            call(task.changes_of, task, (unit, own, new, new + 1))
            change = float(changes[new])
            call(task.move, task, (unit, new))
            call(task.changes_of, task, (other, new, own, own + 1))
            change += float(changes[own])
            cost = (np.float32(change) + price * np.float32(outside)) * coldness
            if cost > 0 and (cost > np.float32(FROZEN) or uniform(random) >= boltzmann(-cost)):
                call(task.move, task, (unit, own))
                continue
            call(task.move, task, (other, own))
        losses[0] += change
        off += outside
        if off < losses[2] or (off == losses[2] and losses[0] < losses[1] - MIN_GAIN):
            losses[1], losses[2] = losses[0], off
            for each in range(n_units):
                kept[each] = folds[each]
