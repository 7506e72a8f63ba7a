"""How many labels there are of each size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go
    from numpy.typing import NDArray

N_BINS = 24


@dataclass(frozen=True, slots=True)
class ClassSizesInfo:
    """Class sizes of a data set."""

    # shape (n_bins + 1,): bin b holds the classes of at least ``edges[b]`` and fewer than ``edges[b + 1]`` rows
    edges: NDArray[np.int64]
    n_classes: NDArray[np.int64]  # shape (n_bins,): classes in each bin
    n_empty: int  # classes without a row, in no bin
    smallest: int  # rows of the smallest and largest class, empty ones included
    largest: int  # rows of the smallest and largest class, empty ones included
    median: float  # median of the class sizes
    cardinality: float  # mean number of labels a row
    density: float  # cardinality divided by the number of labels


def class_sizes_info(sizes: NDArray[np.int64], n_rows: int) -> ClassSizesInfo:
    """Count classes by size."""
    present = sizes[sizes > 0]
    edges = np.ones(1, dtype=np.int64)
    if present.size:
        steps = np.geomspace(present.min(), present.max() + 1, N_BINS + 1)
        edges = np.unique(np.round(steps).astype(np.int64))
    n_classes, _ = np.histogram(present, bins=edges) if edges.size > 1 else (np.zeros(0, np.int64), edges)
    cardinality = float(sizes.sum() / n_rows)
    return ClassSizesInfo(
        edges=edges,
        n_classes=n_classes.astype(np.int64),
        n_empty=int((sizes == 0).sum()),
        smallest=int(sizes.min()),
        largest=int(sizes.max()),
        median=float(np.median(sizes)),
        cardinality=cardinality,
        density=cardinality / sizes.size,
    )


def plot_class_sizes(info: ClassSizesInfo) -> go.Figure:
    """Draw the distribution of class sizes."""
    import plotly.graph_objects as go

    from optisplit.plots.layout import log_ticks, new_figure, say_empty
    from optisplit.plots.palette import DATA

    figure = new_figure(320)
    low, high = info.edges[:-1].astype(float), info.edges[1:].astype(float)
    ranges = [
        f"{a:,} rows" if b - a == 1 else f"{a:,}–{b - 1:,} rows"
        for a, b in zip(info.edges[:-1], info.edges[1:], strict=True)
    ]
    figure.add_trace(
        go.Bar(
            x=(low + high) / 2,
            y=info.n_classes,
            width=high - low,
            marker={"color": DATA, "line": {"width": 0}},
            customdata=ranges,
            hovertemplate="%{customdata}: %{y:,} labels<extra></extra>",
        )
    )
    ticks: list[Any] = log_ticks(float(info.edges[0]), float(info.edges[-1])) if info.edges.size > 1 else [1]
    if len(ticks) < 2:  # a short range without round numbers
        ticks = sorted({int(info.smallest), int(info.largest)} - {0}) or [1]
    figure.update_xaxes(
        type="log",
        title="Rows that carry the label",
        tickvals=ticks,
        ticktext=[f"{tick:,.0f}" for tick in ticks],
    )
    figure.update_yaxes(title="Number of labels", rangemode="tozero", tickformat=",d")
    if info.n_classes.max(initial=0) <= 5:
        figure.update_yaxes(dtick=1)
    figure.update_layout(bargap=0, showlegend=False)
    if not info.n_classes.size:
        say_empty(figure, "No label has a row")
    return figure


def class_sizes_table(info: ClassSizesInfo) -> pd.DataFrame:
    """Lay out the figure's numbers."""
    import pandas as pd

    bars = pd.DataFrame({"from rows": info.edges[:-1], "to rows": info.edges[1:] - 1, "labels": info.n_classes})
    if info.n_empty:
        bars = pd.concat([pd.DataFrame({"from rows": [0], "to rows": [0], "labels": [info.n_empty]}), bars])
    return bars.reset_index(drop=True)


def class_sizes_alt_text(info: ClassSizesInfo) -> str:
    """Say in words what the figure shows."""
    n_labels = int(info.n_classes.sum()) + info.n_empty
    return (
        f"Number of labels by size: {n_labels:,} labels, from {info.smallest:,} to {info.largest:,} rows, "
        f"half of them on at most {info.median:,.0f} rows."
    )
