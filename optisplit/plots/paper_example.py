"""The article's first figure: 24 points of three classes, one column a point, in folds of two splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from optisplit.plots.style import GRID, NEUTRAL, new_figure

if TYPE_CHECKING:
    from optisplit.studies.paper.example import Example, Panel

CLASSES = (("#3995FF", "circle"), ("#C9800E", "square"), ("#00929C", "diamond"))
"""Colour and mark of each class."""

GAP = 1.0  # between folds, in points
HEIGHT = 5.2  # of a panel, in lines


def plot_paper_example(info: Example) -> go.Figure:
    """Draw the data, a random and a stratified split, and the stratified one rearranged, one below the other."""
    figure = new_figure(560, x_title="")
    for at, panel in enumerate(info.panels):
        _add_panel(figure, info, panel, -at * HEIGHT)
    width = info.labels.shape[0] + 3 * GAP
    figure.update_xaxes(visible=False, range=[-0.8, width - 0.2], fixedrange=True)
    figure.update_yaxes(visible=False, range=[-(len(info.panels) - 1) * HEIGHT - 4.4, 1.2], fixedrange=True)
    figure.update_layout(legend_itemclick=False, legend_itemdoubleclick=False)
    return figure


def _add_panel(figure: go.Figure, info: Example, panel: Panel, top: float) -> None:
    n_rows = panel.rows.size
    folds = np.zeros(n_rows, np.int32) if panel.folds is None else panel.folds
    x = np.arange(n_rows) + GAP * folds
    figure.add_annotation(text=f"<b>{panel.title}</b>", x=-0.5, y=top + 0.6, showarrow=False, xanchor="left")
    counts = panel.counts(info.labels)
    for fold, of_fold in enumerate(counts.tolist()):
        inside = x[folds == fold]
        figure.add_shape(
            type="rect", x0=inside.min() - 0.5, x1=inside.max() + 0.5, y0=top - 3.5, y1=top - 0.1,
            line={"color": GRID, "width": 1},
        )  # fmt: skip
        told = " · ".join(f"{count}/{inside.size}" for count in of_fold)
        figure.add_annotation(text=told, x=float(inside.mean()), y=top - 3.95, showarrow=False, font={"size": 12})
    for at, (color, symbol) in enumerate(CLASSES):
        has = info.labels[panel.rows, at] > 0
        y = np.full(n_rows, top - 0.8 - at)
        figure.add_trace(
            go.Scatter(
                x=x[~has], y=y[~has], mode="markers", showlegend=False, hoverinfo="skip",
                marker={"color": NEUTRAL, "size": 2},
            )
        )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=x[has], y=y[has], mode="markers", name=f"Class {at + 1}", legendgroup=f"{at}",
                showlegend=panel.folds is None, marker={"color": color, "symbol": symbol, "size": 9},
                customdata=panel.rows[has] + 1, hovertemplate=f"Point %{{customdata}}<extra>class {at + 1}</extra>",
            )
        )  # fmt: skip
