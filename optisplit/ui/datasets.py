"""The data that all pages work on: samples, and what the user brought."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.samples import SAMPLES, load
from optisplit.io.source import NamedBytes
from optisplit.text import capital, clean_name
from optisplit.ui import keys
from optisplit.ui.widgets import said

if TYPE_CHECKING:
    import io
    from collections.abc import Mapping

    from optisplit.io.splits.base import SplitFile
    from optisplit.labels import MultilabelDataset

UPLOAD_PREFIX = "file: "
DEFAULT_SAMPLE = "enron"
"""That of the comparison which is shown to begin with."""

LONGEST_NAME = 60  # characters of a file's name; a system takes 255 bytes


@dataclass(frozen=True)
class Upload:
    """A file as it was brought, outside of Streamlit's own store."""

    name: str
    content: bytes = field(repr=False)

    @classmethod
    def of(cls, upload: Any) -> Upload:
        """Take what an uploader gave, under a name fit to show."""
        content = upload.content if isinstance(upload, cls) else upload.getvalue()
        return cls(clean_name(Path(upload.name).name, LONGEST_NAME) or "file", content)

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digest of name and bytes."""
        return hashlib.sha256(self.name.encode() + b"\0" + self.content).hexdigest()

    @property
    def is_text(self) -> bool:
        """Whether this looks like text, as opposed to an archive or arrays; packed text counts."""
        packed = self.content.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ"))
        return packed or b"\0" not in self.content[:8192] or self.content.startswith((b"\xff\xfe", b"\xfe\xff"))

    @property
    def size(self) -> int:
        """Its size, in bytes."""
        return len(self.content)

    def open(self) -> io.BytesIO:
        """Open it."""
        return NamedBytes(self.content, self.name)


@dataclass(frozen=True)
class ChosenData:
    """The data set that the pages work on."""

    key: str  # what it is called in the picker
    load_code: str  # python that loads it
    uploaded: MultilabelDataset | None = None  # the data set, where the user brought it
    # the files that it was read from, to compare rows, offer columns and read anew; empty where they are not kept
    files: tuple[Upload, ...] = field(default=(), compare=False, repr=False)
    # the split that the files are, where they are a training and a test file
    split: SplitFile | None = field(default=None, compare=False, repr=False)
    # what was brought with the files: the XML, or label names
    beside: tuple[Upload, ...] = field(default=(), compare=False, repr=False)
    roles: tuple[str, ...] = field(default=(), compare=False, repr=False)  # what each of these files is, the data first
    # what the user said of how to read them, as :func:`optisplit.load` takes it
    asked: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def data(self) -> MultilabelDataset:
        """The data set; a sample is read when it is first needed, so that the page is there before."""
        return self.uploaded if self.uploaded is not None else _sample(self.key)


def rows_key(data: MultilabelDataset) -> int:
    """Give a number that differs where other files would be matched to other rows."""
    return hash((data.row_ids, data.reading and data.reading.file))


def settle() -> None:
    """Settle which data set is chosen: the one just brought, the one chosen before, or the one in the address."""
    if keys.DATA_PENDING in st.session_state:
        st.session_state[keys.DATA] = st.session_state.pop(keys.DATA_PENDING)
    elif keys.DATA not in st.session_state:
        named = st.query_params.get(keys.DATA, "")  # anybody can write there: only known names count
        is_of_own = "data" in st.query_params.get(keys.LINK_OWN, "").split(",")  # no sample stands for them
        otherwise = None if is_of_own else DEFAULT_SAMPLE
        st.session_state[keys.DATA] = named if named in SAMPLES else otherwise
        if named in SAMPLES or any(name in st.query_params for name in keys.LINK):
            st.session_state[keys.HAS_BEGUN] = True


def picker() -> None:
    """Draw the picker: one list of samples and uploads."""
    uploads: dict[str, ChosenData] = st.session_state.setdefault(keys.UPLOADS, {})
    options = [*SAMPLES, *uploads]
    titles = {key: f"{sample.title} · {sample.n_rows:,} × {sample.n_labels:,}" for key, sample in SAMPLES.items()}
    for key, upload in uploads.items():
        titles[key] = f"{title_of(key)} · {upload.data.n_rows:,} × {upload.data.n_labels:,}"
    if not options:
        st.info("No sample data is installed; bring a file below.")
    st.selectbox(
        "Data set",
        options,
        format_func=titles.__getitem__,
        key=keys.DATA,
        persist_state="session",
        on_change=st.session_state.update,
        args=({keys.HAS_BEGUN: True},),
        help="Rows × labels. Compare, Check and Data work on what is chosen here.",
    )
    chosen_key: str = st.session_state.get(keys.DATA) or ""
    if chosen_key in SAMPLES:
        if keys.HAS_BEGUN in st.session_state:
            st.query_params[keys.DATA] = chosen_key  # so that the address, sent to somebody, opens the same data
        st.caption(capital(SAMPLES[chosen_key].what) + ".")
    else:
        st.query_params.pop(keys.DATA, None)
        data = uploads[chosen_key].data if chosen_key in uploads else None
        rule = None if data is None or data.reading is None else data.reading.rule  # which the page Data tells
        for note in () if data is None else data.notes:
            if note != rule:
                st.caption(said(note))


def title_of(key: str) -> str:
    """Give the name for people of a data set by its key in the picker."""
    if key.startswith(UPLOAD_PREFIX):
        return key.removeprefix(UPLOAD_PREFIX)
    return SAMPLES[key].title if key in SAMPLES else key.capitalize()  # of the latter only a study comes along


def chosen() -> ChosenData | None:
    """Tell which data set the picker shows."""
    key: str = st.session_state.get(keys.DATA) or ""
    uploads: dict[str, ChosenData] = st.session_state.get(keys.UPLOADS, {})
    if key in uploads:
        return uploads[key]
    if key in SAMPLES:
        return of_sample(key)
    st.info("Choose a data set at the left, or bring a file of your own.", icon=":material/arrow_back:")
    return None


def of_sample(key: str) -> ChosenData:
    """Give a sample as what may be chosen."""
    return ChosenData(key, f'data = optisplit.load("{key}")')


def add(read: ChosenData) -> None:
    """Add data that were brought to the picker, and choose them when it is drawn next."""
    st.session_state.setdefault(keys.UPLOADS, {})[read.key] = read
    st.session_state.update({keys.DATA_PENDING: read.key, keys.HAS_BEGUN: True})


def restore(used: ChosenData | None) -> None:
    """Put back an upload that a reload of the page has lost, where the job still has it."""
    if used is not None and used.uploaded is not None and keys.DATA not in st.session_state:
        add(used)


@st.cache_resource(max_entries=4, show_spinner="Reading the data …")
def _sample(key: str) -> MultilabelDataset:
    return load(key)
