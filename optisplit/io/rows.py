"""One value for each row of the data from another table: its group, or its place."""

from __future__ import annotations

import difflib
import os
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.errors import FoldAssignmentError, FormatError, OptionError, argument
from optisplit.folds.constraints import FREE
from optisplit.io.join import find_key, join
from optisplit.io.keys import Key, own_columns
from optisplit.io.registry import UNMATCHED, Unmatched, check_choice
from optisplit.io.row_names import is_id_name, name_no_row
from optisplit.io.second_tables import PLACE, is_missing, open_table
from optisplit.io.source import FileLike, read_source
from optisplit.labels import as_dataset
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from optisplit.io.line_rows import LineRows
    from optisplit.io.second_tables import Table
    from optisplit.labels import MultilabelDataset


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
    key: str | None = None,
    unmatched: Unmatched = "error",
    name: str | None = None,
) -> RowColumn:
    r"""Read one text for each row of a data set from another file, such as the groups of the rows.

    - A table, also JSON Lines or Parquet: its lines are matched to the rows by a key, a column that the data has too,
      or one of row numbers; only where there is none, and there are as many of each, by their order.
    - What stands once for a name that several rows of the data have is for all of them.
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
    key : str, optional
        The column of the data whose values say which row is meant; ``"NAME=OTHER"`` where the file calls it OTHER.
        Default: one that both have, and whose values agree.
    unmatched : {"error", "leave-out"}, default="error"
        What to do about rows that the file says nothing of: refuse it; or leave them without a value, an empty text.
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
    check_choice("way with rows that do not match", unmatched, UNMATCHED)
    table, notes = open_table(read_source(source, name), data), list[str]()
    if column not in table.header and not table.are_objects and _names_a_row(table, data):
        table = table.without_header(data.n_rows)
        notes.append("The first line is a row, not names of columns, so the columns are called by their numbers.")
    asked = Key.of(key, table.header)
    if column is None:
        column = usual if usual in table.header else _only_column(table, data, asked)
    if column is None:
        return _of_list(table, data.n_rows, usual)
    at = table.find(column)
    found = join(table, at, data, key=asked)
    lines, lacking = _line_of_each_row(table, at, found, data, unmatched)
    values, numbers = table.column(at), [record.line for record in table.lines]
    return RowColumn(
        table.name,
        [values[at] if at >= 0 else "" for at in lines],
        [numbers[at] if at >= 0 else 0 for at in lines],
        f"column {column!r}, {found.how}",
        (*notes, *found.notes, *_told(table, found), *lacking),
    )


def _names_a_row(table: Table, data: MultilabelDataset) -> bool:
    """Tell whether a first line of several cells is no header, since it names a row of the data."""
    names = set(data.row_ids or ()) - set(data.label_names)
    return len(table.header) > 1 and any(title in names for title in table.header if title and not is_id_name(title))


def _only_column(table: Table, data: MultilabelDataset, key: Key | None) -> str | None:
    """Choose the one column that there is beside a key; None where there is one text a line."""
    widths = Counter(len(record.cells) for record in table.records)
    if max(widths) == 1:
        return table.header[0] if table.are_objects else None
    if len(widths) > 1 and not table.are_objects:
        msg = f"{table.name} is neither one text a line nor a table: its lines have {min(widths)} to {max(widths)}"
        hint = " columns.\nHint: put texts that hold a comma, semicolon or tab in quotes."
        raise FormatError(msg + hint)
    if len(table.header) == 2:
        found = find_key(table, None, data) if key is None else join(table, None, data, key=key)
        if found is not None:
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


def _line_of_each_row(
    table: Table, at: int, found: LineRows, data: MultilabelDataset, unmatched: Unmatched
) -> tuple[list[int], list[str]]:
    """Find the line of each row, -1 where it has none: several lines of one row have to say the same."""
    values = table.column(at)
    line_of = np.full(data.n_rows, -1, dtype=np.int64)
    rows, lines = found.pairs()
    line_of[rows[::-1]] = lines[::-1]  # so that the first line counts
    again = np.flatnonzero(line_of[rows] != lines)
    pairs = zip(rows[again].tolist(), lines[again].tolist(), strict=True)
    torn = [row for row, line in pairs if values[line] != values[line_of[row]]]
    if torn:
        names = list(dict.fromkeys(_names_of(torn, found, data)))
        msg = f"{table.name} has lines that say different things of {counted(len(names), 'row')}: {listed(names, 3)}."
        raise FoldAssignmentError(msg)
    missing = list(dict.fromkeys(_names_of(np.flatnonzero(line_of < 0).tolist(), found, data)))
    n_missing = int((line_of < 0).sum())
    if missing and unmatched == "error":
        way = argument("unmatched", "leave-out", of="read_column")
        msg = (
            f"The rows of {table.name} are not those of the data: {len(table.lines):,} lines for {data.n_rows:,} rows, "
            f"{n_missing:,} of them missing ({listed(missing)})."
        )
        raise FoldAssignmentError(msg + "\nHint: " + way + " leaves them without a value.")
    said = f"{counted(n_missing, 'row')} of the data {'is' if n_missing == 1 else 'are'} not in {table.name}: "
    return line_of.tolist(), [said + f"{listed(missing, 3)}."] if missing else []


def _names_of(rows: Sequence[int], found: LineRows, data: MultilabelDataset) -> list[str]:
    names = data.row_ids if found.naming is None or found.naming.base is not None else found.naming.names
    return [str(row) if names is None else names[row] for row in rows]


def _told(table: Table, found: LineRows) -> tuple[str, ...]:
    if not found.unknown:
        return ()
    return (f"{name_no_row(found.unknown, table.name, 'line')}: {listed(found.unknown, 3)}.",)


def read_groups(
    source: FileLike,
    data: MultilabelDataset,
    column: str | None = None,
    *,
    key: str | None = None,
    unmatched: Unmatched = "error",
    name: str | None = None,
) -> RowColumn:
    """Read the group of each row, as :func:`read_column` does; or take a column of the data, by its name.

    Rows that are left out have a group of their own.
    """
    own = None
    if isinstance(source, str) and column is None and not os.path.exists(source):
        own = own_groups(data, source)
        if own is None and data.reading is not None and data.reading.columns:
            near = difflib.get_close_matches(source, data.reading.columns, n=1)
            hint = f"\nHint: did you mean the column {clean_name(near[0])!r}?" if near else ""
            msg = f"There is no file {source!r}, nor a column of that name in the data.{hint}"
            raise FormatError(msg)
    if own is not None:
        return own
    read = read_column(source, data, column, key=key, unmatched=unmatched, name=name)
    return read if unmatched == "error" else _each_alone(read)


def own_groups(data: MultilabelDataset, column: str) -> RowColumn | None:
    """Take a column of the data for groups, in which rows without a value are alone; None where there is none."""
    values = own_columns(data, [column]).get(column)
    if values is None:
        return None
    known = ["" if is_missing(each) else each for each in values]
    return _each_alone(RowColumn(data.name, known, [0] * len(known), f"column {column!r} of the data"))


def _each_alone(read: RowColumn) -> RowColumn:
    """Give rows without a group one of their own."""
    alone = [row for row, group in enumerate(read.values) if not group.strip()]
    if not alone:
        return read
    taken, values = set(read.values), list(read.values)
    for row in alone:
        values[row] = f"row {row} alone"
        while values[row] in taken:
            values[row] += "'"
    has = "has one of its" if len(alone) == 1 else "have one of their"
    told = f"{counted(len(alone), 'row')} without a group {has} own."
    return replace(read, values=values, notes=(*read.notes, told))


class GroupNames(list[str]):
    """The group of each row, and where they are from."""

    origin: str = ""  # a column of the data, or a file

    @classmethod
    def of(cls, values: Iterable[str], origin: str) -> GroupNames:
        """Take the groups of rows."""
        names = cls(values)
        names.origin = origin
        return names


def origin_of(groups: Any) -> str:
    """Say where groups are from, behind a noun: " of patient_id"; empty where it is not known."""
    return f" of {clean_name(groups.origin)}" if isinstance(groups, GroupNames) and groups.origin else ""


def groups_of(groups: Any, labels: Any) -> Any:
    """Read groups that are given as a file, or as the name of a column of the data; give others as they are."""
    if not isinstance(groups, str | os.PathLike):
        return groups
    return GroupNames.of(read_groups(groups, as_dataset(labels)).values, os.path.basename(groups))


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
