"""One column of a table, encoded by its kind: what its columns are called, and which rows have which."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import OptionError
from optisplit.io.encoding.guesses import as_dates, as_lists, as_numbers, known_values
from optisplit.io.encoding.periods import in_periods
from optisplit.io.encoding.targets import DEFAULT_BINS, Target
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Encoded:
    """A column's own columns."""

    names: list[str]
    matrix: Any  # csr_array of shape (n_rows, n_names), int32


def encode(series: Any, target: Target) -> Encoded:
    """Encode a column, of which the kind is known."""
    name = clean_name(target.column)
    found = _ENCODERS[str(target.kind)](series, target, name)
    if found.matrix.shape[1] == 1 and target.kind != "count":  # what is on all rows, or the items of all lists
        is_everywhere = found.matrix.nnz == found.matrix.shape[0]
        if is_everywhere:
            raise nothing_to_balance(name, f"has one value in all {counted(found.matrix.shape[0], 'row')}")
    return found


def nothing_to_balance(name: str, why: str) -> OptionError:
    """Say why a column cannot be balanced."""
    msg = f"Column {name!r} {why}: there is nothing to balance."
    return OptionError(msg)


def _of_codes(name: str, codes: NDArray[Any], values: Sequence[str]) -> Encoded:
    """Make a column of each value, and one more where rows have none (code -1)."""
    names = [f"{name}={value}" for value in values]
    is_missing = codes < 0
    if is_missing.any():
        names.append(f"{name} missing")
        codes = np.where(is_missing, len(values), codes)
    n_rows = len(codes)
    ones, indptr = np.ones(n_rows, dtype=np.int32), np.arange(n_rows + 1, dtype=np.int32)
    return Encoded(names, sp.csr_array((ones, codes.astype(np.int32), indptr), shape=(n_rows, len(names))))


def _categories(series: Any, target: Target, name: str) -> Encoded:
    codes, values = known_values(series, name)
    n_known = int((codes >= 0).sum())
    if len(values) == n_known > 1:
        raise nothing_to_balance(name, f"has a different value in each of {counted(n_known, 'row')}, as ids have")
    return _of_codes(name, codes, [_shown(value) for value in values])


def _shown(value: Any) -> str:
    """Write a value: whole numbers without a point, as they were before a missing one made them fractions."""
    if isinstance(value, float | np.floating):
        return _number(float(value))
    return clean_name(value, 60) or repr(value)


def _numbers(series: Any, target: Target, name: str) -> Encoded:
    numbers = as_numbers(series, name)
    is_known = ~np.isnan(numbers)
    values, sizes = np.unique(numbers[is_known], return_counts=True)
    if not len(values):
        raise nothing_to_balance(name, "has no value in any row")
    last = _last_of_bins(sizes, target.bins or DEFAULT_BINS)
    first = np.concatenate([[0], last[:-1] + 1])
    codes = np.where(is_known, np.searchsorted(values[last], numbers), -1)
    spans = [_span(values[low], values[high]) for low, high in zip(first, last, strict=True)]
    return _of_codes(name, codes, spans)


def _last_of_bins(sizes: NDArray[np.int64], n_bins: int) -> NDArray[np.int64]:
    """Choose the last value of each bin, so that bins have as many rows as can be; equal values are never parted."""
    up_to = np.cumsum(sizes)
    wanted = up_to[-1] * np.arange(1, n_bins) / n_bins
    above = np.searchsorted(up_to, wanted).clip(max=len(up_to) - 1)
    below = (above - 1).clip(0)
    is_nearer = wanted - up_to[below] < up_to[above] - wanted
    is_nearer &= above > 0
    return np.unique(np.append(np.where(is_nearer, below, above), len(up_to) - 1))


def _span(low: float, high: float) -> str:
    if low == high:
        return _number(low)
    between = " to " if low < 0 or high < 0 else "-"
    return f"{_number(low)}{between}{_number(high)}"


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"


def _dates(series: Any, target: Target, name: str) -> Encoded:
    codes, periods = in_periods(as_dates(series, name), target.period or "month")
    if not periods:
        raise nothing_to_balance(name, "has no date in any row")
    return _of_codes(name, codes, periods)


def _lists(series: Any, target: Target, name: str) -> Encoded:
    cells = as_lists(series, target.separator, name)
    is_missing = np.asarray([cell is None for cell in cells])
    items = [() if cell is None else cell for cell in cells]
    lengths = np.fromiter(map(len, items), dtype=np.int64, count=len(items))
    flat = np.empty(int(lengths.sum()), dtype=object)
    flat[:] = list(chain.from_iterable(items))
    codes, values = known_values(flat, name)
    rows = np.repeat(np.arange(len(cells)), lengths)
    names = [f"{name}={_shown(value)}" for value in values]
    if is_missing.any():
        names.append(f"{name} missing")
        rows = np.concatenate([rows, np.flatnonzero(is_missing)])
        codes = np.concatenate([codes, np.full(int(is_missing.sum()), len(values))])
    if not len(values):
        raise nothing_to_balance(name, "has no item in any row")
    is_item = codes >= 0
    place = (rows[is_item], codes[is_item])
    matrix = sp.csr_array((np.ones(int(is_item.sum()), dtype=np.int32), place), shape=(len(cells), len(names)))
    matrix.data[:] = 1  # what a list has twice
    return Encoded(names, matrix)


def _counts(series: Any, target: Target, name: str) -> Encoded:
    numbers = as_numbers(series, name)
    is_known = ~np.isnan(numbers)
    known = numbers[is_known]
    is_odd = (known < 0) | (known != np.floor(known)) | (known > np.iinfo(np.int32).max)
    if is_odd.any():
        first = _number(float(known[is_odd][0]))
        hint = "balance it as a number, in bins."
        msg = f"Column {name!r} is no count: {counted(int(is_odd.sum()), 'value')} such as {first}.\nHint: {hint}"
        raise OptionError(msg)
    if not known.any() or (is_known.all() and np.ptp(known) == 0):
        raise nothing_to_balance(name, f"has {_number(float(known[0])) if len(known) else 'no value'} in all rows")
    columns = [sp.csr_array(np.where(is_known, numbers, 0).astype(np.int32)[:, None])]
    names = [name]
    if not is_known.all():
        columns.append(sp.csr_array((~is_known).astype(np.int32)[:, None]))
        names.append(f"{name} missing")
    return Encoded(names, sp.csr_array(sp.hstack(columns, format="csr")))


_ENCODERS: dict[str, Callable[[Any, Target, str], Encoded]] = {
    "category": _categories,
    "number": _numbers,
    "date": _dates,
    "list": _lists,
    "count": _counts,
}
