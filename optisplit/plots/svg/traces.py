"""What a figure draws on its axes: points and lines, bars, and maps of cells."""

from __future__ import annotations

import math
import re
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.plots.svg.axes import is_words
from optisplit.plots.svg.colors import color_at, ink_on
from optisplit.plots.svg.symbols import is_open, is_stroke, mark
from optisplit.plots.svg.texts import SIZE, Text, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optisplit.plots.svg.axes import Axis

Trace = dict[str, Any]

DASHES = {"dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "11 5"}

_GREY = "#888888"


def values_of(trace: Trace, axis: str) -> list[Any]:
    """Give a trace's values on an axis, numbers in their order where it has none."""
    values = trace.get(axis)
    if values is not None:
        return list(values)
    other = trace.get("z") if trace["type"] == "heatmap" else trace.get("y" if axis == "x" else "x")
    if trace["type"] == "heatmap" and axis == "x" and other is not None and len(other):
        other = other[0]
    return list(range(len(other))) if other is not None else []


def reach_of(trace: Trace, axis: Axis) -> Iterator[tuple[float, float, bool]]:
    """Say from where to where a trace goes along an axis, and whether it is marks."""
    letter = "x" if axis.is_x else "y"
    units = axis.unit(values_of(trace, letter))
    if trace["type"] == "heatmap":
        edges = _edges(units, len(trace["z"][0]) if axis.is_x else len(trace["z"])) if len(units) else units
        yield from [(float(edges.min()), float(edges.max()), False)] if len(edges) else []
        return
    is_bar = trace["type"] == "bar"
    if is_bar and (trace.get("orientation") == "h") == axis.is_x:
        bases = axis.unit(_each(trace.get("base"), 0.0, len(units)))
        lengths = np.nan_to_num(units)
        units = np.concatenate([bases, lengths if axis.is_log else bases + lengths])
    elif is_bar and not axis.categories:
        widths = np.array(_each(trace.get("width"), 0.8, len(units)), dtype=np.float64) / 2
        raw = np.array(values_of(trace, letter), dtype=np.float64)
        units = axis.unit(np.concatenate([raw - widths, raw + widths]))
    elif (trace.get(f"error_{letter}") or {}).get("array") is not None:
        more, less = _errors(trace[f"error_{letter}"])
        units = np.concatenate([units + more, units - less])
    known = units[np.isfinite(units)]
    if len(known):
        yield float(known.min()), float(known.max()), "markers" in mode_of(trace) and not is_bar


def mode_of(trace: Trace) -> str:
    """Say what of a trace is drawn."""
    return str(trace.get("mode") or ("lines+markers" if trace["type"].startswith("scatter") else ""))


def draw(trace: Trace, x: Axis, y: Axis, before: list[Trace]) -> str:
    """Draw one trace; `before` are those on the same axes that came before it."""
    kinds: dict[str, Callable[[Trace, Axis, Axis, list[Trace]], str]] = {
        "scatter": _scatter, "scattergl": _scatter, "bar": _bars, "heatmap": _cells,
    }  # fmt: skip
    return kinds[trace["type"]](trace, x, y, before)


def _each(given: Any, default: Any, count: int) -> list[Any]:
    """Give one value for each of many, of one for all or of a list."""
    if given is None:
        return [default] * count
    if isinstance(given, str) or not hasattr(given, "__len__"):
        return [given] * count
    return list(islice(cycle(given), count))


def stroke(line: dict[str, Any], color: str = _GREY) -> str:
    """Say what a line looks like."""
    dash = DASHES.get(line.get("dash") or "")
    look = f' stroke="{line.get("color") or color}" stroke-width="{number(float(line.get("width") or 2))}"'
    return look + (f' stroke-dasharray="{dash}"' if dash else "")


def _errors(spec: dict[str, Any]) -> tuple[Any, Any]:
    more = np.asarray(spec["array"], dtype=np.float64)
    less = spec.get("arrayminus")
    return more, more if less is None else np.asarray(less, dtype=np.float64)


# points and lines


def _scatter(trace: Trace, x: Axis, y: Axis, before: list[Trace]) -> str:
    xs, ys = x.at(values_of(trace, "x")), y.at(values_of(trace, "y"))
    mode = mode_of(trace)
    pieces = [_filled(trace, xs, ys, x, y, before)]
    width = (trace.get("line") or {}).get("width")
    if "lines" in mode and width != 0:
        look = stroke(trace.get("line") or {}, _color_of(trace))
        pieces.append(f'<path d="{_path(xs, ys, (trace.get("line") or {}).get("shape"))}" fill="none"{look}/>')
    pieces += _error_bars(trace, x, y)
    if "markers" in mode:
        pieces += _marks(trace, xs, ys)
    if "text" in mode:
        pieces += _texts(trace, xs, ys)
    drawn = "".join(pieces)
    opacity = trace.get("opacity")
    return drawn if opacity is None or opacity == 1 else f'<g opacity="{opacity:g}">{drawn}</g>'


def _path(xs: Any, ys: Any, shape: str | None = None) -> str:
    """Go from point to point, and begin anew after what is missing."""
    steps, is_pen_down, last = [], False, (0.0, 0.0)
    for place in zip(xs.tolist(), ys.tolist(), strict=True):
        if not (math.isfinite(place[0]) and math.isfinite(place[1])):
            is_pen_down = False
            continue
        if is_pen_down and shape in ("hv", "vh"):
            corner = (place[0], last[1]) if shape == "hv" else (last[0], place[1])
            steps.append(f"L{number(corner[0])},{number(corner[1])}")
        steps.append(f"{'L' if is_pen_down else 'M'}{number(place[0])},{number(place[1])}")
        is_pen_down, last = True, place
    return "".join(steps)


def _filled(trace: Trace, xs: Any, ys: Any, x: Axis, y: Axis, before: list[Trace]) -> str:
    kind = trace.get("fill")
    if kind in (None, "none") or not len(xs):
        return ""
    if kind in ("tonexty", "tonextx") and before:
        other = before[-1]
        xs = np.concatenate([xs, x.at(values_of(other, "x"))[::-1]])
        ys = np.concatenate([ys, y.at(values_of(other, "y"))[::-1]])
    elif kind == "tozeroy":
        zero = float(y.at_unit(max(min(y.low, y.high), 0.0)))
        xs, ys = np.concatenate([xs, xs[[-1, 0]]]), np.concatenate([ys, [zero, zero]])
    return f'<path d="{_path(xs, ys)}z" fill="{trace.get("fillcolor") or _color_of(trace)}"/>'


def _color_of(trace: Trace) -> str:
    """Give the one colour of a trace."""
    for part in ("line", "marker"):
        color = (trace.get(part) or {}).get("color")
        if isinstance(color, str):
            return color
    return _GREY


def _error_bars(trace: Trace, x: Axis, y: Axis) -> Iterator[str]:
    for letter, axis, other in (("x", x, y), ("y", y, x)):
        spec = trace.get(f"error_{letter}") or {}
        if spec.get("array") is None:
            continue
        middle, across = np.asarray(values_of(trace, letter), float), other.at(values_of(trace, other.name[0]))
        more, less = _errors(spec)
        look = stroke({"color": spec.get("color"), "width": spec.get("thickness") or 2}, _color_of(trace))
        half = float(spec.get("width") or 4)
        for low, high, at in zip(axis.at(middle - less), axis.at(middle + more), across, strict=True):
            ends = [(low, at - half, at + half), (high, at - half, at + half)]
            bars = [((low, at), (high, at)), *(((end, a), (end, b)) for end, a, b in ends)]
            points = [[p if letter == "x" else p[::-1] for p in bar] for bar in bars]
            path = "".join(f"M{number(a[0])},{number(a[1])}L{number(b[0])},{number(b[1])}" for a, b in points)
            yield f'<path d="{path}" fill="none"{look}/>'


def _marks(trace: Trace, xs: Any, ys: Any) -> Iterator[str]:
    """Draw the points, those that look alike together."""
    marker = trace.get("marker") or {}
    line = marker.get("line") or {}
    n = len(xs)
    looks = zip(
        _each(marker.get("symbol"), "circle", n), _colors(marker, _color_of(trace), n),
        _each(marker.get("size"), 6, n), _each(marker.get("opacity"), 1, n),
        _each(line.get("color"), "", n), _each(line.get("width"), 0, n), strict=True,
    )  # fmt: skip
    opened = ""
    for at, (symbol, color, size, opacity, edge, width) in enumerate(looks):
        if not (math.isfinite(xs[at]) and math.isfinite(ys[at])):
            continue
        if is_open(symbol):
            look = f'fill="none" stroke="{(edge if is_stroke(symbol) else color) or color}"'
            look += f' stroke-width="{number(width or 1)}"'
        else:
            look = f'fill="{color}"' + (f' stroke="{edge or color}" stroke-width="{number(width)}"' if width else "")
        look += f' opacity="{opacity:g}"' if opacity != 1 else ""
        if look != opened:
            yield f"{'</g>' if opened else ''}<g {look}>"
            opened = look
        yield mark(symbol, float(xs[at]), float(ys[at]), float(size) / 2)
    if opened:
        yield "</g>"


def _colors(marker: dict[str, Any], color: str, count: int) -> list[str]:
    given = _each(marker.get("color"), color, count)
    if is_words(given) or not given:
        return given
    numbers = np.asarray(given, dtype=np.float64)
    low, high = marker.get("cmin"), marker.get("cmax")
    low, high = numbers.min() if low is None else low, numbers.max() if high is None else high
    return [color_at(marker.get("colorscale"), (each - low) / ((high - low) or 1)) for each in numbers]


_SIDES = {"left": ("end", -1), "right": ("start", 1), "center": ("middle", 0)}


def _texts(trace: Trace, xs: Any, ys: Any) -> Iterator[str]:
    font = trace.get("textfont") or {}
    sizes = _each((trace.get("marker") or {}).get("size"), 6, len(xs))
    texts = _each(trace.get("text"), "", len(xs))
    places = _each(trace.get("textposition"), "middle center", len(xs))
    colors = _each(font.get("color"), "", len(xs))
    has_marks = "markers" in mode_of(trace)
    for x, y, text, place, size, color in zip(xs, ys, texts, places, sizes, colors, strict=True):
        if not (math.isfinite(x) and math.isfinite(y)) or not text:
            continue
        upright, _, side = place.partition(" ")
        anchor, sign = _SIDES[side or "center"]
        away = float(size) / 2 + 2 if has_marks else 2.0
        above, dy = {"top": (1.0, -away), "bottom": (0.0, away)}.get(upright, (0.5, 0.0))
        yield Text(str(text), font.get("size") or SIZE).draw(
            x + sign * away, y + dy, anchor=anchor, above=above, color=color or ""
        )


# bars


def _bars(trace: Trace, x: Axis, y: Axis, _: list[Trace]) -> str:
    is_flat = trace.get("orientation") == "h"
    along, across = (x, y) if is_flat else (y, x)
    lengths = values_of(trace, along.name[0])
    places = values_of(trace, across.name[0])
    n = len(lengths)
    bases, widths = _each(trace.get("base"), 0.0, n), _each(trace.get("width"), 0.8, n)
    marker = trace.get("marker") or {}
    colors, opacities = _colors(marker, _GREY, n), _each(marker.get("opacity"), 1, n)
    texts = _each(trace.get("text"), "", n)
    drawn = []
    for at in range(n):
        if lengths[at] is None or not math.isfinite(lengths[at]):
            continue
        first, last = along.at_one(bases[at]), along.at_one(bases[at] + lengths[at])
        if not math.isfinite(first):  # 0 on a logarithmic axis
            first = along.start
        if across.categories or not across.is_log:
            middle = across.unit([places[at]])[0] + float(trace.get("offset") or 0)
            sides = across.at_unit([middle - widths[at] / 2, middle + widths[at] / 2])
        else:
            sides = across.at([places[at] - widths[at] / 2, places[at] + widths[at] / 2])
        box = (first, last, *sorted(map(float, sides)))
        opacity = f' opacity="{opacities[at]:g}"' if opacities[at] != 1 else ""
        drawn.append(f'<path d="{_box(*(box if is_flat else (*box[2:], *box[:2])))}" fill="{colors[at]}"{opacity}/>')
        if texts[at] and trace.get("textposition") != "none":
            drawn.append(_bar_text(trace, str(texts[at]), box, is_flat=is_flat))
    return "".join(drawn)


def _bar_text(trace: Trace, text: str, box: tuple[float, ...], *, is_flat: bool) -> str:
    first, last, *sides = box
    middle, is_inside = sum(sides) / 2, trace.get("textposition") in ("inside", "auto", None)
    written = Text(text, (trace.get("textfont") or {}).get("size") or SIZE)
    color = (trace.get("textfont") or {}).get("color") or ""
    sign = 1 if last >= first else -1
    if is_inside:
        place = (first + last) / 2
        return written.draw(*((place, middle) if is_flat else (middle, place)), above=0.5, color=color)
    if is_flat:
        return written.draw(last + 4 * sign, middle, anchor="start" if sign > 0 else "end", above=0.5, color=color)
    return written.draw(middle, last + 3 * sign, above=1.0 if sign < 0 else 0.0, color=color)


def _box(left: float, right: float, top: float, bottom: float) -> str:
    return f"M{number(left)},{number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"


# maps


def _cells(trace: Trace, x: Axis, y: Axis, _: list[Trace]) -> str:
    z = trace["z"]
    if not len(z):
        return ""
    columns = x.at_unit(_edges(x.unit(values_of(trace, "x")), len(z[0])))
    rows = y.at_unit(_edges(y.unit(values_of(trace, "y")), len(z)))
    gaps = float(trace.get("xgap") or 0) / 2, float(trace.get("ygap") or 0) / 2
    low, high = float(trace["zmin"]), float(trace["zmax"])
    drawn = []
    for row, line in enumerate(z):
        top, bottom = sorted((float(rows[row]), float(rows[row + 1])))
        for column, value in enumerate(line):
            if value is None or not math.isfinite(value):
                continue
            left, right = sorted((float(columns[column]), float(columns[column + 1])))
            color = color_at(trace["colorscale"], (float(value) - low) / ((high - low) or 1))
            box = _box(left + gaps[0], right - gaps[0], top + gaps[1], bottom - gaps[1])
            drawn.append(f'<path d="{box}" fill="{color}"/>')
            text = _cell_text(trace, row, column)
            if text:
                ink = ink_on(color)
                written = Text(text, (trace.get("textfont") or {}).get("size") or SIZE)
                drawn.append(written.draw((left + right) / 2, (top + bottom) / 2, above=0.5, color=ink))
    return "".join(drawn)


def _edges(units: Any, count: int) -> Any:
    """Give the edges of cells, whose middles or edges are given."""
    if len(units) == count + 1:
        return units
    if count == 1:
        return np.array([units[0] - 0.5, units[0] + 0.5])
    middles = (units[1:] + units[:-1]) / 2
    return np.concatenate([[2 * units[0] - middles[0]], middles, [2 * units[-1] - middles[-1]]])


def _cell_text(trace: Trace, row: int, column: int) -> str:
    template = trace.get("texttemplate")
    if not template:
        return ""
    found = {key: trace[key][row][column] for key in ("text", "z") if trace.get(key) is not None}
    return re.sub(
        r"%\{(\w+)(?::([^}]*))?\}",
        lambda each: format(found.get(each[1], ""), (each[2] or "").replace("~", "")),
        template,
    )
