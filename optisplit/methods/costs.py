"""How long a method will take on given data, known before it is run.

Each method's time is a sum of terms, such as positives or labels times labels, as its algorithm has them; what a term
costs was measured. ``benchmarks/bench_costs.py`` does that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.errors import OptisplitError
from optisplit.folds.arrays import check_n_splits
from optisplit.labels import as_dataset
from optisplit.measures.pairs import MAX_POSITIVES
from optisplit.methods import search, ss
from optisplit.methods.memory import need_of_run
from optisplit.methods.optisplit_sa import EFFORTS, STEPS_PER_ROW, STEPS_PER_SWEEP, check_choices
from optisplit.methods.peers import check_peer
from optisplit.methods.registry import METHODS, Method, get_method
from optisplit.methods.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

COEFFICIENTS: dict[str, dict[str, float]] = {
    "random": {
        "row": 6.49e-08,
    },
    "is": {
        "label, fold": 1.14e-07,
        "positive": 2.13e-08,
        "row": 3.96e-07,
        "row, far": 3.55e-07,
    },
    "sois": {
        "label, fold": 2.22e-06,
        "pair in row": 1.41e-08,
        "pair in row, far": 1.59e-08,
        "positive": 7.9e-08,
        "row, far": 3.67e-07,
        "run": 0.000696,
    },
    "ss": {
        "epoch": 0.000134,
        "epoch, label": 6.69e-09,
        "epoch, positive": 2.04e-09,
        "epoch, row": 2.15e-08,
        "run": 0.00173,
    },
    "pmbsrs": {
        "positive": 5.76e-09,
        "row": 1.48e-07,
        "row, sorted": 6.92e-10,
        "run": 0.000174,
    },
    "skml-is": {
        "positive": 3.33e-06,
        "row": 1.36e-05,
        "row in list": 2.6e-08,
        "row, fold": 3.76e-06,
        "run": 0.00491,
        "turn, label": 7e-08,
    },
    "skml-sois": {
        "combination in row": 2.26e-06,
        "combination, fold": 1.72e-06,
        "row": 1.43e-05,
        "row in list": 2.22e-08,
        "row, fold": 2e-06,
        "run": 0.015,
        "turn, combination": 3.45e-07,
    },
    "iterstrat": {
        "row": 1.04e-05,
        "row, fold": 1.3e-06,
        "run": 0.0159,
        "turn, row": 6.81e-08,
        "turn, row left, label": 7.89e-10,
    },
    "optisplit": {
        "epoch, label of moved row": 2.53e-09,
        "epoch, label, label": 5.53e-10,
        "epoch, label, label, fold, dcp": 1.69e-10,
        "epoch, label, label, fold, ld": 1.8e-09,
        "epoch, label, label, fold, rld": 4.47e-10,
        "epoch, member, fold": 3e-09,
        "positive": 6.11e-08,
        "row, sorted": 1.27e-08,
        "run": 0.000397,
    },
    "optisplit-sa": {
        "exchange, label, dcp": 4.81e-08,
        "exchange, label, ld": 2.23e-08,
        "exchange, label, rld": 1.13e-08,
        "label, fold": 7.29e-06,
        "positive, dcp": 1.62e-07,
        "positive, rld": 2.59e-08,
        "row, rld": 7.24e-07,
        "sweep, positive, dcp": 1.18e-08,
        "sweep, positive, far": 9.45e-10,
        "sweep, positive, ld": 1.35e-08,
        "sweep, positive, rld": 3.24e-09,
        "sweep, row, dcp": 5.76e-08,
        "sweep, row, ld": 3.03e-09,
        "sweep, row, rld": 5.37e-08,
    },
}
"""Processor seconds a unit of each term, by method; measured on one core of a server of 2021 (AMD EPYC, 2.4 GHz)."""

NEAR = 2**16
"""Entries of a table that are looked up fast."""

LANES = 8
"""Folds that OptiSplit-SA looks at in one step."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """How long one run of a method will take."""

    # processor seconds, give or take a factor of two; infinite where the method cannot run on the data, and NaN for a
    # method that was added and of which nothing is known
    seconds: float
    reason: str = ""  # why it cannot, in a sentence; empty where it can


def estimate_times(
    labels: Any,
    methods: Iterable[str] | None = None,
    n_splits: int = 5,
    *,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, float]:
    """Estimate how long one run of each method will take, without running any.

    - Most runs take between half and twice the estimate. What is counted is the method itself, as in the ``time_s``
      of :func:`optisplit.compare`: not compiling, nor starting a peer's process.
    - It is meant for one core of a server of 2021; the machine at hand is not measured, so that the estimate is the
      same every time. Only whether the memory is enough is asked of this machine.
    - Estimating takes milliseconds, for 20 million positives a tenth of a second. Figures of large data come from
      some of the rows, always the same.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    methods : iterable of str, optional
        Keys of :data:`optisplit.METHODS`; default: all.
    n_splits : int, default=5
        Number of folds.
    options : mapping of str to mapping, optional
        A method's own options, by its key, such as ``{"optisplit-sa": {"effort": "quick"}}``.

    Returns
    -------
    dict of str to float
        Processor seconds, by the methods' keys; infinite where a method cannot run on the data.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If `n_splits` does not fit the rows.
    OptionError
        If a method or option is unknown.

    Examples
    --------
    >>> from optisplit import load
    >>> times = estimate_times(load("delicious"), ["random", "skml-sois"])
    >>> times["random"] < 0.1, times["skml-sois"] > 60
    (True, True)
    """
    matrix = as_dataset(labels).labels
    check_n_splits(n_splits, matrix.shape[0])
    shape = Shape.of(matrix)
    chosen = [methods] if isinstance(methods, str) else METHODS if methods is None else methods
    given = options or {}
    for key in given:
        get_method(key)
    return {key: estimate(key, shape, n_splits, given.get(key)).seconds for key in chosen}


def estimate_seconds(method: str, labels: Any, n_splits: int, options: Mapping[str, Any] | None = None) -> float:
    """Estimate how long one run of a method will take; see :func:`estimate_times`."""
    return estimate_times(labels, [method], n_splits, options={method: options or {}})[method]


def estimate(method: str, shape: Shape, n_splits: int, options: Mapping[str, Any] | None = None) -> Estimate:
    """Estimate how long one run of a method will take on data of which the shape is known.

    Groups, fixed rows, sizes of parts and an initial split make a run cheaper or dearer by less than the estimate is
    off, or have fewer things to move: they are not looked at.
    """
    chosen = get_method(method)
    given = dict(options or {})
    chosen.check_options(given)
    reason = _obstacle(chosen, shape, n_splits, given)
    if reason:
        return Estimate(math.inf, reason)
    if chosen.key not in COEFFICIENTS:
        return Estimate(math.nan)
    prices = COEFFICIENTS[chosen.key]
    amounts = terms(method, shape, n_splits, given)
    return Estimate(sum(prices.get(name, 0.0) * amount for name, amount in amounts.items()))


def terms(method: str, shape: Shape, n_splits: int, options: Mapping[str, Any] | None = None) -> dict[str, float]:
    """List what a run of a method does, and how often."""
    model = _MODELS.get(get_method(method).key)
    return {} if model is None else {"run": 1.0, **model(shape, n_splits, dict(options or {}))}


def _obstacle(method: Method, shape: Shape, n_splits: int, options: Mapping[str, Any]) -> str:
    """Say why a method cannot run on data of that size, here and now; empty where it can, as far as known."""
    if method.is_peer:
        try:
            check_peer(method.key)
        except OptisplitError as error:
            return str(error)
    n_held = 0.0
    if method.key == "sois":
        n_held = shape.pairs_in_rows
    elif options.get("balance_pairs"):
        n_held = shape.pairs_in_rows - shape.n_single_pairs
    if n_held > MAX_POSITIVES:
        return (
            f"The rows hold {shape.pairs_in_rows:,} pairs of labels in all, more than the {MAX_POSITIVES:,} that can "
            "be balanced."
        )
    need = need_of_run(
        method.key, shape.n_rows, shape.n_labels, shape.n_positives, n_splits,
        n_pairs_in_rows=shape.pairs_in_rows, n_pairs=shape.n_pairs, options=options,
    )  # fmt: skip
    return need.shortage()


Terms = dict[str, float]


def _far(n_times: float, n_entries: float) -> float:
    """Weigh look-ups in a table: one that does not fit the processor's caches has them wait for the memory."""
    return n_times * math.log2(1 + n_entries / NEAR)


def _random(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    return {"row": shape.n_rows}


def _is(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    return {
        "row": shape.n_rows,
        "row, far": _far(shape.n_rows, shape.n_rows),
        "row, fold": shape.n_rows * n_splits,
        "positive": shape.n_positives,
        "label, fold": shape.n_labels * n_splits,
    }


def _sois(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    return {
        **_is(shape, n_splits, options),
        "pair in row": shape.pairs_in_rows,
        "pair in row, far": _far(shape.pairs_in_rows, shape.n_pairs * n_splits),
        "pair, fold": shape.n_pairs * n_splits,
    }


def _ss(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    # a hold-out works on the rows that the ones before have left
    n_whole = ss.EPOCHS * (n_splits - 1) * (n_splits + 2) / (2 * n_splits)
    return {
        "epoch": ss.EPOCHS * (n_splits - 1),
        "epoch, row": n_whole * shape.n_rows,
        "epoch, positive": n_whole * shape.n_positives,
        "epoch, label": ss.EPOCHS * (n_splits - 1) * shape.n_labels,
    }


def _pmbsrs(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    return {
        "fold": n_splits,
        "positive": shape.n_positives,
        "label": shape.n_labels,
        "row": shape.n_rows,
        "row, sorted": shape.n_rows * math.log2(1 + shape.n_rows),
    }


def _skml_is(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    return {
        "row": shape.n_rows,
        "row, fold": shape.n_rows * n_splits,
        "positive": shape.n_positives,
        "turn, label": shape.label_turns * shape.n_labels,
        # a row that is handed out is looked up in the lists of all its labels
        "row in list": shape.squared / 2,
    }


def _skml_sois(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    n_combinations = shape.n_pairs + shape.n_labels
    return {
        "row": shape.n_rows,
        "row, fold": shape.n_rows * n_splits,
        "combination in row": shape.pairs_in_rows + shape.n_positives,
        "combination, fold": n_combinations * n_splits,
        "turn, combination": shape.pair_turns * n_combinations,
        "row in list": (shape.squared + shape.squared_pairs) / 2,
    }


def _iterstrat(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    return {
        "row": shape.n_rows,
        "row, fold": shape.n_rows * n_splits,
        "row, label": shape.n_rows * shape.n_labels,
        "turn": shape.rare_turns,
        "turn, row": shape.rare_turns * shape.n_rows,
        # every turn counts all labels of all rows that are left
        "turn, row left, label": shape.rows_left * shape.n_labels,
    }


def _optisplit(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    epochs = options.get("max_epochs", 3)
    measure = options.get("measure", "rld")
    labels_of_row = 1 + 2 * shape.pairs_in_rows / max(1, shape.n_positives)  # in the mean over positives
    # a random split is off by about the square root of the positives
    n_moved = math.sqrt(n_splits) * shape.root_members
    return {
        "row": shape.n_rows,
        "row, sorted": shape.n_rows * math.log2(1 + shape.n_rows),
        "positive": shape.n_positives,
        "epoch, label, label": epochs * shape.n_labels**2,
        f"epoch, label, label, fold, {measure}": epochs * shape.n_labels**2 * n_splits,
        "epoch, member, fold": epochs * shape.n_members * n_splits,
        "epoch, label of moved row": epochs * n_moved * labels_of_row,
    }


def _optisplit_sa(shape: Shape, n_splits: int, options: dict[str, Any]) -> Terms:
    measure, effort = options.get("measure", "rld"), options.get("effort", "normal")
    check_choices(measure, effort)
    n_rows, n_positives, n_columns = shape.n_rows, float(shape.n_positives), float(shape.n_labels)
    awake_rows, awake_positives = shape.awake_rows, shape.awake_positives
    if measure == "ld":  # to which all labels weigh about the same, so that no row waits
        awake_rows, awake_positives = float(n_rows), n_positives
    n_pairs_in_rows = 0.0
    if options.get("balance_pairs"):
        n_pairs_in_rows = shape.pairs_in_rows
        n_positives += shape.pairs_in_rows - shape.n_single_pairs
        n_columns += shape.n_pairs - shape.n_single_pairs
        awake_rows, awake_positives = float(n_rows), n_positives  # some pair of a row is rare
    n_sweeps = _n_sweeps(effort, n_rows, n_positives)
    n_lanes = n_splits if measure == "ld" else math.ceil(n_splits / LANES)  # LD's folds are looked at one by one
    n_listed = min(max(n_rows * search.LISTED_SHARE, search.FEWEST_LISTED), search.MOST_LISTED, n_rows / n_splits)
    n_tried = n_listed * min(n_listed, max(search.FEWEST_PARTNERS, search.MOST_PAIRS / n_listed))
    n_labels_of_row = n_positives / n_rows
    fold_pairs = n_splits * (n_splits - 1) / 2
    return {
        "pair in row": n_pairs_in_rows,
        "label, fold": n_columns * n_splits,
        f"row, {measure}": n_rows * n_splits,
        f"positive, {measure}": n_positives * n_lanes,
        f"sweep, row, {measure}": n_sweeps * awake_rows * (1 + n_splits / LANES),
        f"sweep, positive, {measure}": n_sweeps * awake_positives * n_lanes,
        "sweep, positive, far": _far(n_sweeps * awake_positives, n_columns * n_splits),
        f"exchange, label, {measure}": fold_pairs * n_tried * (1 + n_labels_of_row) * n_lanes,
    }


def _n_sweeps(effort: str, n_rows: int, n_positives: float) -> float:
    """Choose as :meth:`Effort.n_sweeps` does, but not rounded: more rows are never taken for less work."""
    limits = EFFORTS[effort]
    steps = n_positives + STEPS_PER_ROW * n_rows + STEPS_PER_SWEEP
    wanted = max(limits.per_label * (1 + n_positives / max(n_rows, 1)), limits.least_steps / steps)
    return max(limits.fewest, min(wanted, limits.most_steps / steps))


_MODELS: dict[str, Callable[[Shape, int, dict[str, Any]], Terms]] = {
    "random": _random,
    "is": _is,
    "sois": _sois,
    "ss": _ss,
    "pmbsrs": _pmbsrs,
    "skml-is": _skml_is,
    "skml-sois": _skml_sois,
    "iterstrat": _iterstrat,
    "optisplit": _optisplit,
    "optisplit-sa": _optisplit_sa,
}
