"""Making a split that exists better while moving few rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.errors import OptionError, Stopped, listed
from optisplit.folds.arrays import ALWAYS_TRAIN, as_folds
from optisplit.folds.constraints import FREE, as_groups, check_constraints, check_places, spread_over_groups
from optisplit.labels import as_dataset
from optisplit.measures.report import Report, evaluate, score_lines
from optisplit.methods.api import as_generator
from optisplit.methods.optisplit_sa import EFFORTS, check_choices
from optisplit.methods.search import Search
from optisplit.methods.units import Units
from optisplit.text import html_table

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.folds.arrays import FoldArray
    from optisplit.methods.base import ProgressCallback

HOTTEST = 0.3
"""Temperature at which a repair starts, in units of the typical weight of a label."""

HOME_PRICE = 1.0
"""What a moved row has to gain where no number of rows is given, in the same units."""


@dataclass(frozen=True, repr=False)
class Repair:
    """What a repair did.

    Parameters
    ----------
    folds : ndarray of shape (n_rows,), dtype int32
        The repaired split; -1 where a row is always in training.
    before, after : Report
        The measures of the split as it was and as it is.
    moved_rows : ndarray of shape (n_moved,), dtype int64
        Positions of the rows that changed their fold, ascending.
    original : ndarray of shape (n_rows,), dtype int32
        The split as it was.
    row_ids : sequence or None
        What the rows are called, where the data says.
    """

    folds: FoldArray
    before: Report
    after: Report
    moved_rows: Any
    original: FoldArray
    row_ids: Any = None

    @property
    def n_moved(self) -> int:
        """How many rows changed their fold."""
        return len(self.moved_rows)

    def __repr__(self) -> str:
        return (
            f"Repair: {self.n_moved:,} of {len(self.folds):,} rows moved, rLD {self.before.rld:.4g} -> "
            f"{self.after.rld:.4g} (bound {self.after.rld_bound:.4g})"
        )

    def _repr_html_(self) -> str:
        caption = f"Repair: {self.n_moved:,} of {len(self.folds):,} rows moved; less is better"
        return html_table(
            caption, ("Measure", "Before", "After", "Best possible"), score_lines(self.before, self.after)
        )

    @cached_property
    def moves(self) -> pd.DataFrame:
        """One row a moved row: ``row`` (position), ``row_id`` where the data has them, ``from_fold``, ``to_fold``."""
        import pandas as pd

        columns = {"row": self.moved_rows}
        if self.row_ids is not None:
            columns["row_id"] = [self.row_ids[row] for row in self.moved_rows]
        columns["from_fold"] = self.original[self.moved_rows]
        columns["to_fold"] = self.folds[self.moved_rows]
        return pd.DataFrame(columns)

    @cached_property
    def gains(self) -> pd.DataFrame:
        """One row a label whose counts changed, the largest gain in rLD first.

        Columns: ``label``, ``positives``, ``rld_before``, ``rld_after``, ``rld_gain`` (positive: better),
        ``dcp_before``, ``dcp_after``, ``dcp_gain``, and ``absent_before``, ``absent_after``: folds without a positive.
        """
        import pandas as pd

        before, after = self.before.per_class, self.after.per_class
        table = pd.DataFrame({"label": list(self.before.label_names), "positives": self.before.positives})
        for measure in ("rld", "dcp"):
            table[f"{measure}_before"] = before[measure].to_numpy()
            table[f"{measure}_after"] = after[measure].to_numpy()
            table[f"{measure}_gain"] = table[f"{measure}_before"] - table[f"{measure}_after"]
        table["absent_before"] = (self.before.counts == 0).sum(axis=0)
        table["absent_after"] = (self.after.counts == 0).sum(axis=0)
        changed = (self.before.counts != self.after.counts).any(axis=0)
        return table[changed].sort_values("rld_gain", ascending=False, kind="stable").reset_index(drop=True)


def repair(
    labels: Any,
    folds: Any,
    *,
    n_splits: int | None = None,
    max_moved: int | None = None,
    measure: Literal["rld", "dcp", "ld"] = "rld",
    effort: Literal["quick", "normal", "thorough"] = "quick",
    fold_sizes: Any = None,
    groups: Any = None,
    fixed: Any = None,
    random_state: int | np.random.Generator | np.random.RandomState | None = None,
    on_progress: ProgressCallback | None = None,
) -> Repair:
    """Improve a split that exists, moving few rows.

    Anneals as OptiSplit-SA does, but gently, and with a price on every row that is not where it was.

    - Fold sizes stay as they are, unless `fold_sizes` asks for others.
    - Rows that are always in training (-1) stay there. Groups that were divided are put together.
    - Never worse than the split given, by the mean of the measure, where that keeps to all this already.
    - The same int `random_state` gives the same result. What is given is left as it is.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    folds : array-like of shape (n_rows,), or list of (train, test) pairs of index arrays
        The split to repair.
    n_splits : int, optional
        Number of folds; by default the highest fold number plus one.
    max_moved : int, optional
        Most rows to move. Default: a row moves only where that gains at least what one positive of a label of
        median size weighs, so that few move.
    measure : {"rld", "dcp", "ld"}, default="rld"
        The score to lower.
    effort : {"quick", "normal", "thorough"}, default="quick"
        How long to look; as for :func:`optisplit.split`.
    fold_sizes : array-like of shape (n_splits,), optional
        Shares of the rows or numbers of rows that the folds are to have; default: those that they have.
    groups : array-like of shape (n_rows,), optional
        Groups that are to stay whole, or to be put together: where most of their rows are.
    fixed : array-like of shape (n_rows,), optional
        Rows that must not move: True where a row stays; or places as for :func:`optisplit.split`.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness.
    on_progress : callable, optional
        Called as ``on_progress(done, total, score)``. When it raises Stopped, the best split so far is handed on as
        the exception's `folds`.

    Returns
    -------
    Repair
        The split repaired, what moved, and what each label gained.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If the folds do not fit the labels.
    OptionError
        If sizes, groups, fixed rows and `max_moved` do not fit the data or each other.

    Warns
    -----
    SplitWarning
        If a group is larger than a fold.

    Examples
    --------
    >>> labels = [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> mended = repair(labels, [0, 0, 1, 1], random_state=0)
    >>> mended.n_moved, mended.before.rld, mended.after.rld
    (2, 1.0, 0.0)
    """
    check_choices(measure, effort)
    is_count = isinstance(max_moved, int | np.integer) and not isinstance(max_moved, bool) and max_moved >= 0
    if max_moved is not None and not is_count:
        msg = f"max_moved must be a whole number from 0, got {max_moved!r}."
        raise OptionError(msg)
    dataset = as_dataset(labels)
    original, k = as_folds(folds, dataset.n_rows, n_splits)
    places = _places(original, fixed, k)
    if groups is not None:
        places = spread_over_groups(places, *as_groups(groups, dataset.n_rows))
    sizes = _present_sizes(original, places, k) if fold_sizes is None else fold_sizes
    constraints = check_constraints(dataset.n_rows, k, fold_sizes=sizes, groups=groups, fixed=places)
    constraints.warn_of_large_groups()
    rng = as_generator(random_state)
    units = Units.of(constraints, rng)
    home = units.from_rows(original)
    search = Search(
        dataset.labels,
        units,
        home.copy(),
        importance=np.ones(dataset.n_labels),
        is_label=np.ones(dataset.n_labels, dtype=np.bool_),
        measure=measure,
        rng=rng,
        n_sweeps=EFFORTS[effort].n_sweeps(len(units), units.count_positives(dataset.labels)),
        home=home,
        on_progress=on_progress,
    )
    n_regrouped = int((search.folds != original).sum())  # to put groups together
    n_forced = n_regrouped + (int(np.maximum(search.surplus, 0).sum()) if units.are_rows else 0)
    if max_moved is not None and n_forced > max_moved:
        msg = f"max_moved={max_moved:,}, but {n_forced:,} row(s) have to move to reach the sizes and keep groups whole."
        raise OptionError(msg)
    is_fit = n_forced == 0 and not search.surplus.any()
    most = None if max_moved is None else max_moved - n_regrouped

    def found() -> FoldArray | None:
        folds = search.folds
        if max_moved is None or (folds != original).sum() <= max_moved:
            return folds
        return original.copy() if is_fit else None

    try:
        search.anneal_near(HOTTEST, HOME_PRICE, most)
        search.report_end()
    except Stopped as stop:
        search.settle()
        stop.folds = found()
        raise
    folds_found = found()
    if folds_found is None:
        msg = f"No way was found to reach the sizes by moving at most {max_moved:,} row(s); allow more."
        raise OptionError(msg)
    # folds that differ by a row or two are meant to be equal, others are parts of the sizes that they have
    is_uneven = int(np.ptp(constraints.sizes)) > 1
    shares = constraints.shares if is_uneven or fold_sizes is not None else None
    before, after = (evaluate(dataset, each, n_splits=k, shares=shares) for each in (original, folds_found))
    if is_fit and getattr(after, measure) > getattr(before, measure):
        folds_found, after = original.copy(), before
    return Repair(folds_found, before, after, np.flatnonzero(folds_found != original), original, dataset.row_ids)


def _present_sizes(original: FoldArray, places: FoldArray, n_splits: int) -> Any:
    """Count the rows of each fold, those that are fixed elsewhere where they will be."""
    folds = np.where(places == FREE, original, places)
    sizes = np.bincount(folds[folds >= 0], minlength=n_splits)
    if (sizes == 0).any():
        empty = listed(np.flatnonzero(sizes == 0).tolist())
        msg = f"No row is in fold(s) {empty}.\nHint: give fold_sizes to say how many rows each fold is to have."
        raise OptionError(msg)
    return sizes


def _places(original: FoldArray, fixed: Any, n_splits: int) -> FoldArray:
    """Say where each row has to be: rows that are always in training stay that, and others as wished."""
    places = np.where(original == ALWAYS_TRAIN, ALWAYS_TRAIN, FREE).astype(np.int32)
    if fixed is None:
        return places
    given = np.asarray(fixed)
    if given.dtype == np.bool_ and given.shape == original.shape:
        return np.where(given, original, places)
    wanted = check_places(fixed, len(original), n_splits)
    return np.where(wanted == FREE, places, wanted)
