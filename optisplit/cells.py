"""Text tables as all of them are written, so that spreadsheets show texts as they are, and how that is undone."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

COMMENT_MARKS = ("#", "!", "%", "//")
"""What comment lines may begin with."""

_PLAIN = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_. :/()-]*(?<! )")
_TO_QUOTE = re.compile(r'[",;\t|\r\n]|^\s|\s$')
_FORMULA = re.compile(r"('*)[=+@\t\r-]")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][-+]?\d+)? ?%?|[-+]?(?:inf|nan)")

MARK = "'"
"""What stands before a text that a spreadsheet would take for a formula."""


def guarded(text: str) -> str:
    """Put a mark before a text that a spreadsheet would take for a formula; numbers stay as they are.

    Examples
    --------
    >>> guarded("=1+1"), guarded("-5"), guarded("@home"), unguarded(guarded("@home"))
    ("'=1+1", '-5', "'@home", '@home')
    """
    if (n_marks := _n_marks(text)) is None:
        return text
    if not text.endswith(MARK):
        return MARK + text
    # a text between two marks may be quoted so: it stays, and others have two marks more
    return {0: MARK * 2, 1: ""}.get(n_marks, MARK) + text


def unguarded(cell: str) -> str:
    """Take off what :func:`guarded` puts before a text."""
    if not cell.startswith(MARK) or not (n_marks := _n_marks(cell)):
        return cell
    if not cell.endswith(MARK):
        return cell[1:]
    return cell[{1: 0, 2: 2}.get(n_marks, 1) :]


def _n_marks(text: str) -> int | None:
    """Count the marks before a formula; None where there is no formula behind them."""
    found = _FORMULA.match(text)
    if found is None or _NUMBER.fullmatch(text, found.end(1)):
        return None
    return found.end(1)


HAS_GUARDS = re.compile(rb"(?<![A-Za-z0-9])'[=+@\t\r-]")
"""What the bytes of a table hold where any of its cells has such a mark, unless letters or digits part cells."""


def quoted(text: str, delimiter: str = ",") -> str:
    """Write the text of a cell: safe for spreadsheets, and in quotes where it needs them."""
    if delimiter not in text and _PLAIN.fullmatch(text):
        return text
    text = guarded(text)
    is_comment = text.startswith(COMMENT_MARKS)  # a line that begins so
    if not text or is_comment or delimiter in text or _TO_QUOTE.search(text):
        doubled = text.replace('"', '""')
        return f'"{doubled}"'
    return text


def csv_text(header: Iterable[str], rows: Iterable[Sequence[Any]], delimiter: str = ",") -> str:
    """Write a header and rows, texts as :func:`quoted` does; an empty cell is nothing."""
    is_plain = _PLAIN.fullmatch  # most are; a call for each would be slower than the writing
    lines = [
        delimiter.join(
            [
                each if is_plain(each) and delimiter not in each else quoted(each, delimiter) if each else ""
                for each in map(str, row)
            ]
        )
        for row in ([*header], *rows)
    ]
    return "\n".join([*lines, ""])


def table_csv(table: pd.DataFrame) -> str:
    """Write a data frame, without its index."""
    safe = table.rename(columns=_safe)
    is_parted = False  # by what stands between columns elsewhere
    for at, kind in enumerate(table.dtypes):
        if getattr(kind, "categories", table.iloc[:, at]).dtype.kind not in "biufcmM":  # no numbers, no times
            texts = safe.iloc[:, at].astype(object).map(_safe)
            safe.isetitem(at, texts)
            is_parted = is_parted or bool(texts.astype(str).str.contains(r"[;\t|]").any())
    return str(safe.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC if is_parted else csv.QUOTE_MINIMAL))


def _safe(value: Any) -> Any:
    return guarded(value) if isinstance(value, str) else value
