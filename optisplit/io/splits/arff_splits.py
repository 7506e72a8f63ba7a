"""Splits that ARFF files state themselves: MEKA's options in the relation name, or a column such as ``fold``."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from optisplit.errors import FormatError, OptionError
from optisplit.io.formats.arff_header import open_arff, split_cells, unquoted
from optisplit.io.formats.arff_labels import stated_train_rows
from optisplit.io.second_tables import Table
from optisplit.io.splits.tables import SplitColumn, is_split_name, split_of_column
from optisplit.io.splits.values import TEST, TRAIN
from optisplit.io.tables.dialect import Dialect
from optisplit.io.tables.records import Record
from optisplit.text import clean_name, listed

if TYPE_CHECKING:
    from optisplit.io.formats.arff_header import Header
    from optisplit.io.source import Source
    from optisplit.io.splits.base import Asked, SplitFile
    from optisplit.labels import MultilabelDataset

STATED = "-split-number"
"""In place of a column's name: the split that MEKA's options state."""


def columns_in_arff(source: Source, data: MultilabelDataset | None) -> list[SplitColumn]:
    """List what in an ARFF file may say which part a row is in."""
    try:
        columns = _columns(*_opened(source), data)
    except FormatError:  # said where the split is read
        return []
    counts = {name: Counter(cells) for name, cells in columns.items()}
    return [SplitColumn(name, tuple(each.most_common(20)), len(each), is_usual=True) for name, each in counts.items()]


def _opened(source: Source) -> tuple[Header, list[bytes]]:
    header, lines = open_arff(source)
    return header, [line for _, line in lines]


def _columns(header: Header, rows: list[bytes], data: MultilabelDataset | None) -> dict[str, list[str]]:
    """Read the columns with a usual name, and what MEKA's options state as one more, the first."""
    labels = set() if data is None else set(data.label_names)
    names = [name for name in header.names if is_split_name(name) and clean_name(name) not in labels]
    n_train = stated_train_rows(header.relation, len(rows))
    stated = {} if n_train is None else {STATED: [TRAIN] * n_train + [TEST] * (len(rows) - n_train)}
    return stated | {name: _cells(rows, header, header.names.index(name)) for name in names}


def read_arff_split(source: Source, data: MultilabelDataset, asked: Asked) -> SplitFile:
    """Read the split that an ARFF file states."""
    name = clean_name(source.name)
    if asked.rows not in (None, "order"):
        msg = f"Rows of {name}, which is ARFF, are matched by their order alone."
        raise OptionError(msg)
    header, rows = _opened(source)
    n_expected = data.n_rows if data.reading is None or data.reading.kept_rows is None else data.reading.n_file_rows
    if len(rows) != n_expected:
        msg = f"{name} has {len(rows):,} rows, but the data has {n_expected:,}; is it the file of the data?"
        raise FormatError(msg)
    known = _columns(header, rows, data)
    if asked.column is None and not known:
        msg = (
            f"{name} is ARFF and states no split: it has no column called fold or split, and no -split-number in its "
            "relation name. For training and test files, give both."
        )
        raise FormatError(msg)
    chosen, *more = known if asked.column is None else [asked.column]
    if chosen == STATED and chosen not in known:
        msg = f"{name} states no split in its relation name."
        raise FormatError(msg)
    if chosen not in known and chosen not in header.names:
        near = difflib.get_close_matches(chosen, header.names, n=1)
        hint = f"\nHint: did you mean {near[0]!r}?" if near else ""
        msg = f"{name} is ARFF and has no column {chosen!r}; it has {listed(header.names)}.{hint}"
        raise OptionError(msg)
    cells = known[chosen] if chosen in known else _cells(rows, header, header.names.index(chosen))
    table = Table(name, [], Dialect(), [clean_name(chosen)], [Record(0, [cell], "") for cell in cells])
    form, notes = "a column of the ARFF file", [f"{listed(more)} may say the part too."] if more else []
    if chosen == STATED:
        form, n_train = "MEKA's split", cells.count(TRAIN)
        notes = [f"The relation name says that the first {n_train:,} rows are for training, the others for testing."]
    return split_of_column(table, 0, data, replace(asked, rows="order"), form, notes)


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
