from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS, problems, splits

from optisplit import load
from optisplit.errors import Cancelled, FoldAssignmentError, OptionError
from optisplit.kernels import optisplit as kernels
from optisplit.kernels import selection
from optisplit.labels import as_labels
from optisplit.measures.registry import objectives
from optisplit.measures.report import evaluate
from optisplit.methods import METHODS
from optisplit.methods.optisplit import _build_problem, _build_task, optisplit

MODULE = sys.modules["optisplit.methods.optisplit"]
ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parents[1] / "data" / "reference_optisplit.npz"
COMPARABLE = [f"case{case}" for case in range(12)]
WITH_MAJORITY = [f"case{case}" for case in range(12, 16)]

AVX512 = (
    "X86_V4", "AVX512F", "AVX512CD", "AVX512_SKX", "AVX512_CLX", "AVX512_CNL", "AVX512_ICL", "AVX512_SPR",
)  # fmt: skip
"""Parts of numpy that sort equal numbers in another order than the code that made the golden values."""


def run(labels, n_splits, seed=0, **options):
    return optisplit(as_labels(labels), n_splits, rng=np.random.default_rng(seed), **options)


def summed(labels, folds, n_splits, measure):
    return float(np.nansum(getattr(evaluate(labels, folds, n_splits=n_splits), f"{measure}_per_class")))


# The published code's folds. They hang on the processor, so they come from a process with a chosen part of numpy.


def golden_problem(archive, case):
    n_rows, n_labels, n_splits = archive[f"{case}_shape"].tolist()
    labels = np.zeros((n_rows, n_labels), dtype=np.int8)
    labels[archive[f"{case}_rows"], archive[f"{case}_cols"]] = 1
    return labels, n_splits, str(archive[f"{case}_objective"])


def run_golden_cases():
    folds = {}
    with np.load(GOLDEN) as archive:
        for case in COMPARABLE + WITH_MAJORITY:
            labels, n_splits, measure = golden_problem(archive, case)
            start = archive[f"{case}_initial_folds"]
            found = run(labels, n_splits, measure=measure, max_epochs=3, initial=start, ties="numpy")
            folds[case] = found.tolist()
    return folds


@pytest.fixture(scope="module")
def as_published():
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    if not __cpu_features__.get("AVX2"):
        pytest.skip("the golden values were made by numpy's AVX2 sort, which this processor does not have")
    active = [name for name in AVX512 if name in __cpu_dispatch__ and __cpu_features__.get(name)]
    done = subprocess.run(
        [sys.executable, __file__],
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}",
            "NPY_DISABLE_CPU_FEATURES": " ".join(active),
        },
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("case", COMPARABLE)
def test_same_folds_as_the_published_code(case, as_published):
    with np.load(GOLDEN) as archive:
        np.testing.assert_array_equal(as_published[case], archive[f"{case}_final_folds"])


@pytest.mark.parametrize("case", WITH_MAJORITY)
def test_lower_than_the_published_code_where_a_class_has_most_rows(case, as_published):
    with np.load(GOLDEN) as archive:
        labels, n_splits, measure = golden_problem(archive, case)
        published = summed(labels, archive[f"{case}_final_folds"], n_splits, measure)
    assert summed(labels, as_published[case], n_splits, measure) < published


# Equality with the naive twin.


@pytest.mark.parametrize("measure", objectives())
@pytest.mark.parametrize("seed", [0, 2**40])
@SETTINGS
@given(problem=problems())
def test_equal_to_the_naive_algorithm(measure, seed, problem):
    labels, n_splits = problem
    wanted, loss = reference.optisplit(labels, n_splits, seed, measure)
    found = run(labels, n_splits, seed, measure=measure)
    np.testing.assert_array_equal(found, wanted)
    assert summed(labels, found, n_splits, measure) == pytest.approx(float(loss), abs=1e-9)


@pytest.mark.parametrize("measure", objectives())
def test_equal_to_the_naive_algorithm_on_larger_problems(measure):
    rng = np.random.default_rng(0)
    frequency = rng.choice([0.02, 0.1, 0.3, 0.6, 0.97], size=45)  # more classes than are put in order at a time
    labels = (rng.random((120, 45)) < frequency).astype(np.int8)
    wanted, _ = reference.optisplit(labels, 5, 0, measure, max_epochs=2)
    np.testing.assert_array_equal(run(labels, 5, 0, measure=measure, max_epochs=2), wanted)


@pytest.mark.parametrize("measure", objectives())
def test_equal_to_the_naive_algorithm_on_wide_sparse_problems(measure):
    rng = np.random.default_rng(1)
    labels = (rng.random((60, 90)) < 0.03).astype(np.int8)  # few labels a row: only these are scored again for DCP
    wanted, _ = reference.optisplit(labels, 4, 0, measure, max_epochs=1)
    np.testing.assert_array_equal(run(labels, 4, 0, measure=measure, max_epochs=1), wanted)


@pytest.mark.parametrize("measure", objectives())
@SETTINGS
@given(problem=splits(), max_epochs=st.integers(1, 4))
def test_equal_to_the_naive_algorithm_from_any_start(measure, problem, max_epochs):
    labels, start, n_splits = problem
    before = start.copy()
    wanted, _ = reference.optisplit(labels, n_splits, 5, measure, max_epochs, start)
    found = run(labels, n_splits, 5, measure=measure, max_epochs=max_epochs, initial=start)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(start, before)


@pytest.mark.parametrize("measure", objectives())
@SETTINGS
@given(problem=splits())
def test_never_worse_than_the_start(measure, problem):
    labels, start, n_splits = problem
    for ties in ("random", "numpy"):
        found = run(labels, n_splits, measure=measure, initial=start, ties=ties)
        assert found.min() >= 0
        assert found.max() < n_splits
        # the algorithm compares sums relative to their size, 1e-12; the rounding of these sums is below that
        limit = summed(labels, start, n_splits, measure)
        assert summed(labels, found, n_splits, measure) <= limit + 1e-12 * max(limit, 1)


@pytest.mark.parametrize("measure", objectives())
@pytest.mark.parametrize("name", ["emotions", "medical"])
def test_chunks_do_not_matter(monkeypatch, measure, name):
    labels = load(name).labels
    whole = run(labels, 5, measure=measure)
    monkeypatch.setattr(MODULE, "CHUNK_WORK", 1)
    np.testing.assert_array_equal(run(labels, 5, measure=measure), whole)


@pytest.mark.parametrize("measure", objectives())
@SETTINGS
@given(problem=splits(max_labels=40), max_epochs=st.integers(1, 3))
def test_the_running_loss_is_the_loss(measure, problem, max_epochs):
    labels, start, n_splits = problem
    matrix = as_labels(labels)
    problem = _build_problem(matrix, measure, np.random.default_rng(0))
    task = _build_task(problem, matrix, start.copy(), n_splits)
    state = task.state
    kernels.run_chunk(task, max_epochs, 10**9)
    afresh = _build_task(problem, matrix, task.state.folds.copy(), n_splits).state
    assert state.loss[0] == pytest.approx(afresh.loss[0], abs=1e-9)
    np.testing.assert_allclose(state.scores, afresh.scores, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(state.counts, afresh.counts)
    np.testing.assert_array_equal(state.sizes, afresh.sizes)
    assert state.loss[0] == pytest.approx(summed(labels, state.folds, n_splits, measure), abs=1e-9)


@pytest.mark.parametrize("measure", objectives())
@pytest.mark.parametrize("name", ["emotions", "medical"])
def test_the_loss_of_a_trial_is_the_loss_afresh(measure, name):
    labels = load(name).labels
    problem = _build_problem(labels, measure, np.random.default_rng(0))
    start = np.random.default_rng(1).integers(0, 5, labels.shape[0]).astype(np.int32)
    task = _build_task(problem, labels, start.copy(), 5)
    for label in range(labels.shape[1]):
        if not kernels.find_surplus(task, label):
            continue
        n_excess = kernels.gather_excess(task, label)
        kernels.assign_excess(task, n_excess)
        assert kernels.swap_moved(task, n_excess) == labels[task.state.excess[:n_excess]].nnz
        loss = kernels.loss_after(task)
        assert loss == pytest.approx(_build_task(problem, labels, task.state.folds.copy(), 5).state.loss[0], abs=1e-11)
        kernels.swap_moved(task, n_excess)  # back again
        np.testing.assert_array_equal(task.state.folds, start)


@pytest.mark.parametrize("measure", objectives())
def test_the_running_loss_is_the_loss_on_real_data(measure):
    labels = load("medical").labels
    problem = _build_problem(labels, measure, np.random.default_rng(0))
    start = np.random.default_rng(1).integers(0, 5, labels.shape[0]).astype(np.int32)
    task = _build_task(problem, labels, start, 5)
    state = task.state
    before = state.loss[0]
    while state.cursor[kernels.EPOCH] < 3 and not state.cursor[kernels.FINISHED]:
        kernels.run_chunk(task, 3, 1)
        assert state.loss[0] <= before
        before = state.loss[0]
    afresh = _build_task(problem, labels, task.state.folds.copy(), 5).state
    assert state.loss[0] == pytest.approx(afresh.loss[0], abs=1e-9)


# Seeds, callers' arrays, unusual data.


def test_seeds():
    labels = load("emotions").labels
    first = run(labels, 5, 3)
    np.testing.assert_array_equal(run(labels, 5, 3), first)
    assert (run(labels, 5, 4) != first).any()
    start = np.arange(labels.shape[0]) % 5
    assert (run(labels, 5, 3, initial=start) != run(labels, 5, 4, initial=start)).any()  # the ties alone


@pytest.mark.parametrize("ties", ["random", "numpy"])
def test_what_the_caller_gave_is_left_alone(ties):
    labels = as_labels(load("emotions").labels.copy())
    start = (np.arange(labels.shape[0]) % 5).astype(np.int32)
    before = labels.data.copy(), labels.indices.copy(), labels.indptr.copy(), start.copy()
    for array in (labels.data, labels.indices, labels.indptr, start):
        array.flags.writeable = False
    found = run(labels, 5, initial=start, ties=ties)
    assert (found != start).any()
    assert not np.shares_memory(found, start)
    for array, old in zip((labels.data, labels.indices, labels.indptr, start), before, strict=True):
        np.testing.assert_array_equal(array, old)


@pytest.mark.parametrize("measure", objectives())
@pytest.mark.parametrize("ties", ["random", "numpy"])
def test_classes_that_no_split_can_help_do_no_harm(measure, ties):
    labels = load("emotions").labels.toarray()[:200]
    labels = np.column_stack([np.zeros(200, np.int8), labels, np.ones(200, np.int8)])
    scores = []
    run(labels, 4, measure=measure, ties=ties, on_progress=lambda done, total, score: scores.append(score))
    assert np.isfinite(scores).all()
    assert scores[-1] < scores[0]


@pytest.mark.parametrize(
    "labels",
    [np.zeros((4, 3)), np.ones((4, 3)), [[1], [0], [0], [0]], [[1, 0], [1, 1]], np.tile([1, 0, 1], (6, 1))],
    ids=["no positives", "no negatives", "one positive", "as many folds as rows", "all rows equal"],
)
@pytest.mark.parametrize("measure", objectives())
@pytest.mark.parametrize("ties", ["random", "numpy"])
def test_degenerate_labels(labels, measure, ties):
    found = run(np.array(labels, dtype=np.int8), 2, measure=measure, ties=ties)
    assert found.shape == (len(labels),)
    assert set(found.tolist()) <= {0, 1}


def test_a_majority_class_is_balanced_by_its_negatives():
    labels = np.ones((20, 1), dtype=np.int8)
    labels[:4] = 0
    found = run(labels, 4, initial=np.repeat([0, 1, 2, 3], 5))
    assert np.bincount(found[:4]).tolist() == [1, 1, 1, 1]


# Progress and options.


@pytest.mark.parametrize("ties", ["random", "numpy"])
@pytest.mark.parametrize("max_epochs", [1, 3, 50])
def test_progress(monkeypatch, ties, max_epochs):
    monkeypatch.setattr(MODULE, "CHUNK_WORK", 1)
    calls = []
    labels = load("emotions").labels
    run(labels, 3, ties=ties, max_epochs=max_epochs, on_progress=lambda *call: calls.append(call))
    done, total, score = map(np.array, zip(*calls, strict=True))
    assert (total == max_epochs * labels.shape[1]).all()
    assert done[0] == 0
    assert done[-1] == total[-1]
    assert (np.diff(done) >= 0).all()
    assert (np.diff(score) <= 0).all()


@pytest.mark.parametrize("ties", ["random", "numpy"])
@pytest.mark.parametrize("at_call", [1, 3])
def test_a_callback_can_stop_it(monkeypatch, ties, at_call):
    monkeypatch.setattr(MODULE, "CHUNK_WORK", 1)
    stop = Mock(side_effect=[*[None] * (at_call - 1), Cancelled])
    with pytest.raises(Cancelled):
        run(load("emotions").labels, 3, ties=ties, on_progress=stop)
    assert stop.call_count == at_call


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"measure": "rdl"}, OptionError, r"Unknown measure 'rdl'.*\nHint: did you mean 'rld'"),
        ({"ties": "nump"}, OptionError, r"Unknown way to break ties 'nump'.*\nHint: did you mean 'numpy'"),
        ({"max_epochs": 0}, OptionError, "max_epochs must be a whole number of at least 1, got 0"),
        ({"max_epochs": 1.0}, OptionError, "max_epochs must be a whole number"),
        ({"max_epochs": True}, OptionError, "max_epochs must be a whole number"),
        ({"initial": [0, 1, 0]}, FoldAssignmentError, "expected 4, got an array of shape"),
        ({"initial": [0, 1, 2, 0]}, FoldAssignmentError, r"1 row has a fold number of 2 or more"),
        ({"initial": [0, 1, -1, 0]}, FoldAssignmentError, r"initial keeps 1 row always in training"),
    ],
)
def test_bad_options(options, error, match):
    with pytest.raises(error, match=match):
        run(np.eye(4, dtype=np.int8), 2, **options)


def test_initial_as_pairs():
    rows = np.arange(8)
    pairs = [(rows[rows % 2 != fold], rows[rows % 2 == fold]) for fold in range(2)]
    labels = np.eye(8, dtype=np.int8)
    np.testing.assert_array_equal(run(labels, 2, initial=pairs), run(labels, 2, initial=rows % 2))


# Kernels alone.


@SETTINGS
@given(splits())
def test_kernels_equal_their_plain_twins(problem):
    labels, folds, n_splits = problem
    matrix = as_labels(labels)
    for measure in objectives():
        problem = _build_problem(matrix, measure, np.random.default_rng(0))
        task = _build_task(problem, matrix, folds.copy(), n_splits)
        state = task.state
        compiled = state.scores.copy(), state.loss.copy(), state.fold_loss.copy()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernels, "call", lambda kernel, record, numbers: kernel.py_func(record, *numbers))
            kernels.refresh.py_func(task)
        for array, old in zip((state.scores, state.loss, state.fold_loss), compiled, strict=True):
            np.testing.assert_array_equal(array, old)


@SETTINGS
@given(splits(), st.sampled_from(["random", "numpy"]))
def test_members_are_the_smaller_side_of_a_label(problem, ties):
    labels, _folds, _n_splits = problem
    made = _build_problem(as_labels(labels), "rld", np.random.default_rng(0), ties=ties)
    side = labels.astype(bool) ^ (2 * labels.sum(axis=0, dtype=int) > len(labels))
    n_of_row = side.sum(axis=1)
    for label, members in enumerate(np.split(made.member_rows, made.member_ptr[1:-1])):
        assert sorted(members) == np.flatnonzero(side[:, label]).tolist()
        assert (np.diff(members if ties == "numpy" else n_of_row[members]) >= 0).all()


@SETTINGS
@given(st.lists(st.integers(0, 6), min_size=1, max_size=80), st.data())
def test_selection_settles_ranks_as_a_full_sort_would(values, data):
    scores = np.array(values, dtype=float)
    wanted = np.lexsort((np.arange(scores.size), -scores))
    start = data.draw(st.integers(0, scores.size - 1))
    rank = data.draw(st.integers(start, scores.size - 1))
    mixed = np.concatenate([wanted[:start], data.draw(st.permutations(wanted[start:].tolist()))]).astype(np.int32)
    for select in (selection.select_rank, selection.select_rank.py_func):
        order = mixed.copy()
        select(order, scores, start, scores.size, rank)
        np.testing.assert_array_equal(order[:start], wanted[:start])
        assert order[rank] == wanted[rank]
        assert set(order[start:rank]) == set(wanted[start:rank])
        assert sorted(order) == list(range(scores.size))
    for sort in (selection.sort_block, selection.sort_block.py_func):
        order = mixed.copy()
        sort(order, scores, start, scores.size)
        np.testing.assert_array_equal(order, wanted)


@SETTINGS
@given(st.lists(st.integers(-9, 9), max_size=300), st.data())
def test_numbers_are_sorted_between_two_places(values, data):
    start = data.draw(st.integers(0, len(values)))
    stop = data.draw(st.integers(start, len(values)))
    for sort in (selection.sort_numbers, selection.sort_numbers.py_func):
        numbers = np.array(values, dtype=np.int32)
        sort(numbers, start, stop)
        assert numbers.tolist() == values[:start] + sorted(values[start:stop]) + values[stop:]


# How good and how fast it is on real data.


@pytest.mark.parametrize(
    ("name", "seeds", "limit"), [("bibtex", 3, 0.03), ("emotions", 3, 0.04), ("go_human_cc", 1, 0.52)]
)
def test_quality_on_real_data(name, seeds, limit):
    labels = load(name).labels
    scores = [evaluate(labels, run(labels, 5, seed)).rld for seed in range(seeds)]
    assert np.mean(scores) < limit
    assert all(score > 0 for score in scores)


def test_quick_on_delicious():
    labels = load("delicious").labels
    METHODS["optisplit"].prepare()
    start = time.thread_time()  # not lengthened by other work on the machine
    folds = run(labels, 5)
    assert time.thread_time() - start < 1
    assert evaluate(labels, folds).rld < 0.07


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run_golden_cases()))


@pytest.mark.parametrize(("n_rows", "n_splits"), [(3, 3), (10, 5), (20, 10), (30, 10)])
@pytest.mark.parametrize("seed", range(8))
def test_no_fold_is_emptied(n_rows, n_splits, seed):
    labels = as_labels((np.random.default_rng(seed).random((n_rows, 8)) < 0.3).astype(np.int8))
    folds = optisplit(labels, n_splits, rng=np.random.default_rng(seed))
    assert (np.bincount(folds, minlength=n_splits) > 0).all()
