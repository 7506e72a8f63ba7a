"""Where the measures of a split are, between the best possible and what random splits give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import plotly.graph_objects as go

from optisplit.plots.style import DATA, DEVIATION, NEUTRAL, ROUNDING, SMALL, new_figure, say_empty
from optisplit.text import number

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck

MOST_SHOWN = 200.0
"""Per cent of a random split's distance at which the axis ends; what is farther is drawn there."""


@dataclass(frozen=True, slots=True)
class RangeRow:
    """One measure."""

    name: str
    value: float  # score of the split
    bound: float  # the best possible
    low: float  # of the random splits: the score that 5 % are below, the mean, and the score that 5 % are above
    mean: float
    high: float
    percentile: float  # per cent of the random splits that are better
    among: str  # the same in words

    def place(self, score: float) -> float:
        """Say how far a score is from the best possible, in per cent of the mean random split's distance."""
        return 100 * (score - self.bound) / (self.mean - self.bound)


@dataclass(frozen=True, slots=True)
class RandomRangeInfo:
    """The measures that have both random scores and a bound, ready to draw."""

    rows: tuple[RangeRow, ...]  # one a measure in which random splits are not at the bound already
    without_room: tuple[str, ...]  # names of the measures in which they are
    n_random: int  # number of random splits

    @property
    def table(self) -> pd.DataFrame:
        """One row a measure."""
        lines = [
            {
                "measure": row.name, "this split": row.value, "best possible": row.bound, "random, 5 %": row.low,
                "random, mean": row.mean, "random, 95 %": row.high, "random splits that are better, %": row.percentile,
                "distance, % of random": row.place(row.value),
            }
            for row in self.rows
        ]  # fmt: skip
        return pd.DataFrame(lines)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        sentences = [
            f"{row.name}: this split has {number(row.value)}; of the random splits, {row.among}; they "
            f"mostly have {number(row.low)} to {number(row.high)}, and {number(row.bound)} is the best "
            "possible."
            for row in self.rows
        ]
        if self.without_room:
            sentences.append(f"In {' and '.join(self.without_room)} random splits are as good as can be already.")
        return f"This split among {self.n_random:,} random splits. {' '.join(sentences)}"


def random_range_info(check: SplitCheck) -> RandomRangeInfo:
    """Pick the measures to draw."""
    rows, without = [], []
    for line in check.measures.itertuples():
        if math.isnan(line.bound) or line.measure not in check.random or math.isnan(line.value):
            continue
        if line.random_mean - line.bound <= ROUNDING:
            without.append(line.name)
            continue
        of_random = line.random_low, line.random_mean, line.random_high
        rows.append(RangeRow(line.name, line.value, line.bound, *of_random, line.percentile, line.place))
    return RandomRangeInfo(tuple(rows), tuple(without), check.n_random)


def plot_random_range(info: RandomRangeInfo) -> go.Figure:
    """Draw each measure as a line: the best possible, where most random splits are, and this split."""
    remark = "random: the mean of the random splits · less is better"
    title = f"Distance from the best possible<br>{SMALL.format(remark)}"
    figure = new_figure(130 + 58 * max(1, len(info.rows)), x_title=title)
    if not info.rows:
        return say_empty(figure, "Random splits are as good as can be here", hide_axes=True)
    names = [row.name for row in info.rows]
    spans = [(min(row.place(row.low), MOST_SHOWN), min(row.place(row.high), MOST_SHOWN)) for row in info.rows]
    figure.add_trace(
        go.Bar(
            y=names, x=[max(high - low, 1.0) for low, high in spans], base=[low for low, _ in spans], orientation="h",
            width=0.34, marker={"color": NEUTRAL, "opacity": 0.55, "line": {"width": 0}},
            name="9 of 10 random splits",
            customdata=[[number(row.low), number(row.high), number(row.mean)] for row in info.rows],
            hovertemplate="random splits: %{customdata[0]} to %{customdata[1]}, mean %{customdata[2]}"
            "<extra>%{y}</extra>",
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            y=names, x=[0] * len(names), mode="markers", name="best possible",
            marker={"symbol": "line-ns-open", "size": 22, "color": DATA, "line": {"width": 3, "color": DATA}},
            customdata=[number(row.bound) for row in info.rows],
            hovertemplate="best possible: %{customdata}<extra>%{y}</extra>",
        )
    )  # fmt: skip
    places = [row.place(row.value) for row in info.rows]
    figure.add_trace(_this_split(info, places))
    last = min(MOST_SHOWN, max(110.0, *(high for _, high in spans), *places))
    ticks = [0, 50, 100, *range(150, int(last) + 1, 50)]
    words = {0: "best", 50: "halfway", 100: "random"}
    figure.update_xaxes(
        range=[-6, last * 1.06], tickvals=ticks, ticktext=[words.get(tick, f"{tick / 100:g} ×") for tick in ticks],
        fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(categoryorder="array", categoryarray=names[::-1], showgrid=False, fixedrange=True)
    figure.update_layout(barmode="overlay")
    return figure


def _this_split(info: RandomRangeInfo, places: list[float]) -> go.Scatter:
    is_far = [place > MOST_SHOWN for place in places]
    colors = [DEVIATION[1][1] if row.percentile < 50 else DEVIATION[3][1] for row in info.rows]
    return go.Scatter(
        y=[row.name for row in info.rows], x=[min(place, MOST_SHOWN) for place in places], mode="markers+text",
        name="this split", cliponaxis=False,
        text=[number(row.value) + (" →" if far else "") for row, far in zip(info.rows, is_far, strict=True)],
        textposition=["top left" if place > MOST_SHOWN / 2 else "top right" for place in places],
        marker={"symbol": ["triangle-right" if far else "diamond" for far in is_far], "size": 14, "color": colors,
                "line": {"width": 1, "color": NEUTRAL}},
        customdata=[[number(row.value), row.among] for row in info.rows],
        hovertemplate="this split: %{customdata[0]}; of random splits, %{customdata[1]}<extra>%{y}</extra>",
    )  # fmt: skip
