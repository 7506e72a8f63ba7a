"""How files are packed: gzip, bzip2 and xz, undone within bounds, and done as a file's name says."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

XZ_BYTES = 200_000_000
"""Memory that unpacking xz may take; the strongest setting of the usual program takes a third of it."""

ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, EOFError, RuntimeError, NotImplementedError,
    ValueError, OverflowError, IndexError, KeyError,
)  # fmt: skip
"""What the standard library raises for zips that are damaged, or made to be."""

_LEAST_GIVEN, _MOST_GIVEN = 1 << 11, 1 << 18

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


def files_in(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """List the entries of a zip that are files; names may be empty."""
    return [each for each in archive.infolist() if not each.filename.endswith("/")]


def zipped(files: Mapping[str, bytes | Iterable[bytes]]) -> bytes:
    """Put files, whole or in pieces, into a zip, the same bytes each time; what is packed already stays as it is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            method = zipfile.ZIP_STORED if unpacked_name(name)[1] else zipfile.ZIP_DEFLATED
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = method
            with archive.open(entry, "w", force_zip64=not isinstance(content, bytes)) as file:
                file.writelines([content] if isinstance(content, bytes) else content)
    return buffer.getvalue()


class _XzReader:
    """Unpacks xz; unlike the standard library's file object, within bounds, whatever window the header asks for."""

    def __init__(self, stored: BinaryIO) -> None:
        self._stored = stored
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_BYTES)
        self._n_given = _LEAST_GIVEN

    def read(self, count: int) -> bytes:
        while True:
            if self._decompressor.eof:
                # little at a time at first: what is left over is copied, for each of many short streams anew
                self._n_given = _LEAST_GIVEN
                rest = self._decompressor.unused_data or self._stored.read(self._n_given)
                given = rest.lstrip(b"\0")  # streams may be padded
                if rest and not given:
                    given = self._after_padding()
                if not given:
                    return b""
                self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_BYTES)
            elif self._decompressor.needs_input:
                given = self._stored.read(self._n_given)
                self._n_given = min(2 * self._n_given, _MOST_GIVEN)
                if not given:
                    raise EOFError
            else:
                given = b""
            if block := self._decompressor.decompress(given, count):
                return block

    def _after_padding(self) -> bytes:
        while rest := self._stored.read(_MOST_GIVEN):
            if given := rest.lstrip(b"\0"):
                return given
        return b""

    def close(self) -> None:
        self._stored.close()
