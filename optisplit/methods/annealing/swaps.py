"""Moves and exchanges of units at the end of annealing: sizes made exact, and what still lowers the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit import kernels
from optisplit.methods.annealing.losses import total_loss

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from optisplit.kernels.annealing import Task

    IntArray = NDArray[np.int64]

MOST_TRIED = 128
"""Units of each pair of folds that are tried for exchange, and partners that each is tried with.

With half as many, folds of yeast end up to .7 % farther above the bound; with twice as many at most .1 % nearer.
"""

MANY_PAIRS = 55
"""Of more pairs of folds each gets fewer tries, so that there are no more in all: those of 11 folds."""

MIN_SWAP_GAIN = 1e-7
"""The least that an exchange has to lower the loss by, as a share of it.

Without, labels of the size of the paper's GO BP take a fifth longer for .01 % of the bound.
"""

MIN_ROUND_GAIN = 2e-5
"""The least that a round over all rows has to, for another one: large data would go on for ever smaller gains.

With a single round folds of medical end .07 % farther above the bound.
"""

MAX_DESCENTS = 40
"""Most sweeps at temperature 0, and most rounds of exchanges."""

N_AT_A_TIME = 50_000
"""Units whose moves are looked at in one compiled call: some milliseconds."""


def n_tried(n_splits: int) -> int:
    """Tell how many units of each fold are tried for exchange with each other fold, and with how many of it each."""
    return max(1, int(min(1.0, (MANY_PAIRS / (n_splits * (n_splits - 1) / 2)) ** 0.5) * MOST_TRIED))


def swap_units(
    task: Task,
    kinds: Sequence[IntArray],
    objective: Callable[[], float],
    on_chunk: Callable[[], None],
) -> None:
    """Exchange units of one kind between folds until no exchange tried lowers the objective."""
    problem, state = task.problem, task.state
    n_splits = problem.sizes.size
    n_listed = n_tried(n_splits)
    candidates = np.empty((n_splits, n_splits, n_listed), dtype=np.int32)
    gains = np.empty((n_splits, n_splits, n_listed))
    min_gain = max(kernels.annealing.MIN_GAIN, MIN_SWAP_GAIN * total_loss(problem, state))

    def swap(units: IntArray) -> int:
        candidates[:], gains[:] = -1, np.inf
        for some in _pieces(len(units)):
            kernels.swaps.list_candidates(task, units[some], candidates, gains)
        n_swaps = int(kernels.swaps.swap_candidates(task, candidates, min_gain))
        on_chunk()
        return n_swaps

    for units in kinds:
        for _ in range(MAX_DESCENTS):
            loss = objective()
            if swap(units) == 0:
                break
            promising = np.unique(candidates[candidates >= 0]).astype(np.int64)
            for _ in range(MAX_DESCENTS):  # going through these few again costs next to nothing
                if swap(promising) == 0:
                    break
            if loss - objective() < MIN_ROUND_GAIN * loss:
                break


def transfer_units(task: Task, units: IntArray, surplus: IntArray, on_chunk: Callable[[], None]) -> None:
    """Move units of one size from folds with a surplus of them to the others, at the least cost.

    surplus: units that each fold has too many, shape (n_splits,); brought to 0.
    """
    state = task.state
    while (n_off := int(np.maximum(surplus, 0).sum())) > 0:
        leaving = units[surplus[state.folds[units]] > 0]
        gains, targets = _best_moves(task, leaving, np.flatnonzero(surplus < 0))
        order = np.argsort(gains, kind="stable")
        n_left = max(1, n_off // 4)  # a few at a time, since each changes what the next would cost
        for unit, new in zip(leaving[order].tolist(), targets[order].tolist(), strict=True):
            own = state.folds[unit]
            if surplus[own] > 0 and surplus[new] < 0:
                surplus[own] -= 1
                surplus[new] += 1
                kernels.annealing.move(task, unit, new)
                n_left -= 1
                if n_left == 0:
                    break
        on_chunk()


def _best_moves(task: Task, units: IntArray, takers: IntArray) -> tuple[NDArray[np.float32], IntArray]:
    """Find, for each unit, the fold among some that it would go to at the least cost; and that cost."""
    gains, targets = np.empty(len(units), dtype=np.float32), np.empty(len(units), dtype=np.int64)
    n_splits = task.problem.sizes.size
    for some in _pieces(len(units)):
        found = np.empty((len(units[some]), n_splits), dtype=np.float32)
        kernels.swaps.find_changes(task, units[some], found)
        of_takers = found[:, takers]
        targets[some], gains[some] = takers[of_takers.argmin(axis=1)], of_takers.min(axis=1)
    return gains, targets


def _pieces(n_units: int) -> list[slice]:
    """Cut units into pieces of which each is looked at in one compiled call."""
    return [slice(begin, begin + N_AT_A_TIME) for begin in range(0, n_units, N_AT_A_TIME)]
