"""Cells that hold a list of labels."""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from typing import TYPE_CHECKING, Any, TypeAlias

from optisplit.labels.refusals import SEPARATORS as SEPARATORS

if TYPE_CHECKING:
    from collections.abc import Sequence

Cell: TypeAlias = "str | list[str] | dict[str, Any] | None"
"""A cell: a text; or what JSON and Parquet have too, a list, a dictionary of numbers, or nothing."""

MAX_LIST_CHARS = 1_000_000
_OPENING = frozenset("[{('\"")
_BRACKET_OR_QUOTE = re.compile(r"""[\[\]{}'"]""")
# as NumPy prints an array of texts, which Python would read as one text
_NUMPY_LIST = re.compile(r"""\[\s*(?:'[^'\\]*'|"[^"\\]*")(?:\s+(?:'[^'\\]*'|"[^"\\]*"))*\s*\]""")
_NUMPY_NUMBERS = re.compile(r"\[\s*(?:(?:[-+]?[\d.]+(?:e[-+]?\d+)?|True|False)(?:\s+|(?=\]))){2,}\]")
_NUMPY_ITEM = re.compile(r"""'([^'\\]*)'|"([^"\\]*)\"""")


# marks around each tag, as in ``<a><b>``, and before each, as in ``#a #b``
MARKS = {
    "<>": r"<([^<>]+)>",
    "[]": r"\[([^\[\]]+)\]",
    "{}": r"\{([^{}]+)\}",
    "()": r"\(([^()]+)\)",
    '""': r'"([^"]+)"',
    "''": r"'([^']+)'",
    "#": r"#([^\s#,;|]+)",
}
_MARKED = {marks: re.compile(rf"\s*(?:{one}[\s,;|]*)+") for marks, one in MARKS.items()}


def marks_of(texts: Sequence[str]) -> str | None:
    """Find the marks that stand around, or before, each tag of all cells; a single pair may belong to a list."""
    for marks, pattern in _MARKED.items():
        if texts and pattern.match(texts[0]) and all(pattern.fullmatch(text) for text in texts):
            one = re.compile(MARKS[marks])
            if marks in ("<>", "#") or any(len(one.findall(text)) > 1 for text in texts):
                return marks
    return None


def within_marks(cell: str, marks: str) -> list[str] | None:
    """Give the tags of a cell without their marks; None where it has others."""
    return re.findall(MARKS[marks], cell) if _MARKED[marks].fullmatch(cell) else None


def are_digits(texts: Sequence[str], at_least: int) -> bool:
    """Tell whether cells are a row of 0 and 1 each, with nothing between: of one length, and some begin with 0."""
    width = len(texts[0]) if texts else 0
    return (
        width >= at_least
        and all(len(text) == width and not text.strip("01") for text in texts)
        and any(text[0] == "0" and "1" in text for text in texts)
    )


# as Python writes an empty set, and NumPy an array
_WRAPPED = re.compile(r"(?:array|set|frozenset)\((.*?)(?:,\s*dtype=[\w.<>'\"]+)?\)", re.DOTALL)


def is_list_like(cell: str) -> bool:
    """Tell whether a cell looks like a list of JSON or Python."""
    if cell[-1:] == ")" and _WRAPPED.fullmatch(cell):
        return True
    return len(cell) > 1 and (cell[0], cell[-1]) in {("[", "]"), ("{", "}"), ("(", ")")}


def parse_list(cell: str) -> list[str] | None:
    """Read a list as JSON, Python or NumPy write it; nothing is evaluated but literals."""
    if not is_list_like(cell) or len(cell) > MAX_LIST_CHARS:
        return None
    if cell[0] not in _OPENING and (wrapped := _WRAPPED.fullmatch(cell)) is not None:
        return parse_list(wrapped[1].strip()) if wrapped[1].strip() else []
    plain = _plain_items(cell)
    if plain is not None:
        return plain
    if cell[0] == "[" and _NUMPY_NUMBERS.fullmatch(cell):
        return [{"True": "1", "False": "0"}.get(item, item) for item in cell[1:-1].split()]
    if _NUMPY_LIST.fullmatch(cell):
        return [first or second for first, second in _NUMPY_ITEM.findall(cell)]
    value = _literal(cell)
    return [] if value == {} else as_texts(value)  # {} is also how databases write an empty list


def _plain_items(cell: str) -> list[str] | None:
    """Read a list of texts with one kind of quotes and nothing odd in them, many times faster than as a literal."""
    quote = cell[1:2]
    if cell[0] != "[" or quote not in ("'", '"') or cell[-2] != quote or len(cell) < 4 or "\\" in cell:
        return None
    n_quotes = cell.count(quote)
    for between in (f"{quote}, {quote}", f"{quote},{quote}"):
        items = cell[2:-2].split(between)
        if 2 * len(items) == n_quotes:
            return items
    return None


def _literal(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes that Python does not know
            return ast.literal_eval(cell)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


def within_brackets(cell: str) -> str | None:
    """Take the brackets off a list whose items have no quotes."""
    if cell[:1] + cell[-1:] not in ("[]", "{}") or len(cell) < 2:
        return None
    return None if _BRACKET_OR_QUOTE.search(cell, 1, len(cell) - 1) else cell[1:-1]


def is_odd_list(cell: str) -> bool:
    """Tell whether a cell is a list, or means to be one, whose items are no texts and numbers."""
    if cell[:1] + cell[-1:] not in ("[]", "{}"):
        return False
    if cell[1:].lstrip()[:1] in _OPENING or isinstance(_literal(cell[:MAX_LIST_CHARS]), list | dict | set):
        return True
    inner = set(cell[1:-1])
    return not inner.isdisjoint("'\"") and inner.isdisjoint("[]{}")


_NUMBERS = frozenset((int, float, bool, type(None)))
"""Kinds of what JSON may have for a label's value."""


def as_texts(value: Any) -> list[str] | None:
    """Write the items of a list as texts."""
    if not isinstance(value, list | tuple | set | frozenset):
        return None
    items = sorted(value, key=str) if isinstance(value, set | frozenset) else value  # sets have no order of their own
    if items and all(isinstance(item, bool) for item in items):
        return [str(int(item)) for item in items]
    kinds = set(map(type, items))
    if kinds == {str}:
        return list(items)
    if not kinds <= {str, int, float}:
        return None
    return [item if isinstance(item, str) else repr(item) for item in items]


def as_cell(value: Any) -> Cell:
    """Write a value of JSON or Parquet as a cell; None where it is missing, or holds other things than it should."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, dict):
        return value if _NUMBERS.issuperset(map(type, value.values())) else None
    return as_texts(value) if isinstance(value, list | tuple | set | frozenset) else str(value)


def as_text(value: Any) -> str:
    """Write a value of JSON or Parquet as a text; of lists only that they are there."""
    cell = "[...]" if isinstance(value, list | dict) else as_cell(value)
    return cell if isinstance(cell, str) else ""


def labels_in(cell: Cell, separator: str | None) -> list[str] | None:
    """Give the labels of a cell."""
    if not isinstance(cell, str):
        return cell if isinstance(cell, list) else None
    bare = cell.strip()
    if not bare:
        return None
    if (bare[0] in "[({" or bare[-1] == ")") and (parsed := parse_list(bare)) is not None:
        return parsed
    if (within := within_brackets(bare)) is not None:
        cell = bare = within
    return cell.split(separator) if separator is not None else [bare]
