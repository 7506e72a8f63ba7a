"""CSV, TSV and other text tables."""

from __future__ import annotations

import csv
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from optisplit.errors import FormatError
from optisplit.io.layouts.find import NUMBER, find_ids, find_layout, made_up_name
from optisplit.io.layouts.named import read_as_chosen
from optisplit.io.layouts.one_hot import cross_check
from optisplit.io.source import NOT_UTF8, Source, decode_text
from optisplit.io.tables.records import delimiter_of
from optisplit.io.tables.table import N_SAMPLE, Table, TableOptions
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from optisplit.io.parsed import Parsed
    from optisplit.io.tables.table import Chunk

_DELIMITER_NAMES = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
_CELLS_AT_ONCE = 50_000


def read_delimited(source: Source, **options: Any) -> Parsed:
    """Read the labels of a text table.

    - Labels are columns of 0 and 1 (also 0.0/1.0, True/False, yes/no); or are named in a column of lists, in several
      columns, or in a line for each pair of row and label.
    - Without `label_columns`, all columns whose every value is 0 or 1 are taken, but for row ids and columns whose
      names say that they are folds or groups; a note names them.
    - A column that is 0/1 but for a few other values is an error, not a feature: it is more likely a mistake.
    """
    notes = [NOT_UTF8] if source.encoding == "latin-1" else []
    delimiter = delimiter_of(decode_text(source.head)[0])
    with source.open_text() as text:
        asked = TableOptions(**options)
        records = _Table(csv.reader(text, delimiter=delimiter, strict=True), source, delimiter)
        names, first = _header(records.take(N_SAMPLE), source.name, notes)
        _check_widths(*first, len(names))
        sample = list(zip(*first[1], strict=True))
        is_plain = bool(first[0]) and first[0][0] == 2  # a line of names above the rows; others go the careful way
        table = Table(
            source, names, sample, lambda needed: records.chunks(first, len(names), needed), id_column=find_ids(names),
            text=(delimiter, 1) if is_plain else None,
        )  # fmt: skip
        choice = find_layout(table, asked)
        parsed = read_as_chosen(choice, table, asked)
        if choice.layout == "one-hot":
            parsed.notes += cross_check(names, sample, parsed)
        parsed.sample = dict(zip(names, sample, strict=True))
        records.add_note(notes)
    parsed.notes = [*notes, *parsed.notes]
    parsed.form = f"Text table with {_DELIMITER_NAMES[delimiter]} between columns"
    parsed.details |= {"Columns": f"{len(names):,}", "Text": "Latin-1" if source.encoding == "latin-1" else "UTF-8"}
    return parsed


Rows: TypeAlias = "tuple[Sequence[int], list[list[str]]]"
"""Records that are not blank, and the line that each ends in."""


class _Table:
    """The records of a table, from its start."""

    def __init__(self, reader: Any, source: Source, delimiter: str) -> None:
        self._reader, self._source, self._delimiter = reader, source, delimiter
        self._n_left_out = self._n_at_end = 0

    def take(self, count: int) -> Rows:
        """Read so many records, or those that are left."""
        before = self._reader.line_num
        try:
            records = list(islice(self._reader, count))
        except csv.Error as error:
            msg = _why_unreadable(error, self._source, self._delimiter)
            raise FormatError(msg) from error
        lines: Sequence[int] = range(before + 1, before + len(records) + 1)
        if self._reader.line_num - before != len(records):  # texts of several lines
            ends = [1 + sum(cell.count("\n") or cell.count("\r") for cell in record) for record in records]
            lines = (before + np.cumsum(ends)).tolist()
        if all(record and record[0] for record in records):
            if records:
                self._n_left_out += self._n_at_end
                self._n_at_end = 0
            return lines, records
        kept = [at for at, record in enumerate(records) if any(record)]
        if kept:  # what is left out at the end of the file needs no telling
            self._n_left_out += self._n_at_end + kept[-1] + 1 - len(kept)
            self._n_at_end = 0
        self._n_at_end += len(records) - (kept[-1] + 1 if kept else 0)
        return [lines[at] for at in kept], [records[at] for at in kept]

    def add_note(self, notes: list[str]) -> None:
        """Tell, once all is read, which lines between others were left out."""
        if self._n_left_out:
            notes.append(f"{counted(self._n_left_out, 'blank line', 'was')} left out: a blank line is no row.")

    def chunks(self, first: Rows, n_columns: int, needed: Collection[int] | None) -> Iterator[Chunk]:
        """Yield all rows column by column, only some columns if told so."""
        at_once = max(1, _CELLS_AT_ONCE // n_columns)
        rows = first
        while True:
            lines, records = rows
            if records:
                _check_widths(lines, records, n_columns)
                if needed is None:
                    yield lines, list(zip(*records, strict=True))
                else:
                    yield lines, [[record[j] for record in records] if j in needed else () for j in range(n_columns)]
            before = self._reader.line_num
            rows = self.take(at_once)
            if not rows[1] and self._reader.line_num == before:
                return


def _why_unreadable(error: csv.Error, source: Source, delimiter: str) -> str:
    """Say where a record that cannot be read begins and ends, for which the file is read once more."""
    with source.open_text() as text:
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        first = 1
        with suppress(csv.Error):
            for _ in reader:
                first = reader.line_num + 1
        last = reader.line_num
    if "unexpected end of data" in str(error):
        return f"The quote that opens in line {first:,} is never closed; close it, or take it out."
    if "expected after" in str(error):
        where = f"line {first:,}" if first >= last else f"lines {first:,} to {last:,}"
        return (
            f"The table cannot be read in {where}: something follows a closing quote. A quote may be missing there, or "
            "one inside a text is not doubled."
        )
    return f"The table cannot be read in line {last:,} ({error})."


def _header(rows: Rows, name: str, notes: list[str]) -> tuple[list[str], Rows]:
    """Take off the header, or make one up; give the names and the remaining rows."""
    lines, records = rows
    if not records or (len(records) == 1 and not _is_data(records[0])):
        msg = f"{name!r} has a header but no rows." if records else f"{name!r} has no rows."
        raise FormatError(msg)
    if _is_data(records[0]) or _recurs(records):
        notes.append("The first line holds values, not names, so the columns are called by their numbers, from 1.")
        return [made_up_name(j) for j in range(1, len(records[0]) + 1)], rows
    names = [each.strip() for each in records[0]]
    if len(records[1]) == len(names) + 1:
        names.insert(0, "")  # R leaves out the name of the row names
    repeated = [clean_name(each) for each, count in Counter(names).items() if count > 1 and each]
    if repeated:
        notes.append(f"{counted(len(repeated), 'column name', 'occurs')} more than once: {listed(repeated)}.")
    if all(NUMBER.fullmatch(each) for each in names if each):
        notes.append(f"The first line was taken as column names, though they are numbers: {listed(names)}.")
    return names, (lines[1:], records[1:])


def _recurs(records: list[list[str]]) -> bool:
    """Tell whether texts of the first line are values of their columns, as in tables of pairs without a header."""
    first, rest = records[0], records[1:]
    if any(record == first for record in rest):
        return False  # a header that is repeated, as where files were put together
    for j, cell in enumerate(first):
        if not cell.strip() or NUMBER.fullmatch(cell.strip()):
            continue
        values = {record[j] for record in rest if len(record) > j and record[j].strip()}
        if cell in values and len(values) > 1:  # a column may have its own name wherever a row has the label
            return True
    return False


def _is_data(record: list[str]) -> bool:
    """Tell whether a first line is a row: numbers that no one would call columns."""
    cells = [cell.strip() for cell in record]
    numbers = [cell for cell in cells if NUMBER.fullmatch(cell)]
    has_repeats = any(numbers.count(cell) > 1 for cell in ("0", "1", "0.0", "1.0"))
    has_fractions = len(numbers) == len(cells) and not all(cell.isdecimal() for cell in numbers)
    return has_repeats or has_fractions


def _check_widths(lines: Sequence[int], records: list[list[str]], n_columns: int) -> None:
    if set(map(len, records)) <= {n_columns}:
        return
    line, record = next(each for each in zip(lines, records, strict=True) if len(each[1]) != n_columns)
    msg = (
        f"The row that ends in line {line:,} has {counted(len(record), 'cell')}, but there are {n_columns:,} columns; "
        "a delimiter may be missing or too many, or a text needs quotes."
    )
    raise FormatError(msg)
