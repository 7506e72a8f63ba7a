"""The command line: ``optisplit info | split | check | repair | compare | convert | paper | app``."""

from __future__ import annotations

import os
import pkgutil
import sys
from typing import TYPE_CHECKING

from optisplit.cli.answer import Answer, error_document, print_document
from optisplit.cli.parser import UsageError, parse
from optisplit.cli.spelling import in_options
from optisplit.cli.terminal import INTERRUPTED, Ended, ended_by_signals, plain_warnings, prepare_streams
from optisplit.errors import OptisplitError
from optisplit.io.target import together

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

BROKEN_PIPE = 141
"""Exit code where whoever read the output went away, by the custom of shells."""

__all__ = ["BROKEN_PIPE", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    typed = list(sys.argv[1:] if arguments is None else arguments)
    wants_json = "--json" in typed
    command: str | None = None
    prepare_streams()
    try:
        options = parse(typed)
        command = options.command
        with ended_by_signals():
            return _run(options)
    except UsageError as error:
        told = f"{error.prog}: {error}\nSee: {error.prog} --help"
        return _failed(error, told, command or error.command, as_json=wants_json)
    except OptisplitError as error:
        return _failed(error, f"optisplit: {error.worded(in_options)}", command, as_json=wants_json)
    except BrokenPipeError:
        _let_go_of_output()
        return BROKEN_PIPE
    except OSError as error:  # files have errors of their own, so it is standard output, such as on a full disk
        print(f"optisplit: standard output cannot be written: {error.strerror or error}.", file=sys.stderr)
        _let_go_of_output()
        return 2
    except Ended as error:
        return 128 + error.number
    except KeyboardInterrupt:
        print("\noptisplit: interrupted", file=sys.stderr)
        if wants_json:
            print_document(error_document(command, "Interrupted", "interrupted", INTERRUPTED))
        return INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    answer = Answer(options.command, as_json=options.json, progress=options.progress)
    run = pkgutil.resolve_name(f"optisplit.cli.{options.command}:run")
    with plain_warnings(answer.warned), together():
        code = int(run(options, answer))
    answer.finish(code)
    sys.stdout.flush()  # here, so that a reader who went away is noticed here
    return code


def _failed(error: OptisplitError, told: str, command: str | None, *, as_json: bool) -> int:
    print(told, file=sys.stderr)
    if as_json:
        print_document(error_document(command, type(error).__name__, error.worded(in_options), 2))
    return 2


def _let_go_of_output() -> None:
    """Keep Python from trying once more, at its end, to write what nobody reads."""
    try:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
    except (OSError, ValueError):  # no real file, as in a test
        return
