"""What the lesson keeps in the address, so that a link opens exactly the picture that it was copied from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptisplitError

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
