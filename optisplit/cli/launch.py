"""Starting the app, from an installed package or from a checkout."""

from __future__ import annotations

import argparse
import importlib.util
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

HIGHEST_PORT = 65_535

# in an installed package beside this module, in a checkout beside the package
_PLACES = (Path(__file__).parents[1] / "_app", Path(__file__).parents[2])


def app_folder() -> Path:
    """Tell where the app's own files are: its script, pages, picture and settings."""
    return next((place for place in _PLACES if (place / "app.py").is_file()), _PLACES[0])


def run_app(port: int | None = None, *, address: str | None = None, open_browser: bool = True) -> None:
    """Serve the app until it is ended with Ctrl-C."""
    if port is not None and not 0 < port <= HIGHEST_PORT:
        msg = f"port={port} is no port; give a number from 1 to {HIGHEST_PORT}."
        raise OptionError(msg)
    if importlib.util.find_spec("streamlit") is None:
        msg = "The app needs the package streamlit, which is not installed; get it with: pip install 'optisplit[app]'"
        raise OptionError(msg)
    arguments = ["streamlit", "run", str(app_folder() / "app.py")]
    if port is not None:
        arguments += ["--server.port", str(port)]
    if address is not None:
        arguments += ["--server.address", address]
    if not open_browser:
        arguments += ["--server.headless", "true"]
    sys.argv = arguments  # as if 'python -m streamlit run' had been typed, which is what Streamlit documents
    runpy.run_module("streamlit", run_name="__main__")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command that starts the app."""
    parser.add_argument("--port", type=int, help="port to serve at (default: the first free one from 8501 on)")
    parser.add_argument("--address", help="address to serve at (default: 127.0.0.1, for this machine alone)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``optisplit-app``."""
    parser = argparse.ArgumentParser(prog="optisplit-app", description="Start OptiSplit's app in a browser.")
    add_options(parser)
    options = parser.parse_args(arguments)
    try:
        run_app(options.port, address=options.address, open_browser=not options.no_browser)
    except OptionError as error:
        sys.stderr.write(f"optisplit-app: {error}\n")
        return 2
    return 0
