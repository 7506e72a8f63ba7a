"""A method with options of its own, as one text: ``"optisplit-sa, effort=quick"``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from optisplit.errors import OptionError
from optisplit.methods.base import CONSTRAINTS, get_method

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOT_IN_A_TEXT = (*CONSTRAINTS, "initial")


@dataclass(frozen=True)
class Variant:
    """A method and options of its own."""

    method: str  # key of the method
    options: Mapping[str, Any]  # its options, by their names

    @property
    def key(self) -> str:
        """The text that says it, always written alike."""
        return ", ".join([self.method, *self._said])

    @property
    def name(self) -> str:
        """What to show."""
        return ", ".join([get_method(self.method).name, *self._said])

    @property
    def _said(self) -> list[str]:
        return [f"{name}={str(value).lower()}" for name, value in self.options.items()]


def as_variant(text: str) -> Variant:
    """Take a method's key apart from the options that stand behind it, and check them."""
    key, *given = (each.strip() for each in str(text).split(","))
    options = {}
    for each in given:
        name, equals, value = (part.strip() for part in each.partition("="))
        if not (name and equals and value) or name in _NOT_IN_A_TEXT:
            msg = f"{text!r} is no method with options; write a key and what it is given: 'optisplit-sa, effort=quick'."
            raise OptionError(msg)
        options[name] = _value(value)
    get_method(key).check_options(options)
    return Variant(key, options)


@cache
def variant_name(text: str) -> str:
    """Give what to show for a method's key, with options or without."""
    return as_variant(text).name


def _value(text: str) -> Any:
    """Read true, false and numbers; all else is a word."""
    try:
        found = json.loads(text.lower())
    except ValueError:
        return text
    return found if isinstance(found, bool | int | float) else text
