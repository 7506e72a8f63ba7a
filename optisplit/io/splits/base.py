"""What a split is once it is read: parts, their names, and what was wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from optisplit.errors import FoldAssignmentError, OptionError
from optisplit.io.keys import Key, name_counts
from optisplit.io.packing import PACKINGS, packed, unpacked_name
from optisplit.io.registry import UNMATCHED, Unmatched, check_choice
from optisplit.io.row_names import ROW_NAMINGS, RowNaming, RowNumbers
from optisplit.text import clean_name, counted, few

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray

Kind: TypeAlias = Literal["folds", "parts"]
Severity: TypeAlias = Literal["fault", "warning"]
Pair: TypeAlias = tuple[RowNumbers, RowNumbers]
SplitWriter: TypeAlias = "Callable[[SplitFile, FoldArray], tuple[str, bytes]]"
"""Makes the name and content of a file with another split of the same rows and parts."""

KINDS = ("folds", "parts")

FOLDS_FILE = "folds.csv"
"""In a zip of files, one a part: the table of rows and folds."""

N_EXAMPLES = 20
"""Rows, ids or names that a fault gives as examples."""

MISSING = -2
"""In place of a part: the file says nothing of the row, or the line has no value."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user says of a split; None: as its content says."""

    kind: Kind | None = None  # what its parts are
    rows: RowNaming | None = None  # how it names rows
    column: str | None = None  # the column, key or array that holds it
    key: str | None = None  # the column of the data whose values say which row is meant
    unmatched: Unmatched = "error"  # what becomes of what it names that is no row of the data

    def __post_init__(self) -> None:
        check_choice("kind of split", self.kind, KINDS)
        check_choice("way to name rows", self.rows, ROW_NAMINGS)
        check_choice("way with rows that do not match", self.unmatched, UNMATCHED)

    @property
    def own_key(self) -> str | None:
        """The column of the data, where lists of names are its values."""
        key = Key.of(self.key)
        return None if key is None else key.own


@dataclass(frozen=True)
class SplitFault:
    """Something that is wrong with a split."""

    # ``missing``, ``two parts``, ``overlap``, ``unknown``, ``identical``, ``groups``, ``empty``, ``repeated`` or
    # ``left out``; and what checks find
    kind: str
    sentence: str  # what is wrong, for people
    count: int  # how many rows, ids, groups or parts it is about
    examples: tuple[str, ...] = ()  # the first of them, as the user calls them
    # whether results of this split are wrong, or only may be not what is meant
    severity: Severity = "fault"
    advice: str = ""  # what to do
    # all rows that it is about, ascending; empty where it is not about rows of the data
    rows: RowNumbers = field(default_factory=lambda: np.zeros(0, dtype=np.int64), compare=False, repr=False)


@dataclass(frozen=True)
class SplitFile:
    """A split as it was read, with all that was noticed on the way.

    Parameters
    ----------
    name : str
        What it is called: mostly the file's name.
    form : str
        The form that it came in, in words.
    kind : {"folds", "parts"}
        ``folds``: cross-validation, each part is the test part once. ``parts``: models are trained on the first
        part and tested on the others.
    folds : ndarray of shape (n_rows,), dtype int32
        The part of each row, from 0; -1 where it is in no part: always in training (kind ``folds``) or missing. Of a
        row in several parts, the first.
    part_names : tuple of str
        What the parts are called, in order.
    row_ids : tuple of str or None
        What the rows are called; None: by their numbers, from 0.
    is_missing : ndarray of shape (n_rows,), dtype bool
        Rows that the split does not mention at all.
    pairs : tuple of (train, test) or None
        Row numbers, where the source names the training rows itself; one pair a tested part.
    notes : tuple of str
        How it was read, in sentences.
    faults : tuple of SplitFault
        What is wrong; nothing of it was repaired.
    writer : callable
        Writes another split of the same rows and parts in the form that this one came in.
    """

    name: str
    form: str
    kind: Kind
    folds: FoldArray
    part_names: tuple[str, ...]
    row_ids: tuple[str, ...] | None
    is_missing: NDArray[np.bool_] = field(repr=False)
    pairs: tuple[Pair, ...] | None = field(repr=False)
    notes: tuple[str, ...]
    faults: tuple[SplitFault, ...]
    writer: SplitWriter = field(repr=False, compare=False)

    @property
    def n_rows(self) -> int:
        """Rows of the data."""
        return len(self.folds)

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.part_names)

    @property
    def noun(self) -> str:
        """What one of its parts is: "fold" or "part"."""
        return "fold" if self.kind == "folds" else "part"

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of the rows that each part should have, shape (n_parts,): equal for folds, as it is for parts."""
        sizes = np.ones(self.n_parts) if self.kind == "folds" else np.maximum(self.sizes, 1)
        return sizes / sizes.sum()

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Rows in each part, shape (n_parts,)."""
        return np.bincount(self.folds[self.folds >= 0], minlength=self.n_parts).astype(np.int64)

    @property
    def tested(self) -> tuple[int, ...]:
        """The parts that models are tested on: all folds, or all parts but the first."""
        return tuple(range(self.n_parts)) if self.kind == "folds" else tuple(range(1, self.n_parts))

    def train_test(self) -> Iterator[Pair]:
        """Yield the training and test rows for each part of :attr:`tested`, as given or as the parts imply.

        Yields
        ------
        train, test : ndarray of int
            Row numbers.
        """
        if self.pairs is not None:
            yield from self.pairs
            return
        for part in self.tested:
            is_train = self.folds == 0 if self.kind == "parts" else (self.folds != part) & ~self.is_missing
            yield np.flatnonzero(is_train), np.flatnonzero(self.folds == part)

    def with_folds(self, folds: FoldArray, part_names: tuple[str, ...]) -> SplitFile:
        """Put rows in other parts, each row in one; the file that it came from is still known, to write in its form."""
        return replace(
            self, folds=folds, part_names=part_names, is_missing=self.is_missing & (folds < 0), pairs=None, faults=(),
            writer=partial(_write_changed, self),
        )  # fmt: skip

    def write_back(self, folds: Any) -> tuple[str, bytes]:
        """Write another split of the same rows and parts in the form that this one came in.

        - Columns, order, ids, names of the parts and the base of numbers stay as they are; a line or list whose row
          did not move stays as it is.
        - Rows in several parts are then in one; what matches no row of the data stays where lines can be kept.

        Parameters
        ----------
        folds : array-like of shape (n_rows,)
            The part of every row; -1 as before.

        Returns
        -------
        name : str
            A file name.
        content : bytes
            The file.

        Raises
        ------
        FoldAssignmentError
            If the folds do not fit.
        """
        given = np.asarray(folds)
        if given.shape != self.folds.shape or given.dtype.kind not in "iu":
            msg = f"One whole number a row is needed, {self.n_rows:,} in all, got {given.dtype} {given.shape}."
            raise FoldAssignmentError(msg)
        if given.size and not (int(given.min()) >= -1 and int(given.max()) < self.n_parts):
            msg = f"Parts are numbered from 0 to {self.n_parts - 1}, got {given.min()} to {given.max()}."
            raise FoldAssignmentError(msg)
        return self.writer(self, given.astype(np.int32))


def _write_changed(read: SplitFile, changed: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
    """Write a split whose rows were put in other parts since it was read, with what differs from the file."""
    del changed
    return read.write_back(folds)


def clip(name: str, limit: int = 40) -> str:
    """Shorten a name for a sentence."""
    return name if len(name) <= limit else name[: limit - 1] + "…"


def row_names(row_ids: Sequence[str] | None, rows: Iterable[int]) -> tuple[str, ...]:
    """Say what rows are called: where several rows have one name, with their numbers."""
    if row_ids is None:
        return tuple(map(str, rows))
    repeating = name_counts(row_ids)
    return tuple(f"{row_ids[row]} (row {row})" if row_ids[row] in repeating else row_ids[row] for row in rows)


def row_fault(
    kind: str,
    rows: RowNumbers,
    row_ids: Sequence[str] | None,
    says: str,
    *,
    advice: str = "",
    severity: Severity = "fault",
) -> SplitFault:
    """Make a fault about rows of the data: "2 rows are ..."."""
    examples = row_names(row_ids, rows[:N_EXAMPLES].tolist())
    called = "row numbers from 0: " if row_ids is None else ""
    shown = few([each if row_ids is None else repr(each) for each in examples[:3]], len(rows))
    sentence = f"{counted(len(rows), 'row', 'is')} {says} ({called}{shown})."
    return SplitFault(kind, sentence, len(rows), examples, severity, advice, rows)


def repaired_name(name: str, how: str = "repaired") -> str:
    """Make up the name of a repaired file; `how` says what became of it."""
    base, packing = unpacked_name(name)
    stem, dot, ending = base.rpartition(".")
    return (f"{stem}-{how}.{ending}" if dot and stem else f"{base}-{how}") + packing


def repaired_file(name: str, content: bytes) -> tuple[str, bytes]:
    """Name a repaired file after the old one, and pack it as its name says."""
    return repaired_name(name), packed(content, PACKINGS.get(unpacked_name(name)[1].lower()))


def cannot_say(where: str, kind: str, text: str) -> OptionError:
    """Say that a part cannot be written where and as the others are."""
    msg = f"{where} holds values of the type {kind}, which cannot say {clean_name(text)!r}. "
    return OptionError(msg + "Save the folds as a column instead.")
