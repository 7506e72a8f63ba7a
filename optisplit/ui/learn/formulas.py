"""Step 2 of the lesson: the formulas, with the numbers of the 24 rows filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.measures.registry import MEASURES
from optisplit.studies.lesson.formulas import work_out
from optisplit.studies.lesson.points import LABEL_SIZES
from optisplit.studies.lesson.words import number, worst_fold
from optisplit.ui import keys
from optisplit.ui.learn import points
from optisplit.ui.learn.parts import Question, ask, is_answered, seen

if TYPE_CHECKING:
    from optisplit.measures.report import Report


TITLES = {"dcp": "fullest fold's part of the positives, less 1/k"}


def show() -> None:
    """Draw the step."""
    name: str = st.session_state[keys.LEARN_CLASS]
    label = list(LABEL_SIZES).index(name)
    report = points.swapped()
    worked = work_out(report, label)
    for key, place in zip(("ld", "rld", "dcp"), st.columns(3, gap="small"), strict=True):
        with place, st.container(border=True, key=f"learn_{key}", height=262, gap="xsmall"):
            st.markdown(f"**{MEASURES[key].name}**: {TITLES.get(key, MEASURES[key].title)}")
            if is_answered(2):
                st.latex(worked[key].latex)
            else:
                st.latex(worked[key].definition)
    left, right = st.columns(2, gap="medium")
    with left:
        text = (
            "pⱼ is the part of fold j that has the label, d the part of all rows; cⱼ of all c positives are in fold j "
            "of k. In the split of step 1's question, whatever you moved since, the folds have "
            f"{_held(report)}. rLD divides by d. Which label gets the higher rLD?"
        )
        question = Question(2, text, points.answers(), points.worse_of_two(report, "rld"))
        ask(question)
        if is_answered(2):
            st.segmented_control(
                "Fill in the numbers of label", list(LABEL_SIZES), key=keys.LEARN_CLASS, required=True,
                format_func=lambda each: f"{each}: {LABEL_SIZES[each]} rows", persist_state="session",
            )  # fmt: skip
    if is_answered(2):
        with right:
            seen(question, _seen(report, name, label))


def _held(report: Report) -> str:
    """Say how many positives of the two labels that were exchanged each fold has."""
    names = list(LABEL_SIZES)
    held = (", ".join(map(str, report.counts[:, at].tolist())) for at in (0, -1))
    return " and ".join(f"{each} of {name}" for each, name in zip(held, (names[0], names[-1]), strict=True))


def _seen(report: Report, name: str, label: int) -> str:
    off = worst_fold(report, label)
    if off is None:
        wrong = " or ".join(each for at, each in enumerate(LABEL_SIZES) if worst_fold(report, at) is not None)
        return f"No fold is off for {name}: every term is 0. Choose {wrong}, where folds are off."
    d = report.positives[label] / report.n_rows
    ld, rld, dcp = (float(report.per_label(key)[label]) for key in ("ld", "rld", "dcp"))
    names = list(LABEL_SIZES)
    others = ", ".join(
        f"{number(float(report.per_label('ld')[at]))} and {number(float(report.per_label('rld')[at]))} for {each}"
        for at, each in enumerate(names)
        if at != label
    )
    return (
        f"For **{name}** {off}. Of all rows, the part d = {number(float(d))} has it. **LD** adds up differences of "
        f"odds as they are: {number(ld)}. **rLD** divides by d, so that an error counts in relation to what is due: "
        f"{number(rld)}. **DCP** takes the fullest fold: {number(dcp)}. LD and rLD of the others: {others}."
    )
