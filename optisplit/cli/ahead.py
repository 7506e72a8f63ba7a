"""Compiling what the app needs, from when it starts: what is pressed first does not wait for all of it."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from optisplit.kernels import ahead

if TYPE_CHECKING:
    from collections.abc import Sequence

SLOWEST = "optisplit-sa"
"""The method whose kernels take as long to compile, with those of measures, as those of all the others."""

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
    gc.disable()  # a fifth of the time; next to nothing is garbage before the end
    end_with_parent()
    _check_place()
    methods = [SLOWEST] if arguments == ["slowest"] else _others()
    for method in methods:
        _divide(method)
    if arguments == ["slowest"]:
        _measure()
    for method in methods:  # not what is pressed first
        _divide_otherwise(method)


def _others() -> list[str]:
    """Name the other methods of this package, those first that the app offers first."""
    from optisplit.methods import METHODS
    from optisplit.methods.base import DEFAULT_METHODS

    own = [key for key, method in METHODS.items() if not method.is_peer and key != SLOWEST]
    return sorted(own, key=lambda key: key not in DEFAULT_METHODS)


def _divide(method: str) -> None:
    for seed in range(N_SEEDS):
        _split(method, seed, n_splits=N_SPLITS)


def _divide_otherwise(method: str) -> None:
    from optisplit.measures.registry import objectives
    from optisplit.methods import METHODS

    if "measure" in METHODS[method].options:
        for measure in objectives():
            _split(method, n_splits=N_SPLITS, measure=measure)
    if METHODS[method].keeps("fold_sizes", "groups"):
        _split(method, fold_sizes=SHARES)
        _split(method, n_splits=N_SPLITS, groups=[row // 3 for row in range(200)])


def _split(method: str, seed: int = 0, **options: Any) -> None:
    import optisplit

    if method == SLOWEST:
        options["effort"] = "quick"
    optisplit.split(_labels(), method=method, random_state=seed, **options)


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
