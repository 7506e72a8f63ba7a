"""Labels that are missing from a fold or part, and whether that could be helped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.check.missing import find_missing, missing_table
from optisplit.errors import OptisplitError
from optisplit.text import counted
from optisplit.ui import jobs_panel, session
from optisplit.ui.compare import take_away
from optisplit.ui.widgets import long_table, said

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.comparison.experiment import Run
    from optisplit.ui.compare.division import Division
    from optisplit.ui.compare.request import CompareRequest
    from optisplit.ui.jobs import OnReport


def show(job_id: str, request: CompareRequest, run: Run) -> None:
    """Show which labels are missing from which folds; nothing where none is."""
    if run.report is None or run.report.flz == 0:
        return
    division = request.division
    st.subheader(f"Labels missing from a {division.noun}", anchor=False)
    try:
        table = _table(job_id, run.method, run.seed, request, run)
    except OptisplitError as error:
        st.caption(said(error))
        return
    is_sought = bool(request.options.get(run.method, {}).get("cover_rare"))
    st.markdown(summed_up(table, division, is_sought=is_sought))
    long_table(
        table, "missing", alt=f"Labels that are missing from a {division.noun}", stem=take_away.stem_of(request, run),
        config={"Why": st.column_config.TextColumn(width="large")}, shown=partial(as_shown, noun=division.noun),
    )  # fmt: skip


@session.cached_for_session(max_entries=8, show_spinner="Looking for missing labels …")
def _table(job_id: str, method: str, seed: int, _request: CompareRequest, _run: Run) -> pd.DataFrame:
    table: pd.DataFrame = jobs_panel.wait_for(look, (_request, _run))
    return table


def look(asked: tuple[CompareRequest, Run], report: OnReport) -> pd.DataFrame:
    """Look for missing labels; the work of a job."""
    request, run = asked
    division, data = request.division, request.chosen.data
    assert run.folds is not None
    found = find_missing(data, run.folds, division.n_splits, groups=division.constraints.get("groups"))
    return missing_table(found, data.label_names, division.fold_names, division.noun)


def summed_up(table: pd.DataFrame, division: Division, *, is_sought: bool) -> str:
    """Say how many labels are missing from a fold, and for how many that could be helped."""
    n_labels, noun = len(table), division.noun
    n_helpless = int((table["n_missing"] <= table["n_unavoidable"]).sum())
    n_possible = n_labels - n_helpless
    what = f"{counted(n_labels, 'label', 'is')} missing from at least one {noun}"
    whose = "rows" if division.groups is None else "rows, or groups with such rows,"
    why = f"fewer {whose} than {noun}s"
    if n_helpless == n_labels:
        return f"{what}, and no split could help: {'it has' if n_labels == 1 else 'they have'} {why}."
    if n_helpless:
        what += f"; for {n_helpless:,} of them no split could help: they have {why}"
    which = "It" if n_labels == 1 else f"The other {n_possible:,}, which come first," if n_helpless else "Each of them"
    sentences = [f"{what}.", f"{which} could be in more {noun}s, looked at alone."]
    if is_sought:
        sentences.append("No way was found that suits the others too.")
    else:
        sentences.append("OptiSplit-SA, with rare labels into every fold first, looks for ways to get there.")
    return " ".join(sentences)


def as_shown(table: pd.DataFrame, noun: str) -> pd.DataFrame:
    """Give the table the titles that it has on the page."""
    titles = {
        "label": "Label", "positives": "Rows with it", "missing_from": f"{noun.capitalize()}s without it",
        "n_missing": "How many", "n_unavoidable": "Unavoidable", "reason": "Why",
    }  # fmt: skip
    return table[list(titles)].rename(columns=titles)
