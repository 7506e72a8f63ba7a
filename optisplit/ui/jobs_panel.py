"""The running job: progress, Cancel, how it ended. Survives page switches and reloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from optisplit.errors import OptisplitError
from optisplit.text import counted
from optisplit.ui import keys
from optisplit.ui.jobs import MANAGER, PAGES, Job, OnReport, Work
from optisplit.ui.session import owner_id
from optisplit.ui.widgets import md, said

if TYPE_CHECKING:
    from collections.abc import Callable

Asked = TypeVar("Asked")
Given = TypeVar("Given")

TO_THE_TOP = "<script>document.querySelector('[data-testid=\"stMain\"]')?.scrollTo({top: 0});</script>"

POLL_S = 0.5
SHOW_S = 0.2


@dataclass(frozen=True)
class Kind:
    """What is said of a kind of job."""

    noun: str  # what the work is, at the start of a sentence
    page_title: str  # the page that shows its result
    url_path: str  # the page that shows its result
    # ``kept(result, where)`` says what there is of a job that was cancelled; the result may be None
    kept: Callable[[Any, str], str]
    # draws what there is of the result of a job that runs, on the page of the job
    live: Callable[[Job], None] = lambda job: None


def _kept_of_comparison(result: Any, where: str) -> str:
    if result is None or not (result.stopped_runs or result.best_run()):
        return "It had no result yet."
    if result.best_run() is None:
        return f"No run was done, but the best splits until then are {where}."
    splits = ", with the best splits of the runs that were stopped" if result.stopped_runs else ""
    return f"What was done until then is {where}{splits}."


def _kept_of_paper(result: Any, where: str) -> str:
    if result is None or result.n_done == 0:
        return "No run was done yet."
    return f"What was done until then is {where}; press Run to go on from there."


def _kept_of_check(result: Any, where: str) -> str:
    return "Nothing was changed." if result is None else f"What was found is {where}."


def _kept_of_impact(result: Any, where: str) -> str:
    return "Nothing of it is kept." if result is None else f"What was found is {where}."


def _live_comparison(job: Job) -> None:
    from optisplit.ui.compare import live  # with pandas, for which no page need wait

    live.show(job)


KINDS = {
    "compare": Kind("The comparison", "Compare", "", _kept_of_comparison, _live_comparison),
    "check": Kind("The check", "Check", "check", _kept_of_check),
    "repair": Kind("The repair", "Check", "check", _kept_of_check),
    "paper": Kind("The paper's re-run", "The paper", "paper", _kept_of_paper),
    "impact": Kind("The study", "Does it matter?", "impact", _kept_of_impact),
    "lesson": Kind("The lesson's splitting", "Learn", "learn", _kept_of_impact),
    "impact_parts": Kind("The study of parts", "Does it matter?", "impact", _kept_of_impact),
}
"""The kinds of jobs that pages start."""


def current_job() -> Job | None:
    """Find this session's latest job."""
    owner = owner_id()  # first, since it may adopt a job
    return MANAGER.get(st.session_state.get(keys.JOB_ID, ""), owner)


def adopt_from_address() -> Job | None:
    """Take over the job that the address names, after a reload, and keep the address naming it."""
    job = current_job()
    if job is not None:
        st.query_params[keys.JOB_IN_ADDRESS] = job.id
    elif keys.JOB_IN_ADDRESS in st.query_params:
        del st.query_params[keys.JOB_IN_ADDRESS]
    return job


def shown_job(kind: str) -> Job | None:
    """Find the job whose result is to be seen: the latest of its kind that has one."""
    return MANAGER.latest(owner_id(), kind)


def is_busy() -> bool:
    """Tell whether this session has work that waits or runs."""
    job = current_job()
    return job is not None and job.is_active


def start(kind: str, function: Work, request: Any, details: Any = None, *, wait_s: float = 0.0) -> None:
    """Start a job for this session, and draw the page anew when it has ended or the time to wait is over.

    Whoever starts one has seen how the file was read.
    """
    st.session_state.pop(keys.JUST_READ, None)
    job = MANAGER.submit(owner_id(), kind, function, request, details)
    st.session_state[keys.JOB_ID] = job.id
    job.ended.wait(wait_s)
    st.rerun()


def to_the_top(job: Job, key: str) -> None:
    """Go to the top of the page where a job's result is drawn for the first time, which `key` remembers."""
    if st.session_state.get(key) != job.id:
        st.session_state[key] = job.id
        st.html(TO_THE_TOP, unsafe_allow_javascript=True)


def wait_for(function: Callable[[Asked, OnReport], Given], request: Asked, show: OnReport | None = None) -> Given:
    """Have the pool do what the page cannot go on without.

    What is raised there is raised here. `show` is called every now and then; where it ends the run of the page, as
    anything that draws may do, the work ends too.
    """
    job = PAGES.submit(owner_id(), "page", function, request)
    try:
        while not job.ended.wait(SHOW_S):
            if show is not None:
                show(job.fraction, job.message)
    finally:
        PAGES.forget(job)
    if job.failure is not None:
        raise job.failure
    given: Given = job.result
    return given


def show(url_path: str) -> None:
    """Show the job, if there is one; what became of it is news on other pages until it was seen on its own."""
    job = current_job()
    if job is None:
        return
    kind = KINDS[job.kind]
    is_own_page = url_path == kind.url_path
    if is_own_page and not job.is_active:
        st.session_state[keys.JOB_SEEN] = job.id
    elif st.session_state.get(keys.JOB_SEEN) == job.id:
        return
    if job.is_active:
        _live(is_own_page=is_own_page)
    elif job.state == "failed":
        problem = job.failure if isinstance(job.failure, OptisplitError) else job.error
        st.error(f"{kind.noun} failed. {said(problem)}", icon=":material/error:")
    elif job.state == "cancelled":
        where = "below" if is_own_page else f"on the page {kind.page_title}"
        kept = kind.kept(job.result, where)
        how = f"Stopped after {job.elapsed_s:.0f} s. {job.stopped_because}" if job.stopped_because else (
            f"Cancelled after {job.elapsed_s:.0f} s." if job.started_at else "Cancelled before it began."
        )  # fmt: skip
        if not is_own_page:
            how = f"{kind.noun}: {how[0].lower()}{how[1:]}"
        st.warning(f"{md(how)} {kept}", icon=":material/cancel:")
    elif not is_own_page:
        st.success(f"{kind.noun} is ready on the page {kind.page_title}.", icon=":material/check_circle:")


@st.fragment(run_every=POLL_S)
def _live(*, is_own_page: bool) -> None:
    job = current_job()
    if job is None or not job.is_active:
        st.rerun()  # the whole app: the page shows the result and polling ends
    if job.cancel_asked.is_set():
        text = "Cancelling …"
    elif job.state == "waiting":
        n_ahead = MANAGER.n_ahead(job)
        text = f"{counted(n_ahead, 'job')} before yours on this server" if n_ahead else "Yours is next"
    else:
        text = f"{job.message or 'Starting'} · {job.elapsed_s:.0f} s"
    with st.container(horizontal=True, vertical_alignment="bottom", key="job_panel"):
        st.progress(min(1.0, job.fraction), text=md(text), width="stretch")
        st.button(
            "Cancel",
            key="cancel_job",
            icon=":material/cancel:",
            disabled=job.cancel_asked.is_set(),
            on_click=MANAGER.cancel,
            args=(job,),
        )
    if is_own_page:
        KINDS[job.kind].live(job)
