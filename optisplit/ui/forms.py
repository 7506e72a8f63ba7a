"""What the forms of several pages have: numbers of seeds, limits, the Run button, and how long it will take."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.comparison.forecasts import runs_at_a_time, total_seconds
from optisplit.measures.registry import MEASURES, measures_per_label, name_of
from optisplit.plots import per_class_info, plot_per_class, plot_rare_shares, rare_shares_info
from optisplit.text import about_time
from optisplit.ui import jobs_panel, keys, session
from optisplit.ui.widgets import chart, chart_with_table, md, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from optisplit.comparison.forecasts import Forecast
    from optisplit.measures.report import Report
    from optisplit.plots.per_class import Scale

RARE_SHARES_HELP = (
    "Labels with 1, 2, ..., 9, 10 to 19, 20 to 49, ... rows taken together: how much of their rows each fold or part "
    "has, against its share of all rows. One rare label has to be somewhere; a hundred of them together can be where "
    "they are due. Grey: where most random splits are."
)

SCORE: Scale = "score"
SCALES: dict[Scale, str] = {"excess": "Above the label's own best", SCORE: "Score"}
SCALES_HELP = (
    "With folds of these sizes, no label can score lower than its own best, which is higher for rare labels. Only what "
    "is above it can be gained."
)

MAX_SEEDS, MAX_SECONDS = 100, 86_400

TIME_LIMIT_TITLE = "Time limit a run, seconds"

NUMBERS: dict[str, tuple[int, int, int]] = {
    keys.N_SPLITS: (2, 100, 5), keys.N_SEEDS: (1, MAX_SEEDS, 3), keys.MAX_EPOCHS: (1, 50, 3),
    keys.TIME_LIMIT: (1, MAX_SECONDS, 120),
}  # fmt: skip
"""Numbers that a comparison asks for, in its form and in links: the lowest, the highest, and the one to begin with."""

MOST_SHOWN = 5


def show_panels(
    of: tuple[str, ...], make: Callable[[], Any], plot: Callable[..., Any], name: str, *, stem: str | None = None,
    by: str = "label",
) -> None:  # fmt: skip
    """Draw a figure with a panel a method, on a narrow page one below the other; with its table if `stem` names it."""
    figure, info, narrow = session.drawn_for_widths(of, make, plot)
    narrow = narrow if len(info.methods) > 1 else None
    if stem is None:
        chart(figure, name, key=f"{name.replace('-', '_')}_chart", alt=info.alt_text, narrow=narrow)
    else:
        chart_with_table(figure, info, name, stem=stem, by=by or info.rows_title, narrow=narrow)


def show_scores(
    of: tuple[str, ...], reports: Mapping[str, Sequence[Report]], names: Mapping[str, str], noun: str, *, key: str,
    stem: str | None = None,
) -> None:  # fmt: skip
    """Ask which measure of every label is shown, and how, and show it for every method."""
    st.subheader("Every label's score, by how many rows carry it", anchor=False)
    with st.container(horizontal=True):
        measure = st.segmented_control(
            "Measure", measures_per_label(), format_func=name_of, default="rld", required=True, key=key,
            persist_state="session",
        )  # fmt: skip
        measure, scale = measure or "rld", SCORE
        if MEASURES[measure].has_bound:
            scale = st.segmented_control(
                "Shown", SCALES, format_func=SCALES.__getitem__, default="excess", required=True, key=f"{key}_scale",
                persist_state="session", help=SCALES_HELP,
            )  # fmt: skip
    info = partial(per_class_info, reports, measure, names=names, noun=noun, scale=scale)
    stem = None if stem is None else f"{stem}_{measure}"
    show_panels((*of, "per-class", measure, scale), info, plot_per_class, "per-class", stem=stem)


def show_rare_shares(
    job_id: str, reports: Mapping[str, Sequence[Report]], names: Mapping[str, str], fold_names: Sequence[str],
    noun: str, stem: str,
) -> None:  # fmt: skip
    """Show where each method puts the positives of labels of each size."""
    st.subheader("Where rare labels go", anchor=False, help=RARE_SHARES_HELP)
    info = partial(rare_shares_info, reports, names=names, fold_names=fold_names, noun=noun)
    show_panels((job_id, "rare-shares"), info, plot_rare_shares, "rare-shares", stem=stem, by="label size")


def ask_number(place: Any, title: str, key: str, help: str) -> int | None:
    """Ask for one of :data:`NUMBERS`; what was said of it on another page counts from the first drawing of this one."""
    low, high, usual = NUMBERS[key]
    return whole_number(place, title, (low, high), st.session_state.get(key, usual), key=key, help=help)


def ask_time_limit(place: Any, default_s: int, *, key: str, help: str) -> int | None:
    """Ask for the most seconds of a run."""
    return whole_number(place, TIME_LIMIT_TITLE, (1, MAX_SECONDS), default_s, key=key, help=help)


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
