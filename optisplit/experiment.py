"""Compare methods on one data set: methods x seeds, side by side."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from optisplit.constraints import check_constraints
from optisplit.data import MultilabelDataset, as_dataset
from optisplit.errors import Cancelled, OptionError, OptisplitError, TimeLimitReached
from optisplit.measures import Report, evaluate
from optisplit.methods import Method, as_generator, choose_n_splits, get_method

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.folds import FoldArray

Status: TypeAlias = Literal["done", "failed", "over time", "cancelled"]

DEFAULT_METHODS = ("random", "skml-is", "optisplit", "optisplit-sa")
SCORES = ("rld", "dcp", "ld", "ed", "fz", "flz")
"""Measures in the tables, best first; less is better in each."""
BOUNDED = ("rld", "dcp", "flz")
"""Those with a bound."""


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
    """

    method: str
    seed: int
    status: Status
    cpu_s: float
    folds: FoldArray | None = None
    report: Report | None = None
    reason: str = ""


@dataclass(frozen=True)
class Progress:
    """How far a comparison is.

    Parameters
    ----------
    n_done, n_runs : int
        Runs ended, and in all.
    fraction : float
        Work done, from 0 to 1, the parts of unfinished runs included.
    message : str
        What is going on, for people.
    """

    n_done: int
    n_runs: int
    fraction: float
    message: str


ComparisonCallback: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True)
class ComparisonResult:
    """What a comparison gave.

    Parameters
    ----------
    runs : tuple of Run
        One a method and seed, by method in the order asked for, then by seed.
    methods : tuple of str
        Keys of the methods, in the order asked for.
    n_splits : int
        Number of folds.
    n_rows : int
        Rows of the data.
    options : mapping of str to mapping
        Options given to each method.
    constraints : mapping of str to Any
        What all methods had to keep to: ``fold_sizes``, ``groups``, ``fixed``, as far as given.
    """

    runs: tuple[Run, ...]
    methods: tuple[str, ...]
    n_splits: int
    n_rows: int
    options: Mapping[str, Mapping[str, Any]]
    constraints: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row a run: method, seed, status, time_s, each measure, its bound and the excess over it in %."""
        import pandas as pd

        return pd.DataFrame([_row_of(run) for run in self.runs])

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row a method: number of runs done, and mean and deviation over the seeds of every figure.

        Columns are pairs (figure, statistic): ``("rld", "mean")``, ``("rld", "std")``, ... and ``("runs", "done")``,
        ``("runs", "all")``. The deviation is that of a sample (n - 1), NaN for a single run.
        """
        import pandas as pd

        figures = [name for name in self.table.columns if name not in ("method", "seed", "status", "reason")]
        groups = self.table.groupby("method", sort=False)
        is_done = self.table["status"] == "done"
        # runs that were stopped have the scores of a split that is not the method's last word
        scores = self.table[figures].where(is_done).groupby(self.table["method"], sort=False)
        parts = {figure: scores[figure].agg(["mean", "std"]) for figure in figures}
        parts["runs"] = pd.DataFrame(
            {"done": is_done.groupby(self.table["method"], sort=False).sum(), "all": groups.size()}
        )
        return pd.concat(parts, axis=1)

    def runs_of(self, method: str) -> tuple[Run, ...]:
        """Pick the runs of a method that were done.

        Parameters
        ----------
        method : str
            Key of the method.

        Returns
        -------
        tuple of Run
            Its finished runs, by seed.
        """
        return tuple(run for run in self.runs if run.method == method and run.status == "done")

    def best_run(self, measure: str = "rld") -> Run | None:
        """Pick the run with the lowest score among those that were done.

        Parameters
        ----------
        measure : str, default="rld"
            One of :data:`SCORES`.

        Returns
        -------
        Run or None
            The first of the best; None where no run was done.
        """
        done = [run for run in self.runs if run.status == "done"]
        return min(done, key=lambda run: getattr(run.report, measure), default=None)

    @property
    def stopped_runs(self) -> tuple[Run, ...]:
        """Runs that were stopped, cancelled or over time, with the best split that they had until then."""
        return tuple(run for run in self.runs if run.status != "done" and run.folds is not None)

    @property
    def is_complete(self) -> bool:
        """Whether no run was cancelled."""
        return all(run.status != "cancelled" for run in self.runs)

    def __repr__(self) -> str:
        n_done = sum(run.status == "done" for run in self.runs)
        return f"Comparison of {', '.join(self.methods)}: {n_done} of {len(self.runs)} runs done, {self.n_splits} folds"


def compare(
    labels: Any,
    methods: Iterable[str] = DEFAULT_METHODS,
    n_splits: int | None = None,
    *,
    fold_sizes: Any = None,
    groups: Any = None,
    fixed: Any = None,
    seeds: Iterable[int] | Any = range(3),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    time_limit_s: float | Mapping[str, float] | None = None,
    n_jobs: int | None = None,
    on_progress: ComparisonCallback | None = None,
) -> ComparisonResult:
    """Split the same data by several methods with several seeds, and measure every split.

    - A method that fails, or takes longer than its limit, becomes a run with the reason; the others go on.
    - A run's folds are those that :func:`optisplit.split` gives with the same method, options and seed.
    - Times are processor seconds of the method itself; compiling, and starting a peer's process, are not counted.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    methods : iterable of str, default=("random", "skml-is", "optisplit", "optisplit-sa")
        Keys of :data:`optisplit.METHODS`.
    n_splits : int, optional
        Number of folds; default: as many as `fold_sizes`, otherwise 5.
    fold_sizes, groups, fixed : array-like, optional
        What every method has to keep to, as for :func:`optisplit.split`. All methods must be able to.
    seeds : iterable of int, default=range(3)
        One run a method and seed.
    options : mapping of str to mapping, optional
        A method's own options, by its key, such as ``{"optisplit": {"measure": "dcp"}}``.
    time_limit_s : float or mapping of str to float, optional
        Most seconds for one run, for all methods or by their keys. When a run is stopped for it, the method's
        later seeds are not started.
    n_jobs : int, optional
        Runs at a time; default: one a processor, at most 4.
    on_progress : callable, optional
        Called with a :class:`Progress`, one call at a time, from the threads that work. Where it raises
        :class:`~optisplit.errors.Cancelled`, running work stops and the result has what was done until then.

    Returns
    -------
    ComparisonResult
        The runs, with tables.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If `n_splits` does not fit the rows.
    OptionError
        If a method or option is unknown, there is no method or seed, a limit is not positive, or sizes, groups and
        fixed rows do not fit the data or each other.

    Warns
    -----
    SplitWarning
        If a group is larger than a fold.

    Examples
    --------
    >>> result = compare([[1, 0], [1, 0], [0, 1], [0, 1]], ["random", "optisplit"], n_splits=2, seeds=range(2))
    >>> result.summary["rld", "mean"].round(2).to_dict()
    {'random': 0.5, 'optisplit': 0.0}
    """
    from joblib import Parallel, delayed

    data = as_dataset(labels)
    n_splits = choose_n_splits(data.n_rows, n_splits, fold_sizes)
    constraints = {"fold_sizes": fold_sizes, "groups": groups, "fixed": fixed}
    constraints = {name: value for name, value in constraints.items() if value is not None}
    checked = check_constraints(data.n_rows, n_splits, **constraints)
    checked.warn_of_large_groups()
    chosen = [methods] if isinstance(methods, str) else list(methods)
    if not isinstance(seeds, Iterable):
        msg = f"seeds must be several whole numbers, got {seeds!r}.\nHint: for that many seeds, give range({seeds!r})."
        raise OptionError(msg)
    asked = {key: dict(given) for key, given in (options or {}).items()}
    asked |= {key: {**constraints, **asked.get(key, {})} for key in chosen}
    plan = _Plan.check(data, chosen, n_splits, list(seeds), asked, time_limit_s, checked.shares)
    tracker = _Tracker(plan.n_runs, on_progress)
    n_workers = min(n_jobs or min(os.cpu_count() or 1, 4), plan.n_runs)
    try:
        for method in plan.methods:
            tracker.tell(f"Getting {method.name} ready (once after installing, half a minute)")
            with suppress(Exception):  # a method that cannot be made ready says why in its own runs
                method.prepare()
        _row_of(Run("random", 0, "done", 0.0, None, evaluate([[1], [0]], [0, 1])))  # compiles the measures
    except Cancelled:
        tracker.cancelled.set()
    # Peers last: the quick methods' results and times are not held up by processes that are starting.
    tasks = [(method, seed) for seed in plan.seeds for method in plan.methods]
    tasks.sort(key=lambda task: task[0].is_peer)
    # threads: kernels release the interpreter lock, peers have their own processes, and nothing is copied
    runs = Parallel(n_jobs=n_workers, backend="threading")(
        delayed(_run_one)(plan, method, seed, tracker) for method, seed in tasks
    )
    position = {method.key: place for place, method in enumerate(plan.methods)}
    runs.sort(key=lambda run: (position[run.method], plan.seeds.index(run.seed)))
    return ComparisonResult(
        tuple(runs),
        tuple(position),
        n_splits,
        data.n_rows,
        {key: dict(given) for key, given in (options or {}).items()},
        constraints,
    )


@dataclass(frozen=True)
class _Plan:
    """A checked comparison."""

    data: MultilabelDataset
    methods: tuple[Method, ...]
    n_splits: int
    seeds: tuple[int, ...]
    options: Mapping[str, Mapping[str, Any]]
    limits_s: Mapping[str, float]
    shares: NDArray[np.float64]

    @property
    def n_runs(self) -> int:
        return len(self.methods) * len(self.seeds)

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
    ) -> _Plan:
        chosen = tuple(get_method(key) for key in dict.fromkeys(methods))
        for seed in seeds:
            if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
                msg = f"seeds must be whole numbers from 0, got {seed!r}."
                raise OptionError(msg)
        distinct = tuple(dict.fromkeys(int(seed) for seed in seeds))
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
            msg = f"time_limit_s must be a positive number of seconds, got {time_limit_s!r}."
            raise OptionError(msg)
        return cls(data, chosen, n_splits, distinct, options, limits, shares)


class _Tracker:
    """What the runs of one comparison share: how far they are, and whether to stop."""

    def __init__(self, n_runs: int, on_progress: ComparisonCallback | None) -> None:
        self.cancelled = threading.Event()
        self.over_time: set[str] = set()
        self._lock = threading.Lock()
        self._n_runs = n_runs
        self._n_done = 0
        self._running: dict[tuple[str, int], float] = {}
        self._on_progress = on_progress

    def tell(self, message: str) -> None:
        """Report; raise Cancelled if anybody's report was answered so."""
        with self._lock:
            if self.cancelled.is_set():
                raise Cancelled
            if self._on_progress is None:
                return
            fraction = (self._n_done + sum(self._running.values())) / self._n_runs
            try:
                self._on_progress(Progress(self._n_done, self._n_runs, min(1.0, fraction), message))
            except Cancelled:
                self.cancelled.set()
                raise

    def update(self, run: tuple[str, int], fraction: float, message: str) -> None:
        with self._lock:
            self._running[run] = fraction
        self.tell(message)

    def end(self, run: tuple[str, int]) -> None:
        with self._lock:
            self._running.pop(run, None)
            self._n_done += 1


def _run_one(plan: _Plan, method: Method, seed: int, tracker: _Tracker) -> Run:
    """Run one method with one seed; whatever happens, give back a Run."""
    start = time.perf_counter()
    status: Status
    kept: FoldArray | None = None
    try:
        if method.key in tracker.over_time:
            limit = plan.limits_s[method.key]
            msg = f"not started: with another seed it reached the time limit of {limit:g} s"
            raise TimeLimitReached(msg)
        watch = _watch(plan, method, seed, tracker, start)
        watch(0, 1, float("nan"))
        done = method.run(
            plan.data.labels,
            plan.n_splits,
            rng=as_generator(seed),
            options=plan.options.get(method.key),
            on_progress=watch,
        )
        report = evaluate(plan.data, done.folds, n_splits=plan.n_splits, shares=plan.shares)
    except Cancelled as error:
        status, reason, kept = "cancelled", "cancelled", error.folds
    except TimeLimitReached as error:
        tracker.over_time.add(method.key)
        status, reason, kept = "over time", str(error), error.folds
    except OptisplitError as error:
        status, reason = "failed", str(error)
    except Exception as error:  # a method's own fault must not take the others down
        status, reason = "failed", f"{type(error).__name__}: {error}"
    else:
        return Run(method.key, seed, "done", done.cpu_s, done.folds, report)
    finally:
        tracker.end((method.key, seed))
    measured = None if kept is None else evaluate(plan.data, kept, n_splits=plan.n_splits, shares=plan.shares)
    return Run(method.key, seed, status, float("nan"), kept, measured, reason)


def _watch(
    plan: _Plan, method: Method, seed: int, tracker: _Tracker, start: float
) -> Callable[[int, int, float], None]:
    """Build the on_progress of one run: it passes progress on and enforces the time limit."""
    limit = plan.limits_s.get(method.key, np.inf)

    def watch(done: int, total: int, score: float) -> None:
        elapsed = time.perf_counter() - start
        if elapsed > limit:
            msg = f"stopped: it reached the time limit of {limit:g} s"
            raise TimeLimitReached(msg)
        fraction = done / total if total else 0.0
        tracker.update((method.key, seed), fraction, f"{method.name}, seed {seed}: {fraction:.0%}")

    return watch


def _row_of(run: Run) -> dict[str, Any]:
    row: dict[str, Any] = {
        "method": run.method,
        "seed": run.seed,
        "status": run.status,
        "time_s": run.cpu_s,
    }
    for score in SCORES:
        value = float("nan") if run.report is None else float(getattr(run.report, score))
        row[score] = value
        if score in BOUNDED:
            bound = float("nan") if run.report is None else float(getattr(run.report, f"{score}_bound"))
            row[f"{score}_bound"] = bound
            if score != "flz":  # a count, often 0: per cent say nothing
                row[f"{score}_excess_percent"] = excess_percent(value, bound)
    row["reason"] = run.reason
    return row


def excess_percent(score: float, bound: float) -> float:
    """Tell how far a score is above its bound.

    Parameters
    ----------
    score, bound : float
        The score and the best possible one.

    Returns
    -------
    float
        Per cent of the bound; 0 where the score is at a bound of 0, infinite above it.

    Examples
    --------
    >>> excess_percent(0.03, 0.02).__round__()
    50
    """
    if bound == 0:
        return 0.0 if score == 0 else float("inf")
    return float(100 * (score / bound - 1))
