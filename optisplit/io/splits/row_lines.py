"""The lines of a text file that hold its rows, as they stand, so that some of them can be put into another file."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.io.source import UTF8_MARK, decode_text
from optisplit.io.tables.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optisplit.io.source import Source
    from optisplit.io.tables.records import Record

_ARFF_STARTS = (b"@relation", b"@attribute", b"%")
_STATED_SPLIT = re.compile(rb"\s*-split-(?:number|percentage)\s+[0-9.]+")
_FIRST_NUMBER = re.compile(rb"\d+")
WITH_COUNT = ("xmc", "xmc-labels")
_PLAIN = ("libsvm", "idtext", "jsonl", *WITH_COUNT)


@dataclass(frozen=True, slots=True)
class RowLines:
    """A text file taken apart."""

    format: str  # ``arff``, ``delimited``, ``jsonl``, ``libsvm``, ``idtext``, ``xmc`` or ``xmc-labels``
    head: bytes  # what stands before the rows: a header, or nothing
    rows: list[bytes]  # how each row stands in the file, with its line end, and with the comments before it in ARFF

    @property
    def line_end(self) -> bytes:
        """How lines end."""
        first = self.head or (self.rows[0] if self.rows else b"")
        return b"\r\n" if first.endswith(b"\r\n") else b"\n"

    def head_for(self, n_rows: int) -> bytes:
        """Give the head of a file with some of the rows."""
        if self.format in WITH_COUNT:
            return _FIRST_NUMBER.sub(b"%d" % n_rows, self.head, count=1)
        if self.format == "arff":
            lines = self.head.split(b"\n")
            return b"\n".join(_STATED_SPLIT.sub(b"", line) if _is_relation(line) else line for line in lines)
        return self.head

    def with_rows(self, rows: Iterable[int]) -> bytes:
        """Make a file of some of the rows."""
        lines = [self.rows[row] for row in rows]
        return self.head_for(len(lines)) + joined(lines, self.line_end)


def is_arff(start: bytes) -> bool:
    """Tell whether a file begins like ARFF."""
    return start.removeprefix(UTF8_MARK).lstrip()[:10].lower().startswith(_ARFF_STARTS)


def joined(lines: Sequence[bytes], line_end: bytes) -> bytes:
    r"""Put lines together; the last line of a file may have no end, and needs one where another follows."""
    return b"".join(
        line if line.endswith((b"\n", b"\r")) or at == len(lines) - 1 else line + line_end
        for at, line in enumerate(lines)
    )


def row_lines(source: Source, format: str | None = None, n_rows: int | None = None) -> RowLines | None:
    """Take a text file apart."""
    data = source.data
    if b"\0" in data[:8192]:
        return None
    if format is None:
        format = "arff" if is_arff(data) else "delimited"
    if format == "arff":
        found = _of_arff(data)
    elif format in _PLAIN:
        found = _of_lines(data, format, n_rows)
    elif format == "delimited":
        found = _of_table(source, n_rows)
    else:
        return None
    return found if found is None or n_rows is None or len(found.rows) == n_rows else None


def _is_relation(line: bytes) -> bool:
    return line.removeprefix(UTF8_MARK).lstrip()[:9].lower() == b"@relation"


def _of_arff(data: bytes) -> RowLines | None:
    lines = io.BytesIO(data).readlines()
    start = next((at for at, line in enumerate(lines) if line.strip()[:5].lower() == b"@data"), None)
    if start is None:
        return None
    rows, before = [], b""
    for line in lines[start + 1 :]:
        if not line.strip() or line.lstrip().startswith(b"%"):
            before += line
        else:
            rows.append(before + line)
            before = b""
    return RowLines("arff", b"".join(lines[: start + 1]), rows)


def _of_lines(data: bytes, format: str, n_rows: int | None) -> RowLines:
    lines = io.BytesIO(data).readlines()
    n_head = 0
    if format in WITH_COUNT:  # the first line that is not blank
        n_head = next((at for at, line in enumerate(lines) if line.removeprefix(UTF8_MARK).strip()), 0) + 1
    head, below = b"".join(lines[:n_head]), lines[n_head:]
    if format in WITH_COUNT and len(below) == n_rows:  # blank lines are rows, where the first line counts them
        return RowLines(format, head, below)
    return RowLines(format, head, [line for line in below if line.strip()])


def _of_table(source: Source, n_rows: int | None) -> RowLines | None:
    records, _ = read_records(source)
    n_head = head_lines(records, n_rows)
    if n_head is None:
        return None
    coding = "latin-1" if decode_text(source.data)[1] else "utf-8"
    mark = UTF8_MARK if source.data.startswith(UTF8_MARK) else b""
    head = mark + "".join(record.whole for record in records[:n_head]).encode(coding)
    return RowLines("delimited", head, [rec.whole.encode(coding) for rec in records[n_head:] if any(rec.cells)])


def head_lines(records: Sequence[Record], n_rows: int | None) -> int | None:
    """Tell how many records of a table stand above its rows: the header, and blank lines before it."""
    n_filled = sum(any(record.cells) for record in records)
    if n_filled == n_rows:
        return 0
    if n_rows is not None and n_filled != n_rows + 1:
        return None
    return next((at for at, record in enumerate(records) if any(record.cells)), 0) + 1
