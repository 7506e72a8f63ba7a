"""Compiling kernels ahead, in processes of their own, while this one goes on with something else.

What they compile is kept on disk, where :mod:`.jit` finds it: a kernel that is wanted meanwhile is waited for, not
compiled twice. Where nothing can be kept, or such a process fails, kernels are compiled when they are wanted.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); from importlib import import_module; "
    "import_module(sys.argv[1]).main(sys.argv[2:])"
)

_lock = threading.Lock()
_started: list[threading.Thread] = []


def start(module: str, groups: Sequence[Sequence[str]]) -> None:
    """Call ``main`` of a module with each group of arguments, all at once; only the first time, and only if needed."""
    with _lock:
        if not _started:
            _started.append(threading.Thread(target=_run, args=(module, groups), name="optisplit-compile", daemon=True))
            _started[0].start()


def is_going_on() -> bool:
    """Tell whether other processes are compiling for this one."""
    return any(thread.is_alive() for thread in _started)


def wait(seconds: float | None = None) -> None:
    """Wait until they are done, or for some time."""
    for thread in _started:
        thread.join(seconds)


def _run(module: str, groups: Sequence[Sequence[str]]) -> None:
    done = _place() / f"compiled-{_state()}"
    if done.is_file():
        return
    with suppress(OSError):
        processes = [_python(module, arguments) for arguments in groups]
        # waited for in the thread that started them, with which they would end
        codes = [process.wait() for process in processes]
        if not any(codes):
            done.touch()


def _python(module: str, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start Python, which finds packages where this process does, with the least priority."""
    idle = getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)  # of Windows; elsewhere they see to it themselves
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _CODE, json.dumps(sys.path), module, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,  # a terminal's Ctrl-C is ours to handle
        creationflags=idle,
    )  # fmt: skip


def digest_of_sources() -> str:
    """Digest the source of all kernels."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _place() -> Path:
    """Tell where kernels are kept, if they are where they usually are."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parent / "__pycache__")


def _state() -> str:
    """Name what compiled kernels depend on: their sources, the compiler and the processor."""
    from llvmlite import binding

    known = [digest_of_sources(), sys.version, importlib.metadata.version("numba"), binding.get_host_cpu_name()]
    return hashlib.sha256(repr(known).encode()).hexdigest()[:16]
