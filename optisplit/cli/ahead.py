"""Compiling what the app needs, from when it starts: what is pressed first does not wait for all of it."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from optisplit.kernels import ahead

if TYPE_CHECKING:
    from collections.abc import Sequence

SLOWEST = "optisplit-sa"
"""The method whose kernels take as long to compile as those of all the others."""

N_SPLITS, SHARES = 3, (0.6, 0.3, 0.1)

N_SEEDS = 12
"""So that it gets to every kernel."""


def start() -> None:
    """Begin, in processes of their own with the least priority; once, and only if something is to be compiled."""
    ahead.start(__name__, [["slowest"], ["others"]])


def main(arguments: Sequence[str]) -> None:
    """Use each kernel once, on small data."""
    from optisplit.io.child.limits import end_with_parent

    if hasattr(os, "nice"):
        os.nice(19)
    end_with_parent()
    _check_place()
    if arguments == ["slowest"]:
        _divide(SLOWEST)
    else:
        _measure()
        for method in _others():
            _divide(method)


def _others() -> list[str]:
    """Name the other methods of this package, those first that the app offers first."""
    from optisplit.methods import METHODS
    from optisplit.methods.base import DEFAULT_METHODS

    own = [key for key, method in METHODS.items() if not method.is_peer and key != SLOWEST]
    return sorted(own, key=lambda key: key not in DEFAULT_METHODS)


def _divide(method: str) -> None:
    import optisplit
    from optisplit.methods import METHODS

    for seed in range(N_SEEDS):
        optisplit.split(_labels(), N_SPLITS, method=method, random_state=seed)
    if METHODS[method].keeps("fold_sizes", "groups"):
        optisplit.split(_labels(), fold_sizes=SHARES, method=method, random_state=0)
        optisplit.split(_labels(), N_SPLITS, groups=[row // 3 for row in range(200)], method=method, random_state=0)


def _measure() -> None:
    import optisplit

    for sizes in ({"n_splits": N_SPLITS}, {"fold_sizes": SHARES}):
        result = optisplit.compare(_labels(), ["random"], **sizes, seeds=range(1))
        result.table  # noqa: B018 - which looks at all scores and their bounds
        optisplit.check_split(_labels(), result.runs[0].folds)


def _labels() -> Any:
    """Make up labels, of which some are rare."""
    import numpy as np

    rng = np.random.default_rng(0)
    return (rng.random((200, 8)) < np.linspace(0.02, 0.5, 8)).astype(np.int8)


def _check_place() -> None:
    """End this process where nothing can be kept: whoever wants a kernel had better compile it at once."""
    from optisplit.kernels.counting import count_positives

    path = count_positives.stats.cache_path  # type: ignore[attr-defined]
    if path is None:
        sys.exit(1)
    with tempfile.TemporaryFile(dir=path) as file:
        file.write(bytes(2**20))
