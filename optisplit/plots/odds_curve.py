"""x and x / (1 - x) side by side, with one step of fixed relative size at a small and at a large x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from optisplit.plots.style import NEUTRAL, new_figure
from optisplit.text import percent, short_number

if TYPE_CHECKING:
    from optisplit.studies.lesson.odds import OddsStep

number = partial(short_number, digits=3)

CURVES = {"odds": ("#B14700", "x / (1 − x)", "circle"), "x": ("#067392", "x", "square")}
"""Colour, name and marker symbol of each curve."""


@dataclass(frozen=True, slots=True)
class OddsCurveInfo:
    """Two steps on the two curves."""

    small: OddsStep
    large: OddsStep

    @property
    def ratio(self) -> float:
        """How many times the change of the odds at the large x is that at the small one."""
        return self.large.odds_change / self.small.odds_change

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = [
            f"from {number(step.x)} to {number(step.x_after)} it rises by {number(step.odds_change)}, and x itself by "
            f"{number(step.change)}"
            for step in (self.small, self.large)
        ]
        step = percent(self.small.relative, 2)
        return f"The curve of x / (1 - x) over that of x. With a step of {step}, {'; '.join(parts)}."


def plot_odds_curve(info: OddsCurveInfo, height: int = 330) -> go.Figure:
    """Draw the curves, and on each of them both steps with their heights."""
    figure = new_figure(height, x_title="x: part of the rows that have the label", y_title="Value of the function")
    x = np.linspace(0, max(info.small.x_after, info.large.x_after) * 1.08, 200)
    for key, (color, name, symbol) in CURVES.items():
        figure.add_trace(
            go.Scatter(
                x=x, y=x / (1 - x) if key == "odds" else x, mode="lines", name=name,
                line={"color": color, "width": 2, "dash": "solid" if key == "odds" else "dash"},
                hovertemplate="x %{x:.4g}: %{y:.4g}<extra>" + name + "</extra>",
            )
        )  # fmt: skip
        for step in (info.small, info.large):
            ends = (step.odds, step.odds_after) if key == "odds" else (step.x, step.x_after)
            figure.add_trace(
                go.Scatter(
                    x=[step.x, step.x_after, step.x_after], y=[ends[0], ends[0], ends[1]], mode="lines+markers",
                    line={"color": color, "width": 4}, showlegend=False,
                    marker={"size": [8, 1, 8], "color": color, "symbol": symbol},
                    hovertemplate=f"step at x {number(step.x)}: +{number(ends[1] - ends[0])}<extra>{name}</extra>",
                )
            )  # fmt: skip
    # beside the steps and clear of the curves
    for step, anchor, xshift, yshift in ((info.small, "left", 4, 30), (info.large, "right", -10, 8)):
        figure.add_annotation(
            x=step.x_after, y=step.odds_after, text=f"+{number(step.odds_change)}", showarrow=False,
            xanchor=anchor, yanchor="bottom", xshift=xshift, yshift=yshift,
            font={"size": 15},
        )  # fmt: skip
        figure.add_vline(x=step.x, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(rangemode="tozero")
    return figure
