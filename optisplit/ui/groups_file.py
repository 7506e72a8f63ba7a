"""What says which rows stay together: a column of the data, or a file that is kept while the session lives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptionError, OptisplitError
from optisplit.folds.constraints import as_groups
from optisplit.io.likely_groups import likely_groups, shared_words
from optisplit.io.rows import GroupNames, RowColumn, origin_of, own_groups
from optisplit.io.rows import read_groups as groups_in
from optisplit.text import clean_name, counted
from optisplit.ui import jobs_panel, keys, matching, session, uploads
from optisplit.ui.apart import read_apart
from optisplit.ui.datasets import rows_key, title_of
from optisplit.ui.spelling import GROUPS_TITLE
from optisplit.ui.widgets import complaint, md

if TYPE_CHECKING:
    from collections.abc import Callable

    from optisplit.io.layouts.group_columns import LikelyGroups
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import ChosenData, Upload
    from optisplit.ui.jobs import OnReport
    from optisplit.ui.matching import Matching

USUAL_COLUMN = "group"
FILE_TITLE = "Groups in a file"
NO_GROUPS = "None: each row may go anywhere"


@dataclass(frozen=True)
class Groups:
    """Groups that stay whole."""

    of_rows: GroupNames  # the group of every row
    n_groups: int  # how many there are
    notes: tuple[str, ...]  # how a file was read, and what else is to be known
    value: str  # what python is to give for ``groups``
    code: str = ""  # python that has to stand before; empty where nothing has
    column: str = ""  # the column of the data that they are; empty where they are of a file

    @property
    def words(self) -> str:
        """How many there are, and where they are from."""
        return f"{counted(self.n_groups, 'group')}{origin_of(self.of_rows)}"


def ask(chosen: ChosenData, place: Any = None) -> tuple[Groups | None, bool]:
    """Ask for a column of the data, or draw the place for a file; and read it.

    `place`: where a column is asked for if one looks like groups, which is easily seen there.
    """
    data, own = chosen.data, _ask_column(chosen, place)
    if own is not None:
        return _tried(lambda: of_column(chosen, own))
    title = FILE_TITLE if _columns_of(chosen) else GROUPS_TITLE
    file = uploads.ask_for_one(
        title, "CSV, Excel, Parquet, JSON, or text with one group name a line.", key=keys.GROUPS,
        help="For rows that must not be torn apart, such as several images of one patient. A text file with one group "
        "name a line, in the order of the rows, or a table with a column of group names.",
    )  # fmt: skip
    if file is None:
        return None, True
    st.session_state[keys.GROUPS_OF] = chosen.key
    column = _column(file)
    key = f"{keys.GROUPS_MATCHED}_{st.session_state.get(f'{keys.GROUPS}_round', 0)}"
    matched = matching.ask(matching.columns_of(file), column, data, key)
    found = _tried(lambda: _read(file.digest, column, matched, data.digest, rows_key(data), file, data), key)
    if found[1] and matched.unmatched != "error":
        matching.offer_to_leave_out(key)
    return found


def _tried(read: Callable[[], Groups], key: str = "") -> tuple[Groups | None, bool]:
    """Read groups and say what is to be known of them, or what is wrong; `key` offers to leave rows out."""
    try:
        groups = read()
    except OptisplitError as error:
        st.markdown(complaint(error))
        if key and matching.speaks_of_unmatched(error):
            matching.offer_to_leave_out(key)
        return None, False
    for note in groups.notes:
        st.caption(md(note))
    return groups, True


def drop_foreign(chosen: ChosenData) -> None:
    """Give a file of groups back once other data are chosen, of whose rows it says nothing, and say so."""
    state = st.session_state
    of, files = state.get(keys.GROUPS_OF), state.get(keys.GROUPS)
    if files and of is not None and of != chosen.key:
        state[keys.GROUPS] = None
        state[keys.GROUPS_DROPPED] = (chosen.key, f"{files[0].name} has groups of {title_of(of)}, so they were dropped "
                                      f"with it.")  # fmt: skip
    key, told = state.get(keys.GROUPS_DROPPED, ("", ""))
    if key == chosen.key:
        st.info(md(told), icon=":material/group_work:")
    else:
        state.pop(keys.GROUPS_DROPPED, None)


def column_key(chosen: ChosenData) -> str:
    """Give the session key of the column that is chosen for groups."""
    return f"{keys.GROUPS_COLUMN}_of_{chosen.key}"


def choose(chosen: ChosenData, column: str, at_once: str) -> None:
    """Choose a column for groups, the next time that the form is drawn, and have it start at once."""
    st.session_state.update({column_key(chosen): column, at_once: True})


def follow_link(chosen: ChosenData) -> None:
    """Choose the column that a link names, once there are data that have it; until then say which it is."""
    column: str = st.session_state.get(keys.LINK_GROUPS, "")
    if column and column in _columns_of(chosen):
        st.session_state[column_key(chosen)] = st.session_state.pop(keys.LINK_GROUPS)
    elif column:
        st.warning(
            f"The link keeps rows of one {md(clean_name(column, 40))} together, but {md(title_of(chosen.key))} has no "
            "such column whose values repeat.",
            icon=":material/link_off:",
        )


def not_kept(chosen: ChosenData) -> LikelyGroups | None:
    """Give the column that looks like groups, while none are chosen; None where no column does, or some are."""
    if st.session_state.get(column_key(chosen)) or st.session_state.get(keys.GROUPS):
        return None
    return next(iter(likely_groups(chosen.data)), None)


def can_choose(chosen: ChosenData, column: str) -> bool:
    """Tell whether a column of the data can be chosen for groups: they are the data that the page works on."""
    return st.session_state.get(keys.DATA) == chosen.key and column in _columns_of(chosen)


def _columns_of(chosen: ChosenData) -> list[str]:
    """List the columns that may be groups, likely ones first: names that rows share, and columns that repeat."""
    data = chosen.data
    if data.reading is None:
        return []
    return list(data.reading.repeating) if chosen.files else [each.column for each in likely_groups(data)]


def _ask_column(chosen: ChosenData, place: Any) -> str | None:
    columns = _columns_of(chosen)
    if not columns:
        return None
    likely = {each.column: f"{counted(each.n_values, each.noun)}" for each in likely_groups(chosen.data)}
    shown = {"": NO_GROUPS} | {
        name: clean_name(name, 40) + (f" · {likely[name]}" if name in likely else "") for name in columns
    }
    is_in_sight = bool(likely) and place is not None
    where = place if is_in_sight else st
    found = where.selectbox(
        GROUPS_TITLE, list(shown), format_func=shown.__getitem__, key=column_key(chosen), persist_state="session",
        help="For rows that must not be torn apart, such as several images of one patient: rows with the same value in "
        "this column of the data come into the same fold or part. A file of groups can be brought in its place.",
    )  # fmt: skip
    divided = not_kept(chosen) if is_in_sight else None
    if divided is not None:
        where.info(md(shared_words(divided)), icon=":material/group_work:")
    return found or None


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
    matched_rows = f"{sum(line > 0 for line in read.lines):,} of {counted(data.n_rows, 'row')}"
    notes = (f"{counted(len(names), 'group')}; {read.how}; {matched_rows}.", *read.notes)
    origin = file.name if column is None else f"{file.name}:{column}"
    code = f"groups = {call}.values  # {read.how}"
    return Groups(GroupNames.of(read.values, origin), len(names), notes, "groups", code)


def of_column(chosen: ChosenData, column: str) -> Groups:
    """Take a column of the data for groups."""
    return _read_column(column, chosen.data.digest, rows_key(chosen.data), chosen)


@session.cached_for_session(max_entries=8, show_spinner="Reading the groups …")
def _read_column(column: str, data: str, rows: int, _chosen: ChosenData) -> Groups:
    """Read a column of the data; the arguments without an underscore tell what is read."""
    return jobs_panel.wait_for(read_column, (_chosen, column))


def read_column(request: tuple[ChosenData, str], report: OnReport) -> Groups:
    """Read which rows stay together from a column of the data; the work of a job."""
    chosen, column = request
    data = chosen.data
    read = read_apart(own_groups, chosen.files, data, column) if chosen.files else own_groups(data, column)
    if read is None:  # the file is not kept, but it was noticed when it was read which rows have the same
        codes = next(each.codes for each in likely_groups(data) if each.column == column).tolist()
        values = [f"row {row} alone" if code < 0 else f"{column} {code}" for row, code in enumerate(codes)]
        read = RowColumn(data.name, values, [0] * len(values), f"column {column!r} of the data")
    n_groups = len(set(read.values))
    return Groups(GroupNames.of(read.values, column), n_groups, read.notes, repr(column), column=column)
