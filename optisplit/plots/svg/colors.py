"""Colours at a part of a scale, and what can be read on them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any


def color_at(scale: Any, part: float) -> str:
    """Give the colour at a part of a scale; the colours at its ends go on beyond them."""
    stops = [(float(at), _channels(color)) for at, color in scale]
    part = min(max(part, stops[0][0]), stops[-1][0])
    for (low, first), (high, second) in pairwise(stops):
        if part <= high:
            share = (part - low) / ((high - low) or 1)
            mixed = [a + share * (b - a) for a, b in zip(first, second, strict=True)]
            break
    else:
        mixed = list(stops[-1][1])
    red, green, blue = (round(each) for each in mixed[:3])
    if mixed[3] < 1:
        return f"rgba({red},{green},{blue},{mixed[3]:.2g})"
    return f"#{red:02x}{green:02x}{blue:02x}"


def _channels(color: str) -> tuple[float, float, float, float]:
    if color.startswith("#"):
        red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
        return float(red), float(green), float(blue), 1.0
    found = [float(each) for each in re.findall(r"[\d.]+", color)]
    return found[0], found[1], found[2], found[3] if len(found) > 3 else 1.0


def ink_on(color: str) -> str:
    """Choose what can be read on a colour; on one that shows the page, the page's own."""
    red, green, blue, alpha = _channels(color)
    if alpha < 0.5:
        return ""
    return "#111111" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
