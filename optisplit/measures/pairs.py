"""Pairs of labels that occur together, as data of their own: measured and balanced by what works on labels.

References
----------
.. [1] P. Szymański, T. Kajdanowicz, "A Network Perspective on Stratification of Multi-Label Data", Proceedings of
   Machine Learning Research 74, 2017 (measures over label pairs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit import kernels
from optisplit.errors import OptionError
from optisplit.labels import MultilabelDataset, as_dataset
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optisplit.labels import LabelMatrix

MAX_POSITIVES = 300_000_000
"""Positives of a pair matrix that are taken for meant: 1.5 GB."""

MAX_COUNTED = 10_000_000_000
"""Pairs in rows, however rare, that are gone through to count them: about half a minute."""

CHUNK_WORK = 3_000_000
"""Labels of rows that are looked at in one compiled call: about a tenth of a second."""

_N_SIZES = 64


def label_pairs(labels: Any, *, min_rows: int = 1, max_positives: int = MAX_POSITIVES) -> MultilabelDataset:
    """Make data of the pairs of labels that occur together: a label for each pair.

    - A row has a pair if it has both its labels; pairs are in the order of their first label, then their second.
    - ``evaluate(label_pairs(data), folds)`` gives the measures over label pairs [1]_, with their bounds, and
      ``split(label_pairs(data))`` balances the pairs.
    - Row ids and notes are kept, and nothing given is changed.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    min_rows : int, default=1
        Rows in which two labels must occur together for their pair to be kept.
    max_positives : int, default=300_000_000
        Highest number of (row, pair) entries that may be made; each takes 5 bytes.

    Returns
    -------
    MultilabelDataset
        One label a pair, named ``first & second``. It has no labels where no pair is kept.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    OptionError
        If `min_rows` or `max_positives` is not a whole number of at least 1, or there are too many pairs.

    Notes
    -----
    Time grows with the pairs of labels in each row, summed over rows; memory with the pairs that are kept, of which
    the names take the most (100 to 250 bytes a pair), and with the (row, pair) entries. There is no table of
    n_labels x n_labels.

    References
    ----------
    .. [1] Szymański, Kajdanowicz, Proceedings of Machine Learning Research 74, 2017. The FLZ of pairs is their FLPZ.

    Examples
    --------
    >>> pairs = label_pairs([["a", "b"], ["a", "b", "c"], ["c"], ["b", "c"]])
    >>> pairs.label_names
    ('a & b', 'a & c', 'b & c')
    >>> pairs.labels.toarray().tolist()
    [[1, 0, 0], [1, 1, 1], [0, 0, 0], [0, 0, 1]]
    """
    data = as_dataset(labels)
    matrix, first, second = pair_matrix(data.labels, min_rows, max_positives)
    names = data.label_names
    pair_names = tuple(f"{names[i]} & {names[j]}" for i, j in zip(first.tolist(), second.tolist(), strict=True))
    pairs, rows = counted(len(pair_names), "pair"), counted(min_rows, "row")
    note = f"The labels are {pairs} of labels that occur together in at least {rows}."
    return MultilabelDataset(matrix, pair_names, data.row_ids, f"{data.name} pairs", (*data.notes, note))


def pair_matrix(
    labels: LabelMatrix,
    min_rows: int = 1,
    max_positives: int = MAX_POSITIVES,
    on_chunk: Callable[[], None] | None = None,
) -> tuple[LabelMatrix, NDArray[np.int32], NDArray[np.int32]]:
    """Make the matrix of the pairs of labels that occur together."""
    _check_whole("min_rows", min_rows)
    _check_whole("max_positives", max_positives)
    _check_countable(labels, max_positives)
    n_rows, n_labels = labels.shape
    columns = labels.tocsc()
    arrays = (columns.indptr, columns.indices, labels.indptr, labels.indices, min(int(min_rows), n_rows + 1))
    n_seconds, n_in_row = np.zeros(n_labels, dtype=np.int64), np.zeros(n_rows, dtype=np.int64)
    by_size = np.zeros((2, _N_SIZES), dtype=np.int64)
    room = np.zeros(n_labels, dtype=np.int32), np.empty(n_labels, dtype=np.int32)
    starts = labels.indptr[:-1]
    _in_chunks(
        kernels.pairs.tally_pairs, n_labels, arrays, (starts.copy(), *room, n_seconds, n_in_row, *by_size), on_chunk
    )
    n_pairs, n_positives = int(n_seconds.sum()), int(n_in_row.sum())
    if n_positives > max_positives:
        raise _too_many(n_pairs, n_positives, int(min_rows), int(max_positives), by_size)

    index_dtype = np.int32 if max(n_positives, n_pairs, n_rows) < np.iinfo(np.int32).max else np.int64
    indptr = _starts(n_in_row).astype(index_dtype)
    indices = np.empty(n_positives, dtype=index_dtype)
    second = np.empty(n_pairs, dtype=np.int32)
    out = (_starts(n_seconds), second, indptr[:-1].copy(), indices)
    _in_chunks(kernels.pairs.list_pairs, n_labels, arrays, (starts.copy(), *room, *out), on_chunk)
    matrix = sp.csr_array((np.ones(n_positives, dtype=np.int8), indices, indptr), shape=(n_rows, n_pairs))
    matrix.has_canonical_format = True
    return matrix, np.repeat(np.arange(n_labels, dtype=np.int32), n_seconds), second


def _in_chunks(
    kernel: Callable[..., int],
    n_labels: int,
    arrays: tuple[Any, ...],
    state: tuple[Any, ...],
    on_chunk: Callable[[], None] | None,
) -> None:
    label = 0
    while label < n_labels:
        label = kernel(*arrays, label, CHUNK_WORK, *state)
        if on_chunk is not None and label < n_labels:
            on_chunk()


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(lengths)))


def _check_whole(name: str, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        msg = f"{name} must be a whole number of at least 1, got {value!r}."
        raise OptionError(msg)


def _check_countable(labels: LabelMatrix, max_positives: int) -> None:
    lengths = np.diff(labels.indptr).astype(np.int64)
    n_counted = int((lengths * (lengths - 1) // 2).sum())
    limit = max(MAX_COUNTED, int(max_positives))
    if n_counted > limit:
        msg = (
            f"The rows hold {n_counted:,} pairs of labels in all (the longest row has {lengths.max():,} labels), more "
            f"than the {limit:,} that are counted; leave out the longest rows or the most frequent labels, or raise "
            f"max_positives to {n_counted:,}, if it may take that long."
        )
        raise OptionError(msg)


def _too_many(
    n_pairs: int, n_positives: int, min_rows: int, max_positives: int, by_size: NDArray[np.int64]
) -> OptionError:
    """Say how many pairs there are, and from which power of two for `min_rows` on they are few enough."""
    pairs_from, positives_from = by_size[:, ::-1].cumsum(axis=1)[:, ::-1].tolist()
    # the sizes fall with the exponent, and those up to min_rows itself have too many
    enough = next(exponent for exponent in range(_N_SIZES) if positives_from[exponent] <= max_positives)
    way_out = f"raise max_positives to {n_positives:,}, if there is memory for them (5 bytes each)"
    if pairs_from[enough] > 0:
        left = f"{counted(pairs_from[enough], 'pair')} with {positives_from[enough]:,}"
        way_out = f"use min_rows={2**enough}, which leaves {left}, or {way_out}"
    msg = (
        f"With min_rows={min_rows:,} there are {counted(n_pairs, 'pair')} of labels with {n_positives:,} positives, "
        f"more than max_positives={max_positives:,}; {way_out}."
    )
    return OptionError(msg)
