"""Parquet tables, read by Arrow: list columns, columns of 0 and 1, and texts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError
from optisplit.io.layouts.arrow import label_lists
from optisplit.io.layouts.columns import chosen_columns
from optisplit.io.layouts.find import find_ids, find_layout, has_label_name
from optisplit.io.layouts.named import read_as_chosen
from optisplit.io.layouts.tags import as_cell, as_text
from optisplit.io.packing import refuse_bomb
from optisplit.io.parsed import refuse_too_many
from optisplit.io.tables.records import open_parquet
from optisplit.io.tables.table import N_SAMPLE, Table, TableOptions
from optisplit.text import clean_name, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from optisplit.io.formats.sniffing import Head
    from optisplit.io.layouts.tags import Cell
    from optisplit.io.parsed import Parsed
    from optisplit.io.source import Source
    from optisplit.io.tables.table import Chunk

_ROWS_AT_ONCE = 20_000


def is_parquet(head: Head) -> bool:
    """Tell whether a file is Parquet."""
    return head.data.startswith(b"PAR1")


def read_parquet(source: Source, **options: Any) -> Parsed:
    """Read the labels of a Parquet file.

    - A list column has the labels of each row: an empty list means none, a null that they are missing. Class numbers
      get their names where the file has those (Hugging Face's ``ClassLabel``). Lists of one length with nothing but 0
      and 1 are a row of indicators.
    - Otherwise the layouts of text tables are found. Only the columns that are needed are read.
    """
    with open_parquet(source) as file:
        refuse_too_many(file.metadata.num_rows, file.metadata.num_columns)
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        refuse_bomb(sum(group.total_byte_size for group in groups), len(source.data), source.name)
        return _read(file, source, TableOptions(**options))


def _read(file: Any, source: Source, asked: TableOptions) -> Parsed:
    schema = file.schema_arrow
    names = [str(name) for name in schema.names]
    if not file.metadata.num_rows or not names:
        msg = f"{source.name!r} has no rows."
        raise FormatError(msg)
    sample = _sample(file, names)
    lists = [j for j, field in enumerate(schema) if _is_list(field.type)]
    chosen = None if asked.label_columns is None else chosen_columns(asked.label_columns, names)
    _refuse_structs(schema, chosen)
    only = chosen or []
    if (
        len(only) == 1
        and only[0] in lists
        and asked.label_separator is None
        and asked.layout in (None, "tags", "one-hot")
    ):
        return _described(_from_lists(file, source, names, only[0]), names, sample)
    table = Table(
        source, names, sample, lambda needed: _chunks(file, names, needed, source), unit="row",
        id_column=_id_column(schema),
    )  # fmt: skip
    choice = find_layout(table, asked)
    if choice.layout == "tags" and choice.columns[0] in lists:
        return _described(_from_lists(file, source, names, choice.columns[0]), names, sample)
    return _described(read_as_chosen(choice, table, asked), names, sample)


def _refuse_structs(schema: Any, chosen: list[int] | None) -> None:
    import pyarrow as pa

    for j, field in enumerate(schema):
        is_meant = has_label_name(str(field.name)) if chosen is None else chosen == [j]
        if is_meant and (pa.types.is_struct(field.type) or pa.types.is_map(field.type)):
            msg = (
                f"The column {clean_name(field.name)!r} holds {clean_name(field.type, 60)} in each cell; a list of "
                "label names, or a column of 0 and 1 for each label, is needed."
            )
            raise FormatError(msg)


def _id_column(schema: Any) -> int | None:
    """Find the column of row ids: by its name, or the one that pandas says is the index."""
    names = [str(name) for name in schema.names]
    try:
        index = json.loads((schema.metadata or {})[b"pandas"])["index_columns"]
    except (KeyError, ValueError, TypeError, RecursionError):
        index = []
    of_pandas = [each for each in index if isinstance(each, str)] if isinstance(index, list) else []
    if len(of_pandas) == 1 and names.count(of_pandas[0]) == 1:
        return names.index(of_pandas[0])
    return find_ids(names)


def _described(parsed: Parsed, names: list[str], sample: list[list[Any]]) -> Parsed:
    parsed.sample = dict(zip(names, sample, strict=True))
    parsed.form = "Parquet table"
    parsed.details["Columns"] = listed([clean_name(name) for name in names])
    return parsed


def _is_list(kind: Any) -> bool:
    import pyarrow as pa

    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def _sample(file: Any, names: list[str]) -> list[list[Any]]:
    batch = next(file.iter_batches(batch_size=N_SAMPLE), None)
    if batch is None:
        return [[] for _ in names]
    return [[_sampled(value) for value in batch.column(j).to_pylist()] for j in range(len(names))]


def _sampled(value: Any) -> Cell:
    cell = as_cell(value)
    return as_text(value) if cell is None and value is not None else cell


def _chunks(file: Any, names: list[str], needed: Collection[int] | None, source: Source) -> Iterator[Chunk]:
    done = 0
    at = range(len(names)) if needed is None else sorted(needed)
    for batch in _batches(file, None if needed is None else [names[j] for j in at], source):
        columns: list[Sequence[Any]] = [[] for _ in names]
        for j, column in zip(at, batch.columns, strict=True):
            columns[j] = [as_text(value) for value in column.to_pylist()]
        yield range(done + 1, done + batch.num_rows + 1), columns
        done += batch.num_rows


def _from_lists(file: Any, source: Source, names: list[str], column: int) -> Parsed:
    import pyarrow as pa

    name = names[column]
    kind = file.schema_arrow.field(column).type.value_type
    if pa.types.is_nested(kind) or pa.types.is_binary(kind):
        msg = (
            f"The column {clean_name(name)!r} holds lists of {clean_name(kind, 60)}; label names or whole numbers are "
            "needed."
        )
        raise FormatError(msg)
    id_column = _id_column(file.schema_arrow)
    id_name = None if id_column is None or names[id_column] == name else names[id_column]
    parsed = label_lists(_batches(file, [name] if id_name is None else [name, id_name], source), name, id_name, source,
                         _class_names(file, column))  # fmt: skip
    parsed.options = {"label_columns": [name]}
    return parsed


def _batches(file: Any, wanted: list[str] | None, source: Source) -> Iterator[Any]:
    total, done = file.metadata.num_rows, 0
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
