"""CSV and TSV tables with one column of zeros and ones a label."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, listed
from optisplit.formats.base import Parsed, Source, decode_text
from optisplit.formats.cells import ONE, missing_message, other_message
from optisplit.formats.columns import chosen_columns
from optisplit.formats.table_columns import CellCodes, Column
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_DELIMITERS = ",;\t|"
_SAMPLE_CHARS = 100_000
_CELLS_AT_ONCE = 50_000
_ID_NAMES = frozenset({"", "id", "row_id", "rowid", "row", "index", "unnamed: 0", "sample_id"})
_NO_LABEL_NAMES = frozenset({"fold", "folds", "split", "splits", "group", "groups", "set", "subset", "partition"})
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?")


def read_delimited(source: Source, *, label_columns: int | Sequence[str] | None = None) -> Parsed:
    """Read the label columns of a text table.

    - Without `label_columns`, all columns whose every value is 0 or 1 are taken (also 0.0/1.0,
      True/False, yes/no), but for row ids and columns whose names say that they are folds or groups; a note
      names them.
    - A column that is 0/1 but for a few cells is an error, not a feature: it is more likely a mistake.

    Parameters
    ----------
    source : Source
        The file.
    label_columns : int or sequence of str, optional
        The last N columns (N), the first N (-N), or names.

    Returns
    -------
    Parsed
        Labels, names, and row ids where there is a column of them.

    Raises
    ------
    FormatError
        If it is no table, has no label columns, or a label is missing or not 0 or 1 somewhere.
    """
    text, notes = decode_text(source.data)
    delimiter = _delimiter(text)
    records = _records(text, delimiter)
    names, records = _header(records, source.name, notes)
    id_column = next((j for j, name in enumerate(names) if name.strip().lower() in _ID_NAMES), None)
    columns = [Column(name) for name in names]
    wanted = None if label_columns is None else chosen_columns(label_columns, names)
    row_ids = _read_rows(records, columns, id_column, wanted)
    if wanted is not None:
        chosen = [columns[j] for j in wanted]
        _refuse_faults(chosen)
        notes.append(f"{len(chosen):,} columns are labels, as asked for.")
    else:
        chosen = _proposed(columns, id_column, source.name, notes)
    matrix = _matrix([column.codes for column in chosen])
    return Parsed(matrix, [column.name for column in chosen], row_ids, notes)


def _delimiter(text: str) -> str:
    sample = text[:_SAMPLE_CHARS]
    best, best_score = ",", (0.0, 1)
    for delimiter in _DELIMITERS:
        try:
            records = list(islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), 50))
        except csv.Error:
            continue
        widths = Counter(len(record) for record in records[: 50 if len(sample) == len(text) else -1] if record)
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        score = (count / widths.total(), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record that is not blank, with the line that it ends in."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            msg = (
                f"The table cannot be read at line {reader.line_num:,} ({error}); "
                "a quote may be missing there or in a line above."
            )
            raise FormatError(msg) from error
        if any(record):
            yield reader.line_num, record


def _header(
    records: Iterator[tuple[int, list[str]]], name: str, notes: list[str]
) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Take off the header, or make one up; give the names and the remaining records."""
    first = next(records, None)
    second = next(records, None)
    if first is None or (second is None and not _is_data(first[1])):
        msg = f"{name!r} has a header but no rows." if first else f"{name!r} has no rows."
        raise FormatError(msg)
    rest = _chained([first] if _is_data(first[1]) else [], [second] if second else [], records)
    if _is_data(first[1]):
        notes.append("The first line holds values, not names, so the columns are called by their numbers, from 1.")
        return [f"column {j}" for j in range(1, len(first[1]) + 1)], rest
    names = [each.strip() for each in first[1]]
    if second is not None and len(second[1]) == len(names) + 1:
        names.insert(0, "")  # R leaves out the name of the row names
    repeated = [clean_name(each) for each, count in Counter(names).items() if count > 1 and each]
    if repeated:
        notes.append(f"{len(repeated):,} column name(s) occur more than once: {listed(repeated)}.")
    if all(_NUMBER.fullmatch(each) for each in names if each):
        notes.append(f"The first line was taken as column names, though they are numbers: {listed(names)}.")
    return names, rest


def _chained(*parts: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    for part in parts:
        yield from part


def _is_data(record: list[str]) -> bool:
    """Tell whether a first line is a row: numbers that no one would call columns."""
    cells = [cell.strip() for cell in record]
    numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    has_repeats = any(numbers.count(cell) > 1 for cell in ("0", "1", "0.0", "1.0"))
    has_fractions = len(numbers) == len(cells) and not all(cell.isdecimal() for cell in numbers)
    return has_repeats or has_fractions


def _read_rows(
    records: Iterable[tuple[int, list[str]]],
    columns: list[Column],
    id_column: int | None,
    wanted: list[int] | None,
) -> list[str] | None:
    n_columns = len(columns)
    row_ids: list[str] = []
    codes = CellCodes()
    checked = _checked(records, n_columns)
    while chunk := list(islice(checked, max(1, _CELLS_AT_ONCE // n_columns))):
        lines = [line for line, _ in chunk]
        by_column = list(zip(*(record for _, record in chunk), strict=True))
        for j in range(n_columns) if wanted is None else wanted:
            if wanted is None and columns[j].is_hopeless:
                columns[j].pass_over(len(lines))
            else:
                columns[j].extend(by_column[j], lines, codes)
        if id_column is not None:
            row_ids.extend(by_column[id_column])
    return None if id_column is None else row_ids


def _checked(records: Iterable[tuple[int, list[str]]], n_columns: int) -> Iterator[tuple[int, list[str]]]:
    for line, record in records:
        if len(record) != n_columns:
            msg = (
                f"The row that ends in line {line:,} has {len(record):,} cell(s), but there are "
                f"{n_columns:,} columns; a delimiter may be missing or too many, or a text needs quotes."
            )
            raise FormatError(msg)
        yield line, record


def _refuse_faults(columns: list[Column]) -> None:
    other = {clean_name(each.name): each.faults for each in columns if each.faults.n_other}
    if other:
        raise FormatError(other_message(other))
    missing = {clean_name(each.name): each.faults for each in columns if each.faults.n_missing}
    if missing:
        raise FormatError(missing_message(missing))


def _proposed(columns: list[Column], id_column: int | None, name: str, notes: list[str]) -> list[Column]:
    passed = {j: why for j, column in enumerate(columns) if (why := _why_never(column, is_id=j == id_column))}
    candidates = {j: column for j, column in enumerate(columns) if j not in passed}
    suspects = [column for column in candidates.values() if column.is_suspect]
    if suspects:
        raise _suspect_error(suspects)
    chosen = [column for column in candidates.values() if column.is_binary]
    passed |= {j: column.why_not() for j, column in candidates.items() if not column.is_binary}
    told = [f"{clean_name(columns[j].name)!r} ({why})" for j, why in islice(passed.items(), 5)]
    more = f" and {len(passed) - 5:,} more" if len(passed) > 5 else ""
    not_taken = f"Not taken: {', '.join(told)}{more}." if told else "No column was left out."
    if not chosen:
        msg = (
            f"{name!r} has no column whose every value is 0 or 1, so there are no labels. {not_taken} "
            "One column of zeros and ones for each label is needed."
        )
        raise FormatError(msg)
    shown = listed([clean_name(column.name) for column in chosen[:5]])
    shown += f" and {len(chosen) - 5:,} more" if len(chosen) > 5 else ""
    notes.append(f"{len(chosen):,} columns whose every value is 0 or 1 are taken as labels: {shown}. {not_taken}")
    return chosen


def _why_never(column: Column, *, is_id: bool) -> str:
    if is_id:
        return "row ids"
    if column.name.strip().lower() in _NO_LABEL_NAMES:
        return "its name says that it splits or groups the rows"
    return ""


def _suspect_error(suspects: list[Column]) -> FormatError:
    out = "\nHint: if these columns are no labels, give the names of the labels as label_columns."
    other = {clean_name(each.name): each.faults for each in suspects if each.faults.n_other}
    if other:
        return FormatError(other_message(other) + out)
    return FormatError(missing_message({clean_name(each.name): each.faults for each in suspects}) + out)


def _matrix(codes: list[bytearray]) -> sp.csc_array:
    indices = [np.flatnonzero(np.frombuffer(column, dtype=np.uint8) == ONE) for column in codes]
    indptr = np.concatenate([[0], np.cumsum([len(rows) for rows in indices])])
    stored = np.concatenate(indices)
    shape = (len(codes[0]), len(codes))
    return sp.csc_array((np.ones(len(stored), dtype=np.int8), stored, indptr), shape=shape)
