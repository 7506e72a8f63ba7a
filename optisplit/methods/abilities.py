"""What a method may be unable to do, and saying which methods are left out for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.methods import METHODS
from optisplit.text import joined

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

AMOUNTS = "amounts"

ABILITIES = {
    "fold_sizes": "make parts of given sizes",
    "groups": "keep groups together",
    "fixed": "leave rows where they are",
    AMOUNTS: "balance counts or weights",
}
"""What a method must be able to do, mostly by the option that it then has."""


def left_out_words(methods: Sequence[str], needed: Collection[str]) -> str:
    """Say which methods are left out, by their keys, and what it is that they cannot."""
    what = " or ".join(what for ability, what in ABILITIES.items() if ability in needed)
    return f"Left out: {joined([METHODS[key].name for key in methods])}, which cannot {what}."
