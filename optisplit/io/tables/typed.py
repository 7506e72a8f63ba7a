"""Columns of texts, as a DataFrame of numbers, truth values, dates and texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from optisplit.io.layouts.cells import MISSING, cell_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NUMBER = re.compile(r"\s*[-+]?(?:0|[1-9]\d*|(?=\.\d))(?:\.\d*)?(?:[eE][-+]?\d+)?\s*")
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+(?:,\d+)?\s*")
_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\s*")
_WORDS = {"true": True, "false": False}
_N_LOOKED_AT = 200


def typed(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Make a DataFrame: numbers where all cells are numbers, likewise truth values and dates; all else as it stands.

    - Empty cells and such as ``NA`` are missing. Codes with zeros in front, such as 007, are texts.
    """
    import pandas as pd  # heavy, and few ask for features

    series = {name: _series(list(cells), pd) for name, cells in columns.items()}
    return pd.DataFrame(series)


def _numbers(cells: list[str | None], pd: Any) -> Any:
    """Read numbers without what stands around them: pandas knows fewer blank characters than Python."""
    return pd.to_numeric(pd.Series([None if cell is None else cell.strip() for cell in cells], dtype=object))


def _series(cells: list[Any], pd: Any) -> Any:
    if not all(cell is None or isinstance(cell, str) for cell in cells):
        return pd.Series(cells, dtype=None if all(_is_plain(cell) for cell in cells) else object)
    known = [None if cell is None or cell_code(cell) == MISSING else cell for cell in cells]
    some = [cell for cell in known if cell is not None]
    looked_at = some[:_N_LOOKED_AT]
    if some and all(_NUMBER.fullmatch(cell) for cell in looked_at) and all(map(_NUMBER.fullmatch, some)):
        return _numbers(known, pd)
    if some and all(map(_DECIMAL_COMMA.fullmatch, looked_at)) and all(map(_DECIMAL_COMMA.fullmatch, some)) and any(
        "," in cell for cell in some
    ):  # fmt: skip
        return _numbers([None if cell is None else cell.replace(",", ".") for cell in known], pd)
    if some and {cell.strip().lower() for cell in looked_at} <= set(_WORDS) and all(
        cell.strip().lower() in _WORDS for cell in some
    ):  # fmt: skip
        return pd.Series([None if cell is None else _WORDS[cell.strip().lower()] for cell in known],
                         dtype=bool if len(some) == len(known) else "boolean")  # fmt: skip
    if some and all(map(_DATE.fullmatch, looked_at)) and all(map(_DATE.fullmatch, some)):
        dates = pd.to_datetime(pd.Series(known, dtype=object), format="ISO8601", errors="coerce", utc=False)
        if int(dates.notna().sum()) == len(some):
            return dates
    return pd.Series(known, dtype=object if None in known else "str")


def _is_plain(cell: Any) -> bool:
    return cell is None or isinstance(cell, bool | int | float | str)
