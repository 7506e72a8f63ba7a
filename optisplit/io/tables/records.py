"""Text tables are opened here, with the lines that records stand on."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.errors import FormatError
from optisplit.io.source import UTF8_MARK, decode_text
from optisplit.io.tables.dialect import dialect_of, with_quotes
from optisplit.io.tables.table import TableOptions
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.io.source import Source
    from optisplit.io.tables.dialect import Dialect


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a table; more than one where a text in quotes goes on."""

    line: int  # the line that it ends in, from 1
    cells: list[str]
    raw: str  # how it stands in the file, with its line end and the comment lines before it

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return self.cells == [""]

    def cell(self, at: int) -> str:
        """Give a cell, without white space around it."""
        return self.cells[at].strip() if at < len(self.cells) else ""


def read_records(source: Source, asked: TableOptions | None = None) -> tuple[list[Record], Dialect]:
    """Read all lines of a text table, and tell how it is written.

    A record takes the comment lines before it along; the first one is the header also where a comment line has it.
    """
    name = clean_name(source.name)
    if b"\0" in source.data:
        msg = f"{name} is a binary file; a text file is needed."
        raise FormatError(msg)
    text, _ = decode_text(source.data)
    dialect = with_quotes(dialect_of(text, asked or TableOptions()), io.BytesIO(source.data))
    lines = RawLines(text, dialect)
    reader = dialect.reader(iter(lines))
    records, above = [], lines.above
    if dialect.names is not None:
        records.append(Record(dialect.n_above, list(dialect.names), above))
        above = ""
    try:
        while True:
            lines.at_start = True
            cells = next(reader, None)
            if cells is None:
                break
            records.append(Record(lines.n_read, cells or [""], above + lines.taken()))
            above = ""
    except csv.Error as error:
        msg = f"{name} cannot be read at line {lines.n_read:,} ({error}); a quote may be missing."
        raise FormatError(msg) from error
    if rest := lines.taken():  # comments at the end
        records.append(Record(lines.n_read, [""], rest))
    return records, dialect


class RawLines:
    """The lines of a text that are no comments, and how all of them stand in the file."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._lines, self._mark = io.StringIO(text, newline=""), dialect.comment
        self.above = "".join(self._lines.readline() for _ in range(dialect.n_above))
        self.n_read = dialect.n_above
        self.at_start = True
        self._taken: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.n_read += 1
            self._taken.append(line)
            if self._mark and self.at_start and line.startswith(self._mark):
                continue
            self.at_start = False
            yield line

    def taken(self) -> str:
        """Give the lines that were read since it was last asked."""
        text = "".join(self._taken)
        self._taken.clear()
        return text


def encoded(text: str, source: Source) -> bytes:
    """Encode text of a table, or all of it, as its file is."""
    is_utf8 = not decode_text(source.data)[1]
    mark = UTF8_MARK if source.data.startswith(UTF8_MARK) else b""
    return mark + (text.encode() if is_utf8 else text.encode("latin-1", "replace"))
