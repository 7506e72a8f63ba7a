"""The one function that reads labels from a file of any format."""

from __future__ import annotations

import dataclasses
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, OptionError, argument
from optisplit.io.formats.facts import describe
from optisplit.io.formats.sniffing import detect
from optisplit.io.formats.unknown import settle
from optisplit.io.preview import left_out
from optisplit.io.registry import FORMATS, LAYOUTS, MISSING, OF_LINES, check_choice, features_of, readable
from optisplit.io.source import FileLike, HeldTable, OnProgress, Source, read_source
from optisplit.io.tables.frames import is_frame
from optisplit.labels import MultilabelDataset, Reading, as_labels, edited
from optisplit.labels.facts import notes_of
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optisplit.io.parsed import Parsed
    from optisplit.io.registry import Format, Missing
    from optisplit.labels import LabelMatrix

_FORMAT_OF_TABLES = "parquet"
"""A table in memory is read as a Parquet file of it would be."""


def load_file(
    source: FileLike,
    *,
    format: str | None = None,
    missing: Missing = "error",
    uncertain: Missing = "error",
    name: str | None = None,
    merge_labels: Mapping[str, Iterable[str]] | None = None,
    drop_labels: Iterable[str] | None = None,
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
    answers = {"missing": missing, "uncertain": uncertain}
    for option, answer in answers.items():
        check_choice(option, answer, MISSING)
    opened, found = _opened(source, format, name, on_progress)
    given = {option: value for option, value in options.items() if value is not None}
    _refuse_unused(found, given, opened)
    parsed: Parsed = found.reader(opened, **given)
    parsed.options = {"format": found.key, **parsed.options}
    parsed.options |= {option: answer for option, answer in answers.items() if answer != "error"}
    return edited(_finished(parsed, opened, answers), merge_labels, drop_labels)


def _opened(source: Any, format: str | None, name: str | None, on_progress: OnProgress | None) -> tuple[Source, Format]:
    """Open a file, or a table in memory, and find its format."""
    if not is_frame(source):
        opened = read_source(source, name, on_progress=on_progress, takes_folder=True)
        found = detect(opened) if format is None else FORMATS[format]
        if opened.is_folder and not found.takes_folder:
            told = f"{opened.name!r} is a folder, which is not read as {found.key}"
            raise FormatError(told + "; give the file in it that holds the labels.")
        return opened, found
    if format not in (None, _FORMAT_OF_TABLES):
        msg = f"A table in memory is no file of the format {format!r}; leave it out."
        raise OptionError(msg)
    return HeldTable(source, name, on_progress=on_progress), FORMATS[_FORMAT_OF_TABLES]


def _refuse_unused(format: Format, given: Mapping[str, object], source: Source) -> None:
    taken = [option for option in format.options if source.sheet is None or option not in OF_LINES]
    unused = next((option for option in given if option not in taken), None)
    if unused is not None:
        allowed, what = "", f"file read as {format.key}" if source.sheet is None else "spreadsheet"
        for each in taken:
            allowed += (" and " if allowed else "") + argument(each)
        msg = argument(unused) + f" does not go with a {what}; "
        raise OptionError(msg + (allowed or "none") + " can be given.")


def _finished(parsed: Parsed, source: Source, answers: Mapping[str, str]) -> MultilabelDataset:
    """Check the labels, deal with unknown ones, and add what anybody should know about the data."""
    parsed.label_names, notes = _distinct(parsed.label_names)
    labels = as_labels(parsed.labels, parsed.label_names)
    parsed.labels = None  # a large file's must not be held twice
    n_file_rows = labels.shape[0]
    labels, kept_rows, settled = settle(parsed, labels, answers)
    notes += settled
    names = parsed.label_names
    data = MultilabelDataset.from_labels(labels, names, row_ids=parsed.row_ids, name=clean_name(source.stem) or "data")
    if names is not None:  # as numbered: long names must not be cut once more
        data = dataclasses.replace(data, label_names=tuple(names))
    if parsed.counts is not None:
        data = dataclasses.replace(data, counts=_in_pattern(parsed.counts, data.labels))
    data = dataclasses.replace(data, key=parsed.key)
    groups, repeating = parsed.find_groups(kept_rows) if parsed.find_groups else ([], [])
    reading = Reading(
        file_name=clean_name((source.sheet or source).name),
        format=str(parsed.options["format"]),
        form=parsed.form,
        rule=parsed.rule,
        entries=describe(data, parsed, source),
        options=parsed.options,
        n_file_rows=n_file_rows,
        kept_rows=kept_rows,
        n_train=parsed.n_train,
        settled=tuple(settled),
        is_sheet=source.sheet is not None,
        columns=tuple(parsed.sample),
        left_out=left_out(parsed, names, kept_rows),
        groups=tuple(groups),
        repeating=tuple(repeating),
        guesses=tuple(parsed.guesses),
        file=source.kept,
    )
    notes = [*([parsed.rule] if parsed.rule else []), *parsed.notes, *notes, *notes_of(data)]
    return dataclasses.replace(
        data,
        notes=tuple(notes),
        reading=reading,
        read_features=partial(_features_in_memory, source.held)
        if isinstance(source, HeldTable)
        else features_of(reading.format),
    )


def _in_pattern(counts: Any, labels: LabelMatrix) -> Any:
    """Give the counts of instances of what the labels say is there: at least 1 each."""
    found = counts.tocsr().astype(np.int32).maximum(labels.astype(np.int32)).multiply(labels).tocsr()
    found.sort_indices()
    return sp.csr_array((found.data.astype(np.int32), labels.indices, labels.indptr), shape=labels.shape)


def _features_in_memory(held: Any, reading: Reading) -> Any:
    """Give what is no label in a table in memory."""
    from optisplit.io.features import features_in_memory

    return features_in_memory(held, reading)


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
