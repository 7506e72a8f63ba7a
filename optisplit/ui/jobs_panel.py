"""The running job: progress, Cancel, how it ended. Survives page switches and reloads."""

from __future__ import annotations

import os
import uuid
from typing import Any

import streamlit as st

from optisplit.ui import keys
from optisplit.ui.escape import md
from optisplit.ui.jobs import MANAGER, Job, Work

GRACE_S = float(os.environ.get("OPTISPLIT_JOB_GRACE_S", "60"))
"""Seconds that a job goes on after its browser has left."""

POLL_S = 0.5
ADDRESS_KEY = "job"


def _on_disconnect(owner: str) -> None:
    MANAGER.orphan(owner, GRACE_S)


@st.cache_resource(scope="session", on_release=_on_disconnect, show_spinner=False)
def _connected(owner: str) -> str:
    """Stand for the browser's connection: released when it breaks, made again when it is back."""
    MANAGER.adopt(owner)
    return owner


def owner_id() -> str:
    """Give this browser session its secret name.

    Returns
    -------
    str
        The name.
    """
    state = st.session_state
    if keys.OWNER not in state:
        state[keys.OWNER] = uuid.uuid4().hex
        job_id = st.query_params.get(ADDRESS_KEY, "")
        if job_id and MANAGER.adopt(state[keys.OWNER], job_id):
            state[keys.JOB_ID] = job_id
    return _connected(state[keys.OWNER])


def current_job() -> Job | None:
    """Find this session's latest job.

    Returns
    -------
    Job or None
        The job, whatever its state.
    """
    owner = owner_id()  # first, since it may adopt a job
    return MANAGER.get(st.session_state.get(keys.JOB_ID, ""), owner)


def adopt_from_address() -> Job | None:
    """Take over the job that the address names, after a reload, and keep the address naming it.

    Returns
    -------
    Job or None
        This session's latest job.
    """
    job = current_job()
    if job is not None:
        st.query_params[ADDRESS_KEY] = job.id
    elif ADDRESS_KEY in st.query_params:
        del st.query_params[ADDRESS_KEY]
    return job


def shown_job() -> Job | None:
    """Find the job whose result is to be seen: the latest, or the one before while that has none yet.

    Returns
    -------
    Job or None
        A job with a result.
    """
    job = current_job()
    if job is None or job.result is None:
        job = MANAGER.get(st.session_state.get(keys.EARLIER_JOB_ID, ""), owner_id())
    return job if job is not None and job.result is not None else None


def start(kind: str, work: Work, details: Any) -> None:
    """Start a job for this session and draw the page anew.

    Parameters
    ----------
    kind : str
        What it is for.
    work : callable
        ``work(job) -> result``.
    details : Any
        What the page wants to remember of it.
    """
    earlier = shown_job()
    job = MANAGER.submit(owner_id(), kind, work, details)
    if earlier is not None:
        st.session_state[keys.EARLIER_JOB_ID] = earlier.id
    st.session_state[keys.JOB_ID] = job.id
    st.rerun()


def show(*, is_own_page: bool) -> None:
    """Show the job, if there is one.

    Parameters
    ----------
    is_own_page : bool
        Whether the page is the one that shows the job's result.
    """
    job = current_job()
    if job is None:
        return
    if job.is_active:
        _live()
    elif job.state == "failed":
        st.error(f"The comparison failed. {md(job.error)}", icon=":material/error:")
    elif job.state == "cancelled":
        where = "below" if is_own_page else "on the page Compare"
        st.warning(f"Cancelled after {job.elapsed_s:.0f} s. {_kept(job.result, where)}", icon=":material/cancel:")
    elif not is_own_page:
        st.success("The comparison is ready on the page Compare.", icon=":material/check_circle:")


def _kept(result: Any, where: str) -> str:
    """Say what there is of a comparison that was cancelled."""
    if result is None or not (result.stopped_runs or result.best_run()):
        return "It had no result yet."
    if result.best_run() is None:
        return f"No run was done, but the best splits until then are {where}."
    splits = ", with the best splits of the runs that were stopped" if result.stopped_runs else ""
    return f"What was done until then is {where}{splits}."


@st.fragment(run_every=POLL_S)
def _live() -> None:
    job = current_job()
    if job is None or not job.is_active:
        st.rerun()  # the whole app: the page shows the result and polling ends
    if job.cancel_asked.is_set():
        text = "Cancelling …"
    elif job.state == "waiting":
        text = f"Waiting for {MANAGER.n_ahead(job)} other job(s) on this server"
    else:
        text = f"{job.message or 'Starting'} · {job.elapsed_s:.0f} s"
    with st.container(horizontal=True, vertical_alignment="bottom", key="job_panel"):
        st.progress(min(1.0, job.fraction), text=md(text), width="stretch")
        st.button(
            "Cancel",
            key="cancel_job",
            icon=":material/cancel:",
            disabled=job.cancel_asked.is_set(),
            on_click=job.cancel_asked.set,
        )
