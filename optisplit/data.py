"""A multilabel data set: its labels and the names that go with them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import LabelError
from optisplit.labels import LabelMatrix, as_labels, is_label_lists, names_in_lists, positives_per_label
from optisplit.text import clean_name, html_table, short_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optisplit.understanding import Understanding


@dataclass(frozen=True, repr=False)
class MultilabelDataset:
    """Labels of a data set, with names, and how they were understood.

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
    understood : Understanding, optional
        How the file was read, where the data come from one.
    """

    labels: LabelMatrix
    label_names: tuple[str, ...]
    row_ids: tuple[str, ...] | None = None
    name: str = "data"
    notes: tuple[str, ...] = field(default=())
    understood: Understanding | None = field(default=None, compare=False)

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
    """Take a data set as it is, and anything else through :meth:`MultilabelDataset.from_labels`.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        A data set or 0/1 labels.

    Returns
    -------
    MultilabelDataset
        The data set.
    """
    return labels if isinstance(labels, MultilabelDataset) else MultilabelDataset.from_labels(labels)
