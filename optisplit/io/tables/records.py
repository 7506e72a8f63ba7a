"""Tables are opened here: text, with the lines that records stand on, and Parquet."""

from __future__ import annotations

import csv
import io
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError, OptisplitError
from optisplit.io.source import UTF8_MARK, decode_text
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.io.source import Source

_DELIMITERS = ",;\t|"
_SAMPLE_CHARS = 100_000
_SAMPLE_RECORDS = 50

csv.field_size_limit(max(csv.field_size_limit(), 1 << 27))  # whole articles stand in some cells


def delimiter_of(text: str) -> str:
    """Tell what stands between the columns of a table, from its beginning; a comma where it has one column only."""
    sample = text[:_SAMPLE_CHARS]
    best, best_score = ",", (0.0, 1)
    for delimiter in _DELIMITERS:
        try:
            records = list(islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), _SAMPLE_RECORDS))
        except csv.Error:
            continue
        is_whole = len(sample) == len(text) or len(records) == _SAMPLE_RECORDS
        widths = Counter(len(record) for record in (records if is_whole else records[:-1]) if record)
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        score = (count / widths.total(), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a table; more than one where a text in quotes goes on."""

    line: int  # the line that it ends in, from 1
    cells: list[str]
    raw: str  # how it stands in the file, with its line end

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return self.cells == [""]

    def cell(self, at: int) -> str:
        """Give a cell, without white space around it."""
        return self.cells[at].strip() if at < len(self.cells) else ""


def read_records(source: Source) -> tuple[list[Record], str]:
    """Read all lines of a text table, and tell what stands between its columns."""
    name = clean_name(source.name)
    if b"\0" in source.data:
        msg = f"{name} is a binary file; a text file is needed."
        raise FormatError(msg)
    text, _ = decode_text(source.data)
    delimiter = delimiter_of(text)
    taken: list[str] = []
    reader = csv.reader(_noted(text, taken), delimiter=delimiter)
    records = []
    try:
        for cells in reader:
            records.append(Record(reader.line_num, cells or [""], "".join(taken)))
            taken.clear()
    except csv.Error as error:
        msg = f"{name} cannot be read at line {reader.line_num:,} ({error}); a quote may be missing."
        raise FormatError(msg) from error
    return records, delimiter


def encoded(text: str, source: Source) -> bytes:
    """Encode text of a table, or all of it, as its file is."""
    is_utf8 = not decode_text(source.data)[1]
    mark = UTF8_MARK if source.data.startswith(UTF8_MARK) else b""
    return mark + (text.encode() if is_utf8 else text.encode("latin-1", "replace"))


@contextmanager
def open_parquet(source: Source) -> Iterator[Any]:
    """Open a Parquet file, and turn what Arrow raises on damaged ones into one error as long as it is open."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        is_held = source.path is None or source.compression is not None
        yield pq.ParquetFile(pa.BufferReader(source.data) if is_held else str(source.path))
    except OptisplitError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, RuntimeError, OverflowError) as error:
        told = f"{source.name!r} is damaged or no Parquet file that can be read"
        msg = f"{told} ({clean_name(error, 100)}); save it again."
        raise FormatError(msg) from error


def _noted(text: str, taken: list[str]) -> Iterator[str]:
    """Yield lines as they stand, and keep those that were asked for."""
    for line in io.StringIO(text, newline=""):
        taken.append(line)
        yield line
