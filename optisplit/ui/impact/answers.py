"""What was noticed on the way of a study."""

from __future__ import annotations

from typing import Any

import streamlit as st

from optisplit.ui.widgets import said


def show(result: Any) -> None:
    """Say what was left out, and what was filled in."""
    for note in result.notes:
        st.caption(said(note))
