"""Functions of modules that take long to load, imported when they are first called."""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Lazy:
    """The function at a place, ``module:name``."""

    place: str

    @property
    def __wrapped__(self) -> Any:
        """The function itself, as :func:`inspect.unwrap` gives it."""
        return pkgutil.resolve_name(self.place)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call it."""
        return self.__wrapped__(*arguments, **options)
