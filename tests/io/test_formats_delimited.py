from __future__ import annotations

import contextlib
import io
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optisplit.errors import FormatError, MissingLabelsError, OptionError, OptisplitError
from optisplit.io.formats.reading import load_file

TABLE = """id,text,Crime,Drama,SciFi,fold
7,"a, b
and more",1,0,0,0
8,c,0,1,1,1
9,,0,0,1,1
"""


def load(text: str | bytes, **options):
    data = text.encode() if isinstance(text, str) else text
    return load_file(io.BytesIO(data), name="films.csv", **options)


def dense(data) -> list[list[int]]:
    return data.labels.toarray().tolist()


def test_labels_are_proposed_and_the_note_says_why():
    data = load(TABLE)
    assert data.label_names == ("Crime", "Drama", "SciFi")
    assert data.row_ids == ("7", "8", "9")
    assert dense(data) == [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    assert data.name == "films"
    note = data.notes[0]
    assert "3 columns whose every value is 0 or 1 are taken as labels: 'Crime', 'Drama', 'SciFi'" in note
    assert "'id' (names the rows)" in note
    assert "'fold' (its name says that it splits or groups the rows)" in note
    assert "'text' (other values, such as 'a, b and more' in line 3)" in note


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(delimiter):
    text = "x;A;B\n0,5;1;0\n1,5;0;1\n" if delimiter == ";" else "x,A,B\n0.5,1,0\n1.5,0,1\n".replace(",", delimiter)
    assert dense(load(text)) == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('row_id,";"\n";",1\nv,1\nw,0\n', (";",)),  # with semicolons, a quote would be open to the end
        ('a\t";"\n1\t1\n0\t1\n0\t0\n', ("a", ";")),
        ('name,"a;b",c\n"x;y",1,0\n"u;v",0,1\n', ("a;b", "c")),  # as many semicolons in each line as commas
        ('n;"5"" disk";"a,b,c"\nx;1;0\n"24"" tv, new, red, big";0;1\n', ('5" disk', "a,b,c")),
    ],
)
def test_what_stands_in_quotes_parts_no_columns(text, names):
    assert load(text).label_names == names


def test_one_label_and_no_delimiter():
    assert dense(load("A\n1\n0\n")) == [[1], [0]]


@pytest.mark.parametrize(("no", "yes"), [("0.0", "1.0"), ("False", "True"), ("no", "yes"), ("N", "Y"), (" 0", "1 ")])
def test_ways_to_write_zero_and_one(no, yes):
    assert dense(load(f"A,B\n{yes},{no}\n{no},{yes}\n")) == [[1, 0], [0, 1]]


def test_encodings():
    text = "Policía,B\n1,0\n"
    assert load("\ufeff" + text).label_names[0] == "Policía"
    assert load(text.encode("utf-16")).label_names[0] == "Policía"
    latin = load(text.encode("latin-1"))
    assert latin.label_names[0] == "Policía"
    assert any("Latin-1" in note for note in latin.notes)


@pytest.mark.parametrize("name", ["id", "row_id", "index", "Unnamed: 0", "", "ID"])
def test_row_ids(name):
    data = load(f"{name},A\n1,1\n0,0\n")
    assert data.row_ids == ("1", "0")
    assert data.label_names == ("A",)


def test_what_pandas_and_r_write():
    frame = pd.DataFrame({"A": [1, 0], "B": [0, 1]}, index=["r1", "r2"])
    data = load(frame.to_csv())
    assert (data.row_ids, data.label_names) == (("r1", "r2"), ("A", "B"))
    data = load('"A"\t"B"\n"r1"\t1\t0\n"r2"\t0\t1\n')
    assert (data.row_ids, data.label_names, dense(data)) == (("r1", "r2"), ("A", "B"), [[1, 0], [0, 1]])
    data = load(pd.DataFrame([[1, 0, 1], [0, 0, 1]]).to_csv(index=False))
    assert data.label_names == ("0", "1", "2")
    assert any("taken as column names, though they are numbers" in note for note in data.notes)


def test_no_header():
    data = load("1,0,0\n0,1,0\n0,0,1\n")
    assert dense(data) == np.eye(3, dtype=int).tolist()
    assert data.label_names == ("column 1", "column 2", "column 3")
    assert any("The first line holds values" in note for note in data.notes)
    assert load("0.5,1,0\n2.5,1,1\n").label_names == ("column 2", "column 3")


def test_repeated_names_are_numbered():
    data = load("A,A,B\n1,0,0\n0,1,1\n")
    assert data.label_names == ("A", "A (2)", "B")
    assert any("1 column name occurs more than once: 'A'" in note for note in data.notes)


def test_label_columns():
    assert load(TABLE, label_columns=["SciFi", "fold"]).label_names == ("SciFi", "fold")
    assert load("A,B,x\n1,0,5\n", label_columns=-2).label_names == ("A", "B")
    assert load("x,A,B\n7,1,0\n", label_columns=2).label_names == ("A", "B")
    with pytest.raises(OptionError, match=r"'Scifi'\.\nHint: did you mean 'SciFi'"):
        load(TABLE, label_columns=["Scifi"])
    with pytest.raises(OptionError, match="2 columns are called 'A'"):
        load("A,A\n1,0\n", label_columns=["A"])
    with pytest.raises(FormatError, match=r"label 'text' has 2 other values: .*first in line 3"):
        load(TABLE, label_columns=["Crime", "text"])
    with pytest.raises(OptionError, match="label_file does not go with a file read as delimited"):
        load(TABLE, label_file=io.BytesIO(b""))


@pytest.mark.parametrize("mark", ["", "NA", "?", "nan", "NULL"])
def test_missing_cells(mark):
    text = f"A,B\n1,0\n{mark},1\n0,1\n{mark},0\n"
    with pytest.raises(
        FormatError,
        match=r"label 'A' is missing in 2 rows, first in line 3\. .*write 0.*label_columns.*\n.*missing='zero'",
    ):
        load(text)
    assert load(text, label_columns=["B"]).n_labels == 1
    assert dense(load(text, missing="zero")) == [[1, 0], [0, 1], [0, 1], [0, 0]]
    dropped = load(text, missing="drop-rows")
    assert (dense(dropped), dropped.row_ids) == ([[1, 0], [0, 1]], ("0", "2"))
    assert dropped.reading.kept_rows.tolist() == [0, 2]
    assert dropped.reading.n_file_rows == 4
    assert load(text, missing="drop-labels").label_names == ("B",)


def test_minus_one():
    content = "A,B\n1,0\n-1,1\n-1,0\n"
    with pytest.raises(MissingLabelsError, match=r"'A' is uncertain \(-1\) in 2 rows, first in line 3.*write 0"):
        load(content)
    assert load(content, uncertain="zero").labels.toarray().tolist() == [[1, 0], [0, 1], [0, 0]]


def test_nearly_binary_columns():
    lines = ["A,B,n"] + [f"{i % 2},1,{i}" for i in range(200)]
    lines[150] = "2,1,0"
    with pytest.raises(FormatError, match=r"'A' has 1 other value: '2' \(once\), first in line 151"):
        load("\n".join(lines))
    for i in range(10):
        lines[i + 20] = "2,1,0"  # now it is a feature
    data = load("\n".join(lines))
    assert data.label_names == ("B",)
    assert "'A' (other values, such as '2' in line 21)" in data.notes[0]


def test_long_columns_of_other_values():
    body = "".join(f"{i / 7:.3f},{i % 2},{-1 if i % 3 else 1}\n" for i in range(40_000))
    data = load("x,A,s\n" + body.replace(",-1\n", ",5\n"))
    assert data.label_names == ("A",)
    assert data.n_positives == 20_000
    with pytest.raises(FormatError, match=r"'x' has 39,998 other values: .* and many more, first in line 3"):
        load("x,A,s\n" + body, label_columns=["x"])
    with pytest.raises(MissingLabelsError, match=r"'s' is uncertain \(-1\) in 26,666 rows, first in line 3"):
        load("x,A,s\n" + body)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "is empty"),
        ("A,B\n", "a header but no rows"),
        (
            "id,x\n1,5\n2,6\n",
            "no column whose every value is 0 or 1, so there are no labels. Not labels: 'id' .names the rows",
        ),
        ("A,B\n1,0\n1\n", r"line 3 has 1 cell, but there are 2 columns"),
        ("A,B\n1,0\n1,0,1\n", r"line 3 has 3 cells"),
        ('A,B\n1,0\n"1,0\n', "The quote that opens in line 3 is never closed"),
        ('A,B\n1,0\n"1"x,0\n', "cannot be read in line 3: something follows a closing quote"),
        ("<html><body>", "is XML or HTML"),
        ("just some words\nand more of them\n", "no labels"),
        ("A,B\x00\n1,0\n", "binary file of a kind unknown"),
        ("PAR1....", "damaged or no Parquet file"),
    ],
)
def test_bad_files(text, match):
    with pytest.raises(FormatError, match=match):
        load(text)


def test_a_whole_article_in_a_cell():
    assert load("A,t\n1," + "x" * 200_000 + "\n").n_labels == 1


def test_blank_lines_and_a_nameless_empty_last_column():
    data = load("A,B,\n1,0,\n\n0,1,\n", label_columns=["A", "B"])
    assert dense(data) == [[1, 0], [0, 1]]


def test_hostile_names():
    name = "=cmd|'/c calc' <img src=x onerror=alert(1)> [a](b)"
    assert load(f'"{name}\x07",B\n1,0\n').label_names[0] == name


def test_wrong_arguments(tmp_path):
    with pytest.raises(OptionError, match=r"Unknown format 'arf'.*\n.*'arff'"):
        load(TABLE, format="arf")
    with pytest.raises(FormatError, match="There is no file"):
        load_file(tmp_path / "nothing.csv")
    with pytest.raises(FormatError, match="is a folder"):
        load_file(tmp_path)
    with pytest.raises(OptionError, match="open it in binary mode"):
        load_file(io.StringIO("A\n1\n"))
    with pytest.raises(OptionError, match="A path, a file opened in binary mode or a table is needed, not int"):
        load_file(3)
    with pytest.raises(FormatError, match="cut-off gzip"):
        load(b"\x1f\x8b\x08\x00")


def test_large_tables_in_reasonable_time():
    rng = np.random.default_rng(0)
    rows = [",".join(row) for row in rng.choice(["0", "1"], size=(20_000, 100)).tolist()]
    text = ",".join(f"L{j}" for j in range(100)) + "\n" + "\n".join(rows)
    start = time.process_time()
    data = load(text)
    assert time.process_time() - start < 5
    assert data.labels.shape == (20_000, 100)
    assert data.n_positives == sum(row.count("1") for row in rows)


SCRAPS = [
    '"',
    ",",
    "\n",
    "\r",
    "\x00",
    ";",
    "\t",
    "é",
    "-1",
    "2",
    "",
    "@relation",
    "{",
    "PK",
    "\ufeff",
    "\ud800",
]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    edits=st.lists(st.tuples(st.integers(0, 100), st.integers(0, 9), st.sampled_from(SCRAPS)), min_size=1, max_size=5),
    encoding=st.sampled_from(["utf-8", "latin-1", "utf-16"]),
)
def test_only_our_errors_come_out_of_damaged_tables(edits, encoding):
    text = TABLE
    for at, n_cut, scrap in edits:
        text = text[:at] + scrap + text[at + n_cut :]
    with contextlib.suppress(OptisplitError):
        load(text.encode(encoding, "replace"))
