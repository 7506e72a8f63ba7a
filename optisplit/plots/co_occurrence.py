"""Which of the largest labels occur together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from optisplit.labels import positives_per_label
from optisplit.measures.characteristics import count_together
from optisplit.plots.style import NEUTRAL, SHARES, SMALL, add_map, new_map, say_empty, scale_limit, shown_name
from optisplit.text import percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.labels import MultilabelDataset

MOST_LABELS = 20
"""Labels in the figure."""

_NAME_LIMIT = 20


@dataclass(frozen=True, eq=False)
class CoOccurrenceInfo:
    """How often the largest labels occur together."""

    names: tuple[str, ...]  # the labels, the largest first
    counts: NDArray[np.int64]  # shape (m, m): rows that carry both labels; on the diagonal the label sizes
    shares: NDArray[np.float64]  # shape (m, m): the part of label i's rows that carry label j too; NaN on the diagonal
    n_labels: int  # labels that have rows at all
    limit: float  # share at which the colour scale ends

    @property
    def table(self) -> pd.DataFrame:
        """One row a pair of labels, in either order, the largest share first."""
        first, second = np.nonzero(~np.eye(len(self.names), dtype=bool))
        names = np.array(self.names, dtype=object)
        table = pd.DataFrame(
            {
                "label": pd.Series(names[first], dtype="str"),
                "rows": self.counts.diagonal()[first],
                "also": pd.Series(names[second], dtype="str"),
                "rows with both": self.counts[first, second],
                "share": self.shares[first, second],
            }
        )
        return table.sort_values(["share", "rows"], ascending=False, kind="stable").reset_index(drop=True)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        if len(self.names) < 2:
            return "Labels that occur together: fewer than two labels have rows, so there is nothing to show."
        i, j = np.unravel_index(int(np.nanargmax(self.shares)), self.shares.shape)
        never = int((np.triu(self.counts == 0, 1)).sum())
        n_pairs = len(self.names) * (len(self.names) - 1) // 2
        which = "all" if self.n_labels == len(self.names) else f"the {len(self.names)} largest of"
        return (
            f"How often {which} {self.n_labels:,} labels occur together. The largest part: of the "
            f"{self.counts[i, i]:,} rows with {self.names[i]}, {self.counts[i, j]:,} ({percent(self.shares[i, j], 2)}) "
            f"also carry {self.names[j]}. {never:,} of {n_pairs:,} pairs never occur together."
        )


def co_occurrence_info(data: MultilabelDataset, *, n_largest: int = MOST_LABELS) -> CoOccurrenceInfo:
    """Count how often the largest labels occur together."""
    sizes = positives_per_label(data.labels)
    chosen = np.argsort(-sizes, kind="stable")[: max(n_largest, 0)]
    chosen = chosen[sizes[chosen] > 0]
    counts = count_together(data.labels, chosen)
    shares = counts / np.maximum(counts.diagonal(), 1)[:, None]
    highest = float((shares - np.eye(len(chosen))).max(initial=0.0))
    np.fill_diagonal(shares, np.nan)
    return CoOccurrenceInfo(
        names=tuple(data.label_names[label] for label in chosen.tolist()),
        counts=counts,
        shares=shares,
        n_labels=int((sizes > 0).sum()),
        limit=scale_limit(highest),
    )


def plot_co_occurrence(info: CoOccurrenceInfo) -> go.Figure:
    """Draw which of the largest labels occur together."""
    n_labels = len(info.names)
    figure = new_map(n_labels, row_height=24, below=78)
    if n_labels < 2:
        return say_empty(figure, "Fewer than two labels have rows", hide_axes=True)
    places = np.arange(n_labels)
    cells = {
        "x": places, "y": places, "z": info.shares.astype(np.float32), "xgap": 2, "ygap": 2, "hovertext": _hover(info),
    }  # fmt: skip
    ticks = {tick: f"{percent(tick, 2)}" for tick in (0, info.limit / 2, info.limit)}
    add_map(figure, cells, SHARES, "part of the row label's rows", ticks)
    # a label with itself is no news: a stroke, so that it does not look like a share of 0
    figure.add_trace(
        go.Scatter(
            x=places, y=places, mode="markers", marker={"symbol": "line-nw-open", "size": 8, "color": NEUTRAL},
            hoverinfo="skip", showlegend=False,
        )
    )  # fmt: skip
    every = 1 if n_labels <= 12 else 2  # on a narrow page there is no room for more
    columns = list(range(0, n_labels, every))
    remark = SMALL.format("numbers are those of the labels at the left")
    figure.update_xaxes(
        title_text=f"… also carry label<br>{remark}", tickvals=columns,
        ticktext=[str(column + 1) for column in columns], range=[-0.5, n_labels - 0.5],
    )  # fmt: skip
    figure.update_yaxes(
        title_text="Of the rows with label …", tickvals=places.tolist(),
        ticktext=[f"{shown_name(name, _NAME_LIMIT)} · {place + 1}" for place, name in enumerate(info.names)],
        range=[n_labels - 0.5, -0.5],
    )  # fmt: skip
    return figure


def _hover(info: CoOccurrenceInfo) -> list[list[str]]:
    names = list(map(shown_name, info.names))
    return [
        [
            f"Of {info.counts[i, i]:,} rows with <b>{names[i]}</b><br>"
            f"{info.counts[i, j]:,} also carry <b>{names[j]}</b><br>{percent(info.shares[i, j], 3)}"
            for j in range(len(names))
        ]
        for i in range(len(names))
    ]
