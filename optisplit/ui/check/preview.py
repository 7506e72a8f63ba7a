"""What the page shows where nothing was checked yet: the example one press away, and what its check looks like."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.measures.registry import in_words
from optisplit.ui import jobs_panel, keys
from optisplit.ui.check.form import choose
from optisplit.ui.widgets import COLOURS, md, still_chart

if TYPE_CHECKING:
    from optisplit.ui.datasets import ChosenData

FILE = Path(__file__).with_name("preview.json")
"""Made by ``python -m optisplit.ui.check.make_preview``."""


@dataclass(frozen=True)
class Preview:
    """A check and a repair that were made beforehand, in words and with their figure."""

    recipe: dict[str, Any]  # what makes them again
    title: str  # the data's name
    before: dict[str, str]  # the grade's title and severity
    sentences: list[str]
    after: dict[str, str]
    repaired: list[str]  # the sentences after the repair
    drawings: dict[str, str]  # where the scores are, and where the repair leads: SVG for wide and for narrow pages


@cache
def read() -> Preview:
    """Read what was made beforehand."""
    return Preview(**json.loads(FILE.read_text(encoding="utf-8")))


def show(current: ChosenData, *, can_offer: bool) -> None:
    """Offer the example, and show what a check of it looks like, where there is no file of one's own yet."""
    is_own = current.uploaded is not None  # beside which it would look like what was found of that
    if is_own or not can_offer or jobs_panel.is_busy() or keys.UNREAD in st.session_state:
        return
    if st.session_state.get(keys.CHECK_FROM) != "example":
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Try it on an example", key="check_try", icon=":material/experiment:", type="primary",
                on_click=choose, args=("example",),
            )  # fmt: skip
            st.caption(f"A split of {md(current.data.name)} with faults in it: checked at once, then yours to repair.")
    show_example()


def show_example() -> None:
    """Show what a check of the example looks like."""
    preview = read()
    with st.container(border=True, key="check_preview"):
        about = f"of the example with {preview.title}, made beforehand"
        st.markdown(f"**What a check looks like** :small[:gray[· {about}]]")
        left, right = st.columns([5, 6], gap="medium")
        with left.container(gap="xsmall"):
            _grade("", preview.before, preview.sentences)
            _grade("Repaired: ", preview.after, preview.repaired)
        with right:
            still_chart(preview.drawings["wide"], key="check_preview_range", narrow=preview.drawings["narrow"])
            st.caption(in_words(("rld", "dcp", "flz")))


def _grade(before: str, grade: dict[str, str], sentences: list[str]) -> None:
    badge = f"{before}:{COLOURS[grade['severity']]}-badge[{grade['title']}]"
    st.markdown(f"{badge}  \n{md(' '.join(sentences))}")
