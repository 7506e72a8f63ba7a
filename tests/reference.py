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
