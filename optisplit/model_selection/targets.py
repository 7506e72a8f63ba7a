"""What scikit-learn's users hold as y, turned into labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import LabelError
from optisplit.labels import MultilabelDataset, as_dataset
from optisplit.labels.held import hold
from optisplit.labels.lists import are_rows
from optisplit.labels.refusals import how_to_part, separator_in
from optisplit.text import counted, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_targets(y: Any) -> MultilabelDataset:
    """Turn y into labels to balance: a table or label lists as they are, of one column each class."""
    if y is None:
        msg = "y is None, but rows are divided by their labels; give them, or use scikit-learn's KFold."
        raise LabelError(msg)
    if isinstance(y, MultilabelDataset):
        return y
    held = hold(y)
    return as_dataset(y) if held.are_lists or not _is_column(held.values) else _of_classes(held.values)


def _is_column(values: Any) -> bool:
    """Tell whether there is one value a row."""
    if sp.issparse(values):
        return False
    if getattr(getattr(values, "dtype", None), "names", None):  # records, which are no values
        return False
    shape = getattr(values, "shape", None)
    if shape is not None:
        return len(shape) == 1 or (len(shape) == 2 and shape[1] == 1)
    return isinstance(values, list | tuple | range) and not are_rows(values)


def _of_classes(y: Any) -> MultilabelDataset:
    import pandas as pd

    if np.ma.is_masked(y):  # what is masked is missing, whatever stands beneath
        mask, y = np.ma.getmaskarray(y), np.ma.getdata(y).astype(object)
        y[mask] = None
    column = pd.Series(np.asarray(y, dtype=object if isinstance(y, list | tuple) else None).reshape(-1))
    try:
        codes, classes = pd.factorize(column)  # by first appearance: names make no difference
    except TypeError:  # of what is compared with nothing, such as a dictionary
        return as_dataset(y)
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
    texts = [each for each in classes if isinstance(each, str)]
    if separator_in(texts) is not None:
        msg = f"y holds texts that may be lists of labels, so it is no column of classes.\nHint: {how_to_part(texts)}"
        raise LabelError(msg)
    fraction = next((each for each in classes if isinstance(each, float | np.floating) and each % 1 != 0), None)
    if fraction is not None:
        msg = (
            f"y holds fractions such as {float(fraction):g}, so it is no column of classes; "
            "give optisplit.encode_targets(y), which bins it, or use scikit-learn's KFold."
        )
        raise LabelError(msg)
    if n_rows > 1 and len(classes) == n_rows:
        msg = f"Each of the {n_rows:,} rows of y has a class of its own, so there is nothing to balance."
        hint = "\nHint: are these ids? Give the labels, or use scikit-learn's KFold."
        raise LabelError(msg + hint)
