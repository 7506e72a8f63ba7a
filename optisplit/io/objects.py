"""Tables whose rows are objects: JSON Lines and Parquet files, of which the simple values are read as text."""

from __future__ import annotations

import json
from typing import Any

from optisplit.errors import FormatError
from optisplit.io.formats.parsed import MAX_ROWS
from optisplit.io.source import UTF8_MARK, Source
from optisplit.io.tables import Record
from optisplit.text import clean_name

_MAX_CELL_BYTES = 300
_ROWS_AT_ONCE = 20_000


def is_parquet(source: Source) -> bool:
    """Tell whether a file is Parquet."""
    return source.head.startswith(b"PAR1")


def are_objects(source: Source) -> bool:
    """Tell whether a file is Parquet, or has a JSON object on each of several lines."""
    if is_parquet(source):
        return True
    lines = [line for line in source.head.removeprefix(UTF8_MARK).splitlines()[:3] if line.strip()]
    return len(lines) > 1 and all(line.strip().startswith(b"{") for line in lines) and _object(lines[0]) is not None


def records_of_objects(source: Source, most_rows: int | None = None) -> list[Record]:
    """Read the simple values of objects as a table: a header, and a line an object."""
    if is_parquet(source):
        return _of_parquet(source, most_rows or MAX_ROWS)
    rows = []
    for number, line in source.lines():
        if not line.strip():
            continue
        row = _object(line)
        if row is None:
            msg = f"{clean_name(source.name)}, line {number:,}, is no JSON object, unlike the first one."
            raise FormatError(msg)
        rows.append((number, row))
    titles = list(dict.fromkeys(key for _, row in rows[:1000] for key in row))
    header = Record(0, titles, "")
    return [header, *(Record(number, [_text(row.get(key)) for key in titles], "") for number, row in rows)]


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _of_parquet(source: Source, most_rows: int) -> list[Record]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = clean_name(source.name)
    try:
        file = pq.ParquetFile(pa.BufferReader(source.data))
        n_rows = file.metadata.num_rows
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
                    held[title].extend(map(_text, column.to_pylist()))
        columns = list(held.values())
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        if isinstance(error, FormatError):
            raise
        msg = f"{name} cannot be read as Parquet: {clean_name(error, 150)}."
        raise FormatError(msg) from error
    if not columns:
        msg = f"{name} has no column with simple values, so none that says the part of a row."
        raise FormatError(msg)
    header = Record(0, list(held), "")
    return [header, *(Record(at, list(cells), "") for at, cells in enumerate(zip(*columns, strict=True), start=1))]


def _text(value: Any) -> str:
    if value is None or isinstance(value, list | dict):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:
        return str(int(value))
    return str(value)
