"""Simulated annealing over the folds of rows, with the change of the loss known exactly for every move.

What a move would change is a sum over the unit's labels, taken for all folds in one go; a move that is made changes
two numbers a label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.kernels.codes import DCP, FROZEN, LD, TIE_BREAK
from optisplit.kernels.jit import inlined, kernel
from optisplit.kernels.lanes import N_SQUARES, add_lines, add_prices, shift, sum_changes, weigh_changes
from optisplit.kernels.records import Record, Unused, call

if TYPE_CHECKING:
    from optisplit.kernels.problem import Array, Problem, State

MIN_GAIN = 1e-6  # in typical weights of a label; less is rounding


@kernel
def ld_cost(count: float, size: float, positives: float, n_rows: float) -> float:
    """Compute a fold's part of a label's LD, before the mean over folds.

    count, size: positives and rows in the fold; positives, n_rows: positives and rows in all. Returns the distance of
    the two odds.
    """
    odds = size - 1.0 if count >= size else count / (size - count)
    return abs(odds - positives / (n_rows - positives))


@kernel
def changes_of(task: Task, unit: int, own: int, first: int, last: int) -> None:
    """Compute how the loss would change if a unit went to each of some folds, the price of sizes aside.

    ``state.changes`` is set in place, to 0 for the unit's own fold if it is looked at; unit, own: the unit and its
    fold; first, last: the folds, the last excluded.
    """
    problem, state = task.problem, task.state
    indices, amounts, stride, weights = problem.indices, problem.amounts, problem.stride, problem.weights
    begin, end = np.int64(problem.indptr[unit]), np.int64(problem.indptr[unit + 1])
    changes, scale, half = state.changes, problem.scale, problem.half
    width = changes.size
    if problem.measure == LD:
        call(task.ld_changes, task, (unit, own, first, last))
    else:
        table = state.table
        sum_changes(
            indices, begin, end, amounts, stride, weights, table, width, first, last, own, scale, state.zeros, changes
        )
    if problem.measure == DCP:
        shift(changes, np.float32(TIE_BREAK), np.float32(0))
        # half: max(0, x) is (x + abs(x)) / 2, and the first part is the same for all folds
        sum_changes(
            indices, begin, end, amounts, stride, weights, state.over, width, first, last, own, half, changes, changes
        )
    scarce_end = begin + problem.n_scarce[unit]
    if scarce_end > begin:
        prices, lack = problem.lack_weights, state.lack  # half: as above, with max(0, 1 - count)
        sum_changes(
            indices, begin, scarce_end, amounts, stride, prices, lack, width, first, last, own, half, changes, changes
        )
    if problem.fair_weights.size > 0:
        begin, end = np.int64(problem.fair_indptr[unit]), np.int64(problem.fair_indptr[unit + 1])
        indices, amounts, one = problem.fair_indices, problem.fair_amounts, np.uint64(1)
        if problem.is_firm:
            prices, table = problem.fair_weights, state.fair_table
            sum_changes(
                indices, begin, end, amounts, one, prices, table, width, first, last, own, scale, changes, changes
            )
        add_lines(indices, begin, end, amounts, state.fair_prices, width, first, last, own, changes)
    if problem.home.size > 0:
        home, price = np.int64(problem.home[unit]), problem.home_price * np.float32(problem.unit_sizes[unit])
        if own == home:
            shift(changes, np.float32(1), price)
            changes[own] = 0
        else:
            changes[home] -= price


@kernel
def set_ld_changes(task: Task, unit: int, own: int, first: int, last: int) -> None:
    """Do for LD, which is no plain distance, what :func:`sum_changes` does for the other measures.

    ``state.changes`` is set in place; the rest as in :func:`changes_of`.
    """
    problem, state = task.problem, task.state
    changes, table = state.changes, state.table
    n_splits = problem.sizes.size
    n_rows = float(problem.sizes.sum())
    for fold in range(first, last):
        changes[fold] = 0
    for at in range(problem.indptr[unit], problem.indptr[unit + 1]):
        label = problem.indices[at]
        weight = problem.weights[label] / np.float32(n_splits)
        if weight == 0.0:
            continue
        amount, positives = float(problem.amounts[at * problem.stride]), problem.positives[label]
        leave = 0.0
        for step in range(first - 1, last):  # the own fold before the others
            fold = own if step < first else step
            count = np.rint(0.5 * table[label * changes.size + fold] + positives * problem.share[fold])
            size = float(problem.sizes[fold])
            now = ld_cost(count, size, positives, n_rows)
            if step < first:
                leave = weight * (ld_cost(count - amount, size, positives, n_rows) - now)
            elif fold != own:
                enter = weight * (ld_cost(count + amount, size, positives, n_rows) - now)
                changes[fold] += enter if fold < own else leave
                changes[fold] += leave if fold < own else enter


@kernel
def move(task: Task, unit: int, new: int) -> None:
    """Move a unit to another fold.

    The state is changed in place; unit, new: the unit and its new fold.
    """
    problem, state = task.problem, task.state
    table, over, lack = state.table, state.over, state.lack
    amounts, stride, indices = problem.amounts, problem.stride, problem.indices
    old, width = np.uint64(state.folds[unit]), np.uint64(state.changes.size)
    begin = np.uint64(problem.indptr[unit])
    scarce_end = begin + np.uint64(problem.n_scarce[unit])
    for at in range(begin, np.uint64(problem.indptr[unit + 1])):
        twice = np.float32(2) * amounts[at * stride]
        line = np.uint64(indices[at]) * width
        table[line + old] -= twice
        table[line + np.uint64(new)] += twice
        if over.size > 0:
            over[line + old] -= twice
            over[line + np.uint64(new)] += twice
        if at < scarce_end:
            lack[line + old] -= twice
            lack[line + np.uint64(new)] += twice
    if problem.fair_weights.size > 0:
        for at in range(np.uint64(problem.fair_indptr[unit]), np.uint64(problem.fair_indptr[unit + 1])):
            twice = np.float32(2) * problem.fair_amounts[at]
            line = np.uint64(problem.fair_indices[at]) * width
            state.fair_table[line + old] -= twice
            state.fair_table[line + np.uint64(new)] += twice
    state.folds[unit] = new
    state.held[old] -= problem.unit_sizes[unit]
    state.held[new] += problem.unit_sizes[unit]


@inlined
def uniform(random: Array) -> Any:
    """Draw a random number from [0, 1) (Marsaglia's xorshift, 64 bits).

    random: (1,) uint64, the state, moved on. Returns the number.
    """
    x = random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    random[0] = x
    return np.float32(x >> np.uint64(40)) * np.float32(1.0 / 16777216.0)


@inlined
def boltzmann(step: Any) -> Any:
    """Compute about ``exp(step)`` for steps from -FROZEN to 0, as :func:`weigh_changes` does for all folds.

    step: the exponent. Returns ``(1 + step / 4096) ** 4096``.
    """
    power = np.float32(1) + step * np.float32(1.0 / 2**N_SQUARES)
    for _ in range(N_SQUARES):
        power *= power
    return power


@inlined
def draw(changes: Array, own: Any, least: Any, coldness: Any, random: Array) -> int:
    """Draw a fold with the probabilities of thermal equilibrium (heat bath).

    changes: (width,) float32, change of the loss for each fold; overwritten; own: the unit's own, whose change is 0;
    least: the lowest change of the others; coldness: one over the temperature; random: (1,) uint64, state of the random
    numbers. Returns the fold.
    """
    total = weigh_changes(changes, least if least < 0 else np.float32(0), coldness)
    drawn = uniform(random) * total
    chosen = own
    for fold in range(changes.size):
        drawn -= changes[fold]
        if drawn < np.float32(0):
            chosen = fold
            break
    return chosen


@inlined
def set_size_prices(problem: Problem, state: State, n_rows: Any) -> None:
    """Set what a unit of some rows pays to enter and to leave each fold, as sizes stand.

    ``state.entering`` and ``state.leaving`` are set in place.
    """
    held, sizes = state.held, problem.sizes
    size_price, amount = state.size_price[0], np.float32(n_rows)
    for fold in range(sizes.size):
        off = held[fold] - sizes[fold]
        paid = state.size_prices[fold] * amount
        state.entering[fold] = size_price * np.float32(abs(off + n_rows) - abs(off)) + paid
        state.leaving[fold] = size_price * np.float32(abs(off - n_rows) - abs(off)) - paid


@kernel
def sweep(task: Task, start: int, temperature: float, most_rest: int, moved: Array) -> int:
    """Give each unit in turn the chance to move, until a bounded amount of work is done.

    Units all of whose labels weigh less than the temperature would only be shaken, so they wait for it to fall.

    The state is changed in place; start: unit to go on from; temperature: the temperature; 0 keeps only moves that
    lower the loss; most_rest: for how many sweeps at most a unit is passed over of which every move is as good as
    impossible; moved: (3,) int64, moves made are added to the first; the second is about how many elementary steps may
    be done, and set to those left; units that rest are added to the third. Returns unit to go on from; ``n_units`` when
    the sweep is complete.
    """
    problem, state = task.problem, task.state
    indptr, rarity, unit_sizes = problem.indptr, problem.rarity, problem.unit_sizes
    folds, changes, entering, rest = state.folds, state.changes, state.entering, state.rest
    n_splits, n_units = problem.sizes.size, folds.size
    warmth, coldness, cold_enough = np.float32(temperature), np.float32(0), np.float32(-MIN_GAIN)
    if temperature > 0.0:
        coldness, cold_enough = np.float32(1.0 / temperature), np.float32(FROZEN * temperature)
    work_left = moved[1]
    priced = np.int64(0)  # rows of the unit for which prices stand
    for unit in range(start, n_units):
        if work_left < 0:
            return unit
        work_left -= 1
        if rarity[unit] < warmth:
            continue
        if rest[unit] > 0:
            rest[unit] -= 1
            moved[2] += 1
            continue
        own, n_rows = folds[unit], np.int64(unit_sizes[unit])
        call(task.changes_of, task, (unit, np.int64(own), np.int64(0), np.int64(n_splits)))
        work_left -= (indptr[unit + 1] - indptr[unit]) * 2 + n_splits
        if priced != n_rows:
            set_size_prices(problem, state, n_rows)
            priced = n_rows
        least = add_prices(changes, entering, state.leaving[own], np.uint64(own))
        if least >= cold_enough:
            if most_rest > 0:  # the longer, the further it is from moving
                until_thawed = int(least * coldness - np.float32(FROZEN)) + 1
                rest[unit] = until_thawed if until_thawed < most_rest else most_rest
            continue
        new = own
        if temperature > 0.0:
            new = draw(changes, own, least, coldness, state.random)
        else:
            for fold in range(n_splits):
                if changes[fold] == least:
                    new = fold
                    break
        if new != own:
            call(task.move, task, (unit, np.int64(new)))
            moved[0] += 1
            priced = np.int64(0)
            work_left -= (indptr[unit + 1] - indptr[unit]) * 2
    moved[1] = work_left
    return n_units


@dataclass(frozen=True, eq=False)
class Task(Record):
    """What annealing kernels are given: the problem, where the search stands, and what they call for each unit."""

    problem: Problem
    state: State
    changes_of: Any
    move: Any
    ld_changes: Any

    @classmethod
    def of(cls, problem: Problem, state: State) -> Task:
        """Put them together."""
        return cls(
            problem, state, changes_of, move, set_ld_changes if problem.measure == LD else Unused(set_ld_changes)
        )
