"""Where the measures of a split are, between the best possible and what random splits give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from optisplit.plots.style import DATA, DEVIATION, NEUTRAL, ROUNDING, SMALL, new_figure, say_empty
from optisplit.text import number

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck

MOST_SHOWN = 200.0
"""Per cent of a random split's distance at which the axis ends; what is farther is drawn there."""


TITLES = {
    "name": "measure", "value": "this split", "bound": "best possible", "random_low": "random, 5 %",
    "random_mean": "random, mean", "random_high": "random, 95 %", "percentile": "random splits that are better, %",
    "at": "distance, % of random",
}  # fmt: skip
"""Titles of the columns of :attr:`RandomRangeInfo.measures` that make the table."""


@dataclass(frozen=True, slots=True)
class RandomRangeInfo:
    """The measures that have both random scores and a bound, ready to draw."""

    # lines of :attr:`optisplit.check.SplitCheck.measures` in which random splits are not at the bound already
    measures: pd.DataFrame
    without_room: tuple[str, ...]  # names of the measures in which they are
    n_random: int  # number of random splits

    def places(self, column: str) -> pd.Series:
        """Say how far scores are from the best possible, in per cent of the mean random split's distance."""
        known = self.measures
        return 100 * (known[column] - known["bound"]) / (known["random_mean"] - known["bound"])

    @property
    def table(self) -> pd.DataFrame:
        """One row a measure."""
        return self.measures.assign(at=self.places("value"))[list(TITLES)].rename(columns=TITLES)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        sentences = [
            f"{row.name}: this split has {number(row.value)}; of the random splits, {row.place}; they "
            f"mostly have {number(row.random_low)} to {number(row.random_high)}, and {number(row.bound)} is the best "
            "possible."
            for row in self.measures.itertuples()
        ]
        if self.without_room:
            sentences.append(f"In {' and '.join(self.without_room)} random splits are as good as can be already.")
        return f"This split among {self.n_random:,} random splits. {' '.join(sentences)}"


def random_range_info(check: SplitCheck) -> RandomRangeInfo:
    """Pick the measures to draw."""
    known = check.measures.dropna(subset=["value", "bound", "random_mean"])
    has_room = known["random_mean"] - known["bound"] > ROUNDING
    return RandomRangeInfo(known[has_room].reset_index(drop=True), tuple(known["name"][~has_room]), check.n_random)


def plot_random_range(info: RandomRangeInfo) -> go.Figure:
    """Draw each measure as a line: the best possible, where most random splits are, and this split."""
    remark = "random: the mean of the random splits · less is better"
    title = f"Distance from the best possible<br>{SMALL.format(remark)}"
    figure = new_figure(130 + 58 * max(1, len(info.measures)), x_title=title)
    if info.measures.empty:
        return say_empty(figure, "Random splits are as good as can be here", hide_axes=True)
    names = list(info.measures["name"])
    low, high, places = (info.places(column) for column in ("random_low", "random_high", "value"))
    low, high = low.clip(upper=MOST_SHOWN), high.clip(upper=MOST_SHOWN)
    figure.add_trace(
        go.Bar(
            y=names, x=(high - low).clip(lower=1.0), base=low, orientation="h", width=0.34,
            marker={"color": NEUTRAL, "opacity": 0.55, "line": {"width": 0}}, name="9 of 10 random splits",
            customdata=info.measures[["random_low", "random_high", "random_mean"]].map(number),
            hovertemplate="random splits: %{customdata[0]} to %{customdata[1]}, mean %{customdata[2]}"
            "<extra>%{y}</extra>",
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            y=names, x=[0] * len(names), mode="markers", name="best possible",
            marker={"symbol": "line-ns-open", "size": 22, "color": DATA, "line": {"width": 3, "color": DATA}},
            customdata=info.measures["bound"].map(number),
            hovertemplate="best possible: %{customdata}<extra>%{y}</extra>",
        )
    )  # fmt: skip
    figure.add_trace(_this_split(info.measures, places))
    last = min(MOST_SHOWN, max(110.0, high.max(), places.max()))
    ticks = [0, 50, 100, *range(150, int(last) + 1, 50)]
    words = {0: "best", 50: "halfway", 100: "random"}
    figure.update_xaxes(
        range=[-6, last * 1.06], tickvals=ticks, ticktext=[words.get(tick, f"{tick / 100:g} ×") for tick in ticks],
        fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(categoryorder="array", categoryarray=names[::-1], showgrid=False, fixedrange=True)
    figure.update_layout(barmode="overlay")
    return figure


def _this_split(measures: pd.DataFrame, places: pd.Series) -> go.Scatter:
    is_far, texts = places > MOST_SHOWN, measures["value"].map(number)
    return go.Scatter(
        y=measures["name"], x=places.clip(upper=MOST_SHOWN), mode="markers+text", name="this split", cliponaxis=False,
        text=texts + np.where(is_far, " →", ""),
        textposition=np.where(places > MOST_SHOWN / 2, "top left", "top right"),
        marker={"symbol": np.where(is_far, "triangle-right", "diamond"), "size": 14,
                "color": np.where(measures["percentile"] < 50, DEVIATION[1][1], DEVIATION[3][1]),
                "line": {"width": 1, "color": NEUTRAL}},
        customdata=np.column_stack([texts, measures["place"]]),
        hovertemplate="this split: %{customdata[0]}; of random splits, %{customdata[1]}<extra>%{y}</extra>",
    )  # fmt: skip
