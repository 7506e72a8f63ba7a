"""The command ``optisplit app``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from optisplit.cli.answer import Answer


def run_app(options: argparse.Namespace, answer: Answer) -> int:
    """Start the app, which goes on until Ctrl-C."""
    from optisplit.cli import launch

    launch.run_app(options.port, address=options.address, open_browser=not options.no_browser)
    return 0
