"""What the labels of a row add up to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.jit import kernel

Array = NDArray[Any]


@kernel
def sum_label_scores(indptr: Array, indices: Array, rows: Array, label_scores: Array, sums: Array) -> None:
    """Add up the scores of each row's labels, in the order in which the labels stand.

    Parameters
    ----------
    indptr, indices : ndarray of int
        CSR arrays of the labels, shapes (n_rows + 1,) and (n_positives,).
    rows : ndarray of shape (n_chosen,), dtype int32
        The rows to score.
    label_scores : ndarray of shape (n_labels,), dtype float64
        The score of each label.
    sums : ndarray of shape (n_chosen,), dtype float64
        Set in place.
    """
    for at in range(rows.size):
        row = rows[at]
        total = np.float64(0)
        for entry in range(indptr[row], indptr[row + 1]):
            total += label_scores[indices[entry]]
        sums[at] = total
