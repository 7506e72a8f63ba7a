"""The synthetic experiment: the score of each label against its size, for splits with one known error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from optisplit.measures.registry import name_of
from optisplit.plots.style import log_axis, new_figure

if TYPE_CHECKING:
    from optisplit.studies.synthetic import SyntheticScores

KIND_STYLES = {
    "equal": ("#85858E", "circle", "Equal"),
    "difference": ("#C9800E", "triangle-up", "Difference"),
    "missing": ("#3995FF", "cross", "One missing"),
    "free": ("#962EC8", "diamond", "Free"),
}
"""Colour, marker symbol and short name of each kind of split."""


def plot_synthetic_scores(info: SyntheticScores, measure: str) -> go.Figure:
    """Draw one measure against the label size, as the paper does."""
    title = name_of(measure)
    figure = new_figure(340, x_title="Label size, rows", y_title=f"{title} of the label")
    for kind, sizes in info.sizes.items():
        color, symbol, name = KIND_STYLES[kind]
        figure.add_trace(
            go.Scatter(
                x=sizes, y=info.scores[measure][kind], mode="markers", name=name,
                marker={"color": color, "symbol": symbol, "size": 8, "line": {"width": 0}},
                hovertemplate=f"%{{x:,}} rows: {title} %{{y:.4g}}<extra>{name}</extra>",
            )
        )  # fmt: skip
    powers = np.log10(np.concatenate(list(info.sizes.values())))
    # three of these stand side by side: powers of ten alone have room
    ticks = [10.0**power for power in range(math.ceil(powers.min()), math.floor(powers.max()) + 1)]
    figure.update_xaxes(log_axis(ticks, tickangle=0))
    figure.update_yaxes(rangemode="tozero")
    return figure


def synthetic_scores_alt_text(info: SyntheticScores, measure: str) -> str:
    """Say in words what the figure shows."""
    parts = []
    for kind in info.sizes:
        values = info.scores[measure][kind]
        parts.append(f"{KIND_STYLES[kind][2]} from {values[0]:.3g} (smallest label) to {values[-1]:.3g} (largest)")
    first = next(iter(info.sizes.values()))
    about = f"{name_of(measure)} of every label against its size, {first[0]:,} to {first[-1]:,} rows"
    return f"{about}: {'; '.join(parts)}."
