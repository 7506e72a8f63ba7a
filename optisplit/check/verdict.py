"""The verdict on a split: what to make of its faults and its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from optisplit.check.faults import FAULT_NAMES
from optisplit.check.random_splits import SAME, TYPICAL
from optisplit.text import counted, listed

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck

Severity: TypeAlias = Literal["ok", "warning", "fault"]

PLAINLY_RANDOM = 25.0
"""Per cent of random splits that must be better for a split to be called no better than one."""

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
        Which rule said so: ``fault``, ``untestable``, ``good``, ``worse``, ``random``, ``better``, ``unknown``.
    """

    severity: Severity
    sentence: str
    rule: str


def judge(check: SplitCheck) -> Verdict:
    """Say what to make of a split: the first rule that applies, and what else is to be looked at.

    A hard fault; labels that could be tested and are not; near the best possible; worse than random splits; like
    them; better.
    """
    hard = [fault for fault in check.faults if fault.severity == "fault"]
    if hard:
        others = [f"{FAULT_NAMES[fault.kind]} ({fault.count:,})" for fault in hard[1:]]
        more = f" Also: {', '.join(others)}." if others else ""
        return Verdict("fault", f"{hard[0].sentence} {hard[0].advice}{more}", "fault")
    helpable = check.untestable[check.untestable["n_helpable"] > 0]
    if len(helpable):
        verdict = Verdict("warning", _helpable_sentence(helpable, check.split.noun), "untestable")
    else:
        verdict = _judge_scores(check)
    if not check.faults:
        return verdict
    also = f"{verdict.sentence} Also: {check.faults[0].sentence} {check.faults[0].advice}"
    return Verdict("warning", also, verdict.rule)


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


def _helpable_sentence(helpable: pd.DataFrame, noun: str) -> str:
    is_one = (helpable["n_parts"] == 1).all() and helpable["parts"].nunique() == 1
    where = f"in {helpable['parts'].iloc[0]}" if is_one else f"in some {noun}"
    names = listed(helpable["label"].tolist(), 3)
    has = "it has" if len(helpable) == 1 else "they have"
    labels = counted(len(helpable), "label")
    return f"{labels} cannot be tested {where} though {has} enough rows: {names}. Repair the split."
