"""Pages of plain HTML that need nothing else, not even a script: style, tables, and figures as SVG."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from optisplit.plots.svg import to_svg
from optisplit.text import html_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import plotly.graph_objects as go

    from optisplit.text import Cell

STYLE = """
:root { color-scheme: light dark; --line: #8885; }
body { font: 16px/1.5 "Source Sans 3", "Source Sans Pro", "Source Sans", system-ui, -apple-system, "Segoe UI", Roboto,
       "Helvetica Neue", Arial, sans-serif; margin: 0 auto; max-width: 1000px; padding: 1rem 1.5rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; } h2 { font-size: 1.4rem; margin: 2.5rem 0 .5rem; } p { margin: .5rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .4rem .6rem 0; text-align: right; vertical-align: top; white-space: nowrap; }
thead th { border-bottom: 1px solid var(--line); vertical-align: bottom; }
tbody th { font-weight: inherit; }
th:first-child { text-align: left; }
.left { text-align: left; white-space: normal; min-width: 8rem; }
.note td { border-bottom: 1px solid var(--line); font-size: 13px; opacity: .8; padding: 0 .6rem .4rem; text-align: left;
           white-space: normal; }
small { opacity: .75; }
figure { margin: 0; } figcaption { font-size: 14px; opacity: .8; }
summary { cursor: pointer; }
@media print {
  :root { color-scheme: light; } body { font-size: 11pt; max-width: none; padding: 0; }
  .wide { overflow: visible; } figure, tr, .verdict { break-inside: avoid; } h2, h3 { break-after: avoid; }
}
"""
"""What all pages look like: as the app, whose letters they have where they are installed; light or dark as chosen."""


@dataclass
class Page:
    """A page in the making."""

    title: str  # its title
    style: str = ""  # what is to be added to :data:`STYLE`
    parts: list[str] = field(default_factory=list)  # pieces of HTML, in order

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

    def figure(self, figure: go.Figure, title: str, alt_text: str) -> None:
        """Add a figure, and below it, when asked for, what it shows in words."""
        self.add(
            f"<figure><div class='wide'>{to_svg(figure, title, alt_text)}</div>"
            f"<figcaption><details><summary>In words</summary>{html.escape(alt_text)}</details></figcaption></figure>"
        )

    def html(self) -> str:
        """Give the whole page."""
        head = [
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{html.escape(self.title)}</title>",
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            f"<style>{STYLE}{self.style}</style></head><body><h1>{html.escape(self.title)}</h1>",
        ]
        return "\n".join([*head, *self.parts, "</body></html>"])
