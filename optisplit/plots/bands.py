"""Labels put together in bands by their size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from optisplit.text import counted, span

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


HIGHEST_IN_SAMPLE = 3
"""Labels of each band that are always among a sample."""


@dataclass(frozen=True, slots=True)
class SizeBands:
    """Labels divided by their size; labels of one size are always in one band."""

    of_label: IntArray  # shape (q,): band of each label, from 0 (the smallest labels)
    lowest: IntArray  # shape (b,): rows of the smallest label in each band
    highest: IntArray  # shape (b,): and of the largest
    n_labels: IntArray  # shape (b,): labels in each band
    middle: FloatArray  # shape (b,): median size of the labels in each band, in rows

    def __len__(self) -> int:
        """Count the bands."""
        return len(self.n_labels)

    def rows(self, band: int) -> str:
        """Say of what size a band's labels are, such as ``12–15 rows``."""
        return span(int(self.lowest[band]), int(self.highest[band]), "row")

    def describe(self, band: int) -> str:
        """Say what a band holds, such as ``12–15 rows (410 labels)``."""
        return f"{self.rows(band)} ({counted(int(self.n_labels[band]), 'label')})"

    @property
    def descriptions(self) -> list[str]:
        """Say what every band holds."""
        return list(map(self.describe, range(len(self))))


def log_bands(sizes: IntArray, n_bands: int, min_labels: int) -> SizeBands:
    """Divide labels into bands of about equal width on a logarithmic axis.

    - Neighbouring bands are put together until each has `min_labels`, if there are as many.
    """
    edges = np.geomspace(sizes.min(), sizes.max() + 1, n_bands + 1)[1:-1]
    distinct, counts = np.unique(sizes, return_counts=True)
    wanted = np.searchsorted(edges, distinct, side="right")
    starts, held = [0], 0
    for at in range(len(distinct)):
        if at and wanted[at] != wanted[at - 1] and held >= min_labels:
            starts.append(at)
            held = 0
        held += int(counts[at])
    if held < min_labels and len(starts) > 1:
        starts.pop()  # the few largest labels join the band below
    return _bands(sizes, distinct, starts)


def equal_bands(sizes: IntArray, n_bands: int) -> SizeBands:
    """Divide labels into bands of about equal numbers of labels.

    - There may be fewer bands than asked for, as labels of one size stay together.
    """
    distinct, counts = np.unique(sizes, return_counts=True)
    starts, left, held, open_bands = [0], len(sizes), 0, n_bands
    for at in range(len(distinct)):
        # closing here must bring the band nearer to its fair share of what is left than going on would
        if held and open_bands > 1 and held + counts[at] / 2 > left / open_bands:
            starts.append(at)
            left, held, open_bands = left - held, 0, open_bands - 1
        held += int(counts[at])
    return _bands(sizes, distinct, starts)


def wide_bands(sizes: IntArray, n_bands: tuple[int, int], least: float) -> SizeBands:
    """Divide labels into equal bands, as many as each has this part of the labels at least; from fewest to most."""
    fewest, most = n_bands
    for n in range(most, fewest, -1):
        bands = equal_bands(sizes, n)
        if bands.n_labels.min() >= least * len(sizes):
            return bands
    return equal_bands(sizes, fewest)


def _bands(sizes: IntArray, distinct: IntArray, starts: list[int]) -> SizeBands:
    of_label = np.searchsorted(distinct[starts], sizes, side="right").astype(np.int64) - 1
    by_band = pd.Series(sizes).groupby(of_label)
    return SizeBands(of_label, *(by_band.agg(what).to_numpy() for what in ("min", "max", "size", "median")))


def means_by_band(values: FloatArray, bands: SizeBands) -> FloatArray:
    """Average over the labels of each band."""
    return np.bincount(bands.of_label, weights=values, minlength=len(bands)) / bands.n_labels


def sample_by_band(values: FloatArray, bands: SizeBands, lottery: FloatArray, n_points: int) -> IntArray:
    """Take labels from all bands in turns: of each band first the highest values, then as the lottery has it."""
    places = np.arange(len(values)) - np.r_[0, np.cumsum(bands.n_labels)][np.sort(bands.of_label)]
    by_score = np.lexsort((lottery, -values, bands.of_label))
    priority = lottery.copy()
    priority[by_score[places < HIGHEST_IN_SAMPLE]] = -1.0
    by_priority = np.lexsort((priority, bands.of_label))
    turn = np.empty(len(values), dtype=np.int64)
    turn[by_priority] = places
    return np.sort(np.lexsort((lottery, turn))[: max(n_points, 0)])
