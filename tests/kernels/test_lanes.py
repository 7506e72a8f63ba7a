"""The vector loops against plain twins, addition by addition."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from optisplit.kernels.codes import FROZEN
from optisplit.kernels.lanes import LANES, add_prices, sum_changes, weigh_changes


@njit  # not kept on disk, where it would outlive a change of what it tests
def changed(indices, begin, end, amounts, stride, weights, table, width, first, last, own, scale, base, changes):
    sum_changes(indices, begin, end, amounts, stride, weights, table, width, first, last, own, scale, base, changes)


@njit
def priced(changes, prices, leaving, own):
    return add_prices(changes, prices, leaving, own)


@njit
def weighed(changes, least, coldness):
    return weigh_changes(changes, least, coldness)


def twin(indices, begin, end, amounts, stride, weights, table, scale, width, own):
    """Add in single precision, label by label, ``abs(x + m) - abs(x)`` for entering and ``abs(x - m) - abs(x)``."""
    entering, leaving = np.zeros(width, dtype=np.float32), np.float32(0)
    for at in range(begin, end):
        amount, weight = amounts[at * stride], weights[indices[at]]
        twice = table[indices[at] * width : (indices[at] + 1) * width]
        entering += weight * np.clip(twice + amount, -amount, amount)
        leaving += weight * np.clip(amount - twice[own], -amount, amount)
    changes = entering * scale + leaving * scale[own]
    changes[own] = 0
    return changes


def problem(seed, width, n_labels=9, n_entries=40, index_type=np.int32):
    rng = np.random.default_rng(seed)
    return {
        "indices": rng.integers(0, n_labels, n_entries).astype(index_type),
        "amounts": rng.integers(1, 6, n_entries).astype(np.float32),
        "weights": rng.random(n_labels, dtype=np.float32),
        "table": (rng.integers(-6_000, 6_000, n_labels * width) / 512).astype(np.float32),
        "scale": rng.random(width, dtype=np.float32),
    }


def run(given, begin, end, stride, width, own, first=0, last=None, before=None):
    changes = np.full(width, np.nan, dtype=np.float32) if before is None else before.copy()
    words = [np.uint64(each) for each in (begin, end, stride, width, first, width if last is None else last, own)]
    begin, end, stride, *folds = words
    arrays = given["indices"], begin, end, given["amounts"], stride, given["weights"], given["table"]
    changed(*arrays, *folds, given["scale"], np.zeros_like(changes) if before is None else changes, changes)
    return changes


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize("stride", [0, 1])
@pytest.mark.parametrize("width", [LANES, 2 * LANES, 3 * LANES])
def test_equal_to_the_twin_to_the_last_bit(width, stride, index_type):
    for seed in range(20):
        given = problem(seed, width, index_type=index_type)
        before = {name: array.copy() for name, array in given.items()}
        begin, end = sorted(np.random.default_rng(seed).integers(0, 41, 2).tolist())
        own = seed % width
        expected = twin(**given, begin=begin, end=end, stride=stride, width=width, own=own)
        np.testing.assert_array_equal(run(given, begin, end, stride, width, own), expected)
        start = np.random.default_rng(seed).random(width, dtype=np.float32)
        added = np.where(np.arange(width) == own, np.float32(0), start + expected)
        np.testing.assert_array_equal(run(given, begin, end, stride, width, own, before=start), added)
        assert all(np.array_equal(given[name], array) for name, array in before.items())


def test_a_part_of_the_folds():
    given = problem(2, 3 * LANES)
    everything = run(given, 0, 40, 1, 3 * LANES, 5)
    for first, last, stop in ((0, 8, 8), (8, 9, 16), (8, 24, 24)):  # a step is of as many folds as there are lanes
        changes = run(given, 0, 40, 1, 3 * LANES, 5, first, last)
        np.testing.assert_array_equal(changes[first:stop], everything[first:stop])
        assert np.isnan(np.delete(changes, np.s_[first:stop])).all()


def test_without_entries_all_is_zero():
    assert not run(problem(0, LANES), 7, 7, 1, LANES, 3).any()


def test_it_is_the_change_of_a_sum_of_distances():
    given = problem(1, LANES)
    given["weights"][:], given["scale"][:] = 1, 1
    changes = run(given, 0, 1, 1, LANES, 2)
    amount, label = given["amounts"][0], given["indices"][0]
    away = given["table"].reshape(-1, LANES)[label].astype(float) / 2
    expected = abs(away + amount) - abs(away) + abs(away[2] - amount) - abs(away[2])
    expected[2] = 0
    np.testing.assert_allclose(changes, expected, atol=1e-5)


@pytest.mark.parametrize("width", [LANES, 3 * LANES])
def test_prices_are_added_and_the_least_change_of_other_folds_is_found(width):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n_splits, own, leaving = width - seed % 4, seed % (width - 3), np.float32(rng.normal())
        before, prices = rng.normal(size=(2, width)).astype(np.float32)
        prices[n_splits:] = np.inf
        changes, expected = before.copy(), before + (prices + leaving)
        least = priced(changes, prices, leaving, np.uint64(own))
        expected[own] = 0
        np.testing.assert_array_equal(changes, expected)
        assert least == np.delete(expected, own).min()


@pytest.mark.parametrize("width", [LANES, 3 * LANES])
def test_weights_are_those_of_thermal_equilibrium(width):
    for seed in range(20):
        changes = np.random.default_rng(seed).exponential(4, width).astype(np.float32)
        changes[0], changes[-2:] = 0, (100, np.inf)
        before = changes.astype(float)
        total = weighed(changes, np.float32(0), np.float32(2))
        exact = np.where(before * 2 < FROZEN, np.exp(-2 * before), 0)
        np.testing.assert_allclose(changes, exact, rtol=0.02)
        assert changes[0] == 1
        assert total == pytest.approx(changes.sum(), rel=1e-6)
