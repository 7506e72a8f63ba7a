"""How much memory there is."""

from __future__ import annotations

import os
from pathlib import Path

from optisplit.errors import OptionError

SETTING = "OPTISPLIT_MEMORY_MB"
"""The environment variable with the most megabytes that this process may use, where that is less than there is."""

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
        limit = float(text) * 1e6
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
