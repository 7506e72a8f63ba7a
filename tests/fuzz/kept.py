"""A process that reads many files, where the package has one for each: copying one takes far longer than reading."""

from __future__ import annotations

import contextlib
import socket
import time

from optisplit.io.child import limits, process, template

N_FILES = 200
"""Until there is a new one: what a file left behind must not decide how the others are read."""

_MOST_S = 3600


class Kept:
    """Gives the process that there is, as long as it is not at work, and lives.

    Everything else is the package's own: what is asked and answered, how long, and in how much memory.
    """

    def __init__(self) -> None:
        self._copied = process._copied
        self._child: process.Child | None = None
        self._n_left, self._is_busy = 0, False

    def copied(self, name: str, modules: tuple[str, ...]) -> process.Child:
        """Stand for the package's function of this name."""
        if self._is_busy:
            return self._copied(name, modules)
        if not self._n_left:
            self.end()
            self._child, self._n_left = self._copied(name, modules), N_FILES
            self._child.begin(f"{__name__}:serve", {}, seconds=_MOST_S)
        self._n_left -= 1
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._child._connection, [b"."], [theirs.fileno()])
        self._is_busy = True
        return process.Child(ours, lambda _: self._free(), name)

    def _free(self) -> None:
        self._is_busy = False
        control = self._child._connection
        control.settimeout(1)
        try:
            is_ready = bool(control.recv(1))
        except OSError:
            is_ready = False
        if not is_ready:
            self.end()

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._child is not None:
            self._child.close()
        self._child, self._n_left = None, 0


def serve(control: socket.socket, asked: dict, buffers: list) -> None:
    """Serve one connection after the other, in the process that is kept."""
    of_processor = limits.resource.RLIMIT_CPU
    _, most = limits.resource.getrlimit(of_processor)
    limits.limit_time = lambda seconds: limits.resource.setrlimit(
        of_processor, (int(time.process_time() + seconds) + 1, most)
    )
    while handles := socket.recv_fds(control, 1, 1)[1]:
        with contextlib.suppress(Exception):
            template._serve(socket.socket(fileno=handles[0]))
        control.sendall(b".")
