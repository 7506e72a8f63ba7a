"""The labels of a table, whatever file it stands in, and the column that names its rows."""

from __future__ import annotations

import dataclasses
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from optisplit.io.layouts.cells import OTHER, cell_code
from optisplit.io.layouts.columns import chosen_columns, key_column
from optisplit.io.layouts.find import find_layout
from optisplit.io.layouts.group_columns import GroupColumns, of_names
from optisplit.io.layouts.named import read_as_chosen
from optisplit.io.layouts.one_hot import cross_check
from optisplit.io.layouts.sample import find_ids, has_label_name
from optisplit.io.tables.table import Guess
from optisplit.io.tables.titles import is_id_title, is_row_name
from optisplit.text import clean_name, named

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from optisplit.io.layouts.group_columns import LikelyGroups
    from optisplit.io.parsed import Parsed
    from optisplit.io.tables.table import Table, TableOptions

_FRACTION = re.compile(r"[+-]?\d*[.,]\d+(?:[eE][+-]?\d+)?")
_LONGEST_KEY = 200


def is_usual_name(name: str) -> bool:
    """Tell whether a text is a usual name of a column."""
    return has_label_name(name) or is_row_name(name)


def labels_of_table(table: Table, asked: TableOptions) -> Parsed:
    """Find how a table holds its labels, and read them with the names of its rows."""
    key = _key_of(table, asked)
    table.id_column = None if key is None else key.at
    choice = find_layout(table, asked)
    watched = None if choice.layout == "long" else GroupColumns(table, {table.id_column, *choice.columns})
    parsed = read_as_chosen(choice, table, asked)
    if choice.layout == "one-hot":
        parsed.notes += cross_check(table.names, table.sample, parsed)
    _take_key(parsed, None if choice.layout == "long" else key)  # pairs say the row themselves
    parsed.notes = [*table.notes, *table.late_notes(), *parsed.notes]
    if watched is not None:
        watched.look()
    parsed.find_groups = partial(_find_groups, parsed, watched, parsed.labels.shape[0], set(parsed.label_names or ()))
    parsed.guesses = [*table.guesses, *parsed.guesses]
    parsed.form = table.form
    parsed.sample = dict(zip(table.names, table.sample, strict=True))
    parsed.details["Columns"] = _columns_of(table.names)
    given = {option: value for option, value in dataclasses.asdict(asked).items() if value is not None}
    parsed.options = given | parsed.options
    return parsed


def _find_groups(
    parsed: Parsed, watched: GroupColumns | None, n_rows: int, labels: Collection[str], kept: NDArray[np.int64] | None
) -> tuple[list[LikelyGroups], list[str]]:
    """Find the columns that look like groups in the rows that are kept; one of names that rows share comes first."""
    groups, repeating = ([], []) if watched is None else watched.found(n_rows, labels, kept)
    if parsed.key and (shared := of_names(parsed.row_ids or (), parsed.key)) is not None:
        return [shared, *groups], [shared.column, *repeating]
    return groups, repeating


def _columns_of(names: Sequence[str]) -> str:
    return f"{len(names):,}: {named([clean_name(name) for name in names])}"


@dataclasses.dataclass(frozen=True, slots=True)
class _Key:
    """The column that names rows."""

    at: int
    guess: Guess
    name: str
    may_repeat: bool  # whether it is that even if rows share a name


def _key_of(table: Table, asked: TableOptions) -> _Key | None:
    """Find the column that names rows: the one asked for, one with a usual name, or one that differs in all rows."""
    names = table.names
    if asked.key is not None:
        at = key_column(asked.key, names) if asked.key else None
        return None if at is None else _Key(at, Guess("key", asked.key, "as asked for"), names[at], may_repeat=True)
    chosen = [] if asked.label_columns is None else chosen_columns(asked.label_columns, names)
    usual = find_ids(names) if table.id_column is None else table.id_column
    if usual in chosen or (usual is not None and all(_is_blank(cell) for cell in table.sample[usual])):
        usual = None
    likely = [
        j for j, name in enumerate(names)
        if j not in chosen and j != usual and is_row_name(name) and names.count(name) == 1 and _tells_apart(table, j)
    ]  # fmt: skip
    if usual is None and not likely and 0 not in chosen and _may_share(table, 0):
        usual = 0  # rows of one name, as several readers of an image
    elif likely and usual is not None and not _tells_apart(table, usual, are_numbers=True):
        usual = None
    at = usual if usual is not None else next(iter(likely), None)
    if at is None or names.count(names[at]) > 1:
        return None
    why = "its name says so" if at == usual else "its name says so, and it differs from row to row"
    others = (*(names[j] for j in likely if j != at), "")
    value = names[at] or f"#{at + 1}"  # a column without a name goes by its place
    guess = Guess("key", value, why, is_sure=at == usual or len(likely) == 1, others=others)
    return _Key(at, guess, names[at], may_repeat=at == usual)


def _may_share(table: Table, column: int) -> bool:
    """Tell whether a column is called as ids are, and its values are many, though some stand on several rows."""
    cells = [str(cell) for cell in table.sample[column]]
    return is_id_title(table.names[column]) and len(set(cells)) > 0.1 * len(cells) + 1


def _is_blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _tells_apart(table: Table, column: int, *, are_numbers: bool = False) -> bool:
    """Tell whether the first cells of a column may name rows: short texts, all different."""
    cells = table.sample[column]
    if not all(isinstance(cell, str) and 0 < len(cell.strip()) <= _LONGEST_KEY for cell in cells):
        return False
    return (
        len(set(cells)) == len(cells)
        and not any(_FRACTION.fullmatch(str(cell)) for cell in cells)
        and (are_numbers or any(cell_code(str(cell)) == OTHER for cell in cells))
    )


def _take_key(parsed: Parsed, key: _Key | None) -> None:
    """Say what names the rows; a column that was guessed and turns out not to tell them apart does not."""
    if parsed.row_ids is None:
        return
    if key is not None:
        if not key.may_repeat and len(set(parsed.row_ids)) < len(parsed.row_ids):
            parsed.row_ids = None
            return
        parsed.key = key.name
        parsed.guesses.append(key.guess)
