"""The file that says which rows stay together: brought once, kept while the session lives."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.errors import OptionError, OptisplitError
from optisplit.folds.constraints import as_groups
from optisplit.io.rows import columns_of, read_column
from optisplit.text import clean_name, counted
from optisplit.ui import keys, limits, session
from optisplit.ui.widgets import complaint, md

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import ChosenData

TYPES = ["txt", "csv", "tsv"]
MAX_SIZE_MB = 200
USUAL_COLUMN = "group"
LONGEST_NAME = 60  # characters of a file's name; a system takes 255 bytes


@dataclass(frozen=True)
class Groups:
    """Groups that stay whole."""

    of_rows: list[str]  # the group of every row
    n_groups: int  # how many there are
    how: str  # how the file was read, in a few words
    notes: tuple[str, ...]  # what else is to be known, in sentences
    code: str  # python that sets ``groups``


@dataclass(frozen=True)
class GroupsFile:
    """A file as it was brought."""

    name: str  # its name
    content: bytes  # its bytes

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digest of the bytes."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What its columns are called; empty where it has one only, or cannot be read, which is said elsewhere."""
        try:
            return columns_of(io.BytesIO(self.content), name=self.name)
        except OptisplitError:
            return ()


def ask(chosen: ChosenData) -> tuple[Groups | None, bool]:
    """Draw the place for the file, and read it."""
    file: GroupsFile | None = st.session_state.get(keys.GROUPS)
    if file is None:
        _uploader()
        return None, True
    column = _shown(file)
    data = chosen.data
    try:
        groups = _read(file.digest, file.name, column, data.digest, hash(data.row_ids), file, data)
    except OptisplitError as error:
        st.markdown(complaint(error))
        return None, False
    st.caption(f"{counted(groups.n_groups, 'group')}; {md(groups.how)}.")
    for note in groups.notes:
        st.caption(md(note))
    return groups, True


def _uploader() -> None:
    state = st.session_state
    upload = st.file_uploader(
        "Groups that stay together",
        type=TYPES,
        max_upload_size=min(MAX_SIZE_MB, limits.max_upload_mb()),
        key=f"groups_{state.setdefault(keys.GROUPS_ROUND, 0)}",
        help="For rows that must not be torn apart, such as several images of one patient. A text file with one group "
        "name a line, in the order of the rows, or a table with a column of group names.",
    )
    if upload is None:
        return
    name = clean_name(Path(upload.name).name, LONGEST_NAME) or "groups.txt"
    state[keys.GROUPS] = GroupsFile(name, upload.getvalue())
    state[keys.GROUPS_ROUND] += 1  # an empty uploader, ready for the next file
    session.give_back([upload])
    st.rerun()


def _shown(file: GroupsFile) -> str | None:
    """Show which file is in use, with the way to be rid of it; return the column chosen."""
    with st.container(horizontal=True, vertical_alignment="center", key="groups_file"):
        st.markdown(f"Groups that stay together: **{md(file.name)}**", width="content")
        st.button("Remove", key="groups_remove", icon=":material/close:", type="tertiary", on_click=_forget)
    if not file.columns:
        return None
    usual = file.columns.index(USUAL_COLUMN) if USUAL_COLUMN in file.columns else 0
    return st.selectbox(
        "Column with the group names", file.columns, index=usual,
        key=f"{keys.GROUPS_COLUMN}_{st.session_state[keys.GROUPS_ROUND]}", persist_state="session",
    )  # fmt: skip


def _forget() -> None:
    st.session_state.pop(keys.GROUPS, None)


@session.cached_for_session(max_entries=8, show_spinner="Reading the groups …")
def _read(
    digest: str, name: str, column: str | None, data: str, row_ids: int, _file: GroupsFile, _data: MultilabelDataset
) -> Groups:
    """Read the groups; the arguments without an underscore tell what is read."""
    read = read_column(io.BytesIO(_file.content), _data, column, name=name)
    try:
        _, names = as_groups(read.values, _data.n_rows)
    except OptisplitError as error:
        msg = f"{name}: {error}"
        raise OptionError(msg) from error
    given = "" if column is None else f", {column!r}"
    code = f"groups = optisplit.io.rows.read_column({name!r}, data{given}).values  # {read.how}"
    return Groups(read.values, len(names), read.how, read.notes, code)
