"""A split before and after its repair, side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from optisplit.check.faults import FAULT_NAMES
from optisplit.text import capital, joined, number

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck

DIGITS = 2
"""Digits of scores in this table; files and reports have more."""


class Line(NamedTuple):
    """What was and what is; less is better."""

    title: str
    was: float
    now: float
    best: float = math.nan  # what is best possible of the split as it is now, where that is known
    is_count: bool = True  # of labels, rows or faults, and no score

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The same as it is shown."""
        was, now, best = (number(value, DIGITS) for value in self[1:4])
        return self.title, was, now, best

    @property
    def way(self) -> str:
        """The way from the one to the other."""
        title, was, now, _ = self.cells
        return f"{title} ({was} → {now})"


def before_after_lines(before: SplitCheck, after: SplitCheck) -> list[Line]:
    """Give the lines of a table: scores, what is missing, and faults."""
    lines = [
        Line(str(was.name), was.value, now.value, now.bound, is_count=False)
        for was, now in zip(before.measures.itertuples(), after.measures.itertuples(), strict=True)
        if not math.isnan(now.bound)  # those without one say less
    ]
    counts = [
        Line("Labels that cannot be tested somewhere", len(before.untestable), len(after.untestable)),
        Line("Labels that cannot be trained on somewhere", len(before.untrainable), len(after.untrainable)),
    ]
    for kind, name in FAULT_NAMES.items():
        was, now = (sum(fault.count for fault in each.faults if fault.kind == kind) for each in (before, after))
        counts.append(Line(capital(name), was, now))
    lines += [line for line in counts if line.was or line.now]
    was, now = (sum(fault.severity == "fault" for fault in each.faults) for each in (before, after))
    return [*lines, Line("Kinds of faults", was, now, 0)]


def trade_words(before: SplitCheck, after: SplitCheck) -> str:
    """Say what a repair made worse, as far as the table shows it, and what is better for that; or nothing."""
    lines = before_after_lines(before, after)[:-1]
    worse = [line for line in lines if line.now > line.was and line.cells[1] != line.cells[2]]
    if not worse:
        return ""
    better = [line for line in lines if line.is_count and line.now < line.was]
    said = [
        f"{what}: {joined([line.way for line in told])}."
        for what, told in (("Better", better), ("Worse", worse))
        if told
    ]
    return " ".join(said)
