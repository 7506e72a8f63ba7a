"""What a split has to keep to: the sizes of its folds, groups that stay whole, rows whose place is given."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import OptionError, SplitWarning, argument
from optisplit.folds.arrays import ALWAYS_TRAIN, check_n_splits
from optisplit.text import counted, joined, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray

FREE = -2
"""In `fixed`: the row may go to any fold. None and NaN mean the same."""

SUM_TOLERANCE = 1e-6
"""How far shares may be from adding up to 1."""


@dataclass(frozen=True)
class Constraints:
    """What a split has to keep to, checked and in one form."""

    sizes: NDArray[np.int64]  # shape (n_splits,): rows that each fold is to have, fixed ones included
    # shape (n_splits,): the share of the rows that each fold should have, for DCP and ED: equal unless sizes were
    # asked for
    shares: NDArray[np.float64]
    # shape (n_rows,): the fold of each row whose place is given, -1 where it is always in training, FREE elsewhere.
    # The rows of a group share theirs
    fixed: FoldArray
    groups: NDArray[np.int32] | None = None  # shape (n_rows,): group numbers from 0
    group_names: Any = ()  # what the groups were called

    @property
    def n_splits(self) -> int:
        """Number of folds."""
        return len(self.sizes)

    def warn_of_large_groups(self) -> None:
        """Warn where a group that is to be placed is larger than a fold."""
        if self.large_groups:
            warnings.warn(self.large_groups, SplitWarning, stacklevel=3)

    @property
    def large_groups(self) -> str:
        """Which groups that are to be placed are larger than a fold, in a sentence; empty where none is."""
        if self.groups is None or not self.is_free.any():
            return ""
        counts = np.bincount(self.groups[self.is_free], minlength=len(self.group_names))
        large = np.argsort(-counts, kind="stable")
        large = large[counts[large] > self.sizes.min()]
        if not len(large):
            return ""
        shown = joined([f"{str(self.group_names[group])!r} ({counts[group]:,} rows)" for group in large], limit=5)
        least, most = int(self.sizes.min()), int(self.sizes.max())
        than = f"the {least:,} rows of a fold" if least == most else f"the {least:,} rows of the smallest fold"
        effect = "sizes cannot be kept" if counts[large[0]] > most else "they can only go to the larger folds"
        return f"{counted(len(large), 'group', 'is')} larger than {than}: {shown}; {effect}."

    @property
    def is_free(self) -> NDArray[np.bool_]:
        """Which rows are to be placed, shape (n_rows,)."""
        return self.fixed == FREE


def check_constraints(
    n_rows: int, n_splits: int | None = None, *, fold_sizes: Any = None, groups: Any = None, fixed: Any = None
) -> Constraints:
    """Check everything that a split is to keep to, before any work."""
    if n_splits is None:
        if fold_sizes is None:
            msg = "Give n_splits or fold_sizes."
            raise OptionError(msg)
        n_splits = len(as_fold_sizes(fold_sizes))
    check_n_splits(n_splits, n_rows)
    places = np.full(n_rows, FREE, dtype=np.int32) if fixed is None else check_places(fixed, n_rows, n_splits)
    codes, names = (None, ()) if groups is None else as_groups(groups, n_rows)
    if codes is not None and fixed is not None:
        places = spread_over_groups(places, codes, names)
    held = np.bincount(places[places >= 0], minlength=n_splits)
    in_folds = int((places != ALWAYS_TRAIN).sum())
    if in_folds < n_splits:
        left = counted(in_folds, "row", "is")
        msg = f"{left} left for {n_splits} folds: the others are always in training (-1)."
        raise OptionError(msg)
    sizes = _equal_sizes(in_folds, held) if fold_sizes is None else check_fold_sizes(fold_sizes, in_folds, n_splits)
    _check_room(sizes, held, with_groups=codes is not None)
    shares = np.full(n_splits, 1 / n_splits) if fold_sizes is None else sizes / sizes.sum()
    return Constraints(sizes, shares, places, codes, names)


def constraints_of_split(
    n_rows: int, folds: FoldArray, n_splits: int, groups: Any = None, fixed: Any = None
) -> Constraints:
    """Say what a split that exists had to keep to: its sizes, and what was given."""
    places = np.where(folds < 0, ALWAYS_TRAIN, FREE).astype(np.int32)
    if fixed is not None:
        places = np.where(folds < 0, ALWAYS_TRAIN, check_places(fixed, n_rows, n_splits))
    codes, names = (None, ()) if groups is None else as_groups(groups, n_rows)
    if codes is not None:  # a group stays where one of its rows is fixed
        stays = np.isin(codes, codes[places >= 0])
        places = np.where((places == FREE) & stays, folds, places)
    held = np.bincount(folds[folds >= 0], minlength=n_splits)
    return Constraints(held, held / held.sum(), places, codes, names)


def as_fold_sizes(fold_sizes: Any) -> NDArray[Any]:
    """Read a list of shares or numbers of rows."""
    try:
        given = np.asarray(fold_sizes)
        if given.dtype.kind not in "iuf":
            given = given.astype(np.float64)
    except (TypeError, ValueError):
        given = np.empty((0, 0))
    if given.ndim != 1:
        msg = (
            argument("fold_sizes", of="split")
            + f" must be a list of numbers such as [0.8, 0.1, 0.1], got {fold_sizes!r}."
        )
        raise OptionError(msg)
    return given.astype(np.int64 if given.dtype.kind in "iu" else np.float64)


def check_fold_sizes(fold_sizes: Any, n_rows: int, n_splits: int | None = None) -> NDArray[np.int64]:
    """Turn shares or numbers of rows into numbers of rows that add up."""
    given = as_fold_sizes(fold_sizes)
    if n_splits is not None and len(given) != n_splits:
        msg = (
            argument("fold_sizes", of="split")
            + f" has {len(given)} entries, but "
            + argument("n_splits", n_splits, of="split")
            + "; leave "
        )
        msg += argument("n_splits", of="split") + " out."
        raise OptionError(msg)
    check_n_sizes(given, n_rows)
    if not np.isfinite(given).all() or (given <= 0).any():
        msg = argument("fold_sizes", of="split") + f" must be positive numbers, got {_written(given)}."
        raise OptionError(msg)
    if given.dtype.kind == "i":
        if given.sum() != n_rows:
            msg = argument("fold_sizes", of="split") + f" {_written(given)} add up to {given.sum():,}, but there are "
            msg += f"{n_rows:,} rows to divide."
            hint = "\nHint: give shares that add up to 1, such as [0.8, 0.1, 0.1], to have the numbers worked out."
            raise OptionError(msg + hint)
        return given
    if abs(given.sum() - 1) > SUM_TOLERANCE:
        msg = (
            argument("fold_sizes", of="split")
            + f" {_written(given)} add up to {given.sum():g}; shares must add up to 1."
        )
        if abs(given.sum() - 100) < 100 * SUM_TOLERANCE:
            msg += "\nHint: they look like per cent; divide them by 100."
        raise OptionError(msg)
    exact = given / given.sum() * n_rows
    sizes = np.floor(exact + SUM_TOLERANCE).astype(np.int64)
    left = n_rows - int(sizes.sum())
    sizes[np.argsort(-(exact - sizes), kind="stable")[:left]] += 1
    if (sizes == 0).any():
        part = int(np.argmin(sizes))
        msg = argument("fold_sizes", of="split") + f" gives part {part} a share of {given[part]:g}, less than one of "
        msg += f"the {n_rows:,} rows."
        raise OptionError(msg)
    return sizes


def check_n_sizes(sizes: NDArray[Any], n_rows: int) -> int:
    """Check that there are as many sizes as a split can have parts."""
    if len(sizes) < 2:
        entries = "1 entry" if len(sizes) == 1 else f"{len(sizes)} entries"
        msg = argument("fold_sizes", of="split") + f" has {entries}; a split needs at least two parts."
        raise OptionError(msg)
    if len(sizes) > n_rows:
        msg = argument("fold_sizes", of="split") + f" asks for {len(sizes)} parts of {counted(n_rows, 'row')}."
        raise OptionError(msg)
    return len(sizes)


def check_places(fixed: Any, n_rows: int, n_splits: int) -> FoldArray:
    """Read the places that rows are given."""
    import pandas as pd

    try:
        values = pd.Series(fixed).reset_index(drop=True)
    except (TypeError, ValueError):
        values = pd.Series(dtype=complex)
    kinds = set() if values.dtype.kind in "iuf" else set(values.map(type))
    if values.dtype.kind in "bcmM" or kinds & {bool, np.bool_, list, tuple, dict, set, np.ndarray}:
        msg = "fixed must have one place a row: a fold number, -1 (always in training), or None (free)."
        raise OptionError(msg)
    if len(values) != n_rows:
        msg = f"fixed has {len(values):,} entries, but there are {n_rows:,} rows."
        raise OptionError(msg)
    numbers = pd.to_numeric(values, errors="coerce").astype(np.float64)
    is_odd = numbers.isna() & values.notna()
    places = numbers.fillna(FREE)
    is_odd |= (places != places.round()) | (places < FREE) | (places >= n_splits)
    if is_odd.any():
        where = listed([str(value) for value in values[is_odd].unique()])
        msg = (
            f"{int(is_odd.sum()):,} entries of fixed are no place for a row: {where}. Places are folds 0 to "
            f"{n_splits - 1}, -1 (always in training), and {FREE}, None or NaN (free)."
        )
        raise OptionError(msg)
    return places.to_numpy().astype(np.int32)


def as_groups(groups: Any, n_rows: int) -> tuple[NDArray[np.int32], Any]:
    """Give each group a number from 0."""
    import pandas as pd

    groups = _one_column(groups)
    try:
        is_plain = isinstance(groups, pd.Series | pd.Index) and not isinstance(groups, pd.MultiIndex)
        values = groups if is_plain else pd.Series(list(groups), dtype=object)
    except TypeError:
        msg = f"groups must have one name or number a row, got {groups!r}."
        raise OptionError(msg) from None
    if len(values) != n_rows:
        msg = f"groups has {len(values):,} entries, but there are {n_rows:,} rows."
        raise OptionError(msg)
    try:
        codes, names = pd.factorize(values)
    except TypeError:
        msg = "groups must have one name or number a row, got lists or other things that cannot be compared."
        raise OptionError(msg) from None
    is_missing = (codes < 0) | np.asarray(values.astype(str).str.strip() == "")
    if is_missing.any():
        rows = np.flatnonzero(is_missing).tolist()
        where = listed(rows)
        msg = f"{counted(len(rows), 'row', 'has')} no group, at position{'s' * (len(rows) > 1)} {where}."
        hint = "\nHint: give each of them a group of its own if they belong to none."
        raise OptionError(msg + hint)
    return codes.astype(np.int32), names


def _one_column(groups: Any) -> Any:
    """Take the column of a table or array that has one; Arrow's values as Python's."""
    shape: Any = getattr(groups, "shape", ())
    if len(shape) == 2:
        if shape[1] != 1:
            msg = f"groups has {shape[1]:,} columns; give the one that names the group of each row."
            raise OptionError(msg)
        if isinstance(groups, np.ndarray):
            groups = groups[:, 0]
        elif hasattr(groups, "iloc"):
            groups = groups.iloc[:, 0]
        else:  # of Polars, or Arrow
            groups = groups.to_series(0) if hasattr(groups, "to_series") else groups.column(0)
    return groups.to_pylist() if hasattr(groups, "to_pylist") else groups


def _written(sizes: NDArray[Any]) -> str:
    return "[" + ", ".join(f"{size:g}" for size in sizes) + "]"


def _equal_sizes(n_rows: int, held: NDArray[Any]) -> NDArray[np.int64]:
    """Divide rows equally; those left over go first to folds whose fixed rows need them, then to the first folds."""
    n_splits = len(held)
    sizes = np.full(n_splits, n_rows // n_splits, dtype=np.int64)
    needy = np.argsort(-np.maximum(held - sizes, 0), kind="stable")
    sizes[needy[: n_rows % n_splits]] += 1
    return sizes


def spread_over_groups(places: FoldArray, codes: NDArray[np.int32], names: Any) -> FoldArray:
    """Fix the whole group where one of its rows is."""
    is_fixed = places != FREE
    lowest = np.full(len(names), np.iinfo(np.int32).max, dtype=np.int32)
    highest = np.full(len(names), FREE, dtype=np.int32)
    np.minimum.at(lowest, codes[is_fixed], places[is_fixed])
    np.maximum.at(highest, codes[is_fixed], places[is_fixed])
    torn = np.flatnonzero((highest > FREE) & (lowest != highest))
    if len(torn):
        msg = f"fixed would divide {counted(len(torn), 'group')} with rows in different places: "
        raise OptionError(msg + listed([names[group] for group in torn]) + ".")
    return highest[codes]


def _check_room(sizes: NDArray[np.int64], held: NDArray[Any], *, with_groups: bool) -> None:
    full = np.flatnonzero(held > sizes)
    if len(full):
        parts = "; ".join(
            f"fold {fold} is to have {sizes[fold]:,}, but {held[fold]:,} are fixed there" for fold in full
        )
        whole = " (with the rest of their groups)" if with_groups else ""
        msg = f"fixed rows{whole} make these sizes impossible: {parts}."
        hint = "\nHint: give " + argument("fold_sizes", of="split") + " that leave room for them."
        raise OptionError(msg + hint)
