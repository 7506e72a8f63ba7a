"""Counts, such as objects in images, brought to what is due to every fold by exchanges of two rows.

A row brings all of its counts at once, so that they are seldom even where annealing of single rows ends. Here every
column may have in a fold what is due to it, rounded up or down, and counts so much per cent more or less; what is
beyond that has a price.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from optisplit import kernels
from optisplit.labels import count_columns, positives_per_label
from optisplit.measures.counting import amounts_per_fold
from optisplit.measures.representative import size_bands
from optisplit.methods.annealing.fairness import EXACT, positives_by_size, rows_by_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.folds.constraints import Constraints
    from optisplit.labels import LabelMatrix

TOLERANCE = 0.01
"""What counts may be off beyond rounding, as a share of what is due."""

STEPS_PER_ROW = {"quick": 200, "normal": 2_000, "thorough": 10_000}
"""Exchanges tried for each row, by effort."""

MOST_STEPS, CHUNK_STEPS = 50_000_000, 2_000_000
"""Exchanges tried at most; and in one compiled call."""

HOTTEST, COLDEST = 0.25, 0.01
"""Temperatures, in prices of a column of which one is due to the smallest fold."""

LABEL_PRICE = 1.4
"""How much more a label pays than a count as frequent as it."""


def exchange_amounts(
    columns: LabelMatrix,
    folds: FoldArray,
    constraints: Constraints,
    *,
    importance: NDArray[np.float64],
    n_labels: int,
    effort: str,
    is_share: bool,
    rng: np.random.Generator,
    on_chunk: Callable[[], None],
) -> FoldArray:
    """Exchange rows until counts are even; labels stay as even as they are.

    The first `n_labels` columns are labels; `is_share` says that each of them may be rounded up or down, otherwise
    they are to stay as they are. Groups are left alone.
    """
    is_count = count_columns(columns)
    if is_count is None or not is_count.any() or constraints.groups is not None:
        return folds
    movable = np.where(constraints.is_free & (folds >= 0), folds, -1).astype(np.int32)
    everything, is_fair = _with_kinds_of_rows(columns, n_labels, is_fair=is_share)
    weights, low, high, counts = _limits(everything, folds, constraints, is_count, n_labels, is_share=is_share)
    weights[: len(importance)] *= importance
    weights[is_fair] *= LABEL_PRICE
    by_column = everything.tocsc()
    arrays = (
        everything.indptr.astype(np.int64), everything.indices.astype(np.int32), everything.data.astype(np.float64),
        by_column.indptr.astype(np.int64), by_column.indices.astype(np.int32), weights, low, high, movable, counts,
        np.empty(counts.size, dtype=np.int64), rng.integers(1, 2**63, size=1, dtype=np.uint64),
    )  # fmt: skip
    before = _price(weights, low, high, counts)
    n_chunks = -(-min(MOST_STEPS, STEPS_PER_ROW[effort] * len(folds)) // CHUNK_STEPS)
    n_steps = min(MOST_STEPS, STEPS_PER_ROW[effort] * len(folds)) // n_chunks
    temperatures = np.geomspace(HOTTEST, COLDEST, n_chunks + 1)
    for hot, cold in pairwise(temperatures.tolist()):
        kernels.exchanges.exchange_at_random(*arrays, hot, cold, n_steps)
        on_chunk()
    if _price(weights, low, high, counts) >= before:
        return folds
    return np.where(movable >= 0, movable, folds).astype(np.int32)


def _with_kinds_of_rows(columns: LabelMatrix, n_labels: int, *, is_fair: bool) -> tuple[sp.csr_array, slice]:
    """Put rows by their number of labels, and labels by their size, behind the columns; tell which these are."""
    n_columns = columns.shape[1]
    if not is_fair:
        return sp.csr_array(columns.astype(np.int32)), slice(n_columns, n_columns)
    labels = columns[:, :n_labels]
    sizes, bands = np.unique(size_bands(positives_per_label(labels)), return_inverse=True)
    together = (columns.astype(np.int32), positives_by_size(labels, bands, len(sizes)), rows_by_number(labels))
    everything = sp.csr_array(sp.hstack(together, format="csr"))
    everything.sort_indices()
    return everything, slice(n_columns, everything.shape[1])


def _limits(
    columns: sp.csr_array,
    folds: FoldArray,
    constraints: Constraints,
    is_count: NDArray[np.bool_],
    n_labels: int,
    *,
    is_share: bool,
) -> tuple[NDArray[np.float64], ...]:
    """Give the price of one beyond the limits of each column, these, and what there is in each fold."""
    share = constraints.sizes / constraints.sizes.sum()
    counts = np.ascontiguousarray(amounts_per_fold(columns, folds, len(share)).T, dtype=np.float64)
    due = counts.sum(axis=1)[:, None] * share
    may_be_off = np.zeros_like(due)
    may_be_off[: len(is_count)][is_count] = np.floor(TOLERANCE * due[: len(is_count)][is_count])
    low, high = np.floor(due + EXACT) - may_be_off, np.ceil(due - EXACT) + may_be_off
    if not is_share:
        low[:n_labels] = high[:n_labels] = counts[:n_labels]
    weights = 1 / np.sqrt(np.maximum(due.min(axis=1), 1))
    weights[:n_labels] *= LABEL_PRICE
    return weights, low, high, counts


def _price(weights: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64],
           counts: NDArray[np.float64]) -> float:  # fmt: skip
    beyond = np.maximum(0, np.maximum(low - counts, counts - high))
    return float(weights @ beyond.sum(axis=1))
