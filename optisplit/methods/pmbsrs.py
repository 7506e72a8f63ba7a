"""Stratify by how likely each row's labels are together, taken as independent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from optisplit.labels import positives_per_label
from optisplit.methods.row_scores import row_chunks, score_rows

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import ProgressCallback

DIGITS = 9
"""Decimals of a score (a logarithm) that count: the order in which logarithms are added must not decide a tie."""


def pmbsrs(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Sort the rows by how frequent their labels are, cut them into strata, and have all folds draw from each.

    A row's score is the product of the relative frequencies of its labels. The rows, from the lowest score to the
    highest, are cut into as many strata as there are folds, and from every stratum each fold draws rows at random.

    - From every stratum all folds have equally many rows, to within one.
    - Fold sizes differ by at most one row, and the first folds have the extra rows.
    - The same seed gives the same folds.
    - The labels are left as they are.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels.
    n_splits : int
        Number of folds, and of strata.
    rng : numpy.random.Generator
        Source of randomness, for ties and for the draws.
    on_progress : callable, optional
        Called as ``on_progress(rows scored, rows, nan)``.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row.

    Notes
    -----
    What the paper leaves open is done as follows:

    - Scores are compared by their logarithms. The product itself underflows to 0 for rows with many labels, whose
      order would then be lost.
    - Rows of equal score come in random order.
    - A row without labels has the empty product, 1, and so comes last.
    - Where the rows do not divide evenly, the first strata have one row more. The extra rows of a stratum go to the
      folds that are next in turn: where one stratum ends, the next begins.

    Cost: the positives once, and sorting the rows. Memory: a few numbers a row.

    References
    ----------
    .. [1] F. Charte, A. Rivera, M. J. del Jesus, F. Herrera, "On the impact of dataset complexity and sampling
       strategy in multilabel classifiers performance", Hybrid Artificial Intelligent Systems (HAIS), 2016.
    """
    n_rows = labels.shape[0]

    def report(n_scored: int) -> None:
        if on_progress is not None:
            on_progress(n_scored, n_rows, math.nan)

    report(0)
    log_frequency = np.log(np.maximum(positives_per_label(labels), 1) / n_rows)
    rows = np.arange(n_rows, dtype=np.int32)
    scores = score_rows(labels, rows, log_frequency, chunks=row_chunks(labels, rows), report=report)
    rows = rng.permutation(rows)
    ranked = rows[np.argsort(np.round(scores, DIGITS)[rows], kind="stable")]
    report(n_rows)
    for stratum in np.array_split(ranked, n_splits):
        rng.shuffle(stratum)  # in place
    # dealt in turn without a break, any run of rows, and so any stratum, is shared out to within one row
    folds = np.empty(n_rows, dtype=np.int32)
    folds[ranked] = np.arange(n_rows) % n_splits
    return folds
