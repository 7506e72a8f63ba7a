"""Random splits of the same part sizes, to compare a split with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from optisplit.measures.counting import amounts_per_fold, count_rows_per_fold
from optisplit.measures.registry import MEASURES
from optisplit.methods.api import as_generator

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report
    from optisplit.methods.base import ProgressCallback

N_RANDOM = 200
FEWEST_RANDOM = 20
MOST_WORK = 2_000_000_000
"""Positives, and counts of labels in folds, that the random splits together go through: about ten seconds."""

TYPICAL = (5.0, 95.0)
"""Percentiles between which a split is like a random one."""

MOST_KEPT = 16
"""Sets of random splits whose scores are kept."""

SAME = 1e-9
"""Scores that differ by no more are equal, up to rounding."""


@dataclass(frozen=True)
class RandomScores:
    """One measure over random splits of the same sizes, and where this split is among them."""

    measure: str  # key of the measure
    values: NDArray[np.float64]  # shape (n_random,): the scores, ascending
    value: float  # the score of this split

    @property
    def mean(self) -> float:
        """Mean over the random splits."""
        return float(self.values.mean())

    @property
    def low(self) -> float:
        """The score that 5 % of the random splits are below."""
        return float(np.percentile(self.values, TYPICAL[0]))

    @property
    def high(self) -> float:
        """The score that 5 % of the random splits are above."""
        return float(np.percentile(self.values, TYPICAL[1]))

    @property
    def percentile(self) -> float:
        """Per cent of the random splits that are better than this one, counting equal ones half."""
        margin = SAME * max(1e-12, abs(self.value))
        n_below = np.searchsorted(self.values, self.value - margin, side="left")
        n_up_to = np.searchsorted(self.values, self.value + margin, side="right")
        return float(50 * (n_below + n_up_to) / len(self.values))

    @property
    def place(self) -> str:
        """Where this split is among the random ones, in words."""
        share, n_same = self.percentile, int((np.abs(self.values - self.value) <= SAME).sum())
        if 2 * n_same > len(self.values):
            return "the same in all" if n_same == len(self.values) else "the same in most"
        if share in (0, 100) or 0.5 <= share <= 99.5:
            return f"{share:.0f} % are better"
        return "fewer than 1 % are better" if share < 1 else "over 99 % are better"


_kept: dict[Hashable, dict[str, NDArray[np.float64]]] = {}
_KEEPING = Lock()


def affordable(n_random: int, data: MultilabelDataset, n_parts: int) -> int:
    """Say how many random splits are made of data of this size."""
    work = data.n_positives + data.n_rows + 10 * n_parts * data.n_labels
    return min(n_random, max(FEWEST_RANDOM, MOST_WORK // max(1, work)))


def score_random_splits(
    data: MultilabelDataset,
    folds: FoldArray,
    report: Report,
    n_random: int,
    random_state: int | np.random.Generator | np.random.RandomState | None,
    on_progress: ProgressCallback | None,
) -> dict[str, RandomScores]:
    """Measure random splits of the same part sizes; rows that are always in training stay where they are.

    They are the same for all splits of these sizes, so that a repaired one is set beside those that it was set beside
    before; what was measured of them last is kept.
    """
    if not n_random:
        return {}
    is_placed = folds >= 0
    key = (
        data.digest, np.packbits(is_placed).tobytes(), report.fold_sizes.tobytes(), report.shares.tobytes(), n_random,
        random_state, tuple(MEASURES),
    )  # fmt: skip
    is_same_again = isinstance(random_state, int | np.integer)
    with _KEEPING:
        found = _kept.get(key) if is_same_again else None
    if found is None:
        found = _measure(data, folds, report, n_random, as_generator(random_state), on_progress)
        if is_same_again:
            with _KEEPING:
                _kept[key] = found
                while len(_kept) > MOST_KEPT:
                    del _kept[next(iter(_kept))]
    return {each: RandomScores(each, values, float(report.value(each))) for each, values in found.items()}


def _measure(
    data: MultilabelDataset,
    folds: FoldArray,
    report: Report,
    n_random: int,
    rng: np.random.Generator,
    on_progress: ProgressCallback | None,
) -> dict[str, NDArray[np.float64]]:
    """Give the scores of random splits, ascending, by measure."""
    placed = np.flatnonzero(folds >= 0)
    mixed, sizes = folds.copy(), np.sort(folds[placed])
    varying = [key for key, measure in MEASURES.items() if not measure.is_fixed_by_sizes]
    scores = np.empty((n_random, len(varying)))
    for done in range(n_random):
        if on_progress is not None:
            on_progress(done, n_random, float("nan"))
        mixed[placed] = rng.permutation(sizes)
        counts = amounts_per_fold(data.labels, mixed, report.n_splits)
        rows = count_rows_per_fold(data.labels, mixed, report.n_splits)
        other = replace(report, counts=counts, rows_by_n_labels=rows)
        scores[done] = [other.value(key) for key in varying]
    if on_progress is not None:
        on_progress(n_random, n_random, float("nan"))
    return {key: np.sort(scores[:, at]) for at, key in enumerate(varying)}
