"""Training and test files, which bring the data along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptisplitError
from optisplit.io.splits import read_train_test
from optisplit.ui import keys, limits, uploads
from optisplit.ui.check import state
from optisplit.ui.datasets import UPLOAD_PREFIX, ChosenData
from optisplit.ui.uploads import keep
from optisplit.ui.widgets import complaint

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

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
    try:
        with st.spinner("Reading the files …"):
            limits.check_upload([file for file in (train, test, xml) if file is not None])
            read = _read(train, test, xml, columns)
    except OptisplitError as error:
        st.markdown(complaint(error))
        return
    st.session_state[keys.CHECK_PAIR_ROUND] += 1
    state.choose("pair")
    uploads.take(read, [file for file in (train, test, xml) if file is not None])


def _read(train: UploadedFile, test: UploadedFile, xml: UploadedFile | None, columns: str) -> ChosenData:
    options: dict[str, Any] = {}
    code = [repr(train.name), repr(test.name)]
    if xml is not None:
        options["label_file"] = xml
        code.append(f"label_file={xml.name!r}")
    if columns.strip():
        from optisplit.io.formats.columns import parse_label_columns

        options["label_columns"] = parse_label_columns(columns)
        code.append(f"label_columns={options['label_columns']!r}")
    data, split = read_train_test(train, test, train_name=train.name, test_name=test.name, **options)
    load_code = f"data, split = optisplit.io.splits.read_train_test({', '.join(code)})"
    return ChosenData(f"{UPLOAD_PREFIX}{train.name} + {test.name}", load_code, data, keep([train, test]), split)
