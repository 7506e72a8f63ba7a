"""Split files of the extreme classification repository: a column of row numbers for each repetition."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from optisplit.errors import OptionError
from optisplit.io.row_names import Naming
from optisplit.io.splits.assembly import Found, assemble
from optisplit.io.splits.base import repaired_file
from optisplit.io.splits.tables import SplitColumn
from optisplit.io.splits.values import TEST, TRAIN
from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.io.source import Source
    from optisplit.io.splits.base import Asked, SplitFile
    from optisplit.labels import MultilabelDataset

RowNumberTable: TypeAlias = NDArray[np.int64]
"""Row numbers, a column for each repetition."""

_LINE = re.compile(rb"[ \t]*\d{1,10}(?:[ \t]+\d{1,10})*[ \t\r]*")
_OF_TEST = re.compile(r"(?:^|[^a-z])(?:tst|test)", re.IGNORECASE)


def row_numbers_in(source: Source, n_rows: int) -> RowNumberTable | None:
    """Read columns of row numbers, each a part of the rows."""
    if not _LINE.fullmatch(source.head.lstrip().split(b"\n", 1)[0]):
        return None
    lines = [line for line in source.data.split(b"\n") if line.strip()]
    if not all(map(_LINE.fullmatch, lines)) or len({len(line.split()) for line in lines}) != 1:
        return None
    table = np.array([list(map(int, line.split())) for line in lines], dtype=np.int64)
    firsts = table[:, 0]
    is_part = 1 < len(table) < n_rows and int(firsts.max()) <= n_rows and len(np.unique(firsts)) == len(table)
    return table if is_part else None


def repetitions_in(table: RowNumberTable, source: Source, n_rows: int) -> list[SplitColumn]:
    """List the repetitions of a file of row numbers."""
    named = TEST if _OF_TEST.search(source.stem) else TRAIN
    sizes = {named: len(table), TRAIN if named == TEST else TEST: n_rows - len(table)}
    values = tuple(sorted(sizes.items(), key=lambda each: -each[1]))
    return [SplitColumn(str(at + 1), values, 2, is_usual=True) for at in range(table.shape[1])]


def _write_row_numbers(source: Source, part: int, start: int, split: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
    """Write the rows of the part that the file lists, one number a line."""
    del split
    rows = np.flatnonzero(folds == part) + start
    return repaired_file(source.name, "".join(f"{row}\n" for row in rows.tolist()).encode())


def read_row_numbers(table: RowNumberTable, source: Source, data: MultilabelDataset, asked: Asked) -> SplitFile:
    """Read a split from columns of row numbers; all other rows are the other part."""
    name = clean_name(source.name)
    if asked.kind == "folds" or asked.rows in ("ids", "order"):
        msg = f"{name} lists the numbers of the rows of one part, from 0 or 1; other choices do not go with it."
        raise OptionError(msg)
    n_repetitions, column = table.shape[1], asked.column
    at = 1 if column is None else int(column) if column.isdecimal() and len(column) < 10 else 0
    if not 1 <= at <= n_repetitions:
        msg = f"{name} has the repetitions 1 to {n_repetitions}, one a column, but not {column!r}."
        raise OptionError(msg)
    start = 0 if asked.rows == "from 0" or (asked.rows is None and (table == 0).any()) else 1
    numbers = table[:, at - 1]
    rows = Naming(data.n_rows, start).rows(numbers)
    listed = rows[rows >= 0]
    others = np.setdiff1d(np.arange(data.n_rows), listed)
    part = 1 if _OF_TEST.search(source.stem) else 0
    parts = (others, listed) if part else (listed, others)
    notes = [
        f"{name}: {len(listed):,} numbers of {'test' if part else 'training'} rows, counted from {start}; the others "
        f"are for {'training' if part else 'testing'}."
    ]
    if n_repetitions > 1:
        notes.append(f"The file has {n_repetitions} repetitions, one a column; number {at} was read.")
    unknown = [str(number) for number in numbers[rows < 0].tolist()]
    found = Found(parts, (TRAIN, TEST), "parts", unknown=unknown)
    writer = partial(_write_row_numbers, source, part, start)
    return assemble(found, data, name=name, form="a column of row numbers", notes=notes, writer=writer)
