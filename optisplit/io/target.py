"""What is written goes through here: files that are there whole or not at all, packed as their names say."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from optisplit.errors import OptionError
from optisplit.io.packing import PACKINGS, packing, unpacked_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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
def _whole_or_not(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside the one that is meant, and put it in its place once it is written."""
    if path.exists() and not path.is_file():  # a pipe or device has no content to be kept
        with open(path, "wb") as file:
            yield file
        return
    real = Path(os.path.realpath(path))
    place = real.with_name(f".{real.name[:40]}.{os.urandom(4).hex()}.part")
    try:
        with open(place, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if real.exists():
            place.chmod(stat.S_IMODE(real.stat().st_mode))
        os.replace(place, real)
    finally:
        if real.parent.is_dir():
            place.unlink(missing_ok=True)


def check_targets(
    outputs: Mapping[str, str | os.PathLike[str] | None], inputs: Mapping[str, object] | None = None
) -> None:
    """Refuse, before any work, files that could not be written after it, or would destroy one another.

    Both arguments map what the user calls a file, such as ``--report``, to its path; what is no path is passed over.
    """
    taken = {os.path.realpath(str(each)): called for called, each in (inputs or {}).items() if _is_file(each)}
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
        if (other := taken.setdefault(os.path.realpath(path), called)) != called:
            msg = f"{called} and {other} are the same file, {str(path)!r}; give each a file of its own."
            raise OptionError(msg)


def _is_file(given: object) -> bool:
    return isinstance(given, str | os.PathLike) and os.path.isfile(given)
