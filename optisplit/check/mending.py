"""Mending a split that was checked: rows that are missing get a part, rows in two get one, and few rows move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.check.repairs import repair
from optisplit.errors import OptionError, listed
from optisplit.methods.api import as_generator

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.splits.base import SplitFault, SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.methods.base import ProgressCallback

BY_HAND = ("unknown", "empty")
"""Kinds of faults that only somebody who knows the data can mend."""


@dataclass(frozen=True)
class Mending:
    """A split mended."""

    split: SplitFile  # the split as it was read
    folds: FoldArray  # shape (n_rows,): the part of every row now; -1 where a row is always in training

    @property
    def n_placed(self) -> int:
        """Rows that were in no part and now are in one."""
        return int((self.split.is_missing & (self.folds >= 0)).sum())

    @property
    def n_moved(self) -> int:
        """Rows that were in a part and now are in another."""
        return int((self.folds != self.split.folds).sum()) - self.n_placed

    @property
    def moves(self) -> pd.DataFrame:
        """One row a row that moved or was placed.

        Columns: ``row`` (position), ``row_id`` where the data has them, ``from_part`` (empty where it was in none),
        ``to_part``.
        """
        import pandas as pd

        rows = np.flatnonzero(self.folds != self.split.folds)
        columns: dict[str, Any] = {"row": rows}
        if self.split.row_ids is not None:
            columns["row_id"] = [self.split.row_ids[row] for row in rows]
        names = [*self.split.part_names, ""]  # -1 is the last
        columns["from_part"] = [names[part] for part in self.split.folds[rows]]
        columns["to_part"] = [names[part] for part in self.folds[rows]]
        return pd.DataFrame(columns)

    def as_split(self) -> SplitFile:
        """Take the mended split for a split of its own, with the faults that its rows no longer have left out."""
        is_missing = self.split.is_missing & (self.folds < 0)
        return replace(self.split, folds=self.folds, is_missing=is_missing, pairs=None, faults=())


def mend(
    data: MultilabelDataset,
    split: SplitFile,
    *,
    groups: Any = None,
    max_moved: int | None = None,
    place: bool = True,
    random_state: int | np.random.Generator | np.random.RandomState | None = 0,
    on_progress: ProgressCallback | None = None,
) -> Mending:
    """Give rows that are missing a part, leave rows that are in several in the first, and improve the rest.

    - Rows that are missing go where most are lacking: to equal sizes for folds, to the present shares for parts.
    - After that, rows move as :func:`optisplit.repair` has it.
    - The same int `random_state` gives the same result.
    """
    if (split.sizes == 0).any():
        empty = listed([split.part_names[part] for part in np.flatnonzero(split.sizes == 0)])
        msg = f"No row is in {empty}; put rows there, or leave it out, before the split is repaired."
        raise OptionError(msg)
    rng = as_generator(random_state)
    placed = place_missing(split, rng) if place else split.folds
    mended = repair(
        data, placed, n_splits=split.n_parts, groups=groups, max_moved=max_moved, random_state=rng,
        on_progress=on_progress,
    )  # fmt: skip
    return Mending(split, mended.folds)


def place_missing(split: SplitFile, rng: np.random.Generator) -> FoldArray:
    """Give every row that is missing a part, where most are lacking."""
    folds = split.folds.copy()
    missing = np.flatnonzero(split.is_missing)
    if not len(missing):
        return folds
    sizes = split.sizes
    shares = np.full(split.n_parts, 1 / split.n_parts) if split.kind == "folds" else sizes / max(1, sizes.sum())
    lacking = np.maximum(shares * (sizes.sum() + len(missing)) - sizes, 0)
    if not lacking.any():
        lacking = shares
    wanted = lacking * (len(missing) / lacking.sum())
    counts = np.floor(wanted).astype(np.int64)
    nearest = np.argsort(counts - wanted, kind="stable")  # largest remainders first
    counts[nearest[: len(missing) - counts.sum()]] += 1
    folds[missing] = rng.permutation(np.repeat(np.arange(split.n_parts), counts)).astype(np.int32)
    return folds


def to_mend_first(faults: tuple[SplitFault, ...]) -> tuple[SplitFault, ...]:
    """Pick the faults that have to be mended by hand before a split can be repaired."""
    return tuple(fault for fault in faults if fault.kind in BY_HAND)


@dataclass(frozen=True)
class _Reordered:
    """Writes a split whose parts were put in another order."""

    split: SplitFile  # the split with its parts in the order of the file
    order: Any  # shape (n_parts,): the number in the file of each part

    def write(self, split: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
        """Write a split in the order of the file."""
        return self.split.source.write(self.split, np.append(self.order, -1)[folds].astype(np.int32))


def with_training_part(split: SplitFile, part: int) -> SplitFile:
    """Say which part models are trained on, where the file does not."""
    if split.kind != "parts" or split.pairs is not None:
        msg = "Which part is for training can only be chosen of a split into parts that does not say it."
        raise OptionError(msg)
    if not 0 <= part < split.n_parts:
        msg = f"The parts are numbered from 0 to {split.n_parts - 1}, got {part}."
        raise OptionError(msg)
    if part == 0:
        return split
    order = np.array([part, *(each for each in range(split.n_parts) if each != part)])
    number = np.append(np.argsort(order), -1).astype(np.int32)
    names = tuple(split.part_names[each] for each in order)
    note = f"Models are trained on {names[0]!r}, as was chosen, and tested on {listed(names[1:])}."
    faults = tuple(_without_roles(fault) for fault in split.faults)
    return replace(
        split, folds=number[split.folds], part_names=names, notes=(*split.notes[:-1], note), faults=faults,
        source=_Reordered(split, order),
    )  # fmt: skip


def _without_roles(fault: SplitFault) -> SplitFault:
    """Speak of rows in two parts without saying which of these is for training."""
    if fault.kind != "overlap":
        return fault
    sentence = f"{fault.count:,} row(s) are in two or more parts (such as {listed(fault.examples, 3)})."
    return replace(fault, kind="two parts", sentence=sentence, advice="Leave each in one.")
