"""A whole figure as SVG: margins, axes, traces, legend, scale of colours, notes."""

from __future__ import annotations

import base64
import html
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.plots.svg.around import (
    draw_annotation,
    draw_color_bar,
    draw_legend,
    draw_shape,
    legend_height,
    legend_items,
)
from optisplit.plots.svg.axes import Axis, is_words
from optisplit.plots.svg.frame import Frame, draw_axis, draw_grid, margins_of
from optisplit.plots.svg.texts import SIZE, number
from optisplit.plots.svg.traces import draw, reach_of, values_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

WIDTH = 800
"""Pixels that a figure is laid out for; it is shown at the width that there is."""

NARROWEST = 520
"""Below this width letters would be too small to read: there it scrolls."""


def to_svg(figure: go.Figure, title: str, alt_text: str, *, width: int = WIDTH) -> str:
    """Draw a figure as SVG that stands for itself: no script, no request, text and background are the page's own.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Of points, lines, bars and maps of cells.
    title : str
        Its name, for those who cannot see it.
    alt_text : str
        What it shows, in words.
    width : int, default=800
        Pixels that it is laid out for; letters are 12 of them high.

    Returns
    -------
    str
        An ``svg`` element.
    """
    given = _unpacked(figure.to_plotly_json())
    layout = given.get("layout") or {}
    traces = [trace for trace in given.get("data") or () if trace.get("visible") not in (False, "legendonly")]
    axes = _axes_of(layout, traces)
    height = float(layout.get("height") or 420)
    items = legend_items(layout, traces)
    margins = margins_of(layout, axes, legend_height(items, width - 90))
    frame = Frame(float(width), height + margins.grown, margins)
    for axis in axes.values():
        frame.place(axis)
    pieces = [*_drawn(layout, traces, axes, frame), draw_legend(items, layout.get("legend") or {}, frame)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {number(frame.height)}" '
        f'font-family="inherit" font-size="{SIZE:g}" fill="currentColor" style="display:block;width:100%;'
        f'min-width:{min(NARROWEST, width)}px;max-width:{width * 5 // 4}px;height:auto">'
        f"<title>{html.escape(title)}</title><desc>{html.escape(alt_text)}</desc>{''.join(pieces)}</svg>"
    )


def _unpacked(thing: Any) -> Any:
    """Give arrays as arrays: Plotly packs them for its program."""
    if isinstance(thing, dict):
        if "bdata" in thing:
            flat = np.frombuffer(base64.b64decode(thing["bdata"]), dtype=thing["dtype"])
            shape = [int(each) for each in str(thing.get("shape") or flat.size).split(",")]
            return flat.reshape(shape)
        return {key: _unpacked(each) for key, each in thing.items() if key != "template"}
    return [_unpacked(each) for each in thing] if isinstance(thing, list | tuple) else thing


def _axes_of(layout: dict[str, Any], traces: list[dict[str, Any]]) -> dict[str, Axis]:
    """Make the axes that the layout or traces name, each with what is drawn along it."""
    names = {key.replace("axis", "") for key in layout if re.fullmatch(r"[xy]axis\d*", key)}
    names |= {trace.get(f"{letter}axis") or letter for trace in traces for letter in "xy"}
    axes = {}
    for name in sorted(names, key=lambda name: (name[0], int(name[1:] or 1))):
        axes[name] = Axis(name, layout.get(f"{name[0]}axis{name[1:]}") or {})
    reached: dict[str, list[tuple[float, float, bool]]] = defaultdict(list)
    for trace in traces:
        for letter in "xy":
            axis = axes[trace.get(f"{letter}axis") or letter]
            _name_categories(axis, axes[axis.spec.get("matches") or axis.name], values_of(trace, letter))
            reached[axis.spec.get("matches") or axis.name] += reach_of(trace, axis)
    for shape in layout.get("shapes") or ():
        for letter in "xy":
            named = axes.get(shape.get(f"{letter}ref") or letter)
            if named is not None:
                ends = named.unit([shape[f"{letter}0"], shape[f"{letter}1"]]).tolist()
                reached[named.spec.get("matches") or named.name].append((min(ends), max(ends), False))
    for axis in axes.values():
        axis.set_reach(reached[axis.spec.get("matches") or axis.name])
    return axes


def _name_categories(axis: Axis, leader: Axis, values: list[Any]) -> None:
    """Put words on an axis in the order in which they come, or in the order that it says."""
    if is_words(values):
        if not leader.categories:
            leader.categories = list(leader.spec.get("categoryarray") or ())
        leader.categories += [value for value in dict.fromkeys(values) if value not in leader.categories]
    axis.categories = leader.categories


def _drawn(layout: dict[str, Any], traces: list[dict[str, Any]], axes: dict[str, Axis], frame: Frame) -> list[str]:
    """Draw from the bottom to the top: shapes below, grid, traces, axes, shapes, notes."""
    shapes = list(layout.get("shapes") or ())
    pieces = [draw_shape(shape, axes, frame) for shape in shapes if shape.get("layer") == "below"]
    by_panel: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for trace in traces:
        by_panel[trace.get("xaxis") or "x", trace.get("yaxis") or "y"].append(trace)
    for x, y in by_panel or [("x", "y")]:
        pieces += [draw_grid(*pair) for pair in ((axes[x], axes[y]), (axes[y], axes[x])) if pair[0].is_visible]
    for (x, y), mine in by_panel.items():
        drawn = [(trace, draw(trace, axes[x], axes[y], mine[:at])) for at, trace in enumerate(mine)]
        inside = "".join(piece for trace, piece in drawn if trace.get("cliponaxis") is not False)
        left, right = sorted((axes[x].start, axes[x].end))
        top, bottom = sorted((axes[y].start, axes[y].end))
        box = " ".join(map(number, (left, top, right - left, bottom - top)))
        place = "x={} y={} width={} height={}".format(*(f'"{each}"' for each in box.split()))
        pieces.append(f'<svg {place} viewBox="{box}">{inside}</svg>')
        pieces += [piece for trace, piece in drawn if trace.get("cliponaxis") is False]
    pieces += [draw_axis(axis, frame.anchor_of(axis, axes), frame) for axis in axes.values() if axis.is_visible]
    pieces += [draw_shape(shape, axes, frame) for shape in shapes if shape.get("layer") != "below"]
    pieces += [draw_color_bar(trace, frame) for trace in traces]
    pieces += [draw_annotation(note, axes, frame) for note in layout.get("annotations") or ()]
    return pieces
