"""Many small files together: a folder, or a zip that is read where it is and never unpacked to disk."""

from __future__ import annotations

import io
import os
import posixpath
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit.errors import FormatError
from optisplit.io.packing import ZIP_ERRORS, files_in
from optisplit.io.sizes import check_stated
from optisplit.io.source import Folder
from optisplit.text import bytes_words, clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from optisplit.io.source import Source

ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
MOST_FILES = 3_000_000
MOST_BYTES = 20_000_000
"""Files are looked at that are no longer than that: one of labels is a few kilobytes."""


class Bundle:
    """Files by their names, relative and with ``/`` between folders.

    Parameters
    ----------
    name : str
        What the folder or zip is called.
    names : iterable of str
        What its files are called.
    read : callable
        Gives the bytes of one.
    """

    def __init__(self, name: str, names: Iterable[str], read: Callable[[str], bytes]) -> None:
        self.name, self.names, self.read = name, sorted(names), read

    def text(self, name: str) -> str:
        """Give the text of a file."""
        data = self.read(name)
        with suppress(UnicodeDecodeError):
            return data.decode("utf-8-sig")
        return data.decode("latin-1")

    def of_ending(self, *endings: str) -> list[str]:
        """Give the files whose names end so."""
        return [name for name in self.names if name.lower().endswith(endings)]


def names_in(source: Source) -> tuple[str, ...]:
    """Give the names of files in a folder or zip; none where it is neither, or damaged."""
    try:
        return tuple(open_bundle(source).names) if _holds_files(source) else ()
    except FormatError:
        return ()


def open_bundle(source: Source) -> Bundle:
    """Open a folder or zip, and refuse one that may do harm."""
    if isinstance(source, Folder):
        return _of_folder(source)
    name = clean_name(source.name)
    try:
        archive = zipfile.ZipFile(source.regular_path or io.BytesIO(source.data))
        entries = files_in(archive)
    except ZIP_ERRORS as error:
        msg = f"{name!r} is a damaged zip ({clean_name(error, 80)}); save or download it again."
        raise FormatError(msg) from error
    _check_entries(entries, name)
    check_stated(name, source.n_bytes, text=sum(each.file_size for each in entries))
    by_name = {each.filename: each for each in entries if not _is_aside(each.filename)}
    return Bundle(name, by_name, lambda file: _unzipped(archive, by_name[file], name))


def _holds_files(source: Source) -> bool:
    return isinstance(source, Folder) or source.head_as_stored.startswith(ZIP_STARTS)


def _check_entries(entries: list[zipfile.ZipInfo], name: str) -> None:
    """Refuse what no archiver makes of a data set."""
    if len(entries) > MOST_FILES:
        msg = f"{name!r} has {counted(len(entries), 'file')}; more than {MOST_FILES:,} are not read."
        raise FormatError(msg)
    for each in entries:
        path = each.filename
        if path.startswith(("/", "\\")) or ".." in path.replace("\\", "/").split("/") or ":" in path[:2]:
            msg = f"{name!r} has a file outside of it, {clean_name(path, 60)!r}; it was not read."
            raise FormatError(msg)
        if each.flag_bits & 1:
            msg = f"{name!r} is encrypted; unpack it, and give the folder."
            raise FormatError(msg)
    twice = [path for path, count in Counter(each.filename for each in entries).items() if count > 1]
    if twice:
        msg = f"{name!r} has {counted(len(twice), 'name')} of files twice, such as {clean_name(twice[0], 60)!r}."
        raise FormatError(msg)


def _is_aside(path: str) -> bool:
    """Tell whether a file is one that systems put beside others."""
    return path.startswith("__MACOSX/") or posixpath.basename(path).startswith(".")


def _unzipped(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    _refuse_large(entry.file_size, entry.filename, name)
    try:
        with archive.open(entry) as file:
            data = file.read(entry.file_size + 1)
    except ZIP_ERRORS as error:
        msg = f"{clean_name(entry.filename, 60)!r} in {name!r} is damaged ({clean_name(error, 80)})."
        raise FormatError(msg) from error
    return data


def _refuse_large(n_bytes: int, file: str, name: str) -> None:
    if n_bytes > MOST_BYTES:
        msg = f"{clean_name(file, 60)!r} in {name!r} has {bytes_words(n_bytes)}; a file of labels has a few kilobytes."
        raise FormatError(msg)


def _of_folder(source: Folder) -> Bundle:
    root, names = source.folder, []
    for place, folders, files in os.walk(root):
        folders[:] = [each for each in folders if not each.startswith(".")]
        within = Path(place).relative_to(root).as_posix()
        names += [posixpath.normpath(f"{within}/{file}") for file in files if not file.startswith(".")]
        if len(names) > MOST_FILES:
            msg = f"{source.name!r} has more than {MOST_FILES:,} files, which are not read."
            raise FormatError(msg)

    def read(name: str) -> bytes:
        try:
            path = root / name
            _refuse_large(path.stat().st_size, name, source.name)
            return path.read_bytes()
        except OSError as error:
            msg = f"{str(root / name)!r} cannot be read: {error}."
            raise FormatError(msg) from error

    return Bundle(clean_name(source.name), names, read)
