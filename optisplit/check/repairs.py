"""Making a split that exists better while moving few rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.check.places import Start, check_max_moved, constraints_of
from optisplit.check.tries import Found, Tries
from optisplit.io.rows import groups_of
from optisplit.io.splits.assembly import write_plain
from optisplit.labels import as_dataset
from optisplit.measures.registry import with_excess
from optisplit.measures.shown import Shown
from optisplit.methods.api import as_generator
from optisplit.methods.optisplit_sa import check_choices
from optisplit.methods.rare import DEFAULT_RARE
from optisplit.text import counted

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.splits.base import SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report
    from optisplit.methods.base import ProgressCallback
    from optisplit.methods.rare import Rare


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
    rare : {"share", "cover", "score"}
        What became of labels too rare for a part.
    """

    _shown_as = "repair"

    folds: FoldArray
    before: Report
    after: Report
    original: FoldArray
    split: SplitFile | None = field(repr=False)
    is_placed: NDArray[np.bool_]
    data: MultilabelDataset = field(repr=False)
    rare: Rare = DEFAULT_RARE

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
    tries = Tries(data, start, constraints, asked, measure, effort, rare, max_moved, rng, on_progress)
    before, begun = tries.measured(start.given), Found(start.folds.copy(), tries.measured(start.folds))
    found = tries.best(is_fair=rare == "share" and tries.is_uneven)
    if not tries.is_uneven and tries.rank(found)[0]:
        # the score alone makes equal folds fair to labels, not always to rows
        found = min(found, tries.best(is_fair=True), key=tries.rank)
    if found.is_fit and rare != "cover":
        found = min(found, begun, key=tries.rank)
    repaired = None if start.split is None else start.split.with_folds(found.folds, start.names)
    is_placed = start.is_missing & (found.folds >= 0)
    return Repair(found.folds, before, found.report, start.given, repaired, is_placed, data, rare)


def _by_old_name(folds: Any) -> Any:
    """Take what is to be repaired by its name from before."""
    said = "repair calls its folds split since 0.4.0; folds goes in 0.5.0."
    warnings.warn(said, DeprecationWarning, stacklevel=3)
    return folds
