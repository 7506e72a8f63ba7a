"""What one split lacks: the labels missing from folds, and what its rules cost it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from optisplit.check.costs import costs_of
from optisplit.check.missing import find_missing, missing_table
from optisplit.errors import OptisplitError
from optisplit.measures.missing import missing_words, too_few_words
from optisplit.methods.base import rare_of
from optisplit.methods.rare import RARE
from optisplit.text import capital, counted
from optisplit.ui import jobs_panel, session
from optisplit.ui.compare import take_away
from optisplit.ui.widgets import long_table, said

if TYPE_CHECKING:
    from typing import TypeAlias

    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.comparison.experiment import Run
    from optisplit.ui.compare.request import CompareRequest, Division
    from optisplit.ui.jobs import OnReport

    Found: TypeAlias = tuple[pd.DataFrame, NDArray[np.int64]]


def show_costs(job_id: str, request: CompareRequest, run: Run) -> None:
    """Say what groups and label pairs cost a split that is to be as fair as they allow."""
    options = request.options.get(run.method, {})
    is_bound = request.division.groups is not None or options.get("balance_pairs")
    if run.report is not None and is_bound and rare_of(run.method, options) == "share":
        try:
            st.caption(_cost_words(job_id, run.method, run.seed, request, run))
        except OptisplitError as error:
            st.caption(said(error))


@session.cached_for_session(max_entries=8, show_spinner="Weighing what groups cost …")
def _cost_words(job_id: str, method: str, seed: int, _request: CompareRequest, _run: Run) -> str:
    return jobs_panel.wait_for(weigh, (_request, _run))


def weigh(asked: tuple[CompareRequest, Run], report: OnReport) -> str:
    """Find what the rules of a split cost; the work of a job."""
    request, run = asked
    assert run.folds is not None
    assert run.report is not None
    costs = costs_of(
        run.report, request.chosen.data.labels, run.folds, request.division.constraints.get("groups"), None,
        balance_pairs=bool(request.options.get(run.method, {}).get("balance_pairs")),
    )  # fmt: skip
    return "" if costs is None else costs.sentence


def show(job_id: str, request: CompareRequest, run: Run) -> None:
    """Show which labels are missing from which folds; nothing where none is."""
    division = request.division
    if run.report is None or run.report.flz == 0:
        st.markdown(f"Every label has a row in every {division.noun}.")
        return
    try:
        table, n_drawn = _missing_table(job_id, run.method, run.seed, request, run)
    except OptisplitError as error:
        st.caption(said(error))
        return
    rare = rare_of(run.method, request.options.get(run.method, {}))
    st.markdown(summed_up(table, division, rare, n_drawn, len(run.report.positives)))
    long_table(
        table, "missing", alt=f"Labels that are missing from a {division.noun}", stem=take_away.stem_of(request, run),
        config={"Why": st.column_config.TextColumn(width="large")}, shown=partial(as_shown, noun=division.noun),
    )  # fmt: skip


@session.cached_for_session(max_entries=8, show_spinner="Looking for missing labels …")
def _missing_table(job_id: str, method: str, seed: int, _request: CompareRequest, _run: Run) -> Found:
    return jobs_panel.wait_for(look, (_request, _run))


def look(asked: tuple[CompareRequest, Run], report: OnReport) -> Found:
    """Look for missing labels, and count for each where it need not be; the work of a job."""
    request, run = asked
    division, data = request.division, request.chosen.data
    assert run.folds is not None
    assert run.report is not None
    found = find_missing(data, run.folds, division.n_splits, groups=division.constraints.get("groups"))
    table = missing_table(found, data.label_names, division.fold_names, division.noun)
    return table, np.array([each.n_drawn for each in found])


def summed_up(
    table: pd.DataFrame, division: Division, rare: str | None, n_drawn: NDArray[np.int64], n_labels: int
) -> str:
    """Say how many labels are missing from a fold that should have them, whether that was sought, and why others are.

    `n_drawn` says for each label of the table in how many folds more it could be, but has too few rows for its share.
    """
    n_helpless = int((table["n_missing"] <= table["n_unavoidable"]).sum())
    n_by_lot = int((n_drawn == table["n_missing"] - table["n_unavoidable"]).sum()) - n_helpless
    n_due = len(table) - n_helpless - n_by_lot
    words = missing_words(n_due, n_labels, division.noun)
    sentences = [f"{capital(words)}, each looked at alone."]
    if n_due and rare in ("cover", "share"):
        sentences.append("No way was found that suits the others too.")
    if n_by_lot:
        lot = f": the seed draws which {division.noun}s get one" if rare == "share" else ""
        sentences.append(f"{too_few_words(n_by_lot, division.noun)}{lot}.")
    if (rare not in ("cover", "share") and n_due) or (rare != "cover" and n_by_lot):
        sentences.append(f"OptiSplit-SA, with “{RARE['cover'].title}”, looks for ways to get there.")
    if n_helpless:
        whose = "rows" if division.groups is None else "rows, or groups with such rows,"
        few = counted(n_helpless, "label", "has")
        sentences.append(f"{few} fewer {whose} than {division.noun}s: no split could help.")
    return " ".join(sentences)


def as_shown(table: pd.DataFrame, noun: str) -> pd.DataFrame:
    """Give the table the titles that it has on the page."""
    titles = {
        "label": "Label", "positives": "Rows with it", "missing_from": f"{noun.capitalize()}s without it",
        "n_missing": "How many", "n_unavoidable": "Unavoidable", "reason": "Why",
    }  # fmt: skip
    return table[list(titles)].rename(columns=titles)
