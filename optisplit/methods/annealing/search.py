"""One search for a split: its problem, its phases, and progress between the compiled chunks."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optisplit import kernels
from optisplit.labels import count_columns
from optisplit.methods.annealing.fairness import EXACT, FairPrices, firm
from optisplit.methods.annealing.losses import count_missing, fair_loss, least_loss, total_loss
from optisplit.methods.annealing.problem import build_problem, build_state, fill_tables
from optisplit.methods.annealing.sizes import SizePrices
from optisplit.methods.annealing.swaps import MAX_DESCENTS, swap_units, transfer_units
from optisplit.methods.annealing.trades import MOST_GROUPS, trade_groups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.kernels.problem import Problem
    from optisplit.labels import LabelMatrix
    from optisplit.methods.annealing.fairness import Fair
    from optisplit.methods.annealing.units import Units
    from optisplit.methods.base import ProgressCallback

CHUNK_WORK = 20_000_000
"""Elementary steps in one compiled call: some tens of milliseconds, so that progress and cancelling live."""

COLDEST = 0.05
"""Temperature at the end of annealing, in units of the typical weight of a label."""

HIGHEST_START, LOWEST_START, FAST = 20.0, 0.25, 0.8
"""Temperatures in the same units between which annealing begins, and how fast it gets there from the highest."""

FREELY, FEWEST_VISITED = 0.45, 0.01
"""Annealing begins where labels change their fold less often than this, beside what they would at random.

Hotter, little is lost by haste; colder, rows with many rare labels are stuck already: labels of the size of the paper's
GO BP end 4.3 % above the bound from temperature 1, 2.2 % from 8. Before this share of units is visited nothing is
asked.
"""

MIDDLING = 0.25
"""Sweeps are counted by the units that they visit, beside those visited at this temperature.

So there are more where few rows have labels that matter: labels of that size end 1.6 % above the bound instead of 2.2.
"""

IGNORED = 0.1
"""Labels that no unit changes by as much as this share of the temperature are not looked at until it has fallen.

A sweep of GO human BP takes half the time, and its folds are as good.
"""

REST_SHARE, MOST_REST, LEAST_STEP = 0.1, 64, 0.05
"""Units all of whose moves are as good as impossible rest for this share of the sweeps, and so many of them, at most.

So more sweeps fit into the same time, each counted as LEAST_STEP or more. Delicious ends .9 % above the bound instead
of 1.6.
"""

LEAST_WORK = 200_000
"""Positives, times folds, from which on units rest: in small data the optimum is found less often where they do."""

COVERING_FROM = 0.3
"""Temperature, in the same units, from which on a missing label has a price, which grows until all is cold.

From the start that price would stand in the way of everything else: the same number of missing labels would cost
several times as much in score.
"""

PRICE_SHARE_AT_REST = 0.1
"""What is left of it while descending: what is over is moved back at the least cost, so sizes may matter little."""

REPORT_S = 0.05
"""Seconds between two reports, since each adds up the loss afresh."""

MOST_DEARER = 0.01
"""How much more loss there may be, as a share of it, for folds that are fair to frequent labels and to all rows.

With a tenth as much, folds of GO human BP end 5.5 % above the bound, not 5.9, and are half as fair to rows.
"""

N_SETTLING = 3
"""Sweeps at temperature 0 after a stop, so that what is kept is at rest."""


class Search:
    """A search in progress over the folds of units.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_columns)
        Labels, and what else is to be balanced.
    units : Units
        What moves.
    folds : ndarray of shape (n_units,), dtype int32
        Where the units are; changed in place.
    importance : ndarray of shape (n_columns,), dtype float64
        Weight of each column's score in the loss; typically 1.
    is_label : ndarray of shape (n_columns,), dtype bool
        The columns that every fold should have a positive of.
    measure : str
        The score to lower.
    rng : numpy.random.Generator
        Source of randomness.
    fair : Fair, optional
        What units have in common, of which each fold is to have its due.
    home : ndarray of shape (n_units,), dtype int32, optional
        Folds that units are to leave only for a price.
    n_sweeps : int
        Sweeps while the temperature sinks.
    on_progress : callable, optional
        Told of progress.
    """

    def __init__(
        self,
        labels: LabelMatrix,
        units: Units,
        folds: FoldArray,
        *,
        importance: NDArray[np.float64],
        is_label: NDArray[np.bool_],
        measure: str,
        rng: np.random.Generator,
        n_sweeps: int,
        fair: Fair | None = None,
        home: FoldArray | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> None:
        self.units = units
        self._fixed_counts = units.fixed_counts(labels)
        self._n_scored, self._typical, problem = build_problem(
            units.gather(labels), units, self._fixed_counts, importance=importance, is_label=is_label,
            is_count=count_columns(labels), measure=measure, fair=fair, home=home,
        )  # fmt: skip
        # missing labels have no price at first
        self._of_scarce = {name: getattr(problem, name) for name in ("n_scarce", "lack_weights")}
        self._lack_weights = problem.lack_weights.copy()
        problem = replace(problem, n_scarce=np.zeros_like(problem.n_scarce))
        self._state = build_state(problem, folds, rng)
        self._problem = problem
        # numbers of labels have signed prices already, which hold the sizes
        self._size_prices = SizePrices(problem, self._state, units, may_sign=fair is None and home is None)
        self.n_sweeps = int(self._size_prices.sweeps * n_sweeps)
        self._rarities = np.sort(problem.rarity)
        self._usually_visited = max(1, self._n_visited(MIDDLING))
        self._whole = {name: getattr(problem, name) for name in ("indptr", "indices", "amounts")}
        self._fair = fair
        self._fair_prices = None if fair is None else FairPrices(problem, fair)
        self.count_afresh()
        self._on_progress, self._told_at = on_progress, 0.0
        self._done, self._spent = 0, 0.0  # sweeps counted in all, and before annealing proper
        self._ignored = np.inf  # labels that no unit changes by as much are not looked at

    @property
    def _problem(self) -> Problem:
        return self._task.problem

    @_problem.setter
    def _problem(self, problem: Problem) -> None:
        self._task = kernels.annealing.Task.of(problem, self._state)

    @property
    def folds(self) -> FoldArray:
        """The fold of every row, as things stand."""
        return self.units.rows(self._state.folds)

    @property
    def loss(self) -> float:
        """The mean score of the columns, as far as the search knows it: of labels not looked at, as they last were."""
        return total_loss(self._problem, self._state) * self._typical / self._n_scored

    @property
    def _objective(self) -> float:
        """What the search lowers at the end: the loss, and the price of what is not fair."""
        unfair = fair_loss(self._problem, self._state) * self._typical / self._n_scored
        return self.loss + unfair

    @property
    def surplus(self) -> NDArray[np.int64]:
        """Rows that each fold holds beyond those that it is to have, shape (n_splits,)."""
        return np.asarray(self._state.held - self._problem.sizes)

    @property
    def n_missing(self) -> int:
        """Pairs of a scarce label and a fold without a positive of it."""
        return count_missing(self._problem, self._state)

    def count_afresh(self) -> None:
        """Count everything afresh from the folds."""
        fill_tables(replace(self._problem, **self._whole), self._state, self._fixed_counts, self.units.fixed_held())

    def cool_fast(self) -> float:
        """Sweep while the temperature sinks fast, as long as labels change their fold freely; tell it then."""
        shares = self._problem.share
        freely = FREELY * float(1 - shares @ shares)  # how often a random fold is another one
        temperature = HIGHEST_START
        while temperature > LOWEST_START:
            visited = np.flatnonzero(self._problem.rarity >= np.float32(temperature))
            if len(visited) >= FEWEST_VISITED * len(self.units):
                self._look_at(temperature)
                before, n_labels = self._state.folds[visited], np.diff(self._problem.indptr)[visited]
                self._sweep(temperature)
                self._spent += self._cost(temperature)
                if n_labels @ (before != self._state.folds[visited]) < freely * n_labels.sum():
                    break
            temperature *= FAST
        return temperature

    def anneal(self, hottest: float, *, covers: bool) -> None:
        """Sweep while the temperature sinks geometrically; `covers`: whether missing labels have a price in the end."""
        for _ in self._cool(hottest, covers=covers):
            pass

    def come_to_rest(self) -> None:
        """Take what still lowers the loss, and make sizes exact."""
        if self._fair is None or self._fair.n_sizes:
            self._rest()
            return
        # in equal folds labels need not weigh alike: they do where that costs the score next to nothing
        start = self._state.folds.copy()
        self._rest()
        least = least_loss(self._problem) * self._typical / self._n_scored
        if self.loss <= least * (1 + MOST_DEARER):
            return
        alike, loss = self._state.folds.copy(), self.loss
        self._state.folds[:] = start
        self.count_afresh()
        self._rest(is_plain=True)
        if loss <= self.loss * (1 + MOST_DEARER):
            self._state.folds[:] = alike
            self.count_afresh()

    def _rest(self, *, is_plain: bool = False) -> None:
        with self._firm(is_plain=is_plain):
            self.descend()
            self.make_sizes_exact(may_shake=not self._may_trade)  # trading nearly always reaches them
            self.exchange()

    def rank(self) -> tuple[int, float]:
        """Give what the search lowers in the end: missing labels, and the objective."""
        with self._firm():
            return self.n_missing, self._objective

    @contextmanager
    def _firm(self, *, is_plain: bool = False) -> Iterator[None]:
        """Ask the prices of the end for a while, where parts are to be fair."""
        if self._fair is None:
            yield
            return
        before, self._problem = self._problem, firm(self._problem, self._fair, is_plain=is_plain)
        self.count_afresh()
        try:
            yield
        finally:
            self._problem = before
            self.count_afresh()

    def _cool(self, hottest: float, *, covers: bool) -> Iterator[None]:
        """Sweep until all is cold; the fewer units each sweep visits, the more of them."""
        done, in_all = self._spent, max(1.0, self.n_sweeps - 1 - self._spent)
        may_rest = len(self._whole["indices"]) * len(self._problem.sizes) >= LEAST_WORK
        most_rest = min(MOST_REST, int(REST_SHARE * self.n_sweeps)) if may_rest else 0
        while done < self.n_sweeps:
            temperature = float(hottest * (COLDEST / hottest) ** np.float64((done - self._spent) / in_all))
            if covers and temperature < COVERING_FROM:
                self._price_missing(np.log(COVERING_FROM / temperature) / np.log(COVERING_FROM / COLDEST))
            self._look_at(temperature)
            n_resting = self._sweep(temperature, most_rest=most_rest)[1]
            done += self._cost(temperature, n_resting)
            self._done = int(done)
            yield
        self._state.rest[:] = 0
        self._look_at(0.0)
        if covers:
            self._price_missing(1)

    def _cost(self, temperature: float, n_resting: int = 0) -> float:
        """Count a sweep by the units that it visits, beside those at a middling temperature."""
        return max(LEAST_STEP, (self._n_visited(temperature) - n_resting) / self._usually_visited)

    def _n_visited(self, temperature: float) -> int:
        return len(self._rarities) - int(np.searchsorted(self._rarities, np.float32(temperature)))

    def _look_at(self, temperature: float) -> None:
        """Look at labels that matter until the temperature has halved, and at those that may be missing."""
        least = IGNORED * temperature
        if least >= self._ignored:
            return
        self.count_afresh()
        self._ignored = least / 2
        labels, is_kept = self._whole, self._problem.reach >= self._ignored
        if 2 * np.count_nonzero(is_kept[labels["indices"]]) <= labels["indices"].size:
            kept = kernels.problem.only_labels(**labels, stride=self._problem.stride, is_kept=is_kept)
            labels = dict(zip(labels, kept, strict=True))
        self._problem = replace(self._problem, **labels)

    def _price_missing(self, share: float) -> None:
        """Ask a share of their price for labels that are missing from folds."""
        if self._problem.n_scarce is not self._of_scarce["n_scarce"]:
            self._problem = replace(self._problem, **self._of_scarce)
            self.count_afresh()
        self._problem.lack_weights[:] = self._lack_weights * np.float32(share)

    def descend(self, most: int = MAX_DESCENTS) -> None:
        """Sweep at temperature 0 until nothing moves."""
        price = self._state.size_price.copy()
        self._state.size_price[:] = price * np.float32(PRICE_SHARE_AT_REST)
        for _ in range(most):
            if self._sweep(0.0)[0] == 0:
                break
        self._state.size_price[:] = price

    def make_sizes_exact(self, *, may_shake: bool = True) -> None:
        """Move the units that cost least until the folds have their sizes, or come as near as groups allow."""
        state, units = self._state, self.units
        if units.are_rows:
            self._transfer(np.arange(len(units)), state.held - self._problem.sizes)
        else:
            units.even_out(state.folds, self._transfer, may_shake=may_shake)

    def exchange(self) -> None:
        """Exchange units of one size between folds until no exchange tried helps."""
        swap_units(self._task, self.units.kinds(), lambda: self._objective, self._report)

    def trade_groups(self, n_tries: int) -> None:
        """Let groups, where there are few of them, change places with others of any size."""
        if not self._may_trade:
            return
        wanted = self.units.constraints.shares * self._problem.sizes.sum()
        low, high = np.floor(wanted + EXACT).astype(np.int64), np.ceil(wanted - EXACT).astype(np.int64)
        with self._firm(is_plain=self._fair is not None and not self._fair.n_sizes):
            self._trade_groups(low, high, n_tries)
            held, folds = self._state.held, self._state.folds.copy()
            if ((low <= held) & (held <= high)).all():
                return
            self.make_sizes_exact()
            if not np.array_equal(folds, self._state.folds):
                # where whole groups do not allow a size, no fold is to be further from it than it is
                self._trade_groups(np.minimum(low, held), np.maximum(high, held), n_tries)

    @property
    def _may_trade(self) -> bool:
        return not self.units.are_rows and len(self.units) <= MOST_GROUPS and bool(self._rarities[-1:].any())

    def _trade_groups(self, low: NDArray[np.int64], high: NDArray[np.int64], n_tries: int) -> None:
        try:
            trade_groups(self._task, low, high, n_tries, self._report)
        finally:
            self.count_afresh()

    def settle(self) -> None:
        """Come to rest as fast as can be, reporting nothing: for work that was stopped."""
        self._on_progress = None
        self._state.rest[:] = 0
        self._look_at(0.0)
        self.descend(N_SETTLING)
        self.make_sizes_exact()

    def report_end(self) -> None:
        """Say that all is done."""
        self._done = self.n_sweeps + 1
        self._report()

    def _transfer(self, units: NDArray[np.int64], surplus: NDArray[np.int64]) -> None:
        """Move units of one size from folds with a surplus of them to the others, at the least cost."""
        transfer_units(self._task, units, surplus.copy(), self._report)

    def _sweep(self, temperature: float, *, most_rest: int = 0) -> tuple[int, int]:
        """Visit all units once; tell how many moved, and how many rested."""
        place, moved = 0, np.zeros(3, dtype=np.int64)
        while place < len(self.units):
            moved[1] = CHUNK_WORK
            place = kernels.annealing.sweep(self._task, place, temperature, most_rest, moved)
            self._report()
        if temperature > 0:
            self._size_prices.adapt(self._problem, self._state, temperature)
            if self._fair_prices is not None:
                self._fair_prices.adapt(self._problem, self._state, temperature)
        return int(moved[0]), int(moved[2])

    def _report(self) -> None:
        now = time.monotonic()
        if self._on_progress is not None and (now - self._told_at > REPORT_S or self._done > self.n_sweeps):
            self._told_at = now
            self._on_progress(self._done, self.n_sweeps + 1, self.loss)
