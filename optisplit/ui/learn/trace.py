"""Step 5 of the lesson: OptiSplit at work, one label at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.measures.registry import name_of, objectives
from optisplit.studies.lesson.points import ROWS, rows_data
from optisplit.studies.lesson.trace import MAX_EPOCHS, Frame, end_loss, frames_of, trace, trace_table
from optisplit.studies.lesson.words import number
from optisplit.text import counted
from optisplit.ui import keys
from optisplit.ui.learn import stage
from optisplit.ui.learn.fields import SEEDS
from optisplit.ui.learn.parts import Question, ask, is_answered, seen

if TYPE_CHECKING:
    from optisplit.methods.optisplit import Step

SCENE = stage.Scene("learn_run", rows_data(), ROWS, colors_of_labels=False)


def show() -> None:
    """Draw the step."""
    state = st.session_state
    measure: Any = state[keys.LEARN_MEASURE]
    steps = _steps(measure, state[keys.LEARN_START])
    frames = frames_of(steps, measure)
    state[keys.LEARN_POSITION] = min(state[keys.LEARN_POSITION], len(frames))
    if is_answered(5):
        stage.play(SCENE, frames, state[keys.LEARN_POSITION], measure=measure, on_rest=_rest)
    else:
        stage.play(SCENE, [Frame(frames[0].folds)], 1, measure=measure, on_rest=_rest)
    left, right = st.columns(2, gap="medium")
    undone = [step for step in steps if step.rows.size and not step.kept]
    with left:
        text = (
            f"{len(ROWS)} rows with up to three of {rows_data().n_labels} labels. OptiSplit moves surplus rows of the "
            "worst label. Can that make other labels worse?"
        )
        options = {
            "no": "No",
            "undone": "Yes, it then undoes the move",
            "kept": "Yes, and it keeps the move",
        }
        question = Question(5, text, options, "undone" if undone else "kept")
        ask(question)
    if not is_answered(5):
        return
    with left, st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Measure to lower", objectives(), format_func=name_of, key=keys.LEARN_MEASURE,
            required=True, persist_state="session", on_change=_rewind,
        )  # fmt: skip
        st.selectbox("Random start", SEEDS, key=keys.LEARN_START, persist_state="session", width=130, on_change=_rewind)
        with st.popover("As a table"):
            st.dataframe(trace_table(steps), hide_index=True, key="learn_run_table", alt="Every step of the run")
    with right:
        seen(question, _seen(steps))


def _rewind() -> None:
    st.session_state[keys.LEARN_POSITION] = 1


def _rest() -> None:
    at = st.session_state[SCENE.key].get("at")
    if isinstance(at, int) and at > 0:
        st.session_state[keys.LEARN_POSITION] = at


@st.cache_resource(max_entries=64, show_spinner="Running OptiSplit …")
def _steps(measure: Any, seed: int) -> tuple[Step, ...]:
    return trace(measure, seed)


def _seen(steps: tuple[Step, ...]) -> str:
    measure = name_of(st.session_state[keys.LEARN_MEASURE])
    kept = sum(step.kept for step in steps)
    undone = sum(bool(step.rows.size) and not step.kept for step in steps)
    first, last = steps[0].loss, end_loss(steps)
    fell = f"{number(first)} to {number(last)}"
    return (
        "One label at a time, the worst first. A row takes all of its labels along, so repairing one label can spoil "
        f"another: a change is kept only if the mean over all labels falls. In this run {counted(kept, 'change')} "
        f"{'was' if kept == 1 else 'were'} kept and {undone} undone; mean {measure} fell from {fell}. It stops after a "
        f"round without a change, or after {MAX_EPOCHS} rounds."
    )
