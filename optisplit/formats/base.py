"""What all readers share: bytes in, and the parts of a data set out."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from optisplit.errors import FormatError, OptionError

FileLike: TypeAlias = str | os.PathLike[str] | BinaryIO
"""A path, or a file object opened in binary mode."""

SMALL_BYTES = 50_000_000
"""Anything that unpacks to no more than this is read, however well it is compressed."""

MAX_RATIO = 200
"""Larger files that unpack to more than this many times their size are refused."""

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """A file's content, unpacked, and what it is called.

    Parameters
    ----------
    data : bytes
        The content; gzip is already undone.
    name : str
        File name, for messages.
    path : Path, optional
        Where the file is; None for a file object.
    """

    data: bytes
    name: str
    path: Path | None = None

    @property
    def stem(self) -> str:
        """The name without ``.gz`` and without the format's ending."""
        base = self.name[:-3] if self.name.lower().endswith(".gz") else self.name
        return base.rpartition(".")[0] or base

    def sibling(self, *endings: str) -> Path | None:
        """Find the file of the same stem and another ending, in the same folder.

        Parameters
        ----------
        *endings : str
            Endings to try, in order.

        Returns
        -------
        Path or None
            The first one that exists.
        """
        if self.path is None:
            return None
        candidates = (self.path.with_name(self.stem + ending) for ending in endings)
        return next((each for each in candidates if each.is_file()), None)


@dataclass(slots=True)
class Parsed:
    """What a reader found in a file.

    Parameters
    ----------
    labels : array-like or sparse of shape (n_rows, n_labels)
        Label indicators, not yet checked.
    label_names, row_ids : list of str, optional
        Names as the file has them.
    notes : list of str
        Sentences for the user.
    """

    labels: Any
    label_names: list[str] | None = None
    row_ids: list[str] | None = None
    notes: list[str] = field(default_factory=list)


def read_source(source: FileLike, name: str | None = None) -> Source:
    """Read a path or a binary file object from its start, and undo gzip and UTF-16.

    Parameters
    ----------
    source : str, PathLike or binary file object
        What to read.
    name : str, optional
        The file's name; default: that of the path, or the file object's own.

    Returns
    -------
    Source
        The content and its name.

    Raises
    ------
    FormatError
        If the file cannot be read or unpacked, or it is empty.
    OptionError
        If `source` is neither a path nor a file object.
    """
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        data, name = _read_path(path), name or path.name
    else:
        path, data = None, _read_object(source)
        given = name or getattr(source, "name", None)
        name = os.path.basename(given) if isinstance(given, str) and given else "the file"
    data = _without_utf16(_unpacked(data, name), name)
    if not data.strip():
        msg = f"{name!r} is empty."
        raise FormatError(msg)
    return Source(data, name, path)


def decode_text(data: bytes) -> tuple[str, list[str]]:
    """Decode text from UTF-8, or from Latin-1 where it is no UTF-8.

    Parameters
    ----------
    data : bytes
        The text; a byte order mark is dropped.

    Returns
    -------
    text : str
        The text.
    notes : list of str
        A sentence for the user where Latin-1 was used.
    """
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        note = "The text is not UTF-8, so it was read as Latin-1; check that its accents look right."
        return data.decode("latin-1"), [note]


def read_names(names: object) -> list[str]:
    """Read names from a text file with one name a line, or take them from an iterable.

    Parameters
    ----------
    names : path, binary file object or iterable
        The names. A text is a path, not a name.

    Returns
    -------
    list of str
        The names; blank lines at the end of a file are not names.
    """
    if isinstance(names, str | os.PathLike) or hasattr(names, "read"):
        text, _ = decode_text(read_source(names).data)  # type: ignore[arg-type]
        # not splitlines(): that also splits at form feeds and other characters that may be in a name
        lines = text.replace("\r\n", "\n").rstrip().split("\n")
        return [line.strip() for line in lines]
    if not isinstance(names, Iterable):
        msg = f"names must be a file or a list of names, not {type(names).__name__}."
        raise OptionError(msg)
    return [str(name) for name in names]


def _read_path(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        msg = f"There is no file {str(path)!r}."
        raise FormatError(msg) from error
    except IsADirectoryError as error:
        msg = f"{str(path)!r} is a folder; give the file in it that holds the labels."
        raise FormatError(msg) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        msg = f"{str(path)!r} cannot be read: {error}."
        raise FormatError(msg) from error


def _read_object(source: Any) -> bytes:
    if not hasattr(source, "read"):
        msg = f"A path or a file opened in binary mode is needed, not {type(source).__name__}."
        raise OptionError(msg)
    try:
        if hasattr(source, "seekable") and source.seekable():
            source.seek(0)  # an upload may have been read before
        data: object = source.read()
    except (OSError, ValueError) as error:  # ValueError: a closed file
        msg = f"The file cannot be read: {error}."
        raise FormatError(msg) from error
    if not isinstance(data, bytes):
        msg = "The file is opened as text; open it in binary mode: open(path, 'rb')."
        raise OptionError(msg)
    return data


def _unpacked(data: bytes, name: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    parts: list[bytes] = []
    n_bytes = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            while part := stream.read(_CHUNK_BYTES):
                parts.append(part)
                n_bytes += len(part)
                refuse_bomb(n_bytes, len(data), name)
    except (OSError, EOFError, zlib.error) as error:
        msg = f"{name!r} is a damaged or cut-off gzip file; copy or download it again."
        raise FormatError(msg) from error
    return b"".join(parts)


def refuse_bomb(n_unpacked: int, n_packed: int, name: str) -> None:
    """Refuse a file that would unpack to out of all proportion.

    Parameters
    ----------
    n_unpacked, n_packed : int
        Sizes, in bytes.
    name : str
        File name, for the message.

    Raises
    ------
    FormatError
        If the file is large once unpacked and its ratio is implausible.
    """
    if n_unpacked > SMALL_BYTES and n_unpacked > MAX_RATIO * n_packed:
        msg = (
            f"{name!r} would unpack to more than {MAX_RATIO} times its size ({n_unpacked / 1e6:,.0f} MB or "
            "more), which no real data set does; it was not read. If it is real, give it uncompressed."
        )
        raise FormatError(msg)


def _without_utf16(data: bytes, name: str) -> bytes:
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError as error:  # also lone surrogates, which UTF-8 cannot hold
        msg = f"{name!r} begins like UTF-16 text but is not; save it as UTF-8."
        raise FormatError(msg) from error
