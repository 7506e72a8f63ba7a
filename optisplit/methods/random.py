"""The baseline: rows in random order, cut into folds of equal size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds import FoldArray
    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import ProgressCallback


def random(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Divide the rows at random, looking at no label.

    - Fold sizes differ by at most one row; the first folds have the extra rows.
    - The same seed gives the same folds.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels; only the number of rows matters.
    n_splits : int
        Number of folds.
    rng : numpy.random.Generator
        Source of randomness.
    on_progress : callable, optional
        Not called: this takes no time.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row.
    """
    n_rows = labels.shape[0]
    sizes = equal_sizes(n_rows, n_splits)
    folds = np.empty(n_rows, dtype=np.int32)
    folds[rng.permutation(n_rows)] = np.repeat(np.arange(n_splits, dtype=np.int32), sizes)
    return folds


def equal_sizes(n_rows: int, n_splits: int) -> NDArray[np.int64]:
    """Divide a number of rows as equally as it goes.

    Parameters
    ----------
    n_rows, n_splits : int
        Rows and folds.

    Returns
    -------
    ndarray of shape (n_splits,), dtype int64
        Rows a fold; the first folds have the extra ones.

    Examples
    --------
    >>> equal_sizes(11, 3).tolist()
    [4, 4, 3]
    """
    sizes = np.full(n_splits, n_rows // n_splits, dtype=np.int64)
    sizes[: n_rows % n_splits] += 1
    return sizes
