"""What the page shows of a study, and how it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.methods.variants import variant_name
from optisplit.studies.impact import MODELS
from optisplit.text import short_number
from optisplit.ui import keys
from optisplit.ui.widgets import download_table, md, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MODEL_TITLES = {
    "ridge": "Ridge regression",
    "logistic": "Logistic regression",
    "fast": "Ridge regression for large data",
}
ICONS = {"smaller": ":material/south_east:", "larger": ":material/north_east:", "none": ":material/drag_handle:"}


@dataclass(frozen=True)
class Study:
    """A study: its texts, its results and its form."""

    kind: str  # of its jobs
    title: str  # what is reported
    how: str  # how it is found out, as markdown
    kept: Callable[[str], Any]  # the result of a sample that comes along, or None
    request_of: Callable[[Any], Any]  # the request that leads to a result
    settings: Callable[[Any], str]  # the settings of a result, in words
    score: str  # key of the score that people report most
    score_names: Mapping[str, str]  # names of the scores, by their keys
    differs: Callable[[dict[Any, Any]], bool]  # whether a line of a result's summary shows a difference from chance
    headlines: Callable[[Any, str], list[str]]  # what is found of each method by a score, as markdown
    figure: Callable[[Any, str], tuple[Any, Any]]  # every estimate of a score: what the figure shows, and the figure
    draw: Callable[[Any, str], None]  # draws a result, and code that makes it
    form: Callable[[str], None]  # asks for a run on a sample, and starts it


def model_field(place: Any) -> str:
    """Ask which model to train."""
    return str(
        place.selectbox(
            "Model", list(MODELS), format_func=MODEL_TITLES.__getitem__, key=keys.IMPACT_MODEL, persist_state="session",
            help="; ".join(f"{MODEL_TITLES[key]}: {what}" for key, what in MODELS.items()) + ".",
        )
    )  # fmt: skip


def seeds_field(place: Any, default: int, key: str, help: str) -> int | None:
    """Ask for the number of seeds."""
    return whole_number(place, "Seeds", (2, 50), default, key=key, help=help)


def headline(method: str, way: str, found: str, interval: str, *more: str) -> str:
    """Write a line on a method: an icon, what was found, its interval, and what else there is to say."""
    return f"{ICONS[way]} {md(variant_name(method))}: {found} ({interval}).{''.join(more)}"


def span(line: dict[Any, Any], key: str) -> str:
    """Write the interval of a number."""
    return f"{short_number(line[f'{key}_low'])} to {short_number(line[f'{key}_high'])}"


def all_scores(result: Any, code: str, stem: str, key: str) -> None:
    """Show what is found for every score, in sentences and as a file, and Python that does the same."""
    with st.expander("All scores, and Python that does the same", icon=":material/table_rows:", key="impact_all"):
        st.markdown("\n".join(f"- {md(sentence)}" for sentence in result.verdicts))
        download_table("All numbers as CSV", result.summary, f"{result.data_name}_{stem}_summary.csv", key=key)
        st.code(code, language="python")
