"""How much memory work will take, how much there is, and refusing what would not fit before it starts.

The system ends a process that takes more than there is, with everything that it held for everybody: an app that
several people use has to know beforehand.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit.errors import MemoryLimitError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from optisplit.methods.base import Method
    from optisplit.methods.shapes import Shape

MIB, GIB = 2**20, 2**30

SETTING = "OPTISPLIT_MEMORY_MB"
"""The environment variable with the most megabytes that this process may use, where that is less than there is."""

LEAST_FREE_BYTES = 64 * MIB
"""So much is left to the rest of the system while a file is read."""

MARGIN = 1.25
"""Estimates are so much above what was measured."""

READING_FACTOR = 4.5
"""Bytes that reading takes for each byte of a file, beside the file; the most measured, for lists of labels."""

PROCESS_BYTES = 190 * MIB
"""What a peer's process has before it begins: Python with numpy, scipy and scikit-learn."""

POLL_S = 0.1

_CGROUPS = Path("/sys/fs/cgroup")
_PROC = Path("/proc")
_UNLIMITED = 2**60


def available_bytes() -> int:
    """Tell how much memory this process can still take.

    The least of: what the system says is available; what the control groups that this process is in (a container's, or
    a service's) have left, caches of files not counted; and what :data:`SETTING` allows beyond what it has already.
    """
    return max(0, min(_of_system(), _of_control_groups(), _of_operator()))


def _of_operator() -> int:
    text = os.environ.get(SETTING, "").strip()
    if not text:
        return _UNLIMITED
    try:
        limit = float(text) * MIB
    except ValueError:
        limit = 0.0
    if not 0 < limit < float("inf"):
        msg = f"{SETTING}={text!r} must be a positive number of megabytes; correct it, or leave it out."
        raise OptionError(msg)
    return int(limit) - used_bytes()


def used_bytes() -> int:
    """Tell how much memory this process has."""
    try:
        return int((_PROC / "self" / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


def _of_system() -> int:
    try:
        lines = (_PROC / "meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return _UNLIMITED


def _of_control_groups() -> int:
    try:
        lines = (_PROC / "self" / "cgroup").read_text().splitlines()
    except OSError:
        return _UNLIMITED
    room = _UNLIMITED
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:  # version 2
            names = ("memory.max", "memory.current", "inactive_file")
            room = min(room, _of_group(_CGROUPS, path, *names))
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            room = min(room, _of_group(_CGROUPS / "memory", path, *names))
    return room


def _of_group(root: Path, path: str, limit_file: str, usage_file: str, cache_key: str) -> int:
    """Tell what a group and those above it have left; inside of a container the root is the group."""
    room = _UNLIMITED
    group = root / path.strip("/")
    for folder in (group, *group.parents):
        try:
            limit = int((folder / limit_file).read_text())  # "max" where there is none
            usage = int((folder / usage_file).read_text())
            stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        except (OSError, ValueError):
            limit, usage, stat = _UNLIMITED, 0, {}
        if limit < _UNLIMITED:
            room = min(room, limit - max(0, usage - int(stat.get(cache_key, 0))))
        if folder == root:
            break
    return room


def estimate_bytes(method: Method, shape: Shape, n_splits: int, options: Mapping[str, Any] | None = None) -> int:
    """Estimate the memory that one run of a method takes, beyond the labels; for a peer that of its own process.

    Meant to be above what was measured as peaks of processes, up to twice.
    """
    needed = 0.0 if method.n_bytes is None else method.n_bytes(shape, n_splits, options or {})
    return int(MARGIN * (needed + (PROCESS_BYTES if method.is_peer else 0))) + 8 * MIB


def checking_bytes(
    n_rows: int, n_labels: int, n_positives: int, n_parts: int, *, n_pairs_in_rows: float = 0, n_file_bytes: int = 0
) -> int:
    """Estimate the memory that checking or repairing a split takes, beyond the data."""
    needed = 105.0 * n_rows + 5 * n_positives + (500 + 100 * n_parts) * n_labels
    needed += 15 * n_pairs_in_rows + 25 * min(n_pairs_in_rows, n_labels * (n_labels - 1) / 2) + 2 * n_file_bytes
    return int(MARGIN * needed) + 8 * MIB


def reading_bytes(n_bytes: int) -> int:
    """Estimate the memory that reading a file takes, beside the file itself."""
    return int(READING_FACTOR * n_bytes)


def in_words(n_bytes: float) -> str:
    """Write an amount of memory for people."""
    return f"{n_bytes / MIB:,.0f} MB" if n_bytes < GIB else f"{n_bytes / GIB:,.1f} GB"


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
            f"{self.what} would need about {in_words(self.n_bytes)} of memory, and {in_words(free)} are available; "
            f"{self.way_out}."
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


def keep_few_arenas() -> None:
    """Have glibc use two arenas instead of eight a processor, so that threads that come and go leave less behind."""
    if not sys.platform.startswith("linux") or "MALLOC_ARENA_MAX" in os.environ:
        return
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(-8, 2)  # M_ARENA_MAX
