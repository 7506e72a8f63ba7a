from __future__ import annotations

import numpy as np
import pytest
import reference

from optisplit.kernels import bounds as kernels
from optisplit.measures import bounds
from optisplit.measures.bounds import dcp_bound_per_class, rld_bound_per_class

ROUNDING = 1e-12
SIZES = {
    2: [(5, 5), (9, 9), (8, 1), (7, 2), (3, 12), (9, 0)],
    3: [(3, 3, 3), (4, 4, 3), (7, 1, 1), (1, 2, 8), (5, 0, 5), (2, 3, 11)],
    4: [(3, 3, 3, 3), (3, 2, 2, 2), (6, 1, 1, 1), (1, 1, 2, 9), (4, 4, 0, 4), (5, 4, 3, 2)],
}
CASES = [(sizes, c) for k in SIZES for sizes in SIZES[k] for c in range(1, min(9, sum(sizes)) + 1)]
SHARES = {2: [(0.5, 0.5), (0.75, 0.25)], 3: [(0.5, 0.25, 0.25)], 4: [(0.7, 0.1, 0.1, 0.1), (0.25, 0.5, 0.125, 0.125)]}


@pytest.mark.parametrize(("sizes", "c"), CASES)
def test_equal_to_a_full_search(sizes, c):
    assert rld_bound_per_class([c], sizes)[0] == pytest.approx(float(reference.rld_bound(c, sizes)), abs=ROUNDING)
    assert dcp_bound_per_class([c], sizes)[0] == pytest.approx(float(reference.dcp_bound(c, sizes)), abs=ROUNDING)
    for shares in SHARES[len(sizes)]:
        wanted = float(reference.dcp_bound(c, sizes, shares))
        assert dcp_bound_per_class([c], sizes, shares)[0] == pytest.approx(wanted, abs=ROUNDING)


def test_some_of_these_cases_are_held_by_capacity():
    held = [(sizes, c) for sizes, c in CASES if any(c // len(sizes) > size for size in sizes)]
    assert len(held) > 10
    assert reference.dcp_bound(8, (8, 1)) > reference.dcp_bound(8, (8, 8))


@pytest.mark.parametrize("k", range(2, 11))
def test_closed_forms_for_equal_folds(k):
    c = np.arange(1, 1001)
    r = c % k
    equal = np.full(k, 1000)
    np.testing.assert_allclose(rld_bound_per_class(c, equal), 2 * r * (k - r) / (k * c), rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(dcp_bound_per_class(c, equal), -(-c // k) / c - 1 / k, rtol=0, atol=ROUNDING)
    assert not rld_bound_per_class(c[r == 0], equal).any()


def test_order_repeats_and_empty_classes():
    some = [7, 0, 3, 7, 1, 3]
    for bound in (rld_bound_per_class, dcp_bound_per_class):
        found = bound(some, [4, 5, 6])
        np.testing.assert_array_equal(found, [bound([c], [4, 5, 6])[0] for c in some])
        assert found[1] == 0
        assert bound([], [4, 5]).shape == (0,)


def test_kernels_equal_their_plain_twins():
    positives = np.arange(9, dtype=np.int64)
    sizes = np.array([6, 1, 3], dtype=np.int64)
    shares = np.array([0.5, 0.25, 0.25])
    compiled, plain = np.empty(9), np.empty(9)
    kernels.dcp_bounds(positives, sizes, shares, compiled)
    kernels.dcp_bounds.py_func(positives, sizes, shares, plain)
    np.testing.assert_array_equal(compiled, plain)


def test_bounds_found_in_pieces_are_the_same(monkeypatch):
    positives, sizes = np.arange(40), [20, 10, 9, 1]
    at_once = rld_bound_per_class(positives, sizes)
    monkeypatch.setattr(bounds, "MOST_STEPS", 28)
    np.testing.assert_array_equal(rld_bound_per_class(positives, sizes), at_once)
