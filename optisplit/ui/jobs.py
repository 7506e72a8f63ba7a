"""Background jobs, without Streamlit: a bounded pool for the whole server, each job its owner's alone."""

from __future__ import annotations

import logging
import queue
import threading
import time
import traceback
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from optisplit.errors import Cancelled, OptisplitError

State: TypeAlias = Literal["waiting", "running", "done", "failed", "cancelled"]

logger = logging.getLogger(__name__)


@dataclass
class Job:
    """One piece of work.

    Parameters
    ----------
    id : str
        Not to be guessed: whoever knows it can take the job over once its owner is gone.
    owner : str
        The browser session that it belongs to.
    kind : str
        What it is for, such as "compare".
    details : Any
        What the page that asked for it wants to remember of it.
    """

    id: str
    owner: str
    kind: str
    details: Any = None
    state: State = "waiting"
    fraction: float = 0.0
    message: str = ""
    result: Any = None
    error: str = ""
    started_at: float | None = None
    ended_at: float | None = None
    orphaned_at: float | None = None
    cancel_asked: threading.Event = field(default_factory=threading.Event)

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

    def report(self, fraction: float, message: str) -> None:
        """Note how far the work is; the work calls this often.

        Parameters
        ----------
        fraction : float
            Part done, from 0 to 1.
        message : str
            What is going on.

        Raises
        ------
        Cancelled
            If the work is to stop.
        """
        if self.cancel_asked.is_set():
            raise Cancelled
        self.fraction, self.message = fraction, message


Work: TypeAlias = Callable[[Job], Any]


class JobQueueFull(OptisplitError):  # noqa: N818 - says what the user sees
    """Raised when the server has more work than it can take on."""


class JobManager:
    """Run jobs on a few daemon threads, so that the server can always be stopped.

    Parameters
    ----------
    n_workers : int, default=1
        Jobs that run at a time.
    max_active : int, default=8
        Most jobs waiting or running, over all owners.
    n_kept : int, default=20
        Ended jobs whose results are kept.
    """

    def __init__(self, n_workers: int = 1, max_active: int = 8, n_kept: int = 20) -> None:
        self._max_active, self._n_kept = max_active, n_kept
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._queue: queue.SimpleQueue[tuple[Job, Work]] = queue.SimpleQueue()
        for number in range(n_workers):
            threading.Thread(target=self._work, name=f"optisplit-job-{number}", daemon=True).start()

    def submit(self, owner: str, kind: str, work: Work, details: Any = None) -> Job:
        """Queue a job.

        Parameters
        ----------
        owner : str
            The browser session.
        kind : str
            What it is for.
        work : callable
            ``work(job) -> result``; calls ``job.report`` often.
        details : Any, optional
            What to remember of it.

        Returns
        -------
        Job
            The job.

        Raises
        ------
        JobQueueFull
            If too many jobs wait or run.
        """
        with self._lock:
            n_active = sum(job.is_active for job in self._jobs.values())
            if n_active >= self._max_active:
                msg = f"The server is busy: {n_active} jobs wait or run already. Try again in a while."
                raise JobQueueFull(msg)
            job = Job(uuid.uuid4().hex, owner, kind, details)
            self._jobs[job.id] = job
            ended = [each for each in self._jobs.values() if not each.is_active]
            for old in ended[: max(0, len(ended) - self._n_kept)]:
                del self._jobs[old.id]
        self._queue.put((job, work))
        return job

    def get(self, job_id: str, owner: str) -> Job | None:
        """Find an owner's job.

        Parameters
        ----------
        job_id, owner : str
            The job and who asks.

        Returns
        -------
        Job or None
            The job; None where there is none, or it is somebody else's.
        """
        job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def latest(self, owner: str, kind: str) -> Job | None:
        """Find an owner's latest job of a kind that has a result.

        Parameters
        ----------
        owner, kind : str
            Who asks, and for what.

        Returns
        -------
        Job or None
            The job; None where there is none.
        """
        with self._lock:
            jobs = list(self._jobs.values())
        mine = (job for job in reversed(jobs) if job.owner == owner and job.kind == kind and job.result is not None)
        return next(mine, None)

    def n_ahead(self, job: Job) -> int:
        """Count the jobs that will run before this one.

        Parameters
        ----------
        job : Job
            A waiting job.

        Returns
        -------
        int
            Active jobs submitted earlier.
        """
        with self._lock:
            earlier = list(self._jobs.values())
        return sum(each.is_active for each in earlier[: earlier.index(job)]) if job in earlier else 0

    def orphan(self, owner: str, grace_s: float) -> None:
        """Note that a session is gone: its jobs end unless somebody adopts them soon (a reload does).

        Parameters
        ----------
        owner : str
            The session.
        grace_s : float
            Seconds to wait.
        """
        now = time.monotonic()
        with self._lock:
            left = [job for job in self._jobs.values() if job.owner == owner]
            for job in left:
                job.orphaned_at = now

        def end() -> None:
            for job in left:
                if job.orphaned_at == now:
                    job.cancel_asked.set()

        if left:
            timer = threading.Timer(grace_s, end)
            timer.daemon = True
            timer.start()

    def adopt(self, owner: str, job_id: str = "") -> Job | None:
        """Take an owner's jobs back, and an orphan by its id.

        Parameters
        ----------
        owner : str
            The session.
        job_id : str, default=""
            A job that the session's address names.

        Returns
        -------
        Job or None
            The job of that id, where it is this owner's now.
        """
        with self._lock:
            for job in self._jobs.values():
                if job.owner == owner or (job.id == job_id and job.orphaned_at is not None):
                    job.owner, job.orphaned_at = owner, None
        return self.get(job_id, owner)

    def _work(self) -> None:
        while True:
            self._run(*self._queue.get())

    def _run(self, job: Job, work: Work) -> None:
        if job.cancel_asked.is_set():
            job.state = "cancelled"
            return
        job.started_at, job.state = time.monotonic(), "running"
        state: State = "failed"
        try:
            job.result = work(job)
            state = "cancelled" if job.cancel_asked.is_set() else "done"
        except Cancelled:
            state = "cancelled"
        except OptisplitError as error:
            job.error = str(error)
        except Exception as error:  # the worker must live on whatever a job does
            logger.error("job %s failed:\n%s", job.kind, traceback.format_exc())
            job.error = f"An unexpected fault ({type(error).__name__}). The server's log has the details."
        finally:
            job.ended_at = time.monotonic()
            job.state = state


MANAGER = JobManager()
"""The server's one manager: modules are imported once, whatever the pages do."""
