"""What the command line reads and writes besides the data: a value for each row, sizes, tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit.cli.answer import is_stdout
from optisplit.errors import OptionError
from optisplit.io.target import check_targets, write_file
from optisplit.text import counted

if TYPE_CHECKING:
    import argparse

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.labels import MultilabelDataset


def file_and_column(given: str) -> tuple[str, str | None]:
    """Take the longest beginning before a colon that is a file, unless the whole is."""
    if not Path(given).exists():
        for at in reversed([match.start() for match in re.finditer(":", given)]):
            if Path(given[:at]).is_file():
                return given[:at], given[at + 1 :].strip()
    return given, None


def read_groups(given: str, data: MultilabelDataset) -> tuple[list[str], tuple[str, ...]]:
    """Read the group of each row, and what is to be said of it."""
    from optisplit.io.rows import read_column  # with NumPy and pandas, which --help does without

    file, column = file_and_column(given)
    read = read_column(file, data, column)
    return read.values, (f"{read.name}: {read.how}; {counted(len(set(read.values)), 'group')}.", *read.notes)


def read_fixed(given: str, data: MultilabelDataset) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Read the place of each row, and what is to be said of it."""
    from optisplit.folds.arrays import ALWAYS_TRAIN  # with NumPy, which --help does without
    from optisplit.folds.constraints import FREE
    from optisplit.io.rows import places_in, read_column

    file, column = file_and_column(given)
    read = read_column(file, data, column, usual="fold")
    places = places_in(read)
    n_fixed, n_training = int((places != FREE).sum()), int((places == ALWAYS_TRAIN).sum())
    fixed = f"{counted(n_fixed, 'row', 'is')} fixed, {n_training:,} of them always in training"
    return places, (f"{read.name}: {read.how}; {fixed}.", *read.notes)


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
    outputs = {called: getattr(options, name, None) for called, name in OUTPUTS.items()}
    inputs = {called: getattr(options, name, None) for called, name in INPUTS.items()}
    check_targets(
        {called: path for called, path in outputs.items() if not is_stdout(path)},
        {called: file_and_column(str(given))[0] for called, given in inputs.items() if given is not None},
    )


def write_table(table: pd.DataFrame, path: Path | None) -> None:
    """Write a table, if it was asked for, packed as the file's name says."""
    if path is not None:
        write_file(path, table.to_csv(index=False))
