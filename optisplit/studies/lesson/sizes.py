"""One error for labels of every size: what LD, rLD and DCP make of it, and what rounding to whole rows allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from optisplit.measures.formulas import dcp_per_class, ld_per_class, rld_per_class
from optisplit.studies.lesson.words import part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

FORMULAS = {"ld": ld_per_class, "rld": rld_per_class, "dcp": dcp_per_class}
ERRORS = {"equal": "Equal", "difference": "Difference", "missing": "One missing", "free": "Free"}
"""What the errors are called, as in :data:`optisplit.studies.synthetic.KINDS`."""

N_ROWS = 100_000
SMALLEST, N_SIZES = 10, 38
NOTHING = 1e-9
"""Scores up to which an error is one of floating point numbers only."""


@dataclass(frozen=True, eq=False)
class SizeScores:
    """Scores of labels of sizes from ten rows up, all with one relative error."""

    sizes: NDArray[np.int64]  # shape (n_sizes,): rows of each label, in equal ratios
    amounts: FloatArray  # shape (n_splits,): what each fold has of each label, in relation to what is due
    n_rows: int
    scores: Mapping[str, FloatArray]  # shape (n_sizes,) by measure: with whole rows in each fold
    exact: Mapping[str, FloatArray]  # as if rows could be divided
    lowest: Mapping[str, FloatArray]  # the lowest that rounding each fold up or down allows
    highest: Mapping[str, FloatArray]

    @property
    def farthest(self) -> float:
        """What the fold that is the farthest from its due has, in relation to that."""
        off = np.abs(self.amounts - 1)
        return float(self.amounts[off.argmax()]) if off.max() > NOTHING else 1.0

    def growth(self, measure: str) -> float:
        """Tell how many times the exact score of the largest label is that of the smallest; NaN without an error."""
        first, last = self.exact[measure][[0, -1]]
        return float(last / first) if first > NOTHING else float("nan")

    @property
    def growing(self) -> list[str]:
        """The measures whose score grows with the size of the label."""
        return [measure for measure in FORMULAS if self.growth(measure) > 2]

    @property
    def table(self) -> pd.DataFrame:
        """One row a label: its size, and for each measure its score, that of divisible rows, and the band."""
        columns: dict[str, NDArray[np.float64] | NDArray[np.int64]] = {"rows": self.sizes}
        for measure in FORMULAS:
            columns |= {
                measure: self.scores[measure], f"{measure} exact": self.exact[measure],
                f"{measure} lowest": self.lowest[measure], f"{measure} highest": self.highest[measure],
            }  # fmt: skip
        return pd.DataFrame(columns)


def amounts_of(error: str, n_splits: int, difference: float, free: Sequence[float] = ()) -> FloatArray:
    """Give what each fold has of every label, in relation to what is due."""
    amounts = np.ones(n_splits)
    if error == "difference":
        amounts[:2] += difference, -difference
    elif error == "missing":
        amounts[0] = 0
    elif error == "free":
        amounts[:] = free
    return np.asarray(amounts * n_splits / amounts.sum(), dtype=np.float64)


def error_words(error: str, difference: float) -> str:
    """Say what is wrong with every label."""
    return {
        "equal": "every fold has what is due, up to whole rows",
        "difference": f"one fold has {part(difference)} more than due, another {part(difference)} less",
        "missing": "one fold has none at all, the others share its rows",
        "free": "the folds have the amounts that you set below",
    }[error]


def size_scores(amounts: FloatArray) -> SizeScores:
    """Score labels of every size with folds that have these amounts of each."""
    n_splits = amounts.size
    n_rows = N_ROWS - N_ROWS % n_splits
    largest = int(min(n_rows / 2, 0.98 * n_rows / amounts.max()))  # no fold has more positives than rows
    sizes = np.unique(np.geomspace(SMALLEST, largest, N_SIZES).round().astype(np.int64))
    wanted = amounts[:, None] * sizes / n_splits
    rounded = _to_whole_rows(wanted, sizes)
    low, high = _band(wanted, sizes, n_rows)
    return SizeScores(sizes, amounts, n_rows, _scores(rounded, n_rows), _scores(wanted, n_rows), low, high)


def _scores(counts: FloatArray, n_rows: int) -> dict[str, FloatArray]:
    n_splits = len(counts)
    rows, shares = np.full(n_splits, n_rows // n_splits), np.full(n_splits, 1 / n_splits)
    # the formulas add up whole numbers; where rows are divided, each is taken as a million parts
    parts = 10**6
    whole, rows = np.rint(counts * parts).astype(np.int64), rows * parts
    return {key: np.asarray(formula(whole, rows, shares)) for key, formula in FORMULAS.items()}


def _to_whole_rows(wanted: FloatArray, sizes: NDArray[np.int64]) -> FloatArray:
    """Round up where most is lost, so that each label keeps its rows."""
    floors = np.floor(wanted + NOTHING)
    place = np.argsort(np.argsort(floors - wanted, axis=0, kind="stable"), axis=0, kind="stable")
    return np.asarray(floors + (place < sizes - floors.sum(axis=0)))


def _band(
    wanted: FloatArray, sizes: NDArray[np.int64], n_rows: int
) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """Give the lowest and the highest scores of all ways to round each fold up or down.

    LD and rLD are sums of what each fold adds, so that the folds to round up can be chosen one by one.
    """
    floors = np.floor(wanted + NOTHING)
    n_up = (sizes - floors.sum(axis=0)).astype(np.int64)
    low, high = {}, {}
    n_splits = len(wanted)
    is_first = np.arange(n_splits)[:, None] < n_up
    for measure in ("ld", "rld"):
        down, up = (_terms(measure, counts, sizes, n_rows) for counts in (floors, floors + 1))
        up = np.where(floors + 1 - wanted < 1 - NOTHING, up, np.inf)  # what is whole is not rounded up
        gains = np.sort(up - down, axis=0)
        cheap = np.where(is_first, gains, 0).sum(axis=0)
        finite = np.sort(np.where(np.isfinite(up), up - down, -np.inf), axis=0)[::-1]
        dear = np.where(is_first, finite, 0).sum(axis=0)
        low[measure], high[measure] = (down.sum(axis=0) + each for each in (cheap, dear))
        low[measure], high[measure] = low[measure] / n_splits, high[measure] / n_splits
    most = np.max(floors + (floors + 1 - wanted < 1 - NOTHING) * (n_up > 0), axis=0)
    # the fewest in the fullest fold: those with the lowest floors are rounded up first
    order = np.argsort(np.where(floors + 1 - wanted < 1 - NOTHING, floors, np.inf), axis=0, kind="stable")
    raised = floors + (np.argsort(order, axis=0) < n_up)
    low["dcp"], high["dcp"] = (abs(each / sizes - 1 / n_splits) for each in (raised.max(axis=0), most))
    return low, high


def _terms(measure: str, counts: FloatArray, sizes: NDArray[np.int64], n_rows: int) -> FloatArray:
    """Give what each fold adds to a score that is a mean over folds."""
    frequency, overall = counts * len(counts) / n_rows, sizes / n_rows
    if measure == "rld":
        return np.asarray(abs(overall - frequency) / overall)
    return np.asarray(abs(frequency / (1 - frequency) - overall / (1 - overall)))
