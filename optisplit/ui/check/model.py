"""What a model would see of a split: which labels it cannot be scored on, and how far each score can be relied on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.check.scorable import WIDTHS_HELP
from optisplit.ui.widgets import long_table, md

if TYPE_CHECKING:
    from optisplit.ui.check.seen import Seen


def show(seen: Seen, stem: str) -> None:
    """Show how wide the intervals of the labels' scores are to be."""
    check = seen.check
    if not check.has_features:
        st.markdown(
            "These data have labels only, and a model learns from features. Bring the table with its other columns, "
            "and this tells which labels it cannot be scored on, and how far each score can be relied on."
        )
        return
    st.subheader("How far each label's score can be relied on", anchor=False, help=WIDTHS_HELP)
    st.markdown("\n".join(f"- {md(sentence)}" for sentence in check.width_sentences))
    number = st.column_config.NumberColumn
    config = {
        "label": "Label", "positives": "Rows", "part": f"The {check.split.noun} with fewest",
        "in_test": number("Rows there", format="localized"),
        "width": number("Width of its 95 % interval", format="%.2f"),
    }  # fmt: skip
    alt = "All labels, with the tested part that has fewest of their rows, and how wide the interval of recall is there"
    long_table(check.widths, "widths", alt=alt, stem=stem, config=config)
