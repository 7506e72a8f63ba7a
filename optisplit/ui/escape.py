"""Showing users' names literally where Streamlit would read them as markdown."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=&\"'/@])")


def md(text: str) -> str:
    r"""Escape text for anything of Streamlit's that renders markdown.

    Parameters
    ----------
    text : str
        Text that may hold markup.

    Returns
    -------
    str
        Markdown that shows the text as it is.

    Examples
    --------
    >>> print(md("a*b"))
    a\*b
    """
    return _SPECIAL.sub(r"\\\1", text)
