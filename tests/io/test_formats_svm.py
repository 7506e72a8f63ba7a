"""LIBSVM and XMC text: the kernels against slow readings of the same lines, blocks, faults, names and memory."""

from __future__ import annotations

import io
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optisplit import load
from optisplit.errors import Cancelled, FormatError
from optisplit.io import source
from optisplit.io.formats.sniffing import detect
from optisplit.io.sizes import BOUNDS
from optisplit.kernels import label_lines as kernels


def read(text, **options):
    content = text if isinstance(text, bytes) else text.encode()
    return load(io.BytesIO(content), name="x.txt", **options)


def dense(data):
    return data.labels.toarray().tolist()


def counts_and_labels(function, text):
    """Call a kernel on text; give the labels of each line, and the faults and facts."""
    data = np.frombuffer(text, dtype=np.uint8)
    indices = np.full(data.size // 2 + 1, -9, dtype=np.int32)
    counts = np.full(text.count(b"\n") + 1, -9, dtype=np.int32)
    faults, facts = np.zeros(4, dtype=np.int64), np.array([0, 1 << 62, -1], dtype=np.int64)
    n_labels, n_lines = function(data, indices, counts, faults, facts)
    ends = np.cumsum(np.maximum(counts[:n_lines], 0))
    assert n_labels == (ends[-1] if n_lines else 0)
    lines = [part.tolist() for part in np.split(indices[:n_labels], ends[:-1])]
    return counts[:n_lines].tolist(), lines, faults.tolist(), facts.tolist()


labels = st.lists(st.integers(0, 12), max_size=6)
blanks = st.sampled_from(["", " ", "\t", "  "])
LISTS = st.tuples(labels, blanks, st.booleans(), blanks, st.sampled_from(["", " # 7,8 9:1", "\r"]))


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(LISTS, min_size=1, max_size=6))
def test_label_lists_equal_a_slow_reading(rows):
    text, expected = "", []
    for numbers, before, has_features, between, end in rows:
        features = "3:0.5 4:-1e3" if has_features else ""
        line = before + ",".join(map(str, numbers)) + (" " + between + features if features else between)
        text += line + end + "\n"
        is_blank = not line.strip()
        expected.append((-1 if is_blank else len(set(numbers)), sorted(set(numbers))))
    counts, lines, faults, _ = counts_and_labels(kernels.read_label_lists, text.encode())
    assert list(zip(counts, lines, strict=True)) == expected
    assert faults == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("read_label_lists", b"1,3 2:1\n 4:1\n\n3,1,3 9:1 # c\n7\r\n1, 2 qid:4 1:1\n2.0 1:1"),
        ("read_label_lists", b"1 1:1\n1;2 1:1\n-4 1:1\n0.5\n9999999999\n1 2 3\n"),
        ("read_pairs", b"1:1 3:1\n\n4:0 2:1.0 2:1\r\n5:1"),
        ("read_pairs", b"1:1\n1:2\nx\n3\n99999999999:1\n1:0.5\n"),
    ],
)
def test_compiled_kernels_equal_their_python(name, text):
    function = getattr(kernels, name)
    assert counts_and_labels(function, text) == counts_and_labels(function.py_func, text)


LIBSVM = "1,3 2:0.5\r\n 4:1\n0,12 1:1 # x\n3,1,3\n" * 3
XMC = "6 10 14\n" + "1,3 2:0.5\n 4:1\n13\n" * 2
PAIRS = "4 14\n" + "1:1 13:1\n\n" * 2


@pytest.mark.parametrize("text", [LIBSVM, XMC, PAIRS, LIBSVM.replace("\r", "").replace("\n", "\r")])
@pytest.mark.parametrize("size", [1, 3, 7, 20])
def test_blocks_may_end_anywhere(text, size, monkeypatch):
    whole = read(text)
    monkeypatch.setattr(source, "BLOCK_BYTES", size)
    again = read(text)
    assert again.digest == whole.digest
    assert again.notes == whole.notes


@pytest.mark.parametrize(
    ("text", "options", "place"),
    [
        ("1 1:1\n" * 30 + "1,2,x 1:1\n" + "1 1:1\n" * 100, {}, "line 31, column 5, '1,2,x 1:1', where"),
        ("1 1:1\n2 1:1 junk\n", {"format": "xmc"}, None),
        ("2 9 3\n1 1:1\n2 1:1 junk\n", {"format": "xmc"}, "line 3, column 7, '2 1:1 junk', after the labels"),
        ("2 9 3\n1 1:1\n2," + "1," * 40 + "-7 1:1\n", {}, "line 3, column 83, '-7 1:1', a label has a neg"),
        (
            "\n\n2 9\n1:1\n1:1 3:1 4:7\n",
            {"format": "xmc-labels"},
            "line 5, column 9, '1:1 3:1 4:7', a value is neither",
        ),
        ("1 1:1\n99999999999 1:1\n", {}, "line 2, column 1, '99999999999 1:1', a number is larger"),
    ],
)
@pytest.mark.parametrize("size", [8, 1 << 22])
def test_the_place_of_the_first_fault(text, options, place, size, monkeypatch):
    monkeypatch.setattr(source, "BLOCK_BYTES", size)
    if place is None:
        with pytest.raises(FormatError, match="must have the numbers of rows, features and labels, but it is '1 1:1'"):
            read(text, **options)
        return
    with pytest.raises(FormatError) as caught:
        read(text, **options)
    assert f"in {place}" in str(caught.value)


def test_a_word_among_many_numbers_is_a_fault_and_words_are_names():
    with pytest.raises(FormatError, match="in line 200, column 1, '3;4 1:1', where a label's number is expected"):
        read("1 1:1\n" * 199 + "3;4 1:1\n")
    assert read("1 1:1\nnews 1:1\n").label_names == ("1", "news")


def test_a_lying_number_takes_no_memory():
    text = b"2000000000 1:1\n1 1:1\n"
    read(text)
    tracemalloc.start()
    try:
        assert read(text).label_names == ("1", "2000000000")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_numbers_that_a_header_may_state_are_bounded(monkeypatch):
    monkeypatch.setitem(BOUNDS, "rows", replace(BOUNDS["rows"], most=3))
    with pytest.raises(FormatError, match="has 4 rows; more than 3 are not read"):
        read("1 1:1\n" * 4)
    monkeypatch.setitem(BOUNDS, "labels", replace(BOUNDS["labels"], most=2))
    with pytest.raises(FormatError, match="has 3 labels; more than 2 are not read"):
        read("1 9 3\n1 1:1\n")
    with pytest.raises(FormatError, match="has 3 labels; more than 2 are not read"):
        read("1,2,3 1:1\n")


@pytest.mark.parametrize(
    ("names", "columns", "called"),
    [
        (["a", "b", "c", "d"], [[0, 1, 0, 1], [0, 0, 1, 0]], "label 1 is called 'b'"),
        (["", "a", "b", "c", "d"], [[0, 1, 0, 1, 0], [0, 0, 1, 0, 0]], "label 1 is called 'a'"),
        (["a", "b", "c"], [[1, 0, 1], [0, 1, 0]], None),
    ],
)
def test_names_given_for_labels_from_one(names, columns, called):
    data = read("1,3 1:1\n2 1:1\n", names=names)
    assert dense(data) == columns
    assert any("The first name was taken for label 0" in note for note in data.notes) == (called is not None)
    assert called is None or any(called in note for note in data.notes)


def test_names_given_for_labels_from_zero_keep_those_that_never_occur():
    data = read("0,2 1:1\n2 1:1\n", names=io.BytesIO(b"a\nb\nc\nd\n"))
    assert data.label_names == ("a", "b", "c", "d")
    assert dense(data) == [[1, 0, 1, 0], [0, 0, 1, 0]]
    assert data.reading.entries["Names of labels"] == "in the order of their numbers, from 0"
    with pytest.raises(FormatError, match="There are 2 label names, but labels are numbered up to 2"):
        read("0,2 1:1\n", names=["a", "b"])


def test_progress_is_told_between_blocks_and_may_stop(monkeypatch, tmp_path):
    path = tmp_path / "x.svm"
    path.write_text(LIBSVM)
    monkeypatch.setattr(source, "BLOCK_BYTES", 16)
    calls = []
    load(path, on_progress=lambda done, total, _: calls.append((done, total)))
    assert len(calls) >= len(LIBSVM) // 16
    assert {total for _, total in calls} == {len(LIBSVM)}

    def stop(done, total, score):
        raise Cancelled

    with pytest.raises(Cancelled):
        load(path, on_progress=stop)


@pytest.mark.parametrize("text", [LIBSVM, XMC, PAIRS])
def test_a_large_file_is_not_held(tmp_path, text):
    path = tmp_path / "x.txt"
    path.write_text(text)
    opened = source.read_source(path)
    detect(opened).reader(opened)
    assert "data" not in vars(opened)


@pytest.mark.parametrize("n_blanks", [0, 5, 40])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_blanks_are_told_from_content_block_by_block(tmp_path, n_blanks, mark, monkeypatch):
    monkeypatch.setattr(source, "HEAD_BYTES", 10)
    monkeypatch.setattr(source, "BLOCK_BYTES", 8)
    path = tmp_path / "x.txt"
    path.write_bytes(mark + b" " * n_blanks + b"\n")
    with pytest.raises(FormatError, match="is empty"):
        source.read_source(path)
    path.write_bytes(mark + b" " * n_blanks + b"1")
    assert source.read_source(path).n_bytes == len(mark) + n_blanks + 1
