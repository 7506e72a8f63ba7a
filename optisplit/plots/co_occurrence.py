"""Which of the largest labels occur together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.labels import positives_per_label
from optisplit.measures.characteristics import count_together

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from optisplit.labels import MultilabelDataset

MOST_LABELS = 20
"""Labels in the figure."""

_LIMITS = (0.1, 0.2, 0.5, 1.0)  # ends of the colour scale to choose from
_NAME_LIMIT = 20


@dataclass(frozen=True, eq=False)
class CoOccurrenceInfo:
    """How often the largest labels occur together."""

    names: tuple[str, ...]  # the labels, the largest first
    counts: NDArray[np.int64]  # shape (m, m): rows that carry both labels; on the diagonal the class sizes
    shares: NDArray[np.float64]  # shape (m, m): the part of label i's rows that carry label j too; NaN on the diagonal
    n_labels: int  # labels that have rows at all
    limit: float  # share at which the colour scale ends


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
        limit=next(limit for limit in _LIMITS if limit >= highest),
    )


def plot_co_occurrence(info: CoOccurrenceInfo) -> go.Figure:
    """Draw which of the largest labels occur together."""
    import plotly.graph_objects as go

    from optisplit.plots.layout import SMALL, new_figure, say_empty
    from optisplit.plots.palette import NEUTRAL, SHARES, escape, shorten

    n_labels = len(info.names)
    figure = new_figure(150 + max(24 * n_labels, 120))
    figure.update_layout(margin_t=64)
    figure.update_xaxes(showgrid=False)
    figure.update_yaxes(showgrid=False)
    if n_labels < 2:
        say_empty(figure, "Fewer than two labels have rows")
        figure.update_xaxes(visible=False)
        figure.update_yaxes(visible=False)
        return figure
    places = np.arange(n_labels)
    figure.add_trace(
        go.Heatmap(
            z=info.shares.astype(np.float32), x=places, y=places, zmin=0, zmax=info.limit, xgap=2, ygap=2,
            colorscale=[list(stop) for stop in SHARES], colorbar=_color_bar(info.limit, figure.layout.height),
            hovertext=_hover(info), hovertemplate="%{hovertext}<extra></extra>", hoverongaps=False,
        )
    )  # fmt: skip
    # a label with itself is no news: a stroke, so that it does not look like a share of 0
    figure.add_trace(
        go.Scatter(
            x=places, y=places, mode="markers", marker={"symbol": "line-nw-open", "size": 8, "color": NEUTRAL},
            hoverinfo="skip", showlegend=False,
        )
    )  # fmt: skip
    figure.add_annotation(
        text="part of the row label's rows", x=0.5, y=1, xref="paper", yref="paper",
        yanchor="bottom", yshift=42, showarrow=False,
    )  # fmt: skip
    every = 1 if n_labels <= 12 else 2  # on a narrow page there is no room for more
    columns = list(range(0, n_labels, every))
    remark = SMALL.format("numbers are those of the labels at the left")
    figure.update_xaxes(
        title=f"… also carry label<br>{remark}", tickvals=columns, ticktext=[str(column + 1) for column in columns],
        range=[-0.5, n_labels - 0.5],
    )  # fmt: skip
    figure.update_yaxes(
        title="Of the rows with label …", tickvals=places.tolist(),
        ticktext=[f"{escape(shorten(name, _NAME_LIMIT))} · {place + 1}" for place, name in enumerate(info.names)],
        range=[n_labels - 0.5, -0.5],
    )  # fmt: skip
    return figure


def _hover(info: CoOccurrenceInfo) -> list[list[str]]:
    from optisplit.plots.palette import escape, shorten

    names = [escape(shorten(name, 60)) for name in info.names]
    return [
        [
            f"Of {info.counts[i, i]:,} rows with <b>{names[i]}</b><br>"
            f"{info.counts[i, j]:,} also carry <b>{names[j]}</b><br>{info.shares[i, j]:.1%}"
            for j in range(len(names))
        ]
        for i in range(len(names))
    ]


def _color_bar(limit: float, height: int) -> dict[str, Any]:
    ticks = [0, limit / 2, limit]
    return {
        "orientation": "h", "x": 0.5, "xanchor": "center", "y": 1 - 26 / height, "yref": "container", "yanchor": "top",
        "ypad": 0, "len": 0.86, "thickness": 12, "tickvals": ticks, "ticktext": [f"{tick:.0%}" for tick in ticks],
        "outlinewidth": 0, "ticklabeloverflow": "allow",
    }  # fmt: skip


def co_occurrence_table(info: CoOccurrenceInfo) -> pd.DataFrame:
    """Lay out the figure's numbers."""
    import pandas as pd

    first, second = np.nonzero(~np.eye(len(info.names), dtype=bool))
    names = np.array(info.names, dtype=object)
    table = pd.DataFrame(
        {
            "label": pd.Series(names[first], dtype="str"),
            "rows": info.counts.diagonal()[first],
            "also": pd.Series(names[second], dtype="str"),
            "rows with both": info.counts[first, second],
            "share": info.shares[first, second],
        }
    )
    return table.sort_values(["share", "rows"], ascending=False, kind="stable").reset_index(drop=True)


def co_occurrence_alt_text(info: CoOccurrenceInfo) -> str:
    """Say in words what the figure shows."""
    if len(info.names) < 2:
        return "Labels that occur together: fewer than two labels have rows, so there is nothing to show."
    i, j = np.unravel_index(int(np.nanargmax(info.shares)), info.shares.shape)
    never = int((np.triu(info.counts == 0, 1)).sum())
    n_pairs = len(info.names) * (len(info.names) - 1) // 2
    which = "all" if info.n_labels == len(info.names) else f"the {len(info.names)} largest of"
    return (
        f"How often {which} {info.n_labels:,} labels occur together. The largest part: of the {info.counts[i, i]:,} "
        f"rows with {info.names[i]}, {info.counts[i, j]:,} ({info.shares[i, j]:.0%}) also carry {info.names[j]}. "
        f"{never:,} of {n_pairs:,} pairs never occur together."
    )
