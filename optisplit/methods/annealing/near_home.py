"""A search that keeps rows at home for a price, so that few of them leave it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optisplit.methods.annealing.search import Search

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray

LOWEST_HOME_PRICE, HIGHEST_HOME_PRICE = 1e-2, 1e6
"""Bounds on the price of a row away from home where their number is limited."""

N_HALVINGS = 6
"""Prices tried between one at which too many rows are away and one at which few enough are."""

PRICE_STEP, PRICE_FACTOR = 0.1, 1.2
"""How fast that price follows the number of such rows: in a sweep at most by exp(PRICE_STEP), at rest by the factor."""


class SearchNearHome(Search):
    """A search of which each unit has a home, the fold that it leaves only for a price."""

    _may_trade = False  # which would look for the best folds of all, wherever home is

    def anneal_near(self, hottest: float, home_price: float, most: int | None = None, *, covers: bool) -> None:
        """Anneal with a price on every row away from its home, then come to rest with exact sizes."""
        self._set_home_price(home_price)
        for _ in self._cool(hottest, covers=covers):
            if most is not None:
                excess = float(np.clip(self.n_away / max(most, 1) - 1, -1, 1))
                home_price = max(LOWEST_HOME_PRICE, home_price * float(np.exp(PRICE_STEP * excess)))
                self._set_home_price(home_price)
        self.come_to_rest()
        if most is None:
            return
        while self.n_away > most and home_price < HIGHEST_HOME_PRICE:
            home_price *= PRICE_FACTOR
            self._set_home_price(home_price)
            self.come_to_rest()
        while self.n_away < most and home_price > LOWEST_HOME_PRICE:
            kept = self._state.folds.copy()
            home_price /= PRICE_FACTOR
            self._set_home_price(home_price)
            self.come_to_rest()
            if self.n_away > most:
                self._halve(home_price, home_price * PRICE_FACTOR, most, kept)
                return

    def _halve(self, too_low: float, high: float, most: int, kept: FoldArray) -> None:
        """Look for the lowest price between two at which no more rows are away than may be."""
        for _ in range(N_HALVINGS):
            self._state.folds[:] = kept
            self.count_afresh()
            middle = (too_low + high) / 2
            self._set_home_price(middle)
            self.come_to_rest()
            if self.n_away > most:
                too_low = middle
            else:
                high, kept = middle, self._state.folds.copy()
        self._state.folds[:] = kept
        self.count_afresh()

    @property
    def n_away(self) -> int:
        """Rows that are not at home."""
        return int(self.units.sizes[self._state.folds != self._problem.home].sum())

    def _set_home_price(self, price: float) -> None:
        self._problem = replace(self._problem, home_price=np.float32(price))
