"""The way to a page's finished example and back, for whoever has data of their own by now."""

from __future__ import annotations

import streamlit as st

from optisplit.ui import keys


def is_wanted(page: str) -> bool:
    """Tell whether a page's example is to be seen: it was asked for, with the data that are chosen still."""
    wanted = st.session_state.get(f"{keys.SEES_EXAMPLE}_{page}")
    return wanted is not None and wanted == st.session_state.get(keys.DATA)


def offer(page: str) -> None:
    """Offer a page's example."""
    st.button(
        "See the finished example", key=f"see_example_{page}", icon=":material/visibility:", type="tertiary",
        on_click=_want, args=(page,),
    )  # fmt: skip


def offer_back(page: str) -> None:
    """Offer to go back to what the page is about."""
    st.button("Back", key=f"leave_example_{page}", icon=":material/arrow_back:", type="primary",
              on_click=leave, args=(page,))  # fmt: skip


def _want(page: str) -> None:
    st.session_state[f"{keys.SEES_EXAMPLE}_{page}"] = st.session_state.get(keys.DATA)


def leave(page: str) -> None:
    """Leave a page's example."""
    st.session_state.pop(f"{keys.SEES_EXAMPLE}_{page}", None)
