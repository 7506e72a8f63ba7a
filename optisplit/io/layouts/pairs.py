"""Labels read from a line for each pair of row and label, with or without a value."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, argument
from optisplit.io.layouts import arrow
from optisplit.io.layouts.boxes import counted_instances
from optisplit.io.layouts.collector import NOTHING, Numbered, once_each
from optisplit.io.layouts.long import VALUE_WORDS
from optisplit.io.layouts.values import Valued, add_rows_without, decide, in_rows
from optisplit.io.parsed import Parsed
from optisplit.io.source import read_names
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from optisplit.io.layouts.long import LongColumns
    from optisplit.io.source import Source
    from optisplit.io.tables.table import Table


_OPEN_IMAGES_CLASS = re.compile(r"/[a-z]/\w+")
_CLASS_TABLES = tuple(
    f"{version}class-descriptions{which}.csv" for version in ("", "oidv7-", "oidv6-") for which in ("-boxable", "")
)


@dataclass(slots=True)
class _Pairs:
    """Pairs as they were read: row and label by number, and a value each if there is one."""

    rows: Numbered
    labels: Numbered
    row_numbers: NDArray[np.int32]
    label_numbers: NDArray[np.int32]
    values: NDArray[np.float64] | None = None


def read_pairs(long: LongColumns, table: Table, text: tuple[str, int] | None, threshold: float | None) -> Parsed:
    """Read a line for each pair of row and label."""
    names, source = table.names, table.source
    known = _rows_beside(source)
    read = None
    if text is not None and not long.joint:
        read = arrow.pairs(source, text, len(names), long.columns, known or [])
    if read is not None and long.boxes and NOTHING in read[3]:
        read = None  # whether these have boxes is to be looked up
    pairs = _Pairs(*read) if read is not None else _read(long, table, known or [])
    label_name = names[long.label]
    if not pairs.labels.names:
        msg = f"{source.name!r} has no label in the column {label_name!r}."
        raise FormatError(msg)
    is_named = pairs.label_numbers != NOTHING
    empty = np.setdiff1d(pairs.row_numbers[~is_named], pairs.row_numbers[is_named])
    if not is_named.all():
        pairs.row_numbers, pairs.label_numbers = pairs.row_numbers[is_named], pairs.label_numbers[is_named]
        pairs.values = None if pairs.values is None else pairs.values[is_named]
    if long.joint:
        _refuse_gaps(pairs, long, names)
    parsed = _decided(pairs, long, names, threshold)
    parsed.key = names[long.row]
    _name_labels(parsed, source)
    if not (long.boxes and len(empty)):
        _add_notes(parsed, pairs, known, source)
    if len(empty) and long.boxes:
        parsed.notes.append(f"{counted(len(empty), 'row', 'has')} a line without a box and a label: nothing is there.")
    elif len(empty):
        told = (
            f"{counted(len(empty), 'row', 'has')} lines without a label in the column {label_name!r}, the "
            f"first one {clean_name(pairs.rows.names[int(empty[0])])!r}. That may mean that these rows have no labels, "
            "or that nobody has labelled them."
        )
        add_rows_without(parsed, empty, told)
    return parsed


def _decided(pairs: _Pairs, long: LongColumns, names: Sequence[str], threshold: float | None) -> Parsed:
    shape = (len(pairs.rows.names), len(pairs.labels.names))
    if long.boxes:
        matrix, counts = counted_instances(pairs.row_numbers, pairs.label_numbers, shape)
        parsed = Parsed(matrix, pairs.labels.names, pairs.rows.names, counts=counts)
        parsed.notes.append("Each line has a box, and counts as an instance of its label.")
        return parsed
    if pairs.values is None or long.value is None:
        matrix, n_repeated = once_each(in_rows(pairs.row_numbers, pairs.label_numbers, shape))
        parsed = Parsed(matrix, pairs.labels.names, pairs.rows.names)
        if n_repeated:
            parsed.notes.append(f"{counted(n_repeated, 'line', 'repeats')} a pair of row and label; it counts once.")
        return parsed
    value = names[long.value]
    aside = " " + argument("label_columns", [names[long.row], names[long.label]])
    known = pairs.values[~np.isnan(pairs.values)]
    decided = decide(
        Valued(
            pairs.row_numbers, pairs.label_numbers, pairs.values, shape, f"the column {clean_name(value)!r}",
            pairs.labels.names, lambda row: f"the row {clean_name(pairs.rows.names[row])!r}",
            is_counted=bool((known >= 0).all() and (known == np.floor(known)).all()),
            aside="" if long.joint else aside + " reads the pairs alone.",
        ),
        threshold,
    )  # fmt: skip
    parsed = Parsed(decided.labels, pairs.labels.names, pairs.rows.names, notes=decided.notes, unknown=decided.unknown,
                    counts=decided.counts, guesses=decided.guesses)  # fmt: skip
    parsed.details["Values"] = decided.told
    return parsed


def _refuse_gaps(pairs: _Pairs, long: LongColumns, names: Sequence[str]) -> None:
    """Refuse names that were parted into row and label, if rows do not all have the same labels."""
    n_rows, n_labels = len(pairs.rows.names), len(pairs.labels.names)
    matrix, _ = once_each(in_rows(pairs.row_numbers, pairs.label_numbers, (n_rows, n_labels)))
    if matrix.nnz == n_rows * n_labels:
        return
    sizes = np.diff(matrix.indptr)
    row = int(np.argmin(sizes))
    value = names[long.value] if long.value is not None else ""
    msg = (
        f"The names in the column {clean_name(names[long.row])!r} look like those of a row and a label with "
        f"{long.joint!r} between, but not all rows have all {n_labels:,} labels: "
        f"{clean_name(pairs.rows.names[row])!r} has {int(sizes[row]):,}. If they name rows, "
    )
    one_hot = argument("layout", "one-hot") + " and " + argument("label_columns", [value])
    raise FormatError(msg + one_hot + f" read {clean_name(value)!r} as the one label.")


def _add_notes(parsed: Parsed, pairs: _Pairs, known: list[str] | None, source: Source) -> None:
    if known is None and pairs.values is None:
        parsed.notes.append(
            "Rows without any label are not in such a file; if there are some, name all rows in a file beside it that "
            f"ends in .rows.txt ({clean_name(source.stem)}.rows.txt), one a line."
        )
    elif known is not None and len(pairs.rows.names) > len(known):
        n_more = len(pairs.rows.names) - len(known)
        parsed.notes.append(f"{counted(n_more, 'row', 'is')} not in the list of rows beside the file.")


def _read(long: LongColumns, table: Table, known: list[str]) -> _Pairs:
    names = table.names
    rows, labels = Numbered(), Numbered()
    rows.of(known)
    parts: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    values: list[NDArray[np.float64]] = []
    for lines, columns in table.chunks({*long.columns, *long.boxes[:1]}):
        row_cells, label_cells = _texts(columns[long.row]), _texts(columns[long.label])
        if long.joint:
            row_cells, label_cells = zip(*map(long.parting, row_cells), strict=True)
        row_numbers, label_numbers = rows.of(row_cells), labels.of(label_cells)
        if NOTHING in row_numbers:
            line = lines[int(np.flatnonzero(row_numbers == NOTHING)[0])]
            told = f"{table.unit.capitalize()} {line:,} of {table.source.name!r} has no row in the column "
            raise FormatError(told + f"{names[long.row]!r}.")
        if long.boxes and NOTHING in label_numbers:
            _refuse_nameless(columns[long.boxes[0]], label_numbers, lines, table, names[long.label])
        parts.append((row_numbers, label_numbers))
        if long.value is not None:
            values.append(_numbers(columns[long.value], lines, f"{clean_name(names[long.value])!r}", table.unit))
    row_numbers, label_numbers = (np.concatenate([part[each] for part in parts]) for each in (0, 1))
    return _Pairs(rows, labels, row_numbers, label_numbers, np.concatenate(values) if values else None)


def _refuse_nameless(
    side: Sequence[Any], labels: NDArray[np.int32], lines: Sequence[int], table: Table, label_name: str
) -> None:
    """Refuse lines that have a box, but no label."""
    nameless = [at for at in np.flatnonzero(labels == NOTHING).tolist() if str(side[at] or "").strip()]
    if nameless:
        msg = (
            f"{counted(len(nameless), table.unit, 'has')} in {table.source.name!r} a box, but nothing in the column "
            f"{clean_name(label_name)!r}, first in {table.unit} {lines[nameless[0]]:,}."
        )
        raise FormatError(msg)


def _numbers(column: Sequence[Any], lines: Sequence[int], name: str, unit: str) -> NDArray[np.float64]:
    """Read the values of pairs."""
    cells = _texts(column)
    try:
        return np.array(cells, dtype=np.float64)
    except ValueError:
        pass
    values = np.empty(len(cells))
    for at, cell in enumerate(cells):
        word = cell.strip().lower()
        try:
            values[at] = VALUE_WORDS[word] if word in VALUE_WORDS else float(word.replace(",", "."))
        except ValueError:
            msg = (
                f"The column {name} has in {unit} {lines[at]:,} {clean_name(cell, 40)!r}, which is no value of a label."
            )
            raise FormatError(msg) from None
    return values


def _texts(column: Sequence[Any]) -> Sequence[str]:
    if all(type(cell) is str for cell in column):
        return column
    return ["" if cell is None else cell if isinstance(cell, str) else str(cell) for cell in column]


def _name_labels(parsed: Parsed, source: Source) -> None:
    """Name the classes of Open Images by the table of them beside the file."""
    numbered = parsed.label_names or []
    if not all(map(_OPEN_IMAGES_CLASS.fullmatch, numbered)) or (path := source.neighbour(*_CLASS_TABLES)) is None:
        return
    try:
        titles = {line[0].strip(): line[1].strip() for line in csv.reader(read_names(path)) if len(line) > 1}
    except csv.Error as error:
        msg = f"{path.name!r} is no table of classes and their names ({error}); repair it, or take it away."
        raise FormatError(msg) from error
    parsed.label_names = [titles.get(each) or each for each in numbered]
    n_named = sum(each in titles for each in numbered)
    parsed.details["Names of labels"] = f"{n_named:,} of {len(numbered):,} from {clean_name(path.name)!r}"


def _rows_beside(source: Source) -> list[str] | None:
    path = source.sibling(".rows.txt")
    return None if path is None else read_names(path)
