"""How a split was brought, and reading it: a file, a column, two files, a comparison's best, an example."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from optisplit.check.example import faulty_split
from optisplit.errors import OptisplitError
from optisplit.io.source import decode_text, read_source
from optisplit.io.splits import SplitColumn, as_split, read_split, split_columns
from optisplit.io.splits.roles import with_training_part
from optisplit.methods import METHODS
from optisplit.text import clean_name
from optisplit.ui import jobs_panel, session
from optisplit.ui.datasets import Upload, rows_key

if TYPE_CHECKING:
    from optisplit.comparison.experiment import Run
    from optisplit.io.splits import SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.compare.request import CompareRequest
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport

Origin: TypeAlias = Literal["file", "column", "pair", "compared", "example"]

ORIGIN_TITLES: dict[str, str] = {
    "file": "In a file",
    "column": "In a column of the data",
    "pair": "Training and test files",
    "compared": "Best of the comparison",
    "example": "An example",
}
MOST_KEYS = 50


@dataclass(frozen=True)
class Reading:
    """How a split is read."""

    origin: Origin  # where it comes from
    file: Upload | None = None  # the file that it is read from
    column: str | None = None  # its column, key or array
    kind: Any = None  # what its parts are, where the user says so
    rows: Any = None  # how it names rows, where the user says so
    training: str | None = None  # name of the part that is for training, where the user says so

    def read(self, data: MultilabelDataset, name: str | None = None, content: bytes | None = None) -> SplitFile:
        """Read the split."""
        assert self.file is not None
        file = self.file if content is None else Upload(name or self.file.name, content)
        split = read_split(
            file.open(), data, column=self.column, kind=self.kind, rows=self.rows, name=file.name,
        )  # fmt: skip
        if self.training is None or split.kind != "parts" or split.pairs is not None:
            return split
        wanted = split.part_names.index(self.training) if self.training in split.part_names else 0
        return with_training_part(split, wanted)


def read(reading: Reading, data: MultilabelDataset) -> SplitFile:
    """Read a split from a file, once."""
    assert reading.file is not None
    how = (reading.column, reading.kind, reading.rows, reading.training)
    return _read(reading.file.digest, how, data.digest, rows_key(data), reading, data)


@session.cached_for_session(max_entries=6, show_spinner="Reading the split …")
def _read(
    file: str, how: tuple[Any, ...], data: str, rows: int, _reading: Reading, _data: MultilabelDataset
) -> SplitFile:
    split: SplitFile = jobs_panel.wait_for(read_split_file, (_reading, _data))
    return split


def read_split_file(request: tuple[Reading, MultilabelDataset], report: OnReport) -> SplitFile:
    """Read a split; the work of a job."""
    reading, data = request
    return reading.read(data)


def columns_of(file: Upload, data: MultilabelDataset) -> list[SplitColumn]:
    """List the columns of a table that may hold the split."""
    return _columns(file.digest, data.digest, file, data)


@session.cached_for_session(max_entries=6, show_spinner="Looking for columns …")
def _columns(file: str, data: str, _file: Upload, _data: MultilabelDataset) -> list[SplitColumn]:
    found: list[SplitColumn] = jobs_panel.wait_for(find_columns, (_file, _data))
    return found


def find_columns(request: tuple[Upload, MultilabelDataset], report: OnReport) -> list[SplitColumn]:
    """Look for columns with a split; the work of a job."""
    file, data = request
    try:
        return split_columns(file.open(), data, name=file.name)
    except OptisplitError:
        return []


@session.cached_for_session(max_entries=6, show_spinner=False)
def keys_of(file: str, _file: Upload) -> list[str]:
    """List the keys or arrays of a file that is no table."""
    found: list[str] = jobs_panel.wait_for(find_keys, _file)
    return found


def find_keys(file: Upload, report: OnReport) -> list[str]:
    """Look for keys or arrays; the work of a job."""
    try:
        content = read_source(file.open(), file.name).data
        if content.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return [name.removesuffix(".npy") for name in archive.namelist()[:MOST_KEYS]]
        if content.lstrip().startswith(b"{"):
            return list(json.loads(decode_text(content)[0]))[:MOST_KEYS]
    except (OptisplitError, ValueError, zipfile.BadZipFile, RecursionError):
        pass  # said where it is read
    return []


def compared(request: CompareRequest, run: Run, data: MultilabelDataset) -> SplitFile:
    """Take the split of a comparison's run."""
    name = f"{METHODS[run.method].name}, seed {run.seed}"
    return as_split(run.folds, data, kind=request.division.kind, name=name)


def example(chosen: ChosenData) -> Reading:
    """Make the example of a sample."""
    return Reading("example", _example_file(chosen.data.digest, chosen.data))


@session.cached_for_session(max_entries=4, show_spinner="Making an example …")
def _example_file(digest: str, _data: MultilabelDataset) -> Upload:
    return Upload("example.csv", faulty_split(_data).encode())


def column_title(column: SplitColumn) -> str:
    """Say what is in a column."""
    values = [clean_name(value, 20) or "(empty)" for value, _ in column.values[:4]]
    return f"{clean_name(column.name, 40)} · {', '.join(values)}{', …' if column.n_values > 4 else ''}"
