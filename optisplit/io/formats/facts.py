"""What is noticed of every file, whatever its format: the lines of the card that says how it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.labels import positives_per_label
from optisplit.text import clean_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.io.formats.parsed import Parsed
    from optisplit.io.source import Source
    from optisplit.labels import MultilabelDataset

_ROWS_AT_ONCE = 20_000


def entries_of(data: MultilabelDataset, parsed: Parsed, source: Source) -> dict[str, str]:
    """Write how a file was read, line by line."""
    entries = {"File": f"{clean_name(source.name)}, {_size(source.n_bytes)}"}
    if source.compression is not None:
        entries["Packed with"] = source.compression
    if parsed.form:
        entries["Form"] = parsed.form
    if parsed.rule:
        entries["Labels chosen by"] = parsed.rule
    entries |= parsed.details
    cardinality = data.n_positives / data.n_rows
    entries["Rows"] = f"{data.n_rows:,}"
    entries["Labels"] = f"{data.n_labels:,}"
    entries["Labels per row"] = f"{cardinality:.4g} (density {cardinality / data.n_labels:.3g})"
    sizes = positives_per_label(data.labels)
    entries["Rows without a label"] = f"{int((np.diff(data.labels.indptr) == 0).sum()):,}"
    counts = {
        "no row": int((sizes == 0).sum()),
        "one row": int((sizes == 1).sum()),
        "2 to 4 rows": int(((sizes > 1) & (sizes < 5)).sum()),
        "more than half of the rows": int((2 * sizes > data.n_rows).sum()),
        "every row": int((sizes == data.n_rows).sum()),
    }
    told = [f"{count:,} on {where}" for where, count in counts.items() if count]
    entries["Unusual labels"] = ", ".join(told) or "none"
    entries["Labels that are the same on every row"] = _same_labels(data, sizes)
    collisions = len(data.label_names) - len({" ".join(name.split()).casefold() for name in data.label_names})
    entries["Names that differ only in case or blanks"] = f"{collisions:,}"
    entries["Memory of the labels"] = _size(sum(a.nbytes for a in _arrays(data)))
    return entries


def _arrays(data: MultilabelDataset) -> tuple[NDArray[Any], ...]:
    return data.labels.data, data.labels.indices, data.labels.indptr


def _same_labels(data: MultilabelDataset, sizes: NDArray[np.int64]) -> str:
    """Count labels whose rows are exactly those of another; found by random sums, which differ where rows do."""
    rng = np.random.default_rng(0)
    sums = np.zeros(data.n_labels, dtype=np.int64)
    indptr, indices = data.labels.indptr, data.labels.indices
    for start in range(0, data.n_rows, _ROWS_AT_ONCE):
        pointers = indptr[start : start + _ROWS_AT_ONCE + 1]
        weights = rng.integers(1, 1 << 62, len(pointers) - 1, dtype=np.int64)
        np.add.at(sums, indices[pointers[0] : pointers[-1]], np.repeat(weights, np.diff(pointers)))
    n_same = len(sums) - len(np.unique(np.stack([sums, sizes]), axis=1).T)
    return f"{n_same:,} (each says what another label says already)" if n_same else "none"


def _size(n_bytes: int) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= factor:
            return f"{n_bytes / factor:,.3g} {unit}"
    return f"{n_bytes:,} bytes"
