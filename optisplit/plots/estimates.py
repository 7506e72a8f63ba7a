"""Estimates of cross-validation under each method's folds, beside what the model scores on rows never seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optisplit.methods import METHODS
from optisplit.studies.impact.results import SCORES
from optisplit.text import short_number

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from optisplit.studies.impact import ImpactResult


@dataclass(frozen=True, slots=True)
class EstimatesInfo:
    """One point a run."""

    score: str  # key of the score
    methods: tuple[str, ...]  # keys of the methods, in order
    table: pd.DataFrame  # ``method``, ``seed``, ``holdout``, ``estimate``, ``held_out``, ``difference``


def estimates_info(result: ImpactResult, score: str) -> EstimatesInfo:
    """Lay out the estimates of a score."""
    table = result.table[["method", "seed", "holdout", score, f"{score}_held_out"]].copy()
    table.columns = ["method", "seed", "holdout", "estimate", "held_out"]
    table["difference"] = table["estimate"] - table["held_out"]
    return EstimatesInfo(score, tuple(result.methods), table)


def plot_estimates(info: EstimatesInfo) -> go.Figure:
    """Draw, for each method, how far each estimate is from the score on held-out rows."""
    import plotly.graph_objects as go

    from optisplit.plots.layout import new_figure
    from optisplit.plots.palette import NEUTRAL, escape, method_style

    figure = new_figure(90 + 90 * len(info.methods))
    n_holdouts = int(info.table["holdout"].nunique())
    for line, method in enumerate(info.methods):
        style = method_style(method)
        mine = info.table[info.table["method"] == method]
        # held-out sets one below the other, so that the seeds of each can be seen apart from the others'
        heights = line + 0.6 * (mine["holdout"].to_numpy() / max(n_holdouts - 1, 1) - 0.5)
        figure.add_trace(
            go.Scatter(
                x=mine["difference"], y=heights, mode="markers", name=escape(METHODS[method].name),
                marker={"symbol": style.symbol, "size": 8, "color": style.color},
                customdata=np.stack([mine["seed"], mine["holdout"] + 1, mine["estimate"], mine["held_out"]], axis=1),
                hovertemplate="seed %{customdata[0]:.0f}, held-out set %{customdata[1]:.0f}: estimate "
                "%{customdata[2]:.4f}, held out %{customdata[3]:.4f}<extra></extra>",
            )
        )  # fmt: skip
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    figure.update_xaxes(title="Estimate less the score on held-out rows", fixedrange=True)
    figure.update_yaxes(
        tickvals=list(range(len(info.methods))), ticktext=[escape(METHODS[key].name) for key in info.methods],
        range=[len(info.methods) - 0.4, -0.6], showgrid=False, zeroline=False, fixedrange=True,
    )  # fmt: skip
    figure.update_layout(showlegend=False)
    return figure


def estimates_alt_text(info: EstimatesInfo) -> str:
    """Say in words what the figure shows."""
    parts = []
    for method in info.methods:
        found = info.table.loc[info.table["method"] == method, "difference"]
        parts.append(f"{METHODS[method].name} from {short_number(found.min())} to {short_number(found.max())}")
    return f"Estimates of {SCORES[info.score]} less the score on held-out rows: {'; '.join(parts)}."
