"""What the command line reads and writes besides the data: a value for each row, sizes, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.cli.answer import is_stdout
from optisplit.errors import FormatError, OptionError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from optisplit.data import MultilabelDataset


def read_groups(given: str, data: MultilabelDataset) -> tuple[list[str], str]:
    """Read the group of each row.

    Parameters
    ----------
    given : str
        ``FILE`` or ``FILE:COLUMN``: one name a line, or a CSV with a column of that name, otherwise ``group``.
    data : MultilabelDataset
        The data whose rows these are.

    Returns
    -------
    groups : list of str
        The names, in the order of the rows.
    note : str
        How the file was understood, for the user.

    Raises
    ------
    FormatError
        If the file cannot be read, or has not as many lines as the data has rows.
    OptionError
        If there is no such column, or it is not clear which is meant.
    FoldAssignmentError
        If the file has row ids that are not those of the data.
    """
    from optisplit.split_files.records import read_row_values

    read = read_row_values(given, data, option="--groups", usual="group")
    return read.values, f"{read.name}: {read.how}; {len(set(read.values)):,} groups."


def read_fixed(given: str, data: MultilabelDataset) -> tuple[NDArray[np.int64], str]:
    """Read the place of each row.

    Parameters
    ----------
    given : str
        ``FILE`` or ``FILE:COLUMN``: one place a line, or a CSV with a column of that name, otherwise ``fold``. A place
        is a fold's number or -1 for always in training; nothing, or NA, leaves the row free.
    data : MultilabelDataset
        The data whose rows these are.

    Returns
    -------
    places : ndarray of shape (n_rows,), dtype int64
        What :func:`optisplit.split` takes as `fixed`.
    note : str
        How the file was understood, for the user.

    Raises
    ------
    FormatError
        If the file cannot be read, has not as many lines as the data has rows, or a line is no place.
    OptionError
        If there is no such column, or it is not clear which is meant.
    FoldAssignmentError
        If the file has row ids that are not those of the data.
    """
    import numpy as np

    from optisplit.constraints import FREE
    from optisplit.folds import ALWAYS_TRAIN
    from optisplit.split_files.records import PLACE, is_missing, read_row_values

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
    """Read the sizes of folds, as people type them.

    Parameters
    ----------
    text : str
        Shares or numbers of rows, with commas between.

    Returns
    -------
    list of int or list of float
        What :func:`optisplit.split` takes as `fold_sizes`.

    Raises
    ------
    OptionError
        If something is no number.

    Examples
    --------
    >>> parse_sizes("400, 193"), parse_sizes("0.8,0.2")
    ([400, 193], [0.8, 0.2])
    """
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


def check_writable(*paths: Path | None) -> None:
    """Refuse, before any work, files that could not be written after it.

    Parameters
    ----------
    *paths : Path or None
        The files to be written; None for none.

    Raises
    ------
    OptionError
        If a folder does not exist, or a file is a folder.
    """
    for path in paths:
        if path is None or is_stdout(path):
            continue
        if not path.parent.is_dir():
            msg = f"{path} cannot be written: No such file or directory."
            raise OptionError(msg)
        if path.is_dir():
            msg = f"{path} cannot be written: Is a directory."
            raise OptionError(msg)


def write_text(content: str, path: Path | None) -> None:
    """Write a table or page, if it was asked for, packed as the file's name says.

    Parameters
    ----------
    content : str
        What to write.
    path : Path or None
        The file; None for none.

    Raises
    ------
    OptionError
        If the file cannot be written.
    """
    from optisplit.writers.targets import opened

    if path is None:
        return
    with opened(path) as out:
        out.write(content.encode())
