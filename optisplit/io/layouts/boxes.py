"""Tables with a line for each box on an image: found by the columns of its corners, whose lines are instances."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.io.layouts.sample import Sample

_SIDE = re.compile(
    r"(?:b(?:ounding)?_?box(?:es)?[\s_.-]*)?(?:[xy][\s_]*(?:min|max|0|1|2|c|ctr|cent(?:er|re))?|(?:min|max|cent(?:er|re))[\s_]*"
    r"[xy]|left|top|right|bottom|w|h|width|height)",
    re.IGNORECASE,
)
_SIZE = re.compile(r".*(?:w|h|width|height)", re.IGNORECASE)
_WHOLE = re.compile(r"b(?:ounding)?[\s_]*box(?:es)?", re.IGNORECASE)
_FOUR = re.compile(r"[\[(]?\s*-?[\d.]+(?:[\s,]+-?[\d.]+){3}\s*[\])]?")
N_SIDES = 4


def find_boxes(sample: Sample) -> tuple[int, ...]:
    """Give the columns that say where a box is, if each line has one: four numbers, or one of four."""
    columns = range(len(sample.names))
    if not sample.is_named:
        return _without_names(sample)
    sides = [
        column for column in columns if _SIDE.fullmatch(sample.names[column].strip()) and sample.are_numbers(column)
    ]
    if len(sides) >= N_SIDES and sum(not _SIZE.fullmatch(sample.names[column]) for column in sides) > 1:
        return tuple(sides)
    for column in columns:
        if _WHOLE.fullmatch(sample.names[column].strip()):
            texts = sample.texts(column)
            if (texts and all(map(_FOUR.fullmatch, texts))) or sample.has_lists(column):
                return (column,)
    return ()


def _without_names(sample: Sample) -> tuple[int, ...]:
    """Find an image, four numbers, and a class, in whatever order the last two come."""
    numbers = tuple(column for column in range(len(sample.names)) if sample.are_numbers(column))
    is_row = numbers in ((1, 2, 3, 4), (2, 3, 4, 5)) and len(sample.names) == N_SIDES + 2
    if not is_row:
        return ()
    corners = np.array([[float(cell) if cell else np.nan for cell in map(str.strip, sample.columns[column])]
                        for column in numbers])  # fmt: skip
    is_box = bool((corners[2:] > corners[:2])[~np.isnan(corners[2:])].all())
    return numbers if is_box else ()


def counted_instances(
    rows: NDArray[np.integer], labels: NDArray[np.integer], shape: tuple[int, int]
) -> tuple[sp.csr_array, sp.csr_array]:
    """Give which labels are on which rows, and how often; both have the same pattern."""
    counts = sp.coo_array((np.ones(len(rows), dtype=np.int32), (rows, labels)), shape=shape).tocsr()
    counts.sum_duplicates()
    return sp.csr_array((np.ones(counts.nnz, dtype=np.int8), counts.indices, counts.indptr), shape=shape), counts
