"""What may be a key: columns of the data whose values say which row is meant; and how names of two files compare."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError, OptionError
from optisplit.io.second_tables import as_text, cells_of, options_of
from optisplit.io.source import read_source
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from optisplit.labels import MultilabelDataset, Reading

_TABLES = ("delimited", "jsonl", "parquet")
"""Formats of data that have columns beside the labels."""

_MOST_KEYS = 8
_LOOKED_AT = 2_000
NUMBER = re.compile(r"([+-]?)0*([0-9]+)(?:\.0*)?")
"""A whole number, as ids are written."""
PLAIN_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.0*)?")
"""A whole number that may as well be an amount."""
_FRACTION = re.compile(r"[+-]?[0-9]*[.,][0-9]*[1-9][0-9]*(?:[eE][+-]?[0-9]+)?")
_MIDNIGHT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]00:00(?::00(?:\.0+)?)?)?(?:Z|\+00:00)?")


@dataclass(frozen=True, slots=True)
class Key:
    """The column that says which row is meant, as the user names it."""

    own: str  # of the data
    other: str | None = None  # of the other file, where it is called otherwise there

    @classmethod
    def of(cls, given: str | None, titles: Collection[str] = ()) -> Key | None:
        """Take ``NAME``, or ``NAME=OTHER``; `titles`: names that hold that sign themselves."""
        if given is None:
            return None
        own, mark, other = given.partition("=")
        if not mark or given in titles:
            return cls(given.strip())
        return cls(own.strip(), other.strip())


def _as_number(name: str) -> str:
    match = NUMBER.fullmatch(name)
    return name if match is None else match[1].replace("+", "") + match[2]


def _as_date(name: str) -> str:
    match = _MIDNIGHT.fullmatch(name)
    return name.replace("T", " ", 1) if match is None else match[1]


def _without_folder(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2]


def _without_ending(name: str) -> str:
    base = _without_folder(name)
    stem, dot, ending = base.rpartition(".")
    return stem if dot and stem and ending.isalnum() and not ending.isdecimal() else base


LOOSELY: dict[str, Callable[[str], str]] = {
    "as numbers, whatever zeros they are written with": _as_number,
    "as dates, with or without the time": _as_date,
    "without folders": _without_folder,
    "without folders and endings": _without_ending,
}
"""Ways to compare names where they are not the same as they stand, and what to say of them."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the names of two files are compared."""

    names: Sequence[str]  # of the data's rows, to be compared with what `entries` gives
    entries: Sequence[str]  # of the other file
    of_entries: float = 1.0  # share of the other file's entries that are rows of the data
    of_rows: float = 1.0  # share of the data's rows that the other file has
    way: str = ""  # in which way, where not as they stand: one of `LOOSELY`

    @property
    def share(self) -> float:
        """How much of it agrees."""
        return max(self.of_entries, self.of_rows)


def compared(entries: Sequence[str], names: Sequence[str]) -> Comparison:
    """Compare names: as they stand, otherwise in the loose way that finds more, where it keeps them apart."""
    best = _compared(entries, names)
    if best.share > 0.5:
        return best
    n_entries, n_names = len(set(entries)), len(set(names))
    for way, form in LOOSELY.items():
        given, own = list(map(form, entries)), list(map(form, names))
        if len(set(given)) == n_entries and len(set(own)) == n_names:
            found = _compared(given, own, way)
            best = found if found.share > max(0.5, best.share) else best
    return best


def _compared(entries: Sequence[str], names: Sequence[str], way: str = "") -> Comparison:
    known, given = set(names), set(entries)
    known.discard("")
    n_filled = sum(map(bool, entries))
    of_entries = sum(entry in known for entry in entries) / max(1, n_filled)
    of_rows = sum(name in given for name in names if name) / max(1, len(names))
    return Comparison(names, entries, of_entries, of_rows, way)


def differ_in_case(entries: Iterable[str], names: Iterable[str]) -> bool:
    """Tell whether names would mostly be the same, were it not for upper and lower case."""
    folded = {name.casefold() for name in names}
    given = [entry.casefold() for entry in entries]
    return sum(entry in folded for entry in given) > 0.5 * max(1, len(given))


def is_measured(entries: Iterable[str]) -> bool:
    """Tell whether some are numbers with a fraction, which name nothing."""
    return any(_FRACTION.fullmatch(entry) for entry in entries)


def own_columns(data: MultilabelDataset, titles: Collection[str]) -> dict[str, list[str]]:
    """Give columns of the data by their names, a text for each row; those that there are."""
    found = _read(data, titles)
    if data.key is not None and data.key in titles and data.row_ids is not None:
        found[data.key] = list(data.row_ids)
    return found


def own_names(data: MultilabelDataset, title: str) -> Sequence[str]:
    """Give the values of a column of the data that was named as the key."""
    found = own_columns(data, [title])
    if title not in found:
        what = f"column of {data.name}:"
        raise OptionError.unknown(what, title, dict.fromkeys([*filter(None, [data.key]), *_read(data, None, 1)]))
    return found[title]


def columns_with(data: MultilabelDataset, entries: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    """Find the columns of the data that hold names, likeliest first, and what they hold."""
    wanted: set[str] = set(entries)
    for form in LOOSELY.values():
        wanted |= set(map(form, entries))
    labels, shares = set(data.label_names), {}
    for title, cells in _read(data, None, _LOOKED_AT).items():
        if title in labels or title == data.key or is_measured(cells):
            continue
        is_held = [cell in wanted or any(form(cell) in wanted for form in LOOSELY.values()) for cell in cells]
        if any(is_held) and len(set(cells)) > 2:
            shares[title] = (sum(is_held) / len(cells), len(set(cells)))
    likely = sorted(shares, key=lambda title: shares[title], reverse=True)[:_MOST_KEYS]
    found = _read(data, likely) if likely else {}
    for title in likely:
        if title in found:
            yield title, found[title]


def _read(data: MultilabelDataset, titles: Collection[str] | None, most: int | None = None) -> dict[str, list[str]]:
    """Read columns of the data's table, as text where it has text; of the first rows if told so."""
    reading = data.reading
    found = {} if reading is None or reading.format not in _TABLES else _of_file(data, reading, titles, most)
    known = {} if reading is None else reading.left_out
    if found or (known and titles is not None and known.keys().isdisjoint(titles)):
        return found
    features: Any = data.features
    if not hasattr(features, "columns"):
        return {}
    columns = [title for title in features.columns if titles is None or str(title) in titles]
    return {str(title): [clean_name(as_text(each)) for each in features[title][:most]] for title in columns}


def _of_file(
    data: MultilabelDataset, reading: Reading, titles: Collection[str] | None, most: int | None
) -> dict[str, list[str]]:
    if reading.file is None:
        return {}
    try:
        opened = read_source(
            io.BytesIO(reading.file) if isinstance(reading.file, bytes) else reading.file, reading.file_name
        )
        found = cells_of(opened, titles, options_of(opened, data), most)
    except (FormatError, csv.Error):  # it was moved, or is another one by now
        return {}
    if most is not None:
        return {title: list(map(clean_name, cells)) for title, cells in found.items()}
    rows = range(data.n_rows) if reading.kept_rows is None else reading.kept_rows.tolist()
    n_lines = data.n_rows if reading.kept_rows is None else reading.n_file_rows
    return {title: [clean_name(cells[row]) for row in rows] for title, cells in found.items() if len(cells) == n_lines}


def names_left_out(data: MultilabelDataset, title: str | None) -> set[str]:
    """Give what a column has in the rows of the data's file that were left out."""
    reading = data.reading
    if title is None or reading is None or reading.kept_rows is None:
        return set()
    whole = replace(data, reading=replace(reading, kept_rows=None), read_features=None)
    cells = _of_file(whole, whole.reading, [title], reading.n_file_rows).get(title, [])  # type: ignore[arg-type]
    kept = set(reading.kept_rows.tolist())
    return {name for row, name in enumerate(cells) if row not in kept}


def name_counts(names: Sequence[str]) -> Counter[str]:
    """Count the rows of each name that stands on several; empty where none does."""
    if len(set(names)) == len(names):
        return Counter()
    return Counter({name: count for name, count in Counter(names).items() if count > 1})


@dataclass(frozen=True, slots=True)
class OwnKey:
    """A column of the data that entries of another file are values of."""

    title: str | None  # what it is called, where that is known
    names: Sequence[str]  # the name of each row
    found: Comparison  # how much of it agrees


def own_key_of(data: MultilabelDataset, entries: Sequence[str], above: float = 0.5) -> OwnKey | None:
    """Find the column of the data whose values entries are: the rows' names, or any other, where more than half agree.

    Numbers occur in many columns: they have to be values of one that tells rows apart, and for more than `above`.
    """
    if data.row_ids is not None and (found := compared(entries, data.row_ids)).share > above:
        return OwnKey(data.key, data.row_ids, found)
    are_numbers = sum(bool(NUMBER.fullmatch(entry)) for entry in entries) > 0.5 * len(entries)
    best = None
    for title, names in columns_with(data, set(entries)):
        if are_numbers and len(set(names)) < len(names):
            continue
        found = compared(entries, names)
        if found.share > max(above, 0.0 if best is None else best.found.share):
            best = OwnKey(title, names, found)
    return best


def told_of_case(entries: Sequence[str], names: Sequence[str]) -> str:
    """Say that names would match, were it not for upper and lower case; empty where they would not."""
    if not differ_in_case(entries, names):
        return ""
    return " They would match, were it not for upper and lower case, which may be meant."
