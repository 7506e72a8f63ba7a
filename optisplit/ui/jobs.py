"""The work that the app does in the background, without Streamlit: bounded pools, each job its owner's alone.

What a job does is a function of some module, ``(request, report) -> result``. Request and result are plain records and
arrays that can be pickled: today jobs run on threads, and nothing of them stands in the way of other processes.
Owners take turns: whoever queues five jobs does not hold up somebody who queues one.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from optisplit.errors import Cancelled, OptisplitError, SplitWarning
from optisplit.text import counted
from optisplit.ui import limits
from optisplit.ui.server_log import where
from optisplit.ui.spelling import in_app

OnReport: TypeAlias = Callable[[float, str], None]
"""Work calls this often, with how far it is, from 0 to 1, and what it does; it raises Cancelled to end the work."""

Work: TypeAlias = Callable[[Any, OnReport], Any]
State: TypeAlias = Literal["waiting", "running", "done", "failed", "cancelled"]

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Job:
    """One piece of work."""

    id: str  # not to be guessed: whoever knows it can take the job over once its owner is gone
    owner: str  # the browser session that it belongs to
    kind: str  # what it is for, such as "compare"
    function: Work
    request: Any = None  # what the function is given
    details: Any = None  # what the page wants to remember beside the request; it stays in this process
    state: State = "waiting"
    fraction: float = 0.0
    message: str = ""
    so_far: Any = None  # what there is of the result before the end
    result: Any = None
    failure: BaseException | None = None
    stopped_because: str = ""
    started_at: float | None = None
    ended_at: float | None = None
    orphaned_at: float | None = None
    cancel_asked: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def is_active(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in ("waiting", "running")

    @property
    def elapsed_s(self) -> float:
        """Seconds that it has run for."""
        if self.started_at is None:
            return 0.0
        return (self.ended_at or time.monotonic()) - self.started_at

    @property
    def error(self) -> str:
        """Why it failed, in words for people; what is not known beforehand may quote data, and is not quoted."""
        if self.failure is None:
            return ""
        if isinstance(self.failure, OptisplitError):
            return self.failure.worded(in_app)
        if isinstance(self.failure, MemoryError):
            return "The server ran out of memory. Try fewer methods at a time, or smaller data."
        return f"An unexpected fault ({type(self.failure).__name__}). The server's log says where."

    def report(self, fraction: float, message: str) -> None:
        """Note how far the work is."""
        if self.cancel_asked.is_set():
            raise Cancelled
        self.fraction, self.message = fraction, message


@dataclass(frozen=True, eq=False)
class Reporter:
    """What work is given to report with."""

    job: Job

    def __call__(self, fraction: float, message: str) -> None:
        """Say how far the work is."""
        self.job.report(fraction, message)

    def keep(self, so_far: Any) -> None:
        """Hand over what there is of the result."""
        self.job.so_far = so_far


class JobQueueFull(OptisplitError):  # noqa: N818 - says what the user sees
    """Raised when the server, or the session, has more work than it can take on."""


class JobManager:
    """Run jobs on a few daemon threads, so that the server can always be stopped.

    - The next job is one of the owner with the fewest running ones; of these, of the one whose last turn is longest
      ago; of that one's jobs, the first.
    - Whatever a job raises, its thread lives on, and the log says where but nothing of the data.
    """

    def __init__(
        self,
        n_workers: int = 1,  # jobs that run at a time
        max_active: int = 40,  # most that wait or run, over all owners
        *,
        max_per_owner: int = 5,
        n_kept: int = 10,  # ended jobs of each owner whose results are kept
        time_limit_s: float | None = None,  # most seconds for a job to run
    ) -> None:
        self._max_active, self._max_per_owner, self._n_kept = max_active, max_per_owner, n_kept
        self._time_limit_s = time_limit_s
        self._n_workers = n_workers
        self._jobs: dict[str, Job] = {}
        self._waiting: list[Job] = []
        self._turns: dict[str, int] = {}
        self._n_turns = 0
        self._changed = threading.Condition()
        for number in range(n_workers):
            threading.Thread(target=self._work, name=f"optisplit-job-{number}", daemon=True).start()

    def submit(self, owner: str, kind: str, function: Work, request: Any = None, details: Any = None) -> Job:
        """Queue a job."""
        with self._changed:
            active = [job for job in self._jobs.values() if job.is_active]
            if len(active) >= self._max_active:
                msg = f"The server is busy: {len(active)} jobs wait or run already. Try again in a while."
                raise JobQueueFull(msg)
            n_own = sum(job.owner == owner for job in active)
            if n_own >= self._max_per_owner:
                msg = f"{n_own} jobs of yours wait or run already; wait for one to end, or cancel it."
                raise JobQueueFull(msg)
            job = Job(uuid.uuid4().hex, owner, kind, function, request, details)
            self._jobs[job.id] = job
            self._waiting.append(job)
            self._drop_old(owner)
            self._changed.notify()
        return job

    def get(self, job_id: str, owner: str) -> Job | None:
        """Find an owner's job."""
        job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def latest(self, owner: str, kind: str) -> Job | None:
        """Find an owner's latest job of a kind that has a result."""
        with self._changed:
            jobs = list(self._jobs.values())
        mine = (job for job in reversed(jobs) if job.owner == owner and job.kind == kind and job.result is not None)
        return next(mine, None)

    def n_ahead(self, job: Job) -> int:
        """Count the jobs that will begin before this one, as things stand, and those that run."""
        with self._changed:
            if job not in self._waiting:
                return 0
            waiting = list(self._waiting)
            running = [each for each in self._jobs.values() if each.state == "running"]
            turns, n_turns = dict(self._turns), self._n_turns
            # one at a time, each in the place of a running one that has ended
            busy = [each.owner for each in running]
            n_ahead = len(running)
            while True:
                busy = busy[len(busy) - self._n_workers + 1 :] if len(busy) >= self._n_workers else busy
                chosen = _next_of(waiting, busy, turns)
                if chosen is job:
                    return n_ahead
                waiting.remove(chosen)
                busy.append(chosen.owner)
                n_turns += 1
                turns[chosen.owner] = n_turns
                n_ahead += 1

    def cancel(self, job: Job, because: str = "") -> None:
        """End a job: at once where it waits, and when it next reports where it runs."""
        with self._changed:
            if not job.is_active:
                return
            job.stopped_because = job.stopped_because or because
            job.cancel_asked.set()
            if job in self._waiting:
                self._waiting.remove(job)
                job.state, job.ended_at = "cancelled", time.monotonic()
                job.ended.set()

    def orphan(self, owner: str, grace_s: float, keep_s: float | None = None) -> None:
        """Note that a session is gone: its jobs end unless somebody adopts them soon (a reload does)."""
        now = time.monotonic()
        with self._changed:
            left = [job for job in self._jobs.values() if job.owner == owner]
            for job in left:
                job.orphaned_at = now

        def is_left(job: Job) -> bool:
            return job.orphaned_at == now

        def end() -> None:
            for job in filter(is_left, left):
                self.cancel(job)

        def forget() -> None:
            for job in filter(is_left, left):
                self.forget(job)
            left.clear()

        if left:
            _later(grace_s, end)
            if keep_s is not None:
                _later(max(keep_s, grace_s), forget)

    def adopt(self, owner: str, job_id: str = "") -> Job | None:
        """Take an owner's jobs back, and an orphan by its id."""
        with self._changed:
            for job in self._jobs.values():
                if job.owner == owner or (job.id == job_id and job.orphaned_at is not None):
                    job.owner, job.orphaned_at = owner, None
        return self.get(job_id, owner)

    def forget(self, job: Job) -> None:
        """Let go of a job and its result; of one that runs, as soon as it ends."""
        self.cancel(job)
        with self._changed:
            self._jobs.pop(job.id, None)
            self._forget_turn(job.owner)

    def _forget_turn(self, owner: str) -> None:
        if not any(job.owner == owner for job in self._jobs.values()):
            self._turns.pop(owner, None)

    def _drop_old(self, owner: str) -> None:
        ended = [job for job in self._jobs.values() if job.owner == owner and not job.is_active]
        for old in ended[: max(0, len(ended) - self._n_kept)]:
            del self._jobs[old.id]

    def _work(self) -> None:
        while True:
            self._run(self._take())

    def _take(self) -> Job:
        with self._changed:
            while not self._waiting:
                self._changed.wait()
            busy = [job.owner for job in self._jobs.values() if job.state == "running"]
            job = _next_of(self._waiting, busy, self._turns)
            self._waiting.remove(job)
            self._n_turns += 1
            self._turns[job.owner] = self._n_turns
            job.started_at, job.state = time.monotonic(), "running"
            return job

    def _run(self, job: Job) -> None:
        limit = None
        if self._time_limit_s is not None:
            minutes, seconds = divmod(self._time_limit_s, 60)
            length = counted(int(minutes), "minute") if not seconds else f"{self._time_limit_s:g} seconds"
            because = f"It reached this server's limit of {length} for a job."
            limit = _later(self._time_limit_s, lambda: self.cancel(job, because))
        state: State = "failed"
        warnings.filterwarnings("ignore", category=SplitWarning)  # what a form has said already
        try:
            job.result = job.function(job.request, Reporter(job))
            state = "cancelled" if job.cancel_asked.is_set() else "done"
        except Cancelled:
            state = "cancelled"
        except BaseException as error:  # the worker must live on whatever a job does
            job.failure = error
            if not isinstance(error, OptisplitError):
                what = "ran out of memory" if isinstance(error, MemoryError) else "failed"
                logger.error("job %s %s: %s", job.kind, what, where(error))
        finally:
            if limit is not None:
                limit.cancel()
            with self._changed:
                job.so_far = None
                job.ended_at = time.monotonic()
                job.state = state
                self._forget_turn(job.owner)
            job.ended.set()


def _next_of(waiting: list[Job], busy: list[str], turns: dict[str, int]) -> Job:
    """Choose whose turn it is; of equals, who came first."""
    return min(waiting, key=lambda job: (busy.count(job.owner), turns.get(job.owner, 0)))


def _later(seconds: float, do: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, do)
    timer.daemon = True
    timer.start()
    return timer


MANAGER = JobManager(
    limits.JOB_WORKERS,
    limits.MAX_JOBS,
    max_per_owner=limits.MAX_JOBS_PER_SESSION,
    time_limit_s=limits.JOB_TIME_LIMIT_S,
)
"""The server's one manager of what people start and may leave alone: modules are imported once, whatever pages do."""

PAGES = JobManager(4, max_active=1000, max_per_owner=100)
"""For what a page waits for, which is short and must not stand behind a comparison of an hour."""
