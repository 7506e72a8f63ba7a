"""Tables that may be long: searched on the page, whole in the file; and charts with their data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.ui.charts import chart_config

if TYPE_CHECKING:
    import pandas as pd

MOST_SHOWN = 300
"""Lines of a table on the page; files have them all."""


def long_table(
    table: pd.DataFrame, name: str, *, alt: str, stem: str, by: str = "label", config: dict[str, Any] | None = None
) -> None:
    """Show a table with a search where it is long, and the whole of it as a file.

    Parameters
    ----------
    table : DataFrame
        The table.
    name : str
        Short name of it, for files and keys.
    alt : str
        What it is, in words.
    stem : str
        What the names of files begin with.
    by : str, default="label"
        The column that is searched.
    config : dict, optional
        Titles and forms of its columns.
    """
    key = f"check_{name.replace('-', '_')}"
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


def chart(figure: Any, name: str, *, alt: str, table: pd.DataFrame, stem: str, by: str = "label") -> None:
    """Draw a chart, and under it its numbers.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        The chart.
    name : str
        Short name of it, for files and keys.
    alt : str
        What it shows, in words.
    table : DataFrame
        Its numbers.
    stem : str
        What the names of files begin with.
    by : str, default="label"
        The column of the table that is searched.
    """
    key = f"check_{name.replace('-', '_')}"
    st.plotly_chart(figure, key=f"{key}_chart", alt=alt, config=chart_config(name))
    with st.expander("The data as a table", key=f"{key}_data"):
        long_table(table, f"{name}-data", alt=alt, stem=stem, by=by)
