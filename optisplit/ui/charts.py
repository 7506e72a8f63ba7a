"""How charts and long tables behave, the same on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.ui import keys

if TYPE_CHECKING:
    import pandas as pd


FORMATS = ("SVG", "PNG")

MOST_SHOWN = 300
"""Lines of a table on the page; files have them all."""


def choose_format() -> None:
    """Ask, for all charts of the session, what their camera saves."""
    st.radio(  # not a segmented control: in the sidebar its colours have too little contrast
        "Charts save as", FORMATS, horizontal=True, key=keys.CHART_FORMAT, persist_state="session",
        help="What the camera above a chart saves: SVG stays sharp at any size, PNG is a picture twice as large as on "
        "the screen.",
    )  # fmt: skip


def chart_config(name: str) -> dict[str, Any]:
    """Give the settings of a chart: no logo, and a camera that saves it in the format chosen for the session."""
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


def long_table(
    table: pd.DataFrame, name: str, *, alt: str, stem: str, by: str = "label", config: dict[str, Any] | None = None
) -> None:
    """Show a table with a search where it is long, and the whole of it as a file."""
    key = name.replace("-", "_")
    found = table
    if len(table) > MOST_SHOWN:
        wanted = st.text_input(
            "Find", type="search", key=f"{key}_search", live=True, placeholder=f"A part of the {by.replace('_', ' ')}"
        )
        if wanted:
            found = table[table[by].astype(str).str.contains(wanted, case=False, regex=False)]
        if len(found) > MOST_SHOWN:
            first = f"The first {MOST_SHOWN} of {len(found):,} are shown"
            st.caption(f"{first}; the search goes through all of them, and the file has them all.")
    st.dataframe(
        found.head(MOST_SHOWN), hide_index=True, key=f"{key}_table", alt=alt, column_config=config,
    )  # fmt: skip
    st.download_button(
        "All as CSV", lambda: table.to_csv(index=False), f"{stem}_{name}.csv", "text/csv", key=f"{key}_csv",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def chart_with_table(figure: Any, name: str, *, alt: str, table: pd.DataFrame, stem: str, by: str = "label") -> None:
    """Draw a chart, and under it its numbers as a table, to read and to take away."""
    key = name.replace("-", "_")
    st.plotly_chart(figure, key=f"{key}_chart", alt=alt, config=chart_config(name))
    with st.expander("The data as a table", key=f"{key}_data"):
        long_table(table, f"{name}-data", alt=alt, stem=stem, by=by)
