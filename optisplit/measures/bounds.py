"""Exact lower bounds on rLD and DCP: how good a split of given fold sizes can possibly be.

With the fold sizes fixed, each class's positives can be put into the folds in the best way independently of
the other classes. No split has a lower mean score than the mean of these class bounds; a split that reaches it
is optimal, and score / bound says how much there is left to gain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def rld_bound_per_class(positives: Any, fold_sizes: Any) -> FloatArray:
    """Find the lowest rLD that each class can have.

    - Exact: no assignment of the class's positives to folds of these sizes scores lower, and one reaches it.
    - For k equal folds and c = a k + r positives it is ``2 r (k - r) / (k c)``, as long as no fold overflows.
    """
    from optisplit.kernels import bounds as kernels

    counts = np.ascontiguousarray(positives, dtype=np.int64)
    return _by_distinct_size(
        counts, lambda c, out: kernels.rld_bounds(c, np.ascontiguousarray(fold_sizes, dtype=np.int64), out)
    )


def dcp_bound_per_class(positives: Any, fold_sizes: Any, shares: Any = None) -> FloatArray:
    """Find the lowest DCP that each class can have.

    - Exact: no assignment of the class's positives to folds of these sizes scores lower, and one reaches it.
    - For k equal folds and c positives it is ``ceil(c / k) / c - 1 / k``, as long as no fold overflows.
    """
    from optisplit.kernels import bounds as kernels

    counts = np.ascontiguousarray(positives, dtype=np.int64)
    sizes = np.ascontiguousarray(fold_sizes, dtype=np.int64)
    wanted = np.full(sizes.size, 1 / sizes.size) if shares is None else np.ascontiguousarray(shares, np.float64)
    return _by_distinct_size(counts, lambda c, out: kernels.dcp_bounds(c, sizes, wanted, out))


def _by_distinct_size(positives: NDArray[np.int64], fill: Any) -> FloatArray:
    """Compute one bound a distinct class size: thousands of classes share a few hundred sizes."""
    distinct, which = np.unique(positives, return_inverse=True)
    bounds = np.empty(distinct.size)
    fill(distinct, bounds)
    return bounds[which]
