"""Which column of another table says which row is meant."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from optisplit.io.keys import LOOSELY, NUMBER, PLAIN_NUMBER, compared, is_measured, own_columns, own_key_of
from optisplit.io.line_rows import LineRows, in_their_order, of_case
from optisplit.io.row_names import LIKELY_IDS, Naming, lines_of_names, unknown_in, whole_numbers
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optisplit.io.keys import Comparison
    from optisplit.io.second_tables import Table
    from optisplit.labels import MultilabelDataset

_MOST_COMMON = 8
_NAMES_ROWS = re.compile(
    r"(?i:(?:.*[\W_])?(?:ids?|rowid|idx|index|key|number|name|file|filename|image|row|sample|instance|unnamed: 0)"
    r"(?:[\W_].*)?)|.*[a-z]I[Dd]s?|"
)
"""Names of columns that say that rows are named there."""


@dataclass(frozen=True)
class Candidate:
    """A column of the other table, and the names of the data's rows that may be meant."""

    table: Table
    at: int
    own: str | None  # the data's column
    names: Sequence[str]  # what stands there in each row
    found: Comparison

    @property
    def title(self) -> str:
        """What the column is called."""
        return self.table.header[self.at]

    @cached_property
    def is_counter(self) -> bool:
        """Whether it only counts the lines."""
        return is_counter(self.found.entries)

    @cached_property
    def is_whole(self) -> bool:
        """Whether each row has a name and a line of its own."""
        names, entries = self.found.names, [entry for entry in self.found.entries if entry]
        return self.found.of_rows == 1 and len(set(names)) == len(names) and len(set(entries)) == len(entries)

    @property
    def rank(self) -> tuple[bool, float, bool, bool]:
        """How good it is, among others."""
        found = self.found
        return found.share == 1, found.of_rows + found.of_entries, not found.way, self.title == self.own

    def joined(self, taken: int | None) -> LineRows:
        """Find the rows of lines by it."""
        table, found = self.table, self.found
        values = None if taken is None else table.column(taken)
        rows, more_rows, more_lines = lines_of_names(found.entries, found.names, values)
        how = f"matched to the rows by column {self.title!r}"
        if len(set(found.names)) < len(found.names) and list(found.entries) == list(found.names):
            how = f"in the order of the rows, as column {self.title!r} confirms"
        if self.own is not None and self.own != self.title:
            how += f" (in the data: {self.own!r})"
        how += f", compared {found.way}" if found.way else ""
        naming = Naming(len(found.names), None, self.names, are_texts=True, title=self.own, way=found.way)
        unknown = tuple(unknown_in(table.column(self.at), rows))
        notes = [*in_their_order(rows, found, values), *of_case(unknown, self.names)]
        return LineRows(rows, how, self.at, naming, unknown, more_rows, more_lines, tuple(notes))


def is_counter(entries: Sequence[str]) -> bool:
    """Tell whether entries only count lines, from 0 or 1."""
    return entries[0] in ("0", "1") and bool((np.diff(whole_numbers(entries)) == 1).all())


class _Names:
    """Names of the data's rows, to look columns of another table up in."""

    def __init__(self, own: str | None, names: Sequence[str], *, are_ids: bool) -> None:
        self.own, self.names, self.n_rows = own, names, len(set(names)) if are_ids else len(names)
        self._known = [set(names)]

    def candidate(self, table: Table, at: int, taken: int | None) -> Candidate | None:
        """Compare a column, where it may be a key."""
        # a look at some lines tells most columns apart
        some = [clean_name(record.cell(at)) for record in table.lines[:: max(1, len(table.lines) // 200)]]
        if not self._holds(some):
            return None
        entries = [clean_name(each) for each in table.column(at)]
        if not self._may_be_key(table, at, taken, entries):
            return None
        found = compared(entries, self.names)
        return Candidate(table, at, self.own, self.names, found) if found.share > 0.5 else None

    def _holds(self, some: Sequence[str]) -> bool:
        if len(self._known) == 1 and sum(each in self._known[0] for each in some) < 0.3 * len(some):
            self._known += [set(map(form, self.names)) for form in LOOSELY.values()]
        forms: tuple[Callable[[str], str], ...] = (str, *LOOSELY.values())
        held = (sum(form(each) in known for each in some) for form, known in zip(forms, self._known, strict=False))
        # another table may have many more rows
        return max(held) > 0

    def _may_be_key(self, table: Table, at: int, taken: int | None, entries: Sequence[str]) -> bool:
        """Tell whether a column is different from line to line, or lines of one name say the same."""
        title, filled = table.header[at], [entry for entry in entries if entry]
        n_different, is_same = len(set(filled)), title == self.own
        if not is_same and not _NAMES_ROWS.fullmatch(title) and all(map(PLAIN_NUMBER.fullmatch, filled)):
            highest = int(whole_numbers(filled).max(initial=0))
            if n_different < len(filled) or highest <= len(self.names):  # may be numbers of something else
                return False
        least = 0.5 if title.strip().lower() in LIKELY_IDS[:2] else 0.9
        if n_different >= least * min(len(filled), self.n_rows):
            return bool(filled)
        if not is_same or taken is None:
            return False
        told = {(entry, value) for entry, value in zip(entries, table.column(taken), strict=True) if entry}
        return len(told) == n_different


def best_candidate(table: Table, taken: int | None, data: MultilabelDataset) -> Candidate | None:
    """Find the column that says best which row is meant: names of the data's rows, then what both call the same."""
    columns = likeliest(table.header, taken)
    found: list[Candidate] = []
    if data.row_ids is not None:
        names = _Names(data.key, data.row_ids, are_ids=True)
        found = [each for at in columns if (each := names.candidate(table, at, taken)) is not None]
    best = max(found, key=lambda each: each.rank, default=None)
    if best is not None and not best.is_counter:
        return best
    common = list(_common(table, taken, data))
    if best is not None:  # a column that only counts lines does not say which rows they are for, where another does
        common = [each for each in common if each.is_whole and not each.is_counter] or [best]
    return max(common, key=lambda each: each.rank, default=None) or _by_values(table, columns, data)


def likeliest(header: Sequence[str], taken: int | None) -> list[int]:
    """Put the columns that may be a key in order, those with a usual name first."""
    usual = {title: place for place, title in enumerate(LIKELY_IDS)}
    others = [at for at in range(len(header)) if at != taken]
    return sorted(others, key=lambda at: usual.get(header[at].strip().lower(), len(usual)))


def _common(table: Table, taken: int | None, data: MultilabelDataset) -> Iterator[Candidate]:
    """Find the columns that the data has under the same name, as far as their values say which row is meant."""
    places = common_places(table, taken, data)
    for title, names in own_columns(data, places).items():
        found = _Names(title, names, are_ids=False).candidate(table, places[title], taken)
        if found is not None:
            yield found


def common_places(table: Table, taken: int | None, data: MultilabelDataset) -> dict[str, int]:
    """Find the columns that the data may have too, and that may name rows."""
    labels = set(data.label_names)
    places, counts = {}, Counter(table.header)
    for at in likeliest(table.header, taken):
        title = table.header[at]
        some = [record.cell(at) for record in table.lines[:200]]
        if title not in labels and counts[title] == 1 and len(set(some)) > 1 and not is_measured(some):
            places[title] = at
    return dict(list(places.items())[:_MOST_COMMON])


def _by_values(table: Table, columns: Sequence[int], data: MultilabelDataset) -> Candidate | None:
    """Find a column of names that the data has under another name."""
    for at in columns[:_MOST_COMMON]:
        entries = [clean_name(each) for each in table.column(at)]
        are_names = not any(map(NUMBER.fullmatch, entries[:200])) and not is_measured(entries[:200])
        if are_names and len(set(entries)) == len(entries) and (own := own_key_of(data, entries)) is not None:
            return Candidate(table, at, own.title, own.names, own.found)
    return None
