"""What the steps of the lesson have in common: their frame, and what of them is kept in the address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptisplitError
from optisplit.studies.lesson.formulas import number
from optisplit.ui.widgets import small_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


@dataclass(frozen=True)
class Field:
    """One thing that is kept."""

    key: str  # its key in the session
    name: str  # its name in the address
    default: Any  # its value where the address says nothing, or nonsense
    # makes the value of the address's text; raises ValueError for anything that is not allowed
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str  # makes the address's text of the value


def one_of(options: Iterable[Any]) -> Callable[[str], Any]:
    """Build a reader that allows some values."""
    allowed = {str(option): option for option in options}

    def read(text: str) -> Any:
        if text not in allowed:
            raise ValueError(text)
        return allowed[text]

    return read


def restore(fields: Iterable[Field]) -> None:
    """Fill the session from the address, where the session has nothing yet."""
    for field in fields:
        if field.key in st.session_state:
            continue
        text = st.query_params.get(field.name)
        value = field.default
        if text is not None:
            try:
                value = field.read(text)
            except (ValueError, OptisplitError):  # anybody can write there
                value = field.default
        st.session_state[field.key] = value


def remember(shown: Sequence[Field], others: Iterable[Field]) -> None:
    """Write to the address what the picture depends on, and take the rest out."""
    names = {field.name for field in shown}
    for field in others:
        if field.name not in names and field.name in st.query_params:
            del st.query_params[field.name]
    for field in shown:
        text = field.write(st.session_state[field.key])
        if st.query_params.get(field.name) != text:
            st.query_params[field.name] = text


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
