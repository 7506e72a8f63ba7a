"""What goes in 0.5.0: names of the check room before 0.4.0."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from optisplit.check.missing import find_missing_labels

if TYPE_CHECKING:
    import pandas as pd


def find_absences(
    labels: Any, folds: Any, *, n_splits: int | None = None, groups: Any = None, fixed: Any = None
) -> pd.DataFrame:
    """Call :func:`optisplit.find_missing_labels` by its old name.

    .. deprecated:: 0.4.0
        Use :func:`optisplit.find_missing_labels`.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    folds : array-like of shape (n_rows,), or list of (train, test) pairs of index arrays
        The split.
    n_splits : int, optional
        Number of folds; by default the highest fold number plus one.
    groups : array-like of shape (n_rows,), optional
        Groups that had to stay whole.
    fixed : array-like of shape (n_rows,), optional
        Places that were given; see :func:`optisplit.split`.

    Returns
    -------
    DataFrame
        The same table; ``missing_from`` and ``n_missing`` are called ``absent_folds`` and ``n_absent``.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", DeprecationWarning)
    ...     find_absences([[1], [1], [0], [0]], [0, 0, 1, 1])["n_absent"].tolist()
    [1]
    """
    msg = "find_absences is called find_missing_labels since 0.4.0; the old name goes in 0.5.0."
    warnings.warn(msg, DeprecationWarning, stacklevel=2)
    table = find_missing_labels(labels, folds, n_splits=n_splits, groups=groups, fixed=fixed)
    return table.rename(columns={"missing_from": "absent_folds", "n_missing": "n_absent"})
