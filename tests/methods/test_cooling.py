"""Where annealing begins, which labels it looks at, and how sweeps are counted."""

from __future__ import annotations

import numpy as np
import pytest

from optisplit import FREE, kernels
from optisplit.folds.constraints import check_constraints
from optisplit.labels import as_labels
from optisplit.methods.annealing.search import (
    COLDEST,
    HIGHEST_START,
    IGNORED,
    LEAST_STEP,
    LOWEST_START,
    MIDDLING,
    Search,
)
from optisplit.methods.annealing.units import Units

N_ROWS = 600
SHARES = np.concatenate([np.full(30, 0.01), [0.05, 0.1, 0.2, 0.4, 0.6]])
RANDOM = np.random.default_rng(2).random((N_ROWS, len(SHARES)))
LABELS = as_labels((RANDOM < SHARES).astype(np.int8))
"""Many labels of about six rows, and frequent ones that weigh little beside them."""


def build_search(labels=LABELS, n_sweeps=80, **constraints):
    rng = np.random.default_rng(0)
    units = Units.of(check_constraints(labels.shape[0], 5, **constraints), rng)
    n_labels = labels.shape[1]
    return Search(
        labels,
        units,
        units.at_random(rng),
        importance=np.ones(n_labels),
        is_label=np.ones(n_labels, dtype=np.bool_),
        measure="rld",
        rng=rng,
        n_sweeps=n_sweeps,
    )


@pytest.mark.parametrize("stride", [0, 1])
@pytest.mark.parametrize("n_kept", [0, 1, 5, 9])
def test_labels_are_left_out(n_kept, stride):
    rng = np.random.default_rng(n_kept)
    matrix = as_labels((rng.random((50, 9)) < 0.3).astype(np.int8))
    amounts = rng.integers(1, 4, matrix.nnz).astype(np.float32) if stride else np.ones(1, dtype=np.float32)
    is_kept = np.arange(9) < n_kept
    given = matrix.indptr, matrix.indices, amounts
    indptr, indices, of_labels = kernels.problem.only_labels(*given, np.uint64(stride), is_kept)
    mask = is_kept[matrix.indices]
    np.testing.assert_array_equal(indptr, np.concatenate([[0], np.cumsum(mask)])[matrix.indptr])
    np.testing.assert_array_equal(indices, matrix.indices[mask])
    np.testing.assert_array_equal(of_labels, amounts[mask] if stride else amounts)


CONSTRAINTS = {
    "rows": {},
    "groups": {"groups": np.arange(N_ROWS) // 3},
    "fixed": {"fixed": np.where(np.arange(N_ROWS) % 4, FREE, np.arange(N_ROWS) % 5)},
}


@pytest.mark.parametrize("constraints", CONSTRAINTS)
def test_labels_that_matter_are_looked_at_and_their_counts_are_right_all_the_while(constraints):
    search, n_entries = build_search(**CONSTRAINTS[constraints]), []
    indices = search._whole["indices"]
    whole = indices.size
    for _ in search._cool(search.cool_fast(), covers=True):
        problem, state = search._problem, search._state
        matters = (problem.reach >= search._ignored)[indices].sum()
        assert problem.indices.size == (matters if 2 * matters <= whole else whole)  # else it is not worth a copy
        n_entries.append(problem.indices.size)
        looked_at = np.isin(np.arange(len(SHARES)), problem.indices)
        held = state.table.reshape(len(SHARES), -1)[looked_at].copy()
        search.count_afresh()
        np.testing.assert_array_equal(held, state.table.reshape(len(SHARES), -1)[looked_at])
    assert n_entries == sorted(n_entries)
    assert (n_entries[0] < whole / 2) == (constraints != "groups")  # of which the largest could be all a label has
    assert search._problem.indices.size == whole


def test_no_label_that_matters_is_left_out():
    search = build_search()
    for temperature in np.geomspace(HIGHEST_START, COLDEST, 40):
        search._look_at(temperature)
        left_out = ~np.isin(np.arange(len(SHARES)), search._problem.indices)
        assert (search._problem.reach[left_out] < IGNORED * temperature).all()
    search._look_at(0.0)
    assert len(np.unique(search._problem.indices)) == len(SHARES)


def test_annealing_begins_between_two_bounds_and_hotter_where_rows_carry_many_rare_labels():
    one_each = np.zeros((N_ROWS, N_ROWS // 5), dtype=np.int8)
    one_each[np.arange(N_ROWS), np.arange(N_ROWS) % (N_ROWS // 5)] = 1  # five rows a label
    bound = np.repeat(one_each, 12, axis=1)  # a dozen labels on the same rows weigh as one of twelve times the weight
    starts = [build_search(as_labels(labels)).cool_fast() for labels in (one_each, bound)]
    assert LOWEST_START * 0.8 <= starts[0] < starts[1] <= HIGHEST_START


def test_without_labels_it_begins_at_once():
    search = build_search(as_labels(np.zeros((20, 3), dtype=np.int8)))
    assert search.cool_fast() <= LOWEST_START
    assert search._spent == 0


def test_sweeps_are_counted_by_the_units_that_they_visit():
    search = build_search()
    rarity, n_usual = search._problem.rarity, (search._problem.rarity >= MIDDLING).sum()
    assert 0 < n_usual < N_ROWS
    assert search._cost(MIDDLING) == 1
    assert search._cost(HIGHEST_START) == LEAST_STEP
    assert search._cost(0.1) == pytest.approx((rarity >= 0.1).sum() / n_usual)
    assert search._cost(0.1, n_resting=7) == pytest.approx(((rarity >= 0.1).sum() - 7) / n_usual)
    n_swept = sum(1 for _ in search._cool(2.0, covers=False))
    assert n_swept > search.n_sweeps  # hot sweeps visit few units, so there are more of them
