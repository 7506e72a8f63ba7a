"""Scores of rows that are sums over their labels, worked out in pieces that do not take long."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from optisplit import kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optisplit.labels import LabelMatrix

CHUNK_POSITIVES = 20_000_000
"""Labels of rows visited in one compiled call: some tens of milliseconds, so that progress and cancelling live."""


def row_chunks(labels: LabelMatrix, rows: NDArray[np.int32]) -> list[slice]:
    """Cut rows into consecutive pieces of about as many positives."""
    ends = np.cumsum(np.diff(labels.indptr)[rows], dtype=np.int64)
    steps = np.arange(CHUNK_POSITIVES, int(ends[-1]), CHUNK_POSITIVES)
    edges = np.unique(np.concatenate(([0], np.searchsorted(ends, steps) + 1, [len(rows)])))
    return [slice(int(start), int(end)) for start, end in itertools.pairwise(edges)]


def score_rows(
    labels: LabelMatrix,
    rows: NDArray[np.int32],
    label_scores: NDArray[np.float64],
    *,
    chunks: list[slice],
    report: Callable[[int], None],
) -> NDArray[np.float64]:
    """Add up the scores of each row's labels."""
    sums = np.empty(len(rows))
    for chunk in chunks:
        kernels.row_scores.sum_label_scores(labels.indptr, labels.indices, rows[chunk], label_scores, sums[chunk])
        report(chunk.stop)
    return sums
