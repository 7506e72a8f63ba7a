"""The study of parts: methods x seeds, a model trained on one part and scored on another, and on rows set aside."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits  # comes with scikit-learn

from optisplit.errors import OptionError
from optisplit.folds.constraints import as_fold_sizes, check_fold_sizes
from optisplit.labels import positives_per_label
from optisplit.methods import get_method
from optisplit.methods.api import split
from optisplit.methods.rare import RARE
from optisplit.methods.variants import as_variant
from optisplit.studies.impact.inputs import hold_out, study_data
from optisplit.studies.impact.models import LabelScores, average_precision, make_model, mean_or_nan, score_labels
from optisplit.studies.impact.parts_results import PartsImpact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

DEFAULT_PARTS = (0.8, 0.1, 0.1)
DEFAULT_PART_METHODS = ("random", "is", *(f"optisplit-sa, rare={rare}" for rare in RARE))
N_SEEDS = 30
RARE_BELOW = 5.0


def measure_parts_impact(
    data: Any,
    methods: Sequence[str] = DEFAULT_PART_METHODS,
    *,
    fold_sizes: Any = DEFAULT_PARTS,
    seeds: Iterable[int] = range(N_SEEDS),
    holdout_size: float = 0.5,
    rare_below: float = RARE_BELOW,
    model: Any = "ridge",
    leave_out: Iterable[str] = (),
    on_progress: Callable[[int, int, float], object] | None = None,
) -> PartsImpact:
    """Measure how well a test part foretells what a model scores on rows that nobody has seen.

    For each seed, many rows are set aside, drawn at random. The others are divided into parts by each method. A model
    is trained on the first part and scored on the last: the estimate. The same model is scored on the rows set aside:
    the truth, as far as it can be known. Estimate less truth is the error of that run.

    - All methods divide the same rows and are scored on the same rows set aside, seed by seed.
    - Labels are looked at that have a positive among the rows that are divided and one among those set aside.

    Parameters
    ----------
    data : str, MultilabelDataset or (X, Y)
        One of :data:`SAMPLES_WITH_FEATURES`; a data set whose file has features too; or features, of shape
        (n_rows, n_features), and 0/1 labels, of shape (n_rows, n_labels). Features may be a table of any columns, see
        :func:`encode_features`, or a matrix, dense or sparse.
    methods : sequence of str, default: "random", "is", and "optisplit-sa" with each value of its option rare
        Keys of :data:`optisplit.METHODS`, alone or with options, as in "optisplit-sa, effort=quick"; "random", to which
        the others are compared, is added where it is missing.
    fold_sizes : array-like, default=(0.8, 0.1, 0.1)
        Shares of the parts: the first is for training, the last for the test, others are left alone.
    seeds : iterable of int, default=range(30)
        Seeds, each of a set of rows set aside and of a split by each method; at least two.
    holdout_size : float, default=0.5
        Share of the rows that is set aside.
    rare_below : float, default=5
        Labels of which fewer positives than this are due in the test part are called rare.
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
    PartsImpact
        Every estimate, and what they say.

    Raises
    ------
    OptionError
        If a method, a model or a number is not possible, or rows and labels do not fit.
    LabelError
        If the labels are not 0/1.

    Examples
    --------
    >>> result = measure_parts_impact("emotions", ["random", "optisplit-sa"], fold_sizes=[0.8, 0.2], seeds=range(3))
    >>> len(result.table)
    6
    """
    given = study_data(data, leave_out, on_progress)
    labels = given.labels
    variants = {each.key: each for each in map(as_variant, ["random", *methods])}
    seed_list = [int(seed) for seed in seeds]
    sizes = _checked_sizes(labels.shape[0], seed_list, fold_sizes, holdout_size, rare_below)
    for variant in variants.values():
        get_method(variant.method).check_options({**variant.options, "fold_sizes": sizes})
    Y = labels.toarray()
    fitted = make_model(model, given.features.X, Y)
    done, lines = itertools.count(1), []
    # small systems are solved faster by one thread, and other visitors of a server need the others
    with threadpool_limits(1):
        for seed, variant in itertools.product(seed_list, variants.values()):
            aside, pool = hold_out(seed, len(Y), holdout_size)
            folds = split(
                labels[pool], method=variant.method, fold_sizes=sizes, random_state=seed, **variant.options
            )  # fmt: skip
            train, test = pool[folds == 0], pool[folds == len(sizes) - 1]
            scores = fitted.predict(train, np.concatenate([test, aside]))
            scores[:, ~Y[train].any(axis=0)] = -np.inf  # never seen, so last where labels are ranked together
            looked_at = (positives_per_label(labels[pool]) > 0) & (positives_per_label(labels[aside]) > 0)
            is_rare = looked_at & (positives_per_label(labels[pool]) * sizes[-1] < rare_below * len(pool))
            found = _scored_run(Y, (train, test, aside), scores, looked_at, is_rare)
            lines.append({"method": variant.key, "seed": seed} | found)
            if on_progress is not None:
                on_progress(next(done), len(variants) * len(seed_list), float("nan"))
    about = (
        model if isinstance(model, str) else repr(model),
        holdout_size,
        rare_below,
        given.features.notes,
        given.rows_of,
    )
    shares = tuple((sizes / sizes.sum()).tolist())
    return PartsImpact(given.name, pd.DataFrame(lines), len(Y), Y.shape[1], shares, *about)


def _scored_run(
    Y: NDArray[np.int8],
    rows: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    scores: NDArray[np.float64],
    looked_at: NDArray[np.bool_],
    is_rare: NDArray[np.bool_],
) -> dict[str, float]:
    """Score a run on its test part and on the rows set aside, given its training, test and other rows."""
    train, test, aside = rows
    truth = score_part(Y[aside], scores[len(test) :], looked_at, is_rare)
    return {
        **score_part(Y[test], scores[: len(test)], looked_at, is_rare),
        **{f"{key}_held_out": value for key, value in truth.items()},
        **_labels_lost(Y[train], Y[test], looked_at, is_rare),
    }


def score_part(
    truth: NDArray[np.int8], scores: NDArray[np.float64], looked_at: NDArray[np.bool_], is_rare: NDArray[np.bool_]
) -> dict[str, float]:
    """Score the predictions of some rows: of the labels looked at, and of the rare ones among them."""
    found = score_labels(truth, scores)
    rare = _macro(found, is_rare)
    return {
        "micro_f1": found.pooled_f1(looked_at),
        **_macro(found, looked_at),
        **{f"rare_{key}": value for key, value in rare.items()},
        "rare_f1": found.pooled_f1(is_rare) if is_rare.any() else float("nan"),
        "rare_ap": _pooled_precision(truth[:, is_rare] > 0, scores[:, is_rare]),
    }


def _macro(found: LabelScores, which: NDArray[np.bool_]) -> dict[str, float]:
    """Give the means over labels; of labels without a positive there, as 0 and left out."""
    is_present = which & (found.n_true > 0)
    return {
        "macro_f1": mean_or_nan(found.f1[which]),
        "macro_f1_present": mean_or_nan(found.f1[is_present]),
        "macro_ap": mean_or_nan(np.nan_to_num(found.precision[which])),
        "macro_ap_present": mean_or_nan(found.precision[is_present]),
    }


def _pooled_precision(truth: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """Average precision where all pairs of row and label stand in one list."""
    return float(average_precision(truth.reshape(-1, 1), scores.reshape(-1, 1))[0]) if truth.any() else float("nan")


def _labels_lost(
    train: NDArray[np.int8], test: NDArray[np.int8], looked_at: NDArray[np.bool_], is_rare: NDArray[np.bool_]
) -> dict[str, int]:
    """Count labels that cannot be scored, since the test part has no positive, or not learned."""
    no_test, no_training = ~test.any(axis=0), ~train.any(axis=0)
    return {
        "n_test": len(test),
        "labels": int(looked_at.sum()),
        "labels_unscored": int((no_test & looked_at).sum()),
        "labels_untrained": int((no_training & looked_at).sum()),
        "rare_labels": int(is_rare.sum()),
        "rare_labels_unscored": int((no_test & is_rare).sum()),
    }


def _checked_sizes(
    n_rows: int, seeds: list[int], fold_sizes: Any, holdout_size: float, rare_below: float
) -> NDArray[np.int64]:
    """Check the numbers, and give those of the rows of each part."""
    if len(set(seeds)) < 2 or len(set(seeds)) < len(seeds):
        msg = "At least two different seeds are needed to see how much estimates differ."
        raise OptionError(msg)
    n_parts = len(as_fold_sizes(fold_sizes))
    n_aside = round(n_rows * holdout_size) if 0 < holdout_size < 1 else 0
    if n_parts < 2 or not n_aside or n_rows - n_aside < n_parts:
        msg = f"holdout_size={holdout_size} leaves too few of {n_rows:,} rows to set aside, or for {n_parts} parts."
        raise OptionError(msg)
    if not rare_below > 0:
        msg = f"rare_below must be above 0, got {rare_below!r}."
        raise OptionError(msg)
    return check_fold_sizes(fold_sizes, n_rows - n_aside)
