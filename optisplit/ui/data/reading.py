"""How a file was read: the card, and reading the file in another way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.errors import MissingLabelsError, OptisplitError
from optisplit.ui import how_to_read, keys, uploads
from optisplit.ui.how_to_read import HowToRead
from optisplit.ui.widgets import md, said, small_table

if TYPE_CHECKING:
    from optisplit.ui.datasets import ChosenData


def show(chosen: ChosenData) -> None:
    """Show how the data were read, and offer to read them in another way."""
    reading = chosen.data.reading
    if reading is None:
        return
    with st.expander("How the file was read", icon=":material/plagiarism:", key="how_read"):
        lines = [{"What": f"**{md(title)}**", "How": md(said)} for title, said in reading.entries.items()]
        small_table(lines, "How the file was read")
        if chosen.uploaded is not None and chosen.split is None:
            _read_differently(chosen)


def _read_differently(chosen: ChosenData) -> None:
    if not chosen.files:
        st.caption("The file is too large to be kept. To read it in another way, bring it again and say how.")
        return
    assert chosen.data.reading is not None
    if not st.toggle("Read it in another way", key=f"reread_{chosen.key}"):
        return
    known = HowToRead.of(chosen.data.reading.options)
    suffix = f"again_{st.session_state.get(keys.UPLOAD_ROUND, 0)}_{chosen.key}"
    how = how_to_read.ask(suffix, known)
    if not st.button("Read it again", key="read_again", disabled=how == known):
        return
    try:
        with st.spinner("Reading the file …"):
            read = uploads.parse([*chosen.files, *chosen.beside], how)
    except MissingLabelsError as error:
        how_to_read.ask_about_missing(error, suffix)
        return
    except OptisplitError as error:
        st.error(said(error), icon=":material/error:")
        return
    uploads.take(read)
