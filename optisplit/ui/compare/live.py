"""The rows of a comparison that is running, as its methods finish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.methods import METHODS
from optisplit.plots.summary import summary_info
from optisplit.ui import session
from optisplit.ui.compare import board
from optisplit.ui.compare.request import so_far

if TYPE_CHECKING:
    from optisplit.comparison.runs import Run
    from optisplit.plots.summary import SummaryInfo
    from optisplit.ui.compare.request import CompareRequest
    from optisplit.ui.jobs import Job


AFTER_S = 2.0
"""A comparison that takes no longer has no rows on the way: to draw them would hold up its verdict by half as much."""


def show(job: Job) -> None:
    """Draw the leaderboard of what has been done until now; nothing before the first run has ended."""
    runs: tuple[Run, ...] = job.so_far or ()
    if runs and job.elapsed_s > AFTER_S:
        request: CompareRequest = job.request
        info = _info((job.id, str(len(runs))), request, runs)
        known = {row.method for row in info.rows}
        board.show(info, "live", [METHODS[key].name for key in request.methods if key not in known])


@session.cached_for_session(max_entries=2)
def _info(of: tuple[str, ...], _request: CompareRequest, _runs: tuple[Run, ...]) -> SummaryInfo:
    return summary_info(so_far(_request, _runs), {key: method.name for key, method in METHODS.items()})
