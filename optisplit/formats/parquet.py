"""Parquet tables, read by Arrow: list columns, columns of 0 and 1, and texts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, listed
from optisplit.formats.base import MAX_RATIO, SMALL_BYTES, Parsed, Source
from optisplit.formats.columns import chosen_columns
from optisplit.formats.delimited import read_one_hot
from optisplit.formats.layouts import ID_NAMES, N_SAMPLE, find_layout, read_named_labels
from optisplit.formats.npz import MAX_LABELS, MAX_ROWS
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from optisplit.formats.layouts import Chunk

_ROWS_AT_ONCE = 20_000


def read_parquet(
    source: Source,
    *,
    label_columns: int | Sequence[str] | None = None,
    layout: str | None = None,
    label_separator: str | None = None,
) -> Parsed:
    """Read the labels of a Parquet file.

    - A list column has the labels of each row: an empty list means none, a null that they are missing. Class numbers
      get their names where the file has those (Hugging Face's ``ClassLabel``). Lists of one length with nothing but 0
      and 1 are a row of indicators.
    - Otherwise the layouts of text tables are found. Only the columns that are needed are read.

    Parameters
    ----------
    source : Source
        The file.
    label_columns : int or sequence of str, optional
        The last N columns (N), the first N (-N), or names.
    layout : {"one-hot", "tags", "wide", "long"}, optional
        How the table holds labels.
    label_separator : str, optional
        What stands between labels, where they are in one text.

    Returns
    -------
    Parsed
        The labels.

    Raises
    ------
    FormatError
        If the file is damaged, implausible, or has no labels.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        stream = pa.BufferReader(source.data) if source.path is None or source.compression else str(source.path)
        file = pq.ParquetFile(stream)
        _refuse_implausible(file.metadata, source)
        return _read(file, source, label_columns, layout, label_separator)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        if isinstance(error, FormatError) or type(error).__module__.startswith("optisplit"):
            raise
        msg = (
            f"{source.name!r} is damaged or no Parquet file that can be read ({clean_name(error, 100)}); save it again."
        )
        raise FormatError(msg) from error


def _refuse_implausible(metadata: Any, source: Source) -> None:
    if metadata.num_rows > MAX_ROWS:
        msg = f"The file says that it has {metadata.num_rows:,} rows; more than {MAX_ROWS:,} are not read."
        raise FormatError(msg)
    if metadata.num_columns > MAX_LABELS:
        msg = f"The file says that it has {metadata.num_columns:,} columns; more than {MAX_LABELS:,} are not read."
        raise FormatError(msg)
    n_bytes = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    if n_bytes > SMALL_BYTES and n_bytes > MAX_RATIO * len(source.data):
        msg = (
            f"{source.name!r} would unpack to {n_bytes / 1e6:,.0f} MB, more than {MAX_RATIO} times its size, which no "
            "real data set does; it was not read."
        )
        raise FormatError(msg)


def _read(file: Any, source: Source, label_columns: Any, layout: str | None, separator: str | None) -> Parsed:
    schema = file.schema_arrow
    names = [str(name) for name in schema.names]
    if not file.metadata.num_rows or not names:
        msg = f"{source.name!r} has no rows."
        raise FormatError(msg)
    sample = _sample(file, names)
    lists = [j for j, field in enumerate(schema) if _is_list(field.type)]
    chosen = None if label_columns is None else chosen_columns(label_columns, names)
    only = lists if chosen is None and len(lists) == 1 and layout in (None, "tags") else chosen or []
    if len(only) == 1 and only[0] in lists and separator is None and layout in (None, "tags", "one-hot"):
        return _from_lists(file, source, names, only[0])
    choice = find_layout(names, sample, layout=layout, label_columns=label_columns, separator=separator)
    id_column = next((j for j, name in enumerate(names) if name.strip().lower() in ID_NAMES), None)
    if choice.layout == "one-hot":
        parsed = read_one_hot(names, _chunks(file, names, None, source, as_text=True), id_column, label_columns, source)
        parsed.notes += choice.notes
    elif choice.layout == "tags" and choice.columns[0] in lists:
        return _from_lists(file, source, names, choice.columns[0])
    else:
        id_column = None if id_column in choice.columns else id_column
        needed = {*choice.columns, *([] if id_column is None else [id_column])}
        chunks = _chunks(file, names, needed, source, as_text=True)
        parsed = read_named_labels(choice, names, chunks, id_column, source, unit="row")
    return _described(parsed, names)


def _described(parsed: Parsed, names: list[str]) -> Parsed:
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
    return [[_text_or_list(value) for value in batch.column(j).to_pylist()] for j in range(len(names))]


def _text_or_list(value: Any) -> str | list[str] | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return [str(item) for item in value]
    return str(value)


def _chunks(file: Any, names: list[str], needed: set[int] | None, source: Source, *, as_text: bool) -> Iterator[Chunk]:
    total, done = file.metadata.num_rows, 0
    wanted = None if needed is None else [names[j] for j in sorted(needed)]
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=wanted):
        read = {name: batch.column(at) for at, name in enumerate(batch.schema.names)}
        columns: list[Sequence[Any]] = []
        for j, name in enumerate(names):
            if needed is not None and j not in needed:
                columns.append([])
                continue
            values = [_text_or_list(value) for value in read[name].to_pylist()]
            columns.append(["" if each is None else each if isinstance(each, str) else "[...]" for each in values]
                           if as_text else values)  # fmt: skip
        yield range(done + 1, done + batch.num_rows + 1), columns
        done += batch.num_rows
        source.report(done, total)


def _from_lists(file: Any, source: Source, names: list[str], column: int) -> Parsed:
    """Read a list column without making Python objects of its items."""
    import pyarrow as pa
    import pyarrow.compute as pc

    name = names[column]
    kind = file.schema_arrow.field(column).type.value_type
    if pa.types.is_nested(kind):
        msg = f"The column {clean_name(name)!r} holds lists of {clean_name(kind, 60)}; a list of label names is needed."
        raise FormatError(msg)
    if pa.types.is_floating(kind) or pa.types.is_binary(kind):
        msg = f"The column {clean_name(name)!r} holds lists of {kind}; label names or whole numbers are needed."
        raise FormatError(msg)
    id_column = next((j for j, each in enumerate(names) if each.strip().lower() in ID_NAMES and j != column), None)
    wanted = [name] if id_column is None else [name, names[id_column]]
    place: dict[Any, int] = {}
    parts: list[NDArray[np.int32]] = []
    counts: list[NDArray[np.int64]] = []
    missing: list[NDArray[np.int64]] = []
    row_ids: list[str] = []
    n_rows = n_nulls = 0
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE * 5, columns=wanted):
        lists = batch.column(batch.schema.names.index(name))
        lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False).astype(np.int64)
        missing.append(n_rows + np.flatnonzero(pc.is_null(lists).to_numpy(zero_copy_only=False)))
        items = lists.flatten()
        if pa.types.is_dictionary(items.type):
            items = items.cast(items.type.value_type)
        n_nulls += items.null_count
        encoded = pc.dictionary_encode(items, null_encoding="encode")
        codes = encoded.indices.to_numpy(zero_copy_only=False)
        local = np.fromiter((place.setdefault(each, len(place)) for each in encoded.dictionary.to_pylist()), np.int32)
        parts.append(local[codes] if len(codes) else np.zeros(0, dtype=np.int32))
        counts.append(lengths)
        if id_column is not None:
            ids = batch.column(batch.schema.names.index(names[id_column])).to_pylist()
            row_ids.extend("" if each is None else str(each) for each in ids)
        n_rows += batch.num_rows
        source.report(n_rows, file.metadata.num_rows)
    if n_nulls:
        msg = f"The lists of the column {clean_name(name)!r} hold {n_nulls:,} null(s) in place of a label."
        raise FormatError(msg)
    indices = np.concatenate(parts)
    lengths = np.concatenate(counts)
    without = np.concatenate(missing)
    if not len(indices):
        msg = f"{source.name!r} has no label in any row of the column {clean_name(name)!r}."
        raise FormatError(msg)
    parsed = _indicators(indices, lengths, without, place) or _lists(indices, lengths, place, file, column)
    shown = clean_name(name)
    n_labels = parsed.labels.shape[1]
    how = "has a row of 0 and 1" if parsed.options else "has a list of names"
    parsed.rule = f"{n_labels:,} labels: the column {shown!r} {how} for each row."
    parsed.options = {"label_columns": [name]}
    parsed.row_ids = row_ids or None
    if len(without):
        parsed.missing_rows = without
        parsed.missing_message = (
            f"The labels of {len(without):,} row(s) are missing (null) in the column {shown!r}, first in row "
            f"{int(without[0]) + 1:,}. Missing is not the same as no labels, which is an empty list."
        )
    return _described(parsed, names)


def _indicators(indices: NDArray[np.int32], lengths: NDArray[np.int64], without: NDArray[np.int64],
                place: dict[Any, int]) -> Parsed | None:  # fmt: skip
    """Take lists of one length that hold only 0 and 1, both of them, as indicators."""
    given = np.delete(lengths, without)
    width = int(given[0]) if len(given) else 0
    if set(place) not in ({0, 1}, {False, True}) or width < 2 or (given != width).any():
        return None
    is_one = indices.reshape(-1, width) == next(number for value, number in place.items() if value == 1)
    full = np.zeros((len(lengths), width), dtype=bool) if len(without) else is_one
    if len(without):
        full[np.setdiff1d(np.arange(len(lengths)), without)] = is_one
    return Parsed(sp.csr_array(full.astype(np.int8)), None, options={"indicators": True})


def _lists(indices: NDArray[np.int32], lengths: NDArray[np.int64], place: dict[Any, int], file: Any,
           column: int) -> Parsed:  # fmt: skip
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    shape = (len(lengths), len(place))
    matrix = sp.csr_array((np.ones(len(indices), dtype=np.int32), indices, indptr), shape=shape)
    matrix.sum_duplicates()
    n_repeated = len(indices) - matrix.nnz
    matrix.data = np.ones(matrix.nnz, dtype=np.int8)
    notes = [f"{n_repeated:,} label(s) are there more than once in their row; they count once."] if n_repeated else []
    known = _class_names(file, column)
    values = list(place)
    if known is not None and all(isinstance(each, int) and 0 <= each < len(known) for each in values):
        # classes that never occur are kept, since the file names them
        target = np.asarray(values, dtype=np.int64)
        matrix = sp.csr_array((matrix.data, target[matrix.indices], matrix.indptr), shape=(shape[0], len(known)))
        matrix.sort_indices()
        return Parsed(matrix, known, notes=[*notes, f"The names of the {len(known):,} classes come from the file."])
    order = np.argsort(np.asarray(values)) if all(isinstance(each, int) for each in values) else None
    if order is not None:
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        matrix = sp.csr_array((matrix.data, rank[matrix.indices], matrix.indptr), shape=shape)
        matrix.sort_indices()
        values = [values[at] for at in order.tolist()]
    return Parsed(matrix, [str(each) for each in values], notes=notes)


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
