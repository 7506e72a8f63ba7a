from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from strategies import SETTINGS, label_matrices

from optisplit.errors import LabelError
from optisplit.labels import MultilabelDataset, as_labels, positives_per_label

DENSE = np.array([[1, 0, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
NAMES = ["first", "second", "third"]


def assert_house_form(matrix, dense=DENSE):
    assert type(matrix) is sp.csr_array
    assert matrix.dtype == np.int8
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32
    assert (matrix.data == 1).all()
    assert matrix.nnz == np.count_nonzero(dense)
    assert sp.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape).has_canonical_format
    np.testing.assert_array_equal(matrix.toarray(), dense)


def frozen_copy(labels):
    """Keep what a caller's object holds, to compare with later."""
    if sp.issparse(labels):
        names = [name for name in ("data", "indices", "indptr", "rows", "offsets") if hasattr(labels, name)]
        return {name: np.array(getattr(labels, name), copy=True) for name in names} | {"nnz": np.array(labels.nnz)}
    return {"all": np.array(labels, copy=True)}


def assert_unchanged(labels, before):
    for name, old in before.items():
        now = np.array(labels) if name == "all" else np.array(getattr(labels, name))
        assert now.dtype == old.dtype
        np.testing.assert_array_equal(now, old)


@pytest.mark.parametrize("family", ["array", "matrix"])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int32, np.uint64, np.float32, np.float64])
def test_sparse_input(family, kind, dtype):
    labels = getattr(sp, f"{kind}_{family}")(DENSE.astype(dtype))
    before = frozen_copy(labels)
    assert_house_form(as_labels(labels))
    assert_unchanged(labels, before)


@pytest.mark.parametrize(
    "labels",
    [
        DENSE,
        DENSE.astype(bool),
        DENSE.astype(float),
        DENSE.astype(np.float16),
        DENSE.astype(complex),
        DENSE.astype(object),
        np.asfortranarray(DENSE),
        np.repeat(DENSE, 2, axis=0)[::2],
        np.ma.array(DENSE),
        DENSE.tolist(),
        [tuple(row) for row in DENSE.tolist()],
        DENSE.astype(bool).tolist(),
        pd.DataFrame(DENSE, columns=NAMES),
        pd.DataFrame(DENSE.astype(bool)),
        pd.DataFrame({"a": DENSE[:, 0].astype(bool), "b": DENSE[:, 1], "c": DENSE[:, 2].astype(float)}),
        pd.DataFrame(DENSE).astype("Int64"),
        pd.DataFrame(DENSE.astype(bool)).astype("boolean"),
        pd.DataFrame(DENSE).astype("category"),
        pd.DataFrame.sparse.from_spmatrix(sp.csr_array(DENSE.astype(np.int8))),
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
def test_other_input(labels):
    before = frozen_copy(labels)
    assert_house_form(as_labels(labels))
    assert_unchanged(labels, before)


@SETTINGS
@given(label_matrices())
def test_dense_and_sparse_are_the_same(dense):
    for form in (np.asarray, sp.csr_array, sp.csc_array, sp.coo_array, sp.lil_array):
        assert_house_form(as_labels(form(dense)), dense)
    np.testing.assert_array_equal(positives_per_label(as_labels(dense)), dense.sum(axis=0, dtype=int))


def test_house_form_is_shared_not_copied():
    matrix = as_labels(DENSE)
    again = as_labels(matrix)
    assert np.shares_memory(again.indices, matrix.indices)
    assert np.shares_memory(again.data, matrix.data)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array, sp.coo_array])
def test_read_only_arrays(form):
    labels = form(DENSE.astype(np.int8))
    for name in ("data", "indices", "indptr", "row", "col"):
        if sp.issparse(labels) and hasattr(labels, name):
            getattr(labels, name).flags.writeable = False
    if not sp.issparse(labels):
        labels.flags.writeable = False
    matrix = as_labels(labels)
    assert_house_form(matrix)
    assert matrix.data.flags.writeable  # other than that is another type to the kernels
    assert matrix.indices.flags.writeable
    assert matrix.indptr.flags.writeable


def test_explicit_zeros_are_dropped():
    labels = sp.csr_array(([1, 0, 1, 0], [0, 2, 1, 0], [0, 2, 3, 4]), shape=(3, 3))
    before = frozen_copy(labels)
    assert_house_form(as_labels(labels), np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))
    assert_unchanged(labels, before)


def test_unsorted_indices_and_room_behind():
    labels = sp.csr_array((3, 3), dtype=np.int8)
    labels.data, labels.indices = np.array([1, 1, 1, 7], np.int8), np.array([2, 0, 1, 1], np.int32)
    labels.indptr = np.array([0, 2, 2, 3], np.int32)
    assert_house_form(as_labels(labels), np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]]))
    assert labels.indices.tolist() == [2, 0, 1, 1]


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.float64])
@pytest.mark.parametrize("times", [2, 256, 257])
def test_an_entry_stored_many_times_is_refused(kind, dtype, times):
    ones, at = np.ones(times, dtype=dtype), np.zeros(times, dtype=np.int32)
    labels = {
        "csr": lambda: sp.csr_array((ones, at, [0, times, times]), shape=(2, 2)),
        "csc": lambda: sp.csc_array((ones, at, [0, times, times]), shape=(2, 2)),
        "coo": lambda: sp.coo_array((ones, (at, at)), shape=(2, 2)),
        "bsr": lambda: sp.bsr_array((ones.reshape(-1, 1, 1), at, [0, times, times]), shape=(2, 2)),
    }[kind]()
    before = frozen_copy(labels)
    with pytest.raises(LabelError, match=rf"1 value is not: '{times}(\.0)?', first in row 0, .* 'column 0'"):
        as_labels(labels)
    assert_unchanged(labels, before)


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.coo_array])
def test_doubled_entries_whose_sum_fits(kind):
    labels = sp.coo_array(([1, 0, 2, -1], ([0, 0, 1, 1], [0, 0, 1, 1])), shape=(2, 2))
    assert_house_form(as_labels(kind(labels)), np.eye(2))


@pytest.mark.parametrize(
    ("value", "shown", "hint"),
    [
        (2, "'2'", ""),
        (-1, "'-1'", r"\nHint: these look like -1/1 labels"),
        (0.5, "'0.5'", ""),
        (1 + 1e-9, "'1.000000001'", ""),
        (np.nan, "'nan'", r"\nHint: missing labels are not negatives"),
        (np.inf, "'inf'", ""),
        (1j, "'1j'", ""),
    ],
)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.coo_array, pd.DataFrame])
def test_other_numbers_are_refused(value, shown, hint, form):
    labels = DENSE.astype(type(value))
    labels[2, 1] = value
    with pytest.raises(LabelError, match=rf"1 value is not: {shown}, first in row 2, in the label .*{hint}"):
        as_labels(form(labels))


@pytest.mark.parametrize(
    ("value", "shown", "hint"),
    [
        ("1", "'1'", r"\nHint: these are texts"),
        ("", "''", r"\nHint: missing labels"),
        (None, "'None'", r"\nHint: missing labels"),
        (pd.NA, "'<NA>'", r"\nHint: missing labels"),
        ("yes", "'yes'", ""),
        ({}, "'{}'", ""),
    ],
)
def test_other_objects_are_refused(value, shown, hint):
    labels = DENSE.astype(object)
    labels[2, 1] = value
    for each in (labels, pd.DataFrame(labels)):
        with pytest.raises(LabelError, match=rf"1 value is not: {shown}, first in row 2.*{hint}"):
            as_labels(each)


@pytest.mark.parametrize("dtype", [str, bytes])
def test_texts_are_refused_not_guessed_at(dtype):
    with pytest.raises(LabelError, match=r"12 values are not"):
        as_labels(DENSE.astype(dtype))


@pytest.mark.parametrize("dtype", ["Int64", "boolean", "Float64"])
def test_missing_values_of_pandas_are_refused(dtype):
    frame = pd.DataFrame(DENSE, columns=NAMES).astype(dtype)
    frame.loc[2, "second"] = pd.NA
    with pytest.raises(LabelError, match=r"first in row 2, in the label 'second'\.\nHint: missing labels"):
        as_labels(frame)


def test_masked_values_are_missing():
    labels = np.ma.array(DENSE, mask=DENSE.cumsum(axis=1) == 2)
    with pytest.raises(LabelError, match=r"3 values are not: 'None', first in row 0.*\nHint: missing labels"):
        as_labels(labels)


def test_the_message_has_values_counts_place_and_names():
    labels = np.zeros((5, 9))
    labels[1, 7] = 3
    labels[3, :8] = np.arange(2, 10)
    wanted = (
        r"Labels must be 0 or 1, but 9 values are not: '3.0', '2.0', '4.0', '5.0', '6.0' and 3 more, "
        r"first in row 1, in the labels 'h', 'a', 'b', 'c', 'd' and 3 more\."
    )
    for form in (np.asarray, sp.csr_array, sp.csc_array):
        with pytest.raises(LabelError, match=wanted):
            as_labels(form(labels), "abcdefghi")
    with pytest.raises(LabelError, match=r"in the label 'second'"):
        as_labels(pd.DataFrame(DENSE + 1, columns=NAMES)[["second"]] + 1)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, pd.DataFrame])
@pytest.mark.parametrize(("shape", "match"), [((0, 3), "0 rows and 3 labels"), ((3, 0), "3 rows and 0 labels")])
def test_empty_input_is_refused(form, shape, match):
    with pytest.raises(LabelError, match=match):
        as_labels(form(np.zeros(shape)))


@pytest.mark.parametrize(
    ("labels", "n_dimensions"),
    [
        (np.zeros((2, 2, 2)), 3),
        (sp.coo_array(np.ones((2, 2, 2))), 3),
        (np.zeros(3), 1),
        (sp.coo_array(np.ones(3)), 1),
        (pd.Series([0, 1]), 1),
        (None, 0),
        ("labels", 0),
    ],
)
def test_other_dimensions_are_refused(labels, n_dimensions):
    with pytest.raises(LabelError, match=rf"rows x labels, but this has {n_dimensions} dimensions?\b"):
        as_labels(labels)


def test_ragged_rows_are_refused():
    with pytest.raises(LabelError, match="the rows given have different lengths"):
        as_labels([[1, 0], [1]])


def test_records_are_refused():
    with pytest.raises(LabelError, match=r"4 values are not: '\(0,\)'"):
        as_labels(np.zeros((2, 2), dtype=[("a", int)]))


@pytest.mark.parametrize("family", [sp.csr_array, sp.csc_array, sp.csr_matrix])
@pytest.mark.parametrize(
    ("indices", "indptr"),
    [([0, 5], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 1], [0, 2, 1])],
    ids=["index too high", "index below 0", "pointers that fall"],
)
def test_damaged_sparse_matrices_are_refused(family, indices, indptr):
    labels = family((2, 2), dtype=np.int8)
    labels.data, labels.indices = np.ones(2, np.int8), np.array(indices, np.int32)
    labels.indptr = np.array(indptr, np.int32)
    with pytest.raises(LabelError, match="The sparse label matrix cannot be read"):
        as_labels(labels)


def test_label_lists_become_columns_in_alphabetical_order():
    rows = [["b", "a"], [], {"c"}, ("a",)]
    assert as_labels(rows).toarray().tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]]
    data = MultilabelDataset.from_labels(rows)
    assert data.label_names == ("a", "b", "c")
    assert as_labels([{2}, {10, 2}]).toarray().tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["a"], ["b", "b"]], "Row 1 has the label 'b' twice"),
        ([["a"], [1.5]], r"row 1 has 1\.5"),
        ([["a"], [None]], "row 1 has None"),
        ([set(), set()], "2 rows and 0 labels"),
    ],
)
def test_bad_label_lists_are_refused(rows, said):
    with pytest.raises(LabelError, match=said):
        as_labels(rows)


def test_a_sparse_dataframe_stays_sparse(monkeypatch):
    frame = pd.DataFrame.sparse.from_spmatrix(sp.csr_array(np.eye(3, dtype=np.int8)), columns=["x", "y", "z"])
    monkeypatch.setattr("optisplit.labels.border.from_dense", None)
    assert as_labels(frame).toarray().tolist() == np.eye(3).tolist()


def test_the_old_name_of_how_a_file_was_read_still_works():
    data = MultilabelDataset.from_labels([[1], [0]])
    with pytest.warns(DeprecationWarning, match="reading"):
        assert data.understood is data.reading
