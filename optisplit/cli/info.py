"""The command ``optisplit info``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.cli.options import in_options
from optisplit.cli.reading import load_data
from optisplit.errors import OptionError, worded
from optisplit.labels import positives_per_label
from optisplit.text import counted

if TYPE_CHECKING:
    import argparse

    from optisplit.cli.answer import Answer
    from optisplit.labels import MultilabelDataset

N_LISTED = 20
"""Rare labels that are listed for people."""

_READING_KEYS = ("file_name", "format", "form", "rule", "entries", "options", "n_file_rows", "n_train")
_SAID_ALREADY = ("Rows", "Labels", "Labels per row")


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Say what the data is, and how its file was read."""
    if options.n_splits is not None and options.n_splits < 1:
        msg = f"-k must be a whole number from 1, got {options.n_splits}."
        raise OptionError(msg)
    data, _ = load_data(options, answer)
    sizes = positives_per_label(data.labels)
    per_row = data.n_positives / data.n_rows
    median = float(np.median(sizes))
    answer.put(
        labels_per_row=per_row,
        rows_per_label={"min": sizes.min(), "median": median, "max": sizes.max()},
        n_rows_without_label=(np.diff(data.labels.indptr) == 0).sum(),
        understood=None if data.reading is None else {key: getattr(data.reading, key) for key in _READING_KEYS},
    )
    answer.print(
        f"{data.name}: {data.n_rows:,} rows x {data.n_labels:,} labels, {data.n_positives:,} positives",
        f"labels per row: {per_row:.2f}",
        f"rows per label: {sizes.min():,} to {sizes.max():,}, median {median:,g}",
    )
    rule = ""
    if data.reading is not None:
        rule = data.reading.rule
        answer.print("", "how the file was read:")
        answer.print(*(f"  {title}: {what}" for title, what in data.reading.entries.items()
                       if title not in _SAID_ALREADY))  # fmt: skip
    notes = [note for note in data.notes if note != rule]
    answer.print(*([""] if notes else []), *(f"note: {worded(note, in_options)}" for note in notes))
    if answer.as_json:
        answer.note(*data.notes)
    answer.put(rare_labels=None if options.n_splits is None else _rare(data, sizes, options.n_splits, answer))
    return 0


def _rare(data: MultilabelDataset, sizes: Any, n_splits: int, answer: Answer) -> list[dict[str, Any]]:
    rare = np.flatnonzero(sizes < n_splits)
    rare = rare[np.argsort(sizes[rare], kind="stable")]
    listed = [{"label": data.label_names[label], "positives": int(sizes[label])} for label in rare.tolist()]
    if not listed:
        answer.print("", f"every label is on at least {n_splits:,} rows")
        return listed
    shown = counted(len(listed), "label")
    answer.print("", f"{shown} on fewer than {n_splits:,} rows, so not in every one of as many folds:")
    answer.print(*(f"  {each['label']!r}: {each['positives']:,}" for each in listed[:N_LISTED]))
    if len(listed) > N_LISTED:
        answer.print(f"  and {len(listed) - N_LISTED:,} more; --json lists all")
    return listed
