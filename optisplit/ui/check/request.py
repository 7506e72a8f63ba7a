"""How a split was brought, reading it, what a check or a repair is asked to do, and which check is to be seen."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from optisplit.check.checks import SplitCheck, check_split
from optisplit.check.example import faulty_split
from optisplit.check.random_splits import N_RANDOM
from optisplit.check.repairs import Repair, repair
from optisplit.errors import OptisplitError
from optisplit.io.samples import sample_file
from optisplit.io.splits import SplitColumn, as_split, read_split, row_digests, split_columns, split_keys
from optisplit.io.splits.base import repaired_name
from optisplit.io.splits.one_part import part_of_file
from optisplit.io.splits.roles import with_training_part
from optisplit.methods import METHODS
from optisplit.methods.memory import Need, checking_bytes
from optisplit.methods.rare import DEFAULT_RARE
from optisplit.methods.shapes import Shape
from optisplit.text import clean_name, counted
from optisplit.ui import jobs_panel, session
from optisplit.ui.apart import read_apart, split_apart
from optisplit.ui.datasets import Upload, rows_key
from optisplit.ui.matching import Matching

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from optisplit.comparison.experiment import Run
    from optisplit.io.splits import SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.methods.rare import Rare
    from optisplit.ui.compare.request import CompareRequest
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.groups_file import Groups
    from optisplit.ui.jobs import OnReport


Origin: TypeAlias = Literal["file", "column", "pair", "compared", "example"]

ORIGIN_TITLES: dict[str, str] = {
    "file": "In a file",
    "column": "In a column of the data",
    "pair": "Training and test files",
    "compared": "Best of the comparison",
    "example": "An example",
}
WAIT_S = 1.0
"""A check that is over by then is shown without a progress bar."""


@dataclass(frozen=True)
class Reading:
    """How a split is read."""

    origin: Origin  # where it comes from
    file: Upload | None = None  # the file that it is read from
    column: str | None = None  # its column, key or array
    kind: Any = None  # what its parts are, where the user says so
    rows: Any = None  # how it names rows, where the user says so
    matched: Matching = field(default_factory=Matching)  # what its lines are matched by, where the user says so
    training: str | None = None  # name of the part that is for training, where the user says so
    others: tuple[Upload, ...] = ()  # further files, where there is one for each part
    parts: tuple[str, ...] = ()  # the part of each file then

    @classmethod
    def of(cls, files: Sequence[Upload]) -> Reading:
        """Take the file, or a file for each part, whose names say which."""
        if len(files) == 1:
            return cls("file", files[0])
        parts = tuple(part_of_file(file.name) for file in files)
        if len(set(parts)) < len(parts):
            parts = tuple(file.name for file in files)
        return cls("file", files[0], others=tuple(files[1:]), parts=parts)

    @property
    def files(self) -> tuple[Upload, ...]:
        """All its files."""
        return () if self.file is None else (self.file, *self.others)

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digest of its files."""
        return hashlib.sha256("".join(file.digest for file in self.files).encode()).hexdigest()

    def rewritten(self, name: str, content: bytes) -> Reading:
        """Give how the same is read once another split was written in its form."""
        if not self.parts or not content.startswith(b"PK"):
            return replace(self, file=Upload(name, content), others=(), parts=())
        part_of = {repaired_name(file.name): part for file, part in zip(self.files, self.parts, strict=True)}
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = [Upload(each, archive.read(each)) for each in archive.namelist()]
        parts = tuple(part_of[file.name] for file in files)
        return replace(self, file=files[0], others=tuple(files[1:]), parts=parts)

    def read(self, data: MultilabelDataset) -> SplitFile:
        """Read the split."""
        assert self.file is not None
        opened = [file.open() for file in self.files]
        source: Any = dict(zip(self.parts, opened, strict=True)) if self.parts else opened[0]
        split: SplitFile = split_apart(
            read_split, self.files, source, data, column=self.column, kind=self.kind, rows=self.rows,
            key=self.matched.key, unmatched=self.matched.unmatched, name=self.file.name,
        )  # fmt: skip
        if self.training is None or split.kind != "parts" or split.pairs is not None:
            return split
        wanted = split.part_names.index(self.training) if self.training in split.part_names else 0
        return with_training_part(split, wanted)


def split_of(reading: Reading, data: MultilabelDataset) -> SplitFile:
    """Read a split from a file, once."""
    assert reading.file is not None
    how = (reading.column, reading.kind, reading.rows, reading.matched, reading.training, reading.parts)
    return _read(reading.digest, how, data.digest, rows_key(data), reading, data)


@session.cached_for_session(max_entries=6, show_spinner="Reading the split …")
def _read(
    file: str, how: tuple[Any, ...], data: str, rows: int, _reading: Reading, _data: MultilabelDataset
) -> SplitFile:
    return jobs_panel.wait_for(read_split_file, (_reading, _data))


def read_split_file(request: tuple[Reading, MultilabelDataset], report: OnReport) -> SplitFile:
    """Read a split; the work of a job."""
    reading, data = request
    return reading.read(data)


def columns_of(file: Upload, data: MultilabelDataset) -> list[SplitColumn]:
    """List the columns of a table that may hold the split."""
    return _columns(file.digest, data.digest, file, data)


@session.cached_for_session(max_entries=6, show_spinner="Looking for columns …")
def _columns(file: str, data: str, _file: Upload, _data: MultilabelDataset) -> list[SplitColumn]:
    return jobs_panel.wait_for(find_columns, (_file, _data))


def find_columns(request: tuple[Upload, MultilabelDataset], report: OnReport) -> list[SplitColumn]:
    """Look for columns with a split; the work of a job."""
    file, data = request
    try:
        return read_apart(split_columns, (file,), file.open(), data, name=file.name)
    except OptisplitError:
        return []


@session.cached_for_session(max_entries=6, show_spinner=False)
def keys_of(file: str, _file: Upload) -> list[str]:
    """List the keys or arrays of a file that is no table."""
    return jobs_panel.wait_for(find_keys, _file)


def find_keys(file: Upload, report: OnReport) -> list[str]:
    """Look for keys or arrays; the work of a job."""
    try:
        return read_apart(split_keys, (file,), file.open(), name=file.name)
    except OptisplitError:  # said where it is read
        return []


def compared_split(request: CompareRequest, run: Run, data: MultilabelDataset) -> SplitFile:
    """Take the split of a comparison's run."""
    name = f"{METHODS[run.method].name}, seed {run.seed}"
    return as_split(run.folds, data, kind=request.division.kind, name=name)


def example_reading(chosen: ChosenData) -> Reading:
    """Make the example of a sample."""
    return Reading("example", _example_file(chosen.data.digest, chosen.data))


@session.cached_for_session(max_entries=4, show_spinner="Making an example …")
def _example_file(digest: str, _data: MultilabelDataset) -> Upload:
    return Upload("example.csv", faulty_split(_data).encode())


def column_title(column: SplitColumn) -> str:
    """Say what is in a column."""
    values = [clean_name(value, 20) or "(empty)" for value, _ in column.values[:4]]
    return f"{clean_name(column.name, 40)} · {', '.join(values)}{', …' if column.n_values > 4 else ''}"


@dataclass(frozen=True, eq=False)
class CheckRequest:
    """What a check was asked to do."""

    chosen: ChosenData  # the data
    split: SplitFile  # the split
    reading: Reading  # how it was read
    groups: Groups | None = None  # what stays together
    compare_rows: bool = True  # whether to look for equal rows
    pairs: bool = False  # whether to measure pairs of labels too
    apart: bool = False  # whether to tell parts apart too

    @cached_property
    def digests(self) -> NDArray[np.uint64] | None:
        """Numbers that are equal where rows are; None where rows are not compared."""
        if not self.compare_rows:
            return None
        files: list[Any] = [file.open() for file in self.chosen.files]
        if self.chosen.uploaded is None:
            files = [sample_file(self.chosen.key)]
        of_split = self.reading.column if self.reading.origin == "column" else None
        return row_digests(self.chosen.data, *files, split_column=of_split) if files else None


def differences(wanted: CheckRequest, checked: CheckRequest) -> list[str]:
    """Say in what one request differs from another of the same data."""
    one, other = wanted.reading, checked.reading
    if (one.origin, one.digest, wanted.split.name) != (other.origin, other.digest, checked.split.name):
        return [f"it has {wanted.split.name}"]
    found = []
    if one != other:
        found.append("how the split is read")
    if (wanted.groups and wanted.groups.of_rows) != (checked.groups and checked.groups.of_rows):
        found.append("the groups")
    if wanted.compare_rows != checked.compare_rows:
        found.append("whether rows with the same features are looked for")
    return found


def run_check(request: CheckRequest, report: OnReport) -> SplitCheck:
    """Check a split; the work of a job."""

    def on_progress(done: int, total: int, score: float) -> None:
        report(0.05 + 0.9 * done / max(1, total), f"{done:,} of {counted(total, what)}")

    what = "step" if request.apart else "random split"
    with need_of_check(request, "Checking this split").reserved(on_wait=lambda: report(0.0, "Waiting for memory")):
        report(0.0, "Looking for faults")
        import pandas  # noqa: F401 - the result needs it

        return check_split(
            request.chosen.data, request.split, groups=request.groups and request.groups.of_rows,
            row_digests=request.digests, pairs=request.pairs, apart=request.apart,
            leave_out=filter(None, [request.reading.column]), n_random=N_RANDOM, on_progress=on_progress,
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
    after: SplitCheck  # the check of it


@dataclass(frozen=True, eq=False)
class RepairRequest:
    """What a repair was asked to do."""

    checked: CheckRequest  # the check of the split
    check: SplitCheck  # what it found
    max_moved: int | None = None  # most rows to move
    place_missing: bool = True  # whether rows that are in no part get one
    rare: Rare = DEFAULT_RARE  # what becomes of labels too rare for a part

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
        max_moved=request.max_moved, place_missing=request.place_missing, rare=request.rare, random_state=0,
        on_progress=lambda done, total, score: report(0.9 * done / max(1, total), "Looking for rows to move"),
    )  # fmt: skip
    report(0.95, "Checking what came out")
    name, content = done.write_back()
    if groups is not None:
        name = repaired_name(name, "in-whole-groups")
    assert done.split is not None
    reading = checked.reading
    again = reading.rewritten(name, content).read(data) if reading.file is not None else done.split
    after = check_split(data, again, groups=groups, row_digests=digests, pairs=checked.pairs, n_random=N_RANDOM)
    return Repaired(done, name, content, again, after)
