"""What multilabel data is like, before it is split: sizes, label sets, imbalance, labels that occur together.

References
----------
.. [1] F. Charte, A. J. Rivera, M. J. del Jesus, F. Herrera, "Addressing imbalance in multilabel classification:
   Measures and random resampling algorithms", Neurocomputing 163, 2015 (IRLbl, MeanIR, CVIR).
.. [2] F. Charte, A. J. Rivera, M. J. del Jesus, F. Herrera, "Concurrence among imbalanced labels and its influence
   on multilabel resampling algorithms", HAIS 2014 (SCUMBLE).
.. [3] G. Tsoumakas, I. Katakis, "Multi-label classification: an overview", International Journal of Data Warehousing
   and Mining 3, 2007 (cardinality, density).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.labels import as_dataset, positives_per_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.labels import LabelMatrix, MultilabelDataset

PROPERTIES = ("rows", "labels", "density", "min", "25 %", "50 %", "75 %", "max")
"""Columns of the paper's Table 1: rows, labels, part of (row, label) pairs that are 1, quantiles of label sizes."""

MOST_LABEL_SETS = 20
"""Label sets that are listed by name."""

_CHUNK = 1 << 20
_HASH_SEED = 20220101


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A combination of labels and the rows that carry exactly these."""

    labels: tuple[str, ...]  # names of the labels; none for rows without a label
    n_rows: int  # rows with exactly these labels


@dataclass(frozen=True, eq=False)
class Characteristics:
    """What there is to know of a data set without splitting it."""

    label_names: tuple[str, ...]  # one name a label
    sizes: NDArray[np.int64]  # shape (n_labels,): label sizes: the rows that carry each label
    rows_by_n_labels: NDArray[np.int64]  # shape (most labels of a row + 1,): how many rows have 0, 1, 2, ... labels
    n_label_sets: int  # distinct label sets, that of rows without a label included
    n_single_label_sets: int  # label sets that only one row has
    label_sets: tuple[LabelSet, ...]  # the most frequent ones, at most :data:`MOST_LABEL_SETS`
    scumble: float  # mean of the rows' SCUMBLE. [2]_
    # shape (n_labels,): mean over the rows that carry the label; NaN where none does
    scumble_per_label: NDArray[np.float64]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.rows_by_n_labels.sum())

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.sizes)

    @property
    def n_positives(self) -> int:
        """Number of (row, label) pairs that are 1."""
        return int(self.sizes.sum())

    @property
    def cardinality(self) -> float:
        """Mean number of labels a row. [3]_."""
        return self.n_positives / self.n_rows

    @property
    def density(self) -> float:
        """Cardinality divided by the number of labels. [3]_."""
        return self.cardinality / self.n_labels

    @property
    def label_set_share(self) -> float:
        """Distinct label sets divided by rows: 1 where no two rows have the same labels."""
        return self.n_label_sets / self.n_rows

    @property
    def n_unlabelled(self) -> int:
        """Rows without any label."""
        return int(self.rows_by_n_labels[0])

    @cached_property
    def labels_per_row(self) -> tuple[int, float, int]:
        """Fewest, median and most labels of a row."""
        fewest = int(np.flatnonzero(self.rows_by_n_labels)[0])
        up_to = self.rows_by_n_labels.cumsum()
        middle = np.searchsorted(up_to, [(self.n_rows - 1) // 2, self.n_rows // 2], side="right")
        return fewest, float(middle.mean()), len(self.rows_by_n_labels) - 1

    @cached_property
    def size_quantiles(self) -> tuple[float, ...]:
        """Label sizes at 0, 25, 50, 75 and 100 %, as in Table 1 of the paper."""
        return size_quantiles(self.sizes)

    @property
    def n_empty_labels(self) -> int:
        """Labels that no row carries."""
        return int((self.sizes == 0).sum())

    @property
    def n_full_labels(self) -> int:
        """Labels that all rows carry."""
        return int((self.sizes == self.n_rows).sum())

    @cached_property
    def irlbl(self) -> NDArray[np.float64]:
        """Imbalance ratio of each label: the largest label size divided by its own; NaN without positives. [1]_."""
        return _imbalance(self.sizes)

    @property
    def mean_ir(self) -> float:
        """Mean of :attr:`irlbl` over the labels that have positives; NaN where none has. [1]_."""
        known = self.irlbl[self.sizes > 0]
        return float(known.mean()) if known.size else float("nan")

    @property
    def max_ir(self) -> float:
        """Largest :attr:`irlbl`; NaN where no label has positives. [1]_."""
        known = self.irlbl[self.sizes > 0]
        return float(known.max()) if known.size else float("nan")

    @property
    def cv_ir(self) -> float:
        """Deviation of :attr:`irlbl` (n - 1) divided by its mean; NaN with fewer than two such labels. [1]_."""
        known = self.irlbl[self.sizes > 0]
        return float(known.std(ddof=1) / known.mean()) if known.size > 1 else float("nan")

    @cached_property
    def per_label(self) -> pd.DataFrame:
        """One row a label, the largest first: ``label``, ``positives``, ``share`` of rows, ``irlbl``, ``scumble``."""
        import pandas as pd

        columns = {
            "label": pd.Series(self.label_names, dtype="str"),
            "positives": self.sizes,
            "share": self.sizes / self.n_rows,
            "irlbl": self.irlbl,
            "scumble": self.scumble_per_label,
        }
        table = pd.DataFrame(columns)
        return table.sort_values("positives", ascending=False, kind="stable").reset_index(drop=True)

    def rarer_than(self, n_splits: int) -> pd.DataFrame:
        """List the labels that have fewer positives than there are folds: some fold must be without them."""
        return rare_labels(self.label_names, self.sizes, n_splits)


def rare_labels(label_names: Sequence[str], sizes: NDArray[np.int64], n_splits: int) -> pd.DataFrame:
    """List the labels with fewer positives than there are folds, the rarest first; see :class:`Characteristics`."""
    import pandas as pd

    rare = np.flatnonzero(sizes < n_splits)
    rare = rare[np.argsort(sizes[rare], kind="stable")]
    names = pd.Series([label_names[label] for label in rare.tolist()], dtype="str")
    return pd.DataFrame({"label": names, "positives": sizes[rare], "folds_without": n_splits - sizes[rare]})


def characteristics(labels: Any) -> Characteristics:
    r"""Describe multilabel data."""
    data = as_dataset(labels)
    matrix = data.labels
    sizes = positives_per_label(matrix)
    lengths = np.diff(matrix.indptr)
    n_sets, n_single, listed = _label_sets(data)
    of_row = _scumble_of_rows(matrix, _imbalance(sizes))
    sums = np.zeros(sizes.size)
    for start, stop in _chunks(matrix):
        held = matrix.indices[matrix.indptr[start] : matrix.indptr[stop]]
        sums += np.bincount(held, weights=np.repeat(of_row[start:stop], lengths[start:stop]), minlength=sizes.size)
    return Characteristics(
        label_names=data.label_names,
        sizes=sizes,
        rows_by_n_labels=np.bincount(lengths).astype(np.int64),
        n_label_sets=n_sets,
        n_single_label_sets=n_single,
        label_sets=listed,
        scumble=float(of_row.mean()),
        scumble_per_label=_divide(sums, sizes),
    )


def size_quantiles(sizes: NDArray[np.int64]) -> tuple[float, ...]:
    """Compute the quantiles of label sizes that the paper's Table 1 has."""
    return tuple(np.percentile(sizes, [0, 25, 50, 75, 100]).tolist())


def properties_of(data: MultilabelDataset) -> dict[str, float]:
    """Compute the columns of the paper's Table 1."""
    quantiles = size_quantiles(positives_per_label(data.labels))
    density = data.n_positives / (data.n_rows * data.n_labels)
    return dict(zip(PROPERTIES, [data.n_rows, data.n_labels, density, *quantiles], strict=True))


def count_together(labels: LabelMatrix, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the rows that carry both of two labels, for every two of those chosen."""
    columns = labels[:, chosen].astype(np.int32)  # the counts would not fit into 8 bits
    return np.asarray((columns.T @ columns).toarray(), dtype=np.int64)


def _imbalance(sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    return _divide(np.full(sizes.size, float(sizes.max())), sizes)


def _divide(above: NDArray[np.float64], below: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.full(below.size, np.nan), where=below > 0)


def _scumble_of_rows(labels: LabelMatrix, irlbl: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.maximum(np.diff(labels.indptr), 1)
    arithmetic = _sum_by_row(labels, irlbl) / lengths
    geometric = np.exp(_sum_by_row(labels, np.log(irlbl)) / lengths)
    ratio = np.divide(geometric, arithmetic, out=np.ones(lengths.size), where=arithmetic > 0)
    of_row = 1 - ratio
    of_row[of_row < 1e-12] = 0.0  # what rounding leaves where all ratios are equal
    return np.asarray(of_row, dtype=np.float64)


def _label_sets(data: MultilabelDataset) -> tuple[int, int, tuple[LabelSet, ...]]:
    """Count distinct label sets and those of one row, and list the most frequent."""
    codes = np.random.default_rng(_HASH_SEED).integers(0, 2**64, data.n_labels, dtype=np.uint64)
    _, first_rows, n_rows = np.unique(_sum_by_row(data.labels, codes), return_index=True, return_counts=True)
    order = np.lexsort((first_rows, -n_rows))[:MOST_LABEL_SETS]
    listed = []
    for at in order.tolist():
        start, stop = data.labels.indptr[first_rows[at] : first_rows[at] + 2]
        names = tuple(data.label_names[label] for label in data.labels.indices[start:stop])
        listed.append(LabelSet(names, int(n_rows[at])))
    return len(n_rows), int((n_rows == 1).sum()), tuple(listed)


def _sum_by_row(labels: LabelMatrix, values: NDArray[Any]) -> NDArray[Any]:
    """Add up the values of each row's labels; 0 where there are none."""
    sums = np.zeros(labels.shape[0], dtype=values.dtype)
    for start, stop in _chunks(labels):
        starts = labels.indptr[start : stop + 1]
        held = np.flatnonzero(np.diff(starts))  # reduceat knows no empty stretch
        if held.size:
            of_labels = values[labels.indices[starts[0] : starts[-1]]]
            sums[start + held] = np.add.reduceat(of_labels, starts[held] - starts[0])
    return sums


def _chunks(labels: LabelMatrix) -> Iterator[tuple[int, int]]:
    """Go through the rows in stretches of some million positives, so that nothing large is made beside the labels."""
    start, n_rows = 0, labels.shape[0]
    while start < n_rows:
        full = int(np.searchsorted(labels.indptr, int(labels.indptr[start]) + _CHUNK, side="right")) - 1
        stop = max(start + 1, full)
        yield start, stop
        start = stop
