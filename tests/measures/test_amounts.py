"""Amounts beside labels: a row may have more than one, as images have objects."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from optisplit import MultilabelDataset, evaluate
from optisplit.labels import count_columns
from optisplit.measures.counting import amounts_per_fold, count_positives_per_fold

AMOUNTS = np.array([[1, 3], [0, 0], [1, 2], [0, 1], [0, 9], [1, 0]], dtype=np.int32)
FOLDS = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)


def data_of(amounts) -> MultilabelDataset:
    labels = sp.csr_array(np.asarray(amounts, dtype=np.int32))
    return MultilabelDataset(labels, tuple(f"n {j}" for j in range(labels.shape[1])))


def test_counting():
    labels = data_of(AMOUNTS).labels
    assert amounts_per_fold(labels, FOLDS, 2).tolist() == [[2, 5], [1, 10]]
    assert count_positives_per_fold(labels, FOLDS, 2).tolist() == [[2, 2], [1, 2]]
    assert amounts_per_fold(labels.astype(np.int8), FOLDS, 2).tolist() == [[2, 2], [1, 2]]
    assert count_columns(labels).tolist() == [False, True]
    assert count_columns(labels.astype(np.int8)) is None


def test_measures_and_bounds_by_hand():
    report = evaluate(data_of(AMOUNTS), FOLDS)
    assert report.is_scored.tolist() == [True, True]
    assert report.positives.tolist() == [3, 15]
    # 5 and 10 of 15, where 7.5 are due in each: |5 / 7.5 - 1| = |10 / 7.5 - 1| = 1 / 3; at best 7 and 8: 1 / 15
    assert report.rld_per_class == pytest.approx([1 / 3, 1 / 3])
    assert report.rld_bound_per_class == pytest.approx([1 / 3, 1 / 15])
    assert report.dcp_per_class == pytest.approx([2 / 3 - 1 / 2, 2 / 3 - 1 / 2])
    assert report.dcp_bound_per_class == pytest.approx([2 / 3 - 1 / 2, 8 / 15 - 1 / 2])
    assert np.isnan(report.ld_per_class).tolist() == [False, True]  # odds are of rows that have it or not
    assert report.ld == report.ld_per_class[0]


def test_a_column_without_any_is_left_out():
    report = evaluate(data_of([[2, 0], [1, 0], [4, 0]]), [0, 1, 2])
    assert report.is_scored.tolist() == [True, False]
    assert report.rld == pytest.approx((abs(2 * 3 / 7 - 1) + abs(3 / 7 - 1) + abs(12 / 7 - 1)) / 3)
    assert report.left_out == ("n 1",)


@pytest.mark.parametrize("seed", range(5))
def test_no_split_is_below_the_bound(seed):
    rng = np.random.default_rng(seed)
    amounts = rng.poisson(1.5, size=(8, 3))
    data = data_of(amounts)
    for _ in range(40):
        report = evaluate(data, rng.permutation([0, 0, 0, 1, 1, 1, 2, 2]), n_splits=3)
        for key in ("rld", "dcp"):
            at, bound = report.per_label(key), report.bound_per_label(key)
            assert (at >= bound - 1e-12)[report.is_scored].all()


def test_digest_tells_amounts_apart():
    assert data_of(AMOUNTS).digest != data_of(AMOUNTS.clip(max=1)).digest


def test_what_is_balanced_is_measured_apart():
    labels = [[1, 0], [0, 1], [1, 0], [0, 1]]
    beside = {"sex": ["f", "f", "m", "m"], "site": ["x", "y", "y", "x"]}
    alone, report = evaluate(labels, [0, 0, 1, 1]), evaluate(labels, [0, 0, 1, 1], balance=beside)
    assert alone.balanced is None
    assert (report.rld, report.label_names) == (alone.rld, alone.label_names)
    assert report.balanced.label_names == ("sex=f", "sex=m", "site=x", "site=y")
    assert report.balanced.counts.tolist() == [[2, 0, 1, 1], [0, 2, 1, 1]]
    assert report.balanced.rld_per_class.tolist() == [1, 1, 0, 0]
    assert repr(report) == repr(alone) + "\nBalanced beside the labels: 4 columns, rLD 0.5 (above the best possible)"
    assert "sex=f" in report._repr_html_()
