"""The numbers that ours are put beside: those that the article prints, and those that its authors' code gave run again.

``printed.csv`` has every cell of the article's two tables; ``published_code.csv`` the means over some seeds of the
authors' published code, as far as it was run again.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Key: TypeAlias = tuple[int, str, str, str]
"""Table, data, row ("" in Table 1) and figure."""

ARTICLE_SEEDS = 10
ARTICLE = "article"
PUBLISHED_CODE = "published code"
FAILED = "error"
"""What the article prints where a method failed."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One number to compare with."""

    value: float  # the number; NaN where the method failed
    precision: float  # half a unit of its last printed digit
    source: str = ARTICLE  # where it comes from
    n_seeds: int = ARTICLE_SEEDS  # how many random runs it is the mean of
    std: float = math.nan  # their deviation, where that is known

    @classmethod
    def of(cls, text: str, source: str = ARTICLE, n_seeds: int = ARTICLE_SEEDS, std: float = math.nan) -> Printed:
        """Read a cell; its digits tell how exact it is."""
        if text == FAILED:
            return cls(math.nan, 0.0, source, n_seeds, std)
        decimals = len(text.partition(".")[2])
        return cls(float(text), 0.5 * 10.0**-decimals, source, n_seeds, std)

    @property
    def text(self) -> str:
        """The number with the digits that it was given with."""
        if math.isnan(self.value):
            return FAILED
        decimals = max(0, round(-math.log10(2 * self.precision)))
        return f"{self.value:,.{decimals}f}"


@cache
def read_printed() -> Mapping[Key, Printed]:
    """Read the article's numbers."""
    return MappingProxyType({key: Printed.of(line["printed"]) for key, line in _lines("printed.csv")})


@cache
def read_published_code() -> Mapping[Key, Printed]:
    """Read what the authors' published code gave when it was run again."""
    return MappingProxyType(
        {
            key: Printed.of(line["value"], PUBLISHED_CODE, int(line["seeds"]), float(line["std"] or math.nan))
            for key, line in _lines("published_code.csv")
        }
    )


def _lines(name: str) -> Iterator[tuple[Key, dict[str, str]]]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    for line in csv.DictReader(text.splitlines()):
        yield (int(line["table"]), line["data"], line["method"], line["figure"]), line
