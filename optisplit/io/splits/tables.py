"""Splits in text tables: a column that says the part, or one part a line."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import OptionError, listed
from optisplit.folds.arrays import ALWAYS_TRAIN
from optisplit.io.formats.cells import OTHER, cell_code
from optisplit.io.splits.assembly import Found, assemble
from optisplit.io.splits.base import MISSING, Kind, RowNaming, RowNumbers, SplitFile, SplitSource, packed, repaired_name
from optisplit.io.splits.matching import ID_COLUMNS, LineRows, match_lines
from optisplit.io.splits.object_rows import ObjectSource, is_json_lines, is_parquet, records_of_objects
from optisplit.io.splits.records import (
    check_column,
    header_of,
    is_missing,
    lines_below,
    without_blank_end,
)
from optisplit.io.splits.values import Understood, role_of, understand
from optisplit.io.tables import Record, read_records
from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.io.source import Source
    from optisplit.labels import MultilabelDataset

SPLIT_COLUMNS = (
    "fold", "folds", "split", "splits", "part", "parts", "partition", "subset", "set", "test_fold", "fold_id",
    "fold_no", "kfold", "cv_fold", "cv", "split_set", "data_split", "is_test", "is_train", "istest", "istrain", "test",
    "train", "test_mask", "train_mask",
)  # fmt: skip
"""Names of columns that say the part, likeliest first."""

_MOST_VALUES = 50


@dataclass(frozen=True, slots=True)
class SplitColumn:
    """A column of a table that may say the part of each row."""

    name: str  # its name
    # its values and how often they occur, the most frequent first; the first twenty
    values: tuple[tuple[str, int], ...]
    n_values: int  # how many different values it has
    is_usual: bool  # whether its name says that it is one


def is_split_name(name: str) -> bool:
    """Tell whether a column's name says that it holds a split."""
    return re.sub(r"[\s.-]+", "_", name.strip().lower()) in SPLIT_COLUMNS


def columns_in(source: Source, data: MultilabelDataset | None = None) -> list[SplitColumn]:
    """List the columns of a text table that may say the part of each row."""
    are_objects = is_parquet(source) or is_json_lines(source)
    records = _of_objects(source, data) if are_objects else read_records(source)[0]
    header = _full_header(records)
    labels = set(data.label_names) if data is not None else set()
    lines = lines_below(records[1:], len(header), 0 if data is None else data.n_rows)
    some = lines[:2000]
    found = []
    for at, title in enumerate(header):
        is_usual = is_split_name(title)
        if title in labels or title.strip().lower() in ID_COLUMNS:
            continue
        if not is_usual and not _may_split({record.cell(at) for record in some}):
            continue
        counts = Counter(record.cell(at) for record in lines)
        if is_usual or _may_split(set(counts)):
            found.append(SplitColumn(title, tuple(counts.most_common(20)), len(counts), is_usual))
    order = {name: place for place, name in enumerate(SPLIT_COLUMNS)}
    return sorted(found, key=lambda column: order.get(column.name.strip().lower(), 99) if column.is_usual else 100)


def _of_objects(source: Source, data: MultilabelDataset | None) -> list[Record]:
    if data is None:
        return records_of_objects(source)
    # a line a row, or a line a label of a row
    n_file_rows = 0 if data.reading is None else data.reading.n_file_rows
    return records_of_objects(source, 10 * max(data.n_rows, n_file_rows) + data.n_positives + 1000)


def _may_split(values: set[str]) -> bool:
    """Tell whether values may be folds or parts, and are no label or feature."""
    if not 2 <= len(values) <= _MOST_VALUES or all(cell_code(value) != OTHER for value in values):
        return False
    are_numbers = all(re.fullmatch(r"-?[0-9]{1,4}", value) for value in values if value)
    return are_numbers or any(role_of(value) for value in values) or all(_is_fold_name(value) for value in values)


def _is_fold_name(value: str) -> bool:
    return re.fullmatch(r"(?i)(?:fold|split|part|cv|f|set|s)[\s_.-]*[0-9]{1,3}", value) is not None


def _full_header(records: list[Record]) -> list[str]:
    header = header_of(records[0])
    if len(records) > 1 and len(records[1].cells) == len(header) + 1:
        return ["", *header]  # R leaves out the name of the row names
    return header


@dataclass(frozen=True)
class TableSource:
    """A text table that a split was read from."""

    source: Source  # the file
    records: list[Record]  # all its lines
    n_before: int  # how many of them stand before the lines that count
    delimiter: str  # what stands between cells
    lines: list[Record]  # the lines that count
    at: int  # the split's column
    rows: LineRows  # the row of each line
    understood: Understood  # the part of each line
    row_ids: tuple[str, ...] | None  # the ids of the data's rows

    def write(self, split: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
        """Write the table with other parts in its column; lines whose part stays are not touched.

        Of the lines that put one row into several parts, the first is kept.
        """
        new_texts = {}
        rows, parts = self.rows.rows.tolist(), self.understood.parts.tolist()
        for record, row, part in zip(self.lines, rows, parts, strict=True):
            now = int(folds[row]) if row >= 0 else part
            if now != part and not (now == ALWAYS_TRAIN and part == MISSING):
                new_texts[id(record)] = _with_cell(record, self.at, self.delimiter, self._spelling(now))
        dropped = self._contradicting(rows, parts)
        kept = [new_texts.get(id(record), record.raw) for record in self.records if id(record) not in dropped]
        kept += self._added(np.flatnonzero(split.is_missing & (folds >= 0)), folds, kept)
        text = "".join(kept)
        data, name = self.source.data, repaired_name(self.source.name)
        content = text.encode(*_encoding(data))
        if data.startswith(b"\xef\xbb\xbf"):
            content = b"\xef\xbb\xbf" + content
        return name, packed(name, content)

    def _contradicting(self, rows: list[int], parts: list[int]) -> set[int]:
        """Find the lines, by the ids of their objects, that put a row into another part than a line before them."""
        parts_of: dict[int, set[int]] = {}
        for row, part in zip(rows, parts, strict=True):
            parts_of.setdefault(row, set()).add(part)
        seen: set[int] = set()
        dropped = set()
        for record, row in zip(self.lines, rows, strict=True):
            if row >= 0 and row in seen and len(parts_of[row]) > 1:
                dropped.add(id(record))
            seen.add(row)
        return dropped

    def _spelling(self, part: int) -> str:
        return "-1" if part == ALWAYS_TRAIN else self.understood.spellings[part]

    def _added(self, rows: RowNumbers, folds: FoldArray, kept: list[str]) -> list[str]:
        """Make lines for rows that had none and now have a part."""
        if self.rows.key is None:
            return []
        with_line = set(self.rows.rows.tolist())
        new = [row for row in rows.tolist() if row not in with_line]
        if not new:
            return []
        end = re.search(r"[\r\n]+$", self.records[0].raw)
        line_end = end[0] if end else "\n"
        if not kept[-1].endswith(("\n", "\r")):
            kept[-1] += line_end
        added = []
        for row in new:
            cells = [""] * max(len(self.records[0].cells), self.at + 1, self.rows.key + 1)
            is_by_id = self.row_ids is not None and not self.rows.how.startswith("matched to the rows by their numbers")
            cells[self.rows.key] = self.row_ids[row] if is_by_id and self.row_ids else str(row + self.rows.base)
            cells[self.at] = self._spelling(int(folds[row]))
            added.append(_line(cells, self.delimiter) + line_end)
        return added


def _encoding(data: bytes) -> tuple[str, str]:
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "latin-1", "replace"
    return "utf-8", "strict"


def _line(cells: list[str], delimiter: str) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="").writerow(cells)
    return text.getvalue()


def _with_cell(record: Record, at: int, delimiter: str, text: str) -> str:
    """Put another text in a cell of a line, and leave all else as it stands."""
    body = record.raw.rstrip("\r\n")
    end = record.raw[len(body) :]
    wanted = [*record.cells, *[""] * (at + 1 - len(record.cells))]
    wanted[at] = text
    if '"' not in body:
        cells = body.split(delimiter)
    else:
        mark = re.escape(delimiter)
        pattern = rf'(?:\A|(?<={mark}))(?:"(?:[^"]|"")*"[^{mark}]*|[^{mark}]*)'
        cells = [match[0] for match in re.finditer(pattern, body)]
    cells += [""] * (at + 1 - len(cells))
    old = cells[at]
    bare = old.strip()
    quoted = f'"{text}"' if bare.startswith('"') and '"' not in text else _line([text], delimiter) if text else ""
    cells[at] = old.replace(bare, quoted, 1) if bare else quoted
    made = delimiter.join(cells)
    reread = next(csv.reader(io.StringIO(made, newline=""), delimiter=delimiter), [])
    if [each.strip() for each in reread] != [each.strip() for each in wanted]:
        made = _line(wanted, delimiter)  # quotes in places where they should not be
    return made + end


def read_table(
    source: Source, data: MultilabelDataset, column: str | None, kind: Kind | None, naming: RowNaming | None
) -> SplitFile:
    """Read a split from a text table, or from a file with one value a line."""
    name = clean_name(source.name)
    are_objects = is_parquet(source) or is_json_lines(source)
    records, delimiter = (_of_objects(source, data), ",") if are_objects else read_records(source)
    width = Counter(len(record.cells) for record in records).most_common(1)[0][0]
    notes: list[str] = []
    if width == 1 and column is None and not are_objects:
        header, lines, n_before = _one_column(records, data.n_rows)
        at = 0
    else:
        header, n_before = _full_header(records), 1
        is_usual = are_objects or column is not None or any(is_split_name(title) for title in header)
        if not is_usual and _is_row(records[0], data):
            header, n_before = [f"column {j + 1}" for j in range(width)], 0
            notes.append("The first line is a row, not names of columns, so the columns are called by their numbers.")
        lines = lines_below(records[n_before:], len(header), data.n_rows)
        at = _chosen(name, header, lines, column, data, notes)
    rows = match_lines(name, header, lines, at, data, naming)
    where = f"{name}, column {header[at]!r}," if header[at] else name
    understood = understand([record.cell(at) for record in lines], header[at], kind, where.rstrip(","))
    title = f"column {header[at]!r}" if header[at] else "one value a line"
    told = [f"{name}: {title}, {rows.how}.", *notes, *understood.notes]
    parts = understood.parts
    is_row = rows.rows >= 0
    found = Found(
        [rows.rows[is_row & (parts == part)] for part in range(len(understood.names))],
        understood.names,
        understood.kind,
        rows.rows[is_row & (parts == ALWAYS_TRAIN)],
        unknown=rows.unknown,
    )
    table: SplitSource = TableSource(source, records, n_before, delimiter, lines, at, rows, understood, data.row_ids)
    if are_objects:
        table = ObjectSource(source, header[at], rows, understood)
    form = "a table with a column for the part" if len(header) > 1 else "one value a line"
    return assemble(found, data, name=name, form=form, notes=told, source=table)


def _one_column(records: list[Record], n_rows: int) -> tuple[list[str], list[Record], int]:
    lines = without_blank_end(records, n_rows)
    first = records[0].cell(0)
    is_title = len(lines) == n_rows + 1 or (is_split_name(first) and role_of(first) is None)
    if is_title and not is_missing(first):
        return [clean_name(first)], without_blank_end(records[1:], n_rows), 1
    return [""], lines, 0


def _is_row(record: Record, data: MultilabelDataset) -> bool:
    """Tell whether a first line is a row of the split: it names a row, and a part."""
    known = set(data.row_ids or ())
    cells = [record.cell(at) for at in range(len(record.cells))]
    has_row = any(clean_name(cell) in known for cell in cells) or cells[0] in ("0", "1")
    return has_row and any(
        role_of(cell) or _is_fold_name(cell) or re.fullmatch(r"-?[0-9]{1,4}", cell) for cell in cells
    )


def _chosen(
    name: str, header: list[str], lines: list[Record], column: str | None, data: MultilabelDataset, notes: list[str]
) -> int:
    if column is not None:
        return check_column(name, header, column)
    order = {title: place for place, title in enumerate(SPLIT_COLUMNS)}
    keys = [re.sub(r"[\s.-]+", "_", title.strip().lower()) for title in header]
    usual = sorted((at for at, key in enumerate(keys) if key in order), key=lambda at: order[keys[at]])
    usual = [at for at in usual if header[at] not in data.label_names] or usual
    if usual:
        if len(usual) > 1:
            more = listed([header[at] for at in usual[1:]])
            notes.append(f"Column {header[usual[0]]!r} was taken for the split; {more} may be one too.")
        return usual[0]
    known = set(data.row_ids or ()) | set(data.label_names)
    others = [
        at
        for at in range(len(header))
        if header[at].strip().lower() not in ID_COLUMNS
        and header[at] not in known
        and not (lines and clean_name(lines[0].cell(at)) in known)
    ]
    likely = [at for at in others if _may_split({record.cell(at) for record in lines})]
    if len(others) == 1 or len(likely) == 1:
        return (likely or others)[0]
    if len(header) == 2 and lines:  # an id and a part: the id is what differs from line to line
        return int(len({record.cell(1) for record in lines}) < len({record.cell(0) for record in lines}))
    msg = f"{name} has {len(header):,} columns, and none is called fold or split; say which one says the part."
    raise OptionError(msg + f"\nHint: its first line is {listed(header)}.")
