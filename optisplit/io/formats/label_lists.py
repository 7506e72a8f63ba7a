"""LIBSVM's multilabel text, and the two kinds of the extreme classification repository (XMC): labels are numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError
from optisplit.io.formats.label_text import CALLED, THREE, TWO, read_words
from optisplit.io.formats.names import checked_names, names_beside
from optisplit.io.layouts.collector import repeated_note
from optisplit.io.parsed import Parsed
from optisplit.io.sizes import check_stated
from optisplit.io.source import FileLike, Source, read_names
from optisplit.kernels import label_lines as kernels
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

_N_SHOWN = 40
_MIN_WORDS = 0.01
_FAULTS = {
    kernels.IS_TEXT: "where a label's number is expected there is something else",
    kernels.IS_NEGATIVE: "a label has a negative number; labels are numbered from 0 or 1",
    kernels.IS_FRACTION: "a label is a fraction, as if the file had values to predict and not labels",
    kernels.IS_TOO_LARGE: f"a number is larger than {kernels.MAX_ID:,}",
    kernels.IS_NO_FEATURE: "after the labels something is no feature (index:value); labels need commas",
    kernels.IS_NOT_ONE: "a value is neither 0 nor 1; is this the file of the features?",
}


def read_label_lists(source: Source, kind: str, *, names: FileLike | Iterable[str] | None = None) -> Parsed:
    """Read labels from lines of label numbers.

    - LIBSVM: ``1,3 2:0.5 9:1``, a line a row; a row without labels begins with its features. Labels are the numbers
      that occur, in their order; or words, where more than one line in a hundred has some.
    - XMC data: the same below a line ``rows features labels``; labels are numbered from 0.
    - XMC labels: below a line ``rows labels``, lines such as ``4:1 9:1``.
    - Features are passed over, not kept.
    """
    lines = _Lines(kind)
    lines.read(source)
    if kind == "libsvm" and lines.has_words:
        return read_words(source, names)
    lines.refuse_faults(source)
    shape = lines.stated_shape(source)
    counts = lines.rows(shape)
    parsed = Parsed(None, notes=lines.notes, form=CALLED[kind])
    if kind == "libsvm" and names is None:
        names = _names_of_all(source, lines)
    indices, ids = _numbered(lines, len(counts), shape, names, parsed, source)
    n_labels = len(ids)
    parsed.labels = _matrix(indices, counts, n_labels)
    if parsed.label_names is None:  # otherwise read already, to know how many columns there are
        parsed.label_names = _names(ids, names, parsed, source, has_plain_name=kind != "libsvm")
    parsed.rule = (
        f"The numbers at the beginning of each line are labels: {n_labels:,} of them."
        if kind != "xmc-labels"
        else f"Each column of the matrix is a label: {n_labels:,} of them."
    )
    return parsed


read_libsvm = partial(read_label_lists, kind="libsvm")
read_xmc = partial(read_label_lists, kind="xmc")
read_xmc_labels = partial(read_label_lists, kind="xmc-labels")


@dataclass
class _Lines:
    """What was read, line by line, without knowing yet what the numbers stand for."""

    kind: str
    chunks: list[NDArray[np.int32]] = field(default_factory=list)
    counts: list[NDArray[np.int32]] = field(default_factory=list)
    header: tuple[int, ...] | None = None
    n_before: int = 0  # lines above the first row
    n_rows: int = 0
    n_blank: int = 0
    n_bytes: int = 0
    n_faults: int = 0
    fault_line: int = 0
    fault_code: int = 0
    fault_at: int = 0  # bytes of the line before the faulty place
    facts: NDArray[np.int64] = field(default_factory=lambda: np.array([0, 1 << 62, -1], dtype=np.int64))
    notes: list[str] = field(default_factory=list)

    @property
    def has_words(self) -> bool:
        """Whether words stand where labels' numbers are expected; one here and there is a slip, not a name."""
        return self.fault_code == kernels.IS_TEXT and self.n_faults > _MIN_WORDS * self.n_rows

    def read(self, source: Source) -> None:
        function = kernels.read_pairs if self.kind == "xmc-labels" else kernels.read_label_lists
        n_lines = 0
        for block in _rows_only(source, self):
            self.n_bytes += len(block)
            text = np.frombuffer(block, dtype=np.uint8)
            indices = np.empty(text.size // 2 + 1, dtype=np.int32)
            counts = np.empty(block.count(b"\n") + 1, dtype=np.int32)
            faults = np.zeros(4, dtype=np.int64)
            n_labels, n_read = function(text, indices, counts, faults, self.facts)
            self.chunks.append(indices[:n_labels].copy())
            self.counts.append(counts[:n_read].copy())
            if faults[0] and not self.n_faults:
                self.fault_line, self.fault_code = self.n_before + n_lines + int(faults[1]) + 1, int(faults[2])
                self.fault_at = int(faults[3])
            self.n_faults += int(faults[0])
            self.n_blank += int((counts[:n_read] == kernels.BLANK).sum())
            n_lines += n_read
            self.n_rows = n_lines - self.n_blank
            check_stated(source.name, rows=self.n_rows)

    def refuse_faults(self, source: Source) -> None:
        if not self.n_faults:
            return
        line = next((line for number, line in source.lines() if number == self.fault_line), b"")
        start = 0 if self.fault_at < _N_SHOWN else self.fault_at  # far along the line, its beginning tells nothing
        shown = clean_name(line[start : start + 200].decode("utf-8", "replace"), 60)
        why = _FAULTS[self.fault_code]
        also = f" So it is in {counted(self.n_faults - 1, 'more line')}." if self.n_faults > 1 else ""
        end = "" if why.endswith("?") else "."
        where = f"in line {self.fault_line:,}, column {self.fault_at + 1:,}, {shown!r}"
        msg = f"{source.name!r} cannot be read as {CALLED[self.kind]}: {where}, {why}{end}{also}"
        raise FormatError(msg)

    def stated_shape(self, source: Source) -> tuple[int, int] | None:
        """Give rows and labels as the first line states them, once it is known to be true."""
        if self.header is None:
            return None
        n_rows, n_labels = self.header[0], self.header[-1]
        check_stated(source.name, self.n_bytes, labels=n_labels)
        if n_rows not in (self.n_rows, self.n_rows + self.n_blank):
            found = f"{self.n_rows + self.n_blank:,}" + (f" ({self.n_blank:,} of them empty)" if self.n_blank else "")
            msg = (
                f"The first line of {source.name!r} says that there are {n_rows:,} rows, but {found} follow; "
                "the file may be cut off, or the first line belongs to another one."
            )
            raise FormatError(msg)
        return n_rows, n_labels

    def rows(self, shape: tuple[int, int] | None) -> NDArray[np.int32]:
        """Give the number of labels of each row: empty lines are rows where the first line counts them."""
        counts = np.concatenate(self.counts) if self.counts else np.zeros(0, dtype=np.int32)
        self.counts.clear()
        if not self.n_blank:
            return counts
        if shape is not None and shape[0] == self.n_rows + self.n_blank:
            return np.maximum(counts, 0)
        self.notes.append(f"{counted(self.n_blank, 'empty line', 'was')} left out; rows are numbered without them.")
        return counts[counts >= 0]


def _rows_only(source: Source, lines: _Lines) -> Iterator[bytes]:
    """Yield blocks of whole lines; take the first line off where it is a header."""
    pattern = {"xmc": THREE, "xmc-labels": TWO}.get(lines.kind)
    for at, whole in enumerate(source.whole_lines()):
        block = _without_header(whole, pattern, lines, source) if at == 0 else whole
        if block:
            yield block


def _without_header(text: bytes, pattern: re.Pattern[bytes] | None, lines: _Lines, source: Source) -> bytes:
    if pattern is None:
        return text
    while text:
        first, _, rest = text.partition(b"\n")
        lines.n_before += 1
        if first.strip():
            match = pattern.fullmatch(first.rstrip(b"\r"))
            if match is None:
                needed = "rows, features and labels" if lines.kind == "xmc" else "rows and labels"
                shown = clean_name(first[:200].decode("utf-8", "replace"), 60)
                msg = f"The first line of {source.name!r} must have the numbers of {needed}, but it is {shown!r}."
                raise FormatError(msg)
            lines.header = tuple(map(int, match.groups()))
            return rest
        text = rest
    return text


def _numbered(
    lines: _Lines, n_rows: int, shape: tuple[int, int] | None, names: Any, parsed: Parsed, source: Source
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Give the column of each label, and the number that each column has in the file."""
    indices = np.concatenate(lines.chunks) if lines.chunks else np.zeros(0, dtype=np.int32)
    lines.chunks.clear()
    if not len(indices):
        if not n_rows:
            raise FormatError.no_rows(source.name)
        msg = f"{source.name!r} has {n_rows:,} rows but no label in any of them."
        raise FormatError(msg)
    low, high = int(indices.min()), int(indices.max())
    if shape is not None:
        ids = _as_stated(indices, shape[1], low, high, parsed, source)
    elif names is not None:
        ids = _as_named(read_names(names), low, high, parsed)
    else:
        ids = _distinct_ids(indices, low, high)
        n_gaps = high - low + 1 - len(ids)
        never = f"; {n_gaps:,} of the numbers in between never occur, and are no labels here" if n_gaps else ""
        parsed.details["Numbers of labels"] = f"{low:,} to {high:,}{never}"
    if (shape is not None or names is not None) and ids[0]:
        indices -= 1
    if lines.facts[0]:
        parsed.notes.append(repeated_note(int(lines.facts[0])))
    if lines.facts[2] >= 0:
        parsed.details["Features"] = f"numbered from {lines.facts[1]:,} to {lines.facts[2]:,}; passed over"
    check_stated(source.name, rows=n_rows, labels=len(ids))
    return indices, ids


def _as_stated(
    indices: NDArray[np.int32], n_labels: int, low: int, high: int, parsed: Parsed, source: Source
) -> NDArray[np.int64]:
    """Give as many numbers as the first line says, from 0 or 1."""
    start = 1 if high == n_labels and low >= 1 else 0
    if start:
        parsed.notes.append(f"Labels are numbered from 1 to {high:,}, not from 0 as is usual in such files.")
    elif high >= n_labels:
        n_beyond = int((indices >= n_labels).sum())
        msg = (
            f"The first line of {source.name!r} says that there are {n_labels:,} labels, numbered from 0, but "
            f"{counted(n_beyond, 'label', 'has')} a higher number, up to {high:,}; is the first line that of this file?"
        )
        raise FormatError(msg)
    return np.arange(start, n_labels + start)


def _as_named(names: list[str], low: int, high: int, parsed: Parsed) -> NDArray[np.int64]:
    """Give as many numbers as there are names, from 0 or 1."""
    start = 1 if low >= 1 and high == len(names) else 0
    if high - start >= len(names):
        msg = (
            f"There are {len(names):,} label names, but labels are numbered up to {high:,}; one name a line is "
            "needed for each number, from 0 or 1."
        )
        raise FormatError(msg)
    parsed.label_names = names
    parsed.details["Names of labels"] = f"in the order of their numbers, from {start}"
    if low >= 1 and not start:
        parsed.notes.append(
            f"The first name was taken for label 0, which never occurs, so label {low:,} is called "
            f"{clean_name(names[low])!r}; if the first name is that of label 1, put an empty one before it."
        )
    return np.arange(start, len(names) + start)


def _matrix(indices: NDArray[np.int32], counts: NDArray[np.int32], n_labels: int) -> sp.csr_array:
    indptr = np.zeros(len(counts) + 1, dtype=np.int32 if len(indices) < 2**31 else np.int64)
    np.cumsum(counts, out=indptr[1:])
    matrix = sp.csr_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=(len(counts), n_labels))
    matrix.has_canonical_format = True  # each line's labels are sorted, and there once
    return matrix


def _names_of_all(source: Source, lines: _Lines) -> list[str] | None:
    """Read the names beside a LIBSVM file, where they are of labels that never occur too.

    Only where label 0 occurs: otherwise it is not clear whether the first name is that of label 0 or 1.
    """
    beside = source.sibling(".labels.txt")
    ends = [(int(chunk.min()), int(chunk.max())) for chunk in lines.chunks if len(chunk)]
    if beside is None or not ends or min(low for low, _ in ends) > 0:
        return None
    found = read_names(beside)
    return found if max(high for _, high in ends) < len(found) else None


def _distinct_ids(indices: NDArray[np.int32], low: int, high: int) -> NDArray[np.int64]:
    """Replace labels, in place, by their order among those that occur; give the numbers that they had."""
    if high <= 4 * len(indices) + 1_000_000:  # a table of all numbers, in proportion to the file
        place = np.zeros(high + 1, dtype=np.int32)
        place[indices] = 1
        ids = np.flatnonzero(place)
        place[ids] = np.arange(len(ids), dtype=np.int32)
        order: Callable[[Any], NDArray[Any]] = place.__getitem__
    else:
        ids = np.unique(indices).astype(np.int64)
        order = ids.searchsorted
    for start in range(0, len(indices), 1 << 20):
        part = indices[start : start + (1 << 20)]
        part[:] = order(part)
    return ids


def _names(ids: NDArray[np.int64], names: Any, parsed: Parsed, source: Source, *, has_plain_name: bool) -> list[str]:
    """Give the names of labels: those given, those beside the file (XMC calls them Y.txt too), or their numbers."""
    if names is not None:
        return checked_names(names, len(ids))
    found = names_beside(source, "labels", len(ids), parsed, *(["Y.txt"] if has_plain_name else []))
    return found or [str(number) for number in ids.tolist()]
