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


def rld_bound_per_class(positives: Any, fold_sizes: Any, shares: Any = None) -> FloatArray:
    """Find the lowest rLD that each label can have; shares make no difference to it.

    - Exact: no assignment of the label's positives to folds of these sizes scores lower, and one reaches it.
    - For k equal folds and c = a k + r positives it is ``2 r (k - r) / (k c)``, as long as no fold overflows.
    """
    import numpy as np

    sizes = np.ascontiguousarray(fold_sizes, dtype=np.int64)
    return _by_distinct_size(positives, lambda c, out: kernels.bounds.rld_bounds(c, sizes, out))


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
