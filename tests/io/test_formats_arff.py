from __future__ import annotations

import gzip
import io
from pathlib import Path

import arff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optisplit.errors import FormatError, MissingLabelsError, OptionError, OptisplitError
from optisplit.io.formats.reading import load_file

SAMPLE_FOLDER = Path(__file__).parents[2] / "sample_data"


def load(text: str | bytes, labels: str | list[str] | int | None = 2, **options):
    """Load ARFF text; `labels` is XML, or what load_file takes as label_columns."""
    data = text.encode() if isinstance(text, str) else text
    if isinstance(labels, str):
        options["label_file"] = io.BytesIO(labels.encode())
    else:
        options["label_columns"] = labels
    return load_file(io.BytesIO(data), name="x.arff", **options)


def xml(*names: str) -> str:
    inner = "".join(f'<label name="{name}"></label>' for name in names)
    return f'<?xml version="1.0"?><labels xmlns="http://mulan.sourceforge.net/labels">{inner}</labels>'


DENSE = """% a comment
@RELATION books

@Attribute pages numeric
@attribute 'sci fi' {0,1}
@attribute crime { 0, 1 }
@DATA
310,1,0

% between
95,0,1
7,1,1
"""
SPARSE = """@relation r
@attribute a numeric
@attribute b {0,1}
@attribute c {0,1}
@data
{0 3.5, 2 1}
{}
{1 1,2 1}
"""


def dense(data) -> list[list[int]]:
    return data.labels.toarray().tolist()


def test_dense_rows_and_mulan_xml():
    data = load(DENSE, xml("crime", "sci fi"))
    assert data.label_names == ("sci fi", "crime")
    assert dense(data) == [[1, 0], [0, 1], [1, 1]]
    assert data.name == "x"
    assert "2 of 3 columns" in data.notes[0]


def test_sparse_rows():
    data = load(SPARSE)
    assert dense(data) == [[0, 1], [0, 0], [1, 1]]
    assert "1 of 3 rows have no label at all." in data.notes


def test_labels_anywhere_in_the_file():
    text = "@relation r\n@attribute z {0,1}\n@attribute n numeric\n@attribute a {0,1}\n@data\n1,5,0\n{2 1}\n"
    data = load(text, xml("a", "z"))
    assert data.label_names == ("z", "a")
    assert dense(data) == [[1, 0], [0, 1]]


def test_omitted_label_is_the_first_declared_value():
    data = load(SPARSE.replace("b {0,1}", "b {1,0}").replace("{1 1,2 1}", "{1 0,2 1}"))
    assert dense(data) == [[1, 1], [1, 0], [0, 1]]


def test_omitted_label_that_would_be_no_zero_or_one():
    with pytest.raises(FormatError, match="label 'b' takes the values 'A', 'B', so it is a class with several values"):
        load(SPARSE.replace("b {0,1}", "b {A,B}"))


@pytest.mark.parametrize(
    ("declared", "no", "yes"),
    [
        ("{FALSE,TRUE}", "FALSE", "TRUE"),
        ("{no, yes}", "no", "yes"),
        ("{f,t}", "f", "t"),
        ("{N,Y}", "N", "Y"),
        ("numeric", "0", "1.0"),
        ("{'0','1'}", "'0'", "'1'"),
        ('{"0","1"}', '"0"', ' "1" '),
        ("{0,1}", "0.0", "1e0"),
    ],
)
def test_ways_to_write_zero_and_one(declared, no, yes):
    head = f"@relation r\n@attribute a {declared}\n@attribute b {declared}\n@data\n"
    text = f"{head}{no},{yes}\n{yes},{no}\n{{0 {yes}}}\n"
    assert dense(load(text)) == [[0, 1], [1, 0], [1, 0]]


def test_quotes_escapes_and_digits_in_names():
    text = (
        "@relation 'a: b'\n@attribute 'it\\'s, {odd}' {0,1}\n@attribute \"x % y\" {0,1}\n"
        "@attribute 007 {0,1}\n@attribute TAG_m\\'usica {0,1}\n@attribute glued{0, 1}\n@attribute s string\n"
        "@data\n1,0,0,1,0,'a, \\'b\\', c'\n{1 1, 5 'x, 0 1', 2 1}\n"
    )
    data = load(text, xml("it&apos;s, {odd}", "x % y", "007", "TAG_m\\'usica", "glued"))
    assert data.label_names == ("it's, {odd}", "x % y", "007", "TAG_m\\'usica", "glued")
    assert dense(data) == [[1, 0, 0, 1, 0], [0, 1, 1, 0, 0]]


def test_xml_names_that_differ_by_escaping_only():
    text = "@relation r\n@attribute 'R&amp;B' {0,1}\n@attribute 'a  b' {0,1}\n@data\n1,0\n"
    data = load(text, xml("R&amp;B", "&apos;a b&apos;"))
    assert data.label_names == ("R&amp;B", "a b")


def test_xml_names_missing_in_the_arff():
    with pytest.raises(FormatError, match=r"1 of the 2 labels named in .* 'Crimes'\.\nHint: 'Crimes' may be 'crime'"):
        load(DENSE, xml("Crimes", "sci fi"))
    with pytest.raises(FormatError, match=r"3 of the 3 labels .*\n.*another data set"):
        load(DENSE, xml("qq", "ww", "vv"))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("<html></html>", "its root is <html>"),
        ("<labels></labels>", "names no labels"),
        ("<labels><label/></labels>", "has a <label> without a name"),
        ("<labels>", "no readable XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><labels><label name="&b;"/></labels>', "no readable XML"),
        ('<?xml version="1.0" encoding="utf-99"?><labels/>', "no readable XML"),
        ('<?xml version="1.0" encoding="shift_jis"?><labels/>', "no readable XML"),
    ],
)
def test_bad_xml(text, match):
    with pytest.raises(FormatError, match=match):
        load(DENSE, text)


def test_nested_xml_labels_count():
    nested = '<labels><label name="sci fi"><label name="crime"/></label></labels>'
    assert load(DENSE, nested).n_labels == 2


@pytest.mark.parametrize(("count", "first"), [("-C 2", "b"), ("-C -2", "c"), ("-c 2 -split-number 3", "b")])
def test_meka_relation_name(count, first):
    columns = "".join(f"@attribute {name} {{0,1}}\n" for name in "bcd")
    text = f"@relation 'Films: {count}'\n{columns}@data\n1,0,1\n"
    data = load(text, None)
    assert data.label_names[0] == first
    assert data.n_labels == 2
    assert "label_columns=" in data.notes[1]  # the other end is 0/1 too


def test_meka_unquoted_and_too_many():
    text = "@relation Enron: -C {}\n@attribute b {{0,1}}\n@attribute n numeric\n@data\n1,9\n"
    assert load(text.format(1), None).label_names == ("b",)
    with pytest.raises(FormatError, match="says -C 9, but there are 2 columns"):
        load(text.format(9), None)


def test_nothing_tells_the_labels():
    with pytest.raises(FormatError, match=r"which of its 3 columns are labels. Add MULAN's XML \(label_file\)"):
        load(DENSE, None)


def test_label_columns():
    assert load(DENSE, 1).label_names == ("crime",)
    assert load(SPARSE.replace("numeric", "{0,1}").replace("3.5", "1"), -2).label_names == ("a", "b")
    assert load(DENSE, ["crime", "sci fi"]).label_names == ("crime", "sci fi")
    assert dense(load(SPARSE, ["c", "b"])) == [[1, 0], [0, 0], [1, 1]]
    for wrong in (0, 4, -4):
        with pytest.raises(OptionError, match="does not fit 3 column"):
            load(DENSE, wrong)
    with pytest.raises(OptionError, match=r"not in the file: 'crim'\.\nHint: did you mean 'crime'"):
        load(DENSE, ["crim"])
    with pytest.raises(OptionError, match="each only once"):
        load(DENSE, ["crime", "crime"])
    with pytest.raises(OptionError, match="not both"):
        load_file(io.BytesIO(DENSE.encode()), label_columns=1, label_file=io.BytesIO(b"x"))


def test_missing_labels():
    with pytest.raises(FormatError, match=r"label 'sci fi' is missing in 2 rows, first in line 8"):
        load(DENSE.replace("310,1", "310,?").replace("95,0", "95, ? "))


def test_a_quoted_question_mark_is_a_value():
    with pytest.raises(FormatError, match=r"1 other value: '\?' \(once\), first in line 8"):
        load(DENSE.replace("310,1", "310,'?'"))


def test_other_values():
    with pytest.raises(FormatError, match=r"'crime' has 2 other values: '2' \(once\), '3' \(once\), first in line 8"):
        load(DENSE.replace("1,0", "1,2").replace("7,1,1", "7,1,3"))
    with pytest.raises(MissingLabelsError, match=r"uncertain \(-1\) in 1 row, first in line 8.*write 0 for it"):
        load(DENSE.replace("1,0", "1,-1"))
    assert load(DENSE.replace("1,0", "1,-1"), uncertain="zero").digest == load(DENSE).digest


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        (
            "{0 3.5, 2 1}",
            "{0 3.5, 3 1}",
            "Line 6 has a value for column 3, but the 3 columns are numbered from 0 to 2",
        ),
        ("{0 3.5, 2 1}", "{2 1, 2 0}", "Line 6 has two values for the label 'c'"),
        ("{0 3.5, 2 1}", "{2 1", "Line 6 begins with a brace but does not end"),
        ("{0 3.5, 2 1}", "{x 1}", "Line 6: 'x 1' is no sparse entry"),
        ("{}", "1,0", r"Line 7 has 2 values, but there are 3 columns"),
        ("{}", "1,0,0,0", r"Line 7 has 4 values"),
        ("@data", "", "Line 6 is no ARFF"),
        ("@attribute a numeric", "@attribute a blob", "Line 2: the column 'a blob' has no known type"),
        ("@attribute a numeric", "@attribute a", "Line 2: the column 'a' has no known type"),
        ("@attribute a numeric", "@attribute a relational", "Line 2: 'a' is relational"),
        ("@attribute a numeric", "@attribute a {0,1", "no closing brace"),
    ],
)
def test_bad_lines(old, new, match):
    text = SPARSE.replace(old, new, 1)
    with pytest.raises(FormatError, match=match):
        load(text)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "is empty"),
        ("  \n ", "is empty"),
        ("@relation r\n@data\n1\n", "no @attribute lines"),
        ("@relation r\n@attribute a {0,1}\n", "no @data line"),
        ("@relation r\n@attribute a {0,1}\n@data\n% none\n", "no rows after @data"),
    ],
)
def test_empty_files(text, match):
    with pytest.raises(FormatError, match=match):
        load(text, 1)


def test_row_weights_are_left_out():
    data = load(SPARSE.replace("{0 3.5, 2 1}", "{0 3.5, 2 1}, {5}").replace("{}", "4,1,0, {2.5}"))
    assert dense(data) == [[0, 1], [1, 0], [1, 1]]
    assert "Row weights in the file are not used." in data.notes


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_other_line_ends_and_byte_order_mark(newline):
    assert dense(load(b"\xef\xbb\xbf" + DENSE.replace("\n", newline).encode())) == [[1, 0], [0, 1], [1, 1]]


def test_encodings():
    text = DENSE.replace("crime", "polícia")
    assert load(text).label_names[1] == "polícia"
    latin = load(text.encode("latin-1"))
    assert latin.label_names[1] == "polícia"
    assert any("Latin-1" in note for note in latin.notes)
    assert load(text.encode("utf-16")).label_names[1] == "polícia"


def test_hostile_names_are_kept_as_text():
    name = "<script>alert(1)</script> [a](b) **c** $x$"
    data = load(DENSE.replace("'sci fi'", f"'{name}\x07\u202e'"))
    assert data.label_names[0] == name


def test_names_equal_after_cleaning_are_numbered():
    data = load(DENSE.replace("'sci fi'", "'crime\x07'"))
    assert data.label_names == ("crime", "crime (2)")
    assert any("numbered: 'crime'" in note for note in data.notes)


def test_siblings(tmp_path):
    (tmp_path / "books.arff.gz").write_bytes(gzip.compress(DENSE.encode()))
    (tmp_path / "books.xml").write_text(xml("crime"))
    data = load_file(tmp_path / "books.arff.gz")
    assert (data.name, data.label_names) == ("books", ("crime",))
    assert load_file(tmp_path / "books.arff.gz", label_columns=2).n_labels == 2


def test_a_file_object_is_read_from_its_start():
    stream = io.BytesIO(DENSE.encode())
    stream.read()
    assert load_file(stream, label_columns=1).n_rows == 3


@pytest.mark.parametrize("key", ["emotions", "yeast", "enron"])
def test_labels_equal_those_of_liac_arff(key):
    packed = (SAMPLE_FOLDER / f"{key}.arff.gz").read_bytes()
    text = gzip.decompress(packed).decode()
    peer = arff.loads(text, return_type=arff.LOD if key == "enron" else arff.DENSE)
    names = [name for name, _ in peer["attributes"]]
    data = load_file(SAMPLE_FOLDER / f"{key}.arff.gz")
    columns = [names.index(name) for name in data.label_names]
    rows = peer["data"]
    cell = (lambda row, j: row.get(j, "0")) if key == "enron" else (lambda row, j: row[j])
    expected = np.array([[int(cell(row, j)) for j in columns] for row in rows])
    np.testing.assert_array_equal(data.labels.toarray(), expected)


SEEDS = [DENSE.encode(), SPARSE.encode(), xml("a", "b").encode(), gzip.compress(SPARSE.encode())]
SCRAPS = [
    b"'",
    b'"',
    b"{",
    b"}",
    b",",
    b"\\",
    b"\x00",
    b"\xff",
    b"?",
    b"@data",
    b"\n",
    b"9" * 6000,
    b"%",
    b" ",
]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.sampled_from(SEEDS),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), st.sampled_from(SCRAPS)), min_size=1, max_size=4),
    as_xml=st.booleans(),
)
def test_only_our_errors_come_out_of_damaged_files(seed, edits, as_xml):
    data = bytearray(seed)
    for place, n_cut, scrap in edits:
        at = int(place * len(data))
        data[at : at + n_cut] = scrap
    try:
        if as_xml:
            load_file(io.BytesIO(DENSE.encode()), label_file=io.BytesIO(bytes(data)))
        else:
            load_file(io.BytesIO(bytes(data)), label_columns=2, format="arff")
    except OptisplitError as error:
        message = str(error)
    else:
        message = ""
    assert len(message) < 1500
