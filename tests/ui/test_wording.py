"""What is wrong, in the app's own words."""

from __future__ import annotations

import ast
import re

from conftest import ROOT

from optisplit.errors import Argument, OptionError, argument
from optisplit.ui.spelling import in_app
from optisplit.ui.widgets import complaint, said


def test_arguments_are_called_as_on_the_page():
    assert in_app(Argument("label_columns")) == "“Label columns”"
    assert in_app(Argument("label_columns", 5)) == "“Label columns”: 5"
    assert in_app(Argument("label_columns", ["row", "label"])) == "“Label columns”: row, label"
    assert in_app(Argument("layout", "tags")) == "“Where a table has its labels”: One column with a list of labels"
    assert in_app(Argument("format", "npz")) == "“Format”: NumPy or SciPy, .npz"
    assert in_app(Argument("label_file")) == "a second upload"
    assert in_app(Argument("random_state", 3)) == "random_state=3"


def test_errors_are_worded_and_escaped():
    error = OptionError(argument("label_columns", 5) + " does not fit 3 columns.\nHint: *less*.")
    assert said(error) == r"“Label columns”\: 5 does not fit 3 columns\. Hint\: \*less\*\."
    assert complaint(error) == f":small[:red[{said(error)}]]"
    assert complaint("*No*") == r":small[:red[\*No\*]]"


BANNED = {
    r"\w\((s|es|ies)\)": "write the plural by number: optisplit.text.counted",
    r"[\d}]%(?![a-zA-Z(])": "write a percentage as optisplit.text.percent does, with a space",
    r"\bmend": "repair",
    r"\b[Dd]atasets?\b(?!\[|\.)": "data set",
    r"\b(data ?points?|[Oo]bservations)\b": "row",
    r"\bmetrics?\b": "measure",
    r"\b[Ll]ower bounds?\b|\b[Oo]ptimum\b": "bound, best possible",
}
"""What is not written where people read it, and what is."""

THEIR_OWN = (
    "width: 100%",
    "width:100%",
    'width="100%"',
    "ratios of datasets",
    "Novel split quality measures",
    "Hugging Face",
)
"""Style sheets, titles of works, and names of others."""


def texts_of(path):
    """Give the texts in a module that may be shown, f-strings with their formats, docstrings left out."""
    source = path.read_text(encoding="utf-8")
    if not any(re.search(pattern, source) for pattern in BANNED):  # quicker than to take every file apart
        return
    tree = ast.parse(source)
    passed = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            passed |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Constant | ast.JoinedStr)}
            yield node.lineno, "".join(_written(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value


def _written(part):
    if isinstance(part, ast.Constant):
        return part.value
    return "{}" if part.format_spec is None else "{:" + ast.unparse(part.format_spec)[2:-1] + "}"


def test_what_is_shown_is_spelt_in_one_way():
    files = [*(ROOT / "optisplit").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text[:80]!r}; write: {better}"
        for path in files for line, text in texts_of(path) if not any(each in text for each in THEIR_OWN)
        for pattern, better in BANNED.items()
        if (re.search(pattern, text) or ("%" in pattern and re.search(r"\{:[^}]*%\}", text)))
    ]  # fmt: skip
    assert found == []


def test_the_guide_is_spelt_in_the_same_way():
    patterns = (r"\w\((s|es|ies)\)", r"\d%(?![a-zA-Z(0-9'}])")
    found = [
        f"{path.relative_to(ROOT)}: {hit.group()}"
        for path in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"]
        for pattern in patterns
        for hit in re.finditer(pattern, path.read_text(encoding="utf-8"))
    ]
    assert found == []
