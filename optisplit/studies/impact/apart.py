"""How well a classifier tells the rows of a part from the others: area under the curve, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_factor, cho_solve

from optisplit.measures.widths import Z

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

MOST_FOLDS = 10
FEWEST_ROWS = 3
"""Of each part in each inner fold."""

_N_HALVES = 10
_BATCH_CELLS = 4_000_000
_FEW_ROWS = 500


@dataclass(frozen=True, slots=True)
class Told:
    """How well each part is told from the others, and what random parts of these sizes give."""

    auc: Floats  # shape (n_parts,)
    low: Floats
    high: Floats
    by_chance: Floats  # of random parts, shape (n_permutations, n_parts)

    @property
    def p_value(self) -> float:
        """How likely random parts are to have a part that is told apart as well as the best told here."""
        spread = np.maximum(self.by_chance.std(axis=0), 1e-12)
        found = ((self.auc - 0.5) / spread).max()
        return float((1 + (((self.by_chance - 0.5) / spread).max(axis=1) >= found).sum()) / (len(self.by_chance) + 1))


def inner_folds(parts: Codes, rng: np.random.Generator) -> tuple[Codes, int]:
    """Draw folds in which each part has its share of rows, and say how many; 0 where a part has too few rows."""
    sizes = np.bincount(parts)
    n_folds = min(MOST_FOLDS, int(sizes.min()) // FEWEST_ROWS)
    if n_folds < 2:
        return np.zeros(len(parts), dtype=np.int64), 0
    inner = np.empty(len(parts), dtype=np.int64)
    for part, size in enumerate(sizes):
        rows = rng.permutation(np.flatnonzero(parts == part))
        inner[rows] = (np.arange(size) + rng.integers(n_folds)) % n_folds
    return inner, n_folds


def tell(
    X: Floats,
    parts: Codes,
    n_permutations: int,
    rng: np.random.Generator,
    on_progress: Callable[[int, int], object] | None = None,
) -> Told | None:
    """Cross-validate a classifier of parts, and the same for parts that are shuffled; None where a part is too small.

    The classifier is a ridge regression on each part, of features around 0. Folds hold each part in proportion, and the
    area under the curve is that within a fold, mean over folds: scores of two folds are never compared.
    Shuffled within folds, parts are as random ones, and all folds and sums of features stay the same.

    """
    inner, n_folds = inner_folds(parts, rng)
    if not n_folds:
        return None
    model = _PartModel(X, inner, n_folds)
    n_parts = int(parts.max()) + 1
    auc, variance = model.areas(parts[None, :], n_parts, with_variance=True)
    noise = model.noise(parts, n_parts, rng)
    low, high = _interval(auc[0], variance[0], noise)
    at_once = max(1, _BATCH_CELLS // (len(parts) * n_parts))
    by_chance: list[Floats] = []
    for start in range(0, n_permutations, at_once):
        if on_progress is not None:
            on_progress(start, n_permutations)
        n_now = min(at_once, n_permutations - start)
        shuffled = np.tile(parts, (n_now, 1))
        for rows in model.rows:
            for one in shuffled:
                one[rows] = one[rng.permutation(rows)]
        by_chance.append(model.areas(shuffled, n_parts)[0])
    return Told(auc[0], low, high, np.concatenate(by_chance))


def _interval(auc: Floats, variance: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Give the 95 % interval of areas, on the scale of log odds, from the variance by test rows and the share of noise.

    Each pair of rows serves twice, one of them for training and one for the test. So with nothing but noise to learn,
    the variance is twice that of the test rows, and 1 + 2 f - f^2 times it where a share f of what is learned is noise.
    Near .5 all of it may be, though halves of the rows agree by chance, as they often do on a single feature.
    """
    noise = np.maximum(noise, np.exp(-((auc - 0.5) ** 2) / np.maximum(4 * variance, 1e-12)))
    inside = np.clip(auc, 1e-6, 1 - 1e-6)
    middle, odds = np.log(inside / (1 - inside)), inside * (1 - inside)
    # an area of 0 or 1 has no variance: as if one pair of rows were the other way
    half = Z * np.sqrt(np.maximum(variance, odds**2 * 1e-6) * (1 + 2 * noise - noise**2)) / odds
    return 1 / (1 + np.exp(half - middle)), 1 / (1 + np.exp(-half - middle))


class _PartModel:
    """Sums over the rows of each fold, and the factors of the systems of all others."""

    def __init__(self, X: Floats, inner: Codes, n_folds: int) -> None:
        self._X, self._penalty = X, max(1.0, X.shape[1])
        self.rows = [np.flatnonzero(inner == fold) for fold in range(n_folds)]
        self._products = [X[rows].T @ X[rows] for rows in self.rows]
        self._sums = [X[rows].sum(axis=0) for rows in self.rows]
        everything = range(n_folds)
        self._factors = [self._factor([each for each in everything if each != fold]) for fold in everything]

    def _factor(self, folds: list[int]) -> Any:
        """Factorise the system of some folds: products around their means, and the penalty."""
        n_rows = sum(len(self.rows[fold]) for fold in folds)
        total = np.sum([self._sums[fold] for fold in folds], axis=0)
        gram = np.sum([self._products[fold] for fold in folds], axis=0) - np.outer(total, total) / n_rows
        gram[np.diag_indices_from(gram)] += self._penalty
        return cho_factor(gram, overwrite_a=True, check_finite=False), total / n_rows

    def _members(self, codes: Codes, n_parts: int, fold: int) -> Any:
        """Tell which rows of a fold are in which part, for each of many ways to name parts, as a sparse table."""
        mine = codes[:, self.rows[fold]].T
        n_rows, n_ways = mine.shape
        columns = (mine + np.arange(n_ways) * n_parts).ravel()
        starts = np.arange(0, len(columns) + 1, n_ways)
        return sp.csr_array((np.ones(len(columns)), columns, starts), shape=(n_rows, n_ways * n_parts))

    def _directions(self, sums: list[tuple[Floats, Floats]], folds: list[int], factor: Any) -> Floats:
        """Learn from some folds: a direction for each part."""
        of_members = np.sum([sums[fold][0] for fold in folds], axis=0)
        counts = np.sum([sums[fold][1] for fold in folds], axis=0)
        return np.asarray(cho_solve(factor[0], of_members - np.outer(factor[1], counts), check_finite=False))

    def _sums_of(self, codes: Codes, n_parts: int) -> list[tuple[Floats, Floats]]:
        found = []
        for fold, rows in enumerate(self.rows):
            members = self._members(codes, n_parts, fold)
            found.append(((members.T @ self._X[rows]).T, np.asarray(members.sum(axis=0)).ravel()))
        return found

    def areas(self, codes: Codes, n_parts: int, *, with_variance: bool = False) -> tuple[Floats, Floats]:
        """Areas under the curve of each way to name parts and each part, and their variances by the rows tested."""
        n_ways, n_folds = len(codes), len(self.rows)
        sums = self._sums_of(codes, n_parts)
        areas, variances = np.zeros(n_ways * n_parts), np.zeros(n_ways * n_parts)
        for fold, rows in enumerate(self.rows):
            others = [each for each in range(n_folds) if each != fold]
            scores = self._X[rows] @ self._directions(sums, others, self._factors[fold])
            if not with_variance and len(rows) < _FEW_ROWS:  # many short columns at once
                areas += areas_of(scores, self._members(codes, n_parts, fold)) / n_folds
                continue
            for column in range(n_ways * n_parts):
                way, part = divmod(column, n_parts)
                is_mine = codes[way, rows] == part
                area, variance = area_under_curve(scores[:, column], is_mine, with_variance=with_variance)
                areas[column] += area / n_folds
                variances[column] += variance / n_folds**2
        return areas.reshape(n_ways, n_parts), variances.reshape(n_ways, n_parts)

    def noise(self, parts: Codes, n_parts: int, rng: np.random.Generator) -> Floats:
        """Share of noise in the direction of each part: 1 where halves of the rows agree on nothing."""
        n_folds, sums = len(self.rows), self._sums_of(parts[None, :], n_parts)
        total = np.sum(self._sums, axis=0)
        gram = np.sum(self._products, axis=0) - np.outer(total, total) / len(parts)
        agreement = np.zeros(n_parts)
        for _ in range(_N_HALVES):
            order = rng.permutation(n_folds).tolist()
            one, other = (
                self._directions(sums, folds, self._factor(folds))
                for folds in (order[: n_folds // 2], order[n_folds // 2 :])
            )
            products = [np.einsum("ij,ij->j", a, gram @ b) for a, b in ((one, other), (one, one), (other, other))]
            size = np.sqrt(products[1] * products[2])
            agreement += np.divide(products[0], size, out=np.zeros(n_parts), where=size > 0) / _N_HALVES
        agreement = np.clip(agreement, 0, 1)
        return (1 - agreement) / (1 + agreement)


def areas_of(scores: Floats, members: Any) -> Floats:
    """Areas under the curve of many columns, ties counted by half; sparse `members` says which rows are meant."""
    from scipy.stats import rankdata  # a second of work

    n_mine = np.asarray(members.sum(axis=0)).ravel()
    ranks = np.asarray(members.multiply(rankdata(scores, axis=0)).sum(axis=0)).ravel()
    return np.asarray((ranks - n_mine * (n_mine + 1) / 2) / (n_mine * (len(scores) - n_mine)))


def area_under_curve(scores: Floats, is_mine: NDArray[np.bool_], *, with_variance: bool = False) -> tuple[float, float]:
    """Area under the curve, ties counted by half, and its variance after DeLong, DeLong and Clarke-Pearson (1988)."""
    mine, others = np.sort(scores[is_mine]), np.sort(scores[~is_mine])
    below = (np.searchsorted(others, mine, side="left") + np.searchsorted(others, mine, side="right")) / 2
    area = float(below.mean() / len(others))
    if not with_variance:
        return area, 0.0
    above = (np.searchsorted(mine, others, side="left") + np.searchsorted(mine, others, side="right")) / 2
    variances = below.var(ddof=1) / len(others) ** 2, above.var(ddof=1) / len(mine) ** 2
    return area, float(variances[0] / len(mine) + variances[1] / len(others))
