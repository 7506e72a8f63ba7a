"""The same splits of real data, ranked by LD and by rLD, and where the order turns."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from optisplit.measures.report import evaluate
from optisplit.methods import METHODS
from optisplit.methods.api import split
from optisplit.studies.lesson.kept import kept_reports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report

DATA, N_SPLITS = "go_human_cc", 5
KEPT = "lesson_ranking.npz"
"""Counts of these data's splits."""

RUNS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    *((METHODS[key].name, key, {"random_state": 0}) for key in ("random", "pmbsrs", "ss", "is")),
    ("OptiSplit for LD", "optisplit", {"random_state": 0, "measure": "ld"}),
    ("OptiSplit for rLD", "optisplit", {"random_state": 0, "measure": "rld"}),
    ("OptiSplit for DCP", "optisplit", {"random_state": 0, "measure": "dcp"}),
)
"""The splits that are ranked: name, method, options."""

TOLD_APART = 0.01
"""Scores that differ by less than this part of the lower one are as good as equal: there is no order to turn."""


@dataclass(frozen=True, eq=False)
class RankedSplit:
    """One split with its places."""

    name: str
    method: str  # key of its method
    report: Report
    ld_rank: int  # its place by LD, from 1; equal scores have equal places
    rld_rank: int


@dataclass(frozen=True, eq=False)
class Turn:
    """Two splits of which one is better by LD and the other by rLD."""

    by_ld: RankedSplit  # the better one by LD
    by_rld: RankedSplit

    @property
    def clearness(self) -> float:
        """How clearly the order turns: the smaller of the two advantages, as the logarithm of a ratio."""
        a, b = self.by_ld.report, self.by_rld.report
        if min(a.ld, b.ld, a.rld, b.rld) <= 0:
            return 0.0
        return min(math.log(b.ld / a.ld), math.log(a.rld / b.rld))

    @property
    def is_clear(self) -> bool:
        """Tell whether both measures tell the two splits apart, and turn their order."""
        return self.clearness >= math.log1p(TOLD_APART)

    @cached_property
    def halves(self) -> dict[str, Half]:
        """The more frequent half of the scored labels and the rarer half, by "frequent" and "rare"."""
        report = self.by_ld.report
        scored = np.flatnonzero(report.is_scored)
        order = scored[np.argsort(-report.positives[scored], kind="stable")]
        middle = (order.size + 1) // 2
        return {"frequent": self._half(order[:middle]), "rare": self._half(order[middle:])}

    def _half(self, labels: NDArray[np.intp]) -> Half:
        sizes = self.by_ld.report.positives[labels]
        pair = (self.by_ld.report, self.by_rld.report)
        ld, rld = np.array([each.ld_per_class for each in pair]), np.array([each.rld_per_class for each in pair])
        (ld_a, ld_b), (rld_a, rld_b) = ld[:, labels].mean(axis=1).tolist(), rld[:, labels].mean(axis=1).tolist()
        shares = (float(each[:, labels].sum() / np.nansum(each)) for each in (ld, rld))
        return Half(labels.size, int(sizes.min()), int(sizes.max()), (ld_a, ld_b), (rld_a, rld_b), *shares)


@dataclass(frozen=True, slots=True)
class Half:
    """What half of the labels says of two splits."""

    n_labels: int
    smallest: int  # rows of its smallest label
    largest: int
    ld: tuple[float, float]  # mean scores of the split that is better by LD, and of the other one
    rld: tuple[float, float]
    ld_share: float  # the part of the sum over all labels that comes from this half, both splits together
    rld_share: float


@dataclass(frozen=True, eq=False)
class Ranking:
    """Splits of one data set, ranked twice."""

    splits: tuple[RankedSplit, ...]  # best by LD first
    n_splits: int  # folds

    @property
    def table(self) -> pd.DataFrame:
        """One row a split: name, place and score by LD, place and score by rLD, DCP and ED."""
        return pd.DataFrame(
            {
                "split": each.name,
                "place by LD": each.ld_rank,
                "LD": each.report.ld,
                "place by rLD": each.rld_rank,
                "rLD": each.report.rld,
                "DCP": each.report.dcp,
                "ED": each.report.ed,
            }
            for each in self.splits
        )

    @property
    def reports(self) -> list[Report]:
        """The reports in the order of :data:`RUNS`."""
        return [self.named(name).report for name, *_ in RUNS]

    def named(self, name: str) -> RankedSplit:
        """Find a split."""
        return next(each for each in self.splits if each.name == name)

    @property
    def pair(self) -> Turn | None:
        """The best split by LD and the best one by rLD, where rLD tells them apart."""
        first, other = self.splits[0], min(self.splits, key=lambda each: each.rld_rank)
        if first.report.rld <= other.report.rld * (1 + TOLD_APART):
            return None
        return Turn(first, other)

    @property
    def by_rld_of_best(self) -> str:
        """Tell where the best split by LD is by rLD: "best", nearer to the best ("middle") or to random ("worst")."""
        pair = self.pair
        if pair is None:
            return "best"
        middle = (pair.by_rld.report.rld + self.named(RUNS[0][0]).report.rld) / 2
        return "worst" if pair.by_ld.report.rld > middle else "middle"

    def turns(self) -> list[Turn]:
        """Find the pairs whose order turns."""
        return [turn for turn in self._turns() if turn.is_clear]

    def _turns(self) -> Iterator[Turn]:
        for a, b in itertools.permutations(self.splits, 2):
            if a.ld_rank < b.ld_rank and b.rld_rank < a.rld_rank:
                yield Turn(a, b)


def rank_splits(
    data: MultilabelDataset, *, n_splits: int = N_SPLITS, on_split: Callable[[int, str], None] | None = None
) -> Ranking:
    """Split data in several ways and rank the splits by LD and by rLD."""
    reports = []
    for done, (name, method, options) in enumerate(RUNS):
        if on_split is not None:
            on_split(done, name)
        folds = split(data.labels, n_splits=n_splits, method=method, **options)
        reports.append(evaluate(data, folds, n_splits=n_splits))
    return rank_reports(reports)


def rank_reports(reports: list[Report]) -> Ranking:
    """Rank the splits of :data:`RUNS` by their reports."""
    places = {measure: places_of([getattr(report, measure) for report in reports]) for measure in ("ld", "rld")}
    ranked = [
        RankedSplit(name, method, report, by_ld, by_rld)
        for (name, method, _), report, by_ld, by_rld in zip(RUNS, reports, places["ld"], places["rld"], strict=True)
    ]
    return Ranking(tuple(sorted(ranked, key=lambda each: (each.ld_rank, each.rld_rank))), reports[0].n_splits)


def kept_ranking(data: MultilabelDataset) -> Ranking:
    """Rank the splits of :data:`DATA` in :data:`N_SPLITS` folds that come along: the lesson opens with them.

    Once a method has changed, make them of ``Ranking.reports`` with :func:`~.kept.keep_reports`.
    """
    return rank_reports(kept_reports(KEPT, data.label_names, [1 / N_SPLITS] * N_SPLITS))


def places_of(scores: list[float]) -> list[int]:
    """Give each score its place, the lowest first."""
    rounded = pd.Series([float(f"{score:.9g}") for score in scores])
    return rounded.rank(method="min").astype(int).tolist()
