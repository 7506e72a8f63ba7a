"""Labels that cannot be tested or trained on, and the labels that are spread worst."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.text import counted
from optisplit.ui.widgets import long_table

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck
    from optisplit.io.splits import SplitFile


def show(check: SplitCheck, stem: str) -> None:
    """Show them."""
    st.subheader(
        "Labels that cannot be tested everywhere", anchor=False,
        help="No row with the label is in a part that models are tested on: there, its score is undefined.",
    )  # fmt: skip
    _lacking(
        check.untestable,
        "untestable",
        "Every label has a row in each part that models are tested on.",
        stem,
        check.split,
    )
    st.subheader(
        "Labels that cannot be trained on everywhere", anchor=False,
        help="No row with the label is among the training rows of a tested part: a model cannot learn it.",
    )  # fmt: skip
    _lacking(check.untrainable, "untrainable", "Every label has a row among the training rows.", stem, check.split)
    st.subheader(
        "The labels that are spread worst", anchor=False,
        help="Farthest above the best rLD that they could have first; then how many rows with the label are in each "
        "part. Click a title to sort.",
    )  # fmt: skip
    number = st.column_config.NumberColumn
    config: dict[str, Any] = {
        "label": "Label", "positives": "Rows", "rld": number("rLD", format="%.3g"),
        "rld_bound": number("rLD at best", format="%.3g"), "dcp": number("DCP", format="%.3g"),
        "dcp_bound": number("DCP at best", format="%.3g"), "parts_without": "Parts without it",
    }  # fmt: skip
    shown = check.labels[["label", "positives", *check.report.fold_titles, "rld", "rld_bound", "dcp", "dcp_bound",
                          "parts_without"]]  # fmt: skip
    long_table(shown, "labels", alt="All labels, the worst first, with their rows in each part", stem=stem,
               config=config)  # fmt: skip


def _lacking(table: pd.DataFrame, name: str, none: str, stem: str, split: SplitFile) -> None:
    if table.empty:
        st.markdown(f":material/check: {none}")
        return
    n_helpable = int((table["n_helpable"] > 0).sum())
    n_helpless = len(table) - n_helpable
    if not n_helpable:
        said = "no split can help that, since they have too few rows"
    elif n_helpless:
        said = f"for {n_helpable:,} of them another split would help, for the other {n_helpless:,} none can"
    else:
        said = "another split would help"
    st.markdown(f"**{counted(len(table), 'label')}**: {said}.")
    config = {
        "label": "Label", "positives": "Rows", "parts": st.column_config.TextColumn("Not in", width="medium"),
        "n_parts": "How many", "n_helpable": "Could be in", "reason": st.column_config.TextColumn("Why", width="large"),
    }  # fmt: skip
    long_table(table, name, alt=f"Labels that are {name}", stem=stem, config=config)
