"""One choice of rounding by two measures: where rLD is lowest, and where rare labels have what is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from optisplit.plots.size_scores import MEASURE_STYLES
from optisplit.plots.style import NEUTRAL, new_figure
from optisplit.text import short_number

if TYPE_CHECKING:
    from optisplit.studies.lesson.rare import RoundingChoice

PANELS = {"rld": ("Mean rLD", MEASURE_STYLES["rld"][0]), "together": ("Misplaced rows", "#C0487A")}
"""Title and colour of each panel: what each label says alone, and which part of all their rows is misplaced."""


def plot_rounding_choice(info: RoundingChoice, chosen: int, height: int = 250) -> go.Figure:
    """Draw both measures over the number of test positives, side by side, with what is chosen."""
    figure = new_figure(height, legend=False)
    shared = figure.layout.xaxis.to_plotly_json() | {
        "fixedrange": True, "range": [-1.5, float(info.in_test[-1]) + 1],
        "title": {"text": "Rows in test", "standoff": 8},
    }  # fmt: skip
    for at, (key, (title, color)) in enumerate(PANELS.items()):
        number = str(at + 1) if at else ""
        y_axis = figure.layout.yaxis.to_plotly_json() | {
            "rangemode": "tozero", "fixedrange": True, "nticks": 4, "anchor": f"x{number}",
        }  # fmt: skip
        x_axis = shared | {"domain": [0.55 * at, 0.55 * at + 0.45], "anchor": f"y{number}"}
        figure.update_layout({f"yaxis{number}": y_axis, f"xaxis{number}": x_axis})
        figure.add_annotation(
            text=f"<b>{title}</b>, ★ lowest", x=0.55 * at, y=1, xref="paper", yref="paper", xanchor="left",
            yanchor="bottom", yshift=18, showarrow=False, font={"color": color},
        )  # fmt: skip
        _add_panel(figure, info, chosen, key, color, number)
    figure.update_layout(margin_t=42)
    return figure


def _add_panel(figure: go.Figure, info: RoundingChoice, chosen: int, key: str, color: str, number: str) -> None:
    values, lowest, axes = getattr(info, key), info.lowest(key), {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    for x, text in ((info.due, "due"), (chosen, "yours")):
        dash = "solid" if text == "yours" else "dash"
        figure.add_shape(
            type="line", x0=x, x1=x, y0=0, y1=1, xref=f"x{number}", yref="paper",
            line={"color": NEUTRAL, "width": 2, "dash": dash},
        )  # fmt: skip
        if text == "yours" or chosen != info.due:
            figure.add_annotation(
                x=x, y=1, xref=f"x{number}", yref="paper", yanchor="bottom", text=text, showarrow=False
            )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=info.in_test, y=values, mode="lines", line={"color": color, "width": 2},
            hovertemplate="%{x} in test: %{y:.3g}<extra></extra>", **axes,
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[lowest, chosen], y=[values[lowest], values[chosen]], mode="markers", hoverinfo="skip", cliponaxis=False,
            marker={"symbol": ["star", "circle"], "size": [14, 11], "color": color, "line": {"width": 0}}, **axes,
        )
    )  # fmt: skip


def rounding_choice_alt_text(info: RoundingChoice, chosen: int) -> str:
    """Say in words what the figure shows."""
    return (
        f"rLD is lowest with {info.lowest('rld')} of {info.n_labels} labels in the test part, and rises with each; "
        f"taken together, the labels are nearest to what is due with {info.lowest('together')}. With {chosen}, rLD is "
        f"{short_number(float(info.rld[chosen]), 3)} and "
        f"{short_number(float(info.together[chosen]), 3)} of the rows are in another part than is due."
    )
