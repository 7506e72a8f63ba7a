"""Which rows of the data each line of another file is for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FoldAssignmentError
from optisplit.io.keys import LOOSELY, Comparison, name_counts
from optisplit.io.row_names import TORN_HINT, lines_of_names, unknown_in
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.row_names import Naming, RowNumbers


def _no_rows() -> RowNumbers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class LineRows:
    """Which rows of the data each line of a table is for."""

    rows: RowNumbers  # of each line the row, or the first of several; -1 where there is none
    how: str  # how they were matched, in words
    key: int | None = None  # the column that says so; None: the order
    naming: Naming | None = None  # how it names rows
    unknown: tuple[str, ...] = ()  # what is named but is no row
    # pairs of row and line: further rows of lines that are for several, as the data has their name several times
    more_rows: RowNumbers = field(default_factory=_no_rows)
    more_lines: RowNumbers = field(default_factory=_no_rows)
    notes: tuple[str, ...] = ()  # what else is to be known, in sentences

    def pairs(self) -> tuple[RowNumbers, RowNumbers]:
        """Give all pairs of a row and a line that is for it."""
        lines = np.flatnonzero(self.rows >= 0)
        return np.concatenate([self.rows[lines], self.more_rows]), np.concatenate([lines, self.more_lines])

    def check_shared(self, folds: FoldArray) -> None:
        """Refuse folds in which rows that share a line are in several."""
        is_torn = folds[self.more_rows] != folds[self.rows[self.more_lines]]
        torn = np.unique(self.more_rows[is_torn]).tolist()
        if torn and self.naming is not None:
            names = list(dict.fromkeys(self.naming.names[row] for row in torn))
            lines = counted(len(names), "line")
            msg = f"{lines} would need several folds, since rows share a name: {listed(names, 3)}."
            raise FoldAssignmentError(msg + TORN_HINT)


def named_lines(entries: Sequence[Any], naming: Naming, values: Sequence[str]) -> LineRows:
    """Find the rows of entries that a list names, each with its value."""
    how = f"rows are {naming.how}"
    if naming.base is not None:
        rows = naming.rows(entries)
        return LineRows(rows, how, None, naming, tuple(unknown_in(entries, rows)))
    found = Comparison(
        [LOOSELY.get(naming.way, str)(each) for each in naming.names],
        [LOOSELY.get(naming.way, str)(clean_name(each)) for each in entries],
    )
    rows, more_rows, more_lines = lines_of_names(found.entries, found.names, values)
    unknown = tuple(unknown_in(entries, rows))
    notes = [*in_their_order(rows, found, values), *of_case(unknown, naming.names)]
    return LineRows(rows, how, None, naming, unknown, more_rows, more_lines, tuple(notes))


def in_their_order(rows: RowNumbers, found: Comparison, values: Sequence[str] | None) -> Iterator[str]:
    """Say where rows of one name were told apart by the order of their lines alone."""
    repeating = name_counts(found.names)
    if not repeating or values is None or list(found.entries) == list(found.names):
        return
    given = Counter(entry for entry, row in zip(found.entries, rows.tolist(), strict=True) if row >= 0)
    ordered = {name for name, count in repeating.items() if given[name] == count}
    told: dict[str, set[str]] = {}
    for entry, value in zip(found.entries, values, strict=True):
        if entry in ordered:
            told.setdefault(entry, set()).add(value)
    n_torn = sum(len(each) > 1 for each in told.values())
    if n_torn:
        yield f"{counted(n_torn, 'name', 'stands')} on several rows and lines, which were taken in their order."


def of_case(unknown: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Say which names would be rows if upper and lower case did not count."""
    folded = {name.casefold() for name in names} if unknown else set()
    alike = [name for name in unknown if name and name.casefold() in folded]
    if alike:
        yield f"{counted(len(alike), 'name')} would be rows, were it not for upper and lower case: {listed(alike, 3)}."
