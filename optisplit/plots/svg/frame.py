"""The frame of a figure: its margins, and the grid, ticks and titles of its axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.plots.svg.texts import Text, number

if TYPE_CHECKING:
    from optisplit.plots.svg.axes import Axis

_TICK = 6.0
"""Pixels between an axis and what is written at its ticks."""

_PAD = 4.0


@dataclass(frozen=True, slots=True)
class Margins:
    """Pixels around what is drawn."""

    left: float
    right: float
    top: float
    bottom: float
    grown: float = 0.0  # pixels that the figure is higher than it says, for a legend in several lines


@dataclass(frozen=True, slots=True)
class Frame:
    """The figure's size, and the rectangle in which it draws."""

    width: float
    height: float
    margins: Margins

    @property
    def left(self) -> float:
        """Its left edge."""
        return self.margins.left

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.width - self.margins.right

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.margins.top

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.height - self.margins.bottom

    def place(self, axis: Axis) -> None:
        """Say to an axis where it begins and ends."""
        low, high = axis.domain
        if axis.is_x:
            axis.start, axis.end = (self.left + part * (self.right - self.left) for part in (low, high))
        else:
            axis.start, axis.end = (self.bottom - part * (self.bottom - self.top) for part in (low, high))

    def anchor_of(self, axis: Axis, axes: dict[str, Axis]) -> Axis:
        """Find the axis that this one stands at."""
        letter = "y" if axis.is_x else "x"
        named = (axis.spec.get("anchor"), letter + axis.name[1:], letter)
        return next(axes[name] for name in named if name in axes)


def margins_of(layout: dict[str, Any], axes: dict[str, Axis], legend: float) -> Margins:
    """Choose margins: those that are asked for, and more where texts need it."""
    said = layout.get("margin") or {}
    usual = {"l": 80, "r": 80, "t": 100, "b": 80}
    left, right, top, bottom = (float(usual[side] if said.get(side) is None else said[side]) for side in "lrtb")
    for axis in axes.values():
        if not axis.is_visible:
            continue
        if not axis.is_x and axis.spec.get("side") != "right":
            # its ticks are known once it has a length: take one that is about right
            axis.start, axis.end = 400.0, 0.0
            left = max(left, _across(axis) + _PAD)
        elif axis.is_x:
            axis.start, axis.end = 0.0, 600.0
            if axis.spec.get("side") == "top":
                top = max(top, _across(axis) + _PAD)
            elif axis.spec.get("showticklabels") is not False or axis.title.markup:
                bottom = max(bottom, _across(axis) + _PAD)
    grown = max(0.0, legend + _PAD - top) if legend else 0.0
    return Margins(left, max(right, 8.0), top + grown, bottom, grown)


def _across(axis: Axis) -> float:
    """Say how much room ticks and title take beside an axis."""
    texts = [Text(text, axis.label_size) for _, text in axis.ticks]
    room = max((text.height if axis.is_x else text.width for text in texts), default=0.0)
    return room + _TICK + (axis.title.height + _standoff(axis) if axis.title.markup else 0.0)


def _standoff(axis: Axis) -> float:
    return float((axis.spec.get("title") or {}).get("standoff") or 8) * 0.6


def draw_grid(axis: Axis, anchor: Axis) -> str:
    """Draw an axis' grid lines across the axis that it stands at, and that at 0 if it is to be seen."""
    color = axis.spec.get("gridcolor") or "rgba(128,128,128,.25)"
    drawn = ""
    lines = "".join(_line_at(axis, anchor, at) for at, _ in axis.ticks)
    if axis.spec.get("showgrid") is not False and lines:
        drawn = f'<path d="{lines}" fill="none" stroke="{color}"/>'
    if axis.spec.get("zeroline") and min(axis.low, axis.high) <= 0 <= max(axis.low, axis.high):
        look = (
            f'stroke="{axis.spec.get("zerolinecolor") or color}" stroke-width="{axis.spec.get("zerolinewidth") or 1}"'
        )
        drawn += f'<path d="{_line_at(axis, anchor, float(axis.at_unit(0.0)))}" fill="none" {look}/>'
    return drawn


def _line_at(axis: Axis, anchor: Axis, at: float) -> str:
    low, high = (number(end) for end in sorted((anchor.start, anchor.end)))
    return f"M{number(at)},{low}V{high}" if axis.is_x else f"M{low},{number(at)}H{high}"


def draw_axis(axis: Axis, anchor: Axis, frame: Frame) -> str:
    """Write an axis' ticks and its title."""
    is_far = axis.spec.get("side") in ("top", "right")
    low, high = sorted((anchor.start, anchor.end))
    if axis.is_x:
        edge, sign = (low, -1) if is_far else (high, 1)
    else:
        edge, sign = (high, 1) if is_far else (low, -1)
    ticks = _thinned(axis)
    drawn = []
    for at, text in ticks:
        if axis.is_x:
            drawn.append(text.draw(at, edge + sign * _TICK, above=1.0 if is_far else 0.0))
        else:
            drawn.append(text.draw(edge + sign * _TICK, at, anchor="start" if is_far else "end", above=0.5))
    title = axis.title
    if title.markup:
        room = max((text.height if axis.is_x else text.width for _, text in ticks), default=0.0)
        away, middle = _TICK + room + _standoff(axis), (axis.start + axis.end) / 2
        if axis.is_x:
            drawn.append(title.draw(middle, edge + sign * away, above=1.0 if is_far else 0.0))
        else:
            drawn.append(title.draw(edge + sign * away, middle, above=0.0 if is_far else 1.0, angle=-90))
    return "".join(drawn)


def _thinned(axis: Axis) -> list[tuple[float, Text]]:
    """Leave out what would be written over what stands beside it."""
    kept: list[tuple[float, Text]] = []
    until = -1e9
    for at, markup in sorted(axis.ticks):
        text = Text(markup, axis.label_size)
        half = (text.width if axis.is_x else text.height) / 2
        if markup and at - half >= until - (0 if axis.is_x else half):
            kept.append((at, text))
            until = at + half + (3 if axis.is_x else 0)
    return kept
