"""How the two processes speak: a head in JSON, and arrays and files as they lie in memory."""

from __future__ import annotations

import json
import struct
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence

_MOST_HEAD_BYTES = 1 << 30
_POLL_S = 0.2

Head = dict[str, Any]


def send(connection: socket.socket, head: Head, buffers: Sequence[Any] = ()) -> None:
    """Send one message."""
    views = [memoryview(each).cast("B") for each in buffers]
    text = json.dumps(head | {"sizes": [len(view) for view in views]}).encode()
    connection.sendall(struct.pack("<q", len(text)) + text)
    for view in views:
        connection.sendall(view)


def receive(
    connection: socket.socket,
    *,
    until: float | None = None,
    most_bytes: int = 1 << 62,
    on_wait: Callable[[], object] | None = None,
) -> tuple[Head, list[bytearray]]:
    """Receive one message.

    Raises
    ------
    TimeoutError
        If it is not there at a time of :func:`time.monotonic`.
    MemoryError
        If it is longer than that.
    ConnectionError
        If the other side is gone.
    """
    connection.settimeout(None if until is None and on_wait is None else _POLL_S)
    (n_head,) = struct.unpack("<q", _exactly(connection, 8, until, on_wait))
    if not 0 <= n_head <= min(_MOST_HEAD_BYTES, most_bytes):
        raise MemoryError
    head = json.loads(_exactly(connection, n_head, until, on_wait))
    sizes = head["sizes"]
    if any(type(size) is not int or size < 0 for size in sizes) or sum(sizes) > most_bytes:
        raise MemoryError
    return head, [_exactly(connection, size, until, on_wait) for size in sizes]


def _exactly(
    connection: socket.socket, count: int, until: float | None, on_wait: Callable[[], object] | None
) -> bytearray:
    held = bytearray(count)
    view = memoryview(held)
    while view:
        try:
            n_read = connection.recv_into(view)
        except TimeoutError:
            if until is not None and time.monotonic() > until:
                raise
            if on_wait is not None:
                on_wait()
            continue
        if not n_read:
            raise ConnectionResetError
        view = view[n_read:]
    return held
