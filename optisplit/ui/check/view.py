"""The page that checks a split: the form above, and below it what the latest check found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.ui.check import form, result

if TYPE_CHECKING:
    from optisplit.ui.datasets import ChosenData


def show(chosen: ChosenData) -> None:
    """Draw the page."""
    form.show(chosen)
    result.show(chosen)
