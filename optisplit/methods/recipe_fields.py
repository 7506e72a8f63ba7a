"""What the fields of a recipe may hold, which is checked before any of it is used."""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_type_hints

from annotated_types import Ge, Lt, MaxLen
from typing_extensions import TypedDict

from optisplit.io.registry import READ_OPTIONS
from optisplit.methods.stamps import STRICT

Text: TypeAlias = Annotated[str, MaxLen(10_000)]
Whole: TypeAlias = Annotated[int, Ge(0), Lt(1 << 128)]


OPTION_KINDS = {
    "choice": str, "text": str, "columns": int | list[str], "yes-no": bool, "number": float,
    "labels": list[str], "merging": dict[str, list[str]],
}  # fmt: skip
"""What is given for an option of reading, by its kind; files have no place in a recipe."""


class Options(TypedDict, total=False):
    """Options of methods that have a place in a recipe."""

    measure: str
    effort: str
    max_epochs: Annotated[int, Ge(0), Lt(1 << 31)]
    ties: str
    balance_pairs: bool
    rare: str


class BalanceSettings(TypedDict, total=False):
    """What is made of a column that is balanced beside the labels."""

    kind: str
    bins: Annotated[int, Ge(2), Lt(1 << 31)]
    period: str
    separator: str
    weight: Annotated[float, Ge(0)]


ReadingOptions = TypedDict(  # type: ignore[misc]  # the record of options says which there are
    "ReadingOptions",
    {each.key: OPTION_KINDS[each.kind] for each in READ_OPTIONS.values() if each.kind in OPTION_KINDS},
    total=False,
)
"""Arguments of :func:`optisplit.load` that have one."""

Options.__pydantic_config__ = STRICT  # type: ignore[attr-defined]
BalanceSettings.__pydantic_config__ = STRICT  # type: ignore[attr-defined]
ReadingOptions.__pydantic_config__ = STRICT  # type: ignore[attr-defined]

OPTION_TYPES: dict[str, type] = get_type_hints(Options)
