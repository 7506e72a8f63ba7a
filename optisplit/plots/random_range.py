"""Where the measures of a split are, between the best possible and what random splits give; and where a repair led."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from optisplit.plots.style import DATA, DEVIATION, NEUTRAL, ROUNDING, new_figure, say_empty
from optisplit.text import number

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck

MOST_SHOWN = 200.0
"""Per cent of a random split's distance at which the axis ends; what is farther is drawn there."""

ROW_HEIGHT = 46
"""Pixels a measure takes."""

TITLES = {
    "name": "measure", "value": "this split", "bound": "best possible", "random_low": "random, 5 %",
    "random_mean": "random, mean", "random_high": "random, 95 %", "percentile": "random splits that are better, %",
    "at": "distance, % of random",
}  # fmt: skip
"""Titles of the columns of :attr:`RandomRangeInfo.measures` that make the table."""

TITLES_AFTER = {
    "after": "after the repair", "bound_after": "best possible after it", "at_after": "distance after it, % of random",
}  # fmt: skip
"""Titles of the columns that a repair adds."""


@dataclass(frozen=True, slots=True)
class RandomRangeInfo:
    """The measures that have both random scores and a bound, ready to draw."""

    # lines of :attr:`optisplit.check.SplitCheck.measures` in which random splits are not at the bound already; after a
    # repair with ``after``, ``bound_after`` and ``at_after``
    measures: pd.DataFrame
    without_room: tuple[str, ...]  # names of the measures in which they are
    n_random: int  # number of random splits

    @property
    def is_repaired(self) -> bool:
        """Whether the way from before to after a repair is to be seen."""
        return "after" in self.measures

    def places(self, column: str) -> pd.Series:
        """Say how far scores are from the best possible, in per cent of the mean random split's distance."""
        return _places(self.measures, self.measures[column])

    @property
    def table(self) -> pd.DataFrame:
        """One row a measure."""
        titles = TITLES | (TITLES_AFTER if self.is_repaired else {})
        return self.measures.assign(at=self.places("value"))[list(titles)].rename(columns=titles)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        sentences = []
        for row in self.measures.itertuples():
            now = f", and {number(row.after)} after the repair" if self.is_repaired else ""
            sentences.append(
                f"{row.name}: this split has {number(row.value)}{now}; of the random splits, {row.place}; they "
                f"mostly have {number(row.random_low)} to {number(row.random_high)}, and {number(row.bound)} is the "
                "best possible."
            )
        if self.without_room:
            sentences.append(f"In {' and '.join(self.without_room)} random splits are as good as can be already.")
        return f"This split among {self.n_random:,} random splits. {' '.join(sentences)}"


def _places(measures: pd.DataFrame, values: pd.Series) -> pd.Series:
    return 100 * (values - measures["bound"]) / (measures["random_mean"] - measures["bound"])


def random_range_info(check: SplitCheck, after: SplitCheck | None = None) -> RandomRangeInfo:
    """Pick the measures to draw.

    Parameters
    ----------
    check : SplitCheck
        The check of a split.
    after : SplitCheck, optional
        The check of the same split once it was repaired: its scores stand beside its own bounds.

    Returns
    -------
    RandomRangeInfo
        Where the scores are.
    """
    known = check.measures.dropna(subset=["value", "bound", "random_mean"])
    has_room = known["random_mean"] - known["bound"] > ROUNDING
    names, drawn = tuple(known["name"][~has_room]), known[has_room]
    if after is not None:
        own = after.measures.set_index("measure").reindex(drawn["measure"]).set_axis(drawn.index)
        own = own.fillna({"random_mean": drawn["random_mean"]})
        drawn = drawn.assign(after=own["value"], bound_after=own["bound"], at_after=_places(own, own["value"]))
    return RandomRangeInfo(drawn.reset_index(drop=True), names, check.n_random)


def plot_random_range(info: RandomRangeInfo) -> go.Figure:
    """Draw each measure as a line: the best possible, where most random splits are, this split, and its repair."""
    figure = new_figure(64 + ROW_HEIGHT * max(2, len(info.measures)), legend=False)
    if info.measures.empty:
        return say_empty(figure, "Random splits are as good as can be here", hide_axes=True)
    names = list(info.measures["name"])
    low, high, places = (info.places(column) for column in ("random_low", "random_high", "value"))
    low, high = low.clip(upper=MOST_SHOWN), high.clip(upper=MOST_SHOWN)
    figure.add_trace(
        go.Bar(
            y=names, x=(high - low).clip(lower=1.0), base=low, orientation="h", width=0.4,
            marker={"color": NEUTRAL, "opacity": 0.45, "line": {"width": 0}}, name="9 of 10 random splits",
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
    figure.add_trace(_scores(info, places, "value", "before" if info.is_repaired else "yours"))
    farthest = max(high.max(), places.max())
    if info.is_repaired:
        figure.add_trace(_scores(info, info.measures["at_after"], "after", "after"))
        _add_arrows(figure, info, places)
        farthest = max(farthest, info.measures["at_after"].max())
    _lay_out(figure, names, min(MOST_SHOWN, max(110.0, farthest)))
    return figure


def _lay_out(figure: go.Figure, names: list[str], last: float) -> None:
    """Put the words for best and random above the lines, where a legend would be."""
    words = {0: "best<br>possible", 50: "halfway", 100: "random<br>splits", 150: "1.5 ×", 200: "2 ×"}
    shown = {tick: word for tick, word in words.items() if tick <= last}
    figure.update_xaxes(
        range=[-8, last * 1.08], tickvals=list(shown), ticktext=list(shown.values()), side="top", tickangle=0,
        fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(
        categoryorder="array", categoryarray=names[::-1], showgrid=False, fixedrange=True,
        range=[-0.6, len(names) - 0.3],
    )  # fmt: skip
    figure.update_layout(barmode="overlay", margin_b=0)


def _scores(info: RandomRangeInfo, places: pd.Series, column: str, what: str) -> go.Scatter:
    """Draw one split's scores, each with its figure; the first says whose they are."""
    is_after, is_far = column == "after", places > MOST_SHOWN
    is_former = info.is_repaired and not is_after
    texts = info.measures[column].map(number)
    shown = texts + np.where(is_far, " →", "")
    side = np.where(places > MOST_SHOWN / 2, "left", "right")
    color = np.where(places < 100, DEVIATION[1][1], DEVIATION[3][1])
    hover = texts if is_after else texts + "; of random splits, " + info.measures["place"]
    return go.Scatter(
        y=info.measures["name"], x=places.clip(upper=MOST_SHOWN), mode="markers+text", cliponaxis=False, name=what,
        text=[f"<b>{what}</b> {shown.iloc[0]}", *shown.iloc[1:]],
        textposition=[f"{'bottom' if is_after else 'top'} {each}" for each in side],
        marker={"symbol": "circle-open" if is_former else np.where(is_far, "triangle-right", "diamond"),
                "size": 11 if is_former else 14, "color": color,
                "line": {"width": 2 if is_former else 1, "color": color if is_former else NEUTRAL}},
        customdata=hover, hovertemplate=f"{what}: %{{customdata}}<extra>%{{y}}</extra>",
    )  # fmt: skip


def _add_arrows(figure: go.Figure, info: RandomRangeInfo, places: pd.Series) -> None:
    """Draw the way from before to after."""
    ways = zip(info.measures["name"], places, info.measures["at_after"], strict=True)
    for name, start, end in ways:
        start, end = min(start, MOST_SHOWN), min(end, MOST_SHOWN)
        if abs(start - end) > 4:  # else the marks touch
            figure.add_annotation(
                x=end, y=name, ax=start, ay=name, xref="x", yref="y", axref="x", ayref="y", text="", showarrow=True,
                arrowhead=2, arrowsize=1.2, arrowwidth=2, arrowcolor=DEVIATION[1][1] if end < start else
                DEVIATION[3][1], standoff=9, startstandoff=8,
            )  # fmt: skip
