"""What the command line reads and writes besides the data: a value for each row, sizes, tables."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit.errors import FormatError, OptionError, listed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optisplit.data import MultilabelDataset
    from optisplit.folds import FoldArray

DELIMITERS = ",;\t"

_PLACE = re.compile(r"(-?[0-9]{1,9})(\.0*)?")


@dataclass(frozen=True, slots=True)
class RowValues:
    """One text a row of the data, and how it was found in a file.

    Parameters
    ----------
    name : str
        The file's name.
    values : list of str, length n_rows
        The texts, in the order of the data's rows.
    lines : list of int, length n_rows
        The line of the file that each stands on, from 1.
    how : str
        How they were found, in words for the user.
    """

    name: str
    values: list[str]
    lines: list[int]
    how: str


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

    read = read_row_values(given, data, option="--fixed", usual="fold")
    places = np.full(data.n_rows, FREE, dtype=np.int64)
    for row, (text, line) in enumerate(zip(read.values, read.lines, strict=True)):
        if _is_missing(text):
            continue
        match = _PLACE.fullmatch(text)
        if match is None:
            rule = "give a fold's number, -1 (always in training) or nothing"
            msg = f"{read.name}, line {line:,}: {text!r} is no place; {rule}."
            raise FormatError(msg)
        places[row] = int(match[1])
    n_fixed, n_training = int((places != FREE).sum()), int((places == ALWAYS_TRAIN).sum())
    return places, f"{read.name}: {read.how}; {n_fixed:,} rows are fixed, {n_training:,} of them always in training."


def read_row_values(given: str, data: MultilabelDataset, *, option: str, usual: str) -> RowValues:
    """Read one text a row of the data.

    - With a column named, or where the first line has the usual one, the file is a table with a header. Its lines are
      brought into the data's order by a column that holds the row ids, or by ``row`` as :func:`read_folds` does it.
    - Otherwise it has one text a line, in the order of the rows; a line too many makes the first a header.

    Parameters
    ----------
    given : str
        ``FILE`` or ``FILE:COLUMN``.
    data : MultilabelDataset
        The data.
    option : str
        What the user typed before it, for messages.
    usual : str
        The column to take if none is named.

    Returns
    -------
    RowValues
        The texts.

    Raises
    ------
    FormatError
        If the file cannot be read, or has not as many lines as the data has rows.
    OptionError
        If there is no such column, or it is not clear which is meant.
    FoldAssignmentError
        If the file has row ids that are not those of the data.
    """
    from optisplit.text import clean_name

    file, column = _file_and_column(given)
    name, records = _records(file)
    header = [clean_name(title) for title in records[0][1]]
    if column is None and usual in header:
        column = usual
    if column is not None and column not in header:
        what = f"column of {name}:"
        raise OptionError.unknown(what, column, header)
    if column is not None:
        return _from_table(name, header, records[1:], column, data)
    widths = Counter(len(cells) for _, cells in records)
    if max(widths) > 1:
        if len(widths) == 1:
            msg = f"{name} has {len(header)} columns; say which one is meant: {option} {file}:COLUMN."
            raise OptionError(msg + f"\nHint: its first line is {listed(header)}.")
        msg = f"{name} is neither one text a line nor a table: its lines have {min(widths)} to {max(widths)} columns."
        raise FormatError(msg + "\nHint: put texts that hold a comma, semicolon or tab in quotes.")
    return _from_list(name, records, data.n_rows, of_numbers=usual == "fold")


def _file_and_column(given: str) -> tuple[str, str | None]:
    """Take the longest beginning before a colon that is a file, unless the whole is."""
    if not Path(given).exists():
        for at in reversed([match.start() for match in re.finditer(":", given)]):
            if Path(given[:at]).is_file():
                return given[:at], given[at + 1 :].strip()
    return given, None


def _records(file: str) -> tuple[str, list[tuple[int, list[str]]]]:
    """Read the lines of a file, each with its number and its cells; a blank line is one empty cell."""
    import csv
    import io

    from optisplit.formats.base import decode_text, read_source
    from optisplit.text import clean_name

    source = read_source(file)
    name = clean_name(source.name)
    if b"\0" in source.data:
        msg = f"{name} is a binary file; a text file is needed."
        raise FormatError(msg)
    text, _ = decode_text(source.data)
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(DELIMITERS, key=first.count))
    try:
        return name, [(reader.line_num, cells or [""]) for cells in reader]
    except csv.Error as error:
        msg = f"{name} cannot be read at line {reader.line_num:,} ({error}); a quote may be missing."
        raise FormatError(msg) from error


def _from_list(name: str, records: list[tuple[int, list[str]]], n_rows: int, *, of_numbers: bool) -> RowValues:
    first = records[0][1][0].strip()
    lines = _without_blank_end(records, n_rows)
    is_word = not _is_missing(first) and _PLACE.fullmatch(first) is None
    has_header = is_word if of_numbers else len(lines) == n_rows + 1
    if has_header:
        lines = _without_blank_end(records[1:], n_rows)
    header = f" after the header {first!r}" if has_header else ""
    _check_length(name, f"line(s){header}", len(lines), n_rows)
    how = f"one a line{header}, in the order of the rows"
    return RowValues(name, [cells[0].strip() for _, cells in lines], [line for line, _ in lines], how)


def _from_table(
    name: str, header: list[str], records: list[tuple[int, list[str]]], column: str, data: MultilabelDataset
) -> RowValues:
    if header.count(column) > 1:
        msg = f"{header.count(column)} columns of {name} are called {column!r}; rename them."
        raise OptionError(msg)
    # a blank line between others is a missing value where there is one column, and nothing where there are several
    lines = [record for record in records if len(header) == 1 or record[1] != [""]]
    lines = _without_blank_end(lines, data.n_rows)
    _check_length(name, f"line(s) below the header with {column!r}", len(lines), data.n_rows)
    values, numbers = _column(lines, header.index(column)), [line for line, _ in lines]
    found = _places(name, header, lines, column, data)
    if found is None:
        return RowValues(name, values, numbers, f"column {column!r}, in the order of the rows")
    key, places = found
    how = f"column {column!r}, matched to the rows by column {key!r}"
    return RowValues(name, [values[place] for place in places], [numbers[place] for place in places], how)


def _column(lines: list[tuple[int, list[str]]], at: int) -> list[str]:
    return [cells[at].strip() if at < len(cells) else "" for _, cells in lines]


def _places(
    name: str, header: list[str], lines: list[tuple[int, list[str]]], column: str, data: MultilabelDataset
) -> tuple[str, list[int]] | None:
    """Find the column that says which row a line is for, and the line of each row."""
    from optisplit.folds import match_rows
    from optisplit.text import clean_name

    known = set(data.row_ids or ())
    others = {title: at for at, title in enumerate(header) if title != column}
    for title, at in others.items():
        if clean_name(_column(lines[:1], at)[0]) in known:
            ids = [clean_name(cell) for cell in _column(lines, at)]
            if set(ids) == known:
                return title, match_rows(ids, data.row_ids or (), name).tolist()
    for title, wanted in (("row", list(map(str, range(data.n_rows)))), ("row_id", data.row_ids)):
        if wanted is not None and title in others:
            return title, match_rows(_column(lines, others[title]), wanted, name).tolist()
    return None


def _without_blank_end(records: list[tuple[int, list[str]]], n_rows: int) -> list[tuple[int, list[str]]]:
    """Drop blank lines at the end that no row is left for."""
    end = len(records)
    while end > n_rows and records[end - 1][1] == [""]:
        end -= 1
    return records[:end]


def _check_length(name: str, what: str, found: int, n_rows: int) -> None:
    if found != n_rows:
        msg = f"{name} has {found:,} {what}, but the data has {n_rows:,} rows."
        raise FormatError(msg)


def _is_missing(text: str) -> bool:
    from optisplit.formats.cells import MISSING, cell_code

    return cell_code(text) == MISSING


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
    for path in filter(None, paths):
        if not path.parent.is_dir():
            msg = f"{path} cannot be written: No such file or directory."
            raise OptionError(msg)
        if path.is_dir():
            msg = f"{path} cannot be written: Is a directory."
            raise OptionError(msg)


def write(content: str | bytes, path: Path | None) -> None:
    """Write a file, or text to standard output.

    Parameters
    ----------
    content : str or bytes
        What to write.
    path : Path or None
        The file; None for standard output.

    Raises
    ------
    OptionError
        If the file cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    if path is None:
        print(data.decode(), end="")
        sys.stdout.flush()
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}."
        raise OptionError(msg) from error


def write_folds(folds: FoldArray, data: MultilabelDataset, path: Path | None) -> None:
    """Write folds, as NPZ where the file's name ends so, otherwise as CSV.

    Parameters
    ----------
    folds : ndarray of shape (n_rows,), dtype int32
        The fold of every row.
    data : MultilabelDataset
        The data, for its row ids.
    path : Path or None
        The file; None for standard output.
    """
    from optisplit.folds import folds_to_csv, folds_to_npz

    is_archive = path is not None and path.suffix == ".npz"
    write(folds_to_npz(folds, data.row_ids) if is_archive else folds_to_csv(folds, data.row_ids), path)
