"""Files that the user brings: asked for, read as the user says, and taken over as the data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import MemoryLimitError, MissingLabelsError, OptisplitError
from optisplit.io.registry import READ_OPTIONS, readable
from optisplit.io.samples import load
from optisplit.text import clean_name, joined
from optisplit.ui import datasets, file_roles, jobs_panel, keys, limits, matching
from optisplit.ui.apart import read_apart
from optisplit.ui.datasets import LONGEST_NAME, UPLOAD_PREFIX, ChosenData, Upload
from optisplit.ui.reading_options import all_options, answered, ask_all, named_in, show_failure
from optisplit.ui.session import give_back
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from optisplit.labels import MultilabelDataset
    from optisplit.ui.jobs import OnReport


SLOW_BYTES = 5_000_000
"""From here on reading takes long enough to be stopped."""

MOST_MB_OF_ONE = 200
"""For a file of splits or groups."""

DATA_HINT = "CSV, Excel, Parquet, JSON, ARFF, NumPy and more, packed or not: what is in it counts, not its ending."

MOST_BYTES = 200 * 1024**2
"""Larger data files are not kept: their rows cannot be compared, nor can their columns be offered."""


def form(*, is_whole: bool = False) -> None:
    """Draw the place to bring a file, which may be all that a page shows; once it can be read, it is the data."""
    state = st.session_state
    round_number = state.setdefault(keys.UPLOAD_ROUND, 0)
    with st.expander("Use your own data", is_whole, icon=":material/upload_file:", key="upload_expander"):
        if state.pop(keys.READING_STOPPED, False):
            st.info("Reading was stopped.", icon=":material/cancel:")
        formats = sorted((each.name for each in readable().values()), key=lambda name: not name.startswith("CSV"))
        files = st.file_uploader(
            "A file with labels, and what belongs to it",
            accept_multiple_files=True,
            key=f"upload_{round_number}",
            help=f"{'; '.join(formats)}. With MULAN's ARFF, the XML file that "
            "names the labels; with formats that have numbers only, a text file with one label name a line. All may be "
            "packed with gzip, bzip2 or xz. " + limits.upload_words(),
        )
        st.caption(DATA_HINT)
        outcome, fields = st.container(), st.container()  # above the toggle, where they are seen
        suffix = str(round_number)
        is_open = st.toggle(
            "Say how to read it", key=f"upload_how_{suffix}",
            help="Format, layout and all else is guessed from the file's content. Say here what is guessed wrong.",
        )  # fmt: skip
        named: list[str] = state.get(f"{keys.NAMED_OPTIONS}_{suffix}", [])
        with st.container() if is_open else fields:
            columns: tuple[str, ...] = state.get(f"{keys.FILE_COLUMNS}_{suffix}", ())
            how = ask_all(all_options() if is_open else [READ_OPTIONS[key] for key in named], suffix, columns)
            names = [file.name for file in files]
            roles = file_roles.guess(names)
            if len(files) > 1 and (is_open or suffix in state.get(keys.READING_FAILED, {})):
                roles = file_roles.ask(names, roles, f"upload_role_{suffix}")
        if files:
            with outcome:
                _read_uploads(files, roles, how, suffix, in_sidebar=not is_whole)


def _read_uploads(
    files: list[Any], roles: tuple[str, ...], how: dict[str, Any], suffix: str, *, in_sidebar: bool
) -> None:
    """Read what was brought; where that fails, ask for what the error speaks of."""
    state = st.session_state
    is_first = suffix not in state.get(keys.READING_FAILED, {})
    read, error = read_once(files, roles, answered(suffix) | how, suffix, on_stop=_stop)
    if read is not None:
        state[keys.UPLOAD_ROUND] += 1  # an empty uploader, ready for the next file
        take(read, files, is_new=True)
    if error is None:
        return
    names = joined([clean_name(file.name, LONGEST_NAME) for file in files], 3)
    state[keys.UNREAD] = Unread(names, error, suffix, in_sidebar)
    if in_sidebar and isinstance(error, MissingLabelsError):
        st.info("What its empty cells mean is asked on the page.", icon=":material/help:")
    else:
        show_failure(error, suffix)
    named: list[str] = state.setdefault(f"{keys.NAMED_OPTIONS}_{suffix}", [])
    more = [option.key for option in named_in(error) if option.key not in named]
    named += more
    if {"label_columns", "key"} & set(more) and "data" in roles and files[roles.index("data")].size <= MOST_BYTES:
        columns = matching.columns_of(as_given(files[roles.index("data")]))
        state[f"{keys.FILE_COLUMNS}_{suffix}"] = columns
    if more or (is_first and len(files) > 1):
        st.rerun()  # with fields for what may be wrong


@dataclass(frozen=True)
class Unread:
    """Files that were brought and cannot be used yet."""

    names: str
    error: OptisplitError
    suffix: str  # of the keys of their fields
    in_sidebar: bool  # where they were brought


def show_unread(instead: str) -> None:
    """Say on a page that files in the sidebar cannot be used yet, and ask what has to be answered."""
    unread: Unread | None = st.session_state.get(keys.UNREAD)
    if unread is None or not unread.in_sidebar:
        return
    until = f" Until then {md(instead)} stays chosen." if instead else ""
    if isinstance(unread.error, MissingLabelsError):
        st.markdown(f"**{md(unread.names)}** can be used once you say what its empty cells mean.{until}")
        show_failure(unread.error, unread.suffix)
    else:
        st.warning(
            f"{md(unread.names)} cannot be read yet: what is wrong, and what helps, stands at the left.{until}",
            icon=":material/upload_file:",
        )


def read_once(
    files: Sequence[Any], roles: tuple[str, ...], how: Mapping[str, Any], suffix: str, *, on_stop: Callable[[], None]
) -> tuple[ChosenData | None, OptisplitError | None]:
    """Read files, but not again at every press of any button where that failed."""
    failed: dict[str, Any] = st.session_state.setdefault(keys.READING_FAILED, {})
    request = (tuple(getattr(file, "file_id", file.name) for file in files), roles, dict(how))
    known, error = failed.get(suffix, (None, None))
    if known == request:
        return None, error
    read, error = _tried(files, roles, how, on_stop)
    failed[suffix] = (request, error)
    if read is not None:
        del failed[suffix]
    return read, error


def _tried(
    files: Sequence[Any], roles: tuple[str, ...], how: Mapping[str, Any], on_stop: Callable[[], None]
) -> tuple[ChosenData | None, OptisplitError | None]:
    place = st.empty()
    with place.container():
        if sum(file.size for file in files) > SLOW_BYTES:
            st.button("Stop reading", key="stop_reading", on_click=on_stop)
        bar = st.progress(0.0, "Reading the file …")

    def show(fraction: float, message: str) -> None:
        bar.progress(fraction, "Reading the file …")  # here a press of Stop takes effect

    try:
        limits.check_upload(files)
        return parse(files, roles, how, show), None
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
    files = (main, *request.beside.values())
    opened = request.opened()
    return read_apart(load, files, main.open(), name=main.name, on_progress=watch, **opened, **request.options)


def parse(
    files: Sequence[Any], roles: tuple[str, ...], how: Mapping[str, Any], show: OnReport | None = None
) -> ChosenData:
    """Read one data file and what was brought with it."""
    main, beside = file_roles.sort_out([as_given(file) for file in files], roles)
    request = ReadRequest((main,), beside, dict(how))
    data = jobs_panel.wait_for(read, request, show)
    kept, kept_beside = keep([main]), keep(beside.values())
    if kept and data.reading is not None:
        data = replace(data, reading=replace(data.reading, file=main.content))
    code = f"data = {request.called('optisplit.load')}"
    kept_beside = kept_beside if kept else ()
    taken = ("data", *(beside if kept_beside else ()))
    return ChosenData(UPLOAD_PREFIX + main.name, code, data, kept, beside=kept_beside, roles=taken, asked=dict(how))


def as_given(file: Any) -> Upload:
    """Take a file under its full name, whose ending counts; the bytes are not copied."""
    return file if isinstance(file, Upload) else Upload(file.name, file.getvalue())


def keep(uploads: Iterable[Any]) -> tuple[Upload, ...]:
    """Keep files where they are not too large, to compare their rows, offer their columns, or read them anew."""
    given = list(uploads)
    return () if any(upload.size > MOST_BYTES for upload in given) else tuple(map(Upload.of, given))


def take(read: ChosenData, files: Iterable[Any] = (), *, is_new: bool = False) -> None:
    """Add data that were read from uploaded files to the picker, choose them, and draw the page anew."""
    datasets.add(read)
    if is_new:
        st.session_state[keys.JUST_READ] = read.key
    give_back(files)
    st.rerun()


def ask_for_one(title: str, hint: str, *, key: str, help: str) -> Upload | None:
    """Ask for one file and remember it, or show which one is in use, with the way to be rid of it."""
    files = ask_for_files(title, hint, key=key, help=help, is_one=True)
    return files[0] if files else None


def ask_for_files(title: str, hint: str, *, key: str, help: str, is_one: bool = False) -> tuple[Upload, ...]:
    """Ask for files that belong together, in the same way; the hint says in words what they may be."""
    state = st.session_state
    kept: tuple[Upload, ...] = state.get(key) or ()
    if kept:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_shown"):
            st.markdown(f"{title}: {joined([f'**{md(file.name)}**' for file in kept])}", width="content")
            st.button(
                "Remove", key=f"{key}_remove", icon=":material/close:", type="tertiary", on_click=_forget, args=(key,)
            )
        return kept
    round_number = state.setdefault(f"{key}_round", 0)
    most_mb = min(MOST_MB_OF_ONE, limits.max_upload_mb())
    found: Any = st.file_uploader(
        title, max_upload_size=most_mb, key=f"{key}_{round_number}", help=help, accept_multiple_files=not is_one
    )
    st.caption(hint)
    brought = [] if not found else [found] if is_one else found
    if brought:
        state[key] = tuple(map(Upload.of, brought))
        state[f"{key}_round"] += 1  # an empty uploader, ready for the next file
        give_back(brought)
        st.rerun()
    return ()


def _forget(key: str) -> None:
    st.session_state[key] = None
