"""The command ``optisplit info``."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.cli.reading import load_data
from optisplit.cli.spelling import in_options, typed_merging, with_value
from optisplit.errors import OptionError, worded
from optisplit.io.preview import preview
from optisplit.io.registry import READ_OPTIONS
from optisplit.labels import positives_per_label
from optisplit.measures.characteristics import rare_labels
from optisplit.text import clean_name, counted, few

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from optisplit.cli.answer import Answer
    from optisplit.io.registry import ReadOption
    from optisplit.io.tables.table import Guess
    from optisplit.labels import MultilabelDataset

N_LISTED = 20
"""Rare labels that are listed for people."""

N_OTHERS = 3
"""Other values of an option that are told of."""

LONGEST_VALUE = 40

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
        answer.print(*_understood_lines(data), *_first_rows(data))
        answer.put(guesses=_guesses(data.reading.guesses), preview=_preview(data))
    notes = [note for note in data.notes if note != rule]
    answer.print(*([""] if notes else []), *(f"note: {worded(note, in_options)}" for note in notes))
    if answer.as_json:
        answer.note(*data.notes)
    answer.put(rare_labels=None if options.n_splits is None else _rare(data, sizes, options.n_splits, answer))
    return 0


def _understood_lines(data: MultilabelDataset) -> list[str]:
    """List what was understood, each beside the option that changes it; what is not certain comes first."""
    reading = data.reading
    assert reading is not None
    guesses = {guess.option: guess for guess in reading.guesses}
    taken = dict(reading.options) | {option: guess.value for option, guess in guesses.items()}
    lines = []
    for key, option in READ_OPTIONS.items():
        guess = guesses.get(key)
        if taken.get(key) is None and (guess is None or guess.is_sure):
            continue
        why = "" if guess is None else guess.why
        if guess is not None and not guess.is_sure:
            others = [_typed(option, other) for other in guess.others[:N_OTHERS]]
            why = "; or ".join([f"not certain: {why}", *others])
        typed = f"no {option.flag}" if taken[key] is None else _typed(option, taken[key])
        line = f"  {typed}" + (f"  ({why})" if why else "")
        lines.append((guess is None or guess.is_sure, line))
    lines.sort(key=lambda each: each[0])
    return ["", "what was understood, as the options that change it:", *(line for _, line in lines)] if lines else []


def _typed(option: ReadOption, value: Any) -> str:
    """Write an option as it is typed."""
    if option.kind == "merging":
        value = typed_merging(value)
    if isinstance(value, list | tuple):
        value = few([clean_name(each, LONGEST_VALUE) for each in value[:N_OTHERS]], len(value))
    return with_value(option.flag, value)


def _first_rows(data: MultilabelDataset) -> list[str]:
    """Write the first rows as read, no wider than the terminal."""
    shown = preview(data)
    lines = shown.lines()
    width = shutil.get_terminal_size((100, 24)).columns
    columns = [[title, *(line[title] for line in lines)] for title in lines[0]]
    widths = [max(map(len, column)) for column in columns]
    while sum(widths) + 2 * len(widths) > max(width, 10 * len(widths)):
        widths[widths.index(max(widths))] -= 1
    rows = [
        "  " + "  ".join(f"{_cut(cell, wide):{wide}}" for cell, wide in zip(row, widths, strict=True))
        for row in zip(*columns, strict=True)
    ]
    left_out = [f"  {shown.left_out_text}"] if shown.left_out_text else []
    return ["", "first rows as read:", *(row.rstrip() for row in rows), *left_out]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _guesses(guesses: Iterable[Guess]) -> list[dict[str, Any]]:
    return [
        {"option": each.option, "flag": READ_OPTIONS[each.option].flag, "value": each.value, "why": each.why,
         "sure": each.is_sure, "others": each.others}
        for each in guesses
    ]  # fmt: skip


def _preview(data: MultilabelDataset) -> dict[str, Any]:
    shown = preview(data)
    return {"key": shown.key, "left_out": shown.columns, "rows": [asdict(row) for row in shown.rows]}


def _rare(data: MultilabelDataset, sizes: Any, n_splits: int, answer: Answer) -> list[dict[str, Any]]:
    listed = rare_labels(data.label_names, sizes, n_splits)[["label", "positives"]].to_dict("records")
    if not listed:
        answer.print("", f"every label is on at least {n_splits:,} rows")
        return listed
    shown = counted(len(listed), "label")
    answer.print("", f"{shown} on fewer than {n_splits:,} rows, so not in every one of as many folds:")
    answer.print(*(f"  {each['label']!r}: {each['positives']:,}" for each in listed[:N_LISTED]))
    if len(listed) > N_LISTED:
        answer.print(f"  and {len(listed) - N_LISTED:,} more; --json lists all")
    return listed
