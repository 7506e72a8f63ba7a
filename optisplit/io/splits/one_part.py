"""Splits that a file gives by naming the rows of one part alone, one a line: all others are the other part."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from optisplit.cells import COMMENT_MARKS
from optisplit.errors import FormatError, argument
from optisplit.io.keys import own_key_of
from optisplit.io.row_names import naming_of_lists, unknown_in
from optisplit.io.splits.assembly import Found, assemble
from optisplit.io.splits.base import repaired_file
from optisplit.io.splits.values import TRAIN, role_of
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.row_names import Naming
    from optisplit.io.second_tables import Table
    from optisplit.io.source import Source
    from optisplit.io.splits.base import Asked, SplitFile
    from optisplit.labels import MultilabelDataset


def part_of_file(name: str) -> str:
    """Tell which part a file is for from its name: the word for it, or all of the name."""
    stem = name.partition(".")[0]
    return next((word for word in re.split(r"[^A-Za-z]+", stem) if role_of(word)), stem)


def other_part(part: str) -> str:
    """Call the part that all rows are in that one part does not name."""
    return "test" if role_of(part) == TRAIN else TRAIN


def without_comments(entries: Sequence[str], naming: Naming, notes: list[str]) -> list[str]:
    """Leave out lines that begin as comments do and name no row."""
    rows = naming.rows(entries)
    kept = [each for each, row in zip(entries, rows.tolist(), strict=True)
            if row >= 0 or not str(each).startswith(COMMENT_MARKS)]  # fmt: skip
    if len(kept) < len(entries):
        notes.append(f"{counted(len(entries) - len(kept), 'comment line')} among the names: left out.")
    return kept


def read_one_part(table: Table, source: Source, data: MultilabelDataset, asked: Asked) -> SplitFile | None:
    """Read a list of names of one part; None where it is none."""
    entries = [clean_name(record.cell(0)) for record in table.records if not record.is_blank]
    is_whole = len(entries) >= data.n_rows  # a value for each row
    if is_whole or len(set(entries)) < 0.9 * len(entries) or asked.rows in ("order", "from 0", "from 1"):
        return None
    own = own_key_of(data, entries)
    if own is None or own.found.of_entries <= 0.5:
        return None
    part = part_of_file(table.name)
    if role_of(part) is None or asked.kind == "folds":
        msg = (
            f"{table.name} names {counted(len(entries), 'row')} of one part ({listed(entries, 3)}), and neither it nor "
        )
        hint = (
            "its name says which one.\nHint: call the file after its part, such as test.txt, or give files by their "
            "parts (" + argument("source", of="read_split") + ")."
        )
        raise FormatError(msg + hint)
    notes: list[str] = []
    naming = naming_of_lists([entries], data, asked.rows, table.name, notes, asked.own_key or own.title)
    if clean_name(entries[0]) == naming.title:
        entries = entries[1:]
        notes.append("The first line was taken for the name of the column.")
    entries = without_comments(entries, naming, notes)
    rows = naming.all_rows(entries)
    is_training, other = role_of(part) == TRAIN, other_part(part)
    others = np.setdiff1d(np.arange(data.n_rows), rows)
    parts, names = ((rows, others), (part, other)) if is_training else ((others, rows), (other, part))
    note = f"{table.name}: {counted(len(entries), 'name')}, of {part!r} by the file's name; rows are {naming.how}, "
    found = Found(parts, names, "parts", unknown=tuple(unknown_in(entries, naming.rows(entries))))
    writer = partial(_write, source, naming, int(not is_training))
    told = [note + f"and all others are {other!r}.", *notes]
    return assemble(
        found, data, name=table.name, form="names of one part", notes=told, writer=writer, asked=asked
    )  # fmt: skip


def _write(source: Source, naming: Naming, part: int, split: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
    """Write the names of the rows of the part, one a line."""
    del split
    naming.refuse_torn(folds)
    names = naming.spell(np.flatnonzero(folds == part))
    return repaired_file(source.name, "".join(f"{name}\n" for name in names).encode())
