"""What the user says of a file that would otherwise be guessed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.formats.columns import parse_label_columns
from optisplit.io.registry import LAYOUTS, readable
from optisplit.text import counted
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.errors import MissingLabelsError

SEPARATORS = {
    "|": "| (bar)",
    ",": ", (comma)",
    ";": "; (semicolon)",
    " ": "a blank",
    "\t": "a tab",
    "::": ":: (colons)",
}
_GUESSED = "guessed from the file"


@dataclass(frozen=True)
class HowToRead:
    """How a file is read, as far as the user says; None where it is to be guessed."""

    columns: str = ""  # label columns, as typed
    format: str | None = None  # what :func:`optisplit.load` takes
    layout: str | None = None  # what :func:`optisplit.load` takes
    separator: str | None = None  # what :func:`optisplit.load` takes
    missing: str | None = None  # what :func:`optisplit.load` takes

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> HowToRead:
        """Take over how a file was read."""
        columns = options.get("label_columns", "")
        typed = ", ".join(map(str, columns)) if isinstance(columns, list | tuple) else str(columns)
        known = {name: options.get(name) for name in ("format", "layout", "missing")}
        return cls(typed, separator=options.get("label_separator"), **known)

    def options(self) -> dict[str, Any]:
        """Give the arguments of :func:`optisplit.load`."""
        given: dict[str, Any] = {
            "label_columns": parse_label_columns(self.columns) if self.columns.strip() else None,
            "format": self.format,
            "layout": self.layout,
            "label_separator": self.separator,
            "missing": self.missing,
        }
        return {name: value for name, value in given.items() if value is not None}


def ask(suffix: str, start: HowToRead | None = None) -> HowToRead:
    """Ask how a file is to be read."""
    known = start or HowToRead()
    columns = st.text_input(
        "Label columns (only if the file does not say)",
        known.columns,
        key=f"upload_columns_{suffix}",
        placeholder="-6, or names: happy, sad",
        help="A number: that many columns from the end (12) or, with a minus, from the start (-12). Or the names of "
        "the columns, separated by commas. For a list of labels: the column that holds it.",
    )
    missing = st.session_state.get(f"upload_missing_{suffix}")
    is_open = start is not None or st.toggle(
        "Say how to read it",
        key=f"upload_how_{suffix}",
        help="Format, layout and separator are guessed from the file's content. Say here what is guessed wrong.",
    )
    if not is_open:
        return HowToRead(columns, missing=missing)
    formats = {key: each.name for key, each in readable().items()}
    return HowToRead(
        columns,
        _choice("Format", formats, known.format, f"upload_format_{suffix}"),
        _choice("Where a table has its labels", LAYOUTS, known.layout, f"upload_layout_{suffix}"),
        _choice("Between the labels of a list", SEPARATORS, known.separator, f"upload_separator_{suffix}"),
        missing or known.missing,
    )


def _choice(label: str, choices: Mapping[Any, str], start: str | None, key: str) -> str | None:
    options = [None, *choices]
    at = options.index(start) if start in choices else 0
    chosen: str | None = st.selectbox(
        label, options, at, format_func=lambda each: _GUESSED if each is None else choices[each], key=key
    )
    return chosen


def ask_about_missing(error: MissingLabelsError, suffix: str) -> None:
    """Ask what label cells that are missing mean; the answer is taken when the page is drawn next."""
    # what to do about it stands below, as answers to choose from
    st.warning(md(error.where), icon=":material/help:")
    answers = {
        "zero": "The row does not have the label: read them as 0",
        "drop-rows": f"Nobody knows: leave out {counted(error.n_rows, 'row')}",
        "drop-labels": f"Nobody knows: leave out {counted(error.n_labels, 'label')}",
    }
    st.radio(
        "What does a missing label mean?", list(answers), index=None, format_func=answers.__getitem__,
        key=f"upload_missing_{suffix}",
    )  # fmt: skip
