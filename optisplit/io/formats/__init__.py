"""Readers of the file formats that multilabel data comes in: one module a format, one function for all."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from optisplit.errors import FormatError, MissingLabelsError, OptionError, argument, listed
from optisplit.io.formats.arff import read_arff
from optisplit.io.formats.delimited import read_delimited
from optisplit.io.formats.facts import entries_of
from optisplit.io.formats.json_lines import read_json_lines
from optisplit.io.formats.label_lists import detect_kind, read_id_text, read_label_lists
from optisplit.io.formats.npz import as_archive, read_npz
from optisplit.io.formats.parquet import read_parquet
from optisplit.io.source import FileLike, OnProgress, Source, read_source
from optisplit.labels import MultilabelDataset, Reading, as_labels, positives_per_label
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from optisplit.io.formats.parsed import Parsed

__all__ = ["FormatName", "Layout", "Missing", "load_file"]

FormatName: TypeAlias = Literal[
    "arff", "npz", "npy", "delimited", "parquet", "jsonl", "libsvm", "xmc", "xmc-labels", "idtext"
]
Layout: TypeAlias = Literal["one-hot", "tags", "wide", "long"]
"""How a table holds labels: a 0/1 column for each; a column of lists; columns of names; a line for each pair."""

Missing: TypeAlias = Literal["error", "zero", "drop-rows", "drop-labels"]
"""What becomes of label cells that are missing: refused, read as 0, or their rows or labels are left out."""

_OTHER_KINDS = {
    b"ARROW1": "an Arrow (Feather) file; save it as Parquet",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"Rar!": "a RAR archive; unpack it first",
    b"\x89HDF": "an HDF5 file; save the labels as CSV or with scipy.sparse.save_npz",
    b"\x80\x02": "a Python pickle, which could run code when opened; use scipy.sparse.save_npz",
    b"\x80\x03": "a Python pickle, which could run code when opened; use scipy.sparse.save_npz",
    b"\x80\x04": "a Python pickle, which could run code when opened; use scipy.sparse.save_npz",
    b"\x80\x05": "a Python pickle, which could run code when opened; use scipy.sparse.save_npz",
    b"\xd0\xcf\x11\xe0": "an old Excel file; save the sheet as CSV",
    b"%PDF": "a PDF",
    b"\x89PNG": "an image",
}


_TABLE_OPTIONS = ("label_columns", "layout", "label_separator")
_USED: dict[str, tuple[str, ...]] = {
    "arff": ("label_columns", "label_file"),
    "npz": ("names",),
    "npy": ("names",),
    "delimited": _TABLE_OPTIONS,
    "parquet": _TABLE_OPTIONS,
    "jsonl": _TABLE_OPTIONS,
    "libsvm": ("names",),
    "xmc": ("names",),
    "xmc-labels": ("names",),
    "idtext": (),
}
"""The arguments that go with each format."""


def load_file(
    source: FileLike,
    *,
    names: FileLike | Iterable[str] | None = None,
    label_columns: int | Sequence[str] | None = None,
    label_file: FileLike | None = None,
    format: FormatName | None = None,
    layout: Layout | None = None,
    label_separator: str | None = None,
    missing: Missing = "error",
    name: str | None = None,
    on_progress: OnProgress | None = None,
) -> MultilabelDataset:
    """Read a multilabel data set from a file.

    - The format is found from the content, not from the ending; gzip, bzip2 and xz are undone.
    - Whatever the content, only errors of this package come out; nothing is ever unpickled or executed.
    - Label names are kept as they are, but for control characters; equal ones are numbered.
    """
    _check_choice("format", format, get_args(FormatName))
    _check_choice("layout", layout, get_args(Layout))
    _check_choice("missing", missing, get_args(Missing))
    opened = read_source(source, name, on_progress=on_progress)
    kind = format or _detected(opened)
    given = {
        "names": names,
        "label_columns": label_columns,
        "label_file": label_file,
        "layout": layout,
        "label_separator": label_separator,
    }
    _refuse_unused(kind, **given)
    readers: dict[str, Callable[[], Parsed]] = {
        "arff": lambda: read_arff(opened, label_columns=label_columns, label_file=label_file),
        "npz": lambda: read_npz(opened, names=names),
        "delimited": lambda: read_delimited(
            opened, label_columns=label_columns, layout=layout, label_separator=label_separator
        ),
        "parquet": lambda: read_parquet(
            opened, label_columns=label_columns, layout=layout, label_separator=label_separator
        ),
        "jsonl": lambda: read_json_lines(
            opened, label_columns=label_columns, layout=layout, label_separator=label_separator
        ),
        "npy": lambda: read_npz(as_archive(opened, "array"), names=names),
        "libsvm": lambda: read_label_lists(opened, "libsvm", names=names),
        "xmc": lambda: read_label_lists(opened, "xmc", names=names),
        "xmc-labels": lambda: read_label_lists(opened, "xmc-labels", names=names),
        "idtext": lambda: read_id_text(opened),
    }
    parsed = readers[kind]()
    parsed.options = {"format": kind, **parsed.options} | ({"missing": missing} if missing != "error" else {})
    return _finished(parsed, opened, missing)


def _check_choice(what: str, value: str | None, choices: Sequence[str]) -> None:
    if value is not None and value not in choices:
        raise OptionError.unknown(what, str(value), choices)


def _detected(source: Source) -> FormatName:
    data = source.head
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "npz"
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith(b"\x93NUMPY"):
        return "npy"
    for magic, kind in _OTHER_KINDS.items():
        if data.startswith(magic):
            msg = f"{source.name!r} is {kind}."
            raise FormatError(msg)
    first = _first_line(data).lower()
    if first.startswith((b"@relation", b"@attribute", b"@data")):
        return "arff"
    if first.startswith((b"<?xml", b"<labels", b"<!doctype", b"<html")):
        msg = f"{source.name!r} is XML or HTML; give the ARFF or table itself, and MULAN's XML as "
        msg += argument("label_file") + "."
        raise FormatError(msg)
    if b"\0" in data[:8192]:
        msg = f"{source.name!r} is a binary file of a kind unknown here; ARFF, .npz, CSV and TSV can be read."
        raise FormatError(msg)
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if re.match(rb'\{\s*("|\})|\[\s*\{', start):
        return "jsonl"
    lines = _first_lines(data)
    if _looks_like_id_text(lines):
        return "idtext"
    return detect_kind(lines) or "delimited"


def _first_lines(head: bytes) -> list[bytes]:
    lines = head.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", 60)
    return lines[:-1] or lines  # the last one may be cut off


def _looks_like_id_text(lines: list[bytes]) -> bool:
    """Tell whether lines are id, labels and text with tabs between, and no header above."""
    rows = [line.split(b"\t", 2) for line in lines if line.strip()]
    if len(rows) < 2 or any(len(row) != 3 for row in rows):
        return False
    is_prose = all(row[2].count(b" ") >= 3 for row in rows[:1]) and sum(
        row[2].count(b" ") >= 3 for row in rows
    ) > 0.8 * len(rows)
    labels = [label for row in rows for label in row[1].split()]
    return is_prose and len({row[0] for row in rows}) == len(rows) and len(set(labels)) < len(labels)


def _first_line(data: bytes) -> bytes:
    head = data[:1_000_000].removeprefix(b"\xef\xbb\xbf")
    lines = (line.strip() for line in head.splitlines())
    return next((line for line in lines if line and not line.startswith(b"%")), b"")


def _refuse_unused(kind: str, **given: object) -> None:
    used = _USED[kind]
    for option, value in given.items():
        if value is not None and option not in used:
            allowed = ""
            for each in used:
                allowed += (" and " if allowed else "") + argument(each)
            msg = argument(option) + f" does not go with a file read as {kind}; "
            msg += (allowed or "none") + " can be given."
            raise OptionError(msg)


def _finished(parsed: Parsed, source: Source, missing: Missing) -> MultilabelDataset:
    """Check the labels, deal with missing ones, and add what anybody should know about the data."""
    names, notes = _distinct(parsed.label_names)
    parsed.label_names = names
    labels = as_labels(parsed.labels, names)
    parsed.labels = None  # a large file's must not be held twice
    n_file_rows, n_file_labels = labels.shape
    kept_rows: NDArray[np.int64] | None = None
    if parsed.missing_message:
        rows, columns, n_cells = _missing_places(parsed, n_file_labels)
        if missing == "error":
            hint = "\nHint: " + argument("missing", "zero") + " reads them as 0, " + argument("missing", "drop-rows")
            hint += f" leaves out the {len(rows):,} row(s), " + argument("missing", "drop-labels")
            hint += f" the {len(columns):,} label(s)."
            msg = parsed.missing_message + parsed.missing_advice + hint
            raise MissingLabelsError(msg, n_cells, len(rows), len(columns), where=parsed.missing_message)
        notes.append(_told_of_missing(parsed, missing, (n_cells, len(rows), len(columns)), labels.shape))
        if missing == "drop-rows":
            kept_rows = np.setdiff1d(np.arange(n_file_rows), rows)
            labels = labels[kept_rows]
            ids = parsed.row_ids if parsed.row_ids is not None else [str(row) for row in range(n_file_rows)]
            parsed.row_ids = [ids[row] for row in kept_rows.tolist()]
        elif missing == "drop-labels":
            kept = np.setdiff1d(np.arange(n_file_labels), columns)
            labels = labels[:, kept]
            named = names if names is not None else [f"label {column}" for column in range(n_file_labels)]
            names = [named[column] for column in kept.tolist()]
    data = MultilabelDataset.from_labels(labels, names, row_ids=parsed.row_ids, name=clean_name(source.stem) or "data")
    if names is not None:  # as numbered: long names must not be cut once more
        data = dataclasses.replace(data, label_names=tuple(names))
    reading = Reading(
        file_name=clean_name(source.name),
        format=str(parsed.options["format"]),
        form=parsed.form,
        rule=parsed.rule,
        entries=entries_of(data, parsed, source),
        options=parsed.options,
        n_file_rows=n_file_rows,
        kept_rows=kept_rows,
        n_train=parsed.n_train,
    )
    notes = [*([parsed.rule] if parsed.rule else []), *parsed.notes, *notes, *_facts(data)]
    return dataclasses.replace(data, notes=tuple(notes), reading=reading)


def _missing_places(parsed: Parsed, n_labels: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Give the rows and labels that have missing cells, and how many such cells there are."""
    none = np.zeros(0, dtype=np.int64)
    cells = parsed.missing if parsed.missing is not None else np.zeros((0, 2), dtype=np.int64)
    whole = parsed.missing_rows if parsed.missing_rows is not None else none
    rows = np.unique(np.concatenate([cells[:, 0], whole]).astype(np.int64))
    columns = np.arange(n_labels) if len(whole) else np.unique(cells[:, 1]).astype(np.int64)
    return rows, columns, len(cells) + len(whole) * n_labels


def _told_of_missing(parsed: Parsed, missing: Missing, counts: tuple[int, int, int], shape: tuple[int, int]) -> str:
    n_cells, n_rows, n_labels = counts
    why = parsed.missing_message + parsed.missing_advice
    match missing:
        case "drop-rows":
            if n_rows == shape[0]:
                msg = "Every row has a label that is missing, so none is left. " + why
                raise FormatError(msg)
            return f"{n_rows:,} of {shape[0]:,} rows were left out, since {n_cells:,} of their label cells are missing."
        case "drop-labels":
            if n_labels == shape[1]:
                msg = "Every label is missing somewhere, so none is left. " + why
                raise FormatError(msg)
            return f"{n_labels:,} of {shape[1]:,} labels were left out, since {n_cells:,} of their cells are missing."
    return f"{n_cells:,} label cells are missing in {n_rows:,} row(s) and were read as 0, as asked for."


def _distinct(raw: list[str] | None) -> tuple[list[str] | None, list[str]]:
    if raw is None:
        return None, []
    cleaned = [clean_name(name) for name in raw]
    names = [name or f"label {j}" for j, name in enumerate(cleaned)]
    counts = Counter(names)
    notes = []
    n_nameless = cleaned.count("")
    if n_nameless:
        notes.append(f"{n_nameless:,} label(s) without a name are called by their number.")
    repeated = [name for name, count in counts.items() if count > 1]
    if not repeated:
        return names, notes
    taken = set(names)
    seen: Counter[str] = Counter()
    for j, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[j] = _free_name(name, seen, taken)
    notes.append(f"{len(repeated):,} label name(s) occur more than once and are numbered: {listed(repeated)}.")
    return names, notes


def _free_name(name: str, seen: Counter[str], taken: set[str]) -> str:
    while (numbered := f"{name} ({seen[name]})") in taken:
        seen[name] += 1
    taken.add(numbered)
    return numbered


def _facts(data: MultilabelDataset) -> list[str]:
    positives = positives_per_label(data.labels)
    n_bare = int((np.diff(data.labels.indptr) == 0).sum())
    notes = []
    if n_bare:
        notes.append(f"{n_bare:,} of {data.n_rows:,} rows have no label at all.")
    alike: dict[str, list[str]] = {}
    for name in data.label_names:
        alike.setdefault(" ".join(name.split()).casefold(), []).append(name)
    pairs = [names for names in alike.values() if len(names) > 1]
    if pairs:
        notes.append(f"{len(pairs):,} label name(s) differ only in case or blanks, such as {listed(pairs[0][:2])}.")
    for count, what in ((0, "no row"), (data.n_rows, "every row")):
        at = np.flatnonzero(positives == count)
        if at.size:
            shown = listed([data.label_names[j] for j in at[:5].tolist()])
            more = f" and {at.size - 5:,} more" if at.size > 5 else ""
            notes.append(f"{at.size:,} label(s) are on {what}: {shown}{more}.")
    return notes
