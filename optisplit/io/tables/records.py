"""Text tables are opened here, with the lines that records stand on."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.errors import FormatError
from optisplit.io.source import UTF8_MARK, decode_text
from optisplit.io.tables.dialect import Lines, dialect_of, with_quotes
from optisplit.io.tables.table import TableOptions
from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.io.source import Source
    from optisplit.io.tables.dialect import Dialect


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a table; more than one where a text in quotes goes on."""

    line: int  # the line that it ends in, from 1
    cells: list[str]
    raw: str  # how it stands in the file, with its line end
    above: str = ""  # the comment lines before it

    @property
    def whole(self) -> str:
        """How it stands in the file, with the comment lines before it."""
        return self.above + self.raw

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return self.cells == [""]

    def cell(self, at: int) -> str:
        """Give a cell, without white space around it."""
        return self.cells[at].strip() if at < len(self.cells) else ""


def read_records(source: Source, asked: TableOptions | None = None) -> tuple[list[Record], Dialect]:
    """Read all lines of a text table, at least one, and tell how it is written.

    A record takes the comment lines before it along; the first one is the header also where a comment line has it.
    """
    name = clean_name(source.name)
    if b"\0" in source.data:
        msg = f"{name} is a binary file; a text file is needed."
        raise FormatError(msg)
    text, _ = decode_text(source.data)
    dialect = with_quotes(dialect_of(text, asked or TableOptions()), io.BytesIO(source.data))
    dialect = dialect.guarded_if(source.has_guards)
    lines = Lines(io.StringIO(text, newline=""), dialect, keeps=True)
    records, top = [], lines.above
    if dialect.names is not None:
        records.append(Record(dialect.n_above, list(dialect.names), top))
        top = ""
    try:
        while read := lines.records(1)[0]:
            raw, above = lines.taken()
            records.append(Record(lines.n_read, read[0] or [""], raw, top + above))
            top = ""
    except csv.Error as error:
        msg = f"{name} cannot be read at line {lines.n_read:,} ({error}); a quote may be missing."
        raise FormatError(msg) from error
    if rest := "".join(lines.taken()):  # comments at the end
        records.append(Record(lines.n_read, [""], rest))
    if not records:  # an empty file of an archive
        raise FormatError.no_rows(name)
    return records, dialect


def encoded(text: str, source: Source) -> bytes:
    """Encode text of a table, or all of it, as its file is."""
    is_utf8 = not decode_text(source.data)[1]
    mark = UTF8_MARK if source.data.startswith(UTF8_MARK) else b""
    return mark + (text.encode() if is_utf8 else text.encode("latin-1", "replace"))
