"""What the page that checks a split remembers: where the split comes from, and which check is to be seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.ui import jobs_panel, keys
from optisplit.ui.check import sources
from optisplit.ui.check.sources import ORIGIN_TITLES

if TYPE_CHECKING:
    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.ui.check.request import CheckRequest
    from optisplit.ui.compare.request import CompareRequest
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import Job

WAIT_S = 1.0
"""A check that is over by then is shown without a progress bar."""


@dataclass(frozen=True, eq=False)
class History:
    """Where the split of a check comes from, if that is a repair: what the page remembers beside the request."""

    before: Job  # the check of the split as it was
    repaired: Job


def origins(chosen: ChosenData) -> list[str]:
    """List where a split of the data can come from."""
    has_column = len(chosen.files) == 1 and bool(sources.columns_of(chosen.files[0], chosen.data))
    can = {
        "column": has_column,
        "compared": best_compared(chosen) is not None,
        "example": chosen.uploaded is None,
    }
    return [origin for origin in ORIGIN_TITLES if can.get(origin, True)]


def settle_origin(chosen: ChosenData, possible: list[str]) -> None:
    """Choose, before the user does, the likeliest place for the data; later keep to what is possible."""
    state = st.session_state
    wanted = state.pop(keys.CHECK_WANTED, None)
    if state.get(keys.CHECK_SEEN) != chosen.key:
        if keys.CHECK_SEEN not in state:  # the first visit, or a reload
            job = shown_check()
            request: CheckRequest | None = job.request if job is not None else None
            if request is not None and request.chosen.key == chosen.key:
                if request.reading.origin == "file" and keys.CHECK_FILE not in state:
                    state[keys.CHECK_FILE] = request.reading.file
                wanted = wanted or request.reading.origin
            wanted = st.query_params.get(keys.SPLIT_IN_ADDRESS, "") or wanted
        elif wanted is None and state.get(keys.CHECK_FILE) is None:
            wanted = "pair" if chosen.split is not None else "column" if "column" in possible else None
        state[keys.CHECK_SEEN] = chosen.key
    if wanted in possible:
        state[keys.CHECK_FROM] = wanted
    elif state.get(keys.CHECK_FROM) not in possible:
        state[keys.CHECK_FROM] = possible[0]


def choose(origin: str) -> None:
    """Choose where the split comes from, from the next time that the page is drawn."""
    st.session_state[keys.CHECK_WANTED] = origin


def best_compared(chosen: ChosenData) -> tuple[CompareRequest, Run] | None:
    """Find the best split of this session's latest comparison, where that was of the data."""
    job = jobs_panel.shown_job("compare")
    if job is None:
        return None
    request: CompareRequest = job.request
    result: ComparisonResult = job.result
    run = result.best_run()
    is_same = request.chosen.key == chosen.key and request.chosen.uploaded is chosen.uploaded
    return (request, run) if is_same and run is not None and run.folds is not None else None


def shown_check() -> Job | None:
    """Find the check that is to be seen: the latest, or the one before a repair that was undone."""
    job, repaired = jobs_panel.shown_job("check"), jobs_panel.shown_job("repair")
    if job is None and repaired is not None:  # after a reload, the session has its latest job only
        job = repaired.details
    undone: set[str] = st.session_state.get(keys.CHECK_UNDONE, set())
    while job is not None and job.id in undone:
        job = None if job.details is None else job.details.before
    return job


def repair_of(check: Job) -> Job | None:
    """Find the repair of the split that a check is of."""
    latest = jobs_panel.shown_job("repair")
    if latest is not None and _is_of_same_split(latest.details, check):
        return latest
    after = jobs_panel.shown_job("check")  # after a reload
    while after is not None and after.details is not None:
        history: History = after.details
        if _is_of_same_split(history.before, check):
            return history.repaired
        after = history.before
    return None


def _is_of_same_split(one: Job, other: Job) -> bool:
    """Tell whether two checks are of one split: the second may have been made for pairs of labels."""
    first: CheckRequest = one.request
    second: CheckRequest = other.request
    return first.split is second.split and first.groups == second.groups


def undo(check: Job) -> None:
    """Go back from the check of a repaired split to that of the split as it was."""
    st.session_state.setdefault(keys.CHECK_UNDONE, set()).add(check.id)
