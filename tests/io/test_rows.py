"""Tests of how rows of two files are matched, and of one value a row from another file."""

from __future__ import annotations

import bz2
import io
import json
import lzma

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from optisplit import MultilabelDataset, load, read_split
from optisplit.errors import FoldAssignmentError, FormatError, OptionError
from optisplit.io.row_names import Naming, lines_of_names, naming_of_lists, whole_numbers
from optisplit.io.rows import places_in, read_column
from optisplit.io.second_tables import columns_of

LABELS = [[1], [0], [1], [0]]
PLAIN = MultilabelDataset.from_labels(LABELS)
NAMED = MultilabelDataset.from_labels(LABELS, row_ids=["w", "x", "y", "z"])
TWICE = MultilabelDataset.from_labels(LABELS, row_ids=["p", "p", "q", "q"])


def values(text: str | bytes, data=NAMED, column=None, **options):
    content = text if isinstance(text, bytes) else text.encode()
    return read_column(io.BytesIO(content), data, column, **{"name": "g.csv", **options}).values


def test_whole_numbers():
    assert whole_numbers(["3", " 4 ", "5.0", -1, 7.0, np.int64(8)]).tolist() == [3, 4, 5, -1, 7, 8]
    assert (whole_numbers(["", "1.5", "x", "1_0", True, None]) < -1).all()
    assert whole_numbers(np.array([3, 1], dtype=np.uint8)).tolist() == [3, 1]


def pairs(entries, names, values=None):
    rows, *more = lines_of_names(entries, names, values)
    return rows.tolist(), list(zip(*(each.tolist() for each in more), strict=True))


def test_names_that_repeat():
    assert pairs(["b", "a", "c", "a"], ["a", "b", "a"]) == ([1, 0, -1, 2], [])  # as often in both: in their order
    assert pairs(["b", "a"], ["a", "b", "a", "a"]) == ([1, 0], [(2, 1), (3, 1)])  # once: for all of them
    assert pairs(["a", "a", "a"], ["a", "", "a"], "xyx") == ([0, 0, 0], [(2, 0), (2, 1)])  # what contradicts is kept
    assert pairs(["", "a"], ["", "a"]) == ([-1, 1], [])  # nothing names nothing


def test_rows_are_spelled_as_they_were():
    assert Naming(4, 1).rows([1, 4, 5, 0]).tolist() == [0, 3, -1, -1]
    assert Naming(4, 1, are_texts=True).spell(np.array([0, 3])) == ["1", "4"]
    kept = Naming(2, 0, kept_rows=np.array([3, 7]))
    assert kept.rows([7, 3, 5, 8]).tolist() == [1, 0, -1, -1]
    assert kept.spell(np.array([1, 0])) == [7, 3]
    assert Naming(2, None, ["5", "x"]).spell(np.array([0, 1])) == [5, "x"]  # one of them is no number


def test_lists_of_names_and_numbers():
    notes: list[str] = []
    assert naming_of_lists([["y", "w"], ["x"]], NAMED, None, "s", notes).base is None
    assert naming_of_lists([[1, 4], [2, 3]], NAMED, None, "s", notes).base == 1
    assert notes == ["Row 4 occurs and row 0 does not, so rows are taken to be numbered from 1."]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("id,group\nz,d\nx,b\nw,a\ny,c\n", None),
        ("whatever;other;n\nz;d;1\nx;b;1\nw;a;1\ny;c;1\n", "other"),
        ("protein\tfamily\nz\td\nx\tb\nw\ta\ny\tc\n", None),  # the only column beside the key
        ("row,group\n3,d\n1,b\n0,a\n2,c\n", None),
        ("row,group\n4,d\n2,b\n1,a\n3,c\n", None),
        ("id,group\nz,d\nx,b\nw,a\ny,c\nother,e\nx,b\n", None),  # more rows, and one twice that says the same
        ("a\nb\nc\nd\n", None),
        ("who\na\nb\nc\nd\n", None),
        ('{"id": "z", "group": "d"}\n{"id": "x", "group": "b"}\n{"id": "w", "group": "a"}\n{"id": "y", "group": "c"}\n',
         None),
    ],
)  # fmt: skip
def test_a_text_for_each_row(text, column):
    assert values(text, NAMED, column) == ["a", "b", "c", "d"]


def test_parquet_has_groups_too():
    stream = io.BytesIO()
    pd.DataFrame({"id": ["z", "x", "w", "y"], "group": [4, 2, 1, 3], "more": [[1], [], [], []]}).to_parquet(stream)
    assert values(stream.getvalue(), name="g.parquet") == ["1", "2", "3", "4"]
    assert columns_of(io.BytesIO(stream.getvalue()), name="g.parquet") == ("id", "group")


def test_rows_of_one_name_share_a_line():
    read = read_column(io.BytesIO(b"id,group\nq,b\np,a\n"), TWICE, name="g.csv")
    assert read.values == ["a", "a", "b", "b"]
    assert read.lines == [3, 3, 2, 2]
    assert values("id,group\np,a\nq,c\np,b\nq,d\n", TWICE) == ["a", "b", "c", "d"]
    split = read_split(io.BytesIO(b"id,fold\nq,1\np,0\n"), TWICE, name="s.csv")
    assert split.folds.tolist() == [0, 0, 1, 1]
    assert split.faults == ()
    assert split.write_back([1, 1, 0, 0])[1] == b"id,fold\nq,0\np,1\n"
    with pytest.raises(FoldAssignmentError, match="1 line would need several folds, since rows share a name: 'p'"):
        split.write_back([0, 1, 0, 0])


@pytest.mark.parametrize(
    ("text", "error", "match"),
    [
        ("id,group\nz,d\nx,b\nw,a\n", FoldAssignmentError, r"3 lines for 4 rows, 1 of them missing \('y'\)"),
        ("id,group\nz,d\nx,b\nw,a\ny,c\nx,q\n", FoldAssignmentError, "say different things of 1 row: 'x'"),
        ("id,group\n1,d\n2,b\n3,a\n4,c\n", None, ""),
        ("id,group\np,d\nq,b\nr,a\ns,c\n", FormatError, "Hardly any of the ids of g.csv .*'p', 'q', 'r'"),
        ("a,b,c\n1,2,3\n4,5,6\n", OptionError, r"has 3 columns; say which one is meant \(column\)"),
        ("a\nb\nc\nd\na\n", FormatError, "has 5 lines, but the data has 4 rows"),  # a header would not recur
        ("7\n1\n2\n3\n1\n", FormatError, "has 5 lines, but the data has 4 rows"),  # nor be a number
    ],
)
def test_what_does_not_match_is_said(text, error, match):
    if error is None:  # row numbers, where no ids match
        assert values(text) == ["d", "b", "a", "c"]
        return
    with pytest.raises(error, match=match):
        values(text)


def test_places():
    read = read_column(io.BytesIO(b"id,fold\nz,\nx,-1\nw,2.0\ny,NA\n"), NAMED, usual="fold", name="f.csv")
    assert places_in(read).tolist() == [2, -1, -2, -2]


@pytest.fixture
def scans(tmp_path):
    path = tmp_path / "scans.csv"
    path.write_text("File Name,Findings\n" + "".join(f"s{i}.png,{'a|b' if i % 2 else 'a'}\n" for i in range(40)))
    return path


def test_any_column_that_both_have_and_that_tells_rows_apart(scans):
    data = load(scans, label_columns=["Findings"], label_separator="|")
    assert data.key == "File Name"
    lines = [f"s{i}.png,P{i % 8}" for i in reversed(range(40))]
    read = read_column(io.BytesIO("\n".join(["File Name,patient", *lines]).encode()), data, name="patients.csv")
    assert read.values == [f"P{i % 8}" for i in range(40)]
    assert read.how == "column 'patient', matched to the rows by column 'File Name'"
    lines = [f"s{i}.png,{'test' if i % 4 else 'train'}" for i in reversed(range(40))]
    split = read_split(io.BytesIO("\n".join(["File Name,part", *lines]).encode()), data, name="parts.csv")
    assert split.folds.tolist() == [1 if i % 4 else 0 for i in range(40)]
    fewer = read_split(io.BytesIO("\n".join(["File Name,part", *lines[1:]]).encode()), data, name="parts.csv")
    assert [(fault.kind, fault.count) for fault in fewer.faults] == [("missing", 1)]
    folds = np.where(fewer.folds < 0, 0, fewer.folds)
    assert fewer.write_back(folds)[1].decode().endswith("s39.png,train\n")
    lacking = "\n".join(["File Name,patient", *lines[1:]]).encode()
    with pytest.raises(FoldAssignmentError, match=r"1 of them missing \('s39.png'\)"):
        read_column(io.BytesIO(lacking), data)
    scans.unlink()  # names that the data holds need not be looked up
    with pytest.raises(FoldAssignmentError, match=r"1 of them missing \('s39.png'\)"):
        read_column(io.BytesIO(lacking), data, "patient")


def test_a_common_column_that_does_not_tell_rows_apart_is_no_key(tmp_path):
    (tmp_path / "d.csv").write_text("site,lab\n" + "n,1\ns,0\n" * 10)
    data = load(tmp_path / "d.csv", label_columns=["lab"])
    text = "site,group\n" + "".join(f"{'ns'[i % 2]},g{i}\n" for i in range(20))
    read = read_column(io.BytesIO(text.encode()), data)
    assert read.how == "column 'group', in the order of the rows"


@pytest.mark.parametrize(("ending", "opening"), [("bz2", bz2), ("xz", lzma)])
def test_a_repaired_file_is_packed_as_the_old_one(ending, opening):
    packed = opening.compress(b"fold\n0\n1\n0\n1\n")
    name, content = read_split(io.BytesIO(packed), PLAIN, name=f"s.csv.{ending}").write_back([1, 0, 0, 1])
    assert (name, opening.decompress(content)) == (f"s-repaired.csv.{ending}", b"fold\n1\n0\n0\n1\n")


NAMES = {
    "s.csv": ("row,fold\n0,7\n1,8\n2,7\n3,8\n", ("fold 7", "fold 8")),
    "t.csv": ("A\nB\nA\nB\n", ("A", "B")),
    "s.json": ('{"fold_7": [0, 2], "fold_8": [1, 3]}', ("fold_7", "fold_8")),
    "t.json": ('{"7": [0, 2], "8": [1, 3]}', ("fold 7", "fold 8")),
    "u.json": ('{"A": {"train": [1, 3], "test": [0, 2]}, "B": {"train": [0, 2], "test": [1, 3]}}', ("A", "B")),
    "v.json": ('{"train_7": [1, 3], "test_7": [0, 2], "train_8": [0, 2], "test_8": [1, 3]}', ("fold 7", "fold 8")),
    "s.jsonl": ('{"fold": "A"}\n{"fold": "B"}\n{"fold": "A"}\n{"fold": "B"}\n', ("A", "B")),
}


@pytest.mark.parametrize("name", NAMES)
def test_folds_keep_their_names_there_and_back(name):
    text, names = NAMES[name]
    split = read_split(io.BytesIO(text.encode()), PLAIN, name=name)
    assert (split.part_names, split.folds.tolist()) == (names, [0, 1, 0, 1])
    called, content = split.write_back([1, 0, 0, 1])
    again = read_split(io.BytesIO(content), PLAIN, name=called)
    assert (again.part_names, again.folds.tolist()) == (names, [1, 0, 0, 1])
    assert name[-4:] != "json" or list(json.loads(content)) == list(json.loads(text))


def test_a_column_called_row_that_repeats_does_not_hide_row_numbers():
    data = load(io.BytesIO(b"row,a,b\n2,1,0\n0,0,1\n1,1,0\n2,0,1\n"), name="t.csv", label_columns=["a", "b"])
    assert read_split(io.BytesIO(b"row,fold\n0,0\n1,1\n2,0\n3,1\n"), data).folds.tolist() == [0, 1, 0, 1]


def test_years_that_python_does_not_have_are_names_too():
    buffer = io.BytesIO()
    moments = pa.array([253402300800, -62135596801, 0], pa.int64()).view(pa.timestamp("s"))
    pq.write_table(pa.table({"a": [1, 0, 1], "b": [0, 1, 1], "when": moments}), buffer)
    data = load(buffer, name="t.parquet", label_columns=["a", "b"])
    folds = b'{"x": 0, "y": 1, "z": 0}'
    with pytest.raises(FormatError, match="Hardly any of the rows"):
        read_split(io.BytesIO(folds), data, name="s.json")
