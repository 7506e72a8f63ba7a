"""The measures' formulas as LaTeX, with the numbers of a split filled in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from optisplit.measures.registry import MEASURES
from optisplit.text import short_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optisplit.measures.report import Report

DEFINITIONS = {key: rf"\mathrm{{{MEASURES[key].name}}} = {MEASURES[key].formula}" for key in ("ld", "rld", "dcp", "ed")}
"""The formula of each measure, for one label (ED: for the whole split)."""


number = partial(short_number, digits=3)
"""Write a number as it stands in a sentence."""


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
        return rf"\small\begin{{gathered}}{self.definition}\\[8pt]{aligned}\end{{gathered}}\,"


def worked_table(report: Report, label: int) -> pd.DataFrame:
    """Lay out what a label's measures are made of."""
    held = report.counts[:, label].tolist()
    sizes = report.fold_sizes.tolist()
    c, n = sum(held), sum(sizes)
    lines = [
        {"fold": str(fold), "n_j": m, "c_j": x, "p_j": x / max(m, 1), "odds": _odds(x, m), "share": x / max(c, 1)}
        for fold, (x, m) in enumerate(zip(held, sizes, strict=True))
    ]
    lines.append({"fold": "all", "n_j": n, "c_j": c, "p_j": c / n, "odds": _odds(c, n), "share": 1.0})
    return pd.DataFrame(lines)


def work_out(report: Report, label: int) -> dict[str, WorkedMeasure]:
    """Fill a label's numbers in the formulas."""
    held = report.counts[:, label].tolist()
    sizes = report.fold_sizes.tolist()
    k, c, n = len(sizes), sum(held), sum(sizes)
    d, due = c / n, _odds(c, n)
    pairs = list(zip(held, sizes, strict=True))
    frequencies = [x / max(m, 1) for x, m in pairs]
    mean = rf"\tfrac{{1}}{{{k}}}"

    odds_terms = [abs(_odds(x, m) - due) for x, m in pairs]
    ld = (
        rf"= {mean}\,\bigl(" + _plus(rf"|{number(_odds(x, m))}-{number(due)}|" for x, m in pairs) + r"\bigr)",
        rf"= {mean}\,(" + "+".join(map(number, odds_terms)) + ")",
    )
    relative = [abs(d - p) / d for p in frequencies]
    rld = (
        rf"= \tfrac{{1}}{{{k}\,\cdot\,{number(d)}}}\,\bigl("
        + _plus(rf"|{number(d)}-{number(p)}|" for p in frequencies)
        + r"\bigr)",
        rf"= {mean}\,(" + "+".join(map(number, relative)) + ")",
    )
    shares = ",".join(rf"\tfrac{{{x}}}{{{c}}}" for x in held)
    dcp = (
        rf"= \max\bigl({shares}\bigr)-\tfrac{{1}}{{{k}}}",
        rf"= {number(max(held) / c)}-{number(1 / k)}",
    )
    wanted = n / k
    ed = (
        rf"= {mean}\,\bigl(" + _plus(rf"|{m}-{number(wanted)}|" for m in sizes) + r"\bigr)",
        rf"= {mean}\,(" + "+".join(number(abs(m - wanted)) for m in sizes) + ")",
    )
    values = {
        "ld": float(report.ld_per_class[label]),
        "rld": float(report.rld_per_class[label]),
        "dcp": float(report.dcp_per_class[label]),
        "ed": report.ed,
    }
    given = {
        "ld": rf"d = \tfrac{{{c}}}{{{n}}} = {number(d)},\quad \tfrac{{d}}{{1-d}} = {number(due)}",
        "rld": rf"d = \tfrac{{{c}}}{{{n}}} = {number(d)}",
        "dcp": rf"c = {c},\quad k = {k}",
        "ed": rf"\tfrac{{n}}{{k}} = \tfrac{{{n}}}{{{k}}} = {number(wanted)}",
    }
    lines = {"ld": ld, "rld": rld, "dcp": dcp, "ed": ed}
    return {key: WorkedMeasure(DEFINITIONS[key], given[key], lines[key], values[key]) for key in DEFINITIONS}


def _odds(positives: int, rows: int) -> float:
    """Give the odds as the measure has them: a fold of positives alone counts as if one row were a negative."""
    return rows - 1.0 if 0 < positives == rows else positives / max(rows - positives, 1)


def _plus(terms: Iterable[str]) -> str:
    """Add terms up, two a line."""
    each = list(terms)
    return r"\\&\quad+".join("+".join(each[at : at + 2]) for at in range(0, len(each), 2))
