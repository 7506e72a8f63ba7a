"""The lowest rLD of fair splits, against every way to divide the positives."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS

from optisplit import evaluate
from optisplit.measures.bounds import rld_bound_per_class
from optisplit.measures.fair_bounds import NEAR_DUE, fair_rld_cost
from optisplit.measures.formulas import rld_per_class
from optisplit.measures.representative import size_bands


def lowest(positives, sizes, low, high):
    """Go through all ways to give the labels their positives; the lowest sum of rLD with totals within the limits."""
    states = {(0,) * len(sizes): 0.0}
    for c in positives:
        ways = [held for held in itertools.product(*(range(min(c, s) + 1) for s in sizes)) if sum(held) == c]
        costs = rld_per_class(np.array(ways).T, np.array(sizes), None)
        reached = {}
        for totals, cost in states.items():
            for held, more in zip(ways, costs, strict=True):
                key = tuple(np.add(totals, held).tolist())
                reached[key] = min(reached.get(key, np.inf), cost + more)
        states = reached
    fitting = [
        cost for totals, cost in states.items() if all(np.array(totals) >= low) and all(np.array(totals) <= high)
    ]
    return min(fitting)


@st.composite
def splits(draw):
    sizes = draw(st.lists(st.integers(1, 7), min_size=2, max_size=3))
    n_rows = sum(sizes)
    positives = draw(st.lists(st.integers(1, min(4, n_rows - 1)), min_size=1, max_size=4)) if n_rows > 2 else [1]
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    rows = np.repeat(np.arange(len(sizes)), sizes)
    counts = [np.bincount(rng.permutation(rows)[:c], minlength=len(sizes)) for c in positives]
    return np.array(positives), np.array(sizes), np.array(counts).T


@SETTINGS
@given(splits())
def test_no_split_as_fair_scores_lower_and_one_reaches_it(split):
    positives, sizes, counts = split
    bounds = rld_bound_per_class(positives, sizes)
    cost = len(bounds) * fair_rld_cost(counts, sizes, bounds)
    assert bounds.sum() + cost <= rld_per_class(counts, sizes, None).sum() + 1e-9
    if np.ptp(sizes) <= 1:
        assert cost == 0
        return
    wanted = 0.0
    for band in np.unique(size_bands(positives)):
        labels = size_bands(positives) == band
        due = positives[labels].sum() * sizes / sizes.sum()
        off = np.abs(counts[:, labels].sum(axis=1) - due)
        if ((off >= 1) & (off > NEAR_DUE * due)).any():
            wanted += bounds[labels].sum()
            continue
        low, high = np.minimum(np.floor(due), due - off) - 1e-9, np.maximum(np.ceil(due - 1e-9), due + off) + 1e-9
        wanted += lowest(positives[labels], sizes.tolist(), low, high)
    assert bounds.sum() + cost == pytest.approx(wanted, abs=1e-9)


def test_by_hand():
    """Ten labels with two positives in parts of 80, 10 and 10 rows: 1.6, 0.2 and 0.2 are due to each.

    Both in training costs (0.25 + 1 + 1) / 3, one of them in a small part (0.375 + 4 + 1) / 3. Together 16, 2 and 2
    are due, so that 4 labels have one elsewhere: (6 x 2.25 + 4 x 5.375) / 30.
    """
    sizes = np.array([80, 10, 10])
    fair = np.array([[2] * 6 + [1] * 4, [0] * 6 + [1, 1, 0, 0], [0] * 6 + [0, 0, 1, 1]])
    bounds = rld_bound_per_class(fair.sum(axis=0), sizes)
    assert bounds == pytest.approx([0.75] * 10)
    assert bounds.mean() + fair_rld_cost(fair, sizes, bounds) == pytest.approx((6 * 2.25 + 4 * 5.375) / 30)
    unfair = np.array([[2] * 10, [0] * 10, [0] * 10])
    assert fair_rld_cost(unfair, sizes, bounds) == 0
    assert fair_rld_cost(fair, np.array([34, 33, 33]), bounds) == 0


def test_bands_of_many_sizes_are_bounded_from_below():
    """Against the same labels rounded fairly by chance: systematic sampling gives each part what is due."""
    rng = np.random.default_rng(0)
    sizes, positives = np.array([800, 100, 60, 40]), rng.integers(10, 20, size=60)
    for _ in range(20):
        ends = np.floor(np.cumsum(positives)[:, None] * np.cumsum(sizes) / sizes.sum() + rng.random())
        counts = np.diff(np.diff(ends, axis=0, prepend=0), axis=1, prepend=0).T.astype(np.int64)
        assert (counts >= 0).all()
        assert (counts.sum(axis=0) == positives).all()
        bounds = rld_bound_per_class(positives, sizes)
        cost = len(bounds) * fair_rld_cost(counts, sizes, bounds)
        assert 0 <= cost <= rld_per_class(counts, sizes, None).sum() - bounds.sum() + 1e-9


def test_a_report_takes_the_bound_of_fair_splits_where_it_is_one():
    labels = np.zeros((100, 10), dtype=int)
    labels[np.arange(20), np.arange(20) // 2] = 1
    fair = np.r_[[0, 1] * 2, [0, 2] * 2, [0] * 12, [0] * 64, [1] * 8, [2] * 8]
    report = evaluate(labels, fair, shares=[0.8, 0.1, 0.1])
    assert report.fold_sizes.tolist() == [80, 10, 10]
    score = report.score("rld")
    assert score.bound == report.rld_bound == pytest.approx((6 * 2.25 + 4 * 5.375) / 30)
    assert (score.is_best, score.is_of_fair, score.sentence) == (
        True,
        True,
        "equal to the best possible of splits as fair",
    )
    unfair = evaluate(labels, np.r_[[0] * 80, [1] * 10, [2] * 10], shares=[0.8, 0.1, 0.1]).score("rld")
    assert (unfair.bound, unfair.is_of_fair) == (pytest.approx(0.75), False)
