"""What a check or a repair is asked to do, and doing it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from optisplit.check.checks import SplitCheck, check_split
from optisplit.check.random_splits import N_RANDOM
from optisplit.check.repairs import Repair, repair
from optisplit.io.samples import sample_file
from optisplit.io.splits import row_digests
from optisplit.methods.memory import Need, checking_bytes
from optisplit.methods.shapes import Shape
from optisplit.text import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optisplit.io.splits import SplitFile
    from optisplit.ui.check.sources import Reading
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.groups_file import Groups
    from optisplit.ui.jobs import OnReport


@dataclass(frozen=True, eq=False)
class CheckRequest:
    """What a check was asked to do."""

    chosen: ChosenData  # the data
    split: SplitFile  # the split
    reading: Reading  # how it was read
    groups: Groups | None = None  # what stays together
    compare_rows: bool = True  # whether to look for equal rows
    pairs: bool = False  # whether to measure pairs of labels too

    @cached_property
    def digests(self) -> NDArray[np.uint64] | None:
        """Numbers that are equal where rows are; None where rows are not compared."""
        if not self.compare_rows:
            return None
        if self.chosen.uploaded is not None:
            files = self.chosen.files
            return row_digests(self.chosen.data, *(file.open() for file in files)) if files else None
        return row_digests(self.chosen.data, sample_file(self.chosen.key))

    @property
    def need(self) -> Need:
        """The memory that it takes."""
        return need_of_check(self, "Checking this split")


def run_check(request: CheckRequest, report: OnReport) -> SplitCheck:
    """Check a split; the work of a job."""

    def on_progress(done: int, total: int, score: float) -> None:
        report(0.05 + 0.9 * done / max(1, total), f"{done:,} of {counted(total, 'random split')}")

    with request.need.reserved(on_wait=lambda: report(0.0, "Waiting for memory")):
        report(0.0, "Looking for faults")
        import pandas  # noqa: F401 - the result needs it

        return check_split(
            request.chosen.data, request.split, groups=request.groups and request.groups.of_rows,
            row_digests=request.digests, pairs=request.pairs, n_random=N_RANDOM, on_progress=on_progress,
        )  # fmt: skip


def need_of_check(request: CheckRequest, what: str) -> Need:
    """Tell what memory a check takes, or a repair."""
    labels = request.chosen.data.labels
    n_rows, n_labels = labels.shape
    n_pairs = Shape.of(labels).n_pairs_in_rows if request.pairs else 0
    n_file_bytes = sum(file.size for file in request.chosen.files) if request.compare_rows else 0
    needed = checking_bytes(
        n_rows, n_labels, int(labels.indptr[-1]), request.split.n_parts,
        n_pairs_in_rows=n_pairs, n_file_bytes=n_file_bytes,
    )  # fmt: skip
    return Need(what, needed, "use OptiSplit's Python library on a larger machine")


@dataclass(frozen=True, eq=False)
class Repaired:
    """What a repair gave."""

    repair: Repair  # what moved, and what that gained
    file_name: str  # name of the file in the form that came in
    content: bytes  # the file
    again: SplitFile  # that file as it is read again
    after: SplitCheck  # the check of it, without random splits


@dataclass(frozen=True, eq=False)
class RepairRequest:
    """What a repair was asked to do."""

    checked: CheckRequest  # the check of the split
    check: SplitCheck  # what it found
    max_moved: int | None = None  # most rows to move
    place_missing: bool = True  # whether rows that are in no part get one

    @property
    def chosen(self) -> ChosenData:
        """The data."""
        return self.checked.chosen


def run_repair(request: RepairRequest, report: OnReport) -> Repaired:
    """Repair a split; the work of a job."""
    need = need_of_check(replace(request.checked, pairs=False), "Repairing this split")
    with need.reserved(on_wait=lambda: report(0.0, "Waiting for memory")):
        return _repair(request, report)


def _repair(request: RepairRequest, report: OnReport) -> Repaired:
    report(0.0, "Getting ready")
    checked, check = request.checked, request.check
    data = checked.chosen.data
    digests = checked.digests
    groups: Any = checked.groups and checked.groups.of_rows
    has_equal_rows = any(fault.kind == "identical" for fault in check.faults)
    done = repair(
        data, check.split, groups=digests if groups is None and has_equal_rows else groups,
        max_moved=request.max_moved, place_missing=request.place_missing, random_state=0,
        on_progress=lambda done, total, score: report(0.9 * done / max(1, total), "Looking for rows to move"),
    )  # fmt: skip
    report(0.95, "Checking what came out")
    name, content = done.write_back()
    assert done.split is not None
    again = checked.reading.read(data, name, content) if checked.reading.file is not None else done.split
    after = check_split(data, again, groups=groups, row_digests=digests, n_random=0)
    return Repaired(done, name, content, again, after)
