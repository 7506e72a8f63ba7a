"""Making a split that exists better while moving few rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.check.fair_start import fair_near
from optisplit.check.missing import find_missing
from optisplit.check.places import Start, check_max_moved, constraints_of
from optisplit.check.tries import count_tries, stage
from optisplit.comparison.fairness import find_unfair
from optisplit.errors import OptionError, Stopped, argument
from optisplit.folds.constraints import FREE
from optisplit.io.rows import groups_of
from optisplit.io.splits.assembly import write_plain
from optisplit.labels import as_dataset
from optisplit.measures.registry import with_excess
from optisplit.measures.report import Report, evaluate
from optisplit.measures.shown import Shown
from optisplit.methods.annealing.efforts import EFFORTS
from optisplit.methods.annealing.fairness import Fair
from optisplit.methods.annealing.search import Search
from optisplit.methods.annealing.units import Units
from optisplit.methods.api import as_generator
from optisplit.methods.optisplit_sa import check_choices
from optisplit.methods.rare import DEFAULT_RARE
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.folds.constraints import Constraints
    from optisplit.io.splits.base import SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.methods.base import ProgressCallback
    from optisplit.methods.rare import Rare

HOTTEST = 0.3
"""Temperature at which a repair starts, in units of the typical weight of a label."""

HOME_PRICE = 1.0
"""What a moved row has to gain where no number of rows is given, in the same units."""


@dataclass(frozen=True, repr=False)
class Repair(Shown):
    """What a repair did.

    Parameters
    ----------
    folds : ndarray of shape (n_rows,), dtype int32
        The repaired split; -1 where a row is always in training, or still in no part.
    before, after : Report
        The measures of the split as it was and as it is.
    original : ndarray of shape (n_rows,), dtype int32
        The split as it was; -1 where a row was always in training, or in no part.
    split : SplitFile or None
        The repaired split with its names; None where it came as fold numbers.
    is_placed : ndarray of shape (n_rows,), dtype bool
        Rows that were in no part and now are in one.
    data : MultilabelDataset
        The data whose rows are split.
    """

    _shown_as = "repair"

    folds: FoldArray
    before: Report
    after: Report
    original: FoldArray
    split: SplitFile | None = field(repr=False)
    is_placed: NDArray[np.bool_]
    data: MultilabelDataset = field(repr=False)

    @property
    def row_ids(self) -> Any:
        """What the rows are called, where the data says; None otherwise."""
        return self.data.row_ids

    @cached_property
    def moved_rows(self) -> NDArray[np.int64]:
        """Positions of the rows that were in a fold and now are in another, ascending."""
        return np.flatnonzero((self.folds != self.original) & ~self.is_placed)

    def write_back(self) -> tuple[str, bytes]:
        """Write the repaired split in the form that it came in.

        Returns
        -------
        name : str
            A file name.
        content : bytes
            The file; for fold numbers a CSV with a column ``fold``.
        """
        if self.split is None:
            return write_plain(self.data, None, self.folds)
        return self.split.write_back(self.folds)

    @property
    def n_moved(self) -> int:
        """How many rows were in a fold and now are in another."""
        return len(self.moved_rows)

    @property
    def n_placed(self) -> int:
        """How many rows were in no part and now are in one."""
        return int(self.is_placed.sum())

    def __repr__(self) -> str:
        placed = f", {counted(self.n_placed, 'row')} placed that had no part" if self.n_placed else ""
        return (
            f"Repair: {self.n_moved:,} of {counted(len(self.folds), 'row')} moved{placed}, rLD {self.before.rld:.4g} "
            f"-> {self.after.rld:.4g} (bound {self.after.rld_bound:.4g})"
        )

    @cached_property
    def moves(self) -> pd.DataFrame:
        """One row a row that moved or was placed, in their order.

        Columns: ``row`` (position), ``row_id`` where the data has them, ``from_fold``, ``to_fold``: the names that the
        folds came with, empty where the row is in none; or the numbers, where it came as numbers.
        """
        import pandas as pd

        rows = np.flatnonzero(self.folds != self.original)
        columns: dict[str, Any] = {"row": rows}
        if self.row_ids is not None:
            columns["row_id"] = [self.row_ids[row] for row in rows]
        for title, folds in (("from_fold", self.original[rows]), ("to_fold", self.folds[rows])):
            columns[title] = folds if self.split is None else [(*self.split.part_names, "")[fold] for fold in folds]
        return pd.DataFrame(columns)

    @cached_property
    def gains(self) -> pd.DataFrame:
        """One row a label whose counts changed, the largest gain in rLD first.

        Columns: ``label``, ``positives``, ``rld_before``, ``rld_after``, ``rld_gain`` (positive: better),
        ``dcp_before``, ``dcp_after``, ``dcp_gain``, and ``missing_before``, ``missing_after``: folds without it.
        """
        import pandas as pd

        before, after = self.before.per_class, self.after.per_class
        table = pd.DataFrame({"label": list(self.before.label_names), "positives": self.after.positives})
        for measure in with_excess():
            table[f"{measure}_before"] = before[measure].to_numpy()
            table[f"{measure}_after"] = after[measure].to_numpy()
            table[f"{measure}_gain"] = table[f"{measure}_before"] - table[f"{measure}_after"]
        table["missing_before"] = (self.before.counts == 0).sum(axis=0)
        table["missing_after"] = (self.after.counts == 0).sum(axis=0)
        changed = (self.before.counts != self.after.counts).any(axis=0)
        return table[changed].sort_values("rld_gain", ascending=False, kind="stable").reset_index(drop=True)


def repair(
    labels: Any,
    split: Any = None,
    *,
    n_splits: int | None = None,
    max_moved: int | None = None,
    measure: Literal["rld", "dcp", "ld"] = "rld",
    effort: Literal["quick", "normal", "thorough"] = "quick",
    rare: Rare = DEFAULT_RARE,
    fold_sizes: Any = None,
    groups: Any = None,
    fixed: Any = None,
    place_missing: bool = True,
    random_state: int | np.random.Generator | np.random.RandomState | None = None,
    on_progress: ProgressCallback | None = None,
    folds: Any = None,
) -> Repair:
    """Improve a split that exists, moving few rows.

    Anneals as OptiSplit-SA does, but gently, and with a price on every row that is not where it was.

    - Rows that a file leaves out go where rows are lacking, rows that are in several parts stay in the first.
    - Fold sizes stay as they are, unless `fold_sizes` asks for others.
    - Rows that are always in training (-1) stay there. Groups that were divided are put together.
    - Never worse than the split given, by the mean of the measure at these sizes, where that is as fair and keeps to
      all this already.
    - The same int `random_state` gives the same result. What is given is left as it is.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    split : SplitFile, array-like of shape (n_rows,), or list of (train, test) pairs of index arrays
        The split to repair: what :func:`optisplit.read_split` gives; fold numbers with -1 for always in training; or
        what a scikit-learn splitter yields.
    n_splits : int, optional
        Number of folds; by default the highest fold number plus one.
    max_moved : int, optional
        Most rows to move. Default: a row moves only where that gains at least what one positive of a label of
        median size weighs, so that few move.
    measure : {"rld", "dcp", "ld"}, default="rld"
        The score to lower.
    effort : {"quick", "normal", "thorough"}, default="quick"
        How long to look; as for :func:`optisplit.split`.
    rare : {"share", "cover", "score"}, default="share"
        What becomes of labels too rare for a part, as for :func:`optisplit.split`: parts that are unfair get what is
        due to them, and fair ones stay so; or every label comes into every part where possible, at any number of rows;
        or the score alone decides.
    fold_sizes : array-like of shape (n_splits,), optional
        Shares of the rows or numbers of rows that the folds are to have; default: those that they have.
    groups : array-like of shape (n_rows,), str or path, optional
        Groups that are to stay whole, or to be put together: where most of their rows are.
    fixed : array-like of shape (n_rows,), optional
        Rows that must not move: True where a row stays; or places as for :func:`optisplit.split`.
    place_missing : bool, default=True
        Whether rows that are in no part, and not in training either, get one. Among fold numbers there is no such
        row: -1 means always in training.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness.
    on_progress : callable, optional
        Called as ``on_progress(done, total, score)``. When it raises Stopped, the best split so far is handed on as
        the exception's `folds`.
    folds : object, optional
        Old name of `split`.

        .. deprecated:: 0.4.0

    Returns
    -------
    Repair
        The split repaired, in the form that it came in too, what moved, and what each label gained.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If the split does not fit the labels.
    OptionError
        If sizes, groups, fixed rows and `max_moved` do not fit the data or each other, or a part has no row.

    Warns
    -----
    SplitWarning
        If a group is larger than a fold.

    Examples
    --------
    >>> labels = [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> repaired = repair(labels, [0, 0, 1, 1], random_state=0)
    >>> repaired.n_moved, repaired.before.rld, repaired.after.rld
    (2, 1.0, 0.0)
    """
    split = split if folds is None else _by_old_name(folds)
    check_choices(measure, effort, rare)
    check_max_moved(max_moved)
    data = as_dataset(labels)
    groups = groups_of(groups, data)
    rng = as_generator(random_state)
    start = Start.of(split, data, n_splits)
    if place_missing and start.is_missing.any():
        start = start.with_missing_placed(fold_sizes, rng)
    constraints = constraints_of(start, fold_sizes, groups, fixed)
    constraints.warn_of_large_groups()
    asked = None if fold_sizes is None else constraints.shares
    before, begun = (_measure(data, start, each, asked) for each in (start.given, start.folds))
    is_uneven = int(np.ptp(constraints.sizes)) > 1
    rank = partial(_rank, data, constraints, measure, is_fair=rare == "share")
    n_tries = count_tries(constraints, start.folds, max_moved)
    searched = partial(_search, data, start.folds, constraints, measure=measure, effort=effort, rng=rng)
    moved = partial(_improve, start=start.folds, max_moved=max_moved, are_rows=groups is None, covers=rare == "cover")
    measured = partial(_measure, data, start, asked=asked)
    improved = partial(_best_try, searched, moved, measured, rank, n_tries, on_progress)
    found, after, is_fit = improved(is_fair=rare == "share" and is_uneven)
    if not is_uneven and rank(found, after)[0]:  # the score alone makes equal folds fair to labels, not always to rows
        other, of_other, _ = improved(is_fair=True)
        if rank(other, of_other) < rank(found, after):
            found, after = other, of_other
    if is_fit and rare != "cover" and rank(found, after) > rank(start.folds, begun):
        found, after = start.folds.copy(), begun
    split = None if start.split is None else start.split.with_folds(found, start.names)
    return Repair(found, before, after, start.given, split, start.is_missing & (found >= 0), data)


def _best_try(
    searched: Callable[..., Search],
    moved: Callable[[Search], tuple[FoldArray, bool]],
    measured: Callable[[FoldArray], Report],
    rank: Callable[[FoldArray, Report], tuple[int, float]],
    n_tries: int,
    on_progress: ProgressCallback | None,
    *,
    is_fair: bool,
) -> tuple[FoldArray, Report, bool]:
    """Search so many times, and take the best of what was found."""
    tries = []
    for number in range(n_tries):
        told = stage(on_progress, number, n_tries)
        found, is_fit = moved(searched(is_fair=is_fair, is_near=number % 2 == 0, on_progress=told))
        tries.append((found, measured(found), is_fit))
    return tries[0] if n_tries == 1 else min(tries, key=lambda each: rank(each[0], each[1]))


def _by_old_name(folds: Any) -> Any:
    """Take what is to be repaired by its name from before."""
    said = "repair calls its folds split since 0.4.0; folds goes in 0.5.0."
    warnings.warn(said, DeprecationWarning, stacklevel=3)
    return folds


def _rank(
    data: MultilabelDataset, constraints: Constraints, measure: str, folds: FoldArray, report: Report, *, is_fair: bool
) -> tuple[int, float]:
    """Give what a repair lowers: faults in fairness, then the score."""
    # folds that differ by a row count as equal, as the search takes them
    shares = constraints.shares if np.ptp(constraints.sizes) > 1 else report.shares
    n_faults = _n_faults(data, folds, report, constraints) if is_fair else 0
    return n_faults, replace(report, shares=shares).value(measure)


def _n_faults(data: MultilabelDataset, folds: FoldArray, report: Report, constraints: Constraints) -> int:
    """Count in what parts are unfair, and how many times labels are missing that could be there and are due."""
    rules = _rules(constraints, folds)
    missing = find_missing(data, folds, report.n_splits, **rules)
    return len(find_unfair(data, folds, report, **rules)) + sum(each.n_due for each in missing)


def _measure(data: MultilabelDataset, start: Start, folds: FoldArray, asked: NDArray[np.float64] | None) -> Report:
    """Measure folds as a check of them does, or against the sizes that were asked for."""
    shares = asked
    if asked is None and start.split is not None:
        shares = start.split.with_folds(folds, start.names).shares
    return evaluate(data, folds, n_splits=start.n_splits, shares=shares, fold_names=start.names)


def _search(
    data: MultilabelDataset,
    start: FoldArray,
    constraints: Constraints,
    *,
    is_fair: bool,
    is_near: bool,
    measure: Literal["rld", "dcp", "ld"],
    effort: str,
    rng: np.random.Generator,
    on_progress: ProgressCallback | None,
) -> Search:
    units = Units.of(constraints, rng)
    home, fair = units.from_rows(start), None
    if is_fair:
        fair = fair_near(data.labels, units, home, rng) if is_near else Fair.of(data.labels, units, rng)
    return Search(
        data.labels,
        units,
        home.copy(),
        importance=np.ones(data.n_labels),
        is_label=np.ones(data.n_labels, dtype=np.bool_),
        measure=measure,
        rng=rng,
        n_sweeps=EFFORTS[effort].n_sweeps(len(units), units.count_positives(data.labels)),
        fair=fair,
        home=home,
        on_progress=on_progress,
    )


def _rules(constraints: Constraints, folds: FoldArray) -> dict[str, Any]:
    """Say what random splits keep to that folds are compared with: groups, and rows that are where they have to be."""
    stays = (constraints.fixed >= 0) & (constraints.fixed == folds)
    return {"groups": constraints.groups, "fixed": np.where(stays, folds, FREE) if stays.any() else None}


def _improve(
    search: Search, start: FoldArray, max_moved: int | None, *, are_rows: bool, covers: bool
) -> tuple[FoldArray, bool]:
    """Anneal near the start; give what was found, and whether the start kept to everything already."""
    n_regrouped = int((search.folds != start).sum())  # to put groups together
    n_forced = n_regrouped + (int(np.maximum(search.surplus, 0).sum()) if are_rows else 0)
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
        search.anneal_near(HOTTEST, HOME_PRICE, most, covers=covers and max_moved is None)
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
