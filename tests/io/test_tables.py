"""Tests of what all readers of text tables share."""

from __future__ import annotations

import json

import numpy as np
import pytest

import optisplit
from optisplit import cli
from optisplit.io.rows import read_column
from optisplit.io.splits import read_split, row_digests, split_columns
from optisplit.io.tables.dialect import dialect_of
from optisplit.io.tables.table import TableOptions

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
    assert dialect_of(text, TableOptions()).delimiter == delimiter


def test_a_sample_that_ends_within_a_line():
    assert dialect_of("a;b\n1;2\n3;" + "x,y," * 40_000, TableOptions()).delimiter == ";"


HEADERLESS = "a first sentence\t27\te1\t1\nanother one\t4,27\te2\t2\nand a third\t0\te3\t1\nthe last\t0,4\te4\t2\n"


@pytest.mark.parametrize("how", [{}, {"header": False}])
def test_columns_of_the_data_have_one_name_where_there_is_no_header(tmp_path, capsys, how):
    path = tmp_path / "sentences.tsv"
    path.write_text(HEADERLESS)
    data = optisplit.load(path, label_columns=["column 2"], **how)
    assert data.reading.columns == ("column 1", "column 2", "column 3", "column 4")
    assert "column 4" in [column.name for column in split_columns(path, data)]
    split = read_split(path, data, column="column 4")
    assert split.folds.tolist() == [0, 1, 0, 1]
    assert not split.faults
    assert split.write_back([1, 1, 0, 0])[1].decode() == HEADERLESS.replace("e1\t1", "e1\t2").replace("e4\t2", "e4\t1")
    options = ["--no-header"] if how else []
    command = ["check", str(path), "--label-columns", "column 2", "--column", "column 4", "--no-random", "--json"]
    assert cli.main([*command, *options]) in (0, 1)
    told = json.loads(capsys.readouterr().out)
    assert any("fold 1 2, fold 2 2" in note for note in told["notes"])


def test_all_lines_are_read_alike_for_labels_and_splits(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('# one\n# two\nid,text,a,b,fold\n1,"x\n# y",1,0,0\n# between\n2,z,0,1,1\n')
    data = optisplit.load(path, label_columns=["a", "b"])
    assert (data.row_ids, data.features["text"].tolist()) == (("1", "2"), ["x\n# y", "z"])
    assert "3 lines begin with '#' and are no rows." in data.notes
    out = tmp_path / "out.csv"
    optisplit.save_split(np.array([1, 0]), out, data, form="column", source=path)
    assert out.read_text() == path.read_text().replace("fold\n", "fold,fold_2\n").replace("0,0", "0,0,1").replace(
        "1,1\n", "1,1,0\n"
    )  # fmt: skip
    split = read_split(path, data, column="fold")
    assert split.folds.tolist() == [0, 1]
    assert split.write_back([1, 0])[1].decode() == (
        '# one\n# two\nid,text,a,b,fold\n1,"x\n# y",1,0,1\n# between\n2,z,0,1,0\n'
    )
