"""The verdict on a split: what to make of its faults and its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from optisplit.check.faults import FAULT_NAMES
from optisplit.check.random_splits import SAME, TYPICAL

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck
    from optisplit.io.splits.base import SplitFault

Severity: TypeAlias = Literal["ok", "warning", "fault"]

PLAINLY_RANDOM = 25.0
"""Per cent of random splits that must be better for a split to be called no better than one."""

RULES = {"missing labels": "untestable", "unfair labels": "unfair", "unfair rows": "unfair"}
"""Kinds of faults that are no reason not to use a split, but weigh more than its scores, and the rule that each is."""

NEAR = 0.02
"""What is within this of the best possible is as good as that."""


@dataclass(frozen=True)
class Verdict:
    """What to make of a split.

    Parameters
    ----------
    severity : {"ok", "warning", "fault"}
        Whether it can be used.
    sentence : str
        What it is and what to do.
    rule : str
        Which rule said so: ``fault``, ``untestable``, ``unfair``, ``good``, ``worse``, ``random``,
        ``better``, ``unknown``.
    """

    severity: Severity
    sentence: str
    rule: str


def judge(check: SplitCheck) -> Verdict:
    """Say what to make of a split: the first rule that applies, and what else is to be looked at.

    A hard fault; labels that could be tested and are not; unfair parts; near the best possible; worse than random
    splits; like them; better.
    """
    hard = [fault for fault in check.faults if fault.severity == "fault"]
    if hard:
        others = [fault for fault in check.faults[1:] if fault.severity == "fault" or fault.kind in RULES]
        return Verdict("fault", _with_others(hard[0], others), "fault")
    soft = sorted(check.faults, key=lambda fault: fault.kind not in RULES)
    if not soft:
        return _judge_scores(check)
    if soft[0].kind in RULES:
        return Verdict("warning", _with_others(soft[0], soft[1:]), RULES[soft[0].kind])
    verdict = _judge_scores(check)
    return Verdict("warning", f"{verdict.sentence} Also: {soft[0].sentence} {soft[0].advice}", verdict.rule)


def _with_others(fault: SplitFault, others: list[SplitFault]) -> str:
    """Say what is wrong and what to do, and name what else is."""
    named = ", ".join(f"{FAULT_NAMES[each.kind]} ({each.count:,})" for each in others)
    return f"{fault.sentence} {fault.advice}" + (f" Also: {named}." if named else "")


def _judge_scores(check: SplitCheck) -> Verdict:
    """Judge by rLD, between random splits and the best possible."""
    report = check.report
    found = report.score("rld")
    score, bound, excess = found.value, found.bound, found.excess
    if np.isnan(score):
        sentence = "No label has both a positive and a negative row, so nothing can be measured."
        return Verdict("warning", sentence, "unknown")
    chance = check.random.get("rld")
    if excess <= NEAR + SAME:
        return Verdict("ok", f"Good: rLD {score:.3g} is {found.sentence}.", "good")
    far = f"rLD {score:.3g} where {bound:.3g} is possible"
    if chance is None:
        percent = f", {found.excess_text} above it" if found.excess_text else ""
        return Verdict("warning", f"{far}{percent}; repairing would show how much can be gained.", "unknown")
    gap = chance.mean - bound
    closed = (chance.mean - score) / gap if gap > 0 else 0.0
    if closed >= 1 - NEAR:
        done = f"{100 * min(closed, 0.9999):.1f} % of what separates a random split from it is gained"
        return Verdict("ok", f"Good: rLD {score:.3g} is close to the best possible, {bound:.3g}: {done}.", "good")
    if chance.percentile > TYPICAL[1]:
        than = f"worse than {chance.percentile:.0f} % of random splits"
        return Verdict("warning", f"This split is {than}: {far}. Repair it, or make a new one.", "worse")
    if chance.percentile >= TYPICAL[0]:
        if chance.percentile >= PLAINLY_RANDOM:
            return Verdict("warning", f"No better than a random split: {far}. Repair it.", "random")
        luck = f"{chance.percentile:.0f} % of those are better still"
        return Verdict("warning", f"Hardly better than a random split ({luck}): {far}. Repair it.", "random")
    gained = f"with {100 * closed:.0f} % of the possible gain"
    sentence = f"Better than random splits, {gained}: {far}. Repairing may gain more."
    return Verdict("ok", sentence, "better")
