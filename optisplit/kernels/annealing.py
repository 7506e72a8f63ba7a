"""Simulated annealing over the folds of rows, with the change of the loss known exactly for every move.

What moves is a unit: a row, or a group of rows that stay together. For each label and fold a table holds how far the
fold is from its ideal number of positives. What a move would change is a sum over the unit's labels, taken for all
folds in one go; a move that is made changes two numbers a label.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.codes import DCP, LD
from optisplit.kernels.jit import bare, inlined, kernel
from optisplit.kernels.lanes import sum_changes, sum_lines

Array = NDArray[Any]

FROZEN = 12.0  # a move that raises the loss by this many temperatures is as good as impossible
N_COPIES = 2  # units of exactly the same change in a list of candidates
TIE_BREAK = 0.2  # DCP: weight of rLD, which tells apart what DCP sees as equal
MIN_GAIN = 1e-6  # in typical weights of a label; less is rounding


class Problem(NamedTuple):
    """What does not change while annealing; weights are in units of the typical weight of a label."""

    indptr: Array  # CSR arrays of the units' labels, units in the order in which they are visited
    indices: Array  # likewise
    amounts: Array  # float32, positives of each entry; or one number, for all
    stride: np.uint64  # 1; or 0 where ``amounts[0]`` is for all
    unit_sizes: Array  # (n_units,) int32, rows of each unit
    # (n_labels,) float32, what one positive of each label weighs in the loss; 0 for labels that are not scored
    weights: Array
    positives: Array  # (n_labels,) float64, label sizes
    sizes: Array  # (n_splits,) int64, rows that each fold is to have
    share: Array  # (n_splits,) float64, ``sizes / n_rows``
    scale: Array  # (n_splits,) float32, ``1 / (n_splits * share)``
    # (n_labels, n_splits) float64, DCP: the most positives a fold can hold of each label with its DCP at the bound;
    # else of shape (0, n_splits)
    caps: Array
    rarity: Array  # (n_units,) float32, the largest ``weight x amount`` among each unit's labels
    # (n_labels,) float32, price of a fold without a positive of the label: not 0 only where the label is scarce
    lack_weights: Array
    has_scarce: Array  # (n_units,) bool, units with such a label
    # CSR arrays of what units have in common with others, such as labels of one size or their number of labels, and
    # float32 amounts of it; empty where nothing is to have its due
    fair_indptr: Array
    fair_indices: Array
    fair_amounts: Array
    fair_weights: Array  # (n_fair,) float32, price of an amount beyond the target or lacking
    fair_targets: Array  # (n_fair, n_splits) float64, how much of each the units of a fold are to have
    is_firm: bool  # whether that price is asked; signed prices always are
    size_price: np.float32  # price of one row too many or too few in a fold
    home: Array  # (n_units,) int32, the fold that each unit is to leave only for a price; or of shape (0,)
    home_price: np.float32  # that price, for each row
    measure: int  # RLD, DCP or LD


class State(NamedTuple):
    """What annealing works on; every array is changed in place."""

    folds: Array  # (n_units,) int32, the fold of every unit
    # (n_labels * width,) float32, twice the positives of each label and fold beyond the ideal number; a line of `width`
    # numbers a label
    table: Array
    over: Array  # (n_labels * width,) float32, DCP: twice the positives beyond the cap; else of shape (0,)
    lack: Array  # (n_labels * width,) float32, twice the positives beyond one; kept for units with a scarce label alone
    fair_table: Array  # (n_fair * width,) float32, twice what each fold has beyond its target
    fair_prices: Array  # (n_fair * width,) float32, signed price of an amount of each in each fold
    held: Array  # (n_splits,) int64, rows in each fold
    changes: Array  # (width,) float32, scratch
    spare: Array  # likewise
    random: Array  # (1,) uint64, state of the random numbers; never 0


@kernel
def largest_weights(
    indptr: Array, indices: Array, amounts: Array, stride: Any, weights: Array, lack_weights: Array, rarity: Array,
    has_scarce: Array,
) -> None:  # fmt: skip
    """Find the largest weight among each unit's labels, and whether one of them is scarce.

    indptr, indices, amounts, stride, weights, lack_weights: as in Problem; rarity, has_scarce: (n_units,), set in
    place.
    """
    for unit in range(rarity.size):
        most = np.float32(0)
        scarce = False
        for at in range(indptr[unit], indptr[unit + 1]):
            most = max(most, weights[indices[at]] * amounts[at * stride])
            scarce = scarce or lack_weights[indices[at]] > 0
        rarity[unit], has_scarce[unit] = most, scarce


@bare
def ld_cost(count: float, size: float, positives: float, n_rows: float) -> float:
    """Compute a fold's part of a label's LD, before the mean over folds.

    count, size: positives and rows in the fold; positives, n_rows: positives and rows in all. Returns the distance of
    the two odds.
    """
    odds = size - 1.0 if count >= size else count / (size - count)
    return abs(odds - positives / (n_rows - positives))


@kernel
def total_loss(problem: Problem, state: State) -> float:
    """Compute the loss afresh from the table, sizes and missing labels aside.

    For rLD and LD it is the sum of the measure over labels, times the labels' weights. DCP looks at the fullest
    fold alone, which tells a search little; here each fold pays for the positives it holds beyond those that the
    best possible DCP allows, so that the sum is 0 exactly where DCP is at its bound, with a small part of rLD to
    break ties.

    Returns the loss, in units of the typical weight of a label.
    """
    n_splits = problem.sizes.size
    width = state.changes.size
    n_rows = float(problem.sizes.sum())
    total = 0.0
    for label in range(problem.weights.size):
        weight, positives = float(problem.weights[label]), problem.positives[label]
        if weight == 0.0:
            continue
        for fold in range(n_splits):
            off = 0.5 * state.table[label * width + fold]
            if problem.measure == LD:
                size = float(problem.sizes[fold])
                count = np.rint(off + positives * problem.share[fold])  # the table's ideal is on a grid
                total += weight * ld_cost(count, size, positives, n_rows) / n_splits
                continue
            part = weight * abs(off) * problem.scale[fold]
            if problem.measure == DCP:
                part = TIE_BREAK * part + weight * max(0.0, 0.5 * state.over[label * width + fold])
            total += part
    return total


@kernel
def fair_loss(problem: Problem, state: State) -> float:
    """Add up what folds have beyond their due of what units have in common, or lack of it, times its price."""
    width = state.changes.size
    total = 0.0
    for which in range(problem.fair_weights.size):
        for fold in range(problem.scale.size):
            off = abs(0.5 * state.fair_table[which * width + fold])
            total += problem.fair_weights[which] * problem.scale[fold] * off
    return total


@bare
def follow(problem: Problem, state: State, steps: Array, slack: Array, most: Array) -> None:
    """Raise signed prices where a fold has more than its target, lower them where it has less.

    ``state.fair_prices`` is changed in place; steps: (n_fair,) float32, the largest change; slack: (n_fair, n_splits)
    float32, how much beyond the target makes for that; most: (n_fair,) float32, bounds of the prices.
    """
    width = state.changes.size
    for which in range(steps.size):
        for fold in range(problem.scale.size):
            at = which * width + fold
            off = np.float32(0.5) * state.fair_table[at] / slack[which, fold]
            price = state.fair_prices[at] + steps[which] * min(max(off, np.float32(-1)), np.float32(1))
            state.fair_prices[at] = min(max(price, -most[which]), most[which])


@kernel
def count_missing(problem: Problem, state: State) -> int:
    """Count the folds without a positive, over the scarce labels.

    Returns pairs of label and fold.
    """
    width = state.changes.size
    n_missing = 0
    for label in range(problem.weights.size):
        if problem.lack_weights[label] > 0:
            for fold in range(problem.sizes.size):
                ideal = problem.positives[label] * problem.share[fold]
                n_missing += 0.5 * state.table[label * width + fold] + ideal < 0.5
    return n_missing


@kernel
def fill_tables(problem: Problem, state: State, fixed_counts: Array, fixed_held: Array) -> None:
    """Count positives and rows in each fold afresh.

    All tables of the state are set in place from its folds; fixed_counts: (n_labels, n_splits) int32, positives of rows
    that do not move; fixed_held: (n_splits,) int64, their number.
    """
    n_labels, n_splits = fixed_counts.shape
    width = state.changes.size
    counts = fixed_counts.copy()
    for fold in range(n_splits):  # not as a slice, for which numba compiles the wording of an error as well
        state.held[fold] = fixed_held[fold]
    for unit in range(state.folds.size):
        fold = state.folds[unit]
        state.held[fold] += problem.unit_sizes[unit]
        for at in range(problem.indptr[unit], problem.indptr[unit + 1]):
            counts[problem.indices[at], fold] += int(problem.amounts[at * problem.stride])
    for label in range(n_labels):
        for fold in range(n_splits):
            # on a grid that single precision can hold, so that adding and taking away whole numbers is exact
            ideal = np.rint(problem.positives[label] * problem.share[fold] * 1024.0) / 1024.0
            state.table[label * width + fold] = 2.0 * (counts[label, fold] - ideal)
            if state.over.size > 0:
                state.over[label * width + fold] = 2.0 * (counts[label, fold] - problem.caps[label, fold])
            state.lack[label * width + fold] = 2.0 * (counts[label, fold] - 1.0)
    for which in range(problem.fair_weights.size):
        for fold in range(n_splits):
            state.fair_table[which * width + fold] = -2.0 * problem.fair_targets[which, fold]
    n_with_fair = state.folds.size if problem.fair_weights.size > 0 else 0
    for unit in range(n_with_fair):
        for at in range(problem.fair_indptr[unit], problem.fair_indptr[unit + 1]):
            state.fair_table[problem.fair_indices[at] * width + state.folds[unit]] += 2.0 * problem.fair_amounts[at]


@inlined
def changes_of(problem: Problem, state: State, unit: int, own: int) -> None:
    """Compute how the loss would change if a unit went to each of the folds, the price of sizes aside.

    ``state.changes`` is set in place, to 0 for the unit's own fold; unit, own: the unit and its fold.
    """
    indices, amounts, stride, weights = problem.indices, problem.amounts, problem.stride, problem.weights
    begin, end = np.uint64(problem.indptr[unit]), np.uint64(problem.indptr[unit + 1])
    changes, spare, scale, there = state.changes, state.spare, problem.scale, np.uint64(own)
    width = np.uint64(changes.size)
    if problem.measure == LD:
        add_ld_changes(problem, state, np.int64(unit), np.int64(own))  # one type, so that it is compiled once
    else:
        leave = sum_changes(indices, begin, end, amounts, stride, weights, state.table, width, there, changes)
        leave *= scale[own]
        for fold in range(scale.size):
            changes[fold] = changes[fold] * scale[fold] + leave
    if problem.measure == DCP:
        leave = sum_changes(indices, begin, end, amounts, stride, weights, state.over, width, there, spare)
        for fold in range(scale.size):
            # half: max(0, x) is (x + abs(x)) / 2, and the first part is the same for all folds
            changes[fold] = np.float32(TIE_BREAK) * changes[fold] + np.float32(0.5) * (spare[fold] + leave)
    if problem.has_scarce[unit]:
        prices = problem.lack_weights
        leave = sum_changes(indices, begin, end, amounts, stride, prices, state.lack, width, there, spare)
        for fold in range(scale.size):
            changes[fold] += np.float32(0.5) * (spare[fold] + leave)  # half: as above, with max(0, 1 - count)
    if problem.fair_weights.size > 0:
        add_fair_changes(problem, state, unit, own)
    if problem.home.size > 0:
        price = problem.home_price * np.float32(problem.unit_sizes[unit])
        for fold in range(scale.size):
            changes[fold] += price * np.float32(
                np.int64(own == problem.home[unit]) - np.int64(fold == problem.home[unit])
            )
    changes[own] = np.float32(0)


@inlined
def add_fair_changes(problem: Problem, state: State, unit: int, own: int) -> None:
    """Add what a move would change in how far folds are from their due of what units have in common.

    ``state.changes`` is changed in place; unit, own: the unit and its fold.
    """
    begin, end = np.uint64(problem.fair_indptr[unit]), np.uint64(problem.fair_indptr[unit + 1])
    indices, amounts, prices = problem.fair_indices, problem.fair_amounts, state.fair_prices
    changes, spare, scale, there = state.changes, state.spare, problem.scale, np.uint64(own)
    width = np.uint64(changes.size)
    if problem.is_firm:
        weights, table = problem.fair_weights, state.fair_table
        leave = sum_changes(indices, begin, end, amounts, np.uint64(1), weights, table, width, there, spare)
        leave *= scale[own]
        for fold in range(scale.size):
            changes[fold] += spare[fold] * scale[fold] + leave
    sum_lines(indices, begin, end, amounts, prices, width, spare)
    paid = spare[own]
    for fold in range(scale.size):
        changes[fold] += spare[fold] - paid


@bare
def add_ld_changes(problem: Problem, state: State, unit: Any, own: Any) -> None:
    """Do for LD, which is no plain distance, what :func:`sum_changes` does for the other measures.

    ``state.changes`` is set in place; unit, own: the unit and its fold.
    """
    changes, table = state.changes, state.table
    n_splits = problem.sizes.size
    n_rows = float(problem.sizes.sum())
    changes[:] = 0
    for at in range(problem.indptr[unit], problem.indptr[unit + 1]):
        label = problem.indices[at]
        weight = problem.weights[label] / np.float32(n_splits)
        if weight == 0.0:
            continue
        amount, positives = float(problem.amounts[at * problem.stride]), problem.positives[label]
        for fold in range(n_splits):
            count = np.rint(0.5 * table[label * changes.size + fold] + positives * problem.share[fold])
            size = float(problem.sizes[fold])
            now = ld_cost(count, size, positives, n_rows)
            if fold != own:
                changes[fold] += weight * (ld_cost(count + amount, size, positives, n_rows) - now)
            else:
                leave = weight * (ld_cost(count - amount, size, positives, n_rows) - now)
                for other in range(n_splits):
                    changes[other] += leave


@inlined
def move(problem: Problem, state: State, unit: int, new: int) -> None:
    """Move a unit to another fold.

    The state is changed in place; unit, new: the unit and its new fold.
    """
    table, over, lack = state.table, state.over, state.lack
    amounts, stride, indices = problem.amounts, problem.stride, problem.indices
    old, width = np.uint64(state.folds[unit]), np.uint64(state.changes.size)
    for at in range(np.uint64(problem.indptr[unit]), np.uint64(problem.indptr[unit + 1])):
        twice = np.float32(2) * amounts[at * stride]
        line = np.uint64(indices[at]) * width
        table[line + old] -= twice
        table[line + np.uint64(new)] += twice
        if over.size > 0:
            over[line + old] -= twice
            over[line + np.uint64(new)] += twice
        if problem.has_scarce[unit]:
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
    """Compute about ``exp(step)`` for steps from -FROZEN to 0: the same on every machine, and faster than exact.

    step: the exponent. Returns ``(1 + step / 4096) ** 4096``: within 2 % where it matters.
    """
    power = np.float32(1) + step * np.float32(1.0 / 4096.0)
    for _ in range(12):
        power *= power
    return power


@inlined
def draw(changes: Array, n_splits: int, own: int, least: Any, coldness: Any, random: Array) -> int:
    """Draw a fold with the probabilities of thermal equilibrium (heat bath).

    changes: float32, change of the loss for each fold; overwritten; n_splits, own: number of folds, and the unit's own,
    whose change is 0; least: the lowest change, at most 0; coldness: one over the temperature; random: (1,) uint64,
    state of the random numbers. Returns the fold.
    """
    total = np.float32(0)
    for fold in range(n_splits):
        step = (least - changes[fold]) * coldness
        changes[fold] = boltzmann(step) if step > np.float32(-FROZEN) else np.float32(0)
        total += changes[fold]
    drawn = uniform(random) * total
    chosen = own
    for fold in range(n_splits):
        drawn -= changes[fold]
        if drawn < np.float32(0):
            chosen = fold
            break
    return chosen


@bare
def sweep(problem: Problem, state: State, start: int, temperature: float, only_scarce: bool, moved: Array) -> int:
    """Give each unit in turn the chance to move, until a bounded amount of work is done.

    Units all of whose labels weigh less than the temperature would only be shaken, so they wait for it to fall.

    The state is changed in place; start: unit to go on from; temperature: the temperature; 0 keeps only moves that
    lower the loss; only_scarce: pass over units without a scarce label; moved: (2,) int64, moves made are added to the
    first; the second is about how many elementary steps may be done, and set to those left. Returns unit to go on from;
    ``n_units`` when the sweep is complete.
    """
    indptr, rarity, unit_sizes, has_scarce = problem.indptr, problem.rarity, problem.unit_sizes, problem.has_scarce
    folds, held, sizes, changes = state.folds, state.held, problem.sizes, state.changes
    size_price = problem.size_price
    n_splits = sizes.size
    n_units = folds.size
    warmth, coldness, cold_enough = np.float32(temperature), np.float32(0), np.float32(-MIN_GAIN)
    if temperature > 0.0:
        coldness, cold_enough = np.float32(1.0 / temperature), np.float32(FROZEN * temperature)
    work_left = moved[1]
    for unit in range(start, n_units):
        if work_left < 0:
            return unit
        work_left -= 1
        if rarity[unit] < warmth or (only_scarce and not has_scarce[unit]):
            continue
        own = folds[unit]
        changes_of(problem, state, unit, own)
        work_left -= (indptr[unit + 1] - indptr[unit]) * 2 + n_splits
        n_rows = np.int64(unit_sizes[unit])
        leave = size_price * np.float32(abs(held[own] - n_rows - sizes[own]) - abs(held[own] - sizes[own]))
        least, best = np.float32(np.inf), own
        for fold in range(n_splits):
            if fold == own:
                continue
            enter = size_price * np.float32(abs(held[fold] + n_rows - sizes[fold]) - abs(held[fold] - sizes[fold]))
            changes[fold] += leave + enter
            if changes[fold] < least:
                least, best = changes[fold], fold
        if least >= cold_enough:
            continue
        new = best
        if temperature > 0.0:
            new = draw(changes, n_splits, own, min(least, np.float32(0)), coldness, state.random)
        if new != own:
            move(problem, state, unit, new)
            moved[0] += 1
            work_left -= (indptr[unit + 1] - indptr[unit]) * 2
    moved[1] = work_left
    return n_units


@bare
def best_transfers(problem: Problem, state: State, units: Array, surplus: Array, gains: Array, targets: Array) -> None:
    """Find, for each unit in a fold that holds too many, the best fold among those that hold too few.

    units: the units that may move; surplus: (n_splits,) int64, units of this kind that each fold has too many; gains:
    (len(units),) float64, set in place: change of the loss; infinite where no move is wanted; targets: (len(units),)
    int32, set in place: the fold; -1 where no move is wanted.
    """
    folds, changes = state.folds, state.changes
    for at in range(units.size):
        gains[at], targets[at] = np.inf, -1
        own = folds[units[at]]
        if surplus[own] <= 0:
            continue
        changes_of(problem, state, units[at], own)
        for fold in range(surplus.size):
            if surplus[fold] < 0 and changes[fold] < gains[at]:
                gains[at], targets[at] = changes[fold], fold


@bare
def transfer(
    problem: Problem, state: State, units: Array, surplus: Array, targets: Array, order: Array, most: int
) -> None:
    """Move units one by one from folds that hold too many to folds that hold too few.

    The state is changed in place; units, surplus, targets: as in :func:`best_transfers`; `surplus` is changed in place;
    order: places in `units`, the best to move first; most: most units to move.
    """
    folds = state.folds
    n_moved = 0
    for at in order:
        unit, new = units[at], targets[at]
        if new < 0 or n_moved == most:
            return
        own = folds[unit]
        if surplus[own] > 0 and surplus[new] < 0:
            move(problem, state, unit, new)
            surplus[own] -= 1
            surplus[new] += 1
            n_moved += 1


@bare
def list_candidates(problem: Problem, state: State, units: Array, candidates: Array, gains: Array) -> None:
    """List, for each pair of folds, the units whose move from one to the other costs least.

    units: the units to look at; candidates: (n_splits, n_splits, n_listed) int32, set in place: units by rising change,
    at most N_COPIES of each change; -1 where there are fewer; gains: (n_splits, n_splits, n_listed) float64, set in
    place: their changes of the loss.
    """
    folds, changes = state.folds, state.changes
    n_splits, n_listed = state.held.size, candidates.shape[2]
    candidates[:] = -1
    gains[:] = np.inf
    for unit in units:
        own = folds[unit]
        changes_of(problem, state, unit, own)
        for fold in range(n_splits):
            if fold == own or changes[fold] >= gains[own, fold, n_listed - 1]:
                continue
            at, end = 0, n_listed - 1  # where it belongs: after all that are as low
            while at < end:
                middle = (at + end) // 2
                if gains[own, fold, middle] > changes[fold]:
                    end = middle
                else:
                    at = middle + 1
            # rows with the same labels have the same change: many copies of one would crowd out the others
            if at >= N_COPIES and gains[own, fold, at - N_COPIES] == changes[fold]:
                continue
            for later in range(n_listed - 1, at, -1):
                gains[own, fold, later] = gains[own, fold, later - 1]
                candidates[own, fold, later] = candidates[own, fold, later - 1]
            gains[own, fold, at], candidates[own, fold, at] = changes[fold], unit


@bare
def swap_candidates(problem: Problem, state: State, candidates: Array, n_partners: int, min_gain: float) -> int:
    """Exchange pairs of listed units between their folds where that lowers the loss.

    The state is changed in place; candidates: (n_splits, n_splits, n_listed) int32, what :func:`list_candidates` gave;
    n_partners: partners to try for each: the first that are still where they were; min_gain: the least that an exchange
    has to lower the loss by. Returns exchanges made.
    """
    folds, changes = state.folds, state.changes
    n_splits, n_listed = state.held.size, candidates.shape[2]
    n_swaps = 0
    for a in range(n_splits):
        for b in range(a + 1, n_splits):
            for i in range(n_listed):
                unit = candidates[a, b, i]
                if unit < 0 or folds[unit] != a:
                    continue
                changes_of(problem, state, unit, a)
                first = changes[b]
                move(problem, state, unit, b)
                partner, best = -1, -min_gain - first
                n_tried = 0
                for j in range(n_listed):
                    other = candidates[b, a, j]
                    if other < 0 or n_tried == n_partners:
                        break
                    if other != unit and folds[other] == b:
                        n_tried += 1
                        changes_of(problem, state, other, b)
                        if changes[a] < best:
                            partner, best = other, changes[a]
                if partner >= 0:
                    move(problem, state, partner, a)
                    n_swaps += 1
                else:
                    move(problem, state, unit, a)
    return n_swaps
