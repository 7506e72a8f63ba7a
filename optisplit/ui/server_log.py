"""The server's log says what went wrong and where, and never quotes what users brought."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import warnings
from pathlib import Path
from typing import Any

_done: list[bool] = []


def keep_private() -> None:
    """From now on, leave the words of errors and warnings out of the log: they quote cells, names and paths.

    Streamlit logs whatever a page raises with all its words. What is left is the type of the error, and the files,
    lines and functions that it went through.
    """
    if _done:
        return
    _done.append(True)
    make_record = logging.getLogRecordFactory()

    def make_private(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make_record(*args, **kwargs)
        if record.exc_info and record.name.partition(".")[0] in ("streamlit", "asyncio", "uvicorn", "optisplit"):
            error = record.exc_info[1]
            record.exc_info = record.exc_text = None
            record.msg = f"{record.msg} ({where(error)})" if error is not None else record.msg
        return record

    logging.setLogRecordFactory(make_private)
    warnings.showwarning = _show_warning
    threading.excepthook = _tell_of_thread


def _tell_of_thread(arguments: Any) -> None:
    if arguments.exc_type is not SystemExit:
        sys.stderr.write(f"A thread ended: {where(arguments.exc_value)}\n")


def _show_warning(
    message: Any, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
) -> None:
    sys.stderr.write(f"{Path(filename).name}:{lineno}: {category.__name__}\n")


def where(error: BaseException | None) -> str:
    """Say what kind of error it is and where it arose, without its words."""
    if error is None:
        return "an unknown error"
    frames = traceback.extract_tb(error.__traceback__)[::-1]
    places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames[:12]]
    return " < ".join([type(error).__name__, *places])
