"""How long a method will take on given data, known before it is run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.folds.arrays import check_n_splits
from optisplit.labels import as_dataset
from optisplit.measures.pairs import MAX_POSITIVES
from optisplit.methods.base import METHODS, Method, get_method
from optisplit.methods.memory import need_of_run
from optisplit.methods.rare import each_in_todays_words
from optisplit.methods.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Estimate:
    """How long one run of a method will take."""

    # give or take a factor of four; infinite where the method cannot run on the data, and NaN for a method that was
    # added and of which nothing is known
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

    - It is a rule of thumb, by the size of the data: most runs take between a quarter and four times the estimate.
    - What is counted is the method itself and, for another package's, starting its process; not compiling, which is
      done once after installing.
    - The machine at hand is not measured, so that the estimate is the same every time. Only whether the memory is
      enough is asked of this machine.
    - Estimating takes milliseconds, for large data some tenths of a second.

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
        Seconds, by the methods' keys; infinite where a method cannot run on the data, and NaN where nothing is known.

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
    given = each_in_todays_words(options, stacklevel=2)
    for key in given:
        get_method(key)
    return {key: estimate(key, shape, n_splits, given.get(key)).seconds for key in chosen}


def estimate(method: str, shape: Shape, n_splits: int, options: Mapping[str, Any] | None = None) -> Estimate:
    """Estimate how long one run of a method will take on data of which the shape is known.

    Groups, fixed rows, sizes of parts and an initial split make a run cheaper or dearer by less than the estimate is
    off, or have fewer things to move: they are not looked at.
    """
    chosen = get_method(method)
    given = options or {}
    chosen.check_options(given)
    reason = _obstacle(chosen, shape, n_splits, given)
    if reason:
        return Estimate(math.inf, reason)
    return Estimate(math.nan if chosen.seconds is None else chosen.start_s + chosen.seconds(shape, n_splits, given))


def _obstacle(method: Method, shape: Shape, n_splits: int, options: Mapping[str, Any]) -> str:
    """Say why a method cannot run on data of that size, here and now; empty where it can, as far as known."""
    if method.obstacle:
        return method.obstacle
    if (method.holds_pairs or options.get("balance_pairs")) and shape.n_pairs_in_rows > MAX_POSITIVES:
        return (
            f"The rows hold {shape.n_pairs_in_rows:,} pairs of labels in all, more than the {MAX_POSITIVES:,} that can "
            "be balanced."
        )
    return need_of_run(method, shape, n_splits, options).shortage()
