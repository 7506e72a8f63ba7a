"""Where the rows of a split start when it is repaired, and where they have to stay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import OptionError, argument
from optisplit.folds.arrays import ALWAYS_TRAIN, as_folds, is_pairs
from optisplit.folds.constraints import (
    FREE,
    as_groups,
    check_constraints,
    check_fold_sizes,
    check_places,
    spread_over_groups,
)
from optisplit.io.splits.assembly import as_split
from optisplit.io.splits.base import SplitFile
from optisplit.text import listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.folds.constraints import Constraints
    from optisplit.labels import MultilabelDataset


@dataclass(frozen=True)
class Start:
    """A split to repair."""

    given: FoldArray  # shape (n_rows,): as it came; -1 where a row is in no fold
    folds: FoldArray  # the same, with missing rows placed where that is asked for
    is_missing: NDArray[np.bool_]  # rows that it leaves out, which are not in training either
    names: tuple[str, ...]  # what its folds are called
    split: SplitFile | None  # as it was read; None where it came as fold numbers

    @classmethod
    def of(cls, split: Any, data: MultilabelDataset, n_splits: int | None) -> Start:
        """Take a split in any of its forms."""
        if not isinstance(split, SplitFile) and not is_pairs(split):
            folds, k = as_folds(split, data.n_rows, n_splits)
            nowhere = np.zeros(data.n_rows, dtype=np.bool_)
            return cls(folds, folds, nowhere, tuple(f"fold {fold}" for fold in range(k)), None)
        read = as_split(split, data)
        _, k = as_folds(read.folds, data.n_rows, n_splits or read.n_parts)
        numbered = (f"{read.noun} {part}" for part in range(read.n_parts, 2 * k))
        more = [name for name in numbered if name not in read.part_names][: k - read.n_parts]
        return cls(read.folds, read.folds, read.is_missing, (*read.part_names, *more), read)

    @property
    def n_splits(self) -> int:
        """Number of folds."""
        return len(self.names)

    def with_missing_placed(self, fold_sizes: Any, rng: np.random.Generator) -> Start:
        """Give every row that is missing a part, where most are lacking: of the sizes asked for, or due to each."""
        assert self.split is not None
        sizes, n_missing = self.split.sizes, int(self.is_missing.sum())
        if fold_sizes is None:
            self.refuse_empty(sizes)
            wanted = self.split.shares * (sizes.sum() + n_missing)
        else:
            sizes = np.bincount(self.given[self.given >= 0], minlength=self.n_splits)
            wanted = check_fold_sizes(fold_sizes, int(sizes.sum()) + n_missing, self.n_splits).astype(np.float64)
        lacking = np.maximum(wanted - sizes, 0)
        due = lacking * (n_missing / lacking.sum())
        counts = np.floor(due).astype(np.int64)
        nearest = np.argsort(counts - due, kind="stable")  # largest remainders first
        counts[nearest[: n_missing - counts.sum()]] += 1
        folds = self.given.copy()
        folds[self.is_missing] = rng.permutation(np.repeat(np.arange(self.n_splits), counts)).astype(np.int32)
        return replace(self, folds=folds)

    def refuse_empty(self, sizes: NDArray[np.int64]) -> None:
        """Refuse folds without a row, whose size nobody said."""
        if (sizes == 0).any():
            empty = listed([self.names[fold] for fold in np.flatnonzero(sizes == 0)])
            hint = "\nHint: give " + argument("fold_sizes", of="split") + " to say how many rows each fold is to have."
            msg = f"No row is in {empty}.{hint}"
            raise OptionError(msg)


def check_max_moved(max_moved: Any) -> None:
    """Refuse what is no number of rows."""
    is_count = isinstance(max_moved, int | np.integer) and not isinstance(max_moved, bool) and max_moved >= 0
    if max_moved is not None and not is_count:
        msg = argument("max_moved", of="repair") + f" must be a whole number from 0, got {max_moved!r}."
        raise OptionError(msg)


def constraints_of(start: Start, fold_sizes: Any, groups: Any, fixed: Any) -> Constraints:
    """Say what the repaired split has to keep to: its sizes, groups, and rows that stay."""
    n_rows, n_splits = len(start.folds), start.n_splits
    places = _places(start.folds, fixed, n_splits)
    if groups is not None:
        places = spread_over_groups(places, *as_groups(groups, n_rows))
    if fold_sizes is None:
        folds = np.where(places == FREE, start.folds, places)  # rows that are fixed elsewhere where they will be
        fold_sizes = np.bincount(folds[folds >= 0], minlength=n_splits)
        start.refuse_empty(fold_sizes)
    return check_constraints(n_rows, n_splits, fold_sizes=fold_sizes, groups=groups, fixed=places)


def _places(folds: FoldArray, fixed: Any, n_splits: int) -> FoldArray:
    """Say where each row has to be: rows that are always in training stay that, and others as wished."""
    places = np.where(folds == ALWAYS_TRAIN, ALWAYS_TRAIN, FREE).astype(np.int32)
    if fixed is None:
        return places
    given = np.asarray(fixed)
    if given.dtype == np.bool_ and given.shape == folds.shape:
        return np.where(given, folds, places)
    wanted = check_places(fixed, len(folds), n_splits)
    return np.where(wanted == FREE, places, wanted)
