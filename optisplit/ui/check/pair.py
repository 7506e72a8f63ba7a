"""Training and test files, which bring the data along."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptisplitError
from optisplit.io.formats.columns import parse_label_columns
from optisplit.io.splits import read_train_test
from optisplit.ui import jobs_panel, keys, limits, uploads
from optisplit.ui.check import state
from optisplit.ui.datasets import UPLOAD_PREFIX, ChosenData
from optisplit.ui.widgets import complaint

if TYPE_CHECKING:
    from optisplit.io.splits import SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import Upload
    from optisplit.ui.jobs import OnReport

TYPES = ["arff", "csv", "tsv", "txt", "npz", "gz"]


def ask_for_pair(chosen: ChosenData) -> None:
    """Ask for two files; when both are there, read them and choose them as the data."""
    number = st.session_state.setdefault(keys.CHECK_PAIR_ROUND, 0)
    places = st.columns(2)
    train, test = (
        place.file_uploader(f"{title} file", type=TYPES, key=f"check_{title.lower()}_{number}")
        for place, title in zip(places, ("Training", "Test"), strict=True)
    )
    st.caption("Files with features and labels, as MULAN ships them. They become the data that all pages work on.")
    left, right = st.columns(2)
    xml = left.file_uploader("MULAN's XML, if any", type=["xml", "gz"], key=f"check_xml_{number}")
    columns = right.text_input(
        "Label columns (only if the files do not say)", key=f"check_labels_{number}", placeholder="-6, or names",
        help="A number: that many columns from the end (12) or, with a minus, from the start (-12). Or the names of "
        "the columns, separated by commas.",
    )  # fmt: skip
    if train is None or test is None:
        return
    given = [file for file in (train, test, xml) if file is not None]
    try:
        with st.spinner("Reading the files …"):
            limits.check_upload(given)
            pair = uploads.as_given(train), uploads.as_given(test)
            read = _read(PairRequest(*pair, None if xml is None else uploads.as_given(xml), columns))
    except OptisplitError as error:
        st.markdown(complaint(error))
        return
    st.session_state[keys.CHECK_PAIR_ROUND] += 1
    state.choose("pair")
    uploads.take(read, given)


@dataclass(frozen=True)
class PairRequest:
    """Two files that are to be read."""

    train: Upload
    test: Upload
    xml: Upload | None
    columns: str  # label columns, as typed

    @property
    def options(self) -> dict[str, Any]:
        """What the user says of the files."""
        return {"label_columns": parse_label_columns(self.columns)} if self.columns.strip() else {}


def read_pair(request: PairRequest, report: OnReport) -> tuple[MultilabelDataset, SplitFile]:
    """Read both files; the work of a job."""
    return read_train_test(
        request.train.open(), request.test.open(), train_name=request.train.name, test_name=request.test.name,
        label_file=None if request.xml is None else request.xml.open(), **request.options,
    )  # fmt: skip


def _read(request: PairRequest) -> ChosenData:
    data, split = jobs_panel.wait_for(read_pair, request)
    options = ({} if request.xml is None else {"label_file": request.xml.name}) | request.options
    names = [request.train.name, request.test.name]
    code = ", ".join([*map(repr, names), *(f"{option}={value!r}" for option, value in options.items())])
    load_code = f"data, split = optisplit.io.splits.read_train_test({code})"
    kept = uploads.keep([request.train, request.test])
    return ChosenData(UPLOAD_PREFIX + " + ".join(names), load_code, data, kept, split)
