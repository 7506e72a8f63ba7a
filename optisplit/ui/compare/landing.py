"""What a visitor sees who has done nothing yet: a finished comparison, made beforehand, that shows why it matters."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.ui import finished_example, frame, jobs_panel, keys, uploads
from optisplit.ui.widgets import COLOURS, md, still_chart, still_table

FILE = Path(__file__).with_name("landing.json")
"""Made by ``python -m optisplit.ui.compare.make_landing``."""


@dataclass(frozen=True)
class Landing:
    """The finished comparison, in words and numbers that can be drawn at once."""

    recipe: dict[str, Any]  # what makes it again
    about: str  # what was divided, and how
    headline: list[str]  # why it matters, the second sentence of the split that is best
    grade: dict[str, str]  # of that split: its title, severity and reason
    verdict: list[str]
    help: str  # what its measure is
    leaderboard: list[dict[str, str]]
    drawings: dict[str, str]  # the fold maps of random folds and of that split: SVG for wide and for narrow pages


@cache
def read() -> Landing:
    """Read the comparison that was made beforehand."""
    return Landing(**json.loads(FILE.read_text(encoding="utf-8")))


def is_there() -> bool:
    """Tell whether there is a finished comparison, and its data."""
    return FILE.is_file() and read().recipe["data"] in SAMPLES


def is_due() -> bool:
    """Tell whether the visitor has nothing else to be shown: no data chosen or brought, no link, no comparison."""
    if st.session_state.get(keys.HAS_BEGUN) or not is_there():
        return False
    job = jobs_panel.current_job()
    return (job is None or job.kind != "compare") and jobs_panel.shown_job("compare") is None


def show() -> None:
    """Show the comparison, and the two ways on."""
    landing = read()
    is_again = finished_example.is_wanted("compare")
    is_asked = st.session_state.get(keys.WANTS_UPLOAD) and not is_again
    lead = md(landing.about)
    frame.heading("Compare ways to split", "" if is_asked or keys.UNREAD in st.session_state else lead)
    if is_asked:
        uploads.form(is_whole=True)
    if keys.UNREAD in st.session_state:  # the example would look like what was brought
        return
    if is_asked:
        st.markdown(lead)
    random, best = (sentence.partition(":") for sentence in landing.headline)
    with st.container(key="landing_headline", gap="xsmall"):
        st.markdown(f":red[**{md(random[0])}:**]{md(random[2])}")
        st.markdown(f":green[**{md(best[0])}:**]{md(best[2])}")
    with st.container(horizontal=True):
        if is_again:
            finished_example.offer_back("compare")
        elif not is_asked:
            st.button(
                "Use your own data", type="primary", icon=":material/upload_file:", key="landing_own",
                on_click=st.session_state.update, args=({keys.WANTS_UPLOAD: True},),
            )  # fmt: skip
        st.button("Try other methods", icon=":material/tune:", key="landing_methods", on_click=begin)
    still_chart(landing.drawings["wide"], key="landing_maps", narrow=landing.drawings["narrow"])
    st.badge(landing.grade["title"], color=COLOURS[landing.grade["severity"]], icon=":material/verified:")
    st.markdown(md(" ".join(landing.verdict)), help=landing.help)
    still_table(landing.leaderboard, "Methods")


def begin() -> None:
    """Open the form on the comparison's data and division."""
    recipe = read().recipe
    finished_example.leave("compare")
    st.session_state.update({keys.HAS_BEGUN: True, keys.DATA: recipe["data"], keys.N_SPLITS: recipe["n_splits"]})
