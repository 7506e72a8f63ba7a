"""The label matrix: sparse and dense tables of zeros and ones become one form, and anything else is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from optisplit.errors import LabelError
from optisplit.labels.refusals import not_binary, not_two_dimensional

if TYPE_CHECKING:
    from numpy.typing import NDArray

LabelMatrix: TypeAlias = sp.csr_array
"""CSR of shape (n_rows, n_labels): int8 ones, int32 indices, sorted, no zeros stored, no duplicates.

Of a data set with counts: int32 amounts from 1 on."""

_CHUNK = 1 << 21


def positives_per_label(labels: LabelMatrix) -> NDArray[np.int64]:
    """Count the rows that carry each label."""
    counts = np.zeros(labels.shape[1], dtype=np.int64)
    for start in range(0, labels.nnz, _CHUNK):  # bincount widens what it is given
        counts += np.bincount(labels.indices[start : start + _CHUNK], minlength=counts.size)
    return counts


def has_counts(labels: LabelMatrix) -> bool:
    """Tell whether a matrix holds amounts, and not only ones."""
    return bool(labels.dtype != np.int8)


def count_columns(labels: LabelMatrix) -> NDArray[np.bool_] | None:
    """Tell which columns have more than one on some row; None where the matrix holds only ones."""
    if not has_counts(labels):
        return None
    is_count = np.zeros(labels.shape[1], dtype=np.bool_)
    is_count[labels.indices[labels.data > 1]] = True
    return is_count


def side_by_side(*matrices: LabelMatrix) -> LabelMatrix:
    """Put the columns of matrices of as many rows beside each other."""
    matrix = sp.csr_array(sp.hstack(matrices, format="csr"))
    return with_house_dtypes(matrix, np.int32 if any(map(has_counts, matrices)) else np.int8)


def from_sparse(labels: Any, names: list[str] | None) -> LabelMatrix:
    """Check a sparse matrix or array of any format."""
    if labels.ndim != 2:
        raise not_two_dimensional(labels.ndim, labels, ())
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
            has_zeros = matrix.nnz < matrix.shape[0] * matrix.shape[1] or bool((values == 0).any())
            raise not_binary(values[at], first_row, matrix.indices[at], names, matrix.shape[1], has_zeros=has_zeros)
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    return with_house_dtypes(matrix)


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


def with_house_dtypes(matrix: Any, kind: type = np.int8) -> LabelMatrix:
    """Give a matrix of ones, or of amounts, the types that everything here works with."""
    index_dtype = np.int32 if max(matrix.nnz, *matrix.shape) < np.iinfo(np.int32).max else np.int64
    # arrays that cannot be written to are another type to the kernels, which would be compiled once more for them
    arrays = (
        np.require(matrix.data, kind, ["C", "W"]),
        np.require(matrix.indices, index_dtype, ["C", "W"]),
        np.require(matrix.indptr, index_dtype, ["C", "W"]),
    )
    if arrays[0] is matrix.data and arrays[1] is matrix.indices and arrays[2] is matrix.indptr:
        return matrix
    result = sp.csr_array(arrays, shape=matrix.shape)
    result.has_canonical_format = True
    return result


def from_dense(labels: Any, names: list[str] | None) -> LabelMatrix:
    """Check a table of which NumPy makes an array."""
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
        raise not_two_dimensional(array.ndim, labels, array.tolist() if array.ndim == 1 else ())
    if array.dtype == np.bool_:
        is_positive = array
    else:
        is_positive, is_zero = _equal(array, 1), _equal(array, 0)
        is_wrong = ~(is_positive | is_zero)
        if is_wrong.any():
            rows, columns = np.nonzero(is_wrong)
            wrong, has_zeros = array[rows, columns], bool(is_zero.any())
            raise not_binary(wrong, int(rows[0]), columns, names, array.shape[1], has_zeros=has_zeros)
    return with_house_dtypes(sp.csr_array(is_positive.astype(np.int8)))


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
