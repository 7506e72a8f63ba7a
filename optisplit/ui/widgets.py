"""What all pages are made of: texts shown literally, complaints, number fields, charts, long tables, downloads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.cells import table_csv
from optisplit.errors import worded
from optisplit.text import html_table
from optisplit.ui import keys
from optisplit.ui.spelling import in_app

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from optisplit.errors import OptisplitError

FORMATS = ("SVG", "PNG")

CAMERAS_NEIGHBOURS = ("select", "lasso", "zoom", "pan", "zoomIn", "zoomOut", "autoScale", "resetScale")

MOST_SHOWN = 300
"""Lines of a table on the page: twenty thousand would be 2.5 MB to send. Files have them all."""

NARROW = "(max-width: 640px)"
"""The pages of a phone, as style sheets tell them; assets/app.css says the same."""

LONGEST_STEM = 60  # characters of a file's name; a system takes 255 bytes

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=&\"'/@])")

_ALIVE = re.compile(r"(?i:https?:(?=//)|www(?=\.))|@|<(?=-)|:(?=[A-Za-z+-][\w+-]*:)")
"""After what a text is parted: links, arrows and pictures are looked for in it once its escapes are gone."""

_NOTHING = ":small[]"


def md(text: str) -> str:
    r"""Escape text for anything of Streamlit's that renders markdown: shown as it is, without links or pictures."""
    parted = _ALIVE.sub("\\g<0>\0", text)
    return _SPECIAL.sub(r"\\\1", parted).replace("\0", _NOTHING)


def said(what: str | OptisplitError) -> str:
    """Word an error or a sentence of the library for the app, as one line of Streamlit's markdown."""
    text = worded(what, in_app) if isinstance(what, str) else what.worded(in_app)
    return md(" ".join(text.split()))


def complaint(problem: str | OptisplitError) -> str:
    r"""Write what is wrong with an entry, small and red, as one line of Streamlit's markdown.

    Not for captions, which are 60 % of their colour: red would be too pale to read.
    """
    return f":small[:red[{said(problem)}]]"


def whole_number(place: Any, label: str, limits: tuple[int, int], default: int, *, key: str, help: str) -> int | None:
    """Ask for a whole number; where it is out of its limits say so, rather than go on with another."""
    low, high = limits
    value = place.number_input(label, value=default, step=1, key=key, persist_state="session", help=help)
    if value is None or not low <= value <= high:
        place.markdown(complaint(f"From {low:,} to {high:,}, please."))
        return None
    return int(value)


def file_stem(name: str, otherwise: str = "data") -> str:
    """Make the beginning of a file's name of what is in it."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:LONGEST_STEM] or otherwise


def download(
    label: str, content: Callable[[], str | bytes] | str | bytes, name: str, *, key: str, place: Any = st,
    mime: str | None = None, type: str = "secondary",
) -> None:  # fmt: skip
    """Offer a file; a function is called when the button is pressed."""
    mime = mime or ("text/csv" if name.endswith(".csv") else None)
    place.download_button(label, content, name, mime, key=key, icon=":material/download:", on_click="ignore", type=type)


def download_table(label: str, table: pd.DataFrame, name: str, *, key: str) -> None:
    """Offer a table as CSV."""
    download(label, lambda: table_csv(table), name, key=key)


def small_table(lines: list[dict[str, str]], alt: str) -> None:
    """Draw a table with all of its lines, on a narrow page as cards; texts are markdown, titles are as they are."""
    import pandas as pd

    titled = [{md(title): text for title, text in line.items()} for line in lines]
    st.table(pd.DataFrame(titled), alt=alt, hide_index=True)
    st.html(_card_titles(lines, f"table[aria-label={_css_text(alt)}]"))
