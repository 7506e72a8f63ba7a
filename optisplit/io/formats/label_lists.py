"""LIBSVM's multilabel text, and the two kinds of the extreme classification repository (XMC)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, argument, listed
from optisplit.io.formats.collector import Collector
from optisplit.io.formats.npz import MAX_LABELS, MAX_ROWS
from optisplit.io.formats.parsed import Parsed, refuse_lying_shape
from optisplit.io.source import FileLike, Source, decode_text, read_names
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

Kind: TypeAlias = Literal["libsvm", "xmc", "xmc-labels"]

_THREE = re.compile(rb"\s*(\d{1,18})[ \t]+(\d{1,18})[ \t]+(\d{1,18})\s*")
_TWO = re.compile(rb"\s*(\d{1,18})[ \t]+(\d{1,18})\s*")
_FEATURE = re.compile(rb"(?:^|\s)(?:qid|\d+):[-+.\d]")
_LISTS_LINE = re.compile(
    rb"\s*(?:[^\s:,]+(?:\s*,\s*[^\s:,]+)*(?:\s+|$))?(?:(?:qid|\d+):\S*(?:\s+|$))*(?:#.*)?", re.DOTALL
)
# a pair ends at a blank or at the end, or a line could be parted in exponentially many ways
_PAIRS_LINE = re.compile(rb"\s*(?:\d+:\S+(?:\s+|$))*")
_N_LOOKED_AT = 50
_N_SHOWN = 40
_MIN_WORDS = 0.01

_CALLED = {"libsvm": "LIBSVM text", "xmc": "XMC data file", "xmc-labels": "XMC label matrix"}


def detect_kind(lines: list[bytes]) -> Kind | None:
    """Tell which of these formats lines are in, if any."""
    shown = [line for line in lines if not line.lstrip().startswith(b"#")][: _N_LOOKED_AT + 1]
    first = next((line for line in shown if line.strip()), b"")
    rest = shown[shown.index(first) + 1 :] if first else []
    if _THREE.fullmatch(first) and any(_FEATURE.search(line) for line in rest):
        return "xmc" if all(_LISTS_LINE.fullmatch(line) for line in rest) else None
    if _TWO.fullmatch(first) and rest and all(_PAIRS_LINE.fullmatch(line) for line in rest):
        return "xmc-labels" if any(line.strip() for line in rest) else None
    has_features = any(_FEATURE.search(line) for line in shown)
    return "libsvm" if has_features and all(_LISTS_LINE.fullmatch(line) for line in shown) else None


def read_label_lists(source: Source, kind: Kind, *, names: FileLike | Iterable[str] | None = None) -> Parsed:
    """Read labels from lines of label numbers.

    - LIBSVM: ``1,3 2:0.5 9:1``, a line a row; a row without labels begins with its features. Labels are the numbers
      that occur, in their order; or words, where more than one line in a hundred has some.
    - XMC data: the same below a line ``rows features labels``; labels are numbered from 0.
    - XMC labels: below a line ``rows labels``, lines such as ``4:1 9:1``.
    - Features are passed over, not kept.
    """
    lines = _Lines(kind)
    lines.read(source)
    # a word here and there among numbers is a slip, not a name
    if kind == "libsvm" and lines.fault_kind == "text" and lines.n_faults > _MIN_WORDS * lines.n_rows:
        return _read_words(source, names)
    lines.refuse_faults(source)
    shape = lines.stated_shape(source)
    rows = lines.rows(shape)
    parsed = Parsed(None, notes=lines.notes, form=_CALLED[kind])
    if kind == "libsvm" and names is None:
        names = _names_of_all(source, lines)
    labels, ids = _columns(lines, rows, shape, names, parsed, source)
    parsed.labels = labels
    parsed.label_names = _names(ids, labels.shape[1], names, parsed, source)
    parsed.rule = (
        f"The numbers at the beginning of each line are labels: {labels.shape[1]:,} of them."
        if kind != "xmc-labels"
        else f"Each column of the matrix is a label: {labels.shape[1]:,} of them."
    )
    return parsed


@dataclass
class _Lines:
    """What was read, line by line, without knowing yet what the numbers stand for."""

    kind: Kind
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
    facts: NDArray[np.int64] = field(default_factory=lambda: np.array([0, 0, 1 << 62, -1], dtype=np.int64))
    notes: list[str] = field(default_factory=list)

    @property
    def fault_kind(self) -> str:
        from optisplit.kernels import label_lines as kernels

        return "text" if self.fault_code == kernels.IS_TEXT else "other"

    def read(self, source: Source) -> None:
        from optisplit.kernels import label_lines as kernels

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
            if self.n_rows > MAX_ROWS:
                msg = f"{source.name!r} has more than {MAX_ROWS:,} rows, which is not read."
                raise FormatError(msg)

    def refuse_faults(self, source: Source) -> None:
        if not self.n_faults:
            return
        from optisplit.kernels import label_lines as kernels

        line = next((line for number, line in source.lines() if number == self.fault_line), b"")
        start = 0 if self.fault_at < _N_SHOWN else self.fault_at  # far along the line, its beginning tells nothing
        shown = clean_name(line[start : start + 200].decode("utf-8", "replace"), 60)
        why = {
            kernels.IS_TEXT: "where a label's number is expected there is something else",
            kernels.IS_NEGATIVE: "a label has a negative number; labels are numbered from 0 or 1",
            kernels.IS_FRACTION: "a label is a fraction, as if the file had values to predict and not labels",
            kernels.IS_TOO_LARGE: f"a number is larger than {kernels.MAX_ID:,}",
            kernels.IS_NO_FEATURE: "after the labels something is no feature (index:value); labels need commas",
            kernels.IS_NOT_ONE: "a value is neither 0 nor 1; is this the file of the features?",
        }[self.fault_code]
        also = f" So it is in {self.n_faults - 1:,} more line(s)." if self.n_faults > 1 else ""
        end = "" if why.endswith("?") else "."
        where = f"in line {self.fault_line:,}, column {self.fault_at + 1:,}, {shown!r}"
        msg = f"{source.name!r} cannot be read as {_CALLED[self.kind]}: {where}, {why}{end}{also}"
        raise FormatError(msg)

    def stated_shape(self, source: Source) -> tuple[int, int] | None:
        """Give rows and labels as the first line states them, once it is known to be true."""
        if self.header is None:
            return None
        n_rows, n_labels = self.header[0], self.header[-1]
        if n_labels > MAX_LABELS:
            msg = f"The first line says that there are {n_labels:,} labels; more than {MAX_LABELS:,} are not read."
            raise FormatError(msg)
        refuse_lying_shape(0, n_labels, self.n_bytes, source.name)
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
        self.notes.append(f"{self.n_blank:,} empty line(s) were left out; rows are numbered without them.")
        return counts[counts >= 0]


def _rows_only(source: Source, lines: _Lines) -> Iterator[bytes]:
    """Yield blocks of whole lines; take the first line off where it is a header."""
    pattern = {"xmc": _THREE, "xmc-labels": _TWO}.get(lines.kind)
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


def _columns(
    lines: _Lines,
    counts: NDArray[np.int32],
    shape: tuple[int, int] | None,
    names: Any,
    parsed: Parsed,
    source: Source,
) -> tuple[sp.csr_array, NDArray[np.int64]]:
    """Make the matrix; give the number that each column has in the file."""
    indices = np.concatenate(lines.chunks) if lines.chunks else np.zeros(0, dtype=np.int32)
    lines.chunks.clear()
    if not len(counts):
        msg = f"{source.name!r} has no rows."
        raise FormatError(msg)
    if not len(indices):
        msg = f"{source.name!r} has {len(counts):,} rows but no label in any of them."
        raise FormatError(msg)
    low, high = int(indices.min()), int(indices.max())
    if shape is not None:
        n_columns, start = shape[1], 0
        if high == n_columns and low >= 1:
            start = 1
            parsed.notes.append(f"Labels are numbered from 1 to {high:,}, not from 0 as is usual in such files.")
        elif high >= n_columns:
            n_beyond = int((indices >= n_columns).sum())
            msg = (
                f"The first line of {source.name!r} says that there are {n_columns:,} labels, numbered from 0, but "
                f"{n_beyond:,} label(s) have a higher number, up to {high:,}; is the first line that of this file?"
            )
            raise FormatError(msg)
        ids = np.arange(start, n_columns + start)
        if start:
            indices -= 1
    elif names is not None:
        n_columns = len(parsed_names := read_names(names))
        start = 1 if low >= 1 and high == n_columns else 0
        if high - start >= n_columns:
            msg = (
                f"There are {n_columns:,} label names, but labels are numbered up to {high:,}; one name a line is "
                "needed for each number, from 0 or 1."
            )
            raise FormatError(msg)
        parsed.label_names = parsed_names
        parsed.details["Names of labels"] = f"in the order of their numbers, from {start}"
        if low >= 1 and not start:
            parsed.notes.append(
                f"The first name was taken for label 0, which never occurs, so label {low:,} is called "
                f"{clean_name(parsed_names[low])!r}; if the first name is that of label 1, put an empty one before it."
            )
        ids = np.arange(start, n_columns + start)
        if start:
            indices -= 1
    else:
        ids = _distinct_ids(indices, low, high)
        n_columns = len(ids)
        n_gaps = high - low + 1 - n_columns
        never = f"; {n_gaps:,} of the numbers in between never occur, and are no labels here" if n_gaps else ""
        parsed.details["Numbers of labels"] = f"{low:,} to {high:,}{never}"
    if lines.facts[0]:
        parsed.notes.append(f"{int(lines.facts[0]):,} label(s) are there more than once in their row; they count once.")
    if lines.facts[3] >= 0:
        parsed.details["Features"] = f"numbered from {lines.facts[2]:,} to {lines.facts[3]:,}; passed over"
    if n_columns > MAX_LABELS:
        msg = f"{source.name!r} has {n_columns:,} labels; more than {MAX_LABELS:,} are not read."
        raise FormatError(msg)
    indptr = np.zeros(len(counts) + 1, dtype=np.int32 if len(indices) < 2**31 else np.int64)
    np.cumsum(counts, out=indptr[1:])
    matrix = sp.csr_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=(len(counts), n_columns))
    matrix.has_canonical_format = True  # each line's labels are sorted, and there once
    return matrix, ids


def _names_of_all(source: Source, lines: _Lines) -> list[str] | None:
    """Read the names beside a LIBSVM file, where they are of labels that never occur too.

    Only where label 0 occurs: otherwise it is not clear whether the first name is that of label 0 or 1.
    """
    beside = source.sibling(".labels.txt", ".labels.txt.gz")
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
        for start in range(0, len(indices), 1 << 20):
            part = indices[start : start + (1 << 20)]
            part[:] = place[part]
        return ids
    ids = np.unique(indices)
    for start in range(0, len(indices), 1 << 20):
        part = indices[start : start + (1 << 20)]
        part[:] = np.searchsorted(ids, part)
    return ids.astype(np.int64)


def _names(ids: NDArray[np.int64], n_labels: int, names: Any, parsed: Parsed, source: Source) -> list[str]:
    if parsed.label_names is not None:  # read already, to know how many columns there are
        return parsed.label_names
    if names is not None:
        given = read_names(names)
        if len(given) != n_labels:
            msg = f"There are {len(given):,} label names for {n_labels:,} labels; one name a line is needed."
            raise FormatError(msg)
        return given
    beside = source.sibling(".labels.txt", ".labels.txt.gz")
    if beside is None and source.path is not None and parsed.form != _CALLED["libsvm"]:
        beside = next((path for each in ("Y.txt", "Y.txt.gz") if (path := source.path.with_name(each)).is_file()), None)
    if beside is not None:
        found = read_names(beside)
        if len(found) == n_labels:
            parsed.details["Names of labels"] = f"from {clean_name(beside.name)!r}"
            return found
        parsed.notes.append(
            f"{beside.name!r} was not used: it has {len(found):,} names, but there are {n_labels:,} labels."
        )
    return [str(number) for number in ids.tolist()]


def _read_words(source: Source, names: Any) -> Parsed:
    """Read LIBSVM lines whose labels are words."""
    if names is not None:
        msg = (
            f"{source.name!r} has labels that are words, not numbers, so " + argument("names") + " does not go with it."
        )
        raise FormatError(msg)
    words: list[str] = []
    counts: list[int] = []
    n_blank = 0
    for number, line in source.lines():
        text = decode_text(line)[0].partition("#")[0].strip("\r\n")
        if not text.strip():
            n_blank += 1
            continue
        labels, features = _parted(text)
        wrong = next((token for token in features if not _FEATURE.match(token.encode())), None)
        if wrong is not None or any(not label for label in labels):
            msg = (
                f"{source.name!r} cannot be read as LIBSVM text: line {number:,} is "
                f"{clean_name(text[:200], 60)!r}; labels with commas between, then features (index:value), are needed."
            )
            raise FormatError(msg)
        words += labels
        counts.append(len(labels))
    if not counts:
        msg = f"{source.name!r} has no rows."
        raise FormatError(msg)
    parsed = _of_words(words, counts, n_blank, source)
    parsed.form = _CALLED["libsvm"]
    parsed.rule = f"The words at the beginning of each line are labels: {parsed.labels.shape[1]:,} of them."
    return parsed


def _of_words(words: list[str], counts: list[int], n_blank: int, source: Source) -> Parsed:
    """Make labels of words, one row's after the other's, and say what was passed over."""
    collector = Collector()
    collector.extend(words, counts)
    if not collector.numbers.names:
        msg = f"{source.name!r} has no label in any row."
        raise FormatError(msg)
    parsed = Parsed(collector.matrix(), collector.numbers.names)
    if n_blank:
        parsed.notes.append(f"{n_blank:,} empty line(s) were left out; rows are numbered without them.")
    if collector.n_repeated:
        repeated = f"{collector.n_repeated:,} label(s) are there more than once in their row"
        parsed.notes.append(f"{repeated}; they count once.")
    return parsed


def _parted(text: str) -> tuple[list[str], list[str]]:
    """Part a line into labels and features; after a comma, blanks do not end the labels."""
    tokens = re.sub(r"\s*,\s*", ",", text).split()
    has_labels = not text[0].isspace() and not _FEATURE.match(tokens[0].encode())
    return (tokens[0].split(",") if has_labels else []), tokens[1 if has_labels else 0 :]


def read_id_text(source: Source) -> Parsed:
    r"""Read lines of an id, labels with blanks between, and a text, with tabs between (LibMultiLabel).

    - Lines of two columns have no id. What follows the second tab is text, whatever is in it.
    """
    words: list[str] = []
    counts: list[int] = []
    ids: list[str] = []
    widths: Counter[int] = Counter()
    first_of_width: dict[int, int] = {}
    n_blank = 0
    for number, line in source.lines():
        text = decode_text(line)[0].rstrip("\r\n")
        if not text.strip():
            n_blank += 1
            continue
        cells = text.split("\t", 2)
        widths[len(cells)] += 1
        first_of_width.setdefault(len(cells), number)
        labels = (cells[-2] if len(cells) > 1 else "").split()
        if len(cells) == 3:
            ids.append(cells[0])
        words += labels
        counts.append(len(labels))
    if len(widths) != 1 or 1 in widths:
        told = ", ".join(f"{n:,} with {width} (first in line {first_of_width[width]:,})" for width, n in widths.items())
        msg = (
            f"{source.name!r} needs lines of an id, labels and a text, or of labels and a text, with tabs between; "
            f"by their columns there are: {told or 'none'}."
        )
        raise FormatError(msg)
    parsed = _of_words(words, counts, n_blank, source)
    parsed.row_ids = ids or None
    parsed.form = "Lines of id, labels and text" if ids else "Lines of labels and text"
    n_labels = parsed.labels.shape[1]
    parsed.rule = f"The {'second' if ids else 'first'} column has labels with blanks between: {n_labels:,} of them."
    if ids and len(set(ids)) < len(ids):
        repeated = [each for each, count in Counter(ids).items() if count > 1]
        parsed.notes.insert(0, f"{len(repeated):,} id(s) occur more than once: {listed(repeated)}.")
    return parsed
