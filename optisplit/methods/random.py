"""The baseline: rows in random order, cut into folds of equal size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.folds.constraints import check_constraints
from optisplit.methods.annealing.units import Units

if TYPE_CHECKING:
    import numpy as np

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import ProgressCallback


def random(
    labels: LabelMatrix,
    n_splits: int,
    *,
    rng: np.random.Generator,
    fold_sizes: Any = None,
    groups: Any = None,
    fixed: Any = None,
    on_progress: ProgressCallback | None = None,
) -> FoldArray:
    """Divide the rows at random, looking at no label.

    - Fold sizes are those asked for; by default they differ by at most one row, and the first folds have the extra
      rows. With `groups` they are as near to them as whole groups allow.
    - A group is never divided, and a row of `fixed` stays where it is.
    - The same seed gives the same folds.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels; only the number of rows matters.
    n_splits : int
        Number of folds.
    rng : numpy.random.Generator
        Source of randomness.
    fold_sizes : array-like of shape (n_splits,), optional
        Shares of the rows that add up to 1, or numbers of rows; default: equal.
    groups : array-like of shape (n_rows,), optional
        Names or numbers of groups that stay whole.
    fixed : array-like of shape (n_rows,), optional
        The fold of each row whose place is given; see :func:`optisplit.split`.
    on_progress : callable, optional
        Not called: this takes no time.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row; -1 where it is always in training.

    Raises
    ------
    OptionError
        If `fold_sizes`, `groups` and `fixed` do not fit the data or each other.
    """
    constraints = check_constraints(labels.shape[0], n_splits, fold_sizes=fold_sizes, groups=groups, fixed=fixed)
    units = Units.of(constraints)
    return units.rows(units.at_random(rng))
