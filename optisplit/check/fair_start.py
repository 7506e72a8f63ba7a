"""What a repair aims at so that parts become fair: what is due, and what a part has where that is what is due."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optisplit.methods.annealing.fairness import EXACT, Fair, between_roundings, due_to_folds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix
    from optisplit.methods.annealing.units import Units


def fair_near(labels: LabelMatrix, units: Units, home: FoldArray, rng: np.random.Generator) -> Fair:
    """Say what each part is to have its due of; what a part has is kept where it is what is due, rounded up or down."""
    fair = Fair.of(labels, units, rng)
    if units.fixed_held().any():
        return fair
    held = _held(fair, home)
    sizes = units.constraints.sizes
    due = due_to_folds(held.sum(axis=1), np.zeros(held.shape, np.int32), sizes, np.zeros_like(sizes))
    is_kept = np.abs(held - due).max(axis=1, keepdims=True) < 1 - EXACT
    is_firm = np.abs(fair.middles - fair.targets).max(axis=1, keepdims=True) == 0
    middles = np.where(is_kept & is_firm, held, fair.middles)
    middles[fair.n_sizes :] = between_roundings(due[fair.n_sizes :])  # few rows too may be rounded as suits the labels
    return replace(fair, targets=np.where(is_kept, held, fair.targets), middles=middles)


def _held(fair: Fair, home: FoldArray) -> NDArray[np.int64]:
    """Count what each part has of what units have in common."""
    n_fair, n_splits = fair.targets.shape
    unit = np.repeat(np.arange(len(home)), np.diff(fair.indptr))
    cells = fair.indices.astype(np.int64) * n_splits + home[unit]
    return (
        np.rint(np.bincount(cells, weights=fair.amounts, minlength=n_fair * n_splits))
        .astype(np.int64)
        .reshape(n_fair, n_splits)
    )
