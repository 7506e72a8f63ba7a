"""Rows of whatever holds rows, as the same: arrays, frames, tables and data sets by the parts of a split."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FoldAssignmentError
from optisplit.folds.arrays import as_folds
from optisplit.labels.held import is_from
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def take_rows(array: Any, rows: NDArray[np.intp]) -> Any:
    """Take rows of whatever holds rows, as the same."""
    if sp.issparse(array):
        return array.tocsr()[rows]
    if hasattr(array, "iloc"):
        return array.iloc[rows]
    if is_from(array, "datasets") and hasattr(array, "select"):  # which would give columns for rows[...]
        return array.select(rows)
    if is_from(array, "pyarrow"):
        return array.take(rows)
    if hasattr(array, "shape"):
        return array[rows]
    return [array[row] for row in rows.tolist()]


def take_parts(
    array: Any, folds: Any, *, names: Sequence[str] | None = None, fold: int | None = None
) -> dict[str, Any]:
    """Take a data set apart by a split: the rows of each part, as what the whole is.

    Parameters
    ----------
    array : array-like, sparse, DataFrame, Arrow table, or Hugging Face Dataset or DatasetDict, of n_rows rows
        What to take apart; the rows of a DatasetDict are those of its splits one after the other.
    folds : array-like of shape (n_rows,), list of (train, test) pairs, or what :func:`optisplit.read_split` gives
        The split.
    names : sequence of str, optional
        What the parts are called; default: the names that the split came with, otherwise ``fold_0``, ``fold_1``, ...
    fold : int, optional
        Give two parts in place of all: ``train`` and ``test`` of this fold.

    Returns
    -------
    dict of str to parts
        The rows of each part, in their order; of a Hugging Face Dataset a DatasetDict.

    Raises
    ------
    FoldAssignmentError
        If the split does not fit the rows, there are not as many names as parts, or rows are always in training and
        so in no part.

    Examples
    --------
    >>> take_parts(["a", "b", "c", "d"], [0, 1, 2, 0], names=["train", "validation", "test"])
    {'train': ['a', 'd'], 'validation': ['b'], 'test': ['c']}
    >>> take_parts(["a", "b", "c", "d"], [0, 1, 2, 0], fold=1)
    {'train': ['a', 'c', 'd'], 'test': ['b']}
    """
    of_hugging_face = is_from(array, "datasets")
    if of_hugging_face and isinstance(array, dict):
        array = sys.modules["datasets"].concatenate_datasets(list(array.values()))
    if hasattr(folds, "folds"):
        names = names or tuple(getattr(folds, "part_names", ()) or ()) or None
        folds = folds.folds
    codes, n_parts = as_folds(folds, array.shape[0] if hasattr(array, "shape") else len(array))
    rows = _of_one_fold(codes, n_parts, fold) if fold is not None else _of_each(codes, n_parts, names)
    parts = {name: take_rows(array, at) for name, at in rows.items()}
    return sys.modules["datasets"].DatasetDict(parts) if of_hugging_face and hasattr(array, "select") else parts


def _of_one_fold(folds: NDArray[np.int32], n_parts: int, fold: int) -> dict[str, NDArray[np.intp]]:
    if not 0 <= fold < n_parts:
        msg = f"There is no fold {fold}; folds are 0 to {n_parts - 1}."
        raise FoldAssignmentError(msg)
    return {"train": np.flatnonzero(folds != fold), "test": np.flatnonzero(folds == fold)}


def _of_each(folds: NDArray[np.int32], n_parts: int, names: Sequence[str] | None) -> dict[str, NDArray[np.intp]]:
    if names is None:
        names = [f"fold_{part}" for part in range(n_parts)]
    if len(set(names)) != n_parts:
        msg = f"There are {counted(n_parts, 'part')}, but {counted(len(set(names)), 'name')}."
        raise FoldAssignmentError(msg)
    n_always = int((folds < 0).sum())
    if n_always:
        msg = f"{counted(n_always, 'row', 'is')} always in training, and so in no part."
        raise FoldAssignmentError(msg + "\nHint: fold=0 gives the training and the test rows of fold 0, and so on.")
    return {name: np.flatnonzero(folds == part) for part, name in enumerate(names)}
