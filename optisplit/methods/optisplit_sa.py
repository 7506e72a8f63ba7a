"""OptiSplit-SA: simulated annealing with the exact change of the loss, ending with folds of exact size."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.errors import OptionError
from optisplit.folds import check_initial
from optisplit.kernels.codes import MEASURE_CODES
from optisplit.labels import positives_per_label
from optisplit.measures import MEASURES, count_positives_per_fold, score_per_class
from optisplit.methods.random import equal_sizes, random

if TYPE_CHECKING:
    from optisplit.folds import FoldArray
    from optisplit.kernels.annealing import Problem, State
    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import ProgressCallback

CHUNK_WORK = 20_000_000
"""Elementary steps in one compiled call: some tens of milliseconds, so that progress and cancelling live."""

HOTTEST, COLDEST = 1.0, 0.05
"""Temperatures at the start and the end of annealing, in units of the typical weight of a label."""

COLDEST_WITH_INITIAL = 0.1
"""Where a split is given to start from: its first temperature, low enough to keep what is good in it."""

SIZE_PRICE = 0.05
"""Price of a row too many or too few in a fold while annealing, in the same units."""

REPORT_S = 0.05
"""Seconds between two reports, since each adds up the loss afresh."""

N_LISTED = 32
"""Rows of each pair of folds that are tried for exchange."""

MAX_DESCENTS = 40
"""Most sweeps at temperature 0, and most rounds of exchanges."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to anneal.

    Parameters
    ----------
    per_label : float
        Sweeps for each label that a row has on average: the more labels, the harder it is to suit all of them.
    positives : float
        Most positives to look at in all: sweeps times the positives of the data.
    fewest : int
        Fewest sweeps, however large the data.
    """

    per_label: float
    positives: float
    fewest: int

    def n_sweeps(self, n_rows: int, n_positives: int) -> int:
        """Choose the number of sweeps.

        Parameters
        ----------
        n_rows, n_positives : int
            Rows and positives of the data.

        Returns
        -------
        int
            Sweeps.
        """
        wanted = self.per_label * (1 + n_positives / n_rows)
        return int(max(self.fewest, min(wanted, self.positives / max(n_positives, 1))))


EFFORTS = {
    "quick": Effort(10, 6e7, 15),
    "normal": Effort(90, 6e8, 90),
    "thorough": Effort(900, 6e9, 500),
}
"""Efforts by name, each about ten times as long as the one before."""


def optisplit_sa(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    measure: Literal["rld", "dcp", "ld"] = "rld",
    effort: Literal["quick", "normal", "thorough"] = "normal",
    initial: Any = None,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Look for the best split there is, with folds of equal size.

    Anneal: visit the rows again and again, and draw each row's fold anew, with a probability that falls with the
    loss that it would bring and with a temperature that sinks from sweep to sweep. Then descend: take every move and
    every exchange tried that still lowers the loss.

    - Fold sizes differ by at most one row.
    - The same seed gives the same folds, on every machine and however the work is cut into chunks.
    - Where `initial` has such sizes too, the result is not worse than it, by the mean of the measure.
    - The labels and the initial folds given are left as they are.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels.
    n_splits : int
        Number of folds.
    rng : numpy.random.Generator
        Source of randomness.
    measure : {"rld", "dcp", "ld"}, default="rld"
        The score to lower. A split near the bound in rLD is near it in DCP too.
    effort : {"quick", "normal", "thorough"}, default="normal"
        How long to look: each about ten times as long as the one before.
    initial : array-like of shape (n_rows,) or list of (train, test) pairs, optional
        Folds to start from; default: a random split.
    on_progress : callable, optional
        Called as ``on_progress(sweeps done, sweeps, mean score)``.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row.

    Raises
    ------
    OptionError
        If `measure` or `effort` is not one of those above.
    FoldAssignmentError
        If `initial` does not fit, or holds rows that are always in training.

    Notes
    -----
    - A sweep costs about ``n_splits`` steps a positive. Its temperature is in units of the median weight of a label
      (for rLD the weight of a label with c positives is 1 / c). Rows whose labels all weigh less than the
      temperature would only be shaken, and are passed over until it has fallen.
    - While annealing, a row too many or too few in a fold has a small price; at the end sizes are made exact by the
      transfers that cost least.
    - For DCP the search lowers the positives that folds hold beyond the best attainable number, summed over folds.
      That sum is at least how far DCP is above its bound, and 0 where DCP is at it.
    - Memory: about 32 bytes for each label and fold, and 30 for each row.

    References
    ----------
    .. [1] H. Tiittanen, L. Holm, P. Törönen, Applied Computing and Intelligence, 2022 (the measures; annealing and
       incremental loss are named there as future work).
    .. [2] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science, 1983.
    """
    if measure not in MEASURES:
        raise OptionError.unknown("measure", measure, MEASURES)  # noqa: EM101 - not the message
    if effort not in EFFORTS:
        raise OptionError.unknown("effort", effort, EFFORTS)  # noqa: EM101
    start = None if initial is None else check_initial(initial, labels.shape[0], n_splits)
    folds = random(labels, n_splits, rng=rng) if start is None else start.copy()
    problem = _build_problem(labels, n_splits, measure, rng)
    state = _build_state(problem, labels, folds, n_splits, rng)
    search = _Search(problem, state, EFFORTS[effort].n_sweeps(labels.shape[0], labels.nnz), on_progress)
    search.anneal(HOTTEST if start is None else COLDEST_WITH_INITIAL)
    search.descend()
    search.make_sizes_exact()
    search.exchange()
    search.report_end()
    return _better(labels, measure, start, state.folds, n_splits)


def _build_problem(labels: LabelMatrix, n_splits: int, measure: str, rng: np.random.Generator) -> Problem:
    from optisplit.kernels import annealing as kernels

    n_rows, _ = labels.shape
    positives = positives_per_label(labels).astype(np.float64)
    is_scored = (positives > 0) & (positives < n_rows)
    inverse = np.where(is_scored, 1 / np.maximum(positives, 1), 0.0)
    sizes = equal_sizes(n_rows, n_splits)
    # how much one positive moves the score of each class, far from its ideal
    weights = inverse
    if measure == "ld":
        weights = np.where(is_scored, n_rows / np.maximum(n_rows - positives, 1) ** 2, 0.0)
    rarity = np.empty(n_rows)
    kernels.largest_weights(labels.indptr, labels.indices, weights, rarity)
    return kernels.Problem(
        indptr=labels.indptr,
        indices=labels.indices,
        positives=positives,
        inverse=inverse,
        sizes=sizes,
        share=sizes / n_rows,
        rarity=rarity,
        order=rng.permutation(n_rows).astype(np.int32),
        measure=MEASURE_CODES[measure],
        weight=float(np.median(weights[is_scored])) if is_scored.any() else 1.0,
    )


def _build_state(
    problem: Problem, labels: LabelMatrix, folds: FoldArray, n_splits: int, rng: np.random.Generator
) -> State:
    from optisplit.kernels import annealing as kernels

    n_labels = labels.shape[1]
    state = kernels.State(
        folds=folds,
        counts=np.zeros((n_labels, n_splits), dtype=np.int32),
        more=np.zeros(n_labels * n_splits, dtype=np.float32),
        fewer=np.zeros(n_labels * n_splits, dtype=np.float32),
        held=np.zeros(n_splits, dtype=np.int64),
        random=rng.integers(1, 2**63, size=1, dtype=np.uint64),
    )
    kernels.refresh(problem, state)
    return state


def _better(labels: LabelMatrix, measure: str, start: FoldArray | None, found: FoldArray, n_splits: int) -> FoldArray:
    """Prefer the start where it has equal sizes and a lower mean score."""
    if start is None:
        return found
    sizes = np.bincount(start, minlength=n_splits)
    if sizes.max() - sizes.min() > 1:
        return found

    def mean_score(folds: FoldArray) -> float:
        counts = count_positives_per_fold(labels, folds, n_splits)
        positives = counts.sum(axis=0)
        scored = (positives > 0) & (positives < len(folds))
        sizes = np.bincount(folds, minlength=n_splits)
        return float(score_per_class(measure, counts, sizes)[scored].sum())

    return start if mean_score(start) < mean_score(found) else found


class _Search:
    """One run over a problem: its phases, with progress between the compiled chunks."""

    def __init__(self, problem: Problem, state: State, n_sweeps: int, on_progress: ProgressCallback | None) -> None:
        self._problem, self._state = problem, state
        self._n_sweeps = n_sweeps
        self._on_progress = on_progress
        self._n_scored = max(1, int((problem.inverse > 0).sum()))
        self._price = SIZE_PRICE * problem.weight
        self._told_at = 0.0

    def anneal(self, hottest: float) -> None:
        """Sweep while the temperature sinks geometrically."""
        steps = np.arange(self._n_sweeps) / max(1, self._n_sweeps - 1)
        for done, step in enumerate(steps):
            self._sweep(self._problem.weight * hottest * (COLDEST / hottest) ** step, done)

    def descend(self) -> None:
        """Sweep at temperature 0 until nothing moves."""
        for _ in range(MAX_DESCENTS):
            if self._sweep(0.0, self._n_sweeps) == 0:
                return

    def make_sizes_exact(self) -> None:
        """Move the rows that cost least out of the folds that hold too many."""
        from optisplit.kernels import annealing as kernels

        n_rows = self._state.folds.size
        gains, targets = np.empty(n_rows), np.empty(n_rows, dtype=np.int32)
        while True:
            n_off = int(np.maximum(self._state.held - self._problem.sizes, 0).sum())
            if n_off == 0:
                return
            kernels.best_transfers(self._problem, self._state, gains, targets)
            # a few at a time, since each changes what the next would cost
            kernels.transfer(self._problem, self._state, np.argsort(gains, kind="stable"), targets, max(1, n_off // 4))
            self._report(self._n_sweeps)

    def exchange(self) -> None:
        """Exchange rows between folds until no exchange tried helps."""
        from optisplit.kernels import annealing as kernels

        n_splits = self._state.held.size
        candidates = np.empty((n_splits, n_splits, N_LISTED), dtype=np.int32)
        gains = np.empty((n_splits, n_splits, N_LISTED))
        for _ in range(MAX_DESCENTS):
            kernels.list_candidates(self._problem, self._state, candidates, gains)
            n_swaps = kernels.swap_candidates(self._problem, self._state, candidates)
            self._report(self._n_sweeps)
            if n_swaps == 0:
                return

    def report_end(self) -> None:
        """Say that all is done."""
        self._report(self._n_sweeps + 1)

    def _sweep(self, temperature: float, done: int) -> int:
        from optisplit.kernels import annealing as kernels

        place, moved = 0, np.zeros(1, dtype=np.int64)
        while place < self._problem.order.size:
            place = kernels.sweep(self._problem, self._state, place, temperature, self._price, CHUNK_WORK, moved)
            self._report(done)
        return int(moved[0])

    def _report(self, done: int) -> None:
        from optisplit.kernels import annealing as kernels

        now = time.monotonic()
        if self._on_progress is not None and (now - self._told_at > REPORT_S or done > self._n_sweeps):
            self._told_at = now
            score = kernels.total_loss(self._problem, self._state) / self._n_scored
            self._on_progress(done, self._n_sweeps + 1, float(score))
