"""What is noticed of every file, whatever its format: the lines of the card that says how it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit.labels import positives_per_label
from optisplit.text import clean_name, counted, few, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.io.parsed import Parsed
    from optisplit.io.source import Source
    from optisplit.labels import MultilabelDataset

_ROWS_AT_ONCE = 20_000
_N_SHOWN = 5


def describe(data: MultilabelDataset, parsed: Parsed, source: Source) -> tuple[dict[str, str], list[str]]:
    """Write how a file was read, line by line, and what anybody should know of the data."""
    sizes = positives_per_label(data.labels)
    n_bare = int((np.diff(data.labels.indptr) == 0).sum())
    alike: dict[str, list[str]] = {}
    for name in data.label_names:
        alike.setdefault(" ".join(name.split()).casefold(), []).append(name)
    name = clean_name(source.name)
    size = _size(source.n_bytes) if source.n_bytes else "in memory"
    entries = {"Folder": name} if source.is_folder else {"File": f"{name}, {size}"}
    if source.compression is not None:
        entries["Packed with"] = source.compression
    if parsed.form:
        entries["Form"] = parsed.form
    if parsed.rule:
        entries["Labels chosen by"] = parsed.rule
    per_row = data.n_positives / data.n_rows
    entries |= parsed.details
    entries |= {
        "Rows": f"{data.n_rows:,}",
        "Labels": f"{data.n_labels:,}",
        "Labels per row": f"{per_row:.4g} (density {per_row / data.n_labels:.3g})",
        "Rows without a label": f"{n_bare:,}",
        **({} if data.counts is None else {"Instances": _instances(data, sizes)}),
        "Unusual labels": _unusual(sizes, data.n_rows),
        "Labels that are the same on every row": _same_labels(data, sizes),
        "Names that differ only in case or blanks": f"{data.n_labels - len(alike):,}",
        "Memory of the labels": _size(
            sum(a.nbytes for a in (data.labels.data, data.labels.indices, data.labels.indptr))
        ),
    }
    notes = [f"{n_bare:,} of {data.n_rows:,} rows have no label at all."] if n_bare else []
    pairs = [names for names in alike.values() if len(names) > 1]
    if pairs:
        told = f"{counted(len(pairs), 'set')} of label names differ only in case or blanks"
        notes.append(f"{told}, such as {listed(pairs[0][:2])}.")
    for count, what in ((0, "no row"), (data.n_rows, "every row")):
        at = np.flatnonzero(sizes == count)
        if at.size:
            shown = listed([data.label_names[j] for j in at.tolist()])
            notes.append(f"{counted(at.size, 'label', 'is')} on {what}: {shown}.")
    return entries, notes


def _instances(data: MultilabelDataset, sizes: NDArray[np.int64]) -> str:
    """Say how many instances there are, and of the most frequent labels on how many rows."""
    counts = np.bincount(data.counts.indices, weights=data.counts.data, minlength=data.n_labels).astype(np.int64)
    most = np.argsort(-counts, kind="stable")[:_N_SHOWN].tolist()
    shown = [f"{data.label_names[j]} {counts[j]:,} on {counted(int(sizes[j]), 'row')}" for j in most]
    return f"{counts.sum():,}: {few(shown, data.n_labels)}"


def _unusual(sizes: NDArray[np.int64], n_rows: int) -> str:
    counts = {
        "no row": (sizes == 0).sum(),
        "one row": (sizes == 1).sum(),
        "2 to 4 rows": ((sizes > 1) & (sizes < 5)).sum(),
        "more than half of the rows": (2 * sizes > n_rows).sum(),
        "every row": (sizes == n_rows).sum(),
    }
    return ", ".join(f"{count:,} on {where}" for where, count in counts.items() if count) or "none"


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
