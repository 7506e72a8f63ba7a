"""The arrays inside a .npz archive, read without trusting what their headers promise."""

from __future__ import annotations

import io
import math
import sys
import warnings
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from tokenize import TokenError
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.lib.format as npy

from optisplit.errors import FormatError, OptisplitError
from optisplit.io.packing import ZIP_ERRORS, files_in
from optisplit.io.sizes import check_stated
from optisplit.text import clean_name, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optisplit.io.source import Source

_MAX_HEADER_BYTES = 10_000
_TIMES = 3  # as much memory as the arrays have bytes
_PLAIN_KINDS = "biufcSU"
_LAST = sys.maxunicode


@dataclass(frozen=True, slots=True)
class Member:
    """One array of the archive, known by its header."""

    name: str  # name without ``.npy``
    dtype: np.dtype[Any]  # type of the numbers
    shape: tuple[int, ...]  # its shape


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
            infos = files_in(self._zip)
        n_bytes = sum(info.file_size for info in infos)
        check_stated(source.name, len(source.data), arrays=n_bytes, needs=_TIMES * n_bytes)
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
        """Read an array; texts of bytes become texts."""
        with self._zip_errors(), self._zip.open(f"{name}.npy") as stream:
            array: NDArray[Any] = npy.read_array(stream, allow_pickle=False, max_header_size=_MAX_HEADER_BYTES)
        if array.dtype.kind == "S":
            return np.char.decode(array, "utf-8", "replace")
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        # NumPy would make texts of them that Python fails at
        if array.dtype.kind == "U" and np.ascontiguousarray(array).reshape(-1).view(np.uint32).max(initial=0) > _LAST:
            what = f"the array {clean_name(name)!r} has characters that there are not"
            raise self._damaged(what)
        return array

    def _header(self, info: zipfile.ZipInfo) -> Member:
        name = info.filename.removesuffix(".npy")
        shown = clean_name(name)
        with self._zip_errors(), self._zip.open(info) as stream:
            shape, dtype, offset = self._stated(stream, shown)
        if dtype.hasobject:
            msg = (
                f"The array {shown!r} in {self._name!r} holds Python objects (pickle), which could run code "
                "when opened, so it is not read. Save numbers or texts, array.astype(int) or "
                "array.astype(str), or the labels alone with scipy.sparse.save_npz."
            )
            raise FormatError(msg)
        # texts of no length would take no bytes in the file, however many it states
        if dtype.kind not in _PLAIN_KINDS or not dtype.itemsize or min(shape, default=0) < 0:
            what = f"the array {shown!r} holds no plain numbers or texts"
            raise self._damaged(what)
        n_promised = math.prod(shape) * dtype.itemsize
        if offset + n_promised != info.file_size:
            n_held = max(0, info.file_size - offset)
            what = f"the header of the array {shown!r} promises {n_promised:,} bytes, but {n_held:,} are there"
            raise self._damaged(what)
        return Member(name, dtype, shape)

    def _stated(self, stream: IO[bytes], shown: str) -> tuple[tuple[int, ...], np.dtype[Any], int]:
        """Give the shape and type that a header states, and where the numbers begin."""
        start = stream.read(npy.MAGIC_LEN)
        if len(start) == npy.MAGIC_LEN and not start.startswith(npy.MAGIC_PREFIX):
            what = f"the member {shown!r} does not begin like an array"
            raise self._damaged(what)
        read = npy.read_array_header_1_0 if npy.read_magic(io.BytesIO(start)) == (1, 0) else npy.read_array_header_2_0
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about headers that Python 2 wrote
                shape, _, dtype = read(stream, max_header_size=_MAX_HEADER_BYTES)
        except (ValueError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError) as error:
            what = f"the array {shown!r} has a header that cannot be read ({clean_name(error, 100)})"
            raise self._damaged(what) from error
        return shape, dtype, stream.tell()

    def _damaged(self, what: str) -> FormatError:
        return FormatError(f"{self._name!r} is damaged: {what}. Save or download it again.")

    @contextmanager
    def _zip_errors(self) -> Iterator[None]:
        """Turn what zipfile raises on bad archives into one error."""
        try:
            yield
        except OptisplitError:
            raise
        except ZIP_ERRORS as error:
            what = f"it is cut off or no .npz archive ({clean_name(error, 100)})"
            raise self._damaged(what) from error
