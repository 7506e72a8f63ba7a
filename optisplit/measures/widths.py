"""How wide the interval of a label's score is to be, from the number of its positives in the test rows alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import OptionError
from optisplit.text import counted, from_to, listed, short_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Z = 1.959963984540054
"""Of a 95 % interval."""

WIDE, NARROW = 0.4, 0.2
"""From which width on a score says little, and up to which it says much."""

_MOST_HITS = 1000


def score_widths(positives_in_test: Any) -> NDArray[np.float64]:
    """Tell how wide the 95 % interval of each label's recall is to be, given its positives in the test rows.

    Recall is the share of a label's positives that a model finds; so k positives are all that it rests on. The
    interval is Wilson's, and its width the mean over recalls from 0 to 1, each as likely as any other. A label without
    a positive has an interval from 0 to 1: nothing is known.

    - The width depends on k alone, and falls as k grows.
    - Rows are taken to be independent; where they come in groups, intervals are wider.

    Parameters
    ----------
    positives_in_test : array-like of shape (n_labels,)
        Positives of each label in the rows that are scored.

    Returns
    -------
    ndarray of shape (n_labels,)
        Widths, from 0 to 1.

    Raises
    ------
    OptionError
        If a number is below 0, or none.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22, 1927.

    Examples
    --------
    >>> score_widths([0, 1, 5, 20, 100]).round(2).tolist()
    [1.0, 0.79, 0.56, 0.33, 0.15]
    """
    counts = np.asarray(positives_in_test)
    if counts.ndim != 1 or counts.dtype.kind not in "uif" or (counts.size and not np.nanmin(counts, initial=0) >= 0):
        msg = "positives_in_test must be numbers of positives, one a label, none of them below 0."
        raise OptionError(msg)
    if not np.isfinite(counts).all() or (counts != np.round(counts)).any():
        msg = "positives_in_test must be whole numbers."
        raise OptionError(msg)
    found, at = np.unique(counts.astype(np.int64), return_inverse=True)
    return np.asarray([_mean_width(int(k)) for k in found])[at]


def _mean_width(k: int) -> float:
    """Mean width of Wilson's interval over recalls: then each number of hits is as likely as any other."""
    hits = np.linspace(0, k, min(k, _MOST_HITS) + 1)
    return float((2 * Z * np.sqrt(hits * (k - hits) / max(k, 1) + Z**2 / 4) / (k + Z**2)).mean())


def positives_for(width: float) -> int:
    """Tell how many positives in the test rows a label needs for an interval of its recall of this width."""
    if not 0 < width <= 1:
        msg = f"width must be above 0 and at most 1, got {width!r}."
        raise OptionError(msg)
    low, high = 0, 1
    while _mean_width(high) > width:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _mean_width(middle) > width else (low, middle)
    return high


def width_sentences(
    positives_in_test: Any, label_names: Sequence[str] | None = None, *, where: str = "in test"
) -> list[str]:
    """Say which labels cannot be scored, and how wide the intervals of the others' recall are to be."""
    widths, counts = score_widths(positives_in_test), np.asarray(positives_in_test, dtype=np.int64)
    is_scored = counts > 0
    n_labels, n_scored, n_none = len(counts), int(is_scored.sum()), int((~is_scored).sum())
    if not n_labels:
        return []
    said = []
    if n_none:
        names = "" if label_names is None else f": {listed([label_names[int(j)] for j in np.flatnonzero(~is_scored)])}"
        has = "has" if n_none == 1 else "have"
        none = f"{counted(n_none, 'label')} of {n_labels:,} {has} no positive {where}, and cannot be scored there"
        said.append(f"{none}{names}.")
    else:
        said.append(f"Every one of {counted(n_labels, 'label')} has a positive {where}.")
    if not n_scored:
        return said
    middle, low, high = np.median(widths[is_scored]), widths[is_scored].min(), widths[is_scored].max()
    said.append(
        f"The 95 % interval of a label's recall is to be {short_number(middle, 2)} wide (median of the "
        f"{n_scored:,} that can be scored; from {from_to(low, high, 2)})."
    )
    n_few = int(has_few(counts).sum())
    if n_few:
        none = f", {n_none:,} of them none" if n_none else ""
        said.append(f"{few_words(n_few)}{none}: intervals wider than {WIDE}, so that one score says little.")
    return [*said, _with_many(counts)]


def has_few(counts: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Tell where positives are so few that the interval of a score is wide."""
    return np.asarray(counts < positives_for(WIDE))


def few_words(n_few: int, where: str = "there") -> str:
    """Begin to say that so many labels have few positives."""
    return f"{counted(n_few, 'label', 'has')} fewer than {positives_for(WIDE)} positives {where}"


def _with_many(counts: NDArray[np.int64]) -> str:
    """Say how many labels have intervals that are narrow."""
    needed = positives_for(NARROW)
    n_many = int((counts >= needed).sum())
    has = "no label has" if not n_many else f"{counted(n_many, 'label', 'has')}"
    return f"An interval of {NARROW} takes {needed} positives there; {has} as many."
