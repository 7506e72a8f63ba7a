"""Numbers and names as they stand in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def percent(share: float) -> str:
    """Write a share in per cent."""
    return f"{100 * share:.4g} %"


def counted(count: int, noun: str) -> str:
    """Write a number with its noun in the singular or plural."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def joined(names: Sequence[str]) -> str:
    """Join names as in a sentence."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
