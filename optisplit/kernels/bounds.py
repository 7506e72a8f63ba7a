"""The best value that any split with given fold sizes can reach, label by label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.jit import kernel

Array = NDArray[Any]


@kernel
def rld_bounds(positives: Array, sizes: Array, bounds: Array) -> None:
    """Find the least rLD of each label over all ways to put its positives into the folds.

    With c positives, n rows and s_j rows in fold j, the cost of c_j positives in fold j, abs(1 - c_j n / (s_j c)),
    is convex in c_j: each unit up to floor(c s_j / n) lowers it by w_j = n / (s_j c), each unit beyond the next
    raises it by w_j, and the one in between changes it by something from -w_j to w_j. Taking the c lowest of
    all these steps is optimal, and never asks for a fold's later step before its earlier ones.

    positives: (n_labels,) int64, positives a label; labels with none get 0; sizes: (n_splits,) int64, rows a fold;
    bounds: (n_labels,) float64, set in place.
    """
    n_splits = sizes.size
    n_rows = sizes.sum()
    step = np.empty(3 * n_splits)
    room = np.empty(3 * n_splits, np.int64)
    held = np.empty(n_splits, np.int64)
    for label in range(positives.size):
        c = positives[label]
        bounds[label] = 0.0
        if c == 0:
            continue
        held[:] = 0
        for j in range(n_splits):
            s = sizes[j]
            weight = n_rows / (s * c) if s > 0 else 0.0
            whole = (c * s) // n_rows
            step[3 * j], room[3 * j] = -weight, min(whole, s)
            crossing = abs(1.0 - (whole + 1) * weight) - abs(1.0 - whole * weight)
            step[3 * j + 1], room[3 * j + 1] = crossing, min(1, s - whole)
            step[3 * j + 2], room[3 * j + 2] = weight, max(0, s - whole - 1)
        left = c
        for at in np.argsort(step):
            taken = min(left, room[at])
            held[at // 3] += taken
            left -= taken
            if left == 0:
                break
        cost = 0.0  # computed as the measure is, so that a perfect split's bound is 0 to the last digit
        overall = c / n_rows
        for j in range(n_splits):
            cost += abs((overall - held[j] / max(sizes[j], 1)) / overall)
        bounds[label] = cost / n_splits


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
            held[j] = min(sizes[j], int(c * shares[j] + 1e-9))
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
            largest = max(largest, held[j] / c - shares[j])
        bounds[label] = abs(largest)
