"""Who a row is: its number, or its name; and how lists of rows say which they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from optisplit.errors import FoldAssignmentError, FormatError, OptionError, argument
from optisplit.io.keys import LOOSELY, compared, name_counts, own_key_of, own_names, told_of_case
from optisplit.io.layouts.sample import ID_NAMES
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.keys import Comparison
    from optisplit.labels import MultilabelDataset

RowNaming: TypeAlias = Literal["ids", "from 0", "from 1", "order"]
ROW_NAMINGS: tuple[str, ...] = get_args(RowNaming)

RowNumbers: TypeAlias = NDArray[np.int64]

_NO_NUMBER = -1_000_000_000_000
_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,14})(?:\.0*)?\s*")


LIKELY_IDS = (*ID_NAMES, "idx", "row_number", "sample", "instance", "name")
"""Columns of tables about rows that mostly say which row is meant, likeliest first."""


def is_id_name(title: str) -> bool:
    """Tell whether a column's name says that it holds ids or row numbers."""
    return title.strip().lower() in LIKELY_IDS


@dataclass(frozen=True, slots=True)
class Naming:
    """How a file names the rows of the data."""

    n_rows: int
    base: int | None = 0  # what the first row's number is; None where rows go by their names
    names: Sequence[str] = ()  # the names of the data's rows
    are_texts: bool = False  # whether the file writes them as texts
    # the number of each row in the data's file, where rows go by these since some were left out
    kept_rows: RowNumbers | None = None
    title: str | None = None  # the data's column that the names are from
    way: str = ""  # how names are compared, where not as they stand: one of ``keys.LOOSELY``
    spellings: Mapping[int, str] = field(default_factory=dict)  # how the file writes the names of rows, where otherwise

    @property
    def how(self) -> str:
        """The same in words."""
        if self.base is None:
            what = "their ids" if self.title is None else f"column {self.title!r}"
            return f"named by {what}" + (f", compared {self.way}" if self.way else "")
        whose = "" if self.kept_rows is None else ", as they stand in the data's file"
        return f"numbered from {self.base}{whose}"

    def rows(self, entries: Any) -> RowNumbers:
        """Find the row of each entry, the first where a name stands on several; -1 where there is none."""
        if self.base is None:
            form = LOOSELY.get(self.way, str)
            place = {form(name): row for row, name in reversed(list(enumerate(self.names)))}
            place.pop("", None)
            return np.fromiter(
                (place.get(form(each), -1) for each in map(clean_name, as_list(entries))), dtype=np.int64
            )
        rows = whole_numbers(entries) - self.base
        if self.kept_rows is not None:
            at = np.minimum(np.searchsorted(self.kept_rows, rows), len(self.kept_rows) - 1)
            rows = np.where(self.kept_rows[at] == rows, at, -1)
        return np.where((rows >= 0) & (rows < self.n_rows), rows, -1)

    def all_rows(self, entries: Any) -> RowNumbers:
        """Find the rows of entries: of a name that stands on several, all of them, once."""
        rows = self.rows(entries)
        rows = rows[rows >= 0]
        if self.base is not None or not name_counts(self.names):
            return rows
        named = {self.names[row] for row in rows.tolist()}
        return np.asarray([row for row, name in enumerate(self.names) if name in named], dtype=np.int64)

    def spell(self, rows: RowNumbers) -> list[Any]:
        """Write rows as the file does."""
        if self.base is None:
            names = list(dict.fromkeys(self.spellings.get(row, self.names[row]) for row in rows.tolist()))
            return names if self.are_texts else [int(each) if each.isdecimal() else each for each in names]
        numbers = ((rows if self.kept_rows is None else self.kept_rows[rows]) + self.base).tolist()
        return list(map(str, numbers)) if self.are_texts else numbers

    def refuse_torn(self, folds: FoldArray) -> None:
        """Refuse folds in which rows of one name are in several: lists of names cannot say so."""
        if self.base is not None or not name_counts(self.names):
            return
        first = self.rows(self.names)
        torn = np.flatnonzero((first >= 0) & (folds != folds[first])).tolist()
        if torn:
            names = list(dict.fromkeys(self.names[row] for row in torn))
            msg = (
                f"{counted(len(names), 'name')} would need several folds, since rows share a name: {listed(names, 3)}."
            )
            raise FoldAssignmentError(msg + TORN_HINT)


TORN_HINT = "\nHint: keep rows of one name together (groups), or write another form."


def as_list(entries: Any) -> list[Any]:
    """Give what is in a list or an array as a list."""
    return entries.tolist() if isinstance(entries, np.ndarray) else entries


def whole_numbers(entries: Any) -> RowNumbers:
    """Read whole numbers; one far below all row numbers for what is none."""
    array = np.asarray(entries)
    if array.size and array.dtype.kind in "iu":
        return array.astype(np.int64)
    found = (None if isinstance(each, bool) else _WHOLE.fullmatch(str(each)) for each in as_list(entries))
    return np.asarray([_NO_NUMBER if match is None else int(match[1]) for match in found], dtype=np.int64)


def lines_of_names(
    entries: Sequence[str], names: Sequence[str], values: Sequence[str] | None = None
) -> tuple[RowNumbers, RowNumbers, RowNumbers]:
    """Find the row of each line by its name; and, as pairs of row and line, the further rows of lines.

    A name that stands on several rows gives all of them what its lines say; where it stands on as many lines, each row
    has its own, in their order. `values`: what lines say; of those that say the same of one name, one is enough.
    """
    place = {name: row for row, name in reversed(list(enumerate(names)))}
    place.pop("", None)
    rows = np.fromiter((place.get(entry, -1) for entry in entries), dtype=np.int64, count=len(entries))
    none = np.zeros(0, dtype=np.int64)
    repeating = name_counts(names)
    if not repeating:
        return rows, none, none
    places: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        if name in repeating:
            places.setdefault(name, []).append(row)
    lines: dict[str, list[int]] = {}
    for line, entry in enumerate(entries):
        if entry in places and entry:
            lines.setdefault(entry, []).append(line)
    more: list[tuple[int, int]] = []
    for name, given in lines.items():
        own = places[name]
        if len(given) == len(own):
            rows[given] = own
            continue
        told = given if values is None else {values[line]: line for line in reversed(given)}.values()
        more += [(row, line) for line in sorted(told)[:2] for row in own[1:]]  # two are enough to contradict
    pairs = np.asarray(more, dtype=np.int64).reshape(-1, 2)
    return rows, pairs[:, 0], pairs[:, 1]


def unknown_in(entries: Sequence[Any], rows: RowNumbers) -> list[str]:
    """List the entries that are no row, by their names."""
    return [clean_name(entries[at]) for at in np.flatnonzero(rows < 0).tolist()]


def name_no_row(unknown: Sequence[str], of: str, what: str) -> str:
    """Say how many lines or entries of a file are for no row."""
    return f"{counted(len(unknown), what)} of {of} {'names' if len(unknown) == 1 else 'name'} no row of the data"


def base_of(numbers: RowNumbers, n_rows: int) -> int:
    """Tell from which number rows are counted: from 1 where the number of rows occurs, and 0 does not."""
    return int(bool((numbers == n_rows).any()) and not bool((numbers == 0).any()))


def naming_of_lists(
    lists: Sequence[Any],
    data: MultilabelDataset,
    asked: RowNaming | None,
    name: str,
    notes: list[str],
    key: str | None = None,
) -> Naming:
    """Find out whether lists name rows by number or by name; `key`: the column of the data whose values they are."""
    entries = [entry for each in lists for entry in as_list(each)]
    are_texts = any(isinstance(entry, str) for entry in entries)
    numbers = whole_numbers(entries)
    kept_rows = None if data.reading is None else data.reading.kept_rows
    by_number = Naming(data.n_rows, base_of(numbers, data.n_rows), are_texts=are_texts)
    if key is not None:
        return _by_key(entries, data, key, name, are_texts=are_texts)
    if asked is None and kept_rows is not None and are_of_file(numbers, kept_rows, data.n_rows):
        notes.append("Rows are numbered as they stand in the data's file, of which some rows were left out.")
        return replace(by_number, base=0, kept_rows=kept_rows)
    if asked in ("from 0", "from 1"):
        return replace(by_number, base=int(asked == "from 1"))
    if asked == "order":
        way = argument("rows", "order", of="read_split")
        msg = f"{name} holds lists of rows, which name them; " + way + " is for one value a row."
        raise OptionError(msg)
    share_by_number = float((by_number.rows(entries) >= 0).mean()) if entries else 1.0
    texts = list(map(clean_name, entries))
    by_name = own_key_of(data, texts) if entries else None
    if asked == "ids" and by_name is None:
        zero, one = (argument("rows", each, of="read_split") for each in ("from 0", "from 1"))
        msg = "The data has no row ids that it names, so rows can only be numbered: use " + zero + " or " + one + "."
        raise OptionError(msg)
    is_by_name = by_name is not None and (
        asked == "ids"
        or by_name.found.share > share_by_number
        # names that could be numbers too: numbers from 0 are what programs write, those from 1 are mostly names
        or (by_name.names is data.row_ids and (are_texts or (by_number.base == 1 and by_name.found.share == 1)))
    )
    if by_name is not None and is_by_name:
        return _naming(by_name.title, by_name.names, by_name.found, texts, are_texts=are_texts)
    if share_by_number < 0.5:
        msg = f"Hardly any of the rows that {name} names ({listed(entries[:3])}) are in the data, where they are "
        msg += f"called {listed(data.row_ids, 3)}." if data.row_ids else f"numbered from 0 to {data.n_rows - 1:,}."
        raise FormatError(msg + told_of_case(texts, data.row_ids or ()))
    if by_number.base:
        notes.append(f"Row {data.n_rows:,} occurs and row 0 does not, so rows are taken to be numbered from 1.")
    elif by_name is not None and data.row_ids != tuple(map(str, range(data.n_rows))):
        notes.append("The numbers could be row ids too; they were taken for row numbers from 0.")
    return by_number


def _naming(
    title: str | None, names: Sequence[str], found: Comparison, texts: Sequence[str], *, are_texts: bool
) -> Naming:
    naming = Naming(len(names), None, names, are_texts, title=title, way=found.way)
    rows = naming.rows(texts).tolist() if found.way else ()
    return replace(naming, spellings={row: text for row, text in zip(rows, texts, strict=False) if row >= 0})


def _by_key(entries: Sequence[Any], data: MultilabelDataset, key: str, name: str, *, are_texts: bool) -> Naming:
    """Name rows by the values of a column that the user chose."""
    names = own_names(data, key)
    texts = list(map(clean_name, entries))
    found = compared(texts, names)
    if found.share <= 0.5:
        n_known = round(found.of_entries * len(texts))
        msg = f"Only {n_known:,} of the {len(texts):,} names in {name} are values of {key!r} in the data: "
        msg += f"{listed(texts, 3)} there, {listed(names, 3)} in the data." + told_of_case(texts, names)
        better = own_key_of(data, texts)
        hint = (
            "" if better is None or better.title is None else "\nHint: " + argument("key", better.title) + " would do."
        )
        raise OptionError(msg + hint)
    return _naming(key, names, found, texts, are_texts=are_texts)


def are_of_file(numbers: RowNumbers, kept_rows: RowNumbers, n_rows: int) -> bool:
    """Tell whether numbers are those of rows in the file: all of rows that were kept, and some too high for others."""
    is_kept = np.isin(numbers, kept_rows)
    return len(kept_rows) == n_rows and bool(len(numbers)) and bool(is_kept.all()) and int(numbers.max()) >= n_rows
