"""The teacher's page: what to ask at each step, the right answers, how to fill 10 or 45 minutes, and five questions.

Its text comes along as ``teachers.md``, made by :func:`page`, so that every number in it is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit.io.samples import SAMPLES, load
from optisplit.studies.lesson import rare
from optisplit.studies.lesson.odds import OddsStep
from optisplit.studies.lesson.points import LABEL_SIZES, points_data, report_of, swapped_folds
from optisplit.studies.lesson.rankings import DATA, RUNS, kept_ranking
from optisplit.studies.lesson.sizes import amounts_of, size_scores
from optisplit.studies.lesson.trace import end_loss, trace
from optisplit.studies.lesson.words import number, part, times

if TYPE_CHECKING:
    from optisplit.measures.report import Report
    from optisplit.studies.lesson.rankings import Ranking

FILE = Path(__file__).with_name("teachers.md")

QUESTIONS = (
    "Two labels, of 4 and of 12 rows, are each one row off in two folds. Which of them does LD count more, which rLD?",
    "All labels have the same relative error. Why is LD higher for large labels, and rLD not?",
    "A split is the best of all by LD. May you conclude that its rare labels are well spread?",
    "OptiSplit repairs the worst label, and then takes the repair back. Why?",
    "Many labels have two rows each. Which test part has the lowest rLD, and what is wrong with it?",
)
"""What a student should be able to answer from what was seen."""


@dataclass(frozen=True)
class Step:
    """What the teacher needs at one step."""

    title: str
    link: str  # the address of the picture, after the app's own
    ask: str  # aloud, before anybody answers on the screen
    right: str
    then: str  # what to do next


def steps() -> list[Step]:
    """Work out the right answers as the lesson shows them by default."""
    return [_rows(), _formulas(), _sizes(), _real(_ranking()), _optisplit(), _rare()]


def _swapped() -> tuple[Report, str, str]:
    names = list(LABEL_SIZES)
    return report_of(points_data(), swapped_folds()), names[0], names[-1]


def _rows() -> Step:
    report, small, large = _swapped()
    ld, rld = report.ld_per_class, report.rld_per_class
    return Step(
        "Rows", "step=1",
        f"One row of {small} and one of {large} change places. Each label is off by one row in two folds. For which "
        "does LD rise more?",
        f"{large}: {number(float(ld[-1]))}, {times(float(ld[-1] / ld[0]))} as for {small} ({number(float(ld[0]))}). "
        f"rLD says the opposite: {number(float(rld[0]))} for {small}, {number(float(rld[-1]))} for {large}.",
        "Let somebody move one more row, and say first which bar will grow.",
    )  # fmt: skip


def _formulas() -> Step:
    report, small, large = _swapped()
    worse = small if report.rld_per_class[0] > report.rld_per_class[-1] else large
    return Step(
        "Formulas", "step=2",
        "Both labels are one row off. Only rLD divides by d, the part of all rows that has the label. Which label gets "
        "the higher rLD?",
        f"{worse}, the one of which less is due: the same row is a larger part of it.",
        "Follow one term of the sum with a finger: from the rows in the fold to the number in the formula.",
    )  # fmt: skip


def _sizes() -> Step:
    info = size_scores(amounts_of("difference", 10, 0.2))
    step = OddsStep(0.1, 0.2).odds_change / OddsStep(0.001, 0.2).odds_change
    flat = number(float(info.exact["rld"][-1])), number(float(info.exact["dcp"][-1]))
    return Step(
        "Label size", "step=3",
        "Every label has a fifth too much in one fold and a fifth too little in another. Which measure grows with the "
        "size of the label?",
        f"LD, {info.growth('ld'):,.0f}-fold from {info.sizes[0]} to {info.sizes[-1]:,} rows; rLD stays at {flat[0]}, "
        f"DCP at {flat[1]}. A fifth of x = 0.1 moves the odds {number(step, digits=2)} times as far as a fifth of "
        "0.001. The bands at the left are no fault of the measures: a fifth of one row cannot be moved.",
        "Change the error to One missing, then to Equal: what is left is what whole rows allow.",
    )  # fmt: skip


def _ranking() -> Ranking:
    return kept_ranking(load(DATA))


def _real(ranking: Ranking) -> Step:
    best = ranking.splits[0]
    where = {"best": "also the best", "middle": "nearer to the best than to random", "worst": "nearer to random"}
    by_rld = min(ranking.splits, key=lambda each: each.rld_rank)
    random = ranking.named(RUNS[0][0])
    return Step(
        "Real data", "step=4",
        f"Of {len(RUNS)} splits of {SAMPLES[DATA].title}, {best.name} has the lowest LD. Where is it by rLD?",
        f"It is {where[ranking.by_rld_of_best]}: {number(best.report.rld)}, where random has "
        f"{number(random.report.rld)} and the best, {by_rld.name}, {number(by_rld.report.rld)}. By LD "
        f"{by_rld.name} looks {number(by_rld.report.ld / best.report.ld, digits=2)} times worse.",
        "Take other data: where labels are about equally large, as in Emotions, the orders agree.",
    )  # fmt: skip


def _optisplit() -> Step:
    run = trace("rld", 4)
    kept = sum(step.kept for step in run)
    undone = sum(bool(step.rows.size) and not step.kept for step in run)
    return Step(
        "OptiSplit", "step=5",
        "Rows have several labels. OptiSplit moves surplus rows of the worst label; other labels may get worse, and "
        "now and then the repaired one too. Does it keep such a move?",
        f"Only if the mean over all labels falls: here {kept} moves are kept and {undone} undone, and mean rLD falls "
        f"from {number(run[0].loss)} to {number(end_loss(run))}. The screen says so once it has shown both.",
        "Pause before a verdict, and let the class say: kept or undone?",
    )  # fmt: skip


def _rare() -> Step:
    choice = rare.rounding_choice()
    return Step(
        "Rare labels together", "step=6",
        f"{rare.N_LABELS} labels have 2 rows each; {rare.DUE} of their rows are due to the test part. How many are "
        "there where rLD is lowest?",
        f"{choice.lowest('rld') or 'None'}. Each label alone is nearer to its due with both rows in training. But "
        f"then {part(float(choice.together[choice.lowest('rld')]))} of their rows are in another part than is due; "
        f"with {choice.lowest('together')} none are.",
        "Open Four methods: the one with the lowest rLD has next to nothing of the rarest labels in its test part.",
    )  # fmt: skip


def answers() -> list[str]:
    """Answer the five questions."""
    report, small, large = _swapped()
    choice = rare.rounding_choice()
    ld, rld = (report.per_label(key) for key in ("ld", "rld"))
    return [
        f"LD the large one ({number(float(ld[-1]))} for {large}, {number(float(ld[0]))} for {small}), rLD the small "
        f"one ({number(float(rld[0]))} for {small}, {number(float(rld[-1]))} for {large}).",
        "LD adds up differences of the odds as they are, and the same part of a larger x is a larger difference. rLD "
        "divides by what is due, so that the size cancels out.",
        "No. LD is made almost wholly by the large labels; in step 4 the best split by LD is by rLD hardly better than "
        "a random one.",
        "The rows that it moved have other labels too, and the folds change their size, so that each label is due "
        "other amounts. Other labels got worse, in two pictures even the label that was to be repaired (E, and B, C "
        "and D): the mean over all labels rose.",
        f"One with {choice.lowest('rld') or 'none'} of them. Nothing can be said from it about any rare label: they "
        "are missing from the test part together, though each for itself is as near to its due as it can be.",
    ]


SHORT = (
    ("3 min", "Step 1: everybody answers, then the swap. Read the bars aloud: the opposite order."),
    ("4 min", "Step 3: the question, the picture, Why. This is the heart of the lesson."),
    ("3 min", "Step 6: the question, then the slider from none to what is due."),
)
LONG = (
    ("8 min", "Step 1, with rows moved by students, each foretold."),
    ("6 min", "Step 2: one term of each formula by hand."),
    ("10 min", "Step 3 with all errors; let students say why the bands are wide at the left."),
    ("6 min", "Step 4, then data of your own field."),
    ("8 min", "Step 5 with Play; pause before three verdicts."),
    ("7 min", "Step 6 with the slider and the four methods; then the five questions on paper."),
)


def page() -> str:
    """Write the whole page as Markdown."""
    lines = ["# Teach the lesson", "", _LEAD, ""]
    for title, plan in (("Ten minutes", SHORT), ("Forty-five minutes", LONG)):
        lines += [f"## {title}", "", *(f"- **{minutes}** {what}" for minutes, what in plan), ""]
    lines += ["## Step by step", ""]
    for at, step in enumerate(steps(), start=1):
        lines += [
            f"### {at} {step.title}", "", f"`/learn?{step.link}`", "",
            f"- **Ask:** {step.ask}", f"- **Right:** {step.right}", f"- **Then:** {step.then}", "",
        ]  # fmt: skip
    lines += ["## Five questions", "", "Students should be able to answer these from what they have seen.", ""]
    for at, (asked, answer) in enumerate(zip(QUESTIONS, answers(), strict=True), start=1):
        lines += [f"{at}. {asked}", f"   *{answer}*"]
    return "\n".join(lines) + "\n"


_LEAD = """The lesson in the app, page Learn, asks before it shows: let everybody answer before you press anything. What
is answered, set or moved is in the address of the page, also where an animation was paused, so that a link opens
exactly that picture. Add `guess1=unsure` (and so on, with the number of the step) to open a step with its question
answered. Answers are `A`, `C`, `same` in steps 1 and 2; `LD`, `rLD`, `DCP`, `none` in 3; `best`, `middle`, `worst`
in 4; `kept`, `undone`, `mean` in 5; `none`, `half`, `due` in 6; in capital or small letters."""
