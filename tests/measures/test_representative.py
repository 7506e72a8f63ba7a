"""Whether parts look like the whole: beyond rounding, rare shares, row shape."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS, splits

from optisplit.kernels import counting
from optisplit.labels import as_labels
from optisplit.measures import representative
from optisplit.measures.counting import count_rows_per_fold
from optisplit.measures.registry import MEASURES
from optisplit.measures.report import Report, evaluate

NEW = ("beyond_rounding", "rare_shares", "row_shape")
ROUNDING = 1e-12


def test_by_hand():
    # ten rows, 5 + 3 + 2
    folds = [0] * 5 + [1] * 3 + [2] * 2
    labels = np.zeros((10, 5), dtype=int)
    labels[[0, 1, 2, 3], 0] = 1  # 4: due 2, 1.2, .8; found 4, 0, 0
    labels[[0, 5], 1] = 1  # 2: due 1, .6, .4; found 1, 1, 0
    labels[[1, 2], 2] = 1  # 2: the same due; found 2, 0, 0
    labels[:, 3] = 1  # on every row: nothing to be done
    report = evaluate(labels, folds)
    # the first lacks a positive in fold 1 (1 or 2 are due there), none in fold 2 (0 or 1 are), and has 2 too many in
    # fold 0: half of 3. The third has one too many in fold 0, and lacks none: half of 1
    assert report.beyond_rounding_per_class[:3].tolist() == [1.5, 0, 0.5]
    assert np.isnan(report.beyond_rounding_per_class[3:]).all()
    assert report.beyond_rounding == 2
    # both labels of 2 together: 3/4, 1/4, 0 where 5/10, 3/10, 2/10 are due; the one of 4: 1, 0, 0
    assert report.rare_shares == pytest.approx((0.5 + 2 * 0.25) / 3)
    # 4 positives in 5 : 3 : 2 are best 2, 1, 1: 0 + .2/4 + .2/4, halved, for all labels, as 2 + 2 are 4 as well
    assert report.rare_shares_bound == pytest.approx(0.05)
    # labels a row: 3, 3, 3, 2, 1 | 2, 1, 1 | 1, 1; of all rows 5/10, 2/10, 3/10 have 1, 2, 3
    fold_0 = (abs(0.2 - 0.5) + 0 + abs(0.6 - 0.3)) / 2
    fold_2 = (abs(1 - 0.5) + 0.2 + 0.3) / 2
    assert fold_2 > fold_0
    assert report.rows_by_n_labels.tolist() == [[0, 1, 1, 3], [0, 2, 1, 0], [0, 2, 0, 0]]
    assert report.row_shape == pytest.approx(fold_2)
    # 2 rows where 1, .4, .6 are due are best 1, 0, 1; 3 rows where 1.5, .6, .9 are due 1 or 2, 1 or 0, 1: .1 + .4 + .5
    assert report.row_shape_bound == pytest.approx(max((0 + 0.4 + 0.4) / 4, (0.5 + 0.4 + 0.1) / 6))


def test_what_rounding_hides_shows_together():
    # 100 labels of one positive, 80 + 20 rows: each label alone is as it should be in any part
    labels = np.eye(100, dtype=int)
    all_in_training = evaluate(np.vstack([labels[20:], np.zeros((20, 100), int), labels[:20]]), [0] * 100 + [1] * 20)
    nowhere = evaluate(np.vstack([labels, np.zeros((25, 100), int)]), [0] * 100 + [1] * 25)
    assert (all_in_training.beyond_rounding, nowhere.beyond_rounding) == (0, 0)
    assert all_in_training.rare_shares == pytest.approx(0.2 - 1 / 6)
    assert nowhere.rare_shares == pytest.approx(0.2)
    assert nowhere.rare_shares_bound == 0


@SETTINGS
@given(splits(min_fold=-1))
def test_equal_to_the_definitions(problem):
    labels, folds, n_splits = problem
    report = evaluate(labels, folds, n_splits=n_splits)
    wanted = reference.beyond_rounding(labels, folds, n_splits)
    assert np.nan_to_num(report.beyond_rounding_per_class).tolist() == [float(each) for each in wanted]
    assert report.beyond_rounding == sum(wanted).__ceil__()
    wanted = reference.rare_shares(labels, folds, n_splits)
    assert report.rare_shares == pytest.approx(np.nan if wanted is None else float(wanted), abs=ROUNDING, nan_ok=True)
    assert report.row_shape == pytest.approx(float(reference.row_shape(labels, folds, n_splits)), abs=ROUNDING)


@SETTINGS
@given(splits(max_rows=7, max_labels=4))
def test_no_split_of_the_same_sizes_is_below_the_bounds(problem):
    labels, folds, n_splits = problem
    report = evaluate(labels, folds, n_splits=n_splits)
    lowest = {key: report.score(key).bound for key in NEW}
    for other in reference.every_split(folds):
        scores = evaluate(labels, other, n_splits=n_splits).scores
        for key in NEW:
            assert scores[key].bound == lowest[key] or np.isnan(lowest[key])
            assert not scores[key].value < lowest[key] - ROUNDING


@pytest.mark.parametrize("weights", [(5, 3, 2), (8, 1, 1), (1, 1, 1), (7, 0, 2), (4, 4), (9, 1), (3, 3, 2, 1)])
@pytest.mark.parametrize("total", range(1, 9))
def test_largest_remainders_equal_a_full_search(total, weights):
    found = representative._least_distance(total, np.array(weights))
    assert found == pytest.approx(float(reference.least_distance(total, weights)), abs=ROUNDING)


def test_counting_rows_equals_its_plain_twin():
    labels = as_labels(np.random.default_rng(0).integers(0, 2, (40, 6)))
    folds = np.random.default_rng(1).integers(-1, 3, 40).astype(np.int32)
    found = count_rows_per_fold(labels, folds, 3)
    plain = np.zeros_like(found)
    counting.count_rows.py_func(labels.indptr, folds, plain)
    lengths = labels.sum(axis=1)
    wanted = [[int(((folds == fold) & (lengths == n)).sum()) for n in range(lengths.max() + 1)] for fold in range(3)]
    assert found.tolist() == plain.tolist() == wanted


def test_bands_of_sizes():
    sizes = np.array([0, 1, 2, 9, 10, 19, 20, 49, 50, 99, 100, 199, 200, 499, 500, 999, 1000, 5000, 99_999, 100_000])
    wanted = [0, 1, 2, 9, 10, 10, 20, 20, 50, 50, 100, 100, 200, 200, 500, 500, 1000, 5000, 50_000, 100_000]
    assert representative.size_bands(sizes).tolist() == wanted
    assert representative.size_bands(np.zeros(0, dtype=np.int64)).tolist() == []


def test_many_numbers_of_labels_are_put_together_by_their_rows(monkeypatch):
    rows = np.array([1, 30, 30, 1, 1, 1, 0, 36])  # 100 rows with 0, 1, 2, ... labels
    assert representative.row_kinds(rows).tolist() == list(range(8))
    monkeypatch.setattr(representative, "MOST_ROW_KINDS", 5)
    # middle rows at .5, 16, 46, 61.5, 62.5, 63.5, (64), 82; fifths end at 20, 40, 60, 80
    assert representative.row_kinds(rows).tolist() == [0, 1, 3, 4, 4, 4, 4, 5]


@SETTINGS
@given(splits(max_labels=12), st.integers(1, 4))
def test_rows_put_together_equal_the_definition(problem, most):
    labels, folds, n_splits = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(representative, "MOST_ROW_KINDS", most)
        report = evaluate(labels, folds, n_splits=n_splits)
        wanted = float(reference.row_shape(labels, folds, n_splits, most))
        assert report.row_shape == pytest.approx(wanted, abs=ROUNDING)
        assert report.row_shape >= report.row_shape_bound - ROUNDING


@SETTINGS
@given(splits(max_rows=12), st.integers(2, 7))
def test_stacked_data_in_block_folds_is_perfect(problem, n_splits):
    labels, _, _ = problem
    report = evaluate(np.tile(labels, (n_splits, 1)), np.repeat(np.arange(n_splits), len(labels)))
    assert report.beyond_rounding == 0
    assert report.row_shape == report.row_shape_bound == 0
    if report.is_scored.any():
        assert report.rare_shares == report.rare_shares_bound == 0


@SETTINGS
@given(splits(min_fold=-1), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(problem, random):
    labels, folds, n_splits = problem
    before = evaluate(labels, folds, n_splits=n_splits)
    renamed = np.array([*random.sample(range(n_splits), n_splits), -1])[folds]
    rows = random.sample(range(len(labels)), len(labels))
    for other in (evaluate(labels, renamed, n_splits=n_splits), evaluate(labels[rows], folds[rows], n_splits=n_splits)):
        for key in NEW:
            np.testing.assert_allclose(other.value(key), before.value(key), atol=ROUNDING)
            np.testing.assert_allclose(other.score(key).bound, before.score(key).bound, atol=ROUNDING)


def test_a_report_made_without_rows_knows_nothing_of_them():
    report = Report(np.array([[1], [1]], np.int32), np.array([2, 2]), np.array([0.5, 0.5]), ("a",))
    assert np.isnan([report.row_shape, report.row_shape_bound]).all()
    assert report.score("row_shape").sentence == ""
    assert (report.beyond_rounding, report.rare_shares) == (0, 0)


def test_they_say_nothing_in_per_cent_of_their_bounds():
    assert not set(NEW) & {key for key in MEASURES if f"{key}_excess_percent" in _table()}


def _table():
    import optisplit

    return optisplit.compare([[1, 0], [0, 1], [1, 1], [0, 0]], ["random"], 2).table


def test_tables_of_where_positives_and_rows_are():
    labels = [[1, 1, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
    report = evaluate(labels, [0, 1, 0, 0, 1], fold_names=["size", "b"])
    assert report.rare_table.columns.tolist() == [
        "size", "labels", "positives", "part size", "part size due", "b", "b due",
    ]  # fmt: skip
    # without the label on every row: one of 1 positive, one of 2, one of 3
    assert report.rare_table.to_numpy().tolist() == [
        ["1", 1, 1, 1.0, 0.6, 0.0, 0.4],
        ["2", 1, 2, 0.5, 0.6, 0.5, 0.4],
        ["3", 1, 3, 2 / 3, 0.6, 1 / 3, 0.4],
    ]
    assert report.row_table.columns.tolist() == ["labels", "rows", "size", "size due", "b", "b due"]
    assert report.row_table.to_numpy().tolist() == [["2", 4, 0.5, 0.6, 0.5, 0.4], ["3", 1, 1.0, 0.6, 0.0, 0.4]]
    unknown = Report(report.counts, report.fold_sizes, report.shares, report.label_names)
    assert unknown.rare_table.shape == (3, 7)
    assert unknown.row_table.shape == (0, 6)
    assert evaluate([[1], [1]], [0, 1]).rare_table.shape == (0, 7)


def test_sizes_and_numbers_of_labels_are_named():
    rng = np.random.default_rng(0)
    labels = rng.random((300, 40)) < np.array([5, 8, 15, 60] * 10) / 300
    report = evaluate(labels.astype(int), rng.integers(0, 3, 300))
    named = report.rare_table.set_index("size")
    assert {"10–19", "50–99"} <= set(named.index)
    assert named["positives"].sum() == labels.sum()
    within = (labels.sum(axis=0) >= 10) & (labels.sum(axis=0) <= 19)
    assert named.loc["10–19", "labels"] == within.sum()
    assert named.loc["10–19", "positives"] == labels[:, within].sum()
    assert report.row_table["rows"].sum() == 300
