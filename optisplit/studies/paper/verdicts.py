"""How one of our numbers stands to the printed one: one rule for every cell of both tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scipy.special import stdtrit

if TYPE_CHECKING:
    from optisplit.studies.paper.printed import Printed

CONFIDENCE = 0.99
TOLERANCE = 0.05
SAME_TIME = 2.0
SHORTEST_TIME = 1.0
"""Seconds that the article prints for all that takes no longer."""

AGREES, BETTER, DIFFERS = "agrees", "better", "differs"
OTHER_DATA, NOT_DONE, NOT_PRINTED = "other data", "not done", ""

RULE = (
    f"One rule for every cell: a score agrees where our mean is within {100 * TOLERANCE:g} % of the printed one, half "
    f"of its last digit, or what chance explains ({100 * CONFIDENCE:g} % interval of the difference of two means of "
    "ten runs, by the deviation of ours, since the article prints none); else it is better where lower, and differs "
    f"where higher. A time agrees within a factor of {SAME_TIME:g}, and up to {SHORTEST_TIME:g} s, the least in print; "
    "a property of data where it rounds to what is printed. Data that stand in are not judged: other data."
)


def judge(mean: float, std: float, n_seeds: int, number: Printed) -> str:
    """Say how our mean stands to another number: lower is better."""
    if math.isnan(number.value):  # the method failed there
        return BETTER
    margin = max(_chance(std, n_seeds, number.std, number.n_seeds), TOLERANCE * number.value, number.precision)
    if abs(mean - number.value) <= margin:
        return AGREES
    return BETTER if mean < number.value else DIFFERS


def judge_time(seconds: float, number: Printed) -> str:
    """Say how our time stands to another one."""
    if math.isnan(number.value):
        return BETTER
    low, high = number.value / SAME_TIME, number.value * SAME_TIME
    if low <= seconds <= high or max(seconds, number.value) <= SHORTEST_TIME:
        return AGREES
    return BETTER if seconds < low else DIFFERS


def judge_property(value: float, number: Printed) -> str:
    """Say whether a property of the data is the printed one."""
    return AGREES if abs(value - number.value) <= number.precision * (1 + 1e-9) else DIFFERS


def _chance(std: float, n_seeds: int, other_std: float, n_other: int) -> float:
    known = [each for each, n in ((std, n_seeds), (other_std, n_other)) if n > 1 and not math.isnan(each)]
    if not known or max(known) == 0:
        return 0.0
    pairs = [(std, n_seeds), (other_std, n_other)]
    parts = [((each if n > 1 and not math.isnan(each) else known[0]) ** 2 / n, n) for each, n in pairs]
    total = sum(part for part, _ in parts)
    # a deviation that was borrowed brings no freedom of its own
    spread = [(part, n) for (part, n), (each, _) in zip(parts, pairs, strict=True) if n > 1 and not math.isnan(each)]
    freedom = total**2 / sum(part**2 / (n - 1) for part, n in spread) if len(spread) == 2 else spread[0][1] - 1
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * math.sqrt(total)
