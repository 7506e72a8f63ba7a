"""Cells that hold a dictionary: its keys are labels, its values say how much of each."""

from __future__ import annotations

import ast
import json
import re
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from optisplit.io.layouts.tags import MAX_LIST_CHARS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from optisplit.io.layouts.collector import Numbered

Pairs: TypeAlias = "list[tuple[str, Any]]"
"""A dictionary's keys and values, one after the other, those that are there twice too."""

# a word of Python that JSON writes in another way; behind a quote and a colon it is no part of a text
_WORDS = {"True": "true", "False": "false", "None": "null", "nan": "NaN"}
_WORD = re.compile(r"(?<=[\"']): ?(True|False|None|nan)(?=\s*[,}])")


def is_dictionary(cell: object) -> bool:
    """Tell whether a cell is a dictionary of numbers, with something in it."""
    if isinstance(cell, dict):
        return bool(cell) and are_numbers(cell.values())
    return isinstance(cell, str) and bool(parse_dictionary(cell.strip()))


def are_numbers(values: Iterable[Any]) -> bool:
    """Tell whether the values of a dictionary are numbers, true and false, or nothing."""
    return set(map(type, values)) <= {int, float, bool, type(None)}


def are_plain(cells: Sequence[Any]) -> bool:
    """Tell whether cells of JSON are all dictionaries of numbers."""
    return set(map(type, cells)) == {dict} and are_numbers(chain.from_iterable(map(dict.values, cells)))


def parse_dictionary(cell: str) -> Pairs | None:
    """Read a dictionary of numbers as JSON or Python write it; nothing is evaluated but literals."""
    if cell[:1] + cell[-1:] != "{}" or len(cell) > MAX_LIST_CHARS:
        return None
    found = _by_json([cell])
    pairs = list(found[0].items()) if found is not None else _literal(cell)
    return None if pairs is None or not are_numbers(value for _, value in pairs) else pairs


@dataclass(slots=True)
class Dictionaries:
    """The dictionaries of some rows, one after the other."""

    keys: NDArray[np.int32]  # by number
    values: NDArray[np.float64]  # NaN where none is stated
    counts: NDArray[np.integer[Any]]  # how many keys each row has
    empty: NDArray[np.integer[Any]]  # places of the rows in whose cell nothing stands
    is_whole: bool  # whether the values are written as whole numbers
    row_ids: list[str] = field(default_factory=list)


def read_dictionaries(column: Sequence[Any], numbers: Numbered) -> tuple[Dictionaries, int | None]:
    """Read the dictionaries of cells, up to the first cell that is something else, whose place is given."""
    keys: list[str] = []
    values: list[Any] = []
    counts: list[int] = []
    empty: list[int] = []
    odd: int | None = None
    if (whole := _at_once(column)) is not None:
        keys = list(chain.from_iterable(whole))
        values = list(chain.from_iterable(map(dict.values, whole)))
        counts = list(map(len, whole))
    else:
        for at, cell in enumerate(column):
            pairs = _pairs(cell)
            if pairs is None:
                odd = at
                break
            if cell is None or (isinstance(cell, str) and not cell.strip()):
                empty.append(at)
            counts.append(len(pairs))
            keys += [key for key, _ in pairs]
            values += [value for _, value in pairs]
    is_whole = set(map(type, values)) <= {int, bool, type(None)}
    amounts = np.array(values, dtype=np.float64)
    return Dictionaries(numbers.of(keys), amounts, np.array(counts), np.array(empty, dtype=int), is_whole), odd


def _at_once(column: Sequence[Any]) -> Sequence[dict[str, Any]] | None:
    """Give plain dictionaries, which most are; None where a cell is anything else."""
    if all(type(cell) is str and cell[:1] == "{" for cell in column):
        return _by_json(column)
    return column if are_plain(column) else None


def _pairs(cell: Any) -> Pairs | None:
    """Read any cell of a column of dictionaries; None where it is none."""
    if isinstance(cell, dict):
        return [(str(key), value) for key, value in cell.items()] if are_numbers(cell.values()) else None
    if isinstance(cell, str):
        bare = cell.strip()
        return [] if bare in ("", "[]") else parse_dictionary(bare)
    return None if cell else []


def _by_json(cells: Sequence[str]) -> list[dict[str, Any]] | None:
    """Read many dictionaries of numbers at once, where they are as plain as most are; None where they are not.

    Each has one brace that opens and one that closes it: what JSON finds as many of are these, and nothing else. Only
    keys have quotes, so a key that is there twice, or a value that is a text, leaves some over.
    """
    text = ",".join(cells)
    if text.count("{") != len(cells) or text.count("}") != len(cells) or "\\" in text or "[" in text:
        return None
    if "'" in text:
        if '"' in text:
            return None
        text = text.replace("'", '"')
    if any(word in text for word in _WORDS):
        text = _WORD.sub(lambda found: f": {_WORDS[found[1]]}", text)
    try:
        found: list[Any] = json.loads(f"[{text}]")
    except (ValueError, RecursionError):
        return None
    return found if len(found) == len(cells) and 2 * sum(map(len, found)) == text.count('"') else None


def _literal(cell: str) -> Pairs | None:
    """Read a dictionary with odd names; a key that is there twice stays so."""
    with suppress(ValueError, RecursionError):
        found = json.loads(cell, object_pairs_hook=lambda pairs: pairs)
        return [(str(key), value) for key, value in found]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes that Python does not know
            node = ast.parse(re.sub(r"(?<=: )nan(?=[,}])", "None", cell), mode="eval").body
            if not isinstance(node, ast.Dict):
                return None
            keys = [ast.literal_eval(key) for key in node.keys if key is not None]
            values = [ast.literal_eval(value) for value in node.values]
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    return [(str(key), value) for key, value in zip(keys, values, strict=True)] if len(keys) == len(values) else None
