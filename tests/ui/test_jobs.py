"""Background jobs: whose turn it is, how they end, and who may see them."""

from __future__ import annotations

import gc
import logging
import threading
import time
import weakref

import pytest

from optisplit.errors import Cancelled, OptionError, OptisplitError
from optisplit.ui import limits
from optisplit.ui.jobs import JobManager, JobQueueFull

SOON_S = 10.0


def until(condition):
    deadline = time.monotonic() + SOON_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.002)


class Gate:
    """Work that goes on until it is let through; it takes note of the order in which jobs begin."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.open = threading.Event()

    def work(self, request, report) -> str:
        self.begun.append(str(request))
        while not self.open.is_set():
            report(0.5, "at the gate")
            time.sleep(0.002)
        return f"result of {request}"


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


def test_owners_take_turns_whatever_they_queue(gate):
    manager = JobManager()
    first = manager.submit("a", "compare", gate.work, "a1")
    until(lambda: gate.begun == ["a1"])
    queued = [manager.submit("a", "compare", gate.work, f"a{number}") for number in (2, 3, 4)]
    other = manager.submit("b", "compare", gate.work, "b1")
    third = manager.submit("c", "compare", gate.work, "c1")
    assert [manager.n_ahead(job) for job in (other, third, *queued)] == [1, 2, 3, 4, 5]
    assert manager.n_ahead(first) == 0
    gate.open.set()
    until(lambda: not queued[-1].is_active)
    assert gate.begun == ["a1", "b1", "c1", "a2", "a3", "a4"]


def test_who_had_a_turn_lately_comes_after_who_had_not(gate):
    manager = JobManager()
    for owner in "ab":
        job = manager.submit(owner, "compare", lambda request, report: "quick", f"{owner}0")
        until(lambda job=job: job.state == "done")
    manager.submit("c", "compare", gate.work, "c1")
    until(lambda: gate.begun == ["c1"])
    jobs = [manager.submit(owner, "compare", gate.work, f"{owner}1") for owner in "ba"]
    gate.open.set()
    until(lambda: not any(job.is_active for job in jobs))
    assert gate.begun == ["c1", "a1", "b1"]


def test_with_two_workers_an_owner_has_both_only_while_nobody_else_waits(gate):
    manager = JobManager(n_workers=2)
    manager.submit("a", "compare", gate.work, "a1")
    until(lambda: len(gate.begun) == 1)
    # with the second worker free, b's comes before a's second one whichever is there first
    with manager._changed:
        two = manager.submit, ("a", "compare", gate.work, "a2"), ("b", "compare", gate.work, "b1")
        jobs = [two[0](*two[1]), two[0](*two[2])]
    until(lambda: len(gate.begun) == 2)
    assert gate.begun == ["a1", "b1"]
    assert manager.n_ahead(jobs[0]) == 2


def test_no_more_than_the_server_and_the_session_may_have(gate):
    manager = JobManager(max_active=3, max_per_owner=2)
    manager.submit("a", "compare", gate.work)
    manager.submit("a", "compare", gate.work)
    with pytest.raises(
        JobQueueFull, match=r"^2 jobs of yours wait or run already; wait for one to end, or cancel it\.$"
    ):
        manager.submit("a", "compare", gate.work)
    manager.submit("b", "compare", gate.work)
    with pytest.raises(
        JobQueueFull, match=r"^The server is busy: 3 jobs wait or run already\. Try again in a while\.$"
    ):
        manager.submit("c", "compare", gate.work)


def test_a_waiting_job_is_cancelled_at_once_and_never_begins(gate):
    manager = JobManager()
    running = manager.submit("a", "compare", gate.work, "a1")
    until(lambda: gate.begun)
    waiting, behind = (manager.submit(owner, "compare", gate.work, owner) for owner in "bc")
    assert manager.n_ahead(behind) == 2
    manager.cancel(waiting)
    assert (waiting.state, waiting.started_at) == ("cancelled", None)
    assert manager.n_ahead(behind) == 1
    gate.open.set()
    until(lambda: behind.state == "done")
    assert gate.begun == ["a1", "c"]
    manager.cancel(running)  # over already: nothing changes
    assert (running.state, running.cancel_asked.is_set()) == ("done", False)


def test_a_job_that_takes_too_long_is_stopped_with_the_reason(gate):
    manager = JobManager(time_limit_s=0.05)
    job = manager.submit("a", "compare", gate.work)
    until(lambda: not job.is_active)
    assert job.state == "cancelled"
    assert job.stopped_because == "It reached this server's limit of 0.05 seconds for a job."
    quick = manager.submit("a", "compare", lambda request, report: "done")
    until(lambda: quick.state == "done")
    assert quick.stopped_because == ""


class Marked(BaseException):
    pass


def fail(error):
    def work(request, report):
        marked_local = "SECRETVALUE"
        assert marked_local
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "said", "logged"),
    [
        (OptisplitError("what the user did"), "what the user did", ""),
        (
            KeyError("SECRETLABEL"),
            "An unexpected fault (KeyError). The server's log says where.",
            "failed: KeyError < ",
        ),
        (
            MemoryError("SECRET"),
            "The server ran out of memory. Try fewer methods at a time, or smaller data.",
            "memory",
        ),
        (
            Marked("SECRET"),
            "An unexpected fault (Marked). The server's log says where.",
            "failed: Marked < test_jobs.py",
        ),
        (SystemExit("SECRET"), "An unexpected fault (SystemExit). The server's log says where.", "SystemExit"),
    ],
)
def test_whatever_a_job_raises_is_said_in_words_and_the_next_one_runs(caplog, error, said, logged):
    manager = JobManager()
    with caplog.at_level(logging.DEBUG):
        job = manager.submit("a", "compare", fail(error))
        until(lambda: not job.is_active)
    assert (job.state, job.error, job.result) == ("failed", said, None)
    assert logged in caplog.text
    assert "SECRET" not in caplog.text
    after = manager.submit("a", "compare", lambda request, report: 1)
    until(lambda: after.state == "done")


def test_a_job_is_only_its_owners(gate):
    manager = JobManager()
    job = manager.submit("a", "compare", gate.work)
    assert manager.get(job.id, "a") is job
    for owner in ("b", "", job.id):
        assert manager.get(job.id, owner) is None
        assert manager.adopt(owner, job.id) is None  # it is not orphaned
    gate.open.set()
    until(lambda: job.state == "done")
    assert manager.latest("a", "compare") is job
    assert manager.latest("b", "compare") is None
    assert manager.latest("a", "check") is None
    other = manager.submit("a", "compare", gate.work)
    assert len({job.id, other.id}) == 2
    assert len(job.id) == 32


def test_an_orphan_goes_on_where_its_id_is_named_in_time(gate):
    manager = JobManager()
    job = manager.submit("a", "compare", gate.work)
    until(lambda: gate.begun)
    manager.orphan("a", 0.05)
    assert manager.adopt("b", "0" * 32) is None
    assert manager.adopt("b", job.id) is job
    assert manager.get(job.id, "a") is None
    time.sleep(0.1)
    assert job.state == "running"
    manager.orphan("b", 0.01)
    until(lambda: job.state == "cancelled")


class Result:
    pass


def test_the_results_of_a_session_that_is_gone_are_let_go():
    manager = JobManager()
    gone, there = (manager.submit(owner, "compare", lambda request, report: Result(), Result()) for owner in "ab")
    until(lambda: there.state == "done")
    results, job_id = [weakref.ref(gone.result), weakref.ref(gone.request)], gone.id
    manager.orphan("a", 0.0, 0.05)
    del gone
    until(lambda: gc.collect() >= 0 and all(each() is None for each in results))
    assert manager.adopt("c", job_id) is None
    assert manager.latest("b", "compare") is there


def test_a_running_job_of_a_session_that_is_gone_is_let_go_when_it_ends(gate):
    manager = JobManager()
    job = manager.submit("a", "compare", gate.work, Result())
    until(lambda: gate.begun)
    request = weakref.ref(job.request)
    manager.orphan("a", 0.0, 0.0)
    del job
    until(lambda: gc.collect() >= 0 and request() is None)
    assert not manager._jobs


def test_each_owner_keeps_its_last_results():
    manager = JobManager(n_kept=2)
    jobs = []
    for owner in "aaaab":
        jobs.append(manager.submit(owner, "compare", lambda request, report: "made"))
        until(lambda: not jobs[-1].is_active)
    kept = [manager.get(job.id, job.owner) is job for job in jobs]
    assert kept == [False, True, True, True, True]  # the oldest goes when another one is queued


def test_cancelled_work_may_still_have_a_result(gate):
    def work(request, report):
        try:
            return gate.work(request, report)
        except Cancelled:
            return "what there was"

    manager = JobManager()
    job = manager.submit("a", "compare", work)
    until(lambda: gate.begun)
    manager.cancel(job)
    until(lambda: not job.is_active)
    assert (job.state, job.result) == ("cancelled", "what there was")
    assert manager.latest("a", "compare") is job


# What operators may set


def test_a_limit_that_is_not_set_is_the_default(monkeypatch):
    monkeypatch.delenv("OPTISPLIT_MAX_JOBS", raising=False)
    assert limits.number_from("OPTISPLIT_MAX_JOBS", 40) == 40
    monkeypatch.setenv("OPTISPLIT_MAX_JOBS", " ")
    assert limits.number_from("OPTISPLIT_MAX_JOBS", 40) == 40
    monkeypatch.setenv("OPTISPLIT_MAX_JOBS", "7")
    assert limits.number_from("OPTISPLIT_MAX_JOBS", 40) == 7


@pytest.mark.parametrize("text", ["many", "0", "-1", "nan", "inf"])
def test_a_limit_that_is_none_is_refused(monkeypatch, text):
    monkeypatch.setenv("OPTISPLIT_MAX_JOBS", text)
    match = rf"^OPTISPLIT_MAX_JOBS='{text}' must be a number from 1; correct it, or leave it out for 40\.$"
    with pytest.raises(OptionError, match=match):
        limits.number_from("OPTISPLIT_MAX_JOBS", 40)
