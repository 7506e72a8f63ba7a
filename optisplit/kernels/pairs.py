"""Labels that occur together: counting the pairs, and listing each row's.

Both kernels go through the labels in ascending order. In every row a cursor stands at the label's place, so that the
labels to the right of it are the partners of which it is the first; a label's partners are counted in one array of
n_labels, and no pair is looked up in a table of pairs.

Both do as many labels as a given amount of work allows and return the label to go on with, so that the caller can
report and be stopped in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optisplit.kernels.jit import kernel
from optisplit.kernels.selection import sort_numbers

Array = NDArray[Any]


@kernel
def count_partners(rows: Array, cursor: Array, indptr: Array, indices: Array, counts: Array, partners: Array) -> int:
    """Count in how many of one label's rows each later label occurs.

    rows: the rows that have the label; cursor: (n_rows,), where the label stands in `indices`, for each of `rows`;
    indptr, indices: CSR arrays of the labels, sorted within rows; counts: (n_labels,) int32, added to in place; must
    come filled with 0; partners: (n_labels,) int32, set in place: its first entries are the labels that were counted,
    in no particular order. Returns number of partners.
    """
    n_partners = 0
    for row in rows:
        for at in range(cursor[row] + 1, indptr[row + 1]):
            other = indices[at]
            if counts[other] == 0:
                partners[n_partners] = other
                n_partners += 1
            counts[other] += 1
    return n_partners


@kernel
def tally_pairs(
    column_ptr: Array, column_rows: Array, indptr: Array, indices: Array, min_rows: int, start: int, work: int,
    cursor: Array, counts: Array, partners: Array,
    n_seconds: Array, n_pairs: Array, pairs_by_size: Array, positives_by_size: Array,
) -> int:  # fmt: skip
    """Count the pairs that are frequent enough, by their first label and by row, and all pairs by their size.

    column_ptr, column_rows: CSC arrays of the labels, shapes (n_labels + 1,) and (n_positives,); indptr, indices: CSR
    arrays of the same labels, sorted within rows; min_rows: rows in which a pair must occur to be kept; start: the
    label to begin with: 0, then what the call before returned; work: labels of rows to look at; a label that is begun
    is done to its end; cursor: (n_rows,), moved on in place; at first where each row starts in `indices`; counts,
    partners: (n_labels,) int32, room to work in; `counts` must come filled with 0, and is left so; n_seconds:
    (n_labels,) int64, set in place: the kept pairs of which each label is the first; n_pairs: (n_rows,) int64, added to
    in place: the kept pairs that each row has; pairs_by_size, positives_by_size: (64,) int64, added to in place: entry
    b counts the pairs that occur in 2**b to 2**(b + 1) - 1 rows, and adds up these rows. Returns the label to go on
    with; n_labels when all are done.
    """
    n_looked_at = 0
    for label in range(start, n_seconds.size):
        if n_looked_at > work:
            return label
        rows = column_rows[column_ptr[label] : column_ptr[label + 1]]
        n_partners = count_partners(rows, cursor, indptr, indices, counts, partners)
        n_kept = 0
        for partner in partners[:n_partners]:
            count = counts[partner]
            size = 0
            while count >> (size + 1) > 0:
                size += 1
            pairs_by_size[size] += 1
            positives_by_size[size] += count
            n_kept += count >= min_rows
        n_seconds[label] = n_kept
        for row in rows:
            n_in_row = 0
            for at in range(cursor[row] + 1, indptr[row + 1]):
                n_in_row += counts[indices[at]] >= min_rows
            n_pairs[row] += n_in_row
            n_looked_at += indptr[row + 1] - cursor[row]
            cursor[row] += 1
        for partner in partners[:n_partners]:
            counts[partner] = 0
    return n_seconds.size


@kernel
def list_pairs(
    column_ptr: Array, column_rows: Array, indptr: Array, indices: Array, min_rows: int, start: int, work: int,
    cursor: Array, counts: Array, partners: Array,
    pair_ptr: Array, second: Array, write_at: Array, pair_indices: Array,
) -> int:  # fmt: skip
    """List the pairs that are frequent enough, and which of them each row has.

    Pairs are numbered by their first label, then by their second; each row's come out ascending.

    column_ptr, column_rows: CSC arrays of the labels, shapes (n_labels + 1,) and (n_positives,); indptr, indices: CSR
    arrays of the same labels, sorted within rows; min_rows: rows in which a pair must occur to be kept; start: the
    label to begin with: 0, then what the call before returned; work: labels of rows to look at; a label that is begun
    is done to its end; cursor: (n_rows,), moved on in place; at first where each row starts in `indices`; counts,
    partners: (n_labels,) int32, room to work in; `counts` must come filled with 0, and is left so; pair_ptr: (n_labels
    + 1,) int64, where the kept pairs of each first label start; second: (n_kept,) int32, set in place: the second label
    of each kept pair; write_at: (n_rows,), moved on in place; at first where the kept pairs of each row start in
    `pair_indices`; pair_indices: set in place: the kept pairs of each row. Returns the label to go on with; n_labels
    when all are done.
    """
    n_labels = pair_ptr.size - 1
    n_looked_at = 0
    for label in range(start, n_labels):
        if n_looked_at > work:
            return label
        rows = column_rows[column_ptr[label] : column_ptr[label + 1]]
        n_partners = count_partners(rows, cursor, indptr, indices, counts, partners)
        first_pair = pair_ptr[label]
        kept = second[first_pair : pair_ptr[label + 1]]
        n_kept = 0
        for partner in partners[:n_partners]:
            if counts[partner] >= min_rows:
                kept[n_kept] = partner
                n_kept += 1
            counts[partner] = -1
        sort_numbers(kept, np.int64(0), np.int64(n_kept))
        for number in range(n_kept):  # from here on counts has a pair's number, less that of the label's first pair
            counts[kept[number]] = number
        for row in rows:
            for at in range(cursor[row] + 1, indptr[row + 1]):
                number = counts[indices[at]]
                if number >= 0:
                    pair_indices[write_at[row]] = first_pair + number
                    write_at[row] += 1
            n_looked_at += indptr[row + 1] - cursor[row]
            cursor[row] += 1
        for partner in partners[:n_partners]:
            counts[partner] = 0
    return n_labels
