"""The frame around every page: title, navigation, data picker, job panel, and the one place that catches errors."""

from __future__ import annotations

from contextvars import ContextVar
from threading import Event
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.cli import ahead
from optisplit.cli.app import app_folder
from optisplit.errors import OptisplitError
from optisplit.io.child.calls import start_ahead
from optisplit.ui import brand, datasets, how_read, jobs_panel, keys, server_log, uploads, widgets
from optisplit.ui.widgets import said

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = app_folder()

PAGES_WITH_DATA = ("", "check", "data")
"""The pages that work on the chosen data, by the last part of their address; the others have their own."""

PAGES_WITH_UPLOADS = (*PAGES_WITH_DATA, "paper", "impact")
"""The pages where files can be brought: the paper knows some data by their name, a study asks which data it is of."""

DATA_TITLE = "Data"

first_drawn = Event()
"""Set once a page was drawn: what other pages need is loaded only then."""

_is_framed: ContextVar[bool] = ContextVar("optisplit_is_framed", default=False)


def run_app() -> None:
    """Draw the frame and, in it, the page that the address names."""
    st.set_page_config(
        page_title=brand.NAME,
        page_icon=str(brand.ICON_FILE),
        layout="wide",
        initial_sidebar_state="auto",
    )
    page = st.navigation(
        [
            st.Page(ROOT / "pages" / "compare.py", title="Compare", icon=":material/balance:", default=True),
            st.Page(ROOT / "pages" / "check.py", title="Check", icon=":material/fact_check:"),
            st.Page(ROOT / "pages" / "learn.py", title="Learn", icon=":material/school:"),
            st.Page(ROOT / "pages" / "data.py", title="Data", icon=":material/table_chart:"),
            st.Page(ROOT / "pages" / "impact.py", title="Does it matter?", icon=":material/query_stats:"),
            st.Page(ROOT / "pages" / "paper.py", title="The paper", icon=":material/article:"),
        ]
    )
    server_log.keep_private()
    start_ahead()
    ahead.start()

    job = jobs_panel.adopt_from_address()
    if job is not None:
        datasets.restore(getattr(job.request, "chosen", None))  # not every kind of job is of it
    datasets.settle()
    st.markdown(brand.MASTHEAD, unsafe_allow_html=True)
    # The first element of every page, there or not: it draws itself anew by its own clock, and may do so just when
    # the page is another one already, where any other place need not exist yet.
    with st.container(key="job"):
        jobs_panel.show(page.url_path)
    state = st.session_state
    state.pop(keys.UNREAD, None)  # the form says so anew
    with st.sidebar:
        if page.url_path in PAGES_WITH_DATA:
            datasets.picker()
        # the landing asks for files in its middle, once it is asked to
        in_middle = page.url_path == "" and keys.WANTS_UPLOAD in state and keys.HAS_BEGUN not in state
        if page.url_path in PAGES_WITH_UPLOADS and not in_middle:
            uploads.form()
        with st.expander("Settings", icon=":material/settings:", key="settings"):
            widgets.choose_format()
    framed = _is_framed.set(True)
    try:
        page.run()
    finally:
        _is_framed.reset(framed)
        first_drawn.set()


def show(page: Callable[[], None]) -> None:
    """Run a page inside the frame.

    A page file run by itself draws the frame first, which then runs it again: Streamlit does that when the very
    first request to a new server names a page, since there is a folder called ``pages``.
    """
    if not _is_framed.get():
        run_app()
        return
    try:
        page()
    except OptisplitError as error:
        st.error(said(error), icon=":material/error:")


def heading(title: str, lead: str) -> None:
    """Draw a page's title and the sentence under it, as far as the page has no title of its own."""
    if title:
        st.title(title, anchor=False)
    if lead:
        st.markdown(lead)
    state = st.session_state
    uploads.show_unread(datasets.title_of(state.get(keys.DATA) or "") if keys.HAS_BEGUN in state else "")
    if keys.JUST_READ in st.session_state and title != DATA_TITLE:  # which has the card in its own place
        how_read.show_new(datasets.chosen())
