"""Marks of points: Plotly's symbols as paths."""

from __future__ import annotations

import math

from optisplit.plots.svg.texts import number


def _star(n_points: int, outer: float, inner: float, turn: float = 0.0) -> tuple[tuple[float, float], ...]:
    angles = [math.pi * at / n_points + turn for at in range(2 * n_points)]
    return tuple(
        ((inner if at % 2 else outer) * math.sin(angle), -(inner if at % 2 else outer) * math.cos(angle))
        for at, angle in enumerate(angles)
    )


def _regular(n_corners: int, turn: float = 0.0) -> tuple[tuple[float, float], ...]:
    return tuple(
        (math.sin(2 * math.pi * at / n_corners + turn), -math.cos(2 * math.pi * at / n_corners + turn))
        for at in range(n_corners)
    )


def _turned(corners: tuple[tuple[float, float], ...], degrees: float) -> tuple[tuple[float, float], ...]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tuple((x * cos - y * sin, x * sin + y * cos) for x, y in corners)


_ARM, _REACH = 0.4, 1.2
_CROSS = (
    (_REACH, _ARM), (_ARM, _ARM), (_ARM, _REACH), (-_ARM, _REACH), (-_ARM, _ARM), (-_REACH, _ARM), (-_REACH, -_ARM),
    (-_ARM, -_ARM), (-_ARM, -_REACH), (_ARM, -_REACH), (_ARM, -_ARM), (_REACH, -_ARM),
)  # fmt: skip
_TRIANGLE = ((-1.155, 0.5), (1.155, 0.5), (0.0, -1.0))

_SHAPES: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "diamond-wide": ((0, -0.8), (1.3, 0), (0, 0.8), (-1.3, 0)),
    "diamond-tall": ((0, -1.4), (0.7, 0), (0, 1.4), (-0.7, 0)),
    "cross": _CROSS,
    "x": _turned(_CROSS, 45),
    "triangle-up": _TRIANGLE,
    "triangle-down": _turned(_TRIANGLE, 180),
    "triangle-left": _turned(_TRIANGLE, -90),
    "triangle-right": _turned(_TRIANGLE, 90),
    "pentagon": _regular(5),
    "hexagon": _regular(6),
    "hexagon2": _regular(6, math.pi / 6),
    "octagon": _regular(8, math.pi / 8),
    "star": _star(5, 1.4, 0.535),
    "hexagram": _star(6, 1.3, 0.75),
    "star-square": _star(4, 1.55, 0.55, math.pi / 4),
    "star-diamond": _star(4, 1.4, 0.6),
    "hourglass": ((1, 1), (-1, 1), (1, -1), (-1, -1)),
    "bowtie": ((1, 1), (1, -1), (-1, 1), (-1, -1)),
}
"""Corners of each filled symbol, in radii."""

_DOWN = ((0.0, -1.0), (0.0, 1.0))
_STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "line-ns": (_DOWN,),
    "line-ew": (_turned(_DOWN, 90),),
    "line-ne": (_turned(_DOWN, 45),),
    "line-nw": (_turned(_DOWN, -45),),
    "cross-thin": (_DOWN, _turned(_DOWN, 90)),
    "x-thin": (_turned(_DOWN, 45), _turned(_DOWN, -45)),
    "asterisk": tuple(_turned(_DOWN, degrees) for degrees in (0, 45, 90, -45)),
}
"""Strokes of each symbol without an inside, in radii."""


def is_open(symbol: str) -> bool:
    """Tell whether a symbol has no inside that is filled."""
    return symbol.endswith("-open") or symbol.removesuffix("-open") in _STROKES


def is_stroke(symbol: str) -> bool:
    """Tell whether a symbol is strokes alone, whose colour is that of its line."""
    return symbol in _STROKES


def mark(symbol: str, x: float, y: float, radius: float) -> str:
    """Draw one mark; what it looks like is said around it."""
    name = symbol.removesuffix("-open")
    if name in _STROKES:
        strokes = (
            " ".join(f"{'L' if at else 'M'}{_point(corner, x, y, radius)}" for at, corner in enumerate(stroke))
            for stroke in _STROKES[name]
        )
        return f'<path d="{"".join(strokes)}"/>'
    corners = _SHAPES.get(name)
    if corners is None:
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'
    return f'<path d="M{" ".join(_point(corner, x, y, radius) for corner in corners)}z"/>'


def _point(corner: tuple[float, float], x: float, y: float, radius: float) -> str:
    return f"{number(x + corner[0] * radius)},{number(y + corner[1] * radius)}"
