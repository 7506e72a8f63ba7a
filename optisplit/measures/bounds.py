"""Exact lower bounds on rLD, DCP and FLZ: how good a split of given fold sizes can possibly be.

With the fold sizes fixed, each label's positives can be put into the folds in the best way independently of
the other labels. No split has a lower mean score than the mean of these bounds; a split that reaches it
is optimal, and score / bound says how much there is left to gain.

NumPy is imported where it is used: the command line asks for the measures' names without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit import kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

MOST_STEPS = 1_000_000
"""Labels times folds whose bounds are found at once, which bounds the memory for that."""


def rld_bound_per_class(positives: Any, fold_sizes: Any, shares: Any = None) -> FloatArray:
    """Find the lowest rLD that each label can have; shares make no difference to it.

    - Exact: no assignment of the label's positives to folds of these sizes scores lower, and one reaches it.
    - For k equal folds and c = a k + r positives it is ``2 r (k - r) / (k c)``, as long as no fold overflows.
    """
    import numpy as np

    sizes = np.ascontiguousarray(fold_sizes, dtype=np.int64)
    at_once = max(1, MOST_STEPS // max(1, len(sizes)))

    def fill(counts: NDArray[np.int64], bounds: FloatArray) -> None:
        for begin in range(0, len(counts), at_once):
            bounds[begin : begin + at_once] = _rld_bounds(counts[begin : begin + at_once, None], sizes)

    return _by_distinct_size(positives, fill)


def _rld_bounds(counts: NDArray[np.int64], sizes: NDArray[np.int64]) -> FloatArray:
    """Find the least rLD of labels over all ways to put their positives, shape (n_labels, 1), into the folds.

    With c positives, n rows and s_j rows in fold j, the cost of c_j positives in fold j, abs(1 - c_j n / (s_j c)),
    is convex in c_j: each unit up to floor(c s_j / n) lowers it by w_j = n / (s_j c), each unit beyond the next
    raises it by w_j, and the one in between changes it by something from -w_j to w_j. Taking the c lowest of
    all these steps is optimal, and never asks for a fold's later step before its earlier ones.
    """
    import numpy as np

    n_rows = sizes.sum()
    weight = np.where(sizes > 0, n_rows / np.maximum(sizes * counts, 1), 0.0)
    whole = counts * sizes // max(n_rows, 1)
    crossing = np.abs(1 - (whole + 1) * weight) - np.abs(1 - whole * weight)
    steps = np.concatenate([-weight, crossing, weight], axis=1)
    room = np.concatenate([np.minimum(whole, sizes), np.minimum(sizes - whole, 1), np.maximum(sizes - whole - 1, 0)], 1)
    order = np.argsort(steps, axis=1, kind="stable")
    in_order = np.take_along_axis(room, order, axis=1)
    taken = np.clip(counts - (np.cumsum(in_order, axis=1) - in_order), 0, in_order)
    np.put_along_axis(room, order, taken, axis=1)
    held = room.reshape(len(counts), 3, len(sizes)).sum(axis=1)
    overall = np.maximum(counts, 1) / max(n_rows, 1)
    cost = np.zeros(len(counts))  # computed as the measure is, so that a perfect split's bound is 0 to the last digit
    for off in (np.abs(overall - held / np.maximum(sizes, 1)) / overall).T:
        cost += off
    return np.where(counts[:, 0] > 0, cost / max(len(sizes), 1), 0.0)


def dcp_bound_per_class(positives: Any, fold_sizes: Any, shares: Any = None) -> FloatArray:
    """Find the lowest DCP that each label can have, against equal shares unless others are given.

    - Exact: no assignment of the label's positives to folds of these sizes scores lower, and one reaches it.
    - For k equal folds and c positives it is ``ceil(c / k) / c - 1 / k``, as long as no fold overflows.
    """
    import numpy as np

    sizes = np.ascontiguousarray(fold_sizes, dtype=np.int64)
    due = np.full(sizes.size, 1 / sizes.size) if shares is None else np.ascontiguousarray(shares, np.float64)
    return _by_distinct_size(positives, lambda c, out: kernels.bounds.dcp_bounds(c, sizes, due, out))


def flz_bound(positives: Any, fold_sizes: Any, shares: Any = None) -> int:
    """Find the lowest FLZ: a label with c positives misses at least as many folds as there are more than c."""
    return int((len(fold_sizes) - positives[positives > 0]).clip(0).sum())


def _by_distinct_size(positives: Any, fill: Callable[[NDArray[np.int64], FloatArray], None]) -> FloatArray:
    """Compute one bound a distinct label size: thousands of labels share a few hundred sizes."""
    import numpy as np

    counts = np.ascontiguousarray(positives, dtype=np.int64)
    distinct, which = np.unique(counts, return_inverse=True)
    bounds = np.empty(distinct.size)
    fill(distinct, bounds)
    return bounds[which]
