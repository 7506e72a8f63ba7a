"""Files that the user brings: asked for, read with progress, and taken over as the data."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import FormatError, MemoryLimitError, MissingLabelsError, OptisplitError
from optisplit.io.samples import load
from optisplit.ui import keys, limits
from optisplit.ui.data import how_to_read
from optisplit.ui.datasets import UPLOAD_PREFIX, ChosenData, take
from optisplit.ui.escape import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from optisplit.ui.data.how_to_read import HowToRead
    from optisplit.ui.upload_folder import KeptFile

UPLOAD_TYPES = ["arff", "xml", "npz", "npy", "csv", "tsv", "txt", "parquet", "jsonl", "json", "svm", "libsvm", "dat",
                "gz", "bz2", "xz"]  # fmt: skip
PACKED = (".gz", ".bz2", ".xz")
SLOW_BYTES = 5_000_000
"""From here on reading takes long enough to be stopped."""

_STOPPED = "reading_stopped"
_FAILED = "reading_failed"


def form() -> None:
    """Draw the place to bring a file; once it can be read, it is the data."""
    state = st.session_state
    round_number = state.setdefault(keys.UPLOAD_ROUND, 0)
    with st.expander("Use your own data", icon=":material/upload_file:", key="upload_expander"):
        if state.pop(_STOPPED, False):
            st.info("Reading was stopped.", icon=":material/cancel:")
        files = st.file_uploader(
            "A file with labels, and what belongs to it",
            type=UPLOAD_TYPES,
            accept_multiple_files=True,
            key=f"upload_{round_number}",
            help="ARFF as MULAN or MEKA have it, with the XML file that names the labels, if any; a table (CSV, TSV, "
            "Parquet, JSON Lines) with 0/1 columns or lists of labels; .npz or .npy; LIBSVM or XMC text. A text file "
            "with one label name a line can go with the last three. All may be packed with gzip, bzip2 or xz. "
            + limits.upload_words(),
        )
        outcome = st.container()  # above the fields, where it is seen
        how = how_to_read.ask(str(round_number))
        if files:
            with outcome:
                _read_uploads(files, how, str(round_number))


def _read_uploads(files: list[Any], how: HowToRead, suffix: str) -> None:
    state = st.session_state
    request = (tuple(file.file_id for file in files), how)
    known, error = state.get(_FAILED, (None, None))
    if known != request:
        read, error = _tried(files, how)
        if read is not None:
            state.pop(_FAILED, None)
            state[keys.UPLOAD_ROUND] += 1  # an empty uploader, ready for the next file
            take(read, files)
        state[_FAILED] = (request, error)  # not read again at every press of any button
    if isinstance(error, MissingLabelsError):
        how_to_read.ask_about_missing(error, suffix)
    elif error is not None:
        st.error(md(str(error)), icon=":material/error:")


def _tried(files: list[Any], how: HowToRead) -> tuple[ChosenData | None, OptisplitError | None]:
    place = st.empty()
    with place.container():
        if sum(file.size for file in files) > SLOW_BYTES:
            st.button("Stop reading", key="stop_reading", on_click=_stop)
        bar = st.progress(0.0, "Reading the file …")
    try:
        limits.check_upload(files)
        return parse(files, how, on_progress=limits.guarded(_shown_on(bar))), None
    except OptisplitError as error:
        return None, error
    except MemoryError:
        return None, MemoryLimitError("The server's memory is not enough to read this; bring a smaller file.")
    finally:
        place.empty()


def _stop() -> None:
    st.session_state[keys.UPLOAD_ROUND] += 1  # gives the file back, or it would be read again at once
    st.session_state[_STOPPED] = True


def _shown_on(bar: Any) -> Callable[[int, int, None], None]:
    last = [time.monotonic()]

    def on_progress(done: int, total: int, score: None) -> None:
        if time.monotonic() - last[0] > 0.2:
            last[0] = time.monotonic()
            bar.progress(min(done / max(total, 1), 1.0), "Reading the file …")  # here a press of Stop takes effect

    return on_progress


def parse(
    files: list[Any], how: HowToRead, *, on_progress: Callable[[int, int, None], None] | None = None
) -> ChosenData:
    """Read one data file and what was brought with it."""
    main, beside = _sorted_out(files)
    options = how.options()
    code = [repr(main.name)]
    for option, file in beside.items():
        code.append(f"{option}={file.name!r}")
    code += [f"{option}={value!r}" for option, value in options.items()]
    data = load(_content(main), name=main.name, on_progress=on_progress, **options,
                **{option: _content(file) for option, file in beside.items()})  # fmt: skip
    from optisplit.ui.upload_folder import keep

    load_code = f"data = optisplit.load({', '.join(code)})"
    kept, kept_beside = keep([main]), keep(beside.values())
    return ChosenData(UPLOAD_PREFIX + main.name, load_code, data, kept, beside=kept_beside if kept else ())


def _content(file: Any) -> Any:
    from optisplit.ui.upload_folder import KeptFile

    return file.open() if isinstance(file, KeptFile) else file


def _ending(file: Any) -> str:
    name = file.name.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    return name.rpartition(".")[2]


def _sorted_out(files: list[Any]) -> tuple[Any, dict[str, Any]]:
    """Tell the data file, and what the others are to it."""
    xml = [file for file in files if _ending(file) == "xml"]
    rest = [file for file in files if file not in xml]
    # where there are two, and one is a plain text, that one has the names of the labels
    names = [file for file in rest if _ending(file) == "txt"] if len(rest) == 2 else []
    if len(names) == 2:  # XMC's files: the one called Y or names or labels
        names = [file for file in names if "names" in file.name.lower() or file.name.lower().split(".")[0] == "y"]
    main = [file for file in rest if file not in names]
    if len(main) != 1 or len(xml) > 1 or len(names) > 1 or (xml and names):
        given = ", ".join(file.name for file in files)
        msg = f"Give one data file, with at most one XML or one list of label names beside it; these were {given}."
        raise FormatError(msg)
    beside = {"label_file": xml[0]} if xml else {}
    return main[0], beside | ({"names": names[0]} if names else {})


def read_anew(chosen: ChosenData, how: HowToRead) -> ChosenData:
    """Read data once more from the files that are kept of it, in another way."""
    files: list[KeptFile] = [*chosen.files, *chosen.beside]
    return parse(files, how)
