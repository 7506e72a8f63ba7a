"""The synthetic experiment: the score of each label against its size, for splits with one known error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from optisplit.measures.registry import name_of
from optisplit.plots.style import ROUNDING, log_axis, new_figure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.studies.synthetic import SyntheticScores

KIND_STYLES = {
    "equal": ("#85858E", "circle", "Equal"),
    "difference": ("#C9800E", "triangle-up", "Difference"),
    "missing": ("#3995FF", "cross", "One missing"),
    "free": ("#962EC8", "diamond", "Free"),
}
"""Colour, marker symbol and short name of each kind of split."""


def plot_synthetic_scores(info: SyntheticScores, measure: str, *, is_log: bool = True) -> go.Figure:
    """Draw one measure against the label size: on logarithmic axes, which show all sizes, or as the paper does.

    A score of 0 has no place on a logarithmic axis: it is drawn at its foot.
    """
    title = name_of(measure)
    figure = new_figure(340, x_title="Label size, rows", y_title=f"{title} of the label")
    foot = _foot(info, measure) if is_log else 0.0
    for kind, sizes in info.sizes.items():
        color, symbol, name = KIND_STYLES[kind]
        scores = info.scores[measure][kind]
        figure.add_trace(
            go.Scatter(
                x=sizes, y=np.where(scores > ROUNDING, scores, foot), mode="markers", name=name, customdata=scores,
                marker={"color": color, "symbol": symbol, "size": 8, "line": {"width": 0}},
                hovertemplate=f"%{{x:,}} rows: {title} %{{customdata:.4g}}<extra>{name}</extra>",
            )
        )  # fmt: skip
    if not is_log:
        figure.update_xaxes(tickformat=",d", rangemode="tozero")
        figure.update_yaxes(rangemode="tozero")
        return figure
    largest = max(float(scores.max()) for scores in info.scores[measure].values())
    figure.update_xaxes(log_axis(_powers(np.concatenate(list(info.sizes.values()))), tickangle=0))
    ticks = [tick for tick in _powers(np.array([foot, 10 * largest])) if tick > foot]
    axis = log_axis([foot, *ticks], range=[math.log10(foot) - 0.15, math.log10(largest) + 0.3])
    figure.update_yaxes(axis | {"ticktext": ["0", *(np.format_float_positional(tick, trim="-") for tick in ticks)]})
    return figure


def _powers(values: NDArray[Any]) -> list[float]:
    """List the powers of ten among some values: three figures stand side by side, so that there is room for no more."""
    powers = np.log10(values)
    return [10.0**power for power in range(math.ceil(powers.min() - 1e-9), math.floor(powers.max() + 1e-9) + 1)]


def _foot(info: SyntheticScores, measure: str) -> float:
    """Choose where a score of 0 is drawn: a power of ten below all others, two at least below the largest."""
    scores = np.concatenate(list(info.scores[measure].values()))
    wrong = scores[scores > ROUNDING]
    if not wrong.size:
        return 1e-3
    return float(10.0 ** min(math.floor(math.log10(wrong.min())) - 1, math.floor(math.log10(wrong.max())) - 2))


def synthetic_scores_alt_text(info: SyntheticScores, measure: str) -> str:
    """Say in words what the figure shows."""
    parts = []
    for kind in info.sizes:
        values = info.scores[measure][kind]
        parts.append(f"{KIND_STYLES[kind][2]} from {values[0]:.3g} (smallest label) to {values[-1]:.3g} (largest)")
    first = next(iter(info.sizes.values()))
    about = f"{name_of(measure)} of every label against its size, {first[0]:,} to {first[-1]:,} rows"
    return f"{about}: {'; '.join(parts)}."
