"""Figures that stay when a notebook is exported: Plotly's where its program is, SVG everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from optisplit.plots.svg import to_svg

if TYPE_CHECKING:
    from optisplit.plots.kinds import Drawing


class ShownFigure(go.Figure):
    """A Plotly figure that also has itself as SVG, for where no script runs."""

    _ipython_display_ = None  # Plotly's own would send the program alone

    @classmethod
    def of(cls, drawing: Drawing) -> ShownFigure:
        """Make one of a drawing."""
        figure = cls(drawing.figure)
        figure.update_layout(meta={"title": drawing.title, "alt_text": drawing.alt_text})
        return figure

    def __repr__(self) -> str:
        return f"Figure: {(self.layout.meta or {}).get('title', '')}"  # Plotly's is all of its numbers

    @property
    def svg(self) -> str:
        """The figure as SVG."""
        meta = self.layout.meta or {}
        return to_svg(self, meta.get("title", ""), meta.get("alt_text", ""))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **more: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(include, exclude, **more)
        return {"text/html": f'<div style="overflow-x:auto">{self.svg}</div>'} | bundle

    def _repr_html_(self) -> str:
        html: str = self._repr_mimebundle_()["text/html"]
        return html
