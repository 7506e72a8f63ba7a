"""Splits in a column of JSON Lines and Parquet files, and the table of folds in a zip of files."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError
from optisplit.folds.arrays import ALWAYS_TRAIN
from optisplit.io.formats.parsed import MAX_ROWS
from optisplit.io.packing import refuse_bomb
from optisplit.io.source import Source
from optisplit.io.splits.base import MISSING, packed, repaired_name
from optisplit.io.tables import Record
from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.io.splits.base import SplitFile
    from optisplit.io.splits.matching import LineRows
    from optisplit.io.splits.values import Understood

FOLDS_FILE = "folds.csv"
"""In a zip of files, one a part: the table of rows and folds."""

_MAX_CELL_BYTES = 300
_ROWS_AT_ONCE = 20_000

_UTF8_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class ObjectSource:
    """A file whose rows are objects, one key of which says the part."""

    source: Source  # the file
    title: str  # the key or column
    rows: LineRows  # the row of each object
    understood: Understood  # the part of each object

    def write(self, split: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
        """Write the same objects with other parts; those whose part stays are not touched."""
        del split
        changed: dict[int, str] = {}
        pairs = zip(self.rows.rows.tolist(), self.understood.parts.tolist(), strict=True)
        for at, (row, part) in enumerate(pairs):
            now = int(folds[row]) if row >= 0 else part
            if now != part and not (now == ALWAYS_TRAIN and part == MISSING):
                changed[at] = "-1" if now == ALWAYS_TRAIN else self.understood.spellings[now]
        name = repaired_name(self.source.name)
        content = self._parquet(changed) if is_parquet(self.source) else self._json_lines(changed)
        return name, packed(name, content)

    def _json_lines(self, changed: dict[int, str]) -> bytes:
        lines, at = [], -1
        for line in io.BytesIO(self.source.data):
            at += bool(line.removeprefix(_UTF8_MARK).strip())
            if at in changed and line.strip():
                row = json.loads(line.removeprefix(_UTF8_MARK))
                row[self.title] = _as_before(row.get(self.title), changed[at])
                is_plain = line.isascii() or b"\\ud" in line  # halves of characters cannot be encoded
                lines.append(json.dumps(row, ensure_ascii=is_plain).encode() + line[len(line.rstrip()) :])
            else:
                lines.append(line)
        return b"".join(lines)

    def _parquet(self, changed: dict[int, str]) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(pa.BufferReader(self.source.data))
        at = table.column_names.index(self.title)
        values = table.column(at).to_pylist()
        some = next((value for value in values if value is not None), "")
        for place, text in changed.items():
            values[place] = _as_before(some, text)
        buffer = io.BytesIO()
        pq.write_table(table.set_column(at, table.field(at), pa.array(values, type=table.field(at).type)), buffer)
        return buffer.getvalue()


def _as_before(old: Any, text: str) -> Any:
    """Write a part as a number where parts are numbers."""
    return int(text) if not isinstance(old, str) and text.lstrip("-").isdecimal() else text


def is_parquet(source: Source) -> bool:
    """Tell whether a file is Parquet."""
    return source.head.startswith(b"PAR1")


def is_json_lines(source: Source) -> bool:
    """Tell whether a file has a JSON object on each of several lines."""
    lines = [line for line in source.head.removeprefix(_UTF8_MARK).splitlines()[:3] if line.strip()]
    return len(lines) > 1 and all(line.strip().startswith(b"{") for line in lines) and _object(lines[0]) is not None


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def records_of_objects(source: Source, most_rows: int = MAX_ROWS) -> list[Record]:
    """Read the simple values of objects as a table: a header, and a line an object."""
    if is_parquet(source):
        return _of_parquet(source, most_rows)
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


def folds_in_zip(source: Source) -> Source | None:
    """Find the table of rows and folds in a zip of files, one a part."""
    name = clean_name(source.name)
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            if FOLDS_FILE not in archive.namelist():
                return None
            info = archive.getinfo(FOLDS_FILE)
            refuse_bomb(info.file_size, max(1, info.compress_size), name)
            return Source(archive.read(info), FOLDS_FILE)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        msg = f"{name} is a damaged zip: {clean_name(error, 100)}."
        raise FormatError(msg) from error
