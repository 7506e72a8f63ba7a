"""Labels that are left out, or put together: what to do about those that are too rare for every part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import LabelError, argument
from optisplit.labels.dataset import as_dataset
from optisplit.labels.facts import described_anew
from optisplit.labels.matrix import has_counts, with_house_dtypes
from optisplit.text import clean_name, counted, listed, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optisplit.labels.dataset import MultilabelDataset

EDITS = ("merge_labels", "drop_labels")
"""Arguments of :func:`optisplit.load` that change which labels there are, of whatever file."""


def drop_labels(labels: Any, names: Iterable[str]) -> MultilabelDataset:
    """Leave labels out, such as those on too few rows to be in every part; all rows stay.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    names : iterable of str
        What the labels are called.

    Returns
    -------
    MultilabelDataset
        The data without them.

    Raises
    ------
    LabelError
        If no label is called so, or none would be left.

    Examples
    --------
    >>> drop_labels([[1, 0], [0, 1]], ["label 0"]).label_names
    ('label 1',)
    """
    data = as_dataset(labels)
    dropped = _checked(data, names, argument("drop_labels"))
    kept = np.array([name not in dropped for name in data.label_names])
    if not kept.any():
        msg = argument("drop_labels") + f" names all {counted(data.n_labels, 'label')}; at least one has to be left."
        raise LabelError(msg)
    note = f"Left out: {counted(len(dropped), 'label')}, {named(dropped)}."
    return _edited(data, _kept(data, kept), [*np.array(data.label_names, dtype=object)[kept]], note, "drop_labels",
                   dropped)  # fmt: skip


def merge_labels(labels: Any, merged: Mapping[str, Iterable[str]]) -> MultilabelDataset:
    """Make one label of several: a row has it that has any of them; where instances are counted, they are added up.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    merged : mapping of str to iterable of str
        By the name of each new label, which may be that of one of them, the labels that it stands for; it takes the
        place of the first.

    Returns
    -------
    MultilabelDataset
        The data with the new labels in the place of these.

    Raises
    ------
    LabelError
        If no label is called so, one is to go into two, or another label has the name of a new one.

    Examples
    --------
    >>> data = merge_labels([[1, 0, 0], [0, 1, 0], [0, 0, 1]], {"rare": ["label 0", "label 2"]})
    >>> data.label_names, data.labels.toarray().tolist()
    (('rare', 'label 1'), [[1, 0], [0, 1], [1, 0]])
    """
    data = as_dataset(labels)
    for new, names in merged.items():
        data = _merge(data, clean_name(new), names)
    return data


def _merge(data: MultilabelDataset, new: str, names: Iterable[str]) -> MultilabelDataset:
    parts = _checked(data, names, argument("merge_labels"))
    if new in data.label_names and new not in parts:
        hint = "\nHint: name it among those that are put together, or call the new one otherwise."
        raise LabelError(argument("merge_labels") + f" makes a label {new!r}, but there is one already.{hint}")
    columns = np.array([name in parts for name in data.label_names])
    first = int(columns.argmax())
    target = np.cumsum(~columns) - 1 + (np.arange(len(columns)) > first)
    target[columns] = first
    ones = np.ones(len(columns), np.int32)
    to_new = sp.csr_array((ones, (np.arange(len(columns)), target)), shape=(len(columns), int(target.max()) + 1))
    kept = ~columns
    kept[first] = True
    label_names = [new if name in parts else name for name, stays in zip(data.label_names, kept, strict=True) if stays]
    note = f"Put together as {new!r}: {counted(len(parts), 'label')}, {named(parts)}."
    return _edited(data, to_new, label_names, note, "merge_labels", {new: parts})


def _checked(data: MultilabelDataset, names: Iterable[str], what: str) -> list[str]:
    """Give names as they are in the data, each once."""
    wanted = list(dict.fromkeys([names] if isinstance(names, str) else map(str, names)))
    known = set(data.label_names)
    unknown = [name for name in wanted if name not in known]
    if unknown or not wanted:
        told = f" names what no label of the data is called: {listed(unknown)}." if unknown else " names no label."
        raise LabelError(what + told)
    return wanted


def _kept(data: MultilabelDataset, kept: Any) -> Any:
    """Give the matrix that leaves columns out."""
    columns = np.flatnonzero(kept)
    ones = np.ones(len(columns), np.int32)
    return sp.csr_array((ones, (columns, np.arange(len(columns)))), shape=(data.n_labels, len(columns)))


def edited(
    data: MultilabelDataset, merged: Mapping[str, Iterable[str]] | None, dropped: Iterable[str] | None
) -> MultilabelDataset:
    """Put labels together, then leave labels out, as far as that is asked for."""
    data = merge_labels(data, merged) if merged else data
    return drop_labels(data, dropped) if dropped else data


def _product(matrix: Any, to_new: Any) -> Any:
    product = sp.csr_array(matrix.astype(np.int32) @ to_new)
    product.sort_indices()
    return with_house_dtypes(product, np.int32)


def _edited(
    data: MultilabelDataset, to_new: Any, label_names: list[str], note: str, option: str, value: Any
) -> MultilabelDataset:
    """Give the data with other columns; how it was read then says how they came to be."""
    matrix, counts = _product(data.labels, to_new), None if data.counts is None else _product(data.counts, to_new)
    if not has_counts(data.labels):
        matrix.data[:] = 1
        matrix = with_house_dtypes(matrix, np.int8)
    weights = data.weights
    if weights is not None:
        weights = (to_new * weights[:, None]).max(axis=0).toarray().ravel()
    reading = data.reading
    if reading is not None:
        was = reading.options.get(option, type(value)())
        both = {**was, **value} if isinstance(value, dict) else [*was, *value]
        reading = replace(reading, options={**reading.options, option: both})
    other = replace(
        data, labels=matrix, label_names=tuple(label_names), counts=counts, weights=weights, notes=(*data.notes, note),
        reading=reading,
    )  # fmt: skip
    return described_anew(other, was=(data,))
