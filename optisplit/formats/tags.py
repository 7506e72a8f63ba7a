"""Cells that hold a list of labels."""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

SEPARATORS = ("|", "::", ";", "\t", ",", " ")
"""What stands between labels, the least likely to be part of a label first."""

_MAX_LIST_CHARS = 1_000_000
# as NumPy prints an array of texts, which Python would read as one text
_NUMPY_LIST = re.compile(r"""\[\s*(?:'[^'\\]*'|"[^"\\]*")(?:\s+(?:'[^'\\]*'|"[^"\\]*"))*\s*\]""")
_NUMPY_ITEM = re.compile(r"""'([^'\\]*)'|"([^"\\]*)\"""")


def is_list_like(cell: str) -> bool:
    """Tell whether a cell looks like a list of JSON or Python.

    Parameters
    ----------
    cell : str
        A cell, without blanks around it.

    Returns
    -------
    bool
        Whether it begins and ends like one.
    """
    return len(cell) > 1 and (cell[0], cell[-1]) in {("[", "]"), ("{", "}"), ("(", ")")}


def parse_list(cell: str) -> list[str] | None:
    """Read a list as JSON, Python or NumPy write it; nothing is evaluated but literals.

    Parameters
    ----------
    cell : str
        A cell, without blanks around it.

    Returns
    -------
    list of str or None
        What is in it; None where it is no list of texts and numbers.

    Examples
    --------
    >>> parse_list('["a", "b c"]'), parse_list("['a','b']"), parse_list("['a' 'b']"), parse_list("a, b")
    (['a', 'b c'], ['a', 'b'], ['a', 'b'], None)
    """
    if not is_list_like(cell) or len(cell) > _MAX_LIST_CHARS:
        return None
    if _NUMPY_LIST.fullmatch(cell):
        return [first or second for first, second in _NUMPY_ITEM.findall(cell)]
    value: Any = None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about escapes that Python does not know
                value = ast.literal_eval(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            return None
    return as_texts(value)


def as_texts(value: Any) -> list[str] | None:
    """Write the items of a list as texts.

    Parameters
    ----------
    value : object
        What JSON or Python gave.

    Returns
    -------
    list of str or None
        The items; None where it is no flat list of texts and numbers.
    """
    if not isinstance(value, list | tuple | set | frozenset):
        return None
    items = sorted(value, key=str) if isinstance(value, set | frozenset) else value  # sets have no order of their own
    if not all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in items):
        return None
    return [item if isinstance(item, str) else repr(item) for item in items]
