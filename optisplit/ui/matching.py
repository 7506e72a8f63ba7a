"""Which column of a second file names the rows of the data, and what becomes of what does not match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.errors import Argument, OptisplitError, Sentence
from optisplit.io import second_tables
from optisplit.text import clean_name
from optisplit.ui import jobs_panel, session
from optisplit.ui.apart import read_apart
from optisplit.ui.spelling import LEAVE_OUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.io.registry import Unmatched
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import Upload
    from optisplit.ui.jobs import OnReport

AS_FOUND = "As found"


@dataclass(frozen=True)
class Matching:
    """How lines of a second file are matched to rows, where the user says so."""

    key: str | None = None  # as the functions take it that read such files
    unmatched: Unmatched = "error"

    @property
    def arguments(self) -> str:
        """Write what was said as further arguments of a call."""
        key = "" if self.key is None else f", key={self.key!r}"
        return key if self.unmatched == "error" else f"{key}, unmatched={self.unmatched!r}"


def columns_of(file: Upload) -> tuple[str, ...]:
    """List the columns of a table; none where it has one only, or cannot be read, which is said elsewhere."""
    return _columns(file.digest, file)


@session.cached_for_session(max_entries=8)
def _columns(digest: str, _file: Upload) -> tuple[str, ...]:
    return jobs_panel.wait_for(find_columns, _file)


def find_columns(file: Upload, report: OnReport) -> tuple[str, ...]:
    """List the columns of a table; the work of a job."""
    try:
        return read_apart(second_tables.columns_of, (file,), file.open(), name=file.name)
    except OptisplitError:
        return ()


def ask(columns: Sequence[str], taken: str | None, data: MultilabelDataset, key: str) -> Matching:
    """Ask what the lines of a table are matched by."""
    return Matching(_key(columns, taken, data, key), "leave-out" if is_left_out(key) else "error")


def _key(columns: Sequence[str], taken: str | None, data: MultilabelDataset, key: str) -> str | None:
    others = [each for each in columns if each != taken]
    if not others:
        return None
    shown = {each: clean_name(each, 40) for each in others}
    left, right = st.columns(2)
    other = left.selectbox(
        "Matched by", [None, *others], format_func=lambda each: AS_FOUND if each is None else shown[each],
        key=f"{key}_other", persist_state="session",
        help="The column of this file whose values say which row of the data is meant.",
    )  # fmt: skip
    own = _columns_of(data)
    if other is None or not own or other in own:
        return other
    usual = own.index(data.key) if data.key in own else 0
    named = right.selectbox(
        "Which the data calls", own, usual, format_func=lambda each: clean_name(each, 40), key=f"{key}_own",
        persist_state="session", help="The column of the data that has the same values.",
    )  # fmt: skip
    return f"{named}={other}"


def _columns_of(data: MultilabelDataset) -> list[str]:
    """List the columns of the data that may name its rows."""
    columns = () if data.reading is None else data.reading.columns
    labels = set(data.label_names)
    return [each for each in dict.fromkeys((*filter(None, [data.key]), *columns)) if each not in labels]


def is_left_out(key: str) -> bool:
    """Tell whether what does not match is to be left out."""
    return bool(st.session_state.get(f"{key}_leave_out"))


def offer_to_leave_out(key: str) -> None:
    """Offer to go on without what does not match."""
    st.toggle(LEAVE_OUT, key=f"{key}_leave_out", persist_state="session")


def speaks_of_unmatched(error: OptisplitError) -> bool:
    """Tell whether an error says that rows do not match."""
    message = error.args[0] if error.args else ""
    parts = message.parts if isinstance(message, Sentence) else ()
    return any(isinstance(each, Argument) and each.name == "unmatched" for each in parts)
