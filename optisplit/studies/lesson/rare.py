"""What even rLD does not see: rare labels that, together, leave the test part.

A label of two rows cannot have a tenth of them in the test part. rLD looks at each label alone, and is lowest where
both rows are in training. Where all labels of two rows do that, the test part has none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from optisplit.io.samples import load
from optisplit.labels import drop_labels, positives_per_label
from optisplit.measures.report import Report, evaluate
from optisplit.methods import METHODS as KNOWN
from optisplit.studies.lesson.kept import kept_reports

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset

SHARES = (0.8, 0.1, 0.1)
PARTS = ("train", "validation", "test")

N_LABELS, POSITIVES = 100, 2
DUE = round(SHARES[2] * N_LABELS * POSITIVES)
N_ROWS = 10_000
MOST_IN_TEST = 50

DATA = "go_human_cc"
TOO_COMMON = 0.9
"""Labels on more than this part of the rows are left out, as studies do: they tell hardly any rows apart."""

METHODS = ("random", "is", "optisplit", "optisplit-sa")
SEED = 0
N_JOINED = 10
"""Folds that a method without parts makes: the last two are the parts, the others train together, as the paper says."""

KEPT = "lesson_parts.npz"


@dataclass(frozen=True, eq=False)
class RoundingChoice:
    """What each number of test positives costs, of :data:`N_LABELS` labels with two rows each."""

    in_test: np.ndarray  # 0, 1, ...: labels that give one of their two rows to the test part
    rld: np.ndarray  # mean rLD of these labels
    together: np.ndarray  # how far they are, together, from what is due to the parts ("rare shares")
    due: int = DUE  # how many are due
    n_labels: int = N_LABELS

    def lowest(self, measure: str) -> int:
        """Tell for how many test positives a measure is lowest."""
        return int(self.in_test[getattr(self, measure).argmin()])


def rounded(n_in_test: int) -> Report:
    """Let so many of the labels give one of their two rows to the test part, and as many as due to validation."""
    counts = np.zeros((3, N_LABELS), dtype=np.int32)
    counts[0] = POSITIVES
    for part, labels in ((1, slice(0, DUE)), (2, slice(DUE, DUE + n_in_test))):
        counts[0, labels] -= 1
        counts[part, labels] += 1
    sizes = np.rint(np.array(SHARES) * N_ROWS).astype(np.int64)
    names = tuple(f"label {label}" for label in range(N_LABELS))
    return Report(counts, sizes, np.array(SHARES), names, PARTS)


@cache
def rounding_choice() -> RoundingChoice:
    """Score every choice."""
    reports = [rounded(n) for n in range(MOST_IN_TEST + 1)]
    rld, together = (np.array([report.value(key) for report in reports]) for key in ("rld", "rare_shares"))
    return RoundingChoice(np.arange(MOST_IN_TEST + 1), rld, together)


def rare_data() -> MultilabelDataset:
    """Give :data:`DATA` without the labels that are on nearly every row: some rows then have no label."""
    data = load(DATA)
    positives = positives_per_label(data.labels)
    return drop_labels(data, [data.label_names[at] for at in np.flatnonzero(positives > TOO_COMMON * data.n_rows)])


def split_into_parts(data: MultilabelDataset, method: str) -> FoldArray:
    """Divide data into 80, 10 and 10 %: a method that makes folds only joins eight of ten for training."""
    from optisplit.methods.api import split

    if KNOWN[method].keeps("fold_sizes"):
        return split(data.labels, method=method, fold_sizes=SHARES, random_state=SEED)
    folds = split(data.labels, n_splits=N_JOINED, method=method, random_state=SEED)
    return np.maximum(folds - (N_JOINED - 3), 0).astype(np.int32)


def made_reports(methods: Iterable[str] = METHODS) -> dict[str, Report]:
    """Split :func:`rare_data`, and count: ours takes some seconds."""
    data = rare_data()
    return {
        method: evaluate(data, split_into_parts(data, method), shares=SHARES, fold_names=PARTS) for method in methods
    }


def reports_of_parts() -> dict[str, Report]:
    """Read what comes along of :func:`made_reports`, by method.

    Once a method has changed, make it with ``keep_reports(sample_file(KEPT), list(made_reports().values()))``.
    """
    names = rare_data().label_names
    return dict(zip(METHODS, kept_reports(KEPT, names, SHARES, PARTS), strict=True))
