"""Positives of each label in each fold, and what measures make of amounts, of which a row may have more than one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit import kernels
from optisplit.labels import has_counts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix

    FloatArray = NDArray[np.float64]


def count_positives_per_fold(labels: LabelMatrix, folds: FoldArray, n_splits: int) -> NDArray[np.int32]:
    """Count the rows that have each label in each fold."""
    counts = np.zeros((n_splits, labels.shape[1]), dtype=np.int32)
    kernels.counting.count_positives(labels.indptr, labels.indices, folds, counts)
    return counts


def count_rows_per_fold(labels: LabelMatrix, folds: FoldArray, n_splits: int) -> NDArray[np.int64]:
    """Count the rows with 0, 1, 2, ... labels in each fold."""
    most = int(np.diff(labels.indptr).max(initial=0))
    counts = np.zeros((n_splits, most + 1), dtype=np.int64)
    kernels.counting.count_rows(labels.indptr, folds, counts)
    return counts


def amounts_per_fold(labels: LabelMatrix, folds: FoldArray, n_splits: int) -> NDArray[np.int32]:
    """Add up the amounts of each label in each fold: of rows that have it, where the data count nothing else."""
    if not has_counts(labels):
        return count_positives_per_fold(labels, folds, n_splits)
    counts = np.zeros((n_splits, labels.shape[1]), dtype=np.int32)
    kernels.counting.count_amounts(labels.indptr, labels.indices, labels.data, folds, counts)
    return counts


def of_amounts(
    function: Callable[..., FloatArray], counts: NDArray[Any], sizes: NDArray[np.int64], shares: FloatArray
) -> FloatArray:
    """Compute a measure of amounts, or its bound, of `counts` in folds or in all: no fold is too small for them.

    What compares shares is the same where all folds are larger by one factor, and large enough for all amounts.
    """
    largest = int(counts.sum(axis=0).max(initial=1)) if counts.ndim > 1 else int(counts.max(initial=1))
    factor = 1 + largest // max(1, int(sizes[sizes > 0].min(initial=largest)))
    return function(counts, sizes * factor, shares)
