"""Showing users' names literally where Streamlit would read them as markdown."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=&\"'/@])")


def md(text: str) -> str:
    r"""Escape text for anything of Streamlit's that renders markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def complaint(text: str) -> str:
    r"""Write what is wrong with an entry, small and red, for Streamlit's markdown.

    Not for captions, which are 60 % of their colour: red would be too pale to read.
    """
    return f":small[:red[{md(text)}]]"
