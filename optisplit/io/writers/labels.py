"""Labels as files that :func:`optisplit.load` and other programs read."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.cells import guarded
from optisplit.errors import LabelError, OptionError, argument
from optisplit.io.layouts.sample import ID_NAMES, NO_LABEL_NAMES
from optisplit.io.packing import PACKINGS, unpacked_name
from optisplit.io.registry import check_choice, writable
from optisplit.io.source import without_part
from optisplit.io.target import opened, together, write_file
from optisplit.io.writers.label_formats import mulan_xml, table_options
from optisplit.labels import as_dataset, has_counts
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from optisplit.io.registry import Format, Layout
    from optisplit.io.source import OnProgress
    from optisplit.io.target import Target
    from optisplit.labels import MultilabelDataset

_AS_TAGS = argument("layout", "tags", of="save")

MAX_CELLS = 100_000_000
"""Tables of zeros and ones with more cells are only written where they are asked for by name."""


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
    format: str | None = None,
    layout: Layout | None = None,
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
    format : str, optional
        The format, a key of ``FORMATS`` that can be written; default: by the name's ending, where .arff means "meka",
        which needs no XML beside it.
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
    LabelError
        If the data hold counts, as :func:`optisplit.encode_targets` makes them.
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
    data = as_dataset(data)
    if has_counts(data.labels):
        msg = (
            f"The data {data.name!r} hold counts, and files of labels say only which rows have which.\nHint: write the "
        )
        raise LabelError(msg + "table that they are of; it can be encoded again.")
    path = Path(target) if isinstance(target, str | os.PathLike) else None
    chosen = _chosen_format(path, format)
    how = _table_options(data, chosen, layout, label_separator)
    _check_names(data, chosen, **how)
    notes = _what_is_lost(data, chosen, **how)
    beside = _names_beside(data, chosen)
    with together():
        paths = _write_beside(path, chosen, beside)
        with opened(target) as out:
            chosen.writer(data, out, _ticker(on_progress, data.n_rows), **how)
    options: dict[str, Any] = {"format": chosen.read_as or chosen.key}
    if chosen.key == "libsvm" and path is not None and not _is_used(data)[0]:
        options["names"] = str(paths[1])
    if how:
        options |= table_options(data, **how)
    return Saved(tuple(paths), options, tuple(notes))


def _chosen_format(path: Path | None, format: str | None) -> Format:
    known = writable()
    if format is not None:
        key = "meka" if format == "arff" else format  # as load() calls it
        check_choice("format", key, known)
        return known[key]
    told = "; give " + argument("format", of="save") + f": {', '.join(known)}."
    if path is None:
        msg = "A file object has no ending to tell the format from"
        raise OptionError(msg + told)
    ending = os.path.splitext(unpacked_name(path.name)[0])[1].lower()
    found = next((each for each in known.values() if ending in each.endings), None)
    if found is None:
        msg = f"The ending of {path.name!r} tells no format"
        raise OptionError(msg + told)
    return found


def _table_options(
    data: MultilabelDataset, format: Format, layout: str | None, separator: str | None
) -> dict[str, Any]:
    """Choose how a table holds labels; nothing where the format has one way only."""
    if layout is not None and not format.layouts:
        tables = [key for key, each in writable().items() if each.layouts]
        msg = argument("layout", of="save") + f" does not go with {format.key}; it is for {' and '.join(tables)}."
        raise OptionError(msg)
    if format.layouts:
        check_choice("layout", layout, format.layouts)
    if separator is not None and layout != "tags":
        msg = argument("label_separator", of="save") + " goes with " + _AS_TAGS + " only."
        raise OptionError(msg)
    if not format.layouts:
        return {}
    chosen = layout or format.layouts[0]
    if chosen == "one-hot" and layout is None and data.n_rows * data.n_labels > MAX_CELLS:
        size = f"{data.n_rows:,} rows x {data.n_labels:,} labels"
        msg = f"A 0/1 table of {size} is a very large file; choose " + _AS_TAGS + " or 'long', or give "
        msg += argument("layout", "one-hot", of="save") + " if it is meant."
        raise OptionError(msg)
    return {"layout": chosen, "label_separator": separator}


def _check_names(
    data: MultilabelDataset, format: Format, layout: str | None = None, label_separator: str | None = None
) -> None:
    names = data.label_names
    _refuse([name for name, count in Counter(names).items() if count > 1], "is the name of several labels")
    _refuse([name for name in names if not name], "is no name of a label")
    _refuse([name for name in names if clean_name(name) != name], "is a label name that is not read back as it is")
    if layout == "one-hot":
        aside = [name for name in names if name.lower() in {*ID_NAMES, *NO_LABEL_NAMES}]
        _refuse(aside, "is a label whose column would be taken for "
                "row ids, folds or groups", "; " + _AS_TAGS + " has a place for it")  # fmt: skip
        numbers = [name for name in names if _is_fraction(name)]
        if data.row_ids is None and len(numbers) == len(names):
            _refuse(numbers, "is a label name that makes the header look like a row", "; use " + _AS_TAGS)
    if label_separator is not None:
        is_in_line = label_separator == label_separator.strip("\r\n")
        if not label_separator or not is_in_line or '"' in label_separator:
            msg = argument("label_separator", label_separator, of="save") + " cannot stand between labels."
            raise OptionError(msg)
        _refuse([name for name in names if label_separator in name or name.startswith("[")],
                f"is a label that cannot stand between separators {label_separator!r}",
                "; choose another " + argument("label_separator", of="save") + ", or none for JSON lists")  # fmt: skip
    if format.holds_row_ids and data.row_ids is not None:
        ids = data.row_ids
        _refuse([each for each in ids if clean_name(each) != each], "is a row id that is not read back as it is")
        if format.key == "npz" and ids[-1] == "":
            _refuse([ids[-1]], "is the last row's id, which a list of one id a line has no place for")
    if layout == "long":
        n_bare = int((np.diff(data.labels.indptr) == 0).sum())
        if n_bare:
            msg = (
                f"{counted(n_bare, 'row', 'has')} no label, and a table of one line for each pair of row and label has "
                "no line for that; use " + _AS_TAGS + "."
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


def _what_is_lost(
    data: MultilabelDataset, format: Format, layout: str | None = None, label_separator: str | None = None
) -> list[str]:
    notes = []
    if layout in ("tags", "long") or not format.holds_unused:
        is_used = _is_used(data)
        unused = [data.label_names[j] for j in np.flatnonzero(~is_used).tolist()]
        if len(unused) == data.n_labels:
            msg = "No row has a label, and a list of labels has no place for the names of others; use "
            msg += argument("layout", "one-hot", of="save") + "."
            raise OptionError(msg)
        if unused:
            notes.append(f"{counted(len(unused), 'label', 'is')} on no row, so not in the file: {listed(unused)}.")
    if label_separator is not None and (np.diff(data.labels.indptr) == 0).any():
        asked = "Rows without a label have an empty cell; load() asks what that means: "
        notes.append(asked + argument("missing", "zero") + ".")
    marked = [each for each in (*data.label_names, *(data.row_ids or ())) if guarded(each) != each] if layout else []
    if marked:
        told = f"{counted(len(marked), 'name', 'begins')} as a formula does: {listed(marked, 3)}"
        notes.append(f"{told}; an apostrophe before it keeps spreadsheets from computing, and load() takes it off.")
    if data.row_ids is not None and not format.holds_row_ids:
        notes.append(f"Row ids are not in the file: {format.key} has no place for them.")
    if format.key == "libsvm" and not _is_used(data)[0]:
        notes.append("The first label is on no row, so load() needs the file of names as names=.")
    return [*notes, format.note] if format.note else notes


def _is_used(data: MultilabelDataset) -> NDArray[np.bool_]:
    is_used = np.zeros(data.n_labels, dtype=np.bool_)
    is_used[data.labels.indices] = True
    return is_used


def _names_beside(data: MultilabelDataset, format: Format) -> dict[str, bytes]:
    """Give the ending and content of the files beside."""
    if format.key == "mulan":
        return {".xml": mulan_xml(data)}
    beside = {}
    is_numbered = data.label_names == tuple(f"label {j}" for j in range(data.n_labels))
    if ".labels.txt" in format.beside and not (format.key == "npz" and is_numbered):
        beside[".labels.txt"] = "".join(f"{name}\n" for name in data.label_names).encode()
    if ".rows.txt" in format.beside and data.row_ids is not None:
        beside[".rows.txt"] = "".join(f"{each}\n" for each in data.row_ids).encode()
    return beside


def _write_beside(path: Path | None, format: Format, contents: dict[str, bytes]) -> list[Path]:
    """Write the files beside; give the paths of all files, that of the labels first."""
    if path is None:
        if contents:
            msg = f"{format.key} has names in a file of its own, so a path is needed, not a file object."
            raise OptionError(msg)
        return []
    stem = unpacked_name(path.name)[0]
    stem = stem.rpartition(".")[0] or stem
    strange = [ending for ending in format.beside if ending not in contents]
    for name in (f"{each}{ending}{packed}" for ending in strange for each in (stem, without_part(stem))
                 for packed in ("", *PACKINGS)):  # fmt: skip
        if path.with_name(name).is_file():
            msg = f"{name!r} is there already and would be taken for names of {path.name!r}; move it, or rename."
            raise OptionError(msg)
    paths = [path]
    for ending, content in contents.items():
        paths.append(path.with_name(stem + ending))
        write_file(paths[-1], content)
    return paths


def _ticker(on_progress: OnProgress | None, n_rows: int) -> Callable[[int], None]:
    def tick(done: int) -> None:
        if on_progress is not None:
            on_progress(done, n_rows, None)

    return tick
