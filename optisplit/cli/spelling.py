"""What the command line calls the arguments that errors speak of."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

from optisplit.errors import OptionError, argument, in_python
from optisplit.io.registry import READ_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.errors import Argument

ROW_NAMINGS = {"ids": "ids", "0": "from 0", "1": "from 1", "order": "order"}
"""What can be typed after --rows, and what it is called in :func:`optisplit.read_split`."""

SPELLING = {
    **{("load", each.key): each.flag for each in READ_OPTIONS.values()}, ("save", "format"): "--to",
    ("save", "layout"): "--to-layout", ("save", "label_separator"): "--to-separator", ("read_split", "rows"): "--rows",
    ("repair", "max_moved"): "--max-moved", ("split", "n_splits"): "-k", ("split", "fold_sizes"): "--fold-sizes",
    ("split", "random_state"): "--seed",
    ("split", "measure"): "--measure", ("split", "effort"): "--effort", ("split", "groups"): "--groups",
    ("split", "fixed"): "--fixed", ("split", "balance_pairs"): "--pairs", ("split", "rare"): "--rare",
    ("split", "balance"): "--balance",
    ("compare", "time_limit_s"): "--time-limit",
    ("read_column", "column"): "FILE:COLUMN", ("read_column", "unmatched"): "--unmatched",
    ("read_split", "source"): "--part",
}  # fmt: skip
"""What arguments of functions are called here; the others keep their names."""

_PLAIN = re.compile(r"[-+.,:/@_0-9A-Za-z]+")
"""What needs no quotes at a command line."""


def in_options(argument: Argument) -> str:
    """Call an argument, and its value, as they are typed here."""
    option, value = SPELLING.get((argument.of, argument.name)), argument.value
    if option is None:
        return in_python(argument)
    if value is ...:
        return option
    if argument.name == "rows":
        value = next(typed for typed, meant in ROW_NAMINGS.items() if meant == value)
    return with_value(option, ",".join(map(str, value)) if isinstance(value, list | tuple) else value)


def label_names(typed: str) -> list[str]:
    """Read names of labels with commas between; a name with a comma stands in double quotes."""
    return [name.strip() for name in next(csv.reader([typed], skipinitialspace=True), []) if name.strip()]


def merged_names(typed: str) -> dict[str, list[str]]:
    """Read which labels are to be put together, as NEW=A,B with semicolons between several."""
    merged = {}
    for each in filter(str.strip, typed.split(";")):
        new, equals, names = each.partition("=")
        if not (equals and new.strip()):
            msg = argument("merge_labels") + f" must be like NEW=A,B, got {each.strip()!r}."
            raise OptionError(msg)
        merged[new.strip()] = label_names(names)
    return merged


def typed_merging(merged: Mapping[str, Sequence[str]]) -> str:
    """Write which labels are put together as it is typed."""
    return ";".join(f"{new}={','.join(names)}" for new, names in merged.items())


def with_value(option: str, value: Any) -> str:
    """Write an option with its value, as a shell takes it."""
    if isinstance(value, bool):
        return option if value else option.replace("--", "--no-", 1)
    text = str(value)
    return f"{option} {text if _PLAIN.fullmatch(text) else repr(text)}"
