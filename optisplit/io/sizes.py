"""The one rule for what a file states, or turns out to hold: no more than its bytes can, and than memory there is."""

from __future__ import annotations

from dataclasses import dataclass

from optisplit.errors import FormatError, MemoryLimitError
from optisplit.io.free_memory import available_bytes
from optisplit.text import bytes_words

MAX_ROWS = 50_000_000
MAX_LABELS = 5_000_000

LEAST_FREE_BYTES = 64_000_000
"""So much is left to everything else."""

_NO_LIMIT = 1 << 62


@dataclass(frozen=True, slots=True)
class Bound:
    """How much of something a file can hold: so many for each byte, but some in any file, and no more than the most."""

    what: str  # the things, in the plural
    a_byte: int
    free: int
    most: int = _NO_LIMIT

    def most_in(self, n_bytes: int | None) -> int:
        """Tell how many of the things a file of that length can hold; None: of any length."""
        return self.most if n_bytes is None else min(self.most, max(self.a_byte * n_bytes, self.free))


BOUNDS = {
    "rows": Bound("rows", 10, 500_000, MAX_ROWS),
    "labels": Bound("labels", 10, 100_000, MAX_LABELS),
    "positives": Bound("entries", 100, 500_000),  # as they are stored in a matrix
    "cells": Bound("cells", 1000, 4_000_000),  # of columns that are packed by themselves
    "written": Bound("cells (rows times keys)", 20, 4_000_000),  # of text, which may leave some out
    "keys": Bound("different keys", 1, 30_000, 30_000),  # of objects: a list of labels does it for more
    "text": Bound("", 200, 50_000_000),  # bytes that are gone through one after the other
    "arrays": Bound("", 200, 8_000_000),  # bytes that are held all at once
}
"""What is bounded, by the name under which :func:`check_stated` takes it; measured on real files, with room."""


def check_stated(name: str | None, n_bytes: int | None = None, *, needs: int = 0, **counts: int) -> None:
    """Refuse a file that states, or turns out to hold, more than it can, before anything is built.

    Parameters
    ----------
    name : str or None
        What the file is called.
    n_bytes : int, optional
        How long it is; None where the counts are not stated, but counted.
    needs : int, default=0
        Bytes of memory that are to be taken.
    **counts : int
        How many of the things in :data:`BOUNDS` it has.

    Raises
    ------
    FormatError
        If no such file can hold so many.
    MemoryLimitError
        If there is not that much memory.
    """
    called = "The file" if name is None else repr(name)
    for key, count in counts.items():
        bound = BOUNDS[key]
        if 0 <= count <= bound.most_in(n_bytes):
            continue
        if count > bound.most:
            msg = f"{called} has {count:,} {bound.what}; more than {bound.most:,} are not read."
        elif not bound.what:
            msg = (
                f"{called} would unpack to more than {bound.a_byte} times its size ({bytes_words(count)} or more), "
                "which no real data set does; it was not read. If it is real, give it uncompressed."
            )
        else:
            msg = (
                f"{called} says that it has {count:,} {bound.what}, but is only {n_bytes or 0:,} bytes long; the "
                "number is wrong, or the file was cut off."
            )
        raise FormatError(msg)
    if needs > LEAST_FREE_BYTES and needs > (free := available_bytes() - LEAST_FREE_BYTES):
        msg = f"Reading {called} would need {bytes_words(needs)} of memory, and {bytes_words(max(0, free))} are free."
        raise MemoryLimitError(msg)
