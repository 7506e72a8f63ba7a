"""Names of labels and rows, as given or in a file beside the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.errors import FormatError
from optisplit.io.source import FileLike, Source, read_names
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optisplit.io.parsed import Parsed


def checked_names(names: FileLike | Iterable[object], n_labels: int, n_rows: int = -1) -> list[str]:
    """Read the names of labels that were given, one for each."""
    given = read_names(names)
    if len(given) != n_labels:
        hint = ""
        if len(given) == n_rows:
            hint = "\nHint: there are as many rows; rows and labels may be the wrong way round."
        msg = f"There are {len(given):,} label names for {n_labels:,} labels; one name a line is needed.{hint}"
        raise FormatError(msg)
    return given


def names_beside(source: Source, what: str, n_needed: int, parsed: Parsed, *more: str) -> list[str] | None:
    """Read the names of labels or rows from ``stem.labels.txt`` and the like, or from one of the files named."""
    path = source.sibling(f".{what}.txt") or source.neighbour(*more)
    if path is None:
        return None
    found = read_names(path)
    if len(found) == n_needed:
        parsed.details[f"Names of {what}"] = f"from {clean_name(path.name)!r}"
        return found
    note = f"{path.name!r} was not used: it has {len(found):,} names, but there are {n_needed:,} {what}."
    parsed.notes.append(note)
    return None
