"""The paper's synthetic experiment: labels of many sizes, divided with one known error.

References
----------
.. [1] H. Tiittanen, L. Holm, P. Törönen, "Novel split quality measures for stratified multilabel cross validation
   with application to large and sparse gene ontology datasets", Applied Computing and Intelligence, 2022 (the
   experiment that compares LD, rLD and DCP).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import scipy.sparse as sp

from optisplit.errors import OptionError
from optisplit.labels import MultilabelDataset, as_labels
from optisplit.measures.registry import MEASURES, measures_per_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray

KINDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "equal": ("Equal", "every fold has its part of every label"),
        "difference": ("Difference", "one fold has more of every label, another one less by as many"),
        "missing": ("One missing", "one fold has none of any label, the others share them"),
        "free": ("Free", "each fold has as much of every label as you say"),
    }
)
"""The errors that a synthetic split can have: what they are called, and what they mean."""

PAPER_KINDS = ("equal", "difference", "missing")
"""Those of the paper's experiment."""

DIFFERENCE = 0.2
"""The part of a fold's positives that the paper moves from one fold to another."""


@dataclass(frozen=True, eq=False)
class SyntheticSplit:
    """Made-up data together with a split of it."""

    data: MultilabelDataset  # the labels; label j is on ``sizes[j]`` rows
    folds: FoldArray  # shape (n_rows,): the fold of each row: equal blocks of rows, in order
    sizes: NDArray[np.int64]  # shape (n_labels,): rows of each label, ascending


def synthetic_split(
    kind: str,
    *,
    n_rows: int = 100_000,
    n_labels: int = 100,
    n_splits: int = 10,
    difference: float = DIFFERENCE,
    amounts: Sequence[float] | None = None,
) -> SyntheticSplit:
    """Make the paper's synthetic data with one of its three kinds of split [1]_, or with an error of your own.

    - Label sizes go in equal steps from about ``2 * n_splits`` rows to half of all rows: ``2 k + j (n/2 - 2 k) / q``.
    - For the kind "free" they go only as far as the fold with most of the label has rows.
    - Every label has the same error, relative to its size: only the size differs from label to label.
    - Nothing is drawn at random: the same arguments give the same data.
    """
    counts = _counted(kind, n_rows, n_labels, n_splits, difference, amounts)
    rows_in_fold = n_rows // n_splits
    folds = np.repeat(np.arange(n_splits, dtype=np.int32), rows_in_fold)
    # in each fold, the first rows have the label
    lengths = counts.T.ravel()
    starts = np.tile(np.arange(n_splits) * rows_in_fold, n_labels)
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    rows = np.repeat(starts, lengths) + within
    columns = np.repeat(np.arange(n_labels), counts.sum(axis=0))
    labels = as_labels(sp.coo_array((np.ones(rows.size, np.int8), (rows, columns)), shape=(n_rows, n_labels)))
    sizes = counts.sum(axis=0, dtype=np.int64)
    names = tuple(f"label of {size:,}" for size in sizes.tolist())
    return SyntheticSplit(MultilabelDataset(labels, names, name=f"synthetic, {kind}"), folds, sizes)


def _counted(
    kind: str, n_rows: int, n_labels: int, n_splits: int, difference: float, amounts: Sequence[float] | None
) -> NDArray[np.int64]:  # fmt: skip
    """Give the positives of each label in each fold, shape (n_splits, n_labels), of any kind of split."""
    _check(kind, n_rows, n_labels, n_splits, difference)
    if kind == "free":
        return _counts_by_amounts(_checked_amounts(amounts, n_splits), n_rows, n_labels)
    return _counts(kind, n_rows, n_labels, n_splits, difference)


def _counts(kind: str, n_rows: int, n_labels: int, n_splits: int, difference: float) -> NDArray[np.int64]:
    """Give the positives of each label in each fold, shape (n_splits, n_labels)."""
    sizes = np.linspace(2 * n_splits, n_rows // 2, n_labels).astype(np.int64)
    if kind == "missing":
        counts = np.tile(sizes // (n_splits - 1), (n_splits, 1))
        counts[0] = 0
        return counts
    counts = np.tile(sizes // n_splits, (n_splits, 1))
    if kind == "difference":
        moved = (difference * counts[0]).astype(np.int64)
        counts[0] += moved
        counts[1] -= moved
    return counts


def _counts_by_amounts(shares: NDArray[np.float64], n_rows: int, n_labels: int) -> NDArray[np.int64]:
    """Give the positives of each label in each fold, shape (n_splits, n_labels), by each fold's share of a label."""
    n_splits = shares.size
    # no fold holds more positives than rows; a row fewer for what rounding may add
    room = int((n_rows // n_splits - 1) / shares.max())
    largest = min(n_rows // 2, room)
    sizes = np.linspace(min(2 * n_splits, largest), largest, n_labels).astype(np.int64)
    exact = shares[:, None] * sizes
    counts = np.floor(exact + 1e-9).astype(np.int64)
    left_over = sizes - counts.sum(axis=0)
    lost_most_first = np.argsort(counts - exact, axis=0, kind="stable")
    place = np.argsort(lost_most_first, axis=0, kind="stable")
    return np.asarray(counts + (place < left_over), dtype=np.int64)


def _checked_amounts(amounts: Sequence[float] | None, n_splits: int) -> NDArray[np.float64]:
    given = np.ones(n_splits) if amounts is None else np.asarray(amounts, dtype=np.float64)
    if given.shape != (n_splits,) or not np.all(np.isfinite(given)) or given.min() < 0 or given.sum() <= 0:
        msg = f"amounts must be {n_splits} numbers from 0 up, not all 0, got {given.tolist()!r}; give one a fold."
        raise OptionError(msg)
    return np.asarray(given / given.sum(), dtype=np.float64)


def _check(kind: str, n_rows: int, n_labels: int, n_splits: int, difference: float) -> None:
    if kind not in KINDS:
        what = "kind"
        raise OptionError.unknown(what, kind, KINDS)
    for name, value, least in (("n_splits", n_splits, 2), ("n_labels", n_labels, 1), ("n_rows", n_rows, 4 * n_splits)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            msg = f"{name} must be a whole number of at least {least:,}, got {value!r}."
            raise OptionError(msg)
    if n_rows % n_splits:
        fitting = n_rows - n_rows % n_splits
        msg = f"n_rows={n_rows:,} is no multiple of n_splits={n_splits}; use {fitting:,}, so that the folds are equal."
        raise OptionError(msg)
    if not 0 <= difference <= 1:
        msg = f"difference must be from 0 to 1, got {difference!r}."
        raise OptionError(msg)


@dataclass(frozen=True, eq=False)
class SyntheticScores:
    """LD, rLD and DCP of every label of the synthetic experiment."""

    sizes: Mapping[str, NDArray[np.int64]]  # shape (n_labels,): rows of each label, by the kind of split
    # shape (n_labels,): by measure ("ld", "rld", "dcp"), then by kind: the score of each label
    scores: Mapping[str, Mapping[str, NDArray[np.float64]]]
    n_rows: int
    n_splits: int
    difference: float  # the part of a fold's positives that was moved in the kind "difference"

    @property
    def table(self) -> pd.DataFrame:
        """One row a kind and label: kind, class_size (as the paper says), ld, rld, dcp."""
        parts = [
            pd.DataFrame({"kind": kind, "class_size": sizes} | {name: each[kind] for name, each in self.scores.items()})
            for kind, sizes in self.sizes.items()
        ]
        return pd.concat(parts, ignore_index=True)

    def growth(self, measure: str, kind: str) -> float:
        """Tell how many times the score of the largest label is that of the smallest that has any error."""
        values = self.scores[measure][kind]
        wrong = values[values > 1e-12]  # what rounding leaves of a score of 0
        return float(wrong[-1] / wrong[0]) if wrong.size else math.nan


def synthetic_scores(
    kinds: Sequence[str] = PAPER_KINDS,
    *,
    n_rows: int = 100_000,
    n_labels: int = 100,
    n_splits: int = 10,
    difference: float = DIFFERENCE,
    amounts: Sequence[float] | None = None,
) -> SyntheticScores:
    """Run the paper's synthetic experiment: make the splits and score every label."""
    sizes: dict[str, NDArray[np.int64]] = {}
    scores: dict[str, dict[str, NDArray[np.float64]]] = {measure: {} for measure in measures_per_label()}
    shares = np.full(n_splits, 1 / n_splits)
    for kind in kinds:
        # what is counted in synthetic_split is what the scores are made of: the labels themselves need not be
        counts = _counted(kind, n_rows, n_labels, n_splits, difference, amounts)
        sizes[kind] = counts.sum(axis=0, dtype=np.int64)
        for measure in measures_per_label():
            per_label = MEASURES[measure].per_label
            assert per_label is not None
            scores[measure][kind] = per_label(counts, np.full(n_splits, n_rows // n_splits), shares)
    return SyntheticScores(sizes, scores, n_rows, n_splits, difference)
