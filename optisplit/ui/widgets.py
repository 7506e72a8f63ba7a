"""What all pages are made of: texts shown literally, complaints, number fields, charts, long tables, downloads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

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

COLOURS: dict[str, Literal["green", "orange", "red"]] = {"ok": "green", "warning": "orange", "fault": "red"}
"""Of a grade's severity."""

CAMERAS_NEIGHBOURS = ("select", "lasso", "zoom", "pan", "zoomIn", "zoomOut", "autoScale", "resetScale")

MOST_SHOWN = 300
"""Lines of a table on the page: twenty thousand would be 2.5 MB to send. Files have them all."""

NARROW = "(max-width: 640px)"
"""The pages of a phone, as style sheets tell them; assets/app.css says the same."""

PHONE = 340
"""Pixels that a drawing for narrow pages is laid out for."""

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


def still_table(lines: list[dict[str, str]], caption: str) -> None:
    """Draw a table of plain texts as HTML, on a narrow page as cards; it needs neither pandas nor Arrow."""
    titles = list(lines[0])
    table = html_table(caption, titles, (line.values() for line in lines), left=range(len(titles)))
    st.html(f'<div class="still">{table}</div>{_card_titles(lines, ".still table")}')


def _card_titles(lines: list[dict[str, str]], table: str) -> str:
    """Write the style that puts a column's title before each of its cells; all else of cards is in the app's style."""
    rules = (
        f"{table} tbody :is(th, td):nth-child({column})::before {{ content: {_css_text(title)}; }}"
        for column, title in enumerate(lines[0] if lines else (), start=1)
    )
    return f"<style>@media {NARROW} {{ {''.join(rules)} }}</style>"


def _css_text(text: str) -> str:
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in text) + '"'


def choose_format() -> None:
    """Ask, for all charts of the session, what their camera saves."""
    st.radio(  # not a segmented control: in the sidebar its colours have too little contrast
        "Charts save as", FORMATS, horizontal=True, key=keys.CHART_FORMAT, persist_state="session",
        help="What the camera above a chart saves: SVG stays sharp at any size, PNG is a picture twice as large as on "
        "the screen.",
    )  # fmt: skip


def by_width(key: str) -> tuple[Any, Any]:
    """Give a place for narrow pages and one for wide pages: only one of the two is shown."""
    return st.container(key=f"narrow_{key}"), st.container(key=f"wide_{key}")


def chart(figure: Any, name: str, *, key: str, alt: str, narrow: Any = None, **events: Any) -> None:
    """Draw a chart: no logo, and a camera that saves it in the format chosen for the session.

    With `narrow`, that figure stands in its place on a narrow page.
    """
    place: Any = st
    if narrow is not None:
        on_narrow, place = by_width(key)
        with on_narrow:
            chart(narrow, name, key=f"{key}_narrow", alt=alt)
    kind = str(st.session_state.get(keys.CHART_FORMAT) or FORMATS[0]).lower()
    config = {
        "displaylogo": False,
        "toImageButtonOptions": {"format": kind, "filename": f"optisplit-{name}", "scale": 2 if kind == "png" else 1},
        # the camera alone: more would lie over the legend
        "modeBarButtonsToRemove": [f"{button}2d" for button in CAMERAS_NEIGHBOURS],
    }  # fmt: skip
    place.plotly_chart(figure, key=key, alt=alt, config=config, **events)


def still_chart(drawing: str, *, key: str, narrow: str) -> None:
    """Place a chart that is drawn already, as SVG with its words in it, and another in its place on a narrow page."""
    for place, svg in zip(by_width(key), (narrow, drawing), strict=True):
        place.markdown(f'<div class="still">{svg}</div>', unsafe_allow_html=True)


def long_table(
    table: pd.DataFrame, name: str, *, alt: str, stem: str, by: str = "label",
    config: Mapping[str, Any] | None = None, shown: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
) -> None:  # fmt: skip
    """Show a table with a search where it is long, and the whole of it as a file.

    With `shown`, the lines on the page are put into other words than those of the file.
    """
    key = name.replace("-", "_")
    found = table
    if len(table) > MOST_SHOWN:
        wanted = st.text_input(
            "Find", type="search", key=f"{key}_search", live=True, placeholder=f"A part of the {by.replace('_', ' ')}"
        )
        if wanted:
            found = table[table[by].astype(str).str.contains(wanted, case=False, regex=False)]
        if len(found) > MOST_SHOWN:
            first = f"The first {MOST_SHOWN} of {len(found):,} are shown"
            st.caption(f"{first}; the search goes through all of them, and the file has them all.")
    lines = found.head(MOST_SHOWN)
    st.dataframe(
        lines if shown is None else shown(lines), hide_index=True, key=f"{key}_table", alt=alt, column_config=config
    )
    download_table("All as CSV", table, f"{stem}_{name}.csv", key=f"{key}_csv")


def chart_with_table(
    figure: Any, info: Any, name: str, *, stem: str, by: str = "label", table: pd.DataFrame | None = None,
    narrow: Any = None,
) -> None:  # fmt: skip
    """Draw a chart of what `info` says, and under it its numbers, or another table, to read and to take away."""
    key = name.replace("-", "_")
    chart(figure, name, key=f"{key}_chart", alt=info.alt_text, narrow=narrow)
    with st.expander("The data as a table", key=f"{key}_data"):
        long_table(info.table if table is None else table, f"{name}-data", alt=info.alt_text, stem=stem, by=by)
