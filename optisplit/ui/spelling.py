"""What the app calls the arguments that errors speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.errors import in_python
from optisplit.io.registry import FORMATS, LAYOUTS, READ_OPTIONS

if TYPE_CHECKING:
    from optisplit.errors import Argument

_TITLES = {
    **{key: each.title for key, each in READ_OPTIONS.items() if each.kind != "file"},
    "n_splits": "Folds",
    "max_moved": "Most rows to move",
}
"""Arguments that are asked for in the app, and what they are called there."""


def in_app(argument: Argument) -> str:
    """Call an argument, and its value, as the app does."""
    if argument.name == "label_file":
        return "a second upload"
    title = _TITLES.get(argument.name)
    if title is None:
        return in_python(argument)
    value: Any = argument.value
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    if argument.name == "format" and value in FORMATS:
        value = FORMATS[value].name
    if argument.name == "layout" and value in LAYOUTS:
        value = LAYOUTS[value]
    return f"“{title}”" if value is ... else f"“{title}”: {value}"
