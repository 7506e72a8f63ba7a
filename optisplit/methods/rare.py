"""What becomes of labels too rare for a part: the choices that there are, and the option's name before 0.4.0."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from optisplit.errors import OptionError, argument

if TYPE_CHECKING:
    from collections.abc import Mapping

Rare: TypeAlias = Literal["share", "cover", "score"]

DEFAULT_RARE: Rare = "share"


class Choice(NamedTuple):
    """What can be chosen, for people."""

    title: str  # a few words
    help: str  # what happens then, in a sentence without its subject


RARE: dict[Rare, Choice] = {
    "share": Choice(
        "Fair shares",
        "each label has in each part what is due to it, rounded up or down so that rare labels together, and rows with "
        "few or many labels, have their share of every part",
    ),
    "cover": Choice(
        "Every label in every part where possible",
        "each label with enough positives gets one into every part wherever a way is found, so that small parts hold "
        "more of the rare labels than is due to them",
    ),
    "score": Choice(
        "Lowest score",
        "the score alone decides, which keeps most positives of rare labels in the largest part",
    ),
}
"""What `rare` can be, the default first."""


def in_todays_words(options: Mapping[str, Any], *, stacklevel: int | None = None) -> dict[str, Any]:
    """Put `rare` in the place of `cover_rare`, which it was called before; warn of that where a level is given."""
    today = dict(options)
    covers = today.pop("cover_rare", None)
    if covers is None:
        return today
    import numpy as np  # which help does without

    if not isinstance(covers, bool | np.bool_):
        msg = f"cover_rare must be True or False; got {covers!r}."
        raise TypeError(msg)
    meant: Rare = "cover" if covers else "score"
    if today.get("rare") not in (None, meant):
        msg = argument("rare", today["rare"], of="split") + f" contradicts cover_rare={covers}, which is "
        msg += argument("rare", meant, of="split") + " in old words; leave cover_rare out."
        raise OptionError(msg)
    if stacklevel is not None:
        msg = f"cover_rare={covers} is called rare={meant!r} since 0.4.0; cover_rare goes in 0.5.0."
        warnings.warn(msg, DeprecationWarning, stacklevel=stacklevel + 1)
    return {**today, "rare": meant}


def each_in_todays_words(
    options: Mapping[str, Mapping[str, Any]] | None, *, stacklevel: int
) -> dict[str, dict[str, Any]]:
    """Do so for the options of several methods."""
    own = {}
    for key, given in (options or {}).items():
        own[key] = in_todays_words(given, stacklevel=stacklevel + 1)
    return own
