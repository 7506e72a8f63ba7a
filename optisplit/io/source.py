"""What is given is opened here: a path, a file object or a pipe, packed or not, whole or in blocks."""

from __future__ import annotations

import io
import lzma
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from optisplit.errors import FormatError, OptionError
from optisplit.io.packing import PACKINGS, packing_of, unpacked_name, unpacking
from optisplit.io.scan import scanned
from optisplit.io.sizes import check_stated
from optisplit.io.tables.frames import as_text, form_of, is_frame
from optisplit.io.tables.sheets import SHEET_STARTS, is_sheet, sheet_as_text
from optisplit.text import bytes_words

FileLike: TypeAlias = str | os.PathLike[str] | BinaryIO
"""A path, or a file object opened in binary mode."""

OnProgress: TypeAlias = Callable[[int, int, None], object]
"""Called with the bytes read so far, all bytes, and None in place of a score; it may raise to stop the reading."""

HEAD_BYTES = 1_000_000
"""As much of a file is looked at to tell what it is."""
BLOCK_BYTES = 1 << 22

MOST_KEPT = 64_000_000
"""Bytes of a file object that are kept, to look up what else it says of rows."""

MAX_LINE_BYTES = 150_000_000
"""A longer line is no row, and would take ten times its length."""


class NamedBytes(io.BytesIO):
    """Bytes as a file that has a name."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


_PART = re.compile(r"[._\s-]+(?:train|training|trn|test|testing|tst)[0-9]*$", re.IGNORECASE)
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UTF8_MARK = b"\xef\xbb\xbf"


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

    is_folder = False
    form = ""  # what it was before, where this is a spreadsheet's text
    sheet: Source | None = None  # that spreadsheet

    def __init__(
        self, packed: bytes | Path, name: str, path: Path | None = None, *, on_progress: OnProgress | None = None
    ) -> None:
        self._packed, self.name, self.path, self._on_progress = packed, name, path, on_progress
        with self._reading() as stream:
            start = stream.read(8)
            stream.seek(0, os.SEEK_END)
            self.n_bytes = stream.tell()
        self.compression = packing_of(start)
        self._is_utf16 = self.head_as_stored.startswith(_UTF16_MARKS)

    @property
    def regular_path(self) -> Path | None:
        """Where it is, as it is; None where it is packed, or no regular file."""
        return None if isinstance(self._packed, bytes) or self.compression is not None else self._packed

    @property
    def stem(self) -> str:
        """The name without ``.gz`` and the like, and without the format's ending."""
        base = self.unpacked_name
        return base.rpartition(".")[0] or base

    @property
    def unpacked_name(self) -> str:
        """The name without ``.gz``, ``.bz2`` or ``.xz``."""
        return unpacked_name(self.name)[0]

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
                yield whole.removeprefix(UTF8_MARK) if is_start else whole
                pending.clear()
                is_start = False
            pending.append(tail)
            if sum(map(len, pending)) > MAX_LINE_BYTES:
                msg = f"{self.name!r} has a line of more than {bytes_words(MAX_LINE_BYTES)}; give each row its own."
                raise FormatError(msg)
        if last := b"".join(pending):
            yield last.removeprefix(UTF8_MARK) if is_start else last

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
        if self.head.removeprefix(UTF8_MARK).strip():
            return False
        # one block after the other: a large file must not be held just to be told from an empty one
        blocks = enumerate(self.blocks(report=False))
        texts = (block if at else block.removeprefix(UTF8_MARK) for at, block in blocks)
        return not any(text.strip() for text in texts)

    @property
    def encoding(self) -> str:
        """``utf-8-sig`` where all of it is UTF-8, otherwise ``latin-1``."""
        return self._scanned[0]

    @property
    def has_guards(self) -> bool:
        """Whether cells of a table may have a mark that keeps spreadsheets from computing them."""
        return self._scanned[1]

    @cached_property
    def _scanned(self) -> tuple[str, bool]:
        return scanned(self.blocks(report=False))

    def open_bytes(self) -> io.BufferedReader:
        """Open it, unpacked; UTF-16 text as UTF-8."""
        return io.BufferedReader(_Stream(self.blocks()), 1 << 16)

    def open_text(self) -> io.TextIOWrapper:
        r"""Open it as text, line ends as they are."""
        return io.TextIOWrapper(self.open_bytes(), self.encoding, newline="")

    @property
    def kept(self) -> Path | bytes | None:
        """What to remember it by: where it is, or its bytes as they came, where they are not many."""
        if self.path is not None:
            return self.path.absolute()
        given = self.sheet or self
        return given._packed if isinstance(given._packed, bytes) and given.n_bytes <= MOST_KEPT else None

    def is_of(self, file: Path | bytes) -> bool:
        """Tell whether it is the content of a file, or these bytes."""
        return (self.sheet or self)._packed == file if self.path is None else self.path.absolute() == file

    def report(self, done: int, total: int) -> None:
        """Tell how far a reader is that does not read in blocks."""
        if self._on_progress is not None:
            self._on_progress(done, total, None)

    def sibling(self, *endings: str) -> Path | None:
        """Find the file of the same stem and another ending, packed or not, in the same folder.

        Where there is none, one of the same stem without ``-train`` or ``-test`` serves.
        """
        stems = dict.fromkeys((self.stem, without_part(self.stem)))
        return self.neighbour(*(stem + ending for stem in stems for ending in endings))

    def neighbour(self, *names: str) -> Path | None:
        """Find the first file of these names, packed or not, in the same folder."""
        if self.path is None:
            return None
        candidates = (self.path.with_name(name + packed) for name in names for packed in ("", *PACKINGS))
        return next((each for each in candidates if each.is_file()), None)

    def _reading(self) -> BinaryIO:
        if isinstance(self._packed, bytes):
            return io.BytesIO(self._packed)
        return _opened(self._packed)

    def _unpacked_blocks(self, *, report: bool = True) -> Iterator[bytes]:
        n_unpacked = 0
        with self._reading() as stored:
            try:
                with unpacking(stored, self.compression) as stream:
                    while block := stream.read(BLOCK_BYTES):
                        n_unpacked += len(block)
                        if self.compression is not None:
                            check_stated(self.name, self.n_bytes, text=n_unpacked)
                        yield block
                        if report:
                            self.report(stored.tell(), self.n_bytes)
            except (OSError, EOFError, zlib.error, lzma.LZMAError, MemoryError) as error:
                if self.compression is None:
                    msg = f"{self.name!r} cannot be read: {error}."
                    raise FormatError(msg) from error
                msg = f"{self.name!r} is a damaged or cut-off {self.compression} file; copy or download it again."
                raise FormatError(msg) from error


class Folder(Source):
    """A folder, whose files are read through :func:`optisplit.io.bundle.open_bundle`."""

    is_folder = True

    def __init__(self, folder: Path, name: str, on_progress: OnProgress | None = None) -> None:
        self.folder, self.name, self.path, self._on_progress = folder, name, folder, on_progress
        self._packed, self.n_bytes, self.compression, self._is_utf16 = b"", 0, None, False


class HeldTable(Source):
    """A table in memory, in the place of a file."""

    def __init__(self, held: Any, name: str | None = None, *, on_progress: OnProgress | None = None) -> None:
        super().__init__(b"", name or "data", on_progress=on_progress)
        self.held, self.form = held, form_of(held)


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


def read_source(
    source: FileLike, name: str | None = None, *, on_progress: OnProgress | None = None, takes_folder: bool = False
) -> Source:
    """Open a path or a binary file object, whatever it is packed with."""
    if takes_folder and isinstance(source, str | os.PathLike) and Path(source).is_dir():
        return Folder(Path(source), name or Path(source).resolve().name or "the folder", on_progress)
    if is_frame(source):
        return Source(as_text(source, name or "data"), f"{name or 'data'}.csv")
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
    return _unfolded(opened)


def _unfolded(opened: Source) -> Source:
    """Give the table of a spreadsheet as text, and all else as it is."""
    if not opened.head.startswith(SHEET_STARTS) or not is_sheet(opened.head, opened.regular_path or opened.data):
        return opened
    text, form = sheet_as_text(opened.data, opened.name)
    found = Source(text, f"{opened.stem}.csv", opened.path)
    found.form, found.sheet = form, opened
    return found


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
        msg = f"A path, a file opened in binary mode or a table is needed, not {type(source).__name__}."
        hint = "\nHint: labels in memory need no loading; optisplit.MultilabelDataset.from_labels(...) names them."
        raise OptionError(msg + (hint if hasattr(source, "__len__") else ""))
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


def _without_utf16(data: bytes, name: str) -> bytes:
    if not data.startswith(_UTF16_MARKS):
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError as error:  # also lone surrogates, which UTF-8 cannot hold
        msg = f"{name!r} begins like UTF-16 text but is not; save it as UTF-8."
        raise FormatError(msg) from error
