"""What a data set is, at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.labels import positives_per_label
from optisplit.samples import SAMPLES
from optisplit.ui.escape import md

if TYPE_CHECKING:
    from optisplit.ui.datasets import ChosenData


def show(chosen: ChosenData) -> None:
    """Show sizes, class sizes and notes.

    Parameters
    ----------
    chosen : ChosenData
        The data.
    """
    from optisplit.figures.class_sizes import class_sizes_alt_text, class_sizes_info, plot_class_sizes

    data = chosen.data
    info = class_sizes_info(positives_per_label(data.labels), data.n_rows)
    st.header(md(data.name), anchor=False)
    figures = {
        "Rows": f"{data.n_rows:,}",
        "Labels": f"{data.n_labels:,}",
        "Labels per row": f"{info.cardinality:.3g}",
        "Density": f"{info.density:.2%}",
        "Smallest label": f"{info.smallest:,} rows",
        "Median label": f"{info.median:,.0f} rows",
        "Largest label": f"{info.largest:,} rows",
    }
    with st.container(horizontal=True):
        for title, value in figures.items():
            st.metric(title, value, width="content")
    if chosen.key in SAMPLES:
        sample = SAMPLES[chosen.key]
        st.caption(f"{md(sample.source)}. {md(sample.licence_note)}")
    for note in data.notes:
        st.markdown(f"- {md(note)}")
    st.plotly_chart(
        plot_class_sizes(info),
        key="class_sizes",
        alt=class_sizes_alt_text(info),
        config={"displaylogo": False},
    )
    st.markdown("**All labels**")
    st.dataframe(_label_table(chosen), hide_index=True, key="labels", alt="Every label and its number of rows")


def _label_table(chosen: ChosenData) -> object:
    import pandas as pd

    sizes = positives_per_label(chosen.data.labels)
    table = pd.DataFrame({"label": pd.Series(chosen.data.label_names, dtype="str"), "rows": sizes})
    return table.sort_values("rows", ascending=False)
