"""How groups change places: annealing over exchanges of two groups of any size, which moves of single ones block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit import kernels
from optisplit.methods.annealing.fairness import EXACT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optisplit.kernels.problem import Problem, State

MOST_GROUPS = 5_000
"""Of more groups, single ones are small enough to be moved one by one."""

HOTTEST, COLDEST, N_TEMPERATURES = 1.5, 0.06, 200
"""Temperatures, in units of what the typical group weighs in its most important label."""

FIRST_PRICE, LAST_PRICE = 0.02, 0.4
"""Price of a row outside the sizes, in the same units: low at first, since sums of few groups are rarely right."""


def trade_groups(
    problem: Problem, state: State, shares: NDArray[np.float64], n_tries: int, on_chunk: Callable[[], None]
) -> None:
    """Anneal over moves and exchanges of groups, and leave the best folds found, of sizes no farther off.

    The state's folds are changed in place, its tables are not kept up: count afresh. Where `on_chunk` raises, the best
    folds until then are left as well.
    """
    wanted = shares * problem.sizes.sum()
    # where whole groups do not allow a size, no fold is to be further from it than it is
    low = np.minimum(np.floor(wanted + EXACT).astype(np.int64), state.held)
    high = np.maximum(np.ceil(wanted - EXACT).astype(np.int64), state.held)
    state.fair_prices[:] = 0  # what is not fair has its firm price here
    unit = float(np.median(problem.rarity[problem.rarity > 0]))
    kept, losses = state.folds.copy(), np.zeros(2)
    try:
        for part in np.linspace(0, 1, N_TEMPERATURES):
            temperature = unit * HOTTEST * (COLDEST / HOTTEST) ** part
            price = unit * FIRST_PRICE * (LAST_PRICE / FIRST_PRICE) ** part
            kernels.trades.trade(problem, state, n_tries // N_TEMPERATURES, temperature, price, low, high, kept, losses)
            on_chunk()
    finally:
        state.folds[:] = kept
