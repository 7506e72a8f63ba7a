"""How a repair looks for a better split near the one that there is, and how often."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from optisplit.check.fair_start import fair_near
from optisplit.check.missing import find_missing
from optisplit.comparison.fairness import find_unfair
from optisplit.errors import OptionError, Stopped, argument
from optisplit.folds.arrays import are_divided
from optisplit.folds.constraints import FREE
from optisplit.measures.report import Report, evaluate
from optisplit.methods.annealing.efforts import EFFORTS
from optisplit.methods.annealing.fairness import Fair
from optisplit.methods.annealing.near_home import SearchNearHome
from optisplit.methods.annealing.trades import MOST_GROUPS
from optisplit.methods.annealing.units import Units
from optisplit.text import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.check.places import Start
    from optisplit.folds.arrays import FoldArray
    from optisplit.folds.constraints import Constraints
    from optisplit.labels import MultilabelDataset
    from optisplit.methods.base import ProgressCallback
    from optisplit.methods.rare import Rare

N_TRIES = 8
"""How often a repair looks that puts few groups together; every other time without regard to what parts have now."""

HOTTEST = 0.3
"""Temperature at which a repair starts, in units of the typical weight of a label."""

HOME_PRICE = 1.0
"""What a moved row has to gain where no number of rows is given, in the same units."""


class Found(NamedTuple):
    """A split near the start, measured."""

    folds: FoldArray
    report: Report
    is_fit: bool = True  # whether the start kept to everything already


@dataclass(frozen=True)
class Tries:
    """What all tries of a repair have in common."""

    data: MultilabelDataset
    start: Start
    constraints: Constraints
    asked: NDArray[np.float64] | None  # shares of the rows that were asked for
    measure: Literal["rld", "dcp", "ld"]
    effort: str
    rare: Rare
    max_moved: int | None
    rng: np.random.Generator
    on_progress: ProgressCallback | None

    @property
    def is_uneven(self) -> bool:
        """Whether folds are meant to differ by more than a row; otherwise they count as equal."""
        return int(np.ptp(self.constraints.sizes)) > 1

    def measured(self, folds: FoldArray) -> Report:
        """Measure folds as a check of them does, or against the sizes that were asked for."""
        shares, split, names = self.asked, self.start.split, self.start.names
        if shares is None and split is not None:
            shares = split.with_folds(folds, names).shares
        return evaluate(self.data, folds, n_splits=self.start.n_splits, shares=shares, fold_names=names)

    def rank(self, found: Found) -> tuple[int, float]:
        """Give what a repair lowers: faults in fairness, then the score."""
        shares = self.constraints.shares if self.is_uneven else found.report.shares
        n_faults = self._n_faults(found) if self.rare == "share" else 0
        return n_faults, replace(found.report, shares=shares).value(self.measure)

    def _n_faults(self, found: Found) -> int:
        """Count in what parts are unfair, and how many times labels are missing that could be there and are due."""
        fixed = self.constraints.fixed
        stays = (fixed >= 0) & (fixed == found.folds)
        # random splits, which folds are compared with, keep to groups, and to rows that are where they have to be
        rules: dict[str, Any] = {
            "groups": self.constraints.groups, "fixed": np.where(stays, found.folds, FREE) if stays.any() else None,
        }  # fmt: skip
        missing = find_missing(self.data, found.folds, found.report.n_splits, **rules)
        unfair = find_unfair(self.data, found.folds, found.report, **rules)
        return len(unfair) + sum(each.n_due for each in missing)

    def count(self) -> int:
        """Say how often to look.

        Where divided groups are put together most is new, and where they are few luck decides.
        """
        codes, is_placed = self.constraints.groups, self.start.folds >= 0
        if codes is None or self.max_moved is not None:
            return 1
        if not are_divided(codes[is_placed], self.start.folds[is_placed]).any():
            return 1
        return N_TRIES if int(codes.max()) < MOST_GROUPS else 2

    def best(self, *, is_fair: bool) -> Found:
        """Look as often as is due, and take the best of what was found."""
        n_tries, tries = self.count(), []
        for number in range(n_tries):
            told = stage(self.on_progress, number, n_tries)
            search = self._search(is_fair=is_fair, is_near=number % 2 == 0, on_progress=told)
            folds, is_fit = self._improve(search)
            tries.append(Found(folds, self.measured(folds), is_fit))
        return tries[0] if n_tries == 1 else min(tries, key=self.rank)

    def _search(self, *, is_fair: bool, is_near: bool, on_progress: ProgressCallback | None) -> SearchNearHome:
        labels, rng = self.data.labels, self.rng
        units = Units.of(self.constraints, rng)
        home, fair = units.from_rows(self.start.folds), None
        if is_fair:
            fair = fair_near(labels, units, home, rng) if is_near else Fair.of(labels, units, rng)
        return SearchNearHome(
            labels,
            units,
            home.copy(),
            importance=np.ones(self.data.n_labels),
            is_label=np.ones(self.data.n_labels, dtype=np.bool_),
            measure=self.measure,
            rng=rng,
            n_sweeps=EFFORTS[self.effort].n_sweeps(len(units), units.count_positives(labels)),
            fair=fair,
            home=home,
            on_progress=on_progress,
        )

    def _improve(self, search: SearchNearHome) -> tuple[FoldArray, bool]:
        """Anneal near the start; give what was found, and whether the start kept to everything already."""
        start, max_moved = self.start.folds, self.max_moved
        n_regrouped = int((search.folds != start).sum())  # to put groups together
        n_forced = n_regrouped
        if self.constraints.groups is None:
            n_forced += int(np.maximum(search.surplus, 0).sum())
        if max_moved is not None and n_forced > max_moved:
            forced = f"{counted(n_forced, 'row', 'has')} to move"
            given = argument("max_moved", max_moved, of="repair")
            msg = given + f", but {forced} to reach the sizes and keep groups whole."
            raise OptionError(msg)
        is_fit = n_forced == 0 and not search.surplus.any()
        begun = search.rank()

        def found() -> FoldArray | None:
            folds = search.folds
            if max_moved is None or (folds != start).sum() <= max_moved:
                return folds
            return start.copy() if is_fit else None

        try:
            most = None if max_moved is None else max_moved - n_regrouped
            search.anneal_near(HOTTEST, HOME_PRICE, most, covers=self.rare == "cover" and max_moved is None)
            search.report_end()
        except Stopped as stop:
            search.settle()
            stop.folds = start.copy() if is_fit and search.rank() > begun else found()
            raise
        folds = found()
        if folds is None:
            msg = f"No way was found to reach the sizes by moving at most {counted(max_moved or 0, 'row')}; allow more."
            raise OptionError(msg)
        return folds, is_fit


def stage(on_progress: ProgressCallback | None, number: int, n_stages: int) -> ProgressCallback | None:
    """Take the progress of one of several stages, one after the other, as that of all."""
    if on_progress is None or n_stages == 1:
        return on_progress
    return lambda done, total, score: on_progress(number * total + done, n_stages * total, score)
