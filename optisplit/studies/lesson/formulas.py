"""The measures' formulas as LaTeX, with the numbers of a split filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from optisplit.measures.registry import MEASURES
from optisplit.studies.lesson.words import number

if TYPE_CHECKING:
    from optisplit.measures.report import Report

DEFINITIONS = {key: MEASURES[key].equation for key in ("ld", "rld", "dcp", "ed")}
"""The formula of each measure, for one label (ED: for the whole split)."""


@dataclass(frozen=True, slots=True)
class WorkedMeasure:
    """One measure, worked out."""

    definition: str  # the formula, in LaTeX
    given: str  # what goes into it for all folds, in LaTeX
    lines: tuple[str, ...]  # the same with numbers, line after line, in LaTeX
    value: float  # the result

    @property
    def latex(self) -> str:
        """The formula and the lines below it, narrow enough for half a page."""
        rows = r"\\[4pt]".join([*(f"&{line}" for line in self.lines), rf"&= \mathbf{{{number(self.value)}}}"])
        aligned = rf"\begin{{aligned}}{rows}\end{{aligned}}"
        # the space at the end: without it KaTeX's block is two pixels wider than its box, which then can be scrolled
        return rf"\small\begin{{gathered}}{self.definition}\\[6pt]{self.given}\\[4pt]{aligned}\end{{gathered}}\,"


def worked_table(report: Report, label: int) -> pd.DataFrame:
    """Lay out what a label's measures are made of."""
    held = report.counts[:, label].tolist()
    sizes = report.fold_sizes.tolist()
    c, n = sum(held), sum(sizes)
    return pd.DataFrame(
        {"fold": fold, "n_j": m, "c_j": x, "p_j": x / max(m, 1), "odds": _odds(x, m), "share": x / max(c, 1)}
        for fold, x, m in zip([*map(str, range(len(sizes))), "all"], [*held, c], [*sizes, n], strict=True)
    )


def work_out(report: Report, label: int) -> dict[str, WorkedMeasure]:
    """Fill a label's numbers in the formulas."""
    table = worked_table(report, label)
    # of each column, what the folds have, and what all rows together have
    (*sizes, n), (*held, c), (*parts, d), (*odds, due) = (table[key].tolist() for key in ("n_j", "c_j", "p_j", "odds"))
    k = len(sizes)
    wanted = n / k
    share, mean = rf"d = \tfrac{{{c}}}{{{n}}} = {number(d)}", rf"\tfrac{{1}}{{{k}}}"
    relative = rf"\tfrac{{1}}{{{k}\,\cdot\,{number(d)}}}"
    shares = ",".join(rf"\tfrac{{{x}}}{{{c}}}" for x in held)
    lines = {
        "ld": (
            _sum_of(mean, [f"|{number(each)}-{number(due)}|" for each in odds]),
            _mean_of(mean, [abs(each - due) for each in odds]),
        ),
        "rld": (
            _sum_of(relative, [f"|{number(d)}-{number(each)}|" for each in parts]),
            _mean_of(mean, [abs(d - each) / d for each in parts]),
        ),
        "dcp": (rf"= \max\bigl({shares}\bigr)-{mean}", f"= {number(max(held) / c)}-{number(1 / k)}"),
        "ed": (
            _sum_of(mean, [f"|{m}-{number(wanted)}|" for m in sizes]),
            _mean_of(mean, [abs(m - wanted) for m in sizes]),
        ),
    }
    given = {
        "ld": rf"{share},\quad \tfrac{{d}}{{1-d}} = {number(due)}",
        "rld": share,
        "dcp": rf"c = {c},\quad k = {k}",
        "ed": rf"\tfrac{{n}}{{k}} = \tfrac{{{n}}}{{{k}}} = {number(wanted)}",
    }
    values = {key: float(getattr(report, f"{key}_per_class")[label]) for key in ("ld", "rld", "dcp")}
    values["ed"] = report.ed
    return {key: WorkedMeasure(DEFINITIONS[key], given[key], lines[key], values[key]) for key in DEFINITIONS}


def _sum_of(factor: str, terms: list[str]) -> str:
    """Add terms up, two a line."""
    added = r"\\&\quad+".join("+".join(terms[at : at + 2]) for at in range(0, len(terms), 2))
    return rf"= {factor}\,\bigl({added}\bigr)"


def _mean_of(factor: str, terms: list[float]) -> str:
    return rf"= {factor}\,({'+'.join(map(number, terms))})"


def _odds(positives: int, rows: int) -> float:
    """Give the odds as the measure has them: a fold of positives alone counts as if one row were a negative."""
    return rows - 1.0 if 0 < positives == rows else positives / max(rows - positives, 1)
