"""Labels that cells of a table name: a list in one column, a name in each of several, or a line for each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError
from optisplit.io.layouts import arrow
from optisplit.io.layouts.collector import NOTHING, Collector, Numbered, once_each
from optisplit.io.layouts.one_hot import read_one_hot
from optisplit.io.layouts.tags import is_odd_list, labels_in, parse_list
from optisplit.io.parsed import Parsed, Unknown
from optisplit.io.source import read_names
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from optisplit.io.layouts.find import LayoutChoice
    from optisplit.io.source import Source
    from optisplit.io.tables.table import Chunk, Table, TableOptions

_OPENING = frozenset("[({")


def read_as_chosen(choice: LayoutChoice, table: Table, options: TableOptions) -> Parsed:
    """Read a table's labels in the layout that was found."""
    names, id_column, source, text = table.names, table.id_column, table.source, table.text
    if choice.layout == "one-hot":
        parsed = read_one_hot(names, table.chunks(None), id_column, options.label_columns, source)
        parsed.notes += choice.notes
        return parsed
    id_column = None if id_column in choice.columns else id_column
    if choice.layout == "tags" and choice.separator is None and table.lists is not None:
        lists = table.lists(choice.columns[0], id_column)
        if lists is not None:
            id_name = None if id_column is None else names[id_column]
            parsed = arrow.label_lists(lists, names[choice.columns[0]], id_name, source)
            parsed.notes = [*choice.notes, *parsed.notes]
            parsed.options = {"layout": "tags", "label_columns": [names[choice.columns[0]]]}
            return parsed
    rows = table.chunks({*choice.columns, *([] if id_column is None else [id_column])})
    if text is not None and source.n_bytes <= arrow.LARGE_BYTES:
        text = None
    if choice.layout == "long":
        parsed = _read_pairs(choice, names, rows, source, text)
    else:
        by_arrow = None if text is None or choice.layout != "wide" else (
            _read_wide(choice, names, id_column, source, text)
        )  # fmt: skip
        parsed = by_arrow or _read_named(choice, names, rows, id_column, source, table.unit)
    return _described(parsed, choice, names)


def _read_named(
    choice: LayoutChoice,
    names: Sequence[str],
    chunks: Iterable[Chunk],
    id_column: int | None,
    source: Source,
    unit: str,
) -> Parsed:
    collector = Collector()
    row_ids: list[str] = []
    empty_rows: list[NDArray[np.int64]] = []
    first_empty = 0
    has_empty_lists = False
    first: list[str] = []
    for lines, columns in chunks:
        if choice.layout == "tags":
            column = columns[choice.columns[0]]
            labels, counts, is_empty_list, odd = _parted(column, choice.separator)
            if odd is not None:
                raise FormatError(_odd_list(column[odd], f"{unit} {lines[odd]:,}", names[choice.columns[0]]))
        else:
            labels, counts = _side_by_side([columns[column] for column in choice.columns])
            is_empty_list = np.zeros(len(counts), dtype=bool)
        first = first or _first_rows(labels, counts)
        start = collector.n_rows
        is_empty = ~collector.extend(labels, counts) & ~is_empty_list
        has_empty_lists = has_empty_lists or bool(is_empty_list.any())
        if is_empty.any():
            at = np.flatnonzero(is_empty)
            first_empty = first_empty or lines[at[0]]
            empty_rows.append(start + at)
        if id_column is not None:
            row_ids.extend("" if cell is None else str(cell) for cell in columns[id_column])
    where = _called(choice, names)
    if not collector.numbers.names:
        msg = f"{source.name!r} has no label in any row of {where}."
        raise FormatError(msg)
    parsed = _collected(collector, choice, first, row_ids if id_column is not None else None)
    if empty_rows:
        without = np.concatenate(empty_rows)
        explicit = " Rows without labels are written [] elsewhere." if has_empty_lists else ""
        told = (
            f"There is no label in {counted(len(without), 'row')} of {where}, first in {unit} {first_empty:,}. That "
            f"may mean that they have no labels, or that nobody has labelled them.{explicit}"
        )
        parsed.unknown.append(Unknown("missing", told, rows=without))
    return parsed


def _collected(collector: Collector, choice: LayoutChoice, first: list[str], row_ids: list[str] | None) -> Parsed:
    """Make what was collected into labels."""
    vectors = collector.vectors() if choice.layout == "tags" else None
    if vectors is not None:
        parsed = Parsed(vectors)
    else:
        parsed = Parsed(collector.matrix(), collector.numbers.names, notes=collector.notes())
    parsed.row_ids = row_ids
    parsed.notes = [*choice.notes, *parsed.notes]
    parsed.details["First rows"] = "; ".join(first)
    return parsed


def _read_wide(
    choice: LayoutChoice, names: Sequence[str], id_column: int | None, source: Source, text: tuple[str, int]
) -> Parsed | None:
    """Read a large file of columns of names; None where the careful way is needed, as for rows without any."""
    read = arrow.names_side_by_side(source, text, len(names), choice.columns, id_column)
    collector = Collector()
    row_ids: list[str] = []
    first: list[str] = []
    try:
        for cells, places, ids in read:
            if not first:
                counts = [places.shape[1]] * min(5, len(places))
                first = _first_rows([cells[at] for at in places[:5].reshape(-1).tolist()], counts)
            if not collector.extend_numbered(cells, places).all():
                return None
            row_ids += ids
    except arrow.NotAsExpectedError:
        return None
    if not collector.numbers.names:
        return None
    return _collected(collector, choice, first, row_ids if id_column is not None else None)


def _odd_list(cell: str, place: str, name: str) -> str:
    return (
        f"The column {clean_name(name)!r} has in {place} what looks like a list but is none of names or numbers: "
        f"{clean_name(cell.strip(), 60)!r}; write the names of the labels alone, such as ['a', 'b']."
    )


def _parted(column: Sequence[Any], separator: str | None) -> tuple[list[str], list[int], NDArray[np.bool_], int | None]:
    """Give the labels of all cells, how many each has, which are lists with nothing in them, and the first odd list."""
    is_empty_list = np.zeros(len(column), dtype=bool)
    if not any(cell is None or isinstance(cell, list) or cell.lstrip()[:1] in _OPENING for cell in column):
        if separator is None:
            return list(column), [1] * len(column), is_empty_list, None
        counts = [cell.count(separator) + 1 for cell in column]
        if len(separator) == 1:
            return separator.join(column).split(separator), counts, is_empty_list, None
        return [label for cell in column for label in cell.split(separator)], counts, is_empty_list, None
    labels: list[str] = []
    counts = []
    for at, cell in enumerate(column):
        found = labels_in(cell, separator)
        if not found:
            is_empty_list[at] = found == []
            counts.append(0)
            continue
        if found[0].lstrip()[:1] in ("[", "{") and isinstance(cell, str):
            bare = cell.strip()
            if parse_list(bare) is None and is_odd_list(bare):
                return labels, counts, is_empty_list, at
        labels += found
        counts.append(len(found))
    return labels, counts, is_empty_list, None


def _side_by_side(columns: list[Sequence[Any]]) -> tuple[list[str], list[int]]:
    cells = [cell if isinstance(cell, str) else "" for row in zip(*columns, strict=True) for cell in row]
    return cells, [len(columns)] * len(columns[0])


def _first_rows(labels: list[str], counts: list[int]) -> list[str]:
    ends = np.cumsum(counts[:5]).tolist()
    rows = [labels[end - count : end] for end, count in zip(ends, counts, strict=False)]
    return [", ".join(clean_name(each) for each in row if each.strip()) or "(none)" for row in rows]


def _called(choice: LayoutChoice, names: Sequence[str]) -> str:
    shown = listed([clean_name(names[column]) for column in choice.columns])
    return f"the column {shown}" if len(choice.columns) == 1 else f"the columns {shown}"


def _described(parsed: Parsed, choice: LayoutChoice, names: Sequence[str]) -> Parsed:
    n_labels = parsed.labels.shape[1]
    where = _called(choice, names)
    column_names = [names[column] for column in choice.columns]
    if choice.layout == "tags" and parsed.label_names is None:
        parsed.rule = f"{n_labels:,} labels: {where} has a row of 0 and 1 for each row."
    elif choice.layout == "tags":
        between = f", with {choice.separator!r} between" if choice.separator is not None else ""
        parsed.rule = f"{n_labels:,} labels are named in {where}{between}: {choice.why}."
        parsed.details["Between labels"] = (
            repr(choice.separator) if choice.separator else "nothing: lists, or one label"
        )
    elif choice.layout == "wide":
        parsed.rule = f"{n_labels:,} labels are named in {where}: {choice.why}."
    else:
        row, label = (clean_name(name) for name in column_names)
        parsed.rule = (
            f"{n_labels:,} labels are named in the column {label!r}, a line for each row in {row!r}: {choice.why}."
        )
    parsed.options["layout"] = choice.layout
    if all(list(names).count(name) == 1 for name in column_names):  # otherwise naming them would not do
        parsed.options["label_columns"] = column_names
    if choice.separator is not None:
        parsed.options["label_separator"] = choice.separator
    return parsed


def _read_pairs(
    choice: LayoutChoice, names: Sequence[str], chunks: Iterable[Chunk], source: Source, text: tuple[str, int] | None
) -> Parsed:
    """Read a line for each pair of row and label."""
    known = _rows_beside(source)
    row_column, label_column = choice.columns
    read = None if text is None else arrow.pairs(source, text, len(names), (row_column, label_column), known or [])
    rows, labels, row_numbers, label_numbers = read or _numbered_pairs(choice, names, chunks, source, known or [])
    if not labels.names:
        msg = f"{source.name!r} has no label in the column {names[label_column]!r}."
        raise FormatError(msg)
    is_named = label_numbers != NOTHING
    empty = np.setdiff1d(row_numbers[~is_named], row_numbers[is_named])
    n_named = int(is_named.sum())
    shape = (len(rows.names), len(labels.names))
    if n_named < len(is_named):
        row_numbers, label_numbers = row_numbers[is_named], label_numbers[is_named]
    matrix, n_repeated = once_each(_in_rows(row_numbers, label_numbers, shape))
    parsed = Parsed(matrix, labels.names, rows.names)
    parsed.notes = list(choice.notes)
    if known is None:
        parsed.notes.append(
            "Rows without any label are not in such a file; if there are some, name all rows in a file beside it that "
            f"ends in .rows.txt ({clean_name(source.stem)}.rows.txt), one a line."
        )
    elif len(rows.names) > len(known):
        n_more = len(rows.names) - len(known)
        parsed.notes.append(f"{counted(n_more, 'row', 'is')} not in the list of rows beside the file.")
    if n_repeated:
        parsed.notes.append(f"{counted(n_repeated, 'line', 'repeats')} a pair of row and label; it counts once.")
    if len(empty):
        told = (
            f"{counted(len(empty), 'row', 'has')} lines without a label in the column {names[label_column]!r}, the "
            f"first one {clean_name(rows.names[int(empty[0])])!r}. That may mean that these rows have no labels, or "
            "that nobody has labelled them."
        )
        parsed.unknown.append(Unknown("missing", told, rows=empty))
    return parsed


def _numbered_pairs(
    choice: LayoutChoice, names: Sequence[str], chunks: Iterable[Chunk], source: Source, known: list[str]
) -> tuple[Numbered, Numbered, NDArray[np.int32], NDArray[np.int32]]:
    rows, labels = Numbered(), Numbered()
    rows.of(known)
    parts: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    row_column, label_column = choice.columns
    for lines, columns in chunks:
        row_numbers, label_numbers = rows.of(_texts(columns[row_column])), labels.of(_texts(columns[label_column]))
        if NOTHING in row_numbers:
            line = lines[int(np.flatnonzero(row_numbers == NOTHING)[0])]
            msg = f"Line {line:,} of {source.name!r} has no row in the column {names[row_column]!r}."
            raise FormatError(msg)
        parts.append((row_numbers, label_numbers))
    row_numbers, label_numbers = (np.concatenate([part[each] for part in parts]) for each in (0, 1))
    return rows, labels, row_numbers, label_numbers


def _texts(column: Sequence[Any]) -> Sequence[str]:
    if all(type(cell) is str for cell in column):
        return column
    return ["" if cell is None else cell if isinstance(cell, str) else str(cell) for cell in column]


def _in_rows(rows: NDArray[np.int32], labels: NDArray[np.int32], shape: tuple[int, int]) -> sp.csr_array:
    """Make a CSR matrix of pairs, those that are repeated included."""
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    if (rows[1:] < rows[:-1]).any():
        labels = labels[np.argsort(rows, kind="stable")]
    return sp.csr_array((np.ones(len(labels), dtype=np.int8), labels, indptr), shape=shape)


def _rows_beside(source: Source) -> list[str] | None:
    path = source.sibling(".rows.txt")
    return None if path is None else read_names(path)
