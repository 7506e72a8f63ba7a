"""The one grade of a split, from best possible to faulty, and the sentence that says why."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from optisplit.measures.chance import mean_random_rld
from optisplit.measures.missing import missing_avoidably, missing_words
from optisplit.measures.score import SAME, Score
from optisplit.text import capital, joined, percent

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from optisplit.measures.report import Report

    class Unfair(Protocol):
        """A measure in which parts are unfair."""

        @property
        def whom(self) -> str:
            """To whom they are."""


Key: TypeAlias = Literal["best", "very good", "good", "weak", "random", "faulty", "unknown"]
Severity: TypeAlias = Literal["ok", "warning", "fault"]

GRADES: dict[Key, tuple[str, Severity]] = {
    "best": ("Best possible", "ok"),
    "very good": ("Very good", "ok"),
    "good": ("Good", "ok"),
    "weak": ("Weak", "warning"),
    "random": ("No better than random", "warning"),
    "faulty": ("Faulty", "fault"),
    "unknown": ("Nothing to grade", "warning"),
}
"""Title and severity of every grade, the best first."""

GRADED_BY = "rld"
"""Key of the measure that decides where there are no faults."""

NEAR = 0.05
"""At most so far above the best possible, as a share of it, a split is very good."""

NEARLY_THERE = 0.95
"""Share of the way from random splits to the best possible from which a split is very good."""

WELL_ON = 0.75
"""Share of that way from which a split is good."""

NO_BETTER = 0.05
"""Share of that way below which a split is no better than a random one."""

NOT_FAR = 0.25
"""At most so far above the best possible a split is good, where random splits are not known."""


@dataclass(frozen=True, slots=True)
class Grade:
    """How good a split is, in words.

    Parameters
    ----------
    key : {"best", "very good", "good", "weak", "random", "faulty", "unknown"}
        Which grade it is.
    title : str
        The grade in a word or two.
    severity : {"ok", "warning", "fault"}
        Whether the split can be used.
    reason : str
        Why, a sentence.
    """

    key: Key
    title: str
    severity: Severity
    reason: str

    @classmethod
    def of(cls, key: Key, reason: str) -> Grade:
        """Make a grade of its key."""
        return cls(key, *GRADES[key], reason)

    @property
    def rank(self) -> int:
        """Its place among the grades, 0 the best."""
        return list(GRADES).index(self.key)

    def while_divided(self, noun: str) -> Grade:
        """Give the grade as it is headed: no all-clear while rows of one patient, or whatever it is, are divided."""
        is_fault = self.severity == "fault"
        title = f"{self.title}, {'and' if is_fault else 'but'} rows of one {noun} are divided"
        return replace(self, title=title, severity="fault" if is_fault else "warning")


def grade_of(
    report: Report,
    *,
    random: float | None = None,
    unfair: Iterable[Unfair] = (),
    n_avoidable_missing: int = 0,
    has_faults: bool = False,
) -> Grade:
    """Grade a split.

    - Faulty, whatever its score, where labels are missing from folds that should have them, where parts are unfair, or
      where it has other faults.
    - Otherwise by rLD: best possible where that is equal to its bound, which proves that no split of the same sizes is
      better; very good at most 5 % above the bound, or with 95 % of the way from the mean of random splits to it; good
      with 75 % of that way; weak with less; and no better than random with less than 5 %.

    Parameters
    ----------
    report : Report
        The measures of the split.
    random : float, optional
        The mean rLD of random splits of the same sizes; without it, 25 % above the bound is still good.
    unfair : iterable of Unfair
        In what its parts are unfair.
    n_avoidable_missing : int, default=0
        Labels that are missing from a fold that should have them.
    has_faults : bool, default=False
        Whether it has other faults, such as rows in two parts.

    Returns
    -------
    Grade
        The grade, with its reason.
    """
    missing = missing_words(n_avoidable_missing, len(report.positives), noun_of(report)) if n_avoidable_missing else ""
    faults = _faults(unfair, missing, noun_of(report), has_faults=has_faults)
    if faults:
        return Grade.of("faulty", f"{capital(faults)}.")
    return _by_score(report.score(GRADED_BY), random)


def own_grade(report: Report) -> Grade:
    """Grade a split by its report alone: beside what random splits score on average, and by its missing labels."""
    avoidable = missing_avoidably(report.counts, report.fold_sizes).any(axis=0)
    return grade_of(report, random=usual_rld(report), n_avoidable_missing=int(avoidable.sum()))


def usual_rld(report: Report) -> float | None:
    """Give what random splits of the same sizes score on average; None where nothing is scored, or counts are."""
    if report.is_count is not None or not report.is_scored.any():
        return None
    return float(mean_random_rld(report.positives, report.fold_sizes)[report.is_scored].mean())


def near_words(score: Score) -> str:
    """Say how near a score is to the best possible: that nothing is better where that is proven."""
    if not score.has_bound:
        return ""
    if score.is_best:
        return f"proven: no split of these sizes{' that is as fair' if score.is_of_fair else ''} is better"
    return score.sentence


def gained(score: Score, random: float | None) -> float:
    """Give the share of the way from random splits to the best possible that a score has gained; NaN if not known."""
    if random is None or not score.has_bound or random - score.bound <= SAME:
        return math.nan
    return (random - score.value) / (random - score.bound)


def noun_of(report: Report) -> str:
    """Say what its pieces are: parts where they have names of their own, or are to be of unequal size."""
    are_folds = all(name.startswith("fold ") for name in report.fold_names)
    return "fold" if are_folds and float(report.shares.max() - report.shares.min()) <= SAME else "part"


def _faults(unfair: Iterable[Unfair], missing: str, noun: str, *, has_faults: bool) -> str:
    """Say what is wrong; empty where nothing is."""
    whom = joined(list(dict.fromkeys(each.whom for each in unfair)))
    said = ["it has faults that make its scores worthless"] if has_faults else []
    if missing:
        said.append(missing)
    if whom:
        said.append(f"its {noun}s are unfair to {whom}")
    return joined(said)


def _by_score(score: Score, random: float | None) -> Grade:
    if math.isnan(score.value):
        return Grade.of("unknown", "No label has both a row that carries it and one that does not.")
    near, way = near_words(score), gained(score, random)
    if score.is_best:
        return Grade.of("best", f"{capital(near)}.")
    if not math.isnan(way) and score.excess > NEAR + SAME and way >= NEARLY_THERE - SAME:
        done = percent(min(way, 0.999), 3)
        return Grade.of(
            "very good", f"{done} of the way from the mean of random splits to the best possible is gained."
        )
    if score.excess <= NEAR + SAME:
        return Grade.of("very good", f"It is {near}.")
    if math.isnan(way):
        return Grade.of("good" if score.excess <= NOT_FAR + SAME else "weak", f"It is {near}.")
    if way < NO_BETTER - SAME:
        return Grade.of("random", "It spreads the labels no more evenly than random splits do on average.")
    key: Key = "good" if way >= WELL_ON - SAME else "weak"
    only = "" if key == "good" else "Only "
    return Grade.of(
        key,
        f"{only}{int(100 * way + SAME)} % of the way from the mean of random splits to the best possible is gained.",
    )
