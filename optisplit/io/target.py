"""Where writers write to: files that are there whole or not at all, packed as their names say."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from optisplit.errors import OptionError
from optisplit.io.packing import PACKINGS, packing, unpacked_name

if TYPE_CHECKING:
    from collections.abc import Iterator

Target: TypeAlias = str | os.PathLike[str] | BinaryIO
"""A path, or a file object opened for writing in binary mode."""


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
        with open(place, "wb") as file, packing(file, PACKINGS.get(unpacked_name(path.name)[1].lower())) as stream:
            yield stream
        if is_plain:
            os.replace(place, path)
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror or error}."
        raise OptionError(msg) from error
    finally:
        if is_plain and place.parent.is_dir():
            place.unlink(missing_ok=True)
