"""Labels and splits are written so that they are read back as they were."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS

import optisplit
from optisplit.errors import FormatError, OptionError, Stopped
from optisplit.io.registry import FORMS, writable
from optisplit.io.splits import read_train_test, split_columns
from optisplit.io.writers.labels import save
from optisplit.io.writers.parts import part_names
from optisplit.io.writers.splits import form_of, save_split, split_file
from optisplit.labels import MultilabelDataset
from optisplit.text import clean_name

ENDINGS = {"libsvm": "svm", "xmc": "txt", "xmc-labels": "txt", "mulan": "arff", "meka": "arff"}
WITH_IDS = ("csv", "tsv", "jsonl", "parquet", "npz")
AWKWARD = ["a,b", 'q"x', "it's", "ü ž", "NA", "?", "007", "a|b;c", "{x}", "100%", "back\\slash", "<b&>", "-C 3", "1"]
WRITERS = [(format, None) for format in writable()] + [(format, "tags") for format in ("csv", "tsv")]


def path_in(folder, format, packing=""):
    return folder / f"x.{ENDINGS.get(format, format)}{packing}"


def rows_by_label(data):
    columns = data.labels.tocsc()
    return {
        name: columns.indices[slice(*columns.indptr[j : j + 2])].tolist() for j, name in enumerate(data.label_names)
    }


def awkward_data(names=AWKWARD, n_rows=12, row_ids=None):
    matrix = np.random.default_rng(1).random((n_rows, len(names))) < 0.25
    matrix[np.arange(len(names)) % n_rows, np.arange(len(names))] = True  # no label is on no row
    matrix[n_rows - 2] = False
    matrix[0, :] = True
    return MultilabelDataset.from_labels(matrix, names, row_ids=row_ids, name="x: -C 3")


def assert_same(again, data, format, layout):
    assert rows_by_label(again) == rows_by_label(data)
    assert again.n_rows == data.n_rows
    if format in WITH_IDS:
        assert again.row_ids == data.row_ids
    if layout is None and format not in ("jsonl", "parquet"):
        assert again.label_names == data.label_names


@pytest.mark.parametrize(("format", "layout"), WRITERS)
@pytest.mark.parametrize("row_ids", [None, [f"r,{i} 'ü" for i in range(12)]])
def test_what_is_saved_is_loaded_again(tmp_path, format, layout, row_ids):
    data = awkward_data(row_ids=row_ids)
    path = path_in(tmp_path, format)
    saved = save(data, path, format=format, layout=layout)
    assert saved.paths[0] == path
    assert all(each.is_file() for each in saved.paths)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(each.name for each in saved.paths)
    assert_same(optisplit.load(path, **saved.options), data, format, layout)
    assert_same(optisplit.load(path), data, format, layout)  # its own content tells as much


@pytest.mark.parametrize(("packing", "unpack"), [(".gz", gzip.decompress), (".bz2", bz2.decompress),
                                                 (".xz", lzma.decompress)])  # fmt: skip
@pytest.mark.parametrize("format", ["csv", "parquet", "npz", "meka"])
def test_the_name_says_how_a_file_is_packed(tmp_path, format, packing, unpack):
    data, path = awkward_data(), path_in(tmp_path, format, packing)
    save(data, path, format=format)
    plain = path_in(tmp_path / "plain", format)
    plain.parent.mkdir()
    save(data, plain, format=format)
    assert len(unpack(path.read_bytes())) == plain.stat().st_size
    assert_same(optisplit.load(path), data, format, None)


def test_long_tables_have_a_line_for_each_pair(tmp_path):
    data = MultilabelDataset.from_labels([["b"], ["a", "b"]], row_ids=["x", "y,z"])
    save(data, tmp_path / "x.csv", layout="long")
    assert (tmp_path / "x.csv").read_text() == 'row_id,label\nx,b\n"y,z",a\n"y,z",b\n'
    again = optisplit.load(tmp_path / "x.csv", layout="long", label_columns=["row_id", "label"])
    assert again.row_ids == ("x", "y,z")
    assert rows_by_label(again) == {"a": [1], "b": [0, 1]}
    with pytest.raises(OptionError, match=r"1 row has no label"):
        save(MultilabelDataset.from_labels([[1], [0]]), tmp_path / "y.csv", layout="long")
    assert not (tmp_path / "y.csv").exists()


@pytest.mark.parametrize(
    ("format", "layout", "expected"),
    [
        ("csv", None, b'row_id,"a,b",c\nr1,1,0\nr2,0,0\nr3,1,1\n'),
        ("tsv", None, b'row_id\t"a,b"\tc\nr1\t1\t0\nr2\t0\t0\nr3\t1\t1\n'),
        ("csv", "tags", b'row_id,labels\nr1,"[""a,b""]"\nr2,[]\nr3,"[""a,b"", ""c""]"\n'),
        ("jsonl", None, b'{"row_id": "r1", "labels": ["a,b"]}\n{"row_id": "r2", "labels": []}\n'
                        b'{"row_id": "r3", "labels": ["a,b", "c"]}\n'),
        ("meka", None, b"@relation 'd: -C 2'\n\n@attribute 'a,b' {0,1}\n@attribute c {0,1}\n\n@data\n{0 1}\n{}\n"
                       b"{0 1,1 1}\n"),
    ],
)  # fmt: skip
def test_bytes_of_small_files(format, layout, expected):
    data = MultilabelDataset.from_labels([[1, 0], [0, 0], [1, 1]], ["a,b", "c"], row_ids=["r1", "r2", "r3"], name="d")
    file = io.BytesIO()
    save(data, file, format=format, layout=layout)
    assert file.getvalue() == expected


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("libsvm", "0 1:1\n 1:1\n0,1 1:1\n"),
        ("xmc", "3 1 2\n0 0:1\n 0:1\n0,1 0:1\n"),
        ("xmc-labels", "3 2\n0:1\n\n0:1 1:1\n"),
    ],
)
def test_formats_of_numbers_have_names_beside(tmp_path, format, expected):
    save(MultilabelDataset.from_labels([[1, 0], [0, 0], [1, 1]], ["é", "c"]), tmp_path / "x.txt", format=format)
    assert (tmp_path / "x.txt").read_text() == expected
    assert (tmp_path / "x.labels.txt").read_text(encoding="utf-8") == "é\nc\n"


@pytest.mark.parametrize("is_first_used", [True, False])
@pytest.mark.parametrize("format", ["csv", "npz", "libsvm", "xmc", "xmc-labels", "mulan", "meka"])
def test_labels_on_no_row_are_kept(tmp_path, format, is_first_used):
    matrix = [[1, 0, 1, 0], [0, 0, 1, 0]] if is_first_used else [[0, 1, 1, 0], [0, 0, 1, 0]]
    data = MultilabelDataset.from_labels(matrix, list("abcd"))
    saved = save(data, path_in(tmp_path, format), format=format)
    again = optisplit.load(saved.paths[0], **saved.options)
    assert again.label_names == tuple("abcd")
    assert rows_by_label(again) == rows_by_label(data)


@pytest.mark.parametrize(("format", "layout"), [("csv", "tags"), ("jsonl", None), ("parquet", None)])
def test_lists_tell_which_labels_they_leave_out(tmp_path, format, layout):
    data = MultilabelDataset.from_labels([[1, 0], [0, 0]], ["a", "never"])
    assert (
        "1 label is on no row, so not in the file: 'never'."
        in save(data, path_in(tmp_path, format), format=format, layout=layout).notes
    )
    with pytest.raises(OptionError, match="No row has a label"):
        save(MultilabelDataset.from_labels([[0], [0]]), path_in(tmp_path, format), format=format, layout=layout)


names_drawn = st.lists(
    st.one_of(st.sampled_from([*AWKWARD, "true", "[]", "# x", "0.5", "a: b", "label", "labels", "x\u2028y"]),
              st.text(max_size=8)).map(clean_name).filter(bool),
    min_size=1, max_size=5, unique=True,
)  # fmt: skip


@pytest.mark.parametrize(("format", "layout"), WRITERS)
def test_any_name_comes_back_or_is_refused_by_name(tmp_path, format, layout):
    @SETTINGS
    @given(names=names_drawn, seed=st.integers(0, 99), with_ids=st.booleans())
    def check(names, seed, with_ids):
        matrix = np.random.default_rng(seed).random((5, len(names))) < 0.5
        matrix[0] = True
        data = MultilabelDataset.from_labels(matrix, names, row_ids=[*names, *"vwxyz"][:5] if with_ids else None)
        for old in tmp_path.iterdir():
            old.unlink()
        try:
            saved = save(data, path_in(tmp_path, format), format=format, layout=layout)
        except OptionError as error:
            assert any(repr(name)[:60] in str(error) for name in names)  # noqa: PT017
            assert list(tmp_path.iterdir()) == []
            return
        assert_same(optisplit.load(saved.paths[0], **saved.options), data, format, layout)

    check()


@pytest.mark.parametrize(
    ("options", "names", "message"),
    [
        ({"format": "csv"}, ["fold", "x"], "'fold' is a label whose column would be taken for row ids"),
        ({"format": "csv"}, ["0.5", "1.5"], "'0.5' is a label name that makes the header look like a row"),
        ({"format": "npz"}, ["a", "a"], "'a' is the name of several labels; rename it"),
        ({"format": "meka"}, ["a", ""], "'' is no name of a label"),
        ({"format": "csv", "layout": "tags", "label_separator": "|"}, ["a|b", "c"], "'a|b' is a label that"),
        ({"format": "csv", "label_separator": "|"}, ["a", "b"], "label_separator goes with layout='tags' only"),
        ({"format": "npz", "layout": "tags"}, ["a", "b"], "layout does not go with npz"),
        ({"format": "csv", "layout": "wide"}, ["a", "b"], "Unknown layout 'wide'"),
        ({"format": "cvs"}, ["a", "b"], "did you mean 'csv'"),
        ({}, ["a", "b"], "The ending of 'x.dat' tells no format"),
    ],
)  # fmt: skip
def test_what_cannot_be_saved_is_refused(tmp_path, options, names, message):
    data = MultilabelDataset.from_labels([[1, 0], [0, 1]], names)
    with pytest.raises(OptionError) as caught:
        save(data, tmp_path / "x.dat", **options)
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_names_that_were_built_past_the_checks_are_refused(tmp_path):
    good = MultilabelDataset.from_labels([[1], [0]])
    bad = MultilabelDataset(good.labels, ("two\nlines",))
    with pytest.raises(OptionError, match="is a label name that is not read back as it is"):
        save(bad, tmp_path / "x.csv")


def test_separators_are_told_to_load(tmp_path):
    data = MultilabelDataset.from_labels([["a", "b c"], [], ["a"]], row_ids=["r", "s", "t"])
    saved = save(data, tmp_path / "x.csv", layout="tags", label_separator="|")
    assert (tmp_path / "x.csv").read_text() == 'row_id,labels\nr,"a|b c"\ns,""\nt,a\n'
    assert any("missing='zero'" in note for note in saved.notes)
    assert rows_by_label(optisplit.load(tmp_path / "x.csv", **saved.options)) == rows_by_label(data)


def test_huge_tables_of_zeros_must_be_meant(tmp_path):
    import scipy.sparse as sp

    data = MultilabelDataset.from_labels(sp.csr_array((200_000, 501), dtype=np.int8))
    with pytest.raises(OptionError, match="layout='tags' or 'long'"):
        save(data, tmp_path / "x.csv")


def test_file_objects_hold_one_file(tmp_path):
    data = awkward_data()
    with pytest.raises(OptionError, match="names in a file of its own"):
        save(data, io.BytesIO(), format="xmc")
    with pytest.raises(OptionError, match="has no ending to tell the format from"):
        save(data, io.BytesIO())
    file = io.BytesIO()
    assert save(data, file, format="parquet").paths == ()
    (tmp_path / "x.parquet").write_bytes(file.getvalue())
    assert rows_by_label(optisplit.load(tmp_path / "x.parquet")) == rows_by_label(data)


def test_names_of_another_file_are_not_taken(tmp_path):
    (tmp_path / "x.rows.txt").write_text("".join(f"old {i}\n" for i in range(12)))
    with pytest.raises(OptionError, match=r"'x.rows.txt' is there already"):
        save(awkward_data(), tmp_path / "x.npz")
    (tmp_path / "y.xml").write_text("<labels/>")
    with pytest.raises(OptionError, match=r"'y.xml' is there already"):
        save(awkward_data(), tmp_path / "y.arff")


def test_an_error_leaves_the_old_file(tmp_path):
    class Enough(Stopped):
        pass

    def stop(done, total, score):
        assert (done, total, score) == (12, 12, None)
        raise Enough

    path = tmp_path / "x.csv"
    path.write_text("old")
    with pytest.raises(Enough):
        save(awkward_data(), path, on_progress=stop)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]
    with pytest.raises(OptionError, match="cannot be written: No such file or directory"):
        save(awkward_data(), tmp_path / "none" / "x.csv")
    with pytest.raises(OptionError, match="cannot be written: Is a directory"):
        save(awkward_data(), tmp_path, format="csv")


# splits

TABLE = 'id,text,A,B\na,"x, y",1,0\nb,"two\nlines",0,1\nc,,1,1\nd,q,1,0\n'
FOLDS = np.array([0, 1, -1, 1], dtype=np.int32)
PARTS = np.array([0, 1, 2, 0], dtype=np.int32)


def loaded(folder, name, content, **options):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path, optisplit.load(path, **options)


def read_back(data, made, **options):
    name, content = made
    return optisplit.read_split(io.BytesIO(content), data, name=name, **options)


@pytest.mark.parametrize("row_ids", [None, ["a", "b", "c", "d"], ["3", "2", "1", "0"]])
@pytest.mark.parametrize("form", ["csv", "json", "npz", "huggingface"])
@pytest.mark.parametrize("folds", [FOLDS, np.array([1, 0, 2, 1], dtype=np.int32)])
def test_folds_are_read_back(form, row_ids, folds):
    data = MultilabelDataset.from_labels([[1], [0], [1], [0]], row_ids=row_ids)
    again = read_back(data, split_file(folds, data, form))
    assert again.folds.tolist() == folds.tolist()
    assert again.kind == "folds"
    assert not again.faults


@pytest.mark.parametrize("form", ["json", "huggingface"])
def test_parts_are_read_back_by_name(form):
    data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    name, content = split_file(PARTS, data, form, kind="parts")
    assert (name, json.loads(content)) == ("parts.json", {"train": [0, 3], "validation": [1], "test": [2]})
    again = read_back(data, (name, content))
    assert (again.folds.tolist(), again.kind, again.part_names) == (
        [0, 1, 2, 0],
        "parts",
        ("train", "validation", "test"),
    )


def test_the_same_split_in_all_forms_of_lists():
    data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    lists = [{"train": [1, 2, 3], "test": [0]}, {"train": [0, 2], "test": [1, 3]}]
    assert json.loads(split_file(FOLDS, data, "json")[1]) == {"folds": lists}
    assert json.loads(split_file(FOLDS, data, "huggingface")[1]) == {"fold_0": lists[0], "fold_1": lists[1]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, 'id,text,A,B,fold\na,"x, y",1,0,0\nb,"two\nlines",0,1,1\nc,,1,1,-1\nd,q,1,0,1\n'),
        ("\ufeffA;B\r\n1;0\r\n\r\n0;1\r\n1;1\r\n1;0", "\ufeffA;B;fold\r\n1;0;0\r\n\r\n0;1;1\r\n1;1;-1\r\n1;0;1"),
        ("fold\tA\n9\t1\n9\t0\n8\t1\n8\t1\n", "fold\tA\tfold_2\n9\t1\t0\n9\t0\t1\n8\t1\t-1\n8\t1\t1\n"),
    ],
)
def test_a_column_more_and_all_else_as_it_was(tmp_path, text, expected):
    path, data = loaded(tmp_path, "x.csv", text)
    name, content = split_file(FOLDS, data, "column", source=path)
    assert name == "x-fold.csv"
    assert content.decode() == expected
    column = "fold_2" if "fold_2" in expected else None
    assert read_back(data, (name, content), column=column).folds.tolist() == FOLDS.tolist()


def test_a_column_of_parts_has_their_names_and_keeps_the_packing(tmp_path):
    path, data = loaded(tmp_path, "x.csv.gz", gzip.compress(TABLE.encode("latin-1")))
    name, content = split_file(PARTS, data, "column", source=path, kind="parts")
    assert name == "x-split.csv.gz"
    assert gzip.decompress(content).decode().splitlines()[0] == "id,text,A,B,split"
    again = read_back(data, (name, content))
    assert (again.folds.tolist(), again.kind) == ([0, 1, 2, 0], "parts")
    save_split(PARTS, tmp_path / "y.csv", data, form="column", source=path, kind="parts")
    assert (tmp_path / "y.csv").read_bytes() == gzip.decompress(content)


def test_a_column_in_json_lines(tmp_path):
    text = (
        '{"id": "a", "labels": ["x"]}\n{"id": "b", "labels": []}\r\n'
        '{"id":"c","labels":["y"] }\n{"id": "d", "labels": ["x"]}'
    )
    path, data = loaded(tmp_path, "x.jsonl", text)
    made = split_file(FOLDS, data, "column", source=path)
    assert made[1].decode() == (
        '{"id": "a", "labels": ["x"], "fold": 0}\n{"id": "b", "labels": [], "fold": 1}\r\n'
        '{"id":"c","labels":["y"], "fold": -1}\n{"id": "d", "labels": ["x"], "fold": 1}'
    )
    again = read_back(data, made)
    assert again.folds.tolist() == FOLDS.tolist()
    changed = again.write_back([1, 1, -1, 0])[1].decode().splitlines()
    assert changed[1:3] == made[1].decode().splitlines()[1:3]  # these rows did not move
    assert [json.loads(line)["fold"] for line in changed] == [1, 1, -1, 0]


def test_a_column_in_parquet(tmp_path):
    import pyarrow.parquet as pq

    data = MultilabelDataset.from_labels([["x"], [], ["y"], ["x"]], row_ids=list("abcd"))
    save(data, tmp_path / "x.parquet")
    data = optisplit.load(tmp_path / "x.parquet")
    made = split_file(FOLDS, data, "column", source=tmp_path / "x.parquet")
    table = pq.read_table(io.BytesIO(made[1]))
    assert table.column_names == ["row_id", "labels", "fold"]
    again = read_back(data, made)
    assert again.folds.tolist() == table.column("fold").to_pylist() == FOLDS.tolist()
    assert read_back(data, again.write_back([1, 1, -1, 0])).folds.tolist() == [1, 1, -1, 0]


def test_a_column_in_a_table_with_several_lines_a_row(tmp_path):
    path, data = loaded(tmp_path, "x.csv", "gene,term\ng1,a\ng1,b\ng2,a\ng3,b\ng4,a\n", layout="long",
                        label_columns=["gene", "term"])  # fmt: skip
    content = split_file(FOLDS, data, "column", source=path)[1].decode()
    assert content == "gene,term,fold\ng1,a,0\ng1,b,0\ng2,a,1\ng3,b,-1\ng4,a,1\n"


def unzipped(made):
    with zipfile.ZipFile(io.BytesIO(made[1])) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


ARFF = b"@relation 'm: -C 2 -split-number 2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute f numeric\n@data\n"
ARFF_ROWS = [b"1,0,1.50\n", b"0,1,2\n", b"% of c\n{0 1,1 1}\n", b"1,0,3"]
CASES = {
    "x.csv": (b"id,text,A,B\n", [b'a,"x, y",1,0\n', b'b,"two\nlines",0,1\n', b"c,,1,1\n", b"d,q,1,0\n"]),
    "x.svm": (b"", [b"0,1 1:2.50\n", b" 1:3 # c\n", b"1 2:1\r\n", b"0 1:1\n"]),
    "x.jsonl": (b"", [b'{"labels": ["x"]}\n', b'{"labels": []}\n', b'{"labels": ["y"]}\n', b'{"labels": ["x"]}\n']),
}


@pytest.mark.parametrize("name", CASES)
def test_files_hold_rows_byte_for_byte(tmp_path, name):
    head, rows = CASES[name]
    path, data = loaded(tmp_path, name, head + b"".join(rows))
    files = unzipped(split_file(FOLDS, data, "files", source=path))
    stem, ending = name.split(".")
    assert files[f"{stem}-fold-0.{ending}"] == head + rows[0]
    assert files[f"{stem}-fold-1.{ending}"] == head + rows[1] + rows[3]
    assert files[f"{stem}-always-train.{ending}"] == head + rows[2]
    assert b"x-fold-1: 2 rows" in files["README.txt"]
    assert len(files) == 5


def test_files_of_arff_state_no_old_split(tmp_path):
    path, data = loaded(tmp_path, "m.arff", ARFF + b"".join(ARFF_ROWS))
    made = split_file(FOLDS, data, "files", source=path, pairs=True)
    files = unzipped(made)
    head = ARFF.replace(b" -split-number 2", b"")
    assert files["m-fold-1-train.arff"] == head + ARFF_ROWS[0] + ARFF_ROWS[2]
    assert files["m-fold-1-test.arff"] == head + ARFF_ROWS[1] + ARFF_ROWS[3]
    assert files["m-fold-0-train.arff"] == head + ARFF_ROWS[1] + ARFF_ROWS[2] + ARFF_ROWS[3]
    assert b"split stated in the relation name" in files["README.txt"]
    assert read_back(data, made).folds.tolist() == FOLDS.tolist()


@pytest.mark.parametrize(
    ("name", "format", "head", "rows", "head_of_two"),
    [
        ("x_data.txt", "xmc", b"4 3 2\n", [b"0 0:1\n", b" 1:2\n", b"0,1 2:1\n", b"1 0:1\n"], b"2 3 2\n"),
        ("trn_X_Y.txt", "xmc-labels", b"4 2\n", [b"0:1\n", b"\n", b"0:1 1:1\n", b"1:1\n"], b"2 2\n"),
    ],
)
def test_files_of_xmc_state_their_own_rows(tmp_path, name, format, head, rows, head_of_two):
    path, data = loaded(tmp_path, name, head + b"".join(rows), format=format)
    files = unzipped(split_file(FOLDS, data, "files", source=path))
    part = name.replace(".txt", "-fold-1.txt")
    assert files[part] == head_of_two + rows[1] + rows[3]
    (tmp_path / part).write_bytes(files[part])
    assert optisplit.load(tmp_path / part, format=format).labels.toarray().tolist() == [[0, 0], [0, 1]]


def test_files_are_packed_as_the_data_and_have_their_names_beside(tmp_path):
    save(awkward_data(), tmp_path / "x.arff.gz", format="mulan")
    data = optisplit.load(tmp_path / "x.arff.gz")
    parts = np.arange(12, dtype=np.int32) % 3
    files = unzipped(split_file(parts, data, "files", source=tmp_path / "x.arff.gz", kind="parts"))
    wanted = {f"x-{part}.{ending}" for part in ("train", "validation", "test") for ending in ("arff.gz", "xml")}
    assert set(files) == wanted | {"folds.csv", "README.txt"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    for part, each in enumerate(("train", "validation", "test")):
        again = optisplit.load(tmp_path / f"x-{each}.arff.gz")
        assert again.label_names == data.label_names
        assert (again.labels != data.labels[parts == part]).nnz == 0
    joined, split = read_train_test(tmp_path / "x-train.arff.gz", tmp_path / "x-test.arff.gz")
    assert (joined.n_rows, split.sizes.tolist()) == (8, [4, 4])


@pytest.mark.parametrize("format", ["npz", "parquet"])
def test_binary_files_of_parts_hold_the_same_labels(tmp_path, format):
    save(awkward_data(row_ids=[f"r{i}" for i in range(12)]), tmp_path / f"x.{format}")
    data = optisplit.load(tmp_path / f"x.{format}")
    folds = np.arange(12, dtype=np.int32) % 2
    made = split_file(folds, data, "files", source=tmp_path / f"x.{format}")
    for name, content in unzipped(made).items():
        (tmp_path / name).write_bytes(content)
    again = optisplit.load(tmp_path / f"x-fold-1.{format}")
    assert again.row_ids == tuple(f"r{i}" for i in range(1, 12, 2))
    found = rows_by_label(again)
    columns = rows_by_label(data)
    assert {name: found[name] for name in found if found[name]} == {
        name: kept for name, rows in columns.items() if (kept := [row // 2 for row in rows if row % 2])
    }
    assert read_back(data, made).folds.tolist() == folds.tolist()


MISSING = "A,B\n1,0\n,1\n0,1\n1,?\n1,1\n0,0\n"  # rows 1 and 3 of the file are left out


@pytest.mark.parametrize("form", [form for form in FORMS if form != "predefined"])
def test_rows_that_were_left_out(tmp_path, form):
    path, data = loaded(tmp_path, "x.csv", MISSING, missing="drop-rows")
    assert data.row_ids == ("0", "2", "4", "5")
    made = split_file(FOLDS, data, form, source=path)
    assert read_back(data, made).folds.tolist() == FOLDS.tolist()
    if form == "huggingface":  # numbers are of the file
        assert json.loads(made[1])["fold_1"] == {"train": [0, 4], "test": [2, 5]}
    if form == "column":
        assert made[1].decode() == "A,B,fold\n1,0,0\n,1,\n0,1,1\n1,?,\n1,1,-1\n0,0,1\n"
    if form == "files":
        assert unzipped(made)["x-fold-1.csv"] == b"A,B\n0,1\n0,0\n"
        assert b"2 rows were left out" in unzipped(made)["README.txt"]


def test_lists_of_file_rows_are_read_back_where_rows_have_ids(tmp_path):
    path, data = loaded(tmp_path, "x.csv", "id,A,B\n7,1,0\n8,,1\n9,0,1\n1,1,1\n2,0,0\n", missing="drop-rows")
    assert data.row_ids == ("7", "9", "1", "2")
    again = read_back(data, split_file(FOLDS, data, "huggingface", source=path))
    assert again.folds.tolist() == FOLDS.tolist()
    assert again.write_back(FOLDS)[1] == split_file(FOLDS, data, "huggingface")[1]


def test_python_for_scikit_learn_stands_alone(tmp_path):
    data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    made: dict[str, object] = {}
    exec(split_file(FOLDS, data, "predefined")[1], made)
    pairs = [(train.tolist(), test.tolist()) for train, test in made["cv"].split()]
    assert pairs == [([1, 2, 3], [0]), ([0, 2], [1, 3])]
    exec(split_file(PARTS, data, "predefined", kind="parts")[1], made)
    assert [each.tolist() for each in (made["train"], made["validation"], made["test"])] == [[0, 3], [1], [2]]
    assert [[rows.tolist() for rows in pair] for pair in made["cv"]] == [[[0, 3], [1]]]
    exec(split_file([0, 1, 1, 0], data, "predefined", kind="parts")[1], made)
    assert [[rows.tolist() for rows in pair] for pair in made["cv"].split()] == [[[0, 3], [1, 2]]]
    assert b"optisplit." not in split_file(FOLDS, data, "predefined")[1]
    _, data = loaded(tmp_path, "x.csv", MISSING, missing="drop-rows")
    exec(split_file(FOLDS, data, "predefined")[1], made)
    assert made["kept_rows"].tolist() == [0, 2, 4, 5]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.json", "json"), ("a.npz", "npz"), ("a.zip", "files"), ("a.py", "predefined"), ("a.csv", "csv"),
     ("a.json.gz", "json"), ("a", "csv")],
)  # fmt: skip
def test_endings_stand_for_forms(name, expected):
    assert form_of(name) == expected


def test_targets_of_splits(tmp_path):
    data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    save_split(FOLDS, tmp_path / "f.json.gz", data)
    assert gzip.decompress((tmp_path / "f.json.gz").read_bytes()) == split_file(FOLDS, data, "json")[1]
    file = io.BytesIO()
    save_split(FOLDS, file, data)
    assert file.getvalue() == b"row,fold\n0,0\n1,1\n2,-1\n3,1\n"
    assert part_names(4) == ("train", "part_1", "part_2", "part_3")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"form": "column"}, OptionError, "is made from the data's own file; give it as source"),
        ({"form": "xlsx"}, OptionError, "Unknown form of a split 'xlsx'"),
        ({"form": "csv", "kind": "fold"}, OptionError, "Unknown kind of split 'fold'"),
    ],
)
def test_what_no_split_can_be_written_as(options, error, message):
    data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    with pytest.raises(error) as caught:
        split_file(FOLDS, data, **options)
    assert message in str(caught.value)


def test_another_file_than_that_of_the_data_is_refused(tmp_path):
    path, data = loaded(tmp_path, "x.csv", TABLE)
    path.write_text("A,B\n1,0\n")
    for form in ("column", "files"):
        with pytest.raises(FormatError, match="4 rows that the data were read from"):
            split_file(FOLDS, data, form, source=path)
    svm, data = loaded(tmp_path, "x.svm", b"0 1:1\n1 1:1\n0 1:1\n0 1:1\n")
    with pytest.raises(FormatError, match="no place for a column of folds"):
        split_file(FOLDS, data, "column", source=svm)
    given_in_memory = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    with pytest.raises(OptionError, match="did not come from a file"):
        split_file(FOLDS, given_in_memory, "column", source=path)


def zip_of(content, name="folds.csv"):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, content, zipfile.ZIP_DEFLATED if len(content) > 1000 else zipfile.ZIP_STORED)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zip_of(b"row,fold\n0,1\n1,0\n2,0\n3,1\n")[:-60], "zip"),
        (
            zip_of(b"row,fold\n0,1\n1,0\n2,0\n3,1\n").replace(b"row,fold", b"row,f\xff\xffd"),
            "is a damaged zip: Bad CRC-32",
        ),
        (zip_of(b"a" * 60_000_000), "would unpack to more than 200 times its size"),
        (b'{"fold": 0}\n{"fold": 1}\n{"fold": \n{"fold": 1}\n', "line 3, is no JSON object"),
        (b'{"fold": 0}\n{"fold": 1}\n{"fold": 1}\n[]\n', "line 4, is no JSON object"),
        (b"PAR1 and nothing else PAR1", "damaged or no Parquet file"),
    ],
    ids=["cut zip", "odd zip", "bomb", "cut line", "list", "parquet"],
)
def test_damaged_files_are_refused(content, message):
    data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    with pytest.raises(FormatError, match=message):
        optisplit.read_split(io.BytesIO(content), data, name="x")


def test_small_parquet_files_of_many_rows_are_refused_unread():
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(pa.table({"fold": pa.array(np.zeros(3_000_000, dtype=np.int8))}), buffer)
    with pytest.raises(FormatError, match="says that it has 3,000,000 rows, far more than the data"):
        optisplit.read_split(io.BytesIO(buffer.getvalue()), MultilabelDataset.from_labels([[1], [0]]), name="x.parquet")


def test_columns_of_objects_are_listed():
    text = b'{"id": "a", "note": "x", "fold": 0}\n{"id": "b", "note": "y", "fold": 1}\n'
    data = MultilabelDataset.from_labels([[1], [0]], row_ids=["a", "b"])
    assert split_columns(io.BytesIO(text), data, name="x.jsonl")[0].name == "fold"
    again = optisplit.read_split(io.BytesIO(text), data, name="x.jsonl")
    assert again.write_back([1, 0])[1] == text.replace(b'"fold": 0', b'"fold": 9').replace(b"1}", b"0}").replace(
        b"9", b"1"
    )


def test_hugging_face_indices_of_file_rows_can_be_read_by_number(tmp_path):
    _, data = loaded(tmp_path, "x.csv", MISSING, missing="drop-rows")
    content = b'{"train": [0, 2], "test": [4, 5]}'
    assert optisplit.read_split(io.BytesIO(content), data, name="x.json").folds.tolist() == [0, 0, 1, 1]
    # said to be numbers of the data's rows, they are taken so
    said = optisplit.read_split(io.BytesIO(b'{"train": [0, 2], "test": [1, 3]}'), data, name="x.json", rows="from 0")
    assert said.folds.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("ending", "train", "test", "expected"),
    [
        ("svm", b"0 1:1\n1 2:1\n", b"0,1 1:3\n1 9:1\n",
         {"x-train-repaired.svm": b"1 2:1\n0,1 1:3\n", "x-test-repaired.svm": b"1 9:1\n0 1:1\n"}),
        ("txt", b"2 3 2\n0 1:1\n1 2:1\n", b"2 3 2\n0,1 1:3\n1 0:1\n",
         {"x-train-repaired.txt": b"2 3 2\n1 2:1\n0,1 1:3\n", "x-test-repaired.txt": b"2 3 2\n1 0:1\n0 1:1\n"}),
    ],
)  # fmt: skip
def test_training_and_test_lines_change_places(tmp_path, ending, train, test, expected):
    (tmp_path / f"x-train.{ending}").write_bytes(train)
    (tmp_path / f"x-test.{ending}").write_bytes(test)
    _, split = read_train_test(tmp_path / f"x-train.{ending}", tmp_path / f"x-test.{ending}")
    assert unzipped(split.write_back([1, 0, 0, 1])) == expected


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        ([str(number) for number in range(1, 4)], [1, 3, 2, -1]),
        (["fold 0", "fold 1", "fold 2"], [0, 2, 1, -1]),
        (["a", "b", "c"], [0, 2, 1, -1]),  # an array of folds holds numbers alone
    ],
)
def test_numbers_that_folds_are_called_by_stand_in_an_archive(names, numbers):
    data = MultilabelDataset.from_labels(np.eye(4, dtype=np.int8))
    _, content = split_file(np.array([0, 2, 1, -1]), data, "npz", fold_names=names)
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        assert archive["test_fold"].tolist() == numbers
        assert archive["test_fold"].dtype == np.int32


@pytest.mark.parametrize("form", ["csv", "npz", "json"])
def test_rows_without_an_id_are_read_back(form):
    data = MultilabelDataset.from_labels([[1, 0], [0, 1], [1, 1], [0, 0]], row_ids=["", "val", "test", "train"])
    file = io.BytesIO()
    save_split([0, 1, 1, 0], file, data, form=form)
    split = optisplit.read_split(io.BytesIO(file.getvalue()), data)
    assert split.folds.tolist() == [0, 1, 1, 0]
    assert not split.faults


def test_parts_of_a_table_with_texts_that_arrow_cannot_take():
    file, out = io.BytesIO(), io.BytesIO()
    texts = pa.array(["p", None, "r", "s"], pa.string_view())
    pq.write_table(pa.table({"a": [1, 0, 1, 0], "b": [0, 1, 1, 0], "text": texts}), file)
    data = optisplit.load(io.BytesIO(file.getvalue()), label_columns=["a", "b"], name="x.parquet")
    save_split([1, 0, 1, 0], out, data, form="files", source=io.BytesIO(file.getvalue()))
    with zipfile.ZipFile(out) as archive:
        names = [name for name in archive.namelist() if "fold-" in name]
        parts = [pq.read_table(io.BytesIO(archive.read(name))).column("text") for name in names]
    assert [part.to_pylist() for part in parts] == [[None, "s"], ["p", "r"]]
    assert {part.type for part in parts} == {pa.string_view()}


@pytest.mark.parametrize("layout", ["long", "tags"])
def test_labels_that_are_called_like_their_column_are_read_back(layout):
    data = MultilabelDataset.from_labels([["a"], ["label"], ["labels"], ["a"]], row_ids=["w", "x", "y", "z"])
    file = io.BytesIO()
    saved = save(data, file, format="csv", layout=layout)
    again = optisplit.load(io.BytesIO(file.getvalue()), name="x.csv", **saved.options)
    assert rows_by_label(again) == rows_by_label(data)
    assert again.row_ids == data.row_ids
