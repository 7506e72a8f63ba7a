"""Fair shares: labels of one size together and rows of each number of labels get what is due to each part."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import optisplit
from optisplit import evaluate, split
from optisplit.folds.constraints import check_constraints
from optisplit.labels import as_labels
from optisplit.methods.annealing.fairness import Fair, divide_at_random, due_to_folds
from optisplit.methods.annealing.units import Units

SHARES = [0.8, 0.1, 0.1]
SAMPLES = {name: optisplit.load(name) for name in ("emotions", "yeast", "enron", "medical", "bibtex")}


@pytest.mark.parametrize("sizes", [[80, 10, 10], [25, 25, 25, 25], [7, 1], [1, 2, 3, 4, 5]])
def test_amounts_are_divided_in_full_and_each_fold_gets_its_due(sizes):
    sizes = np.array(sizes)
    amounts = np.array([1, 0, 3, 14, 2, 80]) * int(sizes.sum()) // 20
    amounts[0] += -amounts.sum() % sizes.sum()  # so that whole numbers are due in all
    due = amounts[:, None] * sizes / sizes.sum()
    total = np.zeros(due.shape)
    for seed in range(400):
        divided = divide_at_random(due, np.random.default_rng(seed))
        np.testing.assert_array_equal(divided.sum(axis=1), amounts)
        np.testing.assert_array_equal(divided.sum(axis=0), due.sum(axis=0))
        assert (abs(divided - due) < 2).all()
        total += divided
    assert abs(total / 400 - due).max() < 0.15  # five standard errors of what is rounded up or down


def test_what_is_due_beside_rows_that_stay_by_hand():
    totals, sizes = np.array([10, 10, 10, 4]), np.array([60, 20, 20])
    fixed = np.array([[0, 0, 0], [0, 4, 0], [0, 0, 1], [0, 3, 1]], dtype=np.int32)
    held = np.array([0, 7, 2])
    # the second has 4 where 2 are due: 6 are left for the others, 3 to 1; the last: 0 are left beside 4
    expected = [[6, 2, 2], [4.5, 0, 1.5], [6, 2, 1], [0, 0, 0]]
    np.testing.assert_allclose(due_to_folds(totals, fixed, sizes, held), expected)
    # a fold without room keeps what it has
    full = np.array([0, 20, 2])
    expected = [[7.5, 0, 2.5], [4.5, 0, 1.5], [7.5, 0, 1.5], [0, 0, 0]]
    np.testing.assert_allclose(due_to_folds(totals, fixed, sizes, full), expected)


@pytest.mark.parametrize("shares", [SHARES, [0.5, 0.3, 0.2], [0.05] * 20])
def test_targets_are_what_is_due_rounded_up_or_down(shares):
    labels = SAMPLES["medical"].labels
    constraints = check_constraints(978, len(shares), fold_sizes=shares)
    fair = Fair.of(labels, Units.of(constraints), np.random.default_rng(0))
    positives = np.bincount(labels.indices, minlength=45)
    n_labels = np.diff(labels.indptr)
    # by hand: sizes of labels where parts differ in size, and rows with 1, 2 and 3 labels
    bands = [range(s, s + 1) for s in range(1, 10)] + [range(10, 20), range(20, 50), range(50, 100), range(100, 200)]
    bands += [range(200, 500)]
    of_sizes = [sum(p for p in positives if p in band) for band in bands] if np.ptp(constraints.sizes) > 1 else []
    totals = np.array([each for each in of_sizes if each] + [int((n_labels == n).sum()) for n in (1, 2, 3)])
    np.testing.assert_array_equal(fair.targets.sum(axis=1), totals)
    due = [[Fraction(int(total) * int(size), 978) for size in constraints.sizes] for total in totals]
    pairs = (zip(*each, strict=True) for each in zip(fair.targets, due, strict=True))
    off = np.array([[float(abs(target - exact)) for target, exact in each] for each in pairs])
    assert (off[: fair.n_sizes] < 1).all()
    assert (off < 2).all()


@pytest.mark.parametrize(
    ("name", "most_rld"),
    [("emotions", 0.0149), ("yeast", 0.0114), ("medical", 0.66), ("enron", 0.22), ("bibtex", 0.030)],
)
def test_parts_look_like_the_whole(name, most_rld):
    report = evaluate(SAMPLES[name], split(SAMPLES[name], fold_sizes=SHARES, random_state=0), shares=SHARES)
    assert report.beyond_rounding <= 1
    assert report.row_shape < 0.02
    assert report.rare_shares < report.score("rare_shares").bound + 0.02
    assert report.rld < most_rld


@pytest.mark.parametrize("name", ["emotions", "yeast", "enron", "medical", "bibtex"])
def test_folds_look_like_the_whole_at_next_to_no_price(name):
    data = SAMPLES[name]
    fair, lowest = (evaluate(data, split(data, 5, random_state=0, rare=rare)) for rare in ("share", "cover"))
    assert fair.row_shape < 0.016
    assert fair.row_shape < lowest.row_shape / 2
    assert fair.beyond_rounding == 0
    assert fair.rld <= 1.01 * lowest.rld + 0.0006  # of emotions a tenth of a row of each label


def a_table():
    """600 rows x 12 labels, 28 of them without any; the rarest label is on 3 rows."""
    rng = np.random.default_rng(5)
    labels = (rng.random((600, 12)) < np.geomspace(0.4, 0.006, 12)).astype(np.int8)
    for row in np.flatnonzero(labels.sum(axis=1) == 0)[28:]:
        labels[row, rng.integers(4)] = 1
    return labels


def test_every_kind_of_row_and_every_label_is_in_the_test_part_as_often_as_is_due():
    labels = a_table()
    tested = (
        np.array([split(labels, fold_sizes=[0.8, 0.2], random_state=seed, effort="quick") for seed in range(60)]) == 1
    )
    n_labels = labels.sum(axis=1)
    for number in range(5):
        here = n_labels == number
        assert abs(tested[:, here].mean() - 0.2) < 0.01
    rare = np.flatnonzero(labels.sum(axis=0) < 20)
    assert len(rare) >= 3
    together = np.array([[tested[:, labels[:, label] == 1].mean() for label in rare]])
    assert abs(together.mean() - 0.2) < 0.03


def test_groups_and_fixed_rows_are_kept_to_and_fair_as_far_as_that_goes():
    data = SAMPLES["bibtex"]
    groups = np.random.default_rng(0).integers(2_500, size=data.n_rows)
    fixed = np.full(data.n_rows, optisplit.FREE)
    fixed[:300] = 0
    for given in ({"groups": groups}, {"fixed": fixed}, {"groups": groups, "fixed": fixed}):
        folds = split(data, fold_sizes=SHARES, random_state=0, effort="quick", **given)
        by_chance = split(data, fold_sizes=SHARES, random_state=0, method="random", **given)
        fair, random = (evaluate(data, each, shares=SHARES) for each in (folds, by_chance))
        assert fair.row_shape < random.row_shape
        assert fair.rare_shares < random.rare_shares
        if "fixed" in given:
            assert (folds[:300] == 0).all()
        if "groups" in given:
            assert len(set(zip(groups.tolist(), folds.tolist(), strict=True))) == len(set(groups.tolist()))


def test_a_start_that_is_fair_is_not_made_unfair():
    data = SAMPLES["enron"]
    start = split(data, fold_sizes=SHARES, random_state=0)
    again = split(data, fold_sizes=SHARES, random_state=1, initial=start, effort="quick")
    before, after = (evaluate(data, each, shares=SHARES) for each in (start, again))
    assert after.beyond_rounding <= before.beyond_rounding + 1
    assert after.row_shape < 0.03


def test_tables_in_which_nothing_can_be_divided_are_no_obstacle():
    labels = as_labels(sp.csr_array((40, 3), dtype=np.int8))
    assert sorted(np.bincount(split(labels, fold_sizes=[0.75, 0.25], random_state=0)).tolist()) == [10, 30]
    labels = np.zeros((40, 3), dtype=np.int8)
    labels[:, 0] = 1
    labels[0, 1] = 1
    assert sorted(np.bincount(split(labels, fold_sizes=[0.75, 0.25], random_state=0)).tolist()) == [10, 30]
