"""Iterative stratification: the rarest remaining label (or pair of labels) first, its rows where it is wanted most.

All of it is counted in whole numbers. Part j is to have the share ``weights[j] / weights.sum()`` of every label; what
it still wants, times that sum, is ``positives * weights[j] - held[j] * weights.sum()``, so that ties are real ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.jit import kernel
from optisplit.kernels.records import Record

Array = NDArray[Any]

UNPLACED = -1

# positions in State.cursor
N_TAKEN, CURRENT, NEXT_ROW, FINISHED = 0, 1, 2, 3
N_CURSOR = 4

NO_ITEM = -1


@dataclass(frozen=True, eq=False)
class Problem(Record):
    """What does not change while rows are handed out: the items that are balanced, labels or pairs of them."""

    indptr: Array  # CSR arrays of the items: those of each row
    indices: Array  # likewise
    # int64, int32, the rows of each item that are to be placed (CSC), in the order in which they are handed out
    item_ptr: Array
    item_rows: Array
    totals: Array  # (n_items,) int64, rows that have each item, placed or not
    # (n_items,) float32, random numbers in [0, 1), of which the next chooses among items that have equally few rows
    # left
    item_draws: Array
    first: Array  # (n_items,) int32, the labels of each pair; empty where the items are the labels themselves
    second: Array  # likewise
    label_indptr: Array  # CSR arrays of the labels
    label_indices: Array  # likewise
    label_totals: Array  # (n_labels,) int64, rows that have each label
    weights: Array  # (n_splits,) int64, what each part is to have of every label, in proportion
    rows_due: Array  # (n_splits,) int64, rows that each part is to have, times the sum of the weights
    draws: Array  # (n_rows,) float64, A random number in [0, 1) a row, which chooses among parts that want it equally


@dataclass(frozen=True, eq=False)
class State(Record):
    """Where the algorithm stands; every array is changed in place."""

    folds: Array  # (n_rows,) int32, the part of every row, UNPLACED at first
    # (n_items, n_splits) int32, rows of each item in each part; the same array as `label_held` where the items are the
    # labels
    held: Array
    label_held: Array  # (n_labels, n_splits) int32, rows of each label in each part
    sizes: Array  # (n_splits,) int64, rows in each part
    left: Array  # (n_items,) int32, rows of each item that are not placed yet
    queue: Array  # (n_items,) int32, the items by the rows that they have left, fewest first
    place: Array  # (n_items,) int32, where each item stands in the queue
    # int64, entry c is the place of the first item that has c rows left or more; as many entries as the highest c plus
    # 2
    start: Array
    tied: Array  # (n_splits,) int32, scratch
    # (N_CURSOR,) int64, items taken so far, the item being handed out, the next of its rows, whether all items are done
    cursor: Array


@kernel
def list_rows(indptr: Array, indices: Array, order: Array, folds: Array, write_at: Array, item_rows: Array) -> None:
    """List the rows of each item that are not placed yet, in a given order.

    indptr, indices: CSR arrays of the items; order: int32, the rows in that order, or the next of them; folds:
    (n_rows,) int32, the part of every row, or UNPLACED; write_at: (n_items,) int64, where each item's list goes on;
    advanced in place; item_rows: int32, set in place.
    """
    for row in order:
        if folds[row] == UNPLACED:
            for at in range(indptr[row], indptr[row + 1]):
                item = indices[at]
                item_rows[write_at[item]] = row
                write_at[item] += 1


@kernel
def count_left(indptr: Array, indices: Array, folds: Array, left: Array) -> None:
    """Count the rows of each item that are not placed yet.

    indptr, indices: CSR arrays of the items; `indptr` may be a part of theirs, one longer than `folds`; folds: int32,
    the part of every such row, or UNPLACED; left: (n_items,) int64, added to in place.
    """
    for row in range(folds.size):
        if folds[row] == UNPLACED:
            for at in range(indptr[row], indptr[row + 1]):
                left[indices[at]] += 1


@kernel
def take_rarest(problem: Problem, state: State) -> int:
    """Choose the item with the fewest rows left, at least one.

    Returns the item, or NO_ITEM where none has rows left.
    """
    begin = state.start[1]
    if begin == state.queue.size:
        return NO_ITEM
    end = state.start[state.left[state.queue[begin]] + 1]
    draw = problem.item_draws[state.cursor[N_TAKEN]]
    state.cursor[N_TAKEN] += 1
    return state.queue[begin + int(draw * (end - begin))]


@kernel
def count_down(left: Array, queue: Array, place: Array, start: Array, item: int) -> None:
    """Note that one row less is left of an item.

    The item changes places with the first of those that had as many, and the border between them and those with one
    less moves past it: that keeps the queue sorted.

    left, queue, place, start: of the state; changed in place; item: the item.
    """
    here, there = place[item], start[left[item]]
    other = queue[there]
    queue[here], queue[there] = other, item
    place[other], place[item] = here, there
    start[left[item]] += 1
    left[item] -= 1


@kernel
def choose_part(problem: Problem, state: State, item: Any, row: Any) -> int:
    """Choose the part that wants an item most; of these that which wants its labels most; of these, rows.

    ``state.tied`` is overwritten; item: the item; NO_ITEM to look at rows alone; row: the row, whose draw chooses
    between parts that are still tied. Returns the part.
    """
    weights, held, label_held, sizes, tied = problem.weights, state.held, state.label_held, state.sizes, state.tied
    whole = np.int64(0)
    for part in range(weights.size):
        whole += weights[part]
    total = label_total = 0
    first = second = NO_ITEM
    if item != NO_ITEM:
        total = problem.totals[item]
        if problem.first.size:
            first, second = problem.first[item], problem.second[item]
            label_total = problem.label_totals[first] + problem.label_totals[second]
    n_tied = 0
    most = most_labels = most_rows = 0
    for part in range(weights.size):
        wanted = wanted_labels = 0
        if item != NO_ITEM:
            wanted = total * weights[part] - whole * held[item, part]
        if first != NO_ITEM:
            label_holds = label_held[first, part] + label_held[second, part]
            wanted_labels = label_total * weights[part] - whole * label_holds
        wanted_rows = problem.rows_due[part] - whole * sizes[part]
        if n_tied > 0:
            ahead = wanted - most
            if ahead == 0:
                ahead = wanted_labels - most_labels
            if ahead == 0:
                ahead = wanted_rows - most_rows
            if ahead < 0:
                continue
            if ahead > 0:
                n_tied = 0
        most, most_labels, most_rows = wanted, wanted_labels, wanted_rows
        tied[n_tied] = part
        n_tied += 1
    return tied[int(problem.draws[row] * n_tied)]


@kernel
def place_row(problem: Problem, state: State, row: Any, part: Any) -> int:
    """Put a row into a part, and count it there for all that it has.

    row, part: the row and the part. Returns work done, in elementary steps.
    """
    held, left, queue, place, start = state.held, state.left, state.queue, state.place, state.start
    state.folds[row] = part
    state.sizes[part] += 1
    for at in range(problem.indptr[row], problem.indptr[row + 1]):
        item = problem.indices[at]
        held[item, part] += 1
        count_down(left, queue, place, start, item)
    n_labels_counted = 0
    if problem.first.size:
        for at in range(problem.label_indptr[row], problem.label_indptr[row + 1]):
            state.label_held[problem.label_indices[at], part] += 1
        n_labels_counted = problem.label_indptr[row + 1] - problem.label_indptr[row]
    return problem.weights.size + n_labels_counted + 4 * (problem.indptr[row + 1] - problem.indptr[row])


@kernel
def place_chunk(problem: Problem, state: State, most_work: int) -> None:
    """Hand out rows, item by item, until all items are done or enough work is.

    After the last item ``state.cursor[FINISHED]`` is 1; most_work: elementary steps after which to return.
    """
    cursor = state.cursor
    work = 0
    while work < most_work:
        item = cursor[CURRENT]
        if item == NO_ITEM or cursor[NEXT_ROW] == problem.item_ptr[item + 1]:
            item = take_rarest(problem, state)
            cursor[CURRENT] = item
            if item == NO_ITEM:
                cursor[FINISHED] = 1
                return
            cursor[NEXT_ROW] = problem.item_ptr[item]
        row = problem.item_rows[cursor[NEXT_ROW]]
        cursor[NEXT_ROW] += 1
        work += 1
        if state.folds[row] == UNPLACED:
            work += place_row(problem, state, np.int64(row), choose_part(problem, state, np.int64(item), np.int64(row)))


@kernel
def place_rest(problem: Problem, state: State, order: Array) -> None:
    """Hand out the rows that are left, each to the part that wants rows most.

    order: int32, rows, in the order in which those of them that are left are handed out.
    """
    for row in order:
        if state.folds[row] == UNPLACED:
            place_row(problem, state, np.int64(row), choose_part(problem, state, np.int64(NO_ITEM), np.int64(row)))
