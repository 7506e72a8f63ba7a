"""What the command line reads and writes besides the data: a value for each row, sizes, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.cli.answer import is_stdout
from optisplit.errors import FormatError, OptionError
from optisplit.io.target import check_targets, write_file

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from optisplit.labels import MultilabelDataset


def read_groups(given: str, data: MultilabelDataset) -> tuple[list[str], str]:
    """Read the group of each row."""
    from optisplit.io.splits.records import read_row_values

    read = read_row_values(given, data, option="--groups", usual="group")
    return read.values, f"{read.name}: {read.how}; {len(set(read.values)):,} groups."


def read_fixed(given: str, data: MultilabelDataset) -> tuple[NDArray[np.int64], str]:
    """Read the place of each row."""
    import numpy as np

    from optisplit.folds.arrays import ALWAYS_TRAIN
    from optisplit.folds.constraints import FREE
    from optisplit.io.splits.records import PLACE, is_missing, read_row_values

    read = read_row_values(given, data, option="--fixed", usual="fold")
    places = np.full(data.n_rows, FREE, dtype=np.int64)
    for row, (text, line) in enumerate(zip(read.values, read.lines, strict=True)):
        if is_missing(text):
            continue
        match = PLACE.fullmatch(text)
        if match is None:
            rule = "give a fold's number, -1 (always in training) or nothing"
            msg = f"{read.name}, line {line:,}: {text!r} is no place; {rule}."
            raise FormatError(msg)
        places[row] = int(match[1])
    n_fixed, n_training = int((places != FREE).sum()), int((places == ALWAYS_TRAIN).sum())
    return places, f"{read.name}: {read.how}; {n_fixed:,} rows are fixed, {n_training:,} of them always in training."


def parse_sizes(text: str) -> list[int] | list[float]:
    """Read the sizes of folds, as people type them."""
    parts = text.split(",")
    try:
        return [int(part) for part in parts]
    except ValueError:
        pass
    try:
        return [float(part) for part in parts]
    except ValueError:
        msg = f"--fold-sizes must be numbers with commas between, such as 0.8,0.1,0.1; got {text!r}."
        raise OptionError(msg) from None


OUTPUTS = {
    "-o": "output", "--missing-labels": "missing_labels", "--report": "report", "--moves": "moves", "--gains": "gains",
    "--save-recipe": "save_recipe",
}  # fmt: skip
INPUTS = {
    "DATA": "data", "--folds": "folds", "--train": "train", "--test": "test", "--groups": "groups", "--fixed": "fixed",
    "--recipe": "recipe", "--names": "names", "--xml": "label_file",
}  # fmt: skip
"""What files are called on the command line, and by the parser."""


def check_outputs(options: argparse.Namespace) -> None:
    """Refuse, before any work, files that could not be written after it, or would destroy one another."""
    from optisplit.io.splits.records import file_and_column

    outputs = {called: getattr(options, name, None) for called, name in OUTPUTS.items()}
    inputs = {called: getattr(options, name, None) for called, name in INPUTS.items()}
    check_targets(
        {called: path for called, path in outputs.items() if not is_stdout(path)},
        {called: file_and_column(str(given))[0] for called, given in inputs.items() if given is not None},
    )


def write_text(content: str, path: Path | None) -> None:
    """Write a table or page, if it was asked for, packed as the file's name says."""
    if path is not None:
        write_file(path, content)
