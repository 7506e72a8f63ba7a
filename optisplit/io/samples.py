"""Real data sets that come along, and the one function that loads data of any kind."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from optisplit.io.registry import Layout, Missing
    from optisplit.io.source import FileLike, OnProgress
    from optisplit.labels import MultilabelDataset

# in an installed package beside this module, in a checkout beside the package
_PLACES = (Path(__file__).parents[1] / "sample_data", Path(__file__).parents[2] / "sample_data")


@dataclass(frozen=True, slots=True)
class Sample:
    """One data set that comes along."""

    key: str  # what to call it in :func:`load`
    title: str  # its name for people
    what: str  # what its rows and labels are, in one phrase
    n_rows: int
    n_labels: int
    n_positives: int  # pairs of row and label that are 1
    source: str  # where it comes from
    licence_note: str  # how it may be used
    files: tuple[str, ...]  # its files, the one with the labels first


def _folder() -> Path:
    return next((place for place in _PLACES if (place / "catalogue.json").is_file()), _PLACES[0])


def _catalogue() -> dict[str, Sample]:
    path = _folder() / "catalogue.json"
    if not path.is_file():  # the package works on users' files without its samples
        return {}
    entries = json.loads(path.read_text(encoding="utf-8"))
    return {entry["key"]: Sample(**{**entry, "files": tuple(entry["files"])}) for entry in entries}


SAMPLES: Mapping[str, Sample] = MappingProxyType(_catalogue())
"""The data sets that come along, by key, small ones first."""


def sample_file(name: str) -> Path:
    """Tell where a file that comes along is."""
    return _folder() / name


def load(
    source: FileLike | Any,
    *,
    names: FileLike | Iterable[str] | None = None,
    label_columns: int | Sequence[str] | None = None,
    label_file: FileLike | None = None,
    format: str | None = None,
    layout: Layout | None = None,
    label_separator: str | None = None,
    key: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    comment: str | None = None,
    missing: Missing = "error",
    uncertain: Missing = "error",
    threshold: float | None = None,
    absent_label: str | None = None,
    merge_labels: Mapping[str, Iterable[str]] | None = None,
    drop_labels: Iterable[str] | None = None,
    name: str | None = None,
    on_progress: OnProgress | None = None,
) -> MultilabelDataset:
    """Load a multilabel data set: one that comes along by its key, a file, or a table in memory.

    Parameters
    ----------
    source : str, path, binary file object, DataFrame, Table or Dataset
        A key of ``SAMPLES``; a file in one of the ``FORMATS``; or a frame of pandas or polars, a table of Arrow, or a
        ``Dataset`` or ``DatasetDict`` of Hugging Face, whose rows are those of its splits one after the other.
    names : path, binary file object or iterable of str, optional
        Label names, one a line, for formats that have numbers only; default: ``stem.labels.txt`` beside the file.
    label_columns : int or sequence of str, optional
        Which columns of an ARFF or table are labels: ``N`` for the last N columns, ``-N`` for the first N; or their
        names, patterns such as ``dx_*``, or places such as ``#3`` and ``#5-9``, counted from 1.
    label_file : path or binary file object, optional
        MULAN's XML that names the labels of an ARFF file; default: ``stem.xml`` beside it.
    format : str, optional
        The format, where the content should not decide: a key of ``FORMATS``.
    layout : {"one-hot", "tags", "wide", "long"}, optional
        How a table holds its labels, where that is not to be guessed: a 0/1 column for each label; one column with a
        list of labels; several columns with a label's name or nothing; or a line for each pair of row and label.
    label_separator : str, optional
        What stands between the labels of a cell in a column of lists; default: found from the cells.
    key : str, optional
        The column whose values say which row is meant, also in files of groups, folds and splits; default: one that
        has a usual name, or names each row.
    header : bool, optional
        Whether the first line of a text table has the names of its columns; default: as the lines look.
    delimiter : str, optional
        What stands between the columns of a text table; default: found from its lines.
    comment : str, optional
        What lines begin with that are comments; empty: there are none; default: ``#``, where lines look so.
    missing : {"error", "zero", "one", "drop-rows", "drop-labels"}, default="error"
        What to do about label cells that are missing, which is not the same as 0: refuse the file; take them for 0, or
        for 1; or leave out the rows, or the labels, that have any.
    uncertain : {"error", "zero", "one", "drop-rows", "drop-labels"}, default="error"
        What to do about label cells that hold -1 among 0 and 1: the same.
    threshold : float, optional
        Where labels have values, such as likelihoods in dictionaries or a column beside pairs: the value from which on
        a row has the label.
    absent_label : str, optional
        A label that means that a row has none, such as "No Finding"; it is no label of the data then.
    merge_labels : mapping of str to iterable of str, optional
        Labels to put together, by the name of the new label; see :func:`optisplit.merge_labels`.
    drop_labels : iterable of str, optional
        Labels to leave out; see :func:`optisplit.drop_labels`.
    name : str, optional
        The file's name, where `source` is a file object without one.
    on_progress : callable, optional
        ``on_progress(done, total, None)`` with bytes read and all bytes; may raise to stop.

    Returns
    -------
    MultilabelDataset
        The data set; its notes say what was noticed and decided, `reading` how the file was read.

    Raises
    ------
    OptionError
        If a name is neither a key nor a file, or an argument is unsuitable.
    FormatError
        If the file cannot be read as what it seems to be.
    LabelError
        If the labels are not zeros and ones.

    Examples
    --------
    >>> load("emotions").labels.shape
    (593, 6)
    """
    from optisplit.io.formats.reading import load_file  # heavy, and this module is on the way to the first page

    options = {
        "names": names,
        "label_columns": label_columns,
        "label_file": label_file,
        "format": format,
        "layout": layout,
        "label_separator": label_separator,
        "key": key,
        "header": header,
        "delimiter": delimiter,
        "comment": comment,
        "missing": None if missing == "error" else missing,
        "uncertain": None if uncertain == "error" else uncertain,
        "threshold": threshold,
        "absent_label": absent_label,
    }
    given: dict[str, Any] = {option: value for option, value in options.items() if value is not None}
    edits: dict[str, Any] = {"merge_labels": merge_labels, "drop_labels": drop_labels}
    if isinstance(source, str) and source in SAMPLES:
        return load_file(_file_of(SAMPLES[source], given), **edits)
    if isinstance(source, str) and _is_bare_name(source):
        what = "data set"
        raise OptionError.unknown(what, source, SAMPLES)
    return load_file(source, name=name, on_progress=on_progress, **given, **edits)


def _file_of(sample: Sample, options: Iterable[str]) -> Path:
    """Give the file of a sample, with which no options go."""
    if options:
        msg = f"{' and '.join(options)} cannot be given with {sample.key!r}, which comes along with its labels."
        raise OptionError(msg)
    path = _folder() / sample.files[0]
    if not path.is_file():
        msg = f"The file {sample.files[0]!r} of the data set {sample.key!r} is not installed; install again."
        raise FormatError(msg)
    return path


def _is_bare_name(source: str) -> bool:
    """Tell whether a text can only be meant as a key: no file of that name, and no look of a path."""
    return not os.path.exists(source) and not any(mark in source for mark in "/\\.\0")
