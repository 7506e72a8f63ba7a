"""Simulated annealing over the folds of rows, with the change of the loss known exactly for every move.

For each label and fold two numbers are kept: what one more positive there would add to the loss, and what one fewer
would. Moving a row then changes the loss by the sum, over its labels, of "one fewer" in its fold and "one more" in
the other, and a kept move renews four numbers a label.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.codes import LD, RLD
from optisplit.kernels.jit import inlined, kernel

Array = NDArray[Any]

LANES = 4  # folds whose sums are taken in one go over a row's labels
FROZEN = 12.0  # a move that raises the loss by this many temperatures is as good as impossible
TIE_BREAK = 0.05  # DCP: weight of rLD, which tells apart what DCP sees as equal
MIN_GAIN = 1e-9  # relative to the typical weight of a label; less is rounding


class Problem(NamedTuple):
    """What does not change while annealing.

    Attributes
    ----------
    indptr, indices : ndarray of int
        CSR arrays of the labels.
    positives : ndarray of shape (n_labels,), dtype float64
        Class sizes.
    inverse : ndarray of shape (n_labels,), dtype float64
        ``1 / positives`` for classes with a positive and a negative row, otherwise 0.
    sizes : ndarray of shape (n_splits,), dtype int64
        Rows that each fold is to have.
    share : ndarray of shape (n_splits,), dtype float64
        ``sizes / n_rows``.
    rarity : ndarray of shape (n_rows,), dtype float64
        The largest weight among each row's labels.
    order : ndarray of shape (n_rows,), dtype int32
        Order in which rows are visited.
    measure : int
        RLD, DCP or LD.
    weight : float
        Typical weight of a label in the loss.
    """

    indptr: Array
    indices: Array
    positives: Array
    inverse: Array
    sizes: Array
    share: Array
    rarity: Array
    order: Array
    measure: int
    weight: float


class State(NamedTuple):
    """What annealing works on; every array is changed in place.

    Attributes
    ----------
    folds : ndarray of shape (n_rows,), dtype int32
        The fold of every row.
    counts : ndarray of shape (n_labels, n_splits), dtype int32
        Positives of each label in each fold.
    more, fewer : ndarray of shape (n_labels * n_splits,), dtype float32
        What one positive more, or fewer, would add to the loss; flat, label by label.
    held : ndarray of shape (n_splits,), dtype int64
        Rows in each fold.
    random : ndarray of shape (1,), dtype uint64
        State of the random numbers; never 0.
    """

    folds: Array
    counts: Array
    more: Array
    fewer: Array
    held: Array
    random: Array


@kernel
def largest_weights(indptr: Array, indices: Array, weights: Array, largest: Array) -> None:
    """Find the largest weight among each row's labels.

    Parameters
    ----------
    indptr, indices : ndarray of int
        CSR arrays of the labels.
    weights : ndarray of shape (n_labels,), dtype float64
        Weight of each label.
    largest : ndarray of shape (n_rows,), dtype float64
        Set in place; 0 for rows without labels.
    """
    for row in range(largest.size):
        most = 0.0
        for at in range(indptr[row], indptr[row + 1]):
            most = max(most, weights[indices[at]])
        largest[row] = most


@inlined
def uniform(random: Array) -> float:
    """Draw a random number from [0, 1) (Marsaglia's xorshift, 64 bits).

    Parameters
    ----------
    random : ndarray of shape (1,), dtype uint64
        The state, moved on.

    Returns
    -------
    float
        The number.
    """
    x = random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    random[0] = x
    return (x >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def cost(
    measure: int, inverse: float, positives: float, n_rows: int, size: int, n_splits: int, share: float, count: int
) -> float:
    """Compute what a fold adds to a class's score when it holds so many of its positives.

    For rLD and LD it is the fold's term of the measure. DCP looks at the fullest fold alone, which tells a search
    little; here each fold pays for the positives it holds beyond those that the best attainable DCP allows, so that
    the sum is 0 exactly where DCP is at its bound, with a small part of rLD to break ties.

    Parameters
    ----------
    measure : int
        RLD, DCP or LD.
    inverse, positives : float
        ``1 / positives`` of the class (0 where it is not scored), and its size.
    n_rows, size, n_splits : int
        Rows in all and in the fold, and number of folds.
    share : float
        ``size / n_rows``.
    count : int
        Positives in the fold.

    Returns
    -------
    float
        Its part of the summed loss.
    """
    if inverse == 0.0:
        return 0.0
    if measure == LD:
        odds = size - 1.0 if count >= size else count / (size - count)
        return abs(odds - positives / (n_rows - positives)) / n_splits
    off = abs(count - positives * share) * inverse / (share * n_splits)
    if measure == RLD:
        return off
    return max(0.0, count - np.ceil(positives / n_splits)) * inverse + TIE_BREAK * off


@kernel
def renew(problem: Problem, state: State, labels: Array, fold: int) -> None:
    """Compute what one positive more or fewer in a fold would change, for some classes.

    Parameters
    ----------
    problem : Problem
        The problem.
    state : State
        `more` and `fewer` are set in place.
    labels : ndarray of int
        The classes.
    fold : int
        The fold.
    """
    measure, n_rows, size = problem.measure, problem.rarity.size, problem.sizes[fold]
    n_splits, share = problem.sizes.size, problem.share[fold]
    if measure == RLD:  # written out, since annealing spends much of its time here
        scale = 1.0 / (share * n_splits)
        for label in labels:
            off = state.counts[label, fold] - problem.positives[label] * share
            weight, now, place = problem.inverse[label] * scale, abs(off), label * n_splits + fold
            state.more[place] = weight * (abs(off + 1.0) - now)
            state.fewer[place] = weight * (abs(off - 1.0) - now)
        return
    for label in labels:
        c, inverse, positives = state.counts[label, fold], problem.inverse[label], problem.positives[label]
        now = cost(measure, inverse, positives, n_rows, size, n_splits, share, c)
        place = label * n_splits + fold
        state.more[place] = cost(measure, inverse, positives, n_rows, size, n_splits, share, c + 1) - now
        state.fewer[place] = cost(measure, inverse, positives, n_rows, size, n_splits, share, c - 1) - now


@kernel
def refresh(problem: Problem, state: State) -> None:
    """Count positives and rows in each fold afresh, and compute what every change would do.

    Parameters
    ----------
    problem : Problem
        The problem.
    state : State
        Everything but `folds` and `random` is set in place.
    """
    state.counts[:] = 0
    state.held[:] = 0
    for row in range(state.folds.size):
        fold = state.folds[row]
        state.held[fold] += 1
        for at in range(problem.indptr[row], problem.indptr[row + 1]):
            state.counts[problem.indices[at], fold] += 1
    labels = np.arange(state.counts.shape[0]).astype(problem.indices.dtype)
    for fold in range(state.held.size):
        renew(problem, state, labels, fold)


@kernel
def total_loss(problem: Problem, state: State) -> float:
    """Compute the summed loss afresh.

    Parameters
    ----------
    problem, state : Problem, State
        The problem and where it stands.

    Returns
    -------
    float
        The sum of :func:`cost` over classes and folds.
    """
    measure, n_rows, n_splits = problem.measure, problem.rarity.size, problem.sizes.size
    total = 0.0
    for label in range(state.counts.shape[0]):
        inverse, positives = problem.inverse[label], problem.positives[label]
        for fold in range(n_splits):
            size, share, count = problem.sizes[fold], problem.share[fold], state.counts[label, fold]
            total += cost(measure, inverse, positives, n_rows, size, n_splits, share, count)
    return total


@inlined
def changes_of(indptr: Array, indices: Array, more: Array, fewer: Array, own: int, row: int, changes: Array) -> None:
    """Compute how the loss would change if a row went to each of the folds, sizes aside.

    Parameters
    ----------
    indptr, indices, more, fewer : ndarray
        Of :class:`Problem` and :class:`State`.
    own, row : int
        The row and its fold.
    changes : ndarray of shape (n_splits,), dtype float64
        Set in place; 0 for the row's own fold.
    """
    begin, end = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
    n_splits = changes.size
    # unsigned: then no index has to be looked at for its sign
    width = np.uint64(n_splits)
    leave = np.float32(0)
    fold = 0
    if n_splits < LANES:
        for at in range(begin, end):
            leave += fewer[np.uint64(indices[at]) * width + np.uint64(own)]
    else:  # the most usual case, in one go
        a = b = c = d = np.float32(0)
        for at in range(begin, end):
            place = np.uint64(indices[at]) * width
            leave += fewer[place + np.uint64(own)]
            a += more[place]
            b += more[place + np.uint64(1)]
            c += more[place + np.uint64(2)]
            d += more[place + np.uint64(3)]
        changes[0], changes[1], changes[2], changes[3] = a, b, c, d
        fold = LANES
    while fold + LANES <= n_splits:
        a = b = c = d = np.float32(0)
        for at in range(begin, end):
            place = np.uint64(indices[at]) * width + np.uint64(fold)
            a += more[place]
            b += more[place + np.uint64(1)]
            c += more[place + np.uint64(2)]
            d += more[place + np.uint64(3)]
        changes[fold], changes[fold + 1], changes[fold + 2], changes[fold + 3] = a, b, c, d
        fold += LANES
    while fold < n_splits:
        a = np.float32(0)
        for at in range(begin, end):
            a += more[np.uint64(indices[at]) * width + np.uint64(fold)]
        changes[fold] = a
        fold += 1
    for other in range(n_splits):
        changes[other] += leave
    changes[own] = 0.0


@inlined
def move(problem: Problem, state: State, row: int, new: int) -> None:
    """Move a row to another fold.

    Parameters
    ----------
    problem : Problem
        The problem.
    state : State
        Changed in place.
    row, new : int
        The row and its new fold.
    """
    old = state.folds[row]
    labels = problem.indices[problem.indptr[row] : problem.indptr[row + 1]]
    for label in labels:
        state.counts[label, old] -= 1
        state.counts[label, new] += 1
    renew(problem, state, labels, old)
    renew(problem, state, labels, new)
    state.folds[row] = new
    state.held[old] -= 1
    state.held[new] += 1


@inlined
def add_size_changes(held: Array, sizes: Array, own: int, price: float, changes: Array) -> None:
    """Add what a move would change in the folds' distance from their sizes, at a price a row.

    Parameters
    ----------
    held, sizes : ndarray of shape (n_splits,), dtype int64
        Rows that the folds hold, and are to hold.
    own : int
        The fold that the row would leave.
    price : float
        Price of one row too many or too few.
    changes : ndarray of shape (n_splits,), dtype float64
        Added to in place, but for the row's own fold.
    """
    leave = -1.0 if held[own] > sizes[own] else 1.0
    for fold in range(changes.size):
        if fold != own:
            changes[fold] += price * (leave + (-1.0 if held[fold] < sizes[fold] else 1.0))


@inlined
def draw(changes: Array, own: int, least: float, temperature: float, random: Array) -> int:
    """Draw a fold with the probabilities of thermal equilibrium (heat bath).

    Parameters
    ----------
    changes : ndarray of shape (n_splits,), dtype float64
        Change of the loss for each fold; overwritten.
    own : int
        The row's own fold, whose change is 0.
    least : float
        The lowest change, at most 0.
    temperature : float
        The temperature, in units of the loss.
    random : ndarray of shape (1,), dtype uint64
        State of the random numbers.

    Returns
    -------
    int
        The fold.
    """
    total = 0.0
    for fold in range(changes.size):
        step = (least - changes[fold]) / temperature
        changes[fold] = np.exp(step) if step > -FROZEN else 0.0
        total += changes[fold]
    drawn = uniform(random) * total
    chosen = own
    for fold in range(changes.size):
        drawn -= changes[fold]
        if drawn < 0.0:
            chosen = fold
            break
    return chosen


@kernel
def sweep(
    problem: Problem, state: State, start: int, temperature: float, price: float, max_work: int, moved: Array
) -> int:
    """Give each row in turn the chance to move, until a bounded amount of work is done.

    Rows all of whose labels weigh much less than the temperature would only be shaken, so they wait for it to fall.

    Parameters
    ----------
    problem, state : Problem, State
        The problem and where it stands; the state is changed in place.
    start : int
        Place in ``problem.order`` to go on from.
    temperature : float
        The temperature; 0 keeps only moves that lower the loss.
    price : float
        Price of one row too many or too few in a fold.
    max_work : int
        About how many elementary steps to do.
    moved : ndarray of shape (1,), dtype int64
        Moves made are added.

    Returns
    -------
    int
        Place to go on from; ``order.size`` when the sweep is complete.
    """
    indptr, indices, order, rarity = problem.indptr, problem.indices, problem.order, problem.rarity
    folds, more, fewer, held, sizes = state.folds, state.more, state.fewer, state.held, problem.sizes
    n_splits = sizes.size
    changes = np.empty(n_splits)
    gain = MIN_GAIN * problem.weight
    work = 0
    for at in range(start, order.size):
        if work > max_work:
            return at
        row = order[at]
        work += 1
        if rarity[row] < temperature:
            continue
        own = folds[row]
        changes_of(indptr, indices, more, fewer, own, row, changes)
        add_size_changes(held, sizes, own, price, changes)
        n_labels = indptr[row + 1] - indptr[row]
        work += n_labels * (n_splits + 1)
        best = 0 if own > 0 else 1  # of the other folds
        for fold in range(best + 1, n_splits):
            if fold != own and changes[fold] < changes[best]:
                best = fold
        if temperature == 0.0:
            new = best if changes[best] < -gain else own
        elif changes[best] > FROZEN * temperature:
            new = own
        else:
            new = draw(changes, own, min(changes[best], 0.0), temperature, state.random)
        if new != own:
            move(problem, state, row, new)
            moved[0] += 1
            work += 8 * n_labels
    return order.size


@kernel
def best_transfers(problem: Problem, state: State, gains: Array, targets: Array) -> None:
    """Find, for each row of a fold that holds too many, the best fold among those that hold too few.

    Parameters
    ----------
    problem, state : Problem, State
        The problem and where it stands.
    gains : ndarray of shape (n_rows,), dtype float64
        Set in place: change of the loss; infinite for rows of other folds.
    targets : ndarray of shape (n_rows,), dtype int32
        Set in place: the fold; -1 for rows of other folds.
    """
    changes = np.empty(problem.sizes.size)
    for row in range(state.folds.size):
        gains[row], targets[row] = np.inf, -1
        own = state.folds[row]
        if state.held[own] <= problem.sizes[own]:
            continue
        changes_of(problem.indptr, problem.indices, state.more, state.fewer, own, row, changes)
        for fold in range(state.held.size):
            if state.held[fold] < problem.sizes[fold] and changes[fold] < gains[row]:
                gains[row], targets[row] = changes[fold], fold


@kernel
def transfer(problem: Problem, state: State, rows: Array, targets: Array, most: int) -> None:
    """Move rows one by one from folds that hold too many to folds that hold too few.

    Parameters
    ----------
    problem, state : Problem, State
        The problem and where it stands; the state is changed in place.
    rows : ndarray of int
        Rows, the best to move first.
    targets : ndarray of shape (n_rows,), dtype int32
        What :func:`best_transfers` gave.
    most : int
        Most rows to move.
    """
    n_moved = 0
    for row in rows:
        own, new = state.folds[row], targets[row]
        if new < 0 or n_moved == most:
            return
        if state.held[own] > problem.sizes[own] and state.held[new] < problem.sizes[new]:
            move(problem, state, row, new)
            n_moved += 1


@kernel
def list_candidates(problem: Problem, state: State, candidates: Array, gains: Array) -> None:
    """List, for each pair of folds, the rows whose move from one to the other costs least.

    Parameters
    ----------
    problem, state : Problem, State
        The problem and where it stands.
    candidates : ndarray of shape (n_splits, n_splits, n_listed), dtype int32
        Set in place: rows by rising change; -1 where there are fewer.
    gains : ndarray of shape (n_splits, n_splits, n_listed), dtype float64
        Set in place: their changes of the loss.
    """
    n_splits, n_listed = state.held.size, candidates.shape[2]
    changes = np.empty(problem.sizes.size)
    candidates[:] = -1
    gains[:] = np.inf
    for row in problem.order:
        own = state.folds[row]
        changes_of(problem.indptr, problem.indices, state.more, state.fewer, own, row, changes)
        for fold in range(n_splits):
            if fold == own or changes[fold] >= gains[own, fold, n_listed - 1]:
                continue
            at = n_listed - 1
            while at > 0 and gains[own, fold, at - 1] > changes[fold]:
                gains[own, fold, at] = gains[own, fold, at - 1]
                candidates[own, fold, at] = candidates[own, fold, at - 1]
                at -= 1
            gains[own, fold, at], candidates[own, fold, at] = changes[fold], row


@kernel
def swap_candidates(problem: Problem, state: State, candidates: Array) -> int:
    """Exchange pairs of listed rows between their folds where that lowers the loss.

    Parameters
    ----------
    problem, state : Problem, State
        The problem and where it stands; the state is changed in place.
    candidates : ndarray of shape (n_splits, n_splits, n_listed), dtype int32
        What :func:`list_candidates` gave.

    Returns
    -------
    int
        Exchanges made.
    """
    n_splits, n_listed = state.held.size, candidates.shape[2]
    changes = np.empty(problem.sizes.size)
    gain = MIN_GAIN * problem.weight
    n_swaps = 0
    for a in range(n_splits):
        for b in range(a + 1, n_splits):
            for i in range(n_listed):
                row = candidates[a, b, i]
                if row < 0 or state.folds[row] != a:
                    continue
                changes_of(problem.indptr, problem.indices, state.more, state.fewer, a, row, changes)
                first = changes[b]
                move(problem, state, row, b)
                partner, best = -1, -gain - first
                for j in range(n_listed):
                    other = candidates[b, a, j]
                    if other >= 0 and other != row and state.folds[other] == b:
                        changes_of(problem.indptr, problem.indices, state.more, state.fewer, b, other, changes)
                        if changes[a] < best:
                            partner, best = other, changes[a]
                if partner >= 0:
                    move(problem, state, partner, a)
                    n_swaps += 1
                else:
                    move(problem, state, row, a)
    return n_swaps
