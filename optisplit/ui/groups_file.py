"""The file that says which rows stay together: brought once, kept while the session lives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.errors import OptionError, OptisplitError
from optisplit.folds.constraints import as_groups
from optisplit.io.rows import read_column
from optisplit.io.second_tables import columns_of
from optisplit.text import counted
from optisplit.ui import jobs_panel, keys, session, uploads
from optisplit.ui.datasets import rows_key
from optisplit.ui.widgets import complaint, md

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import ChosenData, Upload
    from optisplit.ui.jobs import OnReport

TYPES = ["txt", "csv", "tsv"]
USUAL_COLUMN = "group"


@dataclass(frozen=True)
class Groups:
    """Groups that stay whole."""

    of_rows: list[str]  # the group of every row
    n_groups: int  # how many there are
    how: str  # how the file was read, in a few words
    notes: tuple[str, ...]  # what else is to be known, in sentences
    code: str  # python that sets ``groups``


def ask(chosen: ChosenData) -> tuple[Groups | None, bool]:
    """Draw the place for the file, and read it."""
    file = uploads.ask_for_one(
        "Groups that stay together", TYPES, key=keys.GROUPS,
        help="For rows that must not be torn apart, such as several images of one patient. A text file with one group "
        "name a line, in the order of the rows, or a table with a column of group names.",
    )  # fmt: skip
    if file is None:
        return None, True
    column = _column(file)
    data = chosen.data
    try:
        groups = _read(file.digest, column, data.digest, rows_key(data), file, data)
    except OptisplitError as error:
        st.markdown(complaint(error))
        return None, False
    st.caption(f"{counted(groups.n_groups, 'group')}; {md(groups.how)}.")
    for note in groups.notes:
        st.caption(md(note))
    return groups, True


def _column(file: Upload) -> str | None:
    names = _columns(file.digest, file)
    if not names:
        return None
    usual = names.index(USUAL_COLUMN) if USUAL_COLUMN in names else 0
    number = st.session_state.get(f"{keys.GROUPS}_round", 0)  # of another file, another choice
    return st.selectbox(
        "Column with the group names", names, index=usual, key=f"{keys.GROUPS_COLUMN}_{number}", persist_state="session"
    )


@session.cached_for_session(max_entries=8)
def _columns(digest: str, _file: Upload) -> tuple[str, ...]:
    return jobs_panel.wait_for(find_columns, _file)


def find_columns(file: Upload, report: OnReport) -> tuple[str, ...]:
    """List the columns of a table; none where it has one only, or cannot be read, which is said elsewhere."""
    try:
        return columns_of(file.open(), name=file.name)
    except OptisplitError:
        return ()


@session.cached_for_session(max_entries=8, show_spinner="Reading the groups …")
def _read(digest: str, column: str | None, data: str, rows: int, _file: Upload, _data: MultilabelDataset) -> Groups:
    """Read the groups; the arguments without an underscore tell what is read."""
    return jobs_panel.wait_for(read_groups, (_file, column, _data))


def read_groups(request: tuple[Upload, str | None, MultilabelDataset], report: OnReport) -> Groups:
    """Read which rows stay together; the work of a job."""
    file, column, data = request
    read = read_column(file.open(), data, column, name=file.name)
    try:
        _, names = as_groups(read.values, data.n_rows)
    except OptisplitError as error:
        msg = f"{file.name}: {error}"
        raise OptionError(msg) from error
    given = "" if column is None else f", {column!r}"
    code = f"groups = optisplit.io.rows.read_column({file.name!r}, data{given}).values  # {read.how}"
    return Groups(read.values, len(names), read.how, read.notes, code)
