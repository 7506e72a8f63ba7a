"""Files that the user brings: asked for, read as the user says, and taken over as the data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import FormatError, MemoryLimitError, MissingLabelsError, OptisplitError
from optisplit.io.layouts.columns import parse_label_columns
from optisplit.io.packing import PACKINGS
from optisplit.io.registry import LAYOUTS, file_endings, readable
from optisplit.io.samples import load
from optisplit.text import counted
from optisplit.ui import datasets, jobs_panel, keys, limits
from optisplit.ui.datasets import UPLOAD_PREFIX, ChosenData, Upload
from optisplit.ui.session import give_back
from optisplit.ui.widgets import md, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optisplit.labels import MultilabelDataset
    from optisplit.ui.jobs import OnReport


SLOW_BYTES = 5_000_000
"""From here on reading takes long enough to be stopped."""

MOST_MB_OF_ONE = 200
"""For a file of splits or groups."""

MOST_BYTES = 200 * 1024**2
"""Larger data files are not kept: their rows cannot be compared, nor can their columns be offered."""

SEPARATORS = {
    "|": "| (bar)",
    ",": ", (comma)",
    ";": "; (semicolon)",
    " ": "a blank",
    "\t": "a tab",
    "::": ":: (colons)",
}
COLUMNS_HELP = (
    "A number: that many columns from the end (12) or, with a minus, from the start (-12). Or the names of the "
    "columns, separated by commas."
)
_GUESSED = "guessed from the file"


@dataclass(frozen=True)
class HowToRead:
    """How a file is read, as far as the user says; None where it is to be guessed."""

    label_columns: str = ""  # as typed; the others as :func:`optisplit.load` takes them
    format: str | None = None
    layout: str | None = None
    label_separator: str | None = None
    missing: str | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> HowToRead:
        """Take over how a file was read."""
        columns = options.get("label_columns", "")
        typed = ", ".join(map(str, columns)) if isinstance(columns, list | tuple) else str(columns)
        return cls(typed, *(options.get(name) for name in ("format", "layout", "label_separator", "missing")))

    def options(self) -> dict[str, Any]:
        """Give the arguments of :func:`optisplit.load`."""
        columns = parse_label_columns(self.label_columns) if self.label_columns.strip() else None
        given = vars(self) | {"label_columns": columns}
        return {name: value for name, value in given.items() if value is not None}


def ask_how(suffix: str, start: HowToRead | None = None) -> HowToRead:
    """Ask how a file is to be read."""
    known = start or HowToRead()
    columns = st.text_input(
        "Label columns (only if the file does not say)",
        known.label_columns,
        key=f"upload_columns_{suffix}",
        placeholder="-6, or names: happy, sad",
        help=f"{COLUMNS_HELP} For a list of labels: the column that holds it.",
    )
    missing = st.session_state.get(f"upload_missing_{suffix}")
    is_open = start is not None or st.toggle(
        "Say how to read it",
        key=f"upload_how_{suffix}",
        help="Format, layout and separator are guessed from the file's content. Say here what is guessed wrong.",
    )
    if not is_open:
        return HowToRead(columns, missing=missing)
    formats = {key: each.name for key, each in readable().items()}
    return HowToRead(
        columns,
        _choice("Format", formats, known.format, f"upload_format_{suffix}"),
        _choice("Where a table has its labels", LAYOUTS, known.layout, f"upload_layout_{suffix}"),
        _choice("Between the labels of a list", SEPARATORS, known.label_separator, f"upload_separator_{suffix}"),
        missing or known.missing,
    )


def _choice(label: str, choices: Mapping[Any, str], start: str | None, key: str) -> str | None:
    options = [None, *choices]
    at = options.index(start) if start in choices else 0
    chosen: str | None = st.selectbox(
        label, options, at, format_func=lambda each: _GUESSED if each is None else choices[each], key=key
    )
    return chosen


def ask_about_missing(error: MissingLabelsError, suffix: str) -> None:
    """Ask what label cells that are missing mean; the answer is taken when the page is drawn next."""
    # what to do about it stands below, as answers to choose from
    st.warning(md(error.where), icon=":material/help:")
    answers = {
        "zero": "The row does not have the label: read them as 0",
        "drop-rows": f"Nobody knows: leave out {counted(error.n_rows, 'row')}",
        "drop-labels": f"Nobody knows: leave out {counted(error.n_labels, 'label')}",
    }
    st.radio(
        "What does a missing label mean?", list(answers), index=None, format_func=answers.__getitem__,
        key=f"upload_missing_{suffix}",
    )  # fmt: skip


def form() -> None:
    """Draw the place to bring a file; once it can be read, it is the data."""
    state = st.session_state
    round_number = state.setdefault(keys.UPLOAD_ROUND, 0)
    with st.expander("Use your own data", icon=":material/upload_file:", key="upload_expander"):
        if state.pop(keys.READING_STOPPED, False):
            st.info("Reading was stopped.", icon=":material/cancel:")
        files = st.file_uploader(
            "A file with labels, and what belongs to it",
            type=list(file_endings()),
            accept_multiple_files=True,
            key=f"upload_{round_number}",
            help=f"{'; '.join(each.name for each in readable().values())}. With MULAN's ARFF, the XML file that "
            "names the labels; with formats that have numbers only, a text file with one label name a line. All may be "
            "packed with gzip, bzip2 or xz. " + limits.upload_words(),
        )
        outcome = st.container()  # above the fields, where it is seen
        how = ask_how(str(round_number))
        if files:
            with outcome:
                _read_uploads(files, how, str(round_number))


def _read_uploads(files: list[Any], how: HowToRead, suffix: str) -> None:
    state = st.session_state
    request = (tuple(file.file_id for file in files), how)
    known, error = state.get(keys.READING_FAILED, (None, None))
    if known != request:
        read, error = _tried(files, how)
        if read is not None:
            state.pop(keys.READING_FAILED, None)
            state[keys.UPLOAD_ROUND] += 1  # an empty uploader, ready for the next file
            take(read, files)
        state[keys.READING_FAILED] = (request, error)  # not read again at every press of any button
    if isinstance(error, MissingLabelsError):
        ask_about_missing(error, suffix)
    elif error is not None:
        st.error(said(error), icon=":material/error:")


def _tried(files: list[Any], how: HowToRead) -> tuple[ChosenData | None, OptisplitError | None]:
    place = st.empty()
    with place.container():
        if sum(file.size for file in files) > SLOW_BYTES:
            st.button("Stop reading", key="stop_reading", on_click=_stop)
        bar = st.progress(0.0, "Reading the file …")

    def show(fraction: float, message: str) -> None:
        bar.progress(fraction, "Reading the file …")  # here a press of Stop takes effect

    try:
        limits.check_upload(files)
        return parse(files, how, show), None
    except OptisplitError as error:
        return None, error
    except MemoryError:
        return None, MemoryLimitError("The server's memory is not enough to read this; bring a smaller file.")
    finally:
        place.empty()


def _stop() -> None:
    st.session_state[keys.UPLOAD_ROUND] += 1  # gives the file back, or it would be read again at once
    st.session_state[keys.READING_STOPPED] = True


@dataclass(frozen=True)
class ReadRequest:
    """What is to be read."""

    files: tuple[Upload, ...]
    beside: Mapping[str, Upload]  # by the option of :func:`optisplit.load`
    options: Mapping[str, Any]

    def opened(self) -> dict[str, Any]:
        """Give the options that are files, each to be read from its beginning."""
        return {option: file.open() for option, file in self.beside.items()}

    def called(self, function: str) -> str:
        """Write the call of a function that does the same."""
        options = {option: file.name for option, file in self.beside.items()} | dict(self.options)
        names = [repr(file.name) for file in self.files]
        return f"{function}({', '.join([*names, *(f'{option}={value!r}' for option, value in options.items())])})"


def read(request: ReadRequest, report: OnReport) -> MultilabelDataset:
    """Read a file and what belongs to it; the work of a job."""
    (main,) = request.files
    watch = limits.guarded(lambda done, total, score: report(min(done / max(total, 1), 1.0), ""))
    return load(main.open(), name=main.name, on_progress=watch, **request.opened(), **request.options)


def parse(files: Iterable[Any], how: HowToRead, show: OnReport | None = None) -> ChosenData:
    """Read one data file and what was brought with it."""
    main, beside = _sorted_out([as_given(file) for file in files])
    request = ReadRequest((main,), beside, how.options())
    data = jobs_panel.wait_for(read, request, show)
    kept, kept_beside = keep([main]), keep(beside.values())
    if kept and data.reading is not None:
        data = replace(data, reading=replace(data.reading, file=main.content))
    code = f"data = {request.called('optisplit.load')}"
    return ChosenData(UPLOAD_PREFIX + main.name, code, data, kept, beside=kept_beside if kept else ())


def as_given(file: Any) -> Upload:
    """Take a file under its full name, whose ending counts; the bytes are not copied."""
    return file if isinstance(file, Upload) else Upload(file.name, file.getvalue())


def keep(uploads: Iterable[Any]) -> tuple[Upload, ...]:
    """Keep files where they are not too large, to compare their rows, offer their columns, or read them anew."""
    given = list(uploads)
    return () if any(upload.size > MOST_BYTES for upload in given) else tuple(map(Upload.of, given))


def take(read: ChosenData, files: Iterable[Any] = ()) -> None:
    """Add data that were read from uploaded files to the picker, choose them, and draw the page anew."""
    datasets.add(read)
    give_back(files)
    st.rerun()


def _ending(file: Upload) -> str:
    name = file.name.lower()
    for packed in PACKINGS:
        name = name.removesuffix(packed)
    return name.rpartition(".")[2]


def _sorted_out(files: list[Upload]) -> tuple[Upload, dict[str, Upload]]:
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


def ask_for_one(title: str, types: list[str], *, key: str, help: str) -> Upload | None:
    """Ask for one file and remember it, or show which one is in use, with the way to be rid of it."""
    state = st.session_state
    file: Upload | None = state.get(key)
    if file is not None:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_shown"):
            st.markdown(f"{title}: **{md(file.name)}**", width="content")
            st.button(
                "Remove", key=f"{key}_remove", icon=":material/close:", type="tertiary", on_click=_forget, args=(key,)
            )
        return file
    round_number = state.setdefault(f"{key}_round", 0)
    most_mb = min(MOST_MB_OF_ONE, limits.max_upload_mb())
    upload = st.file_uploader(title, type=types, max_upload_size=most_mb, key=f"{key}_{round_number}", help=help)
    if upload is not None:
        state[key] = Upload.of(upload)
        state[f"{key}_round"] += 1  # an empty uploader, ready for the next file
        give_back([upload])
        st.rerun()
    return None


def _forget(key: str) -> None:
    st.session_state[key] = None
