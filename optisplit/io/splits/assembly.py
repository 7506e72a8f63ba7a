"""From the rows that a file names to a split, and the list of what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FoldAssignmentError, FormatError
from optisplit.folds.arrays import ALWAYS_TRAIN, MAX_SPLITS, FoldArray, as_folds, is_pairs
from optisplit.io.row_names import name_no_row
from optisplit.io.splits.base import (
    N_EXAMPLES,
    Asked,
    Kind,
    Pair,
    Severity,
    SplitFault,
    SplitFile,
    SplitWriter,
    clip,
    row_fault,
)
from optisplit.io.writers.parts import folds_csv
from optisplit.text import counted, few, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from optisplit.io.line_rows import LineRows
    from optisplit.io.row_names import RowNumbers
    from optisplit.io.splits.values import Meaning
    from optisplit.labels import MultilabelDataset


@dataclass(frozen=True)
class Found:
    """The rows of each part as a reader found them, before they are looked at."""

    parts: Sequence[RowNumbers]  # row numbers of each part, as often as they are named
    part_names: Sequence[str]  # what the parts are called
    kind: Kind  # what the parts are
    # rows of which the source says that they are always in training
    always_train: RowNumbers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    pairs: Sequence[Pair] | None = None  # where the source names training rows
    unknown: Sequence[str] = ()  # what is named but is no row of the data

    @classmethod
    def of_values(cls, meaning: Meaning, found: LineRows, *, is_of_more: bool = False) -> Found:
        """Give each row the part that the value of its line means; `is_of_more`: rows may have several lines."""
        rows, lines = found.pairs()
        parts = meaning.parts[lines]
        if is_of_more or len(found.more_rows):  # the same again is nothing new
            rows, parts = np.unique(np.stack([rows, parts]), axis=1)
        of_parts = [rows[parts == part] for part in range(len(meaning.names))]
        return cls(of_parts, meaning.names, meaning.kind, rows[parts == ALWAYS_TRAIN], unknown=found.unknown)

    def known(self, asked: Asked, name: str) -> tuple[Found, list[str]]:
        """Leave out what is no row of the data, where that was asked for, and say so."""
        if asked.unmatched == "error" or not self.unknown:
            return self, []
        unknown = list(self.unknown)
        return replace(self, unknown=()), [f"{name_no_row(unknown, name, 'entry')}, left out: {listed(unknown, 3)}."]


def assemble(
    found: Found,
    data: MultilabelDataset,
    *,
    name: str,
    form: str,
    notes: Iterable[str],
    writer: SplitWriter,
    asked: Asked | None = None,
) -> SplitFile:
    """Put rows into parts, and list what is wrong with them."""
    found, left_out = found.known(asked or Asked(), name)
    n_rows = data.n_rows
    folds = np.full(n_rows, ALWAYS_TRAIN, dtype=np.int32)
    n_named = np.zeros(n_rows, dtype=np.int32)
    is_repeated = np.zeros(n_rows, dtype=np.bool_)
    in_training = np.zeros(n_rows, dtype=np.bool_)
    for part, rows in enumerate(found.parts):
        counts = np.bincount(rows, minlength=n_rows)
        is_here = counts > 0
        is_repeated |= counts > 1
        folds[is_here & (n_named == 0)] = part
        n_named += is_here
        if part == 0 and found.kind == "parts":
            in_training = is_here
    _check_parts(found, folds, name)
    in_training_only = np.zeros(n_rows, dtype=np.bool_)
    in_training_only[found.always_train] = True
    for train, _ in found.pairs or ():
        in_training_only[train] = True
    is_missing = (n_named == 0) & ~in_training_only
    is_twice, (in_both, in_neither) = n_named > 1, _of_pairs(found, is_missing)
    is_wrong = {
        "missing": is_missing, "two parts": is_twice & ~in_training, "overlap": is_twice & in_training,
        "pairs": in_both, "left out": in_neither, "repeated": is_repeated,
    }  # fmt: skip
    faults = [*_unknown(found, data, name), *_of_rows(found, data, is_wrong), *_empty(found)]
    sizes = np.bincount(folds[folds >= 0], minlength=len(found.parts))
    told = [*notes, *left_out, _told(found, sizes, int(((n_named == 0) & ~is_missing).sum()))]
    pairs = None if found.pairs is None else tuple(found.pairs)
    return SplitFile(
        name, form, found.kind, folds, tuple(found.part_names), data.row_ids, is_missing, pairs, tuple(told),
        tuple(faults), writer,
    )  # fmt: skip


def refuse_many_parts(n_parts: int, name: str) -> None:
    """Refuse what has more parts than any split, best before they are gone through."""
    if n_parts > MAX_SPLITS:
        msg = f"{name} has {n_parts:,} parts, which is no split; at most {MAX_SPLITS:,} are read."
        raise FormatError(msg)


def _check_parts(found: Found, folds: FoldArray, name: str) -> None:
    if len(found.parts) < 2:
        msg = f"{name} has {counted(len(found.parts), 'part')}; a split has at least two."
        raise FormatError(msg)
    refuse_many_parts(len(found.parts), name)
    if not (folds >= 0).any():
        shown = f" It names {listed(list(found.unknown))}." if found.unknown else ""
        msg = f"{name} puts no row of the data in any part, so it cannot be for this data.{shown}"
        raise FormatError(msg)


def _told(found: Found, sizes: NDArray[np.int64], n_training: int) -> str:
    """Say what the parts are, and what becomes of them."""
    parts = [f"{clip(part)} {size:,}" for part, size in zip(found.part_names, sizes, strict=True)]
    shown = few(parts[:12], len(parts))
    if found.kind == "parts":
        return (
            f"{len(sizes)} parts (rows): {shown}. Models are trained on {clip(found.part_names[0])!r} and tested "
            f"on the {'other' if len(sizes) == 2 else 'others'}."
        )
    always = f" {counted(n_training, 'row', 'is')} always in training." if n_training else ""
    return f"{len(sizes)} folds for cross-validation (rows): {shown}.{always}"


# of each fault of rows: its kind; what they are; what to do; how bad it is
_ROW_FAULTS: dict[str, tuple[str, str, str, Severity]] = {
    "missing": ("missing", "in no part", "Put such rows in a part, or take them out of the data.", "fault"),
    "two parts": (
        "two parts", "in two or more {parts}", "Leave each in one: it would be counted more than once.", "fault",
    ),
    "overlap": (
        "overlap", "both in {first!r} and in a part that is tested on",
        "Take such rows out of one of the two: models are tested on what they have seen.", "fault",
    ),
    "pairs": (
        "overlap", "in the training and the test rows of one fold",
        "Take such rows out of the training rows: models are tested on what they have seen.", "fault",
    ),
    "left out": (
        "left out", "neither in the training nor in the test rows of some fold",
        "That is right only if it was done on purpose.", "warning",
    ),
    "repeated": (
        "repeated", "named more than once in one part", "Name each row once: twice in a list, it would weigh double.",
        "warning",
    ),
}  # fmt: skip


def _of_rows(found: Found, data: MultilabelDataset, is_wrong: Mapping[str, NDArray[np.bool_]]) -> Iterator[SplitFault]:
    parts = "test folds" if found.kind == "folds" else "parts"
    for what, (kind, says, advice, severity) in _ROW_FAULTS.items():
        if is_wrong[what].any():
            rows, said = np.flatnonzero(is_wrong[what]), says.format(parts=parts, first=found.part_names[0])
            yield row_fault(kind, rows, data.row_ids, said, advice=advice, severity=severity)


def _unknown(found: Found, data: MultilabelDataset, name: str) -> Iterator[SplitFault]:
    """Say what is named and is no row."""
    unknown, row_ids = found.unknown, data.row_ids
    if unknown:
        sentence = name_no_row(unknown, name, "entry")
        shown = listed(unknown, 3) if len(unknown) <= 100 else f"such as {listed(unknown[:3])}"
        rows_are = f"such as {listed(row_ids[:2])}" if row_ids is not None else f"0 to {data.n_rows - 1:,}"
        advice = f"Look whether the split was made for other data; the rows of this data are called {rows_are}."
        examples = tuple(unknown[:N_EXAMPLES])
        yield SplitFault("unknown", f"{sentence}: {shown}.", len(unknown), examples, "fault", advice)


def _of_pairs(found: Found, is_missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Find rows that are on both sides of a fold, and on none."""
    in_both, in_neither = wrong = np.zeros((2, len(is_missing)), dtype=np.bool_)
    for train, test in (found.pairs or ()) if found.kind == "folds" else ():
        in_both[np.intersect1d(train, test)] = True
        is_here = is_missing.copy()
        is_here[train] = is_here[test] = True
        in_neither |= ~is_here
    return wrong


def _empty(found: Found) -> Iterator[SplitFault]:
    """Say which parts have no rows."""
    names = tuple(name for name, rows in zip(found.part_names, found.parts, strict=True) if not len(rows))
    if names:
        sentence = f"{counted(len(names), 'part', 'has')} no row: {listed(names)}."
        yield SplitFault("empty", sentence, len(names), names, "fault", "Put rows there, or leave such parts out.")


def write_plain(data: MultilabelDataset, split: SplitFile | None, folds: FoldArray) -> tuple[str, bytes]:
    """Write a split that came as numbers as the library writes its own: a CSV with a column ``fold``."""
    return "folds-repaired.csv", folds_csv(folds, data)


def as_split(split: Any, data: MultilabelDataset, *, kind: Kind = "folds", name: str = "The split") -> SplitFile:
    """Take a split from memory as if it had been read."""
    if isinstance(split, SplitFile):
        if split.n_rows != data.n_rows:
            msg = f"{split.name} is a split of {split.n_rows:,} rows, but the data has {data.n_rows:,}; read it again."
            raise FoldAssignmentError(msg)
        return split
    Asked(kind)
    if not hasattr(split, "dtype"):
        split = list(split)  # scikit-learn's splitters yield their pairs
    if is_pairs(split):
        checked = [(_row_numbers(train, data.n_rows), _row_numbers(test, data.n_rows)) for train, test in split]
        names = [f"fold {fold}" for fold in range(len(checked))]
        found = Found([test for _, test in checked], names, "folds", pairs=checked)
        if len(checked) == 1:
            found = Found(checked[0], ("train", "test"), "parts", pairs=checked)
        form = "pairs of training and test rows"
        return assemble(found, data, name=name, form=form, notes=(), writer=partial(write_plain, data))
    folds, k = as_folds(split, data.n_rows)
    names = [f"{'fold' if kind == 'folds' else 'part'} {fold}" for fold in range(k)]
    found = Found([np.flatnonzero(folds == fold) for fold in range(k)], names, kind, np.flatnonzero(folds < 0))
    return assemble(found, data, name=name, form="a number a row", notes=(), writer=partial(write_plain, data))


def _row_numbers(rows: Any, n_rows: int) -> RowNumbers:
    numbers = np.asarray(rows)
    if numbers.size == 0:
        return np.zeros(0, dtype=np.int64)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= n_rows:
        got = f"{numbers.dtype} {listed(numbers[:3].tolist())}"
        msg = f"Pairs must hold row numbers from 0 to {n_rows - 1:,}, got {got}."
        raise FoldAssignmentError(msg)
    return numbers.astype(np.int64)
