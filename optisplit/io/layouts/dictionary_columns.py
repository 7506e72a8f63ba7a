"""Labels read from a column whose cells hold a dictionary each."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import FormatError
from optisplit.io.layouts import arrow
from optisplit.io.layouts.collector import NOTHING, Numbered
from optisplit.io.layouts.dictionaries import Dictionaries, read_dictionaries
from optisplit.io.layouts.dictionary_lines import dictionaries_of_lines
from optisplit.io.layouts.values import Valued, add_rows_without, decide
from optisplit.io.parsed import Parsed
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optisplit.io.tables.table import Table


def read_dictionary_column(column: int, id_column: int | None, table: Table, threshold: float | None) -> Parsed:
    """Read a column of dictionaries: their keys are labels."""
    numbers = Numbered()
    name = table.names[column]
    where = f"the column {clean_name(name)!r}"
    lines: list[Sequence[int]] = []
    id_name = None if id_column is None else table.names[id_column]
    lists = None
    by_lines = dictionaries_of_lines(table.source, name, id_name, numbers) if table.form == "JSON Lines" else None
    if by_lines is None and table.form != "JSON Lines":
        lists = None if table.lists is None else table.lists(column, id_column)
    if by_lines is not None:
        parts = by_lines
    elif lists is not None:
        parts = list(arrow.dictionaries(lists, name, id_name, numbers))
    else:
        parts = list(_in_chunks(column, id_column, table, numbers, lines))
    counts = np.concatenate([part.counts for part in parts])
    keys = np.concatenate([part.keys for part in parts])
    if not numbers.names:
        msg = f"{table.source.name!r} has no label in any row of {where}."
        raise FormatError(msg)

    def line_of(row: int) -> str:
        return f"{table.unit} {[*chain.from_iterable(lines)][row] if lines else row + 1:,}"

    rows = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    values, is_named = np.concatenate([part.values for part in parts]), keys != NOTHING
    decided = decide(
        Valued(
            rows[is_named], keys[is_named], values[is_named], (len(counts), len(numbers.names)), where, numbers.names,
            line_of, is_counted=all(part.is_whole for part in parts) and not (values < 0).any(), otherwise="has label",
        ),
        threshold,
    )  # fmt: skip
    parsed = Parsed(decided.labels, numbers.names, notes=decided.notes, unknown=decided.unknown,
                    counts=decided.counts, guesses=decided.guesses)  # fmt: skip
    parsed.row_ids = None if id_column is None else list(chain.from_iterable(part.row_ids for part in parts))
    parsed.details["Values"] = decided.told
    _add_empty(parsed, parts, where, line_of)
    return parsed


def _in_chunks(
    column: int, id_column: int | None, table: Table, numbers: Numbered, lines: list[Sequence[int]]
) -> Iterator[Dictionaries]:
    for places, columns in table.chunks({column, *([] if id_column is None else [id_column])}):
        cells = columns[column]
        part, odd = read_dictionaries(cells, numbers)
        if odd is not None:
            msg = (
                f"The column {clean_name(table.names[column])!r} has dictionaries of numbers, but in {table.unit} "
                f"{places[odd]:,} {clean_name(cells[odd], 60)!r}; write it as the others, such as {{'a': 1, 'b': 0}}."
            )
            raise FormatError(msg)
        if id_column is not None:
            part.row_ids = ["" if cell is None else str(cell) for cell in columns[id_column]]
        lines.append(places)
        yield part


def _add_empty(parsed: Parsed, parts: Sequence[Dictionaries], where: str, line_of: Callable[[int], str]) -> None:
    """Ask about rows in whose cell nothing stands."""
    starts = np.cumsum([0, *(len(part.counts) for part in parts)])
    empty = np.concatenate([start + part.empty for start, part in zip(starts, parts, strict=False)])
    if len(empty):
        told = (
            f"There is no label in {counted(len(empty), 'row')} of {where}, first in {line_of(int(empty[0]))}. That "
            "may mean that they have no labels, or that nobody has labelled them. An empty dictionary, {}, means none."
        )
        add_rows_without(parsed, empty, told)
