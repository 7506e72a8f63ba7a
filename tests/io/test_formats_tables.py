"""Tables that name labels: large files go another way than small ones, and must be read as the same."""

import io
import json

import numpy as np
import pytest

from optisplit import load
from optisplit.errors import FormatError, MissingLabelsError
from optisplit.io.layouts import arrow
from optisplit.io.layouts.tags import labels_in, parse_list


def _rows(seed):
    rng = np.random.default_rng(seed)
    return [[f"l {each}" for each in rng.permutation(9)[: rng.integers(1, 5)].tolist()] for _ in range(200)]


def _wide(rows):
    lines = [f"r{at},{','.join([*row, '', '', ''][:4])}" for at, row in enumerate(rows)]
    return "id,label1,label2,label3,label4\n" + "\n".join(lines) + "\n"


def _long(rows):
    return "row,label\n" + "".join(f"r{at},{label}\n" for at, row in enumerate(rows) for label in row)


def _json(rows):
    return "".join(json.dumps({"id": f"r{at}", "labels": row}) + "\n" for at, row in enumerate(rows))


def _json_numbers(rows):
    return "".join(json.dumps({"labels": [int(each[2:]) for each in row]}) + "\n" for row in rows)


@pytest.mark.parametrize("write", [_wide, _long, _json, _json_numbers])
@pytest.mark.parametrize("seed", range(3))
def test_large_files_are_read_as_small_ones_are(write, seed, monkeypatch):
    rows = _rows(seed)
    content = write(rows).encode()
    used = []
    for name in ("names_side_by_side", "pairs", "json_batches"):
        fast = getattr(arrow, name)
        monkeypatch.setattr(arrow, name, lambda *given, fast=fast, **more: used.append(1) or fast(*given, **more))
    small = load(io.BytesIO(content), name="x")
    assert not used
    monkeypatch.setattr(arrow, "LARGE_BYTES", 0)
    large = load(io.BytesIO(content), name="x")
    assert used
    assert large.digest == small.digest
    assert large.label_names == small.label_names
    assert large.row_ids == small.row_ids
    assert large.reading.options == small.reading.options
    # and as they were written
    label_of = [name if name.startswith("l") else f"l {name}" for name in large.label_names]
    assert [{label_of[j] for j in np.flatnonzero(row)} for row in large.labels.toarray()] == [set(row) for row in rows]


def test_large_wide_files_with_rows_without_labels_say_where_they_are(monkeypatch):
    monkeypatch.setattr(arrow, "LARGE_BYTES", 0)
    content = b"id,label1,label2\n1,a,b\n2,,\n3,b,\n"
    with pytest.raises(MissingLabelsError, match="in 1 row of the columns 'label1', 'label2', first in line 3"):
        load(io.BytesIO(content))
    assert load(io.BytesIO(content), missing="zero").labels.toarray().tolist() == [[1, 1], [0, 0], [0, 1]]


def test_a_damaged_large_file_has_the_same_error(monkeypatch):
    monkeypatch.setattr(arrow, "LARGE_BYTES", 0)
    with pytest.raises(FormatError, match="ends in line 3 has 2 cells, but there are 3 columns"):
        load(io.BytesIO(b"id,label1,label2\n1,a,b\n2,a\n3,b,a\n"))


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ('["a", "b"]', ["a", "b"]),
        ("['a','b']", ["a", "b"]),
        ("['a', \"it's\"]", ["a", "it's"]),
        ("['a, b', 'c']", ["a, b", "c"]),
        (r'["a\"b", "c"]', ['a"b', "c"]),
        ("['']", [""]),
        ("[1, 2.5]", ["1", "2.5"]),
        ("[true, false]", ["1", "0"]),
        ("{}", []),
        ("[]", []),
        ("('a', 'b')", ["a", "b"]),
        ("[['a']]", None),
        ("['a', None]", None),
        ("['a'", None),
        ("['", None),
        ("['a' + 'b']", None),
    ],
)
def test_lists_in_cells(cell, items):
    assert parse_list(cell) == items


@pytest.mark.parametrize(
    ("cell", "separator", "labels"),
    [
        ("a|b", "|", ["a", "b"]),
        ("a b", None, ["a b"]),
        (" ", "|", None),
        ("[]", "|", []),
        ("[drama, war]", ",", ["drama", " war"]),
        ("[drama]", None, ["drama"]),
        ("[drama] or [war]", None, ["[drama] or [war]"]),
        ("(C)", None, ["(C)"]),
    ],
)
def test_labels_of_a_cell(cell, separator, labels):
    assert labels_in(cell, separator) == labels
