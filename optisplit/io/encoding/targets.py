"""What is to be balanced: a column, of which kind it is, and how much it weighs; as users say it."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast

from optisplit.errors import OptionError
from optisplit.text import clean_name, counted, listed

Kind: TypeAlias = Literal["category", "number", "date", "list", "count"]

KINDS: dict[str, str] = {
    "category": "each value a column",
    "number": "in bins with as many rows each",
    "date": "by period",
    "list": "each item a column",
    "count": "amounts, added up",
}
"""What can be made of a column, and what comes of it."""

PERIODS = ("year", "quarter", "month", "week", "day")
"""What dates are put together by."""

DEFAULT_BINS = 4
"""Bins of numbers where their number is not given."""

_MOST_NAMED = 12
"""Columns that are all named where another is asked for."""

_SETTINGS = ("kind", "bins", "period", "separator", "weight")


@dataclass(frozen=True, slots=True)
class Target:
    """A column to balance. What is None is guessed from the column."""

    column: str  # its name
    kind: Kind | None = None
    bins: int | None = None  # of numbers
    period: str | None = None  # of dates
    separator: str | None = None  # between the items of texts that are lists
    weight: float = 1.0  # of each of its columns, in those of a label

    def __post_init__(self) -> None:
        what = f"The column {clean_name(self.column)!r} to balance"
        if self.kind is not None and self.kind not in KINDS:
            kind = "kind of column"
            raise OptionError.unknown(kind, str(self.kind), KINDS)
        if self.bins is not None and (not _is_whole(self.bins) or self.bins < 2):
            msg = f"{what} needs a whole number of bins from 2 on, got {self.bins!r}."
            raise OptionError(msg)
        if self.period is not None and self.period not in PERIODS:
            period = "period"
            raise OptionError.unknown(period, str(self.period), PERIODS)
        if not _is_number(self.weight) or not 0 < self.weight < math.inf:
            msg = f"{what} needs a weight above 0, got {self.weight!r}."
            raise OptionError(msg)
        for setting, kind in (("bins", "number"), ("period", "date"), ("separator", "list")):
            if getattr(self, setting) is not None and self.kind not in (None, kind):
                msg = f"{what} is a {self.kind}, which has no {setting}; only a {kind} has."
                raise OptionError(msg)

    @classmethod
    def of(cls, column: str, how: Any = None) -> Target:
        """Take what users say of a column: nothing, a kind, a number of bins, a period, or a mapping of settings."""
        if how is None or isinstance(how, Target):
            return cls(column) if how is None else how
        if isinstance(how, Mapping):
            odd = [str(each) for each in how if each not in _SETTINGS]
            if odd:
                setting = "setting of a column to balance"
                raise OptionError.unknown(setting, odd[0], _SETTINGS)
            given = cls(column, **how)
            implied = next((kind for setting, kind in _IMPLIED.items() if how.get(setting) is not None), given.kind)
            return replace(given, kind=cast("Kind | None", given.kind or implied))
        text = how.strip() if isinstance(how, str) else how
        if _is_whole(text) or (isinstance(text, str) and text.isdecimal()):
            return cls(column, "number", bins=int(text))
        if text in PERIODS:
            return cls(column, "date", period=text)
        if text in KINDS:
            return cls(column, cast("Kind", text))
        msg = f"Column {clean_name(column)!r} cannot be balanced by {how!r}.\nHint: give one of {', '.join(KINDS)}; "
        raise OptionError(msg + f"or a number of bins; or one of {', '.join(PERIODS)}.")

    @property
    def settings(self) -> dict[str, Any]:
        """What is said of it, fit for JSON and for :meth:`of`."""
        found = {name: getattr(self, name) for name in _SETTINGS}
        return {name: value for name, value in found.items() if value is not None and (name, value) != ("weight", 1.0)}

    @property
    def how(self) -> Any:
        """The same in the shortest form that :meth:`of` takes."""
        settings = self.settings
        more = {name: value for name, value in settings.items() if name != "kind"}
        if not more:
            return self.kind
        alone = {"number": "bins", "date": "period"}.get(str(self.kind))
        return more[alone] if alone is not None and list(more) == [alone] else settings

    @property
    def words(self) -> str:
        """What is made of it, for people."""
        more = {
            "number": counted(self.bins or DEFAULT_BINS, "bin"),
            "date": f"by {self.period}",
        }.get(str(self.kind), "")
        weight = "" if self.weight == 1 else f"weight {self.weight:g}"
        return ", ".join(filter(None, (str(self.kind or "guessed"), more, weight)))


_IMPLIED = {"bins": "number", "period": "date", "separator": "list"}


def _is_whole(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) or (hasattr(value, "__float__") and not isinstance(value, str))


def targets_of_kinds(
    categories: Any = (), numbers: Any = (), dates: Any = (), lists: Any = (), counts: Any = ()
) -> tuple[Target, ...]:
    """Put together what is said by kinds, in their order."""
    given: list[Target] = []
    for kind, columns, setting in (
        ("category", categories, ""), ("number", numbers, "bins"), ("date", dates, "period"),
        ("list", lists, "separator"), ("count", counts, ""),
    ):  # fmt: skip
        names = [columns] if isinstance(columns, str) else columns or ()
        if isinstance(names, Mapping) and not setting:
            msg = f"Columns of the kind {kind!r} are listed by their names, got {names!r}."
            raise OptionError(msg)
        said = names.items() if isinstance(names, Mapping) else ((name, None) for name in names)
        given += [Target.of(name, {"kind": kind} | ({setting: value} if setting else {})) for name, value in said]
    return tuple(given)


def weighed(targets: tuple[Target, ...], weights: Mapping[str, float] | None) -> tuple[Target, ...]:
    """Give weights to columns that are balanced."""
    given = weights or {}
    named = {each.column for each in targets}
    unknown = [str(name) for name in given if name not in named]
    if unknown:
        msg = f"There are weights of columns that are not to be balanced: {listed(unknown)}."
        raise OptionError(msg)
    return tuple(replace(each, weight=given.get(each.column, each.weight)) for each in targets)


def check_once(names: list[str]) -> None:
    """Refuse columns that are named twice, or none at all."""
    again = [name for at, name in enumerate(names) if name in names[:at]]
    if again:
        msg = f"Columns to balance are named twice: {listed(list(dict.fromkeys(again)))}."
        raise OptionError(msg)
    if not names:
        msg = "No column to balance is named."
        raise OptionError(msg)


def parse_target(text: str, columns: list[str]) -> Target:
    """Read a column as the command line's users type it: ``COLUMN[=HOW][:WEIGHT]``."""
    name, how, weight = _typed(text, columns)
    target = Target.of(name, how)
    return target if weight is None else Target.of(name, {**target.settings, "weight": weight})


def parse_targets(texts: list[str], columns: list[str]) -> tuple[Target, ...]:
    """Read columns as they are typed: one a text, or with commas between."""
    found: list[Target] = []
    for text in texts:
        parts = [part.strip() for part in text.split(",")]
        are_columns = all(_typed(part, columns)[0] in columns for part in parts)
        is_one = _typed(text, columns)[0] in columns and not are_columns
        found += [parse_target(part, columns) for part in ([text] if is_one else parts)]
    return tuple(found)


def _typed(text: str, columns: list[str]) -> tuple[str, str | None, float | None]:
    """Part a text into the column, what to make of it, and its weight; names may hold these signs too."""
    if text in columns:
        return text, None, None
    rest, _, end = text.rpartition(":")
    weight = _as_float(end)
    for left, weighs in (*([(rest, weight)] if weight is not None else []), (text, None)):
        name, _, how = left.rpartition("=")
        if left in columns or name in columns:
            return (left, None, weighs) if left in columns else (name, how, weighs)
    return text, None, None


def _as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def no_column(name: str, known: list[str]) -> OptionError:
    """Say that there is no such column to balance."""
    if not known:
        msg = f"The data has no column {clean_name(name)!r} to balance, nor any other beside its labels and key."
        return OptionError(msg + "\nHint: in Python a table of other columns can be given, with as many rows.")
    if len(known) <= _MOST_NAMED:
        what = "column to balance"
        return OptionError.unknown(what, clean_name(name), known)
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"\nHint: did you mean {near[0]!r}?" if near else ""
    msg = f"The data has no column {clean_name(name)!r} to balance; it has {listed(known)}.{hint}"
    return OptionError(msg)
