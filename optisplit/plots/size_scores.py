"""LD, rLD and DCP of labels of every size, all with one relative error, and what rounding to whole rows allows."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from optisplit.measures.registry import name_of
from optisplit.plots.style import NEUTRAL, new_figure, say_empty
from optisplit.text import short_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from optisplit.studies.lesson.sizes import SizeScores

MEASURE_STYLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"ld": ("#C8591B", "circle"), "rld": ("#2B7BBA", "square"), "dcp": ("#1E8E63", "diamond")}
)
"""Colour and mark of each measure; each stands out 3 : 1 on white and on Streamlit's dark."""

AROUND = 1
"""Neighbours at each side whose rounding the band takes in."""

NAME_ROOM = 0.1
"""What a name needs, as a part of the height."""

LOWEST = 1e-6
"""The lowest score on a logarithmic axis: below are points without an error, which it cannot show."""


def plot_size_scores(info: SizeScores, *, is_log: bool = True, height: int = 330) -> go.Figure:
    """Draw every measure against the label size: a band where rounding allows more than one score."""
    figure = new_figure(height, x_title="Label size, rows", y_title="Score of the label")
    highest = max(float(info.highest[measure].max()) for measure in MEASURE_STYLES)
    if highest < LOWEST:
        return say_empty(figure, "0 for every label", hide_axes=True)
    for measure in MEASURE_STYLES:
        _add_measure(figure, info, measure, is_log)
    _name_marks(figure)
    axis: dict[str, Any] = {"fixedrange": True}
    first, last = float(info.sizes[0]), float(info.sizes[-1])
    if is_log:
        powers = range(1, math.floor(math.log10(last)) + 1)
        axis |= {"type": "log", "tickvals": [10**at for at in powers], "ticktext": [f"{10**at:,}" for at in powers]}
        axis["range"] = [math.log10(first) - 0.08, math.log10(last) + 0.62]
        lowest = max(LOWEST, min(float(each[each > LOWEST].min(initial=highest)) for each in info.scores.values()))
        y_range = [math.log10(lowest) - 0.7, math.log10(highest) + 0.2]
        powers = range(math.ceil(y_range[0]), math.floor(y_range[1]) + 1)
        figure.update_yaxes(type="log", tickvals=[10.0**at for at in powers], ticktext=[_power(at) for at in powers])
    else:
        axis["range"], y_range = [0, last * 1.16], [0, highest * 1.05]
    figure.update_yaxes(range=y_range)
    _name_measures(figure, info, is_log, y_range)
    figure.update_xaxes(axis)
    figure.update_yaxes(fixedrange=True)
    return figure


def _add_measure(figure: go.Figure, info: SizeScores, measure: str, is_log: bool) -> None:
    color, symbol = MEASURE_STYLES[measure]
    floor = LOWEST if is_log else 0.0
    low, high = np.maximum(_around(info.lowest[measure], np.min), floor), _around(info.highest[measure], np.max)
    figure.add_trace(
        go.Scatter(
            x=np.concatenate([info.sizes, info.sizes[::-1]]), y=np.concatenate([high, low[::-1]]), mode="lines",
            fill="toself", fillcolor=_translucent(color), line_width=0, hoverinfo="skip", showlegend=False,
        )
    )  # fmt: skip
    scores = np.where(info.scores[measure] > floor, info.scores[measure], np.nan) if is_log else info.scores[measure]
    figure.add_trace(
        go.Scatter(
            x=info.sizes, y=scores, mode="markers", name=name_of(measure), showlegend=False,
            marker={"color": color, "symbol": symbol, "size": 6, "line": {"width": 0}},
            hovertemplate=f"%{{x:,}} rows: %{{y:.3g}}<extra>{name_of(measure)}</extra>",
        )
    )  # fmt: skip
    if (info.exact[measure] > floor).all():
        figure.add_trace(
            go.Scatter(
                x=info.sizes, y=info.exact[measure], mode="lines", line={"color": color, "width": 2.5},
                hoverinfo="skip", showlegend=False,
            )
        )  # fmt: skip


def _name_measures(figure: go.Figure, info: SizeScores, is_log: bool, y_range: list[float]) -> None:
    """Write the name of each measure where its dots end, and so far apart that each can be read."""
    ends = {}
    for measure, scores in info.scores.items():
        drawn = scores[scores > LOWEST] if is_log else scores
        ends[measure] = float(drawn[-1]) if drawn.size else LOWEST
    below = math.inf
    for measure, end in sorted(ends.items(), key=lambda each: -each[1]):
        if is_log and end <= LOWEST:
            continue
        below = min(math.log10(end) if is_log else end, below - NAME_ROOM * (y_range[1] - y_range[0]))
        figure.add_annotation(
            x=math.log10(info.sizes[-1]) if is_log else info.sizes[-1], y=below, text=f"<b>{name_of(measure)}</b>",
            showarrow=False, xanchor="left", xshift=8, font={"color": MEASURE_STYLES[measure][0]},
        )  # fmt: skip


def _name_marks(figure: go.Figure) -> None:
    """Say what a dot, a line and the shade are, for all measures."""
    marks: dict[str, dict[str, Any]] = {
        "a label, in whole rows": {"mode": "markers", "marker": {"color": NEUTRAL, "size": 7}},
        "if rows could be cut": {"mode": "lines", "line": {"color": NEUTRAL, "width": 2.5}},
        "what rounding allows": {"mode": "lines", "line": {"color": _translucent(NEUTRAL), "width": 10}},
    }
    for name, mark in marks.items():
        figure.add_trace(go.Scatter(x=[None], y=[None], name=name, hoverinfo="skip", **mark))
    figure.update_layout(legend={"itemclick": False, "itemdoubleclick": False})


def _power(at: int) -> str:
    return f"{10**at:,}" if at >= 0 else f"{10.0**at:.{-at}f}"


def _around(values: NDArray[np.float64], choose: Callable[..., Any]) -> NDArray[np.float64]:
    """Take the lowest or the highest of each value and its neighbours: from size to size the band would jump."""
    padded = np.pad(values, AROUND, mode="edge")
    return np.asarray(choose(np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1), axis=-1))


def _translucent(color: str) -> str:
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.38)"


def size_scores_alt_text(info: SizeScores) -> str:
    """Say in words what the figure shows."""
    parts = [
        f"{name_of(measure)} from {short_number(float(info.scores[measure][0]), 3)} to "
        f"{short_number(float(info.scores[measure][-1]), 3)}"
        for measure in MEASURE_STYLES
    ]
    sizes = f"{info.sizes[0]:,} to {info.sizes[-1]:,} rows"
    return f"Scores of labels of {sizes}, all with the same relative error: {'; '.join(parts)}."
