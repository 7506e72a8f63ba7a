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

    indptr, indices: CSR arrays of the labels, shapes (n_rows + 1,) and (n_positives,); rows: (n_chosen,) int32, the
    rows to score; label_scores: (n_labels,) float64, the score of each label; sums: (n_chosen,) float64, set in place.
    """
    for at in range(rows.size):
        row = rows[at]
        total = np.float64(0)
        for entry in range(indptr[row], indptr[row + 1]):
            total += label_scores[indices[entry]]
        sums[at] = total
