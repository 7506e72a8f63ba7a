"""How files are packed: gzip, bzip2 and xz, undone within bounds, and done as a file's name says."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO

from optisplit.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

SMALL_BYTES = 50_000_000
"""Anything that unpacks to no more than this is read, however well it is compressed."""

MAX_RATIO = 200
"""Larger files that unpack to more than this many times their size are refused."""

XZ_BYTES = 200_000_000
"""Memory that unpacking xz may take; the strongest setting of the usual program takes a third of it."""

PACKINGS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz"}
"""Endings of packed files, and what packs them."""

_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}


def packing_of(start: bytes) -> str | None:
    """Tell how a file is packed, from its first bytes."""
    return next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)


def unpacked_name(name: str) -> tuple[str, str]:
    """Take the ending of a packed file off a name: what is left, and the ending, mostly none."""
    ending = next((ending for ending in PACKINGS if name.lower().endswith(ending)), "")
    end = len(name) - len(ending)
    return name[:end], name[end:]


def unpacking(stored: BinaryIO, packing: str | None) -> Any:
    """Open a packed file to read it."""
    match packing:
        case "gzip":
            return gzip.GzipFile(fileobj=stored)
        case "bzip2":
            return bz2.BZ2File(stored)
        case "xz":
            return closing(_XzReader(stored))
    return stored


def packing(target: BinaryIO, packing: str | None) -> Any:
    """Open a file to pack what is written to it; the file itself stays open."""
    match packing:
        case "gzip":
            return gzip.GzipFile("", "wb", fileobj=target, mtime=0)
        case "bzip2":
            return bz2.BZ2File(target, "wb")
        case "xz":
            return lzma.LZMAFile(target, "wb")
    return nullcontext(target)


def packed(content: bytes, packing: str | None) -> bytes:
    """Pack a file's content."""
    match packing:
        case "gzip":
            return gzip.compress(content, mtime=0)
        case "bzip2":
            return bz2.compress(content)
        case "xz":
            return lzma.compress(content)
    return content


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Put files into a zip, the same bytes each time; what is packed already stays as it is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            method = zipfile.ZIP_STORED if unpacked_name(name)[1] else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, method)
    return buffer.getvalue()


def refuse_bomb(n_unpacked: int, n_packed: int, name: str) -> None:
    """Refuse a file that would unpack to out of all proportion."""
    if n_unpacked > SMALL_BYTES and n_unpacked > MAX_RATIO * n_packed:
        msg = (
            f"{name!r} would unpack to more than {MAX_RATIO} times its size ({n_unpacked / 1e6:,.0f} MB or "
            "more), which no real data set does; it was not read. If it is real, give it uncompressed."
        )
        raise FormatError(msg)


class _XzReader:
    """Unpacks xz; unlike the standard library's file object, within bounds, whatever window the header asks for."""

    def __init__(self, stored: BinaryIO) -> None:
        self._stored = stored
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_BYTES)

    def read(self, count: int) -> bytes:
        while True:
            if self._decompressor.eof:
                rest = self._decompressor.unused_data or self._stored.read(1 << 22)
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
