"""Labels that no split has in every part, and what can be done about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.text import counted, listed
from optisplit.ui import rare_labels
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck
    from optisplit.ui.datasets import ChosenData


def offer(check: SplitCheck, chosen: ChosenData) -> None:
    """Offer the data without the labels that cannot be in every part, or with one label for them."""
    never = check.never_everywhere
    if not never:
        return
    st.markdown(
        f"No split has {counted(len(never), 'label')} in every {check.split.noun}: {md(listed(never, 3))}. For a model "
        "that is to be tested on every label, leave them out, or let one label stand for all of them: then split anew."
    )
    with st.container(horizontal=True):
        rare_labels.buttons(chosen, never, "check")
