"""Algorithm 1 of Tiittanen, Holm and Törönen (2022), with its loss kept up to date instead of computed afresh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.codes import DCP, RLD
from optisplit.kernels.jit import kernel
from optisplit.kernels.records import Record, Unused, call
from optisplit.kernels.selection import select_rank, sort_block, sort_numbers

Array = NDArray[Any]

# positions in State.cursor
EPOCH, EXAMINED, RANK, SORTED_TO, KEPT, FINISHED = 0, 1, 2, 3, 4, 5
N_CURSOR = 6

BLOCK = 32  # labels put in order at a time: enough for a run of rejected changes, little work thrown away
MIN_GAIN = 1e-12  # relative; a smaller fall of the loss is rounding


@dataclass(frozen=True, eq=False)
class Problem(Record):
    """What does not change while the algorithm runs."""

    indptr: Array  # CSR arrays of the labels
    indices: Array  # likewise
    # int64, int32, the rows on the smaller side of each label (CSC), in the order in which they are moved: those with
    # the fewest labels first
    member_ptr: Array
    member_rows: Array
    is_majority: Array  # (n_labels,) bool, labels whose smaller side is their negatives
    positives: Array  # (n_labels,) int64, label sizes
    is_scored: Array  # (n_labels,) float64, 1 for labels with a positive and a negative row, otherwise 0
    inverse: Array  # (n_labels,) float64, ``1 / positives`` where scored, otherwise 0
    measure: int  # RLD, DCP or LD


@dataclass(frozen=True, eq=False)
class State(Record):
    """What the algorithm works on; every array is changed in place."""

    folds: Array  # (n_rows,) int32, the fold of every row
    counts: Array  # (n_splits, n_labels) int32, positives of each label in each fold
    sizes: Array  # (n_splits,) int64, rows in each fold
    scores: Array  # (n_labels,) float64, the loss of each label (0 where not scored)
    fold_loss: Array  # (n_splits,) float64, for rLD and LD: each fold's part of the summed loss, times n_splits
    loss: Array  # (1,) float64, the summed loss
    order: Array  # (n_labels,) int64, labels by falling score, as far as ``cursor[SORTED_TO]``
    cursor: Array  # (N_CURSOR,) int64, where the algorithm stands
    wanted: Array  # (n_splits,) int64, scratch: rows that each fold should gain
    excess: Array  # (n_rows,) int32, scratch: the rows to move
    target: Array  # (n_rows,) int32, scratch: the fold each of them goes to, afterwards the fold it came from
    terms: Array  # (n_labels,) float64, scratch


@dataclass(frozen=True, eq=False)
class Task(Record):
    """What kernels are given: the problem, where the algorithm stands, and the kernels that others call."""

    problem: Problem
    state: State
    select_label: Any
    gather_excess: Any
    assign_excess: Any
    swap_moved: Any
    loss_of_fold: Any
    loss_in_dcp: Any
    loss_after: Any
    refresh: Any

    @classmethod
    def of(cls, problem: Problem, state: State) -> Task:
        """Put them together."""
        is_dcp = problem.measure == DCP
        of_fold = Unused(loss_of_fold) if is_dcp else loss_of_fold
        in_dcp = loss_in_dcp if is_dcp else Unused(loss_in_dcp)
        moving = select_label, gather_excess, assign_excess, swap_moved
        return cls(problem, state, *moving, of_fold, in_dcp, loss_after, refresh)


@kernel
def sum_terms(terms: Array) -> float:
    """Add up in four lanes, always in the same way.

    terms: what to add. Returns the sum.
    """
    a = b = c = d = 0.0
    whole = terms.size - terms.size % 4
    for at in range(0, whole, 4):
        a += terms[at]
        b += terms[at + 1]
        c += terms[at + 2]
        d += terms[at + 3]
    for at in range(whole, terms.size):
        a += terms[at]
    return (a + b) + (c + d)


@kernel
def loss_of_fold(task: Task, fold: int) -> float:
    """Compute one fold's part of the rLD or LD of every label; the mean over folds is the label's score.

    ``state.terms`` is set in place. Returns the sum of the parts.
    """
    problem, terms = task.problem, task.state.terms
    counts, n_rows = task.state.counts[fold], task.state.folds.size
    positives, is_scored, inverse = problem.positives, problem.is_scored, problem.inverse
    size = task.state.sizes[fold]
    rows = size if size > 1 else 1  # an empty fold holds no positives: its frequency counts as 0
    if problem.measure == RLD:
        scale = n_rows / rows
        for label in range(counts.size):
            terms[label] = abs(is_scored[label] - counts[label] * (scale * inverse[label]))
    else:
        for label in range(counts.size):
            c = counts[label]
            odds = (rows - 1.0) if c == rows else c / (rows - c)
            negatives = n_rows - positives[label]
            overall = positives[label] / (negatives if negatives > 1 else 1)
            terms[label] = abs(odds - overall) * is_scored[label]
    return sum_terms(terms)


@kernel
def loss_in_dcp(task: Task) -> float:
    """Compute the DCP of every label; 0 where it is not scored.

    ``state.terms`` is set in place. Returns the sum.
    """
    problem, counts, terms = task.problem, task.state.counts, task.state.terms
    n_splits = counts.shape[0]
    for label in range(terms.size):
        terms[label] = counts[0, label]
    for fold in range(1, n_splits):
        for label in range(terms.size):
            count = float(counts[fold, label])
            terms[label] = count if count > terms[label] else terms[label]
    for label in range(terms.size):
        terms[label] = abs(terms[label] * problem.inverse[label] - 1.0 / n_splits * problem.is_scored[label])
    return sum_terms(terms)


@kernel
def refresh(task: Task) -> None:
    """Compute every label's score and the loss from the counts.

    `scores`, `fold_loss` and `loss` are set in place.
    """
    state, scores, terms = task.state, task.state.scores, task.state.terms
    if task.problem.measure == DCP:
        state.loss[0] = call(task.loss_in_dcp, task, ())
        for label in range(scores.size):
            scores[label] = terms[label]
        return
    n_splits, total = state.sizes.size, 0.0
    for label in range(scores.size):
        scores[label] = 0.0
    for fold in range(n_splits):
        state.fold_loss[fold] = call(task.loss_of_fold, task, (fold,))
        total += state.fold_loss[fold]
        for label in range(scores.size):
            scores[label] += terms[label] / n_splits
    state.loss[0] = total / n_splits


@kernel
def find_surplus(task: Task, label: int) -> bool:
    """Work out how many members each fold should gain to hold an equal share of the label.

    Every fold is to have floor(c / k) members; the remainder goes to the first folds, as in the paper's code.

    ``state.wanted`` is set in place: members to gain, negative where the fold must give some away; they sum to 0.
    Returns whether any row has to move.
    """
    state, wanted = task.state, task.state.wanted
    n_splits = wanted.size
    total = 0
    for fold in range(n_splits):
        held = state.counts[fold, label]
        if task.problem.is_majority[label]:
            held = state.sizes[fold] - held
        wanted[fold] = -held
        total += held
    share, remainder = total // n_splits, total % n_splits
    moves = False
    for fold in range(n_splits):
        wanted[fold] += share + (1 if fold < remainder else 0)
        moves = moves or wanted[fold] != 0
    return moves


@kernel
def gather_excess(task: Task, label: int) -> int:
    """Take the surplus members out of the folds that have too many: those with the fewest labels first.

    ``state.excess`` is set in place, fold by fold, by what :func:`find_surplus` found. Returns number of rows to move.
    """
    problem, folds, wanted, excess = task.problem, task.state.folds, task.state.wanted, task.state.excess
    n_excess = 0
    for fold in range(wanted.size):
        left = -wanted[fold]
        for at in range(problem.member_ptr[label], problem.member_ptr[label + 1]):
            if left <= 0:
                break
            row = problem.member_rows[at]
            if folds[row] == fold:
                excess[n_excess] = row
                n_excess += 1
                left -= 1
    return n_excess


@kernel
def assign_excess(task: Task, n_excess: int) -> None:
    """Give the surplus rows to the folds that have too few.

    The first such fold takes from the front in the order of :func:`gather_excess`, the others in the order of the
    row numbers, as in the paper's code.

    ``state.excess`` is reordered and ``state.target`` set in place; n_excess: number of rows to move.
    """
    wanted, excess, target = task.state.wanted, task.state.excess, task.state.target
    given = begin = 0
    for fold in range(wanted.size):
        for _ in range(wanted[fold]):
            target[given] = fold
            given += 1
        if begin == 0:
            begin = given
    sort_numbers(excess, np.int64(begin), np.int64(n_excess))


@kernel
def swap_moved(task: Task, n_excess: int) -> int:
    """Carry out the prepared moves; called a second time, take them back.

    `folds`, `counts` and `sizes` are changed; `target` is left holding the folds that the rows came from; n_excess:
    number of rows to move. Returns labels of the rows moved, in all.
    """
    problem, state, counts = task.problem, task.state, task.state.counts
    n_moved_labels = 0
    for at in range(n_excess):
        row, new = state.excess[at], state.target[at]
        old = state.folds[row]
        for place in range(problem.indptr[row], problem.indptr[row + 1]):
            label = problem.indices[place]
            counts[old, label] -= 1
            counts[new, label] += 1
        state.folds[row] = new
        state.target[at] = old
        state.sizes[old] -= 1
        state.sizes[new] += 1
        n_moved_labels += problem.indptr[row + 1] - problem.indptr[row]
    return n_moved_labels


@kernel
def loss_after(task: Task) -> float:
    """Compute the summed loss after :func:`swap_moved`, looking only at the folds that it touched.

    `scores`, `fold_loss` and `loss` are still those of before. Returns the loss.
    """
    state = task.state
    if task.problem.measure == DCP:
        return call(task.loss_in_dcp, task, ())
    # the moved rows change the fold's size, and with it the frequency of every label in it
    total = 0.0
    for fold in range(state.sizes.size):
        total += state.fold_loss[fold] if state.wanted[fold] == 0 else call(task.loss_of_fold, task, (fold,))
    return total / state.sizes.size


@kernel
def try_moves(task: Task, n_excess: int) -> int:
    """Move the surplus rows if that lowers the loss and empties no fold; otherwise leave all as it was.

    `excess` holds the rows, `wanted` the members that each fold should gain; n_excess: number of rows to move. Returns
    work done, in elementary steps; negative where the change was not kept.
    """
    state = task.state
    n_splits = state.sizes.size
    n_emptied = 0
    for fold in range(n_splits):
        n_emptied -= state.sizes[fold] == 0
    call(task.assign_excess, task, (n_excess,))
    work = 2 * call(task.swap_moved, task, (n_excess,)) + n_splits * state.scores.size
    limit = state.loss[0] * (1.0 - MIN_GAIN)
    is_lower = call(task.loss_after, task, ()) < limit
    for fold in range(n_splits):
        n_emptied += state.sizes[fold] == 0
    if is_lower and n_emptied <= 0:
        call(task.refresh, task, ())
        return work
    call(task.swap_moved, task, (n_excess,))
    return -work


@kernel
def select_label(task: Task) -> int:
    """Find the label whose turn it is: the one at the cursor's rank by falling score.

    `order` and the cursor's SORTED_TO are brought up to date in place. Returns the label.
    """
    state, cursor, order = task.state, task.state.cursor, task.state.order
    rank, n_labels = cursor[RANK], state.scores.size
    if rank >= cursor[SORTED_TO]:
        start = cursor[SORTED_TO]
        stop = rank + BLOCK if rank + BLOCK < n_labels else n_labels
        if rank > start:  # after a kept change nothing is known of the ranks before this one
            select_rank(order, state.scores, start, n_labels, rank)
        if stop < n_labels:
            select_rank(order, state.scores, rank, n_labels, stop)
        sort_block(order, state.scores, rank, stop)
        cursor[SORTED_TO] = stop
    return order[rank]


@kernel
def advance(task: Task, kept: bool) -> None:
    """Note that a label was examined, and go on to the next label or epoch.

    The cursor is changed in place; kept: whether the label's change was kept: then the scores are new and the label now
    at this rank is next.
    """
    cursor = task.state.cursor
    cursor[EXAMINED] += 1
    if kept:
        cursor[KEPT] += 1
        cursor[SORTED_TO] = 0
    else:
        cursor[RANK] += 1
    if cursor[EXAMINED] == task.state.scores.size:
        cursor[FINISHED] = cursor[KEPT] == 0  # another epoch would repeat this one
        cursor[EPOCH] += 1
        cursor[EXAMINED] = cursor[RANK] = cursor[SORTED_TO] = cursor[KEPT] = 0


@kernel
def run_chunk(task: Task, max_epochs: int, max_work: int) -> None:
    """Go on with the algorithm until it ends or a bounded amount of work is done.

    However it is cut into chunks, the result is the same.

    The state is changed in place; max_epochs: times to go through all labels; max_work: about how many elementary
    steps to do before returning.
    """
    cursor, n_splits = task.state.cursor, task.state.sizes.size
    work = 0
    while work < max_work and cursor[EPOCH] < max_epochs and cursor[FINISHED] == 0:
        label = call(task.select_label, task, ())
        done = 0
        if find_surplus(task, label):
            done = try_moves(task, call(task.gather_excess, task, (label,)))
            work += abs(done) + n_splits * (task.problem.member_ptr[label + 1] - task.problem.member_ptr[label])
        advance(task, done > 0)
        work += 10
