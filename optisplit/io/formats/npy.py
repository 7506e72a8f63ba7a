"""The arrays inside a .npz archive, read without trusting what their headers promise."""

from __future__ import annotations

import io
import lzma
import math
import re
import struct
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, OptisplitError, listed
from optisplit.io.packing import refuse_bomb
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optisplit.io.source import Source

_MAGIC = b"\x93NUMPY"
# headers are matched, never evaluated
_HEADER = re.compile(
    r"\s*\{\s*'descr':\s*'([^']{1,20})',\s*'fortran_order':\s*(True|False),\s*"
    r"'shape':\s*\(((?:\d{1,18}L?(?:,\s*|(?=\))))*)\),?\s*\}\s*",
    re.ASCII,  # or separators and digits of other scripts would match, which int() does not take
)
_DTYPE = re.compile(r"[<>|=]?(?:\?|[biuf]\d{1,2}|c\d{1,2}|[SU][1-9]\d{0,5})")
_MAX_HEADER_BYTES = 20_000


@dataclass(frozen=True, slots=True)
class Member:
    """One array of the archive, known by its header."""

    name: str  # name without ``.npy``
    dtype: np.dtype[Any]  # type of the numbers
    shape: tuple[int, ...]  # its shape
    is_fortran: bool  # whether columns come first
    offset: int  # where the numbers begin, in bytes


class Archive:
    """A .npz archive whose headers have been checked against the sizes of its members.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    FormatError
        If it is no zip of .npy arrays, would unpack to an implausible size, holds Python objects,
        or a header promises other than the member holds.
    """

    def __init__(self, source: Source) -> None:
        self._name = source.name
        with self._zip_errors():
            self._zip = zipfile.ZipFile(io.BytesIO(source.data))
            infos = [info for info in self._zip.infolist() if not info.is_dir()]
        refuse_bomb(sum(info.file_size for info in infos), len(source.data), source.name)
        others = [info.filename for info in infos if not info.filename.endswith(".npy")]
        if others or not infos:
            held = listed([clean_name(name) for name in others]) if others else "nothing"
            msg = (
                f"{source.name!r} is a zip archive but no .npz: it holds {held}. "
                "Unpack it and give the file that holds the labels."
            )
            raise FormatError(msg)
        members = [self._header(info) for info in infos]
        self.members = {member.name: member for member in members}

    def read(self, name: str) -> NDArray[Any]:
        """Read an array."""
        member = self.members[name]
        with self._zip_errors():
            data = self._unpacked(f"{name}.npy")
        count = math.prod(member.shape)
        if len(data) != member.offset + count * member.dtype.itemsize:
            what = f"the array {clean_name(name)!r} is not as long as its header says"
            raise self._damaged(what)
        array = np.frombuffer(data, dtype=member.dtype, count=count, offset=member.offset)
        try:
            array = array.reshape(member.shape, order="F" if member.is_fortran else "C")
        except ValueError as error:  # no numbers at all, in a shape too large to count
            what = f"the array {clean_name(name)!r} has an impossible shape"
            raise self._damaged(what) from error
        return array.astype(member.dtype.newbyteorder("="), copy=False)

    def _unpacked(self, filename: str) -> bytearray:
        """Unpack a member into memory of its own, once, where it can be written to as well."""
        data = bytearray(self._zip.getinfo(filename).file_size)
        filled = 0
        with self._zip.open(filename) as opened:
            stream: Any = opened  # a ZipExtFile, which has more than the type that open promises
            while count := stream.readinto(memoryview(data)[filled:]):
                filled += count
            filled += len(stream.read(1))  # the end of the member, where its checksum is looked at
        return data if filled == len(data) else data[:filled]

    def _header(self, info: zipfile.ZipInfo) -> Member:
        name = info.filename.removesuffix(".npy")
        shown = clean_name(name)
        with self._zip_errors(), self._zip.open(info) as stream:
            start = stream.read(8)
            wide = len(start) == 8 and start[6] >= 2
            (length,) = struct.unpack("<I" if wide else "<H", stream.read(4 if wide else 2))
            if not start.startswith(_MAGIC) or length > _MAX_HEADER_BYTES:
                what = f"the member {shown!r} does not begin like an array"
                raise self._damaged(what)
            text = stream.read(length).decode("latin-1")
        if re.search(r"'descr':\s*'[<>|=]?O", text):
            msg = (
                f"The array {shown!r} in {self._name!r} holds Python objects (pickle), which could run code "
                "when opened, so it is not read. Save numbers or texts, array.astype(int) or "
                "array.astype(str), or the labels alone with scipy.sparse.save_npz."
            )
            raise FormatError(msg)
        match = _HEADER.fullmatch(text)
        if match is None or not _DTYPE.fullmatch(match[1]):
            what = f"the array {shown!r} has a header that cannot be read, or no plain numbers"
            raise self._damaged(what)
        try:
            dtype = np.dtype(match[1])
        except TypeError as error:
            what = f"the array {shown!r} is of the unknown type {match[1]!r}"
            raise self._damaged(what) from error
        shape = tuple(int(number.strip(" L")) for number in match[3].split(",") if number.strip())
        member = Member(name, dtype, shape, match[2] == "True", 8 + (4 if wide else 2) + length)
        n_promised = math.prod(shape) * dtype.itemsize
        if member.offset + n_promised != info.file_size:
            n_held = max(0, info.file_size - member.offset)
            what = f"the header of the array {shown!r} promises {n_promised:,} bytes, but {n_held:,} are there"
            raise self._damaged(what)
        return member

    def _damaged(self, what: str) -> FormatError:
        return FormatError(f"{self._name!r} is damaged: {what}. Save or download it again.")

    @contextmanager
    def _zip_errors(self) -> Iterator[None]:
        """Turn what zipfile raises on bad archives into one error."""
        try:
            yield
        except OptisplitError:
            raise
        except (
            zipfile.BadZipFile,
            zlib.error,
            lzma.LZMAError,
            struct.error,
            EOFError,
            OSError,
            RuntimeError,  # an encrypted member; NotImplementedError: a method of packing unknown here
            KeyError,
            IndexError,
            ValueError,
            OverflowError,
        ) as error:
            what = f"it is cut off or no .npz archive ({clean_name(error, 100)})"
            raise self._damaged(what) from error
