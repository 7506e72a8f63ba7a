"""What is written goes through here: files that are there whole or not at all, packed as their names say."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from optisplit.errors import OptionError
from optisplit.io.moves import beside, left_behind, own_mark, put_in_place, signals_wait, tidy
from optisplit.io.packing import PACKINGS, packing, unpacked_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_WAITING: ContextVar[list[tuple[Path, Path]] | None] = ContextVar("waiting", default=None)
"""Files that are written, each with the place that it is to be put in."""

Target: TypeAlias = str | os.PathLike[str] | BinaryIO
"""A path, or a file object opened for writing in binary mode."""


def write_file(target: Target, content: str | bytes | Iterable[bytes], *, is_packed: bool = False) -> None:
    """Write a file as a whole; texts as UTF-8; packed as its name says, unless the content is already."""
    with opened(target, is_packed=is_packed) as out:
        if isinstance(content, str | bytes):
            out.write(content.encode() if isinstance(content, str) else content)
        else:
            out.writelines(content)


@contextmanager
def opened(target: Target, *, is_packed: bool = False) -> Iterator[Any]:
    """Open a file to write it, packed as its name says.

    - A path gets its new content when all is written; after an error what was there before is still there. A link
      stays one, and what it leads to is written; a file keeps its mode.
    - A file object is written to as it is, and left open.
    """
    if not isinstance(target, str | os.PathLike):
        if not hasattr(target, "write"):
            msg = f"A path or a file opened for writing in binary mode is needed, not {type(target).__name__}."
            raise OptionError(msg)
        yield target
        return
    path = Path(target)
    if "\0" in str(path):
        msg = f"{str(path)!r} cannot be written: there is a NUL in its name."
        raise OptionError(msg)
    kind = None if is_packed else PACKINGS.get(unpacked_name(path.name)[1].lower())
    try:
        with _whole_or_not(path) as file, packing(file, kind) as stream:
            yield stream
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror or error}."
        raise OptionError(msg) from error


@contextmanager
def together() -> Iterator[None]:
    """Put all files that are written within into their places at its end, or none of them after an error.

    A reader of standard output who goes away is no error: what was written until then is meant to be there.
    """
    if _WAITING.get() is not None:
        yield
        return
    waiting: list[tuple[Path, Path]] = []
    token = _WAITING.set(waiting)
    try:
        try:
            yield
        except BrokenPipeError:
            put_in_place(waiting)
            raise
        put_in_place(waiting)
    finally:
        with signals_wait():
            _WAITING.reset(token)
            for place, _ in waiting:
                place.unlink(missing_ok=True)


@contextmanager
def _whole_or_not(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside the one that is meant, and have it put in its place once it is written."""
    if path.exists() and not path.is_file():  # a pipe or device has no content to be kept
        with open(path, "wb") as file:
            yield file
        return
    real = Path(os.path.realpath(path))
    place = beside(real)
    with together():
        waiting = _WAITING.get()
        assert waiting is not None
        if not any(other.parent == real.parent for _, other in waiting):  # once a folder: it is gone through
            tidy(real.parent)
        waiting.append((place, real))  # at once: whatever ends this, it is removed or put in its place
        try:
            with open(place, "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            with signals_wait():
                place.unlink(missing_ok=True)
                waiting.remove((place, real))
            raise


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """Make a folder for files that nobody needs afterwards; those of processes that were killed are removed."""
    parent = Path(tempfile.gettempdir())
    start = f"optisplit-{purpose}-"
    for left in left_behind(parent, f"{start}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{start}{own_mark()}") as folder:
        yield Path(folder)


def check_targets(
    outputs: Mapping[str, str | os.PathLike[str] | None], inputs: Mapping[str, object] | None = None
) -> None:
    """Refuse, before any work, files that could not be written after it, or would destroy one another.

    Both arguments map what the user calls a file, such as ``--report``, to its path; an input may be an open file too.
    """
    taken: dict[Any, str] = {who: called for called, each in (inputs or {}).items() if (who := _who(each)) is not None}
    for called, given in outputs.items():
        if given is None:
            continue
        path = Path(given)
        reason = "Is a directory" if path.is_dir() else "" if path.parent.is_dir() else "No such file or directory"
        if reason:
            msg = f"{path} cannot be written: {reason}."
            raise OptionError(msg)
        if path.exists() and not path.is_file():
            continue
        if (other := taken.setdefault(_who(path) or os.path.realpath(path), called)) != called:
            msg = f"{called} and {other} are the same file, {str(path)!r}; give each a file of its own."
            raise OptionError(msg)


def _who(given: object) -> tuple[int, int] | None:
    """Tell which file a path leads to, or an open one is, whatever it is called."""
    try:
        is_path = isinstance(given, str | os.PathLike)
        found = os.stat(given) if is_path else os.fstat(given.fileno())  # type: ignore[attr-defined,arg-type]
    except (OSError, ValueError, AttributeError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
