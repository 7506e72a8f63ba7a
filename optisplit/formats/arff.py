"""ARFF files of MULAN and MEKA: only the label columns are decoded."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError
from optisplit.formats.arff_header import QUOTED, Attribute, Header, read_header, split_cells, unquoted
from optisplit.formats.arff_labels import label_columns_of
from optisplit.formats.base import FileLike, Parsed, Source
from optisplit.formats.cells import (
    MISSING,
    ONE,
    OTHER,
    ZERO,
    Faults,
    cell_code,
    missing_message,
    other_message,
)
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# plain sparse rows, checked and taken apart by two linear scans
_PLAIN_SPARSE = re.compile(rb"\{\s*(?:\d{1,9}\s+[^\s,'\"{}]+\s*(?:,\s*|(?=\})))*\}")
_ENTRY = re.compile(rb"(\d+)\s+([^\s,}]+)")
# sparse rows with quotes in them
_SPARSE_CELL = re.compile(rf"\s*(\d{{1,9}})\s+((?:{QUOTED})(?=\s*(?:,|$))|[^,]*)\s*(,|$)")
_WEIGHT = re.compile(rb",\s*\{\s*[-+.\deE]+\s*\}$")

_PLAIN: dict[bytes | str, int] = {b"0": ZERO, b"1": ONE}


def read_arff(
    source: Source,
    *,
    label_columns: int | Sequence[str] | None = None,
    label_file: FileLike | None = None,
) -> Parsed:
    """Read the labels of an ARFF file.

    - Rows may be dense or sparse. What a sparse row leaves out is 0 for numbers, and the first value declared
      for nominal columns: 1 where a label is declared as ``{1,0}``.
    - Features are not decoded, but every row must have the right number of them.

    Parameters
    ----------
    source : Source
        The file.
    label_columns : int or sequence of str, optional
        The last N columns (N), the first N (-N), or names.
    label_file : path or binary file object, optional
        MULAN's XML.

    Returns
    -------
    Parsed
        Labels in CSR form and their names.

    Raises
    ------
    FormatError
        If the file is no ARFF, or a label is missing or not 0 or 1 somewhere.
    """
    lines = ((number, line.strip()) for number, line in source.lines())
    header = read_header(lines)
    columns, notes = label_columns_of(header, source, label_columns=label_columns, label_file=label_file)
    reader = _RowReader(header, columns)
    reader.read(lines)
    reader.raise_faults()
    if reader.has_weights:
        notes.append("Row weights in the file are not used.")
    names = [header.attributes[j].name for j in columns]
    return Parsed(reader.matrix(), names, notes=[*header.notes, *notes])


class _RowReader:
    """Decodes the label cells of rows, and keeps count of the bad ones."""

    def __init__(self, header: Header, columns: list[int]) -> None:
        self.n_columns = len(header.attributes)
        self.columns = columns
        self.names = [clean_name(header.attributes[column].name) for column in columns]
        self.position = {column: j for j, column in enumerate(columns)}
        defaults = [_omitted_value(header.attributes[column]) for column in columns]
        # labels for which leaving an entry out of a sparse row does not mean 0
        self.told_by_omission = {j: value for j, value in enumerate(defaults) if cell_code(value) != ZERO}
        self.indices = array("i")
        self.indptr = array("q", [0])
        self.faults: dict[int, Faults] = defaultdict(Faults)
        self.has_weights = False

    def read(self, lines: Iterable[tuple[int, bytes]]) -> None:
        """Read all rows."""
        number = 0
        for number, line in lines:
            if not line or line.startswith(b"%"):
                continue
            row = self._without_weight(line)
            if row.startswith(b"{"):
                self._sparse_row(row, number)
            else:
                self._dense_row(row, number)
            self.indptr.append(len(self.indices))
        if len(self.indptr) == 1:
            msg = "The ARFF file has no rows after @data."
            raise FormatError(msg)

    def _without_weight(self, line: bytes) -> bytes:
        if line.endswith(b"}") and (match := _WEIGHT.search(line)):
            self.has_weights = True
            return line[: match.start()].rstrip()
        return line

    def _dense_row(self, row: bytes, number: int) -> None:
        cells: list[bytes] | list[str] = row.split(b",")
        if b"'" in row or b'"' in row:
            # only ASCII words matter here, so any encoding that keeps them will do
            cells = split_cells(row.decode("latin-1"))
        if len(cells) != self.n_columns:
            msg = (
                f"Line {number:,} has {len(cells):,} value(s), but there are {self.n_columns:,} columns; "
                "a comma may be missing or too many, or a quote not closed."
            )
            raise FormatError(msg)
        for j, column in enumerate(self.columns):
            self._take(j, cells[column], number)

    def _sparse_row(self, row: bytes, number: int) -> None:
        entries: Sequence[tuple[bytes | str, bytes | str]]
        entries = _ENTRY.findall(row) if _PLAIN_SPARSE.fullmatch(row) else _quoted_entries(row, number)
        numbers = [int(entry[0]) for entry in entries]
        if numbers and max(numbers) >= self.n_columns:
            msg = (
                f"Line {number:,} has a value for column {max(numbers):,}, but the {self.n_columns:,} "
                f"columns are numbered from 0 to {self.n_columns - 1:,}."
            )
            raise FormatError(msg)
        position = self.position
        seen: set[int] = set()
        for column, entry in zip(numbers, entries, strict=True):
            j = position.get(column)
            if j is None:
                continue
            if j in seen:
                msg = f"Line {number:,} has two values for the label {self.names[j]!r}; leave one."
                raise FormatError(msg)
            seen.add(j)
            self._take(j, entry[1], number)
        for j, value in self.told_by_omission.items():
            if j not in seen:
                self._take(j, value, number)

    def _take(self, j: int, cell: bytes | str, number: int) -> None:
        code = _PLAIN.get(cell)
        if code is None:
            text = cell if isinstance(cell, str) else cell.decode("utf-8", "replace")
            code = _code(text)
            if code == MISSING:
                self.faults[j].add_missing(number)
            elif code == OTHER:
                self.faults[j].add_other({unquoted(text.strip()): 1}, number)
        if code == ONE:
            self.indices.append(j)

    def raise_faults(self) -> None:
        """Refuse the file if any label cell was missing or neither 0 nor 1."""
        named = {self.names[j]: faults for j, faults in sorted(self.faults.items())}
        missing = {name: faults for name, faults in named.items() if faults.n_missing}
        other = {name: faults for name, faults in named.items() if faults.n_other}
        if other:
            raise FormatError(other_message(other))
        if missing:
            raise FormatError(missing_message(missing))

    def matrix(self) -> sp.csr_array:
        """Make the label matrix of what was read."""
        indices = np.frombuffer(self.indices, dtype=np.int32) if self.indices else np.empty(0, dtype=np.int32)
        indptr = np.frombuffer(self.indptr, dtype=np.int64)
        ones = np.ones(len(indices), dtype=np.int8)
        shape = (len(indptr) - 1, len(self.columns))
        matrix = sp.csr_array((ones, indices.copy(), indptr.copy()), shape=shape)
        matrix.sort_indices()
        return matrix


def _omitted_value(attribute: Attribute) -> str:
    return attribute.values[0] if attribute.values else "0"


def _code(text: str) -> int:
    """Code a cell; in ARFF only a bare question mark is a missing value."""
    token = text.strip()
    if token == "?":
        return MISSING
    code = cell_code(unquoted(token))
    return OTHER if code == MISSING else code


def _quoted_entries(row: bytes, number: int) -> list[tuple[str, str]]:
    text = row.decode("latin-1")
    if not text.endswith("}"):
        msg = f"Line {number:,} begins with a brace but does not end with one; write {{index value, ...}}."
        raise FormatError(msg)
    body = text[1:-1].strip()
    entries: list[tuple[str, str]] = []
    at = 0
    while at < len(body):
        match = _SPARSE_CELL.match(body, at)
        if match is None:
            msg = (
                f"Line {number:,}: {clean_name(body[at : at + 40])!r} is no sparse entry; "
                "a column number (from 0), a space and a value are needed."
            )
            raise FormatError(msg)
        entries.append((match[1], match[2].strip()))
        at = match.end()
    return entries
