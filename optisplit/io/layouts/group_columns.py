"""Columns of a table that look like groups, such as ids of patients: found as the table is read, in the same pass."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError
from optisplit.io.layouts.cells import MISSING, cell_code
from optisplit.io.layouts.collector import NOTHING, Numbered
from optisplit.io.layouts.sample import DATE, NO_LABEL_NAMES, NUMBER, has_label_name
from optisplit.io.tables.titles import is_id_title, is_row_name
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from optisplit.io.tables.table import Chunk, Table

MOST_COLUMNS = 6
"""Columns that are gone through, the likeliest: each takes about a tenth of the time that reading takes."""

MOST_NAMED = 100
"""Columns that repeat whose names are kept, the likeliest: people choose from them."""

_LARGE_BYTES = 50_000_000
"""Larger files are not read a second time for it, where they were read in a way that gives no columns."""

_FEWEST_VALUES, _MANY_VALUES = 3, 20
_N_LOOKED_AT = 20_000
_LONGEST, _LONGEST_MISSING, _MOST_BLANKS = 80, 4, 3
_WHOLE = re.compile(r"\+?\d+(?:\.0*)?")
_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")
_CODE = re.compile(r"(?=.*\d)\S+")
_WORDS = (
    "patients?|subjects?|participants?|persons?|individuals?|users?|clients?|customers?|members?|students?|pupils?|"
    "mothers?|famil(?:y|ies)|households?|authors?|speakers?|singers?|artists?|animals?|donors?|mrn|"
    "encounters?|visits?|admissions?|hadm|stays?|sessions?|stud(?:y|ies)|exams?|slides?|videos?|clips?|movies?|films?|"
    "recordings?|audios?|tracks?|songs?|albums?|documents?|docs?|articles?|books?|threads?|conversations?|dialogs?|"
    "dialogues?|sequences?|scenes?|groups?"
)
_PLACES = "sites?|hospitals?|clinics?|cent(?:er|re)s?|schools?|institutions?|locations?|stations?|cameras?|wards?"
_ENDING = r"(?:[\s_.\-]?(?:ids?|names?|index|idx|no|num|number|nr|key|code|uid|uuid|hash))?"
_BEFORE = r"(?:.*[\s_.\-])?"
_NAMED = re.compile(rf"{_BEFORE}({_WORDS}){_ENDING}", re.IGNORECASE)
_NAMED_PLACE = re.compile(rf"{_BEFORE}({_PLACES}){_ENDING}", re.IGNORECASE)

_NAMED_SO, _ID, _CODES, _NONE = 3, 2, 1, 0
"""Why a column may be groups, from its name, or its first cells; none of these."""


@dataclass(frozen=True, slots=True)
class LikelyGroups:
    """A column that looks like groups."""

    column: str  # its name
    noun: str  # what one of its values is
    codes: NDArray[np.int32]  # shape (n_rows,): the number of each row's value; -1 where it has none

    @property
    def n_values(self) -> int:
        """How many different values there are."""
        return len(np.unique(self.codes[self.codes != NOTHING]))


def of_names(names: Sequence[str], column: str) -> LikelyGroups | None:
    """Take names that rows share for groups; None where none is shared."""
    if len(set(names)) == len(names):
        return None
    numbers = Numbered()
    column = clean_name(column)
    noun = noun_of(column)
    return LikelyGroups(column, "name" if noun == "value" else noun, numbers.of(names))


def noun_of(name: str) -> str:
    """Tell what one value of a column is, from the column's name."""
    found = _NAMED.fullmatch(name.strip(" #")) or _NAMED_PLACE.fullmatch(name.strip(" #"))
    if found is None:
        return "value"
    word = found[1].lower()
    singular = f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")
    return {"mrn": "patient", "hadm": "admission"}.get(word, singular)


class GroupColumns:
    """Watches the columns of a table that may be groups while its rows go by."""

    def __init__(self, table: Table, aside: Collection[int | None]) -> None:
        columns = enumerate(zip(table.names, table.sample, strict=True))
        looks = {j: _looks(clean_name(name), cells) for j, (name, cells) in columns if j not in aside}
        once = [j for j in looks if looks[j][0] and table.names.count(table.names[j]) == 1]
        likely = sorted(once, key=lambda j: looks[j], reverse=True)[:MOST_COLUMNS]
        self._names, self._is_large = table.names, table.source.n_bytes > _LARGE_BYTES
        self._looks = {j: looks[j][0] for j in likely}
        others = [j for j in looks if j not in likely and looks[j][1]]
        self._repeating = sorted(others, key=lambda j: looks[j][0], reverse=True)
        self._numbers: dict[int, Numbered] = {j: _Values() for j in likely}
        self._codes: dict[int, list[NDArray[np.int32]]] = {j: [] for j in likely}
        self._n_rows = 0
        self._quickly = table.quickly
        self._chunks, table.chunks = table.chunks, self.chunks

    def chunks(self, needed: Collection[int] | None) -> Iterator[Chunk]:
        """Go through the rows of the table, and keep what stands in the columns."""
        chunks: Callable[[Any], Iterator[Chunk]] = self._chunks
        for lines, cells in chunks(None if needed is None else {*needed, *self._codes}):
            for j in list(self._codes):
                try:
                    self._codes[j].append(self._numbers[j].of(cells[j]))
                except TypeError:  # lists among texts
                    self._drop(j)
            self._n_rows += len(lines)
            if self._n_rows > _N_LOOKED_AT:
                for j in [j for j, numbers in self._numbers.items() if len(numbers.names) == self._n_rows]:
                    self._drop(j)  # different in each row
            yield lines, cells

    def _drop(self, j: int) -> None:
        del self._codes[j], self._numbers[j]

    def look(self) -> None:
        """Go through the rows, while the file is open, if they were read in a way that gives no columns."""
        if self._codes and not self._n_rows and not self._is_large:
            self._chunks = self._quickly or self._chunks
            with suppress(FormatError, csv.Error):
                for _ in self.chunks(()):
                    pass

    def found(
        self, n_rows: int, labels: Collection[str], kept: NDArray[np.int64] | None = None
    ) -> tuple[list[LikelyGroups], list[str]]:
        """Give the columns that look like groups, and the names of those that repeat, the likeliest first.

        `n_rows` are there in all, of which some may be kept.
        """
        found: list[tuple[tuple[int, float], LikelyGroups]] = []
        for j, parts in self._codes.items():
            name = self._names[j]
            if self._n_rows == n_rows and name not in labels:
                codes, column = _without_missing(np.concatenate(parts), self._numbers[j].names), clean_name(name)
                codes = codes if kept is None else codes[kept]
                found.append((_rank(codes, self._looks[j]), LikelyGroups(column, noun_of(column), codes)))
        found.sort(key=lambda each: each[0], reverse=True)
        repeating = [each.column for (_, share), each in found if share]
        repeating += [clean_name(self._names[j]) for j in self._repeating if self._names[j] not in labels]
        return [each for (looks, _), each in found if looks != _NONE], list(dict.fromkeys(repeating))[:MOST_NAMED]


class _Values(Numbered):
    """Values and their numbers; what is no value has none."""

    def __init__(self) -> None:
        super().__init__()
        self[None] = NOTHING  # type: ignore[index]


def _looks(name: str, cells: Sequence[Any]) -> tuple[int, float]:
    """Tell from its name and first cells whether a column may be groups, and the share of these that repeat."""
    try:
        different = set(cells)
    except TypeError:  # lists among texts
        return _NONE, 0.0
    if len(different) < _FEWEST_VALUES or (name.strip().lower() in NO_LABEL_NAMES and "group" not in name.lower()):
        return _NONE, 0.0
    named = _looks_by_name(name)
    if named in (_NONE, _CODES) and all(isinstance(each, str) and each.isdecimal() for each in different):
        return _NONE, 1 - len(different) / len(cells)  # numbers, of which there may be thousands of columns
    values = {cell.strip() for cell in different if isinstance(cell, str) and cell_code(cell) != MISSING}
    if len(values) < _FEWEST_VALUES:
        return _NONE, 0.0
    are_numbers = all(map(NUMBER.fullmatch, values))
    is_text = max(map(len, values)) > _LONGEST or sum(each.count(" ") for each in values) > _MOST_BLANKS * len(values)
    if is_text or (are_numbers and not all(map(_WHOLE.fullmatch, values))):
        return _NONE, 0.0
    if all(DATE.fullmatch(each) or _TIME.fullmatch(each) for each in values):
        return _NONE, 0.0
    repeats = 1 - len(values) / len(cells)
    if named != _CODES:
        return named, repeats
    are_codes = not are_numbers and 10 * sum(_CODE.fullmatch(each) is not None for each in values) > 9 * len(values)
    return (_CODES if are_codes else _NONE), repeats


def _looks_by_name(name: str) -> int:
    """Tell from its name alone why a column may be groups; its cells may be codes where the name says nothing."""
    title = name.strip(" #")
    if _NAMED.fullmatch(title):
        return _NAMED_SO
    if has_label_name(name):
        return _NONE
    return _ID if _NAMED_PLACE.fullmatch(title) or is_id_title(name) or is_row_name(name) else _CODES


def _without_missing(codes: NDArray[np.int32], names: Sequence[str]) -> NDArray[np.int32]:
    """Take cells such as NA for no value."""
    missing = [at for at, name in enumerate(names) if len(name) <= _LONGEST_MISSING and cell_code(name) == MISSING]
    return np.where(np.isin(codes, missing), NOTHING, codes).astype(np.int32) if missing else codes


def _rank(codes: NDArray[np.int32], looks: int) -> tuple[int, float]:
    """Tell from all rows why a column may be groups, and the share of the rows whose value is on several."""
    counts = np.bincount(codes[codes != NOTHING])
    counts = counts[counts > 0]
    n_rows, n_values, most = int(counts.sum()), len(counts), int(counts.max(initial=0))
    repeated = float(counts[counts > 1].sum() / max(1, n_rows))
    if looks == _NAMED_SO:
        is_likely = 2 * n_values >= _MANY_VALUES and repeated >= 0.05 and 2 * most <= n_rows
    else:
        is_likely = n_values >= max(_MANY_VALUES, 0.02 * n_rows) and repeated >= 0.3 and 10 * most <= n_rows
    return (looks if is_likely else _NONE), repeated
