"""The lowest rLD of a split that is fair to labels of one size together: what rounding fairly costs is no fault of it.

In parts of unequal size each rare label scores best where it is rounded one way, and all labels of a size the same
way: then together they leave the small parts. A split that gives the labels of a size, taken together, what is due to
them in each part cannot reach that, so the bound for it is that of splits which do so too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.measures.representative import size_bands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]

NEAR_DUE = 0.05
"""Share of what is due by which the positives of labels of one size may be off where more is at stake than rounding."""

MOST_SIZES = 400
"""Distinct label sizes of one band for which the bound is worked out; what fair rounding costs labels beyond is next
to nothing."""


def fair_rld_cost(counts: NDArray[Any], sizes: IntArray, bounds: FloatArray) -> float:
    """Say by how much the mean of the labels' lowest rLD is higher where labels of one size get their due together.

    - 0 in parts of equal size, where all roundings cost the same, and for labels of sizes whose positives are, in some
      part, further from what is due there than rounding, and than `NEAR_DUE`.
    - No split with parts of these sizes, in which the positives of labels of about one size are no further from what
      is due to them in each part than here, or rounded up or down, has a lower mean.

    Parameters
    ----------
    counts : ndarray of shape (n_parts, n_labels)
        Positives of each label in each part.
    sizes : ndarray of shape (n_parts,)
        Rows in each part.
    bounds : ndarray of shape (n_labels,)
        The lowest rLD of each label alone; NaN where it is not scored.
    """
    import numpy as np

    if sizes.min() == 0 or np.ptp(sizes) <= 1:
        return 0.0
    scored = np.flatnonzero(~np.isnan(bounds))
    positives = counts[:, scored].sum(axis=0, dtype=np.int64)
    bands, cost = size_bands(positives), 0.0
    for band in np.unique(bands):
        labels = scored[bands == band]
        held = counts[:, labels].sum(axis=1, dtype=np.int64)
        allowed = _allowed(held, sizes)
        if allowed is not None and len(labels) > 1:
            distinct, n_each = np.unique(positives[bands == band], return_counts=True)
            cost += max(0.0, _least(distinct, n_each, sizes, *allowed) - float(bounds[labels].sum()))
    return cost / max(1, len(scored))


def _allowed(held: IntArray, sizes: IntArray) -> tuple[IntArray, IntArray] | None:
    """Give the fewest and the most positives of a band that each part may have; None where it is not fair."""
    import numpy as np

    exact = held.sum() * sizes  # what is due, times the number of rows
    n_rows = sizes.sum()
    low, high = exact // n_rows, -(-exact // n_rows)
    due = exact / n_rows
    off = np.abs(held - due)
    if ((off >= 1) & (off > NEAR_DUE * due)).any():
        return None
    low, high = np.minimum(low, np.ceil(due - off - 1e-9)), np.maximum(high, np.floor(due + off + 1e-9))
    return low.astype(np.int64), high.astype(np.int64)


def _least(distinct: IntArray, n_each: IntArray, sizes: IntArray, low: IntArray, high: IntArray) -> float:
    """Find the lowest sum of rLD of labels of these sizes, where parts have from `low` to `high` of their positives."""
    import numpy as np

    slopes, rooms = _steps(distinct, n_each, sizes)
    prices = np.zeros(len(sizes))
    if len(distinct) <= MOST_SIZES:
        prices = _prices(slopes, rooms, distinct * n_each, low, high)
    # for any prices of positives in parts, this is at most what any split within `low` and `high` has
    total = float(n_each.sum() * len(sizes))
    total += _fill(slopes + prices[:, None], rooms, distinct * n_each)
    total -= float(np.maximum(prices * low, prices * high).sum())
    return total / len(sizes)


def _steps(distinct: IntArray, n_each: IntArray, sizes: IntArray) -> tuple[FloatArray, FloatArray]:
    """Give what a positive more of labels of each size changes in each part, and how many there are of each kind.

    Shapes (n_sizes, n_parts, 3): up to what is due, rounded down; the one that crosses it; and those beyond. Of
    several labels of a size, positives are best spread evenly, so their steps follow each other.
    """
    import numpy as np

    n_rows = sizes.sum()
    due = distinct[:, None] * sizes / n_rows
    whole = distinct[:, None] * sizes // n_rows
    slopes = np.stack([-1 / due, np.abs(1 - (whole + 1) / due) - np.abs(1 - whole / due), 1 / due], axis=2)
    rooms = np.stack([whole, np.minimum(1, sizes - whole), np.maximum(0, sizes - whole - 1)], axis=2)
    return slopes, rooms * n_each[:, None, None].astype(np.float64)


def _fill(slopes: FloatArray, rooms: FloatArray, positives: IntArray) -> float:
    """Put the positives of each size where they cost least; give what they cost, all sizes together."""
    import numpy as np

    slopes, rooms = slopes.reshape(len(positives), -1), rooms.reshape(len(positives), -1)
    order = np.argsort(slopes, axis=1, kind="stable")
    slopes, rooms = np.take_along_axis(slopes, order, axis=1), np.take_along_axis(rooms, order, axis=1)
    before = np.cumsum(rooms, axis=1) - rooms
    return float((slopes * np.clip(positives[:, None] - before, 0, rooms)).sum())


def _prices(slopes: FloatArray, rooms: FloatArray, positives: IntArray, low: IntArray, high: IntArray) -> FloatArray:
    """Find what a positive in each part has to cost for parts to come out between `low` and `high`.

    A transport problem, from sizes of labels to parts; its dual solution. Where it is not found, nothing costs.
    """
    import numpy as np
    import scipy.sparse as sp
    from scipy.optimize import linprog

    n_sizes, n_parts, n_kinds = slopes.shape
    of_size = sp.kron(sp.eye_array(n_sizes), np.ones((1, n_parts * n_kinds)), format="csr")
    to_part = sp.kron(np.ones((1, n_sizes)), sp.kron(sp.eye_array(n_parts), np.ones((1, n_kinds))), format="csr")
    found = linprog(
        slopes.ravel(), A_ub=sp.vstack([to_part, -to_part]), b_ub=np.concatenate([high, -low]),
        A_eq=of_size, b_eq=positives, bounds=np.stack([np.zeros(rooms.size), rooms.ravel()], axis=1),
        method="highs-ds",
    )  # fmt: skip
    if found.status != 0:
        return np.zeros(n_parts)
    above, below = found.ineqlin.marginals[:n_parts], found.ineqlin.marginals[n_parts:]
    return below - above
