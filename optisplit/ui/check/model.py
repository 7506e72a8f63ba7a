"""What a model would see of a split: which labels it cannot be scored on, and how far each score can be relied on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.check.scorable import WIDTHS_HELP
from optisplit.check.told_apart import APART_HELP
from optisplit.ui import jobs_panel
from optisplit.ui.check.request import WAIT_S, run_check
from optisplit.ui.widgets import download_table, long_table, md, said, small_table

if TYPE_CHECKING:
    from optisplit.ui.check.seen import Seen


def show(seen: Seen, stem: str) -> None:
    """Show how wide the intervals of the labels' scores are to be, and whether parts can be told apart."""
    _widths(seen, stem)
    st.subheader("Whether the parts can be told apart", anchor=False, help=APART_HELP)
    _apart(seen, stem)


def _widths(seen: Seen, stem: str) -> None:
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


def _apart(seen: Seen, stem: str) -> None:
    """Show whether parts can be told apart, or offer to find it out."""
    check = seen.check
    if check.apart is not None:
        st.markdown("\n".join(f"- {said(sentence)}" for sentence in check.apart.sentences))
        if check.apart.parts:
            small_table(list(map(_line, check.apart.parts)), "How well each part is told from the others")
            download_table("CSV", check.apart.table, f"{stem}_apart.csv", key="apart_csv")
        return
    if check.apart_refused:
        st.markdown(said(check.apart_refused))
        return
    clicked = st.button("Tell them apart", key="check_apart", icon=":material/compare:", disabled=jobs_panel.is_busy())
    st.caption(
        "Trains a classifier to say which part a row is in, by features and labels, and names what gives parts away. "
        "Of many rows this takes a while."
        if check.has_features
        else "Trains a classifier to say which part a row is in, by its labels: these data have no features."
    )
    if clicked:
        jobs_panel.start("check", run_check, replace(seen.request, apart=True), seen.history, wait_s=WAIT_S)


def _line(part: Any) -> dict[str, str]:
    mark = ":orange[:material/warning:] " if part.is_apart else ""
    return {
        "Part": f"{mark}{md(part.name)}",
        "Rows": f"{part.n_rows:,}",
        "Area under the curve": f"**{part.auc:.2f}**",
        "95 % interval": f"{part.low:.2f} to {part.high:.2f}",
        "Random parts": f"{part.random_low:.2f} to {part.random_high:.2f}",
    }
