"""How charts behave, the same on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.ui import keys

if TYPE_CHECKING:
    import pandas as pd


FORMATS = ("SVG", "PNG")


def choose_format() -> None:
    """Ask, for all charts of the session, what their camera saves."""
    st.radio(  # not a segmented control: in the sidebar its colours have too little contrast
        "Charts save as", FORMATS, horizontal=True, key=keys.CHART_FORMAT, persist_state="session",
        help="What the camera above a chart saves: SVG stays sharp at any size, PNG is a picture twice as large as on "
        "the screen.",
    )  # fmt: skip


def chart_config(name: str) -> dict[str, Any]:
    """Give the settings of a chart: no logo, and a camera that saves it in the format chosen for the session.

    Parameters
    ----------
    name : str
        What the saved file is called.

    Returns
    -------
    dict
        Plotly's ``config``.
    """
    kind = str(st.session_state.get(keys.CHART_FORMAT) or FORMATS[0]).lower()
    scale = 2 if kind == "png" else 1
    return {
        "displaylogo": False,
        "toImageButtonOptions": {"format": kind, "filename": f"optisplit-{name}", "scale": scale},
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


def chart_with_table(figure: Any, name: str, *, alt: str, table: pd.DataFrame, stem: str) -> None:
    """Draw a chart, and under it its numbers as a table, to read and to take away.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        The chart.
    name : str
        Short name of it, such as ``class-sizes``: for files and keys.
    alt : str
        What it shows, in words.
    table : DataFrame
        Its numbers.
    stem : str
        What the names of files begin with.
    """
    key = name.replace("-", "_")
    st.plotly_chart(figure, key=key, alt=alt, config=chart_config(name))
    with st.expander("The data as a table", key=f"{key}_data"):
        st.dataframe(table, hide_index=True, key=f"{key}_table", alt=alt)
        st.download_button(
            "CSV", lambda: table.to_csv(index=False), f"{stem}_{name}.csv", "text/csv", key=f"{key}_csv",
            icon=":material/download:", on_click="ignore",
        )  # fmt: skip
