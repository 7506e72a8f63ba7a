"""How every figure looks: layout, axes, colours, marks and texts that read on light and dark pages."""

from __future__ import annotations

import math
import textwrap
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go  # plotly loads its classes when they are first used, so this costs nothing

from optisplit.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

NEUTRAL = "#8A8A8A"
"""For what belongs to no method: bounds, reference lines. Reads on white and on dark."""

DATA = "#6C7FA6"
"""For what is of the data itself, before any method: label sizes, labels of a row. Reads on white and on dark."""

GREY = "rgba(138, 138, 138, 0.55)"
"""For what stands behind, such as other methods. On white and on dark."""

GRID = "rgba(128, 128, 128, 0.25)"
"""Grid lines, on white and on dark."""

NOTHING = "rgba(0, 0, 0, 0)"
"""No colour: what lies beneath shows."""

SMALL = '<span style="font-size: 11px">{}</span>'
"""For a remark below an axis title; braces take the (escaped) remark."""

ROUNDING = 1e-12
"""What rounding leaves of a score of 0."""

LONGEST_NAME = 60
"""Longest name of a label in a hover text, in characters."""


@dataclass(frozen=True, slots=True)
class MethodStyle:
    """How one method looks in every figure."""

    color: str  # hexadecimal colour
    symbol: str  # plotly marker symbol, so that colour is never the only difference

    def translucent(self, alpha: float) -> str:
        """Give the colour as a fill that shows what lies beneath it."""
        red, green, blue = (int(self.color[at : at + 2], 16) for at in (1, 3, 5))
        return f"rgba({red}, {green}, {blue}, {alpha:g})"


# The methods' colours are the hues of Okabe and Ito, moved until each stands out 3 : 1 both on white and on Streamlit's
# dark #0e1117, and until the nearest two are as far apart as possible for full, deutan and protan colour vision. Their
# yellow and black cannot be kept: each is invisible on one of the two backgrounds. These are for methods without one.
_OTHER_COLORS = ("#7A8B00", "#A5694F", "#00929C", "#A87A92")
_OTHER_SYMBOLS = ("hourglass", "bowtie", "star-square", "star-diamond", "hexagon")

DEVIATION: tuple[tuple[float, str], ...] = (
    (0.0, "#0B4F94"),
    (0.25, "#4E95CF"),
    (0.5, "#D9D9D6"),
    (0.75, "#DD9440"),
    (1.0, "#8A4500"),
)
"""Diverging Plotly colour scale: blue (too few), light grey (as it should be), orange to brown (too many)."""

SHARES: tuple[tuple[float, str], ...] = (
    (0.0, "rgba(47, 120, 200, 0.06)"),
    (0.5, "rgba(47, 120, 200, 0.55)"),
    (1.0, "rgba(47, 120, 200, 0.85)"),
)
"""Plotly colour scale for parts of a whole, from the page's own colour (none) to blue; numbers in it can be read."""


def method_style(key: str) -> MethodStyle:
    """Look up how a method is drawn.

    - A known key always has the same style, whatever else is drawn with it.
    - Any other, and a method without a colour, has a style of its own palette, the same one in every run and on every
      machine.
    """
    known = METHODS.get(key)
    if known is not None and known.color:
        return MethodStyle(known.color, known.symbol or "circle")
    row, column = divmod(zlib.crc32(key.encode()), len(_OTHER_COLORS))  # hash() differs from run to run
    return MethodStyle(_OTHER_COLORS[column], _OTHER_SYMBOLS[row % len(_OTHER_SYMBOLS)])


def escape(text: str) -> str:
    """Make a text show in a Plotly figure exactly as it stands.

    Plotly takes tags, entities, ``$...$`` (as TeX, where MathJax is loaded) and ``%{...}`` (in templates) for
    markup.
    """
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;"), ("%{", "&#37;{")):
        text = text.replace(char, entity)
    return text


def shorten(text: str, limit: int) -> str:
    """Cut a text to a length, with an ellipsis where something is left out. Escape it afterwards, not before."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def shown_name(name: str, limit: int = LONGEST_NAME) -> str:
    """Make a name from the user's data fit to be shown in a figure."""
    return escape(shorten(name, limit))


HOVER_WIDTH = 44
"""Letters of a line in a hover text: a phone has room for so many."""


def wrapped(text: str, limit: int = HOVER_WIDTH) -> str:
    """Break a text into lines, and make it show exactly as it stands."""
    if len(text) <= limit:  # most are, and wrapping takes time
        return escape(text)
    return "<br>".join(map(escape, textwrap.wrap(text, limit)))


def new_figure(height: int, *, legend: bool = True, x_title: str = "", y_title: str = "") -> go.Figure:
    """Make an empty figure without colours of its own: text colour and background are the page's."""
    axis: dict[str, Any] = {"automargin": True, "gridcolor": GRID, "zeroline": False, "linecolor": GRID}
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 8, "r": 16, "t": 16, "b": 8},
            "paper_bgcolor": NOTHING,
            "plot_bgcolor": NOTHING,
            "xaxis": axis | {"title": {"standoff": 12, "text": x_title or None}},
            "yaxis": axis | {"title": {"standoff": 12, "text": y_title or None}},
            "showlegend": legend,
            # above the plot, where it wraps in narrow windows and takes no width
            "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
            "hoverlabel": {"align": "left"},
        }
    )


def say_empty(figure: go.Figure, text: str, *, hide_axes: bool = False) -> go.Figure:
    """Write in the middle of a figure why there is nothing to see, and give it back."""
    figure.add_annotation(text=text, x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False, font={"size": 15})
    if hide_axes:
        figure.update_xaxes(visible=False)
        figure.update_yaxes(visible=False)
    return figure


def scale_limit(highest: float) -> float:
    """Choose the part at which a colour scale ends."""
    return next((limit for limit in (0.1, 0.2, 0.5) if limit >= highest), 1.0)


def log_ticks(low: float, high: float, most: int = 12) -> list[float]:
    """Choose ticks for a logarithmic axis: 1, 2, 5, 10, ... over a short range, fewer over a long one."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1, 1.5, 2, 3, 4, 6, 8), (1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{step}e{power}") for power in range(first, last + 1) for step in steps]
        found = [tick for tick in ticks if low * 0.9999 <= tick <= high * 1.0001]
        if len(found) <= (most if len(steps) < 4 else 5):
            return found
    return found[:: -(-len(found) // most)]


def root_ticks(top: float) -> list[float]:
    """Choose ticks from 0 to `top` for an axis of square roots, far enough from each other."""
    last = math.ceil(math.log10(top))
    ticks = [float(f"{step}e{power}") for power in range(last, last - 5, -1) for step in (5, 2, 1)]
    chosen, at, least = [], math.inf, 0.15 * math.sqrt(top)
    for tick in ticks:
        if tick <= top * 1.1 and least <= math.sqrt(tick) <= at - least:
            chosen.append(tick)
            at = math.sqrt(tick)
    return [0.0, *reversed(chosen)]


def log_axis(ticks: Sequence[float], **more: Any) -> dict[str, Any]:
    """Describe a logarithmic axis with ticks at round numbers."""
    return {"type": "log", "tickvals": ticks, "ticktext": [f"{tick:,g}" for tick in ticks], **more}


def new_bars(
    counts: NDArray[np.int64], what: str, spans: Sequence[str], *, x: NDArray[Any], width: NDArray[Any], x_title: str
) -> go.Figure:
    """Draw how many of something there are in each span."""
    figure = new_figure(320, legend=False, x_title=x_title, y_title=f"Number of {what}")
    figure.add_trace(
        go.Bar(
            x=x, y=counts, width=width, marker={"color": DATA, "line": {"width": 0}}, customdata=spans,
            hovertemplate=f"%{{customdata}}: %{{y:,}} {what}<extra></extra>",
        )
    )  # fmt: skip
    # from 0, and no half of a row
    figure.update_yaxes(rangemode="tozero", tickformat=",d", dtick=1 if counts.max(initial=0) <= 5 else None)
    figure.update_layout(bargap=0)
    return figure


ABOVE = 72
"""Pixels above the cells of a map, for the colour bar and its title."""

_TITLE = 24  # of them for the title


def new_map(n_rows: int, row_height: int, below: int) -> go.Figure:
    """Make an empty figure for cells in rows and columns."""
    figure = new_figure(ABOVE + below + max(n_rows * row_height, 120))
    figure.update_layout(margin_t=ABOVE)
    figure.update_xaxes(showgrid=False)
    figure.update_yaxes(showgrid=False)
    return figure


def add_map(
    figure: go.Figure, cells: dict[str, Any], scale: Sequence[tuple[float, str]], title: str, ticks: dict[float, str]
) -> None:
    """Draw cells with hover texts, and the colour bar above them, with its title and its ticks."""
    # not the colour bar's own title, which would touch the bar
    figure.add_annotation(
        text=title, x=0.5, y=1, xref="paper", yref="paper", yanchor="bottom", yshift=ABOVE - _TITLE + 2,
        showarrow=False,
    )  # fmt: skip
    bar = {
        "orientation": "h", "x": 0.5, "xanchor": "center", "y": 1 - _TITLE / figure.layout.height,
        "yref": "container", "yanchor": "top", "ypad": 0, "len": 0.86, "ticklabeloverflow": "allow", "thickness": 12,
        "tickvals": list(ticks), "ticktext": list(ticks.values()), "outlinewidth": 0,
    }  # fmt: skip
    figure.add_trace(
        go.Heatmap(
            cells, zmin=min(ticks), zmax=max(ticks), colorscale=[list(stop) for stop in scale], colorbar=bar,
            hovertemplate="%{hovertext}<extra></extra>", hoverongaps=False,
        )
    )  # fmt: skip
