"""How many labels there are of each size, and which are too rare to be in every fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from optisplit.plots.style import DATA, NEUTRAL, log_axis, log_ticks, new_figure, say_empty
from optisplit.text import counted, span

if TYPE_CHECKING:
    from numpy.typing import NDArray

RARE = "#C8641B"
"""For what is too rare. Reads on white and on dark."""

N_BINS = 24
"""Bars, if sizes are many: the largest size is so many steps of equal ratio above the smallest."""


@dataclass(frozen=True, slots=True)
class LabelSizesInfo:
    """Label sizes of a data set."""

    sizes: NDArray[np.int64]  # rows of each label
    # shape (n_bins + 1,): bin b holds the labels of at least ``edges[b]`` and fewer than ``edges[b + 1]`` rows; one of
    # the edges is `n_splits`
    edges: NDArray[np.int64]
    n_labels: NDArray[np.int64]  # shape (n_bins,): labels in each bin
    n_splits: int = 0  # folds or parts that are asked for; 0 where it is not about these
    noun: str = "fold"  # what one of them is called

    @property
    def table(self) -> pd.DataFrame:
        """One row a bar; the labels without a row come first."""
        bars = pd.DataFrame({"from rows": self.edges[:-1], "to rows": self.edges[1:] - 1, "labels": self.n_labels})
        n_empty = int((self.sizes == 0).sum())
        if n_empty:
            bars = pd.concat([pd.DataFrame({"from rows": [0], "to rows": [0], "labels": [n_empty]}), bars])
        return bars.reset_index(drop=True)

    @property
    def n_too_rare(self) -> int:
        """Labels that cannot be in every fold."""
        return int((self.sizes < self.n_splits).sum())

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        said = (
            f"Number of labels by size: {counted(self.sizes.size, 'label')}, from {self.sizes.min():,} to "
            f"{self.sizes.max():,} rows, half of them on at most {np.median(self.sizes):,.0f} rows."
        )
        if self.n_splits:
            said += f" {counted(self.n_too_rare, 'label', 'is')} too rare for {counted(self.n_splits, self.noun)}."
        return said


def label_sizes_info(sizes: NDArray[np.int64], n_splits: int = 0, noun: str = "fold") -> LabelSizesInfo:
    """Count labels by size; no bar holds both labels that are too rare for the folds and others."""
    present = sizes[sizes > 0]
    edges = np.ones(1, dtype=np.int64)
    if present.size:
        smallest, largest, anchor = int(present.min()), int(present.max()), max(n_splits, 1)
        low, high = min(smallest, anchor), max(largest + 1, anchor)
        step = np.log(high / low) / N_BINS
        steps = np.arange(np.floor(np.log(low / anchor) / step), np.ceil(np.log(high / anchor) / step) + 1)
        edges = np.unique(np.round(anchor * np.exp(step * steps)).astype(np.int64))
        first, last = np.searchsorted(edges, smallest, side="right") - 1, np.searchsorted(edges, largest, side="right")
        edges = edges[first : last + 1]
    n_labels, _ = np.histogram(present, bins=edges) if edges.size > 1 else (np.zeros(0, np.int64), edges)
    return LabelSizesInfo(sizes, edges, n_labels.astype(np.int64), n_splits, noun)


def plot_label_sizes(info: LabelSizesInfo) -> go.Figure:
    """Draw the distribution of label sizes on logarithmic axes, and how rare is too rare for the folds."""
    figure = new_figure(360, legend=False, x_title="Rows that carry the label", y_title="Number of labels")
    low, high = info.edges[:-1], info.edges[1:]
    # half a row to the left, so that the bar of labels on one row stands above 1
    left, right = low - 0.5, high - 0.5
    spans = [span(a, b - 1, "row") for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    is_rare = low < info.n_splits
    figure.add_trace(
        go.Bar(
            x=(left + right) / 2, y=info.n_labels, width=right - left, customdata=spans,
            marker={"color": np.where(is_rare, RARE, DATA).tolist(), "line": {"width": 0}},
            hovertemplate="%{customdata}: %{y:,} labels<extra></extra>",
        )
    )  # fmt: skip
    if not info.n_labels.size:
        return say_empty(figure, "No label has a row")
    first, last = min(float(left[0]), (info.n_splits or np.inf) * 0.7), max(float(right[-1]), info.n_splits * 1.3)
    ticks = log_ticks(max(first, 0.9), last)
    if len(ticks) < 2:  # a short range without round numbers
        ticks = sorted({float(info.sizes.min()), float(info.sizes.max())} - {0.0}) or [1.0]
    figure.update_xaxes(log_axis(ticks, range=[np.log10(first), np.log10(last)]))
    most = float(info.n_labels.max())
    # from below 1, so that a single label is a bar, too
    figure.update_yaxes(log_axis(log_ticks(1, max(most, 2)), range=[np.log10(0.7), np.log10(most * 1.5)]))
    if info.n_splits:
        _draw_limit(figure, info)
    return figure


def _draw_limit(figure: go.Figure, info: LabelSizesInfo) -> None:
    """Draw how rare is too rare."""
    at = info.n_splits - 0.5
    figure.add_vline(x=at, line={"color": NEUTRAL, "width": 2, "dash": "dash"})
    x_range = figure.layout.xaxis.range
    is_left = np.log10(at) > sum(x_range) / 2
    figure.add_annotation(
        text=f"too rare for {counted(info.n_splits, info.noun)}: {counted(info.n_too_rare, 'label')}",
        x=np.log10(at), y=1, yref="paper", yanchor="bottom", showarrow=False, xanchor="right" if is_left else "left",
    )  # fmt: skip
    figure.update_layout(margin_t=36)
