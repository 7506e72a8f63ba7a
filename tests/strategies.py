"""Small random problems for hypothesis: label matrices, folds, numbers of folds."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

SETTINGS = settings(derandomize=True, deadline=None, max_examples=30)
"""The same examples in every run; compilation may take its time."""


@st.composite
def label_matrices(draw, min_rows=2, max_rows=24, max_labels=7) -> np.ndarray:
    """Draw a dense 0/1 matrix; empty and full classes, doubled rows and rows without labels are all common."""
    n_rows = draw(st.integers(min_rows, max_rows))
    n_labels = draw(st.integers(1, max_labels))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    matrix = rng.random((n_rows, n_labels)) < rng.choice([0.05, 0.2, 0.4, 0.7, 0.95], size=n_labels)
    for label in range(n_labels):
        fill = draw(st.sampled_from([None, None, None, None, 0, 1]))
        if fill is not None:
            matrix[:, label] = fill
    if draw(st.booleans()):
        matrix[n_rows // 2 :] = matrix[: n_rows - n_rows // 2]
    if draw(st.booleans()):
        matrix[rng.random(n_rows) < 0.2] = False
    return matrix.astype(np.int8)


@st.composite
def splits(draw, min_fold=0, **sizes) -> tuple[np.ndarray, np.ndarray, int]:
    """Draw labels, folds (some perhaps empty; with `min_fold` -1 some rows in none) and their number."""
    labels = draw(label_matrices(**sizes))
    n_splits = draw(st.integers(2, 5))
    folds = draw(st.lists(st.integers(min_fold, n_splits - 1), min_size=len(labels), max_size=len(labels)))
    array = np.array(folds, dtype=np.int32)
    array[draw(st.integers(0, len(labels) - 1))] = draw(st.integers(0, n_splits - 1))  # at least one row counts
    return labels, array, n_splits


@st.composite
def problems(draw, **sizes) -> tuple[np.ndarray, int]:
    """Draw labels and a number of folds that they can be divided into."""
    labels = draw(label_matrices(**sizes))
    return labels, draw(st.integers(2, min(5, len(labels))))
