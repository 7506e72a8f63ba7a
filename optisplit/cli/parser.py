"""What can be typed: commands, options, and what is said of a mistake in them."""

from __future__ import annotations

import argparse
import difflib
import re
from typing import TYPE_CHECKING, Any, NoReturn

from optisplit import __version__
from optisplit.errors import OptisplitError

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHOICE = re.compile(
    r"(?:argument (?P<where>[^:]+): )?invalid choice: (?P<got>'.*?'|\S+) \(choose from (?P<known>.*)\)$"
)
_USAGE = {
    "info": "DATA [options]",
    "split": "DATA [options]\n       optisplit split --recipe FILE [DATA] [options]",
    "check": "DATA --folds FILE [options]\n       optisplit check DATA --column NAME [options]\n       "
    "optisplit check --train FILE --test FILE [options]",
    "repair": "DATA --folds FILE [options]\n       optisplit repair DATA --column NAME [options]\n       "
    "optisplit repair --train FILE --test FILE [options]",
    "compare": "DATA [options]",
    "convert": "DATA -o FILE [options]\n       optisplit convert DATA --folds FILE -o FILE [options]",
    "paper": "--out DIR [options]",
}

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


class UsageError(OptisplitError):
    """Raised when what was typed is no command that there is.

    Parameters
    ----------
    prog : str
        The command, as typed: ``optisplit check``.
    message : str
        What is wrong, and perhaps what was meant.
    """

    def __init__(self, prog: str, message: str) -> None:
        super().__init__(message, prog)
        self.prog = prog

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def command(self) -> str | None:
        """The name of the command; None where none was understood."""
        return self.prog.partition(" ")[2] or None


class Parser(argparse.ArgumentParser):
    """A parser that says in one sentence what is wrong, and what may have been meant."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong."""
        raise UsageError(self.prog, _in_a_sentence(message))


def parse(typed: Sequence[str]) -> argparse.Namespace:
    """Understand what was typed."""
    options, left = make_parser().parse_known_args(typed)
    if left:
        options.usage_error(_unknown(left, options.known_options))
    return options


def make_parser() -> Parser:
    """Build the parser of all commands."""
    from optisplit.cli import help_texts, launch, options
    from optisplit.cli.app import run_app
    from optisplit.cli.check import run_check
    from optisplit.cli.compare import run_compare
    from optisplit.cli.convert import run_convert
    from optisplit.cli.info import run_info
    from optisplit.cli.paper import run_paper
    from optisplit.cli.repair import run_repair
    from optisplit.cli.split import run_split

    parser = Parser(
        prog="optisplit",
        description="Split multilabel data into folds, and measure how good a split is.",
        epilog=help_texts.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"optisplit {__version__}")
    commands: Any = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, run: Any, help: str, *parents: Any, more: Any = None, has_document: bool = True) -> None:
        added = commands.add_parser(
            name,
            parents=[*parents, options.common_options()] if has_document else list(parents),
            help=help,
            usage=f"optisplit {name} {_USAGE.get(name, '[options]')}",
            description=f"{help[0].upper()}{help[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if more is not None:
            more(added)
        added.set_defaults(
            run=run,
            command=name,
            json=False,
            progress=None,
            usage_error=added.error,
            known_options=tuple(dict.fromkeys(_OPTION.findall(added.format_help()))),
        )
        added.epilog = help_texts.epilog(name)  # it has options of other commands too

    data, perhaps_data = options.data_options(is_required=True), options.data_options(is_required=False)
    limits = [options.n_splits_option(), *options.constraint_options(), options.measure_option()]
    absences, output = options.absences_option(), options.output_option()
    add("info", run_info, "say what the data is, and how its file was read", data,
        options.n_splits_option("also list the labels on fewer rows than so many folds"))  # fmt: skip
    add("split", run_split, "divide the rows into folds", perhaps_data, *limits, output, absences,
        options.form_options(), more=options.add_split_options)  # fmt: skip
    add("check", run_check, "say what is wrong with a split, and how good it is", perhaps_data,
        *options.constraint_options("fixed"), absences, options.given_split_options(),
        more=options.add_check_options)  # fmt: skip
    add("repair", run_repair, "make a split that exists better, moving few rows", perhaps_data,
        *options.constraint_options(), options.measure_option(), output, options.given_split_options(),
        more=options.add_repair_options)  # fmt: skip
    add("compare", run_compare, "compare methods", data, *limits, output, more=options.add_compare_options)
    add("convert", run_convert, "write the labels, or a split, in another form", perhaps_data, output,
        options.given_split_options(), options.form_options(), more=options.add_convert_options)  # fmt: skip
    add("paper", run_paper, "re-run the paper's tables and figures", more=options.add_paper_options)
    add("app", run_app, "start the app in a browser", more=launch.add_options, has_document=False)
    return parser


def _in_a_sentence(message: str) -> str:
    found = _CHOICE.match(message)
    if found is None:
        return message if message.endswith((".", "?")) else f"{message}."
    got = found["got"].strip("'\"")
    known = [each.strip(" '\"") for each in found["known"].split(",")]
    where = found["where"] or ""
    what = "command" if where == "COMMAND" else f"value of {where.rpartition('/')[2]}"
    return f"{got!r} is no {what}; choose from {', '.join(known)}.{_near(got, known)}"


def _unknown(left: Sequence[str], known: Sequence[str]) -> str:
    options = [each.partition("=")[0] for each in left if each.startswith("-") and each != "-"]
    if not options:
        return f"{left[0]!r} is one argument too many."
    return f"There is no option {options[0]!r}.{_near(options[0], known)}"


def _near(got: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(got, known, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
