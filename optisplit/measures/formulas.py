"""What each measure computes, from the positives of each label in each fold, the folds' rows and their due shares.

NumPy is imported where arrays alone do not do: the command line asks for the measures' names without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.integer[Any]]


def ld_per_class(counts: IntArray, sizes: IntArray, shares: FloatArray) -> FloatArray:
    """Compute LD of each label: the mean difference of the odds in a fold from the odds overall."""
    n_rows = sizes.sum()
    overall = _odds(counts.sum(axis=0, dtype="int64") / n_rows, n_rows)
    in_fold = _odds(_frequencies(counts, sizes), sizes.clip(1)[:, None])
    return abs(in_fold - overall).mean(axis=0)


def rld_per_class(counts: IntArray, sizes: IntArray, shares: FloatArray) -> FloatArray:
    """Compute rLD of each label: the mean relative difference of its frequency in a fold from that overall."""
    overall = counts.sum(axis=0, dtype="int64") / sizes.sum()
    overall[overall == 0] = 1.0
    return abs((overall - _frequencies(counts, sizes)) / overall).mean(axis=0)


def dcp_per_class(counts: IntArray, sizes: IntArray, shares: FloatArray) -> FloatArray:
    """Compute DCP of each label: how far the largest share of its positives is above the fold's share."""
    positives = counts.sum(axis=0, dtype="int64").clip(1)
    return abs((counts / positives - shares[:, None]).max(axis=0))


def ed(counts: IntArray, sizes: IntArray, shares: FloatArray) -> float:
    """Compute ED: the mean over folds of the difference from the wanted number of rows."""
    off = abs(sizes - sizes.sum() * shares)
    return float(off[off > 1e-9 * sizes.sum()].sum() / len(sizes))  # without what rounding leaves of shares


def fz(counts: IntArray, sizes: IntArray, shares: FloatArray) -> int:
    """Count the folds that lack a positive of at least one label that has any."""
    return int((counts[:, counts.any(axis=0)] == 0).any(axis=1).sum())


def flz(counts: IntArray, sizes: IntArray, shares: FloatArray) -> int:
    """Count the pairs of a fold and a label that has positives, but none there."""
    return int((counts[:, counts.any(axis=0)] == 0).sum())


def _frequencies(counts: IntArray, sizes: IntArray) -> FloatArray:
    return counts / sizes.clip(1)[:, None]


def _odds(share: FloatArray, n_rows: Any) -> FloatArray:
    """Turn shares into odds; a share of 1 counts as (n_rows - 1) / n_rows to stay finite."""
    import numpy as np

    finite = np.where(share == 1, (n_rows - 1) / n_rows, share)
    return np.asarray(finite / (1 - finite), dtype=np.float64)
