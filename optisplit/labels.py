"""The border for labels: whatever users hold, in; one sparse matrix of zeros and ones, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from optisplit.errors import LabelError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

LabelMatrix: TypeAlias = sp.csr_array
"""CSR of shape (n_rows, n_labels): int8 ones, int32 indices, sorted, no zeros stored, no duplicates."""

IntArray: TypeAlias = NDArray[np.integer[Any]]

_CHUNK = 1 << 21


def as_labels(labels: Any, label_names: Iterable[str] | None = None) -> LabelMatrix:
    """Turn labels in any usual form into the sparse matrix that everything here works on.

    - The caller's object is never changed. Where it already has the right form its arrays are shared, not copied.
    - Anything that is neither 0 nor 1 is refused, with the values, how many, and where the first one is.

    Parameters
    ----------
    labels : array-like, sparse matrix or array, or DataFrame, of shape (n_rows, n_labels); or label lists
        0/1 (or False/True) label indicators. Explicit zeros count as zeros; an entry stored twice in COO form
        is an error where its sum is not 0 or 1. Or, for each row, a list or set of the names of its labels; the
        columns are then in the order of ``optisplit.labels.names_in_lists``.
    label_names : iterable of str, optional
        Names for error messages. A DataFrame brings its own.

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
    columns = getattr(labels, "columns", None)
    if columns is not None and label_names is None:
        label_names = [str(column) for column in columns]
    names = None if label_names is None else list(label_names)
    if is_label_lists(labels):
        matrix = _from_lists(labels)
    elif sp.issparse(labels):
        matrix = _from_sparse(labels, names)
    elif _is_sparse_frame(labels):
        matrix = _from_sparse(labels.sparse.to_coo(), names)
    else:
        matrix = _from_dense(labels, names)
    n_rows, n_labels = matrix.shape
    if n_rows == 0 or n_labels == 0:
        msg = f"The label matrix is empty: {n_rows} rows and {n_labels} labels; at least one of each is needed."
        raise LabelError(msg)
    return matrix


def is_label_lists(labels: Any) -> bool:
    """Tell whether labels are given as one list or set of label names a row.

    Parameters
    ----------
    labels : object
        Labels in any form.

    Returns
    -------
    bool
        True for a list or tuple of lists, tuples or sets, where one is a set or holds a text.

    Examples
    --------
    >>> is_label_lists([["a"], [], ["a", "b"]]), is_label_lists([[0, 1], [1, 1]])
    (True, False)
    """
    if not isinstance(labels, list | tuple) or not all(
        isinstance(row, list | tuple | set | frozenset) for row in labels
    ):
        return False
    return any(isinstance(row, set | frozenset) or any(isinstance(name, str) for name in row) for row in labels)


def names_in_lists(labels: Iterable[Iterable[Any]]) -> list[Any]:
    """Collect the label names that occur in label lists.

    Parameters
    ----------
    labels : iterable of iterables
        The names of each row's labels.

    Returns
    -------
    list
        Each name once, in alphabetical order.

    Raises
    ------
    LabelError
        If a name is neither a text nor a whole number, or a row has one twice.
    """
    names = set()
    for number, row in enumerate(labels):
        held = list(row)
        for name in held:
            if not isinstance(name, str | int | np.integer) or isinstance(name, bool):
                msg = f"Label names must be texts or whole numbers, but row {number} has {name!r}."
                raise LabelError(msg)
        if len(set(held)) < len(held):
            twice = next(name for name in held if held.count(name) > 1)
            msg = f"Row {number} has the label {twice!r} twice."
            raise LabelError(msg)
        names.update(held)
    return sorted(names, key=lambda name: (isinstance(name, str), name))


def positives_per_label(labels: LabelMatrix) -> NDArray[np.int64]:
    """Count the rows that carry each label.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels.

    Returns
    -------
    ndarray of shape (n_labels,), dtype int64
        Class sizes, in rows.
    """
    counts = np.zeros(labels.shape[1], dtype=np.int64)
    for start in range(0, labels.nnz, _CHUNK):  # bincount widens what it is given
        counts += np.bincount(labels.indices[start : start + _CHUNK], minlength=counts.size)
    return counts


def _from_sparse(labels: Any, names: list[str] | None) -> LabelMatrix:
    if labels.ndim != 2:
        msg = f"Labels must be a table of rows x labels, but this has {labels.ndim} dimension(s)."
        raise LabelError(msg)
    matrix = _as_csr(labels)
    if not matrix.has_sorted_indices:
        matrix = matrix.copy()
        matrix.sort_indices()
    if not matrix.has_canonical_format:
        # a copy, since sum_duplicates works in place; wide enough that no sum of whole numbers comes round to 1 again
        matrix = matrix.astype(np.int64 if matrix.dtype.kind in "biu" else matrix.dtype, copy=True)
        matrix.sum_duplicates()
    values = matrix.data
    is_one = values == 1
    if not is_one.all():
        is_wrong = ~is_one & (values != 0)
        if is_wrong.any():
            at = np.flatnonzero(is_wrong)
            first_row = int(np.searchsorted(matrix.indptr, at[0], side="right")) - 1
            raise _not_binary(values[at], first_row, matrix.indices[at], names)
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    return _with_house_dtypes(matrix)


def _as_csr(labels: Any) -> Any:
    """Convert to CSR; the arrays of a CSR input are shared, and those of no input changed."""
    try:
        if labels.dtype == np.float16:  # stored by scipy, but not worked with
            labels = labels.astype(np.float32)
        if labels.format in ("csr", "csc", "bsr"):
            labels = type(labels)(labels)  # a shell of our own, since the check tidies up in place
            labels.check_format(full_check=True)  # an index out of range would make the kernels write anywhere
        matrix = sp.csr_array(labels)
        if labels.format == "coo" and matrix.nnz < labels.nnz and labels.dtype.kind in "biu":
            matrix = sp.csr_array(labels.astype(np.int64))  # doubled entries were added up in too narrow a type
    except (TypeError, ValueError) as error:
        msg = f"The sparse label matrix cannot be read: {error}"
        raise LabelError(msg) from error
    return matrix


def _with_house_dtypes(matrix: Any) -> LabelMatrix:
    index_dtype = np.int32 if max(matrix.nnz, *matrix.shape) < np.iinfo(np.int32).max else np.int64
    # arrays that cannot be written to are another type to the kernels, which would be compiled once more for them
    arrays = (
        np.require(matrix.data, np.int8, ["C", "W"]),
        np.require(matrix.indices, index_dtype, ["C", "W"]),
        np.require(matrix.indptr, index_dtype, ["C", "W"]),
    )
    if arrays[0] is matrix.data and arrays[1] is matrix.indices and arrays[2] is matrix.indptr:
        return matrix
    result = sp.csr_array(arrays, shape=matrix.shape)
    result.has_canonical_format = True
    return result


def _from_lists(labels: Any) -> LabelMatrix:
    column = {name: at for at, name in enumerate(names_in_lists(labels))}
    lengths = [len(row) for row in labels]
    indices = np.fromiter((at for row in labels for at in sorted(column[name] for name in row)), dtype=np.int32)
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    ones = np.ones(indices.size, dtype=np.int8)
    return _with_house_dtypes(sp.csr_array((ones, indices, indptr), shape=(len(lengths), len(column))))


def _is_sparse_frame(labels: Any) -> bool:
    """Tell whether this is a DataFrame all of whose columns are sparse: made dense, it might not fit."""
    if not hasattr(labels, "columns") or not hasattr(labels, "dtypes") or len(labels.columns) == 0:
        return False
    return all(str(kind).startswith("Sparse") for kind in labels.dtypes)


def _from_dense(labels: Any, names: list[str] | None) -> LabelMatrix:
    if np.ma.is_masked(labels):  # what is masked is missing, whatever stands beneath
        values = np.ma.getdata(labels).astype(object)
        values[np.ma.getmaskarray(labels)] = None
        labels = values
    try:
        array = np.asarray(labels)
    except ValueError as error:
        msg = "Labels must be a table of rows x labels, but the rows given have different lengths."
        raise LabelError(msg) from error
    if array.ndim != 2:
        msg = f"Labels must be a table of rows x labels, but this has {array.ndim} dimension(s)."
        if isinstance(labels, str):
            msg += f"\nHint: to read a data set by its name or path, use optisplit.load({labels!r})."
        elif array.ndim == 1:
            msg += "\nHint: one class a row can be given as one column each, as pandas.get_dummies makes them."
        raise LabelError(msg)
    if array.dtype == np.bool_:
        is_positive = array
    else:
        is_positive = _equal(array, 1)
        is_wrong = ~(is_positive | _equal(array, 0))
        if is_wrong.any():
            rows, columns = np.nonzero(is_wrong)
            raise _not_binary(array[rows, columns], int(rows[0]), columns, names)
    return _with_house_dtypes(sp.csr_array(is_positive.astype(np.int8)))


def _equal(array: NDArray[Any], number: int) -> NDArray[np.bool_]:
    if array.dtype.kind in "USV":  # a string never equals a number; '1' is refused, not guessed at
        return np.zeros(array.shape, dtype=bool)
    try:
        return np.asarray(array == number, dtype=bool)
    except (TypeError, ValueError):  # objects among which some can be compared with nothing, such as pandas.NA
        return np.frompyfunc(lambda value: _is_number(value, number), 1, 1)(array).astype(bool)


def _is_number(value: object, number: int) -> bool:
    try:
        return bool(value == number)
    except (TypeError, ValueError):
        return False


def _not_binary(values: NDArray[Any], first_row: int, columns: IntArray, names: list[str] | None) -> LabelError:
    """Say which values stand where 0 or 1 should, how many they are, and in which labels."""
    count = len(values)
    kinds = list(dict.fromkeys(str(value) for value in values[:10_000].tolist()))
    in_labels = list(dict.fromkeys(columns[:10_000].tolist()))
    where = [names[j] if names is not None and j < len(names) else f"column {j}" for j in in_labels]
    hint = ""
    if set(kinds) <= {"-1", "-1.0"}:
        hint = "\nHint: these look like -1/1 labels; give (labels == 1) if -1 means 'does not have the label'."
    elif set(kinds) <= {"nan", "None", "<NA>", ""}:
        hint = "\nHint: missing labels are not negatives; drop these rows or decide what they are first."
    elif set(kinds) <= {"0", "1", "True", "False", "0.0", "1.0"}:
        hint = "\nHint: these are texts, not numbers; convert them first, for example with .astype(int)."
    elif len(kinds) > 10:
        hint = "\nHint: are these the features? Give the labels: one column of zeros and ones for each."
    msg = (
        f"Labels must be 0 or 1, but {count:,} value(s) are not: {listed(kinds)}, "
        f"first in row {first_row}, in the label(s) {listed(where)}.{hint}"
    )
    return LabelError(msg)
