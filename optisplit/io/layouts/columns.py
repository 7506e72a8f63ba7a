"""Which columns are the labels, where the user says so."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from numbers import Integral
from typing import TYPE_CHECKING

from optisplit.errors import OptionError, argument
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence


def chosen_columns(label_columns: object, names: Sequence[str]) -> list[int]:
    """Find the columns that the user calls labels."""
    if isinstance(label_columns, Integral):  # also numpy's
        return _at_an_end(int(label_columns), len(names))
    if isinstance(label_columns, str):
        label_columns = [label_columns]
    if not isinstance(label_columns, Iterable):
        found = type(label_columns).__name__
        msg = argument("label_columns") + f" must be a number or a list of column names, not {found}."
        raise OptionError(msg)
    wanted = [str(name) for name in label_columns]
    if not wanted or len(set(wanted)) < len(wanted):
        msg = argument("label_columns") + f" must name at least one column, and each only once; got {listed(wanted)}."
        raise OptionError(msg)
    return [_number_of(name, names) for name in _checked(wanted, names)]


def _at_an_end(number: int, n_columns: int) -> list[int]:
    if not 1 <= abs(number) <= n_columns:
        rule = "N means the last N columns, -N the first N."
        msg = argument("label_columns", number) + f" does not fit {counted(n_columns, 'column')}; {rule}"
        raise OptionError(msg)
    return list(range(n_columns - number, n_columns)) if number > 0 else list(range(-number))


def _checked(wanted: list[str], names: Sequence[str]) -> list[str]:
    known = {*names, *map(clean_name, names)}
    missing = [name for name in wanted if name not in known]
    if missing:
        near = difflib.get_close_matches(missing[0], list(names), n=1)
        hint = f"\nHint: did you mean {clean_name(near[0])!r}?" if near else ""
        msg = f"{len(missing):,} of the label columns given are not in the file: {listed(missing)}.{hint}"
        raise OptionError(msg)
    return wanted


def _number_of(name: str, names: Sequence[str]) -> int:
    at = [j for j, each in enumerate(names) if each == name]
    at = at or [j for j, each in enumerate(names) if clean_name(each) == name]
    if len(at) > 1:
        msg = f"{len(at)} columns are called {name!r}; rename them, so that the label is certain."
        raise OptionError(msg)
    return at[0]


def as_said(chosen: Sequence[int], names: Sequence[str]) -> int | list[str] | None:
    """Write label columns as :func:`optisplit.load` takes them: by their number at an end, or by name, if that does."""
    count = len(chosen)
    if list(chosen) == list(range(len(names) - count, len(names))):
        return count
    if list(chosen) == list(range(count)):
        return -count
    said, counts = [names[column] for column in chosen], Counter(names)
    return said if all(counts[name] == 1 for name in said) else None


def parse_label_columns(text: str) -> int | list[str]:
    """Read which columns are labels, as people type it."""
    try:
        return int(text)
    except ValueError:
        return [name.strip() for name in text.split(",") if name.strip()]
