from __future__ import annotations

import gzip
import io
import json
import pickle
import zipfile
from datetime import date
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from optisplit import MultilabelDataset, cli, load, read_split
from optisplit.errors import FoldAssignmentError, FormatError, OptionError, OptisplitError
from optisplit.folds.arrays import folds_to_npz
from optisplit.io.splits import as_split, read_train_test, row_digests, split_columns
from optisplit.io.splits.base import repaired_name
from optisplit.io.splits.values import role_of

LABELS = [[1], [0], [1], [0], [1], [0]]
PLAIN = MultilabelDataset.from_labels(LABELS)
NAMED = MultilabelDataset.from_labels(LABELS, row_ids=list("abcdef"))


def npz(**arrays):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def read(content, data=PLAIN, **options):
    content = content if isinstance(content, bytes) else content.encode()
    return read_split(io.BytesIO(content), data, **{"name": "s.csv", **options})


THREE = ("fold 0", "fold 1", "fold 2")
TWO_PARTS = ("train", "test")

FORMS = {
    "one a line": ("0\n1\n2\n0\n1\n2\n", PLAIN, "folds", [0, 1, 2, 0, 1, 2], THREE),
    "one a line, from 1": ("1\n2\n3\n1\n2\n3", PLAIN, "folds", [0, 1, 2, 0, 1, 2], ("fold 1", "fold 2", "fold 3")),
    "one a line, header": ("fold\n0\n1\n2\n0\n1\n2\n", PLAIN, "folds", [0, 1, 2, 0, 1, 2], THREE),
    "one a line, floats": ("0.0\r\n1.0\r\n0.0\r\n1.0\r\n0.0\r\n1.0\r\n", PLAIN, "folds", [0, 1] * 3, THREE[:2]),
    "names, one a line": (
        "train\ntest\nval\ntrain\ntrain\ntrain\n", PLAIN, "parts", [0, 2, 1, 0, 0, 0], ("train", "val", "test"),
    ),
    "row numbers": ("row,fold\n5,0\n4,1\n3,0\n2,-1\n1,1\n0,1\n", PLAIN, "folds", [1, 1, -1, 0, 1, 0], THREE[:2]),
    "row numbers from 1": ("id,fold\n6,0\n5,1\n4,0\n3,0\n2,1\n1,1\n", PLAIN, "folds", [1, 1, 0, 0, 1, 0], THREE[:2]),
    "row ids": (
        "x\trow_id\tsplit\n1\tb\ttrain\n1\ta\ttest\n1\tc\tTrain\n1\td\tdev\n1\te\ttrain\n2\tf\ttest\n",
        NAMED, "parts", [2, 0, 0, 1, 0, 2], ("train", "dev", "test"),
    ),
    "quotes and semicolons": (
        'id;fold;"x"\r\n"a";0;"1;2"\r\n"b";"1";3\r\n"c";1;3\r\n"d";0;3\r\n"e";1;""\r\n"f"; 0 ;3\r\n',
        NAMED, "folds", [0, 1, 1, 0, 1, 0], THREE[:2],
    ),
    "no header": ("a,0\nb,1\nf,1\nd,0\ne,1\nc,0\n", NAMED, "folds", [0, 1, 0, 0, 1, 1], THREE[:2]),
    "order": ("note,fold\nx,0\ny,1\nz,0\nx,1\ny,0\nz,1\n", PLAIN, "folds", [0, 1] * 3, THREE[:2]),
    "-1 and 0": ("fold\n-1\n0\n-1\n-1\n0\n-1\n", PLAIN, "parts", [0, 1, 0, 0, 1, 0], TWO_PARTS),
    "is_test": ("is_test\n0\n1\n0\n0\n0\n1\n", PLAIN, "parts", [0, 1, 0, 0, 0, 1], TWO_PARTS),
    "is_train": ("row,is_train\n0,True\n1,False\n2,True\n3,True\n4,True\n5,False\n", PLAIN, "parts",
                 [0, 1, 0, 0, 0, 1], TWO_PARTS),
    "other names": ("split\nB\nA\nB\nC\nC\nA\n", PLAIN, "folds", [1, 0, 1, 2, 2, 0], ("A", "B", "C")),
    "natural order": ("split\nf10\nf2\nf2\nf10\nf1\nf1\n", PLAIN, "folds", [2, 1, 1, 2, 0, 0], ("f1", "f2", "f10")),
    "json, test folds": ("[[0,1],[2,3],[4,5]]", PLAIN, "folds", [0, 0, 1, 1, 2, 2], THREE),
    "json, from 1": ("[[1, 2], [3, 4], [5, 6]]", PLAIN, "folds", [0, 0, 1, 1, 2, 2], THREE),
    "json, ids": ('[["a", "b"], ["f", "d"], ["e", "c"]]', NAMED, "folds", [0, 0, 2, 1, 2, 1], THREE),
    "json, pairs": (
        "[[[0, 1, 2], [3, 4, 5]], [[3, 4, 5], [0, 1, 2]]]", PLAIN, "folds", [1, 1, 1, 0, 0, 0], THREE[:2],
    ),
    "json, named pairs": (
        '{"folds": [{"train": [0, 1, 2, 3], "test": [4, 5]}, {"train": [2, 3, 4, 5], "test": [0, 1]}, '
        '{"train": [0, 1, 4, 5], "test": [2, 3]}], "seed": 3}',
        PLAIN, "folds", [1, 1, 2, 2, 0, 0], THREE,
    ),
    "json, pairs by number": (
        '{"0": {"train": [0, 1], "test": [2, 3, 4, 5]}, "1": {"test": [0, 1], "train": [2, 3, 4, 5]}}',
        PLAIN, "folds", [1, 1, 0, 0, 0, 0], THREE[:2],
    ),
    "json, lists of train and test": (
        '{"train": [[0, 1, 2], [3, 4, 5]], "test": [[3, 4, 5], [0, 1, 2]]}', PLAIN, "folds", [1, 1, 1, 0, 0, 0],
        THREE[:2],
    ),
    "json, parts": (
        '{\n  "train": ["a", "b", "c"],\n  "val": ["d"],\n  "test": ["e", "f"]\n}', NAMED, "parts", [0, 0, 0, 1, 2, 2],
        ("train", "val", "test"),
    ),
    "json, one pair": ('[{"train": [0, 1, 2, 3], "test": [4, 5]}]', PLAIN, "parts", [0, 0, 0, 0, 1, 1], TWO_PARTS),
    "json, folds by name": ('{"fold_1": [2, 3, 4, 5], "fold_0": [0, 1]}', PLAIN, "folds", [0, 0, 1, 1, 1, 1],
                            ("fold_0", "fold_1")),
    "json, numbers": ("[0, 1, 0, 1, 0, 1]", PLAIN, "folds", [0, 1] * 3, THREE[:2]),
    "json, a part for each id": ('{"b": 1, "a": 0, "c": 2, "d": 0, "e": 1, "f": 2}', NAMED, "folds",
                                 [0, 1, 2, 0, 1, 2], THREE),
    "npz": (npz(test_fold=np.array([0, 1, 2, 0, 1, 2])), PLAIN, "folds", [0, 1, 2, 0, 1, 2], THREE),
    "npz, ids": (
        npz(test_fold=np.array([0, 1, 2, 0, 1, 2]), row_id=np.array(list("fedcba"))), NAMED, "folds",
        [2, 1, 0, 2, 1, 0], THREE,
    ),
    "npz, train and test": (npz(train=np.arange(4), test=np.arange(4, 6)), PLAIN, "parts", [0, 0, 0, 0, 1, 1],
                            TWO_PARTS),
    "npz, pairs": (
        npz(train_0=np.arange(3), test_0=np.arange(3, 6), train_1=np.arange(3, 6), test_1=np.arange(3)), PLAIN,
        "folds", [1, 1, 1, 0, 0, 0], THREE[:2],
    ),
    "npz, masks": (
        npz(train_mask=np.arange(6) < 4, test_mask=np.arange(6) >= 4), PLAIN, "parts", [0, 0, 0, 0, 1, 1],
        ("train_mask", "test_mask"),
    ),
    "npy": (npy(np.array([0, 1, 2, 0, 1, 2])), PLAIN, "folds", [0, 1, 2, 0, 1, 2], THREE),
}  # fmt: skip


def file_name(form):
    return f"s.{form[:3]}" if form.startswith("np") else "s.json" if form.startswith("json") else "s.csv"


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_and_written_back_as_it_came(form):
    content, data, kind, folds, names = FORMS[form]
    content = content if isinstance(content, bytes) else content.encode()
    split = read(content, data, name=file_name(form))
    assert (split.kind, split.folds.tolist(), split.part_names) == (kind, folds, names)
    assert split.folds.dtype == np.int32
    assert split.faults == ()
    name, same = split.write_back(split.folds)
    assert name == repaired_name(file_name(form))
    if form.startswith("np"):
        old, new = arrays_in(content), arrays_in(same)
        assert list(old) == list(new)
        for key, array in old.items():
            np.testing.assert_array_equal(array, new[key])
            assert array.dtype == new[key].dtype
    else:
        assert same == content
    other = split.folds.copy()
    at = [int(np.flatnonzero(other == 0)[0]), int(np.flatnonzero(other == 1)[-1])]
    other[at] = other[at[::-1]]
    again = read(split.write_back(other)[1], data, name=name)
    assert again.folds.tolist() == other.tolist()
    assert (again.part_names, again.kind, again.faults) == (split.part_names, kind, ())
    if split.pairs is not None and again.pairs is not None:
        for train, test in again.pairs:
            assert sorted([*train, *test]) == list(range(6))


def arrays_in(content):
    found = np.load(io.BytesIO(content))
    return {"array": found} if isinstance(found, np.ndarray) else dict(found)


def test_only_the_lines_that_moved_change():
    text = 'id;fold;"x"\r\n"a";0;"1;2"\r\n"b";"1";3\r\n"c";1;3\r\n"d";0;3\r\n"e";1;""\r\n"f"; 0 ;3'
    split = read(text, NAMED)
    _, content = split.write_back([1, 0, 1, 0, 1, 1])
    wanted = 'id;fold;"x"\r\n"a";1;"1;2"\r\n"b";"0";3\r\n"c";1;3\r\n"d";0;3\r\n"e";1;""\r\n"f"; 1 ;3'
    assert content.decode() == wanted


def test_json_lists_keep_their_order_and_their_style():
    split = read("[[5,0,1],[4,2,3]]", name="s.json")
    assert split.write_back([0, 1, 1, 0, 1, 0])[1] == b"[[5,0,3],[4,2,1]]"
    split = read('{"k": 2, "folds": [["b", "a"], ["f", "d", "e", "c"]]}', NAMED, name="s.json")
    assert split.write_back([1, 0, 1, 1, 1, 0])[1] == b'{"k": 2, "folds": [["b", "f"], ["d", "e", "c", "a"]]}'


def test_rows_left_out_of_training_on_purpose_stay_out():
    split = read("[[[1, 2], [3, 4, 5]], [[3, 4, 5], [0, 1, 2]]]", name="s.json")
    (fault,) = split.faults
    assert (fault.kind, fault.severity, fault.rows.tolist()) == ("left out", "warning", [0])
    again = read(split.write_back([1, 1, 0, 1, 0, 0])[1], name="s.json")
    assert [(sorted(train), sorted(test)) for train, test in again.pairs] == [
        ([1, 3], [2, 4, 5]), ([2, 4, 5], [0, 1, 3]),
    ]  # fmt: skip


def test_bytes_around_the_text_are_kept():
    packed = gzip.compress(b"fold\n0\n1\n0\n1\n0\n1\n")
    name, content = read(packed, name="s.csv.gz").write_back([1, 0, 0, 1, 0, 1])
    assert (name, gzip.decompress(content)) == ("s-repaired.csv.gz", b"fold\n1\n0\n0\n1\n0\n1\n")
    marked = b"\xef\xbb\xbffold,x\n0,\xc3\xa9\n1,b\n0,b\n1,b\n0,b\n1,b\n"
    assert read(marked).write_back([0, 1] * 3)[1] == marked
    latin = b"fold,x\n0,\xe9\n1,b\n0,b\n1,b\n0,b\n1,b\n"
    assert read(latin).write_back([0, 1] * 3)[1] == latin


def test_training_and_validation_of_each_fold():
    folds = [{"train": [0, 1], "val": [2], "test": [3, 4, 5]}, {"train": [3, 4], "val": [5], "test": [0, 1, 2]}]
    split = read(json.dumps(folds), name="s.json")
    assert (split.kind, split.folds.tolist()) == ("folds", [1, 1, 1, 0, 0, 0])
    assert any("validation rows" in note for note in split.notes)
    written = json.loads(split.write_back([0, 1, 1, 1, 0, 0])[1])
    assert [fold["val"] for fold in written] == [[2], [5]]


FAULTY = {
    "missing in a table": ("row_id,fold\na,0\nb,1\nc,\ne,1\nf,0\nd,1\n", NAMED, {"missing": [2]}),
    "no line": ("row_id,fold\na,0\nb,1\ne,1\nf,0\nd,1\n", NAMED, {"missing": [2]}),
    "unknown": ("row_id,fold\na,0\nb,1\nc,0\nd,0\ne,1\nf,0\nzz,1\n", NAMED, {"unknown": ("zz",)}),
    "two folds": ("row_id,fold\na,0\nb,1\nc,0\nd,0\ne,1\nf,0\na,1\n", NAMED, {"two parts": [0]}),
    "twice": ("row_id,fold\na,0\nb,1\nc,0\nd,0\ne,1\nf,0\na,0\n", NAMED, {"repeated": [0]}),
    "train and test": (
        "row_id,split\na,train\nb,test\nc,train\nd,test\ne,test\nf,train\na,test\n", NAMED, {"overlap": [0]},
    ),
    "json, missing": ("[[0, 1], [3, 4, 5]]", PLAIN, {"missing": [2]}),
    "json, two folds": ("[[0, 1, 2], [3, 4, 5, 1, 2]]", PLAIN, {"two parts": [1, 2]}),
    "json, overlap": ("[[[0, 1, 2, 3], [3, 4, 5]], [[3, 4, 5], [0, 1, 2]]]", PLAIN, {"overlap": [3]}),
    "json, parts overlap": ('{"train": [0, 1, 2, 4], "test": [3, 4, 5]}', PLAIN, {"overlap": [4]}),
    "json, test and validation": ('{"train": [0, 1], "val": [2, 3], "test": [3, 4, 5]}', PLAIN, {"two parts": [3]}),
    "json, unknown": ("[[0, 1, 2], [3, 4, 5, 6, -1]]", PLAIN, {"unknown": ("6", "-1")}),
    "json, no such id": ('[["a", "b", "c"], ["d", "e", "f", "g"]]', NAMED, {"unknown": ("g",)}),
    "empty": ("[[0, 1, 2], [], [3, 4, 5]]", PLAIN, {"empty": ("fold 1",)}),
    "a gap": ("fold\n0\n2\n0\n2\n0\n2\n", PLAIN, {"empty": ("fold 1",)}),
    "twice in a list": ("[[0, 1, 2, 1], [3, 4, 5]]", PLAIN, {"repeated": [1]}),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTY)
def test_what_is_wrong_is_listed_and_not_repaired(case):
    text, data, wanted = FAULTY[case]
    split = read(text, data, name="s.json" if text[0] in "[{" else "s.csv")
    assert {fault.kind: fault.rows.tolist() or fault.examples for fault in split.faults} == wanted
    for fault in split.faults:
        assert fault.count == len(fault.rows) or fault.kind in ("unknown", "empty")
        assert f"{fault.count:,} " in fault.sentence
        assert fault.advice.endswith(".")
    assert (split.folds[split.is_missing] == -1).all()
    assert set(np.flatnonzero(split.is_missing)) == set(wanted.get("missing", []))


def test_a_row_in_two_folds_is_in_the_one_that_is_written():
    split = read("row_id,fold\na,0\nb,1\nc,0\nd,0\ne,1\nf,0\na,1\nzz,1\n", NAMED)
    assert split.folds[0] == 0
    wanted = b"row_id,fold\na,0\nb,1\nc,0\nd,0\ne,1\nf,0\nzz,1\n"  # one line for a, else it would weigh double
    assert split.write_back(split.folds)[1] == wanted


def test_a_row_named_twice_for_one_fold_keeps_both_lines():
    split = read("row_id,fold\na,0\nb,1\nc,0\nd,0\ne,1\nf,0\na,0\n", NAMED)
    assert split.write_back(split.folds)[1].count(b"a,0") == 2


def test_rows_without_a_line_get_one_when_they_get_a_part():
    split = read("row_id;x;fold\r\na;1;0\r\nb;1;1\r\ne;1;1\r\nf;1;0", NAMED)
    folds = split.folds.copy()
    folds[[2, 3]] = 1, 0
    name, content = split.write_back(folds)
    assert content.decode().endswith("f;1;0\r\nc;;1\r\nd;;0\r\n")
    assert read(content, NAMED, name=name).folds.tolist() == folds.tolist()


def test_what_was_understood_can_be_corrected():
    split = read("[[1, 2, 3], [4, 5, 6]]", name="s.json", rows="from 0")
    assert [fault.kind for fault in split.faults] == ["unknown", "missing"]
    assert read("[[0, 1], [2, 3, 4, 5]]", name="s.json").kind == "folds"
    split = read("[[0, 1], [2, 3, 4, 5]]", name="s.json", kind="parts")
    assert (split.kind, split.part_names, split.tested) == ("parts", ("train", "test"), (1,))
    split = read("fold\n0\n1\n0\n1\n0\n1\n", kind="parts")
    assert split.tested == (1,)
    assert [(train.tolist(), test.tolist()) for train, test in split.train_test()] == [([0, 2, 4], [1, 3, 5])]
    split = read("a,b\n0,x\n1,y\n0,x\n1,y\n0,x\n1,y\n", column="b")
    assert split.part_names == ("x", "y")
    split = read("row_id,fold\nf,0\ne,0\nd,0\nc,1\nb,1\na,1\n", NAMED, rows="order")
    assert split.folds.tolist() == [0, 0, 0, 1, 1, 1]
    numbers = MultilabelDataset.from_labels(LABELS, row_ids=["5", "4", "3", "2", "1", "0"])
    assert read("[[0, 1], [2, 3, 4, 5]]", numbers, name="s.json").folds.tolist() == [0, 0, 1, 1, 1, 1]
    assert read("[[0, 1], [2, 3, 4, 5]]", numbers, name="s.json", rows="ids").folds.tolist() == [1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("text", "error", "match"),
    [
        ("0\n1\n0\n", FormatError, "s.csv has 3 line"),
        ("fold\n0\n0\n0\n0\n0\n0\n", FormatError, "the same value for every row, '0'"),
        ("fold\n-1\n-1\n-1\n-1\n-1\n-1\n", FormatError, "only -1"),
        ("fold\n-2\n1\n0\n0\n0\n0\n", FormatError, "number -2; folds are numbered from 0 or 1"),
        ("a,b,c\n1,2,3\n", OptionError, "none is called fold or split"),
        ("fold,x\n0,\"a\n", FormatError, "has 1 line"),
        ("[1, 2", FormatError, "no JSON"),
        ("[[0, 1, 2, 3, 4, 5]]", FormatError, "is no split in a form that is known"),
        ('{"x": 1}', FormatError, "is no split in a form that is known"),
        ("[[100, 200], [300]]", FormatError, "Hardly any of the rows"),
        ('[["p", "q"], ["r"]]', FormatError, "Hardly any of the rows"),
        ("@relation x\n", FormatError, "has no @attribute lines"),
        ("", FormatError, "is empty"),
    ],
)  # fmt: skip
def test_what_is_no_split_is_refused(text, error, match):
    with pytest.raises(error, match=match):
        read(text)


def test_ids_of_other_data_are_refused():
    with pytest.raises(FormatError, match=r"Hardly any of the ids of s.csv .*'p', 'q', 'r'.*called 'a', 'b', 'c'"):
        read("row_id,fold\np,0\nq,1\nr,0\ns,1\nt,0\nu,1\n", NAMED)
    with pytest.raises(OptionError, match=r"Unknown column of s.csv: 'flod'.*\nHint: did you mean 'fold'"):
        read("fold\n0\n1\n0\n1\n0\n1\n", column="flod")
    with pytest.raises(OptionError, match="Unknown kind of split 'fold'"):
        read("0\n", kind="fold")
    many = MultilabelDataset.from_labels(np.ones((100, 1), dtype=int))
    with pytest.raises(FormatError, match="100 different values"):
        read("fold\n" + "".join(f"v{i}\n" for i in range(100)), many)


def test_write_back_refuses_what_does_not_fit():
    split = read("0\n1\n0\n1\n0\n1\n")
    with pytest.raises(FoldAssignmentError, match="6 in all"):
        split.write_back([0, 1])
    with pytest.raises(FoldAssignmentError, match="numbered from 0 to 1, got 0 to 2"):
        split.write_back([0, 1, 2, 0, 1, 2])


@pytest.mark.parametrize("sizes", [(1, 5), (0, 6), (6, 0)])
def test_parts_in_one_array_keep_their_length(sizes):
    """Of one row numpy would make as many as the line is long."""
    split = read(npz(folds=np.array([[0, 4, 2], [1, 3, 5]])), name="s.npz")
    assert split.folds.tolist() == [0, 1, 0, 1, 0, 1]
    written = split.write_back(np.array([1, 1, 0, 1, 0, 0]))[1]
    assert np.load(io.BytesIO(written))["folds"].tolist() == [[4, 2, 5], [1, 3, 0]]
    with pytest.raises(OptionError, match=rf"each with 3 rows; now one has {sizes[0]}"):
        split.write_back(np.repeat([0, 1], sizes))


def test_an_empty_table_in_an_archive(tmp_path):
    path = tmp_path / "s.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("folds.csv", "")
    with pytest.raises(FormatError, match=r"'folds\.csv' has no rows"):
        read_split(path, PLAIN)


def test_the_datas_own_table(tmp_path):
    path = tmp_path / "data.csv"
    lines = [f"r{i},{i % 7},{i % 2},{(i // 2) % 2},{'train' if i % 5 else 'test'},{i % 3}" for i in range(40)]
    path.write_text("\n".join(["id,x,a,b,subset,fold", *lines, ""]))
    data = load(path, label_columns=["a", "b"])
    found = split_columns(path, data)
    assert [(column.name, column.n_values, column.is_usual) for column in found][:2] == [
        ("fold", 3, True), ("subset", 2, True),
    ]  # fmt: skip
    assert found[1].values == (("train", 32), ("test", 8))
    split = read_split(path, data, column="subset")
    assert (split.kind, split.folds.tolist()) == ("parts", [0 if i % 5 else 1 for i in range(40)])
    assert read_split(path, data, column="fold").folds.tolist() == [i % 3 for i in range(40)]
    swapped = split.folds.copy()
    swapped[:2] = 0, 1
    text = split.write_back(swapped)[1].decode().splitlines()
    assert text[1:3] == ["r0,0,0,0,train,0", "r1,1,1,0,test,1"]
    assert text[3:] == lines[2:]
    assert split_columns(io.BytesIO(b"@relation x\n")) == []


ARFF = b"@relation x\n@attribute f numeric\n@attribute 'a' {0,1}\n@attribute b {0,1}\n@data\n"
XML = b"<labels><label name='a'/><label name='b'/></labels>"


@pytest.fixture
def two_files(tmp_path):
    (tmp_path / "x.xml").write_bytes(XML)
    (tmp_path / "x-train.arff").write_bytes(ARFF + b"1,0,1\r\n% note\n2,1,0\n3,1,1\n")
    (tmp_path / "x-test.arff").write_bytes(ARFF + b"4,1,0\n 5,0,1")
    return tmp_path / "x-train.arff", tmp_path / "x-test.arff"


def test_separate_training_and_test_files(two_files):
    data, split = read_train_test(*two_files)
    assert data.labels.toarray().tolist() == [[0, 1], [1, 0], [1, 1], [1, 0], [0, 1]]
    assert (data.name, data.label_names) == ("x", ("a", "b"))
    assert data.row_ids == ("train 0", "train 1", "train 2", "test 0", "test 1")
    assert (split.kind, split.folds.tolist(), split.part_names) == ("parts", [0, 0, 0, 1, 1], ("train", "test"))
    name, content = split.write_back(split.folds)
    assert name == "x-repaired.zip"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.read("x-train-repaired.arff") == two_files[0].read_bytes()
        assert archive.read("x-test-repaired.arff") == two_files[1].read_bytes()
    with zipfile.ZipFile(io.BytesIO(split.write_back([0, 1, 0, 1, 0])[1])) as archive:
        assert archive.read("x-train-repaired.arff") == ARFF + b"1,0,1\r\n3,1,1\n 5,0,1"
        assert archive.read("x-test-repaired.arff") == ARFF + b"4,1,0\n% note\n2,1,0\n"
    again, _ = read_train_test(
        io.BytesIO(two_files[0].read_bytes()), io.BytesIO(two_files[1].read_bytes()), label_file=io.BytesIO(XML),
        train_name="x-train.arff", test_name="x-test.arff",
    )  # fmt: skip
    assert again.digest == data.digest


def test_training_and_test_tables_with_their_columns_in_another_order(tmp_path):
    (tmp_path / "train.csv").write_text("id,f,a,b\np,2.5,1,0\nq,3.5,0,1\n")
    (tmp_path / "test.csv").write_text("id,f,b,a\nr,4.5,1,0\n")
    data, split = read_train_test(tmp_path / "train.csv", tmp_path / "test.csv")
    assert data.labels.toarray().tolist() == [[1, 0], [0, 1], [0, 1]]
    assert data.row_ids == ("p", "q", "r")
    with zipfile.ZipFile(io.BytesIO(split.write_back([0, 1, 0])[1])) as archive:
        assert archive.read("split.csv") == b"row_id,part\np,train\nq,test\nr,train\n"
    (tmp_path / "test.csv").write_text("id,f,b,c\nr,4.5,1,0\n")
    with pytest.raises(FormatError, match=r"only in train.csv: 1, 'a'; only in test.csv: 1, 'c'"):
        read_train_test(tmp_path / "train.csv", tmp_path / "test.csv")


def test_both_files_are_read_as_is_said(tmp_path):
    (tmp_path / "p-train.csv").write_text("x,a,b\n1.5,1,0\n2.5,-1,1\n3.5,0,1\n")
    (tmp_path / "p-test.csv").write_text("x,a,b\n4.5,-1,0\n5.5,1,1\n")
    files = (tmp_path / "p-train.csv", tmp_path / "p-test.csv")
    with pytest.raises(FormatError, match="uncertain"):
        read_train_test(*files)
    data, split = read_train_test(*files, options={"uncertain": "drop-rows"})
    assert data.row_ids == ("train 0", "train 2", "test 1")
    assert split.folds.tolist() == [0, 0, 1]
    data, _ = read_train_test(*files, options={"uncertain": "one"})
    assert data.labels.toarray().tolist() == [[1, 0], [1, 1], [0, 1], [1, 0], [1, 1]]


def test_digests_tell_equal_rows(tmp_path, two_files):
    path = tmp_path / "d.csv"
    path.write_text("id,f,a,fold\np,2.5,1,0\nq,3.5,0,1\nr,2.5,1,1\ns,2.5,0,1\n")
    data = load(path, label_columns=["a"])
    digests = row_digests(data, path)
    assert digests.dtype == np.uint64
    assert [digests[0] == each for each in digests] == [True, False, True, True]  # labels are no features
    assert digests.note == "Rows were compared in 1 column: 'f'."
    path.write_text("id,a\np,1\nq,0\nr,1\n")
    assert row_digests(load(path), path) is None  # rows with the same labels need not be the same
    path.write_text("id,tags\n" + "".join(f"r{i},{'a b' if i % 2 else 'a'}\n" for i in range(20)))
    data = load(path, label_columns=["tags"], label_separator=" ")
    assert row_digests(data, path) is None  # nor those whose labels are named in a column
    data, _ = read_train_test(*two_files)
    assert len(set(row_digests(data, *two_files).tolist())) == 5
    assert row_digests(data, two_files[0]) is None
    assert row_digests(PLAIN, io.BytesIO(npz(test_fold=np.zeros(6)))) is None
    sparse = ARFF + b"{0 1.5, 1 1}\n{0 1.5,1 1}\n{ 0 1.5 , 2 1 }\n{0 2.5, 2 1}\n"
    (tmp_path / "s.xml").write_bytes(XML)
    (tmp_path / "s.arff").write_bytes(sparse)
    first, second, third, fourth = row_digests(load(tmp_path / "s.arff"), tmp_path / "s.arff")
    assert first == second == third != fourth  # whatever their labels


def test_splits_from_memory():
    split = as_split([0, 1, -1, 1, 0, 1], PLAIN)
    assert (split.kind, split.part_names, split.folds.tolist()) == ("folds", ("fold 0", "fold 1"), [0, 1, -1, 1, 0, 1])
    assert not split.is_missing.any()
    assert as_split(split, PLAIN) is split
    pairs = [(np.array([0, 1, 2]), np.array([3, 4, 5])), (np.array([3, 4, 5]), np.array([0, 1, 2, 3]))]
    split = as_split(pairs, PLAIN)
    assert {fault.kind: fault.rows.tolist() for fault in split.faults} == {"two parts": [3], "overlap": [3]}
    assert split.write_back([0, 1, 0, 1, 0, 1]) == (
        "folds-repaired.csv", b"row,fold\n0,0\n1,1\n2,0\n3,1\n4,0\n5,1\n",
    )  # fmt: skip
    assert as_split(pairs[:1], PLAIN).kind == "parts"
    with pytest.raises(FoldAssignmentError, match="expected 6"):
        as_split([0, 1], PLAIN)
    with pytest.raises(FoldAssignmentError, match="row numbers from 0 to 5"):
        as_split([(np.array([0]), np.array([9])), (np.array([0]), np.array([1]))], PLAIN)


@pytest.mark.parametrize(
    ("name", "role"),
    [("Train", "train"), ("training set", "train"), ("VALID", "validation"), ("hold_out", "test"), ("fold 1", None)],
)
def test_roles(name, role):
    assert role_of(name) == role


# archives that are damaged, or not what they seem

SOME_FOLDS = np.array([1, 0, 2, 1, 2], dtype=np.int32)
FIVE_ROWS = MultilabelDataset.from_labels(np.eye(5, dtype=int))


class _Trap:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def trapped():
    objects = np.empty(1, dtype=object)
    objects[0] = _Trap()
    return objects


def damaged():
    data = bytearray(npz(test_fold=np.random.default_rng(0).integers(0, 9, 5000)))
    data[300:400] = b"\xff" * 100
    return bytes(data)


def with_method(number):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("test_fold.npy", npy(SOME_FOLDS))
    data = bytearray(stream.getvalue())
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(mark) + offset] = number
    return bytes(data)


@pytest.mark.parametrize(
    "content",
    [
        npz(test_fold=trapped()),
        pickle.dumps(_Trap()),
        npz(other=np.zeros((2, 2, 2))),
        npz(test_fold=np.array(3)),
        npz(test_fold=SOME_FOLDS[:4]),
        damaged(),
        with_method(97),
        npz(test_fold=SOME_FOLDS)[:60],
        b"",
    ],
    ids=[
        "objects",
        "pickle",
        "other",
        "scalar",
        "too short",
        "damaged",
        "unknown packing",
        "cut off",
        "empty",
    ],
)
def test_bad_archives_are_refused_and_nothing_in_them_is_run(tmp_path, content):
    (tmp_path / "folds.npz").write_bytes(content)
    with pytest.raises(OptisplitError, match=r"folds\.npz"):
        read_split(tmp_path / "folds.npz", FIVE_ROWS)


def test_what_was_saved_is_read_again(tmp_path):
    (tmp_path / "folds.npz").write_bytes(folds_to_npz(SOME_FOLDS))
    assert read_split(tmp_path / "folds.npz", FIVE_ROWS).folds.tolist() == SOME_FOLDS.tolist()


def test_the_column_of_the_split_is_no_feature(tmp_path, capsys):
    path = tmp_path / "ecg.csv"
    rows = "".join(f"{row},{1.5 + row // 2},{row % 3 % 2},{row % 2 + 1}\n" for row in range(12))
    path.write_text("id,age,a,strat\n" + rows)
    data = load(path, label_columns=["a"])
    digests = row_digests(data, path, split_column="strat")
    assert digests.note == "Rows were compared in 1 column: 'age'."
    assert (digests[::2] == digests[1::2]).all()
    cli.main(["check", str(path), "--label-columns", "a", "--column", "strat", "--no-random", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert digests.note in told["notes"]
    assert [fault["count"] for fault in told["faults"] if fault["kind"] == "identical"] == [12]


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("row_id::fold\nra::{}\nrb::{}\nrc::{}\nrd::{}\n", "r"),
        ('row_id\tfold\ttext\nra\t{}\t"a\nrb\t{}\tb "c\nrc\t{}\td\nrd\t{}\te"\n', "r"),
        ("'=a,{}\n'=b,{}\n'=c,{}\n'=d,{}\n", "="),
    ],
)
def test_a_table_is_written_back_as_it_is_read_whatever_parts_its_cells(text, prefix):
    data = MultilabelDataset.from_labels([[1, 0], [0, 1], [1, 1], [0, 0]], row_ids=[prefix + end for end in "abcd"])
    split = read_split(io.BytesIO(text.format(1, 0, 1, 0).encode()), data, name="x.csv")
    assert split.folds.tolist() == [1, 0, 1, 0]
    assert split.write_back(1 - split.folds)[1].decode() == text.format(0, 1, 0, 1)


FOUR = MultilabelDataset.from_labels([[1, 0], [0, 1], [1, 1], [0, 0]], row_ids=["r0", "r1", "r2", "r3"])


@pytest.mark.parametrize(
    "values",
    [
        pa.array([True, False, True, True]),
        pa.array([b"train", b"test", b"train", b"train"]),
        pa.array([b"aa", b"bb", b"aa", b"aa"], pa.binary(2)),
        pa.array(["train", "test", "train", "train"], pa.string_view()),
        pa.array(["train", "test", "train", "train"]).dictionary_encode(),
        pa.array([Decimal("0.00"), Decimal("1.00"), Decimal("0.00"), Decimal("0.00")]),
        pa.array([date(2020, 1, 1), date(2021, 1, 1), date(2020, 1, 1), date(2020, 1, 1)]),
    ],
    ids=lambda values: str(values.type),
)
@pytest.mark.parametrize("name", ["fold", "fold\a"])
def test_parquet_is_written_back_with_values_of_the_type_that_it_has(values, name):
    buffer = io.BytesIO()
    pq.write_table(pa.table({"id": ["r0", "r1", "r2", "r3"], name: values}), buffer)
    split = read_split(io.BytesIO(buffer.getvalue()), FOUR, column="fold")
    _, content = split.write_back(np.roll(split.folds, 1))
    written = pq.read_table(io.BytesIO(content))
    assert written.schema.field(name).type == values.type
    assert written.column(name).to_pylist() == np.roll(np.array(values.to_pylist(), dtype=object), 1).tolist()


def test_json_lines_are_written_back_with_values_as_they_have_them():
    text = '{{"id": "r0", "is_test": {}}}\n{{"id": "r1", "is_test": {}}}\n{{"id": "r2", "is_test": {}}}\n'
    split = read_split(
        io.BytesIO((text + '{{"id": "r3", "is_test": null}}\n').format("true", "false", "true").encode()), FOUR
    )
    assert split.folds.tolist() == [1, 0, 1, -1]
    written = split.write_back([0, 1, 0, 1])[1].decode()
    assert written == (text + '{{"id": "r3", "is_test": true}}\n').format("false", "true", "false")


@pytest.mark.parametrize("values", [np.array([0, 1, 0, 1], dtype=np.uint8), np.array([True, False, True, False])])
def test_what_an_array_cannot_say_is_refused(values):
    """NumPy would take -1 for 255, or for True."""
    split = read_split(io.BytesIO(npz(folds=values)), FOUR)
    now = split.folds.copy()
    now[0] = -1
    with pytest.raises(OptionError, match=r"'folds' holds values of the type .*, which cannot say '-1'"):
        split.write_back(now)
    table = io.BytesIO()
    pq.write_table(pa.table({"id": ["r0", "r1", "r2", "r3"], "fold": values}), table)
    with pytest.raises(OptionError, match=r"'fold' holds values of the type .*, which cannot say '-1'"):
        read_split(table, FOUR).write_back(now)


def test_texts_in_an_array_may_become_longer():
    split = read_split(io.BytesIO(npz(folds=np.array(["0", "1", "0", "1"]))), FOUR)
    content = split.write_back([-1, 0, 0, 1])[1]
    assert np.load(io.BytesIO(content))["folds"].tolist() == ["-1", "0", "0", "1"]


def test_texts_of_bytes_in_an_archive_are_texts():
    lists = npz(train=np.array([b"r0", b"r1"]), test=np.array([b"r2", b"r3"]), k=np.array(4))
    assert read_split(io.BytesIO(lists), FOUR).folds.tolist() == [0, 0, 1, 1]
    strange = npz(train=np.array([b"r0", b"\xff"]), test=np.array(["r2", "r3"]))
    assert read_split(io.BytesIO(strange), FOUR).folds.tolist() == [0, -1, 1, 1]


def test_single_values_in_an_archive_are_no_lists():
    with pytest.raises(FormatError, match="no split in a form that is known"):
        read_split(io.BytesIO(npz(train=np.array(1), test=np.array([0, 1]))), FOUR)


def test_texts_of_characters_that_there_are_not():
    """NumPy reads any number as a character; Python fails at such texts later."""
    strange = np.array([0x41, 0x110000, 0x42, 0x43], dtype=np.uint32).view("U1")
    content = npz(folds=strange)
    with pytest.raises(FormatError, match="'folds' has characters that there are not"):
        read_split(io.BytesIO(content), FOUR)
