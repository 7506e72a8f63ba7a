"""Numbers and names as they stand in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def percent(share: float) -> str:
    """Write a share in per cent.

    Parameters
    ----------
    share : float
        From 0 to 1.

    Returns
    -------
    str
        With as many digits as matter.

    Examples
    --------
    >>> percent(0.8), percent(0.333)
    ('80 %', '33.3 %')
    """
    return f"{100 * share:.4g} %"


def counted(count: int, noun: str) -> str:
    """Write a number with its noun in the singular or plural.

    Parameters
    ----------
    count : int
        The number.
    noun : str
        The noun, whose plural has an s.

    Returns
    -------
    str
        Such as "1 seed" or "3 seeds".
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def joined(names: Sequence[str]) -> str:
    """Join names as in a sentence.

    Parameters
    ----------
    names : sequence of str
        The names.

    Returns
    -------
    str
        Such as "a, b and c".
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
