"""What random splits score on average, against all splits that there are."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import optisplit
from optisplit.measures.chance import mean_random_rld


@pytest.mark.parametrize("folds", [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 2], [0, 0, 0, 0, 0, 1]])
def test_the_mean_is_that_of_all_splits_of_these_sizes(folds):
    labels = np.array([[1, 1, 1], [0, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 1], [0, 0, 0]])
    each = [optisplit.evaluate(labels, mixed).per_label("rld") for mixed in set(permutations(folds))]
    found = mean_random_rld(labels.sum(axis=0), np.bincount(folds))
    np.testing.assert_allclose(found, np.mean(each, axis=0), rtol=1e-10)


def test_labels_on_no_row_and_on_all_have_nothing_to_spread():
    found = mean_random_rld(np.array([0, 6]), np.array([3, 3]))
    assert np.isnan(found[0])
    assert found[1] == 0


def test_a_report_has_the_grade_of_the_check_where_the_data_adds_nothing():
    data = optisplit.load("emotions")
    for method, seed in (("optisplit-sa", 0), ("is", 1), ("random", 2)):
        folds = optisplit.split(data, 5, method=method, random_state=seed)
        check = optisplit.check_split(data, folds)
        if not check.faults:
            assert optisplit.evaluate(data, folds).grade.key == check.grade.key
