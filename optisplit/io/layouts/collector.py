"""Labels of rows, collected name by name into a sparse matrix."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, argument
from optisplit.io.sizes import check_stated
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_FROM_0_TO_1 = re.compile(r"[01]|[01]\.0*|0?\.\d+(?:[eE]-\d+)?|\d(?:\.\d+)?[eE]-\d+")

NOTHING = -1
"""The number of an empty name."""


class Numbered(dict[str, int]):
    """Names and their numbers, in the order in which they first occur; blanks around a name do not count."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __missing__(self, name: str) -> int:
        bare = name.strip()
        if not bare:
            number = NOTHING
        elif bare != name:
            number = self[bare]
        else:
            number = len(self.names)
            self.names.append(bare)
        self[name] = number
        return number

    def of(self, names: Sequence[str]) -> NDArray[np.int32]:
        """Give many names their numbers."""
        return np.fromiter(map(self.__getitem__, names), dtype=np.int32, count=len(names))


class Collector:
    """The labels of rows, some rows after the other."""

    def __init__(self) -> None:
        self.numbers = Numbered()
        self.n_rows = 0
        self.n_repeated = 0
        self._labels: list[NDArray[np.int32]] = []
        self._counts: list[NDArray[np.int32]] = []

    def extend(self, labels: Sequence[str], counts: Sequence[int]) -> NDArray[np.bool_]:
        """Add rows."""
        return self._extend(self.numbers.of(labels), np.asarray(counts, dtype=np.int32))

    def extend_numbered(self, names: Sequence[str], places: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Add rows of as many cells each."""
        n_rows, n_cells = places.shape
        return self._extend(self.numbers.of(names)[places].reshape(-1), np.full(n_rows, n_cells, dtype=np.int32))

    def _extend(self, numbers: NDArray[np.int32], n_each: NDArray[np.int32]) -> NDArray[np.bool_]:
        is_named = numbers != NOTHING
        if not is_named.all():
            row_of = np.repeat(np.arange(len(n_each)), n_each)
            n_each = np.bincount(row_of[is_named], minlength=len(n_each)).astype(np.int32)
            numbers = numbers[is_named]
        self._labels.append(numbers)
        self._counts.append(n_each)
        self.n_rows += len(n_each)
        return n_each > 0

    def matrix(self) -> sp.csr_array:
        """Make the label matrix, in which each label of a row counts once."""
        n_labels = len(self.numbers.names)
        check_stated(None, rows=self.n_rows, labels=n_labels)
        indices = np.concatenate(self._labels)
        self._labels.clear()
        indptr = np.concatenate([[0], np.cumsum(np.concatenate(self._counts), dtype=np.int64)])
        matrix = sp.csr_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=(self.n_rows, n_labels))
        matrix, n_repeated = once_each(matrix)
        self.n_repeated += n_repeated
        return matrix

    def vectors(self, threshold: float | None = None) -> sp.csr_array | None:
        """Make the label matrix of rows that are a 0 or 1 for each label; to be asked before :meth:`matrix`."""
        names = self.numbers.names
        if not all(_FROM_0_TO_1.fullmatch(name) for name in names):
            return None
        lengths = np.concatenate(self._counts)
        width = int(lengths.max(initial=0))
        if width < 2 or not np.isin(lengths, (0, width)).all():
            refuse_unequal(lengths, names)
            return None
        fraction = next((name for name in names if float(name) not in (0, 1)), None)
        if fraction is not None and threshold is None:
            msg = f"Rows are lists of {width:,} numbers from 0 to 1, such as {fraction}, as probabilities are; say "
            raise FormatError(msg + "from which one on a row has the label, as " + argument("threshold", 0.5) + ".")
        least = 1 if threshold is None else threshold
        is_one = np.array([float(name) >= least for name in names])[np.concatenate(self._labels)]
        return rows_of_indicators(is_one, lengths)

    def notes(self) -> list[str]:
        """Write what the user should know of the labels, once the matrix is made."""
        notes = []
        if self.n_repeated:
            notes.append(repeated_note(self.n_repeated))
        odd = [name for name in self.numbers.names if name.lower() in {"na", "n/a", "nan", "none", "null", "?"}]
        if odd:
            notes.append(f"A label is called {odd[0]!r}; if it means that labels are missing there, leave it empty.")
        return notes


def refuse_unequal(lengths: NDArray[np.integer[Any]], names: Sequence[str]) -> None:
    """Refuse rows of 0 and 1 of unequal length: with more than two of them, they are no names of labels."""
    given = lengths[lengths > 0]
    if set(names) <= {"0", "1", "0.0", "1.0"} and lengths.max(initial=0) > 2:
        width = int(np.bincount(given).argmax())
        row = int(np.flatnonzero((lengths != width) & (lengths > 0))[0])
        msg = (
            f"Rows are lists of 0 and 1, but not of one length: most have {width:,}, and row {row + 1:,} has "
            f"{int(lengths[row]):,}; each needs a 0 or 1 for each label."
        )
        raise FormatError(msg)


def rows_of_indicators(is_one: NDArray[np.bool_], lengths: NDArray[np.integer[Any]]) -> sp.csr_array:
    """Make the label matrix of rows that are all as long, or hold nothing."""
    width = int(lengths.max())
    ones = np.flatnonzero(is_one)
    given = np.flatnonzero(lengths)
    rows = np.repeat(given, np.bincount(ones // width, minlength=len(given)))
    return sp.csr_array((np.ones(len(ones), dtype=np.int8), (rows, ones % width)), shape=(len(lengths), width))


def once_each(matrix: sp.csr_array) -> tuple[sp.csr_array, int]:
    """Keep each label of a row once."""
    matrix.sort_indices()
    is_first = np.ones(matrix.nnz, dtype=bool)
    is_first[1:] = matrix.indices[1:] != matrix.indices[:-1]
    starts = matrix.indptr[:-1]
    is_first[starts[starts < matrix.nnz]] = True
    n_repeated = matrix.nnz - int(is_first.sum())
    if not n_repeated:
        return matrix, 0
    kept = np.concatenate([[0], np.cumsum(is_first)])[matrix.indptr]
    indices = matrix.indices[is_first]
    return sp.csr_array((np.ones(len(indices), dtype=np.int8), indices, kept), shape=matrix.shape), n_repeated


def repeated_note(count: int) -> str:
    """Say that labels are there more than once in a row."""
    return f"{counted(count, 'label', 'is')} there more than once in a row; that counts once."
