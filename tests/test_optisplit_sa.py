"""OptiSplit-SA: the true optimum on small problems, exact bookkeeping, and what its docstring promises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS, label_matrices

import optisplit
from optisplit.errors import Cancelled, FoldAssignmentError, OptionError
from optisplit.kernels import annealing as kernels
from optisplit.labels import as_labels
from optisplit.measures import evaluate
from optisplit.methods import optisplit_sa as module
from optisplit.methods.optisplit_sa import optisplit_sa

MEASURES = ("rld", "dcp", "ld")


def solve(labels, n_splits, seed=0, **options):
    return optisplit_sa(as_labels(labels), n_splits, rng=np.random.default_rng(seed), **options)


def score(labels, folds, measure, n_splits):
    return getattr(evaluate(labels, folds, n_splits=n_splits), measure)


def equal_splits(n_rows, n_splits):
    """Every way to put rows into folds with the sizes that the method aims at."""
    sizes = [n_rows // n_splits + (fold < n_rows % n_splits) for fold in range(n_splits)]
    for folds in itertools.product(range(n_splits), repeat=n_rows):
        if np.bincount(folds, minlength=n_splits).tolist() == sizes:
            yield folds


def random_labels(seed, n_rows, n_labels, share=0.35):
    labels = (np.random.default_rng(seed).random((n_rows, n_labels)) < share).astype(np.int8)
    labels[0, labels.sum(axis=0) == 0] = 1
    return labels


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("n_rows", "n_splits"), [(10, 2), (8, 3)])
@pytest.mark.parametrize("measure", ["rld", "ld"])
def test_small_problems_are_solved_to_the_optimum(seed, n_rows, n_splits, measure):
    labels = random_labels(seed, n_rows, 4)
    optimum = min(score(labels, folds, measure, n_splits) for folds in equal_splits(n_rows, n_splits))
    found = min(score(labels, solve(labels, n_splits, s, measure=measure), measure, n_splits) for s in range(3))
    assert found == pytest.approx(optimum, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_small_problems_are_solved_to_the_optimum_of_dcp(seed):
    labels = random_labels(seed, 10, 4)
    optimum = min(score(labels, folds, "dcp", 2) for folds in equal_splits(10, 2))
    found = min(score(labels, solve(labels, 2, s, measure="dcp"), "dcp", 2) for s in range(3))
    # with two folds the sum over folds of what is beyond the best number is DCP's own excess, so nothing is lost
    assert found == pytest.approx(optimum, abs=1e-12)


@SETTINGS
@given(labels=label_matrices(), n_splits=st.integers(2, 5), measure=st.sampled_from(MEASURES), seed=st.integers(0, 9))
def test_sizes_are_exact_whatever_the_labels(labels, n_splits, measure, seed):
    n_splits = min(n_splits, len(labels))
    if n_splits < 2:
        return
    folds = solve(labels, n_splits, seed, measure=measure, effort="quick")
    sizes = np.bincount(folds, minlength=n_splits)
    assert folds.dtype == np.int32
    assert sizes.sum() == len(labels)
    assert sizes.max() - sizes.min() <= 1


def built(labels, n_splits, measure, seed=0):
    matrix, rng = as_labels(labels), np.random.default_rng(seed)
    problem = module._build_problem(matrix, n_splits, measure, rng)
    folds = module.random(matrix, n_splits, rng=rng)
    return problem, module._build_state(problem, matrix, folds, n_splits, rng)


@pytest.mark.parametrize("measure", MEASURES)
def test_after_thousands_of_moves_the_books_still_agree_with_a_fresh_count(measure):
    labels = random_labels(1, 200, 15)
    problem, state = built(labels, 7, measure)
    problem = problem._replace(rarity=np.full(200, np.inf))  # so that no row waits for a lower temperature
    moved = np.zeros(1, dtype=np.int64)
    for temperature in (10.0, 1.0, 0.3):
        for _ in range(30):
            kernels.sweep(problem, state, 0, temperature * problem.weight, 0.01, 10**9, moved)
    assert moved[0] > 3_000
    kept = [state.counts.copy(), state.more.copy(), state.fewer.copy(), state.held.copy()]
    kernels.refresh(problem, state)
    for before, fresh in zip(kept, (state.counts, state.more, state.fewer, state.held), strict=True):
        np.testing.assert_array_equal(before, fresh)
    np.testing.assert_array_equal(state.counts.T, [labels[state.folds == fold].sum(axis=0) for fold in range(7)])


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n_splits", [2, 3, 4, 5, 8, 9])
def test_the_change_of_the_loss_is_the_change_of_the_loss(measure, n_splits):
    labels = random_labels(2, 60, 9)
    problem, state = built(labels, n_splits, measure)
    rng = np.random.default_rng(5)
    changes = np.empty(n_splits)
    for _ in range(300):
        row, new = int(rng.integers(60)), int(rng.integers(n_splits))
        old = int(state.folds[row])
        kernels.changes_of(problem.indptr, problem.indices, state.more, state.fewer, old, row, changes)
        before = kernels.total_loss(problem, state)
        if new != old:
            kernels.move(problem, state, row, new)
        assert kernels.total_loss(problem, state) - before == pytest.approx(changes[new], abs=1e-5)


@pytest.mark.parametrize("measure", ["rld", "ld"])
def test_the_loss_is_the_measure(measure):
    labels = random_labels(3, 50, 8)
    problem, state = built(labels, 5, measure)
    report = evaluate(labels, state.folds, n_splits=5)
    n_scored = int(report.is_scored.sum())
    assert kernels.total_loss(problem, state) / n_scored == pytest.approx(getattr(report, measure), rel=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_chunks_do_not_matter(monkeypatch, measure):
    labels = random_labels(4, 120, 10)
    whole = solve(labels, 4, measure=measure)
    monkeypatch.setattr(module, "CHUNK_WORK", 1)
    np.testing.assert_array_equal(solve(labels, 4, measure=measure), whole)


def test_the_seed_decides():
    labels = random_labels(5, 100, 12)
    np.testing.assert_array_equal(solve(labels, 5, 7), solve(labels, 5, 7))
    assert (solve(labels, 5, 7) != solve(labels, 5, 8)).any()


@SETTINGS
@given(labels=label_matrices(), measure=st.sampled_from(MEASURES), seed=st.integers(0, 5))
def test_a_start_of_equal_sizes_is_never_made_worse(labels, measure, seed):
    n_splits = min(3, len(labels))
    if n_splits < 2:
        return
    start = module.random(as_labels(labels), n_splits, rng=np.random.default_rng(seed))
    kept = start.copy()
    found = solve(labels, n_splits, seed, measure=measure, effort="quick", initial=start)
    np.testing.assert_array_equal(start, kept)
    before, after = score(labels, start, measure, n_splits), score(labels, found, measure, n_splits)
    assert np.isnan(before) or after <= before + 1e-12


def test_a_start_of_unequal_sizes_ends_with_equal_ones():
    labels = random_labels(6, 101, 6)
    folds = solve(labels, 4, initial=np.minimum(np.arange(101) // 5, 3))
    assert np.bincount(folds).tolist() == [26, 25, 25, 25]


def test_labels_that_no_split_can_help_do_no_harm():
    labels = random_labels(7, 60, 6)
    plain = solve(labels, 3)
    widened = np.hstack([labels, np.zeros((60, 1), np.int8), np.ones((60, 1), np.int8)])
    assert score(widened, solve(widened, 3), "rld", 3) == pytest.approx(score(labels, plain, "rld", 3), abs=0.02)
    nothing = np.zeros((10, 2), np.int8)
    assert np.bincount(solve(nothing, 3)).tolist() == [4, 3, 3]


@pytest.mark.parametrize(
    ("name", "most"), [("emotions", 0.001), ("bibtex", 0.005), ("medical", 0.005), ("enron", 0.02)]
)
def test_shipped_data_ends_close_to_the_bound(name, most):
    data = optisplit.load(name)
    report = evaluate(data, solve(data.labels, 5), n_splits=5)
    assert report.rld <= report.rld_bound * (1 + most)
    assert report.dcp <= report.dcp_bound * (1 + 2 * most)
    assert report.ed < 0.5


def test_every_effort_beats_the_paper_and_more_effort_sweeps_more():
    data = optisplit.load("enron")
    paper = evaluate(data, optisplit.split(data, 5, method="optisplit", random_state=0)).rld
    for effort in ("quick", "normal"):
        assert evaluate(data, solve(data.labels, 5, effort=effort)).rld < 0.97 * paper
    for n_rows, n_positives in ((100, 50), (16_105, 306_317), (666_349, 21_213_061)):
        sweeps = [effort.n_sweeps(n_rows, n_positives) for effort in module.EFFORTS.values()]
        assert sweeps[0] < sweeps[1] < sweeps[2]


def test_progress_rises_to_its_end_and_cancelling_gets_out():
    seen = []
    solve(random_labels(8, 100, 10), 4, on_progress=lambda *told: seen.append(told))
    done = [each[0] for each in seen]
    assert done == sorted(done)
    assert seen[-1][0] == seen[-1][1]

    def cancel(*_):
        raise Cancelled

    with pytest.raises(Cancelled):
        solve(random_labels(8, 100, 10), 4, on_progress=cancel)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"measure": "ed"}, OptionError, "Unknown measure 'ed'"),
        ({"effort": "norml"}, OptionError, "did you mean 'normal'"),
        ({"initial": [0, 1, -1, 0, 1, 0, 1, 0, 1, 0]}, FoldAssignmentError, "1 row"),
        ({"initial": [0, 1]}, FoldAssignmentError, "expected 10"),
    ],
)
def test_bad_options_are_refused(options, error, said):
    with pytest.raises(error, match=said):
        solve(random_labels(9, 10, 3), 2, **options)


def test_kernels_agree_with_their_plain_twins():
    labels = random_labels(10, 40, 6)
    for measure in MEASURES:
        problem, state = built(labels, 5, measure)
        counts = state.counts.copy()
        for label, fold in itertools.product(range(6), range(5)):
            arguments = (
                problem.measure, problem.inverse[label], problem.positives[label], 40, int(problem.sizes[fold]), 5,
                problem.share[fold], int(counts[label, fold]),
            )  # fmt: skip
            assert kernels.cost(*arguments) == pytest.approx(kernels.cost.py_func(*arguments), rel=1e-12)
