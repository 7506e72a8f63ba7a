"""How lists name the rows of the data: by number, or by id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, OptionError, argument, listed
from optisplit.io.splits.matching import base_of, rows_of_ids
from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.io.splits.base import RowNaming, RowNumbers
    from optisplit.labels import MultilabelDataset


@dataclass(frozen=True, slots=True)
class Naming:
    """How lists name rows."""

    base: int | None  # what the first row's number is; None where rows are named by their ids
    row_ids: tuple[str, ...] | None  # the ids of the data's rows
    are_texts: bool  # whether they are written as texts
    # shape (n_rows,): the number of each row in the data's file, where lists go by these since rows of the file were
    # left out
    kept_rows: RowNumbers | None = None

    @property
    def how(self) -> str:
        """The same in words."""
        if self.base is None:
            return "named by their ids"
        return f"numbered from {self.base}" + (
            ", as they stand in the data's file" if self.kept_rows is not None else ""
        )

    def rows(self, entries: Any) -> RowNumbers:
        """Find the rows of a list."""
        if self.base is None:
            return rows_of_ids([clean_name(each) for each in plain(entries)], self.row_ids or ())
        numbers = _numbers(entries) - self.base
        if self.kept_rows is None:
            return numbers
        rows = np.searchsorted(self.kept_rows, numbers)
        is_kept = self.kept_rows[np.minimum(rows, len(self.kept_rows) - 1)] == numbers
        return np.where(is_kept, rows, -1)

    def spell(self, rows: RowNumbers) -> list[Any]:
        """Write rows as the lists do."""
        if self.base is None:
            ids = [(self.row_ids or ())[row] for row in rows.tolist()]
            return ids if self.are_texts else [int(each) for each in ids]
        numbers = ((rows if self.kept_rows is None else self.kept_rows[rows]) + self.base).tolist()
        return list(map(str, numbers)) if self.are_texts else numbers


def plain(entries: Any) -> list[Any]:
    """Give what is in a list or an array as a list."""
    return entries.tolist() if isinstance(entries, np.ndarray) else entries


def _numbers(entries: Any) -> RowNumbers:
    """Read whole numbers; -1,000,000,000,000 for what is none."""
    array = np.asarray(entries)
    if array.size and array.dtype.kind in "iu":
        return array.astype(np.int64)
    no_row = -1_000_000_000_000
    return np.asarray([_whole(each, no_row) for each in plain(entries)], dtype=np.int64)


def _whole(entry: Any, otherwise: int) -> int:
    if isinstance(entry, bool):
        return otherwise
    if isinstance(entry, float):
        return int(entry) if entry.is_integer() and abs(entry) < 10**15 else otherwise
    try:
        number = int(str(entry)[:20])
    except ValueError:
        return otherwise
    return number if abs(number) < 10**15 else otherwise


def find_naming(
    lists: list[Any], data: MultilabelDataset, asked: RowNaming | None, name: str, notes: list[str]
) -> Naming:
    """Find out whether lists name rows by number or by id."""
    masks = [each for each in lists if isinstance(each, np.ndarray) and each.dtype == np.bool_]
    for mask in masks:
        if len(mask) != data.n_rows:
            msg = f"{name} has a mask of {len(mask):,} rows, but the data has {data.n_rows:,}."
            raise FormatError(msg)
    entries = [entry for each in lists if not (isinstance(each, np.ndarray) and each.dtype == np.bool_)
               for entry in plain(each)]  # fmt: skip
    are_texts = any(isinstance(entry, str) for entry in entries)
    numbers = _numbers(entries)
    kept_rows = None if data.reading is None else data.reading.kept_rows
    if asked is None and kept_rows is not None and _are_of_file(numbers, kept_rows, data.n_rows):
        notes.append("Rows are numbered as they stand in the data's file, of which some rows were left out.")
        return Naming(0, data.row_ids, are_texts, kept_rows)
    base = base_of(numbers, data.n_rows)
    if asked in ("from 0", "from 1"):
        return Naming(int(asked == "from 1"), data.row_ids, are_texts)
    if asked == "order":
        msg = (
            f"{name} holds lists of rows, which name them; "
            + argument("rows", "order", of="read_split")
            + " is for one value a row."
        )
        raise OptionError(msg)
    if asked == "ids" and data.row_ids is None:
        msg = (
            "The data has no row ids, so rows can only be numbered: use "
            + argument("rows", "from 0", of="read_split")
            + " or "
        )
        msg += argument("rows", "from 1", of="read_split") + "."
        raise OptionError(msg)
    is_number = (numbers >= base) & (numbers < data.n_rows + base)
    n_numbers = float(is_number.mean()) if len(entries) else 1.0
    known = set(data.row_ids or ())
    n_ids = sum(clean_name(entry) in known for entry in entries) / max(1, len(entries)) if known else 0.0
    if asked == "ids" or (n_ids > 0.5 and n_ids > n_numbers) or (are_texts and n_ids > 0.5):
        return Naming(None, data.row_ids, are_texts)
    if n_numbers < 0.5:
        rows_are = f"called {listed(data.row_ids, 3)}" if data.row_ids else f"numbered from 0 to {data.n_rows - 1:,}"
        named = f"Hardly any of the rows that {name} names ({listed(entries[:3])})"
        msg = f"{named} are in the data, where they are {rows_are}."
        raise FormatError(msg)
    if base:
        notes.append(f"Row {data.n_rows:,} occurs and row 0 does not, so rows are taken to be numbered from 1.")
    elif n_ids > 0.5 and data.row_ids != tuple(map(str, range(data.n_rows))):
        notes.append("The numbers could be row ids too; they were taken for row numbers from 0.")
    return Naming(base, data.row_ids, are_texts)


def _are_of_file(numbers: RowNumbers, kept_rows: RowNumbers, n_rows: int) -> bool:
    """Tell whether numbers are those of rows in the file: all of rows that were kept, and some too high for others."""
    is_kept = np.isin(numbers, kept_rows)
    return len(kept_rows) == n_rows and bool(len(numbers)) and bool(is_kept.all()) and int(numbers.max()) >= n_rows
