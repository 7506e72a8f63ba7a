"""How many labels there are of each size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from optisplit.plots.style import log_axis, log_ticks, new_bars, say_empty
from optisplit.text import counted, span

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from numpy.typing import NDArray

N_BINS = 24


@dataclass(frozen=True, slots=True)
class LabelSizesInfo:
    """Label sizes of a data set."""

    sizes: NDArray[np.int64]  # rows of each label
    # shape (n_bins + 1,): bin b holds the labels of at least ``edges[b]`` and fewer than ``edges[b + 1]`` rows
    edges: NDArray[np.int64]
    n_labels: NDArray[np.int64]  # shape (n_bins,): labels in each bin

    @property
    def table(self) -> pd.DataFrame:
        """One row a bar; the labels without a row come first."""
        bars = pd.DataFrame({"from rows": self.edges[:-1], "to rows": self.edges[1:] - 1, "labels": self.n_labels})
        n_empty = int((self.sizes == 0).sum())
        if n_empty:
            bars = pd.concat([pd.DataFrame({"from rows": [0], "to rows": [0], "labels": [n_empty]}), bars])
        return bars.reset_index(drop=True)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        return (
            f"Number of labels by size: {counted(self.sizes.size, 'label')}, from {self.sizes.min():,} to "
            f"{self.sizes.max():,} rows, half of them on at most {np.median(self.sizes):,.0f} rows."
        )


def label_sizes_info(sizes: NDArray[np.int64]) -> LabelSizesInfo:
    """Count labels by size."""
    present = sizes[sizes > 0]
    edges = np.ones(1, dtype=np.int64)
    if present.size:
        steps = np.geomspace(present.min(), present.max() + 1, N_BINS + 1)
        edges = np.unique(np.round(steps).astype(np.int64))
    n_labels, _ = np.histogram(present, bins=edges) if edges.size > 1 else (np.zeros(0, np.int64), edges)
    return LabelSizesInfo(sizes, edges, n_labels.astype(np.int64))


def plot_label_sizes(info: LabelSizesInfo) -> go.Figure:
    """Draw the distribution of label sizes."""
    low, high = info.edges[:-1], info.edges[1:]
    spans = [span(a, b - 1, "row") for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    figure = new_bars(
        info.n_labels, "labels", spans, x=(low + high) / 2, width=high - low, x_title="Rows that carry the label"
    )
    ticks = log_ticks(float(info.edges[0]), float(info.edges[-1]))
    if len(ticks) < 2:  # a short range without round numbers
        ticks = sorted({float(info.sizes.min()), float(info.sizes.max())} - {0.0}) or [1.0]
    figure.update_xaxes(log_axis(ticks))
    return figure if info.n_labels.size else say_empty(figure, "No label has a row")
