"""Reports of splits that come along, so that the lesson need neither split nor count: their counts as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit.io.samples import sample_file
from optisplit.measures.report import Report

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def keep_reports(path: Path, reports: Sequence[Report]) -> None:
    """Write the counts of reports on the same labels, which have at most 65,535 rows."""
    counts = np.stack([each.counts for each in reports]).astype(np.uint16)
    sizes = np.stack([each.fold_sizes for each in reports])
    rows = np.stack([each.rows_by_n_labels for each in reports if each.rows_by_n_labels is not None])
    np.savez_compressed(path, counts=counts, sizes=sizes, rows=rows.astype(np.uint16))


def kept_reports(
    name: str, label_names: tuple[str, ...], shares: Sequence[float], fold_names: tuple[str, ...] = ()
) -> list[Report]:
    """Read the reports of a sample file, in the order in which they were written."""
    with np.load(sample_file(name)) as kept:
        counts, sizes, rows = kept["counts"].astype(np.int32), kept["sizes"], kept["rows"].astype(np.int64)
    due = np.asarray(shares, dtype=np.float64)
    return [
        Report(each, size, due, label_names, fold_names, rows_by_n_labels=row)
        for each, size, row in zip(counts, sizes, rows, strict=True)
    ]
