"""Drawing of the score of each class against its size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from optisplit.plots.layout import SMALL, log_ticks, new_figure, say_empty
from optisplit.plots.palette import NEUTRAL, escape, method_style, shorten
from optisplit.text import MEASURE_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.plots.bands import FloatArray
    from optisplit.plots.per_class import MethodScores, PerClassInfo

MEASURE_TITLES = {
    "rld": "rLD: mean relative deviation of<br>the label's share (0 = perfect)",
    "dcp": "DCP: fullest fold's part of the<br>positives, above its share (0 = perfect)",
    "ld": "LD: mean deviation of<br>the label's odds (0 = perfect)",
}
"""Axis titles, in lines short enough for the height of the figure."""

SIZE_TITLE = "Class size (rows with the label)"

_SVG_POINTS = 5000  # above this many, browsers draw SVG markers too slowly
_STRIP = 1.4  # the strip of zeros reaches from floor / 1.4 to floor * 1.4


def plot_per_class(info: PerClassInfo) -> go.Figure:
    """Draw the score of each class against its size."""
    figure = new_figure(height=520)
    figure.update_xaxes(title_text=SIZE_TITLE)
    figure.update_yaxes(title_text=MEASURE_TITLES[info.measure])
    if not info.methods or not len(info.sizes):
        say_empty(figure, "No classes to show")
        return figure
    _set_axes(figure, info)
    is_gl = sum(len(each.shown) for each in info.methods) > _SVG_POINTS
    figure.add_traces([trace for each in info.methods for trace in _spread(info, each)])
    figure.add_traces([_points(info, each, is_gl) for each in info.methods])
    figure.add_traces([trace for each in info.methods for trace in _mean_line(info, each)])
    figure.add_traces(list(_bound(info)))
    return figure


def _set_axes(figure: go.Figure, info: PerClassInfo) -> None:
    low, high = info.sizes.min() / 1.15, info.sizes.max() * 1.15
    ticks = log_ticks(low, high)
    figure.update_xaxes(
        type="log",
        range=[math.log10(low), math.log10(high)],
        tickvals=ticks,
        ticktext=[f"{tick:,g}" for tick in ticks],
    )
    bottom = info.floor / _STRIP if info.has_zeros else info.floor * 1.7
    heights = log_ticks(info.floor * 1.7, info.top * 1.2)
    texts = [f"{tick:g}" for tick in heights]
    remark = "log scale"
    if info.has_zeros:
        heights, texts, remark = [info.floor, *heights], ["0", *texts], "log scale, 0 set apart at the bottom"
        figure.add_hrect(
            y0=bottom, y1=info.floor * _STRIP, fillcolor=NEUTRAL, opacity=0.12, line_width=0, layer="below"
        )
    figure.update_yaxes(
        type="log",
        range=[math.log10(bottom), math.log10(info.top * 1.2)],
        tickvals=heights,
        ticktext=texts,
        title_text=f"{MEASURE_TITLES[info.measure]}<br>{SMALL.format(remark)}",
    )
    if info.bands is not None:
        n_shown = max(len(each.shown) for each in info.methods)
        legend = (
            "line: mean of the classes of about that size; shade: up to the high 10 % of them",
            f"points: {n_shown:,} of {len(info.sizes):,} classes",
        )
        figure.update_xaxes(title_text="<br>".join([SIZE_TITLE, *map(SMALL.format, legend)]))


def _height(info: PerClassInfo, values: FloatArray) -> FloatArray:
    return np.maximum(values, info.floor)


def _legend_name(name: str, mean: float) -> str:
    return f"{escape(name)} (mean {mean:.3g})"


def _spread(info: PerClassInfo, method: MethodScores) -> Iterator[go.Scatter]:
    if info.bands is None or method.means is None or method.quantiles is None:
        return
    # downwards it would be spikes to 0, at every class size that the number of folds divides
    low = _height(info, method.means)
    high = np.maximum(low, method.quantiles[2])
    yield go.Scatter(
        x=np.concatenate([info.bands.middle, info.bands.middle[::-1]]).astype(np.float32),
        y=np.concatenate([high, low[::-1]]).astype(np.float32),
        fill="toself",
        fillcolor=method_style(method.key).translucent(0.16),
        line_width=0,
        mode="lines",
        hoverinfo="skip",
        legendgroup=method.key,
        showlegend=False,
    )


def _points(info: PerClassInfo, method: MethodScores, is_gl: bool) -> Any:
    style, shown, is_sample = method_style(method.key), method.shown, info.bands is not None
    size = 4 if is_sample else 10 if len(shown) <= 60 else 7
    bound = info.bound[shown] if info.bound is not None else np.full(len(shown), np.nan)
    draw = go.Scattergl if is_gl else go.Scatter
    return draw(
        x=info.sizes[shown].astype(np.float32),
        y=_height(info, method.scores[shown]).astype(np.float32),
        text=[escape(shorten(info.label_names[j], 60)) for j in shown],
        hovertext=[_joined(method.counts[:, j].tolist()) for j in shown],
        customdata=np.column_stack([method.scores[shown], bound]).astype(np.float32),
        hovertemplate=_point_template(info, method),
        mode="markers",
        marker={
            "color": style.color,
            "symbol": style.symbol,
            "size": size,
            "opacity": 0.3 if is_sample else 0.85,
        },
        name=_legend_name(method.name, method.mean),
        legendgroup=method.key,
        showlegend=not is_sample,
    )


def _joined(counts: list[int]) -> str:
    return ", ".join(map(str, counts[:20])) + (", …" if len(counts) > 20 else "")


def _point_template(info: PerClassInfo, method: MethodScores) -> str:
    name = MEASURE_NAMES[info.measure]
    score = f"{name} %{{customdata[0]:.4g}}"
    if info.bound is not None:
        score += " (best possible %{customdata[1]:.4g})"
    is_mean = method.n_reports > 1
    if is_mean:
        score += f", mean of {method.n_reports} splits"
    where = "in the folds of the first split" if is_mean else "in the folds"
    extra = escape(method.name)
    return (
        f"<b>%{{text}}</b><br>%{{x:,}} rows with the label<br>{score}<br>{where}: %{{hovertext}}<extra>{extra}</extra>"
    )


def _mean_line(info: PerClassInfo, method: MethodScores) -> Iterator[go.Scatter]:
    if info.bands is None or method.means is None or method.quantiles is None:
        return
    style = method_style(method.key)
    yield go.Scatter(
        x=info.bands.middle.astype(np.float32),
        y=_height(info, method.means).astype(np.float32),
        text=[info.bands.describe(band) for band in range(len(info.bands))],
        customdata=np.vstack([method.means, method.quantiles]).T.astype(np.float32),
        hovertemplate="<b>%{text}</b><br>"
        f"{MEASURE_NAMES[info.measure]}: mean %{{customdata[0]:.4g}}, median %{{customdata[2]:.4g}}<br>"
        "10 % of the classes up to %{customdata[1]:.4g}, 10 % from %{customdata[3]:.4g}"
        f"<extra>{escape(method.name)}</extra>",
        mode="lines+markers",
        line={"color": style.color, "width": 2.5},
        marker={"color": style.color, "symbol": style.symbol, "size": 8},
        name=_legend_name(method.name, method.mean),
        legendgroup=method.key,
    )


def _bound(info: PerClassInfo) -> Iterator[go.Scatter]:
    if info.bound_mean is None:
        return
    is_line = info.bands is not None
    # from size to size the bound jumps, down to 0 at multiples of the number of folds: single sizes get marks
    yield go.Scatter(
        x=info.bound_sizes.astype(np.float32),
        y=_height(info, info.bound_values).astype(np.float32),
        customdata=info.bound_values.astype(np.float32),
        hovertemplate="best possible: %{customdata:.4g}<br>for about %{x:,} rows<extra></extra>"
        if is_line
        else "best possible: %{customdata:.4g}<br>for %{x:,} rows<extra></extra>",
        mode="lines" if is_line else "markers",
        line={"color": NEUTRAL, "width": 2.5, "dash": "dash"},
        marker={"symbol": "line-ew-open", "size": 16, "color": NEUTRAL, "line": {"width": 2}},
        name="best possible",
    )
