"""The columns that were balanced beside the labels, as they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.measures.registry import MEASURES
from optisplit.text import counted, html_table, number, short_number

if TYPE_CHECKING:
    from optisplit.measures.report import Report

_MEASURE = "rld"
"""What is told of each column."""

BALANCED = f"balanced_{_MEASURE}"
"""What the mean of that over the columns is called in tables of runs."""


def balanced_line(report: Report) -> str:
    """Say in a line how evenly columns are divided."""
    score = report.score(_MEASURE)
    relation = f" ({score.sentence})" if score.has_bound else ""
    columns = counted(len(report.label_names), "column")
    return f"Balanced beside the labels: {columns}, {MEASURES[_MEASURE].name} {short_number(score.value)}{relation}"


def balanced_lines(report: Report) -> list[dict[str, Any]]:
    """Give a line a column: its name, what there is of it in all and in each fold, and how far that is from even."""
    columns = (report.label_names, report.positives, report.per_label(_MEASURE), report.counts.T)
    return [
        {"column": name, "total": int(total), _MEASURE: float(value), "in_folds": counts.tolist()}
        for name, total, value, counts in zip(*columns, strict=True)
    ]


def balanced_table(report: Report) -> str:
    """Make a table as HTML, a line a column."""
    titles = ("Balanced beside the labels", "In all", *report.fold_names, MEASURES[_MEASURE].name)
    lines = [
        [each["column"], f"{each['total']:,}", *(f"{count:,}" for count in each["in_folds"]), number(each[_MEASURE])]
        for each in balanced_lines(report)
    ]
    return html_table("", titles, lines)
