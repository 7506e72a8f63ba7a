"""Which part of a split models are trained on, where its file does not say so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import OptionError
from optisplit.io.splits.base import SplitFault, SplitFile, row_fault
from optisplit.text import listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray


def _write_reordered(
    read: SplitFile, order: NDArray[np.int64], reordered: SplitFile, folds: FoldArray
) -> tuple[str, bytes]:
    """Write a split whose parts were put in another order; `order`: the number in the file of each part."""
    del reordered
    return read.write_back(np.append(order, -1)[folds])


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
    return replace(
        split, folds=number[split.folds], part_names=names, notes=(*split.notes[:-1], note),
        faults=tuple(_without_roles(fault, split) for fault in split.faults),
        writer=partial(_write_reordered, split, order),
    )  # fmt: skip


def _without_roles(fault: SplitFault, split: SplitFile) -> SplitFault:
    """Speak of rows in two parts without saying which of these is for training."""
    if fault.kind != "overlap":
        return fault
    return row_fault("two parts", fault.rows, split.row_ids, "in two or more parts", advice="Leave each in one.")
