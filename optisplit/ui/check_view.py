"""The page that checks a split: the form above, and below it what the latest check found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.ui import check_form, check_result

if TYPE_CHECKING:
    from optisplit.ui.datasets import ChosenData


def show(chosen: ChosenData) -> None:
    """Draw the page.

    Parameters
    ----------
    chosen : ChosenData
        The data.
    """
    check_form.show(chosen)
    check_result.show(chosen)
