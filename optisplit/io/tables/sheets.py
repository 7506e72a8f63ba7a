"""Spreadsheets of Excel and LibreOffice: the first sheet with something in it, as the text of a table."""

from __future__ import annotations

import csv
import datetime as dt
import io
import zipfile
from typing import TYPE_CHECKING, Any

from optisplit.cells import guarded
from optisplit.errors import FormatError
from optisplit.io.child.calls import read_in_child
from optisplit.io.child.limits import is_child, memory_for
from optisplit.io.packing import ZIP_ERRORS
from optisplit.io.sizes import check_stated
from optisplit.io.tables.parquet_file import MODULES
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
SHEET_STARTS = (_ZIP, _OLD_EXCEL)
"""What spreadsheets begin with, among others."""

_FIXED_BYTES, _TIMES = 32_000_000, 100  # of memory for a file

_OF_LIBREOFFICE = b"application/vnd.oasis.opendocument.spreadsheet"


def is_sheet(head: bytes, content: bytes | Path) -> bool:
    """Tell whether a file is a spreadsheet."""
    if head.startswith(_OLD_EXCEL):
        return True
    if not head.startswith(_ZIP):
        return False
    if _OF_LIBREOFFICE in head[:200]:
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(content) if isinstance(content, bytes) else content) as archive:
            return any(name.startswith("xl/workbook") for name in archive.namelist())
    except ZIP_ERRORS:
        return False


def sheet_as_text(content: bytes, name: str) -> tuple[bytes, str]:
    """Write the first sheet that has rows as CSV, and say which it is; in a process of its own.

    What reads it makes room for all cells between the first and the last one, and ends its process where there is none.
    """
    if content.startswith(_ZIP):
        _refuse_bombs(content, name)
    room = _FIXED_BYTES + _TIMES * len(content)
    if is_child():
        with memory_for(room):
            return as_csv(content, name)
    return read_in_child(as_csv, content, name, file_name=name, n_bytes=len(content), room=room, modules=MODULES)


def as_csv(content: bytes, name: str) -> tuple[bytes, str]:
    """Write the first sheet that has rows as CSV in this process, and say which it is."""
    import python_calamine  # few bring spreadsheets

    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
        sheets = book.sheet_names
        for title in sheets:
            rows = book.get_sheet_by_name(title).to_python(skip_empty_area=True)
            if rows:
                of = "" if len(sheets) == 1 else f", the first with rows of {counted(len(sheets), 'sheet')}"
                return _as_csv(rows), f"Spreadsheet, sheet {clean_name(title, 60)!r}{of}"
    except MemoryError:
        raise
    except BaseException as error:  # of several kinds, also for what is damaged within; a panic is no Exception
        told = f"{clean_name(name)!r} is damaged or no spreadsheet that can be read"
        msg = f"{told} ({clean_name(error, 100)}); save it again, or as CSV."
        raise FormatError(msg) from error
    raise FormatError.no_rows(clean_name(name))


def _refuse_bombs(content: bytes, name: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            n_bytes = sum(info.file_size for info in archive.infolist())
    except ZIP_ERRORS as error:
        msg = f"{clean_name(name)!r} is damaged; save it again."
        raise FormatError(msg) from error
    check_stated(name, len(content), arrays=n_bytes)


def _as_csv(rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([guarded(_text(cell)) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def _text(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1 << 53:
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell)
