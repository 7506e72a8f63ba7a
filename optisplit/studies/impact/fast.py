"""A ridge regression for many rows and labels: from sums over rows, in blocks, with a bounded number of features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_factor, cho_solve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MAX_COLUMNS = 2_000
"""Most features that are taken as they are: a dense square table of them is held."""

N_DIRECTIONS = 200
"""Main directions that stand for features where there are more."""

PENALTY = 1.0
"""Of the ridge, as of the one that holds all rows."""

_BLOCK_CELLS = 1_000_000
_SEED = 20_220_803


@dataclass(frozen=True, slots=True)
class Sums:
    """What a ridge regression needs to know of some rows."""

    n_rows: int
    of_features: NDArray[np.float64]  # shape (n_features,)
    of_targets: NDArray[np.float64]  # shape (n_targets,)
    products: NDArray[np.float64]  # of features, shape (n_features, n_features)
    with_targets: NDArray[np.float64]  # of features and targets, shape (n_features, n_targets)

    def without(self, others: Sums) -> Sums:
        """Take the sums of some of the rows away."""
        return Sums(
            self.n_rows - others.n_rows,
            self.of_features - others.of_features,
            self.of_targets - others.of_targets,
            self.products - others.products,
            self.with_targets - others.with_targets,
        )

    def weights(self, *, is_scaled: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weights of features, and constants, for each target: features are centred, and scaled where asked for."""
        means, target_means = self.of_features / self.n_rows, self.of_targets / self.n_rows
        gram = self.products - self.n_rows * np.outer(means, means)
        right = self.with_targets - self.n_rows * np.outer(means, target_means)
        deviations = np.ones(len(means))
        if is_scaled:
            variances = np.diagonal(gram) / self.n_rows
            # what rounding leaves of a constant is no spread
            deviations = np.sqrt(np.where(variances > 1e-10 * (1 + means**2), variances, 1.0))
            gram /= deviations[:, None] * deviations
            right /= deviations[:, None]
        gram[np.diag_indices_from(gram)] += PENALTY
        found = cho_solve(cho_factor(gram, check_finite=False), right, check_finite=False) / deviations[:, None]
        return found, target_means - means @ found


def row_sums(X: Any, targets: Any, rows: NDArray[np.int64], shift: NDArray[np.float64] | None = None) -> Sums:
    """Sum over rows; dense features block by block, less a shift, so that no copy of them is made."""
    n_features, n_targets = X.shape[1], targets.shape[1]
    if sp.issparse(X):
        mine, theirs = X[rows], targets[rows]
        with_targets = mine.T @ theirs
        return Sums(
            len(rows), np.asarray(mine.sum(axis=0)).ravel(), np.asarray(theirs.sum(axis=0)).ravel(),
            (mine.T @ mine).toarray(), with_targets.toarray() if sp.issparse(with_targets) else with_targets,
        )  # fmt: skip
    found = Sums(
        len(rows), np.zeros(n_features), np.zeros(n_targets), np.zeros((n_features, n_features)),
        np.zeros((n_features, n_targets)),
    )  # fmt: skip
    for block in blocks_of(rows, n_features):
        mine, theirs = X[block] if shift is None else X[block] - shift, targets[block]
        found.of_features[:] += mine.sum(axis=0)
        found.of_targets[:] += np.asarray(theirs.sum(axis=0)).ravel()
        found.products[:] += mine.T @ mine
        found.with_targets[:] += (theirs.T @ mine).T
    return found


def blocks_of(rows: NDArray[np.int64], width: int) -> Iterator[NDArray[np.int64]]:
    """Go through rows, so many at a time that a block of them is small."""
    step = max(1, _BLOCK_CELLS // max(width, 1))
    for start in range(0, len(rows), step):
        yield rows[start : start + step]


def scaled(X: Any, rows: Any = slice(None)) -> Any:
    """Scale dense features by what some rows say of them; sparse ones stay as they are."""
    if sp.issparse(X):
        return X
    deviation = X[rows].std(axis=0)
    return (X - X[rows].mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)


def few_features(X: Any, most: int = MAX_COLUMNS) -> Any:
    """Give features as they are, or their main directions where there are too many: dense ones are scaled before.

    Directions are those of a truncated singular value decomposition of all rows, which knows nothing of labels.
    """
    if X.shape[1] <= most:
        return X
    from sklearn.utils.extmath import randomized_svd  # a second of work

    X = scaled(X)
    n_directions = min(N_DIRECTIONS, *(each - 1 for each in X.shape))
    left, sizes, _ = randomized_svd(X, n_directions, n_iter=3, random_state=_SEED)
    return left * sizes


class FastRidge:
    """Ridge regression on -1 and 1: the sums over training rows are those over all rows at hand less the test's."""

    def __init__(self, X: Any, Y: Any) -> None:
        self._X = few_features(X)
        self._is_scaled = self._X is X and not sp.issparse(X)
        # sums of squares lose digits far from 0
        self._shift = self._X[:1000].mean(axis=0) if self._is_scaled else None
        self._targets = sp.csr_array(Y, dtype=np.float64)
        self._kept: list[tuple[NDArray[np.int64], Sums]] = []  # of the last two sets of rows that were divided

    def predict(self, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.float64]:
        """Train on some rows and predict others."""
        weights, constants = self._sums(train, test).weights(is_scaled=self._is_scaled)
        found = np.empty((len(test), self._targets.shape[1]))
        at = 0
        for block in blocks_of(test, self._X.shape[1]):
            mine = self._X[block] if self._shift is None else self._X[block] - self._shift
            found[at : at + len(block)] = 2 * (mine @ weights + constants) - 1
            at += len(block)
        return found

    def _sums(self, train: NDArray[np.int64], test: NDArray[np.int64]) -> Sums:
        if 2 * len(test) > len(train):
            return row_sums(self._X, self._targets, train, self._shift)
        rows = np.sort(np.concatenate([train, test]))
        whole = next((sums for known, sums in self._kept if np.array_equal(known, rows)), None)
        if whole is None:
            whole = row_sums(self._X, self._targets, rows, self._shift)
            self._kept = [*self._kept[-1:], (rows, whole)]
        return whole.without(row_sums(self._X, self._targets, test, self._shift))
