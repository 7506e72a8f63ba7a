"""Colours, marker symbols and names that mean the same in every figure."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from types import MappingProxyType

NEUTRAL = "#8A8A8A"
"""For what belongs to no method: bounds, reference lines. Reads on white and on dark."""

DATA = "#6C7FA6"
"""For what is of the data itself, before any method: class sizes, labels of a row. Reads on white and on dark."""

GRID = "rgba(128, 128, 128, 0.25)"
"""Grid lines, on white and on dark."""


@dataclass(frozen=True, slots=True)
class MethodStyle:
    """How one method looks in every figure."""

    color: str  # hexadecimal colour
    symbol: str  # plotly marker symbol, so that colour is never the only difference

    def translucent(self, alpha: float) -> str:
        """Give the colour as a fill that shows what lies beneath it."""
        red, green, blue = (int(self.color[at : at + 2], 16) for at in (1, 3, 5))
        return f"rgba({red}, {green}, {blue}, {alpha:g})"


# The hues of Okabe and Ito, moved until each stands out 3 : 1 both on white and on Streamlit's dark #0e1117,
# and until the nearest two are as far apart as possible for full, deutan and protan colour vision. Their
# yellow and black cannot be kept: each is invisible on one of the two backgrounds.
METHOD_STYLES = MappingProxyType(
    {
        "random": MethodStyle("#85858E", "x"),
        "is": MethodStyle("#067392", "square"),
        "sois": MethodStyle("#3995FF", "diamond"),
        "ss": MethodStyle("#1CA95E", "triangle-up"),
        "pmbsrs": MethodStyle("#CA64CE", "pentagon"),
        "optisplit": MethodStyle("#C9800E", "hexagram"),
        "optisplit-sa": MethodStyle("#B14700", "circle"),
        "skml-is": MethodStyle("#334AFF", "cross"),
        "skml-sois": MethodStyle("#962EC8", "star"),
        "iterstrat": MethodStyle("#BB276B", "triangle-down"),
    }
)
"""The style of each method, by its key."""

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
    (1.0, "rgba(47, 120, 200, 1)"),
)
"""Plotly colour scale for parts of a whole, from the page's own colour (none) to blue: on white and on dark."""


def method_style(key: str) -> MethodStyle:
    """Look up how a method is drawn.

    - A known key always has the same style, whatever else is drawn with it.
    - An unknown key has a style of its own palette, the same one in every run and on every machine.
    """
    known = METHOD_STYLES.get(key)
    if known is not None:
        return known
    number = zlib.crc32(key.encode())  # hash() differs from run to run
    row, column = divmod(number, len(_OTHER_COLORS))
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
