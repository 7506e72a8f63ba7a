"""What the forms of several pages have: numbers of seeds, limits, the Run button, and how long it will take."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.comparison.forecasts import runs_at_a_time, total_seconds
from optisplit.measures.registry import measures_per_label, name_of
from optisplit.methods.shapes import Shape
from optisplit.plots import plot_rare_shares, rare_shares_info
from optisplit.text import about_time
from optisplit.ui import jobs_panel, session
from optisplit.ui.widgets import chart_with_table, md, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from optisplit.comparison.forecasts import Forecast
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report
    from optisplit.ui.datasets import ChosenData

RARE_SHARES_HELP = (
    "Labels with 1, 2, ..., 9, 10 to 19, 20 to 49, ... rows taken together: how much of their rows each fold or part "
    "has, against its share of all rows. One rare label has to be somewhere; a hundred of them together can be where "
    "they are due. Grey: where most random splits are."
)

MAX_SEEDS = 100
MAX_FOLDS = 100
MAX_SECONDS = 86_400
MOST_SHOWN = 5


def ask_measure(key: str) -> str:
    """Ask which measure of every label is shown, under the title of that figure."""
    st.subheader("Every label's score, by how many rows carry it", anchor=False)
    measure = st.segmented_control(
        "Measure", measures_per_label(), format_func=name_of, default="rld", required=True, key=key,
        persist_state="session",
    )  # fmt: skip
    return measure or "rld"


def show_rare_shares(
    job_id: str, reports: Mapping[str, Sequence[Report]], names: Mapping[str, str], fold_names: Sequence[str],
    noun: str, stem: str,
) -> None:  # fmt: skip
    """Show where each method puts the positives of labels of each size."""
    st.subheader("Where rare labels go", anchor=False, help=RARE_SHARES_HELP)
    info = partial(rare_shares_info, reports, names=names, fold_names=fold_names, noun=noun)
    figure, shown, narrow = session.drawn_for_widths((job_id, "rare-shares"), info, plot_rare_shares)
    chart_with_table(figure, shown, "rare-shares", stem=stem, by="label size", narrow=narrow)


def ask_time_limit(place: Any, default_s: int, *, key: str, help: str) -> int | None:
    """Ask for the most seconds of a run."""
    return whole_number(place, "Time limit a run, seconds", (1, MAX_SECONDS), default_s, key=key, help=help)


def run_button(
    key: str, caption: str, *, can_run: bool, title: str = "Run", icon: str = ":material/play_arrow:"
) -> bool:
    """Draw the button that starts a job, and what is said beside it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        can_run = can_run and not jobs_panel.is_busy()
        clicked = st.button(title, type="primary", icon=icon, key=key, disabled=not can_run)
        if caption:
            st.caption(caption)
    return clicked


def shape_of(chosen: ChosenData) -> Shape | None:
    """Find the figures that say how long methods take on the data; a sample is not read for them."""
    if chosen.uploaded is None:
        return Shape.of_sample(chosen.key)
    return _shape(chosen.uploaded.digest, chosen.uploaded)


@session.cached_for_session(max_entries=8)
def _shape(digest: str, _data: MultilabelDataset) -> Shape:
    return Shape.of(_data.labels)


def total_words(forecasts: Sequence[Forecast]) -> list[str]:
    """Say how long a comparison takes in all."""
    n_at_a_time = runs_at_a_time(sum(each.n_runs for each in forecasts))
    return [about_time(total_seconds(forecasts, n_at_a_time))] if forecasts else []


def show_slow(forecasts: Iterable[tuple[str, Forecast]]) -> None:
    """Warn of methods that take long, or cannot run."""
    lines = [f"{before}{each.words}" for before, each in forecasts if each.is_long or each.estimate.reason]
    if len(lines) > MOST_SHOWN:
        lines = [*lines[: MOST_SHOWN - 1], f"And {len(lines) - MOST_SHOWN + 1} more take as long, or cannot run."]
    if lines:
        st.warning("  \n".join(map(md, lines)), icon=":material/timer:")
