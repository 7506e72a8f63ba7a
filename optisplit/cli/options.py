"""The options of every command; those that several have stand here once."""

from __future__ import annotations

import argparse
import pkgutil
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from optisplit.cli.spelling import ROW_NAMINGS
from optisplit.io.registry import READ_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

READING = tuple(READ_OPTIONS)
"""Options that say how to read the data, by the names of the arguments that they become."""

KINDS = ("folds", "parts")

MEASURES = "optisplit.measures.registry:MEASURES"
METHODS = "optisplit.methods:METHODS"
"""Where registries stand."""


def file_and_column(given: str) -> tuple[str, str | None]:
    """Take the longest beginning before a colon that is a file, unless the whole is."""
    if not Path(given).exists():
        for at in reversed([match.start() for match in re.finditer(":", given)]):
            if Path(given[:at]).is_file():
                return given[:at], given[at + 1 :].strip()
    return given, None


def given_only(**options: Any) -> dict[str, Any]:
    """Leave out what was not given."""
    return {name: value for name, value in options.items() if value is not None}


class Known:
    """Keys that can be typed: those of a registry, which stands at a place, or a few that only the command line has.

    Registries are imported as late as can be: some bring a good part of the library along, and ``optisplit --help`` is
    to be there at once.
    """

    def __init__(self, registry: str | Sequence[str]) -> None:
        self._registry = registry

    def __iter__(self) -> Iterator[str]:
        if not isinstance(self._registry, str):
            return iter(self._registry)
        found = pkgutil.resolve_name(self._registry)
        return iter(found() if callable(found) else found)

    def __str__(self) -> str:
        return ", ".join(self)


class Key(argparse.Action):
    """Takes one of the keys of a registry, if that is to be checked here.

    Its help lists them as ``%(known)s``, and as ``%(usual)s`` those that are taken where none is given.
    """

    def __init__(
        self, *, known: str | Sequence[str], usual: str | Sequence[str] = (), is_checked: bool = True, **options: Any
    ) -> None:
        super().__init__(**options)
        self.known, self.usual, self.is_checked = Known(known), Known(usual), is_checked

    def __call__(
        self, parser: Any, namespace: argparse.Namespace, value: Any, option_string: str | None = None
    ) -> None:
        """Take it, or say which there are."""
        if self.is_checked and value not in (known := list(self.known)):
            parser.refuse_choice(value, f"value of {self.option_strings[-1]}", known)
        setattr(namespace, self.dest, value)


Options: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"


def common_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command has."""
    group = parser.add_argument_group("for programs")
    group.add_argument("--json", action="store_true", help="print one JSON document, also of an error")
    group.add_argument(
        "--progress", action=argparse.BooleanOptionalAction, default=None,
        help="tell on standard error how far the work is (default: if that is a terminal)",
    )  # fmt: skip


def data_options(parser: argparse.ArgumentParser, *, is_required: bool = False) -> None:
    """Add the options that say what the data is and how to read it."""
    group = parser.add_argument_group("data")
    group.add_argument(
        "data", nargs=None if is_required else "?", metavar="DATA",
        help="a sample's name, a file (also .gz, .bz2, .xz), or - for standard input",
    )  # fmt: skip
    for each in READ_OPTIONS.values():
        more: dict[str, Any] = {"metavar": each.metavar}
        if each.kind == "choice":
            more = {"action": Key, "known": f"optisplit.io.registry:{each.choices}"}
        elif each.kind == "yes-no":
            more = {"action": argparse.BooleanOptionalAction}
        elif each.kind == "number":
            more["type"] = float
        help = each.help + (": %(known)s" if each.kind == "choice" else "")
        group.add_argument(each.flag, dest=each.key, help=help, **more)
    group.add_argument("--name", help="what to call data from standard input")


def n_splits_option(parser: argparse.ArgumentParser, help: str = "number of folds (default: 5)") -> None:
    """Add the option for the number of folds."""
    parser.add_argument("-k", "--n-splits", type=int, metavar="K", help=help)


def size_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the sizes of folds and for rows that stay together."""
    parser.add_argument("--fold-sizes", metavar="SIZES",
                        help="of the folds: shares that add up to 1, or numbers of rows")  # fmt: skip
    parser.add_argument("--groups", metavar="FILE[:COLUMN]",
                        help="the group of each row, or a column of DATA; groups are to stay whole")  # fmt: skip
    parser.add_argument("--unmatched", action=Key, known="optisplit.io.registry:UNMATCHED",
                        help="what to do about rows that a file of groups or fixed rows says nothing of, and about "
                        "names in a split that are no row: %(known)s (default: error)")  # fmt: skip


def balance_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for what is balanced beside the labels."""
    parser.add_argument(
        "--balance", action="append", metavar="COLUMN[=HOW][:WEIGHT]",
        help="another column of DATA to balance beside the labels; HOW: category, number, date, list or count, a "
        "number of bins, or year, quarter, month, week or day; WEIGHT: in those of a label; once for each column, or "
        "with commas between; instances: those of each label, where DATA counts them",
    )  # fmt: skip


def constraint_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for all that a split has to keep to."""
    size_options(parser)
    parser.add_argument("--fixed", metavar="FILE[:COLUMN]", help="the fold of each row whose place is given; -1: "
                        "always in training, nothing: free")  # fmt: skip


def measure_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the score to lower."""
    parser.add_argument("--measure", action=Key, known="optisplit.measures.registry:objectives",
                        help="score to lower: %(known)s (default: rld)")  # fmt: skip


def effort_option(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the option for how long to search."""
    parser.add_argument("--effort", action=Key, known="optisplit.methods.annealing.efforts:EFFORTS",
                        help=f"how long optisplit-sa looks: %(known)s (default: {default})")  # fmt: skip


def rare_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for labels that are too rare for a part."""
    parser.add_argument(
        "--rare", action=Key, known="optisplit.methods.rare:RARE",
        help="labels too rare for a part: as many of them as are due to each part, each of them in every part where "
        "possible, or as the score alone has it: %(known)s (default: share)",
    )  # fmt: skip


def output_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the file to write."""
    _add_file(parser, "--output", "file to write (default, and -: standard output)", "-o")


def _add_file(parser: Options, name: str, help: str, *short: str, **more: Any) -> None:
    parser.add_argument(*short, name, type=Path, metavar="FILE", help=help, **more)


def missing_labels_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the list of labels that are missing from folds; its old name still works."""
    _add_file(parser, "--missing-labels", "CSV to write: labels missing from folds, and why")
    _add_file(parser, "--absences", argparse.SUPPRESS, dest="missing_labels")


def form_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the form of a split that is written."""
    group = parser.add_argument_group("form of the split")
    group.add_argument(
        "--form", action=Key, known="optisplit.io.registry:FORMS",
        help="a table; JSON; NPZ; the data's own table with a column more; a zip with a file for each fold; Python for "
        "scikit-learn; JSON for Hugging Face's datasets: %(known)s (default: by the ending: .json .npz .zip .py, "
        "otherwise csv)",
    )  # fmt: skip
    group.add_argument("--fold-pairs", action="store_true", help="for files: a training and a test file for each fold")


def given_split_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where a split that exists comes from."""
    group = parser.add_argument_group("split")
    group.add_argument("--folds", metavar="FILE[:COLUMN]", help="the split in nearly any form, or - for standard input")
    group.add_argument("--part", action="append", metavar="NAME=FILE", help="once for each part, in place of --folds: "
                       "a file of its rows, as names one a line, a table or a list")  # fmt: skip
    group.add_argument("--column", metavar="NAME", help="the column of the data's own table that is the split")
    _add_file(group, "--train", "training file, in place of DATA and --folds")
    _add_file(group, "--test", "test file, to go with --train")
    group.add_argument("--kind", action=Key, known=KINDS,
                       help="folds of cross-validation, or parts, the first of which is trained on: "
                       "%(known)s")  # fmt: skip
    group.add_argument("--rows", action=Key, known=tuple(ROW_NAMINGS),
                       help="how the file names rows: ids, numbers from 0 or 1, or their order: %(known)s")  # fmt: skip


def split_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit split`` takes."""
    parser.add_argument("--method", action=Key, known=METHODS, is_checked=False,
                        help="%(known)s (default: optisplit-sa)")  # fmt: skip
    effort_option(parser, "normal")
    parser.add_argument("--pairs", action="store_true", help="also balance pairs of labels that occur together")
    parser.add_argument("--no-cover-rare", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, help="default: 0")
    parser.add_argument(
        "--kind", action=Key, known=KINDS,
        help="whether the forms that have names call them folds, or train, validation and test: %(known)s (default: "
        "parts where --fold-sizes are not all equal)",
    )  # fmt: skip
    group = parser.add_argument_group("recipe")
    _add_file(group, "--recipe", "make the split of this recipe again")
    group.add_argument("--if-different", action=Key, known=("error", "warn"),
                       help="what to do if its split comes out other than it was: %(known)s (default: "
                       "error)")  # fmt: skip
    _add_file(group, "--save-recipe", "JSON to write: how to make this split again")


def check_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit check`` takes."""
    parser.add_argument("--no-random", action="store_true", help="do not compare with random splits")
    parser.add_argument("--pairs", action="store_true", help="also measure pairs of labels that occur together")
    parser.add_argument("--tell-apart", action="store_true",
                        help="also see whether parts can be told apart by features and labels")  # fmt: skip
    _add_file(parser, "--report", "HTML to write: all that was found, on one page")
    group = parser.add_argument_group("limits", "The exit code is 1 where one is passed.")
    group.add_argument("--fail-on", action=Key, known=("fault", "warning", "never"), default="fault",
                       help="verdict from which on the exit code is 1: %(known)s (default: fault); limits always "
                       "count")  # fmt: skip
    for measure in pkgutil.resolve_name(MEASURES).values():
        group.add_argument(f"--max-{measure.key}", type=_limit, metavar="X", help=f"highest {measure.name}")
    group.add_argument("--max-excess", type=_limit, metavar="PERCENT",
                       help="how far rLD, or --measure, may be above the best possible")  # fmt: skip
    group.add_argument("--measure", action=Key, known="optisplit.measures.registry:with_excess",
                       help="score that --max-excess is about: %(known)s (default: rld)")  # fmt: skip
    group.add_argument("--max-untrainable", type=_count, metavar="N",
                       help="how many labels may have no positive in the training rows of a tested part")  # fmt: skip
    group.add_argument("--max-missing-labels", type=_count, metavar="N",
                       help="how many labels may be missing from a fold or part")  # fmt: skip


def repair_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit repair`` takes."""
    parser.add_argument("--max-moved", type=int, metavar="N", help="most rows to move (default: those that gain much)")
    parser.add_argument("--leave-missing", action="store_true",
                        help="rows that are in no part stay out; they are given one otherwise")  # fmt: skip
    effort_option(parser, "quick")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    _add_file(parser, "--moves", "CSV to write: the rows that moved, from where to where")
    _add_file(parser, "--gains", "CSV to write: the labels that changed, before and after")


def compare_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit compare`` takes."""
    parser.add_argument(
        "--methods", action=Key, known=METHODS, usual="optisplit.methods.base:DEFAULT_METHODS",
        is_checked=False,
        help="keys, with commas between: %(known)s (default: %(usual)s, as far as they take the sizes, groups and "
        "fixed rows given)",
    )  # fmt: skip
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds, from 0 (default: 3)")
    parser.add_argument("--time-limit", type=float, metavar="S", help="most seconds for one run")
    parser.add_argument("--dask", metavar="ADDRESS", help="run on the Dask cluster whose scheduler is there, such as "
                        "tcp://host:8786")  # fmt: skip


def convert_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit convert`` takes."""
    group = parser.add_argument_group("form of the labels")
    group.add_argument("--to", action=Key, known="optisplit.io.registry:writable",
                       help="format: %(known)s (default: by the file's ending; .gz, .bz2 or .xz after that "
                       "packs)")  # fmt: skip
    group.add_argument("--to-layout", action=Key, known="optisplit.io.registry:save_layouts",
                       help="how csv and tsv hold labels: %(known)s (default: one-hot)")  # fmt: skip
    group.add_argument("--to-separator", metavar="TEXT", help="what stands between labels in the layout tags (default: "
                       "cells are JSON lists)")  # fmt: skip


def paper_options(parser: argparse.ArgumentParser) -> None:
    """Add what only ``optisplit paper`` takes."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write, and to go on from")
    parser.add_argument("--data", action=Key, known="optisplit.studies.paper.catalogue:PAPER_DATA", is_checked=False,
                        help="keys, with commas between: %(known)s (default: the paper's own)")  # fmt: skip
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the authors' files are")
    parser.add_argument("--rows", action=Key, known="optisplit.studies.paper.catalogue:ROWS", is_checked=False,
                        help="lines of Table 2, with commas between: %(known)s (default: all)")  # fmt: skip
    parser.add_argument("--beforehand", action="store_true", help="run nothing: write what was made beforehand")
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds, from 0 (default: 10)")
    parser.add_argument(
        "--time-limit", type=float, default=300.0, metavar="S",
        help="most seconds for one run (default: 300); 0 for no limit: two methods then take days on the larger data",
    )  # fmt: skip


def app_options(parser: argparse.ArgumentParser) -> None:
    """Add what ``optisplit app`` takes."""
    parser.add_argument("--port", type=int, help="port to serve at (default: the first free one from 8501 on)")
    parser.add_argument("--address", help="address to serve at (default: 127.0.0.1, for this machine alone)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def _limit(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        msg = f"{text!r} is no number from 0"
        raise argparse.ArgumentTypeError(msg)
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        msg = f"{text!r} is no whole number from 0"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


@dataclass(frozen=True, slots=True)
class Command:
    """A command; what it does stands in the module of its name, in ``run``."""

    help: str  # what it does, in a few words
    options: tuple[Callable[[argparse.ArgumentParser], None], ...]  # each adds some options
    usage: tuple[str, ...] = ("DATA [options]",)  # the ways to call it


_OF_A_SPLIT = (
    "DATA --folds FILE [options]", "DATA --part NAME=FILE --part NAME=FILE [options]", "DATA --column NAME [options]",
    "--train FILE --test FILE [options]"
)  # fmt: skip

COMMANDS = {
    "info": Command(
        "say what the data is, and how its file was read",
        (partial(data_options, is_required=True), partial(
            n_splits_option, help="also list the labels on fewer rows than so many folds"), common_options),
    ),
    "split": Command(
        "divide the rows into folds",
        (data_options, n_splits_option, constraint_options, measure_option, rare_option, output_option, balance_option,
         missing_labels_option, form_options, split_options, common_options),
        ("DATA [options]", "--recipe FILE [DATA] [options]"),
    ),
    "check": Command(
        "say what is wrong with a split, and how good it is",
        (data_options, size_options, missing_labels_option, given_split_options, check_options, common_options),
        _OF_A_SPLIT,
    ),
    "repair": Command(
        "make a split that exists better, moving few rows",
        (data_options, constraint_options, measure_option, rare_option, output_option, given_split_options,
         repair_options,
         common_options),
        _OF_A_SPLIT,
    ),
    "compare": Command(
        "compare methods",
        (partial(data_options, is_required=True), n_splits_option, constraint_options, measure_option, rare_option,
         balance_option, output_option, compare_options, common_options),
    ),
    "convert": Command(
        "write the labels, or a split, in another form",
        (data_options, output_option, given_split_options, form_options, convert_options, common_options),
        ("DATA -o FILE [options]", "DATA --folds FILE -o FILE [options]"),
    ),
    "paper": Command(
        "re-run the paper's tables and figures", (paper_options, common_options), ("--out DIR [options]",)
    ),
    "app": Command("start the app in a browser", (app_options,), ("[options]",)),
}  # fmt: skip
