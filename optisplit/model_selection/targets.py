"""What scikit-learn's users hold as y, turned into labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import LabelError
from optisplit.labels import MultilabelDataset, as_dataset
from optisplit.text import counted, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_targets(y: Any) -> MultilabelDataset:
    """Turn y into labels to balance: a table or label lists as they are, of one column each class."""
    if y is None:
        msg = "y is None, but rows are divided by their labels; give them, or use scikit-learn's KFold."
        raise LabelError(msg)
    if isinstance(y, MultilabelDataset) or not _is_column(y):
        return as_dataset(y)
    if _holds_rows(y):
        return as_dataset(list(y))
    return _of_classes(y)


def _is_column(y: Any) -> bool:
    """Tell whether there is one value a row."""
    if sp.issparse(y):
        return False
    shape = getattr(y, "shape", None)
    if shape is not None:
        return len(shape) == 1 or (len(shape) == 2 and shape[1] == 1)
    return isinstance(y, list | tuple | range) and not any(_is_row(value) for value in y)


def _holds_rows(y: Any) -> bool:
    """Tell whether a Series or an array of objects holds a list of labels a row."""
    is_objects = getattr(getattr(y, "dtype", None), "kind", "") == "O" and len(y.shape) == 1
    return is_objects and any(_is_row(value) for value in y)


def _is_row(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset | np.ndarray)


def _of_classes(y: Any) -> MultilabelDataset:
    import pandas as pd

    if np.ma.is_masked(y):  # what is masked is missing, whatever stands beneath
        mask, y = np.ma.getmaskarray(y), np.ma.getdata(y).astype(object)
        y[mask] = None
    column = pd.Series(np.asarray(y, dtype=object if isinstance(y, list | tuple) else None).reshape(-1))
    codes, classes = pd.factorize(column)  # by first appearance: names make no difference
    _check_classes(codes, classes)
    n_rows = codes.size
    kinds = (np.ones(n_rows, np.int8), codes.astype(np.int32), np.arange(n_rows + 1, dtype=np.int32))
    return MultilabelDataset.from_labels(sp.csr_array(kinds, shape=(n_rows, len(classes))), list(classes))


def _check_classes(codes: NDArray[np.intp], classes: Any) -> None:
    n_rows = codes.size
    is_missing = codes < 0
    if is_missing.any():
        where = listed(np.flatnonzero(is_missing).tolist())
        rows = counted(int(is_missing.sum()), "row", "has")
        msg = f"{rows} no class in y ({where}, counted from 0); drop such rows or fill them in."
        raise LabelError(msg)
    fraction = next((each for each in classes if isinstance(each, float | np.floating) and each % 1 != 0), None)
    if fraction is not None:
        msg = (
            f"y holds fractions such as {float(fraction):g}, so it is no column of classes; "
            "bin it first, or use scikit-learn's KFold."
        )
        raise LabelError(msg)
    if n_rows > 1 and len(classes) == n_rows:
        msg = f"Each of the {n_rows:,} rows of y has a class of its own, so there is nothing to balance."
        hint = "\nHint: are these ids? Give the labels, or use scikit-learn's KFold."
        raise LabelError(msg + hint)
