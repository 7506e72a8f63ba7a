"""What the command line does on a terminal: a line of progress, Ctrl-C that keeps the work, plain warnings."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from optisplit.errors import Cancelled, SplitWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.experiment import Progress

INTERRUPTED = 130
"""Exit code of a process that Ctrl-C ended, by the custom of shells."""


class Watch:
    """Progress of work, which a first Ctrl-C ends early and a second one at once.

    While entered, the first Ctrl-C makes the callbacks raise Cancelled, so that the library hands on what it has; the
    second is an ordinary KeyboardInterrupt. Where Ctrl-C is ignored, or somebody else's, it stays so.

    Parameters
    ----------
    score_name : str
        What to call the score.
    """

    def __init__(self, score_name: str = "") -> None:
        self.is_asked_to_stop = False
        self._score_name = score_name
        self._is_terminal = sys.stderr.isatty()
        self._has_shown = False
        self._handles = False

    def __enter__(self) -> Watch:
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
            self._handles = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._handles:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._has_shown:
            print(file=sys.stderr)

    def of_search(self, done: int, total: int, score: float) -> None:
        """Take the progress of one method; an `on_progress`.

        Parameters
        ----------
        done, total : int
            Work done and in all; 0 where that is unknown.
        score : float
            The score so far; NaN where there is none.
        """
        if self.is_asked_to_stop:
            raise Cancelled
        self._show(done / total if total else 0.0, "" if math.isnan(score) else f"{self._score_name} {score:.4g}")

    def of_comparison(self, progress: Progress) -> None:
        """Take the progress of a comparison; an `on_progress`.

        Parameters
        ----------
        progress : Progress
            How far it is.
        """
        if self.is_asked_to_stop:
            raise Cancelled
        self._show(progress.fraction, progress.message)

    def _show(self, fraction: float, message: str) -> None:
        if self._is_terminal:
            self._has_shown = True
            print(f"\r{fraction:4.0%} {message:<60.60}", end="", file=sys.stderr, flush=True)

    def _note(self, *_: object) -> None:
        if self.is_asked_to_stop:
            raise KeyboardInterrupt
        self.is_asked_to_stop = True
        if self._is_terminal:  # not by print(), which may be what was interrupted
            self._has_shown = False
            os.write(sys.stderr.fileno(), b"\nstopping; Ctrl-C once more to end at once\n")


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Show the library's own warnings as one line each, without Python's frame.

    Yields
    ------
    None
        Warnings are so while in the block.
    """
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
            if issubclass(category, SplitWarning):
                print(f"Warning: {message}", file=sys.stderr)
            else:
                usual(message, category, *place)

        warnings.simplefilter("always", SplitWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


def tell(*lines: str) -> None:
    """Write lines to standard error.

    Parameters
    ----------
    *lines : str
        The lines.
    """
    for line in lines:
        print(line, file=sys.stderr)
