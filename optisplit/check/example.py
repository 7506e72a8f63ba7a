"""A split with faults, to see what a check finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.folds.arrays import folds_to_csv

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset

N_SPLITS = 5
N_RARE = 4
"""Labels that are taken out of a fold each, at most."""
PART_LEFT_OUT = 0.01


def faulty_split(data: MultilabelDataset, *, seed: int = 0) -> str:
    """Make a file with a random split in it, where rows are missing and a few rare labels are in no row of a fold."""
    rng = np.random.default_rng(seed)
    folds = rng.permutation(np.arange(data.n_rows) % N_SPLITS).astype(np.int32)
    positives = np.bincount(data.labels.indices, minlength=data.n_labels)
    in_every_fold = np.flatnonzero(positives >= 2 * N_SPLITS)
    rare = in_every_fold[np.argsort(positives[in_every_fold], kind="stable")][: min(N_RARE, data.n_labels // 3)]
    by_label = data.labels.tocsc()
    rows_of = [by_label.indices[by_label.indptr[label] : by_label.indptr[label + 1]] for label in rare]
    is_marked = np.zeros(data.n_rows, dtype=np.bool_)
    for rows in rows_of:
        is_marked[rows] = True
    for fold, rows in enumerate(rows_of):
        _drive_out(folds, rows, fold, is_marked, rng)
    unmarked = np.flatnonzero(~is_marked)
    n_left_out = min(max(3, round(PART_LEFT_OUT * data.n_rows)), len(unmarked))
    left_out = set(rng.choice(unmarked, n_left_out, replace=False).tolist())
    header, *lines = folds_to_csv(folds, data.row_ids).splitlines()
    return "\n".join([header, *(line for row, line in enumerate(lines) if row not in left_out), ""])


def _drive_out(
    folds: FoldArray, rows: NDArray[Any], fold: int, is_marked: NDArray[np.bool_], rng: np.random.Generator
) -> None:
    """Put rows out of a fold, rows without any of the labels in exchange; the folds keep their sizes."""
    movers = rows[folds[rows] == fold]
    others = np.flatnonzero((folds != fold) & ~is_marked)
    partners = rng.choice(others, min(len(movers), len(others)), replace=False)
    movers = movers[: len(partners)]
    folds[movers], folds[partners] = folds[partners], fold
