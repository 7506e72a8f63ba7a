from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, PredefinedSplit
from strategies import SETTINGS

from optisplit.cells import unguarded
from optisplit.errors import FoldAssignmentError
from optisplit.folds.arrays import (
    as_folds,
    check_n_splits,
    fold_sizes,
    folds_to_csv,
    folds_to_npz,
    train_test_pairs,
)

FOLDS = np.array([1, 0, 2, -1, 2], dtype=np.int32)
ODD_IDS = ["a,b", 'say "x"', "two\nlines", "crlf\r\nhere", "cr\ronly", "é – 日本", " spaces ", "", "=1+1", "\u2028sep"]


@pytest.mark.parametrize(("n_splits", "n_rows"), [(2, 2), (5, 9), (np.int64(3), 3)])
def test_check_n_splits(n_splits, n_rows):
    checked = check_n_splits(n_splits, n_rows)
    assert checked == n_splits
    assert type(checked) is int


@pytest.mark.parametrize(
    ("n_splits", "match"),
    [
        (1, "n_splits=1 makes no split; use n_splits >= 2"),
        (0, "n_splits=0 makes no split"),
        (-3, "n_splits=-3 makes no split"),
        (11, "n_splits=11 exceeds the number of rows, 10; use n_splits <= 10"),
        (2.0, r"n_splits must be a whole number, got 2\.0"),
        (True, "n_splits must be a whole number, got True"),
        ("5", "n_splits must be a whole number, got '5'"),
        (None, "n_splits must be a whole number, got None"),
    ],
)
def test_check_n_splits_refuses(n_splits, match):
    with pytest.raises(FoldAssignmentError, match=match):
        check_n_splits(n_splits, 10)


@pytest.mark.parametrize(
    "given_folds",
    [
        FOLDS,
        FOLDS.tolist(),
        tuple(FOLDS.tolist()),
        FOLDS.astype(np.int64),
        FOLDS.astype(float),
        FOLDS.astype(np.int8),
        pd.Series(FOLDS, index=list("edcba")),
        [([1, 2, 4], [1]), ([0, 2], [0]), ([0, 1], [2, 4])],
    ],
    ids=["int32", "list", "tuple", "int64", "float", "int8", "series", "pairs"],
)
def test_as_folds(given_folds):
    found, n_splits = as_folds(given_folds, 5)
    assert found.dtype == np.int32
    assert n_splits == 3
    if isinstance(given_folds, list) and isinstance(given_folds[0], tuple):
        np.testing.assert_array_equal(found, [1, 0, 2, -1, 2])
    else:
        np.testing.assert_array_equal(found, FOLDS)


def test_unsigned_numbers():
    found, n_splits = as_folds(np.array([0, 1, 1], dtype=np.uint8), 3)
    assert (found.tolist(), n_splits) == ([0, 1, 1], 2)


def test_n_splits_may_exceed_the_highest_fold():
    assert as_folds([0, 1, 0], 3, 4)[1] == 4
    assert as_folds([0, 0, 0], 3, np.int64(2))[1] == 2


def test_pairs_of_scikit_learn_and_back():
    pairs = list(KFold(3, shuffle=True, random_state=0).split(np.zeros((10, 1))))
    folds, n_splits = as_folds(pairs, 10)
    for (train, test), (wanted_train, wanted_test) in zip(train_test_pairs(folds, n_splits), pairs, strict=True):
        np.testing.assert_array_equal(train, wanted_train)
        np.testing.assert_array_equal(test, wanted_test)


def test_minus_one_is_always_in_training():
    ours = list(train_test_pairs(FOLDS, 3))
    assert all(3 in train for train, _ in ours)
    for (train, test), (wanted_train, wanted_test) in zip(ours, PredefinedSplit(FOLDS).split(), strict=True):
        np.testing.assert_array_equal(train, wanted_train)
        np.testing.assert_array_equal(test, wanted_test)
    assert fold_sizes(FOLDS, 4).tolist() == [1, 1, 2, 0]


@pytest.mark.parametrize(
    ("folds", "n_splits", "match"),
    [
        ([0, 1], None, r"expected 3, got an array of shape \(2,\)"),
        ([[0, 1, 0]], None, r"expected 3, got an array of shape \(1, 3\)"),
        (1, None, r"got an array of shape \(\)"),
        ([0, 1, 0.5], None, "must be whole numbers, got values of type float64"),
        ([0, 1, np.nan], None, "must be whole numbers, got values of type float64"),
        ([0, 1, np.inf], None, "must be whole numbers"),
        ([True, False, True], None, "must be whole numbers, got values of type bool"),
        (["0", "1", "0"], None, "must be whole numbers"),
        ([0, 1, None], None, "must be whole numbers, got values of type object"),
        ([0, -2, -3], None, r"2 rows have a fold number below -1"),
        ([0, 3, 4], 3, r"2 rows have a fold number of 3 or more, but n_splits=3 allows 0 to 2"),
        ([0, 0, 0], None, r"at least two folds, but the highest fold number is 0 \(they count from 0\)"),
        ([-1, -1, -1], None, r"No row is in a fold: all are always in training \(-1\)"),
        ([-1, -1, -1], 2, "No row is in a fold"),
        ([0, 1, 2**31], None, "Fold number 2147483648 for 3 rows is not plausible"),
        ([0, 1, 2**32], 3, "Fold number 4294967296 for 3 rows is not plausible"),
        ([0, 1, 1e12], None, "Fold number 1000000000000 for 3 rows is not plausible"),
        ([0, 1, 0], 1, "n_splits must be a whole number of at least 2, got 1"),
        ([0, 1, 0], 2.5, r"n_splits must be a whole number of at least 2, got 2\.5"),
        ([0, 1, 0], True, "n_splits must be a whole number of at least 2, got True"),
        ([([0], [1]), ([0], [1])], None, r"1 row of fold 1 in a test part twice"),
        ([([0], [1, 1]), ([1], [0])], None, r"1 row of fold 0 in a test part twice"),
        ([([0], [3]), ([0], [1])], None, "Fold 0 names row 3, but the data has the rows 0 to 2"),
        ([([0], [1]), ([0], [0, -1])], None, "Fold 1 names row -1, but the data has the rows 0 to 2"),
        ([([0], [True, False, True]), ([0], [1])], None, "Fold 0 must name its rows by whole numbers, .* bool"),
        ([([0], [0.0]), ([0], [1])], None, "Fold 0 must name its rows by whole numbers, .* float64"),
        ([([0], [0])], None, "at least two folds"),
        ([([0], [0]), ([0], [1]), ([0], [2])], 2, "n_splits=2 allows 0 to 1"),
        ([([0], []), ([0], [])], None, "No row is in a fold"),
    ],
)
def test_as_folds_refuses(folds, n_splits, match):
    with pytest.raises(FoldAssignmentError, match=match):
        as_folds(folds, 3, n_splits)


def test_as_folds_leaves_its_input_alone():
    for folds in (FOLDS.copy(), FOLDS.astype(float)):
        before = folds.copy()
        as_folds(folds, 5)
        np.testing.assert_array_equal(folds, before)


def test_csv_text():
    assert folds_to_csv(FOLDS) == "row,fold\n0,1\n1,0\n2,2\n3,-1\n4,2\n"
    assert folds_to_csv(FOLDS[:2], ["a,b", "c\rd"]) == 'row_id,fold\n"a,b",1\n"c\rd",0\n'
    with pytest.raises(ValueError, match="zip"):
        folds_to_csv(FOLDS, ["a"])


def read_back(text):
    """Give ids and folds of a table, as a reader has them that takes marks off: ids beside numbers if one is empty."""
    header, *lines = csv.reader(io.StringIO(text, newline=""))
    assert header[1:] in (["fold"], ["id", "fold"])
    ids = [unguarded(line[-2]) for line in lines]
    if "" in ids:
        assert [line[0] for line in lines] == list(map(str, range(len(lines))))
    return ids, [int(line[-1]) for line in lines]


@pytest.mark.parametrize("row_ids", [None, list("abcde"), ODD_IDS[:5], ODD_IDS[5:]], ids=["none", "a-e", "odd", "odd2"])
def test_a_table_is_read_back(row_ids):
    ids, folds = read_back(folds_to_csv(FOLDS, row_ids))
    assert ids == (row_ids or list("01234"))
    assert folds == FOLDS.tolist()


@SETTINGS
@given(
    st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"])), st.integers(-1, 9)), unique_by=lambda x: x[0])
)
def test_a_table_with_any_ids_is_read_back(rows):
    ids, numbers = [row_id for row_id, _ in rows], [fold for _, fold in rows]
    assert read_back(folds_to_csv(np.array(numbers, dtype=np.int32), ids)) == (ids, numbers)


def test_archive_is_read_by_numpy_alone():
    with np.load(io.BytesIO(folds_to_npz(FOLDS, list("abcde"))), allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["test_fold"], FOLDS)
        assert archive["row_id"].tolist() == list("abcde")


def test_folds_that_count_from_one_are_noticed():
    with pytest.raises(FoldAssignmentError, match=r"run from 1 to 2, but they count from 0\.\nHint: subtract 1"):
        as_folds([1, 2, 1, 2], 4)
    assert as_folds([1, 2, 1, 2], 4, n_splits=3)[1] == 3
