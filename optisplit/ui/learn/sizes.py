"""Step 3 of the lesson: the same error for labels of every size, and why LD climbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.measures.registry import name_of
from optisplit.plots.odds_curve import OddsCurveInfo, plot_odds_curve
from optisplit.plots.size_scores import plot_size_scores, size_scores_alt_text
from optisplit.studies.lesson.odds import OddsStep
from optisplit.studies.lesson.sizes import ERRORS, FORMULAS, amounts_of, error_words, size_scores
from optisplit.studies.lesson.words import number, part
from optisplit.text import joined
from optisplit.ui import keys
from optisplit.ui.learn.fields import FIRST_AMOUNTS, FOLDS, LARGE, MAX_AMOUNT, PERCENTS, SMALL
from optisplit.ui.learn.parts import Question, ask, is_answered, seen
from optisplit.ui.widgets import chart, complaint

if TYPE_CHECKING:
    from optisplit.studies.lesson.sizes import SizeScores

HEIGHT = 275


def show() -> None:
    """Draw the step."""
    state = st.session_state
    figures = st.columns([11, 9], gap="medium")
    left, right = st.columns(2, gap="medium")
    with left:
        place = st.container()
        ready = _controls() if is_answered(3) else True
    if not ready:
        return
    error, relative = state[keys.LEARN_ERROR], state[keys.LEARN_DIFFERENCE] / 100
    n_splits: int = state[keys.LEARN_FOLDS]
    info = size_scores(amounts_of(error, n_splits, relative, _amounts(n_splits)))
    curve = OddsCurveInfo(*(OddsStep(state[key], relative) for key in (keys.LEARN_SMALL, keys.LEARN_LARGE)))
    with place:
        text = (
            f"Labels of {info.sizes[0]} to {info.sizes[-1]:,} rows, all with the same error: "
            f"{error_words(error, relative)}. Which measure grows with the size of the label?"
        )
        options = {key: name_of(key) for key in FORMULAS} | {"none": "None of them"}
        question = Question(3, text, options, next(iter(info.growing), "none"))
        ask(question)
    with figures[0]:
        _draw(info)
    with figures[1]:
        chart(plot_odds_curve(curve, HEIGHT), "odds", key="learn_odds", alt=curve.alt_text)
    if is_answered(3):
        with right:
            seen(question, f"{_growth(info)} {_why(curve, info, relative)}")


def _draw(info: SizeScores) -> None:
    if not is_answered(3):
        with st.container(height=HEIGHT, border=True, vertical_alignment="center", horizontal_alignment="center"):
            st.caption("The scores of every label, once you have answered.")
        return
    is_log = st.session_state[keys.LEARN_AXES] == "log"
    figure = plot_size_scores(info, is_log=is_log, height=HEIGHT)
    chart(figure, "label-size", key="learn_sizes", alt=size_scores_alt_text(info))


def _controls() -> bool:
    state = st.session_state
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Error", list(ERRORS), format_func=ERRORS.__getitem__, key=keys.LEARN_ERROR, persist_state="session",
            width=130,
        )  # fmt: skip
        st.selectbox("Folds", FOLDS, key=keys.LEARN_FOLDS, persist_state="session", width=75)
        st.selectbox(
            "Size", PERCENTS, format_func="{} %".format, key=keys.LEARN_DIFFERENCE, persist_state="session", width=95,
            help="Of the error, in relation to what is due; also the size of the steps in the figure of the odds.",
        )  # fmt: skip
        with st.popover("More"):
            return _more(state[keys.LEARN_FOLDS])


def _more(n_splits: int) -> bool:
    st.segmented_control(
        "Axes", ("log", "linear"), format_func={"log": "Logarithmic", "linear": "Linear"}.__getitem__,
        key=keys.LEARN_AXES, required=True, persist_state="session",
    )  # fmt: skip
    for title, key, options in (("Small x", keys.LEARN_SMALL, SMALL), ("Large x", keys.LEARN_LARGE, LARGE)):
        st.select_slider(title, options, format_func=number, key=key, persist_state="session")
    if st.session_state[keys.LEARN_ERROR] != "free":
        return True
    known = st.session_state[keys.LEARN_AMOUNTS]
    given = []
    for fold in range(n_splits):
        key = f"{keys.LEARN_AMOUNTS}_{fold}"
        if key not in st.session_state:
            st.session_state[key] = known[fold] if fold < len(known) else FIRST_AMOUNTS[-1]
        given.append(
            st.number_input(
                f"Fold {fold}, per cent of what is due", min_value=0, max_value=MAX_AMOUNT, step=10, key=key,
                persist_state="session",
            )
        )  # fmt: skip
    amounts = tuple(int(each or 0) for each in given)
    if not any(amounts):
        st.markdown(complaint("At least one fold needs some, please."))
        return False
    st.session_state[keys.LEARN_AMOUNTS] = amounts
    return True


def _amounts(n_splits: int) -> tuple[int, ...]:
    given = (*st.session_state[keys.LEARN_AMOUNTS], *(FIRST_AMOUNTS[-1],) * n_splits)[:n_splits]
    return given if any(given) else (FIRST_AMOUNTS[-1],) * n_splits


def _growth(info: SizeScores) -> str:
    if not info.growing:
        return (
            "No label has an error but that of whole rows, which the band shows: it is the larger the fewer rows "
            "there are to share."
        )
    flat = [measure for measure in FORMULAS if measure not in info.growing]
    climbs = ", ".join(f"**{name_of(key)}** climbs {info.growth(key):,.0f}-fold" for key in info.growing)
    steady = joined([f"**{name_of(key)}** ({number(float(info.exact[key][-1]))})" for key in flat])
    return f"From the smallest to the largest label, {climbs}; {steady} stay flat. The bands: what whole rows allow."


def _why(curve: OddsCurveInfo, info: SizeScores, relative: float) -> str:
    rows = [f"{round(step.x * info.n_rows):,}" for step in (curve.small, curve.large)]
    return (
        f"**Why?** {part(relative).capitalize()} of a small x is little, of a large x much, and LD adds up x/(1−x) as "
        f"it is: from a label of {rows[0]} rows to one of {rows[1]} the step grows {number(curve.ratio, digits=2)}"
        f"-fold ({number(curve.small.odds_change)} to {number(curve.large.odds_change)}). rLD divides by what is "
        "due, DCP by the label's rows."
    )
