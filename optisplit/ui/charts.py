"""How charts behave, the same on every page."""

from __future__ import annotations

from typing import Any


def chart_config(name: str) -> dict[str, Any]:
    """Give the settings of a chart: no logo, and a camera that saves it as SVG.

    Parameters
    ----------
    name : str
        What the saved file is called.

    Returns
    -------
    dict
        Plotly's ``config``.
    """
    return {
        "displaylogo": False,
        "toImageButtonOptions": {"format": "svg", "filename": f"optisplit-{name}"},
        # the camera alone: more would lie over the legend
        "modeBarButtonsToRemove": [
            "select2d",
            "lasso2d",
            "zoom2d",
            "pan2d",
            "zoomIn2d",
            "zoomOut2d",
            "autoScale2d",
            "resetScale2d",
        ],
    }
