"""How long to anneal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to anneal."""

    # sweeps for each label that a row has on average: the more labels, the harder it is to suit all of them
    per_label: float
    least_steps: float  # fewest and most steps in all; a sweep takes one a positive, and some for each row
    most_steps: float  # fewest and most steps in all; a sweep takes one a positive, and some for each row
    fewest: int  # fewest sweeps, however large the data
    n_tries: int  # moves and exchanges of groups that are tried, where there are few of them

    def n_sweeps(self, n_units: int, n_positives: int, n_fair: int = 0) -> int:
        """Choose the number of sweeps; fewer where they take longer, since units have so many things in common."""
        steps = n_positives + STEPS_PER_ROW * n_units + STEPS_PER_SWEEP
        wanted = max(self.per_label * (1 + n_positives / max(n_units, 1)), self.least_steps / steps)
        wanted *= steps / (steps + STEPS_PER_FAIR * n_fair)
        return int(max(self.fewest, min(wanted, self.most_steps / steps)))


STEPS_PER_ROW, STEPS_PER_SWEEP = 10, 4_000
"""What a visit to a row costs besides its labels, and a sweep besides its rows, in the time that one label takes."""

STEPS_PER_FAIR = 2.0
"""What each thing costs that a unit has in common with others, in that time."""

EFFORTS = {
    "quick": Effort(10, 6e5, 3.2e8, 10, 200_000),
    "normal": Effort(100, 6e6, 4.2e9, 55, 2_000_000),
    "thorough": Effort(1000, 6e7, 4.2e10, 350, 20_000_000),
}
"""Efforts by name, each about ten times as long as the one before."""
