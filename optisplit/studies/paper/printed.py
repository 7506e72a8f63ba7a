"""The numbers that ours are put beside: those of the article, and those that its authors' code gave when run again.

``printed.csv`` has what could be verified. The article's Table 2 is not in the public copy of its repository, so most
of its cells are not there; whoever has the article at hand can add them in a file of the same form.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from optisplit.errors import FormatError, OptionError
from optisplit.measures.characteristics import PROPERTIES
from optisplit.studies.paper.catalogue import FIGURES, PAPER_DATA, ROWS
from optisplit.text import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

Key: TypeAlias = tuple[int, str, str, str]
"""Table, data, row ("" in Table 1) and figure."""

COLUMNS = ("table", "data", "row", "figure", "value", "source", "seeds", "std")
N_NEEDED = 5  # of these columns
ARTICLE_SEEDS = 10
ARTICLE = "article"
PUBLISHED_CODE = "published code"
SOURCES = (ARTICLE, PUBLISHED_CODE)
"""Where a number may come from: printed in the article, or given by its authors' code run again, with one seed."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One number to compare with."""

    value: float  # the number
    precision: float  # half a unit of its last printed digit
    source: str  # where it comes from
    n_seeds: int = ARTICLE_SEEDS  # how many random runs it is the mean of
    std: float = math.nan  # their deviation, where that is known

    @property
    def text(self) -> str:
        """The number with the digits that it was given with."""
        decimals = max(0, round(-math.log10(2 * self.precision)))
        return f"{self.value:,.{decimals}f}"


def read_printed(source: str | Path | BinaryIO | None = None) -> dict[Key, Printed]:
    """Read the printed numbers that are known, and those of a file on top of them."""
    own = Path(__file__).with_name("printed.csv")
    numbers = dict(_read(own.read_bytes(), own.name))
    if source is None:
        return numbers
    if not isinstance(source, str | Path):
        return numbers | dict(_read(source.read(), str(getattr(source, "name", "the file"))))
    given = Path(source)
    if not given.is_file():
        msg = f"There is no file {str(source)!r} with printed numbers."
        raise OptionError(msg)
    return numbers | dict(_read(given.read_bytes(), given.name))


def _read(content: bytes, name: str) -> Iterator[tuple[Key, Printed]]:
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        msg = f"{name} is no text in UTF-8: {error}."
        raise FormatError(msg) from error
    reader = csv.DictReader(lines)
    missing = [column for column in COLUMNS[:N_NEEDED] if column not in (reader.fieldnames or ())]
    if missing:
        msg = f"{name} has no column {listed(missing)}; it needs {listed(COLUMNS[:N_NEEDED])}."
        raise FormatError(msg)
    known = {1: ({""}, set(PROPERTIES)), 2: (set(ROWS), set(FIGURES))}
    for line in reader:
        where = f"{name}, line {reader.line_num}"
        try:
            table, value, text = int(line["table"]), float(line["value"]), line["value"].strip()
            n_seeds, std = max(1, int(line.get("seeds") or ARTICLE_SEEDS)), float(line.get("std") or math.nan)
        except (TypeError, ValueError) as error:
            msg = f"{where}: table, value, seeds and std must be numbers, got {line['table']!r} and {line['value']!r}."
            raise FormatError(msg) from error
        data, row, figure = (str(line[column] or "").strip() for column in ("data", "row", "figure"))
        source = str(line.get("source") or ARTICLE).strip()
        rows, figures = known.get(table, (set(), set()))
        for what, got, choices in (
            ("table", table, set(known)), ("data", data, set(PAPER_DATA)), ("row", row, rows),
            ("figure", figure, figures), ("source", source, set(SOURCES)),
        ):  # fmt: skip
            if got not in choices:
                allowed = ", ".join(sorted(map(str, choices)))
                msg = f"{where}: {what} must be one of {allowed}, got {got!r}."
                raise FormatError(msg)
        if not (math.isfinite(value) and value >= 0):
            msg = f"{where}: value must be a number from 0, got {text!r}."
            raise FormatError(msg)
        decimals = len(text.partition(".")[2]) if "e" not in text.lower() else 0
        yield (table, data, row, figure), Printed(value, 0.5 * 10.0**-decimals, source, n_seeds, std)
