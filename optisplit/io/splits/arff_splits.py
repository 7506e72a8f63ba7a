"""Splits that ARFF files state themselves: MEKA's options in the relation name, or a column such as ``fold``."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import FormatError, OptionError, listed
from optisplit.io.formats.arff_header import open_arff, split_cells, unquoted
from optisplit.io.formats.arff_labels import stated_train_rows
from optisplit.io.second_tables import Table
from optisplit.io.splits.assembly import Found, PlainSource, assemble
from optisplit.io.splits.tables import SplitColumn, is_split_name, split_of_column
from optisplit.io.splits.values import TEST, TRAIN
from optisplit.io.tables import Record
from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.io.formats.arff_header import Header
    from optisplit.io.source import Source
    from optisplit.io.splits.base import Asked, SplitFile
    from optisplit.labels import MultilabelDataset

STATED = "-split-number"
"""In place of a column's name: the split that MEKA's options state."""


def is_arff(start: bytes) -> bool:
    """Tell whether a file begins like ARFF."""
    return start.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith((b"@relation", b"@attribute", b"%"))


def columns_in_arff(source: Source, data: MultilabelDataset | None) -> list[SplitColumn]:
    """List what in an ARFF file may say which part a row is in."""
    try:
        header, lines = open_arff(source)
    except FormatError:  # said where the split is read
        return []
    rows = [line for _, line in lines]
    found = []
    if n_train := stated_train_rows(header.relation, len(rows)):
        found.append(SplitColumn(STATED, ((TRAIN, n_train), (TEST, len(rows) - n_train)), 2, is_usual=True))
    for name in _usual_columns(header, data):
        counts = Counter(_cells(rows, header, header.names.index(name)))
        found.append(SplitColumn(name, tuple(counts.most_common(20)), len(counts), is_usual=True))
    return found


def _usual_columns(header: Header, data: MultilabelDataset | None) -> list[str]:
    labels = set() if data is None else set(data.label_names)
    return [name for name in header.names if is_split_name(name) and clean_name(name) not in labels]


def read_arff_split(source: Source, data: MultilabelDataset, asked: Asked) -> SplitFile:
    """Read the split that an ARFF file states."""
    name = clean_name(source.name)
    if asked.rows not in (None, "order"):
        msg = f"Rows of {name}, which is ARFF, are matched by their order alone."
        raise OptionError(msg)
    header, lines = open_arff(source)
    rows = [line for _, line in lines]
    stated = [STATED] if stated_train_rows(header.relation, len(rows)) else []
    known = stated + _usual_columns(header, data)
    if asked.column is None and not known:
        msg = (
            f"{name} is ARFF and states no split: it has no column called fold or split, and no -split-number in its "
            "relation name. For training and test files, give both."
        )
        raise FormatError(msg)
    chosen = known[0] if asked.column is None else asked.column
    kept = data.reading.kept_rows if data.reading is not None else None
    n_expected = data.n_rows if kept is None or data.reading is None else data.reading.n_file_rows
    if len(rows) != n_expected:
        msg = f"{name} has {len(rows):,} rows, but the data has {n_expected:,}; is it the file of the data?"
        raise FormatError(msg)
    if chosen == STATED:
        return _stated(header, name, data, len(rows), kept)
    if chosen not in header.names:
        near = difflib.get_close_matches(chosen, header.names, n=1)
        hint = f"\nHint: did you mean {near[0]!r}?" if near else ""
        msg = f"{name} is ARFF and has no column {chosen!r}; it has {listed(header.names)}.{hint}"
        raise OptionError(msg)
    cells = _cells(rows, header, header.names.index(chosen))
    table = Table(name, [], ",", [clean_name(chosen)], [Record(0, [cell], "") for cell in cells])
    more = [f"{listed(known[1:])} may say the part too."] if asked.column is None and len(known) > 1 else []
    in_order = replace(asked, rows="order")
    return split_of_column(table, 0, data, in_order, "a column of the ARFF file", more)


def _stated(header: Header, name: str, data: MultilabelDataset, n_file_rows: int, kept: np.ndarray | None) -> SplitFile:
    n_train = stated_train_rows(header.relation, n_file_rows)
    if n_train is None:
        msg = f"{name} states no split in its relation name."
        raise FormatError(msg)
    numbers = np.arange(n_file_rows) if kept is None else kept
    parts = (np.flatnonzero(numbers < n_train), np.flatnonzero(numbers >= n_train))
    notes = [
        f"{name}: the relation name says that the first {n_train:,} rows are for training, the others for testing."
    ]
    found = Found(parts, (TRAIN, TEST), "parts")
    return assemble(found, data, name=name, form="MEKA's split", notes=notes, source=PlainSource())


def _cells(rows: list[bytes], header: Header, column: int) -> list[str]:
    values = header.attributes[column].values
    omitted = values[0] if values else "0"
    texts = []
    for row in rows:
        line = row.decode("utf-8", "replace")
        if line.startswith("{"):
            entries = dict(cell.split(None, 1) for cell in split_cells(line.rpartition("}")[0][1:]) if " " in cell)
            cell = entries.get(str(column), omitted)
        else:
            cells = split_cells(line)
            cell = cells[column] if column < len(cells) else ""
        texts.append(unquoted(cell.strip()))
    return ["" if text == "?" else text for text in texts]
