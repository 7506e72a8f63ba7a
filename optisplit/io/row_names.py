"""Who a row is: its number, or its name; and how lists of rows say which they mean."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from optisplit.errors import FormatError, OptionError, argument
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.labels import MultilabelDataset

RowNaming: TypeAlias = Literal["ids", "from 0", "from 1", "order"]
ROW_NAMINGS: tuple[str, ...] = get_args(RowNaming)

RowNumbers: TypeAlias = NDArray[np.int64]

_NO_NUMBER = -1_000_000_000_000
_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,14})(?:\.0*)?\s*")


@dataclass(frozen=True, slots=True)
class Naming:
    """How a file names the rows of the data."""

    n_rows: int
    base: int | None = 0  # what the first row's number is; None where rows go by their names
    names: Sequence[str] = ()  # the names of the data's rows
    are_texts: bool = False  # whether the file writes them as texts
    # the number of each row in the data's file, where rows go by these since some were left out
    kept_rows: RowNumbers | None = None

    @property
    def how(self) -> str:
        """The same in words."""
        if self.base is None:
            return "named by their ids"
        whose = "" if self.kept_rows is None else ", as they stand in the data's file"
        return f"numbered from {self.base}{whose}"

    def rows(self, entries: Any) -> RowNumbers:
        """Find the row of each entry; -1 where there is none."""
        if self.base is None:
            return rows_of_names([clean_name(each) for each in as_list(entries)], self.names)
        rows = whole_numbers(entries) - self.base
        if self.kept_rows is not None:
            at = np.minimum(np.searchsorted(self.kept_rows, rows), len(self.kept_rows) - 1)
            rows = np.where(self.kept_rows[at] == rows, at, -1)
        return np.where((rows >= 0) & (rows < self.n_rows), rows, -1)

    def spell(self, rows: RowNumbers) -> list[Any]:
        """Write rows as the file does."""
        if self.base is None:
            names = [self.names[row] for row in rows.tolist()]
            return names if self.are_texts else [int(each) if each.isdecimal() else each for each in names]
        numbers = ((rows if self.kept_rows is None else self.kept_rows[rows]) + self.base).tolist()
        return list(map(str, numbers)) if self.are_texts else numbers


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


def rows_of_names(entries: Sequence[str], names: Sequence[str]) -> RowNumbers:
    """Find the row of each name; where names repeat in the data, they are taken in its order."""
    place = {name: row for row, name in enumerate(names)}
    if len(place) == len(names):
        return np.fromiter((place.get(entry, -1) for entry in entries), dtype=np.int64, count=len(entries))
    places: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        places.setdefault(name, []).append(row)
    seen: Counter[str] = Counter()
    rows = np.full(len(entries), -1, dtype=np.int64)
    for at, name in enumerate(entries):
        found = places.get(name)
        if found is not None:
            rows[at] = found[min(seen[name], len(found) - 1)]
            seen[name] += 1
    return rows


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
    lists: Sequence[Any], data: MultilabelDataset, asked: RowNaming | None, name: str, notes: list[str]
) -> Naming:
    """Find out whether lists name rows by number or by name."""
    entries = [entry for each in lists for entry in as_list(each)]
    are_texts = any(isinstance(entry, str) for entry in entries)
    numbers = whole_numbers(entries)
    kept_rows = None if data.reading is None else data.reading.kept_rows
    by_number = Naming(data.n_rows, base_of(numbers, data.n_rows), are_texts=are_texts)
    by_name = Naming(data.n_rows, None, data.row_ids or (), are_texts)
    if asked is None and kept_rows is not None and _are_of_file(numbers, kept_rows, data.n_rows):
        notes.append("Rows are numbered as they stand in the data's file, of which some rows were left out.")
        return replace(by_number, base=0, kept_rows=kept_rows)
    if asked in ("from 0", "from 1"):
        return replace(by_number, base=int(asked == "from 1"))
    if asked == "order":
        way = argument("rows", "order", of="read_split")
        msg = f"{name} holds lists of rows, which name them; " + way + " is for one value a row."
        raise OptionError(msg)
    if asked == "ids" and data.row_ids is None:
        zero, one = (argument("rows", each, of="read_split") for each in ("from 0", "from 1"))
        msg = "The data has no row ids, so rows can only be numbered: use " + zero + " or " + one + "."
        raise OptionError(msg)
    share_by_number = float((by_number.rows(entries) >= 0).mean()) if entries else 1.0
    share_by_name = float((by_name.rows(entries) >= 0).mean()) if entries and data.row_ids else 0.0
    if asked == "ids" or (share_by_name > 0.5 and (are_texts or share_by_name > share_by_number)):
        return by_name
    if share_by_number < 0.5:
        msg = f"Hardly any of the rows that {name} names ({listed(entries[:3])}) are in the data, where they are "
        msg += f"called {listed(data.row_ids, 3)}." if data.row_ids else f"numbered from 0 to {data.n_rows - 1:,}."
        raise FormatError(msg)
    if by_number.base:
        notes.append(f"Row {data.n_rows:,} occurs and row 0 does not, so rows are taken to be numbered from 1.")
    elif share_by_name > 0.5 and data.row_ids != tuple(map(str, range(data.n_rows))):
        notes.append("The numbers could be row ids too; they were taken for row numbers from 0.")
    return by_number


def _are_of_file(numbers: RowNumbers, kept_rows: RowNumbers, n_rows: int) -> bool:
    """Tell whether numbers are those of rows in the file: all of rows that were kept, and some too high for others."""
    is_kept = np.isin(numbers, kept_rows)
    return len(kept_rows) == n_rows and bool(len(numbers)) and bool(is_kept.all()) and int(numbers.max()) >= n_rows
