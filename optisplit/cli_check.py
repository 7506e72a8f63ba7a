"""The command ``optisplit check``, and how it and ``optisplit repair`` read a split in any form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit.cli_files import check_writable, write, write_folds
from optisplit.cli_terminal import INTERRUPTED, Watch, tell
from optisplit.errors import Stopped

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from optisplit.data import MultilabelDataset
    from optisplit.folds import FoldArray
    from optisplit.measures import Report
    from optisplit.split_files import SplitFile

ROW_NAMINGS = {"ids": "ids", "0": "from 0", "1": "from 1", "order": "order"}
"""What can be typed after --rows, and what it is called in :func:`optisplit.read_split`."""

SPLITS = """\
The split is read from --folds FILE[:COLUMN], from a column of the data's own table (--column), or from two files
(--train and --test, without DATA). FILE is
  a table (CSV, TSV) with a column such as 'fold' or 'split', or one value a line: fold numbers from 0 or 1 with -1 for
  always in training; names such as train, val and test; or yes and no in a column such as 'is_test'. Its lines are
  matched to the rows by a column of row ids or of row numbers, if there is one;
  JSON: lists of rows, one a test fold; pairs [train, test], or {"train": [...], "test": [...]}, one or many;
  NPZ: 'test_fold'; or 'train' and 'test', 'train_0' and 'test_0', ..., with row numbers or masks.
What was understood is said on standard error; --kind and --rows correct it.
"""


def add_split_options(parser: argparse.ArgumentParser) -> None:
    """Say where a split can come from.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The command's parser.
    """
    parser.add_argument("--folds", metavar="FILE[:COLUMN]", help="the split: CSV, TSV, a value a line, JSON or NPZ")
    parser.add_argument("--column", metavar="NAME", help="the column of the data's own table that is the split")
    parser.add_argument("--train", type=Path, metavar="FILE", help="training file, in place of DATA and --folds")
    parser.add_argument("--test", type=Path, metavar="FILE", help="test file, to go with --train")
    parser.add_argument(
        "--kind",
        choices=("folds", "parts"),
        help="folds of cross-validation, or parts: the first is trained on",
    )
    parser.add_argument(
        "--rows", choices=tuple(ROW_NAMINGS), help="how the file names rows: ids, numbers from 0 or 1, or their order"
    )
    parser.set_defaults(usage_error=parser.error)


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes besides data, split and constraints.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The command's parser.
    """
    add_split_options(parser)
    parser.add_argument("--no-random", action="store_true", help="do not compare with random splits")
    parser.add_argument("--pairs", action="store_true", help="also measure pairs of labels that occur together")
    parser.add_argument("--report", type=Path, metavar="FILE", help="HTML to write: all that was found, on one page")


def load_split(
    options: argparse.Namespace, load: Callable[[argparse.Namespace], MultilabelDataset]
) -> tuple[MultilabelDataset, SplitFile]:
    """Load the data and read its split, and say how it was understood.

    Parameters
    ----------
    options : argparse.Namespace
        What was typed.
    load : callable
        Loads the data that the options name.

    Returns
    -------
    data : MultilabelDataset
        The data.
    split : SplitFile
        The split.
    """
    from optisplit.formats.columns import parse_label_columns
    from optisplit.split_files import read_split, read_train_test

    has_two_files = options.train is not None or options.test is not None
    _check_usage(options, has_two_files=has_two_files)
    if has_two_files:
        columns = None if options.label_columns is None else parse_label_columns(options.label_columns)
        data, split = read_train_test(options.train, options.test, label_columns=columns, label_file=options.xml)
    else:
        data = load(options)
        file: str | Path
        file, column = (_data_file(options), options.column) if options.folds is None else _given(options.folds)
        naming: Any = None if options.rows is None else ROW_NAMINGS[options.rows]
        split = read_split(file, data, column=column, kind=options.kind, rows=naming)
    for note in split.notes:
        tell(f"note: {note}")
    return data, split


def _check_usage(options: argparse.Namespace, *, has_two_files: bool) -> None:
    n_ways = (options.folds is not None) + (options.column is not None) + has_two_files
    if n_ways != 1:
        options.usage_error("give the split: one of --folds, --column, or --train with --test")
    if has_two_files and (options.train is None or options.test is None or options.data is not None):
        options.usage_error("--train and --test go together, and in place of DATA")
    if not has_two_files and options.data is None:
        options.usage_error("the following arguments are required: data")


def write_repaired(folds: FoldArray, split: SplitFile, data: MultilabelDataset, path: Path | None) -> None:
    """Write a repaired split in the form that it came in, or as folds where another kind of file is asked for.

    Parameters
    ----------
    folds : ndarray of shape (n_rows,), dtype int32
        The part of every row now.
    split : SplitFile
        The split as it was read.
    data : MultilabelDataset
        The data.
    path : Path or None
        The file; None for standard output.
    """
    if folds.max(initial=0) < split.n_parts:
        name, content = split.write_back(folds)
        ending = Path(name).suffix
        if path.suffix == ending if path is not None else ending not in (".npz", ".npy", ".zip", ".gz"):
            write(content, path)
            return
    write_folds(folds, data, path)


def report_of(data: MultilabelDataset, folds: FoldArray, n_splits: int, constraints: Mapping[str, Any]) -> Report:
    """Measure a split, against the sizes that were asked for.

    Parameters
    ----------
    data : MultilabelDataset
        The data.
    folds : ndarray of shape (n_rows,), dtype int32
        The split.
    n_splits : int
        Number of folds.
    constraints : mapping
        What it is to keep to.

    Returns
    -------
    Report
        The measures.
    """
    from optisplit.measures import evaluate

    return evaluate(data, folds, n_splits=n_splits, shares=shares_of(folds, n_splits, constraints))


def shares_of(folds: FoldArray, n_splits: int, constraints: Mapping[str, Any]) -> Any:
    """Turn the sizes that were asked for, if they were, into shares.

    Parameters
    ----------
    folds : ndarray of shape (n_rows,), dtype int32
        The split.
    n_splits : int
        Number of folds.
    constraints : mapping
        What it is to keep to.

    Returns
    -------
    ndarray of shape (n_splits,), dtype float64, or None
        The shares.
    """
    from optisplit.constraints import check_fold_sizes

    if "fold_sizes" not in constraints:
        return None
    sizes = check_fold_sizes(constraints["fold_sizes"], int((folds >= 0).sum()), n_splits)
    return sizes / sizes.sum()


def run_check(
    options: argparse.Namespace,
    load: Callable[[argparse.Namespace], MultilabelDataset],
    read_constraints: Callable[[argparse.Namespace, MultilabelDataset], dict[str, Any]],
) -> int:
    """Check a split, as the command line asks.

    Parameters
    ----------
    options : argparse.Namespace
        What was typed.
    load : callable
        Loads the data that the options name.
    read_constraints : callable
        Reads sizes and groups.

    Returns
    -------
    int
        The exit code.
    """
    from optisplit.absences import find_absences
    from optisplit.checks import N_RANDOM, check_split
    from optisplit.cli_text import absence_lines, check_lines, group_line

    check_writable(options.absences, options.report)
    data, split = load_split(options, load)
    constraints = read_constraints(options, data)
    groups = constraints.get("groups")
    with Watch() as watch:
        try:
            check = check_split(
                data,
                split,
                groups=groups,
                row_digests=_digests(options, data),
                pairs=options.pairs,
                shares=shares_of(split.folds, split.n_parts, constraints),
                n_random=0 if options.no_random else N_RANDOM,
                on_progress=watch.of_search,
            )
        except Stopped:
            tell("optisplit: stopped early; nothing was checked")
            return INTERRUPTED
    print(check.report)
    if groups is not None:
        line, is_whole = group_line(groups, split.folds)
        print(line)
        if not is_whole:  # then they did not bind the split
            groups = None
    absences = find_absences(data, split.folds, n_splits=split.n_parts, groups=groups)
    print(*absence_lines(absences, was_sought=False), *check_lines(check), sep="\n")
    if options.absences is not None:
        write(absences.to_csv(index=False), options.absences)
    if options.report is not None:
        write(check.html(), options.report)
    return 0


def _given(folds: str) -> tuple[str, str | None]:
    from optisplit.split_files.records import file_and_column

    return file_and_column(folds)


def _data_file(options: argparse.Namespace) -> Path:
    from optisplit.samples import SAMPLES, sample_file

    return sample_file(SAMPLES[options.data].files[0]) if options.data in SAMPLES else Path(options.data)


def _digests(options: argparse.Namespace, data: MultilabelDataset) -> Any:
    from optisplit.split_files import row_digests

    if options.train is not None:
        return row_digests(data, options.train, options.test)
    return row_digests(data, _data_file(options))
