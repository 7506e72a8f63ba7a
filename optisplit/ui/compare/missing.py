"""Labels that are missing from a fold or part, and whether that could be helped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.check.missing import find_missing, missing_table
from optisplit.errors import OptisplitError
from optisplit.text import counted
from optisplit.ui import session
from optisplit.ui.compare import take_away
from optisplit.ui.widgets import said

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.comparison.experiment import Run
    from optisplit.ui.compare.division import Division
    from optisplit.ui.compare.request import CompareRequest

MOST_SHOWN = 300
"""Lines of the table on the page: twenty thousand would be 2.5 MB to send."""


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
    found = table
    if len(table) > MOST_SHOWN:
        wanted = st.text_input(
            "Find a label", type="search", key="missing_search", live=True, placeholder="A part of its name"
        )
        found = _search(table, wanted or "")
        if len(found) > MOST_SHOWN:
            first = f"The first {MOST_SHOWN} of {len(found):,} are shown"
            st.caption(f"{first}; the search goes through all of them, and the file has them all.")
    st.dataframe(
        as_shown(found.head(MOST_SHOWN), division.noun), hide_index=True, key="missing",
        column_config={"Why": st.column_config.TextColumn(width="large")},
        alt=f"Labels that are missing from a {division.noun}",
    )  # fmt: skip
    st.download_button(
        "All of them as CSV", lambda: table.to_csv(index=False), f"{take_away.stem_of(request, run)}_missing.csv",
        "text/csv", key="missing_csv", icon=":material/download:", on_click="ignore",
    )  # fmt: skip


@session.cached_for_session(max_entries=8, show_spinner="Looking for missing labels …")
def _table(job_id: str, method: str, seed: int, _request: CompareRequest, _run: Run) -> pd.DataFrame:
    division, data = _request.division, _request.chosen.data
    groups = division.constraints.get("groups")
    assert _run.folds is not None
    found = find_missing(data, _run.folds, division.n_splits, groups=groups)
    return missing_table(found, data.label_names, division.fold_names, division.noun)


def _search(table: pd.DataFrame, wanted: str) -> pd.DataFrame:
    return table[table["label"].str.contains(wanted, case=False, regex=False)] if wanted else table


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
