"""How many rows there are with each number of labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from optisplit.plots.style import new_bars
from optisplit.text import counted, short_number, span

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from optisplit.measures.characteristics import Characteristics

MOST_BARS = 40
"""Bars beside that for no label at all; longer rows are put together in stretches of equal width."""


@dataclass(frozen=True, eq=False)
class LabelsPerRowInfo:
    """Rows by their number of labels."""

    # shape (n_bins,): bar b holds the rows with ``fewest[b]`` to ``most[b]`` labels; the first one those without a
    # label
    fewest: NDArray[np.int64]
    most: NDArray[np.int64]
    n_rows: NDArray[np.int64]  # shape (n_bins,): rows in each bar
    mean: float  # labels of a row on average
    median: float

    @property
    def table(self) -> pd.DataFrame:
        """One row a bar."""
        return pd.DataFrame({"from labels": self.fewest, "to labels": self.most, "rows": self.n_rows})

    @property
    def spans(self) -> list[str]:
        """What each bar holds."""
        return [
            span(low, high, "label") if high else "no label"
            for low, high in zip(self.fewest.tolist(), self.most.tolist(), strict=True)
        ]

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        highest = int(self.n_rows.argmax())
        return (
            f"Number of rows by how many labels they have: {int(self.n_rows.sum()):,} rows, {int(self.n_rows[0]):,} of "
            f"them without a label; the most labels of a row are {int(self.most[-1]):,}, the mean is "
            f"{short_number(self.mean, 3)} and the median {short_number(self.median, 3)}. The highest bar, "
            f"{counted(int(self.n_rows[highest]), 'row')}, is at {self.spans[highest]}."
        )


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
    figure = new_bars(
        info.n_rows, "rows", info.spans, x=(info.fewest + info.most) / 2, width=(info.most - info.fewest + 1) * 0.9,
        x_title="Labels of a row",
    )  # fmt: skip
    figure.update_layout(margin_t=36)
    # light under dark, so that it is seen on bars and on any page
    figure.add_vline(x=info.mean, line={"color": "rgba(255, 255, 255, 0.85)", "width": 4})
    figure.add_vline(x=info.mean, line={"color": "#14151a", "dash": "dash", "width": 2})
    figure.add_annotation(
        text=f"mean {short_number(info.mean, 3)}", x=info.mean, y=1, yref="paper", yanchor="bottom", showarrow=False,
        xanchor="left" if info.mean < info.most[-1] / 2 else "right",
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.6, int(info.most[-1]) + 0.6], tickformat=",d", dtick=1 if info.most[-1] <= 12 else None
    )
    return figure
