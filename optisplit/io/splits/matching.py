"""Which row of the data each line of a table is for, as well as can be told."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import FormatError, OptionError, argument, listed
from optisplit.io.splits.records import check_length
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.io.splits.base import RowNaming, RowNumbers
    from optisplit.io.tables import Record
    from optisplit.labels import MultilabelDataset

ID_COLUMNS = ("row", "row_id", "id", "rowid", "index", "idx", "row_number", "sample_id", "sample", "instance", "name",
              "", "unnamed: 0")  # fmt: skip
"""Columns that mostly hold ids or row numbers, likeliest first."""

_NUMBER = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class LineRows:
    """Which row of the data each line is for."""

    rows: RowNumbers  # the row; -1 where there is none
    key: int | None  # the column that says so; None: the order
    base: int  # what the first row's number is, where rows are numbered
    how: str  # how they were matched, in words
    unknown: tuple[str, ...] = ()  # what is named but is no row


def match_lines(
    name: str, header: list[str], lines: list[Record], taken: int, data: MultilabelDataset, naming: RowNaming | None
) -> LineRows:
    """Find the row of each line, as well as can be: lines without a row, and rows without a line, are let be."""
    if naming != "order":
        found = None
        if naming in (None, "ids") and data.row_ids is not None:
            found = _by_ids(header, lines, taken, data.row_ids)
        if found is None and naming != "ids":
            found = _by_numbers(header, lines, taken, data.n_rows, naming)
        if found is not None:
            return found
        if naming is not None:
            way = "the data's row ids" if naming == "ids" else "row numbers"
            msg = f"No column of {name} holds {way}: {listed(header)}."
            raise OptionError(msg)
        _refuse_strangers(name, header, lines, taken, data)
    kept_rows = None if data.reading is None else data.reading.kept_rows
    if kept_rows is not None and data.reading is not None and len(lines) == data.reading.n_file_rows:
        rows = np.full(len(lines), -1, dtype=np.int64)
        rows[kept_rows] = np.arange(data.n_rows)
        return LineRows(rows, None, 0, "in the order of the rows of the data's file, of which some were left out")
    what = f"line(s) below the header with {header[taken]!r}" if header[taken] else "line(s)"
    check_length(name, what, len(lines), data.n_rows)
    how = "in the order of the rows"
    if any(title.lower() in ID_COLUMNS[:4] for at, title in enumerate(header) if at != taken) and data.row_ids is None:
        how += " (the data has no row ids to compare with)"
    return LineRows(np.arange(data.n_rows), None, 0, how)


def _likeliest(header: list[str], taken: int) -> list[int]:
    """Put the columns that may be a key in order, those with a usual name first."""
    usual = {title: place for place, title in enumerate(ID_COLUMNS)}
    others = [at for at in range(len(header)) if at != taken]
    return sorted(others, key=lambda at: usual.get(header[at].strip().lower(), len(usual)))


def _by_ids(header: list[str], lines: list[Record], taken: int, row_ids: Sequence[str]) -> LineRows | None:
    known = set(row_ids)
    best, best_share = None, 0.5
    for at in _likeliest(header, taken):
        # a look at some lines tells most columns apart
        some = [clean_name(record.cell(at)) for record in lines[:: max(1, len(lines) // 200)]]
        if sum(each in known for each in some) < 0.3 * len(some):
            continue
        ids = [clean_name(record.cell(at)) for record in lines]
        share = sum(each in known for each in ids) / max(1, len(ids))
        is_key = len(set(ids)) >= 0.9 * min(len(ids), len(known))
        if is_key and share > best_share:
            best, best_share = (at, ids), share
    if best is None:
        return None
    at, ids = best
    rows = rows_of_ids(ids, row_ids)
    unknown = tuple(each for each, row in zip(ids, rows.tolist(), strict=True) if row < 0)
    return LineRows(rows, at, 0, f"matched to the rows by column {header[at]!r}", unknown)


def rows_of_ids(ids: Sequence[str], row_ids: Sequence[str]) -> RowNumbers:
    """Find the row of each id; where ids repeat in the data, they are taken in its order."""
    places: dict[str, list[int]] = {}
    for row, row_id in enumerate(row_ids):
        places.setdefault(row_id, []).append(row)
    seen: Counter[str] = Counter()
    rows = np.full(len(ids), -1, dtype=np.int64)
    for at, row_id in enumerate(ids):
        found = places.get(row_id)
        if found is not None:
            rows[at] = found[min(seen[row_id], len(found) - 1)]
            seen[row_id] += 1
    return rows


def _by_numbers(
    header: list[str], lines: list[Record], taken: int, n_rows: int, naming: RowNaming | None
) -> LineRows | None:
    for at in _likeliest(header, taken):
        if naming is None and header[at].strip().lower() not in ID_COLUMNS:
            continue
        texts = [record.cell(at).removesuffix(".0") for record in lines]
        numbers = [int(text) if _NUMBER.fullmatch(text) else -1 for text in texts]
        base = base_of(np.asarray(numbers), n_rows) if naming is None else int(naming == "from 1")
        rows = np.asarray(numbers, dtype=np.int64) - base
        is_known = (rows >= 0) & (rows < n_rows) & (np.asarray(numbers) >= 0)
        if not lines or is_known.mean() < 0.5 or len(set(numbers)) < 0.9 * min(len(lines), n_rows):
            continue
        rows = np.where(is_known, rows, -1)
        unknown = tuple(text for text, fits in zip(texts, is_known.tolist(), strict=True) if not fits)
        how = f"matched to the rows by their numbers from {base} in column {header[at]!r}"
        return LineRows(rows, at, base, how, unknown)
    return None


def base_of(numbers: RowNumbers, n_rows: int) -> int:
    """Tell from which number rows are counted: from 1 where the number of rows occurs, and 0 does not."""
    return int(bool((numbers == n_rows).any()) and not bool((numbers == 0).any()))


def _refuse_strangers(name: str, header: list[str], lines: list[Record], taken: int, data: MultilabelDataset) -> None:
    """Refuse ids none of which the data knows: their lines must not be taken in order."""
    if data.row_ids is None:
        return
    for title in ID_COLUMNS[1:3]:
        at = next((j for j, each in enumerate(header) if each.strip().lower() == title and j != taken), None)
        if at is not None:
            given = [record.cell(at) for record in lines[:3]]
            msg = (
                f"Hardly any of the ids of {name} (column {header[at]!r}: {listed(given, 3)}) are rows of the data, "
                f"which are called {listed(data.row_ids, 3)}."
            )
            hint = (
                "\nHint: if its lines are in the order of the rows, say so ("
                + argument("rows", "order", of="read_split")
                + ")."
            )
            raise FormatError(msg + hint)
