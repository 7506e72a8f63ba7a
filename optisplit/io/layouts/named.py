"""Labels that cells of a table name: a list in one column, a name in each of several, or a line for each pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, argument
from optisplit.io.layouts import arrow
from optisplit.io.layouts.absent import settle_absent
from optisplit.io.layouts.amounts import read_amounts
from optisplit.io.layouts.cells import values_words
from optisplit.io.layouts.collector import Collector
from optisplit.io.layouts.columns import as_said
from optisplit.io.layouts.dictionary_columns import read_dictionary_column
from optisplit.io.layouts.find import ASKED
from optisplit.io.layouts.one_hot import read_one_hot
from optisplit.io.layouts.pairs import read_pairs
from optisplit.io.layouts.sample import made_up_name
from optisplit.io.layouts.tags import is_odd_list, labels_in, parse_list, within_marks
from optisplit.io.layouts.values import refuse_threshold
from optisplit.io.parsed import Parsed, Unknown
from optisplit.io.tables.table import Guess
from optisplit.text import clean_name, counted, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from optisplit.io.layouts.find import LayoutChoice
    from optisplit.io.source import Source
    from optisplit.io.tables.table import Table, TableOptions

_ODD = frozenset("[{ \t\r\n")  # a label that begins so may be a list that could not be read
_OPENING = frozenset("[({")


def read_as_chosen(choice: LayoutChoice, table: Table, options: TableOptions) -> Parsed:
    """Read a table's labels in the layout that was found."""
    parsed = _read(choice, table, options)
    parsed.notes = [*choice.notes, *parsed.notes]
    parsed = settle_absent(parsed, options.absent_label)
    parsed.guesses = [*_guesses(choice, parsed, options), *parsed.guesses]
    return parsed


def _read(choice: LayoutChoice, table: Table, options: TableOptions) -> Parsed:
    names, id_column, source, text = table.names, table.id_column, table.source, table.text
    if choice.layout == "one-hot":
        if options.threshold is not None:
            return read_amounts(table, options.label_columns, options.threshold)
        return read_one_hot(names, table.chunks(None), id_column, options.label_columns, source)
    if text is not None and source.n_bytes <= arrow.LARGE_BYTES:
        text = None
    if choice.layout == "long":
        assert choice.long is not None  # found with the layout
        return _described(read_pairs(choice.long, table, text, options.threshold), choice, names)
    id_column = None if id_column in choice.columns else id_column
    if choice.kind == "dictionaries" and choice.layout == "tags":
        return _described(read_dictionary_column(choice.columns[0], id_column, table, options.threshold), choice, names)
    if choice.layout == "tags" and choice.separator is None and table.lists is not None:
        lists = table.lists(choice.columns[0], id_column)
        if lists is not None:
            id_name = None if id_column is None else names[id_column]
            parsed = arrow.label_lists(lists, names[choice.columns[0]], id_name, source, options.threshold)
            return _described(parsed, choice, names)
    if choice.layout == "wide" and choice.kind == "names" and text is not None:
        read = _read_wide(choice, names, id_column, source, text)
        if read is not None:
            return _described(read, choice, names)
    return _described(_read_named(choice, table, id_column, options.threshold), choice, names)


def _guesses(choice: LayoutChoice, parsed: Parsed, options: TableOptions) -> list[Guess]:
    """Say what was guessed, and what else it could be."""
    guesses = []
    why = choice.why if choice.why != ASKED else "nothing else looks as much like labels"
    if choice.layout == "one-hot" and options.threshold is not None:
        why = "they hold numbers from 0 on"
    elif choice.layout == "one-hot" and choice.why != ASKED and parsed.unknown:
        why = f"every value in them is {values_words({each.option for each in parsed.unknown})}"
    for option in ("layout", "label_columns", "label_separator"):
        asked = getattr(options, option)
        others = tuple(value for name, value in choice.others if name == option)
        if asked is None and (option in parsed.options or others):
            is_sure = choice.is_sure or not others
            guesses.append(Guess(option, parsed.options.get(option), why, is_sure=is_sure, others=others))
    return guesses


def _read_named(choice: LayoutChoice, table: Table, id_column: int | None, threshold: float | None) -> Parsed:
    names, source, unit = table.names, table.source, table.unit
    collector = Collector()
    row_ids: list[str] = []
    empty_rows: list[NDArray[np.int64]] = []
    first_empty = 0
    has_empty_lists = False
    first: list[str] = []
    for lines, columns in table.chunks({*choice.columns, *([] if id_column is None else [id_column])}):
        cells = _labels_of(choice, [columns[column] for column in choice.columns])
        if cells.odd is not None:
            raise FormatError(_odd_cell(choice, *cells.odd, f"{unit} {lines[cells.odd[0]]:,}", names))
        first = first or _first_rows(cells.labels, cells.counts)
        start = collector.n_rows
        is_empty = ~collector.extend(cells.labels, cells.counts) & ~cells.is_empty_list
        has_empty_lists = has_empty_lists or bool(cells.is_empty_list.any())
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
    parsed = _collected(collector, choice, first, row_ids if id_column is not None else None, threshold)
    if empty_rows:
        without = np.concatenate(empty_rows)
        explicit = " Rows without labels are written [] elsewhere." if has_empty_lists else ""
        told = (
            f"There is no label in {counted(len(without), 'row')} of {where}, first in {unit} {first_empty:,}. That "
            f"may mean that they have no labels, or that nobody has labelled them.{explicit}"
        )
        parsed.unknown.append(Unknown("missing", told, rows=without))
    return parsed


def _collected(
    collector: Collector, choice: LayoutChoice, first: list[str], row_ids: list[str] | None, threshold: float | None
) -> Parsed:
    """Make what was collected into labels."""
    vectors = collector.vectors(threshold) if choice.layout == "tags" else None
    if vectors is not None:
        parsed = Parsed(vectors)
    else:
        refuse_threshold(threshold)
        parsed = Parsed(collector.matrix(), collector.numbers.names, notes=collector.notes())
    parsed.row_ids = row_ids
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
    return _collected(collector, choice, first, row_ids if id_column is not None else None, None)


def _odd_cell(choice: LayoutChoice, _: int, cell: str, place: str, names: Sequence[str]) -> str:
    """Write the error for a cell that is not as the others are."""
    where, shown = f"The column {clean_name(names[choice.columns[0]])!r}", clean_name(cell.strip(), 60)
    if choice.kind in ("marks", "digits"):
        held = f"tags with {choice.marks!r} at each" if choice.kind == "marks" else "a row of 0 and 1 in each cell"
        msg = f"{where} has {held}, but {shown!r} in {place}; write it as the others, or give "
        return msg + argument("label_separator") + " if something else stands between labels."
    if len(choice.columns) > 1:
        where = "A column of labels"
    return (
        f"{where} has in {place} what looks like a list but is none of names or numbers: {shown!r}; write the names of "
        "the labels alone, such as ['a', 'b']."
    )


@dataclass(slots=True)
class _Labels:
    """The labels of some cells, one after the other."""

    labels: list[str]
    counts: list[int]  # how many each row has
    is_empty_list: NDArray[np.bool_]  # rows that have a list with nothing in it
    odd: tuple[int, str] | None = None  # the first cell that cannot be read


def _labels_of(choice: LayoutChoice, columns: list[Sequence[Any]]) -> _Labels:
    if choice.layout == "wide":
        return _side_by_side(columns) if choice.kind == "names" else _together(columns, choice.separator)
    if choice.kind == "lists":
        return _parted(columns[0], choice.separator)
    labels: list[str] = []
    counts: list[int] = []
    width = 0
    for at, cell in enumerate(columns[0]):
        bare = cell.strip() if isinstance(cell, str) else ""
        width = width or len(bare)
        is_odd = choice.kind == "digits" and bare and (bare.strip("01") or len(bare) != width)
        found = within_marks(bare, choice.marks) if choice.kind == "marks" and bare else list(bare)
        if found is None or is_odd:
            return _Labels(labels, counts, np.zeros(at, dtype=bool), (at, str(cell)))
        labels += found
        counts.append(len(found))
    return _Labels(labels, counts, np.zeros(len(counts), dtype=bool))


def _parted(column: Sequence[Any], separator: str | None) -> _Labels:
    """Part the labels of all cells."""
    is_empty_list = np.zeros(len(column), dtype=bool)
    if not any(not isinstance(cell, str) or cell.lstrip()[:1] in _OPENING or cell[-1:] == ")" for cell in column):
        if separator is None:
            return _Labels(list(column), [1] * len(column), is_empty_list)
        counts = [cell.count(separator) + 1 for cell in column]
        if len(separator) == 1:
            return _Labels(separator.join(column).split(separator), counts, is_empty_list)
        return _Labels([label for cell in column for label in cell.split(separator)], counts, is_empty_list)
    labels: list[str] = []
    counts = []
    for at, cell in enumerate(column):
        found = labels_in(cell, separator) if type(cell) is str else _labels_of_cell(cell, separator)
        if not found or found[0][:1] in _ODD:  # seldom
            found = _labels_of_cell(cell, separator)
            if found is None:
                return _Labels(labels, counts, is_empty_list, (at, str(cell)))
            is_empty_list[at] = not found and not _is_blank(cell)
        counts.append(len(found))
        labels += found
    return _Labels(labels, counts, is_empty_list)


def _together(columns: list[Sequence[Any]], separator: str | None) -> _Labels:
    """Put the labels of several columns together, row by row: names, and lists of names."""
    is_empty_list = np.zeros(len(columns[0]), dtype=bool)
    labels: list[str] = []
    counts: list[int] = []
    for at, cells in enumerate(zip(*columns, strict=True)):
        before = len(labels)
        for cell in cells:
            found = _labels_of_cell(cell, separator)
            if found is None:
                return _Labels(labels, counts, is_empty_list, (at, str(cell)))
            labels += found
            is_empty_list[at] |= not found and not _is_blank(cell)
        counts.append(len(labels) - before)
    return _Labels(labels, counts, is_empty_list)


def _labels_of_cell(cell: Any, separator: str | None) -> list[str] | None:
    """Give the labels of a cell; None where it is an odd list."""
    if isinstance(cell, dict):
        return None if cell else []
    found = labels_in(cell, separator) or []
    if found and isinstance(cell, str) and found[0].lstrip()[:1] in _ODD:
        bare = cell.strip()
        if parse_list(bare) is None and is_odd_list(bare):
            return None
    return found


def _is_blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _side_by_side(columns: list[Sequence[Any]]) -> _Labels:
    cells = [cell if isinstance(cell, str) else "" for row in zip(*columns, strict=True) for cell in row]
    counts = [len(columns)] * len(columns[0])
    return _Labels(cells, counts, np.zeros(len(counts), dtype=bool))


def _first_rows(labels: list[str], counts: list[int]) -> list[str]:
    ends = np.cumsum(counts[:5]).tolist()
    rows = [labels[end - count : end] for end, count in zip(ends, counts, strict=False)]
    return [", ".join(clean_name(each) for each in row if each.strip()) or "(none)" for row in rows]


def _called(choice: LayoutChoice, names: Sequence[str]) -> str:
    shown = named([clean_name(names[column]) for column in choice.columns])
    return f"the column {shown}" if len(choice.columns) == 1 else f"the columns {shown}"


def _described(parsed: Parsed, choice: LayoutChoice, names: Sequence[str]) -> Parsed:
    """Say how labels were read, and by which options they are read so again."""
    n_labels = parsed.labels.shape[1]
    where = _called(choice, names)
    is_vector = choice.layout == "tags" and parsed.label_names is None
    if is_vector and list(names) == [made_up_name(1)]:  # the lines of a table that nothing parts
        parsed.label_names = [made_up_name(number) for number in range(1, n_labels + 1)]
    if is_vector:
        parsed.rule = f"{n_labels:,} labels, by number: {where} has a row of 0 and 1 for each row."
    elif choice.kind == "dictionaries":
        parsed.rule = f"{n_labels:,} labels are the keys of dictionaries in {where}: {parsed.details['Values']}."
    elif choice.layout == "tags" and not parsed.rule:
        between = f", with {choice.separator!r} between" if choice.separator is not None else ""
        between += f", with {choice.marks!r} at each, which are no part of them" if choice.marks else ""
        parsed.rule = f"{n_labels:,} labels are named in {where}{between}: {choice.why}."
        parsed.details["Between labels"] = (
            repr(choice.separator) if choice.separator else "nothing: lists, or one label"
        )
    elif choice.layout == "wide":
        between = f", also as lists with {choice.separator!r} between" if choice.separator is not None else ""
        parsed.rule = f"{n_labels:,} labels are named in {where}{between}: {choice.why}."
    elif choice.layout == "long":
        parsed.rule = _rule_of_long(parsed, choice, names)
    parsed.options["layout"] = choice.layout
    if (said := as_said(choice.columns, names)) is not None:
        column_names = [names[column] for column in choice.columns]
        is_clear = all(list(names).count(name) == 1 for name in column_names)
        parsed.options["label_columns"] = column_names if is_clear else said
    if choice.separator is not None:
        parsed.options["label_separator"] = choice.separator
    return parsed


def _rule_of_long(parsed: Parsed, choice: LayoutChoice, names: Sequence[str]) -> str:
    n_labels = parsed.labels.shape[1]
    row, *others = (clean_name(names[column]) for column in choice.columns)
    if choice.long is not None and choice.long.joint:
        told = f"{n_labels:,} labels and their rows are named in the column {row!r}, with {choice.long.joint!r} between"
    else:
        told = f"{n_labels:,} labels are named in the column {others[0]!r}, a line for each row in {row!r}"
    values = f"; in {others[-1]!r}, {parsed.details['Values']}" if "Values" in parsed.details else ""
    return f"{told}: {choice.why}{values}."
