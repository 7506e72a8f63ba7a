"""Step 5 of the lesson: OptiSplit at work, one label at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.measures.counting import count_positives_per_fold
from optisplit.measures.registry import name_of, objectives
from optisplit.measures.report import evaluate
from optisplit.plots.fold_grid import fold_grid_info, plot_fold_grid
from optisplit.plots.loss_trace import loss_trace_info, plot_loss_trace
from optisplit.studies.lesson.formulas import number
from optisplit.studies.lesson.points import N_SPLITS, ROWS, rows_data
from optisplit.studies.lesson.trace import MAX_EPOCHS, result_of, trace, trace_table
from optisplit.text import counted, joined
from optisplit.ui import keys
from optisplit.ui.learn.parts import Field, numbers_table, one_of, seen, to_do
from optisplit.ui.widgets import chart

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.methods.optisplit import Step

STARTS = tuple(range(20))
FIELDS = (
    Field(keys.LEARN_MEASURE, "measure", "rld", one_of(objectives())),
    Field(keys.LEARN_START, "start", 4, one_of(STARTS)),
    Field(keys.LEARN_POSITION, "at", 1, one_of(range(1, 1000))),
)
"""The measure to lower, the random start, and the step of the run that is shown, from 1."""


def show() -> None:
    """Draw the step."""
    to_do(
        "OptiSplit at work",
        f"Step through a run on {len(ROWS)} rows with {rows_data().n_labels} labels. The letters on a row are its "
        "labels. Arrows show the rows that OptiSplit tries to move.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Measure to lower", objectives(), format_func=name_of, key=keys.LEARN_MEASURE,
            required=True, persist_state="session", on_change=_rewind,
        )  # fmt: skip
        st.selectbox(
            "Random start", STARTS, key=keys.LEARN_START, persist_state="session", width=130, on_change=_rewind
        )
        steps = _steps(st.session_state[keys.LEARN_MEASURE], st.session_state[keys.LEARN_START])
        last = len(steps) + 1
        st.session_state[keys.LEARN_POSITION] = min(st.session_state[keys.LEARN_POSITION], last)
        position: int = st.session_state[keys.LEARN_POSITION]
        st.button(
            "Back",
            icon=":material/skip_previous:",
            key="learn_back",
            disabled=position == 1,
            on_click=_shift,
            args=(-1,),
        )
        st.button(
            "Forward", icon=":material/skip_next:", key="learn_forward", type="primary", disabled=position == last,
            on_click=_shift, args=(1,),
        )  # fmt: skip
        st.slider(
            "Step", 1, last, key=keys.LEARN_POSITION, persist_state="session", width=260,
            help="The last one shows how the run ended.",
        )  # fmt: skip
    left, right = st.columns([11, 9], gap="medium")
    with left:
        _grid(steps, position)
        _loss(steps, position)
    with right:
        _words(steps, position)
    with st.expander("The whole run as a table"):
        st.dataframe(trace_table(steps), hide_index=True, key="learn_run", alt="Every step of the run")
    _seen(steps)


def _rewind() -> None:
    st.session_state[keys.LEARN_POSITION] = 1


def _shift(by: int) -> None:
    st.session_state[keys.LEARN_POSITION] += by


@st.cache_resource(max_entries=64, show_spinner="Running OptiSplit …")
def _steps(measure: Any, seed: int) -> tuple[Step, ...]:
    return trace(measure, seed)


def _grid(steps: tuple[Step, ...], position: int) -> None:
    if position > len(steps):
        info = fold_grid_info(ROWS, ["out"] * len(ROWS), result_of(steps), N_SPLITS)
    else:
        step = steps[position - 1]
        letter = rows_data().label_names[step.label]
        info = fold_grid_info(
            ROWS, ["in" if letter in row else "out" for row in ROWS], step.folds, N_SPLITS,
            moves=list(zip(step.rows.tolist(), step.targets.tolist(), strict=True)),
        )  # fmt: skip
    chart(plot_fold_grid(info), "rows", key="learn_rows", alt=info.alt_text)


def _loss(steps: tuple[Step, ...], position: int) -> None:
    info = loss_trace_info(steps, position - 1, st.session_state[keys.LEARN_MEASURE])
    chart(plot_loss_trace(info), "loss", key="learn_loss", alt=info.alt_text)


def _words(steps: tuple[Step, ...], position: int) -> None:
    measure = name_of(st.session_state[keys.LEARN_MEASURE])
    if position > len(steps):
        st.markdown(
            f"**The end.** Mean {measure} is {number(_end_loss(steps))}; it was {number(steps[0].loss)} at the start."
        )
        key = st.session_state[keys.LEARN_MEASURE]
        end = result_of(steps)
        _classes(
            getattr(evaluate(rows_data(), end, n_splits=N_SPLITS), f"{key}_per_class"), measure, steps[0].folds, end
        )
        return
    step = steps[position - 1]
    name = rows_data().label_names[step.label]
    st.markdown(f"**1. Which label?** {_which(step, name, measure)}")
    st.markdown(f"**2. Which rows?** {_moves(step, name)}")
    st.markdown(f"**3. Is it kept?** {_verdict(step, measure)}")
    _classes(step.scores, measure, step.folds, step.folds_after, step.label)


def _which(step: Step, name: str, measure: str) -> str:
    score = f"{measure} {number(float(step.scores[step.label]))}"
    start = f"Round {step.epoch + 1}. "
    if step.rank == 0:
        return f"{start}**{name}** is worst, with {score}."
    passed = counted(step.rank, "worse label") if step.rank == 1 else f"{step.rank} worse labels"
    return f"{start}{passed} could not be bettered; next is **{name}**, with {score}."


def _moves(step: Step, name: str) -> str:
    if not step.rows.size:
        return f"None: {name} is as even as it can be."
    moves = [
        f"{ROWS[row]} (fold {step.folds[row]} → {target})"
        for row, target in zip(step.rows.tolist(), step.targets.tolist(), strict=True)
    ]
    return (
        f"The surplus rows of {name}, those with the fewest labels first, go where {name} is lacking: {joined(moves)}."
    )


def _verdict(step: Step, measure: str) -> str:
    if not step.rows.size:
        return "There is nothing to decide."
    now, then = number(step.loss), number(step.loss_after)
    if step.kept:
        return f":green[**Kept**]: the mean {measure} over all labels falls from {now} to {then}."
    if step.loss_after >= step.loss:
        return f":orange[**Undone**]: the mean {measure} over all labels would go from {now} to {then}."
    return ":orange[**Undone**]: a fold would be left without a row."


def _classes(
    scores: NDArray[np.float64], measure: str, before: FoldArray, after: FoldArray, looked_at: int | None = None
) -> None:
    counts = [count_positives_per_fold(rows_data().labels, folds, N_SPLITS) for folds in (before, after)]
    lines = []
    for label in sorted(range(scores.size), key=lambda label: (-scores[label], label)):
        name = rows_data().label_names[label]
        held = [" · ".join(map(str, each[:, label].tolist())) for each in counts]
        lines.append(
            {
                "Label": f"**{name}** ◀" if label == looked_at else name,
                measure: float(scores[label]),
                f"Rows in folds 0–{N_SPLITS - 1}": " → ".join(dict.fromkeys(held)),
            }
        )
    numbers_table(lines, "Every label, the worst first: its score, and its rows in the folds before and after")


def _end_loss(steps: tuple[Step, ...]) -> float:
    return steps[-1].loss_after if steps[-1].kept else steps[-1].loss


def _seen(steps: tuple[Step, ...]) -> None:
    measure = name_of(st.session_state[keys.LEARN_MEASURE])
    kept = sum(step.kept for step in steps)
    undone = sum(bool(step.rows.size) and not step.kept for step in steps)
    seen(
        "OptiSplit repairs one label at a time, the worst first. Rows have several labels, so repairing one can "
        "spoil another: it keeps a change only if the mean over all labels falls. Here it kept "
        f"{counted(kept, 'change')} and undid {undone}; mean {measure} went from {number(steps[0].loss)} to "
        f"{number(_end_loss(steps))}. It stops after a round without a change, or after {MAX_EPOCHS} rounds."
    )
