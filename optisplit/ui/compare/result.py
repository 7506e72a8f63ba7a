"""What a comparison gave, on one screen: the verdict, the methods beside each other, and the split to take away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.io.writers.splits import split_bytes
from optisplit.measures.grade import GRADED_BY
from optisplit.measures.registry import in_words
from optisplit.measures.shown import left_out_sentence
from optisplit.methods import METHODS
from optisplit.methods.abilities import left_out_words
from optisplit.plots import fold_maps_info, plot_fold_maps
from optisplit.plots.summary import summary_info
from optisplit.text import counted
from optisplit.ui import groups_file, jobs_panel, keys, session
from optisplit.ui.compare import board, details, links, take_away
from optisplit.ui.forms import show_panels
from optisplit.ui.widgets import COLOURS, download, download_table, md

if TYPE_CHECKING:
    from optisplit.comparison.experiment import ComparisonResult
    from optisplit.plots.summary import SummaryInfo
    from optisplit.ui.compare.request import CompareRequest
    from optisplit.ui.jobs import Job

ICONS = {"ok": "check_circle", "warning": "warning", "fault": "error"}


def show(job: Job) -> None:
    """Show the latest comparison of this session."""
    result: ComparisonResult = job.result
    request: CompareRequest = job.request
    latest = jobs_panel.current_job()
    info = _info((job.id,), result)
    if job is latest:
        jobs_panel.to_the_top(job, keys.COMPARE_SEEN)
    is_earlier = latest is not None and latest.kind == "compare" and job is not latest
    _torn(result, request)
    _verdict(info, result, request, is_earlier=is_earlier)
    if request.division.warning:
        st.warning(md(request.division.warning), icon=":material/warning:")
    board.show(info, "board")
    if request.left_out:
        st.caption(md(left_out_words(request.left_out, request.needed)))
    take_away.show_stopped(result, request)
    if info.done:
        _maps(job.id, info, request)
    with st.container(horizontal=True, key="more"):
        _more(info, result, request)
    if info.done:
        details.show(job.id, result, request, info)


@session.cached_for_session(max_entries=4)
def _info(of: tuple[str, ...], _result: ComparisonResult) -> SummaryInfo:
    return summary_info(_result, {key: method.name for key, method in METHODS.items()})


def _verdict(info: SummaryInfo, result: ComparisonResult, request: CompareRequest, *, is_earlier: bool) -> None:
    """Draw the grade, up to three sentences, and the split to take away."""
    words, files = st.columns([9, 2], gap="medium")
    with words:
        seeds = [f"best of {info.n_seeds} seeds"] if info.n_seeds > 1 else []
        of = f"{request.chosen.data.name}, {' · '.join([*request.division.words, *seeds])}"
        before = " · the comparison before" if is_earlier else ""
        head = info.headline
        title = "No result" if head is None else head.title
        mark = "" if head is None else f":{COLOURS[head.severity]}[:material/{ICONS[head.severity]}:] "
        st.title(f"{mark}{md(title)} :gray[:small[{md(of + before)}]]", anchor=False, help=_reason(info))
        told = info.verdict[1:] if info.torn else info.verdict  # of which the first stands above
        st.markdown(" ".join(map(md, told)), help=in_words((GRADED_BY,)))
    best = result.best_runs.get(info.best)
    with files, st.container(key="take"):
        if best is not None and best.folds is not None:
            stem = take_away.stem_of(request, best)
            download(
                "Take this split", partial(split_bytes, best.folds, request.chosen.data, "csv"), f"{stem}.csv",
                key="take_split", type="primary",
            )  # fmt: skip
        links.offer(request)


def _torn(result: ComparisonResult, request: CompareRequest) -> None:
    """Say which groups, that a column of the data seems to name, the splits divide; offer to keep them whole."""
    if result.torn is None:
        return
    column, noun = result.torn.column, result.torn.noun
    with st.container(horizontal=True, vertical_alignment="center", key="torn"):
        st.warning(md(result.torn.sentence), icon=":material/group_work:", width="stretch")
        if groups_file.can_choose(request.chosen, column):
            st.button(
                f"Run again, rows of one {noun} together", key="run_grouped", icon=":material/play_arrow:",
                on_click=groups_file.choose, args=(request.chosen, column, keys.COMPARE_AT_ONCE),
                disabled=jobs_panel.is_busy(),
            )  # fmt: skip


def _reason(info: SummaryInfo) -> str | None:
    return None if info.grade is None else md(info.grade.reason)


def _maps(job_id: str, info: SummaryInfo, request: CompareRequest) -> None:
    """Draw the folds of all methods beside each other."""
    division = request.division
    make = partial(
        fold_maps_info, info.reports, names={row.method: row.name for row in info.done}, fold_names=division.fold_names,
        noun=division.noun, n_missing=info.n_missing,
    )  # fmt: skip
    show_panels((job_id, "fold-maps"), make, plot_fold_maps, "fold-maps")
    if left_out := left_out_sentence(info.done[0].report):
        st.caption(md(left_out))


def _more(info: SummaryInfo, result: ComparisonResult, request: CompareRequest) -> None:
    """Offer what else there is to say, behind a press."""
    with st.popover("More about this result", icon=":material/info:", key="remarks"):
        st.markdown("\n".join(f"- {md(each)}" for each in (f"Settings: {request.summary}.", *info.remarks)))
    n_runs = counted(len(result.runs), "run")
    download_table(f"All {n_runs} as CSV", result.table, f"{take_away.stem_of(request)}.csv", key="table_csv")
