"""JSON: objects one a line, in a list, or by name in one object; a table whose cells can be lists and objects."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from json import JSONDecoder
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from optisplit.errors import FormatError
from optisplit.io.layouts import arrow
from optisplit.io.layouts.dictionaries import are_plain
from optisplit.io.layouts.reading import is_usual_name
from optisplit.io.layouts.sample import find_ids, has_label_name
from optisplit.io.layouts.tags import as_cell, as_text
from optisplit.io.sizes import check_stated
from optisplit.io.source import NOT_UTF8, UTF8_MARK, Source
from optisplit.io.tables.table import N_SAMPLE, ArrowLists, Table
from optisplit.io.tables.titles import is_row_name
from optisplit.text import bytes_words, clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from optisplit.io.formats.sniffing import Head
    from optisplit.io.tables.table import Chunk

Object: TypeAlias = "dict[str, Any]"

_ROWS_AT_ONCE = 5_000
_CELLS_AT_ONCE = 1_000_000
_UNPACKS_TO = 20  # times its size, hardly ever more
_LONGEST_LABEL = 80
_MAX_DOCUMENT_BYTES = 500_000_000
KEY, VALUE = "key", "labels"
"""What the columns of a map from rows to labels are called."""


def is_json(head: Head) -> bool:
    """Tell whether a file is JSON with objects."""
    return re.match(rb'\{\s*("|\})|\[\s*[\[{]', head.text) is not None


@contextmanager
def open_objects(source: Source) -> Iterator[Table]:
    """Open JSON as a table; it can be gone through once."""
    found = _found(source)
    first = list(islice(found.rows, N_SAMPLE))
    names = list(dict.fromkeys(key for _, each in first for key in each))
    if not names:
        msg = f"{source.name!r} has no objects with anything in them."
        raise FormatError(msg)
    check_stated(source.name, keys=len(names))
    n_lines = source.head.count(b"\n") * source.n_bytes // max(1, len(source.head)) if found.unit == "line" else 0
    _check_cells(source, max(len(first), n_lines) * len(names))
    rows = chain(first, found.rows)
    yield Table(
        source, names, [_sample(first, name, found.unit) for name in names],
        lambda needed: _chunks(rows, names, needed, found.unit, source), unit=found.unit, form=found.form,
        id_column=names.index(KEY) if found.has_key else find_ids(names),
        lists=lambda column, key: _lists(source, names, first, column, key) if found.unit == "line" else None,
        quickly=(lambda wanted: _quickly(source, names, first, wanted or ())) if found.unit == "line" else None,
        notes=[*([NOT_UTF8] if source.encoding == "latin-1" else []), *found.notes],
    )  # fmt: skip


def _quickly(
    source: Source, names: list[str], first: list[tuple[int, Object]], wanted: Collection[int]
) -> Iterator[Chunk]:
    """Go through keys that have texts, or whole numbers, of JSON Lines."""
    are_texts = {names[j]: not any(isinstance(each.get(names[j]), int) for _, each in first) for j in wanted}
    done = 0
    for n_rows, columns in arrow.json_texts(source, are_texts):
        cells: list[Sequence[Any]] = [()] * len(names)
        for j, column in zip(wanted, columns, strict=True):
            cells[j] = column
        yield range(done + 1, done + n_rows + 1), cells
        done += n_rows


def objects_of(source: Source) -> Iterator[tuple[int, Object]]:
    """Go through the objects of a JSON file, each with its line or number."""
    return _found(source).rows


@dataclass
class _Found:
    """Objects, and how they were found."""

    rows: Iterator[tuple[int, Object]]
    unit: Literal["line", "row"]
    form: str
    has_key: bool = False  # whether rows are called by the column `KEY`
    notes: list[str] = field(default_factory=list)


def _found(source: Source) -> _Found:
    start = source.head.removeprefix(UTF8_MARK).lstrip()
    if start.startswith(b"["):
        return _Found(_in_list(_document(source), source.name), "row", "JSON list of objects")
    if not _is_one_object(source):
        return _Found(_in_lines(source), "line", "JSON Lines")
    document = _document(source)
    if not isinstance(document, dict):  # a text or a number alone: no rows, which is said of lines
        return _Found(_in_lines(source), "line", "JSON Lines")
    return _in_object(document, source)


def _is_one_object(source: Source) -> bool:
    """Tell whether a file that begins with an object is that object alone, which may go over several lines."""
    lines = [line for line in source.head.removeprefix(UTF8_MARK).splitlines()[:2000] if line.strip()]
    try:
        first = json.loads(lines[0])
    except (ValueError, RecursionError):
        second = lines[1].lstrip()[:1] if len(lines) > 1 else b'"'
        is_opened = lines[0].strip() in (b"{", b"[{") or not lines[0].rstrip().endswith(b"}")
        return is_opened and second in (b'"', b"}", b"]", b"{", b"[")
    return len(lines) == 1 and isinstance(first, dict) and (not has_fields(first) or _are_columns(first))


def has_fields(value: Object) -> bool:
    """Tell whether an object is one row, by the names of its keys or since its values are of several kinds."""
    kinds = {type(each) for each in value.values()} - {type(None)}
    if kinds == {str} and len(value) > 1 and not any(map(is_usual_name, value)):
        return any(len(each or "") > _LONGEST_LABEL for each in value.values())
    return (not kinds <= {list} and not kinds <= {dict}) or any(map(has_label_name, value))


def _document(source: Source) -> Any:
    if len(source.data) > _MAX_DOCUMENT_BYTES:
        size = bytes_words(len(source.data))
        msg = f"{source.name!r} is one JSON text of {size}; save it as JSON Lines, one object a line."
        raise FormatError(msg)
    try:
        return json.loads(source.data.decode(source.encoding))
    except (ValueError, RecursionError) as error:
        msg = f"{source.name!r} is no JSON ({clean_name(error, 80)})."
        raise FormatError(msg) from error


def _in_object(document: Object, source: Source) -> _Found:
    """Find the rows of one object: records in a list of it, columns, or rows by their names."""
    values = list(document.values())
    lists = [key for key, value in document.items() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if isinstance(document.get("columns"), list) and isinstance(document.get("data"), list):
        rows = [dict(zip(map(str, document["columns"]), cells, strict=False)) for cells in document["data"]]
        return _Found(iter(list(enumerate(rows, start=1))), "row", "JSON with columns and data")
    others = [value for key, value in document.items() if key not in lists]
    if len(lists) == 1 and not (others and all(isinstance(value, list) for value in others)):
        note = f"The rows are the objects under the key {clean_name(lists[0])!r}."
        rows_of = _in_list(document[lists[0]], source.name)
        return _Found(rows_of, "row", "JSON object with a list of objects", notes=[note])
    if len(lists) > 1:
        told = f"{source.name!r} is one object with {counted(len(lists), 'list')} of objects ({listed(lists)}); "
        raise FormatError(told + "save the one with the rows in a file of its own.")
    if values and all(isinstance(value, dict) for value in values):
        inner = list(dict.fromkeys(key for value in values for key in value))
        if all(key.isdecimal() for key in inner) and not all(key.isdecimal() for key in document):  # as pandas writes
            _check_cells(source, len(inner) * len(document))
            rows = [{name: column.get(key) for name, column in document.items()} for key in inner]
            return _Found(iter(list(enumerate(rows, start=1))), "row", "JSON object of columns")
        rows = [{KEY: name, **value} for name, value in document.items()]
        return _by_name(rows, "an object with its values")
    if _are_columns(document):
        rows = [dict(zip(document, cells, strict=True)) for cells in zip(*values, strict=True)]
        return _Found(iter(list(enumerate(rows, start=1))), "row", "JSON object of columns")
    if has_fields(document):
        return _Found(iter([(1, document)]), "row", "JSON object")
    return _by_name([{KEY: name, VALUE: value} for name, value in document.items()], "the list of its labels")


def _are_columns(document: Object) -> bool:
    """Tell whether lists are columns, not the labels of rows: all as long, and called so or with items that repeat."""
    lists = list(document.values())
    if len(lists) < 2 or not all(isinstance(each, list) for each in lists) or len({len(each) for each in lists}) > 1:
        return False
    is_named = any(has_label_name(name) or is_row_name(name) for name in document)
    return is_named or any(len(set(map(str, each))) < len(each) for each in lists)


def _by_name(rows: list[Object], what: str) -> _Found:
    note = f"Each key of the object is a row, and stands before {what}."
    return _Found(
        iter(list(enumerate(rows, start=1))), "row", "JSON object of rows by name", has_key=True, notes=[note]
    )


def _in_lines(source: Source) -> Iterator[tuple[int, Object]]:
    encoding = source.encoding.removesuffix("-sig")  # undone by Python in C
    scan = JSONDecoder().raw_decode
    for number, line in source.lines():
        bare = line.removeprefix(UTF8_MARK).strip() if number == 1 else line.strip()
        if not bare:
            continue
        try:
            value = _parsed(bare.decode(encoding), scan)
        except (ValueError, RecursionError) as error:
            msg = (
                f"Line {number:,} of {source.name!r} is no JSON ({clean_name(error, 80)}); one object a line is needed."
            )
            raise FormatError(msg) from error
        if not isinstance(value, dict):
            msg = f"Line {number:,} of {source.name!r} is JSON but no object such as {{'labels': ['a', 'b']}}."
            raise FormatError(msg)
        yield number, value


def _parsed(text: str, scan: Callable[[str], tuple[Any, int]]) -> Any:
    """Read a text of JSON without what the module does around it for each; what is wrong is left to it to say."""
    value, end = scan(text)
    return value if end == len(text) else json.loads(text)


def _in_list(document: Any, name: str) -> Iterator[tuple[int, Object]]:
    if document and all(isinstance(each, list) for each in document):  # the labels of each row, or a 0 or 1 for each
        document = [{VALUE: each} for each in document]
    wrong = next((at for at, each in enumerate(document) if not isinstance(each, dict)), None)
    if wrong is not None:
        msg = f"Item {wrong + 1:,} of the list in {name!r} is no object such as {{'labels': ['a', 'b']}}."
        raise FormatError(msg)
    yield from enumerate(document, start=1)


def _check_cells(source: Source, n_cells: int) -> None:
    n_bytes = source.n_bytes if source.compression is None else _UNPACKS_TO * source.n_bytes
    check_stated(source.name, n_bytes, written=n_cells)


def _lists(
    source: Source, names: Sequence[str], first: Iterable[tuple[int, Object]], column: int, key: int | None
) -> ArrowLists | None:
    """Read a large file of lists of texts without an object for each; None where that is not what it is."""
    name = names[column]
    ids = [each.get(names[key]) for _, each in first] if key is not None else []
    is_text = all(isinstance(each, str) for each in ids)
    is_number = all(isinstance(each, int) and not isinstance(each, bool) for each in ids)
    if source.n_bytes <= arrow.LARGE_BYTES or source.encoding == "latin-1" or not (is_text or is_number):
        return None
    items = [item for _, each in first if isinstance(each.get(name), list) for item in each[name]]
    are_texts = not all(isinstance(item, int) and not isinstance(item, bool) for item in items)
    id_name = None if key is None else names[key]
    batches = arrow.json_batches(source, name, id_name, id_is_text=is_text, items_are_texts=are_texts)
    return None if batches is None else ArrowLists(batches, sorts_numbers=False)


def _chunks(
    rows: Iterator[tuple[int, Object]], names: list[str], needed: Collection[int] | None, unit: str, source: Source
) -> Iterator[Chunk]:
    """Yield the cells of some columns, or those of all as texts, in which lists are only told of."""
    n_columns = len(names if needed is None else needed)
    n_cells = 0
    while chunk := list(islice(rows, max(1, min(_ROWS_AT_ONCE, _CELLS_AT_ONCE // max(1, n_columns))))):
        n_cells += len(chunk) * n_columns
        _check_cells(source, n_cells)
        columns: list[Sequence[Any]] = []
        for j, name in enumerate(names):
            if needed is None:
                columns.append([as_text(each[name]) if name in each else "" for _, each in chunk])
            elif j in needed:
                cells = [each.get(name) for _, each in chunk]
                if not are_plain(cells):
                    cells = [_checked(cell, name, number, unit) for cell, (number, _) in zip(cells, chunk, strict=True)]
                columns.append(cells)
            else:
                columns.append([])
        yield [number for number, _ in chunk], columns


def _sample(first: Iterable[tuple[int, Object]], name: str, unit: str) -> list[Any]:
    """Give the first cells; what is called labels has to be some, and must not be passed over."""
    is_meant = has_label_name(name)
    return [_checked(each.get(name), name, at, unit) if is_meant else as_cell(each.get(name)) for at, each in first]


def _checked(value: Any, name: str, number: int, unit: str) -> Any:
    cell = as_cell(value)
    if cell is None and isinstance(value, list | dict):
        msg = (
            f"{unit.capitalize()} {number:,}: {clean_name(name)!r} holds objects or lists in a list, or nulls; a plain "
            "list of label names is needed, such as ['a', 'b']."
        )
        raise FormatError(msg)
    return cell
