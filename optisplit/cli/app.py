"""The command ``optisplit app``, which starts the app from an installed package or from a checkout."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit import cli
from optisplit.cli import ahead
from optisplit.errors import OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from optisplit.cli.answer import Answer

HIGHEST_PORT = 65_535

# in an installed package beside this module, in a checkout beside the package
_PLACES = (Path(__file__).parents[1] / "_app", Path(__file__).parents[2])


def app_folder() -> Path:
    """Tell where the app's own files are: its script, pages, picture and settings."""
    return next((place for place in _PLACES if (place / "app.py").is_file()), _PLACES[0])


def run(options: argparse.Namespace, _: Answer) -> int:
    """Serve the app until it is ended with Ctrl-C."""
    if options.port is not None and not 0 < options.port <= HIGHEST_PORT:
        msg = f"--port {options.port} is no port; give a number from 1 to {HIGHEST_PORT}."
        raise OptionError(msg)
    if importlib.util.find_spec("streamlit") is None:
        msg = (
            "The app needs the package streamlit, which is not installed; get it, in a copy of the repository, with: "
            "pip install '.[app]'"
        )
        raise OptionError(msg)
    arguments = ["streamlit", "run", str(app_folder() / "app.py")]
    if options.port is not None:
        arguments += ["--server.port", str(options.port)]
    if options.address is not None:
        arguments += ["--server.address", options.address]
    if options.no_browser:
        arguments += ["--server.headless", "true"]
    ahead.start()
    sys.argv = arguments  # as if 'python -m streamlit run' had been typed, which is what Streamlit documents
    runpy.run_module("streamlit", run_name="__main__")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``optisplit-app``."""
    return cli.main(["app", *(sys.argv[1:] if arguments is None else arguments)])
