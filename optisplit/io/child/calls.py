"""Calling a function that reads in another process: a server goes on, whatever a file does."""

from __future__ import annotations

import logging
import pickle
import time
import traceback
import warnings
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from optisplit.errors import MemoryLimitError, OptisplitError
from optisplit.io.child import codec, limits, process, wire
from optisplit.io.free_memory import available_bytes
from optisplit.io.registry import FORMATS
from optisplit.io.sizes import LEAST_FREE_BYTES
from optisplit.io.tables import parquet_file
from optisplit.text import bytes_words

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence

    from optisplit.io.child.wire import Head

Read = TypeVar("Read")

logger = logging.getLogger(__name__)

_LEAST_BYTES, _FIXED_BYTES = 32 << 20, 512 << 20
_TIMES = 25
_FIXED_S = 60.0
_MB_A_S = 2
_REPORT_S = 0.05
_READY = "optisplit.io.child.ready"


def read_in_child(
    function: Callable[..., Read],
    *args: Any,
    file_name: str,
    n_bytes: int,
    room: int | None = None,
    modules: Sequence[str] = (),
    on_progress: Callable[..., object] | None = None,
    **options: Any,
) -> Read:
    """Call a function of a module in another process, and give what it gives.

    Parameters
    ----------
    function : callable
        What reads; called with the arguments and options that follow.
    *args : object
        Positional arguments; files as :class:`io.BytesIO`.
    file_name : str
        What the file is called, for messages.
    n_bytes : int
        How long it is, unpacked as far as is known.
    room : int, optional
        Bytes of memory that it may take; default: in proportion to its length, as far as there is memory.
    modules : sequence of str, optional
        What it takes to read it; default: all readers.
    on_progress : callable, optional
        Handed on to the function; it may raise to end the reading, also while the other process says nothing.
    **options : object
        Keyword arguments.

    Returns
    -------
    object
        What :mod:`.codec` hands over.
    """
    seconds = _FIXED_S + n_bytes / (_MB_A_S << 20)
    most = available_bytes() - LEAST_FREE_BYTES
    room = max(_LEAST_BYTES, min(_FIXED_BYTES + _TIMES * n_bytes if room is None else room, most))
    last: list[Any] = [0, 1, None]

    def tell() -> None:
        if on_progress is not None:
            on_progress(*last)

    asked = pickle.dumps((function, args, options, on_progress is not None), protocol=5)
    with process.child(file_name, modules or _modules()) as child:
        child.begin(f"{__name__}:serve", {"room": room, "name": file_name}, [asked], seconds=seconds)
        del asked
        while True:
            head, buffers = child.answer(most_bytes=room, on_wait=tell)
            try:
                if "progress" in head:
                    last[:2] = map(int, head["progress"])
                elif "error" in head:
                    failure: BaseException = codec.decode_error(head["error"], buffers)
                    break
                elif "fault" in head:
                    logger.error("a reader failed: %s", head["fault"])
                    failure = RuntimeError(str(head["fault"]))
                    break
                else:
                    given: Read = codec.decode(head["given"], buffers)
                    return given
            except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
                raise child.broken() from error
            tell()
    raise failure


def start_ahead() -> None:
    """Load the readers before the first file comes."""
    process.start_ahead(_modules())


@cache
def _modules() -> tuple[str, ...]:
    """Name what readers need, to be loaded once and for all."""
    own = {f"optisplit.io.{name}" for name in ("formats.reading", "samples", "second_tables", "splits")}
    readers = {each.read.partition(":")[0] for each in FORMATS.values() if isinstance(each.read, str)}
    return (*sorted(own | readers | {__name__}), "pyarrow.csv", "pyarrow.json", *parquet_file.MODULES, _READY)


def written_by(read: Callable[..., Any], folds: Any, *args: Any, **options: Any) -> tuple[str, bytes]:
    """Read a split once more, and write it with other folds in the form that it came in."""
    found = read(*args, **options)
    split = found[-1] if isinstance(found, tuple) else found
    name, content = split.write_back(folds)
    return str(name), bytes(content)


def serve(connection: socket.socket, asked: Head, buffers: list[bytearray]) -> None:
    """Call what another process asks for."""
    function, args, options, is_listening = pickle.loads(buffers[0])  # from the process that started this one
    buffers.clear()
    warnings.simplefilter("ignore")
    told_at = 0.0

    def on_progress(done: int, total: int, score: None) -> None:
        nonlocal told_at
        if time.monotonic() > told_at + _REPORT_S:
            told_at = time.monotonic()
            wire.send(connection, {"progress": [int(done), int(total)]})

    if is_listening:
        options["on_progress"] = on_progress
    held: list[Any] = []
    try:
        with limits.memory_for(asked["room"]):
            head = {"given": codec.encode(function(*args, **options), held)}
    except OptisplitError as error:
        head = {"error": codec.encode_error(error, held)}
    except MemoryError:
        head = {"error": codec.encode_error(_too_large(asked["name"], asked["room"]), held)}
    except ConnectionError:
        return
    except BaseException as error:
        head = {"fault": _told(error)}
    wire.send(connection, head, held)


def _too_large(name: str, room: int) -> MemoryLimitError:
    msg = f"{name!r} takes more than the {bytes_words(room)} of memory that there are for reading it; bring a "
    return MemoryLimitError(msg + "smaller one, or labels alone as a sparse .npz.")


def _told(error: BaseException) -> str:
    """Say what went wrong and where, without words, which may be of the data."""
    frames = traceback.extract_tb(error.__traceback__)[:0:-1]
    return " < ".join([type(error).__name__, *(f"{Path(each.filename).name}:{each.lineno}" for each in frames[:12])])
