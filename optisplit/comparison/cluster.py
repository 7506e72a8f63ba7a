"""The runs of a comparison on a Dask cluster.

Dask decides which worker does which run, and does those of a dead worker again on another. What is done here is to
send the data, once to each worker process, to start and stop runs, and to hear of them. It goes through Dask's own
client: joblib's Dask backend waits for ever for a run whose worker process dies each time, and cannot stop one that is
running.
"""

from __future__ import annotations

import importlib.util
import pickle
import queue
import threading
import time
import uuid
from concurrent.futures import CancelledError, wait
from concurrent.futures import Future as Outcome
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from optisplit.comparison.runs import Plan, Run, Task, Tracker, prepare, run_not_done, run_one
from optisplit.errors import Cancelled, OptionError, OptisplitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from distributed import Client, Future

BACKENDS = ("dask",)

CONNECT_S = 5.0
"""Seconds to wait for the scheduler."""
WORKERS_S = 30.0
"""Seconds to wait for a worker, at the start and whenever all are gone: as long as a new one may take to start."""
REPORT_S = 0.5
"""Seconds between a run's reports, which is also how soon it notices that it is to stop."""
POLL_S = 0.25
"""Seconds between calls of on_progress when there is no news: how soon a cancel is noticed."""
LOOK_S = 2.0
"""Seconds between looks whether there still are workers."""
ANSWER_S = 60.0
"""Seconds that one answer of the scheduler may take: Dask itself would wait for ever for some."""
STOP_S = 10.0
"""Seconds that running work gets to stop and hand in the best split so far."""
DIED = "its worker process died each time, perhaps for lack of memory"

TOPIC = "optisplit"
"""Dask's event log that runs report to."""


def check_backend(backend: str | None, cluster: str | None, n_jobs: int | None) -> None:
    """Check where a comparison is to run, before anything is done."""
    if backend is None:
        if cluster is not None:
            msg = f"cluster={cluster!r} is where a backend runs; give backend='dask' with it."
            raise OptionError(msg)
        return
    if backend not in BACKENDS:
        msg = "backend"
        raise OptionError.unknown(msg, str(backend), BACKENDS)
    if n_jobs is not None:
        msg = f"n_jobs={n_jobs} is for threads here; on a cluster, start workers with as many threads (--nthreads)."
        raise OptionError(msg)
    if importlib.util.find_spec("distributed") is None:
        msg = (
            "backend='dask' needs the package distributed, which is not installed.\n"
            'Hint: pip install "dask[distributed]"'
        )
        raise OptionError(msg)
    if cluster is None and _current_client() is None:
        msg = (
            "backend='dask' needs a cluster, and there is no current distributed.Client; give its scheduler's address, "
            "such as cluster='tcp://host:8786'."
        )
        raise OptionError(msg)


def run_on_cluster(plan: Plan, tracker: Tracker, address: str | None) -> list[Run]:
    """Do all runs of a comparison on the workers of a Dask cluster."""
    with _connected(address) as client:
        return _Comparison(client, plan, tracker).run()


class _Shipment:
    """A plan on its way to a worker, where it is unpacked once.

    Pickled in one piece: Dask would send arrays on their own and hand them over where they lie in its buffer, which
    need not be aligned, and for such arrays kernels are compiled once more and are slower.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __getstate__(self) -> bytes:
        import cloudpickle  # unlike pickle, it takes the code of a user's own method along

        packed: bytes = cloudpickle.dumps(self.plan)
        return packed

    def __setstate__(self, packed: bytes) -> None:
        self.plan = pickle.loads(packed)


class _Comparison:
    """One comparison on a cluster, as this process sees it."""

    def __init__(self, client: Client, plan: Plan, tracker: Tracker) -> None:
        self._client = client
        self._plan = plan
        self._tracker = tracker
        self._id = uuid.uuid4().hex
        self._news: queue.SimpleQueue[tuple[Task, float] | None] = (
            queue.SimpleQueue()
        )  # how far runs are; None: one ended
        self._open: dict[Task, Future] = {}
        self._started: set[Task] = set()
        self._runs: list[Run] = []
        self._looked_at = self._last_worker = time.monotonic()

    def run(self) -> list[Run]:
        """Do all runs."""
        try:
            self._tracker.tell("Sending the data to the workers")
            data = self._send()
        except Cancelled:
            return [run_not_done(self._plan, task, "cancelled") for task in self._plan.tasks]
        self._ask(self._start, data)
        stop = None
        end = float("inf")
        while self._open and time.monotonic() < end:
            with suppress(Cancelled):  # the tracker remembers it
                self._wait()
            if stop is None and self._tracker.cancelled.is_set():
                stop = _stop_flag(self._id, self._client)
                self._ask(stop.set)
                end = time.monotonic() + STOP_S
        if stop is not None:
            self._ask(stop.clear)  # else the scheduler would keep it
        for task in list(self._open):  # these notice that nobody wants them any more
            self._end(run_not_done(self._plan, task, "cancelled"))
        return self._runs

    def _send(self) -> Future:
        """Send the data to all workers; Dask makes anew what is lost with a worker."""
        import dask

        def unpack(packed: bytes) -> Any:  # code is sent, and not the name of a place: the scheduler needs no optisplit
            return pickle.loads(packed)

        with dask.config.set({"distributed.admin.large-graph-warning-threshold": 2**60}):  # it is meant to be large
            data = self._client.submit(unpack, pickle.dumps(_Shipment(self._plan)), key=f"optisplit-data-{self._id}")
        sent = _in_background(self._client.replicate, [data])
        while not sent.done():
            self._tracker.tell()
            self._look()
            wait([sent], timeout=POLL_S)
        self._ask(sent.result)
        return data

    def _start(self, data: Future) -> None:
        """Submit the runs."""

        def call(*work: Any) -> Run:  # sent as code, too
            from optisplit.comparison.cluster import run_on_worker

            return run_on_worker(*work)

        self._tracker.n_at_a_time = max(1, sum(self._client.ncores().values()))
        tasks = {f"optisplit-{key}-{seed}-{self._id}": (key, seed) for key, seed in self._plan.tasks}
        self._client.subscribe_topic(TOPIC, lambda event: self._hear(tasks.get(event[1][0]), event[1][1]))
        for place, (key, task) in enumerate(tasks.items()):
            self._open[task] = self._client.submit(call, data, task, key, self._id, key=key, priority=-place)
            self._open[task].add_done_callback(lambda _: self._news.put(None))

    def _hear(self, task: Task | None, fraction: float) -> None:
        if task is not None:  # else somebody else's
            self._news.put((task, fraction))

    def _wait(self) -> None:
        """Wait a moment for news, and deal with it."""
        news = None
        with suppress(queue.Empty):
            news = self._news.get(timeout=POLL_S)
        for task in [task for task, future in self._open.items() if future.done()]:
            self._take(task)
        self._look()
        if news is not None and news[0] in self._open:
            self._started.add(news[0])
            self._tracker.update(*news)
        else:
            self._tracker.tell()

    def _take(self, task: Task) -> None:
        """Take the result of a run that has ended in one way or another."""
        future = self._open[task]
        if future.status == "error":
            run = run_not_done(self._plan, task, "failed", _reason(self._ask(future.exception)))
        else:
            run = self._ask(future.result)
        self._end(run)
        if run.status == "over time":  # its later seeds would take as long
            self._skip(run.method)
        self._tracker.tell(f"{self._plan.method(run.method).name}, seed {run.seed}: {run.status}")

    def _skip(self, method: str) -> None:
        """Cancel the runs of a method that have not started."""
        skipped = [task for task in self._open if task[0] == method and task not in self._started]
        self._ask(self._client.cancel, [self._open[task] for task in skipped])
        for task in skipped:
            self._end(run_not_done(self._plan, task, "over time"))

    def _end(self, run: Run) -> None:
        del self._open[run.method, run.seed]  # lets the cluster forget it
        self._runs.append(run)
        self._tracker.end(run)

    def _look(self) -> None:
        """See now and then that the cluster is still there: Dask itself would wait for ever."""
        now = time.monotonic()
        if self._client.status != "running":
            raise self._lost()
        if now - self._looked_at < LOOK_S:
            return
        self._looked_at = now
        if self._ask(self._client.ncores):
            self._last_worker = now
        elif now - self._last_worker > WORKERS_S:
            msg = f"has had no worker for {WORKERS_S:g} s"
            raise self._lost(msg)

    def _ask(self, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Call Dask; whatever goes wrong there, the cluster is of no use any more."""
        try:
            return _in_background(call, *arguments, **options).result(timeout=ANSWER_S)
        except (Exception, CancelledError) as error:
            raise self._lost() from error

    def _lost(self, what: str = "does not answer any more") -> OptisplitError:
        n_done = sum(run.status == "done" for run in self._runs)
        msg = (
            f"The Dask cluster {what}; {n_done} of {self._plan.n_runs} runs were done. Start it anew and compare again."
        )
        return OptisplitError(msg)


def run_on_worker(shipment: _Shipment, task: Task, key: str, comparison: str) -> Run:
    """Do one run; what Dask calls on a worker."""
    plan = shipment.plan
    report = _reporter(key, comparison)
    try:
        report(0.0)  # before anything that takes time
    except Cancelled:
        return run_not_done(plan, task, "cancelled")
    prepare(plan.method(task[0]))
    return run_one(plan, task, report)


def _reporter(key: str, comparison: str) -> Callable[[float], None]:
    """Build the on_progress of a run on a worker: it passes on how far the run is, and ends it if it is not wanted."""
    from distributed import get_client, get_worker

    worker = get_worker()
    stop = _stop_flag(comparison, get_client())
    last = float("-inf")

    def report(fraction: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < REPORT_S:
            return
        last = now
        state = worker.state.tasks.get(key)
        is_wanted = state is not None and state.state == "executing"  # not so when whoever asked for it has gone
        if not is_wanted or stop.is_set():
            raise Cancelled
        worker.log_event(TOPIC, [key, fraction])

    return report


def _stop_flag(comparison: str, client: Client) -> Any:
    """Find the flag, kept by the scheduler, that tells the runs of a comparison to stop."""
    from distributed import Event

    return Event(f"optisplit-stop-{comparison}", client=client)


def _in_background(call: Callable[..., Any], *arguments: Any, **options: Any) -> Outcome[Any]:
    """Call Dask in a thread of its own, which is left behind when it waits for ever."""
    outcome: Outcome[Any] = Outcome()

    def work() -> None:
        try:
            outcome.set_result(call(*arguments, **options))
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return outcome


def _reason(error: BaseException) -> str:
    """Say why Dask could not do a run."""
    from distributed import KilledWorker

    first_line = str(error).strip().partition("\n")[0]
    return DIED if isinstance(error, KilledWorker) else f"{type(error).__name__}: {first_line}"


def _current_client() -> Client | None:
    from distributed import default_client

    try:
        return default_client()
    except ValueError:  # there is none
        return None


@contextmanager
def _connected(address: str | None) -> Iterator[Client]:
    """Connect to a scheduler, by a connection of its own: what ends with it leaves nothing on the cluster."""
    from distributed import Client

    current = None if address is not None else _current_client()
    where = "the current client" if address is None else address
    try:
        where = where if current is None else current.scheduler.address
        security = None if current is None else current.security
        # its own timeout does not hold for a program that takes the call and then says nothing
        options = {"security": security, "timeout": CONNECT_S, "set_as_default": False, "name": "optisplit"}
        client = _in_background(Client, where, **options).result(timeout=2 * CONNECT_S)
    except Exception as error:
        msg = f"No Dask scheduler answers at {where}; start one with 'dask scheduler', or correct the address."
        raise OptisplitError(msg) from error
    try:
        _check_workers(client, where)
        yield client
    finally:
        with suppress(Exception):  # of a scheduler that has gone
            client.close()


def _check_workers(client: Client, where: str) -> None:
    """See that there are workers, and that they run this version."""
    try:  # a task, since some clusters start workers only when there is work
        client.submit(abs, 0, key=f"optisplit-worker-{uuid.uuid4().hex}").result(timeout=WORKERS_S)
    except Exception as error:
        msg = f"The Dask cluster at {where} has no worker; start one with: dask worker {where}"
        raise OptisplitError(msg) from error

    def version() -> str:  # sent as code, too: it is to find out whether there is an optisplit
        import importlib

        return str(importlib.import_module("optisplit").__version__)

    here = version()
    try:
        there = _in_background(client.run, version, on_error="return").result(timeout=ANSWER_S)
    except Exception as error:
        msg = f"The workers of the Dask cluster at {where} do not answer; start them anew and compare again."
        raise OptisplitError(msg) from error
    for worker, found in there.items():
        if found != here:
            what = f"has optisplit {found}" if isinstance(found, str) else f"cannot import optisplit ({found})"
            msg = f"The Dask worker {worker} {what}; install optisplit {here} there, the version used here."
            raise OptionError(msg)
