"""Labels without a positive in some fold where they could have one, and what is due to folds of each label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.text import counted

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

NEARLY = 1e-9
"""What is due may be off by this, as shares are."""


def missing_words(n: int, n_labels: int, noun: str, beside: str = "") -> str:
    """Say how many labels are missing where they should be, each looked at alone: everywhere in the same words.

    `beside` is what another split leaves out.

    Examples
    --------
    >>> missing_words(19, 53, "fold")
    '19 of 53 labels are missing from folds that should have them'
    >>> missing_words(1, 53, "part", "random parts: 7")
    '1 of 53 labels is missing from parts that should have it (random parts: 7)'
    """
    are, them = ("is", "it") if n <= 1 else ("are", "them")
    of = f"{f'{n:,}' if n else 'none'} of {counted(n_labels, 'label')}"
    words = f"{of} {are} missing from {noun}s that should have {them}"
    return f"{words} ({beside})" if beside else words


def too_few_words(n: int, noun: str) -> str:
    """Say how many labels could be in more folds, but are due to none of them: everywhere in the same words.

    Examples
    --------
    >>> too_few_words(1, "part"), too_few_words(2, "fold")
    ('1 label has too few rows for its share of some part', '2 labels have too few rows for their share of some fold')
    """
    has, its = ("has", "its") if n == 1 else ("have", "their")
    return f"{counted(n, 'label', has)} too few rows for {its} share of some {noun}"


def due_and_beyond(
    counts: NDArray[Any], sizes: NDArray[np.integer[Any]]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Find where at least one positive is due, and count what folds hold beyond what is due to them, rounded up.

    `counts` are positives, shape (n_splits, n_labels), `sizes` the folds' rows, which are equal if they differ by one.
    Returns arrays of shape (n_splits, n_labels) and (n_labels,).
    """
    import numpy as np

    shares = sizes / sizes.sum() if np.ptp(sizes) > 1 else np.full(len(sizes), 1 / len(sizes))
    due = np.multiply.outer(shares, counts.sum(axis=0, dtype=np.int64))
    n_beyond = np.maximum(counts - np.ceil(due - NEARLY), 0).sum(axis=0)
    return due >= 1 - NEARLY, n_beyond.astype(np.int64)


def missing_avoidably(counts: NDArray[Any], sizes: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Find the folds in which labels have no positive though they could have one, and have not what is due to them.

    Shape (n_splits, n_labels). A label is missing avoidably where at least one positive is due, and, where it has
    fewer positives than folds, if another fold holds more than is due there, rounded up. Labels are looked at one by
    one, and all rows as free to move: rules of the split, such as groups, may make some of it necessary.
    """
    import numpy as np

    positives = counts.sum(axis=0, dtype=np.int64)
    is_missing = (counts == 0) & (positives > 0) & (sizes > 0)[:, None]
    n_unavoidable = np.maximum((sizes > 0).sum() - positives, 0)
    is_due, n_beyond = due_and_beyond(counts, sizes)
    is_due &= is_missing
    n_missing = is_missing.sum(axis=0)
    is_avoidable = (n_missing > n_unavoidable) & (is_due.any(axis=0) | (n_beyond > 0))
    return np.asarray(is_missing & is_avoidable & (is_due | (n_beyond > 0)))
