"""The product's name, mark and sentence, as they stand on every page and before any page is there."""

from __future__ import annotations

from base64 import b64encode
from functools import cache

from optisplit.cli.app import app_folder

NAME = "OptiSplit"

SENTENCE = "Divides multilabel data so that every label, even a rare one, has its fair share of every fold."

ASSETS = app_folder() / "assets"

STYLE_FILE = ASSETS / "app.css"

ICON_FILE = ASSETS / "icon.svg"


MASTHEAD = f'<div class="masthead"><i></i><b>{NAME}</b><span>{SENTENCE}</span></div>'
"""The line at the top of every page, as HTML."""

PAPER = {"light": "#ffffff", "dark": "#171614"}
"""What is behind everything."""

_MARK = """<style>
#root .masthead {{ background: light-dark({light}, {dark}); }}
#root .masthead i {{ background: url('data:image/svg+xml;base64,{mark}'); }}
</style>"""


@cache
def style() -> str:
    """Give the style of all pages as HTML."""
    mark = b64encode(ICON_FILE.read_bytes()).decode()
    return f"<style>{STYLE_FILE.read_text(encoding='utf-8')}</style>{_MARK.format(**PAPER, mark=mark)}"
