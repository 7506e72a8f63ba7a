"""What a comparison will take: in all, and which of its methods take long."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.methods import METHODS
from optisplit.methods.costs import Estimate, estimate
from optisplit.text import about_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optisplit.methods.shapes import Shape

LONG_S = 60.0
"""Seconds from which on a run without a time limit is said to take long."""

SURE = 4.0
"""Estimates are right to within about this factor."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a method's runs on one data set will take."""

    method: str  # key of the method
    name: str  # what it is called
    estimate: Estimate  # of one run
    n_runs: int  # its runs
    limit_s: float = math.inf  # most seconds for a run; infinite where there is no limit

    @property
    def is_over_limit(self) -> bool:
        """Whether a run will be stopped by its limit."""
        return self.limit_s < self.estimate.seconds < math.inf

    @property
    def is_long(self) -> bool:
        """Whether somebody should be told before it starts."""
        return min(LONG_S, self.limit_s) < self.estimate.seconds < math.inf

    @property
    def total_s(self) -> float:
        """Processor seconds of all runs; one that is stopped by its limit is not tried again with the next seed."""
        if self.is_over_limit:
            return self.limit_s
        # a method that cannot run fails at once, and of one without a model nothing is known
        return self.n_runs * self.estimate.seconds if math.isfinite(self.estimate.seconds) else 0.0

    @property
    def words(self) -> str:
        """How long a run takes, or why there is none, in a sentence."""
        if self.estimate.reason:
            return f"{self.name} cannot run on these data: {self.estimate.reason}"
        return f"{self.name} would take {about_time(self.estimate.seconds)} a run{self._end(': it')}."

    def _end(self, joint: str) -> str:
        if not self.is_over_limit:
            return ""
        is_sure = self.estimate.seconds > SURE * self.limit_s
        return f"{joint} {'will' if is_sure else 'may'} be stopped after {self.limit_s:g} s"

    @property
    def warning(self) -> str:
        """The same for a list of methods, with the number of runs; empty unless it takes longer than was allowed for.

        That is longer than its limit, or where it has none, longer than :data:`LONG_S`.
        """
        if not (self.is_over_limit or (self.is_long and self.limit_s == math.inf)):
            return ""
        runs = "1 run" if self.n_runs == 1 else f"each of {self.n_runs:,} runs"
        return f"{self.name} would take {about_time(self.estimate.seconds)} for {runs}{self._end(' and')}."


def forecast(
    shape: Shape,
    methods: Iterable[str],
    n_splits: int,
    n_seeds: int,
    *,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    limits_s: Mapping[str, float] | None = None,
) -> list[Forecast]:
    """Estimate what a comparison will take."""
    options, limits_s = options or {}, limits_s or {}
    return [
        Forecast(
            key,
            METHODS[key].name,
            estimate(key, shape, n_splits, options.get(key)),
            n_seeds,
            limits_s.get(key, math.inf),
        )
        for key in methods
    ]


def runs_at_a_time(n_runs: int, n_jobs: int | None = None) -> int:
    """Tell how many runs are done at a time on this machine."""
    return max(1, min(n_jobs or min(os.cpu_count() or 1, 4), n_runs))


def total_seconds(forecasts: Iterable[Forecast], n_at_a_time: int) -> float:
    """Add up, for runs that are done several at a time."""
    listed = list(forecasts)
    longest = max((each.total_s / each.n_runs for each in listed if not each.is_over_limit), default=0.0)
    longest = max(longest, *(each.limit_s for each in listed if each.is_over_limit), 0.0)
    return max(longest, sum(each.total_s for each in listed) / n_at_a_time)


def warning_of(forecasts: Iterable[Forecast]) -> str:
    """Say before a comparison which methods take long, and what can be done about it."""
    slow = [each for each in forecasts if each.warning]
    if not slow:
        return ""
    keys = ", ".join(repr(each.method) for each in slow)
    limit = "raise the time limit" if all(each.is_over_limit for each in slow) else "set a time limit"
    return " ".join([*(each.warning for each in slow), f"Leave out {keys}, or {limit}."])
