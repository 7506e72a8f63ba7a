"""Lines of label numbers, as LIBSVM and the extreme classification repository have them: bytes in, numbers out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.jit import kernel
from optisplit.kernels.selection import sort_numbers

Array = NDArray[Any]

BLANK = -1
"""In place of a line's number of labels: there is nothing in it."""

FAULT = -2
"""In place of a line's number of labels: it cannot be read."""

IS_TEXT, IS_NEGATIVE, IS_FRACTION, IS_TOO_LARGE, IS_NO_FEATURE, IS_NOT_ONE = range(1, 7)
"""What is wrong with a line."""

MAX_ID = 2**31 - 2

_SPACE, _TAB, _CR, _NL = 32, 9, 13, 10
_HASH, _PLUS, _COMMA, _MINUS, _DOT, _0, _9, _COLON = 35, 43, 44, 45, 46, 48, 57, 58


@kernel
def read_label_lists(text: Array, indices: Array, counts: Array, faults: Array, facts: Array) -> tuple[int, int]:
    """Read lines of labels with commas between, then features as ``index:value``, which are passed over.

    - Labels of a line are sorted; those that are there more than once are kept once.
    - What follows ``#`` is a comment. Labels may be written as ``3.0``.

    Parameters
    ----------
    text : ndarray of shape (n_bytes,), dtype uint8
        Whole lines; the last one may be without an end.
    indices : ndarray of shape (n_bytes // 2 + 1,), dtype int32
        The labels of all lines, one line after the other; written.
    counts : ndarray of shape (n_lines,), dtype int32
        Number of labels of each line, :data:`BLANK` or :data:`FAULT`; written.
    faults : ndarray of shape (4,), dtype int64
        Number of faulty lines, the first one's number in this text, what is wrong with it, and how many bytes of it
        stand before the faulty place; added to.
    facts : ndarray of shape (3,), dtype int64
        Labels there more than once in a line, smallest and largest feature; added to.

    Returns
    -------
    n_labels, n_lines : int
        How much of `indices` and `counts` is filled.
    """
    size = text.size
    at = 0
    n_labels = 0
    line = 0
    while at < size:
        first = n_labels
        fault = 0
        line_start = token = at
        is_blank = True
        # labels, if the line does not begin with a feature
        expects = True  # a label comes next, rather than the features
        while at < size and text[at] != _NL:
            byte = text[at]
            if byte in (_SPACE, _TAB, _CR):
                at += 1
                continue
            if byte == _HASH:
                break
            is_blank = False
            token = at
            if not expects and byte != _COMMA:
                break
            if byte == _COMMA:
                if expects and n_labels > first:  # two commas one after the other
                    fault = IS_TEXT
                    break
                expects = True
                at += 1
                continue
            # one token
            start = at
            is_negative = byte == _MINUS
            if is_negative or byte == _PLUS:
                at += 1
            number = np.int64(0)
            n_digits = 0
            while at < size and _0 <= text[at] <= _9:
                if number <= MAX_ID:
                    number = number * 10 + (text[at] - _0)
                n_digits += 1
                at += 1
            if at < size and text[at] == _DOT:
                at += 1
                while at < size and _0 <= text[at] <= _9:
                    if text[at] != _0:
                        fault = IS_FRACTION
                    at += 1
            ends = at >= size or text[at] == _SPACE or text[at] == _TAB or text[at] == _CR or text[at] == _NL
            ends = ends or text[at] == _COMMA or text[at] == _HASH
            if at < size and text[at] == _COLON and n_labels == first and fault == 0:
                at = start  # a feature: there are no labels
                break
            if n_digits == 0 or not ends:
                fault = IS_TEXT
            elif fault == 0 and is_negative and number > 0:
                fault = IS_NEGATIVE
            elif fault == 0 and number > MAX_ID:
                fault = IS_TOO_LARGE
            if fault != 0:
                break
            indices[n_labels] = number
            n_labels += 1
            expects = False
        # features
        while fault == 0 and at < size and text[at] != _NL:
            byte = text[at]
            if byte in (_SPACE, _TAB, _CR):
                at += 1
                continue
            if byte == _HASH:
                break
            token = at
            number = np.int64(0)
            start = at
            while at < size and _0 <= text[at] <= _9:
                if number <= MAX_ID:
                    number = number * 10 + (text[at] - _0)
                at += 1
            is_query = at == start and size - at > 4 and text[at] == 113 and text[at + 1] == 105 and text[at + 2] == 100
            if is_query:
                at += 3
            if at >= size or text[at] != _COLON or (at == start):
                fault = IS_NO_FEATURE
                break
            if not is_query:
                facts[1] = min(facts[1], number)
                facts[2] = max(facts[2], number)
            while at < size and text[at] > _SPACE:
                at += 1
        while at < size and text[at] != _NL:  # a comment, or what is left of a faulty line
            at += 1
        at += 1
        place = token - line_start
        n_labels = _end_of_line(line, fault, place, is_blank, indices, first, n_labels, counts, faults, facts)
        line += 1
    return n_labels, line


@kernel
def read_pairs(text: Array, indices: Array, counts: Array, faults: Array, facts: Array) -> tuple[int, int]:
    """Read lines of ``column:value``, the rows of a sparse matrix; only columns whose value is 1 are kept.

    Parameters
    ----------
    text, indices, counts, faults, facts : ndarray
        As in :func:`read_label_lists`; a line without anything is a row without labels, but counts as
        :data:`BLANK`. Values of 0 leave the column out; others than 0 and 1 are faults.

    Returns
    -------
    n_labels, n_lines : int
        How much of `indices` and `counts` is filled.
    """
    size = text.size
    at = 0
    n_labels = 0
    line = 0
    while at < size:
        first = n_labels
        fault = 0
        line_start = token = at
        is_blank = True
        while at < size and text[at] != _NL:
            byte = text[at]
            if byte in (_SPACE, _TAB, _CR):
                at += 1
                continue
            is_blank = False
            token = at
            number = np.int64(0)
            start = at
            while at < size and _0 <= text[at] <= _9:
                if number <= MAX_ID:
                    number = number * 10 + (text[at] - _0)
                at += 1
            if at == start or at >= size or text[at] != _COLON:
                fault = IS_TEXT
                break
            at += 1
            whole = np.int64(0)
            n_digits = 0
            while at < size and _0 <= text[at] <= _9:
                whole = min(whole * 10 + (text[at] - _0), np.int64(2))
                n_digits += 1
                at += 1
            is_whole = n_digits > 0
            if at < size and text[at] == _DOT:
                at += 1
                while at < size and _0 <= text[at] <= _9:
                    is_whole = is_whole and text[at] == _0
                    at += 1
            if at < size and text[at] > _SPACE:
                is_whole = False
            if not is_whole or whole > 1:
                fault = IS_NOT_ONE
                break
            if number > MAX_ID:
                fault = IS_TOO_LARGE
                break
            if whole == 1:
                indices[n_labels] = number
                n_labels += 1
        while at < size and text[at] != _NL:
            at += 1
        at += 1
        place = token - line_start
        n_labels = _end_of_line(line, fault, place, is_blank, indices, first, n_labels, counts, faults, facts)
        line += 1
    return n_labels, line


@kernel
def _end_of_line(
    line: int, fault: int, place: int, is_blank: bool, indices: Array, first: int, n_labels: int, counts: Array,
    faults: Array, facts: Array,
) -> int:  # fmt: skip
    """Note what a line was; give the new end of the labels."""
    if fault != 0:
        if faults[0] == 0:
            faults[1] = line
            faults[2] = fault
            faults[3] = place
        faults[0] += 1
        counts[line] = FAULT
        return first
    if is_blank:
        counts[line] = BLANK
        return n_labels
    end = _sorted_once(indices, first, n_labels, facts)
    counts[line] = end - first
    return end


@kernel
def _sorted_once(indices: Array, first: int, last: int, facts: Array) -> int:
    """Sort a line's labels and keep each once; give the new end."""
    is_sorted = True
    for at in range(first + 1, last):
        if indices[at] <= indices[at - 1]:
            is_sorted = False
            break
    if is_sorted:
        return last
    sort_numbers(indices, np.int64(first), np.int64(last))
    kept = first + 1
    for at in range(first + 1, last):
        if indices[at] != indices[kept - 1]:
            indices[kept] = indices[at]
            kept += 1
    facts[0] += last - kept
    return kept
