"""What stands below a comparison's verdict, each when it is asked for: labels, rare labels, one split, files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.measures.registry import help_text
from optisplit.methods import METHODS
from optisplit.plots import worst_labels
from optisplit.ui.compare import balance, missing, take_away
from optisplit.ui.forms import show_rare_shares, show_scores
from optisplit.ui.widgets import long_table, md, small_table

if TYPE_CHECKING:
    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.plots.summary import SummaryInfo
    from optisplit.ui.compare.request import CompareRequest, Division

LABELS, RARE, FOLDS, MISSING, FILES = "Every label", "Rare labels", "One split", "Missing labels", "Take away"
MEASURES = "All measures"

MEASURES_HELP = """
- A line a measure, a column a method: the score of its best split, with how far it is **above the best possible** one.
  No split with folds of these sizes scores lower than that, so this is all there is to gain. Folds of other sizes have
  another best possible score: where a method makes such, that is said. Groups that stay together
  can put it out of reach. In parts of unequal size, where labels of one size together have what is due to them in each
  part, it is the best possible of splits that are as fair.
- The last lines are of all seeds. Less is better everywhere.
"""


@st.fragment
def show(job_id: str, result: ComparisonResult, request: CompareRequest, info: SummaryInfo) -> None:
    """Draw the tab that is open; only what is in it is worked out and sent, and nothing else of the page."""
    names = {row.method: row.name for row in info.done}
    division = request.division
    titles = [LABELS, RARE, MISSING, MEASURES, FOLDS, FILES]
    tabs = dict(zip(titles, st.tabs(titles, key="details", on_change="rerun"), strict=True))
    if tabs[LABELS].open:
        with tabs[LABELS]:
            show_scores((job_id,), info.reports, names, division.noun, key="per_class_measure", stem="scores")
    if tabs[RARE].open:
        with tabs[RARE]:
            show_rare_shares(job_id, info.reports, names, division.fold_names, division.noun, "rare_shares")
    if tabs[MEASURES].open:
        with tabs[MEASURES]:
            lines = [{title: md(text) for title, text in line.items()} for line in info.details]
            small_table(lines, "Every measure of the methods' best splits")
            with st.popover("What the measures are", icon=":material/help:", key="measures_help"):
                st.markdown(help_text() + MEASURES_HELP)
    for name, draw in ((MISSING, _missing), (FOLDS, _folds), (FILES, _files)):
        if tabs[name].open:
            with tabs[name]:
                draw(job_id, result, request, _pick_run(job_id, result, info))


def _missing(job_id: str, result: ComparisonResult, request: CompareRequest, run: Run) -> None:
    missing.show(job_id, request, run)


def _folds(job_id: str, result: ComparisonResult, request: CompareRequest, run: Run) -> None:
    _labels(run, request.division)
    missing.show_costs(job_id, request, run)
    balance.show(result, run, request.division)


def _files(job_id: str, result: ComparisonResult, request: CompareRequest, run: Run) -> None:
    take_away.show(result, request, run)


def _pick_run(job_id: str, result: ComparisonResult, info: SummaryInfo) -> Run:
    """Ask for a split; the best one to begin with."""
    methods = [row.method for row in info.done]
    method_column, seed_column = st.columns(2)
    method = method_column.selectbox(
        "Method", methods, index=methods.index(info.best), format_func=lambda key: METHODS[key].name,
        key=f"split_method_{job_id}",
    )  # fmt: skip
    runs, best = list(result.runs_of(method)), result.best_runs[method]
    return seed_column.selectbox(
        "Seed",
        runs,
        index=runs.index(best),
        format_func=lambda run: (
            f"{run.seed} · rLD {run.report.rld:.4g}"
            + (" · best" if run is best else "")
            + (" · unfair" if run.unfair else "")
        ),
        key=f"split_seed_{job_id}_{method}",
        help="The best one is chosen to begin with: of the sizes asked for, without faults, and with the lowest rLD.",
    )


def _labels(run: Run, division: Division) -> None:
    """List the labels of one split: the worst, and all of them."""
    if run.report is None:
        return
    report = replace(run.report, fold_names=division.fold_names)
    worst = worst_labels(report, fold_names=division.fold_names)
    if worst.empty:
        st.markdown("No label is above the best possible for it.")
    else:
        st.markdown("**The labels furthest above the best possible for them**")
        st.dataframe(worst, hide_index=True, alt="The labels with the worst scores in this split", key="worst")
    with st.expander("Every label of this split as a table", key="split_labels"):
        stem = f"{run.method}_seed-{run.seed}"
        long_table(report.per_class, "split-labels", alt="Every label of this split", stem=stem)
