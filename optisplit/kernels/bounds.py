"""The best value that any split with given fold sizes can reach, label by label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.jit import kernel

Array = NDArray[Any]


@kernel
def dcp_bounds(positives: Array, sizes: Array, shares: Array, bounds: Array) -> None:
    """Find the least DCP of each label over all ways to put its positives into the folds.

    DCP is the largest c_j / c - t_j (t_j: the share that fold j should have). Each fold may hold floor(c t_j)
    without exceeding 0; what is left goes, one by one, where it raises the value least.

    positives: (n_labels,) int64, positives a label; labels with none get 0; sizes: (n_splits,) int64, rows a fold: no
    fold can hold more positives than rows; shares: (n_splits,) float64, the share of the rows that each fold should
    have; they sum to 1; bounds: (n_labels,) float64, set in place.
    """
    n_splits = sizes.size
    held = np.empty(n_splits, np.int64)
    for label in range(positives.size):
        c = positives[label]
        bounds[label] = 0.0
        if c == 0:
            continue
        left = c
        for j in range(n_splits):
            due = int(c * shares[j] + 1e-9)
            held[j] = due if due < sizes[j] else sizes[j]
            left -= held[j]
        while left > 0:
            best, best_value = -1, np.inf
            for j in range(n_splits):
                value = (held[j] + 1) / c - shares[j]
                if held[j] < sizes[j] and value < best_value:
                    best, best_value = j, value
            held[best] += 1
            left -= 1
        largest = -np.inf
        for j in range(n_splits):
            value = held[j] / c - shares[j]
            largest = value if value > largest else largest
        bounds[label] = abs(largest)
