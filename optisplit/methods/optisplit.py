"""OptiSplit, the paper's Algorithm 1: balance one label at a time, the worst first, as long as the loss falls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import scipy.sparse as sp

from optisplit import kernels
from optisplit.errors import OptionError
from optisplit.folds.arrays import check_initial, fold_sizes
from optisplit.kernels.codes import MEASURE_CODES
from optisplit.labels import positives_per_label
from optisplit.measures.counting import count_positives_per_fold
from optisplit.measures.registry import MEASURES, objectives
from optisplit.methods.random import random

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.kernels.optisplit import Problem, State, Task
    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import ProgressCallback
    from optisplit.methods.shapes import Shape

CHUNK_WORK = 20_000_000
"""Elementary steps in one compiled call: some tens of milliseconds, so that progress and cancelling live."""

TIES = ("random", "numpy")


def optisplit(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    measure: Literal["rld", "dcp", "ld"] = "rld",
    max_epochs: int = 3,
    initial: Any = None,
    ties: Literal["random", "numpy"] = "random",
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Improve a split by the paper's algorithm, from a random start or from a given one.

    For up to `max_epochs` times, go through the labels from the one with the worst score down. Balance the
    label: take its surplus rows, those with the fewest labels first, out of the folds that hold more than their
    share and give them to those that hold less. Keep the change if the summed score over all labels falls, else
    undo it and go on to the next worse label.

    - The result's summed score is never above that of the start.
    - The same seed gives the same folds, on every machine (with ``ties="random"``).
    - The labels and the initial folds given are left as they are.
    - Fold sizes are not held equal: the algorithm looks at them only through the measure.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels.
    n_splits : int
        Number of folds.
    rng : numpy.random.Generator
        Source of randomness, for the start and for ties.
    measure : {"rld", "dcp", "ld"}, default="rld"
        The score to lower.
    max_epochs : int, default=3
        Most times to go through all labels, at least 1; it ends earlier when an epoch changes nothing.
    initial : array-like of shape (n_rows,) or list of (train, test) pairs, optional
        Folds to start from; default: a random split.
    ties : {"random", "numpy"}, default="random"
        Which of several rows with equally many labels moves first: "random" decides by the seed; "numpy" as the
        published code does, by the order that numpy's default sort happens to leave, which depends on the
        processor, and takes longer. With it, where no label has more than half of the rows, every row gets the
        fold that the published code gives it.
    on_progress : callable, optional
        Called as ``on_progress(labels examined, most labels to examine, mean score)``.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row.

    Raises
    ------
    OptionError
        If `measure`, `max_epochs` or `ties` is not one of those above.
    FoldAssignmentError
        If `initial` does not fit, or holds rows that are always in training.

    Notes
    -----
    Differences from the published package, version 0.2, all on purpose:

    - Labels with more positives than negatives are balanced by their negatives, as the paper says; the package
      turns label 0 round in their stead. The score is that of the labels as they are, for these labels too.
    - Labels with no positive, or no negative, are left out of the score. There, the package's sum becomes NaN and
      it keeps every change.
    - An epoch that changes nothing ends the run. The package stops when the sum is within 0.1 of its start.
    - No change is kept that takes a fold's last row away; with few rows for many folds the package may empty folds.
    - It honours its seed, and does not change the caller's matrix.
    - Only the folds that a change touches are scored again, from counts that are kept up, so that a label costs about
      ``n_splits * n_labels`` plus the labels of the rows moved, not ``n_rows * n_labels``.

    Memory: about two times more the index arrays of the labels.

    References
    ----------
    .. [1] H. Tiittanen, L. Holm, P. Törönen, "Novel split quality measures for stratified multilabel cross
       validation with application to large and sparse gene ontology datasets", Applied Computing and Intelligence,
       2022, Algorithm 1.
    """
    check_options(measure, max_epochs, ties)
    start = random(labels, n_splits, rng=rng) if initial is None else check_initial(initial, labels.shape[0], n_splits)
    task = _build_task(_build_problem(labels, measure, rng, ties=ties), labels, start, n_splits)
    run = _run_compiled if ties == "random" else _run_as_published
    run(task, max_epochs, on_progress)
    return task.state.folds


@dataclass(frozen=True, eq=False)
class Step:
    """What :func:`optisplit` does with one label."""

    epoch: int  # how often all labels have been gone through before
    rank: int  # how many labels with worse scores are passed over
    label: int
    folds: FoldArray  # shape (n_rows,): the folds before
    scores: NDArray[np.float64]  # shape (n_labels,): the score of each label before; 0 where it is not scored
    rows: NDArray[np.int32]  # shape (n_moved,): the rows to move
    targets: NDArray[np.int32]  # shape (n_moved,): the fold that each is to go to
    loss: float  # mean score over the scored labels before
    loss_after: float  # and with the rows moved
    kept: bool  # whether the rows stay where they were moved

    @property
    def folds_after(self) -> FoldArray:
        """The folds with the rows moved, whether that is kept or not."""
        moved = self.folds.copy()
        moved[self.rows] = self.targets
        return moved


def optisplit_steps(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    measure: Literal["rld", "dcp", "ld"] = "rld",
    max_epochs: int = 3,
    initial: Any = None,
) -> Iterator[Step]:
    """Run :func:`optisplit` slowly, telling of every label that it looks at.

    - Carrying out the steps that are kept, in order, gives the folds that :func:`optisplit` gives.
    """
    check_options(measure, max_epochs, "random")
    start = random(labels, n_splits, rng=rng) if initial is None else check_initial(initial, labels.shape[0], n_splits)
    problem = _build_problem(labels, measure, rng)
    task = _build_task(problem, labels, start.copy(), n_splits)
    state = task.state
    n_scored = max(1, int(problem.is_scored.sum()))
    while not _is_finished(state, max_epochs):
        label = int(kernels.optisplit.select_label(task))
        epoch, rank = int(state.cursor[kernels.optisplit.EPOCH]), int(state.cursor[kernels.optisplit.RANK])
        before, scores, loss = state.folds.copy(), state.scores.copy(), float(state.loss[0])
        n_moved = 0
        if kernels.optisplit.find_surplus(task, label):
            n_moved = kernels.optisplit.gather_excess(task, label)
            kernels.optisplit.assign_excess(task, n_moved)
        rows, targets = state.excess[:n_moved].copy(), state.target[:n_moved].copy()
        after = before.copy()
        after[rows] = targets
        loss_after = float(_build_task(problem, labels, after, n_splits).state.loss[0])
        kernels.optisplit.run_chunk(task, max_epochs, 1)  # the least work there is: this label alone
        kept = bool(n_moved and (state.folds[rows] == targets).all())
        yield Step(epoch, rank, label, before, scores, rows, targets, loss / n_scored, loss_after / n_scored, kept)


def check_options(measure: str = "rld", max_epochs: int = 3, ties: str = "random", **_others: Any) -> None:
    """Refuse values that an option cannot have."""
    if measure not in objectives():
        msg = "measure"
        raise OptionError.unknown(msg, measure, objectives())
    if ties not in TIES:
        msg = "way to break ties"
        raise OptionError.unknown(msg, ties, TIES)
    if isinstance(max_epochs, bool) or not isinstance(max_epochs, int | np.integer) or max_epochs < 1:
        msg = f"max_epochs must be a whole number of at least 1, got {max_epochs!r}."
        raise OptionError(msg)


def optisplit_with_first_label_turned(
    labels: LabelMatrix, n_splits: int, *, rng: np.random.Generator, measure: Literal["rld", "dcp", "ld"] = "rld",
    max_epochs: int = 3,
) -> FoldArray:  # fmt: skip
    """Run :func:`optisplit` with the published package's slip: label 0 balanced by its negatives, and no other."""
    start = random(labels, n_splits, rng=rng)
    problem = _build_problem(labels, measure, rng, turned=np.arange(labels.shape[1]) == 0)
    task = _build_task(problem, labels, start, n_splits)
    _run_compiled(task, max_epochs, None)
    return task.state.folds


def _build_problem(
    labels: LabelMatrix, measure: str, rng: np.random.Generator, *, turned: NDArray[np.bool_] | None = None,
    ties: str = "random",
) -> Problem:  # fmt: skip
    """Prepare a run; the labels that are `turned` are balanced by their negatives: unless told, the larger ones."""
    n_rows = labels.shape[0]
    positives = positives_per_label(labels)
    is_majority = 2 * positives > n_rows if turned is None else turned
    members = _count_members(labels.indptr, labels.indices, is_majority)
    draws = rng.permutation(n_rows)
    order = np.arange(n_rows) if ties == "numpy" else np.lexsort((draws, members))
    columns = labels[order].tocsc()
    lists = np.split(columns.indices, columns.indptr[1:-1])
    for label in np.flatnonzero(is_majority):
        lists[label] = np.setdiff1d(np.arange(n_rows, dtype=np.int32), lists[label], assume_unique=True)
    is_scored = ((positives > 0) & (positives < n_rows)).astype(np.float64)
    return kernels.optisplit.Problem(
        indptr=labels.indptr,
        indices=labels.indices,
        member_ptr=np.cumsum([0, *map(len, lists)]),
        member_rows=order.astype(np.int32)[np.concatenate(lists)],
        is_majority=is_majority,
        positives=positives,
        is_scored=is_scored,
        inverse=is_scored / np.maximum(positives, 1),
        measure=MEASURE_CODES[measure],
    )


def _count_members(indptr: NDArray[Any], indices: NDArray[Any], is_majority: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count, for each row, the minority labels that it has and the majority labels that it lacks."""
    ones = np.ones(indices.size, dtype=np.int8)
    labels = sp.csr_array((ones, indices, indptr), shape=(indptr.size - 1, is_majority.size))
    return labels @ np.where(is_majority, -1, 1) + is_majority.sum()


def _build_task(problem: Problem, labels: LabelMatrix, folds: FoldArray, n_splits: int) -> Task:
    n_rows, n_labels = labels.shape
    state = kernels.optisplit.State(
        folds=folds,
        counts=count_positives_per_fold(labels, folds, n_splits),
        sizes=fold_sizes(folds, n_splits),
        scores=np.empty(n_labels),
        fold_loss=np.zeros(n_splits),
        loss=np.empty(1),
        order=np.arange(n_labels, dtype=np.int64),
        cursor=np.zeros(kernels.optisplit.N_CURSOR, dtype=np.int64),
        wanted=np.empty(n_splits, dtype=np.int64),
        excess=np.empty(n_rows, dtype=np.int32),
        target=np.empty(n_rows, dtype=np.int32),
        terms=np.empty(n_labels),
    )
    task = kernels.optisplit.Task.of(problem, state)
    kernels.optisplit.refresh(task)
    return task


def _is_finished(state: State, max_epochs: int) -> bool:
    return bool(state.cursor[kernels.optisplit.EPOCH] >= max_epochs or state.cursor[kernels.optisplit.FINISHED])


def _reporter(task: Task, max_epochs: int, on_progress: ProgressCallback | None) -> Callable[[], None]:
    """Build the call that tells how far the run is: labels examined, of those of all epochs, and the mean score."""
    problem, state = task.problem, task.state
    n_labels = state.scores.size
    n_scored = max(1, int(problem.is_scored.sum()))
    total = max_epochs * n_labels

    def report() -> None:
        if on_progress is not None:
            examined = int(state.cursor[kernels.optisplit.EPOCH] * n_labels + state.cursor[kernels.optisplit.EXAMINED])
            done = total if _is_finished(state, max_epochs) else examined
            on_progress(done, total, float(state.loss[0] / n_scored))

    return report


def _run_compiled(task: Task, max_epochs: int, on_progress: ProgressCallback | None) -> None:
    report = _reporter(task, max_epochs, on_progress)
    report()
    while not _is_finished(task.state, max_epochs):
        kernels.optisplit.run_chunk(task, max_epochs, CHUNK_WORK)
        report()


def _run_as_published(task: Task, max_epochs: int, on_progress: ProgressCallback | None) -> None:
    """Run with numpy's own sorts for the order of labels and rows; everything else is the same kernels."""
    problem, state = task.problem, task.state
    report = _reporter(task, max_epochs, on_progress)
    members = _count_members(problem.indptr, problem.indices, problem.is_majority)
    ranking = _ranking_by_numpy(problem, state)
    report()
    while not _is_finished(state, max_epochs):
        label = int(ranking[state.cursor[kernels.optisplit.RANK]])
        kept = False
        if kernels.optisplit.find_surplus(task, label):
            excess = _excess_by_numpy(task, label, members)
            state.excess[: excess.size] = excess
            kept = kernels.optisplit.try_moves(task, excess.size) > 0
        if kept:
            ranking = _ranking_by_numpy(problem, state)
        kernels.optisplit.advance(task, kept)
        report()


def _ranking_by_numpy(problem: Problem, state: State) -> NDArray[np.intp]:
    """Rank the labels by scores computed in the published code's way: its ties hang on the last digit."""
    measure = next(name for name, code in MEASURE_CODES.items() if code == problem.measure)
    per_label = MEASURES[measure].per_label
    assert per_label is not None  # what can be lowered is a mean over labels
    scores = per_label(state.counts, state.sizes, np.full(state.sizes.size, 1 / state.sizes.size))
    return np.argsort(np.where(problem.is_scored > 0, scores, 0.0))[::-1]


def _excess_by_numpy(task: Task, label: int, members: NDArray[np.int64]) -> NDArray[np.int32]:
    problem, state, wanted = task.problem, task.state, task.state.wanted
    rows = problem.member_rows[problem.member_ptr[label] : problem.member_ptr[label + 1]]
    taken = []
    for fold in np.flatnonzero(wanted < 0):
        in_fold = rows[state.folds[rows] == fold]
        taken.append(in_fold[np.argsort(members[in_fold])[: -wanted[fold]]])
    return np.concatenate(taken)


def seconds(shape: Shape, n_splits: int, options: Mapping[str, Any]) -> float:
    """Guess by the labels that each label's turn scores again, and by the rows that it looks at."""
    n_steps = shape.n_labels**2 + 10 * shape.n_positives
    return 4.5e-10 * options.get("max_epochs", 3) * n_splits * n_steps
