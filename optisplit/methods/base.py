"""What every method shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray

ProgressCallback: TypeAlias = Callable[[int, int, float], None]
"""Called as ``on_progress(done, total, score)``; total 0 means unknown, score NaN likewise. May raise Stopped."""


@dataclass(frozen=True, slots=True)
class MethodRun:
    """What running a method gave."""

    folds: FoldArray  # shape (n_rows,): the fold of every row
    # processor seconds that the method itself took: unlike time on the clock, no longer when the machine is busy with
    # other work. Starting a process for a peer is not in it, nor is compiling after :meth:`Method.prepare
    # <optisplit.methods.Method.prepare>`
    cpu_s: float
