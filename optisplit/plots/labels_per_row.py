"""How many rows there are with each number of labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optisplit.studies.lesson.formulas import number

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from optisplit.measures.characteristics import Characteristics

MOST_BARS = 40
"""Bars beside that for no label at all; longer rows are put together in stretches of equal width."""


@dataclass(frozen=True, eq=False)
class LabelsPerRowInfo:
    """Rows by their number of labels."""

    # shape (n_bars,): bar b holds the rows with ``fewest[b]`` to ``most[b]`` labels; the first one those without a
    # label
    fewest: NDArray[np.int64]
    # shape (n_bars,): bar b holds the rows with ``fewest[b]`` to ``most[b]`` labels; the first one those without a
    # label
    most: NDArray[np.int64]
    n_rows: NDArray[np.int64]  # shape (n_bars,): rows in each bar
    mean: float  # labels of a row on average, and of the row in the middle
    median: float  # labels of a row on average, and of the row in the middle


def labels_per_row_info(about: Characteristics) -> LabelsPerRowInfo:
    """Put rows together by their number of labels."""
    by_labels = about.rows_by_n_labels
    width = max(1, -(-(by_labels.size - 1) // MOST_BARS))
    starts = np.concatenate(([0], np.arange(1, by_labels.size, width))).astype(np.int64)
    return LabelsPerRowInfo(
        fewest=starts,
        most=np.concatenate((starts[1:] - 1, [max(int(starts[-1]), by_labels.size - 1)])),
        n_rows=np.add.reduceat(by_labels, starts),
        mean=about.cardinality,
        median=about.labels_per_row[1],
    )


def plot_labels_per_row(info: LabelsPerRowInfo) -> go.Figure:
    """Draw how many rows there are with each number of labels."""
    import plotly.graph_objects as go

    from optisplit.plots.layout import new_figure
    from optisplit.plots.palette import DATA

    figure = new_figure(320)
    figure.update_layout(margin_t=36, showlegend=False, bargap=0)
    widths = info.most - info.fewest + 1
    figure.add_trace(
        go.Bar(
            x=(info.fewest + info.most) / 2, y=info.n_rows, width=widths * 0.9,
            marker={"color": DATA, "line": {"width": 0}}, customdata=_spans(info),
            hovertemplate="%{customdata}: %{y:,} rows<extra></extra>",
        )
    )  # fmt: skip
    # light under dark, so that it is seen on bars and on any page
    figure.add_vline(x=info.mean, line={"color": "rgba(255, 255, 255, 0.85)", "width": 4})
    figure.add_vline(x=info.mean, line={"color": "#14151a", "dash": "dash", "width": 2})
    figure.add_annotation(
        text=f"mean {number(info.mean)}", x=info.mean, y=1, yref="paper", yanchor="bottom", showarrow=False,
        xanchor="left" if info.mean < info.most[-1] / 2 else "right",
    )  # fmt: skip
    figure.update_xaxes(title="Labels of a row", range=[-0.6, int(info.most[-1]) + 0.6], tickformat=",d")
    if info.most[-1] <= 12:
        figure.update_xaxes(dtick=1)
    figure.update_yaxes(title="Number of rows", rangemode="tozero", tickformat=",d")
    if info.n_rows.max() <= 5:
        figure.update_yaxes(dtick=1)
    return figure


def labels_per_row_table(info: LabelsPerRowInfo) -> pd.DataFrame:
    """Lay out the figure's numbers."""
    import pandas as pd

    return pd.DataFrame({"from labels": info.fewest, "to labels": info.most, "rows": info.n_rows})


def labels_per_row_alt_text(info: LabelsPerRowInfo) -> str:
    """Say in words what the figure shows."""
    total = int(info.n_rows.sum())
    highest = int(info.n_rows.argmax())
    return (
        f"Number of rows by how many labels they have: {total:,} rows, {int(info.n_rows[0]):,} of them without a "
        f"label; the most labels of a row are {int(info.most[-1]):,}, the mean is {number(info.mean)} and the median "
        f"{number(info.median)}. The highest bar, {int(info.n_rows[highest]):,} rows, is at {_spans(info)[highest]}."
    )


def _spans(info: LabelsPerRowInfo) -> list[str]:
    return [
        "no label" if high == 0 else f"{high:,} label{'' if high == 1 else 's'}" if low == high
        else f"{low:,}–{high:,} labels"
        for low, high in zip(info.fewest.tolist(), info.most.tolist(), strict=True)
    ]  # fmt: skip
