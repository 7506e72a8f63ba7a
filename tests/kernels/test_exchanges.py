"""Exchanges of rows until amounts are even."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from optisplit import kernels

exchanges = kernels.exchanges


def problem(seed: int = 0):
    """24 rows in 3 folds, 4 columns of amounts, and what is in each fold."""
    rng = np.random.default_rng(seed)
    amounts = sp.csr_array(rng.poisson(0.7, (24, 4)).astype(np.float64))
    folds = rng.permutation(np.repeat(np.arange(3, dtype=np.int32), 8))
    folds[:2] = -1  # which stay where they are
    counts = np.array([amounts[folds == fold].sum(axis=0) for fold in range(3)]).T.copy()
    due = counts.sum(axis=1, keepdims=True) / 3
    by_column = amounts.tocsc()
    arrays = (amounts.indptr.astype(np.int64), amounts.indices.astype(np.int32), amounts.data,
              by_column.indptr.astype(np.int64), by_column.indices.astype(np.int32))  # fmt: skip
    limits = np.broadcast_to(np.floor(due), (4, 3)).copy(), np.broadcast_to(np.ceil(due), (4, 3)).copy()
    return amounts, arrays, (np.ones(4), *limits), folds, counts


def run(function, seed: int, n_steps: int = 3000):
    _, arrays, limits, folds, counts = problem(seed)
    state = np.array([seed + 1], dtype=np.uint64)
    function(*arrays, *limits, folds, counts, np.empty(12, dtype=np.int64), state, 0.5, 0.05, n_steps)
    return folds, counts


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_exchanged_until_all_is_within_limits(seed):
    amounts, _, (weights, low, high), before, _ = problem(seed)
    folds, counts = run(exchanges.exchange_at_random, seed)
    assert np.bincount(folds + 1).tolist() == np.bincount(before + 1).tolist()
    assert (folds[:2] == -1).all()
    for fold in range(3):
        np.testing.assert_allclose(counts[:, fold], amounts[folds == fold].sum(axis=0))
    assert exchanges.list_off(counts, weights, low, high, np.empty(12, dtype=np.int64)) == 0


def test_the_plain_twins_do_the_same():
    compiled, plain = run(exchanges.exchange_at_random, 1, 200), run(exchanges.exchange_at_random.py_func, 1, 200)
    np.testing.assert_array_equal(compiled[0], plain[0])
    np.testing.assert_allclose(compiled[1], plain[1])


def test_what_is_off_is_listed():
    counts, limits = np.array([[3.0, 1.0], [2.0, 2.0], [5.0, 0.0]]), np.full((3, 2), 2.0)
    off = np.empty(6, dtype=np.int64)
    for function in (exchanges.list_off, exchanges.list_off.py_func):
        assert function(counts, np.array([1.0, 1.0, 0.0]), limits, limits, off) == 2  # the last has no price
        assert off[:2].tolist() == [0, 1]
