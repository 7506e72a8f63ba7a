"""The one function that reads labels from a file of any format."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, MissingLabelsError, OptionError, argument
from optisplit.io.formats.facts import describe
from optisplit.io.formats.sniffing import detect
from optisplit.io.preview import left_out
from optisplit.io.registry import FORMATS, LAYOUTS, MISSING, check_choice, readable
from optisplit.io.source import FileLike, OnProgress, Source, read_source
from optisplit.labels import LabelMatrix, MultilabelDataset, Reading, as_labels
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from optisplit.io.parsed import Parsed
    from optisplit.io.registry import Format, Missing


def load_file(
    source: FileLike,
    *,
    format: str | None = None,
    missing: Missing = "error",
    name: str | None = None,
    on_progress: OnProgress | None = None,
    **options: Any,
) -> MultilabelDataset:
    """Read a multilabel data set from a file; :func:`optisplit.load` says what the arguments are.

    - The format is found from the content, not from the ending; gzip, bzip2 and xz are undone.
    - Whatever the content, only errors of this package come out; nothing is ever unpickled or executed.
    - Label names are kept as they are, but for control characters; equal ones are numbered.
    """
    check_choice("format", format, readable())
    check_choice("layout", options.get("layout"), LAYOUTS)
    check_choice("missing", missing, MISSING)
    opened = read_source(source, name, on_progress=on_progress)
    found = detect(opened) if format is None else FORMATS[format]
    given = {option: value for option, value in options.items() if value is not None}
    _refuse_unused(found, given)
    parsed: Parsed = found.reader(opened, **given)
    parsed.options = {"format": found.key, **parsed.options} | ({"missing": missing} if missing != "error" else {})
    return _finished(parsed, opened, missing)


def _refuse_unused(format: Format, given: Mapping[str, object]) -> None:
    unused = next((option for option in given if option not in format.options), None)
    if unused is not None:
        allowed = ""
        for each in format.options:
            allowed += (" and " if allowed else "") + argument(each)
        msg = argument(unused) + f" does not go with a file read as {format.key}; "
        raise OptionError(msg + (allowed or "none") + " can be given.")


def _finished(parsed: Parsed, source: Source, missing: Missing) -> MultilabelDataset:
    """Check the labels, deal with missing ones, and add what anybody should know about the data."""
    parsed.label_names, notes = _distinct(parsed.label_names)
    labels = as_labels(parsed.labels, parsed.label_names)
    parsed.labels = None  # a large file's must not be held twice
    n_file_rows = labels.shape[0]
    kept_rows: NDArray[np.int64] | None = None
    if parsed.missing_message:
        labels, kept_rows, note = _without_missing(parsed, labels, missing)
        notes.append(note)
    names = parsed.label_names
    data = MultilabelDataset.from_labels(labels, names, row_ids=parsed.row_ids, name=clean_name(source.stem) or "data")
    if names is not None:  # as numbered: long names must not be cut once more
        data = dataclasses.replace(data, label_names=tuple(names))
    entries, facts = describe(data, parsed, source)
    reading = Reading(
        file_name=clean_name(source.name),
        format=str(parsed.options["format"]),
        form=parsed.form,
        rule=parsed.rule,
        entries=entries,
        options=parsed.options,
        n_file_rows=n_file_rows,
        kept_rows=kept_rows,
        n_train=parsed.n_train,
        columns=tuple(parsed.sample),
        left_out=left_out(parsed, names, kept_rows),
        file=None if source.path is None else source.path.absolute(),
    )
    notes = [*([parsed.rule] if parsed.rule else []), *parsed.notes, *notes, *facts]
    return dataclasses.replace(data, notes=tuple(notes), reading=reading)


def _without_missing(
    parsed: Parsed, labels: LabelMatrix, missing: Missing
) -> tuple[LabelMatrix, NDArray[np.int64] | None, str]:
    """Do what was asked about missing labels; give the labels, the rows that are kept, and a note of it."""
    n_rows, n_labels = labels.shape
    rows, columns, n_cells = _missing_places(parsed, n_labels)
    if missing == "error":
        hint = "\nHint: " + argument("missing", "zero") + " reads them as 0, " + argument("missing", "drop-rows")
        hint += f" leaves out the {counted(len(rows), 'row')}, " + argument("missing", "drop-labels")
        hint += f" the {counted(len(columns), 'label')}."
        msg = parsed.missing_message + parsed.missing_advice + hint
        raise MissingLabelsError(msg, n_cells, len(rows), len(columns), where=parsed.missing_message)
    why = parsed.missing_message + parsed.missing_advice
    if missing == "drop-rows":
        if len(rows) == n_rows:
            msg = "Every row has a label that is missing, so none is left. " + why
            raise FormatError(msg)
        kept = np.setdiff1d(np.arange(n_rows), rows)
        ids = parsed.row_ids if parsed.row_ids is not None else [str(row) for row in range(n_rows)]
        parsed.row_ids = [ids[row] for row in kept.tolist()]
        told = f"{len(rows):,} of {n_rows:,} rows were left out, since {n_cells:,} of their label cells are missing."
        return labels[kept], kept, told
    if missing == "drop-labels":
        if len(columns) == n_labels:
            msg = "Every label is missing somewhere, so none is left. " + why
            raise FormatError(msg)
        kept = np.setdiff1d(np.arange(n_labels), columns)
        named = parsed.label_names or [f"label {column}" for column in range(n_labels)]
        parsed.label_names = [named[column] for column in kept.tolist()]
        told = f"{len(columns):,} of {n_labels:,} labels were left out, since {n_cells:,} of their cells are missing."
        return labels[:, kept], None, told
    told = f"{n_cells:,} label cells are missing in {counted(len(rows), 'row')} and were read as 0, as asked for."
    return labels, None, told


def _missing_places(parsed: Parsed, n_labels: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Give the rows and labels that have missing cells, and how many such cells there are."""
    none = np.zeros(0, dtype=np.int64)
    cells = parsed.missing if parsed.missing is not None else np.zeros((0, 2), dtype=np.int64)
    whole = parsed.missing_rows if parsed.missing_rows is not None else none
    rows = np.unique(np.concatenate([cells[:, 0], whole]).astype(np.int64))
    columns = np.arange(n_labels) if len(whole) else np.unique(cells[:, 1]).astype(np.int64)
    return rows, columns, len(cells) + len(whole) * n_labels


def _distinct(raw: list[str] | None) -> tuple[list[str] | None, list[str]]:
    if raw is None:
        return None, []
    cleaned = [clean_name(name) for name in raw]
    names = [name or f"label {j}" for j, name in enumerate(cleaned)]
    counts = Counter(names)
    notes = []
    n_nameless = cleaned.count("")
    if n_nameless:
        notes.append(f"Labels without a name ({n_nameless:,}) are called by their number.")
    repeated = [name for name, count in counts.items() if count > 1]
    if not repeated:
        return names, notes
    taken = set(names)
    seen: Counter[str] = Counter()
    for j, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[j] = _free_name(name, seen, taken)
    told = f"{counted(len(repeated), 'label name', 'occurs')} more than once; equal ones are numbered"
    notes.append(f"{told}: {listed(repeated)}.")
    return names, notes


def _free_name(name: str, seen: Counter[str], taken: set[str]) -> str:
    while (numbered := f"{name} ({seen[name]})") in taken:
        seen[name] += 1
    taken.add(numbered)
    return numbered
