"""What stands around a figure's traces: legend, scale of colours, shapes and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.plots.svg.colors import color_at
from optisplit.plots.svg.symbols import is_open, mark
from optisplit.plots.svg.texts import SIZE, Text, number
from optisplit.plots.svg.traces import mode_of, stroke

if TYPE_CHECKING:
    from optisplit.plots.svg.axes import Axis
    from optisplit.plots.svg.frame import Frame

_LINE = 20.0  # height of a line of the legend
_SWATCH = 34.0  # width of what stands before a name in it
_STEPS = 40  # of a scale of colours


def legend_items(layout: dict[str, Any], traces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pick the traces that have a line in the legend."""
    shown = layout.get("showlegend")
    if shown is False:
        return []
    items = [trace for trace in traces if trace.get("showlegend") is not False and trace.get("name")
             and trace["type"] != "heatmap"]  # fmt: skip
    return items if shown or len(items) > 1 else []


def _in_lines(items: list[dict[str, Any]], width: float) -> list[list[tuple[float, dict[str, Any]]]]:
    """Put the items one beside the other, in as many lines as they need."""
    lines: list[list[tuple[float, dict[str, Any]]]] = [[]]
    at = 0.0
    for item in items:
        room = _SWATCH + Text(item["name"]).width + 14
        if at and at + room > width:
            lines.append([])
            at = 0.0
        lines[-1].append((at, item))
        at += room
    return lines


def legend_height(items: list[dict[str, Any]], width: float) -> float:
    """Say how high the legend is."""
    return _LINE * len(_in_lines(items, width)) if items else 0.0


def draw_legend(items: list[dict[str, Any]], spec: dict[str, Any], frame: Frame) -> str:
    """Draw the legend above the figure."""
    if not items:
        return ""
    lines = _in_lines(items, frame.width - 90)
    least = min(frame.left, 60.0)
    bottom = frame.top - 4 - max(0.0, float(spec.get("y") or 1) - 1) * 20
    top = max(0.0, bottom - _LINE * len(lines))
    drawn = []
    for number_of, line in enumerate(lines):
        y = top + (number_of + 0.5) * _LINE
        for at, item in line:
            x = least + at
            drawn += [_swatch(item, x, y), Text(item["name"]).draw(x + _SWATCH - 4, y, anchor="start", above=0.5)]
    return "".join(drawn)


def _swatch(trace: dict[str, Any], x: float, y: float) -> str:
    left, right = x + 2, x + _SWATCH - 8
    marker, line = trace.get("marker") or {}, trace.get("line") or {}
    color = marker.get("color") if isinstance(marker.get("color"), str) else line.get("color")
    if trace["type"] == "bar" or trace.get("fill") not in (None, "none"):
        fill = trace.get("fillcolor") or color
        opacity = marker.get("opacity") or 1
        return f'<path d="M{number(left)},{number(y - 5)}H{number(right)}V{number(y + 5)}H{number(left)}z" ' \
               f'fill="{fill}" opacity="{opacity:g}"/>'  # fmt: skip
    drawn, mode = "", mode_of(trace)
    if "lines" in mode and line.get("width") != 0:
        drawn = f'<path d="M{number(left)},{number(y)}H{number(right)}" fill="none"{stroke(line, color or "#888")}/>'
    if "markers" in mode:
        symbol = marker.get("symbol")
        symbol = symbol if isinstance(symbol, str) else (next(iter(symbol)) if symbol is not None else "circle")
        edge = marker.get("line") or {}
        ink = color or edge.get("color") or "#888"
        edge_color = edge.get("color") if isinstance(edge.get("color"), str) else ink
        width = edge.get("width") if isinstance(edge.get("width"), int | float) else 1
        look = f'fill="none" stroke="{edge_color or ink}" stroke-width="{width or 1:g}"' if is_open(symbol) \
            else f'fill="{ink}"'  # fmt: skip
        drawn += f"<g {look}>{mark(symbol, (left + right) / 2, y, 4.5)}</g>"
    return drawn


def _bar_place(bar: dict[str, Any], frame: Frame) -> tuple[float, float, float, float]:
    """Say where the scale of colours is, how long and how thick."""
    wide, length = frame.right - frame.left, 1.0 if bar.get("len") is None else float(bar["len"])
    if bar.get("lenmode") != "pixels":
        length *= wide
    x, y = (default if bar.get(key) is None else float(bar[key]) for key, default in (("x", 0.5), ("y", 1.0)))
    left = frame.left + x * wide - length * {"left": 0.0, "right": 1.0}.get(bar.get("xanchor") or "center", 0.5)
    thickness = float(bar.get("thickness") or 12)
    top = frame.height * (1 - y) if bar.get("yref") == "container" else frame.bottom - y * (frame.bottom - frame.top)
    return left, top - (thickness + 18 if bar.get("yanchor") == "bottom" else 0), length, thickness


def draw_color_bar(trace: dict[str, Any], frame: Frame) -> str:
    """Draw the scale of a map's colours, with its ticks."""
    bar = trace.get("colorbar")
    if trace["type"] != "heatmap" or not bar or trace.get("showscale") is False:
        return ""
    left, top, length, thickness = _bar_place(bar, frame)
    step = length / _STEPS
    drawn = [
        f'<path d="M{number(left + at * step)},{number(top)}H{number(left + at * step + step)}v{number(thickness)}'
        f'H{number(left + at * step)}z" fill="{color_at(trace["colorscale"], (at + 0.5) / _STEPS)}"/>'
        for at in range(_STEPS)
    ]
    drawn = [f'<g shape-rendering="crispEdges">{"".join(drawn)}</g>']
    low, high = float(trace["zmin"]), float(trace["zmax"])
    values = bar.get("tickvals")
    values = [low, high] if values is None else list(values)
    texts = bar.get("ticktext")
    for value, text in zip(values, [f"{each:g}" for each in values] if texts is None else texts, strict=True):
        place = left + length * (float(value) - low) / ((high - low) or 1)
        drawn.append(Text(str(text)).draw(place, top + thickness + 3))
    title = (bar.get("title") or {}).get("text")
    if title:
        drawn.append(Text(title).draw(left + length / 2, top - 3, above=1.0))
    return "".join(drawn)


def _place(
    value: Any, ref: str | None, axes: dict[str, Axis], frame: Frame, *, is_x: bool, is_note: bool = False
) -> float:
    """Say where something is that is given on an axis, on a part of it, or on the whole figure.

    As Plotly has it, notes on a logarithmic axis are given by their exponent, and shapes by their value.
    """
    ref = ref or ("x" if is_x else "y")
    if ref == "paper":
        low, high = (frame.left, frame.right) if is_x else (frame.bottom, frame.top)
        return low + float(value) * (high - low)
    axis = axes[ref.removesuffix(" domain")]
    if ref.endswith(" domain"):
        return axis.start + float(value) * (axis.end - axis.start)
    is_in_unit = not isinstance(value, str) and (axis.categories or (axis.is_log and is_note))
    return float(axis.at_unit(float(value))) if is_in_unit else axis.at_one(value)


def draw_shape(shape: dict[str, Any], axes: dict[str, Axis], frame: Frame) -> str:
    """Draw a line, or a rectangle."""
    left, right = (_place(shape[key], shape.get("xref"), axes, frame, is_x=True) for key in ("x0", "x1"))
    top, bottom = (_place(shape[key], shape.get("yref"), axes, frame, is_x=False) for key in ("y0", "y1"))
    line = shape.get("line") or {}
    look = "" if line.get("width") == 0 else stroke(line)
    if shape.get("opacity") not in (None, 1):
        look += f' opacity="{shape["opacity"]:g}"'
    if shape.get("type") == "line":
        return f'<path d="M{number(left)},{number(top)}L{number(right)},{number(bottom)}" fill="none"{look}/>'
    box = f"M{number(left)},{number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"
    return f'<path d="{box}" fill="{shape.get("fillcolor") or "none"}"{look}/>'


_ACROSS = {"left": "start", "right": "end", "center": "middle"}
_ABOVE = {"top": 0.0, "middle": 0.5, "bottom": 1.0}


def draw_annotation(note: dict[str, Any], axes: dict[str, Axis], frame: Frame) -> str:
    """Write a note, with its arrow if it has one."""
    x, y = (_place(note[key], note.get(f"{key}ref"), axes, frame, is_x=key == "x", is_note=True) for key in "xy")
    font = note.get("font") or {}
    text = Text(note.get("text") or "", font.get("size") or SIZE)
    drawn = ""
    if note.get("showarrow") is not False:
        tail = [
            _place(note[f"a{key}"], note[f"a{key}ref"], axes, frame, is_x=key == "x", is_note=True)
            if note.get(f"a{key}ref") not in (None, "pixel") else at + float(note.get(f"a{key}") or 0)
            for key, at in (("x", x), ("y", y))
        ]  # fmt: skip
        drawn = _arrow(tail[0], tail[1], x, y, note.get("arrowcolor") or "currentColor")
        x, y = tail
    x, y = x + float(note.get("xshift") or 0), y - float(note.get("yshift") or 0)
    across, above = note.get("xanchor") or "auto", note.get("yanchor") or "auto"
    if across == "auto":
        across = "center"
        if note.get("xref") == "paper":
            across = "left" if note["x"] < 1 / 3 else "right" if note["x"] > 2 / 3 else "center"
    if above == "auto":
        above = "middle"
        if note.get("yref") == "paper":
            above = "bottom" if note["y"] < 1 / 3 else "top" if note["y"] > 2 / 3 else "middle"
    return drawn + text.draw(
        x, y, anchor=_ACROSS[across], above=_ABOVE[above], color=font.get("color") or "",
        angle=float(note.get("textangle") or 0),
    )  # fmt: skip


def _arrow(x0: float, y0: float, x1: float, y1: float, color: str) -> str:
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-6)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    wings = "".join(
        f"M{number(x1)},{number(y1)}L{number(x1 - 8 * dx + side * 4 * dy)},{number(y1 - 8 * dy - side * 4 * dx)}"
        for side in (1, -1)
    )
    path = f"M{number(x0)},{number(y0)}L{number(x1)},{number(y1)}{wings}"
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
