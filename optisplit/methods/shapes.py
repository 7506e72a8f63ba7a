"""What of the data decides how long a method takes, and how much memory: counts of rows, labels and pairs of labels."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from optisplit.io.samples import SAMPLES, sample_file
from optisplit.labels import positives_per_label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.labels import LabelMatrix

MOST_PAIRS = 2_000_000
"""Pairs of labels in rows that are looked at one by one; of data with more, those of some rows drawn at random."""

SHAPES_FILE = "shapes.json"


@dataclass(frozen=True, slots=True)
class Shape:
    """Figures of a label matrix that estimates are made of."""

    n_rows: int
    n_labels: int
    n_positives: int
    n_squared: int  # squares of the rows of each label, summed over labels
    n_pairs_in_rows: int  # pairs of labels in each row, summed over rows
    n_pairs: float  # different pairs of labels that occur together; estimated for large data

    @classmethod
    def of(cls, labels: LabelMatrix) -> Shape:
        """Count, or for large data estimate from some of the rows."""
        n_rows, n_labels = labels.shape
        positives = positives_per_label(labels).astype(np.int64)
        lengths = np.diff(labels.indptr).astype(np.int64)
        return cls(
            n_rows=n_rows,
            n_labels=n_labels,
            n_positives=int(labels.indptr[-1]),
            n_squared=int((positives**2).sum()),
            n_pairs_in_rows=int((lengths * (lengths - 1) // 2).sum()),
            n_pairs=_count_pairs(labels, lengths * (lengths - 1) // 2),
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


def _count_pairs(labels: LabelMatrix, pairs_of_row: NDArray[np.int64]) -> float:
    """Count the different pairs of labels; in large data those of some rows, with what further rows would add."""
    rows = np.flatnonzero(pairs_of_row)
    n_drawn = len(rows)
    if n_drawn == 0:
        return 0.0
    if pairs_of_row.sum() > MOST_PAIRS:
        rows = np.random.default_rng(0).permutation(rows)  # of its own: estimates are the same every time
        n_drawn = max(2, int(np.searchsorted(np.cumsum(pairs_of_row[rows]), MOST_PAIRS)))
    in_all, in_half = (_count_pairs_exactly(labels[rows[:n]]) for n in (n_drawn, -(-n_drawn // 2)))
    n_labels, growth = labels.shape[1], min(1.0, float(np.log2(in_all / in_half)))
    return float(min(n_labels * (n_labels - 1) / 2, in_all * (len(rows) / n_drawn) ** growth))


def _count_pairs_exactly(labels: LabelMatrix) -> int:
    together = labels.T @ labels
    return int(together.nnz - len(np.unique(labels.indices))) // 2
