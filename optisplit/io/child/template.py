"""The process that reads: a template that makes a copy of itself for each file, or one alone.

The template never looks at a file itself. It has one thread, so that copying it is safe; its copies end with it, and it
ends with the process that started it.
"""

from __future__ import annotations

import importlib
import os
import select
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from optisplit.io.child import limits, wire


def main(way: str, place: str, *modules: str) -> None:
    """Serve: as a template on a control socket, or alone on the socket of one file."""
    for module in modules:
        with suppress(Exception):  # said by whoever needs it
            importlib.import_module(module)
    if way == "template":
        _copy_for_each(socket.socket(fileno=int(place)))
    else:
        threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
        share: Any = getattr(socket, "fromshare", None)  # Windows
        shared = sys.stdin.buffer.read() if place == "share" else b""
        _serve(share(shared) if place == "share" else socket.socket(fileno=int(place)))


def _copy_for_each(control: socket.socket) -> None:
    copies: set[int] = set()
    while True:
        ready, _, _ = select.select([control], [], [], 1.0 if copies else None)
        if ready:
            told, handles, _, _ = socket.recv_fds(control, 64, 1)
            if not told:  # whoever asks is gone
                break
            if handles:
                copies.add(_copy(control, handles[0]))
            elif (number := int(told)) in copies:  # not yet waited for, so the number is still its own
                os.kill(number, signal.SIGKILL)
        while copies and (ended := os.waitpid(-1, os.WNOHANG)[0]):
            copies.discard(ended)
    for number in copies:
        os.kill(number, signal.SIGKILL)


def _copy(control: socket.socket, handle: int) -> int:
    template = os.getpid()
    number = os.fork()
    if number:
        os.close(handle)
        return number
    limits.end_with_parent()
    if os.getppid() == template:
        control.close()
        with suppress(BaseException):
            _serve(socket.socket(fileno=handle))
    os._exit(0)


def _serve(connection: socket.socket) -> None:
    """Do what one connection asks for."""
    limits.mark_child()
    limits.leave_no_core()
    wire.send(connection, {"number": os.getpid()})
    asked, buffers = wire.receive(connection)
    limits.limit_time(asked["seconds"])
    module, _, function = asked["serve"].partition(":")
    getattr(importlib.import_module(module), function)(connection, asked, buffers)


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
