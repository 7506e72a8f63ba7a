"""Rows that may belong together, as a column of their table says, though nobody asked for groups."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import SplitWarning, argument
from optisplit.folds.arrays import are_divided
from optisplit.io.layouts.group_columns import of_names
from optisplit.text import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.layouts.group_columns import LikelyGroups
    from optisplit.labels import MultilabelDataset


@dataclass(frozen=True, slots=True)
class TornGroups:
    """Rows of one value of a column that looks like groups, in more than one fold."""

    column: str  # its name; empty where these are the names of rows
    noun: str  # what one value is, such as a patient
    n_torn: int  # values with rows in more than one fold
    n_values: int  # of so many
    piece: str  # what the pieces are called: fold or part
    rows: tuple[int, ...] = ()  # the first row of each of the values

    @property
    def sentence(self) -> str:
        """What there is to say of it."""
        what = f"{self.column} repeats" if self.column else "Names of rows repeat"
        have = "has" if self.n_torn == 1 else "have"
        return (
            f"{what}: {self.n_torn:,} of {counted(self.n_values, self.noun)} {have} rows in more than one {self.piece}."
        )

    @property
    def advice(self) -> str:
        """How to keep these rows together."""
        return f"Rows of one {self.noun} together: " + argument("groups", self.column or ..., of="split")


def likely_groups(data: MultilabelDataset) -> tuple[LikelyGroups, ...]:
    """Give the columns of the data that look like groups, the likeliest first; names that rows share come before."""
    if data.reading is not None:
        return data.reading.groups
    shared = of_names(data.row_ids or (), "")
    return () if shared is None else (shared,)


def shared_words(groups: LikelyGroups) -> str:
    """Say how many values of a column are on several rows, and why these should stay together."""
    n_rows = np.bincount(groups.codes[groups.codes >= 0])
    n_values, n_shared = int((n_rows > 0).sum()), int((n_rows > 1).sum())
    stand = "stands" if n_shared == 1 else "stand"
    return (
        f"{groups.column or 'Names of rows'}: {n_shared:,} of {counted(n_values, 'value')} {stand} on several rows. "
        f"Rows of one {groups.noun} that are divided let a model be scored on what it knows."
    )


def warn_of_torn_groups(data: MultilabelDataset, folds: FoldArray, fold_sizes: Any) -> TornGroups | None:
    """Find groups that nobody named and that a split divides, and warn the caller's caller of them."""
    found = torn_groups(data, folds, "fold" if fold_sizes is None else "part")
    if found is not None:
        warnings.warn(SplitWarning(f"{found.sentence} " + found.advice + "."), stacklevel=3)
    return found


def torn_groups(
    data: MultilabelDataset, folds: FoldArray, piece: str = "fold", is_missing: NDArray[np.bool_] | None = None
) -> TornGroups | None:
    """Find the likeliest column whose groups a split has in several folds; None where there is none.

    `is_missing`: rows that are in no part.
    """
    for each in likely_groups(data):
        is_known = (each.codes >= 0) if is_missing is None else (each.codes >= 0) & ~is_missing
        is_torn = are_divided(each.codes[is_known], folds[is_known])
        if is_torn.any():
            values, first = np.unique(np.where(is_known, each.codes, -1), return_index=True)
            rows = tuple(first[(values >= 0) & is_torn[values]].tolist())
            return TornGroups(each.column, each.noun, len(rows), int((values >= 0).sum()), piece, rows)
    return None
