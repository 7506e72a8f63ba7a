"""Why LD grows with the size of a label: what the same relative error does to x and to x / (1 - x)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OddsStep:
    """A step of fixed relative size, from one frequency to another."""

    x: float  # the frequency, above 0
    relative: float  # the step in relation to `x`, from -1; ``x * (1 + relative)`` is below 1

    @property
    def x_after(self) -> float:
        """The frequency after the step."""
        return self.x * (1 + self.relative)

    @property
    def odds(self) -> float:
        """The odds x / (1 - x)."""
        return odds(self.x)

    @property
    def odds_after(self) -> float:
        """The odds after the step."""
        return odds(self.x_after)

    @property
    def change(self) -> float:
        """By how much the frequency changes."""
        return self.x_after - self.x

    @property
    def odds_change(self) -> float:
        """By how much the odds change."""
        return self.odds_after - self.odds


def odds(x: float) -> float:
    """Compute x / (1 - x)."""
    return x / (1 - x)
