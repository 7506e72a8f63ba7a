"""Labels that no split has in every part: the data without them, or with one label for all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.labels import EDITS, drop_labels, merge_labels
from optisplit.text import counted, listed
from optisplit.ui import datasets
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck
    from optisplit.ui.datasets import ChosenData

MERGED = "rare labels"
"""What the label is called that stands for all of them."""


def offer(check: SplitCheck, chosen: ChosenData) -> None:
    """Offer the data without the labels that cannot be in every part, or with one label for them."""
    never = check.never_everywhere
    if not never:
        return
    st.markdown(
        f"No split has {counted(len(never), 'label')} in every {check.split.noun}: {md(listed(never, 3))}. For a model "
        "that is to be tested on every label, leave them out, or let one label stand for all of them: then split anew."
    )
    with st.container(horizontal=True):
        st.button(
            "Data without these labels", key="check_drop", icon=":material/label_off:", on_click=_take,
            args=(chosen, never, False),
        )  # fmt: skip
        st.button(
            f"Data with one label “{MERGED}” for them", key="check_merge", icon=":material/merge:", on_click=_take,
            args=(chosen, never, True), disabled=len(never) < 2 or len(never) == len(check.report.label_names),
        )  # fmt: skip


def _take(chosen: ChosenData, never: list[str], is_merged: bool) -> None:
    """Add the changed data to those that can be chosen, and choose them."""
    name = datasets.title_of(chosen.key)
    if is_merged:
        data, call = merge_labels(chosen.data, {MERGED: never}), f"merge_labels(data, {{{MERGED!r}: {never!r}}})"
        name += f", {counted(len(never), 'label')} put together"
    else:
        data, call = drop_labels(chosen.data, never), f"drop_labels(data, {never!r})"
        name += f" without {counted(len(never), 'label')}"
    options = {} if data.reading is None else data.reading.options
    asked = {**chosen.asked, **{key: options[key] for key in EDITS if key in options}}
    code = f"{chosen.load_code}\ndata = optisplit.{call}"
    datasets.add(replace(chosen, key=datasets.UPLOAD_PREFIX + name, load_code=code, uploaded=data, asked=asked))
    st.toast(f"The data chosen now is {md(name)}.")
