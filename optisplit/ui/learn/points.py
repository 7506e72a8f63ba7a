"""Step 1 of the lesson: 24 rows that can be moved between folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from optisplit.measures.registry import name_of
from optisplit.studies.lesson.points import (
    LABEL_SIZES,
    POINTS,
    folds_from_text,
    folds_to_text,
    move_point,
    points_data,
    random_folds,
    report_of,
)
from optisplit.studies.lesson.trace import Frame
from optisplit.studies.lesson.words import DEFINITIONS, number, times, worst_fold, worst_label
from optisplit.ui import keys
from optisplit.ui.learn import stage
from optisplit.ui.learn.fields import STRATIFIED, SWAPPED
from optisplit.ui.learn.parts import Question, ask, is_answered, seen

SCENE = stage.Scene("learn_points", points_data(), POINTS, colors_of_labels=True)


def current() -> Any:
    """Score the split of the 24 rows as it is now."""
    return report_of(points_data(), folds_from_text(st.session_state[keys.LEARN_SPLIT]))


def swapped() -> Any:
    """Score the split that steps 1 and 2 ask about: a row of A and one of C have changed places."""
    return report_of(points_data(), folds_from_text(SWAPPED))


def worse_of_two(report: Any, measure: str) -> str:
    """Tell for which of the smallest and the largest label a measure is higher, as an answer's key."""
    scores = report.per_label(measure)
    if abs(scores[0] - scores[-1]) < 1e-9:
        return "same"
    names = list(LABEL_SIZES)
    return names[0] if scores[0] > scores[-1] else names[-1]


def answers() -> dict[str, str]:
    """Name the smallest and the largest label, and neither."""
    sizes = {name: f"{name} ({LABEL_SIZES[name]} rows)" for name in (min(LABEL_SIZES), max(LABEL_SIZES))}
    return sizes | {"same": "The same"}


def show() -> None:
    """Draw the step."""
    state = st.session_state
    if is_answered(1) and "split" not in st.query_params and not state[keys.LEARN_BEFORE]:
        _set(SWAPPED)  # an address with an answer alone opens what the question is about
    frame = Frame(folds_from_text(state[keys.LEARN_SPLIT]))
    st.caption("To move a row, click its tile, then a fold.")
    stage.let_move(SCENE, frame, state[keys.LEARN_ROW], on_choice=_choose, on_move=_move)
    left, right = st.columns(2, gap="medium")
    with left:
        text = (
            "A row of A and one of C change places: each label has one row too many in one fold, one too few in "
            "another. For which does LD rise more?"
        )
        question = Question(1, text, answers(), worse_of_two(swapped(), "ld"))
        is_asked_of = not is_answered(1) or state[keys.LEARN_SPLIT] == SWAPPED
        if is_asked_of:
            ask(question, _swap)
    if is_answered(1):
        _buttons(left)
        with right:
            seen(question, _seen(), is_asked_of=is_asked_of)
    meanings = "".join(f"<div><dt>{word}</dt><dd>{meaning}</dd></div>" for word, meaning in DEFINITIONS.items())
    st.html(f'<dl class="learn_words">{meanings}</dl>')


def _buttons(place: Any) -> None:
    with place, st.container(horizontal=True, gap="small"):
        for title, key, folds, meaning in (
            ("Stratified", "stratified", STRATIFIED, "Every fold has what is due of every label."),
            ("One swap", "swapped", SWAPPED, "A row of A and one of C change places."),
        ):
            st.button(title, key=f"learn_{key}", on_click=_set, args=(folds,), help=meaning)
        st.button("Random", icon=":material/casino:", key="learn_random", on_click=_draw)
        st.button(
            "Undo", icon=":material/undo:", key="learn_undo", on_click=_undo,
            disabled=not st.session_state[keys.LEARN_BEFORE], help="Or move a row yourself: choose it, then its fold.",
        )  # fmt: skip


def _swap() -> None:
    _set(SWAPPED if is_answered(1) else STRATIFIED)


def _draw() -> None:
    seed = st.session_state.get(keys.LEARN_SEED, -1) + 1
    st.session_state[keys.LEARN_SEED] = seed
    _set(folds_to_text(random_folds(seed)))


def _set(text: str) -> None:
    if text != st.session_state[keys.LEARN_SPLIT]:
        st.session_state[keys.LEARN_BEFORE] = st.session_state[keys.LEARN_SPLIT]
        st.session_state[keys.LEARN_SPLIT] = text


def _undo() -> None:
    _set(st.session_state[keys.LEARN_BEFORE])


def _choose() -> None:
    row = st.session_state[SCENE.key].get("chosen")
    if isinstance(row, int) and 0 <= row < len(POINTS):
        st.session_state[keys.LEARN_ROW] = POINTS[row]


def _move() -> None:
    asked = st.session_state[SCENE.key].get("move")
    if not isinstance(asked, dict):
        return
    row, fold = asked.get("row"), asked.get("fold")
    folds = folds_from_text(st.session_state[keys.LEARN_SPLIT])
    if isinstance(row, int) and isinstance(fold, int) and 0 <= row < len(POINTS) and 0 <= fold <= folds.max():
        _set(folds_to_text(move_point(folds, row, fold)))


def _seen() -> str:
    report = current()
    names = list(LABEL_SIZES)
    off = [f"**{name}**: {words}" for label, name in enumerate(names) if (words := worst_fold(report, label))]
    if not off:
        return (
            "Every fold has just what is due of every label: all measures are 0. Press **One swap**, or move a row: "
            "choose it, then its fold."
        )
    text = f"{'; '.join(off)}. "
    for measure in ("ld", "rld"):
        high, low, ratio = worst_label(report, measure) or (0, 0, 1.0)
        text += f"**{name_of(measure)}** is highest for **{names[high]}**, {number(report.per_label(measure)[high])}"
        text += f": {times(ratio)} as for {names[low]}. " if ratio > 1 + 1e-9 else ". "
    text += f"**DCP** looks at the fullest fold alone: {number(report.dcp)} on average."
    if np.ptp(report.fold_sizes):
        text += (
            f" The folds are no longer of one size: on average {number(report.ed)} rows off (ED, example differences). "
            "LD and rLD follow: a larger fold is due more. DCP does not: it always compares with 1/k, a quarter."
        )
    return text
