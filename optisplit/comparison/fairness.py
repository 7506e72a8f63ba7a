"""Whether the parts of a split are fair to rare labels and to rows: one answer for comparisons, checks and repairs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.folds.constraints import constraints_of_split
from optisplit.measures.registry import name_of
from optisplit.measures.report import evaluate
from optisplit.measures.representative import labels_by_size, rows_by_kind
from optisplit.measures.score import SAME
from optisplit.methods.annealing.units import Units
from optisplit.text import number, percent, span

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.folds.constraints import Constraints
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report

FAIR_MEASURES = ("rare_shares", "row_shape")
"""Keys of the measures in which a split can be unfair, each with its kind of fault."""

NEARER = 0.95
"""Share of random splits that have to be nearer to what is due for a split to be unfair."""

MOST_TOLD = 10
"""Sizes of labels, or kinds of rows, in parts that are told of an unfair split."""

N_RANDOM = 100
FEWEST_RANDOM = 20
MOST_WORK = 60_000_000
"""Positives, rows and counts that the random splits of one size go through together: some tenths of a second."""

MOST_KEPT = 64
"""Sets of random splits whose distances are kept."""


@dataclass(frozen=True, slots=True)
class Off:
    """Labels of about one size, or rows with about so many labels, of which a part has not what is due to it."""

    part: int
    kind: tuple[int, int]  # labels with from and to so many positives, or rows with so many labels
    is_of_rows: bool
    share: float  # the share of their positives, or of these rows, that the part has
    due: float  # the share that is due to it

    def told(self, fold_names: Sequence[str]) -> str:
        """Say what is where, and what is due."""
        if not self.is_of_rows:
            what = f"the positives of labels with {span(*self.kind, 'positive')}"
        else:
            what = "rows without a label" if self.kind == (0, 0) else f"rows with {span(*self.kind, 'label')}"
        has = f"{fold_names[self.part]} has {percent(self.share, 3)} of {what}"
        return f"{has}, where {percent(self.due, 3)} are due"


@dataclass(frozen=True, slots=True)
class Unfair:
    """A measure in which a split is unfair: further from what is due than random splits, and than rounding explains."""

    measure: str  # its key: rare_shares or row_shape
    value: float  # how far the split is from what is due
    usual: float  # what 95 % of random splits are at most
    n_off: int  # positives, or rows, that would have to be in another part
    worst: tuple[Off, ...]  # where it shows, the clearest first

    @property
    def whom(self) -> str:
        """To whom it is unfair."""
        return "some labels" if self.measure == "rare_shares" else "rows"

    @property
    def how_far(self) -> str:
        """Say how far the split is from what is due, beside random splits."""
        what = f"{name_of(self.measure)} {number(self.value)}"
        return f"{what}, where 95 % of random splits have at most {number(self.usual)}"


def unfair_text(unfair: Iterable[Unfair], fold_names: Sequence[str]) -> str:
    """Say to whom parts are unfair, and where that shows most; empty where they are fair."""
    return "; ".join(f"unfair to {each.whom}: {each.worst[0].told(fold_names)}" for each in unfair)


@dataclass(frozen=True, slots=True)
class Chance:
    """How far random splits are from what is due."""

    values: dict[str, NDArray[np.float64]]  # by measure, ascending
    limit: float  # share of random splits that may be nearer before a split is unfair in either measure

    def is_beyond(self, measure: str, value: float) -> bool:
        """Whether a split is further from what is due than random splits are."""
        return _rank(self.values[measure], value) > self.limit


def find_unfair(
    data: MultilabelDataset, folds: FoldArray, report: Report, *, groups: Any = None, fixed: Any = None
) -> tuple[Unfair, ...]:
    """Say in what a split is unfair: further from its due than 95 % of random splits, and by more than rounding.

    Random splits have the same sizes, keep the same groups whole and leave the same rows in place. They are the same
    for the same data and sizes, so that all who ask hear the same.
    """
    suspect = [key for key in FAIR_MEASURES if report.value(key) > report.score(key).bound + SAME]
    if not suspect:
        return ()
    chance = _chance(data, folds, report, groups, fixed)
    return tuple(_told(key, report, chance) for key in suspect if chance.is_beyond(key, report.value(key)))


def _told(key: str, report: Report, chance: Chance) -> Unfair:
    """Say where a split is unfair, and how much."""
    is_of_rows = key == "row_shape"
    counts: Any = report.rows_by_n_labels if is_of_rows else report.counts
    kinds = (rows_by_kind if is_of_rows else labels_by_size)(counts, report.fold_sizes)
    shares = kinds.due[:, None]
    due = kinds.totals * shares
    off = np.abs(kinds.counts - due)
    clarity = off / np.sqrt(np.maximum(due * (1 - shares), SAME))  # in deviations of random splits, about
    if is_of_rows:  # the measure is that of the farthest part
        farthest = (off.sum(axis=1) / np.maximum(report.fold_sizes, 1)).argmax()
        clarity[np.arange(len(off)) != farthest] = 0
    worst: list[Off] = []
    for at in np.argsort(-clarity, axis=None, kind="stable")[:MOST_TOLD]:
        part, kind = (int(each) for each in np.unravel_index(at, off.shape))
        ends = (int(kinds.lowest[kind]), int(kinds.highest[kind]))
        if not worst or off[part, kind] >= 1:
            worst.append(Off(part, ends, is_of_rows, float(kinds.shares[part, kind]), float(kinds.due[part])))
    usual = float(np.quantile(chance.values[key], NEARER))
    return Unfair(key, report.value(key), usual, round(float(off.sum()) / 2), tuple(worst))


def _rank(values: NDArray[np.float64], value: float) -> float:
    """Give the share of random splits that are clearly nearer to what is due."""
    return float(np.searchsorted(values, value - SAME, side="left") / len(values))


_kept: OrderedDict[Hashable, Chance] = OrderedDict()
_KEEPING = threading.Lock()


def _chance(data: MultilabelDataset, folds: FoldArray, report: Report, groups: Any, fixed: Any) -> Chance:
    """Measure random splits, once for the same data, sizes, groups and rows that stay."""
    constraints = constraints_of_split(data.n_rows, folds, report.n_splits, groups=groups, fixed=fixed)
    places, codes = constraints.fixed, constraints.groups
    key = (data.digest, report.fold_sizes.tobytes(), places.tobytes(), None if codes is None else codes.tobytes())
    with _KEEPING:
        found = _kept.get(key)
        if found is None:
            found = _kept[key] = _measure(data, constraints, report)
        _kept.move_to_end(key)
        if len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return found


def _measure(data: MultilabelDataset, constraints: Constraints, report: Report) -> Chance:
    units, rng = Units.of(constraints), np.random.default_rng(0)
    work = data.n_positives + data.n_rows + 10 * report.counts.size
    n_random = min(N_RANDOM, max(FEWEST_RANDOM, MOST_WORK // work))
    found = np.empty((n_random, len(FAIR_MEASURES)))
    for at in range(n_random):
        other = evaluate(data, units.rows(units.at_random(rng, may_shake=False)), n_splits=report.n_splits)
        found[at] = [other.value(key) for key in FAIR_MEASURES]
    values = {key: np.sort(found[:, at]) for at, key in enumerate(FAIR_MEASURES)}
    # in one measure or the other, random splits themselves are beyond it once in twenty
    ranks = [max(_rank(values[key], row[at]) for at, key in enumerate(FAIR_MEASURES)) for row in found]
    return Chance(values, float(np.quantile(ranks, NEARER, method="higher")))
