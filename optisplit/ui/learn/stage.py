"""Rows that slide to their folds, and bars of the measures that grow with them, drawn in the browser.

Everything that is to be seen is worked out here and sent once; the browser then goes from picture to picture alone, and
tells the page where it rests.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from optisplit.measures.registry import name_of
from optisplit.studies.lesson.points import N_SPLITS, folds_to_text, report_of
from optisplit.studies.lesson.words import meaning, number
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report
    from optisplit.studies.lesson.trace import Frame

MEASURES = ("ld", "rld", "dcp")
LEAST_TOP = 0.5
"""The score at which bars are full, unless one is higher."""

LEAST_COLUMNS = 8
BAR_ROOM = 0.84
"""The part of a bar's column that is left below the number on it."""

MOST_WITH_THREE_DIGITS = 3
"""Bars that have room for numbers of three digits; more have numbers of two decimals."""

MOVE_HELP = "Rows in their folds. Left and right arrows choose a row, up and down arrows move it to another fold."

_HERE = Path(__file__).parent
_draw = st.components.v2.component(
    "optisplit_lesson_stage",
    html=(_HERE / "stage.html").read_text(encoding="utf-8"),
    css=(_HERE / "stage.css").read_text(encoding="utf-8"),
    js=(_HERE / "stage.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True, eq=False)
class Scene:
    """What is the same in all pictures."""

    key: str
    data: MultilabelDataset
    rows: tuple[str, ...]  # what is written on each row
    colors_of_labels: bool  # rows have the colours of their labels, else those with the label looked at stand out


def play(
    scene: Scene, frames: Sequence[Frame], at: int, *, measure: str, verdict: tuple[str, str],
    on_rest: Callable[[], None],
) -> None:  # fmt: skip
    """Draw a run with Play, Pause and a slider, at one of its pictures, from 1.

    The verdict on what was answered comes with the first picture that proves it.
    """
    data = scene_data(scene, frames, at)
    data |= {"movable": False, "trace": _trace(scene, frames, measure), "verdict": verdict}
    _draw(key=scene.key, data=data, on_at_change=on_rest)


def let_move(
    scene: Scene, frame: Frame, chosen: str, *, on_choice: Callable[[], None], on_move: Callable[[], None]
) -> None:
    """Draw one split whose rows can be chosen and moved."""
    data = scene_data(scene, [frame], 1)
    data |= {"movable": True, "trace": [0], "help": MOVE_HELP, "chosen": scene.rows.index(chosen)}
    _draw(key=scene.key, data=data, on_chosen_change=on_choice, on_move_change=on_move)


def scene_data(scene: Scene, frames: Sequence[Frame], at: int) -> dict[str, Any]:
    """Work out all pictures of a scene."""
    reports = [report_of(scene.data, frame.folds) for frame in frames]
    top = max(LEAST_TOP, *(float(np.nanmax(each.per_label(key))) for each in reports for key in MEASURES))
    pictures = [_picture(scene, frame, report, top) for frame, report in zip(frames, reports, strict=True)]
    return {
        "shape": scene.key,
        "run": " ".join(folds_to_text(frame.folds) for frame in frames),
        "at": at,
        "folds": [f"Fold {fold}" for fold in range(N_SPLITS)],
        "tokens": list(scene.rows),
        "labels": list(scene.data.label_names),
        "measures": [name_of(key) for key in MEASURES],
        "width": max(LEAST_COLUMNS, *(int(report.fold_sizes.max()) for report in reports)),
        "frames": pictures,
    }


def _picture(scene: Scene, frame: Frame, report: Report, top: float) -> dict[str, Any]:
    names = scene.data.label_names
    looked_at = None if frame.label is None else names[frame.label]
    if scene.colors_of_labels:
        kinds, bars = [row[0] for row in scene.rows], list(names)
    else:
        kinds = ["in" if looked_at and looked_at in row else "out" for row in scene.rows]
        bars = ["at" if name == looked_at else "" for name in names]
    return {
        "folds": frame.folds.tolist(),
        "columns": _columns(frame.folds),
        "sizes": [counted(rows, "row") for rows in report.fold_sizes.tolist()],
        "kinds": kinds,
        "bars": bars,
        "moved": list(frame.moved),
        "scores": [_scores(report, key, top) for key in MEASURES],
        "says": [list(each) for each in frame.says],
        "tally": frame.tally,
        "proof": frame.is_proof,
        "alt": grid_alt_text(scene.rows, frame.folds),
    }


def _columns(folds: FoldArray) -> list[int]:
    """Give each row its place in its fold, in the order of the rows."""
    taken = [0] * N_SPLITS
    columns = []
    for fold in folds.tolist():
        columns.append(taken[fold])
        taken[fold] += 1
    return columns


def _scores(report: Report, measure: str, top: float) -> dict[str, Any]:
    scores = report.per_label(measure).tolist()
    # narrow bars have no room for 0.083 side by side
    texts = [number(score) if len(scores) <= MOST_WITH_THREE_DIGITS else f"{score:.2f}" for score in scores]
    each = ", ".join(f"{name} {text}" for name, text in zip(report.label_names, texts, strict=True))
    mean = report.value(measure)
    return {
        "mean": number(mean),
        "meaning": meaning(measure, mean),
        "texts": texts,
        "heights": [BAR_ROOM * score / top for score in scores],
        "alt": f"{name_of(measure)} of each label: {each}",
    }


def grid_alt_text(rows: Sequence[str], folds: FoldArray) -> str:
    """Say in words which rows are in which fold."""
    held = [[row for row, at in zip(rows, folds, strict=True) if at == fold] for fold in range(N_SPLITS)]
    return ". ".join(f"Fold {fold}: {', '.join(names) or 'no rows'}" for fold, names in enumerate(held)) + "."


def _trace(scene: Scene, frames: Sequence[Frame], measure: str) -> list[float]:
    """Give the mean score at every picture, as the height of a line from the top, 0, to the bottom, 1."""
    means = [report_of(scene.data, frame.folds).value(measure) for frame in frames]
    highest = max(means)
    return [1 - mean / highest if highest > 0 else 1.0 for mean in means]
