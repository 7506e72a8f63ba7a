"""What all readers of detection data share: instances of labels on rows, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit.io.layouts.boxes import counted_instances
from optisplit.io.parsed import Parsed
from optisplit.io.sizes import check_stated

if TYPE_CHECKING:
    from collections.abc import Sequence


def of_instances(
    name: str, rows: Sequence[int], labels: Sequence[int], row_ids: list[str], label_names: list[str], key: str | None
) -> Parsed:
    """Make what a file has of instances, each given by the number of its row and of its label."""
    shape = (len(row_ids), len(label_names))
    check_stated(name, rows=shape[0], labels=shape[1])
    labels_of, counts = counted_instances(np.asarray(rows, dtype=np.int64), np.asarray(labels, dtype=np.int64), shape)
    return Parsed(labels_of, label_names, row_ids, key=key, counts=counts)
