"""Whether parts look like the whole: label by label, labels of one size together, and rows by their number of labels.

The formulas are given what those of :mod:`optisplit.measures.formulas` are. Those of labels a row are given rows with
0, 1, 2, ... labels in each fold in the place of positives of each label.

NumPy is imported where it is used: the command line asks for the measures' names without it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.text import distinct_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.integer[Any]]

SINGLE_SIZES = 9
"""Labels of up to so many positives are put together with those of exactly the same size only."""

MOST_ROW_KINDS = 1_000
"""Rows of up to so many different numbers of labels are told apart; beyond, neighbouring numbers are put together."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """Labels of about one size together, or rows of about one number of labels, and where they are."""

    lowest: IntArray  # shape (n_kinds,): the smallest size, or number of labels, of each kind; ascending
    highest: IntArray  # shape (n_kinds,): and the largest
    members: IntArray  # shape (n_kinds,): labels, or rows, of each kind
    counts: IntArray  # shape (n_splits, n_kinds): their positives, or the rows, in each fold
    sizes: IntArray  # shape (n_splits,): rows in each fold

    @property
    def names(self) -> list[str]:
        """The size, or number of labels, of each kind, such as ``9`` or ``10–19``."""
        spans = zip(self.lowest.tolist(), self.highest.tolist(), strict=True)
        return [f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in spans]

    @property
    def totals(self) -> IntArray:
        """Positives, or rows, of each kind in all folds, shape (n_kinds,)."""
        return self.counts.sum(axis=0)

    @property
    def shares(self) -> FloatArray:
        """The share of each kind that is in each fold, shape (n_splits, n_kinds)."""
        return self.counts / self.totals

    @property
    def due(self) -> FloatArray:
        """The share of each kind that is due to each fold, shape (n_splits,): its share of the rows."""
        return self.sizes / self.sizes.sum()


def size_bands(positives: IntArray) -> IntArray:
    """Give the lowest size of each label's band: 1, 2, ..., 9, 10, 20, 50, 100, 200, 500, ...; 0 without positives."""
    import numpy as np

    edges = _band_edges(positives)
    return edges[np.searchsorted(edges, positives, side="right") - 1]


def _band_edges(positives: IntArray) -> IntArray:
    """Give the lowest sizes of all bands, and of one beyond."""
    import numpy as np

    n_digits = len(str(positives.max(initial=1)))
    powers = 10 ** np.arange(1, n_digits + 1, dtype=np.int64)
    return np.r_[np.arange(SINGLE_SIZES + 1), np.multiply.outer(powers, [1, 2, 5]).ravel()]


def row_kinds(rows: IntArray) -> IntArray:
    """Tell kinds of rows apart, given how many rows have 0, 1, 2, ... labels: a kind each number that there is.

    - With more than :data:`MOST_ROW_KINDS` different numbers, those whose middle rows are in the same thousandth of all
      rows, ordered by labels a row, are one kind. Rows without a label are a kind of their own always.
    """
    import numpy as np

    if np.count_nonzero(rows) <= MOST_ROW_KINDS:
        return np.arange(len(rows))
    twice_up_to_middle = 2 * np.cumsum(rows) - rows
    kinds = 1 + MOST_ROW_KINDS * twice_up_to_middle // (2 * rows.sum())
    kinds[0] = 0
    return kinds


def labels_by_size(counts: IntArray, sizes: IntArray) -> Kinds:
    """Put labels of about one size together, without those that no split can do anything about: on no or every row."""
    import numpy as np

    positives = counts.sum(axis=0, dtype=np.int64)
    edges = _band_edges(positives)
    band = np.searchsorted(edges, positives, side="right") - 1
    band[positives == sizes.sum()] = 0  # with those on no row
    n_labels = np.bincount(band, minlength=edges.size)
    bands = 1 + np.flatnonzero(n_labels[1:])
    added = _add_up(counts, band, edges.size)[:, bands]
    return Kinds(edges[bands], edges[bands + 1] - 1, n_labels[bands], added, sizes)


def rows_by_kind(counts: IntArray, sizes: IntArray) -> Kinds:
    """Put rows of about one number of labels together."""
    import numpy as np

    rows = counts.sum(axis=0, dtype=np.int64)
    present = np.flatnonzero(rows)
    _, first, kind = np.unique(row_kinds(rows)[present], return_index=True, return_inverse=True)
    last = np.append(first[1:], present.size)[: first.size] - 1
    added = _add_up(counts[:, present], kind, first.size)
    return Kinds(present[first], present[last], added.sum(axis=0), added, sizes)


def table_of(kinds: Kinds, fold_titles: Sequence[str], columns: dict[str, Any]) -> pd.DataFrame:
    """Add to columns about the kinds, for each fold, the share of each kind that it holds, and the share due to it."""
    import numpy as np
    import pandas as pd

    titles = distinct_names(fold_titles, columns, "part")
    due_titles = distinct_names([f"{title} due" for title in titles], titles, "part")
    for title, due_title, share, due in zip(titles, due_titles, kinds.shares, kinds.due, strict=True):
        columns |= {title: share, due_title: np.full(len(share), due)}
    return pd.DataFrame(columns).astype({next(iter(columns)): "str"})


def _add_up(counts: IntArray, kinds: IntArray, n_kinds: int) -> IntArray:
    import numpy as np

    # whole numbers below 2^53 are exact as the floating point numbers that bincount adds up
    return np.array([np.bincount(kinds, of_fold, n_kinds) for of_fold in counts]).astype(np.int64)


def beyond_rounding_in_folds(counts: IntArray, sizes: IntArray) -> FloatArray:
    """Count the positives of each label in each fold beyond what is due to it, rounded up or down: too many or too few.

    Shape (n_splits, n_labels); whole numbers, none below 0.
    """
    import numpy as np

    # exact: whole numbers below 2^53 are never rounded up to the next one by a division
    due = np.multiply.outer(sizes, counts.sum(axis=0, dtype=np.int64)) / sizes.sum()
    off = np.maximum(np.floor(due) - counts, counts - np.ceil(due))
    return np.asarray(np.maximum(off, 0.0))


def beyond_rounding_per_label(counts: IntArray, sizes: IntArray, shares: FloatArray) -> FloatArray:
    """Count the positives of each label beyond what is due to the folds, rounded up or down: half of all differences.

    Half, as a positive that is too many in one fold is mostly one that another lacks.
    """
    import numpy as np

    return np.asarray(beyond_rounding_in_folds(counts, sizes).sum(axis=0) / 2)


def beyond_rounding(counts: IntArray, sizes: IntArray, shares: FloatArray) -> int:
    """Count the positives beyond what is due to the folds, rounded up or down, of all labels together."""
    return math.ceil(beyond_rounding_per_label(counts, sizes, shares).sum())


def beyond_rounding_bound(positives: IntArray, sizes: IntArray, shares: FloatArray) -> int:
    """Give the lowest number: each label alone can have in each fold what is due, rounded up or down."""
    return 0


def rare_shares(counts: IntArray, sizes: IntArray, shares: FloatArray) -> float:
    """Average over labels how far the positives of all labels of about their size are from the folds' shares of rows.

    The distance is the total variation: the part of those positives that would have to be in another fold.
    """
    kinds = labels_by_size(counts, sizes)
    distances = abs(kinds.shares - kinds.due[:, None]).sum(axis=0) / 2
    return _mean_over_labels(distances, kinds.members)


def rare_shares_bound(positives: IntArray, sizes: IntArray, shares: FloatArray) -> float:
    """Give the lowest such mean: the positives of labels of about one size put where they are due, but whole."""
    kinds = labels_by_size(positives[None], sizes)
    distances = [_least_distance(total, sizes) for total in kinds.totals.tolist()]
    return _mean_over_labels(distances, kinds.members)


def _mean_over_labels(of_kinds: Any, n_labels: IntArray) -> float:
    return float(of_kinds @ n_labels / n_labels.sum()) if n_labels.size else math.nan


def row_shape(counts: IntArray, sizes: IntArray, shares: FloatArray) -> float:
    """Find how far the numbers of labels a row in a fold are from those in all folds, where that is farthest.

    The distance is the total variation: the part of the fold's rows that would have to have another number of labels.
    A fold without rows has none to compare.
    """
    kinds = rows_by_kind(counts, sizes)
    held = sizes > 0
    in_fold = kinds.counts[held] / sizes[held, None]
    return float(abs(in_fold - kinds.totals / sizes.sum()).sum(axis=1).max() / 2)


def row_shape_bound(rows: IntArray, sizes: IntArray, shares: FloatArray) -> float:
    """Give the lowest such distance: each fold alone filled with what is due of each kind of row, but whole rows."""
    kinds = rows_by_kind(rows[None], sizes)
    return max(_least_distance(size, kinds.totals) for size in sizes[sizes > 0].tolist())


def _least_distance(total: int, weights: IntArray) -> float:
    """Find how near `total` whole things can come to being divided by these weights, as a total variation distance.

    Each place gets what is due to it rounded down, and those with the largest remainders one more.
    """
    import numpy as np

    everything = int(weights.sum())
    rest = np.sort(total * weights % everything)
    n_up = int(rest.sum()) // everything
    up, down = rest[rest.size - n_up :], rest[: rest.size - n_up]
    return float((everything - up).sum() + down.sum()) / (2 * everything * total)
