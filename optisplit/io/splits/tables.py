"""Splits in tables: a column that says the part, or one part a line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from optisplit.errors import OptionError
from optisplit.io.join import join
from optisplit.io.keys import Key
from optisplit.io.layouts.cells import OTHER, cell_code
from optisplit.io.row_names import is_id_name
from optisplit.io.second_tables import Table, open_table
from optisplit.io.splits.assembly import Found, assemble, write_plain
from optisplit.io.splits.one_part import read_one_part
from optisplit.io.splits.table_files import TableSource
from optisplit.io.splits.values import meaning_of, role_of
from optisplit.text import clean_name, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.io.source import Source
    from optisplit.io.splits.base import Asked, SplitFile, SplitWriter
    from optisplit.io.tables.records import Record
    from optisplit.labels import MultilabelDataset

SPLIT_COLUMNS = (
    "fold", "folds", "split", "splits", "part", "parts", "partition", "subset", "set", "test_fold", "fold_id",
    "fold_no", "kfold", "cv_fold", "cv", "split_set", "data_split", "is_test", "is_train", "istest", "istrain", "test",
    "train", "test_mask", "train_mask",
)  # fmt: skip
"""Names of columns that say the part, likeliest first."""

_PLACES = {name: place for place, name in enumerate(SPLIT_COLUMNS)}
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
    return _place(name) < len(SPLIT_COLUMNS)


def _place(name: str) -> int:
    """Tell how likely a column's name says that it holds a split; those that do not say it come last."""
    return _PLACES.get(re.sub(r"[\s.-]+", "_", name.strip().lower()), len(_PLACES))


def columns_in(source: Source, data: MultilabelDataset | None = None) -> list[SplitColumn]:
    """List the columns of a table that may say the part of each row."""
    table = open_table(source, data)
    labels = set(data.label_names) if data is not None else set()
    found = []
    for at, title in enumerate(table.header):
        is_usual = is_split_name(title)
        if title in labels or is_id_name(title):
            continue
        if not is_usual and not _may_split({record.cell(at) for record in table.lines[:2000]}):
            continue
        counts = Counter(table.column(at))
        if is_usual or _may_split(set(counts)):
            found.append(SplitColumn(title, tuple(counts.most_common(20)), len(counts), is_usual))
    return sorted(found, key=lambda column: _place(column.name))


def _may_split(values: set[str]) -> bool:
    """Tell whether values may be folds or parts, and are no label or feature."""
    if not 2 <= len(values) <= _MOST_VALUES or all(cell_code(value) != OTHER for value in values):
        return False
    are_numbers = all(re.fullmatch(r"-?[0-9]{1,4}", value) for value in values if value)
    return are_numbers or any(role_of(value) for value in values) or all(_is_fold_name(value) for value in values)


def _is_fold_name(value: str) -> bool:
    return re.fullmatch(r"(?i)(?:fold|split|part|cv|f|set|s)[\s_.-]*[0-9]{1,3}", value) is not None


def read_table(source: Source, data: MultilabelDataset, asked: Asked) -> SplitFile:
    """Read a split from a table, or from a file with one value a line."""
    table = open_table(source, data)
    width = Counter(len(record.cells) for record in table.records).most_common(1)[0][0]
    notes: list[str] = []
    if width == 1 and asked.column is None and not table.are_objects:
        if (named := read_one_part(table, source, data, asked)) is not None:
            return named
        table = table.as_list(data.n_rows, lambda first: is_split_name(first) and role_of(first) is None)
        at = 0
    else:
        is_usual = table.are_objects or asked.column is not None or any(map(is_split_name, table.header))
        if not is_usual and _is_row(table.records[0], data):
            table = table.without_header(data.n_rows)
            notes.append("The first line is a row, not names of columns, so the columns are called by their numbers.")
        at = _chosen(table, asked.column, data, notes)
    form = "a table with a column for the part" if len(table.header) > 1 else "one value a line"
    return split_of_column(table, at, data, asked, form, notes, source)


def split_of_column(
    table: Table, at: int, data: MultilabelDataset, asked: Asked, form: str, notes: Sequence[str],
    source: Source | None = None,
) -> SplitFile:  # fmt: skip
    """Make the split that a column of a table is; `source`: the file, where the table can be written back."""
    title = f"column {table.header[at]!r}" if table.header[at] else ""
    rows = join(table, at, data, asked.rows, Key.of(asked.key, table.header))
    meaning = meaning_of(table.column(at), table.header[at], asked.kind, ", ".join(filter(None, (table.name, title))))
    told = [f"{table.name}: {title or 'one value a line'}, {rows.how}.", *notes, *rows.notes, *meaning.notes]
    writer: SplitWriter = partial(write_plain, data)
    if source is not None:
        writer = TableSource(source, table, at, rows, meaning).write
    found = Found.of_values(meaning, rows, is_of_more=len(table.header) > 2)
    return assemble(found, data, name=table.name, form=form, notes=told, writer=writer, asked=asked)


def _is_row(record: Record, data: MultilabelDataset) -> bool:
    """Tell whether a first line is a row of the split: it names a row, and a part."""
    known = set(data.row_ids or ())
    cells = [record.cell(at) for at in range(len(record.cells))]
    has_row = any(clean_name(cell) in known for cell in cells) or cells[0] in ("0", "1")
    return has_row and any(
        role_of(cell) or _is_fold_name(cell) or re.fullmatch(r"-?[0-9]{1,4}", cell) for cell in cells
    )


def _chosen(table: Table, column: str | None, data: MultilabelDataset, notes: list[str]) -> int:
    if column is not None:
        return table.find(column)
    header, lines = table.header, table.lines
    usual = sorted((at for at in range(len(header)) if is_split_name(header[at])), key=lambda at: _place(header[at]))
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
        if not is_id_name(header[at])
        and header[at] not in known
        and not (lines and clean_name(lines[0].cell(at)) in known)
    ]
    likely = [at for at in others if _may_split(set(table.column(at)))]
    if len(others) == 1 or len(likely) == 1:
        return (likely or others)[0]
    if len(header) == 2 and lines:  # an id and a part: the id is what differs from line to line
        return int(len(set(table.column(1))) < len(set(table.column(0))))
    msg = f"{table.name} has {len(header):,} columns, and none is called fold or split; say which one says the part."
    raise OptionError(msg + f"\nHint: its first line is {listed(header)}.")
