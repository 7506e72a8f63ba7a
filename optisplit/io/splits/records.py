"""Text tables whose lines say something of the rows of the data, and one text a row from them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit.errors import FormatError, OptionError, listed
from optisplit.folds.arrays import match_rows
from optisplit.io.formats.cells import MISSING, cell_code
from optisplit.io.source import read_source
from optisplit.io.tables import read_records
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.io.tables import Record
    from optisplit.labels import MultilabelDataset

PLACE = re.compile(r"(-?[0-9]{1,9})(\.0*)?")
"""A fold's number, or -1."""


@dataclass(frozen=True, slots=True)
class RowValues:
    """One text a row of the data, and how it was found in a file."""

    name: str  # the file's name
    values: list[str]  # the texts, in the order of the data's rows
    lines: list[int]  # the line of the file that each stands on, from 1
    how: str  # how they were found, in words for the user


def header_of(record: Record) -> list[str]:
    """Give the names of columns in a header."""
    return [clean_name(title) for title in record.cells]


def without_blank_end(records: list[Record], n_rows: int) -> list[Record]:
    """Drop blank lines at the end that no row is left for."""
    end = len(records)
    while end > n_rows and records[end - 1].is_blank:
        end -= 1
    return records[:end]


def lines_below(records: list[Record], n_columns: int, n_rows: int) -> list[Record]:
    """Give the lines below a header."""
    # a blank line between others is a missing value where there is one column, and nothing where there are several
    kept = [record for record in records if n_columns == 1 or not record.is_blank]
    return without_blank_end(kept, n_rows)


def check_column(name: str, header: Sequence[str], column: str) -> int:
    """Find a column."""
    if column not in header:
        what = f"column of {name}:"
        raise OptionError.unknown(what, column, header)
    if header.count(column) > 1:
        msg = f"{header.count(column)} columns of {name} are called {column!r}; rename them."
        raise OptionError(msg)
    return header.index(column)


def check_length(name: str, what: str, found: int, n_rows: int) -> None:
    """Refuse a file that has not one line a row."""
    if found != n_rows:
        msg = f"{name} has {found:,} {what}, but the data has {n_rows:,} rows."
        raise FormatError(msg)


def is_missing(text: str) -> bool:
    """Tell whether a cell means that there is no value."""
    return cell_code(text) == MISSING


def read_row_values(given: str, data: MultilabelDataset, *, option: str, usual: str) -> RowValues:
    """Read one text a row of the data.

    - With a column named, or where the first line has the usual one, the file is a table with a header. Its lines are
      brought into the data's order by a column that holds the row ids, or by ``row`` as :func:`read_folds` does it.
    - Otherwise it has one text a line, in the order of the rows; a line too many makes the first a header.
    """
    file, column = file_and_column(given)
    source = read_source(file)
    name, (records, _) = clean_name(source.name), read_records(source)
    header = header_of(records[0])
    if column is None and usual in header:
        column = usual
    if column is not None:
        at = check_column(name, header, column)
        return _from_table(name, header, lines_below(records[1:], len(header), data.n_rows), at, data)
    widths = Counter(len(record.cells) for record in records)
    if max(widths) > 1:
        if len(widths) == 1:
            msg = f"{name} has {len(header)} columns; say which one is meant: {option} {file}:COLUMN."
            raise OptionError(msg + f"\nHint: its first line is {listed(header)}.")
        msg = f"{name} is neither one text a line nor a table: its lines have {min(widths)} to {max(widths)} columns."
        raise FormatError(msg + "\nHint: put texts that hold a comma, semicolon or tab in quotes.")
    return _from_list(name, records, data.n_rows, of_numbers=usual == "fold")


def file_and_column(given: str) -> tuple[str, str | None]:
    """Take the longest beginning before a colon that is a file, unless the whole is."""
    if not Path(given).exists():
        for at in reversed([match.start() for match in re.finditer(":", given)]):
            if Path(given[:at]).is_file():
                return given[:at], given[at + 1 :].strip()
    return given, None


def _from_list(name: str, records: list[Record], n_rows: int, *, of_numbers: bool) -> RowValues:
    first = records[0].cell(0)
    lines = without_blank_end(records, n_rows)
    is_word = not is_missing(first) and PLACE.fullmatch(first) is None
    has_header = is_word if of_numbers else len(lines) == n_rows + 1
    if has_header:
        lines = without_blank_end(records[1:], n_rows)
    header = f" after the header {first!r}" if has_header else ""
    check_length(name, f"line(s){header}", len(lines), n_rows)
    how = f"one a line{header}, in the order of the rows"
    return RowValues(name, [record.cell(0) for record in lines], [record.line for record in lines], how)


def _from_table(name: str, header: list[str], lines: list[Record], at: int, data: MultilabelDataset) -> RowValues:
    column = header[at]
    check_length(name, f"line(s) below the header with {column!r}", len(lines), data.n_rows)
    values, numbers = [record.cell(at) for record in lines], [record.line for record in lines]
    found = _exact_places(name, header, lines, at, data)
    if found is None:
        return RowValues(name, values, numbers, f"column {column!r}, in the order of the rows")
    key, places = found
    how = f"column {column!r}, matched to the rows by column {key!r}"
    return RowValues(name, [values[place] for place in places], [numbers[place] for place in places], how)


def _exact_places(
    name: str, header: list[str], lines: list[Record], taken: int, data: MultilabelDataset
) -> tuple[str, list[int]] | None:
    """Find the column that says which row a line is for, and the line of each row."""
    key = _id_column(header, lines, taken, data)
    if key is not None:
        ids = [clean_name(record.cell(key)) for record in lines]
        return header[key], match_rows(ids, data.row_ids or (), name).tolist()
    for title, wanted in (("row", list(map(str, range(data.n_rows)))), ("row_id", data.row_ids)):
        if wanted is not None and title in header and header.index(title) != taken:
            texts = [record.cell(header.index(title)) for record in lines]
            return title, match_rows(texts, wanted, name).tolist()
    return None


def _id_column(header: list[str], lines: list[Record], taken: int, data: MultilabelDataset) -> int | None:
    """Find the column that holds the data's row ids, all of them and no others."""
    known = set(data.row_ids or ())
    for at in range(len(header)):
        is_near = at != taken and bool(lines) and clean_name(lines[0].cell(at)) in known
        if is_near and {clean_name(record.cell(at)) for record in lines} == known:
            return at
    return None
