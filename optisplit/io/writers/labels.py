"""Labels as files that :func:`optisplit.load` and other programs read."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from optisplit.errors import OptionError, argument, listed
from optisplit.io.packing import unpacked_name
from optisplit.io.target import opened
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from optisplit.io.source import OnProgress
    from optisplit.io.target import Target
    from optisplit.labels import MultilabelDataset

SaveFormat: TypeAlias = Literal["csv", "tsv", "jsonl", "parquet", "npz", "libsvm", "xmc", "xmc-labels", "mulan", "meka"]
SaveLayout: TypeAlias = Literal["one-hot", "tags", "long"]

FORMATS: tuple[str, ...] = get_args(SaveFormat)
"""Keys of the formats that labels can be written in."""

LAYOUTS: tuple[str, ...] = get_args(SaveLayout)

_FORMAT = argument("format", of="save") + f": {', '.join(FORMATS)}."
_AS_TAGS = argument("layout", "tags", of="save")

MAX_CELLS = 100_000_000
"""Tables of zeros and ones with more cells are only written where they are asked for by name."""

_BY_ENDING = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet",
    ".npz": "npz", ".svm": "libsvm", ".libsvm": "libsvm", ".arff": "meka",
}  # fmt: skip
_LOADED_AS = {"csv": "delimited", "tsv": "delimited", "mulan": "arff", "meka": "arff"}
_TABLES = ("csv", "tsv")
_WITH_ROW_IDS = (*_TABLES, "jsonl", "parquet", "npz")
_BESIDE = {
    "npz": (".labels.txt", ".rows.txt"), "libsvm": (".labels.txt",), "xmc": (".labels.txt",),
    "xmc-labels": (".labels.txt",), "mulan": (".xml",), "meka": (".xml",),
}  # fmt: skip
"""Endings of the files that :func:`optisplit.load` looks for beside one of this format."""

_NO_LABELS = frozenset(
    ("id", "row_id", "rowid", "row", "index", "unnamed: 0", "sample_id", "fold", "folds", "split", "splits", "group",
     "groups", "set", "subset", "partition")
)  # fmt: skip
"""Names of columns that are not taken for labels."""


@dataclass(frozen=True)
class Saved:
    """What was written."""

    # the files: the one with the labels first, then those with names beside it; none for a file object
    paths: tuple[Path, ...]
    # arguments of :func:`optisplit.load` that read it back, for whoever does not want them to be guessed
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what is not in the file, in sentences


def save(
    data: MultilabelDataset,
    target: Target,
    *,
    format: SaveFormat | None = None,
    layout: SaveLayout | None = None,
    label_separator: str | None = None,
    on_progress: OnProgress | None = None,
) -> Saved:
    r"""Write the labels of a data set to a file that :func:`optisplit.load` reads back.

    - Features are not written, since they are not read.
    - Names of labels and rows come back as they are, or are refused by name. Formats of numbers have the names of
      labels in ``stem.labels.txt`` beside them, and .npz those of rows in ``stem.rows.txt``.
    - Row ids are kept in csv, tsv, jsonl, parquet and npz; the other formats have no place for them.
    - Rows are written one after the other; all labels x rows are never in memory.

    Parameters
    ----------
    data : MultilabelDataset
        The data; anything else that :func:`optisplit.split` takes also goes.
    target : path or binary file object
        The file; with ``.gz``, ``.bz2`` or ``.xz`` at the end of its name it is packed. A file object can hold one
        file only, so it is refused where names would be in another.
    format : {"csv", "tsv", "jsonl", "parquet", "npz", "libsvm", "xmc", "xmc-labels", "mulan", "meka"}, optional
        The format; default: by the name's ending, where .arff means "meka", which needs no XML beside it.
    layout : {"one-hot", "tags", "long"}, optional
        How csv and tsv hold labels: a 0/1 column for each; one column of lists; a line for each pair of row and label.
        Default: one-hot.
    label_separator : str, optional
        What stands between the labels of a cell with the layout "tags"; default: cells are JSON lists, which have a
        place for every name and tell "no label" from "not known".
    on_progress : callable, optional
        ``on_progress(done, total, None)`` with rows written and all rows; may raise to stop.

    Returns
    -------
    Saved
        The files, how to read them back, and what is not in them.

    Raises
    ------
    OptionError
        If the format is not clear, has no place for a name, or the file cannot be written.

    Examples
    --------
    >>> import io
    >>> from optisplit import MultilabelDataset
    >>> data = MultilabelDataset.from_labels([["a"], ["a", "b"]])
    >>> file = io.BytesIO()
    >>> save(data, file, format="csv").notes
    ()
    >>> file.getvalue()
    b'a,b\n1,0\n1,1\n'
    """
    from optisplit.io.writers import label_formats
    from optisplit.labels import as_dataset

    data = as_dataset(data)
    path = Path(target) if isinstance(target, str | os.PathLike) else None
    chosen = _chosen_format(path, format)
    if layout is not None and chosen not in _TABLES:
        msg = argument("layout", of="save") + f" does not go with {chosen}; it is for csv and tsv."
        raise OptionError(msg)
    if layout is not None and layout not in LAYOUTS:
        what = "layout"
        raise OptionError.unknown(what, str(layout), LAYOUTS)
    if label_separator is not None and layout != "tags":
        msg = argument("label_separator", of="save") + " goes with " + _AS_TAGS + " only."
        raise OptionError(msg)
    used_layout = (layout or "one-hot") if chosen in _TABLES else None
    if used_layout == "one-hot" and layout is None and data.n_rows * data.n_labels > MAX_CELLS:
        size = f"{data.n_rows:,} rows x {data.n_labels:,} labels"
        msg = f"A 0/1 table of {size} is a very large file; choose " + _AS_TAGS + " or 'long', or give "
        msg += argument("layout", "one-hot", of="save") + " if it is meant."
        raise OptionError(msg)
    _check_names(data, chosen, used_layout, label_separator)
    notes = _what_is_lost(data, chosen, used_layout, label_separator)
    names_beside = _names_beside(data, chosen)
    if path is None and names_beside:
        msg = f"{chosen} has names in a file of its own, so a path is needed, not a file object."
        raise OptionError(msg)
    paths = [] if path is None else [path]
    if path is not None:
        stem = _stem(path)
        _refuse_strange_names(path, chosen, names_beside)
        for ending, content in names_beside.items():
            beside = path.with_name(stem + ending)
            with opened(beside) as out:
                out.write(content)
            paths.append(beside)
    write = label_formats.writer_of(chosen, used_layout, label_separator)
    with opened(target) as out:
        write(data, out, _ticker(on_progress, data.n_rows))
    options: dict[str, Any] = {"format": _LOADED_AS.get(chosen, chosen)}
    if chosen == "libsvm" and path is not None and not _is_used(data)[0]:
        options["names"] = str(paths[1])
    if used_layout is not None:
        options |= label_formats.table_options(data, used_layout, label_separator)
    return Saved(tuple(paths), options, tuple(notes))


def _chosen_format(path: Path | None, format: str | None) -> str:
    if format == "arff":  # as load() calls it
        return "meka"
    if format is not None:
        if format not in FORMATS:
            what = "format"
            raise OptionError.unknown(what, str(format), FORMATS)
        return format
    if path is None:
        msg = "A file object has no ending to tell the format from; give " + _FORMAT
        raise OptionError(msg)
    ending = os.path.splitext(unpacked_name(path.name)[0])[1].lower()
    if ending not in _BY_ENDING:
        msg = f"The ending of {path.name!r} tells no format; give " + _FORMAT
        raise OptionError(msg)
    return _BY_ENDING[ending]


def _stem(path: Path) -> str:
    name = unpacked_name(path.name)[0]
    return name.rpartition(".")[0] or name


def _check_names(data: MultilabelDataset, format: str, layout: str | None, separator: str | None) -> None:
    names = data.label_names
    _refuse([name for name, count in Counter(names).items() if count > 1], "is the name of several labels")
    _refuse([name for name in names if not name], "is no name of a label")
    _refuse([name for name in names if clean_name(name) != name], "is a label name that is not read back as it is")
    if layout == "one-hot":
        _refuse([name for name in names if name.lower() in _NO_LABELS], "is a label whose column would be taken for "
                "row ids, folds or groups", "; " + _AS_TAGS + " has a place for it")  # fmt: skip
        numbers = [name for name in names if _is_fraction(name)]
        if data.row_ids is None and len(numbers) == len(names):
            _refuse(numbers, "is a label name that makes the header look like a row", "; use " + _AS_TAGS)
    if separator is not None:
        if not separator or separator != separator.strip("\r\n") or '"' in separator:
            msg = argument("label_separator", separator, of="save") + " cannot stand between labels."
            raise OptionError(msg)
        _refuse([name for name in names if separator in name or name.startswith("[")],
                f"is a label that cannot stand between separators {separator!r}",
                "; choose another " + argument("label_separator", of="save") + ", or none for JSON lists")  # fmt: skip
    if format in _WITH_ROW_IDS and data.row_ids is not None:
        ids = data.row_ids
        _refuse([each for each in ids if clean_name(each) != each], "is a row id that is not read back as it is")
        if format == "npz" and ids[-1] == "":
            _refuse([ids[-1]], "is the last row's id, which a list of one id a line has no place for")
    if layout == "long":
        n_bare = int((np.diff(data.labels.indptr) == 0).sum())
        if n_bare:
            msg = (
                f"{n_bare:,} row(s) have no label, and a table of one line for each pair of row and label has no line "
                "for them; use " + _AS_TAGS + "."
            )
            raise OptionError(msg)
        if data.row_ids is not None:
            _refuse([each for each, count in Counter(data.row_ids).items() if count > 1 or not each],
                    "is no row's id alone")  # fmt: skip


def _is_fraction(name: str) -> bool:
    return not name.isdecimal() and name.lstrip("+-").replace(".", "").replace(",", "").replace("e", "").isdecimal()


def _refuse(names: Iterable[str], why: str, hint: str = "") -> None:
    found = list(names)
    if found:
        more = f" (and {len(found) - 1:,} more like it)" if len(found) > 1 else ""
        msg = f"{found[0][:60]!r} {why}{more}" + (hint or "; rename it") + "."
        raise OptionError(msg)


def _what_is_lost(data: MultilabelDataset, format: str, layout: str | None, separator: str | None) -> list[str]:
    notes = []
    if layout in ("tags", "long") or format in ("jsonl", "parquet"):
        is_used = _is_used(data)
        unused = [data.label_names[j] for j in np.flatnonzero(~is_used).tolist()]
        if len(unused) == data.n_labels:
            msg = "No row has a label, and a list of labels has no place for the names of others; use "
            msg += argument("layout", "one-hot", of="save") + "."
            raise OptionError(msg)
        if unused:
            notes.append(f"{len(unused):,} label(s) are on no row, so they are not in the file: {listed(unused)}.")
    if separator is not None and (np.diff(data.labels.indptr) == 0).any():
        asked = "Rows without a label have an empty cell; load() asks what that means: "
        notes.append(asked + argument("missing", "zero") + ".")
    if data.row_ids is not None and format not in _WITH_ROW_IDS:
        notes.append(f"Row ids are not in the file: {format} has no place for them.")
    if format == "libsvm" and not _is_used(data)[0]:
        notes.append("The first label is on no row, so load() needs the file of names as names=.")
    if format in ("libsvm", "xmc"):
        notes.append("Each row has one feature that is always 1, since features are not known.")
    return notes


def _is_used(data: MultilabelDataset) -> NDArray[np.bool_]:
    is_used = np.zeros(data.n_labels, dtype=np.bool_)
    is_used[data.labels.indices] = True
    return is_used


def _names_beside(data: MultilabelDataset, format: str) -> dict[str, bytes]:
    """Give the ending and content of the files beside."""
    from optisplit.io.writers.label_formats import mulan_xml

    if format == "mulan":
        return {".xml": mulan_xml(data)}
    beside = {}
    is_numbered = data.label_names == tuple(f"label {j}" for j in range(data.n_labels))
    if ".labels.txt" in _BESIDE.get(format, ()) and not (format == "npz" and is_numbered):
        beside[".labels.txt"] = "".join(f"{name}\n" for name in data.label_names).encode()
    if format == "npz" and data.row_ids is not None:
        beside[".rows.txt"] = "".join(f"{each}\n" for each in data.row_ids).encode()
    return beside


def _refuse_strange_names(path: Path, format: str, written: Iterable[str]) -> None:
    """Refuse to write where a file that is there already would be taken for this one's names."""
    from optisplit.io.source import without_part

    stem = _stem(path)
    for ending in _BESIDE.get(format, ()):
        if ending in written:
            continue
        for name in (f"{each}{ending}{packed}" for each in (stem, without_part(stem)) for packed in ("", ".gz")):
            if path.with_name(name).is_file():
                msg = f"{name!r} is there already and would be taken for names of {path.name!r}; move it, or rename."
                raise OptionError(msg)


def _ticker(on_progress: OnProgress | None, n_rows: int) -> Callable[[int], None]:
    def tick(done: int) -> None:
        if on_progress is not None:
            on_progress(done, n_rows, None)

    return tick
