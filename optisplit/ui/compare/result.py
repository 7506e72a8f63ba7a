"""What a comparison gave: which split is best and why, and the split to take away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.measures.registry import help_text, measures_per_label, name_of
from optisplit.methods import METHODS
from optisplit.plots import fold_heatmap_info, per_class_info, plot_fold_heatmap, plot_per_class, worst_labels
from optisplit.plots.summary import Cell, summary_info, titles
from optisplit.text import counted, joined, number_with_spread
from optisplit.ui import jobs_panel, session
from optisplit.ui.compare import missing, take_away
from optisplit.ui.widgets import chart_with_table, download_table, md, small_table

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.measures.report import Report
    from optisplit.ui.compare.division import Division
    from optisplit.ui.compare.request import CompareRequest
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import Job


COLUMN_HELP = """
- In grey, how far a score is **above the best possible** one: no split with folds of these sizes scores lower than
  that, so this is all there is to gain. Groups that stay together can put it out of reach.
- **Time**: processor seconds of the method itself.
- ± is the deviation over the seeds; **bold** is the best score of a column. Less is better everywhere.
"""


def show(current: ChosenData, job: Job) -> None:
    """Show the latest comparison of this session."""
    latest = jobs_panel.current_job()
    result: ComparisonResult = job.result
    request: CompareRequest = job.request
    st.header(f"Results for {md(request.chosen.data.name)}", anchor=False, divider="gray")
    is_earlier = latest is not None and latest.kind == "compare" and job is not latest
    st.caption(request.summary + (" · the comparison before" if is_earlier else ""))
    if request.chosen.data.digest != current.data.digest:
        st.info(
            f"These results are for {md(request.chosen.data.name)}; the data chosen now is "
            f"{md(current.data.name)}. Press Run to compare on that.",
            icon=":material/info:",
        )
    if request.division.warning:
        st.warning(md(request.division.warning), icon=":material/warning:")
    best = _summary(result, request)
    if result.best_run() is not None:
        _left_out(result)
        _per_class(job.id, result)
        run = _pick_run(job.id, result, best, request.division.noun)
        _heatmap(job.id, run, request.division)
        missing.show(job.id, request, run)
        take_away.show(result, request, run)


def _summary(result: ComparisonResult, request: CompareRequest) -> str:
    """Show verdict and table; return the method that the verdict calls the best."""
    info = summary_info(result, _names())
    st.markdown(" ".join(md(sentence) for sentence in info.verdict))
    lines = [
        {"Method": md(row.name)} | {title: _cell_text(row.cells[figure]) for figure, title in titles().items()}
        for row in info.rows
    ]
    small_table(lines, "Scores of every method, their bounds, and times")
    for row in info.rows:
        if row.reasons:
            st.warning(
                f"{md(row.name)}: {row.n_done} of {row.n_runs} runs done: {md('; '.join(row.reasons))}.",
                icon=":material/warning:",
            )
    take_away.show_stopped(result, request)
    with st.container(horizontal=True, vertical_alignment="center"):
        download_table("All runs as CSV", result.table, f"{take_away.stem_of(request)}.csv", key="table_csv")
        with st.popover("What the columns mean", icon=":material/help:"):
            st.markdown(help_text() + COLUMN_HELP)
    return info.best


def _cell_text(cell: Cell) -> str:
    mean, spread = number_with_spread(cell.mean, cell.std)
    text = f"**{mean}**" if cell.is_best else mean
    if spread and cell.mean + cell.std > 0:
        text += f" ± {md(spread)}"
    if cell.score.remark:
        text += f"  \n:gray[{cell.score.remark}]"
    return text


def _left_out(result: ComparisonResult) -> None:
    run = result.best_run()
    if run is None or run.report is None or not run.report.left_out:
        return
    names = run.report.left_out
    shown = joined(names, limit=5)
    st.caption(
        f"{counted(len(names), 'label', 'is')} on no row or on every row, so no split can do anything about that; left "
        f"out of the means: {md(shown)}."
    )


def _per_class(job_id: str, result: ComparisonResult) -> None:
    st.subheader("Every label's score, by how many rows carry it", anchor=False)
    measure = st.segmented_control(
        "Measure", measures_per_label(), format_func=name_of, default="rld", required=True,
        key="per_class_measure", persist_state="session",
    )  # fmt: skip
    figure, words, table = _per_class_figure(job_id, measure or "rld", result)
    chart_with_table(figure, "per-class", alt=words, table=table, stem=f"scores_{measure or 'rld'}")


@session.cached_for_session(max_entries=12, show_spinner="Drawing …")
def _per_class_figure(job_id: str, measure: str, _result: ComparisonResult) -> tuple[Any, str, pd.DataFrame]:
    reports = {
        method: [run.report for run in _result.runs_of(method) if run.report is not None]
        for method in _result.methods
        if _result.runs_of(method)
    }
    info = per_class_info(reports, measure, names=_names())
    return plot_per_class(info), info.alt_text, info.table


def _pick_run(job_id: str, result: ComparisonResult, best: str, noun: str) -> Run:
    st.subheader(f"One split, {noun} by {noun}", anchor=False)
    done = [run for run in result.runs if run.status == "done"]
    methods = [method for method in result.methods if result.runs_of(method)]
    method_column, seed_column = st.columns(2)
    method = method_column.selectbox(
        "Method", methods, index=methods.index(best), format_func=lambda key: METHODS[key].name,
        key=f"split_method_{job_id}",
    )  # fmt: skip
    runs = [run for run in done if run.method == method]
    lowest = min(runs, key=lambda run: run.report.rld if run.report else 0.0)
    return seed_column.selectbox(
        "Seed",
        runs,
        index=runs.index(lowest),
        format_func=lambda run: f"{run.seed} · rLD {run.report.rld:.4g}" + (" · best" if run is lowest else ""),
        key=f"split_seed_{job_id}_{method}",
        help="The best one by rLD is chosen to begin with.",
    )


def _heatmap(job_id: str, run: Run, division: Division) -> None:
    if run.report is None:
        return
    report = replace(run.report, fold_names=division.fold_names)
    figure, words, worst = _heatmap_figure(job_id, run.method, run.seed, report, division)
    chart_with_table(figure, "folds", alt=words, table=report.per_class, stem=f"{run.method}_seed-{run.seed}")
    st.markdown("**The labels furthest above the best possible**")
    st.dataframe(worst, hide_index=True, alt="The labels with the worst scores in this split", key="worst")


@session.cached_for_session(max_entries=24, show_spinner="Drawing …")
def _heatmap_figure(
    job_id: str, method: str, seed: int, _report: Report, _division: Division
) -> tuple[Any, str, pd.DataFrame]:
    names = _division.fold_names
    info = fold_heatmap_info(_report, fold_names=names, noun=_division.noun)
    return plot_fold_heatmap(info), info.alt_text, worst_labels(_report, fold_names=names)


def _names() -> dict[str, str]:
    return {key: method.name for key, method in METHODS.items()}
