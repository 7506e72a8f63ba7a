"""Which row of the data each line of another table is for, and one value for each row from such a table.

- Tables are joined by a column that holds the names of the data's rows, or row numbers; by the order of their lines
  only where there is no such column and the counts agree.
- How rows were found is said, and what is named but is no row of the data is told to the caller.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.errors import FoldAssignmentError, FormatError, OptionError, argument
from optisplit.folds.constraints import FREE
from optisplit.io.row_names import Naming, base_of, name_no_row, rows_of_names, unknown_in, whole_numbers
from optisplit.io.second_tables import PLACE, cells_of, is_missing, open_table
from optisplit.io.source import FileLike, read_source
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.row_names import RowNaming, RowNumbers
    from optisplit.io.second_tables import Table
    from optisplit.labels import MultilabelDataset

ID_COLUMNS = ("row", "row_id", "id", "rowid", "index", "idx", "row_number", "sample_id", "sample", "instance", "name",
              "", "unnamed: 0")  # fmt: skip
"""Columns that mostly hold ids or row numbers, likeliest first."""

_TABLES = ("delimited", "jsonl", "parquet")
"""Formats of data that have columns beside the labels."""

_MOST_KEYS = 8
_FRACTION = re.compile(r"[+-]?[0-9]*[.,][0-9]*[1-9][0-9]*(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class LineRows:
    """Which row of the data each line of a table is for."""

    rows: RowNumbers  # -1 where there is none
    how: str  # how they were matched, in words
    key: int | None = None  # the column that says so; None: the order
    naming: Naming | None = None  # how it names rows
    unknown: tuple[str, ...] = ()  # what is named but is no row
    # lines that are for more rows than one, as the data has their name several times: of each such row, the line
    shared: Mapping[int, int] = field(default_factory=dict)

    def check_shared(self, folds: FoldArray) -> None:
        """Refuse folds in which rows that share a line are in several."""
        torn = [row for row, line in self.shared.items() if folds[row] != folds[self.rows[line]]]
        if torn and self.naming is not None:
            names = list(dict.fromkeys(self.naming.names[row] for row in torn))
            lines = counted(len(names), "line")
            msg = f"{lines} would need several folds, since rows share a name: {listed(names, 3)}."
            raise FoldAssignmentError(msg + "\nHint: keep rows of one name together (groups), or write another form.")


def join(table: Table, taken: int, data: MultilabelDataset, asked: RowNaming | None = None) -> LineRows:
    """Find the row of each line; lines without a row, and rows without a line, are let be."""
    if asked != "order":
        found = _joined_by_key(table, taken, data, asked)
        if found is not None:
            return found
        if asked is not None:
            way = "the data's row ids" if asked == "ids" else "row numbers"
            msg = f"No column of {table.name} holds {way}: {listed(table.header)}."
            raise OptionError(msg)
        _refuse_strangers(table, taken, data)
    reading = data.reading
    if reading is not None and reading.kept_rows is not None and len(table.lines) == reading.n_file_rows:
        rows = np.full(len(table.lines), -1, dtype=np.int64)
        rows[reading.kept_rows] = np.arange(data.n_rows)
        return LineRows(rows, "in the order of the rows of the data's file, of which some were left out")
    title = table.header[taken]
    table.check_length(data.n_rows, f" below the header with {title!r}" if title else "")
    others = (each.lower() for at, each in enumerate(table.header) if at != taken)
    how = "in the order of the rows"
    if data.row_ids is None and any(each in ID_COLUMNS[:4] for each in others):
        how += " (the data has no row ids to compare with)"
    return LineRows(np.arange(data.n_rows), how)


def _joined_by_key(
    table: Table, taken: int | None, data: MultilabelDataset, asked: RowNaming | None = None
) -> LineRows | None:
    found = None
    if asked in (None, "ids") and data.row_ids is not None:
        found = _by_names(table, _likeliest(table.header, taken), data.row_ids)
    if found is None and asked in (None, "ids"):
        found = _by_own_column(table, taken, data)
    if found is None and asked != "ids":
        found = _by_numbers(table, taken, data.n_rows, asked)
    return found


def _likeliest(header: list[str], taken: int | None) -> list[int]:
    """Put the columns that may be a key in order, those with a usual name first."""
    usual = {title: place for place, title in enumerate(ID_COLUMNS)}
    others = [at for at in range(len(header)) if at != taken]
    return sorted(others, key=lambda at: usual.get(header[at].strip().lower(), len(usual)))


def _by_names(table: Table, columns: Sequence[int], names: Sequence[str]) -> LineRows | None:
    known = set(names)
    best, best_share = None, 0.5
    for at in columns:
        # a look at some lines tells most columns apart
        some = [clean_name(record.cell(at)) for record in table.lines[:: max(1, len(table.lines) // 200)]]
        if sum(each in known for each in some) < 0.3 * len(some):
            continue
        entries = [clean_name(each) for each in table.column(at)]
        share = sum(each in known for each in entries) / max(1, len(entries))
        if share > best_share and _may_be_key(table.header[at], entries, len(known)):
            best, best_share = (at, entries), share
    if best is None:
        return None
    at, entries = best
    rows = rows_of_names(entries, names)
    how = f"matched to the rows by column {table.header[at]!r}"
    naming, unknown = Naming(len(names), None, names, are_texts=True), tuple(unknown_in(entries, rows))
    return LineRows(rows, how, at, naming, unknown, _shared(entries, rows, names))


def _shared(entries: Sequence[str], rows: RowNumbers, names: Sequence[str]) -> dict[int, int]:
    """Give the rows that have no line the one line of their name."""
    is_without = np.ones(len(names), dtype=np.bool_)
    is_without[rows[rows >= 0]] = False
    if not is_without.any():
        return {}
    counts = Counter(entries)
    line_of = {entry: line for line, entry in enumerate(entries) if counts[entry] == 1}
    without = np.flatnonzero(is_without).tolist()
    return {row: line_of[names[row]] for row in without if names[row] in line_of}


def _by_own_column(table: Table, taken: int | None, data: MultilabelDataset) -> LineRows | None:
    """Join by a column that the data's own file has under the same name, and whose values tell its rows apart."""
    reading, labels = data.reading, set(data.label_names)
    if reading is None or reading.file is None or reading.format not in _TABLES:
        return None
    likely = [
        at for at in _likeliest(table.header, taken) if table.header[at] not in labels and _looks_like_key(table, at)
    ]
    places = {table.header[at]: at for at in likely[:_MOST_KEYS]}
    if not places:
        return None
    try:
        file = io.BytesIO(reading.file) if isinstance(reading.file, bytes) else reading.file
        own = cells_of(read_source(file, reading.file_name), places)
    except (FormatError, csv.Error):  # it was moved, or is another one by now
        return None
    for title, at in places.items():
        names = [clean_name(each) for each in own.get(title, ())]
        if reading.kept_rows is not None and len(names) == reading.n_file_rows:
            names = [names[row] for row in reading.kept_rows.tolist()]
        if len(names) == data.n_rows == len(set(names)) and (found := _by_names(table, [at], names)) is not None:
            return found
    return None


def _by_numbers(table: Table, taken: int | None, n_rows: int, asked: RowNaming | None) -> LineRows | None:
    for at in _likeliest(table.header, taken):
        if asked is None and table.header[at].strip().lower() not in ID_COLUMNS:
            continue
        texts = table.column(at)
        numbers = whole_numbers(texts)
        base = base_of(numbers, n_rows) if asked is None else int(asked == "from 1")
        naming = Naming(n_rows, base, are_texts=True)
        rows = naming.rows(numbers)
        if not texts or (rows >= 0).mean() < 0.5 or not _may_be_key(table.header[at], numbers.tolist(), n_rows):
            continue
        how = f"matched to the rows by their numbers from {base} in column {table.header[at]!r}"
        return LineRows(rows, how, at, naming, tuple(unknown_in(texts, rows)))
    return None


def _may_be_key(title: str, entries: Sequence[Any], n_rows: int) -> bool:
    """Tell whether a column is different from line to line; one whose name says so may have more that are not."""
    least = 0.5 if title.strip().lower() in ID_COLUMNS[:2] else 0.9
    return len(set(entries)) >= least * min(len(entries), n_rows)


def _looks_like_key(table: Table, at: int) -> bool:
    """Look at some lines: a key differs from line to line, and is no measured number."""
    some = [record.cell(at) for record in table.lines[:200]]
    return _may_be_key(table.header[at], some, len(some)) and not any(_FRACTION.fullmatch(each) for each in some)


def _refuse_strangers(table: Table, taken: int, data: MultilabelDataset) -> None:
    """Refuse ids none of which the data knows: their lines must not be taken in order."""
    if data.row_ids is None:
        return
    for title in ID_COLUMNS[1:3]:
        at = next((j for j, each in enumerate(table.header) if each.strip().lower() == title and j != taken), None)
        if at is not None:
            given = [record.cell(at) for record in table.lines[:3]]
            msg = (
                f"Hardly any of the ids of {table.name} (column {table.header[at]!r}: {listed(given, 3)}) are rows of "
                f"the data, which are called {listed(data.row_ids, 3)}."
            )
            hint = "\nHint: if its lines are in the order of the rows, say so ("
            raise FormatError(msg + hint + argument("rows", "order", of="read_split") + ").")


@dataclass(frozen=True, slots=True)
class RowColumn:
    """One text for each row of the data, from a column of a file."""

    name: str  # the file's name
    values: list[str]  # the texts, in the order of the data's rows
    lines: list[int]  # the line of the file that each stands on, from 1
    how: str  # how they were found, in words
    notes: tuple[str, ...] = ()  # what else is to be known of it, in sentences


def read_column(
    source: FileLike,
    data: MultilabelDataset,
    column: str | None = None,
    *,
    usual: Literal["group", "fold"] = "group",
    name: str | None = None,
) -> RowColumn:
    r"""Read one text for each row of a data set from another file, such as the groups of the rows.

    - A table, also JSON Lines or Parquet: its lines are matched to the rows by a column of row ids or row numbers,
      otherwise, where there are as many of each, by their order.
    - Or a file with one text a line, in the order of the rows, with or without a header.

    Parameters
    ----------
    source : path or binary file object
        The file.
    data : MultilabelDataset
        The data.
    column : str, optional
        The column; default: the usual one, or the only one beside the column that says the row.
    usual : {"group", "fold"}, default="group"
        The usual column. For ``fold``, values are numbers or missing, so a first line that is neither is a header.
    name : str, optional
        The file's name, where `source` is a file object without one.

    Returns
    -------
    RowColumn
        The texts, and how they were found.

    Raises
    ------
    FoldAssignmentError
        If the file says nothing of some row, or two things of one.
    FormatError
        If the file cannot be read, or has no line for each row.
    OptionError
        If a column has to be named, or is unknown.

    Examples
    --------
    >>> import io
    >>> from optisplit import MultilabelDataset
    >>> data = MultilabelDataset.from_labels([[1], [0], [1]], row_ids=["x", "y", "z"])
    >>> read_column(io.BytesIO(b"id,group\nz,b\nx,a\ny,a\n"), data).values
    ['a', 'a', 'b']
    """
    table = open_table(read_source(source, name), data)
    if column is None:
        column = usual if usual in table.header else _only_column(table, data)
    if column is None:
        return _of_list(table, data.n_rows, usual)
    at = table.find(column)
    found = join(table, at, data)
    lines = _line_of_each_row(table, at, found, data)
    values, numbers = table.column(at), [record.line for record in table.lines]
    how = f"column {column!r}, {found.how}"
    return RowColumn(table.name, [values[at] for at in lines], [numbers[at] for at in lines], how, _told(table, found))


def _only_column(table: Table, data: MultilabelDataset) -> str | None:
    """Choose the one column that there is beside a key; None where there is one text a line."""
    widths = Counter(len(record.cells) for record in table.records)
    if max(widths) == 1:
        return table.header[0] if table.are_objects else None
    if len(widths) > 1 and not table.are_objects:
        msg = f"{table.name} is neither one text a line nor a table: its lines have {min(widths)} to {max(widths)}"
        hint = " columns.\nHint: put texts that hold a comma, semicolon or tab in quotes."
        raise FormatError(msg + hint)
    found = _joined_by_key(table, None, data)
    if found is not None and len(table.header) == 2:
        return table.header[1 - (found.key or 0)]
    msg = f"{table.name} has {len(table.header)} columns; say which one is meant ("
    hint = f").\nHint: its first line is {listed(table.header)}."
    raise OptionError(msg + argument("column", of="read_column") + hint)


def _of_list(table: Table, n_rows: int, usual: str) -> RowColumn:
    def is_title(first: str) -> bool:
        return usual == "fold" and not is_missing(first) and not PLACE.fullmatch(first)

    found = table.as_list(n_rows, is_title)
    header = f" after the header {found.header[0]!r}" if found.header[0] else ""
    found.check_length(n_rows, header)
    how = f"one a line{header}, in the order of the rows"
    return RowColumn(table.name, found.column(0), [record.line for record in found.lines], how)


def _line_of_each_row(table: Table, at: int, found: LineRows, data: MultilabelDataset) -> list[int]:
    """Find the line of each row: several lines of one row have to say the same, and rows of one name share a line."""
    values = table.column(at)
    line_of = np.full(data.n_rows, -1, dtype=np.int64)
    lines = np.flatnonzero(found.rows >= 0)[::-1]  # so that the first line counts
    line_of[found.rows[lines]] = lines
    line_of[list(found.shared)] = list(found.shared.values())
    rows = found.rows
    again = np.flatnonzero((rows >= 0) & (line_of[rows] != np.arange(len(rows)))).tolist()
    torn = [int(rows[line]) for line in again if values[line] != values[line_of[rows[line]]]]
    if torn:
        names = list(dict.fromkeys(_names_of(torn, found, data)))
        msg = f"{table.name} has lines that say different things of {counted(len(names), 'row')}: {listed(names, 3)}."
        raise FoldAssignmentError(msg)
    missing = _names_of(np.flatnonzero(line_of < 0).tolist(), found, data)
    if missing:
        msg = (
            f"The rows of {table.name} are not those of the data: {len(rows):,} lines for {data.n_rows:,} rows, "
            f"{len(missing):,} of them missing ({listed(missing)})."
        )
        raise FoldAssignmentError(msg)
    return line_of.tolist()


def _names_of(rows: Sequence[int], found: LineRows, data: MultilabelDataset) -> list[str]:
    names = data.row_ids if found.naming is None or found.naming.base is not None else found.naming.names
    return [str(row) if names is None else names[row] for row in rows]


def _told(table: Table, found: LineRows) -> tuple[str, ...]:
    if not found.unknown:
        return ()
    return (f"{name_no_row(found.unknown, table.name, 'line')}: {listed(found.unknown, 3)}.",)


def places_in(column: RowColumn) -> NDArray[np.int64]:
    """Read the places of rows: the number of a fold, -1 for always in training, or nothing where a row is free."""
    places = np.full(len(column.values), FREE, dtype=np.int64)
    for row, (text, line) in enumerate(zip(column.values, column.lines, strict=True)):
        if is_missing(text):
            continue
        match = PLACE.fullmatch(text)
        if match is None:
            rule = "give a fold's number, -1 (always in training) or nothing"
            msg = f"{column.name}, line {line:,}: {text!r} is no place; {rule}."
            raise FormatError(msg)
        places[row] = int(match[1])
    return places
