"""Tests of what all readers of text tables share."""

from __future__ import annotations

import numpy as np
import pytest

import optisplit
from optisplit.io.rows import read_column
from optisplit.io.splits import read_split, row_digests
from optisplit.io.tables.dialect import delimiter_of

SEMICOLONS = 'id;"a,b,c,d,e";lab1;lab2;fold\n1;x;1;0;0\n2;"y,z";0;1;1\n3;x;1;1;0\n4;w;0;1;1\n'


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "semicolons.csv"
    path.write_text(SEMICOLONS)
    return path


def test_one_separator_for_labels_and_split(table):
    data = optisplit.load(table)
    assert data.label_names == ("lab1", "lab2")
    assert data.row_ids == ("1", "2", "3", "4")
    split = read_split(table, data, column="fold")
    assert split.folds.tolist() == [0, 1, 0, 1]
    assert not split.faults


def test_one_separator_for_the_written_column(table, tmp_path):
    data = optisplit.load(table)
    out = tmp_path / "out.csv"
    optisplit.save_split(np.array([1, 0, 1, 0]), out, data, form="column", source=table)
    assert out.read_text().splitlines() == [
        'id;"a,b,c,d,e";lab1;lab2;fold;fold_2',
        "1;x;1;0;0;1",
        '2;"y,z";0;1;1;0',
        "3;x;1;1;0;1",
        "4;w;0;1;1;0",
    ]
    split = read_split(out, optisplit.load(out), column="fold_2")
    assert split.folds.tolist() == [1, 0, 1, 0]


def test_names_of_folds_cannot_break_the_table(table, tmp_path):
    data, out = optisplit.load(table), tmp_path / "out.csv"
    folds = np.array([1, 0, 1, 0])
    optisplit.save_split(folds, out, data, form="column", source=table, fold_names=["a;b", 'c"'])
    assert out.read_text().splitlines()[1:3] == ['1;x;1;0;0;"c"""', '2;"y,z";0;1;1;"a;b"']
    split = read_split(out, optisplit.load(out), column="fold_2")
    assert [split.part_names[part] for part in split.folds.tolist()] == ['c"', "a;b", 'c"', "a;b"]


def test_one_separator_for_the_written_back_split(table):
    data = optisplit.load(table)
    _, content = read_split(table, data, column="fold").write_back(np.array([1, 1, 0, 0], dtype=np.int32))
    assert content.decode() == 'id;"a,b,c,d,e";lab1;lab2;fold\n1;x;1;0;1\n2;"y,z";0;1;1\n3;x;1;1;0\n4;w;0;1;0\n'


def test_one_separator_for_groups_and_equal_rows(table):
    data = optisplit.load(table)
    assert read_column(table, data, "lab1").values == ["1", "0", "1", "0"]
    assert len(set(row_digests(data, table).tolist())) == 3  # two rows have the same feature, and other labels


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,0\n", ","),
        ("a;b,c,d\n1;0\n0;1\n", ";"),
        ("a\tb\n1,5\t0,5\n", "\t"),
        ("x|y|z\n0|1|0\n", "|"),
        ('"a;b"\n"c;d"\n', ","),
        ("one\ntwo\n", ","),
        ("", ","),
    ],
)
def test_delimiters(text, delimiter):
    assert delimiter_of(text) == delimiter


def test_a_sample_that_ends_within_a_line():
    assert delimiter_of("a;b\n1;2\n3;" + "x,y," * 40_000) == ";"
