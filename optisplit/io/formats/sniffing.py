"""Which format a file is in, by its content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from optisplit.errors import FormatError, argument
from optisplit.io.bundle import names_in
from optisplit.io.registry import readable
from optisplit.io.source import HEAD_BYTES, UTF8_MARK

if TYPE_CHECKING:
    from optisplit.io.registry import Format
    from optisplit.io.source import Source

_PICKLE = "a Python pickle, which could run code when opened; use scipy.sparse.save_npz"
_REFUSED = {
    b"ARROW1": "an Arrow (Feather) file; save it as Parquet",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"Rar!": "a RAR archive; unpack it first",
    b"\x89HDF": "an HDF5 file; save the labels as CSV or with scipy.sparse.save_npz",
    **dict.fromkeys((b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"), _PICKLE),
    b"%PDF": "a PDF",
    b"\x89PNG": "an image",
}
_MARKUP = (b"<?xml", b"<labels", b"<!doctype", b"<html")


@dataclass(frozen=True)
class Head:
    """How a file begins."""

    data: bytes  # its first megabyte, unpacked
    files: tuple[str, ...] = ()  # what is in it, where it is a folder or zip

    @property
    def is_cut(self) -> bool:
        """Whether the file may go on."""
        return len(self.data) >= HEAD_BYTES

    @cached_property
    def is_binary(self) -> bool:
        """Whether it is no text."""
        return b"\0" in self.data[:8192]

    @cached_property
    def first(self) -> bytes:
        """The first line with something in it that is no comment of ARFF, in lower case."""
        lines = (line.strip() for line in self.data.removeprefix(UTF8_MARK).splitlines())
        return next((line for line in lines if line and not line.startswith(b"%")), b"").lower()

    @cached_property
    def text(self) -> bytes:
        """The text that it is, without blanks before it; empty if it is binary."""
        return b"" if self.is_binary else self.data.removeprefix(UTF8_MARK).lstrip()

    @cached_property
    def lines(self) -> list[bytes]:
        """The first sixty lines of the text, without their ends."""
        if self.is_binary:
            return []
        text = self.data.removeprefix(UTF8_MARK).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        lines = text.split(b"\n", 60)
        return lines[:-1] or lines  # the last one may be cut off


def detect(source: Source) -> Format:
    """Find the format that a file is in, or refuse it by name."""
    head = Head(source.head, names_in(source))
    for magic, what in _REFUSED.items():
        if head.data.startswith(magic):
            msg = f"{source.name!r} is {what}."
            raise FormatError(msg)
    if head.first.startswith(_MARKUP):
        msg = f"{source.name!r} is XML or HTML; give the ARFF or table itself, and MULAN's XML as "
        raise FormatError(msg + argument("label_file") + ".")
    formats = readable().values()
    found = next((each for each in formats if each.sniff is not None and each.sniffer(head)), None)
    if found is None and source.is_folder:
        msg = f"{source.name!r} is a folder, but none of YOLO or Pascal VOC; give the file in it that has the labels."
        raise FormatError(msg)
    if found is None and head.is_binary:
        msg = f"{source.name!r} is a binary file of a kind unknown here; ARFF, .npz, CSV and TSV can be read."
        raise FormatError(msg)
    return found or next(each for each in formats if each.sniff is None)
