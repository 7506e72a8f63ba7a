"""What a column holds, and of which kind it is where nobody says so.

Texts are looked at once for each different one, since a million rows mostly have few.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import OptionError
from optisplit.io.encoding.periods import in_periods
from optisplit.io.layouts.tags import as_cell, is_list_like, labels_in
from optisplit.io.row_names import is_id_name
from optisplit.labels.lists import ROWS
from optisplit.labels.refusals import separator_in
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from optisplit.io.encoding.targets import Target

MOST_CATEGORIES = 10
"""Numbers of at most so many different values are categories."""

MOST_PERIODS = 12
"""Dates are put together by the shortest period of which there are at most so many."""

_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d(?:[T ].*)?\s*")
_LOOKED_AT = 1_000
"""Cells that are looked at to find lists among them."""

_LISTING = ("|", "::", ";")
"""What parts the items of lists and hardly stands in a name."""


def known_values(series: Any, name: str) -> tuple[NDArray[np.int64], list[Any]]:
    """Give numbers to the different values of a column in their order; -1 where there is none, or only blanks."""
    import pandas as pd  # heavy, and few balance columns

    if isinstance(getattr(series, "dtype", None), pd.CategoricalDtype):
        used = series.cat.remove_unused_categories()
        return used.cat.codes.to_numpy(dtype=np.int64), list(used.cat.categories)
    try:
        codes, found = pd.factorize(series)
    except TypeError:
        msg = f"Column {clean_name(name)!r} holds lists or other things that are no values.\nHint: where they are "
        msg += "lists, balance it as a list."
        raise OptionError(msg) from None
    values = list(found)
    kept = [at for at, value in enumerate(values) if not isinstance(value, str) or value.strip()]
    kept.sort(key=lambda at: _in_order(values[at]))
    place = np.full(len(values) + 1, -1)
    place[kept] = np.arange(len(kept))  # the last entry is for those without a value
    return place[codes], [values[at] for at in kept]


def _in_order(value: Any) -> tuple[int, float, str]:
    """Put numbers by size before texts by the alphabet."""
    is_number = isinstance(value, int | float | np.number)
    return (0, float(value), "") if is_number else (1, 0.0, str(value))


def _by_value(series: Any, name: str, convert: Callable[[list[Any]], NDArray[Any]], missing: Any) -> NDArray[Any]:
    """Convert each different value once."""
    codes, values = known_values(series, name)
    return np.append(convert(values), missing)[codes]


def as_numbers(series: Any, name: str) -> NDArray[np.float64]:
    """Give a column as numbers, NaN where there is none; what is no number is refused."""
    if series.dtype.kind in "biuf":
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))

    def convert(values: list[Any]) -> NDArray[np.float64]:
        numbers = _to_numbers(values)
        _refuse_odd(name, values, np.isnan(numbers), "number")
        return numbers

    return _by_value(series, name, convert, np.nan)


def _to_numbers(values: list[Any]) -> NDArray[np.float64]:
    import pandas as pd

    return np.asarray(pd.to_numeric(pd.Series(values, dtype=object), errors="coerce").to_numpy(dtype=np.float64))


def as_dates(series: Any, name: str) -> NDArray[np.datetime64]:
    """Give a column as dates, by the clock of their own time zone; what is no date is refused."""
    import pandas as pd

    if isinstance(series.dtype, pd.PeriodDtype):
        series = series.dt.to_timestamp()
    if isinstance(series.dtype, pd.DatetimeTZDtype):
        series = series.dt.tz_localize(None)
    if series.dtype.kind == "M":
        return np.asarray(series.to_numpy())

    def convert(values: list[Any]) -> NDArray[np.datetime64]:
        dates = [_to_date(value) for value in values]
        _refuse_odd(name, values, np.asarray([date is None for date in dates], dtype=np.bool_), "date")
        return np.asarray(dates, dtype="datetime64[D]")

    return _by_value(series, name, convert, np.datetime64("NaT", "D"))


def _to_date(value: Any) -> Any:
    """Read a day; None where it is none."""
    try:
        if isinstance(value, str):
            return np.datetime64(value.strip()[:10], "D") if _DATE.fullmatch(value) else None
        return np.datetime64(value.isoformat()[:10], "D") if hasattr(value, "isoformat") else None
    except ValueError:
        return None


def _refuse_odd(name: str, values: Sequence[Any], is_odd: NDArray[np.bool_], what: str) -> None:
    if is_odd.any():
        first = clean_name(repr(values[int(is_odd.argmax())]), 60)
        msg = f"In column {clean_name(name)!r} {counted(int(is_odd.sum()), 'value', 'is')} no {what}, such as {first}."
        hint = "\nHint: dates are written as 2024-05-31; other texts are categories." if what == "date" else ""
        raise OptionError(msg + hint)


def as_lists(series: Any, separator: str | None, name: str) -> list[Any]:
    """Give a column as lists, None where there is none; texts are parted, once each."""
    cells = series.tolist()
    if any(isinstance(cell, ROWS) for cell in cells):
        others = [cell for cell in cells if not isinstance(cell, ROWS) and as_cell(cell) is not None]
        _refuse_odd(name, others, np.ones(len(others), dtype=np.bool_), "list")
        return [cell if isinstance(cell, ROWS) else None for cell in cells]
    codes, values = known_values(series, name)
    texts = [str(value) for value in values]
    if separator is None:
        separator = separator_in([text for text in texts if not is_list_like(text.strip())])
    parted = [_items(text, separator) for text in texts]
    _refuse_odd(name, texts, np.asarray([items is None for items in parted], dtype=np.bool_), "list")
    return [parted[code] if code >= 0 else None for code in codes]


def _items(text: str, separator: str | None) -> list[Any] | None:
    found = labels_in(text, separator)
    return None if found is None else [item for item in found if item.strip()]


def guessed(series: Any, target: Target) -> Target:
    """Say of which kind a column is, and by which period dates are put together, as far as it is not said."""
    kind = target.kind or _kind(series, target.column)
    period = target.period
    if kind == "date" and period is None:
        period = _period(as_dates(series, target.column))
    return replace(target, kind=kind, period=period)


def _kind(series: Any, name: str) -> Any:
    if series.dtype.kind in "iuf":
        return _kind_of_numbers(as_numbers(series, name), name)
    if series.dtype.kind == "M" or str(series.dtype).startswith("period"):
        return "date"
    if any(isinstance(cell, ROWS) for cell in series.iloc[:_LOOKED_AT]):
        return "list"
    codes, values = known_values(series, name)
    if not values or not all(isinstance(value, str) for value in values):
        is_date = bool(values) and all(_to_date(value) is not None for value in values)
        return "date" if is_date else "category"
    if all(map(_DATE.fullmatch, values)):
        return "date"
    if _are_lists(values):
        return "list"
    numbers = _to_numbers(values)
    if not np.isnan(numbers).any():
        return _kind_of_numbers(np.append(numbers, np.nan)[codes], name)
    _refuse_names(codes, len(values), name)
    return "category"


def _kind_of_numbers(numbers: NDArray[np.float64], name: str) -> str:
    known = numbers[~np.isnan(numbers)]
    values = np.unique(known)
    if len(values) == len(known) > 1 and (values == np.floor(values)).all():
        is_numbering = values[0] in (0, 1) and values[-1] - values[0] == len(values) - 1
        if is_id_name(str(name)) or is_numbering or (len(known) > 2 and (np.diff(known) == 1).all()):
            msg = f"Column {clean_name(name)!r} numbers its {counted(len(known), 'row')}, as ids do: there is nothing "
            raise OptionError(msg + "to balance.\nHint: leave it out; where it is a quantity, balance it as a number.")
    return "category" if len(values) <= MOST_CATEGORIES else "number"


def _are_lists(texts: list[str]) -> bool:
    """Tell whether texts are lists: as Python or JSON write them, or with some item in more than one of them."""
    if all(is_list_like(text.strip()) for text in texts):
        return True
    separator = separator_in(texts)
    if separator not in _LISTING:
        return False
    items = [item.strip() for text in texts for item in text.split(separator)]
    return len(set(items)) < len(items)


def _refuse_names(codes: NDArray[np.int64], n_values: int, name: str) -> None:
    """Refuse texts of which most are on one row only, where it was not said that they are categories."""
    n_alone = int((np.bincount(codes[codes >= 0], minlength=n_values) == 1).sum())
    n_known = int((codes >= 0).sum())
    if n_alone > n_known / 2 and n_known > MOST_CATEGORIES:
        msg = f"Column {clean_name(name)!r} has {counted(n_alone, 'value')} on one row only, as names have: there is "
        msg += f"nothing to balance in most of its {counted(n_known, 'row')}."
        raise OptionError(msg + "\nHint: leave it out; where they are categories, balance it as a category.")


def _period(dates: NDArray[np.datetime64]) -> str:
    shorter = (each for each in ("day", "month", "quarter") if len(in_periods(dates, each)[1]) <= MOST_PERIODS)
    return next(shorter, "year")
