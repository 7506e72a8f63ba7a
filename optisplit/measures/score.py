"""A score beside its bound: how much there is left to gain, in one place for tables, figures, verdicts and files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.measures.registry import MEASURES, name_of, with_excess
from optisplit.text import number, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.measures.report import Report

SAME = 1e-9
"""Difference up to which two scores are equal: what rounding leaves."""

LEAST_TOLD = 1e-4
"""Smaller excesses are not told in figures."""


@dataclass(frozen=True, slots=True)
class Score:
    """One score of a split, and what no split of the same sizes can be below.

    Parameters
    ----------
    value : float
        The score; NaN where nothing could be scored. Less is better.
    bound : float
        The best possible score; NaN where there is no bound.
    is_of_fair : bool
        Whether the bound is that of splits in which labels of one size get what is due to them together, and not of
        all splits of the same sizes.
    is_told_in_percent : bool, default=True
        Whether the excess is told in figures: not where the bound is next to 0.
    """

    value: float
    bound: float = math.nan
    is_of_fair: bool = False
    is_told_in_percent: bool = True

    @property
    def has_bound(self) -> bool:
        """Whether both the score and its bound are known."""
        return not (math.isnan(self.value) or math.isnan(self.bound))

    @property
    def is_best(self) -> bool:
        """Whether no split of the same sizes has a lower score."""
        return self.has_bound and self.value - self.bound <= SAME

    @property
    def excess(self) -> float:
        """How far the score is above its bound, as a share of the bound: inf above a bound of 0, NaN without one."""
        if not self.has_bound:
            return math.nan
        if self.is_best:
            return 0.0
        return self.value / self.bound - 1 if self.bound > SAME else math.inf

    @property
    def excess_text(self) -> str:
        """The excess in per cent; empty without a bound, or where that is 0 or next to it."""
        if not math.isfinite(self.excess) or (self.excess and not self.is_told_in_percent):
            return ""
        if 0 < self.excess < LEAST_TOLD:
            return f"less than {percent(LEAST_TOLD)}"
        return percent(self.excess, 3)

    @property
    def relation(self) -> str:
        """How the score stands to its bound, to be followed by "the best possible"; empty without a bound."""
        if not self.has_bound:
            return ""
        if self.is_best:
            return "equal to"
        at_most = "at most " if self.excess_text and self.excess >= LEAST_TOLD else ""
        return f"{at_most}{self.excess_text} above".lstrip()

    @property
    def sentence(self) -> str:
        """How the score stands to its bound, in words; empty without a bound."""
        of = " of splits as fair" if self.is_of_fair else ""
        return f"{self.relation} the best possible{of}" if self.has_bound else ""

    @property
    def remark(self) -> str:
        """The same for a cell of a table, with the bound; empty without one."""
        if not self.has_bound:
            return ""
        if self.is_best:
            return "best possible"
        if not self.is_told_in_percent:
            return f"at best {number(self.bound)}"
        return f"{self.excess_text} above {number(self.bound)}".lstrip()

    @property
    def cell(self) -> str:
        """The score for a cell of a table, with its remark."""
        return number(self.value) + (f" ({self.remark})" if self.remark else "")

    def sizes_words(self, usual: float) -> str:
        """Say that the bound is that of the split's own sizes, where others beside it have the `usual` one."""
        return " with its own sizes" if self.has_bound and abs(self.bound - usual) > SAME else ""


def score_of(measure: str, value: float, bound: float, *, is_of_fair: bool = False) -> Score:
    """Put a score of a measure beside its bound."""
    return Score(value, bound, is_of_fair, not MEASURES[measure].is_of_parts)


def usual_bound(scores: Sequence[Score]) -> float:
    """Give the bound that most of the scores have: that of the sizes asked for; NaN where none has one."""
    bounds = [each.bound for each in scores if each.has_bound]
    return max(bounds, key=lambda bound: sum(abs(each - bound) <= SAME for each in bounds), default=math.nan)


def cells_beside(scores: Sequence[Score]) -> list[str]:
    """Write scores beside each other against one bound; where a split's sizes have another, that is said."""
    usual = usual_bound(scores)
    return [each.cell[:-1] + _of_own_sizes(each, usual) + ")" if each.has_bound else each.cell for each in scores]


def _of_own_sizes(score: Score, usual: float) -> str:
    words = score.sizes_words(usual)
    return f", best possible{words}" if words and not score.is_best and score.is_told_in_percent else words


def score_lines(*reports: Report) -> list[list[str]]:
    """Write the scores of one or more splits beside each other."""
    return [
        [measure.heading, *cells_beside([report.score(key) for report in reports])] for key, measure in MEASURES.items()
    ]


def in_words(report: Report) -> str:
    """Write the scores that have bounds as a part of a sentence, each with how far it is above its bound."""
    scores = {name_of(key): report.score(key) for key in with_excess()}
    return ", ".join(f"{name} {number(score.value)} ({score.sentence})" for name, score in scores.items())
