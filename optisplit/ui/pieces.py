"""Into how many folds, or parts of which sizes, rows are divided: one setting of the session, wherever it is asked."""

from __future__ import annotations

from typing import Any

import streamlit as st

from optisplit.errors import OptisplitError
from optisplit.io.writers.parts import PART_NAMES
from optisplit.text import joined
from optisplit.ui import forms, keys
from optisplit.ui.compare.request import DEFAULT_SHARES, MAX_PARTS, Division, read_shares
from optisplit.ui.widgets import complaint

DIVIDE_TITLES = {"folds": "Equal folds", "parts": "Parts of given sizes"}


def ask_kind() -> str:
    """Ask whether for folds or for parts."""
    return st.segmented_control(
        "Divide into", list(DIVIDE_TITLES), format_func=DIVIDE_TITLES.__getitem__, default="folds", required=True,
        key=keys.DIVIDE, persist_state="session",
        help="**Equal folds** are for cross-validation: each is the test part once. **Parts of given sizes** are "
        "for one division, such as into training, validation and test rows.",
    )  # fmt: skip


def ask(place: Any, kind: str) -> Division | None:
    """Ask for the number of folds, or for the sizes of the parts; None, with a word to the user, where they are odd."""
    return _shares(place) if kind == "parts" else _n_splits(place)


def _n_splits(place: Any) -> Division | None:
    n_splits = forms.ask_number(
        place, "Folds", keys.N_SPLITS, "Into how many parts the rows are divided; each is the test part once."
    )
    return None if n_splits is None else Division(n_splits)


def _shares(place: Any) -> Division | None:
    text = place.text_input(
        "Shares in %, separated by commas", st.session_state.get(keys.SHARES, DEFAULT_SHARES), key=keys.SHARES,
        persist_state="session", live=True,  # what is wrong is said while typing
        help=f"The size of each part, from 2 to {MAX_PARTS} of them: 80, 10, 10 makes part 0 with 80 % of the rows, "
        "and parts 1 and 2 with 10 % each.",
    )  # fmt: skip
    try:
        shares = read_shares(text or "")
    except OptisplitError as error:
        place.markdown(complaint(error))
        return None
    if len(shares) in PART_NAMES:
        parts = joined([str(part) for part in range(len(shares))])
        place.caption(f"For example {joined(PART_NAMES[len(shares)])}: parts {parts}.")
    return Division(len(shares), shares)
