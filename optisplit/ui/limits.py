"""What one visitor may take of the server: set by whoever runs it, in environment variables.

``OPTISPLIT_MEMORY_MB`` is read by :mod:`optisplit.methods.memory`; the largest upload is Streamlit's own setting
``server.maxUploadSize`` (``STREAMLIT_SERVER_MAX_UPLOAD_SIZE``), which the server enforces while bytes come in.
"""

from __future__ import annotations

import os
import zipfile
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.errors import OptionError, OptisplitError
from optisplit.io.packing import ZIP_ERRORS
from optisplit.io.sizes import LEAST_FREE_BYTES
from optisplit.io.source import read_source
from optisplit.io.tables.parquet_file import open_parquet
from optisplit.methods import memory
from optisplit.methods.memory import Need
from optisplit.text import bytes_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PARQUET_CELL_BYTES = 4
"""Parquet packs columns of 0 and 1 into next to nothing; this, times what reading takes for a byte, was measured."""


def number_from(name: str, default: float, *, least: float = 1) -> float:
    """Read a number that the operator may have set."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not least <= value < float("inf"):
        msg = f"{name}={text!r} must be a number from {least:g}; correct it, or leave it out for {default:g}."
        raise OptionError(msg)
    return value


JOB_WORKERS = int(number_from("OPTISPLIT_JOB_WORKERS", 1))
"""Jobs that run at a time; a comparison uses several processors by itself."""

MAX_JOBS = int(number_from("OPTISPLIT_MAX_JOBS", 40))
"""Most jobs that wait or run, of all sessions together."""

MAX_JOBS_PER_SESSION = int(number_from("OPTISPLIT_MAX_JOBS_PER_SESSION", 5))
"""Most jobs that wait or run, of one session."""

JOB_TIME_LIMIT_S = 60 * number_from("OPTISPLIT_JOB_MINUTES", 0, least=0) or None
"""Most seconds for a job; None without a limit."""

JOB_GRACE_S = number_from("OPTISPLIT_JOB_GRACE_S", 60, least=0)
"""Seconds that a job goes on after its browser has left."""

RESULT_GRACE_S = number_from("OPTISPLIT_RESULT_GRACE_S", 300, least=0)
"""Seconds that results are kept after their browser has left."""


class UploadTooLarge(OptisplitError):  # noqa: N818 - says what the user sees
    """Raised when files are larger than this server takes."""


def max_upload_mb() -> int:
    """Tell how many megabytes one visitor may bring at a time."""
    return int(st.get_option("server.maxUploadSize"))


def upload_words() -> str:
    """Say how much may be brought."""
    most = bytes_words(1e6 * max_upload_mb())
    return f"At most {most} in all, and what fits into this server's memory once it is read."


def check_upload(files: Iterable[Any]) -> None:
    """Refuse files that are too large together, or that would not fit into memory once they are read."""
    given = list(files)
    total, limit = sum(file.size for file in given), 1e6 * max_upload_mb()
    if total > limit:
        msg = (
            f"These files have {bytes_words(total)} together, and this server takes at most {bytes_words(limit)} "
            "at a time; bring smaller ones, or use OptiSplit's Python library on your own machine."
        )
        raise UploadTooLarge(msg)
    needed = sum(memory.reading_bytes(unpacked_bytes(file)) for file in given)
    Need("Reading these files", needed, "bring smaller ones, or labels alone as a sparse .npz").check()


def guarded(on_progress: Callable[[int, int, None], Any]) -> Callable[[int, int, None], None]:
    """Watch the memory while a file is read: what it unpacks to is only known on the way."""
    need = Need("Going on with this file", LEAST_FREE_BYTES, "bring a smaller one, or labels alone as a sparse .npz")

    def watch(done: int, total: int, score: None) -> None:
        need.check()
        on_progress(done, total, score)

    return watch


def _parquet_cells(stream: Any) -> int:
    try:
        with open_parquet(read_source(stream)) as file:
            return file.n_rows * file.n_columns
    except OptisplitError:  # whatever is wrong with it is said where it is read
        return 0


def unpacked_bytes(file: Any, *, looks_into_parquet: bool = True) -> int:
    """Tell what a file promises to unpack to, by its own words, which are checked when it is read."""
    stream = file if hasattr(file, "read") else file.open()
    size = int(file.size)
    stream.seek(0)
    start = stream.read(4)
    if start.startswith(b"PK"):
        stream.seek(0)
        try:
            with zipfile.ZipFile(stream) as archive:
                size = max(size, sum(info.file_size for info in archive.infolist()))
        except ZIP_ERRORS:
            pass  # said where it is read
    elif start == b"PAR1" and looks_into_parquet:
        size = max(size, _parquet_cells(stream) * PARQUET_CELL_BYTES)
    elif start.startswith(b"\x1f\x8b") and size > 4:
        stream.seek(size - 4)
        size = max(size, int.from_bytes(stream.read(4), "little"))  # of the last part, modulo 4 GiB
    stream.seek(0)
    return size
