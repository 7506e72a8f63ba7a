from __future__ import annotations

import math

import numpy as np
import pytest
import reference
from hypothesis import given
from strategies import SETTINGS, problems

from optisplit import evaluate, load
from optisplit.errors import Cancelled
from optisplit.kernels.row_scores import sum_label_scores
from optisplit.labels import as_labels
from optisplit.methods import row_scores
from optisplit.methods.pmbsrs import pmbsrs


def run(labels, n_splits, seed=0, **options):
    return pmbsrs(as_labels(labels), n_splits, rng=np.random.default_rng(seed), **options)


def ladder(n_rows):
    """Make labels whose scores rise from row to row: row i has label i and all later ones."""
    return np.triu(np.ones((n_rows, n_rows), dtype=np.int8))


@pytest.mark.parametrize("seed", range(5))
def test_worked_example(seed):
    # the products are 1/12 * 2/12 * ... * 12/12 for row 0, the same without 1/12 for row 1, and so on
    folds = run(ladder(12), 3, seed)
    assert np.bincount(folds).tolist() == [4, 4, 4]
    per_stratum = [np.bincount(stratum).tolist() for stratum in (folds[:4], folds[4:8], folds[8:])]
    assert per_stratum == [[2, 1, 1], [1, 2, 1], [1, 1, 2]]


def test_draws_are_random_within_strata():
    seen = np.zeros((6, 2), dtype=int)
    for seed in range(60):
        seen[np.arange(6), run(ladder(6), 2, seed)] += 1
    assert (seen >= 10).all()  # 20 and 40 of 60 are expected


@pytest.mark.parametrize("n_rows", range(2, 15))
def test_every_fold_draws_equally_from_every_stratum(n_rows):
    rng = np.random.default_rng(n_rows)
    labels = (rng.random((n_rows, 6)) < [0.0, 0.1, 0.3, 0.5, 0.8, 1.0]).astype(np.int8)
    for n_splits in range(2, n_rows + 1):
        wanted, strata = reference.pmbsrs(labels, n_splits, seed=3)
        folds = run(labels, n_splits, seed=3)
        np.testing.assert_array_equal(folds, wanted)
        sizes = np.bincount(folds, minlength=n_splits)
        assert sizes.max() - sizes.min() <= 1
        assert (np.diff(sizes) <= 0).all()  # the first folds have the extra rows
        n_in_strata = [len(stratum) for stratum in strata]
        assert max(n_in_strata) - min(n_in_strata) <= 1
        for stratum in strata:
            drawn = np.bincount(folds[stratum], minlength=n_splits)
            assert drawn.max() - drawn.min() <= 1


@SETTINGS
@given(problem=problems())
def test_equal_to_the_naive_algorithm(problem):
    labels, n_splits = problem
    np.testing.assert_array_equal(run(labels, n_splits, 7), reference.pmbsrs(labels, n_splits, 7)[0])


def test_products_that_underflow_are_still_told_apart():
    # rows 0 to 3 have 400, 500, 600, 700 labels of their own, each of frequency 1/8
    n_own = [400, 500, 600, 700]
    labels = np.zeros((8, sum(n_own) + 1), dtype=np.int8)
    for row, (start, size) in enumerate(zip(np.cumsum([0, *n_own]), n_own, strict=False)):
        labels[row, start : start + size] = 1
    labels[4:, -1] = 1
    assert math.prod([1 / 8] * 400) == 0
    for seed in range(10):
        folds = run(labels, 4, seed)
        assert set(folds[[3, 2]].tolist()) == {0, 1}  # the first stratum
        assert set(folds[[1, 0]].tolist()) == {2, 3}


def test_rows_without_labels_come_last():
    labels = ladder(6)
    labels[[1, 4]] = 0
    for seed in range(10):
        assert set(run(labels, 3, seed)[[1, 4]].tolist()) == {1, 2}  # dealt last, in turn


def test_ties_are_broken_at_random():
    arrangements = {tuple(run(np.ones((4, 2)), 2, seed).tolist()) for seed in range(60)}
    assert len(arrangements) == 6


def test_the_order_of_the_labels_does_not_matter():
    labels = load("emotions").labels.toarray()
    order = np.random.default_rng(0).permutation(labels.shape[1])
    np.testing.assert_array_equal(run(labels, 5), run(labels[:, order], 5))


@pytest.mark.parametrize(
    "labels", [np.zeros((5, 2)), np.ones((5, 1)), np.eye(5), [[1, 0]] + [[0, 0]] * 4], ids=["none", "all", "own", "one"]
)
@pytest.mark.parametrize("n_splits", [2, 5])
def test_degenerate_labels(labels, n_splits):
    sizes = np.bincount(run(labels, n_splits), minlength=n_splits)
    assert sizes.max() - sizes.min() <= 1


def test_one_label_that_fills_its_strata_is_divided_evenly():
    labels = (np.arange(103) < 52)[:, None]  # strata of 26, 26, 26 and 25 rows
    folds = run(labels, 4)
    assert [int(labels[folds == fold].sum()) for fold in range(4)] == [13, 13, 13, 13]


def test_better_than_random_where_labels_are_few():
    labels = load("emotions").labels
    rld = np.mean([evaluate(labels, run(labels, 5, seed)).rld for seed in range(20)])
    assert rld < 0.094  # 0.085 over 40 seeds; at random 0.098


def test_it_leaves_the_labels_alone_and_repeats_itself():
    matrix = load("emotions").labels.copy()
    before = matrix.copy()
    np.testing.assert_array_equal(run(matrix, 5, 1), run(matrix, 5, 1))
    assert (run(matrix, 5, 1) != run(matrix, 5, 2)).any()
    assert (matrix != before).nnz == 0


def test_progress_and_cancelling(monkeypatch):
    labels, calls = load("emotions").labels, []
    whole = run(labels, 5)
    monkeypatch.setattr(row_scores, "CHUNK_POSITIVES", 100)
    np.testing.assert_array_equal(run(labels, 5, on_progress=lambda *call: calls.append(call)), whole)
    done, total, score = map(np.array, zip(*calls, strict=True))
    assert len(calls) > labels.nnz / 110
    assert done[0] == 0
    assert done[-1] == labels.shape[0]
    assert (np.diff(done) >= 0).all()
    assert (total == labels.shape[0]).all()
    assert np.isnan(score).all()

    def stop(done, total, score):
        if done > 50:
            raise Cancelled

    with pytest.raises(Cancelled):
        run(labels, 5, on_progress=stop)


# Sums over the labels of rows.


@pytest.mark.parametrize("chunk", [1, 3, 4, 100])
def test_chunks_hold_every_row_once(monkeypatch, chunk):
    labels = as_labels([[1, 1, 1], [0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]])
    rows = np.array([0, 1, 3, 4], dtype=np.int32)
    monkeypatch.setattr(row_scores, "CHUNK_POSITIVES", chunk)
    chunks = row_scores.row_chunks(labels, rows)
    assert [row for piece in chunks for row in rows[piece]] == rows.tolist()
    for piece in chunks:
        assert np.diff(labels.indptr)[rows[piece]][:-1].sum() <= chunk
    assert len(chunks) == {1: 3, 3: 2, 4: 2, 100: 1}[chunk]
    assert row_scores.row_chunks(as_labels(np.zeros((2, 1))), rows[:2]) == [slice(0, 2)]


def test_the_kernel_is_the_same_compiled():
    labels = load("emotions").labels
    rows = np.arange(0, 593, 3, dtype=np.int32)
    values = np.random.default_rng(0).random(labels.shape[1])
    compiled, plain = np.empty(len(rows)), np.empty(len(rows))
    sum_label_scores(labels.indptr, labels.indices, rows, values, compiled)
    sum_label_scores.py_func(labels.indptr, labels.indices, rows, values, plain)
    np.testing.assert_array_equal(compiled, plain)
    np.testing.assert_allclose(compiled, labels.toarray()[rows] @ values)
