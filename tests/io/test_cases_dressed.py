"""Cases in other dress: other line ends, encodings, delimiters, quotes, orders of columns; read as they were."""

from __future__ import annotations

import csv
import gzip
import io
from functools import lru_cache

import pytest
from asked import asked, marks_of, read_by

from optisplit import load
from optisplit.errors import OptisplitError


def cells_of(content: bytes, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode()), delimiter=delimiter))


def written(rows: list[list[str]], delimiter: str = ",", quoting: int = csv.QUOTE_MINIMAL, ends: str = "\n") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=ends).writerows(rows)
    return out.getvalue().encode()


def last_first(rows: list[list[str]]) -> list[list[str]]:
    return [row[::-1] for row in rows]


DRESSES = {
    "carriage returns": lambda rows: written(rows, ends="\r\n"),
    "a byte order mark": lambda rows: b"\xef\xbb\xbf" + written(rows),
    "UTF-16": lambda rows: written(rows).decode().encode("utf-16"),
    "packed": lambda rows: gzip.compress(written(rows)),
    "semicolons": lambda rows: written(rows, ";"),
    "tabs": lambda rows: written(rows, "\t"),
    "bars": lambda rows: written(rows, "|"),
    "all in quotes": lambda rows: written(rows, quoting=csv.QUOTE_ALL),
    "no line end at the end": lambda rows: written(rows).rstrip(b"\n"),
    "columns from the right to the left": lambda rows: written(last_first(rows)),
    "a comment above": lambda rows: b"# made up, 2024\n" + written(rows),
    "blank lines below": lambda rows: written(rows) + b"\n\n",
}


@lru_cache
def plain_tables():
    """Give the cases that are tables with a header and nothing odd in their form, read without being told."""
    tables = []
    for param in asked("test_dressed", of="rows"):
        (case,) = param.values
        if case.path.suffix not in (".csv", ".tsv") or case.how.keys() & {"header", "delimiter", "comment"}:
            continue
        content = case.path.read_bytes()
        try:
            data, text = read_by("library", case.path, case.how), content.decode()
        except (OptisplitError, UnicodeDecodeError):
            continue
        facts = {guess.option: guess.value for guess in data.reading.guesses}
        is_odd = text.startswith(("#", "\ufeff", '"open')) or "text" in text.partition("\n")[0].lower()
        if facts.get("header") and facts["delimiter"] in (",", ";", "\t", "|") and not is_odd:
            rows = cells_of(content, facts["delimiter"])
            if len({len(row) for row in rows}) == 1:
                tables.append((case, rows, param.id))
    return tables


def labels_by_row(data, other) -> list[tuple[str, set[str]]]:
    is_named = data.key == other.key  # of two columns that name rows, the first does
    names = data.row_ids if data.row_ids and is_named else [str(row) for row in range(data.n_rows)]
    pairs = zip(data.labels.indptr[:-1], data.labels.indptr[1:], strict=True)
    rows = [{data.label_names[label] for label in data.labels.indices[start:end]} for start, end in pairs]
    return list(zip(names, rows, strict=True))


@pytest.mark.parametrize("dress", [pytest.param(each, marks=marks_of("test_dressed", each)) for each in DRESSES])
def test_dressed(dress):
    tables = plain_tables()
    assert len(tables) > 20
    wrong = []
    for case, rows, title in tables:
        if dress == "columns from the right to the left" and case.how.get("label_columns"):
            continue  # some are places
        name = case.file + (".gz" if dress == "packed" else "")
        plain = load(case.path, **case.how)
        try:
            data = load(io.BytesIO(DRESSES[dress](rows)), name=name, **case.how)
        except OptisplitError as error:
            wrong.append((title, str(error)))
            continue
        if labels_by_row(data, plain) != labels_by_row(plain, data):
            wrong.append((title, data.reading.rule, data.key, plain.key))
    assert not wrong
