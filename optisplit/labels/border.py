"""What may become labels, and how: one rule for every function that takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import scipy.sparse as sp

from optisplit.errors import LabelError
from optisplit.labels.held import hold
from optisplit.labels.lists import from_lists, names_in_lists
from optisplit.labels.matrix import from_dense, from_sparse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optisplit.labels.matrix import LabelMatrix


def as_labels(labels: Any, label_names: Iterable[str] | None = None) -> LabelMatrix:
    """Turn labels in any usual form into the sparse matrix that everything here works on.

    - The caller's object is never changed. Where it already has the right form its arrays are shared, not copied.
    - Anything that is neither 0 nor 1 is refused, with the values, how many, and where the first one is.

    Parameters
    ----------
    labels : array-like, sparse matrix or array, or frame, of shape (n_rows, n_labels); or label lists
        0/1 (or False/True) label indicators, of NumPy, SciPy, pandas, polars, Arrow, Hugging Face or what calls itself
        an array, such as tensors. Explicit zeros count as zeros; an entry stored twice in COO form is an error where
        its sum is not 0 or 1.
        Or, for each row, a list or set of the names or numbers of its labels: a list, Series, array or column of them,
        or a frame of one such column; the columns are then in the order of ``optisplit.labels.names_in_lists``. Lists
        of numbers that are all of one length are indicators; numbers of labels are then given as sets.
        Texts are never parted: ``"7 12"`` is refused.
    label_names : iterable of str, optional
        Names for error messages. A frame brings its own.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_rows, n_labels), dtype int8
        The labels.

    Raises
    ------
    LabelError
        If there are no rows or no labels, the input is not two-dimensional, or it holds anything but 0 and 1.

    Examples
    --------
    >>> as_labels([[1, 0], [0, 1], [1, 1]]).sum(axis=0).tolist()
    [2, 2]
    """
    return read_labels(labels, None if label_names is None else list(label_names))[0]


def read_labels(labels: Any, label_names: list[str] | None = None) -> tuple[LabelMatrix, list[Any] | None]:
    """Turn labels into the matrix, and tell what its columns are called where the labels say so themselves."""
    held = hold(labels)
    names: list[Any] | None
    if held.are_lists:
        matrix, names = _of_lists(held.values, held.class_names)
    else:
        names = held.columns
        shown = [str(name) for name in names] if names is not None and label_names is None else label_names
        matrix = (from_sparse if sp.issparse(held.values) else from_dense)(held.values, shown)
    n_rows, n_labels = matrix.shape
    if n_rows == 0 or n_labels == 0:
        msg = f"The label matrix is empty: {n_rows} rows and {n_labels} labels; at least one of each is needed."
        raise LabelError(msg)
    return matrix, names


def _of_lists(lists: list[Any], class_names: list[str] | None) -> tuple[LabelMatrix, list[Any]]:
    names = names_in_lists(lists)
    if class_names is not None and all(not isinstance(name, str) and name < len(class_names) for name in names):
        # classes that never occur are kept, since the data have names for them
        return from_lists(lists, list(range(len(class_names)))), list(class_names)
    return from_lists(lists, names), names
