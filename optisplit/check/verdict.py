"""The verdict on a split: its grade, and at most three sentences that say why, and what to do."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.check.before_after import trade_words
from optisplit.check.faults import FAULT_NAMES, faults_by_hand
from optisplit.measures.grade import GRADED_BY, Grade, grade_of, usual_rld
from optisplit.measures.registry import name_of
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optisplit.check.checks import SplitCheck
    from optisplit.check.repairs import Repair
    from optisplit.comparison.fairness import Unfair
    from optisplit.io.splits.base import SplitFault
    from optisplit.measures.grade import Severity

OF_LABELS = ("missing labels", "unfair labels", "unfair rows")
"""Kinds of faults that the grade knows by themselves."""

WHAT_TO_DO = {
    "best": "Train with it.",
    "very good": "Train with it: a repair could gain next to nothing.",
    "good": "It can be trained with; a repair may gain the rest.",
    "weak": "Repair it: much can still be gained.",
    "random": "Repair it, or make a new split.",
    "unknown": "Look at the labels: each has to be on some rows, and not on all.",
}
"""What to do with a split of a grade."""

WHAT_TO_DO_AFTER = {
    "good": "Train with it, or make a new split where more rows may move.",
    "weak": "To gain more, make a new split.",
    "random": "To gain more, make a new split.",
}
"""The same of a split that was repaired, where that differs."""

IN_THE_WAY = "Groups, rows that stay, the most rows to move, or other labels stand in the way of the rest."
COVERED = "Rare labels are in small parts that are due none of them, as was asked for: weigh that against this fault."


@dataclass(frozen=True)
class Verdict:
    """What to make of a split.

    Parameters
    ----------
    grade : Grade
        How good it is: ``key``, ``title``, ``severity`` and ``reason``.
    sentences : tuple of str
        At most three: what is wrong with it or how good it is, what else is to be known, and what to do.
    """

    grade: Grade
    sentences: tuple[str, ...]

    @property
    def severity(self) -> Severity:
        """Whether the split can be used: "ok", "warning" or "fault"."""
        return self.grade.severity

    @property
    def sentence(self) -> str:
        """The grade and the sentences in one text."""
        return f"{self.grade.title}. {' '.join(self.sentences)}"

    @property
    def rule(self) -> str:
        """The grade's key by its old name.

        .. deprecated:: 0.4.0
        """
        msg = "The rule of a verdict is the key of its grade since 0.4.0: verdict.grade.key; rule goes in 0.5.0."
        warnings.warn(msg, DeprecationWarning, stacklevel=2)
        return self.grade.key


def judge(check: SplitCheck, unfair: Iterable[Unfair], n_avoidable_missing: int) -> Verdict:
    """Grade a split, and say why and what to do: what is wrong with it first, its scores where nothing is."""
    hard = [fault for fault in check.faults if fault.severity == "fault"]
    usual, chance = usual_rld(check.report), check.random.get("rld")
    if usual is None and chance is not None:
        usual = chance.mean
    grade = grade_of(
        check.report,
        random=usual,
        unfair=unfair,
        n_avoidable_missing=n_avoidable_missing,
        has_faults=any(fault.kind not in OF_LABELS for fault in hard),
    )
    return Verdict(grade, tuple(_of_faults(hard) if hard else _of_scores(check, grade)))


def _of_faults(faults: Sequence[SplitFault]) -> list[str]:
    """Say what is wrong worst, what else is, and what to do."""
    by_hand = faults_by_hand(faults)
    worst = faults[0]
    also = [f"Also: {_named(faults[1:])}."] if len(faults) > 1 else []
    if by_hand:
        todo = f"Put right in the file, before a repair: {_named(by_hand)}."
    else:
        todo = "Repair it, and see what is left." if also else worst.advice
    return [worst.sentence, *also, todo]


def _named(faults: Iterable[SplitFault]) -> str:
    return ", ".join(f"{FAULT_NAMES[each.kind]} ({each.count:,})" for each in faults)


def _of_scores(check: SplitCheck, grade: Grade) -> list[str]:
    """Say how good it is, what random splits are beside it, and what to do; or what is worth a look."""
    chance, sentences = check.random.get("rld"), [grade.reason]
    if chance is not None and grade.key != "unknown":
        n_better = round(chance.percentile * len(chance.values) / 100)
        better = f"{n_better:,} {'is' if n_better == 1 else 'are'}" if n_better else "none is"
        sentences.append(
            f"Of {len(chance.values):,} random splits of the same sizes, {better} better by {name_of(GRADED_BY)}."
        )
    soft = [fault for fault in check.faults if fault.severity != "fault"]
    look = f"Worth a look: {_named(soft)}." if soft else WHAT_TO_DO[grade.key]
    return [*sentences, look]


def repaired_title(before: SplitCheck, after: SplitCheck) -> str:
    """Give the way of a repair from grade to grade."""
    was, now = (
        (each.grade if each.torn is None else each.grade.while_divided(each.torn.noun)).title
        for each in (before, after)
    )
    return f"{was} → {now}" if was != now else f"Still {now[:1].lower()}{now[1:]}"


def repaired_sentences(before: SplitCheck, after: SplitCheck, repair: Repair) -> tuple[str, ...]:
    """Say what a repair did: how many rows moved, how good the split is, what got worse for what, and what is left."""
    now = after.grade
    placed = f", and {counted(repair.n_placed, 'row')} that had no part got one" if repair.n_placed else ""
    moved = f"{counted(repair.n_moved, 'row')} of {before.split.n_rows:,} moved{placed}."
    if now.severity != "fault":
        left = WHAT_TO_DO_AFTER.get(now.key, WHAT_TO_DO[now.key])
    else:
        left = COVERED if repair.rare == "cover" and after.faults[0].kind == "unfair labels" else IN_THE_WAY
    if after.faults and after.faults[0].kind == "identical":  # put together only where they are given as groups
        left = after.faults[0].advice
    elif after.torn is not None and now.severity != "fault":  # a good score says nothing while these are divided
        left = f"But {after.torn.sentence} " + after.torn.advice + "."
    return tuple(filter(None, (moved, after.verdict.sentences[0], trade_words(before, after), left)))
