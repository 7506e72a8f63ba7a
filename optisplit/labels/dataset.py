"""A data set: its labels with their names, and how they were read."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import LabelError
from optisplit.labels.border import read_labels
from optisplit.labels.matrix import has_counts, positives_per_label
from optisplit.text import clean_name, html_table, short_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from optisplit.labels.matrix import LabelMatrix


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
    # what was done with label cells that are missing or uncertain, in sentences
    settled: tuple[str, ...] = field(default=(), compare=False, repr=False)
    is_sheet: bool = False  # whether it is a spreadsheet, whose table has no lines of text
    # what was guessed, each an ``optisplit.io.tables.table.Guess``: the option that sets it, and what else it could be
    guesses: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    columns: tuple[str, ...] = field(default=(), compare=False, repr=False)  # of a table, as the file has them
    # the columns that are neither labels nor the key, and the first cells of some of them
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    # columns that look like groups, each an ``optisplit.io.layouts.group_columns.LikelyGroups``; and the names of
    # those whose values stand on several rows, these first: at most a hundred
    groups: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    repeating: tuple[str, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, repr=False)
class MultilabelDataset:
    """Labels of a data set, with names, and how they were read.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels), dtype int8
        Label indicators. Build with :meth:`from_labels` to have anything else converted and checked. Or of dtype
        int32: amounts, as :func:`optisplit.encode_targets` makes them of counts.
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
    weights : ndarray of shape (n_labels,), dtype float64, optional
        How much each label weighs where methods can weigh them; None where all weigh 1.
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
    weights: NDArray[np.float64] | None = field(default=None, compare=False)
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
        shown = None if label_names is None else [clean_name(each) for each in label_names]
        matrix, own_names = read_labels(labels, shown)
        n_rows, n_labels = matrix.shape
        if shown is None:
            shown = [f"label {j}" for j in range(n_labels)] if own_names is None else list(map(clean_name, own_names))
        names = tuple(shown)
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
    def has_amounts(self) -> bool:
        """Whether some columns count, or some weigh more than others."""
        return has_counts(self.labels) or (self.weights is not None and bool(np.ptp(self.weights) > 0))

    @property
    def n_positives(self) -> int:
        """Number of (row, label) pairs that are not 0."""
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
        if has_counts(self.labels):
            digest.update(np.ascontiguousarray(self.labels.data).data)
        if self.weights is not None:
            digest.update(np.ascontiguousarray(self.weights).data)
        return digest.hexdigest()[:32]


def as_dataset(labels: Any) -> MultilabelDataset:
    """Take a data set as it is, and anything else through :meth:`MultilabelDataset.from_labels`."""
    return labels if isinstance(labels, MultilabelDataset) else MultilabelDataset.from_labels(labels)
