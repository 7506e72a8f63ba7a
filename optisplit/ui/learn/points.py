"""Step 1 of the lesson: 24 rows that can be moved between folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.measures.registry import MEASURES
from optisplit.measures.report import evaluate
from optisplit.plots.fold_grid import fold_grid_info, plot_fold_grid
from optisplit.studies.lesson.formulas import number
from optisplit.studies.lesson.points import (
    LABEL_SIZES,
    N_SPLITS,
    POINTS,
    folds_from_text,
    folds_to_text,
    move_point,
    points_data,
    random_folds,
    stratified_folds,
    swapped_folds,
)
from optisplit.text import percent
from optisplit.ui import keys
from optisplit.ui.learn.parts import Field, change, numbers_table, one_of, seen, to_do
from optisplit.ui.widgets import chart

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.measures.report import Report

DEFAULT_SEED = 0


def _checked(text: str) -> str:
    return folds_to_text(folds_from_text(text))


SPLIT = Field(keys.LEARN_SPLIT, "split", folds_to_text(random_folds(DEFAULT_SEED)), _checked)
FIELDS = (
    SPLIT,
    Field(keys.LEARN_BEFORE, "before", "", lambda text: _checked(text) if text else ""),
    Field(keys.LEARN_POINT, "point", POINTS[0], one_of(POINTS)),
)
"""The split as one digit a row, the split before the last change, and the row that is chosen."""


def current() -> Report:
    """Score the split of the 24 rows as it is now."""
    return _report(st.session_state[keys.LEARN_SPLIT])


def show() -> None:
    """Draw the step."""
    to_do(
        "24 rows, 3 labels, 4 folds",
        "Start from a random split. Click a row, or choose it in the list, then press the fold it is to go to. "
        "Watch the measures: 0 is best.",
    )
    _presets()
    left, right = st.columns([11, 9], gap="medium")
    with left:
        _grid()
        _mover()
    with right:
        _means()
    _classes()
    _seen()


def _presets() -> None:
    with st.container(horizontal=True):
        st.button("Random", icon=":material/casino:", key="learn_random", on_click=_draw)
        st.button(
            "Stratified", icon=":material/grid_on:", key="learn_stratified", on_click=_set, args=(stratified_folds(),)
        )
        st.button(
            "Stratified, one swap", icon=":material/swap_vert:", key="learn_swapped", on_click=_set,
            args=(swapped_folds(),), help="One row of label A and one of label C have changed places.",
        )  # fmt: skip
        st.button(
            "Undo", icon=":material/undo:", key="learn_undo", on_click=_undo,
            disabled=not st.session_state[keys.LEARN_BEFORE],
        )  # fmt: skip


def _draw() -> None:
    seed = st.session_state.get(keys.LEARN_SEED, DEFAULT_SEED) + 1
    st.session_state[keys.LEARN_SEED] = seed
    _set(random_folds(seed))


def _set(folds: FoldArray) -> None:
    text = folds_to_text(folds)
    if text != st.session_state[keys.LEARN_SPLIT]:
        st.session_state[keys.LEARN_BEFORE] = st.session_state[keys.LEARN_SPLIT]
        st.session_state[keys.LEARN_SPLIT] = text


def _undo() -> None:
    _set(folds_from_text(st.session_state[keys.LEARN_BEFORE]))


def _grid() -> None:
    folds = folds_from_text(st.session_state[keys.LEARN_SPLIT])
    chosen = POINTS.index(st.session_state[keys.LEARN_POINT])
    info = fold_grid_info(POINTS, [name[0] for name in POINTS], folds, N_SPLITS, marked=[chosen])
    chart(
        plot_fold_grid(info),
        "points",
        key="learn_grid",
        alt=info.alt_text,
        on_select=_choose,
        selection_mode="points",
    )


def _choose() -> None:
    selection: Any = st.session_state.learn_grid.selection
    for point in selection.get("points", []):
        number_of = point.get("customdata")
        index = number_of[0] if isinstance(number_of, list) else number_of
        if isinstance(index, int) and 0 <= index < len(POINTS):
            st.session_state[keys.LEARN_POINT] = POINTS[index]
            return


def _mover() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        point = st.selectbox("Move row to", POINTS, key=keys.LEARN_POINT, persist_state="session", width=95)
        folds = folds_from_text(st.session_state[keys.LEARN_SPLIT])
        row = POINTS.index(point)
        for fold in range(N_SPLITS):
            st.button(
                f"Fold {fold}", key=f"learn_to_{fold}", disabled=bool(folds[row] == fold), on_click=_move,
                args=(row, fold),
            )  # fmt: skip


def _move(row: int, fold: int) -> None:
    _set(move_point(folds_from_text(st.session_state[keys.LEARN_SPLIT]), row, fold))


@st.cache_resource(max_entries=256, show_spinner=False)
def _report(text: str) -> Report:
    return evaluate(points_data(), folds_from_text(text), n_splits=N_SPLITS)


def _before() -> Report:
    text = st.session_state[keys.LEARN_BEFORE]
    return _report(text) if text else current()


def _means() -> None:
    report, before = current(), _before()
    for pair in (("ld", "rld"), ("dcp", "ed")):
        with st.container(horizontal=True):
            for key in pair:
                now, then = getattr(report, key), getattr(before, key)
                name = MEASURES[key].heading if key == "ed" else f"{MEASURES[key].name}, mean over labels"
                about = f"{MEASURES[key].help} ${MEASURES[key].formula}$"
                st.metric(
                    name, number(now), change(now, then) or None, delta_color="inverse", help=about, delta_arrow="off"
                )


def _classes() -> None:
    report, before = current(), _before()
    lines = []
    for label, (name, size) in enumerate(LABEL_SIZES.items()):
        counts = " · ".join(map(str, report.counts[:, label].tolist()))
        line: dict[str, Any] = {"Label": f"**{name}**", "Rows": size, f"Rows in folds 0–{N_SPLITS - 1}": counts}
        for measure in ("ld", "rld", "dcp"):
            values = [getattr(each, f"{measure}_per_class")[label] for each in (report, before)]
            moved = change(*values)
            line[MEASURES[measure].name] = number(values[0]) + (f" :gray[({moved})]" if moved else "")
        lines.append(line)
    numbers_table(lines, "Each label: its rows in the folds, and its measures, with the last change in brackets")
    if before is not report:
        st.caption("In brackets, and under the means: what the last change did.")


def _seen() -> None:
    swapped = _report(folds_to_text(swapped_folds()))
    names = list(LABEL_SIZES)
    small, large = 0, len(names) - 1
    sizes = [int(swapped.positives[each]) for each in (small, large)]
    ld = [float(swapped.ld_per_class[each]) for each in (small, large)]
    rld = [float(swapped.rld_per_class[each]) for each in (small, large)]
    parts = [percent(N_SPLITS / size, 2) for size in sizes]
    seen(
        f"With **Stratified, one swap**, label {names[small]} ({sizes[0]} rows) and label {names[large]} "
        f"({sizes[1]} rows) have the same fault: one row too many in one fold, one too few in another. That is "
        f"{parts[0]} of what a fold should have of {names[small]}, and {parts[1]} of {names[large]}. Yet **LD** counts "
        f"it {number(ld[0])} for {names[small]} and {number(ld[1])} for {names[large]}: {number(ld[1] / ld[0])} times "
        f"as bad in the large label. **rLD** counts {number(rld[0])} and {number(rld[1])}: {number(rld[0] / rld[1])} "
        "times as bad in the small one."
    )
