"""What the article says beside its numbers, one line each, with the numbers that check it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from optisplit.studies.paper.catalogue import N_SPLITS, PAPER_DATA, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pandas as pd

    from optisplit.studies.paper.kept import Kept
    from optisplit.studies.synthetic import SyntheticScores

HOLDS, IN_PART, FAILS, SLIP = "holds", "holds in part", "does not hold", "a slip"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that the article says."""

    section: str  # where it says so
    said: str  # what, in our words
    verdict: str  # how it stands
    shown: str  # the number that shows it
    source: str  # where this comes from
    details: str = ""  # the numbers of all data sets


@dataclass(frozen=True, eq=False)
class Evidence:
    """What claims are checked with."""

    table2: pd.DataFrame  # see :func:`optisplit.studies.paper.tables.make_table2`
    kept: Kept
    synthetic: SyntheticScores

    @cached_property
    def _lines(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        return {(line["data"], line["row"]): line for line in self.table2.to_dict("records")}

    def line(self, key: str, row: str) -> Mapping[str, Any]:
        """Give a line of Table 2."""
        return self._lines[key, row]

    def scores(self, key: str, figure: str, *, printed: bool, rows: Iterable[str] | None = None) -> dict[str, float]:
        """Give one figure of the lines that have it; unless told, of the paper's methods."""
        wanted = [row for row, about in ROWS.items() if about.paper_name] if rows is None else rows
        name = f"printed {figure}" if printed else figure
        values = {row: float(self.line(key, row)[name]) for row in wanted}
        return {row: value for row, value in values.items() if not math.isnan(value)}

    def title(self, key: str) -> str:
        """Give a data set's name, marked where it is other data."""
        return str(self.line(key, "random")["title"])


def pairs_alike(first: Mapping[str, float], second: Mapping[str, float]) -> tuple[int, int]:
    """Count the pairs of methods that two measures order alike, of those that both tell apart."""
    shared = [row for row in first if row in second]
    signs = [
        (first[a] - first[b]) * (second[a] - second[b]) for a, b in combinations(shared, 2)
    ]  # fmt: skip
    told = [sign for sign in signs if sign != 0]
    return sum(sign > 0 for sign in told), len(told)


def lowest(evidence: Evidence, figure: str, *, printed: bool) -> list[str]:
    """List the data sets in which one of OptiSplit's two lines is the lowest of the paper's methods."""
    found = []
    for key in PAPER_DATA:
        scores = evidence.scores(key, figure, printed=printed)
        own = [value for row, value in scores.items() if ROWS[row].method == "optisplit"]
        others = [value for row, value in scores.items() if ROWS[row].method != "optisplit"]
        if own and others and min(own) <= min(others):
            found.append(key)
    return found


def fold_share(evidence: Evidence, key: str, ed: float) -> float:
    """Give ED as a share of the rows of a fold."""
    n_rows = evidence.kept.data[key].properties["rows"]
    return ed * N_SPLITS / n_rows
