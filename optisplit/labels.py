"""The border for labels: whatever users hold, in; one sparse matrix of zeros and ones, with its names, out."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from optisplit.errors import LabelError
from optisplit.text import clean_name, counted, html_table, listed, short_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

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
    """Tell whether labels are given as one list or set of label names a row."""
    if not isinstance(labels, list | tuple) or not all(
        isinstance(row, list | tuple | set | frozenset) for row in labels
    ):
        return False
    return any(isinstance(row, set | frozenset) or any(isinstance(name, str) for name in row) for row in labels)


def names_in_lists(labels: Iterable[Iterable[Any]]) -> list[Any]:
    """Collect the label names that occur in label lists."""
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
    """Count the rows that carry each label."""
    counts = np.zeros(labels.shape[1], dtype=np.int64)
    for start in range(0, labels.nnz, _CHUNK):  # bincount widens what it is given
        counts += np.bincount(labels.indices[start : start + _CHUNK], minlength=counts.size)
    return counts


def _from_sparse(labels: Any, names: list[str] | None) -> LabelMatrix:
    if labels.ndim != 2:
        msg = f"Labels must be a table of rows x labels, but this has {counted(labels.ndim, 'dimension')}."
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
        msg = f"Labels must be a table of rows x labels, but this has {counted(array.ndim, 'dimension')}."
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
    labels = "the label" if len(where) == 1 else "the labels"
    msg = (
        f"Labels must be 0 or 1, but {counted(count, 'value', 'is')} not: {listed(kinds)}, "
        f"first in row {first_row}, in {labels} {listed(where)}.{hint}"
    )
    return LabelError(msg)


@dataclass(frozen=True)
class Reading:
    """How a file was read."""

    file_name: str  # name of the file
    format: str  # key of the format, as :func:`optisplit.load` takes it
    form: str  # the form for people, such as ``MULAN ARFF, sparse rows``
    rule: str  # how the label columns were chosen, one sentence
    # all that there is to say, in the order to show it: titles and what to say
    entries: Mapping[str, str] = field(default_factory=dict)
    # arguments of :func:`optisplit.load` that lead to the same reading; only what goes into JSON
    options: Mapping[str, Any] = field(default_factory=dict)
    n_file_rows: int = 0  # rows in the file; more than the data has where rows were left out
    # shape (n_rows,): the number in the file, from 0, of each row of the data; None where all were kept
    kept_rows: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)
    # where the file is, or its bytes where these are kept, to look up what else it says of rows
    file: Path | bytes | None = field(default=None, compare=False, repr=False)
    # the first so many rows of the file are the training rows of a split that the file itself states
    n_train: int | None = None
    # what was guessed, each an ``optisplit.io.tables.table.Guess``: the option that sets it, and what else it could be
    guesses: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    columns: tuple[str, ...] = field(default=(), compare=False, repr=False)  # of a table, as the file has them
    # the columns that are neither labels nor the key, and the first cells of some of them
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, repr=False)
class MultilabelDataset:
    """Labels of a data set, with names, and how they were read.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels), dtype int8
        Label indicators. Build with :meth:`from_labels` to have anything else converted and checked.
    label_names : tuple of str, length n_labels
        One name a label, fit to show.
    row_ids : tuple of str, length n_rows, optional
        What the user calls each row; None where rows are known by their number.
    name : str
        Short name of the data set.
    notes : tuple of str
        What the reader noticed and decided, in sentences for the user.
    reading : Reading, optional
        How the file was read, where the data come from one.
    key : str, optional
        The column that `row_ids` come from.
    counts : csr_array of shape (n_rows, n_labels), dtype int32, optional
        How many instances of a label a row has, as images have objects; `labels` says which are not 0.
    read_features : callable, optional
        Reads :attr:`features`, given `reading`.
    """

    labels: LabelMatrix
    label_names: tuple[str, ...]
    row_ids: tuple[str, ...] | None = None
    name: str = "data"
    notes: tuple[str, ...] = field(default=())
    reading: Reading | None = field(default=None, compare=False)
    key: str | None = field(default=None, compare=False)
    counts: Any = field(default=None, compare=False)
    read_features: Callable[[Reading], Any] | None = field(default=None, compare=False)

    @cached_property
    def features(self) -> Any:
        """The columns that are neither labels nor the key, read when first asked for; None where there are none.

        Returns
        -------
        DataFrame of shape (n_rows, n_columns), csr_array of shape (n_rows, n_features), or None
            Typed columns of a table or an ARFF file; a sparse array where features have numbers only.
        """
        return None if self.read_features is None or self.reading is None else self.read_features(self.reading)

    @property
    def understood(self) -> Reading | None:
        """Deprecated name of `reading`."""
        warnings.warn("understood is now called reading", DeprecationWarning, stacklevel=2)
        return self.reading

    @classmethod
    def from_labels(
        cls,
        labels: Any,
        label_names: Iterable[object] | None = None,
        *,
        row_ids: Iterable[object] | None = None,
        name: str = "data",
        notes: Iterable[str] = (),
    ) -> MultilabelDataset:
        """Build a data set from labels in any usual form.

        Parameters
        ----------
        labels : array-like, sparse or DataFrame of shape (n_rows, n_labels), or label lists
            0/1 label indicators; or a list or set of label names for each row.
        label_names : iterable, optional
            One name a label; default: a DataFrame's columns, or the names in label lists, otherwise ``label 0``,
            ``label 1``, ...
        row_ids : iterable, optional
            One id a row.
        name : str, default="data"
            Short name of the data set.
        notes : iterable of str, optional
            What the reader noticed.

        Returns
        -------
        MultilabelDataset
            The data set.

        Raises
        ------
        LabelError
            If the labels are not 0/1, or the number of names or ids is not that of labels or rows.
        """
        columns = getattr(labels, "columns", None)
        if label_names is None and columns is not None:
            label_names = list(columns)
        elif label_names is None and is_label_lists(labels):
            label_names = names_in_lists(labels)
        names = None if label_names is None else tuple(clean_name(each) for each in label_names)
        matrix = as_labels(labels, names)
        n_rows, n_labels = matrix.shape
        if names is None:
            names = tuple(f"label {j}" for j in range(n_labels))
        ids = None if row_ids is None else tuple(clean_name(each) for each in row_ids)
        for what, given, expected in (("label names", names, n_labels), ("row ids", ids, n_rows)):
            if given is not None and len(given) != expected:
                msg = f"There are {len(given):,} {what}, but the label matrix needs {expected:,}."
                raise LabelError(msg)
        return cls(matrix, names, ids, clean_name(name), tuple(notes))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.labels.shape[0])

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.labels.shape[1])

    @property
    def n_positives(self) -> int:
        """Number of (row, label) pairs that are 1."""
        return int(self.labels.nnz)

    def __repr__(self) -> str:
        return f"MultilabelDataset {self.name!r}: {self.n_rows:,} rows x {self.n_labels:,} labels"

    def _repr_html_(self) -> str:
        sizes = positives_per_label(self.labels)
        cardinality = self.n_positives / self.n_rows
        titles = ("Data", "Rows", "Labels", "Positives", "Labels per row", "Density", "Smallest label", "Largest")
        numbers = (self.n_rows, self.n_labels, self.n_positives, cardinality, cardinality / self.n_labels)
        line = [self.name, *map(short_number, (*numbers, int(sizes.min()), int(sizes.max())))]
        caption = "Multilabel data; the size of a label is the number of rows that carry it"
        return html_table(caption, titles, [line])

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digest of shape, labels and names: equal data sets, equal digests."""
        digest = hashlib.sha256(np.asarray(self.labels.shape, dtype=np.int64).tobytes())
        digest.update(self.labels.indptr.astype(np.int64, copy=False).tobytes())
        digest.update(np.ascontiguousarray(self.labels.indices).data)
        digest.update("\0".join(self.label_names).encode())
        return digest.hexdigest()[:32]


def as_dataset(labels: Any) -> MultilabelDataset:
    """Take a data set as it is, and anything else through :meth:`MultilabelDataset.from_labels`."""
    return labels if isinstance(labels, MultilabelDataset) else MultilabelDataset.from_labels(labels)
