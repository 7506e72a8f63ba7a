"""What a file says of rows beside their labels, read when somebody first asks: typed columns, or a sparse array."""

from __future__ import annotations

import io
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError
from optisplit.io.formats.arff import read_arff_columns
from optisplit.io.registry import FORMATS
from optisplit.io.source import Source, read_source
from optisplit.io.tables.frames import columns_of
from optisplit.io.tables.objects import objects_of
from optisplit.io.tables.parquet_file import open_parquet
from optisplit.io.tables.table import TableOptions
from optisplit.io.tables.text import open_text
from optisplit.io.tables.typed import typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.labels import MultilabelDataset, Reading

_ROWS_AT_ONCE = 20_000


def read_features(reading: Reading) -> Any:
    """Read the columns of a data set's file that are neither labels nor the key; None where there are none."""
    format = FORMATS[reading.format]
    if format.features is None or reading.file is None:
        return None
    source = read_source(io.BytesIO(reading.file) if isinstance(reading.file, bytes) else reading.file,
                         reading.file_name)  # fmt: skip
    return _of_kept_rows(format.feature_reader(source, reading), reading)


def has_features(data: MultilabelDataset) -> bool:
    """Tell whether a data set has features, as far as that is known without reading them."""
    reading = data.reading
    if reading is None or data.read_features is None or reading.options.get("layout") == "long":
        return False
    is_at_hand = reading.file is not None or reading.format not in FORMATS or FORMATS[reading.format].features is None
    has_list = bool(reading.columns)  # else it is no table, and features stand in its file
    return is_at_hand and (bool(reading.left_out) or not has_list)


def features_in_memory(held: Any, reading: Reading) -> Any:
    """Give the columns of a table in memory that are neither labels nor the key; None where there are none."""
    if reading.options.get("layout") == "long":
        return None
    return _of_kept_rows(columns_of(held, list(reading.left_out), reading.file_name), reading)


def _of_kept_rows(found: Any, reading: Reading) -> Any:
    if found is None or not found.shape[1]:
        return None
    if found.shape[0] != reading.n_file_rows:
        msg = f"{reading.file_name!r} has {found.shape[0]:,} rows now, but {reading.n_file_rows:,} when it was read."
        raise FormatError(msg)
    if reading.kept_rows is None:
        return found
    return found[reading.kept_rows] if sp.issparse(found) else found.iloc[reading.kept_rows].reset_index(drop=True)


def of_text(source: Source, reading: Reading) -> Any:
    """Read columns of a text table."""
    said = {option: reading.options.get(option) for option in ("header", "comment", "delimiter")}
    with open_text(source, TableOptions(**said)) as table:
        wanted = {j: name for j, name in enumerate(table.names) if name in reading.left_out}
        return None if reading.options.get("layout") == "long" else typed(_columns(table.chunks(wanted), wanted))


def _columns(chunks: Iterator[Any], wanted: dict[int, str]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in wanted.values()}
    for _, cells in chunks:
        for j, name in wanted.items():
            columns[name].extend(cells[j])
    return columns


def of_json(source: Source, reading: Reading) -> Any:
    """Read keys of JSON objects."""
    if reading.options.get("layout") == "long":
        return None
    rows = [row for _, row in objects_of(source)]
    return typed({name: [row.get(name) for row in rows] for name in reading.left_out})


def of_parquet(source: Source, reading: Reading) -> Any:
    """Read columns of a Parquet file, of the types that it has."""
    import pyarrow as pa

    names = list(reading.left_out)
    if not names or reading.options.get("layout") == "long":
        return None
    with open_parquet(source) as file:
        batches = list(file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=names))
        return pa.Table.from_batches(batches).select(names).to_pandas(strings_to_categorical=False)


def of_arff(source: Source, reading: Reading) -> Any:
    """Read the columns of an ARFF file: sparse numbers as a sparse array, all else as a DataFrame."""
    return read_arff_columns(source, reading.options)


def of_lists(source: Source, reading: Reading) -> Any:
    """Read the features of LIBSVM and XMC text."""
    lines = _feature_lines(source, has_head=reading.format == "xmc")
    return _sparse(lines)


def _feature_lines(source: Source, *, has_head: bool) -> Iterator[list[bytes]]:
    for _, line in source.lines():
        if has_head:
            has_head = not line.strip()
            continue
        if not line.lstrip().startswith(b"#"):
            yield [each for each in line.partition(b"#")[0].split() if b":" in each and not each.startswith(b"qid:")]


def _sparse(lines: Iterator[list[bytes]]) -> Any:
    counts: list[int] = []
    parts: list[tuple[Any, Any]] = []
    pending: list[list[bytes]] = []

    def take() -> None:
        pairs = [each.split(b":", 1) for each in chain.from_iterable(pending)]
        try:
            numbers = np.asarray([int(at) for at, _ in pairs], dtype=np.int64)
            parts.append((numbers, np.asarray([float(value) for _, value in pairs])))
        except (ValueError, OverflowError) as error:
            msg = "A feature is no pair of a number and a value, such as 3:0.5."
            raise FormatError(msg) from error
        pending.clear()

    for features in lines:
        counts.append(len(features))
        pending.append(features)
        if len(pending) == _ROWS_AT_ONCE:
            take()
    take()
    indices, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    low = int(indices.min(initial=1))
    columns = indices - min(low, 1)  # counted from 1, unless there is a 0
    n_columns = int(columns.max(initial=-1)) + 1
    indptr = np.concatenate([[0], np.cumsum(counts)])
    matrix = sp.csr_array((values, columns, indptr), shape=(len(counts), n_columns))
    matrix.sum_duplicates()
    return matrix
