"""Stratified sampling: counting the labels of the test part, and scoring labels by them."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from optisplit.kernels.jit import kernel

Array = NDArray[Any]


@kernel
def add_counts(indptr: Array, indices: Array, rows: Array, steps: Array, counts: Array) -> None:
    """Add to the count of every label of some rows, or take away from it.

    indptr, indices: CSR arrays of the labels, shapes (n_rows + 1,) and (n_positives,); rows: (n_chosen,) int32, the
    rows; steps: (n_chosen,) int8, what each row adds: 1, 0 or -1; counts: (n_labels,) int32, changed in place.
    """
    for at in range(rows.size):
        step = steps[at]
        if step != 0:
            for entry in range(indptr[rows[at]], indptr[rows[at] + 1]):
                counts[indices[entry]] += step


@kernel
def score_labels(in_test: Array, counts: Array, share: float, bonus: float, label_scores: Array) -> None:
    """Score every label by how far the test part's portion of it is from the share wanted.

    in_test, counts: (n_labels,) int32, rows of each label in the test part, and in both parts; share: the share of the
    rows wanted in the test part, between 0 and 1; bonus: what a label scores more that is wholly in one part;
    label_scores: (n_labels,) float64, set in place: above 0 where the test part has too much of the label, below 0
    where it has too little; 0 for labels with at most one row, which cannot be in both parts.
    """
    for label in range(counts.size):
        score = 0.0
        if counts[label] > 1:
            portion = in_test[label] / counts[label]
            if portion >= share:
                score = (portion - share) / (1 - share)
                if portion > 0.999:
                    score += bonus
            else:
                score = (portion - share) / share
                if portion < 0.001:
                    score -= bonus
        label_scores[label] = score
