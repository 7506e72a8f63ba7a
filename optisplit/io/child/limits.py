"""Limits that a reading process sets itself; where the system has none, it does without."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

resource: Any = None
with suppress(ImportError):  # Windows
    import resource

_children: list[bool] = []


def mark_child() -> None:
    """Note that this is a process that was made to read one file."""
    _children.append(True)


def is_child() -> bool:
    """Tell whether this is a process that was made to read one file."""
    return bool(_children)


# addresses that are only reserved, such as those of threads, count as well
_RESERVED_BYTES = 2 << 30
_PDEATHSIG = 1


def end_with_parent() -> None:
    """End this process when the one that made it ends; on Linux."""
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)


def leave_no_core() -> None:
    """Write no file of what is in memory when the process is ended by a fault."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time(seconds: float) -> None:
    """End this process once it has used a processor for so long."""
    if resource is not None:
        most = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 2))


@contextmanager
def memory_for(n_bytes: int) -> Iterator[None]:
    """Let this process take so much more memory than it has; more raises MemoryError, or ends the process."""
    if resource is None:
        yield
        return
    size, data = _used()
    limits = {"RLIMIT_DATA": data + n_bytes, "RLIMIT_AS": size + n_bytes + _RESERVED_BYTES}
    before = {name: resource.getrlimit(getattr(resource, name)) for name in limits if hasattr(resource, name)}
    for name, (soft, hard) in before.items():
        least = min([limits[name], *(each for each in (soft, hard) if each != resource.RLIM_INFINITY)])
        with suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, name), (least, hard))
    try:
        yield
    finally:
        for name, limit in before.items():
            with suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, name), limit)


def _used() -> tuple[int, int]:
    """Tell the size of this process, and of what it can write to."""
    try:
        with open("/proc/self/statm") as file:
            pages = file.read().split()
    except OSError:
        return 1 << 40, 1 << 40  # unknown: no limit that could be right
    return int(pages[0]) * os.sysconf("SC_PAGE_SIZE"), int(pages[5]) * os.sysconf("SC_PAGE_SIZE")
