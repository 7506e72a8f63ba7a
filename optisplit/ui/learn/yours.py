"""The end of the lesson: what to ask oneself, and the visitor's own data."""

from __future__ import annotations

import streamlit as st

from optisplit.studies.lesson.teaching import QUESTIONS


def show() -> None:
    """Draw the step."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Five questions", anchor=False)
        st.markdown("From what you have seen, can you answer these?")
        st.markdown("\n".join(f"{at}. {question}" for at, question in enumerate(QUESTIONS, start=1)))
        st.caption("The answers are under For teachers.")
    with right:
        st.subheader("Now your data", anchor=False)
        st.markdown(
            "Bring the split that you train with: what is wrong with it, how far it is from the best possible, and "
            "where your rare labels are."
        )
        st.page_link("pages/check.py", label="Check a split of yours", icon=":material/fact_check:")
        st.page_link("pages/compare.py", label="Make a split of your data", icon=":material/balance:")
