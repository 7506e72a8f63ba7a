from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS, label_matrices, splits

import optisplit
from optisplit.errors import Cancelled, LabelError, OptionError
from optisplit.kernels import pairs as kernels
from optisplit.labels import MultilabelDataset, as_labels
from optisplit.measures import pairs
from optisplit.measures.pairs import label_pairs, pair_matrix
from optisplit.text import counted


def all_pairs(labels, min_rows=1):
    """List the pairs of columns that occur together, and make a column of each, from the definition."""
    columns = {
        (i, j): labels[:, i] & labels[:, j]
        for i, j in itertools.combinations(range(labels.shape[1]), 2)
        if (labels[:, i] & labels[:, j]).sum() >= min_rows
    }
    matrix = np.array(list(columns.values()), dtype=np.int8).reshape(len(columns), len(labels)).T
    return list(columns), matrix


def listed(first, second):
    return list(zip(first.tolist(), second.tolist(), strict=True))


@pytest.mark.parametrize("compiled", [True, False])
def test_equal_to_the_definition(compiled, monkeypatch):
    if not compiled:
        for name in ("count_partners", "tally_pairs", "list_pairs"):
            kernel = getattr(kernels, name)
            monkeypatch.setattr(kernels, name, getattr(kernel, "py_func", kernel))

    @SETTINGS
    @given(label_matrices(), st.integers(1, 5))
    def check(labels, min_rows):
        expected, columns = all_pairs(labels, min_rows)
        matrix, first, second = pair_matrix(as_labels(labels), min_rows)
        assert listed(first, second) == expected
        assert matrix.shape == columns.shape
        assert np.array_equal(matrix.toarray(), columns)

    check()


@pytest.mark.parametrize("min_rows", [1, 3, 100])
@pytest.mark.parametrize("key", ["emotions", "yeast", "enron"])
def test_equal_to_the_definition_on_real_data(key, min_rows):
    data = optisplit.load(key)
    expected, columns = all_pairs(data.labels.toarray(), min_rows)
    made = label_pairs(data, min_rows=min_rows)
    assert made.label_names == tuple(f"{data.label_names[i]} & {data.label_names[j]}" for i, j in expected)
    assert np.array_equal(made.labels.toarray(), columns)


def test_form_is_that_of_a_label_matrix():
    matrix, first, second = pair_matrix(optisplit.load("yeast").labels, min_rows=2)
    assert np.shares_memory(as_labels(matrix).indices, matrix.indices)  # nothing had to be converted
    assert (matrix.data.dtype, matrix.indices.dtype, matrix.indptr.dtype) == (np.int8, np.int32, np.int32)
    assert (first.dtype, second.dtype) == (np.int32, np.int32)
    plain = sp.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    assert plain.has_sorted_indices
    assert plain.has_canonical_format


def test_row_with_very_many_labels():
    labels = np.zeros((3, 700), dtype=np.int8)
    labels[1] = 1
    labels[2, [5, 699]] = 1
    matrix, first, second = pair_matrix(as_labels(labels))
    assert matrix.shape == (3, 700 * 699 // 2)
    assert np.diff(matrix.indptr).tolist() == [0, 700 * 699 // 2, 1]
    at = matrix.indices[-1]
    assert (first[at], second[at]) == (5, 699)
    assert listed(*pair_matrix(as_labels(labels), min_rows=2)[1:]) == [(5, 699)]


def test_wide_index_arrays_give_the_same():
    labels = optisplit.load("emotions").labels
    wide = sp.csr_array(
        (labels.data, labels.indices.astype(np.int64), labels.indptr.astype(np.int64)), shape=labels.shape
    )
    for made, expected in zip(pair_matrix(wide)[1:], pair_matrix(labels)[1:], strict=True):
        assert np.array_equal(made, expected)
    assert (pair_matrix(wide)[0] != pair_matrix(labels)[0]).nnz == 0


def test_what_comes_along():
    data = MultilabelDataset.from_labels(
        [[1, 1, 0], [1, 1, 1]], ["x", "y & z", "w"], row_ids=["one", "two"], name="tiny", notes=["Read somehow."]
    )
    made = label_pairs(data, min_rows=2)
    assert made.label_names == ("x & y & z",)
    assert made.row_ids == ("one", "two")
    assert made.name == "tiny pairs"
    assert made.notes == (
        "Read somehow.",
        "The labels are 1 pair of labels that occur together in at least 2 rows.",
    )


def test_labels_in_any_usual_form():
    frame = pd.DataFrame([[1, 1, 0], [1, 1, 1]], columns=list("abc"))
    lists = [["a", "b"], ["a", "b", "c"]]
    for labels in (frame, lists, sp.coo_array(frame.to_numpy())):
        made = label_pairs(labels)
        assert made.labels.toarray().tolist() == [[1, 0, 0], [1, 1, 1]]
    assert label_pairs(frame).label_names == label_pairs(lists).label_names == ("a & b", "a & c", "b & c")
    with pytest.raises(LabelError, match="Labels must be 0 or 1"):
        label_pairs([[0, 2], [1, 1]])


def test_input_is_not_changed():
    labels = sp.csr_array(optisplit.load("emotions").labels, copy=True)
    before = labels.copy()
    for array in (labels.data, labels.indices, labels.indptr):
        array.flags.writeable = False
    label_pairs(labels)
    label_pairs(labels, min_rows=50)
    assert (labels != before).nnz == 0
    assert np.array_equal(labels.indices, before.indices)


@pytest.mark.parametrize(
    ("labels", "min_rows"), [([[1, 0], [0, 1]], 1), ([[1], [1]], 1), ([[1, 1], [1, 1]], 3), ([[1, 1]], 10**30)]
)
def test_no_pair_at_all(labels, min_rows):
    made = label_pairs(labels, min_rows=min_rows)
    assert made.labels.shape == (len(labels), 0)
    assert made.label_names == ()
    if len(labels) > 1:
        report = optisplit.evaluate(made, [0, 1])
        assert (report.fz, report.flz) == (0, 0)
        assert np.isnan(report.rld)


@SETTINGS
@given(splits(min_fold=-1), st.integers(1, 3))
def test_measures_count_pairs_of_fold_and_pair(split, min_rows):
    labels, folds, n_splits = split
    _, columns = all_pairs(labels, min_rows)
    report = optisplit.evaluate(label_pairs(labels, min_rows=min_rows), folds, n_splits=n_splits)
    occur = [column for column in columns.T if column[folds >= 0].any()]
    assert report.flz == sum(not column[folds == fold].any() for column in occur for fold in range(n_splits))
    assert report.fz == sum(any(not column[folds == fold].any() for column in occur) for fold in range(n_splits))


def test_splitting_the_pairs_balances_them():
    made = label_pairs(optisplit.load("emotions"))
    random, balanced = (
        optisplit.evaluate(made, optisplit.split(made, n_splits=5, method=method, random_state=0))
        for method in ("random", "optisplit-sa")
    )
    assert balanced.rld < 1.01 * balanced.rld_bound < random.rld
    assert balanced.flz <= random.flz


@pytest.mark.parametrize("value", [0, -1, True, 1.0, "2", None])
@pytest.mark.parametrize("name", ["min_rows", "max_positives"])
def test_numbers_that_are_none(name, value):
    match = re.escape(f"{name} must be a whole number of at least 1, got {value!r}.")
    with pytest.raises(OptionError, match=match):
        label_pairs([[1, 1]], **{name: value})


def test_numpy_numbers_are_numbers():
    assert label_pairs([[1, 1]] * 2, min_rows=np.int32(2), max_positives=np.uint8(2)).n_labels == 1


# pairs of three labels: a & b in 6 rows, a & c in 3, b & c in 2
THREE = [[1, 1, 0]] * 4 + [[1, 1, 1]] * 2 + [[1, 0, 1]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"max_positives": 10},
            "With min_rows=1 there are 3 pairs of labels with 11 positives, more than max_positives=10; use "
            "min_rows=4, which leaves 1 pair with 6, or raise max_positives to 11, if there is memory for "
            "them (5 bytes each).",
        ),
        (
            {"max_positives": 8, "min_rows": 3},
            "With min_rows=3 there are 2 pairs of labels with 9 positives, more than max_positives=8; use "
            "min_rows=4, which leaves 1 pair with 6, or raise max_positives to 9, if there is memory for "
            "them (5 bytes each).",
        ),
        (
            {"max_positives": 5, "min_rows": 2},
            "With min_rows=2 there are 3 pairs of labels with 11 positives, more than max_positives=5; "
            "raise max_positives to 11, if there is memory for "
            "them (5 bytes each).",
        ),
    ],
)
def test_too_many_positives(options, message):
    with pytest.raises(OptionError) as caught:
        label_pairs(THREE, **options)
    assert str(caught.value) == message


@SETTINGS
@given(label_matrices(), st.integers(1, 4), st.integers(1, 60))
def test_advice_is_right(labels, min_rows, max_positives):
    expected, columns = all_pairs(labels, min_rows)
    if columns.sum() <= max_positives:
        assert label_pairs(labels, min_rows=min_rows, max_positives=max_positives).n_positives == columns.sum()
        return
    with pytest.raises(OptionError) as caught:
        label_pairs(labels, min_rows=min_rows, max_positives=max_positives)
    message = str(caught.value)
    assert f" {counted(len(expected), 'pair')} of labels with {columns.sum():,} positives" in message
    powers = [2**exponent for exponent in range(10) if 2**exponent > min_rows]
    enough = next(power for power in powers if all_pairs(labels, power)[1].sum() <= max_positives)
    n_left = len(all_pairs(labels, enough)[0])
    advised = re.search(r"use min_rows=(\d+), which leaves (\d+) pair", message)
    assert (advised and tuple(map(int, advised.groups()))) == ((enough, n_left) if n_left else None)


def test_too_many_to_count(monkeypatch):
    monkeypatch.setattr(pairs, "MAX_COUNTED", 10)
    message = (
        "The rows hold 11 pairs of labels in all (the longest row has 3 labels), more than the 10 that are counted; "
        "leave out the longest rows or the most frequent labels, or raise max_positives to 11, if it may take that "
        "long."
    )
    with pytest.raises(OptionError) as caught:
        label_pairs(THREE, min_rows=4, max_positives=9)
    assert str(caught.value) == message
    assert label_pairs(THREE, min_rows=4, max_positives=11).n_labels == 1


def test_lengths_of_rows_do_not_overflow():
    # five rows of 70,000 labels each: one row has more pairs than an int32 holds
    n_labels = 70_000
    indices = np.tile(np.arange(n_labels, dtype=np.int32), 5)
    labels = sp.csr_array((np.ones(indices.size, np.int8), indices, np.arange(6, dtype=np.int32) * n_labels))
    with pytest.raises(OptionError, match=r"The rows hold 12,249,825,000 pairs of labels in all"):
        pair_matrix(labels)


def test_the_pairs_come_out_the_same_in_many_pieces_and_can_be_stopped_between_them(monkeypatch):
    labels = optisplit.load("yeast").labels
    whole = pair_matrix(labels, 2)
    monkeypatch.setattr("optisplit.measures.pairs.CHUNK_WORK", 1)
    calls = []
    pieces = pair_matrix(labels, 2, on_chunk=lambda: calls.append(1))
    assert len(calls) == 2 * (labels.shape[1] - 1)
    assert (whole[0] != pieces[0]).nnz == 0
    for one, other in zip(whole[1:], pieces[1:], strict=True):
        np.testing.assert_array_equal(one, other)

    def stop():
        raise Cancelled

    with pytest.raises(Cancelled):
        pair_matrix(labels, on_chunk=stop)
