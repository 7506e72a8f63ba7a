"""The file that says which rows stay together: brought once, kept while the session lives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.errors import OptionError, OptisplitError
from optisplit.folds.constraints import as_groups
from optisplit.io.rows import read_groups as groups_in
from optisplit.text import counted
from optisplit.ui import jobs_panel, keys, matching, session, uploads
from optisplit.ui.apart import read_apart
from optisplit.ui.datasets import rows_key
from optisplit.ui.widgets import complaint, md

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import ChosenData, Upload
    from optisplit.ui.jobs import OnReport
    from optisplit.ui.matching import Matching

USUAL_COLUMN = "group"


@dataclass(frozen=True)
class Groups:
    """Groups that stay whole."""

    of_rows: list[str]  # the group of every row
    n_groups: int  # how many there are
    n_matched: int  # rows that the file says something of
    how: str  # how the file was read, in a few words
    notes: tuple[str, ...]  # what else is to be known, in sentences
    code: str  # python that sets ``groups``


def ask(chosen: ChosenData) -> tuple[Groups | None, bool]:
    """Draw the place for the file, and read it."""
    file = uploads.ask_for_one(
        "Groups that stay together", "CSV, Excel, Parquet, JSON, or text with one group name a line.", key=keys.GROUPS,
        help="For rows that must not be torn apart, such as several images of one patient. A text file with one group "
        "name a line, in the order of the rows, or a table with a column of group names.",
    )  # fmt: skip
    if file is None:
        return None, True
    column = _column(file)
    data = chosen.data
    key = f"{keys.GROUPS_MATCHED}_{st.session_state.get(f'{keys.GROUPS}_round', 0)}"
    matched = matching.ask(matching.columns_of(file), column, data, key)
    try:
        groups = _read(file.digest, column, matched, data.digest, rows_key(data), file, data)
    except OptisplitError as error:
        st.markdown(complaint(error))
        if matching.speaks_of_unmatched(error):
            matching.offer_to_leave_out(key)
        return None, False
    how = f"{md(groups.how)}; {groups.n_matched:,} of {counted(data.n_rows, 'row')}"
    st.caption(f"{counted(groups.n_groups, 'group')}; {how}.")
    if matched.unmatched != "error":
        matching.offer_to_leave_out(key)
    for note in groups.notes:
        st.caption(md(note))
    return groups, True


def _column(file: Upload) -> str | None:
    names = matching.columns_of(file)
    if not names:
        return None
    usual = names.index(USUAL_COLUMN) if USUAL_COLUMN in names else 0
    number = st.session_state.get(f"{keys.GROUPS}_round", 0)  # of another file, another choice
    return st.selectbox(
        "Column with the group names", names, index=usual, key=f"{keys.GROUPS_COLUMN}_{number}", persist_state="session"
    )


@session.cached_for_session(max_entries=8, show_spinner="Reading the groups …")
def _read(
    digest: str, column: str | None, matched: Matching, data: str, rows: int, _file: Upload, _data: MultilabelDataset
) -> Groups:
    """Read the groups; the arguments without an underscore tell what is read."""
    return jobs_panel.wait_for(read_groups, (_file, column, matched, _data))


def read_groups(request: tuple[Upload, str | None, Matching, MultilabelDataset], report: OnReport) -> Groups:
    """Read which rows stay together; the work of a job."""
    file, column, matched, data = request
    read = read_apart(
        groups_in, (file,), file.open(), data, column, key=matched.key, unmatched=matched.unmatched, name=file.name
    )
    try:
        _, names = as_groups(read.values, data.n_rows)
    except OptisplitError as error:
        msg = f"{file.name}: {error}"
        raise OptionError(msg) from error
    given = "" if column is None else f", {column!r}"
    call = f"optisplit.io.rows.read_groups({file.name!r}, data{given}{matched.arguments})"
    n_matched = sum(line > 0 for line in read.lines)
    return Groups(read.values, len(names), n_matched, read.how, read.notes, f"groups = {call}.values  # {read.how}")
