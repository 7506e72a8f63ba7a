"""Splits to take away: as files, and as Python that makes them again."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.folds import folds_to_csv, folds_to_npz
from optisplit.methods import METHODS
from optisplit.ui.escape import md
from optisplit.ui.snippet import python_snippet

if TYPE_CHECKING:
    from optisplit.experiment import ComparisonResult, Run
    from optisplit.measures import Report
    from optisplit.ui.compare_request import CompareRequest
    from optisplit.ui.division import Division

MOST_LISTED = 20
"""More folds than this have their sizes summed up."""


def show(result: ComparisonResult, request: CompareRequest, run: Run) -> None:
    """Offer a split.

    Parameters
    ----------
    result : ComparisonResult
        The comparison.
    request : CompareRequest
        What was asked for.
    run : Run
        The run that made the split.
    """
    folds, division = run.folds, request.division
    if folds is None:
        return
    ids = request.chosen.data.row_ids
    st.subheader("Take this split away", anchor=False)
    st.markdown(f"{md(METHODS[run.method].name)}, seed {run.seed}: {_numbers_text(division)}")
    if run.report is not None:
        st.markdown(sizes_text(run.report, division))
    stem = file_stem(request, run)
    with st.container(horizontal=True):
        st.download_button(
            "Folds as CSV", partial(folds_to_csv, folds, ids), f"{stem}.csv", "text/csv",
            key="folds_csv", icon=":material/download:", on_click="ignore", type="primary",
        )  # fmt: skip
        st.download_button(
            "Folds as NPZ", partial(folds_to_npz, folds, ids), f"{stem}.npz", "application/octet-stream",
            key="folds_npz", icon=":material/download:", on_click="ignore",
        )  # fmt: skip
    st.markdown("Or make it again in Python:")
    options = result.options.get(run.method, {})
    st.code(python_snippet(request.chosen.load_code, run.method, division, run.seed, options), language="python")


def show_stopped(result: ComparisonResult, request: CompareRequest) -> None:
    """Offer the best splits that stopped runs had.

    Parameters
    ----------
    result : ComparisonResult
        The comparison.
    request : CompareRequest
        What was asked for.
    """
    from optisplit.experiment import excess_percent
    from optisplit.figures.summary import excess_text, number

    ids = request.chosen.data.row_ids
    for run in result.stopped_runs:
        folds, report = run.folds, run.report
        if folds is None or report is None:
            continue
        excess = excess_text(excess_percent(report.rld, report.rld_bound))
        with st.container(key=f"stopped_{run.method}_{run.seed}"):
            words, button = st.columns([4, 1], vertical_alignment="center")
        words.markdown(
            f"{md(METHODS[run.method].name)}, seed {run.seed}: {md(run.reason)}; the best split until then has rLD "
            f"{number(report.rld)} ({excess} the best possible)."
        )
        button.download_button(
            "Split as CSV", partial(folds_to_csv, folds, ids), f"{file_stem(request, run)}_stopped.csv", "text/csv",
            key=f"stopped_csv_{run.method}_{run.seed}", icon=":material/download:", on_click="ignore",
        )  # fmt: skip


def file_stem(request: CompareRequest, run: Run | None = None) -> str:
    """Name a file after what is in it.

    Parameters
    ----------
    request : CompareRequest
        The comparison.
    run : Run, optional
        The run; default: the whole comparison.

    Returns
    -------
    str
        A name without its ending.
    """
    data = re.sub(r"[^A-Za-z0-9_-]+", "-", request.chosen.data.name).strip("-")[:60] or "data"
    stem = request.division.stem
    return f"{data}_{stem}_comparison" if run is None else f"{data}_{run.method}_{stem}_seed-{run.seed}"


def sizes_text(report: Report, division: Division) -> str:
    """Say how many rows there are in each fold or part.

    Parameters
    ----------
    report : Report
        On the split.
    division : Division
        What was asked for.

    Returns
    -------
    str
        A sentence, for people.
    """
    sizes, noun = report.fold_sizes, division.noun
    if len(sizes) > MOST_LISTED:
        return f"The {noun}s hold from {sizes.min():,} to {sizes.max():,} rows."
    listed = [f"{size:,}{division.asked(piece)}" for piece, size in enumerate(sizes)]
    return f"Rows in each {noun}: {', '.join(listed)}."


def _numbers_text(division: Division) -> str:
    """Say what numbers the file has."""
    if not division.shares:
        return f"the fold (0 to {division.n_splits - 1}) of every row."
    named = ", ".join(division.named(part) for part in range(division.n_splits))
    return f"the part of every row, by its number: {named}."
