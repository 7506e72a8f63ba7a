"""OptiSplit-SA: simulated annealing with the exact change of the loss, ending with folds of exact size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.errors import OptionError, Stopped
from optisplit.folds.arrays import ALWAYS_TRAIN, check_initial
from optisplit.folds.constraints import check_constraints
from optisplit.kernels.codes import LANES
from optisplit.labels import MultilabelDataset, side_by_side
from optisplit.measures.pairs import pair_matrix
from optisplit.measures.registry import objectives
from optisplit.measures.report import evaluate
from optisplit.methods.amounts import exchange_amounts
from optisplit.methods.annealing.efforts import EFFORTS, STEPS_PER_ROW
from optisplit.methods.annealing.fairness import Fair
from optisplit.methods.annealing.search import Search
from optisplit.methods.annealing.swaps import n_tried
from optisplit.methods.annealing.units import Units
from optisplit.methods.rare import DEFAULT_RARE, RARE, in_todays_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.folds.constraints import Constraints
    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import ProgressCallback
    from optisplit.methods.rare import Rare
    from optisplit.methods.shapes import Shape

START_WITH_INITIAL = 0.1
"""Where a split is given to start from: its first temperature, low enough to keep what is good in it."""

FEWEST_PAIRED = 2
"""Pairs of labels in fewer rows than this are not balanced: they are the same in every split."""


def check_choices(measure: str = "rld", effort: str = "normal", rare: str = DEFAULT_RARE, **_others: Any) -> None:
    """Refuse measures, efforts and choices for rare labels that do not exist."""
    if measure not in objectives():
        raise OptionError.unknown("measure", measure, objectives())  # noqa: EM101 - not the message
    if effort not in EFFORTS:
        raise OptionError.unknown("effort", effort, EFFORTS)  # noqa: EM101
    if rare not in RARE:
        raise OptionError.unknown("choice for rare", rare, RARE)  # noqa: EM101


def optisplit_sa(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    measure: Literal["rld", "dcp", "ld"] = "rld",
    effort: Literal["quick", "normal", "thorough"] = "normal",
    initial: Any = None,
    fold_sizes: Any = None,
    groups: Any = None,
    fixed: Any = None,
    balance_pairs: bool = False,
    rare: Rare = DEFAULT_RARE,
    cover_rare: bool | None = None,
    weights: NDArray[np.float64] | None = None,
    n_labels: int | None = None,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Look for the best split there is, with folds of exactly the sizes asked for.

    Anneal: visit the rows again and again, and draw each row's fold anew, with a probability that falls with the
    loss that it would bring and with a temperature that sinks from sweep to sweep. When it is cooler, a fold without
    any positive of a rare label has a price too. Then descend: take every move and every exchange [4]_ tried that
    still lowers the loss.

    - Fold sizes are exactly those asked for; by default they differ by at most one row. With `groups` they are as
      near to them as whole groups allow.
    - A group is never divided, and a row of `fixed` stays where it is.
    - The same seed gives the same folds, on every machine and however the work is cut into chunks.
    - Where `initial` keeps to all this already, the result is not worse than it: neither in the mean of the measure
      (with fair shares, together with the price of what is not fair) nor in how many labels are missing from how many
      folds, unless one is bought with the other.
    - The labels and everything else given are left as they are.

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
        Folds to start from; default: a random split. A group that it divides starts where most of its rows are.
    fold_sizes : array-like of shape (n_splits,), optional
        Shares of the rows that add up to 1, or numbers of rows; default: equal.
    groups : array-like of shape (n_rows,), optional
        Names or numbers of groups (patients, families, authors) that stay whole. Sizes and measures count rows.
    fixed : array-like of shape (n_rows,), optional
        The fold of each row whose place is given, -1 for always in training; :data:`optisplit.FREE`, None or NaN for
        the others. A group goes where any of its rows is fixed.
    balance_pairs : bool, default=False
        Also balance the pairs of labels that occur together; all pairs weigh as much as all labels.
    rare : {"share", "cover", "score"}, default="share"
        What becomes of labels too rare for a fold. "share": what is due to a label in a fold is rounded up or down
        so that labels of one size together, and rows with 0, 1, 2, ... labels, have their share of every fold.
        "cover": a positive of each label that has enough of them goes into every fold wherever a way is found, even
        where that costs other labels some of their balance; :func:`optisplit.find_missing_labels` lists what could
        not be done. "score": the measure alone decides.
    cover_rare : bool, optional
        Old name: True is ``rare="cover"``, False ``rare="score"``.

        .. deprecated:: 0.4.0
    weights : ndarray of shape (n_columns,), optional
        How much each column of `labels` weighs; default: 1.
    n_labels : int, optional
        How many of the columns are labels; others are balanced as well, but are neither scored nor brought into folds
        that have none of them. Default: all.
    on_progress : callable, optional
        Called as ``on_progress(sweeps done, sweeps, mean score)``. When it raises Stopped, the best split so far is
        handed on as the exception's `folds`; while the pairs of very large data are counted, ``(0, 0, nan)`` is told,
        and there is none yet.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row; -1 where it is always in training.

    Raises
    ------
    OptionError
        If `measure`, `effort` or `rare` is not one of those above, or `fold_sizes`, `groups` and `fixed` do not fit
        the data or each other.
    FoldAssignmentError
        If `initial` does not fit, or holds rows that are always in training.
    Stopped
        If `on_progress` raised it.

    Notes
    -----
    - A sweep costs about ``n_splits`` steps a positive, eight folds at a time. Its temperature is in units of the
      median weight of a label (for rLD the weight of a label with c positives is 1 / c). Rows whose labels all weigh
      less than the temperature would only be shaken, and are passed over until it has fallen.
    - While annealing, a row too many or too few in a fold has a small price; without fair shares, rows of large data
      pay signed prices as well, which follow the sizes of unequal parts and hinder no move. At the end sizes are made
      exact by the transfers that cost least. Up to 5,000 groups then change places by an annealing of their own: single
      ones whose fold is drawn anew, and exchanges of two of any size; the best folds are kept of those whose sizes are
      least off. Where that reaches no exact sizes, and with more groups, it is settled first how many groups of each
      size each fold is to have.
    - Fair shares: what each fold is to have of the positives of all labels of one size, and of rows with 0, 1, 2, ...
      labels, is drawn first: what is due to it, rounded up or down at random, so that over seeds each gets its due
      [3]_. While annealing, signed prices follow what is beyond these targets; at the end it has a firm price, and so
      has every positive beyond the rounding of its label. Folds of equal size need this for rows alone; there they
      may be rounded either way, and what it costs the score is held below one per cent where that goes.
    - For DCP the search lowers the positives that folds hold beyond the best possible number, summed over folds.
      That sum is at least how far DCP is above its bound, and 0 where DCP is at it.
    - Whether every rare label can be in every fold at once is a hard question; the search finds ways, but a label
      that it leaves out may still be possible.
    - Memory: the labels in the order of visits, once more, and about 64 bytes for each label and eight folds.

    References
    ----------
    .. [1] H. Tiittanen, L. Holm, P. Törönen, Applied Computing and Intelligence, 2022 (the measures; annealing and
       incremental loss are named there as future work).
    .. [2] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science, 1983.
    .. [3] J.-C. Deville, Y. Tillé, "Efficient balanced sampling: the cube method", Biometrika, 2004 (the model: given
       what each row is due, totals are balanced; R package BalancedSampling).
    .. [4] M. Papenberg, G. W. Klau, "Using anticlustering to partition data sets into equivalent parts", Psychological
       Methods, 2021 (exchanges of two between parts that keep their sizes; R package anticlust).
    """
    if cover_rare is not None:
        rare = _by_old_name(cover_rare, rare)
    check_choices(measure, effort, rare)
    constraints = check_constraints(labels.shape[0], n_splits, fold_sizes=fold_sizes, groups=groups, fixed=fixed)
    always = constraints.fixed == ALWAYS_TRAIN
    start = None if initial is None else check_initial(initial, labels.shape[0], n_splits, always)
    own = labels if n_labels is None or n_labels == labels.shape[1] else labels[:, :n_labels]
    columns, importance, is_label = _columns(labels, own, weights, balance_pairs, on_progress)
    search = _search(
        columns, own, constraints, start, importance=importance, is_label=is_label, measure=measure, effort=effort,
        is_fair=rare == "share", rng=rng, on_progress=on_progress,
    )  # fmt: skip

    def rank() -> tuple[int, float]:
        if measure == "dcp" and rare != "share":
            return search.n_missing, _dcp(own, search.folds, constraints)
        return search.rank()

    is_kept = start is not None and np.array_equal(search.folds, start) and not search.surplus.any()
    before = rank() if is_kept else None
    try:
        _anneal_and_rest(search, start is None, rare, EFFORTS[effort].n_tries)
        found = exchange_amounts(
            columns, search.folds, constraints, importance=importance, n_labels=own.shape[1], effort=effort,
            is_share=rare == "share", rng=rng, on_chunk=search.report_end,
        )  # fmt: skip
    except Stopped as stop:
        search.settle()
        stop.folds = _better(search.folds, rank(), start, before)
        raise
    is_exchanged = not np.array_equal(found, search.folds)
    return found if is_exchanged else _better(found, rank(), start, before)


def _by_old_name(cover_rare: bool, rare: Rare) -> Rare:
    """Take the choice for rare labels by its name from before."""
    given = {"cover_rare": cover_rare} if rare == DEFAULT_RARE else {"cover_rare": cover_rare, "rare": rare}
    chosen: Rare = in_todays_words(given, stacklevel=3)["rare"]
    return chosen


def _search(
    columns: LabelMatrix,
    own: LabelMatrix,
    constraints: Constraints,
    start: FoldArray | None,
    *,
    effort: str,
    is_fair: bool,
    rng: np.random.Generator,
    **how: Any,
) -> Search:
    """Put units where they start, and say what they have in common."""
    units = Units.of(constraints, rng)
    folds = units.scattered(rng) if start is None else units.from_rows(start)
    fair = Fair.of(own, units, rng) if is_fair else None
    n_fair = 0 if fair is None else len(fair.indices)
    n_sweeps = EFFORTS[effort].n_sweeps(len(units), units.count_positives(columns), n_fair)
    return Search(columns, units, folds, rng=rng, n_sweeps=n_sweeps, fair=fair, **how)


def _better(
    folds: FoldArray, after: tuple[int, float], start: FoldArray | None, before: tuple[int, float] | None
) -> FoldArray:
    """Take what was found, unless the start keeps to everything and was better in missing labels and in score."""
    if start is None or before is None or before == after or before[0] > after[0] or before[1] > after[1]:
        return folds
    return start


def _dcp(labels: LabelMatrix, folds: FoldArray, constraints: Constraints) -> float:
    """Measure DCP, which the search does not know: what it lowers is only the excess over the bound."""
    data = MultilabelDataset(labels, ("",) * labels.shape[1])  # which may count
    return evaluate(data, folds, n_splits=constraints.n_splits, shares=constraints.shares).dcp


def _anneal_and_rest(search: Search, is_anew: bool, rare: Rare, n_tries: int) -> None:
    search.anneal(search.cool_fast() if is_anew else START_WITH_INITIAL, covers=rare != "score")
    search.come_to_rest()
    search.trade_groups(n_tries)
    search.report_end()


def _columns(
    labels: LabelMatrix,
    own: LabelMatrix,
    weights: NDArray[np.float64] | None,
    balance_pairs: bool,
    on_progress: ProgressCallback | None,
) -> tuple[LabelMatrix, NDArray[np.float64], NDArray[np.bool_]]:
    """List what is to be balanced: labels and others, and where wished pairs of labels, which weigh as much in all."""
    n_labels = own.shape[1]
    is_label = np.arange(labels.shape[1]) < n_labels
    importance = np.ones(labels.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    if not balance_pairs:
        return labels, importance, is_label
    pairs, _, _ = pair_matrix(
        own,
        min_rows=FEWEST_PAIRED,
        on_chunk=None if on_progress is None else lambda: on_progress(0, 0, math.nan),
    )
    n_pairs = pairs.shape[1]
    importance = np.concatenate([importance, np.full(n_pairs, n_labels / max(1, n_pairs))])
    return side_by_side(labels, pairs), importance, np.append(is_label, np.zeros(n_pairs, dtype=np.bool_))


STEP_S, EXCHANGE_S = 4e-9, 4e-8
"""Seconds of a step of a sweep, for each label and eight folds; and of all tries of an exchange, for each label."""

DEARER = {"rld": 1, "dcp": 2, "ld": 2.5}
"""How much longer steps take for each measure."""

DEARER_WITH_PAIRS = 2
"""How much longer they take where pairs of labels are balanced too: their counts do not fit the processor's caches."""


def seconds(shape: Shape, n_splits: int, options: Mapping[str, Any]) -> float:
    """Guess by the steps of all sweeps, and by the exchanges tried between all pairs of folds."""
    measure, effort = options.get("measure", "rld"), options.get("effort", "normal")
    n_rows, n_positives = shape.n_rows, shape.n_positives
    dearer = DEARER[measure]
    if options.get("balance_pairs"):
        n_positives += shape.n_pairs_in_rows
        dearer *= DEARER_WITH_PAIRS
    n_lanes = n_splits if measure == "ld" else -(-n_splits // LANES)  # LD's folds are looked at one by one
    n_sweeps = EFFORTS[effort].n_sweeps(n_rows, n_positives)
    n_steps = n_sweeps * (n_positives * n_lanes + STEPS_PER_ROW * n_rows)
    n_exchanges = n_splits * (n_splits - 1) / 2 * min(n_tried(n_splits), n_rows / n_splits) ** 2
    return dearer * (STEP_S * n_steps + EXCHANGE_S * n_exchanges * (STEPS_PER_ROW + n_positives / n_rows))


def n_bytes(shape: Shape, n_splits: int, options: Mapping[str, Any]) -> float:
    """Count what is held for each row, positive, label and, where they are balanced, pair."""
    needed: float = 12 * (shape.n_rows + shape.n_positives + 4 * n_splits * shape.n_labels)
    if options.get("balance_pairs"):
        needed += 18 * shape.n_pairs_in_rows + (15 + 2 * n_splits) * shape.n_pairs
    return needed
