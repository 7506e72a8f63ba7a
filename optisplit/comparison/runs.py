"""The runs of a comparison: what is to be done, doing one of them, and how far they are."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from optisplit.comparison.fairness import Unfair, find_unfair
from optisplit.comparison.lacking import find_lacking
from optisplit.errors import Cancelled, OptionError, OptisplitError, TimeLimitReached, argument
from optisplit.io.encoding.encode import whole_of
from optisplit.measures.balanced import BALANCED
from optisplit.measures.registry import MEASURES, with_excess
from optisplit.measures.report import Report, evaluate
from optisplit.measures.score import Score
from optisplit.methods import Method, get_method
from optisplit.methods.api import as_generator
from optisplit.methods.costs import estimate
from optisplit.methods.memory import need_of_run
from optisplit.methods.shapes import Shape
from optisplit.text import about_time, counted, percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.encoding.encode import Balance
    from optisplit.labels import MultilabelDataset

Status: TypeAlias = Literal["done", "failed", "over time", "cancelled"]
Task: TypeAlias = tuple[str, int]
"""A run that is to be done: key of the method, and seed."""

EQUAL_SIZES = 0.01
"""Mean difference from the sizes asked for, as a part of a mean fold, up to which folds count as being of these."""


@dataclass(frozen=True)
class Run:
    """One method with one seed.

    Parameters
    ----------
    method : str
        Key of the method.
    seed : int
        Its random_state.
    status : {"done", "failed", "over time", "cancelled"}
        How it ended.
    cpu_s : float
        Processor seconds that the method took; NaN where it was not done.
    folds : ndarray of shape (n_rows,), dtype int32, or None
        The fold of every row, where it was done; where it was stopped, the best split so far, if the method had one.
    report : Report or None
        The measures of those folds.
    reason : str
        Why it did not end well; empty where it did.
    unfair : tuple of Unfair
        In what its parts are unfair, to rare labels or to rows; see :func:`optisplit.comparison.fairness.find_unfair`.
    n_missing : int
        Labels that are missing from a fold that should have them, each looked at alone.
    """

    method: str
    seed: int
    status: Status
    cpu_s: float
    folds: FoldArray | None = None
    report: Report | None = None
    reason: str = ""
    unfair: tuple[Unfair, ...] = ()
    n_missing: int = 0

    @property
    def place(self) -> tuple[bool, bool, bool, float, float]:
        """Where its split stands among others, the best lowest: by sizes, faults, and then by rLD.

        A score can be bought with parts of other sizes, whose bound is lower, or with unfair ones. Of equal scores, as
        where several are the best possible, the fairer to rows comes first.
        """
        assert self.report is not None
        off = self.report.value("ed") > EQUAL_SIZES * self.report.n_rows / self.report.n_splits
        return off, len(self.unfair) > 0, self.n_missing > 0, round(self.report.rld, 12), self.report.row_shape


def checked_seeds(seeds: Iterable[int]) -> tuple[int, ...]:
    """Take seeds as they were given, each once."""
    chosen = list(seeds)
    for seed in chosen:
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            msg = f"seeds must be whole numbers from 0, got {seed!r}."
            raise OptionError(msg)
    return tuple(dict.fromkeys(map(int, chosen)))


@dataclass(frozen=True)
class Plan:
    """A checked comparison: all that a run needs, here or on another machine."""

    data: MultilabelDataset  # the data
    methods: tuple[Method, ...]  # the methods, in the order asked for
    n_splits: int  # number of folds
    seeds: tuple[int, ...]  # the seeds, in the order asked for
    # what each method is given, by its key: its own options, and the constraints
    options: Mapping[str, Mapping[str, Any]]
    limits_s: Mapping[str, float]  # most seconds for one run, by the methods' keys; no entry: no limit
    shape: Shape  # what of the data decides how long runs take
    shares: NDArray[np.float64]  # shape (n_splits,): the share of the rows that each fold should have
    columns: MultilabelDataset  # the labels, and behind them what is balanced beside them
    balance: Balance | None = None  # what that is

    @property
    def tasks(self) -> list[Task]:
        """What is to be run, in the order in which to start it.

        Peers come last: the quick methods' results and times are not held up by processes that are starting.
        """
        tasks = [(method, seed) for seed in self.seeds for method in self.methods]
        tasks.sort(key=lambda task: task[0].is_peer)
        return [(method.key, seed) for method, seed in tasks]

    @property
    def n_runs(self) -> int:
        """Number of runs."""
        return len(self.methods) * len(self.seeds)

    def method(self, key: str) -> Method:
        """Find one of the methods."""
        return next(method for method in self.methods if method.key == key)

    def judged(self, run: Run) -> Run:
        """Measure the split of a run, and say what is wrong with it; nothing where there is none."""
        if run.folds is None:
            return run
        given = self.options.get(run.method, {})
        rules = {"groups": given.get("groups"), "fixed": given.get("fixed")}
        report = self.evaluate(run.folds)
        unfair = find_unfair(self.data, run.folds, report, **rules)
        lacking = find_lacking(self.data, run.folds, self.n_splits, **rules)
        return replace(run, report=report, unfair=unfair, n_missing=int((lacking.n_due > 0).sum()))

    def in_order(self, runs: Sequence[Run]) -> tuple[Run, ...]:
        """Sort runs by method, then by seed, each in the order asked for."""
        keys = [method.key for method in self.methods]
        return tuple(sorted(runs, key=lambda run: (keys.index(run.method), self.seeds.index(run.seed))))

    @classmethod
    def check(
        cls,
        data: MultilabelDataset,
        methods: Sequence[str],
        n_splits: int,
        seeds: Sequence[int],
        options: Mapping[str, Mapping[str, Any]],
        time_limit_s: float | Mapping[str, float] | None,
        shares: NDArray[np.float64],
        balance: Balance | None = None,
    ) -> Plan:
        """Check what was asked for."""
        chosen = tuple(get_method(key) for key in dict.fromkeys(methods))
        distinct = checked_seeds(seeds)
        if not chosen or not distinct:
            msg = "A comparison needs at least one method and one seed."
            raise OptionError(msg)
        for key, given in options.items():
            get_method(key).check_options(given)
        if isinstance(time_limit_s, Mapping):
            limits = {get_method(key).key: float(limit) for key, limit in time_limit_s.items()}
        else:
            limits = {} if time_limit_s is None else {method.key: float(time_limit_s) for method in chosen}
        if not all(limit > 0 for limit in limits.values()):
            msg = (
                argument("time_limit_s", of="compare") + f" must be a positive number of seconds, got {time_limit_s!r}."
            )
            raise OptionError(msg)
        columns = whole_of(data, balance)
        for method in chosen:
            method.check_columns(columns)
        shape = Shape.of(columns.labels)
        return cls(data, chosen, n_splits, distinct, options, limits, shape, shares, columns, balance)

    def evaluate(self, folds: FoldArray) -> Report:
        """Measure a split."""
        return evaluate(self.data, folds, n_splits=self.n_splits, shares=self.shares, balance=self.balance)


_PREPARING = threading.Lock()


def prepare(method: Method) -> None:
    """Compile what a method and the measures need, once a process."""
    with _PREPARING:  # the second of two threads waits for what the first compiles
        with suppress(Exception):
            method.prepare()
        evaluate([[1], [0]], [0, 1])


def run_one(plan: Plan, task: Task, on_progress: Callable[[float], None]) -> Run:
    """Run one method with one seed; whatever happens, give back a Run.

    The result depends on the plan and the task alone, not on what else is run, nor where. A run that would not fit into
    memory beside the others waits for them, before its time limit begins to count; one that would not fit at all fails.
    """
    key, seed = task
    limit = plan.limits_s.get(key, np.inf)
    start = np.inf  # not before it runs

    def watch(done: int, total: int, score: float) -> None:
        if time.perf_counter() - start > limit:
            msg = f"stopped: it reached the time limit of {limit:g} s"
            raise TimeLimitReached(msg)
        on_progress(done / total if total else 0.0)

    status: Status
    kept: FoldArray | None = None
    try:
        watch(0, 1, float("nan"))
        need = need_of_run(plan.method(key), plan.shape, plan.n_splits, plan.options.get(key))
        with need.reserved(on_wait=lambda: on_progress(0.0)):
            start = time.perf_counter()
            done = plan.method(key).run(
                plan.columns.labels,
                plan.n_splits,
                rng=as_generator(seed),
                options=plan.options.get(key),
                weights=plan.columns.weights,
                n_labels=plan.data.n_labels,
                on_progress=watch,
            )
        return plan.judged(Run(key, seed, "done", done.cpu_s, done.folds))
    except Cancelled as error:
        status, reason, kept = "cancelled", "cancelled", error.folds
    except TimeLimitReached as error:
        status, reason, kept = "over time", str(error), error.folds
    except OptisplitError as error:
        status, reason = "failed", str(error)
    except MemoryError:
        status, reason = "failed", "the memory was not enough"
    except Exception as error:  # a method's own fault must not take the others down
        status, reason = "failed", f"{type(error).__name__}: {error}"
    return plan.judged(Run(key, seed, status, float("nan"), kept, reason=reason))


def run_not_done(plan: Plan, task: Task, status: Literal["over time", "failed", "cancelled"], reason: str = "") -> Run:
    """Make the Run of a task that was not started, or of which nothing was heard again."""
    key, seed = task
    if status == "over time":
        reason = f"not started: with another seed it reached the time limit of {plan.limits_s[key]:g} s"
    return Run(key, seed, status, float("nan"), reason=reason or status)


def row_of(run: Run) -> dict[str, Any]:
    """Give the line of a run in the table of all of them."""
    row: dict[str, Any] = {"method": run.method, "seed": run.seed, "status": run.status, "time_s": run.cpu_s}
    for key, measure in MEASURES.items():
        score = Score(float("nan")) if run.report is None else run.report.score(key)
        row[key] = float(score.value)
        if measure.has_bound:
            row[f"{key}_bound"] = float(score.bound)
            if key in with_excess():
                row[f"{key}_excess_percent"] = 100 * score.excess
    if run.report is not None and run.report.balanced is not None:
        score = run.report.balanced.score("rld")
        row |= {BALANCED: float(score.value), f"{BALANCED}_bound": float(score.bound)}
    row["unfair"] = ", ".join(each.measure for each in run.unfair)
    row["reason"] = run.reason
    return row


@dataclass(frozen=True)
class Progress:
    """How far a comparison is."""

    n_done: int  # runs ended, and in all
    n_runs: int  # runs ended, and in all
    fraction: float  # work done, from 0 to 1, the parts of unfinished runs included
    message: str  # what is going on, for people
    left_s: float = math.nan  # seconds until all is done, about; NaN where that is not known
    runs: tuple[Run, ...] = ()  # those that have ended

    @property
    def words(self) -> str:
        """All of it in a line."""
        runs = f"{self.n_done} of {counted(self.n_runs, 'run')} done"
        left = [] if math.isnan(self.left_s) else [f"{about_time(self.left_s)} left"]
        return " · ".join([runs, self.message, *left])


ComparisonCallback: TypeAlias = Callable[[Progress], None]


class Tracker:
    """What the runs of one comparison share here: how far they are, and whether to stop.

    Parameters
    ----------
    plan : Plan
        The comparison.
    on_progress : callable or None
        Whom to tell.
    n_at_a_time : int
        Runs that are done at a time.
    """

    def __init__(self, plan: Plan, on_progress: ComparisonCallback | None, n_at_a_time: int = 1) -> None:
        self.cancelled = threading.Event()
        self.over_time: set[str] = set()
        self._plan = plan
        self._lock = threading.Lock()
        self._message = ""
        self._ended: tuple[Run, ...] = ()
        self._running: dict[Task, float] = {}
        self._on_progress = on_progress
        self.n_at_a_time = n_at_a_time
        self._open = dict.fromkeys(plan.tasks, math.inf)  # when each was begun; infinite where it has not been
        # seconds of a run, by the method's key: estimated until one has been done
        self._seconds = {
            method.key: min(
                estimate(method.key, plan.shape, plan.n_splits, plan.options.get(method.key)).seconds,
                plan.limits_s.get(method.key, math.inf),
            )
            for method in plan.methods
        }

    def tell(self, message: str | None = None) -> None:
        """Report, one call at a time."""
        with self._lock:
            if self.cancelled.is_set():
                raise Cancelled
            self._message = self._message if message is None else message
            if self._on_progress is None:
                return
            n_runs = self._plan.n_runs
            n_done = len(self._ended)
            fraction = min(1.0, (n_done + sum(self._running.values())) / n_runs)
            try:
                self._on_progress(Progress(n_done, n_runs, fraction, self._message, self._left_s(), self._ended))
            except Cancelled:
                self.cancelled.set()
                raise

    def update(self, task: Task, fraction: float) -> None:
        """Take note of how far a run is, and report."""
        with self._lock:
            self._running[task] = fraction
            self._open[task] = min(self._open[task], time.monotonic())
        self.tell(f"{self._plan.method(task[0]).name}, seed {task[1]}: {percent(math.floor(100 * fraction) / 100)}")

    def end(self, run: Run) -> None:
        """Take note that a run has ended."""
        with self._lock:
            self._running.pop((run.method, run.seed), None)
            begun = self._open.pop((run.method, run.seed), math.inf)
            self._ended += (run,)
            if run.status == "over time":
                self.over_time.add(run.method)
                self._seconds[run.method] = 0.0  # its later seeds are not begun
            elif run.status in ("done", "failed") and math.isfinite(begun):
                self._seconds[run.method] = time.monotonic() - begun

    def _left_s(self) -> float:
        """Seconds until all is done, about: by the estimates, and by what runs took as soon as there are any."""
        now = time.monotonic()
        if not self._ended and min(self._open.values(), default=0.0) > now:
            return math.nan  # methods are still made ready
        left = [
            self._seconds[key] - (now - min(begun, now)) if self._seconds[key] != math.inf else 0.0
            for (key, _), begun in self._open.items()  # a method that cannot run fails at once
        ]
        left = [0.0 if each < 0 else each for each in left]  # not where it is NaN
        return max(*left, sum(left) / self.n_at_a_time, 0.0)
