"""Compare methods on one data set: methods x seeds, side by side."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from optisplit.comparison.cluster import check_backend, run_on_cluster
from optisplit.comparison.forecasts import forecast, runs_at_a_time, warning_of
from optisplit.comparison.runs import (
    ComparisonCallback,
    Plan,
    Progress,
    Run,
    Task,
    Tracker,
    prepare,
    row_of,
    run_not_done,
    run_one,
)
from optisplit.errors import Cancelled, OptionError, SplitWarning
from optisplit.folds.constraints import check_constraints
from optisplit.io.encoding.encode import Balance
from optisplit.io.likely_groups import warn_of_torn_groups
from optisplit.io.rows import groups_of
from optisplit.labels import as_dataset
from optisplit.measures.report import evaluate
from optisplit.measures.shown import Shown
from optisplit.methods.api import choose_n_splits
from optisplit.methods.base import DEFAULT_METHODS
from optisplit.methods.peers import shared_files
from optisplit.methods.rare import each_in_todays_words

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.io.likely_groups import TornGroups

__all__ = [
    "ComparisonCallback",
    "ComparisonResult",
    "Progress",
    "Run",
    "compare",
]


@dataclass(frozen=True)
class ComparisonResult(Shown):
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
    balance : Balance or None
        What all methods had to balance beside the labels.
    torn : TornGroups or None
        Groups that a column of the data seems to name, and that the best split divides, where none were given.
    """

    _shown_as = "comparison"

    runs: tuple[Run, ...]
    methods: tuple[str, ...]
    n_splits: int
    n_rows: int
    options: Mapping[str, Mapping[str, Any]]
    constraints: Mapping[str, Any] = field(default_factory=dict)
    balance: Balance | None = None
    torn: TornGroups | None = None

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row a run: method, seed, status, time_s, each measure, its bound and the excess over it in %, and unfair.

        ``unfair`` has the keys of the measures in which its parts are unfair, with commas between; empty: in none.
        """
        import pandas as pd

        return pd.DataFrame([row_of(run) for run in self.runs])

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row a method: number of runs done, and mean and deviation over the seeds of every figure.

        Columns are pairs (figure, statistic): ``("rld", "mean")``, ``("rld", "std")``, ... and ``("runs", "done")``,
        ``("runs", "all")``, ``("runs", "unfair")``: those whose parts are unfair. The deviation is that of a sample
        (n - 1), NaN for a single run.
        """
        import pandas as pd

        figures = [name for name in self.table.columns if name not in ("method", "seed", "status", "unfair", "reason")]
        groups = self.table.groupby("method", sort=False)
        is_done = self.table["status"] == "done"
        # runs that were stopped have the scores of a split that is not the method's last word
        scores = self.table[figures].where(is_done).groupby(self.table["method"], sort=False)
        parts = {figure: scores[figure].agg(["mean", "std"]) for figure in figures}
        parts["runs"] = pd.DataFrame(
            {
                "done": is_done.groupby(self.table["method"], sort=False).sum(),
                "all": groups.size(),
                "unfair": (self.table["unfair"] != "").groupby(self.table["method"], sort=False).sum(),
            }
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
        """Pick the run with the lowest score among those that were done, and whose parts are fair if any are.

        Parameters
        ----------
        measure : str, default="rld"
            A key of ``optisplit.measures.registry.MEASURES``.

        Returns
        -------
        Run or None
            The first of the best; None where no run was done.
        """
        done = [run for run in self.runs if run.status == "done"]
        scores = [((len(run.unfair) > 0, run.report.value(measure)), run) for run in done if run.report]
        return min(scores, key=lambda each: each[0], default=(None, None))[1]

    @cached_property
    def best_runs(self) -> dict[str, Run]:
        """The best run of every method that was done, by its key.

        The best has parts of the sizes asked for, if any has; then fair parts; then every label wherever it could be;
        and then the lowest rLD, and of equal ones the lowest row shape. Tables and figures show these splits beside
        each other, one a method.
        """
        done = [run for run in self.runs if run.status == "done" and run.report is not None]
        best: dict[str, Run] = {}
        for run in sorted(done, key=lambda run: run.place):
            best.setdefault(run.method, run)
        return best

    def is_unfair(self, method: str) -> bool:
        """Tell whether a method makes unfair parts: in more than half of its runs that were done.

        Parameters
        ----------
        method : str
            Key of the method.

        Returns
        -------
        bool
            Whether its parts are further from what is due to rare labels, or to rows, than those of random splits.
        """
        runs = self.runs_of(method)
        return 2 * sum(len(run.unfair) > 0 for run in runs) > len(runs)

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
    balance: Any = None,
    time_limit_s: float | Mapping[str, float] | None = None,
    n_jobs: int | None = None,
    backend: str | None = None,
    cluster: str | None = None,
    on_progress: ComparisonCallback | None = None,
) -> ComparisonResult:
    """Split the same data by several methods with several seeds, and measure every split.

    - A method that fails, or takes longer than its limit, becomes a run with the reason; the others go on.
    - A run's folds are those that :func:`optisplit.split` gives with the same method, options and seed.
    - Times are processor seconds of the method itself, on the machine where it runs; compiling, and starting a
      peer's process, are not counted.
    - On a Dask cluster the runs are the same, row for row. The data is sent once to each worker process, and
      again where Dask let go of it; runs of a worker that dies are done again on another; when this process dies, the
      cluster drops what it was doing.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    methods : iterable of str, default=("random", "is", "optisplit", "optisplit-sa")
        Keys of :data:`optisplit.METHODS`.
    n_splits : int, optional
        Number of folds; default: as many as `fold_sizes`, otherwise 5.
    fold_sizes, groups, fixed : array-like, optional
        What every method has to keep to, as for :func:`optisplit.split`. All methods must be able to.
    seeds : iterable of int, default=range(3)
        One run a method and seed.
    options : mapping of str to mapping, optional
        A method's own options, by its key, such as ``{"optisplit": {"measure": "dcp"}}``.
    balance : object, optional
        What every method has to balance beside the labels, as for :func:`optisplit.split`; reports measure it apart.
    time_limit_s : float or mapping of str to float, optional
        Most seconds for one run, for all methods or by their keys. When a run is stopped for it, the method's
        later seeds are not started.
    n_jobs : int, optional
        Runs at a time; default: one a processor, at most 4. On a cluster, the threads of its workers decide.
    backend : {"dask"}, optional
        Where to run; default: on threads of this process. With ``"dask"`` on the workers of a Dask cluster, which
        need this version of optisplit too.
    cluster : str, optional
        Address of the cluster's scheduler, such as ``"tcp://host:8786"``; default: that of the current
        ``distributed.Client``.
    on_progress : callable, optional
        Called with a :class:`~optisplit.comparison.runs.Progress`, one call at a time: from the threads that work, or
        with a cluster from the one that called. Where it raises :class:`~optisplit.errors.Cancelled`, running work
        stops and the result has what was done until then.

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
        If a method, option or backend is unknown, there is no method or seed, a limit is not positive, or sizes,
        groups and fixed rows do not fit the data or each other; or if Dask is not installed, no cluster is given, or
        one has another version of optisplit.
    OptisplitError
        If the cluster cannot be reached, has no worker, or is lost on the way.

    Warns
    -----
    SplitWarning
        If a group is larger than a fold; if a column of the data looks like groups, such as ids of patients, but none
        were given; and if methods would take longer for a run, as estimated beforehand, than
        their time limit, or than a minute where they have none: one warning for all of them.

    Examples
    --------
    >>> result = compare([[1, 0], [1, 0], [0, 1], [0, 1]], ["random", "optisplit"], n_splits=2, seeds=range(2))
    >>> result.summary["rld", "mean"].round(2).to_dict()
    {'random': 0.5, 'optisplit': 0.0}
    """
    check_backend(backend, cluster, n_jobs)
    data = as_dataset(labels)
    n_splits = choose_n_splits(data.n_rows, n_splits, fold_sizes)
    constraints = {"fold_sizes": fold_sizes, "groups": groups_of(groups, data), "fixed": fixed}
    constraints = {name: value for name, value in constraints.items() if value is not None}
    checked = check_constraints(data.n_rows, n_splits, **constraints)
    checked.warn_of_large_groups()
    chosen = [methods] if isinstance(methods, str) else list(methods)
    if not isinstance(seeds, Iterable):
        msg = f"seeds must be several whole numbers, got {seeds!r}.\nHint: for that many seeds, give range({seeds!r})."
        raise OptionError(msg)
    own = each_in_todays_words(options, stacklevel=2)
    asked = own | {key: {**constraints, **own.get(key, {})} for key in chosen}
    beside = Balance.of(data, balance)
    plan = Plan.check(data, chosen, n_splits, list(seeds), asked, time_limit_s, checked.shares, beside)
    _warn_of_time(plan)
    tracker = Tracker(plan, on_progress, runs_at_a_time(plan.n_runs, n_jobs))
    runs = _run_on_threads(plan, tracker) if backend is None else run_on_cluster(plan, tracker, cluster)
    result = ComparisonResult(
        plan.in_order(runs),
        tuple(method.key for method in plan.methods),
        n_splits,
        data.n_rows,
        own,
        constraints,
        beside,
    )
    best = result.best_run()
    if groups is not None or best is None or best.folds is None:
        return result
    return replace(result, torn=warn_of_torn_groups(data, best.folds, fold_sizes))


def _warn_of_time(plan: Plan) -> None:
    """Warn of methods that take long, in one warning, before anything is run."""
    message = warning_of(
        forecast(
            plan.shape,
            [method.key for method in plan.methods],
            plan.n_splits,
            len(plan.seeds),
            options=plan.options,
            limits_s=plan.limits_s,
        )
    )
    if message:
        warnings.warn(message, SplitWarning, stacklevel=3)


def _run_on_threads(plan: Plan, tracker: Tracker) -> list[Run]:
    """Do all runs here.

    On threads: kernels release the interpreter lock, peers have their own processes, and nothing is copied.
    """
    from joblib import Parallel, delayed

    try:
        for method in plan.methods:
            tracker.tell(f"Getting {method.name} ready (once after installing, half a minute)")
            prepare(method)
        row_of(Run("random", 0, "done", 0.0, None, evaluate([[1], [0]], [0, 1])))  # compiles the bounds
    except Cancelled:
        tracker.cancelled.set()

    def run(task: Task) -> Run:
        if tracker.cancelled.is_set():
            ended = run_not_done(plan, task, "cancelled")
        elif task[0] in tracker.over_time:
            ended = run_not_done(plan, task, "over time")
        else:
            ended = run_one(plan, task, lambda fraction: tracker.update(task, fraction))
        tracker.end(ended)
        return ended

    with ExitStack() as kept:
        if any(method.is_peer for method in plan.methods):
            with suppress(OSError):  # a full disk is said by the runs themselves
                kept.enter_context(shared_files(plan.columns.labels))  # written once for all
        work = Parallel(n_jobs=tracker.n_at_a_time, backend="threading")
        runs: list[Run] = work(delayed(run)(task) for task in plan.tasks)
    return runs
