"""A number for each row of a file, the same where rows are the same, to find rows on both sides of a split."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import FormatError
from optisplit.io.formats.arff_header import open_arff
from optisplit.io.row_names import is_id_name
from optisplit.io.second_tables import open_table
from optisplit.io.source import FileLike, Source, read_source
from optisplit.io.splits.row_lines import is_arff
from optisplit.io.splits.tables import is_split_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optisplit.labels import MultilabelDataset

_OTHER_NAMES = frozenset({"group", "groups"})
_SPACE = re.compile(rb"\s*([,{}])\s*")


def row_digests(data: MultilabelDataset, *sources: FileLike) -> NDArray[np.uint64] | None:
    """Give each row of the data's file a number that is equal where all its columns are.

    Row ids, folds and groups do not count. Numbers that are written differently are different.
    """
    parts = [_of_file(read_source(source), data) for source in sources]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not known or len({columns for columns, _ in known}) > 1:
        return None
    digests = np.concatenate([numbers for _, numbers in known])
    return digests if len(digests) == data.n_rows else None


def _of_file(source: Source, data: MultilabelDataset) -> tuple[tuple[str, ...], NDArray[np.uint64]] | None:
    try:
        found = _contents(source, data.n_rows)
    except FormatError:
        return None
    if found is None or _says_nothing(found[0], data):
        return None
    digests = (hashlib.blake2b(content, digest_size=8).digest() for content in found[1])
    return tuple(found[0]), np.frombuffer(b"".join(digests), dtype="<u8")


def _contents(source: Source, n_rows: int) -> tuple[list[str], Iterable[bytes]] | None:
    """Name the columns of a file that count, and give what stands in them in each row."""
    head = source.data.lstrip()[:200]
    if is_arff(head):
        header, lines = open_arff(source)
        return header.names, (_SPACE.sub(rb"\1", row) for _, row in lines)
    if b"\0" in source.data[:8192] or head.startswith((b"{", b"[", b"<")):
        return None
    table = open_table(source)
    kept = [at for at, title in enumerate(table.header) if not _is_aside(title)]
    filled = [record for record in table.lines if any(record.cells)]
    if len(filled) == n_rows - 1:  # no header
        return None
    contents = ("\x1f".join(record.cell(at) for at in kept).encode() for record in filled)
    return [table.header[at] for at in kept], contents


def _is_aside(title: str) -> bool:
    name = title.strip().lower()
    return is_id_name(title) or name in _OTHER_NAMES or is_split_name(title)


def _says_nothing(names: list[str], data: MultilabelDataset) -> bool:
    """Tell whether there are no columns but labels: rows with the same labels need not be the same."""
    labels = {re.sub(r" \(\d+\)$", "", name) for name in data.label_names}
    of_labels = None if data.reading is None else data.reading.options.get("label_columns")
    if isinstance(of_labels, list):  # columns that name labels, or are labels
        labels |= {str(name).strip() for name in of_labels}
    return not {name.strip() for name in names} - labels
