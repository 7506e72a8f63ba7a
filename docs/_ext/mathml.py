"""Formulas as MathML, written while the pages are built: browsers draw it without a script or a request."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert


def _visit(display: str) -> Any:
    def visit(self: Any, node: nodes.Element) -> None:
        formula = convert(node.astext(), display=display)
        self.body.append(formula if display == "inline" else f'<div class="formula">{formula}</div>')
        raise nodes.SkipNode

    return visit


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of the renderer."""
    app.add_html_math_renderer("mathml", (_visit("inline"), None), (_visit("block"), None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
