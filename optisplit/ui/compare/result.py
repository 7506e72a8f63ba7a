"""What a comparison gave: which split is best and why, the labels it lacks, and the split to take away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from optisplit.check.costs import costs_of
from optisplit.check.missing import find_missing, missing_table
from optisplit.errors import OptisplitError
from optisplit.measures.registry import PARTS_TITLE, help_text, in_tables
from optisplit.methods import METHODS
from optisplit.methods.base import rare_of
from optisplit.methods.rare import RARE
from optisplit.plots import fold_maps_info, per_class_info, plot_fold_maps, plot_per_class, worst_labels
from optisplit.plots.summary import Cell, SummaryInfo, summary_info, titles
from optisplit.text import counted, joined, number_with_spread
from optisplit.ui import jobs_panel, session
from optisplit.ui.compare import balance, take_away
from optisplit.ui.forms import ask_measure, show_rare_shares
from optisplit.ui.widgets import chart_with_table, download_table, long_table, md, said, small_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.measures.report import Report
    from optisplit.ui.compare.request import CompareRequest, Division
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import Job, OnReport

    Found: TypeAlias = tuple[pd.DataFrame, NDArray[np.int64]]


UNFAIR_MARK = "  \n:orange-badge[:material/balance: unfair]"

COLUMN_HELP = """
- In grey, how far a score is **above the best possible** one: no split with folds of these sizes scores lower than
  that, so this is all there is to gain. Groups that stay together can put it out of reach. In parts of unequal size,
  where labels of one size together have what is due to them in each part, it is the best possible of splits that are
  as fair.
- **unfair**: rare labels together, or rows with 0, 1, 2, ... labels, are further from what is due to them in each part
  than in 95 % of random splits. Such a method is not called the best, whatever its rLD.
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
        division = request.division
        _per_class(job.id, result, division.noun)
        show_rare_shares(job.id, _reports(result), _names(), division.fold_names, division.noun, "rare_shares")
        _maps(job.id, result, division)
        run = _pick_run(job.id, result, best, request.division.noun)
        _worst(run, request.division)
        _rule_costs(job.id, request, run)
        _missing(job.id, request, run)
        balance.show(result, run, request.division)
        take_away.show(result, request, run)


def _summary(result: ComparisonResult, request: CompareRequest) -> str:
    """Show verdict and table; return the method that the verdict calls the best."""
    info = summary_info(result, _names())
    st.markdown(" ".join(md(sentence) for sentence in info.verdict))
    of_labels, of_parts = in_tables()
    small_table(_lines(info, (*of_labels, "time_s")), "Scores of every method, their bounds, and times")
    st.markdown(f"**{PARTS_TITLE}**")
    small_table(_lines(info, of_parts), "How much the parts of every method look like the whole")
    for row in info.rows:
        if row.unfair:
            st.caption(f"**{md(row.name)}** is {md(row.unfair)}.")
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


def _lines(info: SummaryInfo, figures: Sequence[str]) -> list[dict[str, str]]:
    return [
        {"Method": md(row.name) + (UNFAIR_MARK if row.unfair else "")}
        | {titles()[figure]: _cell_text(row.cells[figure]) for figure in figures}
        for row in info.rows
    ]


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


def _per_class(job_id: str, result: ComparisonResult, noun: str) -> None:
    measure = ask_measure("per_class_measure")
    info = partial(per_class_info, _reports(result), measure, names=_names(), noun=noun)
    chart_with_table(
        *session.drawn((job_id, "per-class", measure), info, plot_per_class), "per-class", stem=f"scores_{measure}"
    )


def _reports(result: ComparisonResult) -> dict[str, list[Report]]:
    return {
        method: [run.report for run in result.runs_of(method) if run.report is not None]
        for method in result.methods
        if result.runs_of(method)
    }


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
    lowest = min(runs, key=lambda run: (len(run.unfair) > 0, run.report.rld if run.report else 0.0))
    return seed_column.selectbox(
        "Seed",
        runs,
        index=runs.index(lowest),
        format_func=lambda run: (
            f"{run.seed} · rLD {run.report.rld:.4g}"
            + (" · best" if run is lowest else "")
            + (" · unfair" if run.unfair else "")
        ),
        key=f"split_seed_{job_id}_{method}",
        help="The best one by rLD is chosen to begin with, of those with fair parts if there are any.",
    )


def _maps(job_id: str, result: ComparisonResult, division: Division) -> None:
    """Show the best split of every method fold by fold."""
    st.subheader(f"The best splits, {division.noun} by {division.noun}", anchor=False)
    best = result.best_runs
    info = partial(
        fold_maps_info, {method: [run.report] for method, run in best.items() if run.report is not None},
        names=_names(), fold_names=division.fold_names, noun=division.noun,
        n_missing={method: run.n_missing for method, run in best.items()},
    )  # fmt: skip
    figure, shown = session.drawn((job_id, "maps"), info, plot_fold_maps)
    chart_with_table(figure, shown, "folds", stem="folds", by=shown.rows_title)


def _worst(run: Run, division: Division) -> None:
    if run.report is None:
        return
    worst = worst_labels(run.report, fold_names=division.fold_names)
    if worst.empty:
        st.markdown("No label is above the best possible for it.")
        return
    st.markdown("**The labels furthest above the best possible for them**")
    st.dataframe(worst, hide_index=True, alt="The labels with the worst scores in this split", key="worst")


def _names() -> dict[str, str]:
    return {key: method.name for key, method in METHODS.items()}


def _rule_costs(job_id: str, request: CompareRequest, run: Run) -> None:
    """Say what groups and label pairs cost a split that is to be as fair as they allow."""
    options = request.options.get(run.method, {})
    is_bound = request.division.groups is not None or options.get("balance_pairs")
    if run.report is not None and is_bound and rare_of(run.method, options) == "share":
        try:
            st.caption(_cost_words(job_id, run.method, run.seed, request, run))
        except OptisplitError as error:
            st.caption(said(error))


@session.cached_for_session(max_entries=8, show_spinner="Weighing what groups cost …")
def _cost_words(job_id: str, method: str, seed: int, _request: CompareRequest, _run: Run) -> str:
    return jobs_panel.wait_for(weigh, (_request, _run))


def weigh(asked: tuple[CompareRequest, Run], report: OnReport) -> str:
    """Find what the rules of a split cost; the work of a job."""
    request, run = asked
    assert run.folds is not None
    assert run.report is not None
    costs = costs_of(
        run.report, request.chosen.data.labels, run.folds, request.division.constraints.get("groups"), None,
        balance_pairs=bool(request.options.get(run.method, {}).get("balance_pairs")),
    )  # fmt: skip
    return "" if costs is None else costs.sentence


def _missing(job_id: str, request: CompareRequest, run: Run) -> None:
    """Show which labels are missing from which folds; nothing where none is."""
    if run.report is None or run.report.flz == 0:
        return
    division = request.division
    st.subheader(f"Labels missing from a {division.noun}", anchor=False)
    try:
        table, n_drawn = _missing_table(job_id, run.method, run.seed, request, run)
    except OptisplitError as error:
        st.caption(said(error))
        return
    rare = rare_of(run.method, request.options.get(run.method, {}))
    st.markdown(summed_up(table, division, rare, n_drawn))
    long_table(
        table, "missing", alt=f"Labels that are missing from a {division.noun}", stem=take_away.stem_of(request, run),
        config={"Why": st.column_config.TextColumn(width="large")}, shown=partial(as_shown, noun=division.noun),
    )  # fmt: skip


@session.cached_for_session(max_entries=8, show_spinner="Looking for missing labels …")
def _missing_table(job_id: str, method: str, seed: int, _request: CompareRequest, _run: Run) -> Found:
    return jobs_panel.wait_for(look, (_request, _run))


def look(asked: tuple[CompareRequest, Run], report: OnReport) -> Found:
    """Look for missing labels, and count for each where it need not be; the work of a job."""
    request, run = asked
    division, data = request.division, request.chosen.data
    assert run.folds is not None
    assert run.report is not None
    found = find_missing(data, run.folds, division.n_splits, groups=division.constraints.get("groups"))
    table = missing_table(found, data.label_names, division.fold_names, division.noun)
    return table, np.array([each.n_drawn for each in found])


def summed_up(table: pd.DataFrame, division: Division, rare: str | None, n_drawn: NDArray[np.int64]) -> str:
    """Say how many labels are missing from a fold, for how many that could be helped, and whether it was sought."""
    n_labels, noun = len(table), division.noun
    n_helpless = int((table["n_missing"] <= table["n_unavoidable"]).sum())
    n_possible = n_labels - n_helpless
    what = f"{counted(n_labels, 'label', 'is')} missing from at least one {noun}"
    whose = "rows" if division.groups is None else "rows, or groups with such rows,"
    why = f"fewer {whose} than {noun}s"
    if n_helpless == n_labels:
        return f"{what}, and no split could help: {'it has' if n_labels == 1 else 'they have'} {why}."
    if n_helpless:
        what += f"; for {n_helpless:,} of them no split could help: they have {why}"
    which = "It" if n_labels == 1 else f"The other {n_possible:,}, which come first," if n_helpless else "Each of them"
    sentences = [f"{what}.", f"{which} could be in more {noun}s, looked at alone."]
    n_by_lot = int((n_drawn == table["n_missing"] - table["n_unavoidable"]).sum()) - n_helpless
    return " ".join([*sentences, *_whether_sought(rare, n_possible, n_by_lot if rare == "share" else 0, noun)])


def _whether_sought(rare: str | None, n_possible: int, n_by_lot: int, noun: str) -> Iterator[str]:
    """Say whether it was tried to have labels in more folds, where `n_by_lot` of them need not be in more."""
    if n_by_lot:
        of_them = "" if n_by_lot == n_possible else f" of {n_by_lot:,} of them"
        yield f"Less than one positive{of_them} is due there: the seed draws which {noun}s get one."
    if rare == "cover" or (rare == "share" and n_by_lot < n_possible):
        yield f"{'For the rest no' if n_by_lot else 'No'} way was found that suits the others too."
    else:
        yield f"OptiSplit-SA, with “{RARE['cover'].title}”, looks for ways to get there."


def as_shown(table: pd.DataFrame, noun: str) -> pd.DataFrame:
    """Give the table the titles that it has on the page."""
    titles = {
        "label": "Label", "positives": "Rows with it", "missing_from": f"{noun.capitalize()}s without it",
        "n_missing": "How many", "n_unavoidable": "Unavoidable", "reason": "Why",
    }  # fmt: skip
    return table[list(titles)].rename(columns=titles)
