"""Whether the parts of a split can be told apart by what their rows are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from threadpoolctl import threadpool_limits  # comes with scikit-learn

from optisplit.errors import OptionError
from optisplit.folds.arrays import as_folds
from optisplit.labels import as_dataset
from optisplit.studies.impact.apart import FEWEST_ROWS, tell
from optisplit.studies.impact.encode import Features, encode_features
from optisplit.studies.impact.fast import few_features
from optisplit.studies.impact.leaks import Leak, column_leaks, duplicate_leaks, group_leaks
from optisplit.text import capital, counted, from_to, listed, short_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

ALARM = 0.01
"""Parts are said to be told apart where random parts are told as well no more often than this."""
LEAST_DEVIATIONS = 3.0
"""So many standard deviations of random parts' areas a part has to be above .5, besides."""

MAX_COLUMNS = 500
_DENSE_CELLS = 20_000_000
_N_PERMUTATIONS = (199, 99)  # of few rows, of many
_MANY_ROWS = 5_000
_STEPS = 100


@dataclass(frozen=True, slots=True)
class PartApart:
    """How well a part is told from the others."""

    name: str
    n_rows: int
    auc: float  # area under the curve: .5 where it cannot be told, 1 where it always is
    low: float  # its 95 % interval
    high: float
    random_low: float  # what 95 of 100 random parts of these sizes give
    random_high: float
    is_apart: bool  # told from the others, more than by chance


@dataclass(frozen=True)
class Apart:
    """Whether parts can be told apart, and what gives them away."""

    parts: tuple[PartApart, ...]
    leaks: tuple[Leak, ...]
    p_value: float  # how likely random parts are to have one that is told as well
    notes: tuple[str, ...] = ()

    @property
    def is_apart(self) -> bool:
        """Whether some part can be told from the others."""
        return any(each.is_apart for each in self.parts)

    @cached_property
    def table(self) -> pd.DataFrame:
        """A line for each part."""
        names = PartApart.__slots__
        return pd.DataFrame([{name: getattr(each, name) for name in names} for each in self.parts], columns=list(names))

    @cached_property
    def sentences(self) -> list[str]:
        """What was found, in words: parts that are told apart, or that none is; and each leak."""
        return [*_part_sentences(self.parts), *(each.sentence for each in self.leaks), *self.notes]


def tell_apart(
    features: Any,
    labels: Any,
    folds: Any,
    *,
    n_splits: int | None = None,
    part_names: Sequence[str] | None = None,
    leave_out: Iterable[str] = (),
    groups: Any = None,
    order: Any = None,
    random_state: int = 0,
    on_progress: Callable[[int, int, float], object] | None = None,
) -> Apart:
    """Tell whether parts differ: train a classifier to say which part a row is in, by its features and labels.

    - The area under the curve of each part against the others is cross-validated; inner folds hold each part in
      proportion. Its 95 % interval counts the rows tested and the luck of what is learned.
    - Parts are said to be told apart where random parts of the same sizes hardly ever are told as well.
    - The classifier is linear. Single columns are looked at besides, in bins, and named where one tells a part by
      itself; so are rows with the same features in two parts, divided groups, and parts that follow the order of rows.
    - A split that was balanced on labels is below .5: its parts are more alike than random ones.

    Parameters
    ----------
    features : Features, DataFrame, array-like or sparse matrix of shape (n_rows, n_columns), or None
        What is known of rows, see :func:`encode_features`; None for labels alone.
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    folds : array-like of shape (n_rows,)
        The split; rows of -1, which are always in training, are a part of their own.
    n_splits : int, optional
        Number of parts; default: as the numbers say.
    part_names : sequence of str, optional
        What parts are called; default: "part 0", "part 1", ...
    leave_out : iterable of str, optional
        Columns of a table that are not to be used.
    groups : array-like of shape (n_rows,), optional
        Rows that belong together.
    order : array-like of shape (n_rows,), optional
        Time or place of rows; default: as they stand.
    random_state : int, default=0
        Seed of the inner folds and random parts.
    on_progress : callable, optional
        ``on_progress(done, total, nan)`` now and then; may raise to stop.

    Returns
    -------
    Apart
        Areas, leaks, and sentences.

    Raises
    ------
    OptionError
        If features, labels and split have unlike numbers of rows, or features cannot be used.

    References
    ----------
    D. Lopez-Paz and M. Oquab, "Revisiting classifier two-sample tests", ICLR 2017. E. R. DeLong, D. M. DeLong and D. L.
    Clarke-Pearson, "Comparing the areas under two or more correlated receiver operating characteristic curves",
    Biometrics 44, 1988.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(90, 2))
    >>> found = tell_apart(X, np.eye(3)[np.arange(90) % 3], np.arange(90) // 45)
    >>> [leak.kind for leak in found.leaks]
    ['order']
    """
    data = as_dataset(labels)
    parts, n_parts = as_folds(folds, data.n_rows, n_splits)
    used = _features_of(features, data.n_rows, leave_out)
    sizes = np.bincount(parts[parts >= 0], minlength=n_parts)
    names = list(part_names) if part_names is not None else [f"part {part}" for part in range(n_parts)]
    codes = parts.astype(np.int64)
    if (codes < 0).any():
        codes, names = np.where(codes < 0, n_parts, codes), [*names[:n_parts], "rows always in training"]
    sizes = np.bincount(codes, minlength=len(names))
    is_large = sizes >= 2 * FEWEST_ROWS
    notes = [*(() if used is None else used.notes), *_too_small(names, sizes, is_large)]

    def report(done: float) -> None:
        if on_progress is not None:
            on_progress(round(_STEPS * done), _STEPS, float("nan"))

    report(0)
    leaks = [*column_leaks(used, codes, names, order), *duplicate_leaks(used, codes), *group_leaks(codes, groups)]
    report(0.2)
    told, p_value = _told(used, data.labels, codes, is_large, random_state, report)
    report(1)
    found = (PartApart(names[part], int(sizes[part]), *numbers) for part, *numbers in told)
    return Apart(tuple(found), tuple(leaks), p_value, tuple(notes))


def _features_of(features: Any, n_rows: int, leave_out: Iterable[str]) -> Features | None:
    is_encoded = features is None or isinstance(features, Features)
    left_out = list(leave_out)
    if is_encoded and left_out:
        msg = "leave_out names columns of a table, but these features are encoded already; leave them out of it."
        raise OptionError(msg)
    used = features if is_encoded else encode_features(features, leave_out=left_out)
    if used is not None and used.X.shape[0] != n_rows:
        msg = f"There are features of {used.X.shape[0]:,} rows, but labels of {n_rows:,}."
        raise OptionError(msg)
    return used


def _told(
    used: Features | None, labels: Any, codes: NDArray[np.int64], is_large: NDArray[np.bool_], seed: int, report: Any
) -> tuple[list[Any], float]:
    """Tell the parts that are large enough from each other."""
    rows = np.flatnonzero(is_large[codes])
    if is_large.sum() < 2:
        return [], 1.0
    X = np.hstack([_scaled(each) for each in ([] if used is None else [used.X]) + [labels]])[rows]
    renamed = (np.cumsum(is_large) - 1)[codes[rows]]
    n_permutations = _N_PERMUTATIONS[len(rows) > _MANY_ROWS]
    with threadpool_limits(1):  # other visitors of a server need the others
        found = tell(X, renamed, n_permutations, np.random.default_rng(seed),
                     lambda done, total: report(0.3 + 0.7 * done / total))  # fmt: skip
    if found is None:
        return [], 1.0
    ends = np.quantile(found.by_chance, [0.025, 0.975], axis=0)
    is_far = found.auc - 0.5 > LEAST_DEVIATIONS * found.by_chance.std(axis=0)
    is_told = (found.low > 0.5) & is_far & (found.p_value <= ALARM)
    of_parts = (np.flatnonzero(is_large), found.auc, found.low, found.high, *ends, is_told)
    return [*zip(*(each.tolist() for each in of_parts), strict=True)], found.p_value


def _scaled(X: Any) -> NDArray[np.float64]:
    """Give features around 0, of variance 1 on average; their main directions where there are too many."""
    most = min(MAX_COLUMNS, 1 + _DENSE_CELLS // X.shape[0]) if sp.issparse(X) else MAX_COLUMNS
    few = few_features(sp.csr_array(X, dtype=np.float64) if sp.issparse(X) else X, most)
    dense = few.toarray() if sp.issparse(few) else few
    dense = dense - dense.mean(axis=0)
    deviations = dense.std(axis=0)
    if few is not X and X.shape[1] > most:
        deviations = np.full(len(deviations), np.sqrt((deviations**2).mean()))
    return np.asarray(dense / np.where(deviations > 0, deviations, 1.0))


def _too_small(names: Sequence[str], sizes: NDArray[np.int64], is_large: NDArray[np.bool_]) -> list[str]:
    small = [name for name, size, large in zip(names, sizes, is_large, strict=True) if size and not large]
    if not small:
        return []
    have = counted(len(small), "part", "has")
    return [f"{have} fewer than {2 * FEWEST_ROWS} rows, too few to look at: {listed(small)}."]


def _part_sentences(parts: Sequence[PartApart]) -> list[str]:
    """Say which parts are told from the others, and which are more alike than by chance."""
    if not parts:
        return []
    said = [
        f"{capital(each.name)} can be told from the others by features and labels: area under the "
        f"curve {_span(each)}; random parts give up to {short_number(each.random_high, 2)}."
        for each in parts
        if each.is_apart
    ]
    if said:
        return said
    best = max(parts, key=lambda each: each.auc)
    return [
        f"Parts cannot be told apart by features and labels. Told best is {best.name}: area under the curve "
        f"{_span(best)}; random parts give {from_to(best.random_low, best.random_high, 2)}."
    ]


def _span(part: PartApart) -> str:
    return f"{short_number(part.auc, 2)} (95 % interval {from_to(part.low, part.high, 2)})"
