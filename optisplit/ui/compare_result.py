"""What a comparison gave: which split is best and why, and the split to take away."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.folds import folds_to_csv, folds_to_npz
from optisplit.methods import METHODS
from optisplit.text import MEASURE_NAMES
from optisplit.ui import jobs_panel
from optisplit.ui.escape import md
from optisplit.ui.snippet import python_snippet

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.experiment import ComparisonResult, Run
    from optisplit.figures.summary import Cell, SummaryInfo
    from optisplit.measures import Report
    from optisplit.ui.compare_form import CompareRequest
    from optisplit.ui.datasets import ChosenData

NAMES = {key: method.name for key, method in METHODS.items()}

COLUMN_HELP = """
- **rLD**: how far the share of rows with a label differs between a fold and all rows, relative to that share, on
  average over folds and labels. 0 is perfect. The same for rare and frequent labels.
- **DCP**: how much more of a label's rows the fullest fold holds than its share of 1/folds.
- In grey, how far a score is **above the best possible** one: no split with folds of these sizes scores lower than
  that, so this is all there is to gain.
- **LD**: like rLD but of odds, not relative: frequent labels dominate it, so it hardly sees what happens to rare ones.
- **ED**: by how many rows the folds differ from equal sizes.
- **FZ**, **FLZ**: folds, and pairs of fold and label, without a single row that has the label.
- **Time**: processor seconds of the method itself.
- ± is the deviation over the seeds; **bold** is the best score of a column. Less is better everywhere.
"""


def show(current: ChosenData) -> None:
    """Show the latest comparison of this session, or say how to make one.

    Parameters
    ----------
    current : ChosenData
        The data chosen now, which need not be that of the comparison.
    """
    job, latest = jobs_panel.shown_job(), jobs_panel.current_job()
    if job is None:
        if latest is None or not latest.is_active:
            _empty()
        return
    result: ComparisonResult = job.result
    request: CompareRequest = job.details
    st.header(f"Results for {md(request.chosen.data.name)}", anchor=False, divider="gray")
    st.caption(request.summary + ("" if job is latest else " · the comparison before"))
    if request.chosen.data.digest != current.data.digest:
        st.info(
            f"These results are for {md(request.chosen.data.name)}; the data chosen now is "
            f"{md(current.data.name)}. Press Run to compare on that.",
            icon=":material/info:",
        )
    best = _summary(result, f"{_for_file(request.chosen.data.name)}_{result.n_splits}-folds_comparison")
    if result.best_run() is not None:
        _left_out(result)
        _per_class(job.id, result)
        run = _pick_run(job.id, result, best)
        _heatmap(job.id, run)
        _take_away(result, request, run)


def _empty() -> None:
    st.info(
        "Nothing compared yet. The settings above are a good start: press **Run**, and a table, a plot of every "
        "label's score and a map of the folds will appear here.",
        icon=":material/lightbulb:",
    )


def _summary(result: ComparisonResult, stem: str) -> str:
    """Show verdict and table; return the method that the verdict calls the best."""
    from optisplit.figures.summary import summary_info

    info = summary_info(result, NAMES)
    st.markdown(" ".join(md(sentence) for sentence in info.verdict))
    st.table(_table(info), alt="Scores of every method, their bounds, and times", hide_index=True)
    for row in info.rows:
        if row.reasons:
            st.warning(
                f"{md(row.name)}: {row.n_done} of {row.n_runs} runs done. {md('; '.join(row.reasons))}",
                icon=":material/warning:",
            )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "All runs as CSV", lambda: result.table.to_csv(index=False), f"{stem}.csv", "text/csv", key="table_csv",
            icon=":material/download:", on_click="ignore",
        )  # fmt: skip
        with st.popover("What the columns mean", icon=":material/help:"):
            st.markdown(COLUMN_HELP)
    return info.best


def _table(info: SummaryInfo) -> pd.DataFrame:
    import pandas as pd

    from optisplit.figures.summary import TITLES

    lines = [
        {"Method": md(row.name)} | {title: _cell_text(row.cells[figure]) for figure, title in TITLES.items()}
        for row in info.rows
    ]
    return pd.DataFrame(lines)


def _cell_text(cell: Cell) -> str:
    from optisplit.figures.summary import number, number_with_spread, percent

    mean, spread = number_with_spread(cell.mean, cell.std)
    text = f"**{mean}**" if cell.is_best else mean
    if spread and cell.mean + cell.std > 0:
        text += f" ± {md(spread)}"
    if not math.isnan(cell.excess):
        text += f"  \n:gray[{percent(cell.excess)} above {number(cell.bound)}]"
    return text


def _left_out(result: ComparisonResult) -> None:
    run = result.best_run()
    if run is None or run.report is None or not run.report.left_out:
        return
    names = run.report.left_out
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")
    st.caption(
        f"{len(names):,} label(s) are on no row or on every row, so no split can do anything about them; they are left "
        f"out of the means: {md(shown)}."
    )


def _per_class(job_id: str, result: ComparisonResult) -> None:
    st.subheader("Every label's score, by how many rows carry it", anchor=False)
    measure = st.segmented_control(
        "Measure", list(MEASURE_NAMES), format_func=MEASURE_NAMES.__getitem__, default="rld", required=True,
        key="per_class_measure", persist_state="session",
    )  # fmt: skip
    figure, words = _per_class_figure(job_id, measure or "rld", result)
    st.plotly_chart(figure, key="per_class_chart", alt=words, config=_chart_config("per-class"))


@st.cache_resource(max_entries=12, show_spinner="Drawing …")
def _per_class_figure(job_id: str, measure: str, _result: ComparisonResult) -> tuple[Any, str]:
    from optisplit.figures import per_class_alt_text, per_class_info, plot_per_class

    reports = {
        method: [run.report for run in _result.runs_of(method) if run.report is not None]
        for method in _result.methods
        if _result.runs_of(method)
    }
    info = per_class_info(reports, measure, names=NAMES)  # type: ignore[arg-type]  # one of the three
    return plot_per_class(info), per_class_alt_text(info)


def _pick_run(job_id: str, result: ComparisonResult, best: str) -> Run:
    st.subheader("One split, fold by fold", anchor=False)
    done = [run for run in result.runs if run.status == "done"]
    methods = [method for method in result.methods if result.runs_of(method)]
    method_column, seed_column = st.columns(2)
    method = method_column.selectbox(
        "Method", methods, index=methods.index(best), format_func=NAMES.__getitem__, key=f"split_method_{job_id}",
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


def _heatmap(job_id: str, run: Run) -> None:
    if run.report is None:
        return
    figure, words, worst = _heatmap_figure(job_id, run.method, run.seed, run.report)
    st.plotly_chart(figure, key="heatmap", alt=words, config=_chart_config("folds"))
    st.markdown("**The labels furthest above the best possible**")
    st.dataframe(worst, hide_index=True, alt="The labels with the worst scores in this split", key="worst")


@st.cache_resource(max_entries=24, show_spinner="Drawing …")
def _heatmap_figure(job_id: str, method: str, seed: int, _report: Report) -> tuple[Any, str, pd.DataFrame]:
    from optisplit.figures import fold_heatmap_alt_text, fold_heatmap_info, plot_fold_heatmap, worst_classes

    info = fold_heatmap_info(_report)
    return plot_fold_heatmap(info), fold_heatmap_alt_text(info), worst_classes(_report)


def _take_away(result: ComparisonResult, request: CompareRequest, run: Run) -> None:
    folds = run.folds
    if folds is None:
        return
    ids = request.chosen.data.row_ids
    st.subheader("Take this split away", anchor=False)
    st.markdown(f"{md(NAMES[run.method])}, seed {run.seed}: the fold (0 to {result.n_splits - 1}) of every row.")
    stem = f"{_for_file(request.chosen.data.name)}_{run.method}_{result.n_splits}-folds_seed-{run.seed}"
    if run.report is not None:
        st.markdown(_sizes_text(run.report))
    with st.container(horizontal=True):
        st.download_button(
            "Folds as CSV", lambda: folds_to_csv(folds, ids), f"{stem}.csv", "text/csv",
            key="folds_csv", icon=":material/download:", on_click="ignore", type="primary",
        )  # fmt: skip
        st.download_button(
            "Folds as NPZ", lambda: folds_to_npz(folds, ids), f"{stem}.npz", "application/octet-stream",
            key="folds_npz", icon=":material/download:", on_click="ignore",
        )  # fmt: skip
    st.markdown("Or make it again in Python:")
    options = result.options.get(run.method, {})
    st.code(
        python_snippet(request.chosen.load_code, run.method, result.n_splits, run.seed, options),
        language="python",
    )


def _sizes_text(report: Report) -> str:
    sizes = report.fold_sizes
    if len(sizes) > 20:
        return f"The folds hold from {sizes.min():,} to {sizes.max():,} rows."
    return "Rows in each fold: " + ", ".join(f"{size:,}" for size in sizes) + "."


def _for_file(name: str) -> str:
    """Make a data set's name fit for a file's."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60] or "data"


def _chart_config(name: str) -> dict[str, Any]:
    return {
        "displaylogo": False,
        "toImageButtonOptions": {"format": "svg", "filename": f"optisplit-{name}"},
        # the camera alone: more would lie over the legend
        "modeBarButtonsToRemove": [
            "select2d",
            "lasso2d",
            "zoom2d",
            "pan2d",
            "zoomIn2d",
            "zoomOut2d",
            "autoScale2d",
            "resetScale2d",
        ],
    }
