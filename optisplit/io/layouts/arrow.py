"""Columns as Arrow reads them: label lists and pairs, without an object in Python for each label."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, argument
from optisplit.io.layouts.collector import (
    NOTHING,
    Numbered,
    once_each,
    refuse_unequal,
    repeated_note,
    rows_of_indicators,
)
from optisplit.io.layouts.dictionaries import Dictionaries
from optisplit.io.layouts.values import refuse_threshold
from optisplit.io.parsed import Parsed, Unknown
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from optisplit.io.source import Source
    from optisplit.io.tables.table import ArrowLists

LARGE_BYTES = 5_000_000
"""Larger text files are read by Arrow where it can; what it cannot read is left to the readers that say why."""


class NotAsExpectedError(Exception):
    """A file is not as Arrow needs it; never leaves the readers."""


def plain_text(value: Any) -> Any:
    """Give bytes that are a text as that: some programs write texts to Parquet without saying that they are."""
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return str(value)


def values_of(column: Any) -> list[Any]:
    """Give the values of a column; bytes as texts, and times that Python has no number for as Arrow writes them."""
    import pyarrow as pa

    try:
        values: list[Any] = column.to_pylist()
    except (OverflowError, ValueError):
        if not pa.types.is_temporal(column.type):
            raise
        values = [_value_of(each) for each in column]
    return list(map(plain_text, values)) if any(isinstance(each, bytes) for each in values) else values


def _value_of(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except (OverflowError, ValueError):
        return str(scalar.cast("string").as_py())


def label_lists(
    lists: ArrowLists, name: str, id_name: str | None, source: Source, threshold: float | None = None
) -> Parsed:
    """Read a column of lists."""
    class_names = lists.class_names
    shown = clean_name(name)
    read = _Lists()
    for batch in lists.batches:
        read.add(batch.column(batch.schema.names.index(name)))
        if len(read.place) > 2 and threshold is None:
            _refuse_fractions(read.place, shown)  # before there are as many as there are items
        read.row_ids += names_of_rows(batch, id_name)
    if read.n_nulls:
        msg = f"The lists of the column {shown!r} hold {counted(read.n_nulls, 'null')} in place of a label."
        raise FormatError(msg)
    indices = np.concatenate(read.parts) if read.parts else np.zeros(0, dtype=np.int32)
    read.parts.clear()
    if not len(indices):
        msg = f"{source.name!r} has no label in any row of the column {shown!r}."
        raise FormatError(msg)
    lengths, without = np.concatenate(read.counts), np.concatenate(read.missing)
    found = None if class_names is not None else _indicators(indices, lengths, read.place, threshold)
    if found is None:
        refuse_threshold(threshold)
    _refuse_fractions(() if found is not None else read.place, shown)
    parsed = found or _named(indices, lengths, read.place, class_names, lists.sorts_numbers)
    if found is None:
        parsed.rule = f"{parsed.labels.shape[1]:,} labels: the column {shown!r} has a list of names for each row."
    parsed.row_ids = read.row_ids if id_name is not None else None
    if len(without):
        told = (
            f"The labels of {counted(len(without), 'row')} are missing (null) in the column {shown!r}, first in row "
            f"{int(without[0]) + 1:,}. Missing is not the same as no labels, which is an empty list."
        )
        parsed.unknown.append(Unknown("missing", told, rows=without))
    return parsed


@dataclass
class _Lists:
    """Lists as far as they were read: their items by number, in the order in which they first occur."""

    place: dict[Any, int] = field(default_factory=dict)
    parts: list[NDArray[np.int32]] = field(default_factory=list)
    counts: list[NDArray[np.int64]] = field(default_factory=list)
    missing: list[NDArray[np.int64]] = field(default_factory=list)  # numbers of rows that have no list
    row_ids: list[str] = field(default_factory=list)
    n_rows: int = 0
    n_nulls: int = 0

    def add(self, lists: Any) -> None:
        """Take in the lists of some rows."""
        import pyarrow as pa
        import pyarrow.compute as pc

        self.counts.append(pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False).astype(np.int64))
        self.missing.append(self.n_rows + np.flatnonzero(pc.is_null(lists).to_numpy(zero_copy_only=False)))
        items = lists.flatten()
        if pa.types.is_dictionary(items.type):
            items = items.cast(items.type.value_type)
        self.n_nulls += items.null_count
        encoded = pc.dictionary_encode(items, null_encoding="encode")
        codes = encoded.indices.to_numpy(zero_copy_only=False)
        place = self.place
        local = np.fromiter((place.setdefault(each, len(place)) for each in encoded.dictionary.to_pylist()), np.int32)
        self.parts.append(local[codes] if len(codes) else np.zeros(0, dtype=np.int32))
        self.n_rows += len(lists)


def names_of_rows(batch: Any, id_name: str | None) -> list[str]:
    """Give the names of rows in a column; none without one."""
    ids = [] if id_name is None else values_of(batch.column(batch.schema.names.index(id_name)))
    return ["" if each is None else str(each) for each in ids]


def dictionaries(lists: ArrowLists, name: str, id_name: str | None, numbers: Numbered) -> Iterator[Dictionaries]:
    """Read a column of maps, or of structs: a field that has no value in a row is no key of it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for batch in lists.batches:
        column = batch.column(batch.schema.names.index(name))
        if pa.types.is_map(column.type):
            starts = column.offsets.to_numpy()
            first, count = int(starts[0]), int(starts[-1] - starts[0])
            encoded = column.keys.slice(first, count).dictionary_encode()
            keys = numbers.of([str(plain_text(key)) for key in encoded.dictionary.to_pylist()])
            keys, counts = keys[encoded.indices.to_numpy(zero_copy_only=False)], np.diff(starts)
            kinds, items = [column.type.item_type], column.items.slice(first, count)
            values = pc.cast(items, pa.float64()).to_numpy(zero_copy_only=False)
        else:
            fields = [pc.cast(each, pa.float64()) for each in column.flatten()]
            is_there = np.stack([pc.is_valid(each).to_numpy(zero_copy_only=False) for each in fields], axis=1)
            kinds, counts = [field.type for field in column.type], is_there.sum(axis=1)
            keys = numbers.of([field.name for field in column.type])[np.nonzero(is_there)[1]]
            values = np.stack([each.to_numpy(zero_copy_only=False) for each in fields], axis=1)[is_there]
        is_whole = all(pa.types.is_integer(kind) or pa.types.is_boolean(kind) for kind in kinds)
        empty = np.flatnonzero(pc.is_null(column).to_numpy(zero_copy_only=False))
        yield Dictionaries(keys, values, counts, empty, is_whole, names_of_rows(batch, id_name))


def _refuse_fractions(values: Iterable[Any], name: str) -> None:
    value = next((each for each in values if isinstance(each, float)), None)
    if value is not None:
        msg = (
            f"The column {name!r} holds lists of fractions, such as {value}; names, whole numbers, or rows of 0 and 1 "
            "are needed. Where they are probabilities, a number for each label, say from which one on a row has it, as "
        )
        msg += argument("threshold", 0.5) + "."
        raise FormatError(msg)


def _indicators(
    indices: NDArray[np.int32], lengths: NDArray[np.int64], place: dict[Any, int], threshold: float | None
) -> Parsed | None:
    """Take lists of one length that hold only 0 and 1 as indicators; with a threshold, any numbers.

    Empty ones among them are rows without a label.
    """
    width = int(lengths.max(initial=0))
    if width < 2 or not np.isin(lengths, (0, width)).all():
        refuse_unequal(lengths, [str(each) for each in place])
        return None
    if set(place) <= {0, 1}:
        return Parsed(rows_of_indicators(indices == place.get(1), lengths))
    if threshold is None or not all(isinstance(each, int | float) for each in place):
        return None
    return Parsed(rows_of_indicators(np.array([each >= threshold for each in place])[indices], lengths))


def _named(
    indices: NDArray[np.int32],
    lengths: NDArray[np.int64],
    place: dict[Any, int],
    class_names: list[str] | None,
    sorts_numbers: bool,
) -> Parsed:
    values = list(place)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    names = [str(each) for each in values]
    notes: list[str] = []
    if all(isinstance(each, int) for each in values):
        if class_names is not None and 0 <= min(values) <= max(values) < len(class_names):
            # classes that never occur are kept, since the file names them
            indices, names = np.asarray(values, dtype=np.int32)[indices], class_names
            notes.append(f"The names of the {len(names):,} classes come from the file.")
        elif sorts_numbers:
            order = np.argsort(np.asarray(values))
            rank = np.empty(len(order), dtype=np.int32)
            rank[order] = np.arange(len(order), dtype=np.int32)
            indices, names = rank[indices], [names[at] for at in order.tolist()]
    shape = (len(lengths), len(names))
    matrix, n_repeated = once_each(sp.csr_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=shape))
    if n_repeated:
        notes.append(repeated_note(n_repeated))
    return Parsed(matrix, names, notes=notes)


def json_batches(
    source: Source, name: str, id_name: str | None, *, id_is_text: bool, items_are_texts: bool
) -> Iterator[Any] | None:
    """Read a key with lists of texts, or of whole numbers, from JSON Lines."""
    import pyarrow as pa
    import pyarrow.json as pj

    fields = [(name, pa.list_(pa.string() if items_are_texts else pa.int64()))]
    if id_name is not None:
        fields.append((id_name, pa.string() if id_is_text else pa.int64()))
    options = pj.ParseOptions(explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore")
    try:
        with pj.open_json(
            source.open_bytes(), read_options=pj.ReadOptions(block_size=1 << 24), parse_options=options
        ) as reader:
            return iter(list(reader))
    except (pa.ArrowException, UnicodeDecodeError):
        return None


def json_texts(source: Source, are_texts: Mapping[str, bool]) -> Iterator[Any]:
    """Read keys with texts, or with whole numbers, from JSON Lines; rows end where one has something else."""
    import pyarrow as pa
    import pyarrow.json as pj

    fields = [(name, pa.string() if is_text else pa.int64()) for name, is_text in are_texts.items()]
    options = pj.ParseOptions(explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore")
    with (
        suppress(pa.ArrowException, UnicodeDecodeError),
        pj.open_json(
            source.open_bytes(), read_options=pj.ReadOptions(block_size=1 << 24), parse_options=options
        ) as reader,
    ):
        for batch in reader:
            yield batch.num_rows, [column.cast(pa.string()).to_pylist() for column in batch.columns]


def pairs(
    source: Source, text: tuple[str, int], n_columns: int, columns: Sequence[int], known: list[str]
) -> tuple[Numbered, Numbered, NDArray[np.int32], NDArray[np.int32], NDArray[np.float64] | None] | None:
    """Read two columns of a text table, and a third one of numbers if it is given."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbered = Numbered(), Numbered()
    numbered[0].of(known)
    parts: tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]] = ([], [])
    values: list[NDArray[np.float64]] = []
    try:
        for batch in _text_batches(source, text, n_columns, columns):
            if len(columns) > 2:  # anything but numbers is left to the reader that says where it is
                values.append(pc.cast(batch.column(2), pa.float64()).to_numpy(zero_copy_only=False))
            for each, side, part in zip(batch.columns[:2], numbered, parts, strict=True):
                encoded = each.dictionary_encode()
                local = side.of(encoded.dictionary.to_pylist())
                part.append(local[encoded.indices.to_numpy(zero_copy_only=False)])
    except (pa.ArrowException, UnicodeDecodeError):
        return None
    if not parts[0]:
        return None
    row_numbers, label_numbers = map(np.concatenate, parts)
    if (row_numbers == NOTHING).any():
        return None
    return *numbered, row_numbers, label_numbers, np.concatenate(values) if values else None


def _text_batches(source: Source, text: tuple[str, int], n_columns: int, columns: Sequence[int]) -> Iterator[Any]:
    """Read some columns of a text table as texts, in the order asked for."""
    import pyarrow as pa
    import pyarrow.csv as pc

    names = [f"c{j}" for j in range(n_columns)]
    wanted = [names[j] for j in columns]
    options = pc.ConvertOptions(
        include_columns=wanted, column_types=dict.fromkeys(wanted, pa.string()), strings_can_be_null=False
    )
    encoding = source.encoding.removesuffix("-sig")
    delimiter, n_above = text
    with pc.open_csv(
        source.open_bytes(),
        read_options=pc.ReadOptions(column_names=names, skip_rows=n_above, block_size=1 << 23, encoding=encoding),
        parse_options=pc.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert_options=options,
    ) as reader:
        yield from reader


def names_side_by_side(
    source: Source, text: tuple[str, int], n_columns: int, columns: Sequence[int], id_column: int | None
) -> Iterator[tuple[list[str], NDArray[np.int32], list[str]]]:
    """Read columns of a text table that hold a label's name each."""
    import pyarrow as pa

    wanted = [*columns, *([] if id_column is None else [id_column])]
    batches = _text_batches(source, text, n_columns, wanted)
    try:
        for batch in batches:
            cells = pa.chunked_array(batch.columns[: len(columns)]).dictionary_encode().unify_dictionaries()
            names = cells.chunk(0).dictionary.to_pylist() if batch.num_rows else []
            codes = np.stack([part.indices.to_numpy(zero_copy_only=False) for part in cells.chunks], axis=1)
            # the first of several writes to a place must be the one that stays
            first = np.zeros(len(names), dtype=np.int64)
            first[codes.reshape(-1)[::-1]] = np.arange(codes.size)[::-1]
            order = np.argsort(first)
            rank = np.empty(len(names), dtype=np.int32)
            rank[order] = np.arange(len(names), dtype=np.int32)
            ids = [] if id_column is None else batch.columns[-1].to_pylist()
            yield [names[at] for at in order.tolist()], rank[codes], ids
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise NotAsExpectedError from error
