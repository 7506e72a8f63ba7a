"""Files that visitors bring are read in processes of their own: the server goes on, whatever is in them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from optisplit.io.child.calls import read_in_child, written_by
from optisplit.io.registry import FORMATS, OWN_FORMATS
from optisplit.ui import limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from optisplit.io.splits import SplitFile
    from optisplit.ui.datasets import Upload

Read = TypeVar("Read")


def read_apart(function: Callable[..., Read], files: tuple[Upload, ...], *args: Any, **options: Any) -> Read:
    """Call a function of the library that reads files; all of them are given, to know their sizes."""
    if FORMATS.keys() - OWN_FORMATS:
        return function(*args, **options)
    n_bytes = sum(limits.unpacked_bytes(file, looks_into_parquet=False) for file in files)
    return read_in_child(function, *args, file_name=files[0].name, n_bytes=n_bytes, **options)


def split_apart(function: Callable[..., Any], files: tuple[Upload, ...], *args: Any, **options: Any) -> Any:
    """Call a function that gives a split, or data and a split, which is written back in a process of its own too."""
    found = read_apart(function, files, *args, **options)
    writer = partial(_write, function, files, args, options)
    if isinstance(found, tuple):
        return *found[:-1], replace(found[-1], writer=writer)
    return replace(found, writer=writer)


def _write(
    function: Callable[..., Any], files: tuple[Upload, ...], args: Any, options: Any, split: SplitFile, folds: Any
) -> tuple[str, bytes]:
    del split
    return read_apart(written_by, files, function, folds, *args, **options)
