"""What the app calls the arguments that errors speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.errors import in_python
from optisplit.io import registry
from optisplit.io.registry import READ_OPTIONS, Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.errors import Argument
    from optisplit.io.registry import ReadOption

LEAVE_OUT = "Leave out what does not match"

GROUPS_TITLE = "Groups that stay together"
"""What the field is called that asks which rows stay together."""

ROW_TITLES = {
    "ids": "By the data's row ids",
    "from 0": "By numbers from 0",
    "from 1": "By numbers from 1",
    "order": "By the order of the lines",
}
"""How a split names rows."""

_TITLES = {
    **{key: each.title for key, each in READ_OPTIONS.items() if each.kind not in ("file", "merging")},
    "groups": GROUPS_TITLE,
    "n_splits": "Folds",
    "rows": "Rows are named",
    "source": "Split file",
    "max_moved": "Most rows to move",
}
"""Arguments that are asked for in the app, and what they are called there."""


def choices_of(option: ReadOption) -> dict[Any, str]:
    """Give what can be chosen for an option, and what that is called; nothing where it takes any text."""
    if not option.choices:
        return {}
    found = getattr(registry, option.choices)
    choices: Mapping[str, str | Format] = found() if callable(found) else found
    return {key: each.name if isinstance(each, Format) else each for key, each in choices.items()}


def in_app(argument: Argument) -> str:
    """Call an argument, and its value, as the app does."""
    if argument.name == "label_file":
        return "a second upload"
    if argument.name == "unmatched":
        return f"“{LEAVE_OUT}”"
    title = "Matched by" if argument.name == "key" and argument.of != "load" else _TITLES.get(argument.name)
    if title is None:
        return in_python(argument)
    value: Any = argument.value
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    if argument.of == "load" and argument.name in READ_OPTIONS and value is not ...:
        value = choices_of(READ_OPTIONS[argument.name]).get(value, value)
    if isinstance(value, bool):
        value = "Yes" if value else "No"
    if argument.name == "rows":
        value = ROW_TITLES.get(value, value)
    return f"“{title}”" if value is ... else f"“{title}”: {value}"
