"""Labels without a positive in some fold where they could have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

NEARLY = 1e-9
"""What is due may be off by this, as shares are."""


def missing_avoidably(counts: NDArray[Any], sizes: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Find the folds in which labels have no positive though they could have one, and have not what is due to them.

    Shape (n_splits, n_labels). A label is missing avoidably where at least one positive is due, and, where it has
    fewer positives than folds, if another fold holds more than is due there, rounded up. Labels are looked at one by
    one, and all rows as free to move: rules of the split, such as groups, may make some of it necessary.
    """
    import numpy as np

    positives = counts.sum(axis=0, dtype=np.int64)
    is_equal = np.ptp(sizes) <= 1
    shares = np.full(len(sizes), 1 / len(sizes)) if is_equal else sizes / sizes.sum()
    due = np.multiply.outer(shares, positives)
    is_missing = (counts == 0) & (positives > 0) & (sizes > 0)[:, None]
    n_unavoidable = np.maximum((sizes > 0).sum() - positives, 0)
    n_beyond = np.maximum(counts - np.ceil(due - NEARLY), 0).sum(axis=0)
    is_due = is_missing & (due >= 1 - NEARLY)
    n_missing = is_missing.sum(axis=0)
    is_avoidable = (n_missing > n_unavoidable) & (is_due.any(axis=0) | (n_beyond > 0))
    return np.asarray(is_missing & is_avoidable & (is_due | (n_beyond > 0)))
