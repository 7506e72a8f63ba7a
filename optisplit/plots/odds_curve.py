"""x and x / (1 - x) side by side, with one step of fixed relative size at a small and at a large x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from optisplit.plots.style import NEUTRAL, escape, new_figure
from optisplit.text import short_number

if TYPE_CHECKING:
    from optisplit.studies.lesson.odds import OddsStep

number = partial(short_number, digits=3)

CURVES = {"odds": ("#C8591B", "x / (1 − x)", "circle"), "x": ("#2B7BBA", "x", "square")}
"""Colour, name and marker symbol of each curve."""


@dataclass(frozen=True, slots=True)
class OddsCurveInfo:
    """Two steps on the two curves."""

    small: OddsStep
    large: OddsStep
    n_rows: int  # rows of which x is a part
    step: str  # what is wrong, in words, such as "a fifth more than due"

    @property
    def steps(self) -> tuple[OddsStep, ...]:
        """Give the steps: none where nothing is wrong."""
        return (self.small, self.large) if self.small.relative else ()

    @property
    def ratio(self) -> float:
        """How many times the change of the odds at the large x is that at the small one."""
        return self.large.odds_change / self.small.odds_change

    def rows(self, step: OddsStep) -> str:
        """Say how many rows the label of a step has."""
        return f"{round(step.x * self.n_rows):,} rows"

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = [
            f"with {self.rows(step)}, x is {number(step.x)}: it changes by {_signed(step.change)}, the odds by "
            f"{_signed(step.odds_change)}"
            for step in self.steps
        ]
        said = f" A label of which a fold has {self.step}: {'; '.join(parts)}." if parts else " No step: no error."
        return f"The curve of x / (1 - x) over that of x.{said}"


def plot_odds_curve(info: OddsCurveInfo, height: int = 330) -> go.Figure:
    """Draw the curves, and on each of them both steps with their heights."""
    title = "x: part of the fold's rows that have the label"
    figure = new_figure(height, legend=False, x_title=title)
    figure.update_layout(margin_t=44)
    end = max(each for step in (info.small, info.large) for each in (step.x, step.x_after)) * 1.08
    for key, (color, name, _) in CURVES.items():
        x = np.linspace(0, end, 200)
        y = x / (1 - x) if key == "odds" else x
        figure.add_trace(
            go.Scatter(
                x=x, y=y, mode="lines", name=name,
                line={"color": color, "width": 2, "dash": "solid" if key == "odds" else "dash"},
                hovertemplate="x %{x:.4g}: %{y:.4g}<extra>" + name + "</extra>",
            )
        )  # fmt: skip
        figure.add_annotation(
            x=end, y=float(y[-1]), text=f"<b>{name}</b>", showarrow=False, font={"color": color},
            xanchor="left", xshift=4, yshift=7 if key == "odds" else -7,
        )  # fmt: skip
        for step in info.steps:
            _add_step(figure, step, key)
    for step in info.steps:
        _name_step(figure, info, step)
    said = f"Thick: the fold that has {info.step}" if info.steps else "No step: every fold has what is due"
    figure.add_annotation(
        text=escape(said), x=0, y=1, xref="paper", yref="paper", xanchor="left", yanchor="bottom", yshift=8,
        showarrow=False,
    )  # fmt: skip
    figure.update_xaxes(range=[0, end * 1.25], fixedrange=True)
    figure.update_yaxes(range=[0, end / (1 - end) * 1.25], fixedrange=True)
    return figure


def _add_step(figure: go.Figure, step: OddsStep, key: str) -> None:
    color, name, symbol = CURVES[key]
    first, last = (step.odds, step.odds_after) if key == "odds" else (step.x, step.x_after)
    figure.add_trace(
        go.Scatter(
            x=[step.x, step.x_after, step.x_after], y=[first, first, last], mode="lines+markers",
            line={"color": color, "width": 4}, showlegend=False,
            marker={"size": [8, 1, 8], "color": color, "symbol": symbol},
            hovertemplate=f"from x {number(step.x)}: {_signed(last - first)}<extra>{name}</extra>",
        )
    )  # fmt: skip


def _name_step(figure: go.Figure, info: OddsCurveInfo, step: OddsStep) -> None:
    """Write above a step how large the label is, and by how much its odds change: clear of the curves."""
    top = max((step.x, step.odds), (step.x_after, step.odds_after))
    side, xshift, yshift = ("left", 4, 22) if step is info.small else ("right", -12, 2)
    figure.add_annotation(
        x=top[0], y=top[1], text=f"{info.rows(step)}:<br><b>{_signed(step.odds_change)}</b>", showarrow=False,
        font={"color": CURVES["odds"][0]}, align=side, xanchor=side, xshift=xshift, yanchor="bottom", yshift=yshift,
    )  # fmt: skip
    figure.add_vline(x=step.x, line={"color": NEUTRAL, "width": 1, "dash": "dot"})


def _signed(change: float) -> str:
    return f"{'−' if change < 0 else '+'}{number(abs(change))}"
