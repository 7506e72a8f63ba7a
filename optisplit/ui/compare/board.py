"""The leaderboard: the methods of a comparison in the order of the verdict, sortable by a click; cards on a phone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from optisplit.plots.summary import leading
from optisplit.ui.widgets import by_width, md, small_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.plots.summary import SummaryInfo, SummaryRow

ALT = "The methods of the comparison, the best first"
FIGURES = ("rld", "missing", "ed", "time_s")

TWO_DIGITS, THREE_DIGITS = "%.2g", "%.3g"

LETTER, MARGIN = 5.5, 20
"""Pixels for a letter of a name, and beside names: left to itself, their column cuts long ones off."""


def show(info: SummaryInfo, key: str, waiting: Sequence[str] = ()) -> None:
    """Draw the leaderboard; methods of which nothing is known yet stand below."""
    lines = [_figures(row) for row in info.rows]
    lines += [{"method": name, "grade": "Waiting …"} for name in waiting]
    on_narrow, on_wide = by_width(key)
    on_wide.dataframe(
        pd.DataFrame(lines, columns=list(leading(info.noun))), hide_index=True, key=f"{key}_table", alt=ALT,
        column_config=_columns(info), placeholder="–",
    )  # fmt: skip
    with on_narrow:
        cards = [{title: md(text) for title, text in line.items()} for line in info.leaderboard]
        small_table(cards, f"{ALT}, as cards")


def _figures(row: SummaryRow) -> dict[str, Any]:
    words = {"method": row.name, "grade": row.grade_words}
    if row.run is None:
        return words | dict.fromkeys(FIGURES, math.nan)
    return words | {
        "rld": row.score("rld").value, "missing": row.n_missing, "ed": row.score("ed").value,
        "time_s": row.cells["time_s"].mean,
    }  # fmt: skip


def _columns(info: SummaryInfo) -> dict[str, Any]:
    texts, figures = leading(info.noun), [_figures(row) for row in info.done]
    longest = max((len(row.name) for row in info.rows), default=0)
    columns: dict[str, Any] = {
        "method": st.column_config.TextColumn(
            texts["method"][0], help=texts["method"][1], pinned=True, width=round(LETTER * longest + MARGIN)
        ),
        "grade": st.column_config.TextColumn(texts["grade"][0], help=texts["grade"][1]),
    }
    for key, form in (("rld", THREE_DIGITS), ("missing", "%d")):
        columns[key] = _bar(texts[key], form, max((float(each[key]) for each in figures), default=math.nan))
    for key in ("ed", "time_s"):
        columns[key] = st.column_config.NumberColumn(texts[key][0], help=texts[key][1], format=TWO_DIGITS)
    return columns


def _bar(texts: tuple[str, str], form: str, high: float) -> Any:
    """Draw a number with a bar from 0, or without one where all are 0."""
    title, help = texts
    if not high > 0:
        return st.column_config.NumberColumn(title, help=help, format=form)
    return st.column_config.ProgressColumn(title, help=help, format=form, min_value=0.0, max_value=high)
