"""What can be typed: commands, options, and what is said of a mistake in them."""

from __future__ import annotations

import argparse
import difflib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from optisplit import __version__
from optisplit.cli.options import COMMANDS, MEASURES, Known
from optisplit.errors import OptisplitError
from optisplit.text import capital

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HELP = Path(__file__).with_name("help")


class UsageError(OptisplitError):
    """Raised when what was typed is no command that there is.

    Parameters
    ----------
    message : str
        What is wrong, and perhaps what was meant.
    prog : str
        The command, as typed: ``optisplit check``.
    """

    def __init__(self, message: str, prog: str) -> None:
        super().__init__(message, prog)
        self.prog = prog

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def command(self) -> str | None:
        """The name of the command; None where there was none."""
        return self.prog.partition(" ")[2] or None


class Parser(argparse.ArgumentParser):
    """A parser that says in one sentence what is wrong, and what may have been meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options)

    def format_help(self) -> str:
        """Write the help; what stands below the options comes in part from registries, which take long to load."""
        self.epilog = _help_text(self.prog.rpartition(" ")[2])
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Say what is wrong."""
        raise UsageError(message if message.endswith((".", "?")) else f"{message}.", self.prog)

    def refuse_choice(self, got: str, what: str, known: Iterable[str]) -> NoReturn:
        """Say that there is no such command or value, which there are, and which was meant perhaps."""
        self.error(f"{got!r} is no {what}; choose from {', '.join(known)}.{_near(got, known)}")

    def refuse_rest(self, left: Sequence[str]) -> NoReturn:
        """Say what is wrong with words that no option took."""
        options = [each.partition("=")[0] for each in left if each.startswith("-") and each != "-"]
        if not options:
            self.error(f"{left[0]!r} is one argument too many")
        known = [option for action in self._actions for option in action.option_strings if option.startswith("--")]
        self.error(f"There is no option {options[0]!r}.{_near(options[0], known)}")


def parse(typed: Sequence[str]) -> argparse.Namespace:
    """Understand what was typed."""
    name = typed[0] if typed else "--"
    if name not in COMMANDS:
        parser = _overview()
        if not name.startswith("-"):
            parser.refuse_choice(name, "command", COMMANDS)
        if not typed or {"-h", "--help", "--version"} & set(typed):
            parser.parse_args(typed)  # prints the help or the version and ends; without a command it says so
        parser.error(f"{name!r} stands before the command; its options come after it")
    command = COMMANDS[name]
    parser = Parser(
        prog=f"optisplit {name}",
        usage="\n       ".join(f"optisplit {name} {each}" for each in command.usage),
        description=f"{capital(command.help)}.",
    )
    parser.set_defaults(command=name, json=False, progress=None, usage_error=parser.error)
    for add in command.options:
        add(parser)
    options, left = parser.parse_known_args(typed[1:])
    if left:
        parser.refuse_rest(left)
    return options


def _overview() -> Parser:
    parser = Parser(prog="optisplit", description="Split multilabel data into folds, and measure how good a split is.")
    parser.add_argument("--version", action="version", version=f"optisplit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.help)
    return parser


def _help_text(name: str) -> str:
    """Read what stands below the options, with the parts that several commands have: examples, forms, documents."""

    def part(found: re.Match[str]) -> str:
        return str(Known(MEASURES)) if found[1] == "measures" else _help_text(found[1])

    return re.sub(r"\{(\w+)\}", part, (_HELP / f"{name}.txt").read_text(encoding="utf-8"))


def _near(got: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(got, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
