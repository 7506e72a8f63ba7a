"""What rows too many or too few in a fold cost while annealing, and how that follows the sizes from sweep to sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optisplit.kernels.problem import Problem, State
    from optisplit.methods.annealing.units import Units

STEP, USUAL_SPREAD = 1.1, 4.0
"""How the price of sizes rises in a sweep where folds are further off than chance explains, and falls otherwise.

In parts of unequal size most labels may round in the same direction, which pulls rows into one part. Steps of 1.03 to
1.3 do as well; with a spread four times as wide, parts of bibtex end .6 % above the bound instead of .1.
"""

MANY_POSITIVES = 25_000
"""From so many positives on, rows pay a signed price for each part instead, which holds them without hindering moves.

Delicious in 80/10/10 ends 4.2 % above the bound instead of 7.9. In fewer there is next to nothing to gain.
"""

SWEEPS = 0.8
"""There sweeps are by so much fewer, since they take longer."""

SIGNED_STEP, MOST_OFF = 0.05, 10.0
"""How fast signed prices follow, as a share of the temperature, and rows too many or too few from which no faster."""


class SizePrices:
    """The price of rows too many or too few: rising on all of them, or signed and one for each part."""

    def __init__(self, problem: Problem, state: State, units: Units, *, may_sign: bool) -> None:
        self._least = float(state.size_price[0])
        self._largest = int(units.sizes.max(initial=1))  # a fold that is off by less than a unit is not off
        is_large = units.are_rows and int(problem.indptr[-1]) >= MANY_POSITIVES
        self.is_signed = may_sign and is_large and bool(np.ptp(problem.sizes) > 1)
        self.sweeps = SWEEPS if self.is_signed else 1.0

    def adapt(self, problem: Problem, state: State, temperature: float) -> None:
        """Follow the sizes."""
        surplus = state.held - problem.sizes
        if self.is_signed:
            step = SIGNED_STEP * temperature * np.clip(surplus / MOST_OFF, -1, 1)
            state.size_prices[:] += step.astype(np.float32)
            return
        price = float(state.size_price[0])
        furthest = float(np.abs(surplus).max()) / float(self._largest)
        is_pulled = furthest > 1 + USUAL_SPREAD * temperature / (price * self._largest)
        state.size_price[0] = price * STEP if is_pulled else max(self._least, price / STEP)
