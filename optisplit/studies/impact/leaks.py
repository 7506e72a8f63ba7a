"""What gives a part away by itself: a column, rows that are there twice, groups that are divided, the order of rows."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
import scipy.sparse as sp

from optisplit.folds.arrays import are_divided
from optisplit.folds.constraints import as_groups
from optisplit.text import counted, short_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from optisplit.studies.impact.encode import Features

    Codes = NDArray[np.int64]

LEAST_AREA = 0.65
"""From which area under the curve on a column is named."""

MOST_NAMED = 5
_N_BINS = 20
_LEAST_Z = 4.5  # there are many columns and parts
_DISTINCT = 0.8  # where fewer rows than this share are distinct, equal ones are no wonder


@dataclass(frozen=True, slots=True)
class Leak:
    """What gives a part away."""

    kind: Literal["column", "order", "duplicates", "groups"]
    name: str  # of the column; empty where none is meant
    sentence: str  # what was found, and what to do
    auc: float | None = None  # area under the curve of the part it tells best
    part: str | None = None  # that part
    count: int | None = None  # rows or groups concerned


def column_leaks(features: Features | None, parts: Codes, names: Sequence[str], order: Any = None) -> list[Leak]:
    """Name columns that alone tell a part from the others, and the order of rows where it does."""
    half = np.arange(len(parts)) % 2
    for part in range(len(names)):  # each part by halves, whatever the order of its rows
        rows = np.flatnonzero(parts == part)
        half[np.random.default_rng(part).permutation(rows)] = np.arange(len(rows)) % 2
    found = []
    for kind, name, codes in _all_columns(features, np.arange(len(parts)) if order is None else order):
        area, part = best_area(codes, parts, half, len(names))
        if area >= LEAST_AREA:
            found.append(Leak(kind, name, _column_sentence(kind, name, area, names[part]), area, names[part]))
    if features is not None and sp.issparse(features.X):
        found += _sparse_leaks(features, parts, names)
    best: dict[tuple[str, str], Leak] = {}
    for leak in sorted(found, key=lambda leak: -(leak.auc or 0)):
        best.setdefault((leak.kind, leak.name), leak)
    return list(best.values())[:MOST_NAMED]


def _column_sentence(kind: str, name: str, area: float, part: str) -> str:
    tells = f"tells {part} from the others: area under the curve {short_number(area, 2)}"
    if kind == "order" and not name:
        return (
            f"The order of rows alone {tells}. Where rows are in order of time or source, a test of this split is not "
            "of rows like those of training."
        )
    if kind == "order":
        return f"The date {name!r} alone {tells}. So parts are of different times."
    return f"Column {name!r} alone {tells}."


def _all_columns(features: Features | None, order: Any) -> Iterator[tuple[Literal["column", "order"], str, Codes]]:
    """Go through the order of rows and the columns: each as few codes, one a row."""
    yield "order", "", binned(pd.Series(np.asarray(order)).rank(method="dense").to_numpy(dtype=np.float64))
    if features is None:
        return
    X = features.X.tocsc() if sp.issparse(features.X) else features.X
    if not features.columns:
        if not sp.issparse(X):
            for j in range(X.shape[1]):
                yield "column", features.name_of(j), binned(X[:, j])
        return
    for at, column in enumerate(features.columns):
        mine = np.flatnonzero(features.of_column == at)
        if column.kind == "text" or not len(mine):
            continue
        block = X[:, mine].toarray() if sp.issparse(X) else X[:, mine]
        if _is_indicator(block):
            yield "column", column.name, np.where(block.any(axis=1), block.argmax(axis=1) + 1, 0)
            continue
        for values in block.T:
            yield "order" if column.kind == "date" else "column", column.name, binned(values)


def _is_indicator(block: NDArray[np.float64]) -> bool:
    return bool(((block == 0) | (block == 1)).all() and (block.sum(axis=1) <= 1).all())


def binned(values: NDArray[np.float64]) -> Codes:
    """Give each value the number of its bin, of as many rows each as can be."""
    edges = np.unique(np.quantile(values, np.linspace(0, 1, _N_BINS + 1)[1:-1]))
    return np.searchsorted(edges, values, side="right")


def best_area(codes: Codes, parts: Codes, half: Codes, n_parts: int) -> tuple[float, int]:
    """Find the part that codes tell best, each half of the rows told by the other; 0 where it may be chance."""
    n_codes = int(codes.max()) + 1
    tables = [
        np.bincount(codes[half == h] * n_parts + parts[half == h], minlength=n_codes * n_parts).reshape(
            n_codes, n_parts
        )
        for h in (0, 1)
    ]
    sizes = np.bincount(parts, minlength=n_parts)
    shares = sizes / sizes.sum()
    best, at = 0.0, 0
    for part in range(n_parts):
        if not all(0 < table[:, part].sum() < table.sum() for table in tables):
            continue
        areas = []
        for known, asked in (tables, tables[::-1]):
            rank = np.argsort((known[:, part] + shares[part]) / (known.sum(axis=1) + 1), kind="stable")
            mine, others = asked[rank, part], (asked.sum(axis=1) - asked[:, part])[rank]
            areas.append(float(mine @ (np.cumsum(others) - others / 2)) / (mine.sum() * others.sum()))
        area, n_mine, n_others = float(np.mean(areas)), int(sizes[part]), int(sizes.sum() - sizes[part])
        deviation = np.sqrt(2 * (n_mine + n_others + 1) / (12 * n_mine * n_others))
        if area > best and area - 0.5 > _LEAST_Z * deviation:
            best, at = area, part
    return best, at


def _sparse_leaks(features: Features, parts: Codes, names: Sequence[str]) -> list[Leak]:
    """Name columns of a sparse table, such as words, that a part has far more or less often than the others."""
    n_rows, n_parts = len(parts), len(names)
    members = sp.csr_array((np.ones(n_rows), (parts, np.arange(n_rows))), shape=(n_parts, n_rows))
    present = features.X.copy()
    present.data = (present.data != 0).astype(np.float64)
    counts = (members @ present).toarray()
    sizes, total = np.bincount(parts, minlength=n_parts)[:, None], counts.sum(axis=0)
    apart = np.abs(counts / sizes - (total - counts) / (n_rows - sizes))
    share = total / n_rows
    deviation = np.sqrt(share * (1 - share) * (1 / sizes + 1 / (n_rows - sizes)))
    is_leak = (apart > 2 * (LEAST_AREA - 0.5)) & (apart > (_LEAST_Z + 1) * deviation)
    strength = np.where(is_leak, apart, 0).max(axis=0)
    if features.columns:  # the other columns are looked at as wholes
        is_text = np.array([column.kind == "text" for column in features.columns])
        strength = np.where(is_text[features.of_column], strength, 0)
    found = []
    for j in np.argsort(-strength, kind="stable")[:MOST_NAMED]:
        if not strength[j]:
            break
        part = int(np.where(is_leak[:, j], apart[:, j], 0).argmax())
        area, name = 0.5 + apart[part, j] / 2, features.name_of(j)
        found.append(Leak("column", name, _column_sentence("column", name, area, names[part]), area, names[part]))
    return found


def duplicate_leaks(features: Features | None, parts: Codes) -> list[Leak]:
    """Count rows whose features another part has too; not where features are so few that many rows are equal."""
    if features is None:
        return []
    digests = _row_digests(features.X)
    _, at = np.unique(digests, return_inverse=True)
    if int(at.max()) + 1 < _DISTINCT * len(parts):
        return []
    n_rows = int(are_divided(at, parts)[at].sum())
    if not n_rows:
        return []
    sentence = (
        f"{counted(n_rows, 'row', 'has')} the same features as a row of another part: a model is tested on what it was "
        "trained on. Split with such rows as one group."
    )
    return [Leak("duplicates", "", sentence, count=n_rows)]


def _row_digests(X: Any) -> NDArray[Any]:
    """Give equal rows equal numbers."""
    if not sp.issparse(X):
        return np.asarray(pd.util.hash_pandas_object(pd.DataFrame(X), index=False))
    X = X.copy()  # others hold its arrays
    X.sum_duplicates()
    X.eliminate_zeros()
    starts = X.indptr.tolist()
    return np.asarray([hash((X.indices[a:b].tobytes(), X.data[a:b].tobytes())) for a, b in itertools.pairwise(starts)])


def group_leaks(parts: Codes, groups: Any) -> list[Leak]:
    """Count groups that are divided."""
    if groups is None:
        return []
    codes, names = as_groups(groups, len(parts))
    n_divided = int(are_divided(codes, parts).sum())
    if not n_divided:
        return []
    sentence = (
        f"{n_divided:,} of {counted(len(names), 'group')} are in more than one part: rows that are alike stand on both "
        "sides, and the test scores are too good. Split with these groups."
    )
    return [Leak("groups", "", sentence, count=n_divided)]
