"""Columns of numbers, one for each label: counts of instances, or likelihoods, with a threshold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, argument
from optisplit.io.layouts.cells import MISSING, Faults, cell_code, unknown_cells
from optisplit.io.layouts.columns import as_said, chosen_columns
from optisplit.io.layouts.sample import is_aside
from optisplit.io.parsed import Parsed
from optisplit.text import clean_name, counted, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from optisplit.io.tables.table import Table


@dataclass(slots=True)
class _Amounts:
    """The numbers of one column, as far as they reach the threshold."""

    name: str
    rows: list[NDArray[np.int64]] = field(default_factory=list)
    values: list[NDArray[np.float64]] = field(default_factory=list)
    missing: list[NDArray[np.int64]] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    odd: tuple[str, int] | None = None  # the first cell that is no number, and its line
    least: float = np.inf
    most: float = -np.inf
    is_whole: bool = True

    def extend(self, cells: Sequence[Any], lines: Sequence[int], start: int, threshold: float) -> None:
        """Take in the cells of some rows."""
        numbers, odd = _numbers(cells)
        if odd is not None:
            self.odd = (str(cells[odd]), lines[odd])
            return
        is_missing = np.isnan(numbers)
        if is_missing.any():
            at = np.flatnonzero(is_missing)
            self.missing.append(start + at)
            self.faults.add_unknown(MISSING, lines[int(at[0])], len(at))
        known = numbers[~is_missing]
        if len(known):
            self.least, self.most = min(self.least, float(known.min())), max(self.most, float(known.max()))
            self.is_whole = self.is_whole and bool((known == np.floor(known)).all())
        reaching = np.flatnonzero(numbers >= threshold)  # not so where it is missing
        self.rows.append(start + reaching)
        self.values.append(numbers[reaching])

    @property
    def is_likely(self) -> bool:
        """Whether these may be amounts of a label: whole numbers from 0 on, or numbers from 0 to 1."""
        return self.odd is None and self.least >= 0 and (self.most <= 1 or (self.is_whole and self.least == 0))


def read_amounts(table: Table, label_columns: int | Sequence[str] | None, threshold: float) -> Parsed:
    """Read a column of numbers for each label: a row has the label from the threshold on."""
    names, id_column = table.names, table.id_column
    wanted = None if label_columns is None else chosen_columns(label_columns, names)
    columns = {
        j: _Amounts(name) for j, name in enumerate(names)
        if (j in wanted if wanted is not None else j != id_column and not is_aside(name))
    }  # fmt: skip
    row_ids: list[str] = []
    n_rows = 0
    for lines, cells in table.chunks(None):
        for j, column in columns.items():
            if column.odd is None:
                column.extend(cells[j], lines, n_rows, threshold)
        if id_column is not None:
            row_ids.extend(cells[id_column])
        n_rows += len(lines)
    at = wanted if wanted is not None else [j for j, column in columns.items() if column.is_likely]
    if not at:
        msg = (
            f"{table.source.name!r} has no columns of counts, or of numbers from 0 to 1; name those of the labels, as "
        )
        raise FormatError(msg + argument("label_columns") + ".")
    chosen = [columns[j] for j in at]
    if odd := next((column for column in chosen if column.odd is not None), None):
        cell, line = odd.odd or ("", 0)
        msg = f"The label {clean_name(odd.name)!r} has {clean_name(cell, 40)!r} in {table.unit} {line:,}, which is no "
        raise FormatError(msg + "number to compare with " + argument("threshold") + ".")
    return _parsed(chosen, at, n_rows, table, row_ids if id_column is not None else None, threshold,
                   is_guessed=wanted is None)  # fmt: skip


def _parsed(
    chosen: list[_Amounts],
    at: list[int],
    n_rows: int,
    table: Table,
    row_ids: list[str] | None,
    threshold: float,
    *,
    is_guessed: bool,
) -> Parsed:
    rows = [np.concatenate(column.rows) for column in chosen]
    values = np.concatenate([np.concatenate(column.values) for column in chosen])
    indptr = np.concatenate([[0], np.cumsum([len(each) for each in rows])])
    indices = np.concatenate(rows)
    shape = (n_rows, len(chosen))
    labels = sp.csc_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=shape)
    shown = named([clean_name(column.name) for column in chosen])
    how = "which hold counts or numbers from 0 to 1" if is_guessed else "as asked for"
    rule = f"{counted(len(chosen), 'column', 'is')} labels, {how}, from {threshold:g} on: {shown}."
    parsed = Parsed(labels, [column.name for column in chosen], row_ids, rule=rule)
    if threshold == 1 and all(column.is_whole and column.least >= 0 for column in chosen) and values.max(initial=0) > 1:
        parsed.counts = sp.csc_array((values.astype(np.int32), indices, indptr), shape=shape).tocsr()
        parsed.notes.append("Counts were kept, as instances of labels.")
    parsed.unknown = unknown_cells(
        {clean_name(column.name): column.faults for column in chosen},
        lambda code: [
            (j, np.concatenate(column.missing)) for j, column in enumerate(chosen) if code == MISSING and column.missing
        ],
    )
    parsed.options = {"layout": "one-hot", "threshold": threshold}
    if (said := as_said(at, table.names)) is not None:
        parsed.options["label_columns"] = said
    return parsed


def _numbers(cells: Sequence[Any]) -> tuple[NDArray[np.float64], int | None]:
    """Read numbers, NaN where they are missing; also give the place of the first cell that is none."""
    try:
        return np.array(cells, dtype=np.float64), None
    except (ValueError, TypeError):
        pass
    numbers = np.full(len(cells), np.nan)
    for at, cell in enumerate(cells):
        text = "" if cell is None else str(cell).strip()
        try:
            numbers[at] = float(text.replace(",", "."))
        except ValueError:
            code = cell_code(text)
            if code != MISSING:
                if code not in (0, 1):
                    return numbers, at
                numbers[at] = code
    return numbers, None
