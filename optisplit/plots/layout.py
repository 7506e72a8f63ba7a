"""What all figures share: a layout that reads on light and dark pages, logarithmic ticks, an empty figure."""

from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go  # plotly loads its classes when they are first used, so this costs nothing

from optisplit.plots.palette import GRID

SMALL = '<span style="font-size: 11px">{}</span>'
"""For a remark below an axis title; braces take the (escaped) remark."""


def new_figure(height: int) -> go.Figure:
    """Make an empty figure without colours of its own: text colour and background are the page's."""
    axis: dict[str, Any] = {
        "automargin": True,
        "gridcolor": GRID,
        "zeroline": False,
        "linecolor": GRID,
        "title": {"standoff": 12},
    }
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 8, "r": 16, "t": 16, "b": 8},
            "paper_bgcolor": "rgba(0, 0, 0, 0)",
            "plot_bgcolor": "rgba(0, 0, 0, 0)",
            "xaxis": axis,
            "yaxis": axis,
            # above the plot, where it wraps in narrow windows and takes no width
            "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
            "hoverlabel": {"align": "left"},
        }
    )


def say_empty(figure: go.Figure, text: str) -> None:
    """Write in the middle of a figure why there is nothing to see."""
    figure.add_annotation(text=text, x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False, font={"size": 15})


def log_ticks(low: float, high: float) -> list[float]:
    """Choose ticks for a logarithmic axis: 1, 2, 5, 10, ... over a short range, fewer over a long one."""
    steps = (1, 2, 5) if high < 500 * low else (1, 3) if high < 1e5 * low else (1,)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = (float(f"{step}e{power}") for power in range(first, last + 1) for step in steps)
    return [tick for tick in ticks if low * 0.9999 <= tick <= high * 1.0001]
