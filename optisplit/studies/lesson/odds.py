"""Why LD grows with the size of a label: what the same relative error does to x and to x / (1 - x)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OddsStep:
    """A step of fixed relative size, from one frequency to another."""

    x: float  # the frequency, above 0
    relative: float  # the size of the step, in relation to `x`; ``x * (1 + relative)`` is below 1

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

    @property
    def relative_odds_change(self) -> float:
        """The change of the odds, in relation to the odds."""
        return self.odds_change / self.odds


@dataclass(frozen=True, slots=True)
class UnevenLabel:
    """What the measures say of a label of which one fold has too many and another one too few."""

    frequency: float  # the part of all rows that have the label
    n_splits: int  # folds, all of one size
    relative: float  # by how much the two folds are off, in relation to what they should have

    @property
    def ld(self) -> float:
        """LD: the mean over folds of the difference of the odds."""
        due = odds(self.frequency)
        off = (odds(self.frequency * (1 + sign * self.relative)) for sign in (1, -1))
        return sum(abs(each - due) for each in off) / self.n_splits

    @property
    def rld(self) -> float:
        """rLD: the mean over folds of the relative difference of the frequency."""
        return 2 * self.relative / self.n_splits

    @property
    def dcp(self) -> float:
        """DCP: by how much the largest fold's part of the label is above one fold's part."""
        return self.relative / self.n_splits


def odds(x: float) -> float:
    """Compute x / (1 - x)."""
    return x / (1 - x)
