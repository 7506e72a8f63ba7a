"""Test estimates under each method's parts, less what the same models score on rows set aside."""

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

    from optisplit.studies.impact import PartsImpact

_LINE = 64  # pixels for a method


@dataclass(frozen=True, slots=True)
class PartEstimatesInfo:
    """One point a run, and the mean of each method with its interval."""

    score: str  # name of the score
    table: pd.DataFrame  # ``method``, ``seed``, ``estimate``, ``held_out``, ``difference``
    means: pd.DataFrame  # ``method``, ``bias``, ``bias_low``, ``bias_high``, ``rmse``

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = [
            f"{variant_name(line['method'])} {short_number(line['bias'])} on average, root mean square "
            f"{short_number(line['rmse'])}"
            for line in self.means.to_dict("records")
        ]
        return f"Test estimates of {self.score} less the score on rows set aside: {'; '.join(parts)}."


def part_estimates_info(result: PartsImpact, score: str) -> PartEstimatesInfo:
    """Lay out the test estimates of a score."""
    table = result.table[["method", "seed", score, f"{score}_held_out"]].copy()
    table.columns = ["method", "seed", "estimate", "held_out"]
    table["difference"] = table["estimate"] - table["held_out"]
    means = result.summary.loc[result.summary["score"] == score, ["method", "bias", "bias_low", "bias_high", "rmse"]]
    return PartEstimatesInfo(result.score_names[score], table, means.reset_index(drop=True))


def plot_part_estimates(info: PartEstimatesInfo) -> go.Figure:
    """Draw, for each method, how far each estimate is from the score on rows set aside, and their mean."""
    figure = new_figure(
        90 + _LINE * len(info.means), legend=False, x_title="Test estimate less the score on rows set aside"
    )
    names = []
    for line, mean in enumerate(info.means.to_dict("records")):
        name = escape(variant_name(mean["method"]))
        names.append(f"{name}<br>root mean square {short_number(mean['rmse'], 3)}")
        style = method_style(as_variant(mean["method"]).method)
        mine = info.table[info.table["method"] == mean["method"]]
        # seeds one below the other, so that those of two methods can be compared
        heights = line + 0.5 * (np.arange(len(mine)) / max(len(mine) - 1, 1) - 0.5)
        figure.add_trace(
            go.Scatter(
                x=mine["difference"], y=heights, mode="markers", name=name,
                marker={"symbol": style.symbol, "size": 6, "color": style.color, "opacity": 0.6},
                customdata=mine[["seed", "estimate", "held_out"]].to_numpy(),
                hovertemplate="seed %{customdata[0]:.0f}: estimate %{customdata[1]:.4f}, set aside "
                "%{customdata[2]:.4f}<extra></extra>",
            )
        )  # fmt: skip
        span = [mean["bias_low"], mean["bias_high"]]
        figure.add_trace(
            go.Scatter(
                x=[mean["bias"]], y=[line], mode="markers", name=name, customdata=[span],
                marker={"symbol": "line-ns", "size": 22, "line": {"width": 3, "color": style.color}},
                error_x={"array": [span[1] - mean["bias"]], "arrayminus": [mean["bias"] - span[0]], "thickness": 3,
                         "width": 8, "color": style.color},
                hovertemplate="mean %{x:.4f}, 95 % interval %{customdata[0]:.4f} to %{customdata[1]:.4f}"
                "<extra></extra>",
            )
        )  # fmt: skip
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=names, range=[len(names) - 0.4, -0.6], showgrid=False,
        fixedrange=True,
    )  # fmt: skip
    return figure
