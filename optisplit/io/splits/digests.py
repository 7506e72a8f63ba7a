"""A number for each row of a file, the same where rows are the same, to find rows on both sides of a split."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, OptisplitError
from optisplit.io.formats.arff_header import open_arff, split_cells
from optisplit.io.keys import is_measured
from optisplit.io.layouts.columns import chosen_columns
from optisplit.io.registry import FORMATS
from optisplit.io.row_names import is_id_name
from optisplit.io.second_tables import open_table
from optisplit.io.source import FileLike, Source, read_source
from optisplit.io.splits.row_lines import is_arff
from optisplit.io.splits.tables import is_split_name
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from optisplit.labels import MultilabelDataset

_MARK = "\x1f"
_MANY = 20
_OTHER_NAMES = frozenset({"group", "groups"})
_SPACE = re.compile(rb"\s*([,{}])\s*")


class RowDigests(np.ndarray[Any, Any]):
    """A number for each row, the same where rows are the same."""

    note: str = ""  # what was compared, in a sentence


def row_digests(data: MultilabelDataset, *sources: FileLike, split_column: str | None = None) -> RowDigests | None:
    """Give each row of the data's file a number that is equal where all its features are.

    - Features are the columns that are neither the key nor other row ids, labels, folds or groups, nor `split_column`,
      the column of the split at hand. Numbers that are written differently are different.
    - None where there are no features, or where these evidently do not tell rows apart: more than half of the rows
      have an equal one, nothing was measured, and there are fewer combinations of values than pairs of rows.
    """
    if data.reading is not None and FORMATS[data.reading.format].takes_folder:  # of many files
        return None
    aside = {data.key, split_column} - {None}
    parts = [_of_file(read_source(source), data, aside) for source in sources]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not known or len({columns for columns, _ in known}) > 1:
        return None
    contents = np.concatenate([each for _, each in known])
    reading = data.reading
    if reading is not None and reading.kept_rows is not None and len(contents) == reading.n_file_rows:
        contents = contents[reading.kept_rows]
    columns = known[0][0]
    if len(contents) != data.n_rows or _say_nothing(contents, columns):
        return None
    digests = [hashlib.blake2b(each, digest_size=8).digest() for each in contents.tolist()]
    made = np.frombuffer(b"".join(digests), dtype="<u8").view(RowDigests)
    made.note = f"Rows were compared in {counted(len(columns), 'column')}: {listed(columns)}."
    return made


def _of_file(
    source: Source, data: MultilabelDataset, aside: AbstractSet[str | None]
) -> tuple[tuple[str, ...], NDArray[np.object_]] | None:
    """Name the features in a file, and give what stands in them in each row, with marks between."""
    try:
        read = _in_arff if is_arff(source.data.lstrip()[:200]) else _in_table
        found = read(source, data, aside)
    except FormatError:
        return None
    if found is None or not found[0]:
        return None
    contents = np.empty(len(found[1]), dtype=object)
    contents[:] = found[1]
    return tuple(found[0]), contents


def _in_table(
    source: Source, data: MultilabelDataset, aside: AbstractSet[str | None]
) -> tuple[list[str], list[bytes]] | None:
    if b"\0" in source.data[:8192] or source.data.lstrip()[:200].startswith((b"{", b"[", b"<")):
        return None
    table = open_table(source, data)
    labels = _label_columns(table.header, data)
    kept = [at for at, title in enumerate(table.header) if at not in labels and not _is_aside(title, aside)]
    filled = [record for record in table.lines if any(record.cells)]
    return [table.header[at] for at in kept], [_MARK.join(record.cell(at) for at in kept).encode() for record in filled]


def _in_arff(source: Source, data: MultilabelDataset, aside: AbstractSet[str | None]) -> tuple[list[str], list[bytes]]:
    header, lines = open_arff(source)
    labels = _label_columns(list(map(clean_name, header.names)), data)
    left = labels | {at for at, name in enumerate(header.names) if _is_aside(name, aside)}
    names = [name for at, name in enumerate(header.names) if at not in left]
    return names, [_features(_SPACE.sub(rb"\1", row), left) for _, row in lines]


def _features(row: bytes, aside: set[int]) -> bytes:
    """Take labels and the like out of a row of ARFF."""
    text = row.decode("utf-8", "replace")
    if text.startswith("{"):
        entries = split_cells(text.rpartition("}")[0][1:])
        kept = [entry for entry in entries if not (at := entry.split(None, 1)[:1]) or _number(at[0]) not in aside]
        return _MARK.join(kept).encode()
    return _MARK.join(cell for at, cell in enumerate(split_cells(text)) if at not in aside).encode()


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else -1


def _is_aside(title: str, aside: AbstractSet[str | None]) -> bool:
    return is_id_name(title) or title.strip().lower() in _OTHER_NAMES or is_split_name(title) or title in aside


def _label_columns(header: list[str], data: MultilabelDataset) -> set[int]:
    """Find the columns that are labels, or name them."""
    labels = {re.sub(r" \(\d+\)$", "", name) for name in data.label_names}
    found = {at for at, title in enumerate(header) if title.strip() in labels}
    of_labels = None if data.reading is None else data.reading.options.get("label_columns")
    if of_labels is None or data.reading is None or data.reading.format == "arff":
        return found
    try:
        return found | set(chosen_columns(of_labels, header))
    except OptisplitError:  # another file than the data's
        return found


def _say_nothing(contents: NDArray[np.object_], columns: tuple[str, ...]) -> bool:
    """Tell whether columns hold too little to tell rows apart, so that equal ones need not be the same."""
    counts = Counter(contents.tolist())
    n_equal = sum(count for count in counts.values() if count > 1)
    if 2 * n_equal <= len(contents) or len(columns) > _MANY:
        return False
    cells = [each.decode().split(_MARK) for each in counts]
    values = [set(filter(None, column)) for column in zip_longest(*cells)]
    if any(is_measured(cell.rpartition(" ")[2] for cell in column) for column in values):  # sparse ARFF: number, value
        return False
    return math.prod(map(len, values)) < len(contents) ** 2
