"""What all readers share: a file's content, whole or in blocks, and the parts of a data set out."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from optisplit.errors import FormatError, OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FileLike: TypeAlias = str | os.PathLike[str] | BinaryIO
"""A path, or a file object opened in binary mode."""

OnProgress: TypeAlias = Callable[[int, int, None], object]
"""Called with the bytes read so far, all bytes, and None in place of a score; it may raise to stop the reading."""

SMALL_BYTES = 50_000_000
"""Anything that unpacks to no more than this is read, however well it is compressed."""

MAX_RATIO = 200
"""Larger files that unpack to more than this many times their size are refused."""

HEAD_BYTES = 1_000_000
"""As much of a file is looked at to tell what it is."""

BLOCK_BYTES = 1 << 22

XZ_BYTES = 200_000_000
"""Memory that unpacking xz may take; the strongest setting of the usual program takes a third of it."""

_PART = re.compile(r"[._\s-]+(?:train|training|trn|test|testing|tst)[0-9]*$", re.IGNORECASE)

_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}
PACKED_ENDINGS = (".gz", ".bz2", ".xz")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


class Source:
    """A file's content, unpacked, and what it is called.

    - Large files need not be held: :meth:`blocks` and :meth:`lines` go through the content anew each time.
    - Whatever is used of it, a file that would unpack to out of all proportion is refused on the way.

    Parameters
    ----------
    packed : bytes or Path
        The file as it is: its bytes, or where to read them.
    name : str
        File name, for messages.
    path : Path, optional
        Where the file is, for files beside it; None for a file object.
    on_progress : callable, optional
        Called with bytes read, all bytes, and None; may raise to stop.
    """

    def __init__(
        self, packed: bytes | Path, name: str, path: Path | None = None, *, on_progress: OnProgress | None = None
    ) -> None:
        self._packed, self.name, self.path, self._on_progress = packed, name, path, on_progress
        with self._reading() as stream:
            start = stream.read(8)
            stream.seek(0, os.SEEK_END)
            self.n_bytes = stream.tell()
        self.compression = next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)
        self._is_utf16 = self.head_as_stored.startswith(_UTF16_MARKS)

    @property
    def stem(self) -> str:
        """The name without ``.gz`` and the like, and without the format's ending."""
        base = self.unpacked_name
        return base.rpartition(".")[0] or base

    @property
    def unpacked_name(self) -> str:
        """The name without ``.gz``, ``.bz2`` or ``.xz``."""
        ending = next((ending for ending in PACKED_ENDINGS if self.name.lower().endswith(ending)), "")
        return self.name[: len(self.name) - len(ending)]

    @cached_property
    def head_as_stored(self) -> bytes:
        """The first megabyte, unpacked, in whatever encoding."""
        parts: list[bytes] = []
        n_bytes = 0
        for block in self._unpacked_blocks(report=False):
            parts.append(block)
            n_bytes += len(block)
            if n_bytes >= HEAD_BYTES:
                break
        return b"".join(parts)[:HEAD_BYTES]

    @property
    def head(self) -> bytes:
        """The first megabyte of what :attr:`data` is."""
        return self.data[:HEAD_BYTES] if self._is_utf16 else self.head_as_stored

    @cached_property
    def data(self) -> bytes:
        """The whole content, unpacked; UTF-16 text as UTF-8."""
        if self.compression is None and isinstance(self._packed, bytes):
            data = self._packed
        else:
            data = b"".join(self._unpacked_blocks())
        return _without_utf16(data, self.name)

    def blocks(self, *, report: bool = True) -> Iterator[bytes]:
        """Go through the content from its start, telling how far it is."""
        if self._is_utf16:
            yield self.data
        else:
            yield from self._unpacked_blocks(report=report)

    def whole_lines(self) -> Iterator[bytes]:
        r"""Go through the content in blocks that end where a line ends, telling how far it is.

        Lines end with ``\n`` or ``\r\n``; or, where the first megabyte has no ``\n``, with ``\r``, given as ``\n``.
        """
        has_old_ends = b"\n" not in self.head and b"\r" in self.head
        pending: list[bytes] = []  # the beginning of a line whose end has not come yet
        is_start = True
        for block in self.blocks():
            text = block.replace(b"\r", b"\n") if has_old_ends else block
            head, end, tail = text.rpartition(b"\n")
            if end:
                whole = b"".join((*pending, head, end))
                yield whole.removeprefix(_UTF8_MARK) if is_start else whole
                pending.clear()
                is_start = False
            pending.append(tail)
        if last := b"".join(pending):
            yield last.removeprefix(_UTF8_MARK) if is_start else last

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Go through the lines of :meth:`whole_lines` one by one."""
        number = 0
        for whole in self.whole_lines():
            for line in io.BytesIO(whole):  # splitlines would also end at a lone \r
                number += 1
                yield number, line

    @property
    def is_blank(self) -> bool:
        """Whether nothing but white space is in it."""
        if self.head.removeprefix(_UTF8_MARK).strip():
            return False
        # one block after the other: a large file must not be held just to be told from an empty one
        blocks = enumerate(self.blocks(report=False))
        texts = (block if at else block.removeprefix(_UTF8_MARK) for at, block in blocks)
        return not any(text.strip() for text in texts)

    @cached_property
    def encoding(self) -> str:
        """``utf-8-sig`` where all of it is UTF-8, otherwise ``latin-1``."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            for block in self.blocks(report=False):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "latin-1"
        return "utf-8-sig"

    def open_bytes(self) -> io.BufferedReader:
        """Open it, unpacked; UTF-16 text as UTF-8."""
        return io.BufferedReader(_Stream(self.blocks()), 1 << 16)

    def open_text(self) -> io.TextIOWrapper:
        r"""Open it as text, line ends as they are."""
        return io.TextIOWrapper(self.open_bytes(), self.encoding, newline="")

    def report(self, done: int, total: int) -> None:
        """Tell how far a reader is that does not read in blocks."""
        if self._on_progress is not None:
            self._on_progress(done, total, None)

    def sibling(self, *endings: str) -> Path | None:
        """Find the file of the same stem and another ending, in the same folder.

        Where there is none, one of the same stem without ``-train`` or ``-test`` serves.
        """
        if self.path is None:
            return None
        stems = dict.fromkeys((self.stem, without_part(self.stem)))
        candidates = (self.path.with_name(stem + ending) for stem in stems for ending in endings)
        return next((each for each in candidates if each.is_file()), None)

    def _reading(self) -> BinaryIO:
        if isinstance(self._packed, bytes):
            return io.BytesIO(self._packed)
        return _opened(self._packed)

    def _unpacked_blocks(self, *, report: bool = True) -> Iterator[bytes]:
        n_unpacked = 0
        with self._reading() as stored:
            try:
                with _unpacking(stored, self.compression) as stream:
                    while block := stream.read(BLOCK_BYTES):
                        n_unpacked += len(block)
                        if self.compression is not None:
                            refuse_bomb(n_unpacked, self.n_bytes, self.name)
                        yield block
                        if report:
                            self.report(stored.tell(), self.n_bytes)
            except (OSError, EOFError, zlib.error, lzma.LZMAError, MemoryError) as error:
                if self.compression is None:
                    msg = f"{self.name!r} cannot be read: {error}."
                    raise FormatError(msg) from error
                msg = f"{self.name!r} is a damaged or cut-off {self.compression} file; copy or download it again."
                raise FormatError(msg) from error


class _XzReader:
    """Unpacks xz; unlike the standard library's file object, within bounds, whatever window the header asks for."""

    def __init__(self, stored: BinaryIO) -> None:
        self._stored = stored
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_BYTES)

    def read(self, count: int) -> bytes:
        while True:
            if self._decompressor.eof:
                rest = self._decompressor.unused_data or self._stored.read(BLOCK_BYTES)
                rest = rest.lstrip(b"\0")  # streams may be padded
                if not rest:
                    return b""
                self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_BYTES)
                given = rest
            elif self._decompressor.needs_input:
                given = self._stored.read(1 << 18)
                if not given:
                    raise EOFError
            else:
                given = b""
            if block := self._decompressor.decompress(given, count):
                return block

    def close(self) -> None:
        self._stored.close()


class _Stream(io.RawIOBase):
    """Blocks of bytes as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._rest = blocks, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = memoryview(block)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def without_part(stem: str) -> str:
    """Take off what a file name says of the part that it holds."""
    return _PART.sub("", stem) or stem


def _unpacking(stored: BinaryIO, compression: str | None) -> Any:
    match compression:
        case "gzip":
            return gzip.GzipFile(fileobj=stored)
        case "bzip2":
            return bz2.BZ2File(stored)
        case "xz":
            return closing(_XzReader(stored))
    return stored


@dataclass(slots=True)
class Parsed:
    """What a reader found in a file."""

    labels: Any  # shape (n_rows, n_labels): label indicators, not yet checked
    label_names: list[str] | None = None  # names as the file has them
    row_ids: list[str] | None = None  # names as the file has them
    notes: list[str] = field(default_factory=list)  # sentences for the user: what should be looked at
    form: str = ""  # the form of the file for people, such as ``MULAN ARFF, sparse rows``
    rule: str = ""  # how the label columns were chosen, one sentence
    # what else was understood, for people: ``{"Separator of labels": "'|'"}``
    details: dict[str, str] = field(default_factory=dict)
    # arguments of :func:`load_file` that lead to the same reading; only what goes into JSON
    options: dict[str, Any] = field(default_factory=dict)
    # the first so many rows are the training rows of a split that the file itself states (MEKA)
    n_train: int | None = None
    # shape (n_missing, 2): row and label number of each label cell that is missing (unknown); 0 in `labels`
    missing: NDArray[np.integer[Any]] | None = None
    # shape (n_missing_rows,): rows whose labels are all missing; without any in `labels`
    missing_rows: NDArray[np.integer[Any]] | None = None
    missing_message: str = ""  # the error for them, with the first one's place in the file


def read_source(source: FileLike, name: str | None = None, *, on_progress: OnProgress | None = None) -> Source:
    """Open a path or a binary file object, whatever it is packed with."""
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        packed, name = _checked_path(path), name or path.name
    else:
        path, packed = None, _read_object(source)
        given = name or getattr(source, "name", None)
        name = os.path.basename(given) if isinstance(given, str) and given else "the file"
    opened = Source(packed, name, path, on_progress=on_progress)
    if opened.is_blank:
        msg = f"{name!r} is empty."
        raise FormatError(msg)
    return opened


NOT_UTF8 = "The text is not UTF-8, so it was read as Latin-1; check that its accents look right."


def decode_text(data: bytes) -> tuple[str, list[str]]:
    """Decode text from UTF-8, or from Latin-1 where it is no UTF-8."""
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return data.decode("latin-1"), [NOT_UTF8]


def read_names(names: object) -> list[str]:
    """Read names from a text file with one name a line, or take them from an iterable."""
    if isinstance(names, str | os.PathLike) or hasattr(names, "read"):
        text, _ = decode_text(read_source(names).data)  # type: ignore[arg-type]
        # not splitlines(): that also splits at form feeds and other characters that may be in a name
        lines = text.replace("\r\n", "\n").rstrip().split("\n")
        return [line.strip() for line in lines]
    if not isinstance(names, Iterable):
        msg = f"names must be a file or a list of names, not {type(names).__name__}."
        raise OptionError(msg)
    return [str(name) for name in names]


def _checked_path(path: Path) -> Path | bytes:
    """Give a regular file's path, and what a pipe holds."""
    with _opened(path) as stream:
        return path if stream.seekable() and path.is_file() else stream.read()


def _opened(path: Path) -> BinaryIO:
    try:
        return open(path, "rb")
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


def refuse_bomb(n_unpacked: int, n_packed: int, name: str) -> None:
    """Refuse a file that would unpack to out of all proportion."""
    if n_unpacked > SMALL_BYTES and n_unpacked > MAX_RATIO * n_packed:
        msg = (
            f"{name!r} would unpack to more than {MAX_RATIO} times its size ({n_unpacked / 1e6:,.0f} MB or "
            "more), which no real data set does; it was not read. If it is real, give it uncompressed."
        )
        raise FormatError(msg)


def refuse_lying_shape(n_rows: int, n_labels: int, n_bytes: int, name: str) -> None:
    """Refuse numbers of rows and labels that a file states but is far too small for."""
    for count, most, what in (
        (n_rows, 100 * n_bytes + 1_000_000, "rows"),
        (n_labels, 10 * n_bytes + 100_000, "labels"),
    ):
        if count > most:
            msg = (
                f"{name!r} says that it has {count:,} {what}, but is only {n_bytes:,} bytes long; the number is wrong, "
                "or the file was cut off."
            )
            raise FormatError(msg)


def _without_utf16(data: bytes, name: str) -> bytes:
    if not data.startswith(_UTF16_MARKS):
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError as error:  # also lone surrogates, which UTF-8 cannot hold
        msg = f"{name!r} begins like UTF-16 text but is not; save it as UTF-8."
        raise FormatError(msg) from error
