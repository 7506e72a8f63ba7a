"""Files that the user brought and that are needed again: their bytes, outside of Streamlit's own store."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_NAME = 60  # characters of a file's name; a system takes 255 bytes
MOST_BYTES = 200 * 1024**2
"""Larger data files are not kept: their rows cannot be compared, nor can their columns be offered."""


@dataclass(frozen=True)
class KeptFile:
    """A file as it was brought."""

    name: str  # its name, fit to show
    content: bytes = field(repr=False)  # its bytes

    @classmethod
    def of(cls, upload: Any) -> KeptFile:
        """Keep what an uploader gave."""
        return cls(clean_name(Path(upload.name).name, LONGEST_NAME) or "file", upload.getvalue())

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digest of name and bytes."""
        return hashlib.sha256(self.name.encode() + b"\0" + self.content).hexdigest()

    @property
    def is_text(self) -> bool:
        """Whether this looks like text, as opposed to an archive or arrays; packed text counts."""
        packed = self.content.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ"))
        return packed or b"\0" not in self.content[:8192] or self.content.startswith((b"\xff\xfe", b"\xfe\xff"))

    @property
    def size(self) -> int:
        """Its size, in bytes."""
        return len(self.content)

    def open(self) -> io.BytesIO:
        """Open it."""
        return io.BytesIO(self.content)


def keep(uploads: Iterable[Any]) -> tuple[KeptFile, ...]:
    """Keep files where they are not too large, to compare their rows, offer their columns, or read them anew."""
    given = list(uploads)
    kept = [each for each in given if isinstance(each, KeptFile)]
    if len(kept) == len(given):
        return tuple(kept)
    if any(upload.size > MOST_BYTES for upload in given):
        return ()
    return tuple(map(KeptFile.of, given))
