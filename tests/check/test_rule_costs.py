"""What groups, fixed rows and pairs cost in fairness, beside all splits that there are."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from optisplit import FREE, evaluate
from optisplit.check.costs import rule_costs


def all_splits(sizes, groups, fixed):
    """Every split of these sizes that keeps groups whole and fixed rows in place."""
    for places in itertools.product(range(len(sizes)), repeat=int(groups.max()) + 1):
        folds = np.array(places)[groups]
        if np.bincount(folds, minlength=len(sizes)).tolist() == list(sizes) and (
            (fixed == FREE) | (folds == fixed)
        ).all():  # fmt: skip
            yield folds


@pytest.mark.parametrize("seed", range(40))
def test_what_is_forced_is_in_every_split(seed):
    rng = np.random.default_rng(seed)
    labels = (rng.random((12, 3)) < rng.choice([0.2, 0.5, 0.9], 3)).astype(int)
    labels[:2] = [1, 0, 1], [0, 1, 0]
    n_groups = int(rng.integers(3, 7))
    groups = np.sort(np.append(np.arange(n_groups), rng.integers(0, n_groups, 12 - n_groups)))
    start = rng.permutation(np.arange(n_groups) % 3)[groups]
    sizes = np.bincount(start, minlength=3)
    fixed = np.where(np.isin(groups, rng.integers(0, n_groups, rng.integers(0, 2))), start, FREE)
    given = {"groups": groups, "fixed": fixed if (fixed != FREE).any() else None, "n_splits": 3}
    splits = list(all_splits(sizes, groups, fixed))
    beyond = [evaluate(labels, folds, n_splits=3).beyond_rounding for folds in splits]
    forced = {rule_costs(labels, folds, **given).n_forced for folds in splits}
    assert len(forced) == 1  # it does not depend on the split at hand
    assert forced.pop() <= min(beyond)


def cost_of(column, folds, **rules):
    return rule_costs(np.array(column)[:, None], folds, **rules)


def test_a_large_group_and_whole_groups_are_seen():
    folds = np.repeat([0, 1, 2, 3], 4)
    # all four positives are in one group, and one is due to each fold: three too many, three lacking
    found = cost_of([1, 1, 1, 1] + [0] * 12, folds, groups=folds)
    assert (found.n_forced, found.excess["beyond_rounding"]) == (3, 3)
    # pairs of two: two folds have two where one is due, two have none
    found = cost_of([1, 1, 0, 0] * 2 + [0] * 8, folds, groups=np.arange(16) // 2)
    assert (found.n_forced, found.excess["beyond_rounding"]) == (2, 2)


def test_fixed_rows_bring_too_many():
    folds = np.repeat([0, 1], 8)
    column, fixed = np.zeros(16, int), np.full(16, FREE)
    column[:4], fixed[:4] = 1, 0
    found = cost_of(column, folds, fixed=fixed)
    assert (found.n_forced, found.excess["beyond_rounding"]) == (2, 2)  # 4 and 0 in place of 2 and 2
    found = cost_of(column, folds, fixed=np.where(np.arange(16) < 2, 0, FREE))
    assert (found.n_forced, found.excess["beyond_rounding"]) == (0, 2)  # the other two could be moved
    always = np.where(np.arange(16) < 4, -1, FREE)
    assert cost_of(column, np.where(np.arange(16) < 4, -1, folds), fixed=always).n_forced == 0


def test_sentences():
    folds = np.repeat([0, 1], 8)
    assert cost_of([1, 0] * 8, folds) is None
    assert cost_of([1, 0] * 8, folds, groups=np.arange(16) // 2).sentence == (
        "Fairness: groups cost nothing; no split without them could be fairer."
    )
    assert cost_of([1, 0] * 8, folds, groups=np.arange(16) // 2, balance_pairs=True).rules == ("groups", "label pairs")
    column = [1] * 4 + [0] * 12
    assert cost_of(column, folds, groups=np.arange(16) // 4, fixed=[None] * 16).sentence == (
        "Fairness: groups and fixed rows cost at most 2 positives beyond rounding (2 in any split with these groups "
        "and fixed rows), 0.500 in rare shares and 0.250 in row shape."
    )
    assert cost_of(column, folds, balance_pairs=True).sentence == (
        "Fairness: label pairs cost at most 2 positives beyond rounding, 0.500 in rare shares and 0.250 in row shape."
    )
