"""The loss of OptiSplit, step by step: what was tried, and what was kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from optisplit.measures.registry import name_of
from optisplit.plots.style import NEUTRAL, method_style, new_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.methods.optisplit import Step


@dataclass(frozen=True, slots=True)
class LossTraceInfo:
    """The loss at every step."""

    losses: tuple[float, ...]  # mean score before the first step and after each
    # mean score of what each step tried and did not keep; None where it was kept or nothing had to move
    tried: tuple[float | None, ...]
    position: int  # the step that is looked at, from 0
    measure: str  # key of the measure

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        undone = sum(loss is not None for loss in self.tried)
        return (
            f"Mean {name_of(self.measure)} over {len(self.tried)} steps, from {self.losses[0]:.3g} down to "
            f"{self.losses[-1]:.3g}; {undone} changes were tried and undone. Before step {self.position + 1} it is "
            f"{self.losses[self.position]:.3g}."
        )


def loss_trace_info(steps: Sequence[Step], position: int, measure: str) -> LossTraceInfo:
    """Follow the loss."""
    losses = (steps[0].loss, *(step.loss_after if step.kept else step.loss for step in steps))
    tried = tuple(None if step.kept or not step.rows.size else step.loss_after for step in steps)
    return LossTraceInfo(losses, tried, position, measure)


def plot_loss_trace(info: LossTraceInfo) -> go.Figure:
    """Draw the loss over the steps."""
    style = method_style("optisplit")
    name = name_of(info.measure)
    figure = new_figure(230, x_title="Labels looked at", y_title=f"Mean {name}")
    figure.add_trace(
        go.Scatter(
            x=list(range(len(info.losses))), y=info.losses, mode="lines+markers", name="kept",
            line={"color": style.color, "width": 2, "shape": "hv"}, marker={"size": 7, "color": style.color},
            hovertemplate=f"after step %{{x}}: mean {name} %{{y:.4g}}<extra></extra>",
        )
    )  # fmt: skip
    undone = [(at + 1, loss) for at, loss in enumerate(info.tried) if loss is not None]
    figure.add_trace(
        go.Scatter(
            x=[at for at, _ in undone], y=[loss for _, loss in undone], mode="markers", name="tried and undone",
            marker={"symbol": "x-thin", "size": 10, "line": {"width": 3, "color": NEUTRAL}},
            hovertemplate="step %{x} would give %{y:.4g}<extra></extra>",
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[info.position], y=[info.losses[info.position]], mode="markers", name="you are here",
            marker={"symbol": "circle-open", "size": 17, "color": method_style("is").color, "line": {"width": 3}},
            hoverinfo="skip",
        )
    )  # fmt: skip
    figure.update_xaxes(range=[-0.5, len(info.tried) + 0.5], dtick=max(1, len(info.tried) // 8))
    figure.update_yaxes(rangemode="tozero")
    return figure
