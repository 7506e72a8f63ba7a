"""Split by the name of a method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.data import as_dataset
from optisplit.errors import OptionError
from optisplit.folds import check_n_splits
from optisplit.methods.registry import get_method

if TYPE_CHECKING:
    from optisplit.folds import FoldArray
    from optisplit.methods.base import ProgressCallback


def split(
    labels: Any,
    n_splits: int = 5,
    *,
    method: str = "optisplit-sa",
    measure: str | None = None,
    effort: str | None = None,
    max_epochs: int | None = None,
    initial: Any = None,
    ties: str | None = None,
    random_state: int | np.random.Generator | np.random.RandomState | None = None,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Divide the rows of multilabel data into folds.

    - Every row is in exactly one fold.
    - The same int `random_state` gives the same folds.
    - The labels given are left as they are.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    n_splits : int, default=5
        Number of folds, from 2 to the number of rows.
    method : str, default="optisplit-sa"
        A key of :data:`optisplit.METHODS`.
    measure : {"rld", "dcp", "ld"}, optional
        The score to lower, for methods that take one; default: rLD.
    effort : {"quick", "normal", "thorough"}, optional
        How long "optisplit-sa" looks for a better split; default: "normal".
    max_epochs : int, optional
        Most times to go through all classes, for methods that take it.
    initial : array-like of shape (n_rows,) or list of (train, test) pairs, optional
        A split to start from, for methods that can.
    ties : {"random", "numpy"}, optional
        How "optisplit" breaks ties between rows; see :func:`optisplit.methods.optisplit.optisplit`.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness.
    on_progress : callable, optional
        Called as ``on_progress(done, total, score)``; may raise to stop.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold whose test part holds each row.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If `n_splits` or `initial` does not fit the rows.
    OptionError
        If the method is unknown, or does not take an option that was given.

    Examples
    --------
    >>> split([[1, 0], [1, 0], [0, 1], [0, 1]], n_splits=2, random_state=0).tolist()
    [0, 1, 0, 1]
    """
    chosen = get_method(method)
    given = {"measure": measure, "effort": effort, "max_epochs": max_epochs, "initial": initial, "ties": ties}
    options = {name: value for name, value in given.items() if value is not None}
    chosen.check_options(options)
    matrix = as_dataset(labels).labels
    check_n_splits(n_splits, matrix.shape[0])
    rng = as_generator(random_state)
    return chosen.run(matrix, n_splits, rng=rng, options=options, on_progress=on_progress).folds


def as_generator(
    random_state: int | np.random.Generator | np.random.RandomState | None,
) -> np.random.Generator:
    """Turn what scikit-learn calls random_state into one generator.

    Parameters
    ----------
    random_state : int, Generator, RandomState or None
        A seed, or a source of randomness; a RandomState is drawn from, so that it moves on.

    Returns
    -------
    numpy.random.Generator
        The generator.

    Raises
    ------
    OptionError
        If it is anything else, or a negative number.
    """
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool) and random_state >= 0:
        return np.random.default_rng(int(random_state))
    msg = (
        f"random_state must be a whole number from 0, a numpy Generator or RandomState, or None; got {random_state!r}."
    )
    raise OptionError(msg)
