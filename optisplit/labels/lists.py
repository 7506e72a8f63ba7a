"""Labels as one list a row: of names, or of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import LabelError
from optisplit.labels.matrix import with_house_dtypes
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optisplit.labels.matrix import LabelMatrix

SETS = (set, frozenset)
ROWS = (list, tuple, set, frozenset, np.ndarray)
"""What a row's labels may be listed in."""

_POSITIVE_CELLS = frozenset({"1", "1.0", "true", "yes"})
_CELLS = _POSITIVE_CELLS | {"0", "0.0", "false", "no"}
_AS_SETS = "[set(row) for row in labels]"


def are_rows(values: Iterable[Any]) -> bool:
    """Tell whether there is a list among values of which there is one a row."""
    return any(isinstance(value, ROWS) for value in values)


def label_lists(rows: list[Any]) -> list[Any] | None:
    """Give rows as lists of labels; None where they are the rows of a table of zeros and ones, or mean to be.

    - Sets, and lists with a text, have labels. So do lists of whole numbers of unlike length.
    - Lists of one length that hold numbers are a table: whether they have anything but 0 and 1 is seen there.
    - What could be either is refused.
    """
    _check_each_is_a_list(rows)
    if any(isinstance(row, SETS) for row in rows):
        return [sorted(row, key=str) if isinstance(row, SETS) else list(row) for row in rows]
    lengths = set(map(len, rows))
    if len(lengths) == 1 and all(isinstance(row, np.ndarray) and row.dtype.kind in "biuf" for row in rows):
        return None
    rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    if any(isinstance(item, str) for row in rows for item in row):
        if len(lengths) == 1 and all(isinstance(item, str) and item.lower() in _CELLS for row in rows for item in row):
            msg = "Labels must be 0 or 1, but these are texts such as '0' and '1', as many in each row."
            positive = next((item for row in rows for item in row if item.lower() in _POSITIVE_CELLS), "1")
            how = "convert them with int(...)" if positive == "1" else f"give (numpy.array(labels) == {positive!r})"
            raise LabelError(msg + f"\nHint: {how}; where they are names of labels, give {_AS_SETS}.")
        return rows
    if len(lengths) == 1:
        return None
    _check_numbers(rows, lengths)
    return rows


def _check_each_is_a_list(rows: list[Any]) -> None:
    at = [number for number, row in enumerate(rows) if not isinstance(row, ROWS)]
    if not at:
        return
    value = rows[at[0]]
    if isinstance(value, str):
        hint = f"give {[value]!r} for one label"
    else:
        hint = "give an empty list for a row without labels, and leave out rows whose labels are not known"
    others = counted(len(at), "row", "has")
    msg = f"{others} no list of labels as the others have: the first is row {at[0]}, with {value!r}.\nHint: {hint}."
    raise LabelError(msg)


def _check_numbers(rows: list[Any], lengths: set[int]) -> None:
    """Refuse lists of unlike length unless they can only be the numbers of labels."""
    different = "Labels must be a table of rows x labels, but the rows given have different lengths."
    if not all(isinstance(item, int | np.integer) and not isinstance(item, bool) for row in rows for item in row):
        raise LabelError(different)
    if 0 not in lengths and all(item in (0, 1) for row in rows for item in row):
        msg = different + f"\nHint: where 0 and 1 are the numbers of labels, give {_AS_SETS}."
        raise LabelError(msg)


def names_in_lists(labels: Iterable[Iterable[Any]]) -> list[Any]:
    """Collect the label names that occur in label lists."""
    names = set()
    for number, row in enumerate(labels):
        held = list(row)
        for name in held:
            if not isinstance(name, str | int | np.integer) or isinstance(name, bool):
                msg = f"Label names must be texts or whole numbers, but row {number} has {name!r}."
                raise LabelError(msg)
            if not isinstance(name, str) and name < 0:
                msg = f"Labels are numbered from 0, but row {number} has {name!r}."
                raise LabelError(msg + "\nHint: leave it out where it only fills the row up.")
        if len(set(held)) < len(held):
            twice = next(name for name in held if held.count(name) > 1)
            msg = f"Row {number} has the label {twice!r} twice."
            raise LabelError(msg)
        names.update(held)
    return sorted(names, key=lambda name: (isinstance(name, str), name))


def from_lists(lists: list[Any], names: list[Any]) -> LabelMatrix:
    """Give the matrix of label lists, a column for each of the names that occur."""
    column = {name: at for at, name in enumerate(names)}
    lengths = [len(row) for row in lists]
    indices = np.fromiter((at for row in lists for at in sorted(column[name] for name in row)), dtype=np.int32)
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    ones = np.ones(indices.size, dtype=np.int8)
    return with_house_dtypes(sp.csr_array((ones, indices, indptr), shape=(len(lengths), len(column))))
