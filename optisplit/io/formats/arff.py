"""ARFF files of MULAN and MEKA: only the columns that are asked for are decoded, labels or features."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError
from optisplit.io.formats.arff_header import (
    QUOTED,
    Attribute,
    Header,
    open_arff,
    split_cells,
    unquoted,
    without_comment,
)
from optisplit.io.formats.arff_labels import LabelColumns, label_columns_of, stated_split, stated_train_rows
from optisplit.io.layouts.cells import (
    MISSING,
    ONE,
    OTHER,
    UNCERTAIN,
    ZERO,
    Faults,
    cell_code,
    label_code,
    other_message,
    unknown_cells,
)
from optisplit.io.layouts.columns import as_said
from optisplit.io.parsed import Parsed
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from optisplit.io.formats.sniffing import Head
    from optisplit.io.parsed import Unknown
    from optisplit.io.source import FileLike, Source

# plain sparse rows, checked and taken apart by two linear scans
_PLAIN_SPARSE = re.compile(rb"\{\s*(?:\d{1,9}\s+[^\s,'\"{}]+\s*(?:,\s*|(?=\})))*\}")
_ENTRY = re.compile(rb"(\d+)\s+([^\s,}]+)")
# sparse rows with quotes in them
_SPARSE_CELL = re.compile(rf"\s*(\d{{1,9}})\s+((?:{QUOTED})(?=\s*(?:,|$))|[^,]*)\s*(,|$)")
_WEIGHT = re.compile(rb",\s*\{\s*[-+.\deE]+\s*\}$")

_PLAIN: dict[bytes | str, int] = {b"0": ZERO, b"1": ONE}


def is_arff(head: Head) -> bool:
    """Tell whether a file is ARFF."""
    return head.first.startswith((b"@relation", b"@attribute", b"@data"))


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
    """
    header, lines = open_arff(source)
    chosen = label_columns_of(header, source, label_columns=label_columns, label_file=label_file)
    rows = _Rows(len(header.attributes))
    reader = _LabelReader(header, list(chosen.columns))
    reader.read(rows.read(lines))
    reader.refuse_other_values(chosen.hint)
    matrix = reader.matrix()
    notes = [*header.notes, *chosen.notes, *_hierarchy_notes(matrix, chosen)]
    if rows.has_weights:
        notes.append("Row weights in the file are not used.")
    n_train = stated_train_rows(header.relation, matrix.shape[0])
    if n_train is not None:
        notes.append(
            f"The relation name states a split: the first {n_train:,} rows for training, the others for testing; it "
            "can be checked as it is."
        )
    elif stated := stated_split(header.relation):
        notes.append(
            f"The relation name says {stated}, which is no split of {matrix.shape[0]:,} rows; it was not used."
        )
    kinds = " and ".join(word for word, is_there in (("dense", rows.n_dense), ("sparse", rows.n_sparse)) if is_there)
    called = {"XML": "MULAN ARFF", "MEKA": "MEKA ARFF"}.get(chosen.origin, "ARFF")
    said = as_said(chosen.columns, header.names)
    return Parsed(
        matrix,
        [header.attributes[j].name for j in chosen.columns],
        notes=notes,
        form=f"{called}, {kinds} rows",
        rule=chosen.rule,
        details=_details(header, chosen),
        options={} if said is None else {"label_columns": said},
        n_train=n_train,
        unknown=reader.unknown(),
    )


def _details(header: Header, chosen: LabelColumns) -> dict[str, str]:
    kinds = Counter(header.attributes[j].values for j in chosen.columns)
    told = [f"{{{','.join(values)}}}" if values else "numbers" for values in kinds]
    details = {"Relation": clean_name(header.relation, 100)} if header.relation else {}
    return details | {"Columns": f"{len(header.attributes):,}", "Labels declared as": ", ".join(told[:5])}


def _hierarchy_notes(matrix: sp.csr_array, chosen: LabelColumns) -> list[str]:
    if not chosen.parents:
        return []
    place = {column: j for j, column in enumerate(chosen.columns)}
    by_label = matrix.tocsc()
    n_wrong = 0
    for child, parent in chosen.parents.items():
        rows = [by_label.indices[slice(*by_label.indptr[place[j] : place[j] + 2])] for j in (child, parent)]
        n_wrong += len(np.setdiff1d(rows[0], rows[1]))
    told = "All rows keep to it."
    if n_wrong:
        told = f"{counted(n_wrong, 'time')} a row has a label but not the one above it."
    below = counted(len(chosen.parents), "label")
    return [f"The XML puts {below} below others; they are split as labels like any. {told}"]


class _Rows:
    """Rows taken apart into cells."""

    def __init__(self, n_columns: int) -> None:
        self.n_columns = n_columns
        self.n_dense = self.n_sparse = 0
        self.has_weights = False

    def read(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bool, Any]]:
        """Yield line number, whether the row is sparse, and all its cells or, of a sparse one, column and cell."""
        for number, line in lines:
            row = self._without_weight(line)
            if row.startswith(b"{") and not row.endswith(b"}") and b"%" in row:
                row = self._without_weight(without_comment(row.decode("latin-1")).encode("latin-1"))
            if row.startswith(b"{"):
                self.n_sparse += 1
                yield number, True, self._sparse_row(row, number)
            else:
                self.n_dense += 1
                yield number, False, self._dense_row(row, number)

    def _without_weight(self, line: bytes) -> bytes:
        if line.endswith(b"}") and (match := _WEIGHT.search(line)):
            self.has_weights = True
            return line[: match.start()].rstrip()
        return line

    def _dense_row(self, row: bytes, number: int) -> Sequence[bytes | str]:
        cells: list[bytes] | list[str] = row.split(b",")
        if b"'" in row or b'"' in row:
            # only ASCII words matter here, so any encoding that keeps them will do
            cells = split_cells(row.decode("latin-1"))
        if b"%" in row:  # not taken for a comment where the values before it are too few
            before = split_cells(without_comment(row.decode("latin-1")))
            cells = before if len(before) == self.n_columns else cells
        elif len(cells) == 1 and b"\t" in row:  # Weka takes tabs for commas too
            cells = split_cells(row.decode("latin-1").replace("\t", ","))
        if len(cells) != self.n_columns:
            msg = (
                f"Line {number:,} has {counted(len(cells), 'value')}, but there are {self.n_columns:,} columns; "
                "a comma may be missing or too many, or a quote not closed."
            )
            raise FormatError(msg)
        return cells

    def _sparse_row(self, row: bytes, number: int) -> Iterable[tuple[int, bytes | str]]:
        found = _ENTRY.findall(row) if _PLAIN_SPARSE.fullmatch(row) else _quoted_entries(row, number)
        numbers = [int(column) for column, _ in found]
        if numbers and max(numbers) >= self.n_columns:
            msg = (
                f"Line {number:,} has a value for column {max(numbers):,}, but the {self.n_columns:,} "
                f"columns are numbered from 0 to {self.n_columns - 1:,}."
            )
            raise FormatError(msg)
        return zip(numbers, map(itemgetter(1), found), strict=True)


class _LabelReader:
    """Decodes the label cells of rows, and keeps count of the bad ones."""

    def __init__(self, header: Header, columns: list[int]) -> None:
        self.columns = columns
        self.names = [clean_name(header.attributes[column].name) for column in columns]
        self.position = {column: j for j, column in enumerate(columns)}
        defaults = [_omitted_value(header.attributes[column]) for column in columns]
        # labels for which leaving an entry out of a sparse row does not mean 0
        self.told_by_omission = {j: value for j, value in enumerate(defaults) if cell_code(value) != ZERO}
        self.indices = array("i")
        self.indptr = array("q", [0])
        self.faults: dict[int, Faults] = defaultdict(Faults)
        # rows of each label that are missing, or uncertain
        self.unknown_rows: dict[tuple[int, int], list[int]] = defaultdict(list)

    def read(self, rows: Iterable[tuple[int, bool, Any]]) -> None:
        """Read all rows."""
        for number, is_sparse, cells in rows:
            if is_sparse:
                self._sparse_row(cells, number)
            else:
                for j, column in enumerate(self.columns):
                    self._take(j, cells[column], number)
            self.indptr.append(len(self.indices))
        if len(self.indptr) == 1:
            msg = "The ARFF file has no rows after @data."
            raise FormatError(msg)

    def _sparse_row(self, entries: Iterable[tuple[int, bytes | str]], number: int) -> None:
        position = self.position
        seen: set[int] = set()
        for column, cell in entries:
            j = position.get(column)
            if j is None:
                continue
            if j in seen:
                msg = f"Line {number:,} has two values for the label {self.names[j]!r}; leave one."
                raise FormatError(msg)
            seen.add(j)
            self._take(j, cell, number)
        for j, value in self.told_by_omission.items():
            if j not in seen:
                self._take(j, value, number)

    def _take(self, j: int, cell: bytes | str, number: int) -> None:
        code = _PLAIN.get(cell)
        if code is None:
            text = cell if isinstance(cell, str) else cell.decode("utf-8", "replace")
            code = _code(text)
            if code in (MISSING, UNCERTAIN):
                self.faults[j].add_unknown(code, number)
                self.unknown_rows[code, j].append(len(self.indptr) - 1)
            elif code == OTHER:
                self.faults[j].add_other({unquoted(text.strip()): 1}, number)
        if code == ONE:
            self.indices.append(j)

    def refuse_other_values(self, hint: str) -> None:
        """Refuse the file if any label cell was neither 0 nor 1 nor missing."""
        other = {name: faults for name, faults in self._named_faults() if faults.n_other}
        if other:
            raise FormatError(other_message(other, hint))

    def unknown(self) -> list[Unknown]:
        """Tell of label cells that are missing or uncertain."""
        return unknown_cells(
            dict(self._named_faults()),
            lambda code: [(j, np.array(rows)) for (kind, j), rows in self.unknown_rows.items() if kind == code],
        )

    def _named_faults(self) -> list[tuple[str, Faults]]:
        return [(self.names[j], faults) for j, faults in sorted(self.faults.items())]

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
    code = label_code(unquoted(token))
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


def read_arff_columns(source: Source, options: Mapping[str, Any]) -> Any:
    """Read all columns that are no labels.

    - Numbers stay numbers, also dates and texts what they are. A nominal column of two values is 0 for the first
      declared one and 1 for the other; of more, it is a category.
    - Files with sparse rows of numbers give a sparse array; what a row leaves out is 0. All else is a DataFrame.
    """
    header, lines = open_arff(source)
    said = {key: value for key, value in options.items() if key in ("label_columns", "label_file")}
    labels = frozenset(label_columns_of(header, source, **{"label_columns": None, "label_file": None, **said}).columns)
    columns = [_Feature(each) for j, each in enumerate(header.attributes) if j not in labels]
    place = dict(zip((j for j in range(len(header.attributes)) if j not in labels), columns, strict=True))
    rows = _Rows(len(header.attributes))
    n_rows = 0
    for number, is_sparse, cells in rows.read(lines):
        for column, cell in cells if is_sparse else enumerate(cells):
            feature = place.get(int(column))
            if feature is not None:
                text = cell if isinstance(cell, str) else cell.decode("latin-1")
                feature.take(unquoted(text.strip()), n_rows, number)
        n_rows += 1
    if rows.n_sparse and all(each.codes is not None or each.texts is None for each in columns):
        entries = [(np.asarray(each.rows), np.asarray(each.numbers)) for each in columns]
        indptr = np.concatenate([[0], np.cumsum([len(at) for at, _ in entries])])
        at, values = (np.concatenate(each) for each in zip(*entries, strict=True)) if entries else ([], [])
        found = sp.csr_array(sp.csc_array((values, at, indptr), shape=(n_rows, len(columns))))
        found.eliminate_zeros()
        return found
    return _frame(columns, n_rows)


class _Feature:
    """The cells of one column that is no label, as far as they are not left out of sparse rows."""

    def __init__(self, attribute: Attribute) -> None:
        self.name, self.values = attribute.name, attribute.values
        self.codes = dict(zip(self.values, (0.0, 1.0), strict=True)) if len(self.values) == 2 else None
        self.texts: list[str] | None = [] if len(self.values) > 2 or attribute.is_text else None
        self.rows, self.numbers = array("q"), array("d")

    def take(self, text: str, row: int, number: int) -> None:
        """Take a cell."""
        self.rows.append(row)
        if self.texts is not None:
            self.texts.append(text)
            return
        try:
            value = float("nan") if text in ("", "?") else float(text) if self.codes is None else self.codes[text]
        except (ValueError, KeyError):
            value = float("inf")
        if np.isinf(value):
            rule = "a number is needed" if self.codes is None else f"it is declared as {listed(list(self.values))}"
            msg = f"Line {number:,}: the feature {clean_name(self.name)!r} is {clean_name(text, 40)!r}; {rule}."
            raise FormatError(msg)
        self.numbers.append(value)


def _frame(columns: list[_Feature], n_rows: int) -> Any:
    import pandas as pd  # heavy, and few ask for features

    held: dict[str, Any] = {}
    for each in columns:
        if each.texts is None:
            values = np.zeros(n_rows)
            values[np.asarray(each.rows, dtype=np.int64)] = each.numbers
            held[each.name] = values
        else:
            omitted = each.values[0] if each.values else ""
            texts: list[str | None] = [omitted] * n_rows
            for row, text in zip(each.rows, each.texts, strict=True):
                texts[row] = None if text == "?" else text
            held[each.name] = pd.Categorical(texts, categories=list(each.values)) if each.values else texts
    return pd.DataFrame(held)
