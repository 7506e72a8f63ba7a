from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import reference
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS, splits

from optisplit.errors import FoldAssignmentError, LabelError
from optisplit.kernels import counting
from optisplit.labels import as_labels
from optisplit.measures.counting import count_positives_per_fold
from optisplit.measures.formulas import ed
from optisplit.measures.report import Report, evaluate

GOLDEN = Path(__file__).parents[1] / "data" / "reference_optisplit.npz"
GLOBAL = ("ed", "ld", "rld", "dcp", "fz", "flz", "rld_bound", "dcp_bound", "flz_bound")
ROUNDING = 1e-12


@pytest.fixture(scope="module")
def golden():
    with np.load(GOLDEN) as archive:
        return dict(archive)


@pytest.mark.parametrize("case", range(16))
@pytest.mark.parametrize(("when", "suffix"), [("initial", "_initial"), ("final", "")])
def test_equal_to_the_published_code(golden, case, when, suffix):
    n_rows, n_labels, n_splits = golden[f"case{case}_shape"]
    labels = np.zeros((n_rows, n_labels), dtype=np.int8)
    labels[golden[f"case{case}_rows"], golden[f"case{case}_cols"]] = 1
    report = evaluate(labels, golden[f"case{case}_{when}_folds"], n_splits=int(n_splits))
    assert report.is_scored.all()
    for measure in ("ld", "rld", "dcp"):
        published = golden[f"case{case}_{measure}_per_class{suffix}"]
        np.testing.assert_allclose(getattr(report, f"{measure}_per_class"), published, rtol=0, atol=ROUNDING)
        assert getattr(report, measure) == pytest.approx(published.mean(), abs=ROUNDING)


def test_by_hand():
    # six rows in folds of 2, 3 and 1; a: 3 positives, b: 2, c: on all rows, d: on none
    labels = [
        [1, 1, 1, 0],  # fold 0
        [1, 0, 1, 0],  # fold 0
        [1, 0, 1, 0],  # fold 1
        [0, 1, 1, 0],  # fold 1
        [0, 0, 1, 0],  # fold 1
        [0, 0, 1, 0],  # fold 2
    ]
    report = evaluate(pd.DataFrame(labels, columns=list("abcd")), [0, 0, 1, 1, 1, 2])
    assert report.counts.tolist() == [[2, 1, 2, 0], [1, 1, 3, 0], [0, 0, 1, 0]]
    assert report.fold_sizes.tolist() == [2, 3, 1]
    assert report.positives.tolist() == [3, 2, 6, 0]
    assert report.left_out == ("c", "d")
    # a: p is 2/2, 1/3, 0/1 and d 1/2, so odds are (1/2)/(1/2) = 1 (p = 1 counts as 1/2), 1/2, 0 against 1
    # b: p is 1/2, 1/3, 0/1 and d 1/3, so odds are 1, 1/2, 0 against 1/2
    np.testing.assert_allclose(report.ld_per_class, [(0 + 1 / 2 + 1) / 3, (1 / 2 + 0 + 1 / 2) / 3, np.nan, np.nan])
    # relative to d: a 1, 1/3, 1; b 1/2, 0, 1
    np.testing.assert_allclose(report.rld_per_class, [(1 + 1 / 3 + 1) / 3, (1 / 2 + 0 + 1) / 3, np.nan, np.nan])
    np.testing.assert_allclose(report.dcp_per_class, [2 / 3 - 1 / 3, 1 / 2 - 1 / 3, np.nan, np.nan])
    assert report.ld == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert report.rld == pytest.approx((7 / 9 + 1 / 2) / 2)
    assert report.dcp == pytest.approx((1 / 3 + 1 / 6) / 2)
    assert report.ed == pytest.approx((0 + 1 + 1) / 3)
    assert (report.fz, report.flz) == (1, 2)  # fold 2 has neither a nor b; d, which is nowhere, is no fault
    assert report.flz_bound == 1  # b has 2 positives for 3 folds
    assert report.folds_without.tolist() == [1, 1, 0, 3]
    # the best that sizes 2, 3, 1 allow: a as 1, 2, 0 or 1, 1, 1; b as 1, 1, 0
    np.testing.assert_allclose(report.rld_bound_per_class, [(0 + 1 / 3 + 1) / 3, (1 / 2 + 0 + 1) / 3, np.nan, np.nan])
    np.testing.assert_allclose(report.dcp_bound_per_class, [0, 1 / 2 - 1 / 3, np.nan, np.nan])


def test_unequal_shares_by_hand():
    # 4 + 1 rows wanted as 80 % and 20 %
    labels = [[1], [1], [0], [0], [1]]
    report = evaluate(labels, [0, 0, 0, 0, 1], shares=[0.8, 0.2])
    assert report.ed == 0
    assert report.dcp == pytest.approx(1 / 3 - 0.2)
    assert report.dcp_bound == pytest.approx(1 / 3 - 0.2)  # 2 and 1; with 3 and 0 it is 1 - 0.8
    assert report.rld == pytest.approx((abs(3 / 5 - 2 / 4) + abs(3 / 5 - 1)) / (3 / 5) / 2)
    assert evaluate(labels, [0, 0, 0, 0, 1]).ed == 1.5
    sizes = np.array([475, 59, 59])
    assert ed(sizes, sizes, sizes / 593) == 0  # not the 2e-14 that rounding leaves
    uneven = evaluate(labels, [0, 0, 0, 1, 1], shares=[0.8, 0.2])
    assert uneven.ed == pytest.approx(1)


@pytest.mark.parametrize("shares", [[0.5, 0.4], [1.0, 0.0], [1.2, -0.2], [1.0], [[0.5, 0.5]], [0.5, np.nan]])
def test_shares_that_do_not_fit(shares):
    with pytest.raises(FoldAssignmentError, match="shares must be 2 positive numbers that sum to 1"):
        evaluate([[1], [0]], [0, 1], shares=shares)


def test_an_empty_fold():
    report = evaluate([[1], [1], [0], [0]], [0, 1, 0, 1], n_splits=3)
    assert report.fold_sizes.tolist() == [2, 2, 0]
    assert report.rld == pytest.approx(1 / 3)  # the empty fold's frequency is 0
    assert report.ld == pytest.approx(1 / 3)
    assert report.dcp == pytest.approx(1 / 2 - 1 / 3)
    assert (report.fz, report.flz) == (1, 1)
    assert report.ed == pytest.approx((2 / 3 + 2 / 3 + 4 / 3) / 3)
    assert report.rld_bound == pytest.approx(1 / 3)


def test_nothing_to_score():
    report = evaluate([[1, 0], [1, 0]], [0, 1])
    assert report.left_out == ("label 0", "label 1")
    assert np.isnan([report.ld, report.rld, report.dcp, report.rld_bound, report.dcp_bound]).all()
    assert (report.ed, report.fz, report.flz) == (0, 0, 0)
    assert "2 labels on no row or every row left out of the means" in repr(report)


@SETTINGS
@given(splits(min_fold=-1))
def test_equal_to_the_definitions(problem):
    labels, folds, n_splits = problem
    report = evaluate(labels, folds, n_splits=n_splits)
    for measure, exact in reference.MEASURES.items():
        wanted = exact(labels, folds, n_splits)
        assert [score is not None for score in wanted] == report.is_scored.tolist()
        found = getattr(report, f"{measure}_per_class")
        np.testing.assert_allclose(found, [np.nan if s is None else float(s) for s in wanted], rtol=0, atol=ROUNDING)
    assert report.ed == pytest.approx(float(reference.ed(folds, n_splits)), abs=ROUNDING)
    pairs = reference.flz_pairs(labels, folds, n_splits)
    assert report.flz == len(pairs)
    assert report.fz == len({fold for fold, _ in pairs})
    assert report.n_rows == (folds >= 0).sum()


@SETTINGS
@given(splits(), st.lists(st.integers(1, 9), min_size=5, max_size=5))
def test_dcp_with_shares_equals_the_definition(problem, weights):
    labels, folds, n_splits = problem
    shares = np.array(weights[:n_splits]) / sum(weights[:n_splits])
    report = evaluate(labels, folds, n_splits=n_splits, shares=shares)
    wanted = reference.dcp(labels, folds, n_splits, shares)
    np.testing.assert_allclose(report.dcp_per_class, [np.nan if s is None else float(s) for s in wanted], atol=ROUNDING)


@SETTINGS
@given(splits(min_fold=-1))
def test_no_score_is_below_its_bound(problem):
    labels, folds, n_splits = problem
    report = evaluate(labels, folds, n_splits=n_splits)
    scored = report.is_scored
    assert (report.rld_per_class[scored] >= report.rld_bound_per_class[scored] - ROUNDING).all()
    assert (report.dcp_per_class[scored] >= report.dcp_bound_per_class[scored] - ROUNDING).all()
    assert report.flz >= report.flz_bound


@SETTINGS
@given(splits(min_fold=-1), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(problem, random):
    labels, folds, n_splits = problem
    before = evaluate(labels, folds, n_splits=n_splits)
    renamed = np.array([*random.sample(range(n_splits), n_splits), -1])[folds]
    rows = random.sample(range(len(labels)), len(labels))
    columns = random.sample(range(labels.shape[1]), labels.shape[1])
    for other in (
        evaluate(labels, renamed, n_splits=n_splits),
        evaluate(labels[rows], folds[rows], n_splits=n_splits),
        evaluate(labels[:, columns], folds, n_splits=n_splits),
    ):
        for measure in GLOBAL:
            np.testing.assert_allclose(getattr(other, measure), getattr(before, measure), atol=ROUNDING)


@SETTINGS
@given(splits(min_fold=-1))
def test_dense_sparse_and_frame_are_the_same(problem):
    labels, folds, n_splits = problem
    before = labels.copy(), folds.copy()
    reports = [
        evaluate(form(labels), folds, n_splits=n_splits)
        for form in (np.asarray, np.ndarray.tolist, sp.csc_matrix, sp.coo_array, pd.DataFrame)
    ]
    for report in reports:
        np.testing.assert_array_equal(report.counts, reports[0].counts)
    np.testing.assert_array_equal(labels, before[0])
    np.testing.assert_array_equal(folds, before[1])


@SETTINGS
@given(splits(min_fold=-1))
def test_counts_are_conserved(problem):
    labels, folds, n_splits = problem
    matrix = as_labels(labels)
    counts = count_positives_per_fold(matrix, folds, n_splits)
    np.testing.assert_array_equal(counts.sum(axis=0), labels[folds >= 0].sum(axis=0, dtype=int))
    plain = np.zeros_like(counts)
    counting.count_positives.py_func(matrix.indptr, matrix.indices, folds, plain)
    np.testing.assert_array_equal(plain, counts)


@SETTINGS
@given(splits(max_rows=12), st.integers(2, 7))
def test_stacked_data_in_block_folds_is_perfect(problem, n_splits):
    labels, _, _ = problem
    report = evaluate(np.tile(labels, (n_splits, 1)), np.repeat(np.arange(n_splits), len(labels)))
    assert report.ed == 0
    for measure in ("rld", "dcp"):
        scores = getattr(report, f"{measure}_per_class")[report.is_scored]
        np.testing.assert_array_equal(scores, 0)  # to the last digit, so that "at the bound" can be told
        np.testing.assert_array_equal(getattr(report, f"{measure}_bound_per_class")[report.is_scored], 0)
    np.testing.assert_allclose(report.ld_per_class[report.is_scored], 0, atol=ROUNDING)


@SETTINGS
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 12)), min_size=2, max_size=7), st.data())
def test_a_perfect_split_into_unequal_folds_is_at_a_bound_of_zero(parts, data):
    weights = np.array([weight for weight, _ in parts])
    frequency = data.draw(st.integers(1, 11))
    report = Report(weights[:, None] * frequency, weights * 12, np.full(len(parts), 1 / len(parts)), ("a",))
    assert report.rld == report.rld_bound == 0


def test_rows_always_in_training_count_nowhere():
    labels = np.array([[1, 0], [0, 1], [1, 1], [0, 0], [1, 1]])
    with_more = evaluate(labels, [0, 1, 1, 0, -1])
    without = evaluate(labels[:4], [0, 1, 1, 0])
    for measure in GLOBAL:
        assert getattr(with_more, measure) == getattr(without, measure)
    assert with_more.n_rows == 4


def test_per_class_table():
    report = evaluate(pd.DataFrame([[1, 1], [0, 1], [1, 1], [0, 1]], columns=["a", "b"]), [0, 0, 1, 1])
    table = report.per_class
    assert table.columns.tolist() == [
        "label", "positives", "rld", "rld_bound", "dcp", "dcp_bound", "ld", "folds_without", "fold 0", "fold 1",
    ]  # fmt: skip
    assert table["label"].tolist() == ["a", "b"]
    assert table.loc[0, ["rld", "rld_bound", "dcp", "dcp_bound", "ld"]].tolist() == [0] * 5
    assert table.loc[1, ["rld", "rld_bound", "dcp", "dcp_bound", "ld"]].isna().all()
    assert table[["fold 0", "fold 1"]].to_numpy().tolist() == [[1, 1], [2, 2]]
    assert "bound" in repr(report)


def test_bad_input_is_refused():
    with pytest.raises(LabelError, match="'2'"):
        evaluate([[2], [0]], [0, 1])
    with pytest.raises(FoldAssignmentError, match=r"expected 2, got an array of shape \(3,\)"):
        evaluate([[1], [0]], [0, 1, 0])
    with pytest.raises(FoldAssignmentError, match="No row is in a fold"):
        evaluate([[1], [0]], [-1, -1], n_splits=2)


def test_folds_keep_the_names_that_they_came_with():
    labels, folds = [[1, 0], [1, 1], [0, 1], [0, 1]], [0, 1, 0, 1]
    assert evaluate(labels, folds).fold_names == ("fold 0", "fold 1")
    report = evaluate(labels, folds, fold_names=["1", "2"])
    assert report.per_class[["1", "2"]].to_numpy().tolist() == [[1, 1], [1, 2]]
    # a name that is another column's, or another fold's, is made distinct
    assert evaluate(labels, folds, fold_names=["label", "label"]).fold_titles == ("part label", "part label'")
    with pytest.raises(FoldAssignmentError, match="fold_names has 1 name for 2 folds"):
        evaluate(labels, folds, fold_names=["1"])
