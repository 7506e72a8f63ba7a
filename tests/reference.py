"""Obvious, slow twins of what the library computes: dense loops, exact fractions, full searches."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

# Measures, from their definitions. Exact: every result is a Fraction.


def ld(labels, folds, n_splits) -> list:
    """LD of each class; None where it is not scored."""

    used = folds[folds >= 0]
    scores = []
    for column in labels[folds >= 0].T:
        if not _is_scored(column):
            scores.append(None)
            continue
        overall = _odds(int(column.sum()), len(column))
        total = Fraction(0)
        for fold in range(n_splits):
            part = column[used == fold]
            total += abs(_odds(int(part.sum()), len(part)) - overall)
        scores.append(total / n_splits)
    return scores


def _odds(positives, rows) -> Fraction:
    p = Fraction(positives, rows) if rows else Fraction(0)
    if p == 1:
        p = Fraction(rows - 1, rows)
    return p / (1 - p)


def rld(labels, folds, n_splits) -> list:
    """rLD of each class; None where it is not scored."""
    used = folds[folds >= 0]
    scores = []
    for column in labels[folds >= 0].T:
        if not _is_scored(column):
            scores.append(None)
            continue
        d = Fraction(int(column.sum()), len(column))
        total = Fraction(0)
        for fold in range(n_splits):
            part = column[used == fold]
            p = Fraction(int(part.sum()), len(part)) if len(part) else Fraction(0)
            total += abs((d - p) / d)
        scores.append(total / n_splits)
    return scores


def dcp(labels, folds, n_splits, shares=None) -> list:
    """DCP of each class; None where it is not scored."""
    used = folds[folds >= 0]
    wanted = [Fraction(1, n_splits)] * n_splits if shares is None else [Fraction(share) for share in shares]
    scores = []
    for column in labels[folds >= 0].T:
        if not _is_scored(column):
            scores.append(None)
            continue
        parts = [Fraction(int(column[used == fold].sum()), int(column.sum())) for fold in range(n_splits)]
        scores.append(abs(max(part - share for part, share in zip(parts, wanted, strict=True))))
    return scores


MEASURES = {"ld": ld, "rld": rld, "dcp": dcp}


def ed(folds, n_splits) -> Fraction:
    sizes = [int((folds == fold).sum()) for fold in range(n_splits)]
    return sum(abs(size - Fraction(sum(sizes), n_splits)) for size in sizes) / n_splits


def flz_pairs(labels, folds, n_splits) -> set:
    """Pairs of a fold and a class, of those that have positives, without a positive in it."""
    used, kept = folds[folds >= 0], labels[folds >= 0]
    present = [label for label in range(labels.shape[1]) if kept[:, label].any()]
    return {(fold, label) for fold in range(n_splits) for label in present if not kept[used == fold, label].any()}


def _is_scored(column) -> bool:
    return 0 < column.sum() < len(column)


# Whether parts look like the whole, from the definitions.


def beyond_rounding(labels, folds, n_splits) -> list:
    """Half of what each class has beyond its due, rounded up or down, in all folds."""
    used, kept = folds[folds >= 0], labels[folds >= 0]
    return [
        Fraction(
            sum(
                _distance_to_rounding(int(column[used == fold].sum()), Fraction(int(column.sum() * n), len(used)))
                for fold, n in enumerate(np.bincount(used, minlength=n_splits))
            ),
            2,
        )
        for column in kept.T.astype(int)
    ]


def _distance_to_rounding(x, due) -> int:
    return max(0, due.__floor__() - x, x - due.__ceil__())


def rare_shares(labels, folds, n_splits) -> Fraction | None:
    """Mean over scored classes of the distance of their size's positives from the folds' rows."""
    used, kept = folds[folds >= 0], labels[folds >= 0].astype(int)
    scored = [column for column in kept.T if _is_scored(column)]
    distances = []
    for label in scored:
        together = sum(column for column in scored if same_size(column.sum(), label.sum()))
        where = [Fraction(int(together[used == fold].sum()), int(together.sum())) for fold in range(n_splits)]
        rows = [Fraction(int((used == fold).sum()), len(used)) for fold in range(n_splits)]
        distances.append(variation(where, rows))
    return sum(distances) / len(distances) if distances else None


def n_torn(folds, groups) -> int:
    """Count the groups with rows in more than one fold."""
    found = {}
    for fold, group in zip(folds, groups, strict=True):
        found.setdefault(group, set()).add(fold)
    return sum(len(each) > 1 for each in found.values())


def same_size(a, b) -> bool:
    edges = [*range(1, 10), 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
    return not any(min(a, b) < edge <= max(a, b) for edge in edges)


def row_shape(labels, folds, n_splits, most=30) -> Fraction:
    """Give the largest distance of a fold's numbers of labels a row from those of all folds."""
    used, n_labels = folds[folds >= 0], labels[folds >= 0].sum(axis=1, dtype=int).tolist()
    distinct = sorted(set(n_labels))
    kinds = {number: number for number in distinct}
    if len(distinct) > most:
        for number in distinct:
            middle = sum(other < number for other in n_labels) + Fraction(n_labels.count(number), 2)
            kinds[number] = "none" if number == 0 else (most * middle / len(n_labels)).__floor__()
    of_row = [kinds[number] for number in n_labels]
    whole = [Fraction(of_row.count(kind), len(of_row)) for kind in sorted(set(of_row), key=str)]
    distances = []
    for fold in set(used.tolist()):
        held = [kind for kind, where in zip(of_row, used, strict=True) if where == fold]
        part = [Fraction(held.count(kind), len(held)) for kind in sorted(set(of_row), key=str)]
        distances.append(variation(part, whole))
    return max(distances)


def variation(a, b) -> Fraction:
    """Total variation distance of two divisions of one."""
    return sum(abs(x - y) for x, y in zip(a, b, strict=True)) / Fraction(2)


# Bounds, by looking at every way to put a class's positives into the folds.


def compositions(c, sizes):
    """Every way to put c positives into folds of these sizes."""
    for head in itertools.product(*(range(min(c, size) + 1) for size in sizes[:-1])):
        rest = c - sum(head)
        if 0 <= rest <= sizes[-1]:
            yield (*head, rest)


def rld_bound(c, sizes) -> Fraction:
    d = Fraction(c, sum(sizes))
    return min(
        sum(abs(1 - Fraction(held, size) / d) if size else 1 for held, size in zip(way, sizes, strict=True))
        / Fraction(len(sizes))
        for way in compositions(c, sizes)
    )


def dcp_bound(c, sizes, shares=None) -> Fraction:
    wanted = [Fraction(1, len(sizes))] * len(sizes) if shares is None else [Fraction(share) for share in shares]
    return min(
        abs(max(Fraction(held, c) - share for held, share in zip(way, wanted, strict=True)))
        for way in compositions(c, sizes)
    )


def least_distance(total, weights) -> Fraction:
    """Find the least distance between shares of so many whole things and these weights, by looking at every way."""
    due = [Fraction(weight, sum(weights)) for weight in weights]
    ways = compositions(total, [total] * len(weights))
    return min(variation([Fraction(held, total) for held in way], due) for way in ways)


def every_split(folds):
    """Give every way to divide the rows into folds of the same sizes."""
    return (np.array(way, dtype=np.int32) for way in set(itertools.permutations(folds.tolist())))


# Algorithm 1, everything computed afresh at every step.


def optisplit(labels, n_splits, seed, measure="rld", max_epochs=3, initial=None) -> tuple[np.ndarray, Fraction]:
    """Run the algorithm with random ties; return the folds and their summed score.

    Whether the summed score falls is decided in exact fractions. The order of the classes is by their scores as
    floating point numbers: classes with equal scores may differ in the last digit, and that digit is theirs.
    """
    rng = np.random.default_rng(seed)
    folds = random_start(len(labels), n_splits, rng) if initial is None else np.array(initial)
    n_rows, n_labels = labels.shape
    is_majority = 2 * labels.sum(axis=0, dtype=int) > n_rows
    smaller_side = labels.astype(bool) ^ is_majority
    row_order = np.lexsort((rng.permutation(n_rows), smaller_side.sum(axis=1))).tolist()

    def summed(candidate) -> Fraction:
        return sum((score for score in MEASURES[measure](labels, candidate, n_splits) if score), Fraction(0))

    loss = summed(folds)
    for _ in range(max_epochs):
        rank, n_kept = 0, 0
        for _ in range(n_labels):
            scores = float_scores(labels, folds, n_splits, measure)
            label = sorted(range(n_labels), key=lambda each: (-scores[each], each))[rank]
            candidate = balance(folds, np.flatnonzero(smaller_side[:, label]), n_splits, row_order)
            candidate_loss = summed(candidate)
            if candidate_loss < loss and n_empty(candidate, n_splits) <= n_empty(folds, n_splits):
                folds, loss, n_kept = candidate, candidate_loss, n_kept + 1
            else:
                rank += 1
        if n_kept == 0:
            break
    return folds, loss


def n_empty(folds, n_splits) -> int:
    """Count the folds without a row."""
    return int((np.bincount(folds, minlength=n_splits) == 0).sum())


def random_start(n_rows, n_splits, rng) -> np.ndarray:
    """Deal rows in random order: the first folds get a row more where they do not divide evenly."""
    folds = np.empty(n_rows, dtype=np.int32)
    order = rng.permutation(n_rows).tolist()
    for fold in range(n_splits):
        size = n_rows // n_splits + (fold < n_rows % n_splits)
        folds[order[:size]] = fold
        del order[:size]
    return folds


def balance(folds, members, n_splits, row_order) -> np.ndarray:
    """Move members of one class so that every fold has its share of them."""
    share, remainder = divmod(len(members), n_splits)
    lacking, excess = {}, []
    for fold in range(n_splits):
        held = [row for row in row_order if row in set(members.tolist()) and folds[row] == fold]
        target = share + (fold < remainder)
        excess += held[: max(0, len(held) - target)]
        if len(held) < target:
            lacking[fold] = target - len(held)
    result = folds.copy()
    for fold, number in lacking.items():
        for row in excess[:number]:
            result[row] = fold
        excess = sorted(excess[number:])
    return result


def float_scores(labels, folds, n_splits, measure) -> np.ndarray:
    """Score each class in floating point; 0 where it is not scored."""
    n_rows, n_labels = labels.shape
    scores = np.zeros(n_labels)
    for label in range(n_labels):
        c = int(labels[:, label].sum())
        if not 0 < c < n_rows:
            continue
        held = [int(labels[folds == fold, label].sum()) for fold in range(n_splits)]
        sizes = [max(1, int((folds == fold).sum())) for fold in range(n_splits)]
        if measure == "dcp":
            scores[label] = abs(max(held) * (1 / c) - 1 / n_splits)
            continue
        for in_fold, size in zip(held, sizes, strict=True):
            if measure == "rld":
                term = abs(1.0 - in_fold * (n_rows / size * (1 / c)))
            else:
                odds = size - 1.0 if in_fold == size else in_fold / (size - in_fold)
                term = abs(odds - c / (n_rows - c))
            scores[label] += term / n_splits
    return scores


# Stratification by the product of label frequencies, in exact fractions.


def pmbsrs(labels, n_splits, seed) -> tuple[np.ndarray, list[list[int]]]:
    """Give the folds, and the rows of each stratum."""
    rng = np.random.default_rng(seed)
    n_rows = len(labels)
    products = []
    for row in labels:
        product = Fraction(1)
        for label in np.flatnonzero(row):
            product *= Fraction(int(labels[:, label].sum()), n_rows)
        products.append(product)
    ranked = sorted(rng.permutation(np.arange(n_rows)).tolist(), key=lambda row: products[row])
    strata, dealt = [], []
    for number in range(n_splits):
        size = n_rows // n_splits + (number < n_rows % n_splits)
        strata.append(ranked[:size])
        del ranked[:size]
        drawn = np.array(strata[-1])
        rng.shuffle(drawn)
        dealt += drawn.tolist()
    folds = np.empty(n_rows, dtype=np.int32)
    for turn, row in enumerate(dealt):
        folds[row] = turn % n_splits
    return folds, strata


# Stratified sampling, everything counted and scored afresh in every epoch.


def stratified_sampling(labels, n_splits, seed, sizes=None) -> np.ndarray:
    """Take folds out of the remaining rows; one random number at a time, in the order of the rows."""
    rng = np.random.default_rng(seed)
    aims = [len(labels) // n_splits] * n_splits if sizes is None else list(sizes)
    folds = np.full(len(labels), n_splits - 1, dtype=np.int32)
    remaining = list(range(len(labels)))
    for fold in range(n_splits - 1):
        share = aims[fold] / len(remaining)
        if share >= 1:
            share = aims[fold] / sum(aims[fold:])
        sides = hold_out(labels[remaining], share, rng)
        test = [at for at, side in enumerate(sides) if side == "test"]
        n_folds_left = n_splits - 1 - fold
        if not test:
            test = [int(rng.integers(len(remaining)))]
        elif len(remaining) - len(test) < n_folds_left:
            n_back = n_folds_left - (len(remaining) - len(test))
            test = sorted(set(test) - set(rng.choice(np.array(test), n_back, replace=False).tolist()))
        taken = [remaining[at] for at in test]
        folds[taken] = fold
        remaining = [row for row in remaining if row not in taken]
    return folds


def hold_out(labels, share, rng) -> list[str]:
    """Put each row in test or train, and let rows change sides for 50 epochs."""
    sides = ["test" if rng.random() < share else "train" for _ in labels]
    mean_labels = int(labels.sum(dtype=int)) / len(labels)
    if mean_labels == 0:
        return sides
    for epoch in range(50):
        scores = row_scores(labels, sides, label_scores(labels, sides, share, mean_labels))
        low = [score for score in scores if score < mean_labels]
        threshold = max(0, np.quantile(low, 1 - 0.1 / (1 + 0.1) ** epoch)) if low else 0
        for row, score in enumerate(scores):
            if score >= mean_labels:
                changes = rng.random() < 0.25 / (1 + 0.05) ** epoch
            else:
                changes = score > threshold and rng.random() < 0.1 / (1 + 0.1) ** epoch
            if changes:
                sides[row] = "train" if sides[row] == "test" else "test"
    return sides


def label_scores(labels, sides, share, mean_labels) -> list[float]:
    """Score labels: above 0 where the test part has too much."""
    scores = []
    for column in labels.T:
        count = int(column.sum())
        in_test = sum(int(value) for value, side in zip(column, sides, strict=True) if side == "test")
        if count <= 1:
            scores.append(0.0)
        elif in_test / count >= share:
            scores.append((in_test / count - share) / (1 - share) + (mean_labels if in_test / count > 0.999 else 0))
        else:
            scores.append((in_test / count - share) / share - (mean_labels if in_test / count < 0.001 else 0))
    return scores


def row_scores(labels, sides, scores_of_labels) -> list[float]:
    """Add up how much each row's labels are too many on its side, or take away how much they are too few."""
    scores = []
    for row, side in zip(labels, sides, strict=True):
        total = 0.0
        for label in np.flatnonzero(row):
            is_too_many = side == ("test" if scores_of_labels[label] > 0 else "train")
            total += abs(scores_of_labels[label]) if is_too_many else -abs(scores_of_labels[label])
        scores.append(total)
    return scores


# Iterative stratification, what is wanted counted afresh at every step, in exact fractions.


def iterative_stratification(labels, n_splits, seed, sizes=None, with_pairs=False) -> np.ndarray:
    """Hand out rows by the rarest remaining pair of labels, if wished, then by the rarest label, then the rest."""
    rng = np.random.default_rng(seed)
    n_rows, n_labels = labels.shape
    shares, rows_due = [Fraction(1, n_splits)] * n_splits, [Fraction(n_rows, n_splits)] * n_splits
    if sizes is not None:
        shares, rows_due = shares_of_labels(sizes), [Fraction(size) for size in sizes]
    order = rng.permutation(n_rows).tolist()
    if len(set(shares)) == 1:
        order.sort(key=lambda row: int(labels[row].sum(dtype=int)))
    draws = rng.random(n_rows)
    folds = np.full(n_rows, -1, dtype=np.int32)

    def wanted(has_it) -> list[Fraction]:
        held = [int((has_it & (folds == part)).sum()) for part in range(n_splits)]
        return [int(has_it.sum()) * share - held_there for share, held_there in zip(shares, held, strict=True)]

    def place(row, *wishes) -> None:
        held = np.bincount(folds[folds >= 0], minlength=n_splits)
        wishes = (*wishes, [due - int(held_there) for due, held_there in zip(rows_due, held, strict=True)])
        by_part = list(zip(*wishes, strict=True))
        tied = [part for part in range(n_splits) if by_part[part] == max(by_part)]
        folds[row] = tied[int(draws[row] * len(tied))]

    has = labels.astype(bool)
    singles = [(label,) for label in range(n_labels)]
    pairs = [pair for pair in itertools.combinations(range(n_labels), 2) if has[:, pair].all(axis=1).any()]
    for items in [pairs, singles] if with_pairs else [singles]:
        has_item = [has[:, item].all(axis=1) for item in items]
        left = [int(each[folds == -1].sum()) for each in has_item]
        item_draws = iter(rng.random(len(items), dtype=np.float32).tolist())
        queue = sorted(range(len(items)), key=left.__getitem__)
        while any(left):
            rarest = [item for item in queue if left[item] == min(filter(None, left))]
            taken = rarest[int(next(item_draws) * len(rarest))]
            for row in [row for row in order if has_item[taken][row] and folds[row] == -1]:
                wishes = [wanted(has_item[taken])]
                if items is pairs:
                    of_labels = [wanted(has[:, label]) for label in items[taken]]
                    wishes.append([sum(each) for each in zip(*of_labels, strict=True)])
                place(row, *wishes)
                for item in [item for item in range(len(items)) if has_item[item][row]]:
                    # it changes places with the first of those of which as many rows were left
                    here, there = queue.index(item), [left[each] for each in queue].index(left[item])
                    queue[here], queue[there] = queue[there], queue[here]
                    left[item] -= 1
    for row in order:
        if folds[row] == -1:
            place(row)
    return folds


def shares_of_labels(sizes) -> list[Fraction]:
    """Give each part the share of the smallest part that is a row smaller at most."""
    lowest = {}
    for size in sorted(sizes):
        lowest[size] = next((each for each in sorted(set(lowest.values())) if size - each <= 1), size)
    wishes = [lowest[size] for size in sizes]
    return [Fraction(int(wish), int(sum(wishes))) for wish in wishes]
