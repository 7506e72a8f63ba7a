"""What all writers of splits share: what is asked for and made, and what parts are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optisplit.errors import FoldAssignmentError
from optisplit.folds.arrays import ALWAYS_TRAIN, folds_to_csv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.row_names import RowNumbers
    from optisplit.io.source import FileLike
    from optisplit.io.splits.base import Kind
    from optisplit.labels import MultilabelDataset

PART_NAMES = {2: ("train", "test"), 3: ("train", "validation", "test")}
"""What parts are mostly used for, by their number."""


@dataclass(frozen=True)
class Request:
    """A split to write, and how."""

    folds: FoldArray
    data: MultilabelDataset
    kind: Kind
    n_splits: int
    source: FileLike | None = None  # the data's own file, for forms that are made from it
    pairs: bool = False  # a training and a test file for each fold, not one file for each fold
    label_file: FileLike | None = None  # MULAN's XML; None: the one beside the source
    stem: str | None = None  # of the file's name
    fold_names: Sequence[str] | None = None  # what folds or parts are called, where they have names


class Made(NamedTuple):
    """A file that was made."""

    content: bytes  # not packed yet
    name: str = ""  # empty: it has none of its own
    packing: str | None = None  # how the data's own file is packed, and this one is to be


def part_names(n_parts: int) -> tuple[str, ...]:
    """Name the parts of a split that is no cross-validation."""
    return PART_NAMES.get(n_parts, ("train", *(f"part_{part}" for part in range(1, n_parts))))


def rows_of_file(data: MultilabelDataset) -> RowNumbers:
    """Give the number of each row in the file that the data come from."""
    kept = None if data.reading is None else data.reading.kept_rows
    if kept is None:
        return np.arange(data.n_rows)
    if len(kept) != data.n_rows:
        msg = f"The data has {data.n_rows:,} rows, but {len(kept):,} were kept of its file; load it again."
        raise FoldAssignmentError(msg)
    return np.asarray(kept, dtype=np.int64)


def folds_csv(folds: FoldArray, data: MultilabelDataset, fold_names: Sequence[str] | None = None) -> bytes:
    """Write a line a row as CSV: its name, or its number in the data's file, and its fold."""
    numbers = None if data.row_ids is None else rows_of_file(data)
    return folds_to_csv(folds, data.row_ids, fold_names, numbers, data.key).encode()


def train_and_test(
    folds: FoldArray, kind: Kind, n_splits: int, names: Sequence[str] | None = None
) -> dict[str, dict[str, RowNumbers]]:
    """Give the rows of each part: of each fold's two, or of all."""
    if kind == "parts":
        parts = np.maximum(folds, 0)
        return {"": {name: np.flatnonzero(parts == part) for part, name in enumerate(names or part_names(n_splits))}}
    names = names or [f"fold_{fold}" for fold in range(n_splits)]
    return {
        names[fold]: {"train": np.flatnonzero(folds != fold), "test": np.flatnonzero(folds == fold)}
        for fold in range(n_splits)
    }


def parts_of_files(request: Request) -> dict[str, RowNumbers]:
    """Give the rows of each file that is to be written, by what files can be called."""
    folds, kind, n_splits = request.folds, request.kind, request.n_splits
    names = None if request.fold_names is None else [re.sub(r"[^\w-]+", "_", name) for name in request.fold_names]
    if names is not None and len(set(names)) < n_splits:  # files cannot be called so
        names = None
    if kind == "parts":
        return train_and_test(folds, kind, n_splits, names)[""]
    titles = [f"fold-{fold}" for fold in range(n_splits)] if names is None else [n.replace("_", "-") for n in names]
    if request.pairs:
        of_folds = train_and_test(folds, kind, n_splits, titles)
        return {f"{fold}-{part}": rows for fold, both in of_folds.items() for part, rows in both.items()}
    parts = {title: np.flatnonzero(folds == fold) for fold, title in enumerate(titles)}
    if (folds == ALWAYS_TRAIN).any():
        parts["always-train"] = np.flatnonzero(folds == ALWAYS_TRAIN)
    return parts
