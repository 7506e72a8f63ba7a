"""Estimates of cross-validation under each method's folds, beside what the model scores on rows never seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from optisplit.methods.variants import as_variant, variant_name
from optisplit.plots.style import NEUTRAL, escape, method_style, new_figure
from optisplit.text import short_number

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.studies.impact import ImpactResult


@dataclass(frozen=True, slots=True)
class EstimatesInfo:
    """One point a run."""

    score: str  # name of the score
    table: pd.DataFrame  # ``method``, ``seed``, ``holdout``, ``estimate``, ``held_out``, ``difference``

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = [
            f"{variant_name(str(method))} from {short_number(found.min())} to {short_number(found.max())}"
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
    """Draw, for each method, how far each estimate is from the score on held-out rows."""
    names = [escape(variant_name(method)) for method in info.table["method"].unique()]
    figure = new_figure(90 + 90 * len(names), legend=False, x_title="Estimate less the score on held-out rows")
    n_holdouts = int(info.table["holdout"].nunique())
    for line, (method, mine) in enumerate(info.table.groupby("method", sort=False)):
        style = method_style(as_variant(str(method)).method)
        # held-out sets one below the other, so that the seeds of each can be seen apart from the others'
        heights = line + 0.6 * (mine["holdout"].to_numpy() / max(n_holdouts - 1, 1) - 0.5)
        figure.add_trace(
            go.Scatter(
                x=mine["difference"], y=heights, mode="markers", name=names[line],
                marker={"symbol": style.symbol, "size": 8, "color": style.color},
                customdata=np.stack([mine["seed"], mine["holdout"] + 1, mine["estimate"], mine["held_out"]], axis=1),
                hovertemplate="seed %{customdata[0]:.0f}, held-out set %{customdata[1]:.0f}: estimate "
                "%{customdata[2]:.4f}, held out %{customdata[3]:.4f}<extra></extra>",
            )
        )  # fmt: skip
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=names, range=[len(names) - 0.4, -0.6], showgrid=False,
        fixedrange=True,
    )  # fmt: skip
    return figure
