"""What is wrong, in the app's own words."""

from __future__ import annotations

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
