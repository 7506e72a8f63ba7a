"""OptiSplit at work on the small example: one step a label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from optisplit.methods.optisplit import Step, optisplit_steps
from optisplit.studies.lesson.points import N_SPLITS, ROWS, rows_data

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray

MAX_EPOCHS = 3


def trace(measure: Literal["rld", "dcp", "ld"], seed: int) -> tuple[Step, ...]:
    """Run OptiSplit on the example."""
    rng = np.random.default_rng(seed)
    return tuple(optisplit_steps(rows_data().labels, N_SPLITS, rng=rng, measure=measure, max_epochs=MAX_EPOCHS))


def result_of(steps: tuple[Step, ...]) -> FoldArray:
    """Tell how a run ended."""
    last = steps[-1]
    return last.folds_after if last.kept else last.folds


def trace_table(steps: tuple[Step, ...]) -> pd.DataFrame:
    """Lay out a run."""
    return pd.DataFrame([_line(at, step) for at, step in enumerate(steps, start=1)])


def _line(at: int, step: Step) -> dict[str, Any]:
    moves = [
        f"{ROWS[row]} {step.folds[row]}→{target}"
        for row, target in zip(step.rows.tolist(), step.targets.tolist(), strict=True)
    ]
    return {
        "step": at,
        "round": step.epoch + 1,
        "label": rows_data().label_names[step.label],
        "score": float(step.scores[step.label]),
        "moves": ", ".join(moves),
        "mean before": step.loss,
        "mean with the moves": step.loss_after,
        "decision": "kept" if step.kept else "undone" if moves else "nothing to move",
    }
