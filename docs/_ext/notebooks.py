"""Notebooks as pages: their code runs while the guide is built, and what it shows needs no script."""

from __future__ import annotations

import ast
import contextlib
import html
import io
import json
import tempfile
from typing import TYPE_CHECKING, Any

from myst_parser.parsers.sphinx_ import MystParser

if TYPE_CHECKING:
    from docutils import nodes


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown that it would be if its outputs were written down."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Run the cells, and parse what comes of them."""
        names: dict[str, Any] = {}
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            pieces = [_piece(cell, names) for cell in json.loads(inputstring)["cells"]]
        super().parse("\n\n".join(pieces), document)


def _piece(cell: dict[str, Any], names: dict[str, Any]) -> str:
    text = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return text
    printed, shown = _run(text, names)
    said = f"````{{code-block}} text\n{printed}\n````\n\n" if printed else ""
    return f"````{{code-block}} python\n{text}\n````\n\n{said}" + (f"````{{raw}} html\n{shown}\n````" if shown else "")


def _run(text: str, names: dict[str, Any]) -> tuple[str, str]:
    """Run a cell, and give what it prints, and how the value that it ends with shows itself."""
    body = ast.parse(text).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "notebook", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
    if value is None:
        return printed.getvalue(), ""
    show = getattr(value, "_repr_html_", None)
    piece = f"<pre>{html.escape(repr(value))}</pre>" if show is None else show()
    return printed.getvalue(), f'<div class="output">{piece}</div>'


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of the parser."""
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
