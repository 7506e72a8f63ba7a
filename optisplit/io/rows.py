"""Who a row is, its number or its name, and what another file says of each row.

- Tables are joined by a column that holds the names of the data's rows, or row numbers; by the order of their lines
  only where there is no such column and the counts agree.
- Lists name rows by number or by name.
- How rows were found is said, and what is named but is no row of the data is told to the caller.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from optisplit.errors import FoldAssignmentError, FormatError, OptionError, argument, listed
from optisplit.folds.constraints import FREE
from optisplit.io.formats.cells import MISSING, cell_code
from optisplit.io.objects import are_objects, records_of_objects
from optisplit.io.source import FileLike, Source, read_source
from optisplit.io.tables import read_records
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optisplit.io.tables import Record
    from optisplit.labels import MultilabelDataset

RowNaming: TypeAlias = Literal["ids", "from 0", "from 1", "order"]
ROW_NAMINGS: tuple[str, ...] = get_args(RowNaming)

RowNumbers: TypeAlias = NDArray[np.int64]

ID_COLUMNS = ("row", "row_id", "id", "rowid", "index", "idx", "row_number", "sample_id", "sample", "instance", "name",
              "", "unnamed: 0")  # fmt: skip
"""Columns that mostly hold ids or row numbers, likeliest first."""

_NO_NUMBER = -1_000_000_000_000
_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,14})(?:\.0*)?\s*")
_PLACE = re.compile(r"(-?[0-9]{1,9})(\.0*)?")


# ---- Names and numbers


@dataclass(frozen=True, slots=True)
class Naming:
    """How a file names the rows of the data."""

    n_rows: int
    base: int | None = 0  # what the first row's number is; None where rows go by their names
    names: Sequence[str] = ()  # the names of the data's rows
    are_texts: bool = False  # whether the file writes them as texts
    # the number of each row in the data's file, where rows go by these since some were left out
    kept_rows: RowNumbers | None = None

    @property
    def how(self) -> str:
        """The same in words."""
        if self.base is None:
            return "named by their ids"
        whose = "" if self.kept_rows is None else ", as they stand in the data's file"
        return f"numbered from {self.base}{whose}"

    def rows(self, entries: Any) -> RowNumbers:
        """Find the row of each entry; -1 where there is none."""
        if self.base is None:
            return rows_of_names([clean_name(each) for each in as_list(entries)], self.names)
        rows = whole_numbers(entries) - self.base
        if self.kept_rows is not None:
            at = np.minimum(np.searchsorted(self.kept_rows, rows), len(self.kept_rows) - 1)
            rows = np.where(self.kept_rows[at] == rows, at, -1)
        return np.where((rows >= 0) & (rows < self.n_rows), rows, -1)

    def spell(self, rows: RowNumbers) -> list[Any]:
        """Write rows as the file does."""
        if self.base is None:
            names = [self.names[row] for row in rows.tolist()]
            return names if self.are_texts else [int(each) if each.isdecimal() else each for each in names]
        numbers = ((rows if self.kept_rows is None else self.kept_rows[rows]) + self.base).tolist()
        return list(map(str, numbers)) if self.are_texts else numbers


def as_list(entries: Any) -> list[Any]:
    """Give what is in a list or an array as a list."""
    return entries.tolist() if isinstance(entries, np.ndarray) else entries


def whole_numbers(entries: Any) -> RowNumbers:
    """Read whole numbers; one far below all row numbers for what is none."""
    array = np.asarray(entries)
    if array.size and array.dtype.kind in "iu":
        return array.astype(np.int64)
    found = (None if isinstance(each, bool) else _WHOLE.fullmatch(str(each)) for each in as_list(entries))
    return np.asarray([_NO_NUMBER if match is None else int(match[1]) for match in found], dtype=np.int64)


def rows_of_names(entries: Sequence[str], names: Sequence[str]) -> RowNumbers:
    """Find the row of each name; where names repeat in the data, they are taken in its order."""
    places: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        places.setdefault(name, []).append(row)
    seen: Counter[str] = Counter()
    rows = np.full(len(entries), -1, dtype=np.int64)
    for at, name in enumerate(entries):
        found = places.get(name)
        if found is not None:
            rows[at] = found[min(seen[name], len(found) - 1)]
            seen[name] += 1
    return rows


def unknown_in(entries: Sequence[Any], rows: RowNumbers) -> list[str]:
    """List the entries that are no row, by their names."""
    return [clean_name(entries[at]) for at in np.flatnonzero(rows < 0).tolist()]


def _base_of(numbers: RowNumbers, n_rows: int) -> int:
    """Tell from which number rows are counted: from 1 where the number of rows occurs, and 0 does not."""
    return int(bool((numbers == n_rows).any()) and not bool((numbers == 0).any()))


def naming_of_lists(
    lists: Sequence[Any], data: MultilabelDataset, asked: RowNaming | None, name: str, notes: list[str]
) -> Naming:
    """Find out whether lists name rows by number or by name."""
    entries = [entry for each in lists for entry in as_list(each)]
    are_texts = any(isinstance(entry, str) for entry in entries)
    numbers = whole_numbers(entries)
    kept_rows = None if data.reading is None else data.reading.kept_rows
    by_number = Naming(data.n_rows, _base_of(numbers, data.n_rows), are_texts=are_texts)
    by_name = Naming(data.n_rows, None, data.row_ids or (), are_texts)
    if asked is None and kept_rows is not None and _are_of_file(numbers, kept_rows, data.n_rows):
        notes.append("Rows are numbered as they stand in the data's file, of which some rows were left out.")
        return replace(by_number, base=0, kept_rows=kept_rows)
    if asked in ("from 0", "from 1"):
        return replace(by_number, base=int(asked == "from 1"))
    if asked == "order":
        way = argument("rows", "order", of="read_split")
        msg = f"{name} holds lists of rows, which name them; " + way + " is for one value a row."
        raise OptionError(msg)
    if asked == "ids" and data.row_ids is None:
        zero, one = (argument("rows", each, of="read_split") for each in ("from 0", "from 1"))
        msg = "The data has no row ids, so rows can only be numbered: use " + zero + " or " + one + "."
        raise OptionError(msg)
    share_by_number = float((by_number.rows(entries) >= 0).mean()) if entries else 1.0
    share_by_name = float((by_name.rows(entries) >= 0).mean()) if entries and data.row_ids else 0.0
    if asked == "ids" or (share_by_name > 0.5 and (are_texts or share_by_name > share_by_number)):
        return by_name
    if share_by_number < 0.5:
        msg = f"Hardly any of the rows that {name} names ({listed(entries[:3])}) are in the data, where they are "
        msg += f"called {listed(data.row_ids, 3)}." if data.row_ids else f"numbered from 0 to {data.n_rows - 1:,}."
        raise FormatError(msg)
    if by_number.base:
        notes.append(f"Row {data.n_rows:,} occurs and row 0 does not, so rows are taken to be numbered from 1.")
    elif share_by_name > 0.5 and data.row_ids != tuple(map(str, range(data.n_rows))):
        notes.append("The numbers could be row ids too; they were taken for row numbers from 0.")
    return by_number


def _are_of_file(numbers: RowNumbers, kept_rows: RowNumbers, n_rows: int) -> bool:
    """Tell whether numbers are those of rows in the file: all of rows that were kept, and some too high for others."""
    is_kept = np.isin(numbers, kept_rows)
    return len(kept_rows) == n_rows and bool(len(numbers)) and bool(is_kept.all()) and int(numbers.max()) >= n_rows


# ---- Tables


@dataclass(frozen=True)
class Table:
    """A table whose lines say something of rows."""

    name: str  # the file's
    records: list[Record]  # all that stands in it
    delimiter: str  # what stands between cells
    header: list[str]  # the names of its columns
    lines: list[Record]  # those that are for rows
    are_objects: bool = False  # whether it is no text table, but JSON Lines or Parquet

    def column(self, at: int) -> list[str]:
        """Give the cells of a column."""
        return [record.cell(at) for record in self.lines]

    def find(self, column: str) -> int:
        """Find a column."""
        if column not in self.header:
            what = f"column of {self.name}:"
            raise OptionError.unknown(what, column, self.header)
        if self.header.count(column) > 1:
            msg = f"{self.header.count(column)} columns of {self.name} are called {column!r}; rename them."
            raise OptionError(msg)
        return self.header.index(column)

    def check_length(self, n_rows: int, behind: str = "") -> None:
        """Refuse a table that has not one line a row."""
        if len(self.lines) != n_rows:
            msg = f"{self.name} has {counted(len(self.lines), 'line')}{behind}, but the data has {n_rows:,} rows."
            raise FormatError(msg)

    def without_header(self, n_rows: int) -> Table:
        """Take the first line for a row as well."""
        width = Counter(len(record.cells) for record in self.records).most_common(1)[0][0]
        header = [f"column {at + 1}" for at in range(width)]
        return replace(self, header=header, lines=_lines_in(self.records, width, n_rows))

    def as_list(self, n_rows: int, is_title: Callable[[str], bool]) -> Table:
        """Take it for one text a line, with or without a header.

        One line too many makes the first a header, unless it is a number or occurs again below.
        """
        lines = _without_blank_end(self.records, n_rows)
        first = lines[0].cell(0)
        is_extra = len(lines) == n_rows + 1 and not _PLACE.fullmatch(first)
        is_extra = is_extra and all(record.cell(0) != first for record in lines[1:])
        if not is_missing(first) and (is_title(first) or is_extra):
            return replace(self, header=[clean_name(first)], lines=_without_blank_end(self.records[1:], n_rows))
        return replace(self, header=[""], lines=lines)


def open_table(source: Source, data: MultilabelDataset | None = None) -> Table:
    """Read a table: text, JSON Lines or Parquet."""
    n_rows, most_rows = 0, None
    if data is not None:
        n_file_rows = 0 if data.reading is None else data.reading.n_file_rows
        # a line a row, or a line a label of a row
        n_rows, most_rows = data.n_rows, 10 * max(data.n_rows, n_file_rows) + data.n_positives + 1000
    is_of_objects = are_objects(source)
    records, delimiter = (records_of_objects(source, most_rows), ",") if is_of_objects else read_records(source)
    header = [clean_name(title) for title in records[0].cells]
    if len(records) > 1 and len(records[1].cells) == len(header) + 1:
        header = ["", *header]  # R leaves out the name of the row names
    lines = _lines_in(records[1:], len(header), n_rows)
    return Table(clean_name(source.name), records, delimiter, header, lines, is_of_objects)


def columns_of(source: FileLike, *, name: str | None = None) -> tuple[str, ...]:
    """Name the columns of a table, from its beginning; none where it has one only."""
    opened = read_source(source, name)
    beginning = opened if are_objects(opened) else Source(opened.head, opened.unpacked_name)
    header = open_table(beginning).header
    return tuple(dict.fromkeys(header)) if len(header) > 1 else ()


def _lines_in(records: list[Record], n_columns: int, n_rows: int) -> list[Record]:
    # a blank line between others is a missing value where there is one column, and nothing where there are several
    kept = [record for record in records if n_columns == 1 or not record.is_blank]
    return _without_blank_end(kept, n_rows)


def _without_blank_end(records: list[Record], n_rows: int) -> list[Record]:
    """Drop blank lines at the end that no row is left for."""
    end = len(records)
    while end > n_rows and records[end - 1].is_blank:
        end -= 1
    return records[:end]


def is_missing(text: str) -> bool:
    """Tell whether a cell means that there is no value."""
    return cell_code(text) == MISSING


# ---- Joining


@dataclass(frozen=True, slots=True)
class LineRows:
    """Which row of the data each line of a table is for."""

    rows: RowNumbers  # -1 where there is none
    how: str  # how they were matched, in words
    key: int | None = None  # the column that says so; None: the order
    naming: Naming | None = None  # how it names rows
    unknown: tuple[str, ...] = ()  # what is named but is no row


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
    return LineRows(rows, how, at, Naming(len(names), None, names, are_texts=True), tuple(unknown_in(entries, rows)))


def _by_numbers(table: Table, taken: int | None, n_rows: int, asked: RowNaming | None) -> LineRows | None:
    for at in _likeliest(table.header, taken):
        if asked is None and table.header[at].strip().lower() not in ID_COLUMNS:
            continue
        texts = table.column(at)
        numbers = whole_numbers(texts)
        base = _base_of(numbers, n_rows) if asked is None else int(asked == "from 1")
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


# ---- A value for each row: groups, and the places of rows


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
        return usual == "fold" and not is_missing(first) and not _PLACE.fullmatch(first)

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
    rows, naming = found.rows.tolist(), found.naming
    if naming is not None and naming.base is None:
        by_name = {naming.names[rows[line]]: line for line in lines.tolist()}
        for row in np.flatnonzero(line_of < 0).tolist():
            line_of[row] = by_name.get(naming.names[row], -1)
    torn = [row for line, row in enumerate(rows) if row >= 0 and values[line] != values[line_of[row]]]
    if torn:
        names = list(dict.fromkeys(_names_of(torn, data)))
        msg = f"{table.name} has lines that say different things of {counted(len(names), 'row')}: {listed(names, 3)}."
        raise FoldAssignmentError(msg)
    missing = _names_of(np.flatnonzero(line_of < 0).tolist(), data)
    if missing:
        msg = (
            f"The rows of {table.name} are not those of the data: {len(rows):,} lines for {data.n_rows:,} rows, "
            f"{len(missing):,} of them missing ({listed(missing)})."
        )
        raise FoldAssignmentError(msg)
    return line_of.tolist()


def _names_of(rows: Sequence[int], data: MultilabelDataset) -> list[str]:
    return [str(row) if data.row_ids is None else data.row_ids[row] for row in rows]


def _told(table: Table, found: LineRows) -> tuple[str, ...]:
    if not found.unknown:
        return ()
    verb = "names" if len(found.unknown) == 1 else "name"
    said = (
        f"{counted(len(found.unknown), 'line')} of {table.name} {verb} no row of the data: {listed(found.unknown, 3)}."
    )
    return (said,)


def places_in(column: RowColumn) -> NDArray[np.int64]:
    """Read the places of rows: the number of a fold, -1 for always in training, or nothing where a row is free."""
    places = np.full(len(column.values), FREE, dtype=np.int64)
    for row, (text, line) in enumerate(zip(column.values, column.lines, strict=True)):
        if is_missing(text):
            continue
        match = _PLACE.fullmatch(text)
        if match is None:
            rule = "give a fold's number, -1 (always in training) or nothing"
            msg = f"{column.name}, line {line:,}: {text!r} is no place; {rule}."
            raise FormatError(msg)
        places[row] = int(match[1])
    return places
