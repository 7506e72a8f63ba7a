"""CSV, TSV and other text tables."""

from __future__ import annotations

import csv
import re
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, argument, listed
from optisplit.io.formats.cells import MISSING_ADVICE, missing_message, other_message
from optisplit.io.formats.columns import chosen_columns
from optisplit.io.formats.layouts import (
    ID_NAMES,
    N_SAMPLE,
    NO_LABEL_NAMES,
    find_layout,
    labels_in,
    made_up_name,
    read_named_labels,
    read_pairs,
)
from optisplit.io.formats.parsed import Parsed
from optisplit.io.formats.table_columns import CellCodes, Column
from optisplit.io.source import NOT_UTF8, Source, decode_text
from optisplit.io.tables import delimiter_of
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optisplit.io.formats.layouts import Chunk

_DELIMITER_NAMES = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
_CELLS_AT_ONCE = 50_000
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?")
_FRACTION = re.compile(r"0?[.,]\d+|\d(?:\.\d+)?[eE]-\d+")
_NAMED_CLASSES = re.compile(r"\W*\w*\s*\(([^()]*,[^()]*)\)\W*")


def read_delimited(
    source: Source,
    *,
    label_columns: int | Sequence[str] | None = None,
    layout: str | None = None,
    label_separator: str | None = None,
) -> Parsed:
    """Read the labels of a text table.

    - Labels are columns of 0 and 1 (also 0.0/1.0, True/False, yes/no); or are named in a column of lists, in several
      columns, or in a line for each pair of row and label.
    - Without `label_columns`, all columns whose every value is 0 or 1 are taken, but for row ids and columns whose
      names say that they are folds or groups; a note names them.
    - A column that is 0/1 but for a few other values is an error, not a feature: it is more likely a mistake.
    """
    notes = [NOT_UTF8] if source.encoding == "latin-1" else []
    delimiter = delimiter_of(decode_text(source.head)[0])
    with source.open_text() as text:
        table = _Table(csv.reader(text, delimiter=delimiter, strict=True), source, delimiter)
        names, first = _header(table.take(N_SAMPLE), source.name, notes)
        _check_widths(*first, len(names))
        sample = list(zip(*first[1], strict=True))
        choice = find_layout(names, sample, layout=layout, label_columns=label_columns, separator=label_separator)
        id_column = next((j for j, name in enumerate(names) if name.strip().lower() in ID_NAMES), None)
        if choice.layout == "one-hot":
            chunks = table.chunks(first, len(names))
            parsed = read_one_hot(names, chunks, id_column, label_columns, source)
            table.add_note(notes)
            parsed.notes += [*choice.notes, *_cross_check(names, sample, parsed)]
        else:
            id_column = None if id_column in choice.columns else id_column
            chunks = table.chunks(first, len(names), {*choice.columns, id_column})
            header_line = first[0][0] - 1 if first[0] and first[0][0] == 2 else 0  # others go the careful way
            if choice.layout == "long":
                parsed = read_pairs(choice, names, chunks, source, delimiter=delimiter, header_line=header_line)
            else:
                parsed = read_named_labels(
                    choice, names, chunks, id_column, source, delimiter=delimiter, header_line=header_line
                )
            table.add_note(notes)
    parsed.notes = [*notes, *parsed.notes]
    parsed.form = f"Text table with {_DELIMITER_NAMES[delimiter]} between columns"
    parsed.details |= {"Columns": f"{len(names):,}", "Text": "Latin-1" if source.encoding == "latin-1" else "UTF-8"}
    return parsed


Rows: TypeAlias = "tuple[Sequence[int], list[list[str]]]"
"""Records that are not blank, and the line that each ends in."""


class _Table:
    """The records of a table, from its start."""

    def __init__(self, reader: Any, source: Source, delimiter: str) -> None:
        self._reader, self._source, self._delimiter = reader, source, delimiter
        self._n_left_out = self._n_at_end = 0

    def take(self, count: int) -> Rows:
        """Read so many records, or those that are left."""
        before = self._reader.line_num
        try:
            records = list(islice(self._reader, count))
        except csv.Error as error:
            msg = _why_unreadable(error, self._source, self._delimiter)
            raise FormatError(msg) from error
        lines: Sequence[int] = range(before + 1, before + len(records) + 1)
        if self._reader.line_num - before != len(records):  # texts of several lines
            ends = [1 + sum(cell.count("\n") or cell.count("\r") for cell in record) for record in records]
            lines = (before + np.cumsum(ends)).tolist()
        if all(record and record[0] for record in records):
            if records:
                self._n_left_out += self._n_at_end
                self._n_at_end = 0
            return lines, records
        kept = [at for at, record in enumerate(records) if any(record)]
        if kept:  # what is left out at the end of the file needs no telling
            self._n_left_out += self._n_at_end + kept[-1] + 1 - len(kept)
            self._n_at_end = 0
        self._n_at_end += len(records) - (kept[-1] + 1 if kept else 0)
        return [lines[at] for at in kept], [records[at] for at in kept]

    def add_note(self, notes: list[str]) -> None:
        """Tell, once all is read, which lines between others were left out."""
        if self._n_left_out:
            notes.append(f"{self._n_left_out:,} line(s) with nothing in them were left out, so they are no rows.")

    def chunks(self, first: Rows, n_columns: int, needed: set[int | None] | None = None) -> Iterator[Chunk]:
        """Yield all rows column by column, only some columns if told so."""
        at_once = max(1, _CELLS_AT_ONCE // n_columns)
        rows = first
        while True:
            lines, records = rows
            if records:
                _check_widths(lines, records, n_columns)
                if needed is None:
                    yield lines, list(zip(*records, strict=True))
                else:
                    yield lines, [[record[j] for record in records] if j in needed else () for j in range(n_columns)]
            before = self._reader.line_num
            rows = self.take(at_once)
            if not rows[1] and self._reader.line_num == before:
                return


def _why_unreadable(error: csv.Error, source: Source, delimiter: str) -> str:
    """Say where a record that cannot be read begins and ends, for which the file is read once more."""
    with source.open_text() as text:
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        first = 1
        with suppress(csv.Error):
            for _ in reader:
                first = reader.line_num + 1
        last = reader.line_num
    if "unexpected end of data" in str(error):
        return f"The quote that opens in line {first:,} is never closed; close it, or take it out."
    if "expected after" in str(error):
        where = f"line {first:,}" if first >= last else f"lines {first:,} to {last:,}"
        return (
            f"The table cannot be read in {where}: something follows a closing quote. A quote may be missing there, or "
            "one inside a text is not doubled."
        )
    return f"The table cannot be read in line {last:,} ({error})."


def _header(rows: Rows, name: str, notes: list[str]) -> tuple[list[str], Rows]:
    """Take off the header, or make one up; give the names and the remaining rows."""
    lines, records = rows
    if not records or (len(records) == 1 and not _is_data(records[0])):
        msg = f"{name!r} has a header but no rows." if records else f"{name!r} has no rows."
        raise FormatError(msg)
    if _is_data(records[0]) or _recurs(records):
        notes.append("The first line holds values, not names, so the columns are called by their numbers, from 1.")
        return [made_up_name(j) for j in range(1, len(records[0]) + 1)], rows
    names = [each.strip() for each in records[0]]
    if len(records[1]) == len(names) + 1:
        names.insert(0, "")  # R leaves out the name of the row names
    repeated = [clean_name(each) for each, count in Counter(names).items() if count > 1 and each]
    if repeated:
        notes.append(f"{len(repeated):,} column name(s) occur more than once: {listed(repeated)}.")
    if all(_NUMBER.fullmatch(each) for each in names if each):
        notes.append(f"The first line was taken as column names, though they are numbers: {listed(names)}.")
    return names, (lines[1:], records[1:])


def _recurs(records: list[list[str]]) -> bool:
    """Tell whether texts of the first line are values of their columns, as in tables of pairs without a header."""
    first, rest = records[0], records[1:]
    if any(record == first for record in rest):
        return False  # a header that is repeated, as where files were put together
    for j, cell in enumerate(first):
        if not cell.strip() or _NUMBER.fullmatch(cell.strip()):
            continue
        values = {record[j] for record in rest if len(record) > j and record[j].strip()}
        if cell in values and len(values) > 1:  # a column may have its own name wherever a row has the label
            return True
    return False


def _is_data(record: list[str]) -> bool:
    """Tell whether a first line is a row: numbers that no one would call columns."""
    cells = [cell.strip() for cell in record]
    numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    has_repeats = any(numbers.count(cell) > 1 for cell in ("0", "1", "0.0", "1.0"))
    has_fractions = len(numbers) == len(cells) and not all(cell.isdecimal() for cell in numbers)
    return has_repeats or has_fractions


def _check_widths(lines: Sequence[int], records: list[list[str]], n_columns: int) -> None:
    if set(map(len, records)) <= {n_columns}:
        return
    line, record = next(each for each in zip(lines, records, strict=True) if len(each[1]) != n_columns)
    msg = (
        f"The row that ends in line {line:,} has {len(record):,} cell(s), but there are {n_columns:,} columns; a "
        "delimiter may be missing or too many, or a text needs quotes."
    )
    raise FormatError(msg)


def read_one_hot(
    names: Sequence[str],
    chunks: Iterator[Chunk],
    id_column: int | None,
    label_columns: int | Sequence[str] | None,
    source: Source,
) -> Parsed:
    """Read a column of 0 and 1 for each label."""
    columns = [Column(name) for name in names]
    wanted = None if label_columns is None else chosen_columns(label_columns, names)
    row_ids = _read_rows(chunks, columns, id_column, wanted)
    notes: list[str] = []
    if wanted is not None:
        chosen = [columns[j] for j in wanted]
        other = {clean_name(each.name): each.faults for each in chosen if each.faults.n_other}
        if other:
            raise FormatError(other_message(other))
        rule = f"{len(chosen):,} columns are labels, as asked for."
    else:
        chosen, rule = _proposed(columns, id_column, source.name)
    mixed = [(column, notations) for column in chosen if len(notations := column.notations) > 1]
    if mixed:
        column, notations = mixed[0]
        also = f" So it is with {len(mixed) - 1:,} more." if len(mixed) > 1 else ""
        msg = (
            f"The label {clean_name(column.name)!r} is written in several ways, {' and '.join(notations[:2])}; write "
            f"it in one, so that it is certain what is meant.{also}"
        )
        raise FormatError(msg)
    missing = {clean_name(each.name): each.faults for each in chosen if each.faults.n_missing}
    parsed = Parsed(_matrix(chosen), [column.name for column in chosen], row_ids, notes, rule=rule)
    if missing:
        parsed.missing_message = missing_message(missing)
        parsed.missing_advice = MISSING_ADVICE
        if wanted is None:
            parsed.missing_advice += (
                " If it is no label, give the names of the labels as " + argument("label_columns") + "."
            )
        cells = [(rows, np.full(len(rows), j)) for j, column in enumerate(chosen) if len(rows := column.missing_rows)]
        parsed.missing = np.stack([np.concatenate(each) for each in zip(*cells, strict=True)], axis=1)
    notations = sorted({each for column in chosen for each in column.notations})
    parsed.details["Values"] = ", ".join(notations)
    parsed.options = {"layout": "one-hot"}
    if (said := _as_said([column.name for column in chosen], names)) is not None:
        parsed.options["label_columns"] = said
    return parsed


def _as_said(chosen: list[str], names: Sequence[str]) -> int | list[str] | None:
    """Write label columns as :func:`optisplit.load` takes them: by their number at an end, or by name, if that does."""
    count = len(chosen)
    if chosen == list(names[-count:]):
        return count
    if chosen == list(names[:count]):
        return -count
    counts = Counter(names)
    return chosen if all(counts[name] == 1 for name in chosen) else None


def _read_rows(
    chunks: Iterator[Chunk], columns: list[Column], id_column: int | None, wanted: list[int] | None
) -> list[str] | None:
    row_ids: list[str] = []
    codes = CellCodes()
    for lines, cells in chunks:
        for j in range(len(columns)) if wanted is None else wanted:
            if wanted is None and columns[j].is_hopeless:
                columns[j].pass_over(len(lines))
            else:
                columns[j].extend(cells[j], lines, codes)
        if id_column is not None:
            row_ids.extend(cells[id_column])
    return None if id_column is None else row_ids


def _proposed(columns: list[Column], id_column: int | None, name: str) -> tuple[list[Column], str]:
    passed = {j: why for j, column in enumerate(columns) if (why := _why_never(column, is_id=j == id_column))}
    candidates = {j: column for j, column in enumerate(columns) if j not in passed}
    suspects = {clean_name(each.name): each.faults for each in candidates.values() if each.is_suspect}
    if suspects:
        out = "\nHint: if these columns are no labels, give the names of the labels as "
        raise FormatError(other_message(suspects) + out + argument("label_columns") + ".")
    chosen = [column for column in candidates.values() if column.is_label]
    passed |= {j: column.why_not() for j, column in candidates.items() if not column.is_label}
    told = [f"{clean_name(columns[j].name)!r} ({why})" for j, why in islice(passed.items(), 5)]
    more = f" and {len(passed) - 5:,} more" if len(passed) > 5 else ""
    not_taken = f"Not taken: {', '.join(told)}{more}." if told else "No column was left out."
    if not chosen:
        msg = (
            f"{name!r} has no column whose every value is 0 or 1, so there are no labels. {not_taken} "
            "One column of zeros and ones for each label is needed, or a column that names labels: say which, as "
            + argument("label_columns")
            + "."
        )
        probable = next((clean_name(each.name) for each in candidates.values() if _is_probability(each)), None)
        if probable is not None:
            msg += f"\nHint: if {probable!r} holds probabilities, decide from which one on a row has the label."
        raise FormatError(msg)
    shown = listed([clean_name(column.name) for column in chosen[:5]])
    shown += f" and {len(chosen) - 5:,} more" if len(chosen) > 5 else ""
    return chosen, f"{len(chosen):,} columns whose every value is 0 or 1 are taken as labels: {shown}. {not_taken}"


def _is_probability(column: Column) -> bool:
    kinds = list(column.faults.kinds)
    return bool(kinds) and all(_FRACTION.fullmatch(kind) for kind in kinds)


def _why_never(column: Column, *, is_id: bool) -> str:
    if is_id:
        return "row ids"
    if column.name.strip().lower() in NO_LABEL_NAMES:
        return "its name says that it splits or groups the rows"
    return ""


def _matrix(columns: list[Column]) -> sp.csc_array:
    indices = [column.positive_rows for column in columns]
    indptr = np.concatenate([[0], np.cumsum([len(rows) for rows in indices])])
    stored = np.concatenate(indices)
    shape = (len(columns[0].codes), len(columns))
    return sp.csc_array((np.ones(len(stored), dtype=np.int8), stored, indptr), shape=shape)


def _cross_check(names: Sequence[str], sample: Sequence[Sequence[str]], parsed: Parsed) -> list[str]:
    """Compare a column such as ``Classes(car, bus)``, which names each row's labels, with the columns of 0 and 1."""
    place = {name.strip().casefold(): j for j, name in enumerate(parsed.label_names or ())}
    column = next((j for j, name in enumerate(names) if _NAMED_CLASSES.fullmatch(name)), None)
    if column is None or not place:
        return []
    labels = sp.csr_array(parsed.labels)
    n_wrong = 0
    for row, cell in enumerate(sample[column]):
        said = {place.get(each.strip().casefold()) for each in labels_in(cell, _between(cell)) or ()} - {None}
        n_wrong += said != set(labels.indices[labels.indptr[row] : labels.indptr[row + 1]].tolist())
    name = clean_name(names[column].strip(), 40)
    if n_wrong:
        return [f"The column {name!r} names other labels than the columns of 0 and 1 in {n_wrong:,} of the first "
                f"{len(sample[column]):,} rows."]  # fmt: skip
    return [f"The column {name!r} names the same labels as the columns of 0 and 1 in the first rows."]


def _between(cell: str) -> str | None:
    return next((separator for separator in ("|", ";", ",", " ") if separator in cell.strip()), None)
