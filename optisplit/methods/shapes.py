"""What of the data decides how long a method takes: counts of rows, labels, pairs, and of the turns that peers take."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optisplit.io.samples import SAMPLES, sample_file
from optisplit.labels import positives_per_label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.labels import LabelMatrix

MOST_POSITIVES = 1_000_000
"""Positives that are looked at one by one; of larger data, those of some rows drawn at random."""

MOST_PAIRS = 200_000
"""Pairs of labels in rows that are looked at one by one."""

WAITING = float(np.log(1 / 0.05))
"""Over what span of temperature (its logarithm) OptiSplit-SA cools."""

SHAPES_FILE = "shapes.json"


@dataclass(frozen=True, slots=True)
class Shape:
    """Figures of a label matrix that the cost model works on; those said to be estimated are exact for small data."""

    n_rows: int  # rows, labels, and (row, label) pairs that are 1
    n_labels: int  # rows, labels, and (row, label) pairs that are 1
    n_positives: int  # rows, labels, and (row, label) pairs that are 1
    n_members: int  # rows on the smaller side of each label, summed over labels
    root_members: float  # their square roots, summed over labels
    squared: float  # squares of the rows of each label, summed over labels
    pairs_in_rows: int  # pairs of labels in each row, summed over rows
    n_pairs: float  # pairs of labels that occur together, and those that do so in one row alone; estimated
    n_single_pairs: float  # pairs of labels that occur together, and those that do so in one row alone; estimated
    squared_pairs: float  # squares of the rows of each pair, summed over pairs; estimated
    # labels, and pairs, that are the first of some row in the order in which they first appear: scikit-multilearn
    # hands out rows in so many turns; estimated
    label_turns: float
    # labels, and pairs, that are the first of some row in the order in which they first appear: scikit-multilearn
    # hands out rows in so many turns; estimated
    pair_turns: float
    # labels that are the rarest of some row, in so many turns rows are handed out rarest label first; and the rows
    # left at each such turn, summed over turns; estimated
    rare_turns: float
    # labels that are the rarest of some row, in so many turns rows are handed out rarest label first; and the rows
    # left at each such turn, summed over turns; estimated
    rows_left: float
    # rows, and their positives, each times the share of the sweeps of an annealing in which the row is visited
    awake_rows: float
    # rows, and their positives, each times the share of the sweeps of an annealing in which the row is visited
    awake_positives: float

    @classmethod
    def of(cls, labels: LabelMatrix) -> Shape:
        """Count, or for large data estimate from some of the rows."""
        n_rows, n_labels = labels.shape
        positives = positives_per_label(labels).astype(np.int64)
        lengths = np.diff(labels.indptr).astype(np.int64)
        members = np.minimum(positives, n_rows - positives)
        n_pairs_of = lengths * (lengths - 1) // 2
        return cls(
            n_rows=n_rows,
            n_labels=n_labels,
            n_positives=int(labels.indptr[-1]),
            n_members=int(members.sum()),
            root_members=float(np.sqrt(members).sum()),
            squared=float((positives.astype(float) ** 2).sum()),
            pairs_in_rows=int(n_pairs_of.sum()),
            **_pair_figures(_some_rows(labels, lengths, n_pairs_of, MOST_PAIRS), n_rows, n_labels),
            **_turn_figures(_some_rows(labels, lengths, lengths, MOST_POSITIVES), positives, n_rows),
        )

    @staticmethod
    def of_sample(key: str) -> Shape | None:
        """Look up the figures of data that come along, without reading the data."""
        return _shapes_at_hand().get(key)


@cache
def _shapes_at_hand() -> dict[str, Shape]:
    path = sample_file(SHAPES_FILE)
    if not path.is_file():
        return {}
    entries = json.loads(path.read_text(encoding="utf-8"))
    return {key: Shape(**figures) for key, figures in entries.items() if key in SAMPLES}


class _Rows(NamedTuple):
    """Some rows, in the order in which they stand: all that have what is counted, or a random part of them.

    `starts` are the places in `indices` where the rows begin; none of the rows is empty.
    """

    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    indices: NDArray[np.int64]
    part: float


def _some_rows(labels: LabelMatrix, lengths: NDArray[np.int64], work: NDArray[np.int64], most: int) -> _Rows:
    """Draw as many rows as have so much work in all; rows without any are left out."""
    rows = np.flatnonzero(work)
    total = int(work.sum())
    part = 1.0
    if total > most:
        drawn = np.random.default_rng(0).permutation(rows)  # of its own: estimates are the same every time
        n_drawn = max(2, int(np.searchsorted(np.cumsum(work[drawn]), most)))
        part = min(1.0, n_drawn / len(rows))
        rows = np.sort(drawn[:n_drawn])
    ends = np.cumsum(lengths[rows])
    starts = ends - lengths[rows]
    places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(labels.indptr[rows] - starts, lengths[rows])
    return _Rows(starts, lengths[rows], labels.indices[places].astype(np.int64), part)


def _pair_figures(rows: _Rows, n_rows: int, n_labels: int) -> dict[str, float]:
    starts, lengths, indices, part = rows
    if not len(starts):
        return {"n_pairs": 0.0, "n_single_pairs": 0.0, "squared_pairs": 0.0, "pair_turns": 0.0}
    n_later = np.repeat(starts + lengths, lengths) - np.arange(len(indices)) - 1
    firsts = np.repeat(np.arange(len(indices)), n_later)
    steps = np.arange(len(firsts)) - np.repeat(np.cumsum(n_later) - n_later, n_later) + 1
    codes = indices[firsts] * n_labels + indices[firsts + steps]
    distinct, first_at, pair_at, counts = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
    pair_starts = np.concatenate(([0], np.cumsum(lengths * (lengths - 1) // 2)[:-1]))
    earliest = np.minimum.reduceat(first_at[pair_at], pair_starts)
    turns_half, turns = len(np.unique(earliest[: len(earliest) // 2])), len(np.unique(earliest))
    middle = pair_starts[len(pair_starts) // 2]
    most_pairs = n_labels * (n_labels - 1) / 2
    n_pairs = min(most_pairs, _extrapolated(int((first_at < middle).sum()), len(distinct), part))
    # how many pairs a further row would add, which is what pairs in one row alone were added by
    n_single = float((counts == 1).mean()) * n_pairs
    return {
        "n_pairs": n_pairs,
        "n_single_pairs": n_single if part == 1 or n_pairs < most_pairs else 0.0,
        "squared_pairs": float((counts.astype(float) * (counts - 1)).sum()) / part**2 + len(codes) / part,
        "pair_turns": min(float(n_rows), _extrapolated(turns_half, turns, part)),
    }


def _turn_figures(rows: _Rows, positives: NDArray[np.int64], n_rows: int) -> dict[str, float]:
    starts, lengths, indices, part = rows
    if not len(starts):
        names = ("label_turns", "rare_turns", "rows_left", "awake_rows", "awake_positives")
        return dict.fromkeys(names, 0.0)
    first_at = np.empty(len(positives), dtype=np.int64)
    first_at[indices[::-1]] = np.arange(len(indices))[::-1]  # of several places, the last written stays: the first
    label_turns = np.unique(np.minimum.reduceat(first_at[indices], starts)).size
    rarest = np.minimum.reduceat(positives[indices], starts)
    rank = np.empty(len(positives), dtype=np.int64)
    rank[np.argsort(positives, kind="stable")] = np.arange(len(positives))
    handed_out = np.bincount(np.minimum.reduceat(rank[indices], starts), minlength=len(positives))
    n_left = np.concatenate(([0], np.cumsum(handed_out[::-1])))[::-1][:-1]
    n_without = n_rows - len(starts) / part  # they are handed out last, and counted at every turn
    n_left = n_left / part + max(0.0, n_without)
    is_scored = (positives > 0) & (positives < n_rows)
    typical = float(np.median(positives[is_scored])) if is_scored.any() else 1.0
    # a row is visited once the temperature has fallen below the weight of its rarest label
    share = np.clip(1 - np.log(np.maximum(1.0, rarest / typical)) / WAITING, 0.0, 1.0)
    return {
        "label_turns": float(label_turns),
        "rare_turns": float((handed_out > 0).sum()),
        "rows_left": float(n_left[handed_out > 0].sum()),
        "awake_rows": float(share.sum()) / part,
        "awake_positives": float((share * lengths).sum()) / part,
    }


def _extrapolated(in_half: int, in_all: int, part: float) -> float:
    """Extrapolate how many different things there are, from half of the rows and all of them to more rows."""
    growth = np.log2(in_all / in_half) if in_half else 1.0
    return float(in_all * (1 / part) ** min(growth, 1.0))
