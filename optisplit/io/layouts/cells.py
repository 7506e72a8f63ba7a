"""What counts as 0, as 1 and as missing in a text cell."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.errors import argument
from optisplit.io.parsed import Unknown
from optisplit.text import MOST_NAMED, clean_name, counted, few, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

ZERO, ONE, OTHER, MISSING = range(4)
"""Codes of a cell."""

MARKS = frozenset("xX✓✔☑●•+")
"""What some write into the cells of labels that rows have, and nothing into the others."""

UNCERTAIN = 6
"""The code of a label's cell that holds -1, which is another value to whoever looks at the last two bits alone."""

_WORDS = {
    **dict.fromkeys(("0", "0.0", "false", "f", "no", "n"), ZERO),
    **dict.fromkeys(("1", "1.0", "true", "t", "yes", "y"), ONE),
    **dict.fromkeys(("", "?", "na", "n/a", "<na>", "nan", "null", "none"), MISSING),
}

_WHOLE = re.compile(r"\d{1,9}(?:[.,]0+)?")
_MINUS_ONE = re.compile(r"-1(?:[.,]0+)?")
_DECIMAL_COMMA = re.compile(r"[01],0+")
_NOTATIONS = (("true", "false"), ("t", "f"), ("yes", "no"), ("y", "n"))
NOTATION_NAMES = ("0 and 1", "true and false", "t and f", "yes and no", "y and n")

_MAX_KINDS = 20


def cell_code(cell: str) -> int:
    """Tell whether a cell means 0, 1, missing, or anything else."""
    word = cell.strip().lower()
    code = _WORDS.get(word)
    if code is not None:
        return code
    if _DECIMAL_COMMA.fullmatch(word):
        return int(word[0])
    try:
        number = float(word)
    except ValueError:
        return OTHER
    return int(number) if number in (0, 1) else OTHER


def cell_notation(cell: str) -> int:
    """Tell in which way a cell writes 0 or 1."""
    word = cell.strip().lower()
    return next((at for at, words in enumerate(_NOTATIONS, start=1) if word in words), 0)


def label_code(cell: str) -> int:
    """Tell whether a label's cell means 0, 1, missing, uncertain, or anything else."""
    code = cell_code(cell)
    return UNCERTAIN if code == OTHER and _MINUS_ONE.fullmatch(cell.strip()) else code


@dataclass(slots=True)
class Faults:
    """Cells of one column that are neither 0 nor 1."""

    n_unknown: Counter[int] = field(default_factory=Counter)  # how many cells are missing or uncertain, by their code
    unknown_line: dict[int, int] = field(default_factory=dict)  # the line of the first of each, from 1
    n_other: int = 0  # how many cells hold something else
    other_line: int = 0  # the line of the first; 0 where there is none
    # the other values, cleaned, and their counts; the first twenty kinds
    kinds: Counter[str] = field(default_factory=Counter)
    has_more_kinds: bool = False  # whether there are other values than those; then their counts are not complete

    def add_unknown(self, code: int, line: int, count: int = 1) -> None:
        """Count cells that are missing, or uncertain."""
        self.n_unknown[code] += count
        self.unknown_line.setdefault(code, line)

    def add_other(self, cells: Mapping[str, int], line: int) -> None:
        """Count cells that hold something else."""
        self.n_other += sum(cells.values())
        self.other_line = self.other_line or line
        if self.has_more_kinds:
            return
        for cell, count in cells.items():
            kind = clean_name(cell[:200], limit=40)
            if len(self.kinds) == _MAX_KINDS and kind not in self.kinds:
                self.has_more_kinds = True
                return
            self.kinds[kind] += count

    @property
    def are_whole(self) -> bool:
        """Whether the other values are whole numbers above 1, few of them."""
        return bool(self.kinds) and not self.has_more_kinds and all(map(_WHOLE.fullmatch, self.kinds))

    @property
    def are_marks(self) -> bool:
        """Whether the other values are all a mark, such as an x."""
        return bool(self.kinds) and self.kinds.keys() <= MARKS

    def describe_other(self) -> str:
        """Write which other values there are, how often, and where the first one is."""
        common = self.kinds.most_common(4)
        if self.has_more_kinds:
            values = f"{', '.join(repr(kind) for kind, _ in common)} and many more"
        else:
            values = ", ".join(f"{kind!r} ({_times(count)})" for kind, count in common)
            values += " and other values" if len(self.kinds) > len(common) else ""
        return f"{values}, first in line {self.other_line:,}"


_ADVICE = {
    MISSING: " Missing is not the same as 0: write 0 where it means 'does not have the label', or leave those rows or "
    "labels out.",
    UNCERTAIN: " Some write -1 for 'uncertain', others for 'no': if -1 means 'does not have the label', write 0 for "
    "it, or have it read so.",
}
UNKNOWN: dict[int, tuple[Literal["missing", "uncertain"], str]] = {
    MISSING: ("missing", "missing"),
    UNCERTAIN: ("uncertain", "uncertain (-1)"),
}
"""By the code of an unknown cell, the option that says what it means, and what to call it."""


def values_words(unknown: Collection[str]) -> str:
    """Say what stands in the cells of labels, some of which an option has to say the meaning of."""
    values = ["0", "1", *(word for option, word in UNKNOWN.values() if option in unknown)]
    return f"{', '.join(values[:-1])} or {values[-1]}"


def unknown_cells(
    faults: Mapping[str, Faults], places: Callable[[int], Sequence[tuple[int, NDArray[Any]]]], advice: str = ""
) -> list[Unknown]:
    """Tell of label cells that are missing, and of those that are uncertain; `places` gives each label's rows."""
    found = []
    for code, (option, word) in UNKNOWN.items():
        having = [(name, each) for name, each in faults.items() if each.n_unknown[code]]
        if not having:
            continue
        name, first = having[0]
        rows = counted(first.n_unknown[code], "row")
        told = f"The label {name!r} is {word} in {rows}, first in line {first.unknown_line[code]:,}."
        if len(having) > 1:
            rest = [f"{other!r} ({counted(each.n_unknown[code], 'row')})" for other, each in having[1:MOST_NAMED]]
            n_all = sum(each.n_unknown[code] for _, each in having)
            more = counted(len(having) - 1, "more label")
            told += f" So it is with {more}: {few(rest, len(having) - 1)}; {n_all:,} cells in all."
        cells = [np.stack([rows, np.full(len(rows), label)], axis=1) for label, rows in places(code) if len(rows)]
        found.append(Unknown(option, told, np.concatenate(cells), advice=_ADVICE[code] + advice))
    return found


def other_message(faults: dict[str, Faults], advice: str = "", *, takes_threshold: bool = False) -> str:
    """Write the error for label cells that are neither 0 nor 1."""
    name, first = next(iter(faults.items()))
    rest = list(faults)[1:]
    also = f" So it is with {counted(len(rest), 'more label')}: {listed(rest)}." if rest else ""
    if takes_threshold and first.are_whole:
        counts = "if these are counts of labels, " + argument("threshold", 1) + " reads 1 or more as having the label"
        advice = counts + " and keeps the counts" + ("; " + advice if advice else ".")
    elif not advice and any("," in kind or "." in kind for kind in first.kinds):
        advice = "if these are probabilities or features, the wrong columns were taken as labels"
        if takes_threshold:
            advice += "; of probabilities, " + argument("threshold", 0.5) + " takes those from 0.5 on"
        advice += "."
    told = (
        f"Labels must be 0 or 1, but the label {name!r} has {counted(first.n_other, 'other value')}: "
        f"{first.describe_other()}.{also}"
    )
    return told + "\nHint: " + advice if advice else told  # joined, so that an argument in it stays one


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
