"""Pages of plain HTML that need nothing else: style, tables, and figures with the program that draws them."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from optisplit.text import html_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from optisplit.text import Cell

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1200px; padding: 1rem 1.5rem 4rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; width: 100%; }
th, td { padding: .4rem .6rem 0; text-align: right; vertical-align: top; white-space: nowrap; }
thead th { vertical-align: bottom; }
tbody th { font-weight: inherit; }
th:first-child { text-align: left; }
.left { text-align: left; white-space: normal; min-width: 8rem; }
.note td { border-bottom: 1px solid #8884; font-size: 13px; opacity: .8; padding: 0 .6rem .4rem; text-align: left;
           white-space: normal; }
small { opacity: .75; }
"""
"""What all pages look like; follows the reader's choice of light or dark."""

ON_BOTH = "#7F7F88"
"""Colour of a figure's text that reads on a light and on a dark page alike."""


@dataclass
class Page:
    """A page in the making."""

    title: str  # its title
    style: str = ""  # what is to be added to :data:`STYLE`
    parts: list[str] = field(default_factory=list)  # pieces of HTML, in order
    _has_program: bool = field(default=False, init=False, repr=False)

    def heading(self, text: str, level: int = 2) -> None:
        """Add a heading."""
        self.parts.append(f"<h{level}>{html.escape(text)}</h{level}>")

    def text(self, text: str, css_class: str = "") -> None:
        """Add a paragraph."""
        chosen = f" class='{css_class}'" if css_class else ""
        self.parts.append(f"<p{chosen}>{html.escape(text)}</p>")

    def add(self, piece: str) -> None:
        """Add a piece of HTML."""
        self.parts.append(piece)

    def table(
        self, head: Sequence[str], lines: Iterable[Sequence[Cell]], *, left: Collection[int] = (),
        notes: Iterable[str] = (),
    ) -> None:  # fmt: skip
        """Add a table that can be scrolled sideways; the columns `left` are of words, and notes stand below lines."""
        self.add(f"<div class='wide'>{html_table('', head, lines, left=left, notes=notes)}</div>")

    def figure(self, figure: Any, alt_text: str) -> None:
        """Add a figure, and below it what it shows in words; the first brings the program that draws them all."""
        with_program = not self._has_program
        self._has_program = True
        drawn = for_page(figure).to_html(
            include_plotlyjs=with_program, full_html=False, config={"displaylogo": False, "responsive": True}
        )
        self.parts += [drawn, f"<p>{html.escape(alt_text)}</p>"]

    def html(self) -> str:
        """Give the whole page."""
        head = [
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{html.escape(self.title)}</title>",
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            f"<style>{STYLE}{self.style}</style></head><body><h1>{html.escape(self.title)}</h1>",
        ]
        return "\n".join([*head, *self.parts, "</body></html>"])


def for_page(figure: Any) -> Any:
    """Give a figure colours that read on a light and on a dark page alike."""
    figure.update_layout(font={"color": ON_BOTH})
    return figure
