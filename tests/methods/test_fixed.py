"""Rows whose place is given: in a fold, or always in training."""

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

EMOTIONS = optisplit.load("emotions")
METHODS = ["optisplit-sa", "random"]


def quick(method):
    return {"effort": "quick"} if method == "optisplit-sa" else {}


@SETTINGS
@given(
    labels=label_matrices(min_rows=8),
    n_splits=st.integers(2, 4),
    places=st.lists(st.sampled_from([FREE, FREE, FREE, FREE, -1, 0, 1, 2, 3]), min_size=24, max_size=24),
    method=st.sampled_from(METHODS),
    measure=st.sampled_from(["rld", "dcp", "ld"]),
    seed=st.integers(0, 9),
)
def test_fixed_rows_stay_and_sizes_include_them(labels, n_splits, places, method, measure, seed):
    fixed = np.array(places[: len(labels)])
    fixed[fixed >= n_splits] = FREE
    in_folds = int((fixed != -1).sum())
    held = np.bincount(fixed[fixed >= 0], minlength=n_splits)
    options = {"measure": measure, "effort": "quick"} if method == "optisplit-sa" else {}
    if in_folds < n_splits or np.maximum(held - in_folds // n_splits, 0).sum() > in_folds % n_splits:
        with pytest.raises(OptionError, match=r"^fixed rows make these sizes impossible|rows? (is|are) left for"):
            split(labels, n_splits, fixed=fixed, method=method, **options)
        return
    if (np.maximum(held - in_folds // n_splits, 0) > 1).any():
        return
    folds = split(labels, n_splits, fixed=fixed, method=method, random_state=seed, **options)
    is_fixed = fixed != FREE
    np.testing.assert_array_equal(folds[is_fixed], fixed[is_fixed])
    assert (folds[~is_fixed] >= 0).all()
    sizes = np.bincount(folds[folds >= 0], minlength=n_splits)
    assert sizes.sum() == in_folds
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
def test_the_others_make_up_for_what_is_fixed(measure):
    # fold 0 is given nearly all its rows, chosen badly; what is left can still be balanced
    carriers = np.flatnonzero(EMOTIONS.labels.toarray()[:, 0])
    fixed = np.full(593, FREE)
    fixed[carriers[:30]] = 0
    fixed[carriers[30:60]] = -1
    folds = split(EMOTIONS, 5, fixed=fixed, measure=measure, rare="cover", random_state=1)
    np.testing.assert_array_equal(folds[fixed != FREE], fixed[fixed != FREE])
    report = evaluate(EMOTIONS, folds)
    assert report.n_rows == 563
    assert report.ed < 0.5
    assert report.rld <= report.rld_bound * 1.25
    assert report.dcp <= report.dcp_bound * 1.5


def test_rows_always_in_training_do_not_matter():
    fixed = np.where(np.random.default_rng(0).random(593) < 0.2, -1, FREE)
    changed = EMOTIONS.labels.toarray()
    changed[fixed == -1] = changed[fixed == -1][:, ::-1]
    folds = split(EMOTIONS, 4, fixed=fixed, rare="cover", random_state=0)
    np.testing.assert_array_equal(folds == -1, fixed == -1)
    np.testing.assert_array_equal(split(changed, 4, fixed=fixed, rare="cover", random_state=0), folds)
    report, rest = evaluate(EMOTIONS, folds), evaluate(EMOTIONS.labels.toarray()[folds >= 0], folds[folds >= 0])
    assert (report.rld, report.dcp, report.ld, report.ed) == (rest.rld, rest.dcp, rest.ld, rest.ed)
    assert report.rld <= report.rld_bound * 1.02


def test_all_rows_fixed():
    fixed = np.random.default_rng(0).permutation(np.arange(60) % 3)
    for method in METHODS:
        for measure in ("rld", "dcp", "ld") if method == "optisplit-sa" else (None,):
            folds = split(EMOTIONS.labels[:60], 3, fixed=fixed, method=method, measure=measure)
            np.testing.assert_array_equal(folds, fixed)
        groups = fixed * 100
        np.testing.assert_array_equal(split(EMOTIONS.labels[:60], 3, fixed=fixed, groups=groups, method=method), fixed)
    np.testing.assert_array_equal(
        split(EMOTIONS.labels[:60], fixed=fixed, fold_sizes=[20, 20, 20], balance_pairs=True), fixed
    )


def test_one_row_free():
    fixed = np.append(np.arange(59) % 3, FREE)
    for method in METHODS:
        folds = split(EMOTIONS.labels[:60], 3, fixed=fixed, method=method)
        np.testing.assert_array_equal(folds[:59], fixed[:59])
        assert folds[59] == 2


def test_no_row_fixed_is_the_same_as_no_fixed_rows():
    plain = split(EMOTIONS, 5, random_state=0, effort="quick")
    for nothing in (np.full(593, FREE), [None] * 593, np.full(593, np.nan), pd.array([None] * 593, dtype="Int64")):
        np.testing.assert_array_equal(split(EMOTIONS, 5, fixed=nothing, random_state=0, effort="quick"), plain)


@pytest.mark.parametrize("method", METHODS)
def test_with_groups(method):
    groups = np.random.default_rng(1).integers(0, 90, 593)
    fixed = np.full(593, np.nan)
    # one row of each of these groups says where the group goes
    where = {7: 0, 8: 1, 9: 1, 10: -1, 11: 2}
    for group, place in where.items():
        fixed[np.flatnonzero(groups == group)[-1]] = place
    folds = split(EMOTIONS, 3, groups=groups, fixed=fixed, method=method, random_state=0, **quick(method))
    for group in range(90):
        assert len(set(folds[groups == group])) == 1
    for group, place in where.items():
        assert set(folds[groups == group]) == {place}
    np.testing.assert_array_equal(folds == -1, groups == 10)
    sizes = np.bincount(folds[folds >= 0])
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("method", METHODS)
def test_with_groups_and_parts(method):
    groups = np.random.default_rng(1).integers(0, 150, 593)
    fixed = np.where(groups == 3, 2, np.where(groups == 4, -1, FREE))
    folds = split(
        EMOTIONS, fold_sizes=[0.7, 0.2, 0.1], groups=groups, fixed=fixed, method=method, random_state=0, **quick(method)
    )
    in_folds = int((groups != 4).sum())
    assert abs(np.bincount(folds[folds >= 0]) - np.array([0.7, 0.2, 0.1]) * in_folds).max() < 1
    assert set(folds[groups == 3]) == {2}
    np.testing.assert_array_equal(folds == -1, groups == 4)


def test_a_given_test_set():
    # a common wish: the test part exists, and the rest is to be divided into training and validation
    fixed = np.where(np.arange(593) >= 500, 2, FREE)
    folds = split(EMOTIONS, fold_sizes=[400, 100, 93], fixed=fixed, random_state=0)
    np.testing.assert_array_equal(folds == 2, fixed == 2)
    assert np.bincount(folds).tolist() == [400, 100, 93]
    rest = evaluate(EMOTIONS.labels[:500], folds[:500], shares=[0.8, 0.2])
    assert rest.rld < 0.02


def test_a_split_with_rows_always_in_training_goes_on_from_itself():
    fixed = np.where(np.arange(593) < 50, -1, FREE)
    first = split(EMOTIONS, 5, fixed=fixed, random_state=0, effort="quick")
    second = split(EMOTIONS, 5, fixed=fixed, initial=first, random_state=1, effort="quick")
    assert evaluate(EMOTIONS, second).rld <= evaluate(EMOTIONS, first).rld + 1e-9
    np.testing.assert_array_equal(second[:50], np.full(50, -1))
