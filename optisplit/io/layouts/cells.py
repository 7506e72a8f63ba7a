"""What counts as 0, as 1 and as missing in a text cell."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping

ZERO, ONE, OTHER, MISSING = range(4)
"""Codes of a cell."""

_WORDS = {
    **dict.fromkeys(("0", "0.0", "false", "f", "no", "n"), ZERO),
    **dict.fromkeys(("1", "1.0", "true", "t", "yes", "y"), ONE),
    **dict.fromkeys(("", "?", "na", "n/a", "<na>", "nan", "null", "none"), MISSING),
}

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


@dataclass(slots=True)
class Faults:
    """Cells of one column that are neither 0 nor 1."""

    n_missing: int = 0  # how many cells are missing, and how many hold something else
    n_other: int = 0  # how many cells are missing, and how many hold something else
    missing_line: int = 0  # lines of the first of each, from 1; 0 where there is none
    other_line: int = 0  # lines of the first of each, from 1; 0 where there is none
    # the other values, cleaned, and their counts; the first twenty kinds
    kinds: Counter[str] = field(default_factory=Counter)
    has_more_kinds: bool = False  # whether there are other values than those; then their counts are not complete

    def add_missing(self, line: int, count: int = 1) -> None:
        """Count missing cells."""
        self.n_missing += count
        self.missing_line = self.missing_line or line

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
    def is_minus_one(self) -> bool:
        """Whether the other values are all -1."""
        return self.n_other > 0 and set(self.kinds) <= {"-1", "-1.0"}

    def describe_other(self) -> str:
        """Write which other values there are, how often, and where the first one is."""
        common = self.kinds.most_common(4)
        if self.has_more_kinds:
            values = f"{', '.join(repr(kind) for kind, _ in common)} and many more"
        else:
            values = ", ".join(f"{kind!r} ({_times(count)})" for kind, count in common)
            values += " and other values" if len(self.kinds) > len(common) else ""
        return f"{values}, first in line {self.other_line:,}"


MISSING_ADVICE = (
    " Missing is not the same as 0: write 0 where it means 'does not have the label', or leave those rows or labels "
    "out."
)
"""What to do about label cells that are missing."""


def missing_message(faults: dict[str, Faults]) -> str:
    """Write the error for label cells that are missing."""
    name, first = next(iter(faults.items()))
    rest = list(faults)[1:]
    also = f" So it is with {counted(len(rest), 'more label')}: {listed(rest)}." if rest else ""
    rows = counted(first.n_missing, "row")
    return f"The label {name!r} is missing in {rows}, first in line {first.missing_line:,}.{also}"


def other_message(faults: dict[str, Faults], advice: str = "") -> str:
    """Write the error for label cells that are neither 0 nor 1."""
    name, first = next(iter(faults.items()))
    rest = list(faults)[1:]
    also = f" So it is with {counted(len(rest), 'more label')}: {listed(rest)}." if rest else ""
    if not advice and first.is_minus_one:
        advice = "if -1 means 'does not have the label', write 0 for it."
    elif not advice and any("," in kind or "." in kind for kind in first.kinds):
        advice = "if these are probabilities or features, the wrong columns were taken as labels."
    told = (
        f"Labels must be 0 or 1, but the label {name!r} has {counted(first.n_other, 'other value')}: "
        f"{first.describe_other()}.{also}"
    )
    return told + "\nHint: " + advice if advice else told  # joined, so that an argument in it stays one


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
