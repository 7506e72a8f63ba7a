"""What is noticed of the rows and labels of a data set, counted anew wherever these change."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optisplit.labels.matrix import positives_per_label
from optisplit.text import bytes_words, clean_name, counted, few, listed, named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optisplit.labels.dataset import MultilabelDataset

_ROWS_AT_ONCE = 20_000
_N_SHOWN = 5


def entries_of(data: MultilabelDataset) -> dict[str, str]:
    """Write what there is to say of any data, line by line."""
    sizes = positives_per_label(data.labels)
    per_row = data.n_positives / data.n_rows
    n_bytes = sum(array.nbytes for array in (data.labels.data, data.labels.indices, data.labels.indptr))
    return {
        "Rows": f"{data.n_rows:,}",
        "Labels": f"{data.n_labels:,}",
        "Labels per row": f"{per_row:.4g} (density {per_row / data.n_labels:.3g})",
        "Rows without a label": f"{_n_bare(data):,}",
        **({} if data.counts is None else {"Instances": _instances(data, sizes)}),
        "Unusual labels": _unusual(sizes, data.n_rows),
        "Labels that are the same on every row": _same_labels(data, sizes),
        "Names that differ only in case or blanks": f"{data.n_labels - len(_alike(data)):,}",
        "Memory of the labels": bytes_words(n_bytes),
    }


def notes_of(data: MultilabelDataset) -> list[str]:
    """Say what anybody should know of the data."""
    sizes, n_bare = positives_per_label(data.labels), _n_bare(data)
    notes = _of_shared_names(data)
    notes += [f"{n_bare:,} of {data.n_rows:,} rows have no label at all."] if n_bare else []
    pairs = [names for names in _alike(data).values() if len(names) > 1]
    if pairs:
        told = f"{counted(len(pairs), 'set')} of label names differ only in case or blanks"
        notes.append(f"{told}, such as {listed(pairs[0][:2])}.")
    for count, what in ((0, "no row"), (data.n_rows, "every row")):
        at = np.flatnonzero(sizes == count)
        if at.size:
            shown = named([data.label_names[j] for j in at.tolist()])
            notes.append(f"{counted(at.size, 'label', 'is')} on {what}: {shown}.")
    return notes


def described_anew(data: MultilabelDataset, was: Iterable[MultilabelDataset]) -> MultilabelDataset:
    """Give data made of others with what is noticed of them now, where it was told of these, in its place."""
    stale, reading = {note for each in was for note in notes_of(each)}, data.reading
    if reading is None and stale.isdisjoint(data.notes):
        return data
    notes = (*(note for note in data.notes if note not in stale), *notes_of(data))
    if reading is not None:
        reading = replace(reading, entries={**reading.entries, **entries_of(data)})
    return replace(data, notes=notes, reading=reading)


def _n_bare(data: MultilabelDataset) -> int:
    return int((np.diff(data.labels.indptr) == 0).sum())


def _alike(data: MultilabelDataset) -> dict[str, list[str]]:
    alike: dict[str, list[str]] = {}
    for name in data.label_names:
        alike.setdefault(" ".join(name.split()).casefold(), []).append(name)
    return alike


def _of_shared_names(data: MultilabelDataset) -> list[str]:
    names = data.row_ids or ()
    if len(set(names)) == len(names):
        return []
    repeated = [name for name, count in Counter(names).items() if count > 1]
    where = f" in the column {clean_name(data.key)!r}" if data.key else ""
    told = f"{counted(len(repeated), 'name', 'stands')} on several rows{where}: {listed(repeated)}."
    return [told + " Rows of one name may belong together: they can be given as groups."]


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
