"""The one rule for what a file states of its size: as much as a file of its bytes can hold, and memory there is."""

from __future__ import annotations

from dataclasses import dataclass

from optisplit.errors import FormatError, MemoryLimitError
from optisplit.io.free_memory import available_bytes

MAX_ROWS = 50_000_000
MAX_LABELS = 5_000_000

LEAST_FREE_BYTES = 64 << 20
"""So much is left to everything else."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """How much of something a file can hold."""

    what: str  # the things, in the plural
    a_byte: int  # of them, for each byte of the file
    free: int  # and in any file
    most: int  # in the largest

    def most_in(self, n_bytes: int | None) -> int:
        return self.most if n_bytes is None else min(self.most, self.a_byte * n_bytes + self.free)


_BOUNDS = {
    "rows": _Bound("rows", 100, 1_000_000, MAX_ROWS),
    "labels": _Bound("labels", 10, 100_000, MAX_LABELS),
    "cells": _Bound("cells", 1000, 4_000_000, 1 << 62),
    "unpacked": _Bound("bytes once it is unpacked", 250, 8_000_000, 1 << 62),
}


def check_stated(name: str, n_bytes: int | None = None, *, needs: int = 0, **counts: int) -> None:
    """Refuse a file that states, or turns out to hold, more than it can, before anything is built.

    Parameters
    ----------
    name : str
        What the file is called.
    n_bytes : int, optional
        How long it is; None where the counts are not stated, but counted.
    needs : int, default=0
        Bytes of memory that are to be taken.
    **counts : int
        How many ``rows``, ``labels``, ``cells``, or bytes it has ``unpacked``.

    Raises
    ------
    FormatError
        If no such file can hold so many.
    MemoryLimitError
        If there is not that much memory.
    """
    for key, count in counts.items():
        bound = _BOUNDS[key]
        if 0 <= count <= bound.most_in(n_bytes):
            continue
        if count > bound.most:
            msg = f"{name!r} has {count:,} {bound.what}; more than {bound.most:,} are not read."
            raise FormatError(msg)
        msg = (
            f"{name!r} says that it has {count:,} {bound.what}, but is only {n_bytes or 0:,} bytes long; the number is "
            "wrong, or the file was cut off."
        )
        raise FormatError(msg)
    if needs > LEAST_FREE_BYTES and needs > (free := available_bytes() - LEAST_FREE_BYTES):
        msg = f"Reading {name!r} would need {needs / 1e6:,.0f} MB of memory, and {max(0, free) / 1e6:,.0f} MB are free."
        raise MemoryLimitError(msg)
