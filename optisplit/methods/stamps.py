"""What tells data, splits and installations from others: digests and versions."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import platform
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from optisplit.folds.constraints import as_groups, check_places
from optisplit.methods.base import METHODS, Peer

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset
STRICT: dict[str, object] = {"strict": True, "extra": "forbid"}
"""How pydantic checks documents: no type stands for another, and no key is passed over."""


@dataclass(frozen=True)
class DataStamp:
    """What tells a data set from others."""

    __pydantic_config__: ClassVar[dict[str, object]] = STRICT

    name: str
    n_rows: int
    n_labels: int
    labels: str  # hexadecimal digest of the label matrix
    names: str  # of the label names
    row_ids: str = ""  # of the row ids; empty where there are none

    @classmethod
    def of(cls, data: MultilabelDataset) -> DataStamp:
        """Make the stamp of a data set."""
        matrix = hashlib.sha256()
        for array in (data.labels.indptr, data.labels.indices):
            for start in range(0, len(array), 1 << 20):
                matrix.update(array[start : start + (1 << 20)].astype("<i8").tobytes())
        ids = "" if data.row_ids is None else _digest(*data.row_ids)
        return cls(data.name, data.n_rows, data.n_labels, matrix.hexdigest()[:32], _digest(*data.label_names), ids)

    def differences(self, other: DataStamp) -> list[str]:
        """Say in what another data set differs."""
        told = [
            f"{then:,} {what} then, {now:,} now"
            for what, then, now in (
                ("rows", self.n_rows, other.n_rows),
                ("labels", self.n_labels, other.n_labels),
            )
            if then != now
        ]
        same_shape = not told
        if self.names != other.names and self.n_labels == other.n_labels:
            told.append("other label names, or in another order")
        if self.labels != other.labels and same_shape:
            told.append("other labels on some rows, or rows or labels in another order")
        if self.row_ids and other.row_ids and self.row_ids != other.row_ids and self.n_rows == other.n_rows:
            told.append("other row ids, or in another order")
        return told


def folds_digest(folds: FoldArray) -> str:
    """Give a number that is equal where folds are."""
    return hashlib.sha256(np.asarray(folds).astype("<i4").tobytes()).hexdigest()[:32]


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def rows_digest(what: str, given: Any, n_rows: int, n_splits: int) -> str:
    """Give a number that is equal where groups, or fixed rows, are: whatever the groups are called."""
    return folds_digest(as_groups(given, n_rows)[0] if what == "groups" else check_places(given, n_rows, n_splits))


def versions(method: str) -> dict[str, str]:
    """Give the versions of what has a say in the folds."""
    found = {"optisplit": str(importlib.import_module("optisplit").__version__), "python": platform.python_version()}
    chosen = METHODS.get(method)
    for package in ("numpy", "scipy", "numba", *([chosen.package] if isinstance(chosen, Peer) else [])):
        with suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    return found
