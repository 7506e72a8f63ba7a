"""Parquet tables, read by Arrow: list columns, columns of 0 and 1, and texts."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError
from optisplit.io.layouts.arrow import plain_text, values_of
from optisplit.io.layouts.columns import chosen_columns
from optisplit.io.layouts.sample import has_label_name
from optisplit.io.layouts.tags import as_cell, as_text
from optisplit.io.source import HeldTable
from optisplit.io.tables.frames import open_frame
from optisplit.io.tables.parquet_file import open_parquet
from optisplit.io.tables.table import N_SAMPLE, ArrowLists, Table
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from optisplit.io.formats.sniffing import Head
    from optisplit.io.source import Source
    from optisplit.io.tables.table import Cell, Chunk, TableOptions

_ROWS_AT_ONCE = 20_000


def is_parquet(head: Head) -> bool:
    """Tell whether a file is Parquet."""
    return head.data.startswith(b"PAR1")


@contextmanager
def open_parquet_table(source: Source, asked: TableOptions) -> Iterator[Table]:
    """Open a Parquet file, or what users hold in memory, as a table; only the columns that are needed are read."""
    with open_frame(source.held, source.name) if isinstance(source, HeldTable) else open_parquet(source) as file:
        schema = file.schema_arrow
        names = [str(name) for name in schema.names]
        if not file.n_rows or not names:
            raise FormatError.no_rows(source.name)
        _refuse_structs(schema, None if asked.label_columns is None else chosen_columns(asked.label_columns, names))
        yield Table(
            source, names, _sample(file, names), lambda needed: _chunks(file, names, needed, source), unit="row",
            form=source.form or "Parquet table", id_column=_index_of_pandas(schema),
            lists=lambda column, key: _lists(file, source, names, column, key),
        )  # fmt: skip


def _refuse_structs(schema: Any, chosen: list[int] | None) -> None:
    import pyarrow as pa

    for j, field in enumerate(schema):
        is_meant = has_label_name(str(field.name)) if chosen is None else chosen == [j]
        if is_meant and (pa.types.is_struct(field.type) or pa.types.is_map(field.type)):
            if _has_numbers(field.type):
                continue
            msg = (
                f"The column {clean_name(field.name)!r} holds {clean_name(field.type, 60)} in each cell; a list of "
                "label names, a dictionary of numbers, or a column of 0 and 1 for each label, is needed."
            )
            raise FormatError(msg)


def _index_of_pandas(schema: Any) -> int | None:
    """Find the column that pandas says is the index."""
    names = [str(name) for name in schema.names]
    try:
        index = json.loads((schema.metadata or {})[b"pandas"])["index_columns"]
    except (KeyError, ValueError, TypeError, RecursionError):
        index = []
    of_pandas = [each for each in index if isinstance(each, str)] if isinstance(index, list) else []
    return names.index(of_pandas[0]) if len(of_pandas) == 1 and names.count(of_pandas[0]) == 1 else None


def _is_list(kind: Any) -> bool:
    import pyarrow as pa

    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def _has_numbers(kind: Any) -> bool:
    """Tell whether cells are dictionaries of numbers: the keys of a map, or the fields of a struct, are labels."""
    import pyarrow as pa

    is_map = pa.types.is_map(kind)
    kinds = [kind.item_type] if is_map else [field.type for field in kind] if pa.types.is_struct(kind) else []
    return bool(kinds) and all(pa.types.is_integer(each) or pa.types.is_floating(each) or pa.types.is_boolean(each)
                               for each in kinds)  # fmt: skip


def _sample(file: Any, names: list[str]) -> list[list[Any]]:
    batch = next(file.iter_batches(batch_size=N_SAMPLE), None)
    if batch is None:
        return [[] for _ in names]
    return [[_sampled(value) for value in values_of(batch.column(j))] for j in range(len(names))]


def _sampled(value: Any) -> Cell:
    if isinstance(value, dict):  # a struct: fields without a value are no keys
        value = {key: each for key, each in value.items() if each is not None}
    elif isinstance(value, list) and value and all(isinstance(each, tuple) for each in value):  # a map
        value = {str(plain_text(key)): each for key, each in value}
    cell = as_cell(value)
    return as_text(value) if cell is None and value is not None else cell


def _chunks(file: Any, names: list[str], needed: Collection[int] | None, source: Source) -> Iterator[Chunk]:
    done = 0
    at = range(len(names)) if needed is None else sorted(needed)
    for batch in _batches(file, None if needed is None else [names[j] for j in at], source):
        columns: list[Sequence[Any]] = [[] for _ in names]
        for j, column in zip(at, batch.columns, strict=True):
            columns[j] = _cells(column, as_text if needed is None else _sampled)
        yield range(done + 1, done + batch.num_rows + 1), columns
        done += batch.num_rows


def _cells(column: Any, written: Callable[[Any], Cell]) -> list[Cell]:
    """Write the cells of a column; numbers that recur are written once."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_float32(kind) or pa.types.is_float64(kind):
        encoded = column.dictionary_encode(null_encoding="encode")
        if 4 * len(encoded.dictionary) < len(column):
            cells = np.empty(len(encoded.dictionary), dtype=object)
            cells[:] = [written(value) for value in values_of(encoded.dictionary)]
            return list(cells[encoded.indices.to_numpy(zero_copy_only=False)].tolist())
    return [written(value) for value in values_of(column)]


def _lists(file: Any, source: Source, names: list[str], column: int, key: int | None) -> ArrowLists | None:
    """Give a list column as Arrow has it."""
    import pyarrow as pa

    name, kind = names[column], file.schema_arrow.field(column).type
    if not _is_list(kind):
        wanted = [name] if key is None else [name, names[key]]
        return ArrowLists(_batches(file, wanted, source)) if _has_numbers(kind) else None
    if pa.types.is_nested(kind.value_type) or pa.types.is_binary(kind.value_type):
        msg = (
            f"The column {clean_name(name)!r} holds lists of {clean_name(kind.value_type, 60)}; label names or whole "
            "numbers are needed."
        )
        raise FormatError(msg)
    wanted = [name] if key is None else [name, names[key]]
    return ArrowLists(_batches(file, wanted, source), _class_names(file, column))


def _batches(file: Any, wanted: list[str] | None, source: Source) -> Iterator[Any]:
    total, done = file.n_rows, 0
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=wanted):
        yield batch
        done += batch.num_rows
        source.report(done, total)


def _class_names(file: Any, column: int) -> list[str] | None:
    """Give the names that Hugging Face's metadata has for class numbers."""
    metadata = file.schema_arrow.metadata or {}
    try:
        features = json.loads(metadata[b"huggingface"])["info"]["features"][file.schema_arrow.names[column]]
        inner = features.get("feature", features) if isinstance(features, dict) else features[0]
        names = inner["names"]
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, RecursionError):
        return None
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else None
