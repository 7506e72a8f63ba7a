"""Data of one's own in a study: whether they have features, and which columns the model does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.io.features import has_features
from optisplit.io.likely_groups import likely_groups
from optisplit.labels import positives_per_label
from optisplit.text import clean_name, counted, distinct_names, joined
from optisplit.ui import keys, session
from optisplit.ui.datasets import title_of
from optisplit.ui.impact.forecast import size_of, training_seconds
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import ChosenData

SLOW_S = 0.2
"""Where the first model takes longer for one training, the fast one is offered first."""

FEWEST_ROWS = 20
MOST_NAMED = 8


def key_of(key: str, chosen: ChosenData) -> str:
    """Give a widget's key: what is said of one's own data is theirs alone."""
    return key if chosen.uploaded is None else f"{key}_{chosen.key}"


def is_large(chosen: ChosenData) -> bool:
    """Tell whether a model for each label takes long."""
    size = size_of(chosen)
    return size is not None and training_seconds(size, "ridge") > SLOW_S


def columns_of(chosen: ChosenData) -> tuple[str, ...]:
    """List the columns of one's own table beside the labels, without reading them; empty where they have no names."""
    reading = None if chosen.uploaded is None else chosen.uploaded.reading
    if reading is None:
        return ()
    return distinct_names([clean_name(name) for name in reading.left_out], (), "column")


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
    sizes = positives_per_label(data.labels)
    if not ((sizes > 1) & (sizes < data.n_rows)).any():
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
    noun, column = _groups_of(chosen.key, chosen.data.digest, chosen.data)
    if noun:
        st.caption(
            f"Rows of one {md(noun)} ({md(clean_name(column))}) are not kept together here: where they are alike, "
            "estimates and held-out scores are both too good."
        )
    return tuple(left_out)


@session.cached_for_session(max_entries=4)
def _groups_of(key: str, digest: str, _data: MultilabelDataset) -> tuple[str, str]:
    """Say what rows seem to belong to, and which column says so; empty where there is nothing of the kind."""
    found = likely_groups(_data)
    return (found[0].noun, found[0].column) if found else ("", "")
