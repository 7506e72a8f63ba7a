"""Splits in the forms that people have them in: read, with what is wrong with them, and written back the same way."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError
from optisplit.io.bundle import names_in
from optisplit.io.formats.npz import as_archive
from optisplit.io.formats.yolo import parts_in
from optisplit.io.packing import ZIP_ERRORS
from optisplit.io.second_tables import are_objects
from optisplit.io.sizes import check_stated
from optisplit.io.source import UTF8_MARK, FileLike, Source, decode_text, read_source
from optisplit.io.splits.arff_splits import columns_in_arff, read_arff_split
from optisplit.io.splits.assembly import as_split
from optisplit.io.splits.base import FOLDS_FILE, Asked, Kind, SplitFault, SplitFile, row_fault, row_names
from optisplit.io.splits.digests import row_digests
from optisplit.io.splits.lists import read_archive, read_json
from optisplit.io.splits.part_files import read_part_files
from optisplit.io.splits.row_lines import is_arff
from optisplit.io.splits.row_numbers import read_row_numbers, repetitions_in, row_numbers_in
from optisplit.io.splits.tables import SplitColumn, columns_in, read_table
from optisplit.io.splits.train_test import read_train_test
from optisplit.io.tables.frames import is_frame
from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.io.registry import Unmatched
    from optisplit.io.row_names import RowNaming
    from optisplit.labels import MultilabelDataset

__all__ = [
    "SplitColumn",
    "SplitFault",
    "SplitFile",
    "as_split",
    "read_split",
    "read_train_test",
    "row_digests",
    "row_fault",
    "row_names",
    "split_columns",
    "split_keys",
]

MOST_KEYS = 50


def read_split(
    source: FileLike | Mapping[str, FileLike] | Any,
    data: MultilabelDataset,
    *,
    column: str | None = None,
    kind: Kind | None = None,
    rows: RowNaming | None = None,
    key: str | None = None,
    unmatched: Unmatched = "error",
    name: str | None = None,
) -> SplitFile:
    """Read a split of the rows of a data set, in any usual form.

    - A CSV or TSV with a column such as ``fold`` or ``split``, also the data's own table; its lines are matched to the
      rows by a column of row ids or row numbers, otherwise by their order. Or one value a line.
    - Values are fold numbers from 0 or 1 with -1 for always in training; names such as train, val and test; or yes and
      no in a column such as ``is_test``.
    - JSON: a list of rows for each test fold; pairs [train, test] or ``{"train": ..., "test": ...}``, one or many; the
      same under a key such as ``folds``; one value a row. Rows are numbers from 0 or 1, or ids.
    - JSON Lines and Parquet with such a key or column; a zip of files with ``folds.csv`` in it.
    - ARFF: MEKA's ``-split-number`` or ``-split-percentage`` in the relation name, or such a column.
    - Row numbers of one part, as the extreme classification repository has them: a column for each repetition, of which
      `column` chooses one, from 1; all other rows are the other part.
    - A file for each part: ``{"train": ..., "val": ..., "test": ...}``, with names of rows one a line, a table or JSON
      list of them, or row numbers.
    - YOLO's folder or zip, whose ``data.yaml`` or folders divide the images.
    - NPZ: ``test_fold``; or ``train`` and ``test``, ``train_0`` and ``test_0``, ... with row numbers or masks.
    - Nothing is repaired: rows that are missing, named twice or unknown are the `faults` of what is returned.

    Parameters
    ----------
    source : path or binary file object, DataFrame, Table or Dataset; or dict of files
        The file, or a table in memory; or a file for each part, by the parts' names.
    data : MultilabelDataset
        The data whose rows it divides.
    column : str, optional
        The column, key or array that holds the split; default: one with a usual name.
    kind : {"folds", "parts"}, optional
        Whether the parts are the folds of cross-validation, or one is for training and the others for testing;
        default: as names and numbers say.
    rows : {"ids", "from 0", "from 1", "order"}, optional
        How the file names rows; default: as its content says.
    key : str, optional
        The column of the data whose values say which row is meant; ``"NAME=OTHER"`` where a table calls it OTHER.
        Default: one that both have, and whose values agree.
    unmatched : {"error", "leave-out"}, default="error"
        What to do about names that are no row of the data: list them as a fault, or leave them out.
    name : str, optional
        The file's name, where `source` is a file object without one.

    Returns
    -------
    SplitFile
        The split, how it was read, and what is wrong.

    Raises
    ------
    FormatError
        If the file cannot be read as a split of this data.
    OptionError
        If a column or choice is unknown.

    Examples
    --------
    >>> import io
    >>> from optisplit import MultilabelDataset
    >>> data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    >>> read_split(io.BytesIO(b'[[0, 3], [1, 2]]'), data).folds.tolist()
    [0, 1, 1, 0]
    """
    asked = Asked(kind, rows, column, key, unmatched)
    if isinstance(source, Mapping) and not is_frame(source):
        return read_part_files(source, data, asked)
    table: Any = source
    opened = read_source(table, name, takes_folder=True)
    if (parts := _parts_of_detector(opened, data)) is not None:
        return read_json(parts, data, asked)
    start = opened.data.lstrip()[:200]
    if opened.data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        folds = _folds_in_zip(opened)
        return read_archive(opened, data, asked) if folds is None else read_table(folds, data, asked)
    if opened.data.startswith(b"\x93NUMPY"):
        return read_archive(as_archive(opened, "test_fold"), data, asked)
    if are_objects(opened):
        return read_table(opened, data, asked)
    if start.removeprefix(UTF8_MARK).startswith((b"{", b"[")):
        return read_json(opened, data, asked)
    if is_arff(start):
        return read_arff_split(opened, data, asked)
    if (numbers := row_numbers_in(opened, data.n_rows)) is not None:
        return read_row_numbers(numbers, opened, data, asked)
    return read_table(opened, data, asked)


def split_columns(
    source: FileLike, data: MultilabelDataset | None = None, *, name: str | None = None
) -> list[SplitColumn]:
    """List the columns of a table, such as the data's own, that may say which part a row is in.

    Read one with ``read_split(source, data, column=...)``.
    """
    opened = read_source(source, name)
    if are_objects(opened):
        return columns_in(opened, data)
    start = opened.data.lstrip()[:200]
    if is_arff(start):
        return columns_in_arff(opened, data)
    if b"\0" in opened.data[:8192] or start.startswith((b"{", b"[")):
        return []
    if data is not None and (numbers := row_numbers_in(opened, data.n_rows)) is not None:
        return repetitions_in(numbers, opened, data.n_rows)
    return columns_in(opened, data)


def split_keys(source: FileLike, *, name: str | None = None) -> list[str]:
    """List the keys or arrays of a file that is no table, one of which may hold the split."""
    content = read_source(source, name).data
    try:
        if content.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return [each.removesuffix(".npy") for each in archive.namelist()[:MOST_KEYS]]
        if content.lstrip().startswith(b"{"):
            return list(json.loads(decode_text(content)[0]))[:MOST_KEYS]
    except (*ZIP_ERRORS, RecursionError):
        pass  # said where it is read
    return []


def _parts_of_detector(source: Source, data: MultilabelDataset) -> Source | None:
    """Find the parts that YOLO's folder, or a zip of it, divides its images into."""
    files = names_in(source)
    is_yolo = data.reading is not None and data.reading.format == "yolo"
    has_folds = not source.is_folder and FOLDS_FILE in files
    if is_yolo and files and not has_folds and (parts := parts_in(source)):
        return Source(json.dumps(parts).encode(), source.name)
    if source.is_folder:
        msg = f"{source.name!r} is a folder that states no split of this data; give the file that does."
        raise FormatError(msg)
    return None


def _folds_in_zip(source: Source) -> Source | None:
    """Find the table of rows and folds in a zip of files, one a part."""
    name = clean_name(source.name)
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            if FOLDS_FILE not in archive.namelist():
                return None
            info = archive.getinfo(FOLDS_FILE)
            check_stated(name, max(1, info.compress_size), text=info.file_size)
            return Source(archive.read(info), FOLDS_FILE)
    except ZIP_ERRORS as error:
        if isinstance(error, FormatError):
            raise
        msg = f"{name} is a damaged zip: {clean_name(error, 100)}."
        raise FormatError(msg) from error
