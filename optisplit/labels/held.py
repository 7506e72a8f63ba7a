"""What users hold, of whatever package, made one of three things: a sparse matrix, a table, or a list of labels a row.

No package is imported for it: what is of none that is loaded needs none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import LabelError
from optisplit.labels.lists import are_rows, label_lists


@dataclass(frozen=True, slots=True)
class Held:
    """What was given, as plain things."""

    values: Any  # a sparse matrix, a frame or what NumPy makes an array of; or a list of rows that are lists of labels
    columns: list[Any] | None = None  # names of a frame's columns
    are_lists: bool = False
    class_names: list[str] | None = None  # what numbers in lists stand for, where it is known


def is_from(held: object, package: str) -> bool:
    """Tell whether an object is of a class of a package, or of one made from it."""
    return any(each.__module__.partition(".")[0] == package for each in type(held).__mro__)


def hold(labels: Any) -> Held:
    """Tell what labels are given as."""
    if sp.issparse(labels):
        return Held(labels)
    if is_from(labels, "datasets") and not isinstance(labels, dict):
        return _of_hugging_face(labels)
    if is_from(labels, "polars"):
        if hasattr(labels, "collect"):
            msg = "Labels must be a table of rows x labels, but this is a query that was not run.\nHint: collect() it."
            raise LabelError(msg)
        labels = labels.to_arrow()
    if is_from(labels, "pyarrow"):
        labels = labels.to_pandas() if hasattr(labels, "schema") else labels.to_pylist()
    if hasattr(labels, "columns") and hasattr(labels, "iloc"):
        return _of_frame(labels)
    if isinstance(labels, list | tuple):
        return _of_rows(list(labels))
    if hasattr(labels, "iloc"):  # a Series
        is_listed = labels.dtype.kind == "O" and are_rows(labels.array)
        return _of_rows(labels.tolist()) if is_listed else Held(labels)
    if not isinstance(labels, np.ndarray):
        labels = _as_array(labels)
    if isinstance(labels, np.ndarray) and labels.dtype.kind == "O" and not np.ma.isMaskedArray(labels):
        is_column = labels.ndim == 1 or (labels.ndim == 2 and labels.shape[1] == 1)
        if is_column and are_rows(labels.reshape(-1)):
            return _of_rows(labels.reshape(-1).tolist())
    return Held(labels)


def _of_rows(rows: list[Any]) -> Held:
    """Tell label lists from the rows of a table, and from one value a row."""
    if not rows or not are_rows(rows):
        return Held(rows)
    lists = label_lists(rows)
    return Held(rows) if lists is None else Held(lists, are_lists=True)


def _of_frame(frame: Any) -> Held:
    columns = list(frame.columns)
    if columns and all(str(kind).startswith("Sparse") for kind in frame.dtypes):  # made dense, it might not fit
        return Held(frame.sparse.to_coo(), columns)
    if len(columns) == 1 and (column := frame.iloc[:, 0]).dtype.kind == "O" and are_rows(column.array):
        rows = _of_rows(column.tolist())
        return rows if rows.are_lists else Held(np.asarray(rows.values))
    return Held(frame, columns)


def _of_hugging_face(given: Any) -> Held:
    """Give a data set's table, or one column of it with the names of its classes."""
    if not hasattr(given, "column_names") and hasattr(given, "source"):  # a column, which is read when asked for
        return _of_classes(given[:], given.features)
    if not hasattr(given, "select"):
        msg = "Labels must be a table of rows x labels, but this is a stream."
        raise LabelError(msg + "\nHint: datasets.Dataset.from_list(list(...)) holds it.")
    table = given.with_format("arrow")[:]
    if len(given.column_names) == 1:
        return _of_classes(table, given.features[given.column_names[0]])
    return hold(table)


def _of_classes(column: Any, feature: Any) -> Held:
    """Give a column; where it has lists of class numbers, with the names of the classes."""
    names = _class_names(feature)
    if names is None:
        return hold(column)
    rows = column if isinstance(column, list) else column.column(0).to_pylist()
    return Held(rows, are_lists=True, class_names=names) if all(isinstance(row, list) for row in rows) else hold(rows)


def _class_names(feature: Any) -> list[str] | None:
    """Find the names of classes whose numbers are listed."""
    inner = feature[0] if isinstance(feature, list) and feature else getattr(feature, "feature", None)
    names = getattr(inner, "names", None)
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else None


def _as_array(labels: Any) -> Any:
    """Give what calls itself an array as one; and what does not, as it is."""
    if not hasattr(labels, "__array__") and not hasattr(labels, "numpy"):
        return labels
    try:
        return np.asarray(labels) if hasattr(labels, "__array__") else np.asarray(labels.numpy())
    except (TypeError, RuntimeError, ValueError) as error:
        msg = f"The labels cannot be read as an array of NumPy: {error}".splitlines()[0]
        raise LabelError(msg + "\nHint: for a tensor, give labels.detach().cpu().to_dense().numpy().") from error
