"""Moves and exchanges at the end of annealing, from lists of what each unit's move would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit.kernels.jit import kernel
from optisplit.kernels.records import call

if TYPE_CHECKING:
    from optisplit.kernels.annealing import Task
    from optisplit.kernels.problem import Array

N_COPIES = 2  # units of exactly the same change in a list of candidates


@kernel
def find_changes(task: Task, units: Array, found: Array) -> None:
    """Find how the loss would change if each of some units, by itself, went to each fold.

    units: int64, the units; found: (len(units), n_splits) float32, set in place.
    """
    folds, changes, n_splits = task.state.folds, task.state.changes, found.shape[1]
    for at in range(units.size):
        call(task.changes_of, task, (units[at], np.int64(folds[units[at]]), np.int64(0), n_splits))
        for fold in range(n_splits):
            found[at, fold] = changes[fold]


@kernel
def list_candidates(task: Task, units: Array, candidates: Array, gains: Array) -> None:
    """List, for each pair of folds, the units whose move from one to the other costs least.

    units: int64, the units that are added to the lists; candidates: (n_splits, n_splits, n_listed) int32, changed in
    place: units by rising change, at most N_COPIES of each change; gains: (n_splits, n_splits, n_listed) float64,
    changed in place: their changes of the loss; infinite where there are fewer.
    """
    changes = task.state.changes
    n_splits, n_listed = candidates.shape[1], candidates.shape[2]
    for unit in units:
        own = np.int64(task.state.folds[unit])
        call(task.changes_of, task, (unit, own, np.int64(0), n_splits))
        for fold in range(n_splits):
            change = changes[fold]
            if fold == own or change >= gains[own, fold, n_listed - 1]:
                continue
            at, last = 0, n_listed - 1  # where it belongs: after all that are as low
            while at < last:
                middle = (at + last) // 2
                if gains[own, fold, middle] > change:
                    last = middle
                else:
                    at = middle + 1
            # rows with the same labels have the same change: many copies of one would crowd out the others
            if at >= N_COPIES and gains[own, fold, at - N_COPIES] == change:
                continue
            for later in range(n_listed - 1, at, -1):
                gains[own, fold, later] = gains[own, fold, later - 1]
                candidates[own, fold, later] = candidates[own, fold, later - 1]
            gains[own, fold, at], candidates[own, fold, at] = change, unit


@kernel
def swap_candidates(task: Task, candidates: Array, min_gain: float) -> int:
    """Exchange pairs of listed units between their folds where that lowers the loss.

    The state is changed in place; candidates: (n_splits, n_splits, n_listed) int32, what :func:`list_candidates` gave;
    min_gain: the least that an exchange has to lower the loss by. Returns exchanges made.
    """
    folds, changes = task.state.folds, task.state.changes
    n_splits, n_listed = candidates.shape[1], candidates.shape[2]
    n_swaps = 0
    for a in range(n_splits):
        for b in range(a + 1, n_splits):
            for i in range(n_listed):
                unit = np.int64(candidates[a, b, i])
                if unit < 0 or folds[unit] != a:
                    continue
                call(task.changes_of, task, (unit, a, b, b + 1))
                best, partner = -min_gain - changes[b], np.int64(-1)
                call(task.move, task, (unit, b))
                for j in range(n_listed):
                    other = np.int64(candidates[b, a, j])
                    if other < 0:
                        break
                    if folds[other] == b:
                        call(task.changes_of, task, (other, b, a, a + 1))
                        if changes[a] < best:
                            best, partner = changes[a], other
                call(task.move, task, (unit if partner < 0 else partner, a))
                n_swaps += 1 if partner >= 0 else 0
    return n_swaps
