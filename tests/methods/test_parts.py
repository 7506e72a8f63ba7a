"""Parts of unequal size, such as train, validation and test."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS, label_matrices

import optisplit
from optisplit import FREE, evaluate, split
from optisplit.errors import OptionError
from optisplit.folds.constraints import check_fold_sizes
from optisplit.measures.bounds import rld_bound_per_class

EMOTIONS = optisplit.load("emotions")
SHARES = ([0.8, 0.1, 0.1], [0.6, 0.4], [0.5, 0.2, 0.15, 0.1, 0.05])


@SETTINGS
@given(
    labels=label_matrices(min_rows=6),
    weights=st.lists(st.integers(1, 9), min_size=2, max_size=5),
    method=st.sampled_from(["optisplit-sa", "random"]),
    measure=st.sampled_from(["rld", "dcp", "ld"]),
    as_rows=st.booleans(),
    seed=st.integers(0, 9),
)
def test_sizes_are_exact_whatever_the_labels(labels, weights, method, measure, as_rows, seed):
    shares = np.array(weights) / sum(weights)
    if (shares * len(labels) < 1).any():
        return
    sizes = check_fold_sizes(shares, len(labels))
    options = {} if method == "random" else {"measure": measure, "effort": "quick"}
    given = sizes.tolist() if as_rows else shares
    folds = split(labels, fold_sizes=given, method=method, random_state=seed, **options)
    assert folds.dtype == np.int32
    assert np.bincount(folds, minlength=len(shares)).tolist() == sizes.tolist()


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
@pytest.mark.parametrize("shares", SHARES, ids=str)
def test_every_label_is_in_every_part_by_its_share(shares, measure):
    folds = split(EMOTIONS, fold_sizes=shares, measure=measure, rare="cover", random_state=0)
    report = evaluate(EMOTIONS, folds, shares=shares)
    assert report.ed < 1
    ideal = np.outer(report.fold_sizes / EMOTIONS.n_rows, report.positives)
    assert abs(report.counts - ideal).max() < 2  # of up to 264 positives
    assert report.rld <= (1.02 if measure == "rld" else 1.5) * report.rld_bound
    if measure == "dcp":
        sizes = report.fold_sizes / report.fold_sizes.sum()
        of_sizes = evaluate(EMOTIONS, folds, shares=sizes)
        assert of_sizes.dcp <= of_sizes.dcp_bound * 1.02 + 1e-9


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
@pytest.mark.parametrize("shares", SHARES, ids=str)
def test_parts_are_better_than_random_ones(shares, measure):
    for seed in range(3):
        found, by_chance = (
            evaluate(
                EMOTIONS, split(EMOTIONS, fold_sizes=shares, method=method, random_state=seed, **options), shares=shares
            )
            for method, options in (("optisplit-sa", {"measure": measure, "effort": "quick"}), ("random", {}))
        )
        assert getattr(found, measure) < 0.5 * getattr(by_chance, measure)
        assert found.rld < by_chance.rld


def test_the_order_of_parts_is_that_of_the_sizes():
    assert np.bincount(split(EMOTIONS, fold_sizes=[0.1, 0.8, 0.1], random_state=0)).tolist() == [59, 475, 59]


def test_shares_and_numbers_of_rows_mean_the_same():
    by_share = split(EMOTIONS, fold_sizes=[0.7, 0.2, 0.1], random_state=0, effort="quick")
    sizes = np.bincount(by_share)
    for given_sizes in (sizes, sizes.tolist(), pd.Series(sizes, index=["train", "validation", "test"])):
        by_rows = split(EMOTIONS, fold_sizes=given_sizes, random_state=0, effort="quick")
        np.testing.assert_array_equal(by_rows, by_share)


def test_equal_shares_are_equal_folds():
    labels = EMOTIONS.labels[:590]
    by_share = split(labels, fold_sizes=[0.2] * 5, random_state=0, effort="quick")
    np.testing.assert_array_equal(by_share, split(labels, 5, random_state=0, effort="quick"))


def test_a_part_of_a_single_row():
    scores = np.array([evaluate(EMOTIONS, (np.arange(593) == row).astype(int)).rld for row in range(593)])
    n_labels = EMOTIONS.labels.sum(axis=1)
    for rare in ("score", "cover"):
        folds = split(EMOTIONS, fold_sizes=[592, 1], rare=rare, random_state=0)
        assert np.bincount(folds).tolist() == [592, 1]
        row = int(np.flatnonzero(folds)[0])
        if rare == "cover":
            assert n_labels[row] == n_labels.max()
        else:
            assert scores[row] == pytest.approx(scores.min(), rel=1e-9)


def test_the_number_of_parts_has_to_agree():
    with pytest.raises(OptionError, match=r"^fold_sizes has 3 entries, but n_splits=4; leave n_splits out\.$"):
        split(EMOTIONS, 4, fold_sizes=[0.8, 0.1, 0.1])
    folds = split(EMOTIONS, 3, fold_sizes=[0.8, 0.1, 0.1], random_state=0, effort="quick")
    assert folds.max() == 2


def test_initial_parts_are_kept_where_nothing_is_better():
    start = split(EMOTIONS, fold_sizes=[0.8, 0.1, 0.1], random_state=0)
    score = evaluate(EMOTIONS, start).rld
    for seed in range(3):
        found = split(EMOTIONS, fold_sizes=[0.8, 0.1, 0.1], initial=start, random_state=seed, effort="quick")
        assert evaluate(EMOTIONS, found).rld <= score + 1e-9


def test_parts_reach_the_bound_of_one_label():
    rng = np.random.default_rng(0)
    for n_positives in (3, 10, 57, 199):
        labels = np.zeros((200, 1), dtype=np.int8)
        labels[rng.permutation(200)[:n_positives]] = 1
        folds = split(labels, fold_sizes=[0.7, 0.2, 0.1], random_state=0, rare="cover")
        bound = rld_bound_per_class([n_positives], [140, 40, 20])[0]
        if n_positives >= 20:
            assert evaluate(labels, folds).rld == pytest.approx(bound, abs=1e-9)
        else:  # each part has one, even where the bound would have none in the smallest
            assert evaluate(labels, folds).flz == 0
            without = split(labels, fold_sizes=[0.7, 0.2, 0.1], random_state=0, rare="score")
            assert evaluate(labels, without).rld == pytest.approx(bound, abs=1e-9)


def test_parts_with_fixed_rows():
    fixed = np.full(593, FREE)
    fixed[:40], fixed[40:60] = 2, -1
    folds = split(EMOTIONS, fold_sizes=[0.7, 0.2, 0.1], fixed=fixed, random_state=0)
    assert np.bincount(folds[folds >= 0]).tolist() == check_fold_sizes([0.7, 0.2, 0.1], 573).tolist()
    np.testing.assert_array_equal(folds[:60], fixed[:60])


@pytest.mark.parametrize("shares", [[0.8, 0.1, 0.1], [0.5, 0.3, 0.2]])
def test_parts_whose_labels_round_the_same_way_reach_their_sizes_and_the_bound(shares):
    # here nearly every label pulls rows into the smaller parts: with too low a price of sizes, 120 rows were moved
    # back at the end, at random as far as the labels go, and the score was 20 % above the bound
    data = optisplit.load("bibtex")
    report = optisplit.evaluate(
        data, optisplit.split(data, fold_sizes=shares, random_state=0, rare="cover"), shares=shares
    )
    assert report.rld <= 1.02 * report.rld_bound
