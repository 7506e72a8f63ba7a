"""A split before and after its repair, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.check.faults import FAULT_NAMES
from optisplit.text import capital, number

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck

DIGITS = 2
"""Digits of scores in this table; files and reports have more."""


def before_after_lines(before: SplitCheck, after: SplitCheck) -> list[tuple[str, str, str, str]]:
    """Give lines of a table: what, before, after, and the best possible of the split as it is now."""
    lines: list[tuple[str, str, str, str]] = [
        (str(was.name), number(was.value, DIGITS), number(now.value, DIGITS), number(now.bound, DIGITS))
        for was, now in zip(before.measures.itertuples(), after.measures.itertuples(), strict=True)
        if now.bound == now.bound  # those without one say less
    ]
    counts = [
        ("Labels that cannot be tested somewhere", len(before.untestable), len(after.untestable)),
        ("Labels that cannot be trained on somewhere", len(before.untrainable), len(after.untrainable)),
    ]
    lines += [(title, f"{was:,}", f"{now:,}", "") for title, was, now in counts if was or now]
    for kind, name in FAULT_NAMES.items():
        was, now = (sum(fault.count for fault in each.faults if fault.kind == kind) for each in (before, after))
        if was or now:
            lines.append((capital(name), f"{was:,}", f"{now:,}", ""))
    faults = [sum(fault.severity == "fault" for fault in each.faults) for each in (before, after)]
    return [*lines, ("Kinds of faults", f"{faults[0]:,}", f"{faults[1]:,}", "0")]
