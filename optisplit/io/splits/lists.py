"""Splits as lists of rows, in JSON files and NumPy archives."""

from __future__ import annotations

import copy
import io
import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, OptionError
from optisplit.io.formats.npy import Archive
from optisplit.io.keys import names_left_out
from optisplit.io.line_rows import LineRows, named_lines
from optisplit.io.row_names import Naming, as_list, naming_of_lists, unknown_in
from optisplit.io.source import decode_text
from optisplit.io.splits.assembly import Found, assemble, refuse_many_parts
from optisplit.io.splits.base import Asked, SplitFile, cannot_say, repaired_file
from optisplit.io.splits.nested import Outline, Path, Slot, at_path, describe_unused, outline
from optisplit.io.splits.values import Meaning, meaning_of
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.source import Source
    from optisplit.labels import MultilabelDataset


def _write_values(
    file: Source, document: Any, path: Path, meaning: Meaning, rows: LineRows, split: SplitFile, folds: FoldArray
) -> tuple[str, bytes]:
    """Give each row its value, with the one that it had where its part did not change."""
    del split
    rows.check_shared(folds)
    held = at_path(document, path)
    new = list(held.values()) if isinstance(held, dict) else as_list(held)[:]
    literal = {str(each).strip(): each for each in new}
    changed = {
        at: literal.get(text, int(text) if text.lstrip("-").isdecimal() else text)
        for at, text in meaning.changes(rows.rows, folds).items()
    }
    if isinstance(held, np.ndarray):
        return _written(file, document, {path: _changed(held, changed, clean_name(path[-1]))})
    for at, value in changed.items():
        new[at] = value
    return _written(file, document, {path: dict(zip(held, new, strict=True)) if isinstance(held, dict) else new})


def _changed(held: NDArray[Any], values: Mapping[int, Any], name: str) -> NDArray[Any]:
    """Put other values in an array of the same type; texts may be longer."""
    array = held.astype(object) if held.dtype.kind == "U" else held.copy()
    for at, value in values.items():
        with suppress(OverflowError, TypeError, ValueError):
            array[at] = value
        if array[at] != value:
            where = f"The array {name!r}"
            raise cannot_say(where, str(held.dtype), str(value))
    return array.astype(np.str_) if held.dtype.kind == "U" else array


def _write_lists(
    file: Source, document: Any, slots: Sequence[Slot], naming: Naming, split: SplitFile, folds: FoldArray
) -> tuple[str, bytes]:
    """Write the same nested lists with other rows in them."""
    naming.refuse_torn(folds)
    kept = [slot for slot in slots if slot.role != "other"]
    new = {slot.path: _list(at_path(document, slot.path), naming, _wanted(slot, split, folds)) for slot in kept}
    return _written(file, document, new)


def _list(old: Any, naming: Naming, wanted: NDArray[np.bool_]) -> Any:
    """Make the list of a part: rows that stay in their order, then those that came."""
    if _is_mask(old):
        return wanted
    rows = naming.rows(old)
    stays = (rows >= 0) & wanted[rows]
    _, first = np.unique(rows, return_index=True)
    stays &= np.isin(np.arange(len(rows)), first)
    is_new = wanted.copy()
    is_new[naming.all_rows([old[at] for at in np.flatnonzero(stays).tolist()])] = False
    new = naming.spell(np.flatnonzero(is_new))
    if isinstance(old, np.ndarray):
        kept = old[stays]
        dtype = None if kept.dtype.kind == "U" else old.dtype
        return np.concatenate([kept, np.asarray(new, dtype=dtype)]) if new else kept
    return [each for each, keep in zip(old, stays.tolist(), strict=True) if keep] + new


def _is_mask(entries: Any) -> bool:
    return isinstance(entries, np.ndarray) and entries.dtype == np.bool_


def _wanted(slot: Slot, split: SplitFile, folds: FoldArray) -> NDArray[np.bool_]:
    if slot.role == "part":
        return folds == slot.number
    # what was in neither list of this fold stays out of it, unless the row is new to the split
    train, test = (split.pairs or ())[slot.number]
    was_here = np.zeros(len(folds), dtype=np.bool_)
    was_here[train] = was_here[test] = True
    return (folds != slot.number) & (was_here | (split.is_missing & (folds >= 0)))


def _written(file: Source, old: Any, values: Mapping[Path, Any]) -> tuple[str, bytes]:
    """Write a document with other values at some places."""
    held = [copy.deepcopy(old)]
    for path, value in values.items():
        *steps, last = 0, *path
        holder = at_path(held, tuple(steps))
        if isinstance(holder, np.ndarray) and np.shape(value) != holder.shape[1:]:  # which numpy might stretch
            msg = (
                f"The file holds all parts in one array, each with {holder.shape[1]:,} rows; now one has "
                f"{len(value):,}, so that it cannot be written in this form. Save the folds as a column instead."
            )
            raise OptionError(msg)
        holder[last] = value
    document = held[0]
    if isinstance(document, dict) and any(isinstance(value, np.ndarray) for value in document.values()):
        buffer = io.BytesIO()
        if file.name.lower().endswith(".npy"):
            np.save(buffer, document["test_fold"])
        else:
            np.savez_compressed(buffer, **document)
        return repaired_file(file.name, buffer.getvalue())
    text, _ = decode_text(file.data)
    if document != old:
        text = json.dumps(document, ensure_ascii=False, **_style(text)) + "\n" * text.endswith("\n")
    return repaired_file(file.name, text.encode())


def _style(text: str) -> dict[str, Any]:
    """Find how JSON is set in and spaced."""
    lines = text.strip().split("\n")
    indent = len(lines[1]) - len(lines[1].lstrip()) if len(lines) > 1 else 0
    if indent:
        return {"indent": indent}
    return {} if ", " in text else {"separators": (",", ":")}


def read_json(source: Source, data: MultilabelDataset, asked: Asked) -> SplitFile:
    """Read a split from JSON."""
    name = clean_name(source.name)
    text, _ = decode_text(source.data)
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        msg = f"{name} is no JSON: {error.msg} in line {error.lineno:,}, column {error.colno:,}."
        raise FormatError(msg) from error
    except (RecursionError, ValueError) as error:  # ValueError: a number of thousands of digits
        msg = f"{name} is no split: its lists are nested too deeply, or a number is too long."
        raise FormatError(msg) from error
    try:
        return _read(source, document, data, asked)
    except RecursionError as error:
        msg = f"{name} is no split: its lists are nested too deeply."
        raise FormatError(msg) from error


def read_archive(source: Source, data: MultilabelDataset, asked: Asked) -> SplitFile:
    """Read a split from a NumPy archive."""
    archive = Archive(source)
    document = {name: archive.read(name) for name in archive.members}
    return _read(source, document, data, asked)


def _read(file: Source, document: Any, data: MultilabelDataset, asked: Asked) -> SplitFile:
    name, looked_at = clean_name(file.name), document
    kind, column = asked.kind, asked.column
    if column is not None:
        if not isinstance(document, dict) or column not in document:
            what = f"key of {name}:"
            raise OptionError.unknown(what, column, list(document) if isinstance(document, dict) else [])
        looked_at = {column: document[column]}
    found = outline(looked_at, data.n_rows, kind, name)
    refuse_many_parts(len(found.names), name)
    paths = [slot.path for slot in found.slots] + [path for path in (found.values, found.row_list) if path is not None]
    notes = [*found.notes, *describe_unused(document, paths)]
    if found.values is not None:
        return _of_values(file, document, found, data, asked, notes)
    lists = [at_path(document, slot.path) for slot in found.slots]
    for mask in filter(_is_mask, lists):
        if len(mask) != data.n_rows:
            msg = f"{name} has a mask of {len(mask):,} rows, but the data has {data.n_rows:,}."
            raise FormatError(msg)
    naming = naming_of_lists(
        [each for each in lists if not _is_mask(each)], data, asked.rows, name, notes, asked.own_key
    )
    of_roles = {role: [[np.zeros(0, dtype=np.int64)] for _ in found.names] for role in ("part", "train")}
    unknown: list[str] = []
    for slot, entries in zip(found.slots, lists, strict=True):
        if slot.role != "other":
            if _is_mask(entries):
                of_roles[slot.role][slot.number].append(np.flatnonzero(entries))
                continue
            of_roles[slot.role][slot.number].append(naming.all_rows(entries))
            unknown += unknown_in(as_list(entries), naming.rows(entries))
    if unknown and (left_out := names_left_out(data, naming.title)):
        unknown = [each for each in unknown if each not in left_out]
    parts, trains = ([np.concatenate(each) for each in of_role] for of_role in of_roles.values())
    pairs = None
    if any(slot.role == "train" for slot in found.slots):
        pairs = list(zip(trains, parts, strict=True))
        if kind == "parts":
            notes.append("Each of several folds has training rows of its own, so these are folds, not parts.")
            kind = None
    made = Found(parts, found.names, kind or found.kind, pairs=pairs, unknown=tuple(dict.fromkeys(unknown)))
    told = [f"{name}: {found.form}; rows are {naming.how}.", *notes]
    writer = partial(_write_lists, file, document, found.slots, naming)
    return assemble(made, data, name=name, form=found.form, notes=told, writer=writer, asked=asked)


def _of_values(
    file: Source, document: Any, found: Outline, data: MultilabelDataset, asked: Asked, notes: list[str]
) -> SplitFile:
    name = clean_name(file.name)
    held = at_path(document, found.values or ())
    texts = [str(each).strip() for each in (held.values() if isinstance(held, dict) else as_list(held))]
    rows = LineRows(np.arange(len(texts)), "in the order of the rows")
    names = list(held) if isinstance(held, dict) else None
    if found.row_list is not None and asked.rows != "order":
        names = as_list(at_path(document, found.row_list))
    is_named = isinstance(held, dict) or data.row_ids is not None or (asked.rows, asked.key) != (None, None)
    if names is not None and is_named:
        naming = naming_of_lists([names], data, asked.rows, name, notes, asked.own_key)
        rows = named_lines(names, naming, texts)
    elif len(held) != data.n_rows:
        msg = f"{name} has {len(held):,} values, but the data has {data.n_rows:,} rows."
        raise FormatError(msg)
    key = str(found.values[-1]) if found.values else ""
    meaning = meaning_of(texts, key, asked.kind, f"{name}, {key!r}" if key else name)
    told = [f"{name}: {found.form}, {rows.how}.", *notes, *rows.notes, *meaning.notes]
    writer = partial(_write_values, file, document, found.values or (), meaning, rows)
    made = Found.of_values(meaning, rows)
    return assemble(made, data, name=name, form=found.form, notes=told, writer=writer, asked=asked)
