"""CSV, TSV and other text tables, with the lines that records stand on."""

from __future__ import annotations

import csv
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from optisplit.cells import COMMENT_MARKS
from optisplit.errors import FormatError, argument
from optisplit.io.layouts.cells import OTHER, cell_code
from optisplit.io.layouts.reading import is_usual_name
from optisplit.io.layouts.sample import has_label_name, made_up_name
from optisplit.io.source import NOT_UTF8, Source, decode_text
from optisplit.io.tables.dialect import (
    DELIMITERS,
    Dialect,
    Lines,
    dialect_of,
    header_guess,
    header_note,
    with_quotes,
)
from optisplit.io.tables.table import N_SAMPLE, Guess, Table, TableOptions
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import TextIO

    from optisplit.io.tables.table import Chunk

Rows: TypeAlias = "tuple[Sequence[int], list[list[str]]]"
"""Records that are not blank, and the line that each ends in."""

_CELLS_AT_ONCE = 50_000


@contextmanager
def open_text(source: Source, asked: TableOptions) -> Iterator[Table]:
    """Open a text table; it can be gone through once."""
    dialect = dialect_of(decode_text(source.head)[0], asked)
    if dialect.delimiter == "\t" and any(b'"' in block for block in source.blocks(report=False)):
        dialect = with_quotes(dialect, (line for _, line in source.lines()))
    dialect = dialect.guarded_if(source.has_guards)
    with source.open_text() as text:
        records = _Records(text, source, dialect)
        head = _head(records.take(N_SAMPLE), dialect, asked, source.name)
        columns = _Columns(len(head.names), dialect.delimiter, is_ragged=head.is_ragged)
        columns.check(*head.rows)
        is_plain = dialect.is_plain and not head.is_ragged
        has_first = bool(head.rows[0]) and head.rows[0][0] == dialect.n_above + 2
        # a line of names above the rows: Arrow can read that; others go the careful way
        arrow = (dialect.delimiter, dialect.n_above + 1) if is_plain and has_first and head.is_named_above else None
        parted = DELIMITERS.get(dialect.delimiter, repr(dialect.delimiter))
        yield Table(
            source, head.names, columns.of(head.rows[1], range(len(head.names))),
            lambda needed: records.chunks(head.rows, columns, needed),
            form=source.form or f"Text table with {parted} between columns", text=arrow,
            notes=[*([NOT_UTF8] if source.encoding == "latin-1" else []), *head.notes],
            late_notes=records.notes,
            guesses=[*(dialect.guesses(asked) if source.sheet is None else ()), *head.guesses],
        )  # fmt: skip


class _Records:
    """The records of a text, from its start."""

    def __init__(self, text: TextIO, source: Source, dialect: Dialect) -> None:
        self._source, self._dialect = source, dialect
        self._lines = Lines(text, dialect, strict=True)
        self._n_left_out = self._n_at_end = 0

    def take(self, count: int) -> Rows:
        """Read so many records, or those that are left."""
        before = self._lines.n_read
        try:
            records, ends = self._lines.records(count)
        except csv.Error as error:
            msg = _why_unreadable(error, self._source, self._dialect)
            raise FormatError(msg) from error
        lines: Sequence[int] = range(before + 1, before + len(records) + 1) if ends is None else ends
        if ends is None and self._lines.n_read - before != len(records):  # texts of several lines
            spans = [1 + sum(cell.count("\n") or cell.count("\r") for cell in record) for record in records]
            lines = (before + np.cumsum(spans)).tolist()
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

    def notes(self) -> list[str]:
        """Tell, once all is read, which lines were left out."""
        told = []
        if count := self._lines.n_comments:
            begins = f"{'begins' if count == 1 else 'begin'} with {self._dialect.comment!r}"
            told.append(f"{counted(count, 'line')} {begins} and {'is no row' if count == 1 else 'are no rows'}.")
        if self._n_left_out:
            told.append(f"{counted(self._n_left_out, 'blank line', 'was')} left out: a blank line is no row.")
        return told

    def chunks(self, first: Rows, columns: _Columns, needed: Collection[int] | None) -> Iterator[Chunk]:
        """Yield all rows column by column, only some columns if told so."""
        at_once = max(1, _CELLS_AT_ONCE // columns.count)
        rows = first
        while True:
            lines, records = rows
            if records:
                columns.check(lines, records)
                yield lines, columns.of(records, needed)
            before = self._lines.n_read
            rows = self.take(at_once)
            if not rows[1] and self._lines.n_read == before:
                return


@dataclass
class _Columns:
    """Records turned into columns; where rows are ragged, the last one is what is left of each row."""

    count: int
    delimiter: str
    is_ragged: bool = False

    def _fits(self, width: int) -> bool:
        return width >= self.count - 1 if self.is_ragged else width == self.count

    def check(self, lines: Sequence[int], records: list[list[str]]) -> None:
        """Refuse rows of another width."""
        if all(map(self._fits, set(map(len, records)))):
            return
        line, record = next(each for each in zip(lines, records, strict=True) if not self._fits(len(each[1])))
        msg = (
            f"The row that ends in line {line:,} has {counted(len(record), 'cell')}, but there are {self.count:,} "
            "columns; a delimiter may be missing or too many, or a text needs quotes."
        )
        if mark := next((each for each in COMMENT_MARKS if record[0].startswith(each)), None):
            raise FormatError(msg + "\nHint: if it is a comment, say so: " + argument("comment", mark) + ".")
        if (other := self._other_delimiter(records)) is not None:
            raise FormatError(msg + "\nHint: lines have equally many cells with " + argument("delimiter", other) + ".")
        raise FormatError(msg)

    def _other_delimiter(self, records: list[list[str]]) -> str | None:
        """Find a delimiter by which all lines have as many cells."""
        lines = [self.delimiter.join(record) for record in records]
        for other in DELIMITERS:
            widths = {line.count(other) for line in lines}
            if other != self.delimiter and len(widths) == 1 and 0 not in widths:
                return other
        return None

    def of(self, records: list[list[str]], needed: Collection[int] | None = None) -> list[Sequence[Any]]:
        """Give the columns, or those that are needed."""
        if not records:
            return [() for _ in range(self.count)]
        last = self.count - 1
        if (needed is None or len(needed) == self.count) and not self.is_ragged:
            return list(zip(*records, strict=True))
        wanted = range(self.count) if needed is None else needed
        columns: list[Sequence[Any]] = [
            [record[j] for record in records] if j in wanted and (j < last or not self.is_ragged) else ()
            for j in range(self.count)
        ]
        if self.is_ragged and last in wanted:
            rest = [[cell.strip() for cell in record[last:] if cell.strip()] for record in records]
            columns[last] = rest if needed is not None else [", ".join(cells) for cells in rest]
        return columns


@dataclass
class _Head:
    """The start of a table: its names, and its first rows."""

    names: list[str]
    rows: Rows
    is_named_above: bool  # whether the names stand in the line above the rows
    is_ragged: bool = False
    notes: list[str] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)


def _head(rows: Rows, dialect: Dialect, asked: TableOptions, name: str) -> _Head:
    """Take off the header, or make one up."""
    lines, records = rows
    if not records:
        raise FormatError.no_rows(name)
    guess = header_guess(records, list(map(is_usual_name, records[0])))
    if dialect.names is not None and asked.header is not True and not (guess.value and guess.is_sure and records[1:]):
        note = f"The names of the columns are taken from a comment line: {listed(list(dialect.names))}."
        return _Head(list(dialect.names), rows, is_named_above=False, notes=[note])
    has_header = bool(guess.value) if asked.header is None else asked.header
    if has_header and len(records) == 1:
        if asked.header or _is_only_names(records[0]):
            msg = f"{name!r} has a header but no rows."
            raise FormatError(msg + "\nHint: if its only line is a row, say so: " + argument("header", False) + ".")
        has_header = False
    guesses = [] if asked.header is not None else [guess]
    if not has_header:
        is_ragged = _is_ragged(records, None)
        width = min(map(len, records)) if is_ragged else len(records[0])
        names = [made_up_name(j) for j in range(1, width + 1)]
        head = _Head(names, rows, is_named_above=False, is_ragged=is_ragged, guesses=guesses)
    else:
        names = [each.strip() for each in records[0]]
        if len(records[1]) == len(names) + 1 and not has_label_name(names[-1]):
            names.insert(0, "")  # R leaves out the name of the row names
        head = _Head(names, (lines[1:], records[1:]), is_named_above=True, guesses=guesses)
        head.is_ragged = _is_ragged(records[1:], names)
        repeated = [clean_name(each) for each, count in Counter(names).items() if count > 1 and each]
        if repeated:
            told = f"{counted(len(repeated), 'column name', 'occurs')} more than once: {listed(repeated)}."
            head.notes.append(told)
    said = None if asked.header is not None else header_note(guess, names if has_header else ())
    if said is not None:
        head.notes.append(said)
    if head.is_ragged:
        last = clean_name(head.names[-1])
        head.notes.append(f"Rows are of unlike length: all cells from the column {last!r} on are taken as one list.")
    return head


def _is_only_names(record: list[str]) -> bool:
    return any(map(is_usual_name, record)) or not any(any(char.isdecimal() for char in cell) for cell in record)


def _is_ragged(records: list[list[str]], names: list[str] | None) -> bool:
    """Tell whether the last cells of rows, as many as there are, are all labels: short texts that come again."""
    widths = [len(record) for record in records]
    width = min(widths) if names is None else len(names)
    if min(widths) < max(1, width - 1) or max(widths) <= width or len(records) < 2 or width < 2:
        return False
    cells = [cell for record in records for cell in record[width - 1 :] if cell.strip()]
    if not cells or max(map(len, cells)) > 80 or any(cell.startswith(" ") for cell in cells):
        return False  # a text with a delimiter in it, which needs quotes
    if all(cell_code(cell) < OTHER for cell in cells):
        return False  # 0 and 1 for labels, with one too many
    recurring = sum(count for count in Counter(map(str.strip, cells)).values() if count > 1) / len(cells)
    is_named = names is not None and has_label_name(names[-1])
    return recurring >= (0.3 if is_named else 0.6)


def _why_unreadable(error: csv.Error, source: Source, dialect: Dialect) -> str:
    """Say where a record that cannot be read begins and ends, for which the file is read once more."""
    with source.open_text() as text:
        lines = Lines(text, dialect, strict=True)
        first = 1
        with suppress(csv.Error):
            while lines.records(1)[0]:
                first = lines.n_read + 1
        last = lines.n_read
    if "unexpected end of data" in str(error):
        return f"The quote that opens in line {first:,} is never closed; close it, or take it out."
    if "expected after" in str(error):
        where = f"line {first:,}" if first >= last else f"lines {first:,} to {last:,}"
        return (
            f"The table cannot be read in {where}: something follows a closing quote. A quote may be missing there, or "
            "one inside a text is not doubled."
        )
    return f"The table cannot be read in line {last:,} ({error})."
