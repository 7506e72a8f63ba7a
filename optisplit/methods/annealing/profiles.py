"""How many groups of each size each fold is to hold, so that the folds' sizes are as equal as groups allow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]

MAX_NODES = 2_000
"""Branches that the integer program may look at: a number, not a time, so that the result is always the same."""

MAX_VARIABLES = 4_000
"""Largest integer program that is tried; beyond, exchanges of two groups have to do."""


def nearest_profile(profile: IntArray, kind_sizes: IntArray, targets: IntArray, *, may_solve: bool = True) -> IntArray:
    """Change how many units of each size are in each fold, so that fold sizes come as close to their targets as can be.

    First by moves and exchanges of two units, which nearly always reach the targets; where they do not, by an integer
    program, if `may_solve`, whose answer is the optimum unless it is very large. Of profiles that are as close, those
    with the least sum of squared distances are preferred.
    """
    better = _exchange(profile, kind_sizes, targets)
    left = _distance(better, kind_sizes, targets)
    if not may_solve or left == 0 or 2 * better.size + len(targets) > MAX_VARIABLES:
        return better
    best = _solve(profile, kind_sizes, targets)
    if best is None or _distance(best, kind_sizes, targets) >= left:
        return better
    return _exchange(best, kind_sizes, targets)


def _distance(profile: IntArray, kind_sizes: IntArray, targets: IntArray) -> int:
    return int(np.abs(kind_sizes @ profile - targets).sum())


def _exchange(profile: IntArray, kind_sizes: IntArray, targets: IntArray) -> IntArray:
    """Move a unit, or exchange two of different size, between two folds while that brings sizes closer.

    Closer is a lower sum of distances; where that stays the same, a lower sum of their squares.
    """
    profile = np.vstack([profile, np.ones_like(targets)])  # the last kind is "nothing": size 0, always at hand
    sizes = np.append(kind_sizes, 0).astype(np.float64)
    differences = sizes[:, None] - sizes[None, :]
    while True:
        off = sizes @ profile - targets
        # so large that squares only decide between what is equal in distance
        scale = 8 * (np.abs(off).max() + sizes.max() + 1) ** 2
        best_gain, best = 1e-12, None
        for a in range(len(targets)):
            for b in np.flatnonzero(off < off[a]):
                new_a, new_b = off[a] - differences, off[b] + differences
                gains = abs(off[a]) + abs(off[b]) - np.abs(new_a) - np.abs(new_b)
                gains += (off[a] ** 2 + off[b] ** 2 - new_a**2 - new_b**2) / scale
                gains[~((profile[:, a] > 0)[:, None] & (profile[:, b] > 0)[None, :])] = 0
                place = int(np.argmax(gains))
                if gains.flat[place] > best_gain:
                    best_gain, best = gains.flat[place], (*divmod(place, len(sizes)), a, b)
        if best is None:
            return profile[:-1]
        out, back, a, b = best
        for kind, change in ((out, 1), (back, -1)):
            if kind < len(kind_sizes):
                profile[kind, a] -= change
                profile[kind, b] += change


def _solve(profile: IntArray, kind_sizes: IntArray, targets: IntArray) -> IntArray | None:
    """Find the profile with the least distance, and among those the one that moves the fewest units."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, hstack, identity, kron, vstack

    n_kinds, n_splits = profile.shape
    n_counts = n_kinds * n_splits
    # columns: the counts, how many more than now of each, and each fold's distance
    identities = identity(n_counts, format="csr"), identity(n_splits, format="csr")
    rows_of_folds = kron(kind_sizes[None, :], identities[1], format="csr")
    none = csr_array((n_splits, n_counts))
    constraints = [
        LinearConstraint(
            hstack([kron(identity(n_kinds), np.ones((1, n_splits))), csr_array((n_kinds, n_counts + n_splits))]),
            profile.sum(axis=1),
            profile.sum(axis=1),
        ),
        LinearConstraint(
            vstack([hstack([rows_of_folds, none, -identities[1]]), hstack([-rows_of_folds, none, -identities[1]])]),
            -np.inf,
            np.concatenate([targets, -targets]),
        ),
        LinearConstraint(
            hstack([identities[0], -identities[0], csr_array((n_counts, n_splits))]), -np.inf, profile.ravel()
        ),
    ]
    price = 1.0 / (1 + profile.sum())  # of a unit moved: all together less than one row
    result: Any = milp(
        np.concatenate([np.zeros(n_counts), np.full(n_counts, price), np.ones(n_splits)]),
        integrality=np.concatenate([np.ones(n_counts), np.zeros(n_counts + n_splits)]),
        bounds=Bounds(0, np.inf),
        constraints=constraints,
        # with its presolve the solver sometimes prints to standard output
        options={"node_limit": MAX_NODES, "mip_rel_gap": 0.0, "presolve": False},
    )
    if result.x is None:
        return None
    return np.rint(result.x[:n_counts]).astype(np.int64).reshape(n_kinds, n_splits)
