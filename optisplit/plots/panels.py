"""Several panels side by side, one a method, on the same axes."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.errors import OptionError
from optisplit.plots.style import SMALL, escape, method_style, new_figure, shorten, shown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

GAP = 0.035
"""Between panels, as a part of the width."""

_LINE, _NAME, _TICKS, _PADDING = 15, 20, 24, 12  # heights in pixels
_LETTERS = {1: 52, 2: 46, 3: 34}  # of a line above a panel, by the number of columns, on a page of 700 pixels
_COMMON_LETTERS = 50, 92  # of a line above or below all panels, one column or several: the first fits a phone


@dataclass(frozen=True, slots=True)
class Panels:
    """A figure with several panels."""

    figure: go.Figure
    columns: int
    n_panels: int

    def axes(self, panel: int) -> dict[str, str]:
        """Name the axes of a panel, for its traces."""
        number = str(panel + 1) if panel else ""
        return {"xaxis": f"x{number}", "yaxis": f"y{number}"}


def columns_for(n_panels: int, columns: int | None, most: int) -> int:
    """Take as many columns as asked for, or up to `most` in rows of about the same length; refuse what is no number."""
    if columns is not None and columns < 1:
        msg = f"columns={columns} leaves no room for a panel; use columns >= 1."
        raise OptionError(msg)
    n_lines = max(1, -(-n_panels // most))
    return max(1, min(columns or -(-n_panels // n_lines), n_panels))


def new_panels(
    titles: Sequence[tuple[str, str]], columns: int, panel_height: int, *, head: Sequence[str], below: Sequence[str],
    above: int = 0, keys: Sequence[tuple[str, str]] = (), x_axis: dict[str, Any], y_axis: dict[str, Any],
) -> Panels:  # fmt: skip
    """Make a figure of empty panels: a title (markup) and a remark above each, lines above and below them all.

    `above` pixels are kept free above the head; `keys`, colours and what has them, stand below it. Axes are shared:
    ticks have their texts at the left and at the bottom.
    """
    columns = max(1, min(columns, len(titles)))
    n_lines = -(-len(titles) // columns)
    # no line is to begin with the sign of per cent
    remarks = [
        textwrap.wrap(remark.replace(" %", "\N{NO-BREAK SPACE}%"), _LETTERS.get(columns, 28)) for _, remark in titles
    ]
    title_height = _NAME + _LINE * max(map(len, remarks)) + 4
    is_ragged = len(titles) % columns != 0
    line_height = title_height + panel_height + _PADDING + (_TICKS if is_ragged else 0)
    height = n_lines * line_height
    letters = _COMMON_LETTERS[columns > 1]
    head, below = ([piece for line in lines for piece in textwrap.wrap(line, letters)] for lines in (head, below))
    lines = [*map(escape, head), *_key_lines(keys, letters)]
    above += _LINE * len(lines) + 6
    below_height = _TICKS + 17 * len(below) + 8
    figure = new_figure(height + above + below_height, legend=False)
    figure.update_layout(margin={"t": above, "b": below_height, "l": 8, "r": 8})
    common = figure.layout.xaxis.to_plotly_json() | {"fixedrange": True}
    width = (1 - GAP * (columns - 1)) / columns
    panels = Panels(figure, columns, len(titles))
    axes: dict[str, Any] = {}
    for panel, ((title, _), remark) in enumerate(zip(titles, remarks, strict=True)):
        line, column = divmod(panel, columns)
        top = 1 - (line * line_height + title_height) / height
        left = column * (width + GAP)
        number = str(panel + 1) if panel else ""
        axes[f"xaxis{number}"] = common | x_axis | {
            "domain": [left, min(1.0, left + width)], "anchor": f"y{number}",
            "showticklabels": panel + columns >= len(titles),
        }  # fmt: skip
        axes[f"yaxis{number}"] = common | y_axis | {
            "domain": [max(0.0, top - panel_height / height), top], "anchor": f"x{number}",
            "showticklabels": column == 0,
        }  # fmt: skip
        text = "<br>".join([title, *(SMALL.format(escape(piece)) for piece in remark)])
        figure.add_annotation(text=text, x=left, y=top, yanchor="bottom", yshift=2, **_FREE)
    figure.update_layout(axes)
    if lines:
        figure.add_annotation(text="<br>".join(lines), x=0, y=1, yanchor="bottom", yshift=2, **_FREE)
    if below:
        text = "<br>".join([escape(below[0]), *(SMALL.format(escape(line)) for line in below[1:])])
        figure.add_annotation(text=text, x=0, y=0, yanchor="top", yshift=-_TICKS, **_FREE)
    return panels


def method_title(key: str, name: str) -> str:
    """Name a method above its panel, with its colour."""
    return f"{_dot(method_style(key).color)} <b>{shown_name(name, 40)}</b>"


def _dot(color: str) -> str:
    return f'<span style="color: {color}">●</span>'


def _key_lines(keys: Sequence[tuple[str, str]], letters: int) -> list[str]:
    """Write names beside their colours, in lines."""
    lines: list[list[str]] = []
    held = letters
    for color, name in keys:
        short = shorten(name, 24)
        held += len(short) + 5
        if held > letters:
            lines, held = [*lines, []], len(short) + 5
        lines[-1].append(f"{_dot(color)} {escape(short)}")
    return [" &nbsp; ".join(line) for line in lines]


_FREE: dict[str, Any] = {"xref": "paper", "yref": "paper", "xanchor": "left", "align": "left", "showarrow": False}
