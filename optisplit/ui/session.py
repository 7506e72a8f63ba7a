"""The browser session: its secret name, what is computed for it alone, and what is given back when it has left.

Streamlit's caches are shared by all sessions unless told otherwise. What is computed from somebody's own data goes with
the session: nobody else can come upon it, and its memory is given back when the browser leaves.
"""

from __future__ import annotations

import gc
import threading
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

# nothing that Streamlit documents gives uploaded bytes back: an uploader keeps them as long as the session lives
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from optisplit.ui import keys, limits
from optisplit.ui.jobs import MANAGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Made = TypeVar("Made")

MARGIN_S = 2.0
"""So long after its time to come back is over, a session is taken to be gone."""

MOST_DRAWN = 12
"""Figures that a session keeps: those of the result that is looked at. With a quarter of a megabyte each, in both
widths, they are most of what a visitor takes."""


def cached_for_session(
    *, max_entries: int, show_spinner: str | bool = False
) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Make a function keep what it gave, for each session apart and no longer than its browser is there."""
    made: Any = st.cache_resource(scope="session", max_entries=max_entries, show_spinner=show_spinner)
    return made


def cached_for_data(
    *, max_entries: int, show_spinner: str | bool = False
) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Make a function keep what it gave: for everybody where the data is a sample, otherwise for the session."""

    def decorate(function: Callable[..., Made]) -> Callable[..., Made]:
        of_samples = st.cache_resource(max_entries=max_entries, show_spinner=show_spinner)(function)
        own = cached_for_session(max_entries=max_entries, show_spinner=show_spinner)(function)

        def call(is_own: bool, *arguments: Any) -> Made:
            return own(*arguments) if is_own else of_samples(*arguments)

        return call

    return decorate


@cached_for_session(max_entries=MOST_DRAWN, show_spinner="Drawing …")
def drawn(of: tuple[str, ...], _info: Callable[[], Any], _plot: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Draw a figure of a job's result, once, and give it with what it shows; `of` tells it from all others."""
    info = _info()
    return _plot(info), info


@cached_for_session(max_entries=MOST_DRAWN, show_spinner="Drawing …")
def drawn_for_widths(of: tuple[str, ...], _info: Callable[[], Any], _plot: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """Draw a figure of panels for wide pages, and with its panels below each other for narrow ones."""
    info = _info()
    return _plot(info), info, _plot(info, columns=1)


def owner_id() -> str:
    """Give this browser session its secret name."""
    state = st.session_state
    if keys.OWNER not in state:
        state[keys.OWNER] = uuid.uuid4().hex
        job_id = st.query_params.get(keys.JOB_IN_ADDRESS, "")
        if job_id and MANAGER.adopt(state[keys.OWNER], job_id):
            state[keys.JOB_ID] = job_id
    return _connected(state[keys.OWNER]).owner


@dataclass(frozen=True, eq=False)
class Visit:
    """A browser that is connected, and what it holds of the server's memory."""

    owner: str
    session_id: str  # Streamlit's; empty without a server
    uploads: dict[str, Any]  # the data that it brought


_PRESENT: set[str] = set()
"""Owners whose browser is connected."""


def _on_disconnect(visit: Visit) -> None:
    """Give back what it held, once its time to come back is over: Streamlit waits until somebody else leaves, too."""
    _PRESENT.discard(visit.owner)
    MANAGER.orphan(visit.owner, limits.JOB_GRACE_S, limits.RESULT_GRACE_S)

    def let_go() -> None:
        if visit.owner not in _PRESENT:
            visit.uploads.clear()
            if visit.session_id and exists():
                get_instance().uploaded_file_mgr.remove_session_files(visit.session_id)
            gc.collect()  # figures refer to themselves, and Python looks for such only where much comes

    timer = threading.Timer(float(st.get_option("server.disconnectedSessionTTL") or 0) + MARGIN_S, let_go)
    timer.daemon = True
    timer.start()


@st.cache_resource(scope="session", on_release=_on_disconnect, show_spinner=False)
def _connected(owner: str) -> Visit:
    """Stand for the browser's connection: released when it breaks, made again when it is back."""
    MANAGER.adopt(owner)
    _PRESENT.add(owner)
    return Visit(owner, _streamlit_id(), st.session_state.setdefault(keys.UPLOADS, {}))


def _streamlit_id() -> str:
    context = get_script_run_ctx()
    return context.session_id if context is not None and exists() else ""  # pages run in a test without a server


def give_back(files: Iterable[Any]) -> None:
    """Give uploaded bytes back."""
    session_id = _streamlit_id()
    if session_id:
        manager: Any = get_instance().uploaded_file_mgr  # the kind in use has more than its protocol says
        for file in files:
            manager.remove_file(session_id=session_id, file_id=file.file_id)
