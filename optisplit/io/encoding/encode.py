"""Tables encoded into columns to balance, and what is balanced beside the labels of a data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import OptionError
from optisplit.io.encoding.columns import Encoded, encode
from optisplit.io.encoding.guesses import guessed
from optisplit.io.encoding.targets import Target, check_once, no_column, targets_of_kinds, weighed
from optisplit.io.tables.frames import as_pandas
from optisplit.labels import MultilabelDataset, side_by_side
from optisplit.labels.held import hold, is_from
from optisplit.text import clean_name, counted, distinct_names

if TYPE_CHECKING:
    import pandas as pd

INSTANCES = "instances"
"""Called so, the instances of each label are balanced, where the data count them."""


def encode_targets(
    frame: Any,
    columns: Any = None,
    *,
    categories: Iterable[str] = (),
    numbers: Mapping[str, int] | Iterable[str] = (),
    dates: Mapping[str, str] | Iterable[str] = (),
    lists: Mapping[str, str] | Iterable[str] = (),
    counts: Iterable[str] = (),
    weights: Mapping[str, float] | None = None,
) -> MultilabelDataset:
    """Make columns that can be balanced out of columns of any kind.

    - Categories, bins of numbers, periods of dates and items of lists become columns of zeros and ones, named
      ``"site=north"``, ``"age=20-34"``, ``"when=2024-05"``, ``"tag=urban"``; counts stay counts, under their name.
    - Rows without a value have a column of their own, such as ``"age missing"``.
    - Bins have as many rows as can be; equal numbers are never parted, and bins are named by the lowest and the
      highest number in them.
    - The table is left as it is.

    Parameters
    ----------
    frame : DataFrame, array-like of shape (n_rows, n_columns), or MultilabelDataset
        The table, of pandas, polars or Arrow; or a data set, whose :attr:`~MultilabelDataset.features` are meant.
    columns : str, iterable of str, or mapping, optional
        Columns whose kinds are guessed; or what to make of them: a kind ("category", "number", "date", "list" or
        "count"), a number of bins, a period, or a mapping with ``kind``, ``bins``, ``period``, ``separator`` and
        ``weight``. Default: all of the table, where no column is named otherwise.
    categories : iterable of str, optional
        Columns of which each value is balanced.
    numbers : mapping of str to int, or iterable of str, optional
        Columns of numbers, and how many bins to make; default: 4.
    dates : mapping of str to str, or iterable of str, optional
        Columns of dates, and the period to put them together by: ``"year"``, ``"quarter"``, ``"month"``, ``"week"`` or
        ``"day"``; default: the shortest of which there are at most 12.
    lists : mapping of str to str, or iterable of str, optional
        Columns of lists, and what stands between their items where they are texts.
    counts : iterable of str, optional
        Columns of counts, such as objects in images, whose sums are balanced.
    weights : mapping of str to float, optional
        How much each column of a column counts, in those of a label; default: 1.

    Returns
    -------
    MultilabelDataset
        The columns, in the order of the arguments; with ``weights``, and a matrix of int32 where there are counts.

    Raises
    ------
    OptionError
        If a column is not there, is not of its kind, or cannot be balanced: all its values are different, or the same.

    See Also
    --------
    split : Takes the same as `balance`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"sex": list("fmfm"), "age": [20, 34, 35, None], "lesions": [0, 3, 1, 0]})
    >>> targets = encode_targets(frame, categories=["sex"], numbers={"age": 2}, counts=["lesions"])
    >>> targets.label_names
    ('sex=f', 'sex=m', 'age=20-34', 'age=35', 'age missing', 'lesions')
    >>> targets.labels.toarray().tolist()
    [[1, 0, 1, 0, 0, 0], [0, 1, 1, 0, 0, 3], [1, 0, 0, 1, 0, 1], [0, 1, 0, 0, 1, 0]]
    """
    said = targets_of_kinds(categories, numbers, dates, lists, counts)
    own, table = (frame, None) if isinstance(frame, MultilabelDataset) else (None, as_table(frame))
    if columns is None and not said:
        columns = list((features_of(own) if table is None else table).columns)
    return Balance.make(own, table, weighed((*_listed(columns), *said), weights)).targets


@dataclass(frozen=True)
class Balance:
    """What is balanced beside labels."""

    targets: MultilabelDataset  # the columns, encoded
    columns: tuple[Target, ...] = ()  # what they were made of, where these are columns of the data's own table

    @classmethod
    def of(cls, data: MultilabelDataset, given: Any, table: Any = None) -> Balance | None:
        """Take what users ask to be balanced: names of columns, what :func:`encode_targets` gives, or a table.

        Names are those of columns of `table`, where one is given, and of the data's own otherwise.
        """
        if given is None or isinstance(given, Balance):
            return given
        if not isinstance(given, MultilabelDataset) and not _are_names(given):
            given = as_table(given)
            given = cls.make(None, given, tuple(Target(name) for name in given.columns)).targets
        if isinstance(given, MultilabelDataset):
            found = cls(given)
        else:
            found = cls.make(data, None if table is None else as_table(table), _listed(given))
        if found.targets.n_rows != data.n_rows:
            rows = counted(found.targets.n_rows, "row")
            msg = f"What is to be balanced has {rows}, but the labels have {data.n_rows:,}."
            raise OptionError(msg)
        return found

    @classmethod
    def make(cls, data: MultilabelDataset | None, table: pd.DataFrame | None, asked: tuple[Target, ...]) -> Balance:
        """Encode columns of a table, or of a data set's own."""
        check_once([each.column for each in asked])
        encoded, columns = [], []
        for target in asked:
            if data is not None and target.column == INSTANCES and data.counts is not None:
                found, column = _instances(data), Target(INSTANCES, "count", weight=target.weight)
            else:
                series = _column(features_of(data) if table is None else table, target.column, data)
                column = guessed(series, target)
                found = encode(series, column)
            encoded.append(found)
            columns.append(column)
        return cls(_put_together(encoded, columns), tuple(columns) if table is None else ())

    @property
    def words(self) -> str:
        """What is made of the columns, for people."""
        return "; ".join(f"{clean_name(each.column)}: {each.words}" for each in self.columns)


def _are_names(given: Any) -> bool:
    if isinstance(given, Mapping):  # of columns to what is to be made of them, or to their values
        return not all(hasattr(each, "__len__") and not isinstance(each, str | Mapping) for each in given.values())
    if isinstance(given, str):
        return True
    if hasattr(given, "shape") or hasattr(given, "columns"):
        return False
    return isinstance(given, Iterable) and all(isinstance(each, str | Target) for each in given)


def _listed(columns: Any) -> tuple[Target, ...]:
    """Take columns as users name them, with what is to be made of them or without."""
    if columns is None:
        return ()
    if isinstance(columns, Mapping):
        return tuple(Target.of(name, how) for name, how in columns.items())
    names = [columns] if isinstance(columns, str) else columns
    return tuple(each if isinstance(each, Target) else Target(each) for each in names)


def as_table(given: Any) -> pd.DataFrame:
    """Take a table of any package, or an array, as a DataFrame."""
    import pandas as pd  # heavy, and few balance columns

    if is_from(given, "pyarrow") or (is_from(given, "polars") and hasattr(given, "to_arrow")):
        given = as_pandas(given, "targets")
    if isinstance(given, pd.DataFrame):
        return given
    if isinstance(given, pd.Series):
        return given.to_frame("value" if given.name is None else given.name)
    if isinstance(given, Mapping):
        return pd.DataFrame(given)
    if sp.issparse(given):
        given = pd.DataFrame.sparse.from_spmatrix(given)
        return given.sparse.to_dense().set_axis([f"column {at}" for at in range(given.shape[1])], axis=1)
    held = hold(given)
    if held.are_lists:
        return pd.DataFrame({"value": pd.Series(held.values, dtype=object)})
    array = np.asarray(held.values)
    if array.ndim not in (1, 2):
        msg = f"What is to be balanced must be a table of rows and columns, but has {counted(array.ndim, 'dimension')}."
        raise OptionError(msg)
    names = ["value"] if array.ndim == 1 else [f"column {at}" for at in range(array.shape[1])]
    return pd.DataFrame(array.reshape(len(array), -1), columns=names)


def features_of(data: MultilabelDataset | None) -> Any:
    """Give the other columns of the data's table; an empty table where there are none."""
    import pandas as pd

    features = None if data is None else data.features
    return features if hasattr(features, "columns") else pd.DataFrame()


def _column(table: pd.DataFrame, name: str, data: MultilabelDataset | None) -> pd.Series[Any]:
    at = [place for place, each in enumerate(table.columns) if str(each) == str(name)]
    if len(at) == 1:
        return table.iloc[:, at[0]]
    shown = clean_name(name)
    if at:
        msg = f"The table has {counted(len(at), 'column')} called {shown!r}; give them names of their own."
        raise OptionError(msg)
    if data is not None and shown in data.label_names:
        msg = f"{shown!r} is a label, which is balanced anyway."
        raise OptionError(msg)
    raise no_column(name, _names_of(table, data))


def balanceable(data: MultilabelDataset) -> list[str]:
    """List what of a data set can be balanced beside its labels, by name."""
    return _names_of(features_of(data), data)


def _names_of(table: pd.DataFrame, data: MultilabelDataset | None) -> list[str]:
    has_instances = data is not None and data.counts is not None
    return [*map(clean_name, table.columns), *([INSTANCES] if has_instances else [])]


def _instances(data: MultilabelDataset) -> Encoded:
    return Encoded([f"{name} {INSTANCES}" for name in data.label_names], sp.csr_array(data.counts).astype(np.int32))


def _put_together(encoded: list[Encoded], columns: list[Target]) -> MultilabelDataset:
    names = distinct_names([name for each in encoded for name in each.names], (), "column")
    matrix = sp.csr_array(sp.hstack([each.matrix for each in encoded], format="csr"))
    weights = np.repeat([float(each.weight) for each in columns], [len(each.names) for each in encoded])
    matrix.eliminate_zeros()
    labels = side_by_side(matrix if (matrix.data > 1).any() else matrix.astype(np.int8))
    return MultilabelDataset(
        labels, names, name="targets", weights=weights if (weights != 1).any() else None,
    )  # fmt: skip


def whole_of(data: MultilabelDataset, balance: Balance | None) -> MultilabelDataset:
    """Put what is balanced behind the labels."""
    if balance is None:
        return data
    parts = (data, balance.targets)
    weights = None
    if any(each.weights is not None for each in parts):
        weights = np.concatenate([np.ones(each.n_labels) if each.weights is None else each.weights for each in parts])
    names = distinct_names([name for each in parts for name in each.label_names], (), "column")
    return MultilabelDataset(side_by_side(*(each.labels for each in parts)), names, name=data.name, weights=weights)
