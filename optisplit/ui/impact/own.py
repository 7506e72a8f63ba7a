"""Data of one's own in a study: whether they have features, and which columns the model does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.io.features import has_features
from optisplit.studies.impact.inputs import belonging, can_learn_some, not_kept
from optisplit.studies.impact.models import suggested_model
from optisplit.text import clean_name, counted, joined, shown_names
from optisplit.ui import keys
from optisplit.ui.datasets import title_of
from optisplit.ui.impact.forecast import size_of
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from optisplit.ui.datasets import ChosenData

FEWEST_ROWS = 20
MOST_NAMED = 8


def key_of(key: str, chosen: ChosenData) -> str:
    """Give a widget's key: what is said of one's own data is theirs alone."""
    return key if chosen.uploaded is None else f"{key}_{chosen.key}"


def is_large(chosen: ChosenData) -> bool:
    """Tell whether the fast model is to be offered first."""
    size = size_of(chosen)
    return size is not None and suggested_model(int(size.n_features), size.n_rows, size.n_labels) == "fast"


def columns_of(chosen: ChosenData) -> tuple[str, ...]:
    """List the columns of one's own table beside the labels, without reading them; empty where they have no names."""
    reading = None if chosen.uploaded is None else chosen.uploaded.reading
    if reading is None:
        return ()
    return shown_names(reading.left_out)


def obstacle(chosen: ChosenData) -> str:
    """Say why one's own data cannot be studied, in a sentence or two; empty where they can, as far as known."""
    data, name = chosen.uploaded, title_of(chosen.key)
    if data is None:
        return ""
    if not has_features(data):
        return (
            f"{name} has labels only, and a model needs something to learn from. Bring the table with its other "
            "columns."
        )
    if data.n_rows < FEWEST_ROWS:
        return f"{name} has {counted(data.n_rows, 'row')}; a study needs {FEWEST_ROWS} to put some of them aside."
    if not can_learn_some(data):
        return (
            f"No label of {name} can be learned and scored: each is on at most one row, or on all of them. Bring data "
            "with labels on two rows or more."
        )
    return ""


def ask_left_out(chosen: ChosenData) -> tuple[str, ...]:
    """Ask which columns of one's own table the model does not see."""
    columns = columns_of(chosen)
    if not columns:
        return ()
    left_out: list[str] = st.multiselect(
        "Columns that the model does not see", columns, key=key_of(keys.IMPACT_LEFT_OUT, chosen),
        persist_state="session", placeholder="None: all of them are features",
        help="Numbers, categories, dates and texts can all be features. Ids, columns with one value and empty ones are "
        "left out by themselves, and the result says so. Leave out what nobody knows of a new row, such as a folder or "
        "what was written after the labels.",
    )  # fmt: skip
    seen = [md(name) for name in columns if name not in left_out]
    key = chosen.data.key
    of_rows = f" {md(clean_name(key))} names the rows, and is no feature." if key else ""
    said = f"Features: {joined(seen, limit=MOST_NAMED)}." if seen else "No column is left to learn from."
    st.caption(said + of_rows)
    divided = not_kept(belonging(chosen.data))
    if divided:
        st.caption(md(divided))
    return tuple(left_out)
