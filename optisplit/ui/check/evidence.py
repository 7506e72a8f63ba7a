"""The evidence behind a verdict: measures among random splits, labels, figures, pairs of labels."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.check.random_splits import N_RANDOM
from optisplit.measures.registry import help_text, measures_per_label, name_of
from optisplit.measures.score import in_words, score_of
from optisplit.plots import fold_maps_info, per_class_info, plot_fold_maps, plot_per_class, worst_labels
from optisplit.plots.random_range import plot_random_range, random_range_info
from optisplit.text import counted, number
from optisplit.ui import jobs_panel, keys, session
from optisplit.ui.check import never
from optisplit.ui.check.request import WAIT_S, run_check
from optisplit.ui.forms import ask_measure, show_rare_shares
from optisplit.ui.widgets import chart_with_table, long_table, md, small_table

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import Job

MEASURE_HELP = """
- Less is better in each. ED of a single division (train, test) compares with the sizes that its parts have.
- **Random splits** have the same part sizes; 9 of 10 of them are in the range shown.
- **Best possible**: no split with parts of these sizes scores lower. In parts of unequal size, where labels of one
  size together have what is due to them in each part, it is the best possible of splits that are as fair.
"""

MAP_HELP = (
    "How far the rows with a label in each part are from its share of all rows with the label, rounded up or down: the "
    "mean over labels of about one size, as a part of what is due. Blank is as even as it can be."
)


def show_measures(job_id: str, check: SplitCheck, stem: str) -> None:
    """Show where the measures are between random splits and the best possible."""
    st.subheader("How good it is", anchor=False)
    if check.random:
        drawn = session.drawn((job_id, "range"), partial(random_range_info, check), plot_random_range)
        chart_with_table(*drawn, "random-range", stem=stem, by="measure")
    small_table(_measure_lines(check), "Measures of this split and of random ones")
    with st.popover("What the measures are", icon=":material/help:"):
        st.markdown(help_text() + MEASURE_HELP)
    if 0 < check.n_random < N_RANDOM:
        st.caption(f"The data is so large that {check.n_random} random splits were made instead of {N_RANDOM}.")


def _measure_lines(check: SplitCheck) -> list[dict[str, str]]:
    lines = []
    for row in check.measures.itertuples():
        score = score_of(row.measure, row.value, row.bound)
        best = f"{number(row.bound)}  \n:gray[this split is {md(score.relation)} it]" if score.has_bound else ""
        low, high = number(row.random_low), number(row.random_high)
        spread = "" if row.random_low != row.random_low else low if low == high else f"{low} to {high}"
        lines.append(
            {
                "Measure": f"**{row.name}**", "This split": f"**{md(number(row.value))}**",
                "Random splits": md(spread) + (f"  \n:gray[{md(row.place)}]" if row.place else ""),
                "Best possible": best,
            }
        )  # fmt: skip
    return lines


def show_labels(check: SplitCheck, chosen: ChosenData, stem: str) -> None:
    """Show the labels that cannot be tested or trained on, and those that are spread worst."""
    st.subheader(
        "Labels that cannot be tested everywhere", anchor=False,
        help="No row with the label is in a part that models are tested on: there, its score is undefined.",
    )  # fmt: skip
    _lacking(check.untestable, "untestable", "Every label has a row in each part that models are tested on.", stem)
    st.subheader(
        "Labels that cannot be trained on everywhere", anchor=False,
        help="No row with the label is among the training rows of a tested part: a model cannot learn it.",
    )  # fmt: skip
    _lacking(check.untrainable, "untrainable", "Every label has a row among the training rows.", stem)
    never.offer(check, chosen)
    st.subheader(
        "The labels that are spread worst", anchor=False,
        help="Farthest above the best rLD that they could have first; then how many rows with the label are in each "
        "part. Click a title to sort.",
    )  # fmt: skip
    number = st.column_config.NumberColumn
    config: dict[str, Any] = {"label": "Label", "positives": "Rows", "parts_without": "Parts without it"}
    scores = [column for key in measures_per_label() for column in (key, f"{key}_bound") if column in check.labels]
    for column in scores:
        name = name_of(column.removesuffix("_bound")) + " at best" * column.endswith("_bound")
        config[column] = number(name, format="%.3g")
    shown = check.labels[["label", "positives", *check.report.fold_titles, *scores, "parts_without"]]
    long_table(shown, "labels", alt="All labels, the worst first, with their rows in each part", stem=stem,
               config=config)  # fmt: skip


def _lacking(table: pd.DataFrame, name: str, none: str, stem: str) -> None:
    if table.empty:
        st.markdown(f":material/check: {none}")
        return
    n_helpable = int((table["n_helpable"] > 0).sum())
    n_helpless = len(table) - n_helpable
    if not n_helpable:
        said = "no split can help that, since they have too few rows"
    elif n_helpless:
        said = f"for {n_helpable:,} of them another split would help, for the other {n_helpless:,} none can"
    else:
        said = "another split would help"
    st.markdown(f"**{counted(len(table), 'label')}**: {said}.")
    config = {
        "label": "Label", "positives": "Rows", "parts": st.column_config.TextColumn("Not in", width="medium"),
        "n_parts": "How many", "n_helpable": "Could be in", "reason": st.column_config.TextColumn("Why", width="large"),
    }  # fmt: skip
    long_table(table, name, alt=f"Labels that are {name}", stem=stem, config=config)


def show_figures(job_id: str, check: SplitCheck, stem: str) -> None:
    """Show the map of parts and labels, and every label's score by its size."""
    st.subheader("Labels in parts", anchor=False, help=MAP_HELP)
    report = check.report
    yours, names, noun = {"yours": [report]}, {"yours": "This split"}, check.split.noun
    maps = partial(fold_maps_info, yours, names=names, fold_names=report.fold_titles, noun=noun)
    figure, info = session.drawn((job_id, "maps"), maps, plot_fold_maps)
    chart_with_table(figure, info, "parts", stem=stem, by=info.rows_title)
    measure = ask_measure(keys.CHECK_MEASURE)
    per_class = partial(per_class_info, yours, measure, names=names, noun=noun)
    columns = ["label", "positives", *(each for each in (measure, f"{measure}_bound") if each in check.labels)]
    table = check.labels[columns] if measure in check.labels else report.per_class[[*columns, measure]]
    drawn = session.drawn((job_id, "per-class", measure), per_class, plot_per_class)
    chart_with_table(*drawn, "per-class", table=table, stem=stem)
    show_rare_shares(job_id, yours, names, report.fold_titles, noun, stem)


def show_pairs(job: Job, stem: str) -> None:
    """Show the measures over pairs of labels, or offer to compute them."""
    check: SplitCheck = job.result
    st.subheader(
        "Pairs of labels", anchor=False,
        help="Labels that occur together in at least two rows, each such pair taken as a label of its own: whether "
        "what belongs together is in every part, too.",
    )  # fmt: skip
    pairs = check.pairs
    if pairs is None:
        if check.pairs_refused:
            st.markdown(f"Pairs of labels were not measured: {md(check.pairs_refused)}")
            return
        clicked = st.button(
            "Measure pairs too", key="check_pairs", icon=":material/join_inner:", disabled=jobs_panel.is_busy()
        )
        st.caption("Checks the split once more, with the pairs of labels; of many labels this takes a while.")
        if clicked:
            jobs_panel.start("check", run_check, replace(job.request, pairs=True), job.details, wait_s=WAIT_S)
        return
    if not len(pairs.label_names):
        st.markdown("No two labels occur together in two rows.")
        return
    st.markdown(
        f"**{len(pairs.label_names):,} pairs**: {md(in_words(pairs))}, and {pairs.flz:,} times a pair is missing "
        "from a part."
    )
    worst = worst_labels(pairs, n=1000, fold_names=check.report.fold_titles)
    worst = worst.rename(columns={"label": "pair", "positives": "rows"})
    score = partial(st.column_config.NumberColumn, format="%.3g")
    config = {"pair": "Pair", "rows": "Rows", "score": score("rLD"), "best possible": score("rLD at best")}
    alt = "The pairs of labels that are spread worst"
    long_table(worst, "pairs", alt=alt, stem=stem, by="pair", config=config)
