"""Splits in several files, one a part: names of rows one a line, tables, JSON lists, or row numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, OptionError, argument
from optisplit.io.formats.npy import Archive
from optisplit.io.formats.npz import as_archive
from optisplit.io.join import find_key
from optisplit.io.keys import Key, compared
from optisplit.io.packing import zipped
from optisplit.io.row_names import as_list, is_id_name, naming_of_lists, unknown_in
from optisplit.io.second_tables import open_table
from optisplit.io.source import FileLike, Source, decode_text, read_source
from optisplit.io.splits.assembly import Found, assemble, write_plain
from optisplit.io.splits.base import repaired_name
from optisplit.io.splits.one_part import other_part, without_comments
from optisplit.io.splits.values import part_order
from optisplit.text import clean_name, joined, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.row_names import Naming
    from optisplit.io.splits.base import Asked, SplitFile
    from optisplit.labels import MultilabelDataset


@dataclass(frozen=True, slots=True)
class PartFile:
    """A file that names the rows of one part."""

    part: str  # what the part is called
    name: str  # the file's name
    entries: list[Any]  # what it names
    is_list: bool  # whether it is text, with one entry a line


def read_part_files(files: Mapping[str, FileLike], data: MultilabelDataset, asked: Asked) -> SplitFile:
    """Read a split from a file for each part."""
    if not files or asked.column is not None or asked.rows == "order":
        msg = "A file for each part names its rows; a column or an order does not go with it."
        raise OptionError(msg)
    rest = other_part(next(iter(files))) if len(files) == 1 else None  # all rows that the one file does not name
    parts, kind = part_order([*files, *([] if rest is None else [rest])])
    read = [_part_file(part, read_source(files[part]), data, asked) for part in parts if part in files]
    shown = joined([each.name for each in read], limit=4)
    notes: list[str] = []
    naming = naming_of_lists([each.entries for each in read], data, asked.rows, shown, notes, asked.own_key)
    rows, unknown = [], []
    for each in read:
        entries = each.entries
        if each.is_list and _is_header(str(entries[0]), naming):
            notes.append(f"The first line of {each.name}, {entries[0]!r}, was taken for the name of its column.")
            entries = entries[1:]
        entries = without_comments(entries, naming, notes) if each.is_list else entries
        rows.append(naming.all_rows(entries))
        unknown += unknown_in(entries, naming.rows(entries))
    if rest is not None:
        rows.insert(parts.index(rest), np.setdiff1d(np.arange(data.n_rows), rows[0]))
        notes.append(f"All rows that it does not name are {rest!r}.")
    found = Found(rows, parts, asked.kind or kind, unknown=tuple(dict.fromkeys(unknown)))
    form = "a file for each part"
    writer = partial(_write, read, naming) if all(each.is_list for each in read) else partial(write_plain, data)
    told = [f"{shown}: {form}; rows are {naming.how}.", *notes]
    return assemble(found, data, name=shown, form=form, notes=told, writer=writer, asked=asked)


def _part_file(part: str, source: Source, data: MultilabelDataset, asked: Asked) -> PartFile:
    name = clean_name(source.name)
    if source.data.startswith((b"PK\x03\x04", b"\x93NUMPY")):
        archive = Archive(as_archive(source, part) if source.data.startswith(b"\x93NUMPY") else source)
        return _of_lists(part, name, [archive.read(each) for each in archive.members])
    if source.data.lstrip().startswith(b"["):
        try:
            return _of_lists(part, name, [json.loads(decode_text(source.data)[0])])
        except (ValueError, RecursionError) as error:
            msg = f"{name} is no JSON list of rows: {clean_name(error, 100)}."
            raise FormatError(msg) from error
    table = open_table(source, data)
    lines = [record.raw.strip() for record in table.records if not record.is_blank]
    if table.are_objects or len(table.header) > 1:
        is_list = not table.are_objects and data.row_ids is not None and compared(lines, data.row_ids).of_entries > 0.5
        if not is_list:  # names may hold commas
            return PartFile(part, name, _column_of(table, data, asked), is_list=False)
        return PartFile(part, name, lines, is_list=True)
    return PartFile(part, name, [record.cell(0) for record in table.records if not record.is_blank], is_list=True)


def _of_lists(part: str, name: str, lists: Sequence[Any]) -> PartFile:
    entries = as_list(lists[0]) if len(lists) == 1 else None
    if not isinstance(entries, list) or any(isinstance(each, list | dict | bool) for each in entries):
        msg = f"{name} is no list of rows."
        raise FormatError(msg)
    return PartFile(part, name, entries, is_list=False)


def _column_of(table: Any, data: MultilabelDataset, asked: Asked) -> list[str]:
    """Find the column of a table that names rows."""
    key = Key.of(asked.key, table.header)
    named = () if key is None else [each for each in (key.other, key.own) if each in table.header]
    if named:
        return list(table.column(table.find(named[0])))
    found = find_key(table, None, data, asked.rows)
    if found is None or found.key is None:
        msg = f"No column of {table.name} names rows of the data: {listed(table.header)}."
        raise OptionError(msg + "\nHint: say which one does (" + argument("key") + ").")
    return list(table.column(found.key))


def _is_header(first: str, naming: Naming) -> bool:
    is_title = is_id_name(first) or clean_name(first) == naming.title
    return is_title and bool((naming.rows([first]) < 0).all())


def _write(read: Sequence[PartFile], naming: Naming, split: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
    """Write the names of each part's rows, one a line, in a zip."""
    naming.refuse_torn(folds)
    files = {}
    for each in read:
        rows = np.flatnonzero(folds == split.part_names.index(each.part))
        files[repaired_name(each.name)] = "".join(f"{entry}\n" for entry in naming.spell(rows)).encode()
    return "parts-repaired.zip", zipped(files)
