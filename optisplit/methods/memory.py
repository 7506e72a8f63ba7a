"""How much memory work will take, how much there is, and refusing what would not fit before it starts.

The system ends a process that takes more than there is, with everything that it held for everybody: an app that
several people use has to know beforehand.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.errors import MemoryLimitError
from optisplit.io.free_memory import available_bytes
from optisplit.text import bytes_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from optisplit.methods.base import Method
    from optisplit.methods.shapes import Shape

MARGIN = 1.25
"""Estimates are so much above what was measured."""

FIXED_BYTES = 8_000_000
"""What anything takes, however small."""

READING_FACTOR = 4.5
"""Bytes that reading takes for each byte of a file, beside the file; the most measured, for lists of labels."""

PROCESS_BYTES = 200_000_000
"""What a peer's process has before it begins: Python with numpy, scipy and scikit-learn."""

POLL_S = 0.1


def estimate_bytes(method: Method, shape: Shape, n_splits: int, options: Mapping[str, Any] | None = None) -> int:
    """Estimate the memory that one run of a method takes, beyond the labels; for a peer that of its own process.

    Meant to be above what was measured as peaks of processes, up to twice.
    """
    needed = 0.0 if method.n_bytes is None else method.n_bytes(shape, n_splits, options or {})
    return int(MARGIN * (needed + (PROCESS_BYTES if method.is_peer else 0))) + FIXED_BYTES


def checking_bytes(
    n_rows: int, n_labels: int, n_positives: int, n_parts: int, *, n_pairs_in_rows: float = 0, n_file_bytes: int = 0
) -> int:
    """Estimate the memory that checking or repairing a split takes, beyond the data."""
    needed = 105.0 * n_rows + 5 * n_positives + (500 + 100 * n_parts) * n_labels
    needed += 15 * n_pairs_in_rows + 25 * min(n_pairs_in_rows, n_labels * (n_labels - 1) / 2) + 2 * n_file_bytes
    return int(MARGIN * needed) + FIXED_BYTES


def reading_bytes(n_bytes: int) -> int:
    """Estimate the memory that reading a file takes, beside the file itself."""
    return int(READING_FACTOR * n_bytes)


@dataclass(frozen=True, slots=True)
class Need:
    """The memory that some work takes."""

    what: str  # the work, at the start of a sentence
    n_bytes: int  # what it takes
    way_out: str  # what to do instead where it does not fit

    def shortage(self, free: int | None = None) -> str:
        """Say that the work would not fit into memory."""
        free = available_bytes() if free is None else free
        if self.n_bytes <= free:
            return ""
        return (
            f"{self.what} would need about {bytes_words(self.n_bytes)} of memory, and {bytes_words(free)} are "
            f"available; {self.way_out}."
        )

    def check(self) -> None:
        """Refuse the work where it would not fit into memory."""
        message = self.shortage()
        if message:
            raise MemoryLimitError(message)

    @contextmanager
    def reserved(self, *, on_wait: Callable[[], object] | None = None) -> Iterator[None]:
        """Hold the memory while the work runs; wait for others that hold some, where it would fit without them."""
        token = object()
        while (free := _room.take(token, self.n_bytes)) is not None:
            message = self.shortage(free)
            if message:
                raise MemoryLimitError(message)
            _room.wait()
            if on_wait is not None:
                on_wait()
        try:
            yield
        finally:
            _room.release(token)


def need_of_run(method: Method, shape: Shape, n_splits: int, options: Mapping[str, Any] | None = None) -> Need:
    """Tell what one run of a method takes."""
    size = f"{shape.n_rows:,} rows × {shape.n_labels:,} labels"
    needed = estimate_bytes(method, shape, n_splits, options)
    if method.only_dense:
        return Need(f"{method.key} takes only dense labels: {size}", needed, "use a method that takes sparse labels")
    return Need(f"{method.key} on {size}", needed, "use another method, fewer rows or labels, or a larger machine")


class _Room:
    """What work that runs at the same time has been promised; its own use shows in the system's figures only later."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._promised: dict[object, int] = {}
        self._at_first = 0

    def take(self, token: object, needed: int) -> int | None:
        """Promise memory, giving None; or else tell how much there would be without the others."""
        with self._changed:
            free = available_bytes()
            if not self._promised:
                self._at_first = free
            if needed > min(free, self._at_first - sum(self._promised.values())):
                return max(free, self._at_first) if self._promised else free
            self._promised[token] = needed
            return None

    def wait(self) -> None:
        """Wait a little, or until somebody is done."""
        with self._changed:
            self._changed.wait(POLL_S)

    def release(self, token: object) -> None:
        """Take a promise back."""
        with self._changed:
            del self._promised[token]
            self._changed.notify_all()


_room = _Room()
