"""Tables that users hold in memory: frames of pandas and polars, Arrow's tables, data sets of Hugging Face.

Each is made batches of Arrow, as a Parquet file is. No package is imported to tell them.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from numbers import Integral
from typing import TYPE_CHECKING, Any, Protocol

from optisplit.cells import table_csv
from optisplit.errors import FormatError, OptionError, OptisplitError
from optisplit.io.tables.titles import is_row_name
from optisplit.labels.held import is_from
from optisplit.labels.lists import SETS, are_rows
from optisplit.text import clean_name, distinct_names, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SPLIT = "split"
"""What the column is called that says which part of a data set a row is in."""

_ARROW_TABLES = ("Table", "RecordBatch", "RecordBatchReader", "Dataset", "InMemoryDataset", "FileSystemDataset")
_SIMPLE = (str, int, float, bool)


class Frame(Protocol):
    """What gives the rows of a table as Arrow has them."""

    schema_arrow: Any
    n_rows: int

    def iter_batches(self, batch_size: int, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Go through the rows, in some columns or all."""
        ...


def is_frame(held: object) -> bool:
    """Tell whether this is a table in memory."""
    if is_from(held, "pyarrow"):
        return type(held).__name__ in _ARROW_TABLES
    if is_from(held, "datasets"):
        return True
    if is_from(held, "polars"):
        return type(held).__name__ in ("DataFrame", "LazyFrame")
    return hasattr(held, "columns") and hasattr(held, "iloc")


def form_of(held: object) -> str:
    """Say what it is, for people."""
    packages = {"datasets": "Hugging Face", "polars": "polars", "pyarrow": "Arrow"}
    package = next((title for name, title in packages.items() if is_from(held, name)), "pandas")
    return f"{package} {type(held).__name__}"


@contextmanager
def open_frame(held: Any, name: str) -> Iterator[Frame]:
    """Open a table in memory, and turn what Arrow raises on odd cells into one error as long as it is open."""
    with _told_as_one(name):
        yield _opened(held)


@contextmanager
def _told_as_one(name: str) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except OptisplitError:
        raise
    except (pa.ArrowException, ValueError, KeyError, TypeError, OverflowError, AttributeError) as error:
        msg = f"The table {name!r} cannot be read ({clean_name(error, 150)})."
        raise FormatError(msg) from error


def _opened(held: Any) -> Frame:
    import pyarrow as pa

    if is_from(held, "datasets"):
        if not hasattr(held, "column_names") or "Iterable" in type(held).__name__:
            msg = "A stream's rows are not known before it was read."
            raise OptionError(msg + "\nHint: datasets.Dataset.from_list(list(...)) holds them.")
        return _HuggingFace(held if isinstance(held, dict) else {"": held})
    if is_from(held, "polars"):
        if hasattr(held, "collect"):
            msg = "A query's rows are not known before it was run."
            raise OptionError(msg + "\nHint: collect() it.")
        return _Arrow(held.to_arrow())
    if hasattr(held, "iloc"):
        return _Arrow(_of_pandas(held))
    if isinstance(held, pa.RecordBatch):
        return _Arrow(pa.Table.from_batches([held]))
    if isinstance(held, pa.Table):
        return _Arrow(held)
    return _Arrow(held.read_all() if hasattr(held, "read_all") else held.to_table())


class _Arrow:
    """A table of Arrow."""

    def __init__(self, table: Any) -> None:
        self._table, self.schema_arrow, self.n_rows = table, table.schema, table.num_rows

    def iter_batches(self, batch_size: int, columns: Sequence[str] | None = None) -> Iterator[Any]:
        names = self.schema_arrow.names
        table = self._table if columns is None else self._table.select([names.index(name) for name in columns])
        for start in range(0, self.n_rows, batch_size):
            yield table.slice(start, batch_size).combine_chunks().to_batches()[0]


class _HuggingFace:
    """A data set of Hugging Face, or several, one after the other; only what is asked for is read."""

    def __init__(self, parts: dict[str, Any]) -> None:
        import pyarrow as pa

        self._parts = parts
        (first_name, first), *others = parts.items()
        for name, part in others:
            if part.features != first.features:
                msg = f"The part {name!r} has other columns, or others of its classes, than {first_name!r}."
                raise FormatError(msg + f"\nHint: give one part, such as dataset[{first_name!r}].")
        self.n_rows = sum(map(len, parts.values()))
        schema = first.features.arrow_schema
        # pictures and sounds are no texts, and large
        fields = [pa.field(field.name, pa.string()) if _is_binary(field.type) else field for field in schema]
        self._read = [field.name for field in schema if not _is_binary(field.type)]
        self._part_column = ""
        if len(parts) > 1:
            self._part_column = distinct_names([SPLIT], schema.names, "column")[0]
            fields.append(pa.field(self._part_column, pa.string()))
        self.schema_arrow = pa.schema(fields, schema.metadata)

    def iter_batches(self, batch_size: int, columns: Sequence[str] | None = None) -> Iterator[Any]:
        import pyarrow as pa

        wanted = self.schema_arrow.names if columns is None else list(columns)
        fields = [self.schema_arrow.field(name) for name in wanted]
        schema = pa.schema(fields, self.schema_arrow.metadata)
        for name, part in self._parts.items():
            some = part.select_columns([each for each in wanted if each in self._read]).with_format("arrow")
            for start in range(0, len(part), batch_size):
                n_rows = min(batch_size, len(part) - start)
                table = some[start : start + n_rows] if some.column_names else None
                arrays = [self._column(table, field, n_rows, name) for field in fields]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    def reads(self, name: str) -> bool:
        """Tell whether a column has more than bytes."""
        return name == self._part_column or name in self._read

    def _column(self, table: Any, field: Any, n_rows: int, part: str) -> Any:
        import pyarrow as pa

        if field.name == self._part_column:
            return pa.array([part] * n_rows, pa.string())
        if field.name not in self._read:
            return pa.nulls(n_rows, pa.string())
        column = table.column(field.name).combine_chunks()
        return column.chunk(0) if isinstance(column, pa.ChunkedArray) else column


def _is_binary(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_struct(kind):
        return any(_is_binary(field.type) for field in kind)
    return pa.types.is_binary(kind) or pa.types.is_large_binary(kind)


def _of_pandas(frame: Any) -> Any:
    """Make a table of a DataFrame; its index is a column where it has names for rows."""
    import pyarrow as pa

    columns = [(str(name), frame.iloc[:, at]) for at, name in enumerate(frame.columns)]
    metadata = None
    if (index := _index_of(frame)) is not None:
        (title,) = distinct_names([index], [name for name, _ in columns], "column")
        columns.insert(0, (title, frame.index.to_series()))
        metadata = {b"pandas": json.dumps({"index_columns": [title]}).encode()}
    arrays = [_array(name, column) for name, column in columns]
    schema = pa.schema([(name, array.type) for (name, _), array in zip(columns, arrays, strict=True)], metadata)
    return pa.Table.from_arrays(arrays, schema=schema)


def _index_of(frame: Any) -> str | None:
    """Name the index where it names rows: it has a name, or texts or numbers of its own that differ."""
    import pandas as pd

    index = frame.index
    if isinstance(index, pd.MultiIndex):
        return None
    if index.name is not None:
        return str(index.name)
    is_count = isinstance(index, pd.RangeIndex) and (index.start, index.step) == (0, 1)
    return None if is_count or not index.is_unique or _has_names(frame, index) else "index"


def _has_names(frame: Any, index: Any) -> bool:
    """Tell whether a column names rows better than numbers that rows were left with."""
    return index.dtype.kind in "iu" and any(
        column.dtype.kind in "OUiu" and is_row_name(str(name)) and _is_unique(column) for name, column in frame.items()
    )


def _is_unique(column: Any) -> bool:
    try:
        return bool(column.is_unique)
    except TypeError:  # lists, or dictionaries
        return False


def _array(name: str, column: Any) -> Any:
    """Make an Arrow array of a column; objects that Arrow has no one type for are texts, or lists of texts."""
    import pyarrow as pa

    if column.dtype.kind != "O" or str(column.dtype) == "category":
        found = pa.array(column, from_pandas=True)
        return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found
    values = [None if _is_missing(value) else value for value in column]
    some = [value for value in values if value is not None]
    if any(isinstance(value, SETS) for value in some):
        values = [sorted(value, key=str) if isinstance(value, SETS) else value for value in values]
    if some and all(isinstance(value, dict) for value in some):
        return _dictionaries(values)
    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        pass
    if are_rows(some):
        rows = [row for row, value in enumerate(values) if value is not None and not are_rows([value])]
        if rows:
            shown = clean_name(values[rows[0]], 40)
            msg = f"The column {clean_name(name)!r} has lists in some rows, and {shown!r} in row {rows[0]}; "
            raise FormatError(msg + "give lists only.")
        return pa.array([None if value is None else list(map(str, value)) for value in values], pa.list_(pa.string()))
    return pa.array([value if value is None else str(value) if isinstance(value, _SIMPLE) else clean_name(value, 80)
                     for value in values], pa.string())  # fmt: skip


def _dictionaries(values: list[Any]) -> Any:
    """Make an array of dictionaries: of numbers, where they are; each key of a struct would be a column."""
    import pyarrow as pa

    pairs = [None if value is None else [(str(key), each) for key, each in value.items()] for value in values]
    numbers = [each for pair in pairs if pair is not None for _, each in pair if each is not None]
    are_whole = all(isinstance(each, Integral) for each in numbers)  # Arrow would cut fractions down to such
    try:
        return pa.array(pairs, pa.map_(pa.string(), pa.int64() if are_whole else pa.float64()))
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        pass
    return pa.array([None if value is None else json.dumps(value, default=str) for value in values], pa.string())


def _is_missing(value: Any) -> bool:
    return value is None or (not hasattr(value, "__len__") and value != value) or type(value).__name__ == "NAType"


def as_pandas(held: Any, name: str) -> Any:
    """Give a table of Arrow or polars as a DataFrame."""
    with _told_as_one(name):
        return (held.to_arrow() if is_from(held, "polars") else held).to_pandas()


def columns_of(held: Any, names: Sequence[str], name: str) -> Any:
    """Give some columns as a DataFrame, of the types that they have."""
    import pyarrow as pa

    if hasattr(held, "iloc"):
        at = [j for j, title in enumerate(held.columns) if str(title) in names]
        return held.iloc[:, at].reset_index(drop=True)
    with open_frame(held, name) as frame:
        there = [each for each in names if not isinstance(frame, _HuggingFace) or frame.reads(each)]
        batches = list(frame.iter_batches(20_000, there))
        return pa.Table.from_batches(batches).to_pandas() if there else None


def as_text(held: Any, name: str) -> bytes:
    """Write the columns of simple values as CSV, for what is read as text beside other data."""
    import pyarrow as pa

    with open_frame(held, name) as frame:
        if not frame.n_rows:
            raise FormatError.no_rows(name)
        names = [field.name for field in frame.schema_arrow if not pa.types.is_nested(field.type)]
        if not names:
            msg = f"The table {name!r} has no column of texts or numbers, but {listed(frame.schema_arrow.names)}."
            raise FormatError(msg)
        table = pa.Table.from_batches(list(frame.iter_batches(20_000, names)))
        return table_csv(table.to_pandas(integer_object_nulls=True)).encode()
