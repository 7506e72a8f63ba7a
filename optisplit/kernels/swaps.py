"""Moves and exchanges at the end of annealing, from lists of what each unit's move would change.

What takes all arrays apart is compiled once, and called for many units at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.kernels.annealing import changes_of, move
from optisplit.kernels.jit import bare, kernel

if TYPE_CHECKING:
    from optisplit.kernels.problem import Array, Problem, State

N_COPIES = 2  # units of exactly the same change in a list of candidates
# what is compiled once is given whole words: it would be compiled anew for each constant and type
ZERO, ONE = np.int64(0), np.int64(1)


@bare
def find_changes(problem: Problem, state: State, units: Array, begin: Any, end: Any, first: Any, last: Any) -> None:
    """Find how the loss would change if each of some units, by itself, went to each of some folds.

    ``state.found`` is set in place; units: int64, of which those from `begin` to `end` are looked at; first, last: as
    in :func:`changes_of`.
    """
    for at in range(begin, end):
        unit = units[at]
        changes_of(problem, state, unit, state.folds[unit], first, last)
        for fold in range(first, last):
            state.found[at - begin, fold] = state.changes[fold]


@bare
def move_units(problem: Problem, state: State, units: Array, begin: Any, end: Any, new: Any) -> None:
    """Move some units to another fold.

    The state is changed in place; units: int64, of which those from `begin` to `end` are moved; new: the fold.
    """
    for at in range(begin, end):
        move(problem, state, units[at], new)


@kernel
def list_candidates(
    units: Array, begin: int, end: int, folds: Array, found: Array, candidates: Array, gains: Array
) -> None:
    """List, for each pair of folds, the units whose move from one to the other costs least.

    units: int64, of which those from `begin` to `end` are added to the lists; folds: (n_units,) int32; found: what
    :func:`find_changes` found of them; candidates: (n_splits, n_splits, n_listed) int32, changed in place: units by
    rising change, at most N_COPIES of each change; gains: (n_splits, n_splits, n_listed) float64, changed in place:
    their changes of the loss; infinite where there are fewer.
    """
    n_splits, n_listed = candidates.shape[1], candidates.shape[2]
    for at_unit in range(begin, end):
        own = folds[units[at_unit]]
        for fold in range(n_splits):
            change = found[at_unit - begin, fold]
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
            gains[own, fold, at], candidates[own, fold, at] = change, units[at_unit]


@bare
def swap_candidates(problem: Problem, state: State, candidates: Array, min_gain: float) -> int:
    """Exchange pairs of listed units between their folds where that lowers the loss.

    The state is changed in place; candidates: (n_splits, n_splits, n_listed) int32, what :func:`list_candidates` gave,
    fewer than N_FOUND of each; min_gain: the least that an exchange has to lower the loss by. Returns exchanges made.
    """
    folds, tried, found = state.folds, state.tried, state.found
    n_splits, n_listed = state.held.size, candidates.shape[2]
    n_swaps = 0
    for a in range(n_splits):
        for b in range(a + 1, n_splits):
            for i in range(n_listed):
                unit = np.int64(candidates[a, b, i])
                if unit < 0 or folds[unit] != a:
                    continue
                tried[0], n_tried = unit, ONE
                for j in range(n_listed):
                    other = candidates[b, a, j]
                    if other < 0:
                        break
                    if folds[other] == b:
                        tried[n_tried] = other
                        n_tried += 1
                if n_tried == 1:
                    continue
                find_changes(problem, state, tried, ZERO, ONE, b, b + 1)
                partner: Any = ZERO
                best = -min_gain - found[0, b]
                move_units(problem, state, tried, ZERO, ONE, b)
                find_changes(problem, state, tried, ONE, n_tried, a, a + 1)
                for at in range(1, n_tried):
                    if found[at - 1, a] < best:
                        partner, best = at, found[at - 1, a]
                move_units(problem, state, tried, partner, partner + 1, a)  # the partner, or the unit itself back
                n_swaps += partner > 0
    return n_swaps
