"""What the columns of a table of features are: numbers, dates, categories, texts; and which say nothing or too much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
import scipy.sparse as sp

from optisplit.errors import OptionError
from optisplit.io.tables.titles import is_row_name
from optisplit.text import shown_names

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal["number", "date", "category", "text", "id", "constant", "empty"]

MAX_CATEGORIES = 40
"""Most different values of words that are categories whatever they look like."""

_FEWEST_IDS = 10
_N_LOOKED_AT = 200
_DATE = r"\s*(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4})(?:[T ]\d\d?:\d\d.*)?\s*"


@dataclass(frozen=True, slots=True)
class FeatureColumn:
    """A column of a table, before it is encoded."""

    name: str  # fit to show, distinct
    kind: Kind  # what it is taken for
    n_missing: int = 0  # cells without a value

    @property
    def is_used(self) -> bool:
        """Whether models are trained on it, if nobody leaves it out."""
        return self.kind not in ("id", "constant", "empty")


def as_table(features: Any) -> Any:
    """Take features in any form: sparse and dense matrices as they are, all else as a DataFrame with distinct names."""
    if sp.issparse(features):
        return features
    if isinstance(features, pd.Series):
        features = features.to_frame("text" if features.name is None else features.name)
    elif not isinstance(features, pd.DataFrame):
        features = _as_matrix(features)
        if isinstance(features, np.ndarray):
            return features
    return features.set_axis(list(shown_names(features.columns)), axis=1)


def _as_matrix(features: Any) -> Any:
    """Make a matrix of numbers, or a DataFrame where some are none."""
    if features is None:
        msg = "There are no features, and a model needs some; give both: (X, Y)."
        raise OptionError(msg)
    found = features if isinstance(features, np.ndarray) else np.asarray(features, dtype=object)
    if found.ndim not in (1, 2):
        msg = f"X must have a row for each row of labels, and columns, but its shape is {found.shape}."
        raise OptionError(msg)
    if found.ndim == 1:
        found = found[:, None]
    if found.dtype.kind in "biuf":
        return np.asarray(found, dtype=np.float64)
    try:
        return found.astype(np.float64)
    except (TypeError, ValueError):
        return pd.DataFrame({f"column {j}": found[:, j] for j in range(found.shape[1])}).infer_objects()


def feature_columns(features: Any) -> list[FeatureColumn]:
    """Say what each column of a table is taken for, without encoding it; nothing for matrices.

    Parameters
    ----------
    features : DataFrame, array-like or sparse matrix of shape (n_rows, n_columns)
        Such as :attr:`optisplit.MultilabelDataset.features`.

    Returns
    -------
    list of FeatureColumn
        In the order of the table.
    """
    table = as_table(features)
    return [] if not isinstance(table, pd.DataFrame) else [column_of(table[name]) for name in table.columns]


def column_of(column: Any) -> FeatureColumn:
    """Say what a column is taken for."""
    n_missing = int(column.isna().sum())
    known = column.dropna()
    if known.empty:
        return FeatureColumn(str(column.name), "empty", n_missing)
    is_number = is_numeric(column)
    if not is_number and not pd.api.types.is_datetime64_any_dtype(column):
        known = known.astype(str)
    n_values = int(known.nunique())
    if n_values == 1 and not n_missing:
        return FeatureColumn(str(column.name), "constant")
    if _is_id(str(column.name), known, n_values, is_number=is_number):
        return FeatureColumn(str(column.name), "id", n_missing)
    return FeatureColumn(str(column.name), _kind(column, known, n_values, is_number=is_number), n_missing)


def _kind(column: Any, known: Any, n_values: int, *, is_number: bool) -> Kind:
    if is_number:
        return "number"
    if pd.api.types.is_datetime64_any_dtype(column) or known.iloc[:_N_LOOKED_AT].str.fullmatch(_DATE).all():
        return "date"
    if n_values <= MAX_CATEGORIES and not (_looks_written(known) and n_values > len(known) / 2):
        return "category"
    return "text" if _looks_written(known) else "category"


def is_numeric(column: Any) -> bool:
    """Tell whether a column holds numbers or truth values."""
    return pd.api.types.is_numeric_dtype(column) or pd.api.types.is_timedelta64_dtype(column)


def _looks_written(known: Any) -> bool:
    """Tell whether cells are texts of several words, or of a script without spaces, by the first of them."""
    first = known.iloc[:500].astype(str)
    return float(first.str.contains(r"\S\s+\S", regex=True).mean()) > 0.5 or (
        float(first.str.contains(r"[\u0e00-\u0eff\u3040-\u30ff\u4e00-\u9fff]{4}", regex=True).mean()) > 0.5
    )


def _is_id(name: str, known: Any, n_values: int, *, is_number: bool) -> bool:
    """Tell whether values name rows: each on one row, and numbers in a row, an id by name, or words without spaces."""
    if n_values < len(known) or len(known) < _FEWEST_IDS:
        return False
    if is_number:
        values = known.to_numpy()
        if values.dtype.kind not in "iu" and (
            pd.api.types.is_timedelta64_dtype(known) or (values != np.round(values)).any()
        ):
            return False
        return is_row_name(name) or bool((np.diff(values.astype(np.float64)) == 1).all())
    return not pd.api.types.is_datetime64_any_dtype(known) and not _looks_written(known)


def left_out_of(names: Iterable[str], leave_out: Iterable[str]) -> set[str]:
    """Check the names of columns that somebody leaves out."""
    known, wanted = list(names), [leave_out] if isinstance(leave_out, str) else list(leave_out)
    for name in wanted:
        if name not in known:
            what = "column"
            raise OptionError.unknown(what, str(name), known)
    return set(wanted)
