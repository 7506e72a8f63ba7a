"""The evidence behind a verdict: measures among random splits, labels, figures, pairs of labels."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.check.random_splits import N_RANDOM
from optisplit.measures.registry import help_text, measures_per_label, name_of
from optisplit.measures.score import in_words, score_of
from optisplit.measures.shown import left_out_sentence
from optisplit.plots import fold_maps_info, plot_fold_maps, worst_labels
from optisplit.text import number
from optisplit.ui import jobs_panel, keys
from optisplit.ui.check import model, never
from optisplit.ui.check import repair as check_repair
from optisplit.ui.check.request import WAIT_S, run_check
from optisplit.ui.forms import show_panels, show_rare_shares, show_scores
from optisplit.ui.widgets import long_table, md, said, small_table

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck
    from optisplit.measures.report import Report
    from optisplit.ui.check.seen import Seen

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


def show(seen: Seen, stem: str) -> None:
    """Show the rest, behind tabs; only what is open is drawn."""
    tabs = {
        "Labels": _labels, "Maps": _maps, "Rare labels": _rare, "Missing labels": _missing, "Measures": _measures,
        "Pairs of labels": _pairs, "What a model would see": model.show,
        "How it was read": _how_read,
    }  # fmt: skip
    for title, tab in zip(tabs, st.tabs(list(tabs), key=keys.CHECK_TAB, on_change="rerun"), strict=True):
        if tab.open:
            with tab:
                tabs[title](seen, stem)


def _of(seen: Seen, what: str) -> tuple[str, ...]:
    """Tell figures of a split and of its repair apart."""
    return seen.job.id, what, seen.repaired.id if seen.made is not None and seen.repaired is not None else ""


def _reports(seen: Seen) -> tuple[dict[str, list[Report]], dict[str, str]]:
    """Give the reports to draw side by side, and what each is called: no method, so without a method's colour."""
    now = seen.check.report
    if seen.before is None or (seen.before.report.positives != now.positives).any():  # rows that had no part got one
        return {"yours": [now]}, {"yours": "This split"}
    return {"before": [seen.before.report], "yours": [now]}, {"before": "Before", "yours": "After"}


def _measures(seen: Seen, stem: str) -> None:
    """Show every measure, among random splits and beside the best possible."""
    check = seen.check
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


def _missing(seen: Seen, stem: str) -> None:
    """Show the labels that cannot be tested or trained on somewhere."""
    check = seen.check
    st.subheader(
        "Labels that cannot be tested everywhere", anchor=False,
        help="No row with the label is in a part that models are tested on: there, its score is undefined.",
    )  # fmt: skip
    none = "Every label has a row in each part that models are tested on."
    _lacking(check.untestable, "untestable", check.untestable_words or none, stem)
    check_repair.offer_cover(seen)
    st.subheader(
        "Labels that cannot be trained on everywhere", anchor=False,
        help="No row with the label is among the training rows of a tested part: a model cannot learn it.",
    )  # fmt: skip
    none = "Every label has a row among the training rows."
    _lacking(check.untrainable, "untrainable", check.untrainable_words or none, stem)
    never.offer(check, seen.request.chosen)


def _labels(seen: Seen, stem: str) -> None:
    """Show every label's score by its size, and all labels, the worst first."""
    check, (reports, names) = seen.check, _reports(seen)
    show_scores(_of(seen, "scores"), reports, names, check.split.noun, key=keys.CHECK_MEASURE)
    number = st.column_config.NumberColumn
    config: dict[str, Any] = {"parts_without": "Parts without it"}
    scores = [column for key in measures_per_label() for column in (key, f"{key}_bound") if column in check.labels]
    for column in scores:
        name = name_of(column.removesuffix("_bound")) + " at best" * column.endswith("_bound")
        config[column] = number(name, format="%.3g")
    # on a phone the first four are in sight, without a push aside
    config["label"] = st.column_config.TextColumn("Label", width=130, pinned=True)
    config["positives"] = number("Rows", width=60)
    first, others = scores[:2], scores[2:]
    shown = check.labels[["label", "positives", *first, *check.report.fold_titles, *others, "parts_without"]]
    st.caption("All labels, farthest above the best rLD that they could have first, with their rows in each part.")
    long_table(shown, "labels", alt="All labels, the worst first, with their rows in each part", stem=stem,
               config=config)  # fmt: skip


def _lacking(table: pd.DataFrame, name: str, words: str, stem: str) -> None:
    if table.empty:
        st.markdown(f":material/check: {words}")
        return
    st.markdown(md(words))
    config = {
        "label": "Label", "positives": "Rows", "parts": st.column_config.TextColumn("Not in", width="medium"),
        "n_parts": "How many", "n_due": "Should be in", "n_helpable": "Could be in",
        "reason": st.column_config.TextColumn("Why", width="large"),
    }  # fmt: skip
    long_table(table, name, alt=f"Labels that are {name}", stem=stem, config=config)


def _maps(seen: Seen, stem: str) -> None:
    """Show the map of parts and labels; after a repair, both beside each other."""
    (reports, names), report = _reports(seen), seen.check.report
    missing = {"yours": seen.check.n_missing} | ({} if seen.before is None else {"before": seen.before.n_missing})
    maps = partial(
        fold_maps_info, reports, names=names, fold_names=report.fold_titles, noun=seen.check.split.noun,
        n_missing=missing,
    )  # fmt: skip
    st.caption(f"{MAP_HELP} {md(left_out_sentence(report))}")
    show_panels(_of(seen, "maps"), maps, plot_fold_maps, "parts", stem=stem, by="")


def _rare(seen: Seen, stem: str) -> None:
    """Show where rare labels go."""
    (reports, names), split = _reports(seen), seen.check.split
    show_rare_shares("-".join(_of(seen, "")), reports, names, seen.check.report.fold_titles, split.noun, stem)


def _how_read(seen: Seen, stem: str) -> None:
    """Say how the file was read, and what was decided."""
    form = f"From {seen.check.split.form}."
    st.markdown("\n".join(f"- {said(note)}" for note in (form, *seen.check.notes)))


def _pairs(seen: Seen, stem: str) -> None:
    """Show the measures over pairs of labels, or offer to compute them."""
    check = seen.check
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
            request = replace(seen.request, pairs=True)
            jobs_panel.start("check", run_check, request, seen.history, wait_s=WAIT_S)
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
