"""Texts of a figure as SVG: Plotly's markup, lines, and about how much room they take."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

SIZE = 12.0
"""Pixels of a text of which nothing else is said."""

LINE = 1.3
"""Height of a line, as a multiple of its size."""

_ASCENT = 0.98  # from the top of a line to what letters stand on
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]/ -·"), frozenset("mwMWQO@%…—→←∞")


def number(value: float) -> str:
    """Write a coordinate: a tenth of a pixel is enough."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a line that looks alike."""

    text: str
    size: float
    is_bold: bool = False
    is_italic: bool = False
    color: str = ""

    @property
    def width(self) -> float:
        """About how wide it is: as of fonts without serifs, rather too much than too little."""
        em = sum(0.38 if char in _NARROW else 0.92 if char in _WIDE else 0.7 if char.isupper() else 0.62
                 for char in self.text)  # fmt: skip
        return em * self.size * (1.06 if self.is_bold else 1.0)


class _Markup(HTMLParser):
    """Reads what Plotly takes for markup: ``<b>``, ``<i>``, ``<br>``, ``<span style>`` and entities."""

    def __init__(self, text: str, size: float) -> None:
        super().__init__()
        self.lines: list[list[Piece]] = [[]]
        self._styles = [Piece("", size)]
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        style = self._styles[-1]
        if tag == "br":
            self.lines.append([])
            return
        said = dict(attrs).get("style") or ""
        size, color = re.search(r"font-size:\s*([\d.]+)px", said), re.search(r"(?<!-)color:\s*([^;]+)", said)
        self._styles.append(
            replace(
                style,
                size=float(size[1]) if size else style.size,
                color=color[1].strip() if color else style.color,
                is_bold=style.is_bold or tag == "b" or "font-weight: bold" in said,
                is_italic=style.is_italic or tag == "i",
            )
        )

    def handle_endtag(self, tag: str) -> None:
        if tag != "br" and len(self._styles) > 1:
            self._styles.pop()

    def handle_data(self, data: str) -> None:
        self.lines[-1].append(replace(self._styles[-1], text=data))


@dataclass(frozen=True, slots=True)
class Text:
    """A text in lines, ready to be placed."""

    markup: str
    size: float = SIZE
    lines: list[list[Piece]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", _Markup(self.markup, self.size).lines if self.markup else [])

    @property
    def width(self) -> float:
        """About how wide its widest line is."""
        return max((sum(piece.width for piece in line) for line in self.lines), default=0.0)

    @property
    def height(self) -> float:
        """How high all lines are."""
        return sum(map(self._height_of, self.lines))

    def _height_of(self, line: list[Piece]) -> float:
        return LINE * max((piece.size for piece in line), default=self.size)

    def draw(
        self, x: float, y: float, *, anchor: str = "middle", above: float = 0.0, color: str = "", angle: float = 0.0
    ) -> str:
        """Place it at a point: `anchor` is start, middle or end; `above` is the part of its height that is above."""
        if not self.markup:
            return ""
        top, drawn = y - above * self.height, []
        turned = f' transform="rotate({number(angle)} {number(x)} {number(y)})"' if angle else ""
        for line in self.lines:
            height = self._height_of(line)
            spans = "".join(map(self._span, line))
            base = top + height / LINE * _ASCENT + (height - height / LINE) / 2
            look = f' fill="{color}"' if color else ""
            if spans:
                drawn.append(
                    f'<text x="{number(x)}" y="{number(base)}" text-anchor="{anchor}"{look}{turned}'
                    f' font-size="{number(self.size)}">{spans}</text>'
                )
            top += height
        return "".join(drawn)

    def _span(self, piece: Piece) -> str:
        look = {
            "font-size": number(piece.size) if piece.size != self.size else "",
            "font-weight": "600" if piece.is_bold else "",
            "font-style": "italic" if piece.is_italic else "",
            "fill": piece.color,
        }
        said = "".join(f' {key}="{html.escape(value)}"' for key, value in look.items() if value)
        text = html.escape(piece.text, quote=False)
        return f"<tspan{said}>{text}</tspan>" if said else text
