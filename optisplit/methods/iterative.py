"""Iterative stratification as published, and its second-order form, which looks at pairs of labels first."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optisplit import kernels
from optisplit.errors import OptionError
from optisplit.folds.constraints import check_constraints
from optisplit.measures.pairs import MAX_POSITIVES, pair_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.kernels.iterative import Problem, State
    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import ProgressCallback

CHUNK_WORK = 2_000_000
"""Elementary steps in one compiled call: some tens of milliseconds, so that progress and cancelling live."""

MAX_TABLE = 1_000_000_000
"""Entries of the table of pairs and parts that are taken for meant: 4 GB."""


def iterative_stratification(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    fold_sizes: Any = None,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Hand out the rows of the rarest remaining label first, each to the fold that wants the label most.

    A fold wants its share of the positives of every label and of the rows, less what it has. While rows with labels
    remain, take the label that has the fewest of them and give each to the fold that wants that label most; of several
    that do, to the one that wants rows most; of several again, to one at random. Rows without labels come last and
    go where rows are wanted most.

    - The same seed gives the same folds, on every machine.
    - The labels are left as they are.
    - Fold sizes are aimed at, not held: the algorithm looks at labels first. See the notes.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels.
    n_splits : int
        Number of folds.
    rng : numpy.random.Generator
        Source of randomness, for ties and the order of rows.
    fold_sizes : array-like of shape (n_splits,), optional
        Shares of the rows that add up to 1, or numbers of rows, to aim at; default: equal.
    on_progress : callable, optional
        Called as ``on_progress(rows placed, rows, nan)``.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row.

    Raises
    ------
    FoldAssignmentError
        If `n_splits` does not fit the rows.
    OptionError
        If `fold_sizes` does not.

    Notes
    -----
    What the paper leaves open, and what is done here:

    - Labels with equally few remaining rows: at random, as in the paper's Algorithm 1.
    - The order of a label's rows: those with the fewest labels first, at random among equals. Such rows then come to
      all folds alike, which halves the rLD of small data (emotions, 5 folds: 0.013, in random order 0.026) and costs
      none elsewhere. With parts of unequal size the order is random: there the first rows of every label go to the
      largest part, which would get all those with few labels.
    - Rows without labels: last, each to a fold that wants rows most.
    - Numbers wanted: not rounded. They are compared in whole numbers (multiplied by the number of folds, or by that of
      the rows in parts), so that folds tie exactly where they should. Parts whose sizes differ by one row, such as the
      1,611 and 1,610 rows that 10 % and 10 % of 16,105 are, want equally much of each label: otherwise the larger would
      be served first every time.

    How far sizes end off, in five runs: 5 folds, at most 23 rows of 1,479 on bibtex and 17 of 3,221 on delicious;
    80/10/10 %, at most 28 of 7,395 rows on bibtex and 141 of 16,105 on delicious. A part that is to have very few rows
    may get none.

    Time: n_splits times the rows, plus the positives: the rarest label is found in constant time. Memory: once more
    the index arrays of the labels, and a table of n_labels x n_splits counts.

    References
    ----------
    .. [1] K. Sechidis, G. Tsoumakas, I. Vlahavas, "On the Stratification of Multi-Label Data", ECML PKDD 2011,
       Algorithm 1.
    """
    run = _Run(labels, _aims(labels.shape[0], n_splits, fold_sizes), rng, on_progress)
    run.place_by_labels()
    return run.folds


def second_order_stratification(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    fold_sizes: Any = None,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Hand out the rows of the rarest remaining pair of labels first, then go on with single labels.

    A fold wants its share of the rows that have a pair, of the positives of every label, and of the rows, less what
    it has. While rows with two labels or more remain, take the pair that has the fewest of them and give each to the
    fold that wants the pair most. The rest is done as in :func:`iterative_stratification`.

    - The same seed gives the same folds, on every machine.
    - The labels are left as they are.
    - Fold sizes are aimed at, not held: the algorithm looks at pairs and labels first. See the notes.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels.
    n_splits : int
        Number of folds.
    rng : numpy.random.Generator
        Source of randomness, for ties and the order of rows.
    fold_sizes : array-like of shape (n_splits,), optional
        Shares of the rows that add up to 1, or numbers of rows, to aim at; default: equal.
    on_progress : callable, optional
        Called as ``on_progress(rows placed, rows, nan)``.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row.

    Raises
    ------
    FoldAssignmentError
        If `n_splits` does not fit the rows.
    OptionError
        If `fold_sizes` does not, or there are too many pairs of labels to hold.

    Notes
    -----
    The choices made here: where several folds want a pair equally, the one that wants the pair's two labels most
    (added up) gets the row; of several that do, the one that wants rows most; of several again, one at random. Every
    pair of two different labels that occurs in a row counts, however rare. Everything else is as in
    :func:`iterative_stratification`: pairs with equally few rows come at random, a pair's rows are handed out by their
    number of labels where folds are equal, and what is wanted is compared in whole numbers.

    How far sizes end off, in three runs: 5 folds, at most 7 rows of 1,479 on bibtex and 19 of 3,221 on delicious;
    80/10/10 %, at most 71 of 7,395 rows on bibtex, but 496 of 16,105 on delicious, where most pairs have few rows, and
    of few rows the smaller parts get more than their share. A part that is to have very few rows may get none.

    Time: as for single labels, with the pairs of labels in every row for its positives; while the pairs are made, no
    row is placed yet. Memory: about 9 bytes for each of these, and 4 n_splits + 50 for each different pair.

    References
    ----------
    .. [1] P. Szymański, T. Kajdanowicz, "A Network Perspective on Stratification of Multi-Label Data", Proceedings of
       Machine Learning Research 74, 2017.
    .. [2] K. Sechidis, G. Tsoumakas, I. Vlahavas, "On the Stratification of Multi-Label Data", ECML PKDD 2011.
    """
    aims = _aims(labels.shape[0], n_splits, fold_sizes)
    _check_positives(labels)
    run = _Run(labels, aims, rng, on_progress)
    run.place_by_pairs()
    run.place_by_labels()
    return run.folds


class _Aims(NamedTuple):
    """What each part is to have: of every label in proportion to `weights`, of rows by `rows_due` / sum of weights."""

    weights: NDArray[np.int64]
    rows_due: NDArray[np.int64]
    are_equal: bool


def _aims(n_rows: int, n_splits: int, fold_sizes: Any) -> _Aims:
    sizes = check_constraints(n_rows, n_splits, fold_sizes=fold_sizes).sizes
    if fold_sizes is None:
        return _Aims(np.ones(n_splits, dtype=np.int64), np.full(n_splits, n_rows, dtype=np.int64), True)
    weights = sizes.copy()
    for before, part in pairwise(np.argsort(sizes, kind="stable")):
        if sizes[part] - weights[before] <= 1:  # one share, rounded to whole rows
            weights[part] = weights[before]
    weights //= np.gcd.reduce(weights)
    return _Aims(weights, weights.sum() * sizes, bool((weights == weights[0]).all()))


def _check_positives(labels: LabelMatrix) -> None:
    n_labels = np.diff(labels.indptr).astype(np.int64)
    n_positives = int((n_labels * (n_labels - 1) // 2).sum())
    if n_positives > MAX_POSITIVES:
        msg = (
            f"The rows hold {n_positives:,} pairs of labels in all (the longest row has {n_labels.max():,} labels), "
            f"more than the {MAX_POSITIVES:,} that 'sois' can hand out; use 'is', or leave out the most frequent "
            "labels."
        )
        raise OptionError(msg)


def _check_table(n_pairs: int, n_splits: int) -> None:
    if n_pairs * n_splits > MAX_TABLE:
        msg = (
            f"Counting {n_pairs:,} pairs of labels in {n_splits:,} folds takes more than the {MAX_TABLE:,} numbers "
            f"that 'sois' may hold; use 'is', or at most {MAX_TABLE // n_pairs:,} folds."
        )
        raise OptionError(msg)


class _Run:
    """One run of the algorithm: who is placed where, and what each part holds."""

    def __init__(
        self, labels: LabelMatrix, aims: _Aims, rng: np.random.Generator, on_progress: ProgressCallback | None
    ) -> None:
        n_rows, n_labels = labels.shape
        self._labels = labels
        self._aims = aims
        self._rng = rng
        self._on_progress = on_progress
        self._order = rng.permutation(n_rows).astype(np.int32)
        if aims.are_equal:
            n_labels_of = np.diff(labels.indptr)[self._order]
            self._order = self._order[np.argsort(n_labels_of, kind="stable")]
        self._draws = rng.random(n_rows)
        self._held = np.zeros((n_labels, len(aims.weights)), dtype=np.int32)
        self._sizes = np.zeros(len(aims.weights), dtype=np.int64)
        self.folds: FoldArray = np.full(n_rows, -1, dtype=np.int32)
        self._report()
        self._totals = self._count_left(labels)

    def place_by_pairs(self) -> None:
        """Place every row that has two labels or more."""
        pairs, first, second = pair_matrix(self._labels, on_chunk=self._report)
        n_pairs, n_splits = pairs.shape[1], len(self._sizes)
        _check_table(n_pairs, n_splits)
        self._place(*self._start(pairs, np.zeros((n_pairs, n_splits), dtype=np.int32), first, second))

    def place_by_labels(self) -> None:
        """Place every row left: those that have a label, then those that have none."""
        none = np.empty(0, dtype=np.int32)
        problem, state = self._start(self._labels, self._held, none, none)
        self._place(problem, state)
        for rows in self._slices(len(self._sizes)):
            kernels.iterative.place_rest(problem, state, self._order[rows])
            self._report()

    def _start(
        self, items: LabelMatrix, held: NDArray[np.int32], first: NDArray[np.int32], second: NDArray[np.int32]
    ) -> tuple[Problem, State]:
        """Queue the items that rows are left of."""
        n_items = items.shape[1]
        left = self._count_left(items)
        item_ptr, item_rows = self._list_rows(items, left)
        queue, place = np.argsort(left, kind="stable").astype(np.int32), np.empty(n_items, dtype=np.int32)
        place[queue] = np.arange(n_items)
        n_with = np.bincount(left, minlength=1)
        cursor = np.zeros(kernels.iterative.N_CURSOR, dtype=np.int64)
        cursor[kernels.iterative.CURRENT] = kernels.iterative.NO_ITEM
        problem = kernels.iterative.Problem(
            indptr=items.indptr,
            indices=items.indices,
            item_ptr=item_ptr,
            item_rows=item_rows,
            totals=left if first.size else self._totals,
            item_draws=self._rng.random(n_items, dtype=np.float32),
            first=first,
            second=second,
            label_indptr=self._labels.indptr,
            label_indices=self._labels.indices,
            label_totals=self._totals,
            weights=self._aims.weights,
            rows_due=self._aims.rows_due,
            draws=self._draws,
        )
        state = kernels.iterative.State(
            folds=self.folds,
            held=held,
            label_held=self._held,
            sizes=self._sizes,
            left=left.astype(np.int32),
            queue=queue,
            place=place,
            start=np.concatenate(([0], np.cumsum(n_with))),
            tied=np.empty(len(self._sizes), dtype=np.int32),
            cursor=cursor,
        )
        return problem, state

    def _place(self, problem: Problem, state: State) -> None:
        while not state.cursor[kernels.iterative.FINISHED]:
            kernels.iterative.place_chunk(problem, state, CHUNK_WORK)
            self._report()

    def _count_left(self, items: LabelMatrix) -> NDArray[np.int64]:
        left = np.zeros(items.shape[1], dtype=np.int64)
        for rows in self._slices(items.nnz / len(self.folds)):
            ends = items.indptr[rows.start : rows.stop + 1]
            kernels.iterative.count_left(ends, items.indices, self.folds[rows], left)
            self._report()
        return left

    def _list_rows(self, items: LabelMatrix, left: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """List the rows left of each item, in the order in which they are handed out."""
        item_ptr = np.concatenate(([0], np.cumsum(left)))
        item_rows = np.empty(int(item_ptr[-1]), dtype=np.int32)
        write_at = item_ptr[:-1].copy()
        for rows in self._slices(items.nnz / len(self.folds)):
            kernels.iterative.list_rows(items.indptr, items.indices, self._order[rows], self.folds, write_at, item_rows)
            self._report()
        return item_ptr, item_rows

    def _slices(self, work_per_row: float) -> list[slice]:
        """Cut the rows into pieces of which each is gone through in a compiled call."""
        n_rows = len(self.folds)
        step = max(1, int(CHUNK_WORK / max(1.0, work_per_row)))
        return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]

    def _report(self) -> None:
        if self._on_progress is not None:
            self._on_progress(int(self._sizes.sum()), len(self.folds), float("nan"))
