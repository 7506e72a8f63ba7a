"""Which columns are the labels, where the user says so."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase
from numbers import Integral
from typing import TYPE_CHECKING

from optisplit.errors import OptionError, argument
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLACES = re.compile(r"#(\d{1,9})(?:-#?(\d{1,9}))?")
_PATTERN = re.compile(r"[*?]|\[.+\]")


class TypedNumber(int):
    """A number that somebody typed: it may be meant as a column's name, too."""


def chosen_columns(label_columns: object, names: Sequence[str]) -> list[int]:
    """Find the columns that the user calls labels: so many at an end, or by name, pattern (``dx_*``) or place (``#3``).

    A name that the file has is that column's, whatever else it may look like.
    """
    if isinstance(label_columns, TypedNumber) and str(label_columns) in names:
        raise OptionError(_ambiguous(label_columns, names))
    if isinstance(label_columns, Integral):  # also numpy's
        return _at_an_end(int(label_columns), len(names))
    if isinstance(label_columns, str):
        label_columns = [label_columns]
    if not isinstance(label_columns, Iterable):
        found = type(label_columns).__name__
        msg = argument("label_columns") + f" must be a number or a list of column names, not {found}."
        raise OptionError(msg)
    wanted = [str(name) for name in label_columns]
    places: dict[str, list[int]] = {}  # there may be many thousands
    for column, name in enumerate(names):
        places.setdefault(name, []).append(column)
    at = [places[name] if len(places.get(name, ())) == 1 else _found(name, names) for name in wanted]
    if unknown := [name for name, columns in zip(wanted, at, strict=True) if not columns]:
        raise OptionError(_not_there(unknown, names))
    chosen = [column for columns in at for column in columns]
    if not chosen or len(set(chosen)) < len(chosen):
        msg = argument("label_columns") + f" must name at least one column, and each only once; got {listed(wanted)}."
        raise OptionError(msg)
    return chosen


def key_column(key: str, names: Sequence[str]) -> int:
    """Find the column that the user says names rows."""
    at = _found(key, names)
    if len(at) != 1:
        msg = argument("key", key) + f" is no column of the file, which has {listed(names)}.{_nearest(key, names)}"
        raise OptionError(msg)
    return at[0]


def _ambiguous(number: int, names: Sequence[str]) -> str:
    place = [*names].index(str(number)) + 1
    told = f"{int(number)} is the name of a column, and may mean the {'last' if number > 0 else 'first'} {abs(number)}"
    msg = told + " columns too; " + argument("label_columns", [f"#{place}"]) + " takes the column of that name"
    if 1 < abs(number) <= len(names):
        first = len(names) - number + 1 if number > 0 else 1
        msg += ", " + argument("label_columns", [f"#{first}-{first + abs(number) - 1}"]) + " those columns"
    return msg + "."


def _at_an_end(number: int, n_columns: int) -> list[int]:
    if not 1 <= abs(number) <= n_columns:
        rule = "N means the last N columns, -N the first N."
        msg = argument("label_columns", number) + f" does not fit {counted(n_columns, 'column')}; {rule}"
        raise OptionError(msg)
    return list(range(n_columns - number, n_columns)) if number > 0 else list(range(-number))


def _found(wanted: str, names: Sequence[str]) -> list[int]:
    """Find the column of a name; where there is none, those that a pattern or places mean."""
    at = [j for j, each in enumerate(names) if each == wanted]
    at = at or [j for j, each in enumerate(names) if clean_name(each) == wanted]
    if len(at) > 1:
        msg = f"{len(at)} columns are called {wanted!r}; rename them, or give their places: " + argument(
            "label_columns", [f"#{j + 1}" for j in at]
        )
        raise OptionError(msg + ".")
    if at:
        return at
    if places := _PLACES.fullmatch(wanted):
        first, last = int(places[1]), int(places[2] or places[1])
        if not 1 <= first <= last <= len(names):
            msg = argument("label_columns") + f": {wanted} does not fit {counted(len(names), 'column')}, #1 to "
            raise OptionError(msg + f"#{len(names)}.")
        return list(range(first - 1, last))
    if _PATTERN.search(wanted):
        return [j for j, name in enumerate(names) if fnmatchcase(name, wanted)]
    return []


def _not_there(unknown: list[str], names: Sequence[str]) -> str:
    told = f"{len(unknown):,} of the label columns given are not in the file: {listed(unknown)}."
    return told + _nearest(unknown[0], names)


def _nearest(wanted: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(wanted, list(names), n=1)
    return f"\nHint: did you mean {clean_name(near[0])!r}?" if near else ""


def as_said(chosen: Sequence[int], names: Sequence[str]) -> int | list[str] | None:
    """Write label columns as :func:`optisplit.load` takes them: by their number at an end, by name, or by place."""
    count = len(chosen)
    if list(chosen) == list(range(len(names) - count, len(names))):
        return count
    if list(chosen) == list(range(count)):
        return -count
    said, counts = [names[column] for column in chosen], Counter(names)
    if all(counts[name] == 1 for name in said):
        return said
    places = [f"#{column + 1}" for column in chosen]
    return None if counts.keys() & set(places) else places


def parse_label_columns(text: str) -> int | list[str]:
    """Read which columns are labels, as people type it."""
    try:
        return TypedNumber(text)
    except ValueError:
        return [name.strip() for name in text.split(",") if name.strip()]
