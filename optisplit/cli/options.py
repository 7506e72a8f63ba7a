"""The options of every command; those that several have are built once."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit.errors import in_python

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.errors import Argument

METHOD_KEYS = ("random", "is", "sois", "ss", "pmbsrs", "skml-is", "skml-sois", "iterstrat", "optisplit", "optisplit-sa")
DEFAULT_METHOD = "optisplit-sa"
DEFAULT_METHODS = ("random", "is", "optisplit", "optisplit-sa")
SIZED_METHODS = ("random", "is", "optisplit-sa")
"""Those to compare where parts have sizes of their own."""
ABLE_METHODS = ("random", "optisplit-sa")
"""Those that take groups and fixed rows too."""
EFFORTS = ("quick", "normal", "thorough")
FORMATS = ("arff", "npz", "npy", "delimited", "parquet", "jsonl", "libsvm", "xmc", "xmc-labels", "idtext")
LAYOUTS = ("one-hot", "tags", "wide", "long")
MISSING = ("error", "zero", "drop-rows", "drop-labels")
SAVE_FORMATS = ("csv", "tsv", "jsonl", "parquet", "npz", "libsvm", "xmc", "xmc-labels", "mulan", "meka")
SAVE_LAYOUTS = ("one-hot", "tags", "long")
FORMS = ("csv", "json", "npz", "column", "files", "predefined", "huggingface")
FAIL_ON = ("fault", "warning", "never")

ROW_NAMINGS = {"ids": "ids", "0": "from 0", "1": "from 1", "order": "order"}
"""What can be typed after --rows, and what it is called in :func:`optisplit.read_split`."""

SPELLING = {
    ("load", "format"): "--format", ("load", "layout"): "--layout", ("load", "label_columns"): "--label-columns",
    ("load", "missing"): "--missing", ("load", "label_separator"): "--label-separator",
    ("load", "label_file"): "--xml", ("load", "names"): "--names", ("save", "format"): "--to",
    ("save", "layout"): "--to-layout", ("save", "label_separator"): "--to-separator", ("read_split", "rows"): "--rows",
}  # fmt: skip
"""What arguments of functions are called here; the others keep their names."""

READING = ("format", "layout", "label_columns", "label_separator", "names", "xml", "missing")
"""Options that say how to read the data."""


def in_options(argument: Argument) -> str:
    """Call an argument, and its value, as they are typed here."""
    option, value = SPELLING.get((argument.of, argument.name)), argument.value
    if option is None:
        return in_python(argument)
    if value is ...:
        return option
    if argument.name == "rows":
        value = next(typed for typed, meant in ROW_NAMINGS.items() if meant == value)
    return f"{option} {','.join(map(str, value)) if isinstance(value, list | tuple) else value}"


def _parent() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(add_help=False, allow_abbrev=False)


def common_options() -> argparse.ArgumentParser:
    """Build the options that every command has."""
    parent = _parent()
    group = parent.add_argument_group("for programs")
    group.add_argument("--json", action="store_true", help="print one JSON document, also of an error")
    group.add_argument(
        "--progress", action=argparse.BooleanOptionalAction, default=None,
        help="tell on standard error how far the work is (default: if that is a terminal)",
    )  # fmt: skip
    return parent


def data_options(*, is_required: bool) -> argparse.ArgumentParser:
    """Build the options that say what the data is and how to read it."""
    parent = _parent()
    group = parent.add_argument_group("data")
    group.add_argument(
        "data", nargs=None if is_required else "?", metavar="DATA",
        help="a sample's name, a file (also .gz, .bz2, .xz), or - for standard input",
    )  # fmt: skip
    group.add_argument("--format", choices=FORMATS, help="of the file, where its content should not decide")
    group.add_argument("--layout", choices=LAYOUTS, help="how a table holds labels: a 0/1 column for each, a column of "
                       "lists, several columns of names, or a line for each pair of row and label")  # fmt: skip
    group.add_argument(
        "--label-columns", metavar="COLUMNS",
        help="labels of an ARFF or table: N for the last N columns, -N for the first N, or names with commas between",
    )  # fmt: skip
    group.add_argument("--label-separator", metavar="TEXT", help="what stands between the labels of a cell")
    group.add_argument("--names", metavar="FILE", help="label names, one a line, for formats that have numbers only")
    group.add_argument("--xml", metavar="FILE", help="MULAN's XML that names the labels, if it is not beside the .arff")
    group.add_argument("--missing", choices=MISSING, help="what label cells without a value become (default: error)")
    group.add_argument("--name", help="what to call data from standard input")
    return parent


def n_splits_option(help: str = "number of folds (default: 5)") -> argparse.ArgumentParser:
    """Build the option for the number of folds."""
    parent = _parent()
    parent.add_argument("-k", "--n-splits", type=int, metavar="K", help=help)
    return parent


def constraint_options(*without: str) -> list[argparse.ArgumentParser]:
    """Build the options for what a split has to keep to."""
    told: Mapping[str, dict[str, Any]] = {
        "fold_sizes": {"metavar": "SIZES", "help": "of the folds: shares that add up to 1, or numbers of rows"},
        "groups": {"metavar": "FILE[:COLUMN]", "help": "the group of each row; groups are to stay whole"},
        "fixed": {
            "metavar": "FILE[:COLUMN]",
            "help": "the fold of each row whose place is given; -1: always in training, nothing: free",
        },
    }
    parents = []
    for name, details in told.items():
        if name not in without:
            parent = _parent()
            parent.add_argument(f"--{name.replace('_', '-')}", **details)
            parents.append(parent)
    return parents


def measure_option() -> argparse.ArgumentParser:
    """Build the option for the score to lower."""
    parent = _parent()
    parent.add_argument("--measure", choices=("rld", "dcp", "ld"), help="score to lower (default: rld)")
    return parent


def output_option() -> argparse.ArgumentParser:
    """Build the option for the file to write."""
    parent = _parent()
    parent.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="file to write (default, and -: standard output)"
    )
    return parent


def absences_option() -> argparse.ArgumentParser:
    """Build the option for the list of labels that folds lack."""
    parent = _parent()
    parent.add_argument(
        "--absences", type=Path, metavar="FILE", help="CSV to write: labels missing from folds, and why"
    )
    return parent


def form_options() -> argparse.ArgumentParser:
    """Build the options for the form of a split that is written."""
    parent = _parent()
    group = parent.add_argument_group("form of the split")
    group.add_argument(
        "--form", choices=FORMS,
        help="a table; JSON; NPZ; the data's own table with a column more; a zip with a file for each fold; Python for "
        "scikit-learn; JSON for Hugging Face's datasets (default: by the ending: .json .npz .zip .py, otherwise csv)",
    )  # fmt: skip
    group.add_argument("--fold-pairs", action="store_true", help="for files: a training and a test file for each fold")
    return parent


def given_split_options() -> argparse.ArgumentParser:
    """Build the options that say where a split that exists comes from."""
    parent = _parent()
    group = parent.add_argument_group("split")
    group.add_argument("--folds", metavar="FILE[:COLUMN]", help="the split in nearly any form, or - for standard input")
    group.add_argument("--column", metavar="NAME", help="the column of the data's own table that is the split")
    group.add_argument("--train", type=Path, metavar="FILE", help="training file, in place of DATA and --folds")
    group.add_argument("--test", type=Path, metavar="FILE", help="test file, to go with --train")
    group.add_argument(
        "--kind", choices=("folds", "parts"), help="folds of cross-validation, or parts: the first is trained on"
    )
    group.add_argument(
        "--rows", choices=tuple(ROW_NAMINGS), help="how the file names rows: ids, numbers from 0 or 1, or their order"
    )
    return parent


def add_split_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit split`` takes."""
    parser.add_argument("--method", help=f"{', '.join(METHOD_KEYS)} (default: {DEFAULT_METHOD})")
    parser.add_argument("--effort", choices=EFFORTS, help="how long optisplit-sa looks (default: normal)")
    parser.add_argument("--pairs", action="store_true", help="also balance pairs of labels that occur together")
    parser.add_argument(
        "--no-cover-rare",
        action="store_true",
        help="leave rare labels out of a fold where that makes the score better",
    )
    parser.add_argument("--seed", type=int, help="default: 0")
    parser.add_argument(
        "--kind", choices=("folds", "parts"),
        help="whether the forms that have names call them folds, or train, validation and test (default: parts where "
        "--fold-sizes are not all equal)",
    )  # fmt: skip
    group = parser.add_argument_group("recipe")
    group.add_argument("--recipe", type=Path, metavar="FILE", help="make the split of this recipe again")
    group.add_argument("--if-different", choices=("error", "warn"),
                       help="what to do if its split comes out other than it was (default: error)")  # fmt: skip
    group.add_argument("--save-recipe", type=Path, metavar="FILE", help="JSON to write: how to make this split again")


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit check`` takes."""
    parser.add_argument("--no-random", action="store_true", help="do not compare with random splits")
    parser.add_argument("--pairs", action="store_true", help="also measure pairs of labels that occur together")
    parser.add_argument("--report", type=Path, metavar="FILE", help="HTML to write: all that was found, on one page")
    group = parser.add_argument_group("limits", "The exit code is 1 where one is passed.")
    group.add_argument("--fail-on", choices=FAIL_ON, default="fault",
                       help="verdict from which on the exit code is 1 (default: fault); limits always "
                       "count")  # fmt: skip
    for measure, name in (("rld", "rLD"), ("dcp", "DCP"), ("ld", "LD"), ("ed", "ED")):
        group.add_argument(f"--max-{measure}", type=limit, metavar="X", help=f"highest {name}")
    group.add_argument("--max-excess", type=limit, metavar="PERCENT",
                       help="how far rLD, or --measure, may be above the best attainable")  # fmt: skip
    group.add_argument("--measure", choices=("rld", "dcp"), help="score that --max-excess is about (default: rld)")
    group.add_argument("--max-untrainable", type=count, metavar="N",
                       help="how many labels may have no positive in the training rows of a tested part")  # fmt: skip
    group.add_argument("--max-missing-labels", type=count, metavar="N",
                       help="how many labels may be missing from a fold or part")  # fmt: skip


def add_repair_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit repair`` takes."""
    parser.add_argument("--max-moved", type=int, metavar="N", help="most rows to move (default: those that gain much)")
    parser.add_argument("--effort", choices=EFFORTS, help="how long to look (default: quick)")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    parser.add_argument(
        "--moves", type=Path, metavar="FILE", help="CSV to write: the rows that moved, from where to where"
    )
    parser.add_argument(
        "--gains", type=Path, metavar="FILE", help="CSV to write: the labels that changed, before and after"
    )


def add_compare_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit compare`` takes."""
    parser.add_argument(
        "--methods",
        help=f"keys, with commas between: {', '.join(METHOD_KEYS)} (default: {','.join(DEFAULT_METHODS)}; with sizes "
        f"{','.join(SIZED_METHODS)}; with groups or fixed rows {','.join(ABLE_METHODS)}, which alone take these)",
    )
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds, from 0 (default: 3)")
    parser.add_argument("--time-limit", type=float, metavar="S", help="most seconds for one run")
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="run on the Dask cluster whose scheduler is there, such as tcp://host:8786"
    )


def add_convert_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit convert`` takes."""
    group = parser.add_argument_group("form of the labels")
    group.add_argument("--to", choices=SAVE_FORMATS, help="format (default: by the ending: .csv .tsv .jsonl .parquet "
                       ".npz .libsvm .arff; then .gz, .bz2 or .xz packs)")  # fmt: skip
    group.add_argument("--to-layout", choices=SAVE_LAYOUTS, help="how csv and tsv hold labels (default: one-hot)")
    group.add_argument("--to-separator", metavar="TEXT", help="what stands between labels in the layout tags (default: "
                       "cells are JSON lists)")  # fmt: skip


def add_paper_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit paper`` takes."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write, and to go on from")
    parser.add_argument("--data", metavar="KEYS", help="with commas between (default: all at hand): mediamill, bibtex, "
                        "delicious, cc, mf, bp, wiki10_31k")  # fmt: skip
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the authors' files or the stand-ins are")
    parser.add_argument("--rows", metavar="KEYS", help="lines of Table 2, with commas between (default: all): random, "
                        "pmbsrs, ss, skml-is, is, skml-sois, sois, optisplit-dcp, optisplit-rld, "
                        "optisplit-sa")  # fmt: skip
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds, from 0 (default: 10)")
    parser.add_argument(
        "--time-limit", type=float, default=300.0, metavar="S",
        help="most seconds for one run (default: 300); 0 for no limit: two methods then take days on the larger data",
    )  # fmt: skip
    parser.add_argument("--printed", type=Path, metavar="FILE", help="CSV with more of the article's numbers")


def limit(text: str) -> float:
    """Read a limit."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        msg = f"{text!r} is no number from 0"
        raise argparse.ArgumentTypeError(msg)
    return value


def count(text: str) -> int:
    """Read how many there may be."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        msg = f"{text!r} is no whole number from 0"
        raise argparse.ArgumentTypeError(msg)
    return int(text)
