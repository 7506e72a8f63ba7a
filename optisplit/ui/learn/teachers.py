"""The teacher's page, beside the lesson."""

from __future__ import annotations

import streamlit as st

from optisplit.studies.lesson.teaching import FILE


def show() -> None:
    """Draw the page."""
    text = FILE.read_text(encoding="utf-8")
    st.markdown("\n".join(text.splitlines()[2:]).replace("\n## ", "\n#### ").replace("\n### ", "\n##### "))
