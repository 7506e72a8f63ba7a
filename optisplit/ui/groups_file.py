"""The file that says which rows stay together: brought once, kept while the session lives."""

from __future__ import annotations

import csv
import hashlib
import io
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.errors import FormatError, OptisplitError
from optisplit.folds.constraints import as_groups
from optisplit.io.source import decode_text, read_source
from optisplit.io.splits.records import RowValues, read_row_values
from optisplit.io.tables import delimiter_of
from optisplit.text import clean_name
from optisplit.ui import keys, limits, session
from optisplit.ui.widgets import complaint, md

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import ChosenData

TYPES = ["txt", "csv", "tsv"]
MAX_SIZE_MB = 200
USUAL_COLUMN = "group"
LONGEST_HEADER = 1_000_000
LONGEST_NAME = 60  # characters of a file's name; a system takes 255 bytes


@dataclass(frozen=True)
class Groups:
    """Groups that stay whole."""

    of_rows: list[str]  # the group of every row
    n_groups: int  # how many there are
    how: str  # how the file was understood, in a few words
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
    def head(self) -> str:
        """How it begins; empty where it cannot be read, which is said where all of it is."""
        try:
            return decode_text(read_source(io.BytesIO(self.content), self.name).data)[0][:LONGEST_HEADER]
        except OptisplitError:
            return ""

    @property
    def delimiter(self) -> str:
        """What stands between its columns."""
        return delimiter_of(self.head)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What its columns are called; empty where it has one only."""
        try:
            cells = next(csv.reader(io.StringIO(self.head, newline=""), delimiter=self.delimiter), [])
        except csv.Error:
            return ()
        return tuple(dict.fromkeys(map(clean_name, cells))) if len(cells) > 1 else ()


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
    st.caption(f"{groups.n_groups:,} groups; {md(groups.how)}.")
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
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="optisplit-groups-"))
            path = Path(folder) / name
            path.write_bytes(_file.content)
        except OSError as error:
            msg = "The server's folder for temporary files cannot be written to; whoever runs it has to make room."
            raise FormatError(msg) from error
        given = str(path) if column is None else f"{path}:{column}"
        try:
            read = read_row_values(given, _data, option="the group column", usual=USUAL_COLUMN)
            _, names = as_groups(read.values, _data.n_rows)
        except OptisplitError as error:
            said = str(error) if name in str(error) else f"{name}: {error}"
            raise FormatError(said.replace(f"{folder}/", "")) from error
    return Groups(read.values, len(names), read.how, _code(_file, column, read))


def _code(file: GroupsFile, column: str | None, read: RowValues) -> str:
    """Write Python that reads the file."""
    note = f"  # the group of every row: {read.how}"
    if read.lines != sorted(read.lines):
        note = "  # bring these into the order of the data's rows first"
    if column is not None:
        separator = "" if file.delimiter == "," else f", sep={file.delimiter!r}"
        table = f"pandas.read_csv({file.name!r}{separator}, dtype=str, keep_default_na=False)"
        return f"groups = {table}[{column!r}].tolist(){note}"
    start = read.lines[0] - 1  # behind a header
    lines = f'pathlib.Path({file.name!r}).read_text(encoding="utf-8").splitlines()' + (f"[{start}:]" if start else "")
    return f"groups = {lines}{note}"
