"""Where writers write to: files that are there whole or not at all, packed as their names say."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from optisplit.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

Target: TypeAlias = str | os.PathLike[str] | BinaryIO
"""A path, or a file object opened for writing in binary mode."""

COMPRESSIONS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz"}
"""Endings, and what packs a file of such a name."""


def unpacked_name(name: str) -> tuple[str, str | None]:
    """Tell how a file is packed, from its name."""
    for ending, kind in COMPRESSIONS.items():
        if name.lower().endswith(ending):
            return name[: -len(ending)], kind
    return name, None


def packed_as(content: bytes, compression: str | None) -> bytes:
    """Pack a file's content."""
    match compression:
        case "gzip":
            return gzip.compress(content, mtime=0)
        case "bzip2":
            return bz2.compress(content)
        case "xz":
            return lzma.compress(content)
    return content


@contextmanager
def opened(target: Target) -> Iterator[Any]:
    """Open a file to write it, packed as its name says.

    - A path gets its new content when all is written; after an error what was there before is still there.
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
    # a pipe or device has no content to be kept
    is_plain = path.is_file() or not path.exists()
    place = path.with_name(f".{path.name[:80]}.{os.getpid()}.part") if is_plain else path
    try:
        with open(place, "wb") as file, _packing(file, path.name) as stream:
            yield stream
        if is_plain:
            os.replace(place, path)
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror or error}."
        raise OptionError(msg) from error
    finally:
        if is_plain and place.parent.is_dir():
            place.unlink(missing_ok=True)


def _packing(file: BinaryIO, name: str) -> Any:
    match unpacked_name(name)[1]:
        case "gzip":
            return gzip.GzipFile("", "wb", fileobj=file, mtime=0)
        case "bzip2":
            return bz2.BZ2File(file, "wb")
        case "xz":
            return lzma.LZMAFile(file, "wb")
    return file
