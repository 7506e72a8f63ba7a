"""JSON Lines, and JSON lists of objects: a table whose cells can be lists."""

from __future__ import annotations

import json
import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal

from optisplit.errors import FormatError
from optisplit.io.layouts import arrow
from optisplit.io.layouts.columns import chosen_columns
from optisplit.io.layouts.find import find_ids, find_layout, has_label_name
from optisplit.io.layouts.named import read_as_chosen
from optisplit.io.layouts.tags import as_cell, as_text, as_texts
from optisplit.io.source import NOT_UTF8, Source
from optisplit.io.tables.table import N_SAMPLE, Table, TableOptions
from optisplit.text import clean_name, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from optisplit.io.formats.sniffing import Head
    from optisplit.io.layouts.find import LayoutChoice
    from optisplit.io.parsed import Parsed
    from optisplit.io.tables.table import Chunk

_ROWS_AT_ONCE = 5_000
_MAX_KEYS = 100_000
_MAX_LIST_BYTES = 500_000_000


def is_json_lines(head: Head) -> bool:
    """Tell whether a file is one object a line, or a list of objects."""
    return re.match(rb'\{\s*("|\})|\[\s*\{', head.text) is not None


def read_json_lines(source: Source, **options: Any) -> Parsed:
    """Read the labels of objects, one a line, or in one list.

    - A key with a list of texts or numbers has the labels of the row; an empty list means none, a key that is missing
      or null that they are missing.
    - Otherwise the keys are the columns of a table, in the layouts that tables have.
    """
    is_list = source.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    objects = _in_list(source) if is_list else _in_lines(source)
    first = list(islice(objects, N_SAMPLE))
    names = list(dict.fromkeys(key for _, each in first for key in each))
    if not names:
        msg = f"{source.name!r} has no objects with anything in them."
        raise FormatError(msg)
    unit: Literal["line", "row"] = "row" if is_list else "line"
    rows = chain(first, objects)
    if len(names) > _MAX_KEYS:
        msg = f"{source.name!r} has {len(names):,} different keys; more than {_MAX_KEYS:,} are not read."
        raise FormatError(msg)
    sample = [[as_cell(each.get(name)) for _, each in first] for name in names]
    asked = TableOptions(**options)
    table = Table(
        source, names, sample, lambda needed: _chunks(rows, names, needed, unit), unit=unit, id_column=find_ids(names)
    )
    choice = find_layout(table, asked)
    needed: Sequence[int] = choice.columns
    if choice.layout == "one-hot":
        needed = range(len(names)) if asked.label_columns is None else chosen_columns(asked.label_columns, names)
    _refuse_nested(first, [names[j] for j in needed], unit, is_asked=asked.label_columns is not None)
    if choice.layout == "tags" and not is_list and choice.separator is None:
        parsed_fast = _read_by_arrow(source, names, first, choice, table.id_column)
        if parsed_fast is not None:
            return _described(parsed_fast, table, "JSON Lines")
    parsed = read_as_chosen(choice, table, asked)
    return _described(parsed, table, "JSON list of objects" if is_list else "JSON Lines")


def _described(parsed: Parsed, table: Table, form: str) -> Parsed:
    parsed.sample = dict(zip(table.names, table.sample, strict=True))
    parsed.notes = [*([NOT_UTF8] if table.source.encoding == "latin-1" else []), *parsed.notes]
    parsed.form = form
    parsed.details["Keys"] = listed([clean_name(name) for name in table.names])
    return parsed


def _read_by_arrow(
    source: Source,
    names: list[str],
    first: list[tuple[int, dict[str, Any]]],
    choice: LayoutChoice,
    id_column: int | None,
) -> Parsed | None:
    """Read a large file of lists of texts without an object for each; None where that is not what it is."""
    name = names[choice.columns[0]]
    ids = [each.get(names[id_column]) for _, each in first] if id_column is not None else []
    is_text = all(isinstance(each, str) for each in ids)
    is_number = all(isinstance(each, int) and not isinstance(each, bool) for each in ids)
    if source.n_bytes <= arrow.LARGE_BYTES or source.encoding == "latin-1" or not (is_text or is_number):
        return None
    id_name = None if id_column is None else names[id_column]
    items = [item for _, each in first if isinstance(each.get(name), list) for item in each[name]]
    are_texts = not all(isinstance(item, int) and not isinstance(item, bool) for item in items)
    batches = arrow.json_batches(source, name, id_name, id_is_text=is_text, items_are_texts=are_texts)
    if batches is None:
        return None
    parsed = arrow.label_lists(batches, name, id_name, source, sorts_numbers=False)
    parsed.options = {"layout": "tags", "label_columns": [name]}
    parsed.notes += choice.notes
    return parsed


def _in_lines(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    encoding = source.encoding
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode(encoding))
        except (ValueError, RecursionError) as error:
            msg = (
                f"Line {number:,} of {source.name!r} is no JSON ({clean_name(error, 80)}); one object a line is needed."
            )
            raise FormatError(msg) from error
        if not isinstance(value, dict):
            msg = f"Line {number:,} of {source.name!r} is JSON but no object such as {{'labels': ['a', 'b']}}."
            raise FormatError(msg)
        yield number, value


def _in_list(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    if len(source.data) > _MAX_LIST_BYTES:
        size = len(source.data) / 1e6
        msg = f"{source.name!r} is one JSON list of {size:,.0f} MB; save it as JSON Lines, one object a line."
        raise FormatError(msg)
    try:
        document = json.loads(source.data.decode(source.encoding))
    except (ValueError, RecursionError) as error:
        msg = f"{source.name!r} is no JSON ({clean_name(error, 80)})."
        raise FormatError(msg) from error
    wrong = next((at for at, each in enumerate(document) if not isinstance(each, dict)), None)
    if wrong is not None:
        msg = f"Item {wrong + 1:,} of the list in {source.name!r} is no object such as {{'labels': ['a', 'b']}}."
        raise FormatError(msg)
    yield from enumerate(document, start=1)


def _refuse_nested(rows: Iterable[tuple[int, dict[str, Any]]], names: list[str], unit: str, *, is_asked: bool) -> None:
    """Refuse label lists whose items are no texts, rather than take them for missing."""
    for number, each in rows:
        for name in names:
            value = each.get(name)
            is_meant = is_asked or len(names) == 1 or (isinstance(value, dict) and has_label_name(name))
            if isinstance(value, list | dict) and as_texts(value) is None and is_meant:
                raise FormatError(_nested(name, number, unit))


def _nested(name: str, number: int, unit: str) -> str:
    return (
        f"{unit.capitalize()} {number:,}: {clean_name(name)!r} holds objects or lists in a list, or nulls; a plain "
        "list of label names is needed, such as ['a', 'b']."
    )


def _chunks(
    rows: Iterator[tuple[int, dict[str, Any]]], names: list[str], needed: Collection[int] | None, unit: str
) -> Iterator[Chunk]:
    """Yield the cells of some columns, or those of all as texts, in which lists are only told of."""
    while chunk := list(islice(rows, _ROWS_AT_ONCE)):
        columns: list[Sequence[Any]] = []
        for j, name in enumerate(names):
            if needed is None:
                columns.append([as_text(each.get(name)) for _, each in chunk])
            elif j in needed:
                columns.append([_checked(each.get(name), name, number, unit) for number, each in chunk])
            else:
                columns.append([])
        yield [number for number, _ in chunk], columns


def _checked(value: Any, name: str, number: int, unit: str) -> str | list[str] | None:
    cell = as_cell(value)
    if cell is None and isinstance(value, list | dict):
        raise FormatError(_nested(name, number, unit))
    return cell
