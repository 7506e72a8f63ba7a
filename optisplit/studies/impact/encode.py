"""Features of any table as numbers: numbers as they are, dates, categories and texts by columns of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from optisplit.errors import OptionError
from optisplit.studies.impact.columns import FeatureColumn, as_table, column_of, is_numeric, left_out_of
from optisplit.studies.impact.fast import scaled
from optisplit.studies.impact.words import word_table
from optisplit.text import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

SMALL_CELLS = 2_000_000
"""Up to so many cells a table is dense, whatever it holds."""


@dataclass(frozen=True)
class Features:
    """Features as numbers, and which column of the table each of them comes from."""

    X: Any = field(repr=False)  # ndarray or csr_array of shape (n_rows, n_features), float64
    names: tuple[str, ...] = field(default=(), repr=False)  # of the features; empty for matrices, which have numbers
    columns: tuple[FeatureColumn, ...] = ()  # of the table, those that are used; empty for matrices
    of_column: Any = field(default=None, repr=False)  # shape (n_features,): which of `columns` each comes from
    notes: tuple[str, ...] = ()  # what was left out or filled, in sentences

    def name_of(self, feature: int) -> str:
        """Name a feature."""
        return self.names[feature] if self.names else f"column {feature}"


def encode_features(
    features: Any, *, leave_out: Iterable[str] = (), on_progress: Callable[[int, int, float], object] | None = None
) -> Features:
    """Turn features of any kind into numbers, on which models can be trained.

    - Matrices, dense or sparse, stay as they are.
    - Of a table, numbers stay as they are; where some are missing, the median is filled in and a further column says
      where. Dates become years, months, days, weekdays and seconds. Categories have a column each, for a missing value
      too. Texts have a column for each word that two rows have, weighed by how few have it; scripts without spaces, one
      for each pair of characters.
    - Left out with a note are columns with one value, empty ones, and ids: values that name rows, each on one row.
    - The table is sparse where most of it would be 0. Its numbers are scaled then, as texts and categories are.

    Parameters
    ----------
    features : DataFrame, array-like or sparse matrix of shape (n_rows, n_columns)
        Such as :attr:`optisplit.MultilabelDataset.features`.
    leave_out : iterable of str, optional
        Columns of a DataFrame that are not to be used.
    on_progress : callable, optional
        ``on_progress(done, total, nan)`` after each column; may raise to stop.

    Returns
    -------
    Features
        The numbers, what they are, and notes.

    Raises
    ------
    OptionError
        If there are no features, all of them are constant, some are infinite, or skrub, which reads columns that are
        no numbers, is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> found = encode_features(pd.DataFrame({"age": [3, None, 5], "always": [1, 1, 1]}))
    >>> found.names, found.X.tolist()
    (('age', 'age is missing'), [[3.0, 0.0], [4.0, 1.0], [5.0, 0.0]])
    """
    table = as_table(features)
    if not isinstance(table, pd.DataFrame):
        if list(leave_out):
            msg = "leave_out names columns of a table, but the features are a matrix; leave them out of it."
            raise OptionError(msg)
        return Features(_checked_matrix(table))
    wanted = table.drop(columns=list(left_out_of(table.columns, leave_out)))
    found = [column_of(wanted[name]) for name in wanted.columns]
    used = [each for each in found if each.is_used]
    if not used:
        what = "is constant, empty or an id" if found else "is left"
        msg = (
            f"No column of the {counted(table.shape[1], 'column')} can be used as a feature: "
            f"{'each' if found else 'none'} {what}."
        )
        raise OptionError(msg)
    encoded = [*_encoded(used, wanted, on_progress)]
    if not any(names for _, names in encoded):
        msg = "No column can be used as a feature: texts have no word that two rows have."
        raise OptionError(msg)
    X = _assembled([block for block, names in encoded if names], table.shape[1])
    of_column = np.repeat(np.arange(len(used)), [len(names) for _, names in encoded])
    names = tuple(name for _, each in encoded for name in each)
    return Features(X, names, tuple(used), of_column, tuple(_notes(found)))


def _encoded(
    used: Sequence[FeatureColumn], table: Any, on_progress: Callable[[int, int, float], object] | None
) -> Iterator[tuple[Any, list[str]]]:
    """Encode column by column: a dense or sparse table of features, and their names; none where it says nothing."""
    others = _read_others(table, [each.name for each in used if not is_numeric(table[each.name])])
    for done, column in enumerate(used):

        def report(done: int = done) -> None:
            if on_progress is not None:
                on_progress(done, len(used), float("nan"))

        report()
        found = others.get(column.name, table[[column.name]])
        if all(is_numeric(found[name]) for name in found.columns):
            yield _numbers(found)
        elif column.kind == "text":
            block, words = word_table(found.iloc[:, 0].fillna("").astype(str), report)
            yield block, [f"{column.name}: {word}" for word in words]
        else:
            yield _categories(found.iloc[:, 0], column.name)


def _checked_matrix(X: Any) -> Any:
    """Check a matrix: numbers, none infinite, some that vary; missing ones of dense matrices are filled in."""
    if sp.issparse(X):
        X = as_csr(X)
    if not X.shape[1] or X.shape[0] < 1:
        msg = f"There are no features: X has the shape {X.shape}."
        raise OptionError(msg)
    values = X.data if sp.issparse(X) else X
    if not np.isfinite(values).all():
        if np.isinf(values).any() or sp.issparse(X):
            n_bad = int((~np.isfinite(values)).sum())
            are = counted(n_bad, "cell", "is")
            msg = f"X must be finite numbers, but {are} missing or infinite; fill or drop them first."
            raise OptionError(msg)
        X = np.where(np.isnan(X), [0.0 if np.isnan(each).all() else np.nanmedian(each) for each in X.T], X)
    if not _varies(X):
        msg = f"Every feature is constant over the {X.shape[0]:,} rows, so that no model can learn from them."
        raise OptionError(msg)
    return X


def _varies(X: Any) -> bool:
    if X.shape[0] < 2:
        return True
    if not sp.issparse(X):
        return any(bool((each != each[0]).any()) for each in X.T)
    return bool((X.max(axis=0).toarray() != X.min(axis=0).toarray()).any())


def as_csr(X: Any) -> Any:
    """Take a sparse matrix as a CSR array of floats, with small indices where they fit: liblinear takes no others."""
    X = sp.csr_array(X, dtype=np.float64)
    if max(*X.shape, X.nnz) <= np.iinfo(np.int32).max and X.indices.dtype != np.int32:
        X = sp.csr_array((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)
    return X


def _read_others(table: Any, names: Sequence[str]) -> dict[str, Any]:
    """Read columns that are no numbers by skrub: what each holds, by its name; a date is several columns of numbers."""
    if not names:
        return {}
    try:
        from skrub import DatetimeEncoder, TableVectorizer  # seconds of work, and few need it
    except ImportError as error:
        msg = (
            f"{counted(len(names), 'column', 'holds')} other things than numbers: {listed(list(names))}. To use such "
            "columns, install skrub (pip install skrub), or leave them out."
        )
        raise OptionError(msg) from error
    given = table[list(names)]
    mixed = [name for name in names if given[name].dtype == object]  # lists and such too
    reader = TableVectorizer(
        cardinality_threshold=0, high_cardinality="passthrough", low_cardinality="passthrough",
        numeric="passthrough", datetime=DatetimeEncoder(add_weekday=True),
    )  # fmt: skip
    read = reader.fit_transform(given.assign(**{name: given[name].map(str, na_action="ignore") for name in mixed}))
    return {name: read[outputs] for name, outputs in reader.input_to_outputs_.items()}


def _numbers(columns: Any) -> tuple[NDArray[np.float64], list[str]]:
    """Give numbers as they are; where some are missing, the median, and a further column that says where."""
    parts, names = [], []
    for name in columns.columns:
        column = columns[name]
        if pd.api.types.is_timedelta64_dtype(column):
            column = column.dt.total_seconds()
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        n_infinite = int(np.isinf(values).sum())
        if n_infinite:
            msg = f"Column {name!r} has {counted(n_infinite, 'infinite value')}; replace them, or leave the column out."
            raise OptionError(msg)
        is_missing = np.isnan(values)
        parts.append(np.where(is_missing, np.nan if is_missing.all() else np.nanmedian(values), values))
        names.append(str(name))
        if is_missing.any():
            parts.append(is_missing.astype(np.float64))
            names.append(f"{name} is missing")
    block = np.stack(parts, axis=1)
    says = [bool((block[:, j] != block[0, j]).any()) and not np.isnan(block[0, j]) for j in range(block.shape[1])]
    return block[:, says], [name for name, is_kept in zip(names, says, strict=True) if is_kept]


def _categories(cells: Any, name: str) -> tuple[Any, list[str]]:
    """Give a column for each value that two rows have, one for all others together, and one for missing ones."""
    codes, values = pd.factorize(cells.astype(object).map(str, na_action="ignore"))
    names = [f"{name} is {value}" for value in values] + [f"{name} is missing", f"{name} is rare"]
    codes = np.where(codes < 0, len(values), codes)
    sizes = np.bincount(codes, minlength=len(names))
    codes = np.where((sizes < 2)[codes], len(values) + 1, codes)
    kept = np.flatnonzero(np.bincount(codes, minlength=len(names)))
    kept = kept[:-1] if len(kept) == 2 else kept  # of two values, one column says all
    at = np.full(len(names), -1)
    at[kept] = np.arange(len(kept))
    rows = np.flatnonzero(at[codes] >= 0)
    block = sp.csr_array((np.ones(len(rows)), (rows, at[codes][rows])), shape=(len(codes), len(kept)))
    return block, [names[j] for j in kept]


def _assembled(blocks: list[Any], n_columns: int) -> Any:
    """Put blocks side by side: sparse where most is 0 and the table would be large, with its numbers scaled."""
    n_rows, width = blocks[0].shape[0], sum(block.shape[1] for block in blocks)
    if not any(map(sp.issparse, blocks)) or n_rows * width <= SMALL_CELLS or width <= 2 * n_columns:
        X, at = np.empty((n_rows, width)), 0
        for block in blocks:
            X[:, at : at + block.shape[1]] = block.toarray() if sp.issparse(block) else block
            at += block.shape[1]
        return X
    for at, block in enumerate(blocks):
        if not sp.issparse(block):
            blocks[at] = sp.csr_array(scaled(block))
    return as_csr(sp.hstack(blocks, format="csr"))


def _notes(found: Sequence[FeatureColumn]) -> list[str]:
    """Say what was left out, and what was filled in."""
    said = []
    for kind, why in (
        ("id", "left out, since values name rows, each on one row"),
        ("constant", "left out, with one value in all rows"),
        ("empty", "left out, without a value in any row"),
    ):
        names = [each.name for each in found if each.kind == kind]
        if names:
            said.append(f"{counted(len(names), 'column', 'is')} {why}: {listed(names)}.")
    filled = [each.name for each in found if each.is_used and each.n_missing and each.kind in ("number", "date")]
    if filled:
        said.append(
            f"{counted(len(filled), 'column', 'has')} missing values: the median stands for them, and a further column "
            f"says where: {listed(filled)}."
        )
    marked = [each.name for each in found if each.is_used and each.n_missing and each.kind in ("category", "text")]
    if marked:
        said.append(
            f"{counted(len(marked), 'column', 'has')} missing values, taken as a value of their own: {listed(marked)}."
        )
    return said
