"""Fold assignments: one fold number a row, checked and converted."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.cells import csv_text
from optisplit.errors import FoldAssignmentError, argument
from optisplit.text import counted

FoldArray = NDArray[np.int32]
"""Shape (n_rows,): the fold whose test part holds the row; -1 where the row is always in training."""

ALWAYS_TRAIN = -1

MAX_SPLITS = 1000
"""Highest number of folds taken for meant where there are fewer rows than that."""


def check_n_splits(n_splits: int, n_rows: int) -> int:
    """Check the number of folds against the number of rows."""
    if isinstance(n_splits, bool) or not isinstance(n_splits, int | np.integer):
        msg = f"n_splits must be a whole number, got {n_splits!r}."
        raise FoldAssignmentError(msg)
    if n_splits < 2:
        msg = (
            argument("n_splits", n_splits, of="split")
            + " makes no split; use "
            + argument("n_splits", of="split")
            + " >= 2."
        )
        raise FoldAssignmentError(msg)
    if n_rows < 2:
        msg = f"The data has {counted(n_rows, 'row')}; a split needs at least two."
        raise FoldAssignmentError(msg)
    if n_splits > n_rows:
        msg = argument("n_splits", n_splits, of="split") + f" exceeds the number of rows, {n_rows}; use "
        msg += argument("n_splits", of="split") + f" <= {n_rows}."
        raise FoldAssignmentError(msg)
    return int(n_splits)


def are_divided(codes: NDArray[Any], folds: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell, for each number of a group, whether its rows are in more than one fold; always in training is one too."""
    n_values = int(folds.max(initial=0)) + 2
    both = np.unique(codes.astype(np.int64) * n_values + folds + 1)
    return np.bincount(both // n_values, minlength=int(codes.max(initial=-1)) + 1) > 1


def as_folds(folds: Any, n_rows: int, n_splits: int | None = None) -> tuple[FoldArray, int]:
    """Turn a split in either of its usual forms into one fold number a row."""
    if n_splits is not None and (
        isinstance(n_splits, bool) or not isinstance(n_splits, int | np.integer) or n_splits < 2
    ):
        msg = f"n_splits must be a whole number of at least 2, got {n_splits!r}."
        raise FoldAssignmentError(msg)
    array = _from_pairs(folds, n_rows) if is_pairs(folds) else _from_numbers(folds, n_rows)
    highest = int(array.max(initial=ALWAYS_TRAIN))
    if highest == ALWAYS_TRAIN:
        msg = "No row is in a fold: all are always in training (-1)."
        raise FoldAssignmentError(msg)
    found = highest + 1 if n_splits is None else int(n_splits)
    if n_splits is None and not (array == 0).any():
        lowest = int(array[array >= 0].min())
        msg = f"No row is in fold 0: the fold numbers run from {lowest} to {highest}, but they count from 0."
        hint = f"\nHint: subtract {lowest} from each, or give n_splits if fold 0 is meant to be empty."
        raise FoldAssignmentError(msg + hint)
    if found < 2:
        msg = f"A split needs at least two folds, but the highest fold number is {highest} (they count from 0)."
        raise FoldAssignmentError(msg)
    if highest >= found:
        count = int((array >= found).sum())
        msg = f"{counted(count, 'row', 'has')} a fold number of {found} or more, but "
        msg += argument("n_splits", found, of="split") + f" allows 0 to {found - 1}."
        raise FoldAssignmentError(msg)
    return array, found


def check_initial(initial: Any, n_rows: int, n_splits: int, may_train: Any = False) -> FoldArray:
    """Take folds to start from: as :func:`as_folds`, but with a fold for every row."""
    folds, _ = as_folds(initial, n_rows, n_splits)
    n_fixed = int(((folds < 0) & ~np.asarray(may_train)).sum())
    if n_fixed:
        msg = f"initial keeps {counted(n_fixed, 'row')} always in training (-1); a start needs a fold for every row."
        raise FoldAssignmentError(msg)
    return folds.copy()


def train_test_pairs(folds: FoldArray, n_splits: int) -> Iterable[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield each fold as scikit-learn's (train, test) index arrays."""
    for fold in range(n_splits):
        is_test = folds == fold
        yield np.flatnonzero(~is_test), np.flatnonzero(is_test)


def fold_sizes(folds: FoldArray, n_splits: int) -> NDArray[np.int64]:
    """Count the rows of each fold."""
    return np.bincount(folds[folds >= 0], minlength=n_splits).astype(np.int64)


def as_shares(shares: Any, n_splits: int) -> NDArray[np.float64]:
    """Check the share of the rows that each fold should have; equal shares where none are given."""
    if shares is None:
        return np.full(n_splits, 1 / n_splits)
    wanted = np.asarray(shares, dtype=np.float64)
    if wanted.shape != (n_splits,) or not np.all(wanted > 0) or not np.isclose(wanted.sum(), 1):
        msg = f"shares must be {n_splits} positive numbers that sum to 1, got {wanted.tolist()}."
        raise FoldAssignmentError(msg)
    return wanted


def written_folds(folds: FoldArray, fold_names: Sequence[str] | None = None) -> list[str]:
    """Write the fold of each row as tables have it: a number, or its name."""
    if fold_names is None:
        return list(map(str, folds.tolist()))
    written = [*(name.removeprefix("fold ") for name in fold_names), str(ALWAYS_TRAIN)]
    return [written[fold] for fold in folds.tolist()]


def folds_to_csv(
    folds: FoldArray,
    row_ids: Sequence[str] | None = None,
    fold_names: Sequence[str] | None = None,
    numbers: NDArray[Any] | None = None,
    key: str | None = None,
) -> str:
    r"""Write folds as CSV text: a header, then a line a row; a fold that is called by a number as that number.

    Rows go by their ids; where ids stand on several rows, or a row has none, by their numbers, with the ids beside:
    `numbers`, where these are others than 0, 1, ...; and `key`, what the ids are called where that is known.
    """
    rows: Sequence[int] = range(len(folds)) if numbers is None else numbers.tolist()
    columns: dict[str, Sequence[Any]] = {"row": rows} if row_ids is None else {"row_id": row_ids}
    if row_ids is not None and (len(set(row_ids)) < len(row_ids) or "" in row_ids):
        columns = {"row": rows, "id" if key in (None, "row", "fold") else key: row_ids}
    columns["fold"] = written_folds(folds, fold_names)
    return csv_text(columns, zip(*columns.values(), strict=True))


def folds_to_npz(folds: FoldArray, row_ids: Sequence[str] | None = None) -> bytes:
    """Write folds as a NumPy archive that loads without pickle, with row ids where every row has one."""
    arrays: dict[str, NDArray[Any]] = {"test_fold": folds}
    if row_ids is not None and "" not in row_ids:
        arrays["row_id"] = np.asarray(row_ids, dtype=np.str_)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # numpy's stub takes the names for options
    return buffer.getvalue()


def is_pairs(folds: Any) -> bool:
    """Tell whether a split is given as pairs of training and test rows."""
    if isinstance(folds, np.ndarray) or not isinstance(folds, Sequence) or len(folds) == 0:
        return False
    return all(isinstance(pair, tuple) and len(pair) == 2 and np.ndim(pair[0]) == 1 for pair in folds)


def _from_pairs(pairs: Sequence[tuple[Any, Any]], n_rows: int) -> FoldArray:
    array = np.full(n_rows, ALWAYS_TRAIN, dtype=np.int32)
    for fold, (_, test) in enumerate(pairs):
        rows = np.asarray(test)
        if rows.size and rows.dtype.kind not in "iu":
            msg = f"Fold {fold} must name its rows by whole numbers, got values of type {rows.dtype}."
            raise FoldAssignmentError(msg)
        is_outside = (rows < 0) | (rows >= n_rows)
        if is_outside.any():
            msg = f"Fold {fold} names row {rows[is_outside][0]}, but the data has the rows 0 to {n_rows - 1}."
            raise FoldAssignmentError(msg)
        rows = rows.astype(np.intp)
        taken = int((array[rows] != ALWAYS_TRAIN).sum()) + rows.size - np.unique(rows).size
        if taken:
            msg = f"{counted(taken, 'row')} of fold {fold} in a test part twice; every row may be tested once."
            raise FoldAssignmentError(msg)
        array[rows] = fold
    return array


def _from_numbers(folds: Any, n_rows: int) -> FoldArray:
    array = np.asarray(folds)
    if array.shape != (n_rows,):
        msg = f"There must be one fold number a row: expected {n_rows:,}, got an array of shape {array.shape}."
        raise FoldAssignmentError(msg)
    if array.dtype.kind == "f" and np.all(np.isfinite(array)) and np.all(array == np.floor(array)):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        msg = f"Fold numbers must be whole numbers, got values of type {array.dtype}."
        raise FoldAssignmentError(msg)
    if array.min(initial=0) < ALWAYS_TRAIN:
        count = int((array < ALWAYS_TRAIN).sum())
        msg = f"{counted(count, 'row', 'has')} a fold number below -1; use 0, 1, ... or -1 for 'always in training'."
        raise FoldAssignmentError(msg)
    if array.max(initial=0) > max(n_rows, MAX_SPLITS):
        msg = f"Fold number {array.max()} for {n_rows:,} rows is not plausible; folds are numbered from 0."
        raise FoldAssignmentError(msg)
    return array.astype(np.int32, copy=False)
