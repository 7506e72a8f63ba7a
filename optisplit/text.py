"""Names as they are shown: those of the measures, and those from users' files, made safe to show anywhere."""

from __future__ import annotations

import unicodedata

MEASURE_NAMES = {"rld": "rLD", "dcp": "DCP", "ld": "LD"}
"""Measures that can be an objective, best first, with their names for people."""


def clean_name(name: object, limit: int = 200) -> str:
    r"""Make one line of printable text from a name that came out of a file.

    - Composed characters are put in one form (NFC), so that equal names are equal.
    - Control, format and direction-changing characters are dropped; white space becomes single spaces.
    - Markup is kept as it stands: whoever shows the name escapes it for its own medium.

    Parameters
    ----------
    name : object
        The name, as read.
    limit : int, default=200
        Longest result, in characters; longer names end in an ellipsis.

    Returns
    -------
    str
        The name to store and show.

    Examples
    --------
    >>> clean_name("  heart\tattack\x00 ")
    'heart attack'
    """
    text = str(name)[: 8 * limit]  # no need to go through a whole book for a line
    if len(text) <= limit and text.isascii() and text.isprintable() and text == text.strip() and "  " not in text:
        return text
    text = unicodedata.normalize("NFC", text)
    kept = (" " if char.isspace() else char for char in text if char.isspace() or unicodedata.category(char)[0] != "C")
    line = " ".join("".join(kept).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
