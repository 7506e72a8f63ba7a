"""Step 3 of the lesson: the same error for labels of every size, and why LD climbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.measures.registry import name_of
from optisplit.plots.odds_curve import OddsCurveInfo, plot_odds_curve
from optisplit.plots.size_scores import plot_size_scores, size_scores_alt_text
from optisplit.studies.lesson.odds import OddsStep
from optisplit.studies.lesson.sizes import ERRORS, FORMULAS, amounts_of, error_words, size_scores
from optisplit.studies.lesson.words import deviation, number
from optisplit.text import joined
from optisplit.ui import keys
from optisplit.ui.learn.fields import FIRST_AMOUNTS, FOLDS, LARGE, MAX_AMOUNT, PERCENTS, SMALL
from optisplit.ui.learn.parts import Question, ask, drawing, is_answered, is_of_picture, seen
from optisplit.ui.widgets import complaint

if TYPE_CHECKING:
    from optisplit.studies.lesson.sizes import SizeScores

HEIGHT = 275
MOST = 0.9
"""The largest part of a fold's rows that the figure of the odds goes to."""


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
    curve = _curve(info)
    with place:
        what = (
            f"Of {info.n_rows:,} rows, labels of {info.sizes[0]} to {info.sizes[-1]:,}, all with the same error: "
            f"{error_words(error, relative)}."
        )
        options = {key: name_of(key) for key in FORMULAS} | {"none": "None of them"}
        question = Question(
            3, f"{what} Which measure grows with the size of the label?", options, next(iter(info.growing), "none")
        )
        is_asked_of = is_of_picture(3, error)
        if is_asked_of:
            ask(question)
        else:
            st.markdown(what)
    with figures[0]:
        _draw(info)
    if is_answered(3):
        with figures[1]:
            figure = plot_odds_curve(curve, HEIGHT)
            drawing(figure, "x and x / (1 − x)", curve.alt_text, key="learn_odds", width=380)
        with right:
            seen(question, f"{_growth(info)} {_why(curve)}", is_asked_of=is_asked_of)


def _curve(info: SizeScores) -> OddsCurveInfo:
    """Look at the fold that is the farthest off: what it has of a small label, and of a large one."""
    state, relative = st.session_state, info.farthest - 1
    # no fold has more positives than rows
    xs = state[keys.LEARN_SMALL], min(state[keys.LEARN_LARGE], float(f"{MOST / max(info.farthest, 1):.2g}"))
    small, large = (OddsStep(x, relative) for x in xs)
    return OddsCurveInfo(small, large, info.n_rows, deviation(info.farthest, 1))


def _draw(info: SizeScores) -> None:
    if not is_answered(3):
        with st.container(height=HEIGHT, border=True, vertical_alignment="center", horizontal_alignment="center"):
            st.caption("The scores of every label, once you have answered.")
        return
    is_log = st.session_state[keys.LEARN_AXES] == "log"
    figure = plot_size_scores(info, is_log=is_log, height=HEIGHT)
    drawing(figure, "Scores by label size", size_scores_alt_text(info), key="learn_sizes", width=470)


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
            help="Of a difference, in relation to what is due.", disabled=state[keys.LEARN_ERROR] != "difference",
        )  # fmt: skip
        with st.popover("More"):
            _more()
    return state[keys.LEARN_ERROR] != "free" or _ask_amounts(state[keys.LEARN_FOLDS])


def _more() -> None:
    st.segmented_control(
        "Axes", ("log", "linear"), format_func={"log": "Logarithmic", "linear": "Linear"}.__getitem__,
        key=keys.LEARN_AXES, required=True, persist_state="session",
    )  # fmt: skip
    for title, key, options in (("Small x", keys.LEARN_SMALL, SMALL), ("Large x", keys.LEARN_LARGE, LARGE)):
        st.select_slider(title, options, format_func=number, key=key, persist_state="session")


def _ask_amounts(n_splits: int) -> bool:
    st.caption("What each fold has, in per cent of what is due:")
    fields = st.container(horizontal=True, gap="small")
    known = st.session_state[keys.LEARN_AMOUNTS]
    given = []
    for fold in range(n_splits):
        key = f"{keys.LEARN_AMOUNTS}_{fold}"
        if key not in st.session_state:
            st.session_state[key] = known[fold] if fold < len(known) else FIRST_AMOUNTS[-1]
        given.append(
            fields.number_input(
                f"Fold {fold}, %", min_value=0, max_value=MAX_AMOUNT, step=10, key=key,
                persist_state="session", width=92,
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
    return (
        f"From the smallest to the largest label, {climbs}; the lines of {steady} stay flat. Rounding lifts dots of "
        "small labels."
    )


def _why(curve: OddsCurveInfo) -> str:
    if not curve.steps:
        return "**Why?** Nothing is off, so there is no step at the right, and nothing to add up."
    small, large = (number(abs(step.odds_change)) for step in curve.steps)
    return (
        f"**Why?** At the right, the fold that has {curve.step}: LD adds up how far x/(1−x) moves there. The same part "
        f"of a larger x is more: {small} for a label of {curve.rows(curve.small)}, {large} for one of "
        f"{curve.rows(curve.large)}, {number(curve.ratio, digits=2)} times as much. rLD divides by what is due, DCP by "
        "the label's rows, and the size cancels out."
    )
