"""Rows that cannot move rest for some sweeps: what holds all the same."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from chunks import assert_alike

from optisplit.errors import Cancelled
from optisplit.folds.constraints import check_constraints
from optisplit.kernels import annealing as kernels
from optisplit.labels import as_labels
from optisplit.measures.report import evaluate
from optisplit.methods.annealing import search as search_module
from optisplit.methods.annealing.search import MOST_REST, REST_SHARE, Search
from optisplit.methods.annealing.units import Units
from optisplit.methods.optisplit_sa import optisplit_sa

N_ROWS = 400
LABELS = as_labels((np.random.default_rng(1).random((N_ROWS, 14)) < np.linspace(0.03, 0.4, 14)).astype(np.int8))


def build_search(n_splits=12, **options):
    rng = np.random.default_rng(0)
    units = Units.of(check_constraints(N_ROWS, n_splits), rng)
    every = {"importance": np.ones(14), "is_label": np.ones(14, dtype=np.bool_), "measure": "rld", "n_sweeps": 60}
    return Search(LABELS, units, units.at_random(rng), rng=rng, **(every | options))


def sizes_of(n_splits):
    return sorted(N_ROWS // n_splits + (fold < N_ROWS % n_splits) for fold in range(n_splits))


@pytest.fixture(autouse=True)
def _resting(monkeypatch):
    """Let rows of small data rest, too."""
    monkeypatch.setattr(search_module, "LEAST_WORK", 0)


@pytest.fixture
def watched(monkeypatch):
    """Sweeps of a search: the most that rows rest, and how many rested; with reports after each of many chunks."""
    seen, sweep = [], Search._sweep

    def watch(search, temperature, **options):
        told = sweep(search, temperature, **options)
        seen.append((options.get("most_rest", 0), told[1]))
        return told

    monkeypatch.setattr(Search, "_sweep", watch)
    monkeypatch.setattr(search_module, "REPORT_S", -1.0)
    monkeypatch.setattr(search_module, "CHUNK_WORK", 2_000)
    return seen


@pytest.mark.parametrize("n_splits", [5, 20])
@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
def test_books_and_sizes_are_right_after_rows_rested(watched, n_splits, measure):
    search = build_search(n_splits, measure=measure)
    search.anneal(1.0, covers=False)
    assert sum(n_resting for _, n_resting in watched) > N_ROWS
    assert len(watched) > search.n_sweeps  # the time goes to more of them
    assert not search._state.rest.any()
    table, loss, held = search._state.table.copy(), search.loss, search._state.held.copy()
    search.count_afresh()
    np.testing.assert_array_equal(search._state.table, table)
    np.testing.assert_array_equal(search._state.held, held)
    search.come_to_rest()
    assert sorted(np.bincount(search.folds)) == sizes_of(n_splits)
    assert search.loss <= loss + 0.1
    if measure != "dcp":  # of which the loss is another
        assert search.loss == pytest.approx(
            getattr(evaluate(LABELS, search.folds, n_splits=n_splits), measure),
            abs=2e-3,  # ideals lie on a grid
        )


@pytest.mark.parametrize(("n_sweeps", "most"), [(5, 0), (60, 6), (5_000, MOST_REST)])
def test_rest_is_a_small_share_of_the_sweeps(watched, n_sweeps, most):
    search = build_search(n_sweeps=n_sweeps)
    next(search._cool(1.0, covers=False))
    assert [rest for rest, _ in watched] == [most]
    assert most <= REST_SHARE * n_sweeps


def test_no_row_rests_in_small_data(watched, monkeypatch):
    monkeypatch.setattr(search_module, "LEAST_WORK", 12 * LABELS.nnz + 1)
    search = build_search()
    search.anneal(1.0, covers=False)
    assert set(watched) == {(0, 0)}


def sweep(search, temperature):
    """Sweep over all rows, also those that would wait for the temperature to fall."""
    problem = replace(search._problem, rarity=np.full(N_ROWS, np.inf, dtype=np.float32))
    moved = np.array([0, 10**9, 0])
    assert kernels.sweep(kernels.Task.of(problem, search._state), 0, temperature, MOST_REST, moved) == N_ROWS
    return int(moved[0]), int(moved[2])


def test_rows_rest_the_longer_the_further_they_are_from_moving_and_wake_up():
    search = build_search()
    search.anneal(1.0, covers=False)
    rest, folds = search._state.rest, search._state.folds.copy()
    cold = 1e-4
    assert sweep(search, cold)[1] == 0  # none rests before it was looked at
    rested = rest.copy()
    assert rested.max() == MOST_REST
    assert len(np.unique(rested)) > 1
    for after in range(1, MOST_REST + 1):
        is_resting, where = rest > 0, search._state.folds.copy()
        n_resting = sweep(search, cold)[1]
        assert n_resting == is_resting.sum()
        np.testing.assert_array_equal(search._state.folds[is_resting], where[is_resting])
        first = rested > after
        np.testing.assert_array_equal(rest[first], rested[first] - after)  # counted down, not set anew
    # whoever could not move before moves when it is warm again and its rest is over
    for _ in range(MOST_REST):
        sweep(search, 2.0)
    assert (search._state.folds != folds).mean() > 0.5
    assert rest.max() < MOST_REST


def test_all_rows_move_again_after_their_rest():
    search = build_search()
    search._state.rest[:] = 3
    assert [sweep(search, 2.0)[1] for _ in range(3)] == [N_ROWS] * 3
    assert sweep(search, 2.0)[0] > N_ROWS / 2


@pytest.mark.parametrize("rare", ["share", "cover", "score"])
def test_neither_chunks_nor_reports_matter_and_the_seed_decides(monkeypatch, rare):
    def solve(seed=0, **options):
        return optisplit_sa(LABELS, 13, rng=np.random.default_rng(seed), effort="quick", rare=rare, **options)

    whole, scores = assert_alike(monkeypatch, solve)
    assert scores[-1] == pytest.approx(evaluate(LABELS, whole, n_splits=13).rld, abs=2e-3)


@pytest.mark.usefixtures("watched")
def test_a_stop_halfway_gives_what_was_reached():
    def solve(on_progress):
        return optisplit_sa(LABELS, 12, rng=np.random.default_rng(0), effort="quick", on_progress=on_progress)

    told = []
    whole = evaluate(LABELS, solve(lambda *now: told.append(now)), n_splits=12).rld
    scores = []
    for at in (len(told) // 2, len(told) - 2):
        n_told = itertools.count()

        def stop(*_, at=at, n_told=n_told):
            if next(n_told) == at:
                raise Cancelled

        with pytest.raises(Cancelled) as caught:
            solve(stop)
        assert sorted(np.bincount(caught.value.folds)) == sizes_of(12)
        scores.append(evaluate(LABELS, caught.value.folds, n_splits=12).rld)
    assert scores[-1] == pytest.approx(whole, rel=0.05)
    assert scores[0] < told[0][2]
