"""The data without labels that are too rare to be in every part, or with one label for all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.labels import EDITS, drop_labels, merge_labels
from optisplit.text import counted
from optisplit.ui import datasets
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.ui.datasets import ChosenData

MERGED = "rare labels"
"""What the label is called that stands for all of them."""


def buttons(chosen: ChosenData, names: Sequence[str], key: str, code: str = "") -> None:
    """Draw the buttons that choose the changed data; `code` is Python that makes the names, where they are many."""
    n_labels = chosen.data.n_labels
    st.button(
        "Leave these out", key=f"{key}_drop", icon=":material/label_off:", on_click=_take,
        args=(chosen, names, code, False), disabled=len(names) == n_labels,
        help="Goes on with the data without these labels; all rows stay.",
    )  # fmt: skip
    if len(names) == 1:  # there is nothing to merge it with
        return
    st.button(
        "Merge them into one label", key=f"{key}_merge", icon=":material/merge:", on_click=_take,
        args=(chosen, names, code, True), disabled=not 1 < len(names) < n_labels,
        help=f"Goes on with the data with one label “{MERGED}” for these: a row has it that has any of them.",
    )  # fmt: skip


def _take(chosen: ChosenData, names: Sequence[str], code: str, is_merged: bool) -> None:
    """Add the changed data to those that can be chosen, and choose them."""
    name, code = datasets.title_of(chosen.key), code or repr(list(names))
    if is_merged:
        data, call = merge_labels(chosen.data, {MERGED: names}), f"merge_labels(data, {{{MERGED!r}: {code}}})"
        name += f", {counted(len(names), 'label')} put together"
    else:
        data, call = drop_labels(chosen.data, names), f"drop_labels(data, {code})"
        name += f" without {counted(len(names), 'label')}"
    options = {} if data.reading is None else data.reading.options
    asked = {**chosen.asked, **{key: options[key] for key in EDITS if key in options}}
    code = f"{chosen.load_code}\ndata = optisplit.{call}"
    datasets.add(replace(chosen, key=datasets.UPLOAD_PREFIX + name, load_code=code, uploaded=data, asked=asked))
    st.toast(f"The data chosen now is {md(name)}.")
