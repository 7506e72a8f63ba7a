"""Step 6 of the lesson: what even rLD does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.io.samples import SAMPLES, sample_file
from optisplit.methods import METHODS as KNOWN
from optisplit.plots.rare_shares import plot_rare_shares, rare_shares_info
from optisplit.plots.rounding_choice import plot_rounding_choice, rounding_choice_alt_text
from optisplit.studies.lesson.rare import (
    DATA,
    DUE,
    KEPT,
    METHODS,
    MOST_IN_TEST,
    N_LABELS,
    reports_of_parts,
    rounded,
    rounding_choice,
)
from optisplit.studies.lesson.words import deviation, number, part
from optisplit.text import percent
from optisplit.ui import keys
from optisplit.ui.learn.fields import guess_key
from optisplit.ui.learn.parts import Question, ask, drawing, is_answered, seen

if TYPE_CHECKING:
    from optisplit.measures.report import Report
    from optisplit.studies.lesson.rare import RoundingChoice

HEIGHT = 250
NAMES = {"optisplit": "OptiSplit as published"}
ANSWERS = {"none": 0, "half": DUE // 2, "due": DUE}
"""Labels in the test part, by what can be answered."""

METHODS_IN_WORDS = (
    "Random: looks at no label. IS (iterative stratification): hands out the rows of the rarest label first. OptiSplit "
    "as published: repairs the worst label, as in step 5. OptiSplit-SA (simulated annealing): moves rows again and "
    "again, until no move lowers the score."
)
VIEWS = {"round": "Round it yourself", "methods": "Four methods"}


def show() -> None:
    """Draw the step."""
    choice = rounding_choice()
    figure = st.container(gap=None)
    left, right = st.columns(2, gap="medium")
    is_of_methods = is_answered(6) and st.session_state[keys.LEARN_VIEW] == "methods"
    if is_answered(6) and st.session_state[keys.LEARN_IN_TEST] is None:
        _take_answer()
    with left:
        text = (
            f"{N_LABELS} labels have 2 rows each. Of their {2 * N_LABELS} rows, the test part, a tenth, is due {DUE}. "
            "How many are there where rLD is lowest?"
        )
        options = {"none": "None", "half": f"Half of that, {DUE // 2}", "due": f"{DUE}, what is due"}
        right_key = min(ANSWERS, key=lambda key: abs(ANSWERS[key] - choice.lowest("rld")))
        question = Question(6, text, options, right_key)
        if not is_of_methods:
            ask(question, _take_answer)
        if is_answered(6):
            st.segmented_control(
                "View", list(VIEWS), format_func=VIEWS.__getitem__, key=keys.LEARN_VIEW, required=True,
                persist_state="session", label_visibility="collapsed",
            )  # fmt: skip
            if not is_of_methods:
                st.slider(
                    "Labels that give one of their two rows to the test part", 0, MOST_IN_TEST,
                    key=keys.LEARN_IN_TEST, persist_state="session",
                )  # fmt: skip
            else:
                st.caption(METHODS_IN_WORDS)
    with figure:
        if is_of_methods:
            text = _methods()
        elif is_answered(6):
            text = _round(choice)
        else:
            with st.container(height=HEIGHT, vertical_alignment="center", horizontal_alignment="center"):
                st.caption("What each choice costs, once you have answered.")
    if is_answered(6):
        with right:
            seen(question, text, is_asked_of=not is_of_methods)


def _take_answer() -> None:
    """Set the slider to what was answered."""
    st.session_state[keys.LEARN_IN_TEST] = ANSWERS.get(st.session_state[guess_key(6)], 0)


def _round(choice: RoundingChoice) -> str:
    chosen: int = st.session_state[keys.LEARN_IN_TEST]
    alt = rounding_choice_alt_text(choice, chosen)
    drawing(
        plot_rounding_choice(choice, chosen, HEIGHT), "What each choice costs", alt, key="learn_rounding", width=860
    )
    return _seen_of_rounding(rounded(chosen), chosen)


def _seen_of_rounding(report: Report, chosen: int) -> str:
    choice = rounding_choice()
    best = choice.lowest("rld")
    off = report.value("rare_shares")
    now = part(float(f"{off:.3g}")) if off > 1e-9 else "none"
    return (
        "Three parts: train 80 %, validation 10 %, test 10 %; validation keeps what it is due. "
        f"Of these labels' rows the test part has {deviation(chosen, DUE)} ({chosen} of {DUE}). rLD is "
        f"{number(report.rld)}; it is lowest, {number(float(choice.rld[best]))}, with {best}, since it looks at each "
        "label alone: one of two rows in a tenth of the data is five times what is due. But a test part without them "
        f"tells nothing of rare labels. Labels **taken together** show it: {now} of their rows are in another part "
        f"than is due, and fewest with {choice.lowest('together')}."
    )


@st.cache_resource(show_spinner=False)
def _reports() -> dict[str, Report]:
    return reports_of_parts()


def _methods() -> str:
    if not sample_file(KEPT).is_file():
        return "The sample data is not installed, and these splits are of it."
    reports = _reports()
    names = {method: NAMES.get(method, KNOWN[method].name) for method in METHODS}
    info = rare_shares_info({method: [reports[method]] for method in METHODS}, names=names, noun="part")
    figure, narrow = (plot_rare_shares(info, columns=columns) for columns in (len(METHODS), 1))
    drawing(figure, "Where rare labels go", info.alt_text, key="learn_rare", width=860, narrow=narrow)
    lines = ", ".join(f"{names[method]} {number(reports[method].rld)}" for method in METHODS)
    by_rld = min(METHODS, key=lambda method: reports[method].rld)
    in_test = ", ".join(f"{each.name} {percent(each.bare[-1], 2)}" for each in info.methods if each.bare is not None)
    return (
        f"{SAMPLES[DATA].title} without the labels that nearly all rows have; parts of 80, 10 and 10 %. rLD: {lines}. "
        f"The lowest is **{names[by_rld]}**, but its validation and test parts have next to nothing of the rarest "
        f"labels. Of the {info.n_bare} **rows without a label** a tenth is due to test: {in_test}."
    )
