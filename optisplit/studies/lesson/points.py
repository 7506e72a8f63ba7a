"""Twenty-four rows in four folds, as in the paper's first figure: of one label each, and of several labels.

References
----------
.. [1] H. Tiittanen, L. Holm, P. Törönen, "Novel split quality measures for stratified multilabel cross validation
   with application to large and sparse gene ontology datasets", Applied Computing and Intelligence, 2022, Figure 1.
"""

from __future__ import annotations

import re
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import OptionError
from optisplit.labels import MultilabelDataset, as_labels
from optisplit.measures.report import Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.folds.arrays import FoldArray

N_SPLITS = 4
LABEL_SIZES: Mapping[str, int] = MappingProxyType({"A": 4, "B": 8, "C": 12})
"""Points of each label; every point has one label."""

POINTS = tuple(f"{name}{number}" for name, size in LABEL_SIZES.items() for number in range(1, size + 1))
"""Names of the points, in the order of the rows."""

ROWS = (
    "AB", "AC", "AD", "AE", "BC", "BD", "BE", "BE", "BDE", "CD", "CE", "CDE", "C", "C", "C",
    "DE", "DE", "D", "D", "D", "E", "E", "E", "E",
)  # fmt: skip
"""The labels of the rows of the example in which rows have several; no label has more than half of the rows."""


@cache
def points_data() -> MultilabelDataset:
    """Make the data of the first example: 24 points of one label each."""
    return _data([name[0] for name in POINTS], "24 points")


@cache
def rows_data() -> MultilabelDataset:
    """Make the data of the second example: 24 rows with up to three of five labels."""
    return _data(ROWS, "24 rows")


def _data(rows: list[str] | tuple[str, ...], name: str) -> MultilabelDataset:
    letters = sorted(set("".join(rows)))
    dense = np.array([[letter in row for letter in letters] for row in rows], dtype=np.int8)
    return MultilabelDataset(as_labels(dense), tuple(letters), name=name)


def report_of(data: MultilabelDataset, folds: FoldArray) -> Report:
    """Score a split of one of the examples, without anything compiled: the lesson's first picture does not wait."""
    in_fold = (folds == np.arange(N_SPLITS)[:, None]).astype(np.int32)
    counts = np.asarray(in_fold @ data.labels, dtype=np.int32)
    shares = np.full(N_SPLITS, 1 / N_SPLITS)
    return Report(counts, in_fold.sum(axis=1, dtype=np.int64), shares, data.label_names)


def stratified_folds() -> FoldArray:
    """Deal the points of each label to the folds in turn."""
    return np.concatenate([np.arange(size, dtype=np.int32) % N_SPLITS for size in LABEL_SIZES.values()])


def swapped_folds() -> FoldArray:
    """Swap one point of the smallest label of the stratified split with one of the largest label."""
    folds = stratified_folds()
    small, large = POINTS.index("A1"), POINTS.index("C2")
    folds[small], folds[large] = folds[large], folds[small]
    return folds


def random_folds(seed: int) -> FoldArray:
    """Deal the points at random."""
    from optisplit.methods.api import split  # heavy: the first picture needs none

    return split(points_data().labels, n_splits=N_SPLITS, method="random", random_state=seed)


def move_point(folds: FoldArray, point: int, fold: int) -> FoldArray:
    """Move one point to a fold."""
    moved = folds.copy()
    moved[point] = fold
    return moved


def folds_to_text(folds: FoldArray) -> str:
    """Write folds as one digit a point."""
    return "".join(map(str, folds.tolist()))


def folds_from_text(text: str) -> FoldArray:
    """Read what :func:`folds_to_text` wrote."""
    if not re.fullmatch(f"[0-{N_SPLITS - 1}]{{{len(POINTS)}}}", text, re.ASCII):
        msg = f"Folds of the example are {len(POINTS)} digits below {N_SPLITS}, got {text[:40]!r}."
        raise OptionError(msg)
    return np.array(list(text), dtype=np.int32)
