"""What each of several files that were brought together is: the data, or what belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.errors import FormatError
from optisplit.io.packing import PACKINGS
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.ui.datasets import Upload

ROLES = {
    "data": "the data", "names": "the names of its labels", "label_file": "MULAN's XML, with its labels",
    "": "nothing: leave it out",
}  # fmt: skip
"""What a file can be: by the option of :func:`optisplit.load` that takes it."""


def guess(names: Sequence[str]) -> tuple[str, ...]:
    """Tell from files' names what each is."""
    endings = [_ending(name) for name in names]
    rest = [name for name, ending in zip(names, endings, strict=True) if ending != "xml"]
    # where there are two, and one is a plain text, that one has the names of the labels
    texts = [name for name in rest if _ending(name) == "txt"] if len(rest) == 2 else []
    if len(texts) == 2:  # XMC's files: the one called Y or names or labels
        texts = [name for name in texts if "names" in name.lower() or name.lower().split(".")[0] == "y"]
    return tuple(
        "label_file" if ending == "xml" else "names" if name in texts else "data"
        for name, ending in zip(names, endings, strict=True)
    )


def ask(names: Sequence[str], roles: Sequence[str], key: str) -> tuple[str, ...]:
    """Ask what each file is."""
    return tuple(
        st.selectbox(
            f"{md(name)} is", list(ROLES), list(ROLES).index(role), format_func=ROLES.__getitem__, key=f"{key}_{at}"
        )
        for at, (name, role) in enumerate(zip(names, roles, strict=True))
    )


def sort_out(files: Sequence[Upload], roles: Sequence[str]) -> tuple[Upload, dict[str, Upload]]:
    """Give the data file, and the others by the option that takes them."""
    found = {role: [file for file, each in zip(files, roles, strict=True) if each == role] for role in ROLES}
    main, names, xml = found["data"], found["names"], found["label_file"]
    if len(main) != 1 or len(xml) > 1 or len(names) > 1 or (xml and names):
        given = ", ".join(f"{file.name} ({ROLES[role]})" for file, role in zip(files, roles, strict=True))
        msg = f"Give one data file, with at most one XML or one list of label names beside it; these were {given}."
        raise FormatError(msg)
    return main[0], {role: found[role][0] for role in ("label_file", "names") if found[role]}


def _ending(name: str) -> str:
    name = name.lower()
    for packed in PACKINGS:
        name = name.removesuffix(packed)
    return name.rpartition(".")[2]
