"""The vector loop against a plain twin, addition by addition."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from optisplit.kernels.lanes import LANES, sum_changes


@njit  # not kept on disk, where it would outlive a change of what it tests
def summed(indices, begin, end, amounts, stride, weights, table, width, first, last, own, sums):
    return sum_changes(indices, begin, end, amounts, stride, weights, table, width, first, last, own, sums)


def twin(indices, begin, end, amounts, stride, weights, table, width, own):
    """Add in single precision, label by label, ``abs(x + m) - abs(x)`` for entering and ``abs(x - m) - abs(x)``."""
    entering, leaving = np.zeros(width, dtype=np.float32), np.float32(0)
    for at in range(begin, end):
        amount, weight = amounts[at * stride], weights[indices[at]]
        twice = table[indices[at] * width : (indices[at] + 1) * width]
        entering += weight * np.clip(twice + amount, -amount, amount)
        leaving += weight * np.clip(amount - twice[own], -amount, amount)
    return entering, leaving


def problem(seed, width, n_labels=9, n_entries=40, index_type=np.int32):
    rng = np.random.default_rng(seed)
    return {
        "indices": rng.integers(0, n_labels, n_entries).astype(index_type),
        "amounts": rng.integers(1, 6, n_entries).astype(np.float32),
        "weights": rng.random(n_labels, dtype=np.float32),
        "table": (rng.integers(-6_000, 6_000, n_labels * width) / 512).astype(np.float32),
    }


def run(given, begin, end, stride, width, own, first=0, last=None):
    sums = np.full(width, np.nan, dtype=np.float32)
    words = [np.uint64(each) for each in (begin, end, stride, width, first, width if last is None else last, own)]
    begin, end, stride, *folds = words
    arrays = given["indices"], begin, end, given["amounts"], stride, given["weights"], given["table"]
    left = summed(*arrays, *folds, sums)
    return sums, left


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize("stride", [0, 1])
@pytest.mark.parametrize("width", [LANES, 2 * LANES, 3 * LANES])
def test_equal_to_the_twin_to_the_last_bit(width, stride, index_type):
    for seed in range(20):
        given = problem(seed, width, index_type=index_type)
        before = {name: array.copy() for name, array in given.items()}
        begin, end = sorted(np.random.default_rng(seed).integers(0, 41, 2).tolist())
        own = seed % width
        sums, left = run(given, begin, end, stride, width, own)
        expected, leaving = twin(**given, begin=begin, end=end, stride=stride, width=width, own=own)
        np.testing.assert_array_equal(sums, expected)
        assert left == leaving
        assert all(np.array_equal(given[name], array) for name, array in before.items())


def test_a_part_of_the_folds():
    given = problem(2, 3 * LANES)
    everything, leaving = run(given, 0, 40, 1, 3 * LANES, 5)
    for first, last, stop in ((0, 8, 8), (8, 9, 16), (8, 24, 24)):  # a step is of as many folds as there are lanes
        sums, left = run(given, 0, 40, 1, 3 * LANES, 5, first, last)
        np.testing.assert_array_equal(sums[first:stop], everything[first:stop])
        assert np.isnan(np.delete(sums, np.s_[first:stop])).all()
        assert left == leaving


def test_without_entries_all_is_zero():
    given = problem(0, LANES)
    sums, left = run(given, 7, 7, 1, LANES, 3)
    assert left == 0
    assert not sums.any()


def test_it_is_the_change_of_a_sum_of_distances():
    given = problem(1, LANES)
    given["weights"][:] = 1
    sums, left = run(given, 0, 1, 1, LANES, 2)
    amount, label = given["amounts"][0], given["indices"][0]
    away = given["table"].reshape(-1, LANES)[label].astype(float) / 2
    np.testing.assert_allclose(sums, abs(away + amount) - abs(away), atol=1e-5)
    assert left == pytest.approx(abs(away[2] - amount) - abs(away[2]), abs=1e-5)
