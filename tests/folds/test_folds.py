from __future__ import annotations

import io
import pickle
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, PredefinedSplit
from strategies import SETTINGS

from optisplit.errors import FoldAssignmentError
from optisplit.folds.arrays import (
    as_folds,
    check_n_splits,
    fold_sizes,
    folds_to_csv,
    folds_to_npz,
    match_rows,
    read_folds,
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
        ([0, -2, -3], None, r"2 row\(s\) have a fold number below -1"),
        ([0, 3, 4], 3, r"2 row\(s\) have a fold number of 3 or more, but n_splits=3 allows 0 to 2"),
        ([0, 0, 0], None, r"at least two folds, but the highest fold number is 0 \(they count from 0\)"),
        ([-1, -1, -1], None, r"No row is in a fold: all are always in training \(-1\)"),
        ([-1, -1, -1], 2, "No row is in a fold"),
        ([0, 1, 2**31], None, "Fold number 2147483648 for 3 rows is not plausible"),
        ([0, 1, 2**32], 3, "Fold number 4294967296 for 3 rows is not plausible"),
        ([0, 1, 1e12], None, "Fold number 1000000000000 for 3 rows is not plausible"),
        ([0, 1, 0], 1, "n_splits must be a whole number of at least 2, got 1"),
        ([0, 1, 0], 2.5, r"n_splits must be a whole number of at least 2, got 2\.5"),
        ([0, 1, 0], True, "n_splits must be a whole number of at least 2, got True"),
        ([([0], [1]), ([0], [1])], None, r"1 row\(s\) of fold 1 stand in a test part twice"),
        ([([0], [1, 1]), ([1], [0])], None, r"1 row\(s\) of fold 0 stand in a test part twice"),
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


def written(path, folds, row_ids=None):
    if path.suffix == ".npz":
        path.write_bytes(folds_to_npz(folds, row_ids))
    else:
        path.write_bytes(folds_to_csv(folds, row_ids).encode())
    return path


@pytest.mark.parametrize("name", ["folds.csv", "folds.npz"])
@pytest.mark.parametrize("row_ids", [None, list("abcde"), ODD_IDS[:5], ODD_IDS[5:]], ids=["none", "a-e", "odd", "odd2"])
def test_round_trip(tmp_path, name, row_ids):
    path = written(tmp_path / name, FOLDS, row_ids)
    found = read_folds(path, row_ids)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, FOLDS)
    np.testing.assert_array_equal(read_folds(str(path)), FOLDS)
    if row_ids is not None:
        backwards = read_folds(path, row_ids[::-1])
        np.testing.assert_array_equal(backwards, FOLDS[::-1])


@SETTINGS
@given(
    st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"])), st.integers(-1, 9)), unique_by=lambda x: x[0])
)
def test_round_trip_of_any_ids(tmp_path_factory, rows):
    ids, numbers = [row_id for row_id, _ in rows], np.array([fold for _, fold in rows], dtype=np.int32)
    path = written(tmp_path_factory.getbasetemp() / "any.csv", numbers, ids)
    np.testing.assert_array_equal(read_folds(path, ids), numbers)
    np.testing.assert_array_equal(read_folds(path, ids[::-1]), numbers[::-1])


def test_archive_is_read_by_numpy_alone():
    with np.load(io.BytesIO(folds_to_npz(FOLDS, list("abcde"))), allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["test_fold"], FOLDS)
        assert archive["row_id"].tolist() == list("abcde")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("row,fold\n2,1\n0,0\n1,1\n", [0, 1, 1]),  # any order
        ("fold\n1\n0\n", [1, 0]),
        ("\ufefffold,row\r\n1,0\r\n0,1\r\n", [1, 0]),  # as spreadsheets write it
        ("note,fold\nx, 1 \ny,-1\n\n\n", [1, -1]),
        ('row_id,fold\n"a\nb",1\n', [1]),
    ],
)
def test_csv_of_others(tmp_path, text, wanted):
    (tmp_path / "folds.csv").write_bytes(text.encode())
    assert read_folds(tmp_path / "folds.csv").tolist() == wanted


def test_ids_that_repeat_must_stand_in_order(tmp_path):
    path = written(tmp_path / "folds.csv", FOLDS[:3], ["a", "a", "b"])
    np.testing.assert_array_equal(read_folds(path, ["a", "a", "b"]), FOLDS[:3])
    with pytest.raises(FoldAssignmentError, match=r"3 lines for 3 rows, 0 of them missing \(but some stand twice\)"):
        read_folds(path, ["a", "b", "a"])


def test_match_rows():
    assert match_rows(["c", "a", "b"], ["a", "b", "c"], "x.csv").tolist() == [1, 2, 0]
    assert match_rows(("a", "a"), ["a", "a"], "x.csv").tolist() == [0, 1]
    assert match_rows([], [], "x.csv").tolist() == []
    with pytest.raises(FoldAssignmentError, match=r"rows of x\.csv .*: 1 lines for 2 rows, 1 of them missing \('b'\)"):
        match_rows(["a"], ["a", "b"], "x.csv")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("row,fold\n0,1\n1,x\n", "folds.csv, line 3: 'x' is not a fold number"),
        ("row,fold\n0,1.5\n", "line 2: '1.5' is not a fold number"),
        ("row,fold\n0,\n", "line 2: '' is not a fold number"),
        ("row,fold\n0\n", "line 2: '' is not a fold number"),
        ("row,fold\n0,--1\n", "line 2: '--1' is not a fold number"),
        ("row,fold\n0,²\n", "line 2: '²' is not a fold number"),
        ("row,fold\n0,٣\n", "is not a fold number"),
        ('row_id,fold\n"two\nlines",0\nb,x\n', "line 4: 'x' is not a fold number"),
        ("row,fold\n0," + "9" * 30 + "\n", "line 2: '9+' is not a fold number"),
        ("row,fold\n0,999999999999\n", "Fold number 999999999999 for 1 rows is not plausible"),
        ("row,fold\n0,-2\n", r"1 row\(s\) have a fold number below -1"),
        ("row,fold\n0,1\n2,0\n", r"2 lines for 2 rows, 1 of them missing \('1'\)"),
        ("row,fold\n0,1\n0,0\n", r"1 of them missing \('1'\)"),
        ("row,split\n0,1\n", "folds.csv holds no folds: it needs a CSV column 'fold'"),
        ("", "holds no folds"),
        ("x" * 200_000, "holds no folds"),
        ("row,fold\n" + "x" * 200_000 + ",1\n", "The rows of folds.csv are not those of the data|holds no folds"),
    ],
)
def test_bad_csv(tmp_path, text, match):
    (tmp_path / "folds.csv").write_text(text, encoding="utf-8")
    with pytest.raises(FoldAssignmentError, match=match):
        read_folds(tmp_path / "folds.csv")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00fold\n1", b"\x00\x01\x02", b"PK\x03\x04"])
def test_no_text_at_all(tmp_path, content):
    (tmp_path / "folds.csv").write_bytes(content)
    with pytest.raises(FoldAssignmentError, match="holds no folds"):
        read_folds(tmp_path / "folds.csv")


@pytest.mark.parametrize("name", ["folds.csv", "folds.npz"])
def test_rows_of_other_data(tmp_path, name):
    path = written(tmp_path / name, FOLDS[:3], ["a", "b", "c"])
    with pytest.raises(FoldAssignmentError, match=r"3 lines for 4 rows, 1 of them missing \('d'\)"):
        read_folds(path, list("abcd"))
    with pytest.raises(FoldAssignmentError, match=r"3 lines for 2 rows, 0 of them missing"):
        read_folds(path, list("ab"))


@pytest.mark.parametrize("name", ["folds.csv", "folds.npz"])
def test_missing_files(tmp_path, name):
    with pytest.raises(FoldAssignmentError, match=f"{name} cannot be read: No such file or directory"):
        read_folds(tmp_path / name)
    (tmp_path / name).mkdir()
    with pytest.raises(FoldAssignmentError, match=f"{name} cannot be read: Is a directory"):
        read_folds(tmp_path / name)


class _Trap:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def savez(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def save(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def trapped():
    objects = np.empty(1, dtype=object)
    objects[0] = _Trap()
    return objects


def damaged():
    data = bytearray(savez(test_fold=np.random.default_rng(0).integers(0, 9, 5000)))
    data[300:400] = b"\xff" * 100
    return bytes(data)


def with_method(number):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("test_fold.npy", save(FOLDS))
    data = bytearray(stream.getvalue())
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(mark) + offset] = number
    return bytes(data)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (savez(test_fold=trapped()), "holds no folds"),
        (pickle.dumps(_Trap()), "holds no folds"),
        (savez(folds=FOLDS), "holds no folds: it needs .* an NPZ array 'test_fold'"),
        (save(FOLDS), "holds no folds"),
        (savez(test_fold=np.array(3)), "holds no folds"),
        (savez(test_fold=np.array([0.5])), "must be whole numbers"),
        (savez(test_fold=np.zeros((2, 2), dtype=int)), r"got an array of shape \(2, 2\)"),
        (savez(test_fold=np.array(["a"])), "must be whole numbers"),
        (damaged(), "holds no folds"),
        (with_method(97), "holds no folds"),
        (savez(test_fold=FOLDS)[:60], "holds no folds"),
        (b"", "holds no folds"),
        (b"row,fold\n0,1\n", "holds no folds"),
    ],
    ids=[
        "objects", "pickle", "other name", "npy", "scalar", "fractions", "table", "texts", "damaged",
        "unknown packing", "cut off", "empty", "text",
    ],
)  # fmt: skip
def test_bad_archives(tmp_path, content, match):
    (tmp_path / "folds.npz").write_bytes(content)
    with pytest.raises(FoldAssignmentError, match=match):
        read_folds(tmp_path / "folds.npz")


def test_an_archive_whose_arrays_differ_in_length(tmp_path):
    (tmp_path / "folds.npz").write_bytes(savez(test_fold=FOLDS[:2], row_id=np.array(list("abc"))))
    with pytest.raises(FoldAssignmentError, match="2 folds for 3 row ids"):
        read_folds(tmp_path / "folds.npz", ["c", "b", "a"])


def test_folds_that_count_from_one_are_noticed():
    with pytest.raises(FoldAssignmentError, match=r"run from 1 to 2, but they count from 0\.\nHint: subtract 1"):
        as_folds([1, 2, 1, 2], 4)
    assert as_folds([1, 2, 1, 2], 4, n_splits=3)[1] == 3
