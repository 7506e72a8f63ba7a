"""Files written beside their places are moved there, all or none, also where the process is killed meanwhile."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import stat
import threading
import zlib
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Moves = Sequence[tuple[Path, Path]]

_MACHINE = f"{zlib.crc32(socket.gethostname().encode()):08x}"
"""Numbers of processes count on one machine only, and folders may be shared."""

_OWNER = re.compile(rf"[.-](\d+)-{_MACHINE}-")
_PART, _JOURNAL = ".part", ".moves"


def own_mark() -> str:
    """Give what is in the names of files that this process leaves behind if it is killed."""
    return f"{os.getpid()}-{_MACHINE}-"


def beside(real: Path) -> Path:
    """Name a file for the new content of another."""
    return real.with_name(f".{real.name[:40]}.{own_mark()}{os.urandom(4).hex()}{_PART}")


def tidy(folder: Path) -> None:
    """Finish or remove what killed processes left in a folder."""
    for journal in left_behind(folder, f".optisplit.*{_JOURNAL}"):
        _finish(journal)
    for left in left_behind(folder, f".*{_PART}"):
        with suppress(OSError):
            left.unlink(missing_ok=True)


def left_behind(folder: Path, pattern: str) -> Iterator[Path]:
    """Find what processes that are no more left in a folder."""
    with suppress(OSError):
        for left in folder.glob(pattern):
            owner = _OWNER.search(left.name)
            if owner is not None and not _is_running(int(owner[1])):
                yield left


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # somebody else's
        return True
    return True


@contextmanager
def signals_wait() -> Iterator[None]:
    """Let signals that would raise an error wait until all within is done."""
    held: dict[int, Any] = {}
    came: list[int] = []
    try:
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):
                number = getattr(signal, name, signal.SIGINT)
                if callable(before := signal.getsignal(number)):
                    held.setdefault(number, before)
                    signal.signal(number, lambda which, _: came.append(which))
        yield
    finally:
        for number, before in held.items():
            signal.signal(number, before)
        for number in came:  # after an error too, which it then ends
            signal.raise_signal(number)


@signals_wait()
def put_in_place(waiting: Moves) -> None:
    """Move files to their places: all of them, or none after an error.

    Several are noted before: where a process is killed between two, the next call of :func:`tidy` does the rest.
    """
    extra: list[Path] = []  # what is there while they are moved
    try:
        for place, real in waiting:
            if real.exists():
                place.chmod(stat.S_IMODE(real.stat().st_mode))
        old = dict(_kept(waiting, extra)) if len(waiting) > 1 else {}
        try:
            _move(waiting)
        except BaseException:
            for _, real in [pair for pair in waiting if not pair[0].exists()]:
                os.replace(old[real], real) if real in old else real.unlink()
            raise
    except OSError as error:
        msg = f"{error.filename2 or error.filename} cannot be written: {error.strerror or error}."
        raise OptionError(msg) from error
    finally:
        for each in extra:
            each.unlink(missing_ok=True)


def _kept(waiting: Moves, extra: list[Path]) -> Iterator[tuple[Path, Path]]:
    """Give the old content of files a second name, and note in every folder what will be moved."""
    for place, real in waiting:
        if real.exists():
            extra.append(place.with_name(f"{place.name.removesuffix(_PART)}-old{_PART}"))
            try:
                os.link(real, extra[-1])
            except OSError:  # the system has no second names
                shutil.copy2(real, extra[-1])
            yield real, extra[-1]
    for folder in {real.parent for _, real in waiting}:
        extra.append(folder / f".optisplit.{own_mark()}{os.urandom(4).hex()}{_JOURNAL}")
        extra[-1].write_text(json.dumps([[str(place), str(real)] for place, real in waiting]))


def _move(waiting: Moves) -> None:
    for place, real in waiting:
        if place.exists():
            os.replace(place, real)


def _finish(journal: Path) -> None:
    """Do the moves that a killed process has noted, but for files that were written since."""
    with suppress(OSError, ValueError, TypeError):
        noted = [(Path(place), Path(real)) for place, real in json.loads(journal.read_text())]
        facts = journal.lstat()
        is_own = not hasattr(os, "getuid") or facts.st_uid == os.getuid()  # folders may be anybody's
        _move([
            (place, real) for place, real in noted if is_own and place.parent == real.parent
            and place.name.endswith(_PART) and place.name.startswith(f".{real.name[:40]}.")
            and not (real.exists() and real.stat().st_mtime_ns > facts.st_mtime_ns)
        ])  # fmt: skip
    with suppress(OSError):
        journal.unlink(missing_ok=True)
