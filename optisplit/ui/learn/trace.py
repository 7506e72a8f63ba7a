"""Step 5 of the lesson: OptiSplit at work, one label at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.measures.registry import name_of, objectives
from optisplit.studies.lesson.points import ROWS, rows_data
from optisplit.studies.lesson.trace import Frame, frames_of, trace, trace_table
from optisplit.ui import keys
from optisplit.ui.learn import stage
from optisplit.ui.learn.fields import SEEDS
from optisplit.ui.learn.parts import Question, ask, is_answered, verdict

if TYPE_CHECKING:
    from optisplit.methods.optisplit import Step

SCENE = stage.Scene("learn_run", rows_data(), ROWS, colors_of_labels=False)
ANSWERS = {"kept": "Always", "undone": "Never", "mean": "Only if the mean falls"}


def show() -> None:
    """Draw the step."""
    state = st.session_state
    measure: Any = state[keys.LEARN_MEASURE]
    steps = _steps(measure, state[keys.LEARN_START])
    frames = frames_of(steps, measure)
    state[keys.LEARN_POSITION] = min(state[keys.LEARN_POSITION], len(frames))
    text = (
        f"{len(ROWS)} rows with up to three of {rows_data().n_labels} labels. OptiSplit moves surplus rows of the "
        "worst label. They take their other labels along, and folds change their size: other labels may get worse, now "
        "and then even the one to be repaired. Does it keep such a move?"
    )
    question = Question(5, text, ANSWERS, "mean")
    if is_answered(5):
        at = state[keys.LEARN_POSITION]
        stage.play(SCENE, frames, at, measure=measure, verdict=verdict(question), on_rest=_rest)
    else:
        stage.play(SCENE, [Frame(frames[0].folds)], 1, measure=measure, verdict=("", ""), on_rest=_rest)
    left, right = st.columns(2, gap="medium")
    with left:
        ask(question)
    if is_answered(5):
        with right:
            _controls(steps)


def _controls(steps: tuple[Step, ...]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Measure to lower", objectives(), format_func=name_of, key=keys.LEARN_MEASURE,
            required=True, persist_state="session", on_change=_rewind,
        )  # fmt: skip
        st.selectbox("Random start", SEEDS, key=keys.LEARN_START, persist_state="session", width=120, on_change=_rewind)
        with st.popover("As a table"):
            st.dataframe(trace_table(steps), hide_index=True, key="learn_run_table", alt="Every step of the run")


def _rewind() -> None:
    st.session_state[keys.LEARN_POSITION] = 1


def _rest() -> None:
    at = st.session_state[SCENE.key].get("at")
    if isinstance(at, int) and at > 0:
        st.session_state[keys.LEARN_POSITION] = at


@st.cache_resource(max_entries=64, show_spinner="Running OptiSplit …")
def _steps(measure: Any, seed: int) -> tuple[Step, ...]:
    return trace(measure, seed)
