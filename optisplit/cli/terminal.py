"""What the command line does on a terminal: a line of progress, Ctrl-C that keeps the work, plain warnings."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from optisplit.cli.spelling import in_options
from optisplit.errors import Cancelled, SplitWarning, worded
from optisplit.text import short_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optisplit.comparison.experiment import Progress

INTERRUPTED = 130
"""Exit code of a process that Ctrl-C ended, by the custom of shells."""

BRIEF_S = 0.5
"""Reading that takes no longer than this is not told of."""

LOG_EVERY_S = 5.0
"""Between lines of progress where they cannot replace each other."""


class Ended(BaseException):
    """Raised where a signal ends the process, so that nothing half written is left."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def prepare_streams() -> None:
    """Make standard streams take any text, whatever the terminal can show, and be there even if they were closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # closed before the start
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as it runs
        elif name != "stdin" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the process in order, unless somebody handles them."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    is_main = threading.current_thread() is threading.main_thread()
    ours = [number for number in numbers if is_main and signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, _: object) -> None:
        raise Ended(number)

    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


class ProgressLine:
    """One line on standard error that says how far the work is: anew in its place, or in a log a line now and then.

    Parameters
    ----------
    wanted : bool, optional
        Whether to show it; None: where standard error is a terminal.
    """

    def __init__(self, wanted: bool | None = None) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._is_wanted = self._is_terminal if wanted is None else wanted
        self._is_open = False
        self._last_s = -math.inf

    def show(self, fraction: float, message: str) -> None:
        """Show how far it is."""
        if not self._is_wanted:
            return
        text = f"{math.floor(100 * fraction):3d} % {message:<60.60}"
        if self._is_terminal:
            self._is_open = True
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self._last_s >= LOG_EVERY_S:
            self._last_s = time.monotonic()
            print(text.rstrip(), file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line as it is, and go to the next."""
        if self._is_open:
            self._is_open = False
            print(file=sys.stderr)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_open:
            self._is_open = False
            print(f"\r{'':65}\r", end="", file=sys.stderr, flush=True)

    def interrupt(self, message: bytes) -> None:
        """Write something below the line from within a signal handler, on a terminal only."""
        if self._is_terminal:  # not by print(), which may be what was interrupted
            self._is_open = False
            os.write(sys.stderr.fileno(), message)


class Watch:
    """Progress of work, which a first Ctrl-C ends early and a second one at once.

    While entered, the first Ctrl-C makes the callbacks raise Cancelled, so that the library hands on what it has; the
    second is an ordinary KeyboardInterrupt. Where Ctrl-C is ignored, or somebody else's, it stays so.

    Parameters
    ----------
    score_name : str
        What to call the score.
    progress : bool, optional
        Whether to show progress; None: where standard error is a terminal.
    """

    def __init__(self, score_name: str = "", *, progress: bool | None = None) -> None:
        self.is_asked_to_stop = False
        self._score_name = score_name
        self._line = ProgressLine(progress)
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
        self._line.end()

    def of_search(self, done: int, total: int, score: float) -> None:
        """Take the progress of one method; an `on_progress`."""
        if self.is_asked_to_stop:
            raise Cancelled
        self._show(
            done / total if total else 0.0, "" if math.isnan(score) else f"{self._score_name} {short_number(score)}"
        )

    def of_comparison(self, progress: Progress) -> None:
        """Take the progress of a comparison; an `on_progress`."""
        if self.is_asked_to_stop:
            raise Cancelled
        self._show(progress.fraction, progress.message)

    def _show(self, fraction: float, message: str) -> None:
        self._line.show(fraction, message)

    def _note(self, *_: object) -> None:
        if self.is_asked_to_stop:
            raise KeyboardInterrupt
        self.is_asked_to_stop = True
        self._line.interrupt(b"\nstopping; Ctrl-C once more to end at once\n")


@contextmanager
def transfer(doing: str, progress: bool | None = None) -> Iterator[Callable[[int, int, None], None]]:
    """Tell how far the reading or writing of a file is, where it takes long."""
    line, start = ProgressLine(progress), time.monotonic()

    def show(done: int, total: int, _: None) -> None:
        if time.monotonic() - start > BRIEF_S:
            line.show(min(1.0, done / total) if total else 0.0, doing)

    try:
        yield show
    finally:
        line.clear()


@contextmanager
def plain_warnings(keep: Callable[[str], object] | None = None) -> Iterator[None]:
    """Show the library's own warnings as one line each, without Python's frame."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
            if issubclass(category, SplitWarning):
                said = worded(message.args[0] if isinstance(message, Warning) else message, in_options)
                print(f"Warning: {said}", file=sys.stderr)
                if keep is not None:
                    keep(said)
            else:
                usual(message, category, *place)

        warnings.simplefilter("always", SplitWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield
