"""The data that all pages work on: samples, and files that the user brings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.samples import SAMPLES, load
from optisplit.ui import keys
from optisplit.ui.escape import md

if TYPE_CHECKING:
    from optisplit.io.splits.base import SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.upload_folder import KeptFile

UPLOAD_PREFIX = "file: "
DEFAULT_SAMPLE = "bibtex"
_PENDING = "pending_data"


@dataclass(frozen=True)
class ChosenData:
    """The data set that the pages work on."""

    key: str  # what it is called in the picker
    load_code: str  # python that loads it
    uploaded: MultilabelDataset | None = None  # the data set, where the user brought it
    # the text files that it was read from; empty where they are not kept
    files: tuple[KeptFile, ...] = field(default=(), compare=False, repr=False)
    # the split that the files are, where they are a training and a test file
    split: SplitFile | None = field(default=None, compare=False, repr=False)
    # what was brought with the files: the XML, or label names
    beside: tuple[KeptFile, ...] = field(default=(), compare=False, repr=False)

    @property
    def data(self) -> MultilabelDataset:
        """The data set; a sample is read when it is first needed, so that the page is there before."""
        return self.uploaded if self.uploaded is not None else _sample(self.key)


def picker() -> None:
    """Draw the picker: one list of samples and uploads, and a place to bring a file."""
    uploads: dict[str, ChosenData] = st.session_state.setdefault(keys.UPLOADS, {})
    options = [*SAMPLES, *uploads]
    if _PENDING in st.session_state:
        st.session_state[keys.DATA] = st.session_state.pop(_PENDING)
    elif keys.DATA not in st.session_state:
        named = st.query_params.get(keys.DATA, "")  # anybody can write there: only known names count
        st.session_state[keys.DATA] = named if named in options else DEFAULT_SAMPLE
    titles = {key: f"{sample.title} · {sample.n_rows:,} × {sample.n_labels:,}" for key, sample in SAMPLES.items()}
    for key, upload in uploads.items():
        titles[key] = f"{key.removeprefix(UPLOAD_PREFIX)} · {upload.data.n_rows:,} × {upload.data.n_labels:,}"
    if not options:
        st.info("No sample data is installed; bring a file below.")
    st.selectbox(
        "Data set",
        options,
        format_func=titles.__getitem__,
        key=keys.DATA,
        persist_state="session",
        help="Rows × labels. All pages work on the data chosen here.",
    )
    chosen_key: str = st.session_state.get(keys.DATA) or ""
    if chosen_key in SAMPLES:
        st.query_params[keys.DATA] = chosen_key  # so that the address, sent to somebody, opens the same data
        st.caption(SAMPLES[chosen_key].what[:1].upper() + SAMPLES[chosen_key].what[1:] + ".")
    else:
        st.query_params.pop(keys.DATA, None)
        for note in uploads[chosen_key].data.notes if chosen_key in uploads else ():
            st.caption(md(note))
    from optisplit.ui import uploads as upload_page

    upload_page.form()


def restore(chosen: ChosenData | None) -> None:
    """Put back an upload that a reload of the page has lost, where the job still has it."""
    if chosen is None:
        return
    uploads = st.session_state.setdefault(keys.UPLOADS, {})
    if chosen.uploaded is not None and keys.DATA not in st.session_state:
        uploads[chosen.key] = chosen
        st.session_state[_PENDING] = chosen.key


def chosen() -> ChosenData | None:
    """Tell which data set the picker shows."""
    key: str = st.session_state.get(keys.DATA) or ""
    uploads: dict[str, ChosenData] = st.session_state.get(keys.UPLOADS, {})
    if key in uploads:
        return uploads[key]
    if key in SAMPLES:
        return ChosenData(key, f'data = optisplit.load("{key}")')
    st.info("Choose a data set at the left, or bring a file of your own.", icon=":material/arrow_back:")
    return None


@st.cache_resource(max_entries=4, show_spinner="Reading the data …")
def _sample(key: str) -> MultilabelDataset:
    return load(key)


def take(read: ChosenData, files: list[Any]) -> None:
    """Add data that were read from uploaded files to the picker, choose them, and draw the page anew."""
    state = st.session_state
    state.setdefault(keys.UPLOADS, {})[read.key] = read
    state[_PENDING] = read.key
    free_uploads(files)
    st.rerun()


def free_uploads(files: list[Any]) -> None:
    """Give the uploaded bytes back: Streamlit would keep them as long as the session lives."""
    from streamlit.runtime import exists, get_instance
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    if context is None or not exists():  # pages run in a test without a server
        return
    manager: Any = get_instance().uploaded_file_mgr  # the kind in use has more than its protocol says
    for file in files:
        manager.remove_file(session_id=context.session_id, file_id=file.file_id)
