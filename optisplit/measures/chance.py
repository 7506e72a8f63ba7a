"""What random splits score on average, worked out and not drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]


def mean_random_rld(positives: NDArray[Any], fold_sizes: NDArray[Any]) -> FloatArray:
    """Give the mean rLD of each label over all splits of these sizes, shape (n_labels,); NaN for those on no row.

    The positives in a fold then have a hypergeometric distribution, whose mean absolute deviation is known: with n rows
    of which c are positive, s of them in the fold and m the first number above what is due, it is
    ``2 m (n - c - s + m) / n`` times the probability of m (Diaconis and Zabell 1991).
    """
    from scipy.special import gammaln

    c = positives.astype(np.float64)[None, :]
    s = fold_sizes.astype(np.float64)[:, None]
    n = s.sum()
    m = np.floor(s * c / n) + 1
    is_possible = (m <= np.minimum(c, s)) & (n - c - s + m >= 0) & (s > 0)

    def log_choose(of: FloatArray, chosen: FloatArray) -> FloatArray:
        return np.asarray(gammaln(of + 1) - gammaln(chosen + 1) - gammaln(of - chosen + 1))

    with np.errstate(invalid="ignore", divide="ignore"):
        log_chance = log_choose(c, m) + log_choose(n - c, s - m) - log_choose(n, s)
        deviation = np.where(is_possible, 2 * m * (n - c - s + m) / n * np.exp(log_chance), 0.0)
        relative = np.where(s > 0, deviation / (s * c / n), 1.0)  # a fold without rows lacks all of every label
    return np.asarray(np.where(c[0] > 0, relative.mean(axis=0), np.nan))
