"""Names that a spreadsheet would take for formulas: how they are written, and that they are read back equal."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optisplit
from optisplit.cells import HAS_GUARDS, csv_text, guarded, quoted, table_csv, unguarded
from optisplit.io.rows import read_groups
from optisplit.io.scan import scanned
from optisplit.io.splits import read_split
from optisplit.io.tables.dialect import Dialect
from optisplit.io.writers.labels import save
from optisplit.io.writers.splits import split_file
from optisplit.labels import MultilabelDataset

FORMULAS = ["=1+1", "+a", "-ism", "@home", "'=x", "''@x", "=a'", "'=a'", "''=a'", '=HYPERLINK("http://a.b";"c")']
PLAIN = ["-5", "+1.5", "-1,5e3", "-.5", "5 %", "a=b", "'tis", "it's", "'", "''", "a-b", "-inf"]
MARKED = st.text(st.sampled_from("'=+-@1a \t\r"), max_size=6)


@pytest.mark.parametrize("name", [*FORMULAS, "-1 row", "=", "\t=x", "\rx", "+49 30 1"])
def test_what_would_be_computed_is_a_text(name):
    written = quoted(name).strip('"')
    assert written[0] == "'"
    assert unguarded(guarded(name)) == name


@pytest.mark.parametrize("name", PLAIN)
def test_numbers_and_other_texts_stay(name):
    assert guarded(name) == name == unguarded(name)


@given(MARKED)
def test_marks_are_undone_exactly(text):
    written = guarded(text)
    assert unguarded(written) == text
    assert not written[:1] or written[0] not in "=@\t\r" or text != written


@given(MARKED, MARKED)
def test_no_two_texts_are_written_alike(text, other):
    assert (guarded(text) == guarded(other)) == (text == other)


@pytest.mark.parametrize("layout", ["one-hot", "tags", "long"])
@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_labels_and_ids_are_read_back(format, layout):
    ids = [f"{name}{at}" for at, name in enumerate(FORMULAS)]
    labels = np.eye(len(FORMULAS), dtype=int)
    labels[:, 0] = 1
    data = MultilabelDataset.from_labels(labels, FORMULAS, row_ids=ids)
    file = io.BytesIO()
    told = save(data, file, format=format, layout=layout)
    assert any(note.startswith("19 names begin as a formula does") for note in told.notes)
    assert not any(cell[:1] in "=+@-" for line in file.getvalue().decode().splitlines() for cell in line.split("\t"))
    read = optisplit.load(io.BytesIO(file.getvalue()), **told.options)
    assert list(read.row_ids) == ids
    for name in FORMULAS:
        own = read.labels.toarray()[:, read.label_names.index(name)]
        assert own.tolist() == labels[:, FORMULAS.index(name)].tolist()


def test_folds_by_such_names_are_read_back():
    data = MultilabelDataset.from_labels(np.eye(10, dtype=int), row_ids=FORMULAS)
    folds = np.arange(10, dtype=np.int32) % 2
    name, content = split_file(folds, data, "csv", fold_names=["=a", "@b"])
    split = read_split(io.BytesIO(content), data, name=name)
    assert split.folds.tolist() == folds.tolist()
    assert list(split.part_names) == ["=a", "@b"]
    assert b"\n=" not in content
    assert b",=" not in content
    assert b",@" not in content


def test_a_frame_is_written_as_pandas_does_but_for_formulas():
    frame = pd.DataFrame({"label": ["a", "=b", None, ""], "n": [1, 2, 3, 4], "x": [0.5, np.nan, 1e-5, -2.0]})
    assert table_csv(frame) == frame.replace("=b", "'=b").to_csv(index=False)
    assert table_csv(pd.DataFrame({"=x": ["p;=q"]})) == '"\'=x"\n"p;=q"\n'


@pytest.mark.parametrize("kind", ["object", "str", "string", "category"])
def test_texts_of_any_type_are_guarded(kind):
    frame = pd.DataFrame({"x": pd.Series(["=1+1", "a;b", None, "'=x"], dtype=kind)})
    assert table_csv(frame) == '"x"\n"\'=1+1"\n"a;b"\n""\n"\'\'=x"\n'


def test_what_is_no_text_is_written_as_pandas_does():
    frame = pd.DataFrame({"b": [True, False], "n": pd.array([-1, None], dtype="Int64"),
                          "d": pd.to_datetime(["2020-01-01", "2020-01-02"])})  # fmt: skip
    frame = frame.assign(**{f"{name}_category": frame[name].astype("category") for name in ("n", "d")})
    assert table_csv(frame) == frame.to_csv(index=False)


@pytest.mark.parametrize("kind", ["object", "string", "category"])
def test_a_frame_keeps_marks_that_it_has(kind):
    data = MultilabelDataset.from_labels([[1], [0], [1]], row_ids=["'=x", "=x", "y"])
    groups = pd.DataFrame({"row_id": ["'=x", "=x", "y"], "group": ["p", "q", "r"]}).astype({"row_id": kind})
    assert list(read_groups(groups, data, "group").values) == ["p", "q", "r"]


def test_cells_are_quoted_where_they_need_it():
    assert csv_text(["a", "b"], [("x,y", 1), ("", -2), ("#c", 'd"e')]) == 'a,b\n"x,y",1\n,-2\n"#c","d""e"\n'


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " ", ":", "/", "(", ".", "-", "_", "^", "'", "x", "7"])
def test_cells_are_read_back_whatever_parts_them(delimiter):
    cells = ["x", "New York", "a:b", "and/or", "v1.5-(b)", "_7", "p^q", "=x", "'=x", "", "-5"]
    dialect = Dialect(delimiter)
    assert list(dialect.guarded_if(True).reader([dialect.line(cells)])) == [cells]
    assert dialect.guarded_if(bool(HAS_GUARDS.search(dialect.line(cells).encode()))).has_guards
    assert dialect.line(cells) == csv_text(cells, (), delimiter).rstrip("\n")


@pytest.mark.parametrize("n_bytes", [1, 2, 3, 100])
@pytest.mark.parametrize("text", ["a,'=b", "'-x", "\"''@x\"", "é'=b", "a '=b"])
def test_marks_are_found_where_cells_begin(text, n_bytes):
    content = text.encode()
    assert scanned(content[at : at + n_bytes] for at in range(0, len(content), n_bytes))[1]


@pytest.mark.parametrize("text", ["rock 'n'- roll,a", "it's,'tis-a", "b'-c", "1'-2"])
def test_apostrophes_within_words_are_no_marks(text):
    assert not scanned([text.encode()])[1]
