"""Separate training and test files, as MULAN ships its data: one data set, and the split that the files are."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.cells import csv_text
from optisplit.errors import FormatError, OptionError, argument
from optisplit.io.formats.reading import load_file
from optisplit.io.packing import zipped
from optisplit.io.source import UTF8_MARK, FileLike, Source, read_source, without_part
from optisplit.io.splits.assembly import Found, assemble
from optisplit.io.splits.base import SplitFile, repaired_name
from optisplit.io.splits.row_lines import is_arff, joined, row_lines
from optisplit.io.splits.values import TEST, TRAIN
from optisplit.labels import MultilabelDataset, edited
from optisplit.labels.facts import described_anew
from optisplit.text import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.folds.arrays import FoldArray


@dataclass(frozen=True)
class TwoFiles:
    """A training and a test file."""

    sources: tuple[Source, Source]  # training, test
    n_train: int  # rows of the first
    formats: tuple[str | None, ...]  # what each was read as

    def write(self, split: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
        """Write both files with other rows in them, byte for byte as they stood, in a zip.

        Where the files are no text, or have not the same columns, the zip holds a table of rows and parts instead.
        """
        files = self._files(folds) or {"split.csv": _table(split, folds)}
        return f"{_common_stem(self.sources)}-repaired.zip", zipped(files)

    def _files(self, folds: FoldArray) -> dict[str, bytes] | None:
        train, test = (row_lines(*each) for each in zip(self.sources, self.formats, strict=True))
        # how many rows a head states is no matter
        if train is None or test is None or _columns(train.head_for(0)) != _columns(test.head_for(0)):
            return None
        rows = [*train.rows, *test.rows]
        if len(rows) != len(folds) or len(train.rows) != self.n_train:
            return None
        files: dict[str, bytes] = {}
        is_test = np.arange(len(rows)) >= self.n_train
        for part, (source, own) in enumerate(zip(self.sources, (train, test), strict=True)):
            is_own = is_test == part
            order = [*np.flatnonzero((folds == part) & is_own), *np.flatnonzero((folds == part) & ~is_own)]
            name = repaired_name(source.unpacked_name)
            content = own.head_for(len(order)) + joined([rows[row] for row in order], own.line_end)
            files[name if name not in files else f"{part}-{name}"] = content
        return files


def _columns(head: bytes) -> list[bytes]:
    """Give what must be the same for rows to fit under another head."""
    lines = [b" ".join(line.split()) for line in head.removeprefix(UTF8_MARK).splitlines()]
    attributes = [line for line in lines if line[:10].lower() == b"@attribute"]
    return attributes or lines


def _table(split: SplitFile, folds: FoldArray) -> bytes:
    names = [*split.part_names, ""]
    rows = zip(split.row_ids or range(len(folds)), (names[fold] for fold in folds), strict=True)
    return csv_text(["row_id" if split.row_ids else "row", "part"], rows).encode()


def _common_stem(sources: Sequence[Source]) -> str:
    stems = [without_part(source.stem) for source in sources]
    return stems[0] if stems[0] == stems[1] and stems[0] else "train-test"


def read_train_test(
    train: FileLike,
    test: FileLike,
    *,
    label_columns: int | Sequence[str] | None = None,
    label_file: FileLike | None = None,
    options: Mapping[str, Any] | None = None,
    train_name: str | None = None,
    test_name: str | None = None,
) -> tuple[MultilabelDataset, SplitFile]:
    """Read a training and a test file as one data set and its split.

    - Rows of the training file come first. Labels are matched by name, in the order of the training file.
    - `options` are further arguments of :func:`optisplit.load`, for both files.
    - Row ids are kept where both files have them and no two rows share one; otherwise rows are called ``train 0``,
      ``train 1``, ..., ``test 0``, ...
    """
    sources = (read_source(train, train_name), read_source(test, test_name))
    xml = _label_source(label_file, sources)
    how = {"label_columns": label_columns, **(options or {})}
    merged, dropped = how.pop("merge_labels", None), how.pop("drop_labels", None)  # of both files together
    loaded = [_load(source, xml, how) for source in sources]
    data = edited(_joined(loaded, sources), merged, dropped)
    n_train = loaded[0].n_rows
    rows = np.arange(data.n_rows)
    found = Found((rows[:n_train], rows[n_train:]), (TRAIN, TEST), "parts")
    name = f"{sources[0].name} and {sources[1].name}"
    note = f"{name} were read as training and test rows of one data set, {data.n_labels:,} labels matched by name."
    form = "a training and a test file"
    formats = tuple(None if each.reading is None else each.reading.format for each in loaded)
    writer = TwoFiles(sources, n_train, formats).write
    return data, assemble(found, data, name=name, form=form, notes=[note], writer=writer)


def _label_source(label_file: FileLike | None, sources: Sequence[Source]) -> bytes | None:
    if label_file is None:
        beside = (source.sibling(".xml") for source in sources if is_arff(source.data))
        label_file = next((path for path in beside if path is not None), None)
    return None if label_file is None else read_source(label_file).data


def _load(source: Source, xml: bytes | None, options: Mapping[str, Any]) -> MultilabelDataset:
    given = source.path if source.path is not None else io.BytesIO(source.data)
    label_file = None if xml is None else io.BytesIO(xml)
    return load_file(given, label_file=label_file, name=os.path.basename(source.name), **options)


def _numbers(data: MultilabelDataset) -> list[int]:
    """Give the number that each row has in its file."""
    kept = None if data.reading is None else data.reading.kept_rows
    return list(range(data.n_rows)) if kept is None else kept.tolist()


def _names(data: MultilabelDataset) -> Sequence[str]:
    """Give the names of rows that the file has; none where they are numbers, given as some rows were left out."""
    names, numbers = data.row_ids or (), _numbers(data)
    is_numbered = numbers != list(range(data.n_rows)) and list(names) == list(map(str, numbers))
    return () if is_numbered else names


def _joined(loaded: list[MultilabelDataset], sources: Sequence[Source]) -> MultilabelDataset:
    train, test = loaded
    if set(train.label_names) != set(test.label_names):
        only = [sorted(set(one.label_names) - set(other.label_names)) for one, other in ((train, test), (test, train))]
        shown = "; ".join(
            f"only in {source.name}: {len(names):,}, {listed(names, 3)}"
            for source, names in zip(sources, only, strict=True)
            if names
        )
        msg = f"The two files have not the same labels ({train.n_labels:,} and {test.n_labels:,}): {shown}."
        hint = "\nHint: give " + argument("label_columns") + ", or MULAN's XML as " + argument("label_file")
        raise FormatError(msg + hint + ", where labels were guessed.")
    place = {name: at for at, name in enumerate(test.label_names)}
    if len(place) < test.n_labels:
        msg = "Labels of the same name cannot be matched; rename them."
        raise OptionError(msg)
    order = [place[name] for name in train.label_names]
    labels = sp.vstack([train.labels, test.labels[:, order]], format="csr")
    ids = [name for each in loaded for name in _names(each)]
    if len(ids) != train.n_rows + test.n_rows or len(set(ids)) < len(ids):
        ids = [f"{part} {row}" for part, each in ((TRAIN, train), (TEST, test)) for row in _numbers(each)]
    notes = list(dict.fromkeys((*train.notes, *test.notes)))
    name = _common_stem(sources)
    both = MultilabelDataset.from_labels(
        labels, train.label_names, row_ids=ids, name=name if name != "train-test" else train.name, notes=notes
    )
    return described_anew(both, was=loaded)
