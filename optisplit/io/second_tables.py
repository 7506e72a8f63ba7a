"""Tables that say something of the rows of other data: text, JSON Lines or Parquet, read whole and as text.

What is no simple value in JSON Lines and Parquet is left out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError, OptionError
from optisplit.io.layouts.arrow import values_of
from optisplit.io.layouts.cells import MISSING, cell_code
from optisplit.io.layouts.sample import made_up_name
from optisplit.io.sizes import MAX_ROWS, check_stated
from optisplit.io.source import UTF8_MARK, FileLike, Source, read_source
from optisplit.io.tables.dialect import Dialect
from optisplit.io.tables.parquet_file import open_parquet
from optisplit.io.tables.records import Record, read_records
from optisplit.io.tables.table import TableOptions
from optisplit.io.tables.text import open_text
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from optisplit.labels import MultilabelDataset

PLACE = re.compile(r"(-?[0-9]{1,9})(\.0*)?")
"""A fold's number, or -1."""

_MAX_CELL_BYTES = 300
_ROWS_AT_ONCE = 20_000


@dataclass(frozen=True)
class Table:
    """A table whose lines say something of rows."""

    name: str  # the file's
    records: list[Record]  # all that stands in it
    dialect: Dialect  # how it is written
    header: list[str]  # the names of its columns
    lines: list[Record]  # those that are for rows
    are_objects: bool = False  # whether it is no text table, but JSON Lines or Parquet
    is_own: bool = False  # whether it is the file of the data themselves

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
        header = [made_up_name(at) for at in range(1, width + 1)]
        return replace(self, header=header, lines=_lines_in(self.records, width, n_rows))

    def as_list(self, n_rows: int, is_title: Callable[[str], bool]) -> Table:
        """Take it for one text a line, with or without a header.

        One line too many makes the first a header, unless it is a number or occurs again below.
        """
        lines = _without_blank_end(self.records, n_rows)
        first = lines[0].cell(0)
        is_extra = len(lines) == n_rows + 1 and not PLACE.fullmatch(first)
        is_extra = is_extra and all(record.cell(0) != first for record in lines[1:])
        if not is_missing(first) and (is_title(first) or is_extra):
            return replace(self, header=[clean_name(first)], lines=_without_blank_end(self.records[1:], n_rows))
        return replace(self, header=[""], lines=lines)


def open_table(source: Source, data: MultilabelDataset | None = None) -> Table:
    """Read a table: text, JSON Lines or Parquet."""
    n_rows, n_file_rows, most_rows = 0, 0, None
    if data is not None:
        n_file_rows = 0 if data.reading is None else data.reading.n_file_rows
        # a line a row, or a line a label of a row
        n_rows, most_rows = data.n_rows, 10 * max(data.n_rows, n_file_rows) + data.n_positives + 1000
    is_of_objects = are_objects(source)
    if is_of_objects:
        records, dialect = records_of_objects(source, most_rows), Dialect()
    else:
        records, dialect = read_records(source, options_of(source, data))
    header = [clean_name(title) for title in records[0].cells]
    if len(records) > 1 and len(records[1].cells) == len(header) + 1:
        header = ["", *header]  # R leaves out the name of the row names
    is_own, start = is_file_of(source, data), 1
    if is_own and data is not None and data.reading is not None and data.reading.columns[:1] == (made_up_name(1),):
        header, start = list(data.reading.columns), 0  # its first line was read as a row
    lines = _lines_in(records[start:], len(header), n_rows)
    is_own = is_own and len(lines) == n_file_rows
    return Table(clean_name(source.name), records, dialect, header, lines, is_of_objects, is_own)


def columns_of(source: FileLike, *, name: str | None = None) -> tuple[str, ...]:
    """Name the columns of a table, from its beginning; none where it has one only."""
    opened = read_source(source, name)
    beginning = opened if are_objects(opened) else Source(opened.head, opened.unpacked_name)
    header = open_table(beginning).header
    return tuple(dict.fromkeys(header)) if len(header) > 1 else ()


def cells_of(
    source: Source, titles: Collection[str] | None, asked: TableOptions | None = None, most: int | None = None
) -> dict[str, list[str]]:
    """Read columns of a table, some or all, line by line; those that it has not once are left out.

    `most`: only so many rows.
    """
    if are_objects(source):
        table = open_table(source)
        wanted = {at: title for at, title in enumerate(table.header) if titles is None or title in titles}
        return {title: table.column(at)[:most] for at, title in wanted.items()}
    with open_text(source, asked or TableOptions()) as opened:
        header = [clean_name(title) for title in opened.names]
        counts = Counter(header)
        wanted = {
            at: title for at, title in enumerate(header) if (titles is None or title in titles) and counts[title] == 1
        }
        found: dict[str, list[str]] = {title: [] for title in wanted.values()}
        for lines, cells in opened.chunks(wanted) if wanted else ():
            for at, title in wanted.items():
                found[title].extend(cell.strip() if isinstance(cell, str) else ", ".join(cell) for cell in cells[at])
            if most is not None and len(lines) and len(next(iter(found.values()))) >= most:
                break
    return {title: cells[:most] for title, cells in found.items()}


def is_file_of(source: Source, data: MultilabelDataset | None) -> bool:
    """Tell whether it is the data's own file."""
    reading = None if data is None else data.reading
    return reading is not None and reading.file is not None and source.is_of(reading.file)


def options_of(source: Source, data: MultilabelDataset | None) -> TableOptions:
    """Give what was said of how to read a file's table, where it is the data's own file."""
    if data is None or data.reading is None or not is_file_of(source, data):
        return TableOptions()
    return TableOptions(**{option: data.reading.options.get(option) for option in ("header", "comment", "delimiter")})


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


def is_parquet(source: Source) -> bool:
    """Tell whether a file is Parquet."""
    return source.head.startswith(b"PAR1")


def are_objects(source: Source) -> bool:
    """Tell whether a file is Parquet, or has a JSON object on each of several lines."""
    if is_parquet(source):
        return True
    lines = [line for line in source.head.removeprefix(UTF8_MARK).splitlines()[:3] if line.strip()]
    return len(lines) > 1 and all(line.strip().startswith(b"{") for line in lines) and object_in(lines[0]) is not None


def records_of_objects(source: Source, most_rows: int | None = None) -> list[Record]:
    """Read the simple values of objects as a table: a header, and a line an object."""
    if is_parquet(source):
        return _of_parquet(source, most_rows or MAX_ROWS)
    rows = []
    for number, line in source.lines():
        if not line.strip():
            continue
        row = object_in(line)
        if row is None:
            msg = f"{clean_name(source.name)}, line {number:,}, is no JSON object, unlike the first one."
            raise FormatError(msg)
        rows.append((number, row))
    titles = list(dict.fromkeys(key for _, row in rows[:1000] for key in row))
    check_stated(clean_name(source.name), len(source.data), keys=len(titles), written=len(rows) * len(titles))
    header = Record(0, titles, "")
    return [header, *(Record(number, [as_text(row.get(key)) for key in titles], "") for number, row in rows)]


def object_in(line: bytes) -> dict[str, Any] | None:
    """Read the JSON object on a line; None where there is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _of_parquet(source: Source, most_rows: int) -> list[Record]:
    import pyarrow as pa

    name = clean_name(source.name)
    with open_parquet(source) as file:
        n_rows = file.n_rows
        if n_rows > most_rows:
            msg = f"{name} says that it has {n_rows:,} rows, far more than the data."
            raise FormatError(msg)
        # the sizes of columns are weighed as they are read: Arrow ends the whole process where it is asked for those
        # that a damaged file states
        most_bytes = _MAX_CELL_BYTES * max(1, n_rows) + 10_000
        held: dict[str, list[str]] = {
            field.name: [] for field in file.schema_arrow if not pa.types.is_nested(field.type)
        }
        n_bytes = dict.fromkeys(held, 0)
        for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=list(held)):
            for title, column in zip(batch.schema.names, batch.columns, strict=True):
                if title not in held:
                    continue
                n_bytes[title] += column.nbytes
                if n_bytes[title] > most_bytes:  # long texts are no parts, and no ids worth their memory
                    del held[title]
                else:
                    held[title].extend(map(as_text, values_of(column)))
        columns = list(held.values())
    if not columns:
        msg = f"{name} has no column with simple values, so none that says the part of a row."
        raise FormatError(msg)
    header = Record(0, list(held), "")
    return [header, *(Record(at, list(cells), "") for at, cells in enumerate(zip(*columns, strict=True), start=1))]


def as_text(value: Any) -> str:
    """Write a simple value as text tables have it; nothing for what is none."""
    if value is None or isinstance(value, list | dict):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:
        return str(int(value))
    try:
        return str(value)
    except NotImplementedError:  # of pandas, for years that Python does not have
        return str(value.to_datetime64())
