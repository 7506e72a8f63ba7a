"""What pages compute from data and keep: from samples for everybody, from what somebody brought for that session alone.

Streamlit's caches are shared by all sessions unless told otherwise. What is computed from somebody's own data goes with
the session: nobody else can come upon it, and its memory is given back when the browser leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Callable

Made = TypeVar("Made")


def of_session(
    *, max_entries: int, show_spinner: str | bool = False
) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Make a function keep what it gave, for each session apart and no longer than its browser is there."""
    made: Any = st.cache_resource(scope="session", max_entries=max_entries, show_spinner=show_spinner)
    return made


def of_data(
    *, max_entries: int, show_spinner: str | bool = False
) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Make a function keep what it gave: for everybody where the data is a sample, otherwise as :func:`of_session`."""

    def decorate(function: Callable[..., Made]) -> Callable[..., Made]:
        of_samples = st.cache_resource(max_entries=max_entries, show_spinner=show_spinner)(function)
        own = of_session(max_entries=max_entries, show_spinner=show_spinner)(function)

        def call(is_own: bool, *arguments: Any) -> Made:
            return own(*arguments) if is_own else of_samples(*arguments)

        return call

    return decorate
