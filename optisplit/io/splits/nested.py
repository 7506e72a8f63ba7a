"""Which lists of rows in nested lists and dictionaries are which part of a split."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from optisplit.errors import FormatError
from optisplit.io.splits.values import TEST, TRAIN, VALIDATION, part_order, role_of
from optisplit.text import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optisplit.io.splits.base import Kind

Path: TypeAlias = tuple[str | int, ...]

_NAMED = re.compile(
    r"(?:(?:fold|split|cv|set)?[_\s-]?(\d{1,4})[_\s-])?([a-z]+?(?:[_-]out)?)"
    r"(?:[_\s-]?(?:idx|idxs|index|indexes|indices|ids?|rows?|mask|set|part|inds?))?(?:[_\s-]?(?:fold|split)?[_\s-]?(\d{1,4}))?"
)
_LISTS = "a list of rows a part"
_WRAPPERS = ("folds", "splits", "test_folds", "cv", "fold", "split", "partition", "partitions", "test_fold", "indices",
             "cv_folds", "parts", "assignments")  # fmt: skip
ROW_LISTS = ("row_id", "row_ids", "ids", "id", "rows", "index", "names")
"""Keys of lists that name the rows of a list of values."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A list of rows, and what it is."""

    path: Path  # where it is
    # a part, or the test rows of a fold; or its training rows; or something else of it that is left as it is
    role: Literal["part", "train", "other"]
    number: int  # which part or fold


@dataclass(frozen=True, slots=True)
class Outline:
    """What nested lists were found to be."""

    slots: tuple[Slot, ...]  # the lists; none where each row has a value
    names: tuple[str, ...]  # what the parts are called
    kind: Kind  # what they are
    form: str  # the form, in words
    values: Path | None = None  # where the list, or dictionary, of one value a row is
    row_list: Path | None = None  # where the list of these rows is
    notes: tuple[str, ...] = ()  # what was decided


def at_path(document: Any, path: Path) -> Any:
    """Follow a path."""
    for step in path:
        document = document[step]
    return document


def outline(document: Any, n_rows: int, kind: Kind | None, name: str) -> Outline:
    """Find out which list is which part."""
    found = _outline(document, (), n_rows, kind)
    if found is None:
        msg = (
            f"{name} is no split in a form that is known. These are: a list of lists of rows, one a test fold; a list "
            'of pairs [train, test], or of {"train": [...], "test": [...]}; one {"train": [...], "test": [...]}, '
            'also with "val"; a list with one fold number a row; or any of these under "folds".'
        )
        raise FormatError(msg)
    return found


def _holds_more(value: Any) -> bool:
    """Tell whether there is something in a value; a single number in an array is one value."""
    return isinstance(value, list | dict) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _is_flat(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    return isinstance(value, list) and not any(isinstance(each, list | dict) for each in value)


def _outline(document: Any, path: Path, n_rows: int, kind: Kind | None) -> Outline | None:
    if isinstance(document, dict):
        return _of_dictionary(document, path, n_rows, kind)
    is_list = isinstance(document, list) or (isinstance(document, np.ndarray) and document.ndim > 0)
    if not is_list or not len(document):
        return None
    if _is_flat(document):
        if len(document) != n_rows:
            return None
        return Outline((), (), "folds", "one value a row", values=path)
    items = list(document)
    if all(map(_is_flat, items)):
        return _of_folds(items, path, kind)
    pairs = [_pair(item, (*path, at)) for at, item in enumerate(items)]
    return _of_pairs(pairs, [f"fold {at}" for at in range(len(pairs))])


def _of_folds(items: list[Any], path: Path, kind: Kind | None) -> Outline | None:
    if len(items) < 2:
        return None
    names = [f"fold {at}" for at in range(len(items))]
    notes = []
    if kind == "parts":
        usual = {2: (TRAIN, TEST), 3: (TRAIN, VALIDATION, TEST)}
        names = list(usual.get(len(items), (TRAIN, *(f"part {at}" for at in range(1, len(items))))))
    elif len(items) == 2:
        notes.append("The two lists were taken for two test folds, not for training and test rows.")
    return _parts(((*path, at) for at in range(len(items))), names, kind or "folds", _LISTS, tuple(notes))


def _pair(item: Any, path: Path) -> dict[str, list[Path]] | None:
    """Find the lists of one fold by role."""
    if isinstance(item, list) and len(item) == 2 and all(map(_is_flat, item)):
        return {TRAIN: [(*path, 0)], TEST: [(*path, 1)]}
    if not isinstance(item, dict):
        return None
    found: dict[str, list[Path]] = {}
    for key, value in item.items():
        parsed = _parsed(key)
        if _is_flat(value) and parsed is not None:
            found.setdefault(parsed[0], []).append((*path, key))
    return found if TEST in found or VALIDATION in found else None


def _parsed(key: str) -> tuple[str, int | None] | None:
    """Read the role of a list, and the number of its fold, from its name."""
    match = _NAMED.fullmatch(str(key).strip().lower())
    role = role_of(match[2]) if match else None
    if match is None or role is None:
        return None
    number = match[1] or match[3]
    return role, None if number is None else int(number)


def _of_pairs(pairs: Iterable[dict[str, list[Path]] | None], names: Sequence[str]) -> Outline | None:
    checked = [pair for pair in pairs if pair is not None]
    if len(checked) < len(names):
        return None
    if len(checked) == 1:
        roles = checked[0]
        order = [role for role in (TRAIN, VALIDATION, TEST) if role in roles]
        return _parts([roles[role][0] for role in order], order) if TRAIN in roles else None
    slots: list[Slot] = []
    for fold, pair in enumerate(checked):
        kept: dict[str, Literal["part", "train"]] = {TRAIN: "train", TEST if TEST in pair else VALIDATION: "part"}
        slots += [Slot(path, kept.get(role, "other"), fold) for role, paths in pair.items() for path in paths]
    known = {slot.role for slot in slots}
    notes = ("The validation rows of each fold are left as they are, and are not training rows.",)
    form = "training and test rows of each fold" if "train" in known else "test rows of each fold"
    return Outline(tuple(slots), tuple(names), "folds", form, notes=notes if "other" in known else ())


def _parts(
    paths: Iterable[Path], names: Iterable[str], kind: Kind = "parts", form: str = "training and test rows",
    notes: tuple[str, ...] = (),
) -> Outline:  # fmt: skip
    slots = (Slot(path, "part", part) for part, path in enumerate(paths))
    return Outline(tuple(slots), tuple(names), kind, form, notes=notes)


def _of_dictionary(document: dict[str, Any], path: Path, n_rows: int, kind: Kind | None) -> Outline | None:
    held = {key: value for key, value in document.items() if _holds_more(value)}
    if not held:
        is_mapping = len(document) >= max(2, n_rows // 2)
        return Outline((), (), "folds", "a part for each row", values=path) if is_mapping else None
    row_list = next((key for key in held if str(key).lower() in ROW_LISTS and _is_flat(held[key])), None)
    for key in _WRAPPERS:  # {"folds": ...}, with whatever beside it
        if key in held:
            found = _outline(held[key], (*path, key), n_rows, kind)
            if found is None and _is_flat(held[key]) and row_list not in (None, key):
                found = Outline((), (), "folds", "one value a row", values=(*path, key))
            if found is not None:
                return _with_rows(found, path, held, row_list)
    parsed = {key: _parsed(key) for key in held}
    if all(parsed[key] is None for key in held):
        return _of_named(held, path, n_rows, kind)
    named = {key: found for key, found in parsed.items() if found is not None}
    if all(number is None for _, number in named.values()):
        return _of_roles({key: role for key, (role, _) in named.items()}, held, path)
    numbers = sorted({number for _, number in named.values() if number is not None})
    folds: dict[int, dict[str, list[Path]]] = {number: {} for number in numbers}
    for key, (role, number) in named.items():
        if number is not None and _is_flat(held[key]):
            folds[number].setdefault(role, []).append((*path, key))
    return _of_pairs(list(folds.values()), [f"fold {number}" for number in numbers])


def _with_rows(found: Outline, path: Path, held: dict[str, Any], row_list: str | None) -> Outline:
    values = found.values
    if values is None or row_list is None or len(held[row_list]) != len(at_path(held, values[len(path) :])):
        return found
    return replace(found, row_list=(*path, row_list))


def _of_roles(roles: dict[str, str], held: dict[str, Any], path: Path) -> Outline | None:
    """Read lists by role: one list each, or one list a fold in each."""
    if all(_is_flat(held[key]) for key in roles):
        names = sorted(roles, key=lambda key: (TRAIN, VALIDATION, TEST).index(roles[key]))
        if len(names) < 2 or TRAIN not in roles.values():
            return None
        return _parts(((*path, key) for key in names), names)
    lengths = {len(held[key]) for key in roles}
    if len(lengths) != 1 or not all(isinstance(held[key], list) and all(map(_is_flat, held[key])) for key in roles):
        return None
    n_folds = lengths.pop()
    pairs = [{role: [(*path, key, fold)] for key, role in roles.items()} for fold in range(n_folds)]
    return _of_pairs(pairs, [f"fold {fold}" for fold in range(n_folds)])


def _of_named(held: dict[str, Any], path: Path, n_rows: int, kind: Kind | None) -> Outline | None:
    if len(held) == 1:
        key, value = next(iter(held.items()))
        return _outline(value, (*path, key), n_rows, kind)
    names, _ = part_order(list(held))
    shown = [f"fold {key}" if str(key).isdecimal() else str(key) for key in names]
    if all(map(_is_flat, held.values())):  # a part each
        lengths = {len(value) for value in held.values()}
        row_list = next((key for key in held if str(key).lower() in ROW_LISTS), None)
        if len(held) == 2 and row_list is not None and len(lengths) == 1:
            other = next(key for key in held if key != row_list)
            return Outline((), (), "folds", "one value a row", values=(*path, other), row_list=(*path, row_list))
        return _parts(((*path, key) for key in names), shown, kind or "folds", _LISTS)
    return _of_pairs([_pair(held[key], (*path, key)) for key in names], shown)


def describe_unused(document: Any, used: Iterable[Path]) -> list[str]:
    """Say which lists at the top were not used."""
    if not isinstance(document, dict):
        return []
    first = {path[0] for path in used if path}
    held = [key for key, value in document.items() if _holds_more(value)]
    unused = [key for key in held if key not in first]
    return [f"Not used: {listed(unused)}."] if unused and first else []
