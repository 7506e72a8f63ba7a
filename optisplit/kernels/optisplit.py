"""Algorithm 1 of Tiittanen, Holm and Törönen (2022), with its loss kept up to date instead of computed afresh."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.codes import DCP, RLD
from optisplit.kernels.jit import kernel
from optisplit.kernels.selection import select_rank, sort_block

Array = NDArray[Any]

# positions in State.cursor
EPOCH, EXAMINED, RANK, SORTED_TO, KEPT, FINISHED = 0, 1, 2, 3, 4, 5
N_CURSOR = 6

BLOCK = 32  # labels put in order at a time: enough for a run of rejected changes, little work thrown away
MIN_GAIN = 1e-12  # relative; a smaller fall of the loss is rounding


class Problem(NamedTuple):
    """What does not change while the algorithm runs."""

    indptr: Array  # CSR arrays of the labels
    indices: Array  # likewise
    member_ptr: Array  # int64, the rows on the smaller side of each label (CSC)
    member_rows: Array  # int32
    is_majority: Array  # (n_labels,) bool, labels whose smaller side is their negatives
    positives: Array  # (n_labels,) int64, label sizes
    is_scored: Array  # (n_labels,) float64, 1 for labels with a positive and a negative row, otherwise 0
    inverse: Array  # (n_labels,) float64, ``1 / positives`` where scored, otherwise 0
    # (n_rows,) int32, position of each row in the order in which rows are moved (fewest labels first), and its inverse
    key_of_row: Array
    row_of_key: Array  # likewise
    measure: int  # RLD, DCP or LD


class State(NamedTuple):
    """What the algorithm works on; every array is changed in place."""

    folds: Array  # (n_rows,) int32, the fold of every row
    counts: Array  # (n_splits, n_labels) int32, positives of each label in each fold
    sizes: Array  # (n_splits,) int64, rows in each fold
    scores: Array  # (n_labels,) float64, the loss of each label (0 where not scored)
    fold_loss: Array  # (n_splits,) float64, for rLD and LD: each fold's part of the summed loss, times n_splits
    loss: Array  # (1,) float64, the summed loss
    order: Array  # (n_labels,) int32, labels by falling score, as far as ``cursor[SORTED_TO]``
    cursor: Array  # (N_CURSOR,) int64, where the algorithm stands
    excess: Array  # (n_rows,) int32, scratch: the rows to move
    target: Array  # (n_rows,) int32, scratch: the fold each of them goes to, afterwards the fold it came from
    touched: Array  # (n_labels,) int32, scratch: the labels of the rows moved
    mark: Array  # (n_labels,) bool, scratch: all False between calls


@kernel
def fold_terms(problem: Problem, counts: Array, size: int, n_rows: int, terms: Array) -> None:
    """Compute one fold's part of the rLD or LD of every label.

    counts: (n_labels,) int32, positives of each label in this fold; size, n_rows: rows in this fold and in all; terms:
    (n_labels,) float64, set in place; the mean over folds is the label's score.
    """
    positives, is_scored, inverse = problem.positives, problem.is_scored, problem.inverse
    rows = max(size, 1)  # an empty fold holds no positives: its frequency counts as 0
    if problem.measure == RLD:
        scale = n_rows / rows
        for label in range(counts.size):
            terms[label] = abs(is_scored[label] - counts[label] * (scale * inverse[label]))
    else:
        for label in range(counts.size):
            c = counts[label]
            odds = (rows - 1.0) if c == rows else c / (rows - c)
            overall = positives[label] / max(n_rows - positives[label], 1)
            terms[label] = abs(odds - overall) * is_scored[label]


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
def dcp_scores(problem: Problem, counts: Array, scores: Array) -> None:
    """Compute the DCP of every label.

    counts: (n_splits, n_labels) int32, positives of each label in each fold; scores: (n_labels,) float64, set in place;
    0 where a label is not scored.
    """
    is_scored, inverse = problem.is_scored, problem.inverse
    share = 1.0 / counts.shape[0]
    largest = counts[0].copy()
    for fold in range(1, counts.shape[0]):
        of_fold = counts[fold]
        for label in range(largest.size):
            largest[label] = max(largest[label], of_fold[label])
    for label in range(scores.size):
        scores[label] = abs(largest[label] * inverse[label] - share * is_scored[label])


@kernel
def dcp_of(problem: Problem, counts: Array, label: int) -> float:
    """Compute the DCP of one label, to the last digit as :func:`dcp_scores` does.

    counts: (n_splits, n_labels) int32, positives of each label in each fold; label: the label. Returns its DCP; 0 where
    it is not scored.
    """
    largest = counts[0, label]
    for fold in range(1, counts.shape[0]):
        largest = max(largest, counts[fold, label])
    return abs(largest * problem.inverse[label] - 1.0 / counts.shape[0] * problem.is_scored[label])


@kernel
def refresh(problem: Problem, state: State, terms: Array) -> None:
    """Compute every label's score and the loss from the counts.

    `scores`, `fold_loss` and `loss` are set in place; terms: (n_labels,) float64, scratch.
    """
    counts, scores = state.counts, state.scores
    n_splits = counts.shape[0]
    if problem.measure == DCP:
        dcp_scores(problem, counts, scores)
        state.loss[0] = sum_terms(scores)
        return
    n_rows = state.folds.size
    scores[:] = 0.0
    for fold in range(n_splits):
        fold_terms(problem, counts[fold], state.sizes[fold], n_rows, terms)
        state.fold_loss[fold] = sum_terms(terms)
        for label in range(scores.size):
            scores[label] += terms[label] / n_splits
    state.loss[0] = state.fold_loss.sum() / n_splits


@kernel
def surplus_of(problem: Problem, state: State, label: int, wanted: Array) -> bool:
    """Work out how many members each fold should gain to hold an equal share of the label.

    Every fold is to have floor(c / k) members; the remainder goes to the first folds, as in the paper's code.

    label: the label; wanted: (n_splits,) int64, set in place: members to gain, negative where the fold must give some
    away. Sums to 0. Returns whether any row has to move.
    """
    n_splits = state.sizes.size
    total = 0
    for fold in range(n_splits):
        held = state.counts[fold, label]
        if problem.is_majority[label]:
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
def gather_excess(problem: Problem, state: State, label: int, wanted: Array) -> int:
    """Take the surplus members out of the folds that have too many: those with the fewest labels first.

    ``state.excess`` is set in place, fold by fold; label: the label; wanted: (n_splits,) int64, what :func:`surplus_of`
    gave. Returns number of rows to move.
    """
    begin, end = problem.member_ptr[label], problem.member_ptr[label + 1]
    keys = np.empty(end - begin, np.int32)
    n_excess = 0
    for fold in range(wanted.size):
        if wanted[fold] >= 0:
            continue
        found = 0
        for at in range(begin, end):
            row = problem.member_rows[at]
            if state.folds[row] == fold:
                keys[found] = problem.key_of_row[row]
                found += 1
        in_fold = keys[:found]
        in_fold.sort()
        for at in range(-wanted[fold]):
            state.excess[n_excess] = problem.row_of_key[in_fold[at]]
            n_excess += 1
    return n_excess


@kernel
def assign_excess(state: State, wanted: Array, n_excess: int) -> None:
    """Give the surplus rows to the folds that have too few.

    The first such fold takes from the front in the order of :func:`gather_excess`, the others in the order of the
    row numbers, as in the paper's code.

    ``state.excess`` is reordered and ``state.target`` set in place; wanted: (n_splits,) int64, members that each fold
    should gain; n_excess: number of rows to move.
    """
    given = 0
    for fold in range(wanted.size):
        if wanted[fold] <= 0:
            continue
        first = given == 0
        for _ in range(wanted[fold]):
            state.target[given] = fold
            given += 1
        if first:
            rest = state.excess[given:n_excess]
            rest.sort()


@kernel
def swap_moved(problem: Problem, state: State, n_excess: int) -> int:
    """Carry out the prepared moves; called a second time, take them back.

    `folds`, `counts` and `sizes` are changed; `target` is left holding the folds that the rows came from; n_excess:
    number of rows to move. Returns labels of the rows moved, in all.
    """
    counts = state.counts
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
def loss_after(
    problem: Problem, state: State, wanted: Array, n_excess: int, n_moved_labels: int, terms: Array
) -> float:
    """Compute the summed loss after moves, looking only at the folds or labels that they touched.

    state: the state after :func:`swap_moved`, with `scores`, `fold_loss` and `loss` still those of before; wanted:
    (n_splits,) int64, non-zero for the folds that changed; n_excess: number of rows moved; n_moved_labels: labels of
    these rows, in all; terms: (n_labels,) float64, scratch. Returns the loss.
    """
    n_splits = state.sizes.size
    if problem.measure != DCP:
        # the moved rows change the fold's size, and with it the frequency of every label in it
        total = 0.0
        for fold in range(n_splits):
            if wanted[fold] == 0:
                total += state.fold_loss[fold]
            else:
                fold_terms(problem, state.counts[fold], state.sizes[fold], state.folds.size, terms)
                total += sum_terms(terms)
        return total / n_splits
    if n_moved_labels > state.scores.size // 8:  # then one straight pass is quicker than picking labels out
        dcp_scores(problem, state.counts, terms)
        return sum_terms(terms)
    n_touched = 0
    for at in range(n_excess):
        row = state.excess[at]
        for place in range(problem.indptr[row], problem.indptr[row + 1]):
            label = problem.indices[place]
            if not state.mark[label]:
                state.mark[label] = True
                state.touched[n_touched] = label
                n_touched += 1
    total = state.loss[0]
    for at in range(n_touched):
        label = state.touched[at]
        state.mark[label] = False
        total += dcp_of(problem, state.counts, label) - state.scores[label]
    return total


@kernel
def count_empty(sizes: Array) -> int:
    """Count the folds without a row.

    sizes: (n_splits,) int64, rows in each fold. Returns how many are 0.
    """
    n_empty = 0
    for size in sizes:
        n_empty += size == 0
    return n_empty


@kernel
def try_moves(problem: Problem, state: State, wanted: Array, n_excess: int, terms: Array) -> int:
    """Move the surplus rows if that lowers the loss and empties no fold; otherwise leave all as it was.

    `excess` holds the rows; wanted: (n_splits,) int64, members that each fold should gain; n_excess: number of rows to
    move; terms: (n_labels,) float64, scratch. Returns work done, in elementary steps; negative where the change was not
    kept.
    """
    n_empty = count_empty(state.sizes)
    assign_excess(state, wanted, n_excess)
    n_moved_labels = swap_moved(problem, state, n_excess)
    work = 2 * n_moved_labels + state.sizes.size * state.scores.size
    limit = state.loss[0] * (1.0 - MIN_GAIN)
    is_lower = loss_after(problem, state, wanted, n_excess, n_moved_labels, terms) < limit
    if is_lower and count_empty(state.sizes) <= n_empty:
        refresh(problem, state, terms)
        return work
    swap_moved(problem, state, n_excess)
    return -work


@kernel
def label_at_rank(state: State) -> int:
    """Find the label whose turn it is: the one at the cursor's rank by falling score.

    `order` and the cursor's SORTED_TO are brought up to date in place. Returns the label.
    """
    cursor, order = state.cursor, state.order
    rank, n_labels = cursor[RANK], state.scores.size
    if rank >= cursor[SORTED_TO]:
        start = cursor[SORTED_TO]
        stop = min(rank + BLOCK, n_labels)
        if rank > start:  # after a kept change nothing is known of the ranks before this one
            select_rank(order, state.scores, start, n_labels, rank)
        if stop < n_labels:
            select_rank(order, state.scores, rank, n_labels, stop)
        sort_block(order, state.scores, rank, stop)
        cursor[SORTED_TO] = stop
    return order[rank]


@kernel
def advance(state: State, kept: bool) -> None:
    """Note that a label was examined, and go on to the next label or epoch.

    state: the cursor is changed in place; kept: whether its change was kept: then the scores are new and the label now
    at this rank is next.
    """
    cursor = state.cursor
    cursor[EXAMINED] += 1
    if kept:
        cursor[KEPT] += 1
        cursor[SORTED_TO] = 0
    else:
        cursor[RANK] += 1
    if cursor[EXAMINED] == state.scores.size:
        cursor[FINISHED] = cursor[KEPT] == 0  # another epoch would repeat this one
        cursor[EPOCH] += 1
        cursor[EXAMINED] = cursor[RANK] = cursor[SORTED_TO] = cursor[KEPT] = 0


@kernel
def run_chunk(problem: Problem, state: State, max_epochs: int, max_work: int) -> None:
    """Go on with the algorithm until it ends or a bounded amount of work is done.

    However it is cut into chunks, the result is the same.

    The state is changed in place; max_epochs: times to go through all labels; max_work: about how many elementary
    steps to do before returning.
    """
    cursor = state.cursor
    wanted = np.empty(state.sizes.size, np.int64)
    terms = np.empty(state.scores.size)
    work = 0
    while work < max_work and cursor[EPOCH] < max_epochs and cursor[FINISHED] == 0:
        label = label_at_rank(state)
        kept = False
        if surplus_of(problem, state, label, wanted):
            n_excess = gather_excess(problem, state, label, wanted)
            done = try_moves(problem, state, wanted, n_excess, terms)
            kept = done > 0
            n_members = problem.member_ptr[label + 1] - problem.member_ptr[label]
            work += abs(done) + n_members * state.sizes.size
        work += state.scores.size if state.cursor[SORTED_TO] == state.cursor[RANK] + BLOCK else 10
        advance(state, kept)
