"""Splits that come with the data: MEKA's options, columns of ARFF files, XMC's files of row numbers."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from optisplit import MultilabelDataset, load, read_split
from optisplit.errors import FormatError, OptionError
from optisplit.io.splits import split_columns

HEADER = "@relation {}\n@attribute a {{0,1}}\n@attribute b {{0,1}}\n@attribute x numeric\n@attribute fold {}\n@data\n"
ROWS = "1,0,5,0\n0,1,6,1\n1,1,7,1\n0,0,8,0\n1,0,9,2\n"


def arff(relation="'films: -C 2'", kind="{0,1,2}", rows=ROWS) -> io.BytesIO:
    return io.BytesIO((HEADER.format(relation, kind) + rows).encode())


def read(source: io.BytesIO, **options):
    data = load(source, name="films.arff", missing="drop-rows")
    return read_split(source, data, name="films.arff", **options)


def test_mekas_split_number():
    split = read(arff("'films: -C 2 -split-number 3'"))
    assert split.kind == "parts"
    assert split.part_names == ("train", "test")
    assert split.folds.tolist() == [0, 0, 0, 1, 1]
    assert any("the first 3 rows are for training" in note for note in split.notes)


def test_mekas_split_percentage():
    assert read(arff("'films: -C 2 -split-percentage 41'")).folds.tolist() == [0, 0, 1, 1, 1]


def test_a_column_of_the_arff_file():
    split = read(arff())
    assert split.kind == "folds"
    assert split.folds.tolist() == [0, 1, 1, 0, 2]
    assert read(arff("'films: -C 2 -split-number 3'"), column="fold").folds.tolist() == [0, 1, 1, 0, 2]


def test_a_column_of_names_in_sparse_rows():
    rows = "{0 1, 3 test}\n{1 1}\n{3 val}\n{0 1, 2 4}\n{3 'test'}\n"
    split = read(arff(kind="{train,val,test}", rows=rows))
    assert split.part_names == ("train", "val", "test")
    assert split.folds.tolist() == [2, 0, 1, 0, 2]


def test_rows_that_were_left_out_are_counted():
    rows = ROWS.replace("0,1,6,1", "?,1,6,1")
    assert read(arff(rows=rows)).folds.tolist() == [0, 1, 0, 2]
    assert read(arff("'films: -C 2 -split-number 2'", rows=rows)).folds.tolist() == [0, 1, 1, 1]


def test_what_an_arff_file_offers():
    columns = split_columns(arff("'films: -C 2 -split-number 3'"))
    assert [(each.name, each.values) for each in columns] == [
        ("-split-number", (("train", 3), ("test", 2))),
        ("fold", (("0", 2), ("1", 2), ("2", 1))),
    ]
    assert split_columns(io.BytesIO(arff().read().replace(b"attribute fold", b"attribute mood"))) == []


@pytest.mark.parametrize(
    ("source", "options", "error", "said"),
    [
        (io.BytesIO(arff().read().replace(b"attribute fold", b"attribute mood")), {}, FormatError, "states no split"),
        (arff(), {"column": "flod"}, OptionError, "did you mean 'fold'"),
        (arff(), {"column": "-split-number"}, FormatError, "states no split in its relation name"),
        (arff(), {"rows": "from 1"}, OptionError, "matched by their order alone"),
    ],
)
def test_wrong_use_of_arff(source, options, error, said):
    with pytest.raises(error, match=said):
        read(source, **options)


def test_the_file_of_other_data():
    data = MultilabelDataset.from_labels([[1], [0]])
    with pytest.raises(FormatError, match="has 5 rows, but the data has 2"):
        read_split(arff(), data)


# ---- XMC

DATA = MultilabelDataset.from_labels(np.eye(6, dtype=np.int8)[:, :3].clip(0, 1))


def test_training_rows_are_numbered_from_one_a_column_for_each_repetition():
    text = b"1 6\n3 2\n4 3\n6 1\n"
    split = read_split(io.BytesIO(text), DATA, name="delicious_trSplit.txt")
    assert split.kind == "parts"
    assert split.folds.tolist() == [0, 1, 0, 0, 1, 0]
    assert any("The file has 2 repetitions, one a column; number 1 was read" in note for note in split.notes)
    second = read_split(io.BytesIO(text), DATA, column="2", name="delicious_trSplit.txt")
    assert second.folds.tolist() == [0, 0, 0, 1, 1, 0]


def test_test_rows_are_told_by_the_files_name():
    split = read_split(io.BytesIO(b"2\n5\n"), DATA, name="delicious_tstSplit.txt")
    assert split.folds.tolist() == [0, 1, 0, 0, 1, 0]
    assert split.part_names == ("train", "test")


def test_numbers_from_zero():
    assert read_split(io.BytesIO(b"0\n3\n"), DATA, name="train.txt").folds.tolist() == [0, 1, 1, 0, 1, 1]
    assert read_split(io.BytesIO(b"1\n3\n"), DATA, rows="from 0", name="t.txt").folds.tolist() == [1, 0, 1, 0, 1, 1]


def test_numbers_of_no_row_are_faults():
    split = read_split(io.BytesIO(b"1\n6\n"), DATA, rows="from 0", name="train.txt")
    assert [(fault.kind, fault.examples) for fault in split.faults] == [("unknown", ("6",))]


def test_a_row_twice_in_a_repetition_is_a_fault():
    split = read_split(io.BytesIO(b"1 2\n3 2\n4 4\n"), DATA, column="2", name="train.txt")
    assert "repeated" in {fault.kind for fault in split.faults}


def test_what_was_repaired_is_written_the_same_way():
    split = read_split(io.BytesIO(b"1 6\n3 2\n4 3\n"), DATA, name="a_trSplit.txt")
    name, content = split.write_back(np.array([0, 0, 1, 1, 1, 0], dtype=np.int32))
    assert content == b"1\n2\n6\n"
    assert name.endswith(".txt")
    again = read_split(io.BytesIO(content), DATA, name=name)
    assert again.folds.tolist() == [0, 0, 1, 1, 1, 0]


@pytest.mark.parametrize(
    ("options", "said"),
    [({"column": "3"}, "has the repetitions 1 to 2"), ({"column": "x"}, "has the repetitions 1 to 2"),
     ({"kind": "folds"}, "other choices do not go with it"), ({"rows": "ids"}, "other choices do not go with it")],
)  # fmt: skip
def test_wrong_use_of_row_numbers(options, said):
    with pytest.raises(OptionError, match=said):
        read_split(io.BytesIO(b"1 6\n3 2\n4 3\n"), DATA, name="a_trSplit.txt", **options)


def test_a_fold_a_line_is_no_list_of_rows():
    split = read_split(io.BytesIO(b"0\n1\n2\n0\n1\n2\n"), DATA, name="folds.txt")
    assert split.folds.tolist() == [0, 1, 2, 0, 1, 2]


def test_the_repetitions_are_offered():
    found = split_columns(io.BytesIO(b"1 6\n3 2\n4 3\n2 5\n"), DATA, name="a_trSplit.txt")
    assert [column.name for column in found] == ["1", "2"]
    assert found[0].values == (("train", 4), ("test", 2))
    of_test = split_columns(io.BytesIO(b"1 6\n3 2\n"), DATA, name="a_tstSplit.txt")
    assert of_test[0].values == (("train", 4), ("test", 2))


# ---- Parquet


def test_parquet_with_damaged_statistics_is_refused_and_the_process_lives_on():
    content = (Path(__file__).parents[1] / "data" / "damaged_statistics.parquet").read_bytes()
    with pytest.raises(FormatError, match="the process that read it was ended"):
        read_split(io.BytesIO(content), DATA, name="damaged.parquet")
    with pytest.raises(FormatError):
        load(io.BytesIO(content), name="damaged.parquet")
