"""What to compare: methods, folds, seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.experiment import DEFAULT_METHODS, ComparisonResult, Progress, compare
from optisplit.folds import check_n_splits
from optisplit.methods import METHODS
from optisplit.text import MEASURE_NAMES
from optisplit.ui import jobs_panel, keys

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import Job

EFFORT_TITLES = {"quick": "Quick", "normal": "Normal", "thorough": "Thorough"}
MAX_SEEDS = 100
MAX_FOLDS = 100


@dataclass(frozen=True)
class CompareRequest:
    """What a comparison was asked to do.

    Parameters
    ----------
    chosen : ChosenData
        The data.
    methods : tuple of str
        Keys of the methods.
    n_splits, n_seeds : int
        Folds, and seeds from 0.
    options : mapping
        The methods' own options.
    time_limit_s : float
        Most seconds for one run.
    """

    chosen: ChosenData
    methods: tuple[str, ...]
    n_splits: int
    n_seeds: int
    options: Mapping[str, Mapping[str, Any]]
    time_limit_s: float

    @property
    def n_methods_words(self) -> str:
        """How many methods, in words."""
        return counted(len(self.methods), "method")

    @property
    def summary(self) -> str:
        """The settings in one line."""
        optimisers = {"optisplit", "optisplit-sa"} & set(self.methods)
        parts = [counted(self.n_splits, "fold"), counted(self.n_seeds, "seed")]
        if optimisers:
            parts.append(f"OptiSplit lowers {MEASURE_NAMES[self.options['optisplit']['measure']]}")
        if "optisplit-sa" in optimisers:
            parts.append(f"effort {self.options['optisplit-sa']['effort']}")
        return " · ".join(parts)

    def work(self) -> Callable[[Job], ComparisonResult]:
        """Build the job's work.

        Returns
        -------
        callable
            Runs the comparison, reporting to the job.
        """

        def run(job: Job) -> ComparisonResult:
            job.report(0.0, "Getting ready")
            import pandas  # noqa: F401 - the result needs both, and loading them later would hold up the timing
            import plotly.graph_objects  # noqa: F401

            def on_progress(progress: Progress) -> None:
                runs = f"{progress.n_done} of {progress.n_runs} runs done · {progress.message}"
                job.report(progress.fraction, runs)

            return compare(
                self.chosen.data,
                self.methods,
                self.n_splits,
                seeds=range(self.n_seeds),
                options=self.options,
                time_limit_s=self.time_limit_s,
                on_progress=on_progress,
            )

        return run


def show(chosen: ChosenData) -> None:
    """Draw the form; start the comparison when asked.

    Parameters
    ----------
    chosen : ChosenData
        The data to split.
    """
    with st.container(border=True):
        methods = st.pills(  # not a multiselect: that changes its height on a narrow page just when Run is pressed
            "Methods",
            list(METHODS),
            selection_mode="multi",
            default=list(DEFAULT_METHODS),
            format_func=lambda key: METHODS[key].name,
            key=keys.METHODS,
            persist_state="session",
            help="\n".join(f"- **{method.name}**: {method.summary}" for method in METHODS.values()),
        )
        in_order = tuple(key for key in METHODS if key in methods)
        _run_button(_settings(chosen, in_order), bool(in_order))


def _whole_number(place: Any, label: str, limits: tuple[int, int], default: int, *, key: str, help: str) -> int | None:
    """Ask for a whole number; where it is out of its limits say so, rather than go on with another."""
    low, high = limits
    value = place.number_input(label, value=default, step=1, key=key, persist_state="session", help=help)
    if value is None or not low <= value <= high:
        place.caption(f":red[From {low:,} to {high:,}, please.]")
        return None
    return int(value)


def _settings(chosen: ChosenData, methods: tuple[str, ...]) -> CompareRequest | None:
    """Draw the settings; None where one of them is out of its limits."""
    folds, seeds, measure = st.columns(3)
    n_splits = _whole_number(
        folds, "Folds", (2, MAX_FOLDS), 5, key=keys.N_SPLITS,
        help="Into how many parts the rows are divided; each is the test part once.",
    )  # fmt: skip
    n_seeds = _whole_number(
        seeds, "Seeds", (1, MAX_SEEDS), 3, key=keys.N_SEEDS,
        help="Each method runs once with every seed, so that luck shows as a deviation.",
    )  # fmt: skip
    lowered = measure.selectbox(
        "OptiSplit lowers", list(MEASURE_NAMES), format_func=MEASURE_NAMES.__getitem__,
        key=keys.MEASURE, persist_state="session",
        help="The measure that OptiSplit and OptiSplit-SA work on: **rLD** (relative difference of a label's share in "
        "a fold), **DCP** (largest part of a label in one fold) or **LD** (which hardly sees rare labels).",
    )  # fmt: skip
    with st.expander("More settings"):
        effort_column, epochs_column, limit_column = st.columns(3)
        effort = effort_column.selectbox(
            "OptiSplit-SA: effort", list(EFFORT_TITLES), index=1, format_func=EFFORT_TITLES.__getitem__,
            key=keys.EFFORT, persist_state="session",
            help="How long it looks for a better split; each step takes about ten times as long as the one before.",
        )  # fmt: skip
        max_epochs = _whole_number(
            epochs_column, "OptiSplit: most passes", (1, 50), 3, key=keys.MAX_EPOCHS,
            help="Passes over all labels. The paper uses 3. It ends earlier when a pass changes nothing.",
        )  # fmt: skip
        limit_s = _whole_number(
            limit_column, "Time limit a run, seconds", (1, 86_400), 120, key=keys.TIME_LIMIT,
            help="A method that takes longer is stopped and shown as such; the others go on.",
        )  # fmt: skip
    if n_splits is None or n_seeds is None or max_epochs is None or limit_s is None:
        return None
    options: dict[str, dict[str, Any]] = {
        "optisplit": {"measure": lowered or "rld", "max_epochs": max_epochs},
        "optisplit-sa": {"measure": lowered or "rld", "effort": effort or "normal"},
    }
    return CompareRequest(chosen, methods, n_splits, n_seeds, options, float(limit_s))


def _run_button(request: CompareRequest | None, has_methods: bool) -> None:
    job = jobs_panel.current_job()
    is_busy = job is not None and job.is_active
    with st.container(horizontal=True, vertical_alignment="center"):
        can_run = request is not None and has_methods and not is_busy
        clicked = st.button("Run", type="primary", icon=":material/play_arrow:", key="run", disabled=not can_run)
        if not has_methods:
            st.caption("Choose at least one method.")
        elif request is not None:
            st.caption(f"{request.n_methods_words} × {counted(request.n_seeds, 'seed')}")
    if clicked and request is not None:
        check_n_splits(request.n_splits, request.chosen.data.n_rows)
        jobs_panel.start("compare", request.work(), request)


def counted(count: int, noun: str) -> str:
    """Write a number with its noun in the singular or plural.

    Parameters
    ----------
    count : int
        The number.
    noun : str
        The noun, whose plural has an s.

    Returns
    -------
    str
        Such as "1 seed" or "3 seeds".
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
