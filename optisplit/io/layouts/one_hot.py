"""Tables with a column of 0 and 1 for each label."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, argument
from optisplit.io.layouts.cells import UNCERTAIN, UNKNOWN, other_message, unknown_cells, values_words
from optisplit.io.layouts.columns import as_said, chosen_columns
from optisplit.io.layouts.sample import NO_LABEL_NAMES, is_aside
from optisplit.io.layouts.table_columns import CellCodes, Column
from optisplit.io.layouts.tags import labels_in
from optisplit.io.parsed import Parsed
from optisplit.text import clean_name, few, listed, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from optisplit.io.source import Source
    from optisplit.io.tables.table import Chunk

_FRACTION = re.compile(r"0?[.,]\d+|\d(?:\.\d+)?[eE]-\d+")
_NAMED_CLASSES = re.compile(r"\W*\w*\s*\(([^()]*,[^()]*)\)\W*")


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
    notes: list[str] = []
    row_ids = _read_rows(chunks, columns, id_column, wanted)
    if wanted is not None:
        at, rule = wanted, f"{len(wanted):,} columns are labels, as asked for."
    else:
        at, rule, notes = _proposed(columns, id_column, source.name)
    chosen = [columns[j] for j in at]
    if other := {clean_name(each.name): each.faults for each in chosen if each.faults.n_other and not each.is_marked}:
        is_one = len(at) == 1 and next(iter(other.values())).are_whole
        advice = argument("layout", "tags") + " takes the numbers of the column for names of labels." if is_one else ""
        raise FormatError(other_message(other, advice, takes_threshold=True))
    mixed = [(column, notations) for column in chosen if len(notations := column.notations) > 1]
    if mixed:
        column, notations = mixed[0]
        also = f" So it is with {len(mixed) - 1:,} more." if len(mixed) > 1 else ""
        msg = (
            f"The label {clean_name(column.name)!r} is written in several ways, {' and '.join(notations[:2])}; write "
            f"it in one, so that it is certain what is meant.{also}"
        )
        raise FormatError(msg)
    parsed = Parsed(_matrix(chosen), [column.name for column in chosen], row_ids, rule=rule, notes=notes)
    not_asked = " If it is no label, give the names of the labels as " + argument("label_columns") + "."
    parsed.unknown = unknown_cells(
        {clean_name(each.name): each.faults for each in chosen},
        lambda code: [(j, column.rows_of(code)) for j, column in enumerate(chosen)],
        not_asked if wanted is None else "",
    )
    notations = sorted({each for column in chosen for each in column.notations})
    parsed.details["Values"] = ", ".join(notations)
    parsed.options = {"layout": "one-hot"}
    if (said := as_said(at, names)) is not None:
        parsed.options["label_columns"] = said
    return parsed


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


def _proposed(columns: list[Column], id_column: int | None, name: str) -> tuple[list[int], str, list[str]]:
    passed = {j: why for j, column in enumerate(columns) if (why := _why_never(column, is_id=j == id_column))}
    candidates = {j: column for j, column in enumerate(columns) if j not in passed}
    suspects = {clean_name(each.name): each.faults for each in candidates.values() if each.is_suspect}
    if suspects:
        out = "\nHint: if these columns are no labels, give the names of the labels as "
        raise FormatError(other_message(suspects, takes_threshold=True) + out + argument("label_columns") + ".")
    chosen = [j for j, column in candidates.items() if column.is_label]
    if any(columns[j].faults.n_unknown[UNCERTAIN] for j in chosen):
        chosen = [j for j, column in candidates.items() if column.is_label or column.is_all_unknown]
    if not chosen and sum(column.is_marked for column in candidates.values()) > 1:
        chosen = [j for j, column in candidates.items() if column.is_marked]
    taken = set(chosen)
    passed |= {j: column.why_not() for j, column in candidates.items() if j not in taken}
    told = [f"{clean_name(columns[j].name)!r} ({why})" for j, why in islice(passed.items(), 5)]
    not_taken = f"Not labels: {few(told, len(passed))}." if told else "There are no other columns."
    if not chosen:
        msg = (
            f"{name!r} has no column whose every value is 0 or 1, so there are no labels. {not_taken} "
            "One column of zeros and ones for each label is needed, or a column that names labels: say which, as "
            + argument("label_columns")
            + "."
        )
        probable = next((clean_name(each.name) for each in candidates.values() if _is_probability(each)), None)
        if probable is not None:
            msg += f"\nHint: if {probable!r} holds probabilities, decide from which one on a row has the label: "
            msg += argument("threshold", 0.5) + " does so."
        elif counted_ones := _counted(candidates.values()):
            msg += f"\nHint: if {listed(counted_ones)} hold counts of labels, " + argument("threshold", 1)
            msg += " reads 1 or more as having the label, and keeps the counts."
        raise FormatError(msg)
    shown = named([clean_name(columns[j].name) for j in chosen])
    values = values_words({UNKNOWN[code][0] for j in chosen for code, n in columns[j].faults.n_unknown.items() if n})
    how = "with a mark or nothing in each cell" if columns[chosen[0]].is_marked else f"whose every value is {values}"
    rule = f"{len(chosen):,} columns {how} are taken as labels: {shown}. {not_taken}"
    counts = _counted(candidates.values())
    if len(counts) < len(chosen):
        return chosen, rule, []
    note = f"Whole numbers, as in {listed(counts)}, may be counts of labels: " + argument("threshold", 1)
    return chosen, rule, [note + " takes them for labels too, and 1 or more as having them."]


def _counted(columns: Iterable[Column]) -> list[str]:
    """Name the columns that may be counts of labels: small whole numbers from 0 on, mostly 0."""
    return [
        clean_name(column.name) for column in columns
        if column.faults.n_other and column.faults.are_whole and 2 * column.n_binary >= len(column.codes)
    ]  # fmt: skip


def _is_probability(column: Column) -> bool:
    kinds = list(column.faults.kinds)
    return bool(kinds) and all(_FRACTION.fullmatch(kind) for kind in kinds)


def _why_never(column: Column, *, is_id: bool) -> str:
    if is_id:
        return "names the rows"
    if column.name.strip().lower() in NO_LABEL_NAMES:
        return "its name says that it splits or groups the rows"
    if is_aside(column.name):
        return "its name says that it numbers the rows"
    return ""


def _matrix(columns: list[Column]) -> sp.csc_array:
    indices = [column.positive_rows for column in columns]
    indptr = np.concatenate([[0], np.cumsum([len(rows) for rows in indices])])
    stored = np.concatenate(indices)
    shape = (len(columns[0].codes), len(columns))
    return sp.csc_array((np.ones(len(stored), dtype=np.int8), stored, indptr), shape=shape)


def cross_check(names: Sequence[str], sample: Sequence[Sequence[Any]], parsed: Parsed) -> list[str]:
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
