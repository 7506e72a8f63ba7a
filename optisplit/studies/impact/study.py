"""The study: methods x seeds x held-out sets, a model trained for each fold."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits  # comes with scikit-learn

from optisplit.errors import OptionError
from optisplit.labels import positives_per_label
from optisplit.methods.api import split
from optisplit.methods.variants import as_variant
from optisplit.studies.impact.inputs import hold_out, study_data
from optisplit.studies.impact.models import make_model, score
from optisplit.studies.impact.results import ImpactResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

DEFAULT_METHODS = ("random", "is", "optisplit-sa")


def measure_impact(
    data: Any,
    methods: Sequence[str] = DEFAULT_METHODS,
    *,
    n_splits: int = 5,
    seeds: Iterable[int] = range(10),
    n_holdouts: int = 3,
    holdout_size: float = 0.3,
    model: Any = "ridge",
    leave_out: Iterable[str] = (),
    on_progress: Callable[[int, int, float], object] | None = None,
) -> ImpactResult:
    """Measure what the way of splitting does to the estimates of cross-validation.

    Some rows, drawn at random, are held out. The others are divided into folds by each method, once for each seed;
    a model is trained for each fold and scored on it; the mean over the folds is the estimate of that run, without the
    folds in which no label can be scored. The same
    model, trained on all rows that are not held out, is scored on those that are: what the estimates are to foretell.
    All of it is repeated with other rows held out.

    Parameters
    ----------
    data : str, MultilabelDataset or (X, Y)
        One of :data:`SAMPLES_WITH_FEATURES`; a data set whose file has features too; or features, of shape
        (n_rows, n_features), and 0/1 labels, of shape (n_rows, n_labels). Features may be a table of any columns, see
        :func:`encode_features`, or a matrix, dense or sparse.
    methods : sequence of str, default=("random", "is", "optisplit-sa")
        Keys of :data:`optisplit.METHODS`, alone or with options, as in "optisplit-sa, effort=quick"; "random", to which
        the others are compared, is added where it is missing.
    n_splits : int, default=5
        Number of folds.
    seeds : iterable of int, default=range(10)
        Seeds of each method; at least two.
    n_holdouts : int, default=3
        How often rows are held out; at least two.
    holdout_size : float, default=0.3
        Share of the rows that is held out.
    model : {"ridge", "logistic", "fast"} or scikit-learn estimator, default="ridge"
        What is trained; see :data:`MODELS`. An estimator is cloned for each training, and once for each label where it
        knows one target at a time. Dense features are scaled by what the training rows say of them.
    leave_out : iterable of str, optional
        Columns of a table that are not to be used as features.
    on_progress : callable, optional
        ``on_progress(done, total, nan)`` after each training, and with 0 done while features are read; may raise to
        stop.

    Returns
    -------
    ImpactResult
        Every estimate, and what they say.

    Raises
    ------
    OptionError
        If a method, a model or a number is not possible, or rows and labels do not fit.
    LabelError
        If the labels are not 0/1.

    References
    ----------
    Y. Bengio and Y. Grandvalet, "No unbiased estimator of the variance of k-fold cross-validation", Journal of Machine
    Learning Research 5, 2004: why seeds and held-out rows are used here, and not the spread between folds.

    Examples
    --------
    >>> result = measure_impact("emotions", ["random", "optisplit-sa"], seeds=range(2), n_holdouts=2)
    >>> len(result.table)
    8
    """
    given = study_data(data, leave_out, on_progress)
    labels = given.labels
    variants = {each.key: each for each in map(as_variant, ["random", *methods])}
    seed_list = [int(seed) for seed in seeds]
    _check_numbers(labels.shape, n_splits, seed_list, n_holdouts, holdout_size)
    Y = labels.toarray()
    fitted = make_model(model, given.features.X, Y)
    total, done = n_holdouts * (1 + len(variants) * len(seed_list) * n_splits), itertools.count(1)
    lines: list[dict[str, Any]] = []

    def train_and_score(train: NDArray[np.int64], test: NDArray[np.int64]) -> dict[str, float]:
        found = score(Y[test], fitted.predict(train, test))
        if on_progress is not None:
            on_progress(next(done), total, float("nan"))
        return found

    # small systems are solved faster by one thread, and other visitors of a server need the others
    with threadpool_limits(1):
        for holdout in range(n_holdouts):
            held, pool = hold_out(holdout, len(Y), holdout_size)
            reference = train_and_score(pool, held)
            for variant, seed in itertools.product(variants.values(), seed_list):
                folds = split(labels[pool], n_splits, method=variant.method, random_state=seed, **variant.options)
                estimates = [train_and_score(pool[folds != fold], pool[folds == fold]) for fold in range(n_splits)]
                lines.append(
                    {"method": variant.key, "seed": seed, "holdout": holdout}
                    | pd.DataFrame(estimates).mean().to_dict()  # over the folds that could be scored
                    | {f"{key}_held_out": value for key, value in reference.items()}
                    | _unscored(labels[pool], folds, n_splits)
                )
    about = (model if isinstance(model, str) else repr(model), holdout_size, given.features.notes, given.rows_of)
    return ImpactResult(given.name, pd.DataFrame(lines), len(Y), Y.shape[1], n_splits, *about)


def _check_numbers(
    shape: tuple[int, int], n_splits: int, seeds: list[int], n_holdouts: int, holdout_size: float
) -> None:
    if len(set(seeds)) < 2 or len(set(seeds)) < len(seeds):
        msg = "At least two different seeds are needed to see how much estimates differ."
        raise OptionError(msg)
    if n_holdouts < 2:
        msg = f"n_holdouts must be at least 2, to see how much held-out scores differ; got {n_holdouts}."
        raise OptionError(msg)
    if (
        not 0 < holdout_size < 1
        or round(shape[0] * (1 - holdout_size)) < n_splits
        or round(shape[0] * holdout_size) < 1
    ):
        msg = f"holdout_size={holdout_size} leaves too few of {shape[0]:,} rows to hold out, or for {n_splits} folds."
        raise OptionError(msg)


def _unscored(labels: Any, folds: NDArray[np.int32], n_splits: int) -> dict[str, float]:
    """Count, over the folds, labels that cannot be scored, of those that have a positive at all."""
    total = positives_per_label(labels)
    tested = np.stack([positives_per_label(labels[folds == fold]) for fold in range(n_splits)])
    has_any = total > 0
    no_test = (tested == 0) & has_any
    no_training = (tested == total) & has_any
    return {
        "labels_unscored_somewhere": int((no_test | no_training).any(axis=0).sum()),
        "unscored_per_fold": float((no_test | no_training).sum(axis=1).mean()),
        "no_positive_in_test": int(no_test.sum()),
        "no_positive_in_training": int(no_training.sum()),
    }
