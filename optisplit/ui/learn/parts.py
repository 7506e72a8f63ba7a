"""What the steps of the lesson have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.studies.lesson.formulas import number
from optisplit.ui.widgets import small_table

if TYPE_CHECKING:
    from collections.abc import Sequence


def to_do(title: str, text: str) -> None:
    """Begin a step: its title, and what to do."""
    st.header(title, anchor=False)
    st.markdown(f":material/touch_app: **Do.** {text}")


def seen(text: str) -> None:
    """End a step: what was seen."""
    with st.container(border=True):
        st.markdown(f":material/visibility: **Seen.** {text}")


def numbers_table(lines: Sequence[dict[str, Any]], alt: str) -> None:
    """Draw a small table; texts are markdown of ours."""
    small_table([{name: _text(value) for name, value in line.items()} for line in lines], alt)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else number(value)


def change(after: float, before: float) -> str:
    """Write by how much a number has changed."""
    text = number(abs(after - before))
    if text == "0":
        return ""
    return f"+{text}" if after > before else f"−{text}"
