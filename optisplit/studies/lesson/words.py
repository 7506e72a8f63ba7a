"""What the lesson says of scores and folds: the meaning in words first, then the digits."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from optisplit.studies.lesson.points import N_SPLITS
from optisplit.text import percent, short_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.measures.report import Report

number = partial(short_number, digits=3)
"""Write a number as it stands in a sentence."""

DEFINITIONS: Mapping[str, str] = MappingProxyType(
    {
        "Row": "one thing to learn from, such as a picture. Here each tile is a row.",
        "Label": "what a row may have: A, B or C.",
        "Positive": "a row that has the label. A has 4 positives, C has 12.",
        "Fold": "one of the groups that the rows are divided into. Each is once the test.",
        "Share, due": "a fold with a quarter of the rows is due a quarter of each label's positives: its share.",
        "LD": "how far a fold's odds of the label, positives to other rows, are from those of all. Mean over folds.",
        "rLD": "how far what a fold has of the label is from what is due, as a part of that. Mean over folds.",
        "DCP": "the part of the label's positives that the fullest fold has, less 1/k of k folds, whatever their rows.",
    }
)
"""What the lesson's words mean, in the order in which one needs them; of all measures, 0 is best."""

_PARTS = {1: "twice as many as due", 1 / 2: "half", 1 / 3: "a third", 2 / 3: "two thirds", 1 / 4: "a quarter",
          3 / 4: "three quarters", 1 / 5: "a fifth", 2 / 5: "two fifths", 1 / 10: "a tenth"}  # fmt: skip


def part(share: float) -> str:
    """Write a part of something in words where there is a short one: a fifth, a third; otherwise in per cent."""
    named = (words for value, words in _PARTS.items() if abs(value - share) < 1e-9 and value < 1)
    return next(named, percent(share, 2))


def deviation(held: float, due: float) -> str:
    """Say how what a fold holds differs from what is due to it.

    Examples
    --------
    >>> deviation(12, 10), deviation(2, 1), deviation(0, 3), deviation(3, 3)
    ('a fifth more than due', 'twice what is due', 'none at all', 'just what is due')
    """
    if held == 0 and due > 0:
        return "none at all"
    if abs(held - due) < 1e-9:
        return "just what is due"
    if abs(held - 2 * due) < 1e-9:
        return "twice what is due"
    if held > 2 * due:
        return f"{number(held / due)} times what is due"
    return f"{part(abs(held - due) / due)} {'more' if held > due else 'less'} than due"


def times(ratio: float) -> str:
    """Write how many times as much something is."""
    rounded = number(ratio, digits=2)
    return {"1": "as much", "2": "twice as much"}.get(rounded, f"{rounded} times as much")


def meaning(measure: str, value: float) -> str:
    """Say what a mean score of the lesson's four folds means, where it means something by itself; LD does not."""
    if value < 1e-9:
        return "nothing is off"
    if measure == "rld":
        return f"{part(float(f'{value:.2g}'))} off what is due, on average"
    if measure == "dcp":
        return f"fullest fold: {percent(value + 1 / N_SPLITS, 2)} of a label's rows; 1/k is {percent(1 / N_SPLITS, 2)}"
    return "difference of odds: no unit to read"


def worst_fold(report: Report, label: int) -> str | None:
    """Say where a label is farthest from what is due, such as ``fold 1 has 2 where 1 is due: twice what is due``."""
    held = report.counts[:, label].astype(float)
    due = report.positives[label] * report.fold_sizes / report.n_rows
    off = np.abs(held - due)
    if off.max() < 1e-9:
        return None
    fold = int(off.argmax())
    name, has, wants = report.fold_titles[fold], int(held[fold]), float(due[fold])
    return f"{name} has {number(has)} of {number(wants)} due, {deviation(has, wants)}"


def worst_label(report: Report, measure: str) -> tuple[int, int, float] | None:
    """Find the labels with the highest and the lowest score above 0, and how many times the one is the other."""
    scores = report.per_label(measure)
    wrong = np.flatnonzero(scores > 1e-9)
    if not wrong.size:
        return None
    high, low = wrong[scores[wrong].argmax()], wrong[scores[wrong].argmin()]
    return int(high), int(low), float(scores[high] / scores[low])
