"""The side that asks: starts processes that read, speaks with them, and ends them."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError, MemoryLimitError, OptisplitError
from optisplit.io.child import wire
from optisplit.text import bytes_words, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optisplit.io.child.wire import Head

_START_S = 120.0
_SLOWER = 5
"""Seconds on the clock for each of the processor's: others need it as well."""

_CODE = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from optisplit.io.child.template import main; "
_CODE += "main(*sys.argv[2:])"

# one thread, and memory that is counted as it is taken and given back when it is free
_SETTINGS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
_SETTINGS |= {"ARROW_DEFAULT_MEMORY_POOL": "system"}


class Child:
    """A process that reads one file.

    Parameters
    ----------
    connection : socket
        How it is spoken to.
    kill : callable
        Ends it, given its number.
    name : str
        What the file is called, for messages.
    """

    def __init__(self, connection: socket.socket, kill: Callable[[int], None], name: str) -> None:
        self._connection, self._kill, self._name = connection, kill, name
        self._seconds, self._waited = _START_S, 0.0
        self.number = int(wire.receive(connection, until=time.monotonic() + _START_S)[0]["number"])

    def begin(self, serve: str, head: Head, buffers: Sequence[Any] = (), *, seconds: float) -> None:
        """Say what to do, as ``module:function``, and how long that may take."""
        self._seconds = seconds
        self.send(head | {"serve": serve, "seconds": seconds}, buffers)

    def send(self, head: Head, buffers: Sequence[Any] = ()) -> None:
        """Send a message."""
        self._connection.settimeout(None)
        with suppress(ConnectionError):  # noticed when its answer is waited for
            wire.send(self._connection, head, buffers)

    def answer(self, *, most_bytes: int, on_wait: Callable[[], object] | None = None) -> tuple[Head, list[bytearray]]:
        """Wait for a message; what stands in its way is said in one sentence."""
        began = time.monotonic()
        until = began + _SLOWER * self._seconds
        try:
            return wire.receive(self._connection, until=until, most_bytes=most_bytes, on_wait=on_wait)
        except OptisplitError:  # of `on_wait`
            raise
        except TimeoutError as error:
            raise self._too_slow() from error
        except MemoryError as error:
            msg = f"{self._name!r} would be more than {bytes_words(most_bytes)} once it is read; bring a smaller file."
            raise MemoryLimitError(msg) from error
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            if self._waited + time.monotonic() - began > self._seconds:  # the system has ended it
                raise self._too_slow() from error
            raise self.broken() from error
        finally:
            self._waited += time.monotonic() - began

    def broken(self) -> FormatError:
        """Say that it ended without an answer, or that its answer is none."""
        msg = (
            f"{self._name!r} is damaged: the process that read it was ended by what is in it. Save or download it "
            "again."
        )
        return FormatError(msg)

    def close(self) -> None:
        """End it, whatever it does."""
        self._connection.close()
        self._kill(self.number)

    def _too_slow(self) -> FormatError:
        taken = counted(int(self._seconds), "second")
        return FormatError(f"{self._name!r} was not read within {taken}, far longer than a file of its size takes.")


@contextmanager
def child(name: str, modules: Sequence[str]) -> Iterator[Child]:
    """Have a process to read a file with, in which some modules are loaded."""
    started = _copied(name, modules) if sys.platform == "linux" else _alone(name, modules)
    try:
        yield started
    finally:
        started.close()


def start_ahead(modules: Sequence[str]) -> None:
    """Load modules where processes are copied from, before the first file comes."""
    if sys.platform == "linux":
        with _lock:
            _template(tuple(modules))


class _Template:
    """The process that is copied."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = _python("template", theirs.fileno(), modules)

    def copy(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [b"copy"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        return ours

    def kill(self, number: int) -> None:
        with suppress(OSError):
            self._control.send(str(number).encode())

    def close(self) -> None:
        self._control.close()  # which it takes for the end
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)


_lock = threading.Lock()
_templates: dict[tuple[str, ...], _Template] = {}
_of_parent: list[_Template] = []


def _template(modules: tuple[str, ...]) -> _Template:
    known = next((loaded for loaded in _templates if set(modules) <= set(loaded)), None)
    if known is None:
        known = modules
        _templates[known] = _Template(known)
    return _templates[known]


def _copied(name: str, modules: Sequence[str]) -> Child:
    for _ in range(2):  # once more where the template itself was ended
        with _lock:
            template = _template(tuple(modules))
        try:
            connection = template.copy()
            return Child(connection, template.kill, name)
        except (OSError, ValueError, KeyError):
            with _lock:
                for loaded in [loaded for loaded, each in _templates.items() if each is template]:
                    _templates.pop(loaded).close()
    msg = f"{name!r} cannot be read: no process to read it in can be started."
    raise FormatError(msg)


def _alone(name: str, modules: Sequence[str]) -> Child:
    ours, theirs = socket.socketpair()
    with theirs:
        if sys.platform == "win32":
            process = _python("alone", None, modules)
            assert process.stdin is not None
            process.stdin.write(theirs.share(process.pid))
            process.stdin.close()
        else:
            process = _python("alone", theirs.fileno(), modules)

    def end(number: int) -> None:
        del number
        process.kill()
        process.wait()

    return Child(ours, end, name)


def _python(way: str, handle: int | None, modules: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start Python, which finds packages where this process does."""
    place = "share" if handle is None else str(handle)
    return subprocess.Popen(
        [sys.executable, "-I", "-W", "ignore", "-c", _CODE, json.dumps(sys.path), way, place, *modules],
        stdin=subprocess.PIPE if handle is None else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=() if handle is None else (handle,),
        env=os.environ | _SETTINGS,
        start_new_session=handle is not None,  # Ctrl-C is for the process that asks
    )


def _close_all() -> None:
    with _lock:
        while _templates:
            _templates.popitem()[1].close()


def _forget() -> None:
    """In a copy of this process: leave its templates to it."""
    global _lock
    _lock = threading.Lock()
    _of_parent.extend(_templates.values())
    _templates.clear()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
