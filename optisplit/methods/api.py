"""Split by the name of a method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import OptionError, argument
from optisplit.folds.arrays import check_n_splits
from optisplit.folds.constraints import as_fold_sizes, check_constraints, check_n_sizes
from optisplit.io.encoding.encode import Balance, whole_of
from optisplit.io.likely_groups import warn_of_torn_groups
from optisplit.io.rows import groups_of
from optisplit.labels import as_dataset
from optisplit.methods.base import CONSTRAINTS, DEFAULT_METHOD, get_method
from optisplit.methods.rare import in_todays_words

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.methods.base import ProgressCallback


DEFAULT_N_SPLITS = 5
"""Folds where neither their number nor their sizes are given."""


def split(
    labels: Any,
    n_splits: int | None = None,
    *,
    method: str = DEFAULT_METHOD,
    measure: str | None = None,
    effort: str | None = None,
    max_epochs: int | None = None,
    initial: Any = None,
    ties: str | None = None,
    fold_sizes: Any = None,
    groups: Any = None,
    fixed: Any = None,
    balance_pairs: bool | None = None,
    rare: str | None = None,
    cover_rare: bool | None = None,
    balance: Any = None,
    random_state: int | np.random.Generator | np.random.RandomState | None = None,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Divide the rows of multilabel data into folds, or into parts such as train, validation and test.

    - Every row is in exactly one fold, unless `fixed` keeps it always in training.
    - The same int `random_state` gives the same folds.
    - The labels given are left as they are.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    n_splits : int, optional
        Number of folds, from 2 to the number of rows; default: as many as `fold_sizes`, otherwise 5.
    method : str, default="optisplit-sa"
        A key of :data:`optisplit.METHODS`.
    measure : {"rld", "dcp", "ld"}, optional
        The score to lower, for methods that take one; default: rLD.
    effort : {"quick", "normal", "thorough"}, optional
        How long "optisplit-sa" looks for a better split; default: "normal".
    max_epochs : int, optional
        Most times to go through all labels, for methods that take it.
    initial : array-like of shape (n_rows,) or list of (train, test) pairs, optional
        A split to start from, for methods that can.
    ties : {"random", "numpy"}, optional
        How "optisplit" breaks ties between rows; see :func:`optisplit.methods.optisplit.optisplit`.
    fold_sizes : array-like of shape (n_splits,), optional
        Sizes of the parts, for methods that can: shares that add up to 1, or numbers of rows; default: equal.
    groups : array-like of shape (n_rows,), str or path, optional
        Groups (patients, families, authors) that are never divided, for methods that can: a name or number a row; or
        a file that says so, joined by its key; or the name of a column of the data.
    fixed : array-like of shape (n_rows,), optional
        The fold of each row whose place is given, -1 for always in training, and :data:`optisplit.FREE`, None or NaN
        for rows to be placed; for methods that can.
    balance_pairs : bool, optional
        Also balance pairs of labels that occur together, for methods that can; default: no.
    rare : {"share", "cover", "score"}, optional
        What becomes of labels too rare for a part, for methods that can. "share": what is due to each label is rounded
        up or down so that rare labels together, and rows with few or many labels, have their share of every part.
        "cover": every label with enough positives gets one into every part wherever a way is found. "score": the
        measure alone decides. Default: "share".
    cover_rare : bool, optional
        Old name: True is ``rare="cover"``, False ``rare="score"``.

        .. deprecated:: 0.4.0
    balance : str, iterable of str, mapping, MultilabelDataset, DataFrame or array-like, optional
        What is balanced beside the labels: other columns of the data's table by their names, such as
        ``["sex", "age"]``, or with what to make of them, such as ``{"age": 4, "when": "month", "site": {"weight":
        2}}``; what :func:`optisplit.encode_targets` gives; or a table with as many rows. ``"instances"`` are those of
        each label, where the data count them. Counts and weights are for methods that can.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness.
    on_progress : callable, optional
        Called as ``on_progress(done, total, score)``; may raise :class:`~optisplit.errors.Stopped` to stop, whose
        `folds` then hold the best split so far where the method has one.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold whose test part holds each row, or the part that it is in; -1 where it is always in training.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If `n_splits` or `initial` does not fit the rows.
    OptionError
        If the method is unknown, or does not take an option that was given, or sizes, groups and fixed rows do not
        fit the data or each other; or if a column to balance is not there or cannot be balanced.

    Warns
    -----
    SplitWarning
        If a group is larger than a fold; and if a column of the data looks like groups, such as ids of patients, but
        none were given.

    Examples
    --------
    >>> folds = split([[1, 0], [1, 0], [0, 1], [0, 1]], n_splits=2, random_state=0)
    >>> sorted(folds[:2].tolist()), sorted(folds[2:].tolist())
    ([0, 1], [0, 1])
    >>> parts = split([[1, 0], [0, 1]] * 10, fold_sizes=[0.8, 0.1, 0.1], random_state=0)
    >>> np.bincount(parts).tolist()
    [16, 2, 2]
    """
    chosen = get_method(method)
    groups = groups_of(groups, labels)
    # these are looked at more than once, which a generator would not survive
    initial, fold_sizes, groups, fixed = (
        list(each) if isinstance(each, Iterator) else each for each in (initial, fold_sizes, groups, fixed)
    )
    given = {
        "measure": measure, "effort": effort, "max_epochs": max_epochs, "initial": initial, "ties": ties,
        "fold_sizes": fold_sizes, "groups": groups, "fixed": fixed, "balance_pairs": balance_pairs, "rare": rare,
        "cover_rare": cover_rare,
    }  # fmt: skip
    options = in_todays_words({name: value for name, value in given.items() if value is not None}, stacklevel=2)
    chosen.check_options(options)
    data = as_dataset(labels)
    n_splits = choose_n_splits(data.n_rows, n_splits, fold_sizes)
    if any(name in options for name in CONSTRAINTS):
        constraints = check_constraints(data.n_rows, n_splits, fold_sizes=fold_sizes, groups=groups, fixed=fixed)
        constraints.warn_of_large_groups()
    whole = whole_of(data, Balance.of(data, balance))
    chosen.check_columns(whole)
    rng = as_generator(random_state)
    run = chosen.run(
        whole.labels, n_splits, rng=rng, options=options, weights=whole.weights, n_labels=data.n_labels,
        on_progress=on_progress,
    )  # fmt: skip
    if groups is None:
        warn_of_torn_groups(data, run.folds, fold_sizes)
    return run.folds


def choose_n_splits(n_rows: int, n_splits: int | None, fold_sizes: Any) -> int:
    """Choose the number of folds where it is not given, and check it."""
    if n_splits is None:
        n_splits = DEFAULT_N_SPLITS if fold_sizes is None else check_n_sizes(as_fold_sizes(fold_sizes), n_rows)
    return check_n_splits(n_splits, n_rows)


def as_generator(
    random_state: int | np.random.Generator | np.random.RandomState | None,
) -> np.random.Generator:
    """Turn what scikit-learn calls random_state into one generator."""
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool) and random_state >= 0:
        return np.random.default_rng(int(random_state))
    msg = argument("random_state", of="split") + " must be a whole number from 0, a numpy Generator or RandomState, or "
    msg += f"None; got {random_state!r}."
    raise OptionError(msg)
