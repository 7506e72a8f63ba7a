"""Estimates of cross-validation under each method's folds, beside what the model scores on rows never seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from optisplit.methods.variants import as_variant, variant_name
from optisplit.plots.style import NEUTRAL, escape, method_style, new_figure
from optisplit.text import from_to

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.studies.impact import ImpactResult


LINE_HEIGHT = 15
"""Pixels for a held-out set."""


@dataclass(frozen=True, slots=True)
class EstimatesInfo:
    """One point a run."""

    score: str  # name of the score
    table: pd.DataFrame  # ``method``, ``seed``, ``holdout``, ``estimate``, ``held_out``, ``difference``

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = [
            f"{variant_name(str(method))} from {from_to(found.min(), found.max())}"
            for method, found in self.table.groupby("method", sort=False)["difference"]
        ]
        return f"Estimates of {self.score} less the score on held-out rows: {'; '.join(parts)}."


def estimates_info(result: ImpactResult, score: str) -> EstimatesInfo:
    """Lay out the estimates of a score."""
    table = result.table[["method", "seed", "holdout", score, f"{score}_held_out"]].copy()
    table.columns = ["method", "seed", "holdout", "estimate", "held_out"]
    table["difference"] = table["estimate"] - table["held_out"]
    return EstimatesInfo(result.score_names[score], table)


def plot_estimates(info: EstimatesInfo) -> go.Figure:
    """Draw how far each estimate is from the score on held-out rows: a line for each method and held-out set."""
    methods = list(info.table["method"].unique())
    holdouts = sorted(info.table["holdout"].unique())
    n_lines = len(methods) * (1 + len(holdouts))
    figure = new_figure(64 + LINE_HEIGHT * n_lines, legend=False, x_title="Estimate less the score on held-out rows")
    ticks: dict[int, str] = {}
    for at, (method, mine) in enumerate(info.table.groupby("method", sort=False)):
        name, style = variant_name(str(method)), method_style(as_variant(str(method)).method)
        top = at * (1 + len(holdouts))
        lines = {holdout: top + 1 + place for place, holdout in enumerate(holdouts)}
        ticks |= {line: f"held-out set {holdout + 1}" for holdout, line in lines.items()}
        figure.add_annotation(
            text=f"<b>{escape(name)}</b>", x=0, xref="paper", xanchor="left", y=top, yanchor="middle", showarrow=False,
        )  # fmt: skip
        _draw_spans(figure, mine, lines, style.color)
        figure.add_trace(
            go.Scatter(
                x=mine["difference"], y=mine["holdout"].map(lines), mode="markers", name=escape(name),
                marker={"symbol": style.symbol, "size": 7, "color": style.color},
                customdata=np.stack([mine["seed"], mine["holdout"] + 1, mine["estimate"], mine["held_out"]], axis=1),
                hovertemplate="seed %{customdata[0]:.0f}, held-out set %{customdata[1]:.0f}: estimate "
                "%{customdata[2]:.4f}, held out %{customdata[3]:.4f}<extra></extra>",
            )
        )  # fmt: skip
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(
        tickvals=list(ticks), ticktext=list(ticks.values()), tickfont={"size": 11}, range=[n_lines - 0.5, -0.6],
        showgrid=False, fixedrange=True,
    )  # fmt: skip
    return figure


def _draw_spans(figure: go.Figure, mine: pd.DataFrame, lines: dict[int, int], color: str) -> None:
    """Draw from the lowest to the highest estimate of each held-out set."""
    ends = mine.groupby("holdout")["difference"].agg(["min", "max"])
    x = [end for low, high in ends.to_numpy().tolist() for end in (low, high, None)]
    y = [place for holdout in ends.index for place in (lines[holdout], lines[holdout], None)]
    figure.add_trace(
        go.Scatter(x=x, y=y, mode="lines", line={"color": color, "width": 2}, opacity=0.5, hoverinfo="skip")
    )
