"""How groups change places: annealing over exchanges of two groups of any size, which moves of single ones block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit import kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optisplit.kernels.annealing import Task

    IntArray = NDArray[np.int64]

MOST_GROUPS = 5_000
"""Of more groups, single ones are small enough to be moved one by one."""

HOTTEST, COLDEST, N_TEMPERATURES = 1.0, 0.1, 200
"""Temperatures, in units of what the typical group weighs in its most important label."""

FIRST_PRICE, LAST_PRICE = 0.005, 0.4
"""Price of a row outside the sizes, in the same units: low at first, since sums of few groups are rarely right."""

FEW_GROUPS, MOST_TIMES = 60, 4.0
"""More groups than these have more tries, up to so many times as many."""


def trade_groups(task: Task, low: IntArray, high: IntArray, n_tries: int, on_chunk: Callable[[], None]) -> None:
    """Anneal over moves and exchanges of groups, and leave the best folds found of those least outside their sizes.

    low, high: fewest and most rows that each fold is to have, shape (n_splits,). The state's folds are changed in
    place, its tables are not kept up: count afresh. Where `on_chunk` raises, the best folds until then are left as
    well.
    """
    problem, state = task.problem, task.state
    state.fair_prices[:] = 0  # what is not fair has its firm price here
    unit = float(np.median(problem.rarity[problem.rarity > 0]))
    n_tries = int(n_tries * np.clip(len(state.folds) / FEW_GROUPS, 1, MOST_TIMES))
    outside = np.maximum(state.held - high, low - state.held)
    kept, losses = state.folds.copy(), np.array([0.0, 0.0, np.maximum(outside, 0).sum()])
    try:
        for part in np.linspace(0, 1, N_TEMPERATURES):
            temperature = unit * HOTTEST * (COLDEST / HOTTEST) ** part
            price = unit * FIRST_PRICE * (LAST_PRICE / FIRST_PRICE) ** part
            kernels.trades.trade(task, n_tries // N_TEMPERATURES, temperature, price, low, high, kept, losses)
            on_chunk()
    finally:
        state.folds[:] = kept
