"""A check of a split as one HTML page to keep: faults, verdict, measures, labels, figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from optisplit.measures.registry import measures_per_label, name_of
from optisplit.measures.score import in_words
from optisplit.plots.html_page import Page
from optisplit.plots.kinds import drawing_of, kinds_of, splits_of_check
from optisplit.plots.notebook import verdict_piece
from optisplit.text import few, number

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck
    from optisplit.io.splits import SplitFault
    from optisplit.plots.kinds import Splits

N_LABELS = 50
"""Worst labels on the page."""
N_LISTED = 200
"""Labels on the page that cannot be tested or trained on."""
N_PARTS = 12
"""Parts whose counts are shown; of more, the page shows the first."""

STYLE = """
.verdict { border-left: .4rem solid; padding: .4rem 1rem; } .verdict strong { font-size: 1.5rem; }
.fault { border-color: #C8452F; } .warning { border-color: #D9A400; } .ok { border-color: #2E8B57; }
.left { min-width: 14rem; }
li { margin-bottom: .5rem; }
"""


def check_page(check: SplitCheck, title: str | None = None) -> str:
    """Make one HTML page of a check that needs nothing else."""
    page = Page(title or f"{check.split.name}, a split of {check.data_name}", STYLE)
    page.add(verdict_piece(check.verdict.grade, check.verdict.sentences))
    if check.groups:
        page.text(check.groups)
    splits = splits_of_check(check)
    kinds = kinds_of(splits)
    if "range" in kinds:
        _add_drawing(page, splits, "range")
    page.heading("Faults")
    if check.faults:
        head = ["fault", "how many", "what to do", "the first"]
        page.table(head, map(_fault_line, check.faults), left=(0, 2, 3))
    else:
        page.text("None was found.")
    page.heading("Measures")
    _add_measures(page, check)
    for kind in kinds:
        if kind != "range":
            _add_drawing(page, splits, kind)
    page.heading("Labels that cannot be tested everywhere")
    none = "Every label that has positives has one in each part that is tested on."
    _add_labels(page, check.untestable, check.untestable_words or none)
    if check.never_everywhere:
        page.text(check.advice_on_never)
    page.heading("Labels that cannot be trained on everywhere")
    none = "Every label that has positives has one in all training rows."
    _add_labels(page, check.untrainable, check.untrainable_words or none)
    if check.has_features or check.apart is not None:
        page.heading("What a model would see")
    if check.has_features:
        _add_widths(page, check)
    if check.apart is not None:
        _add_apart(page, check.apart)
    page.heading("The labels that are spread worst")
    _add_worst(page, check)
    page.heading("How the file was read")
    for note in check.notes:
        page.text(note)
    return page.html()


def _add_drawing(page: Page, splits: Splits, kind: str) -> None:
    drawing = drawing_of(splits, kind)
    page.heading(drawing.title)
    page.figure(drawing.figure, drawing.title, drawing.alt_text)


def _fault_line(fault: SplitFault) -> tuple[str, ...]:
    return fault.sentence, f"{fault.count:,}", fault.advice, few(fault.examples, fault.count)


def _add_measures(page: Page, check: SplitCheck) -> None:
    lines = []
    for row in check.measures.itertuples():
        spread = "" if math.isnan(row.random_low) else f"{number(row.random_low)} to {number(row.random_high)}"
        mean = "" if math.isnan(row.random_mean) else number(row.random_mean)
        score = check.report.score(row.measure)
        bound = f"{number(score.bound)} (this split is {score.relation} it)" if score.has_bound else ""
        lines.append((row.name, number(row.value), bound, mean, spread, row.place))
    head = ["measure", "this split", "best possible", "random, mean", "random, 5 % to 95 %", "of random splits"]
    page.table(head, lines)
    told = f"Less is better. Random: {check.n_random} splits with the same part sizes." if check.n_random else ""
    page.text(told or "Less is better. No random splits were made.")
    if check.pairs is not None:
        pairs = check.pairs
        page.text(
            f"Pairs of labels that occur together in at least two rows, {len(pairs.label_names):,}: {in_words(pairs)}."
        )


def _add_labels(page: Page, labels: pd.DataFrame, said: str) -> None:
    if labels.empty:
        page.text(said)
        return
    lines = [
        (row.label, f"{row.positives:,}", row.parts, f"{row.n_due:,}", f"{row.n_helpable:,}", row.reason)
        for row in labels.head(N_LISTED).itertuples()
    ]
    more = f" The first {N_LISTED} are shown." if len(labels) > N_LISTED else ""
    page.text(said + more)
    page.table(["label", "positives", "not in", "should be in", "could be in", "why"], lines, left=(0, 2, 5))


def _add_widths(page: Page, check: SplitCheck) -> None:
    for sentence in check.width_sentences:
        page.text(sentence)
    lines = [
        (row.label, f"{row.positives:,}", row.part, f"{row.in_test:,}", f"{row.width:.2f}")
        for row in check.widths.head(N_LABELS).itertuples()
    ]
    head = ["label", "positives", f"{check.split.noun} with fewest", "positives there", "width of its 95 % interval"]
    page.table(head, lines, left=(0, 2))


def _add_apart(page: Page, apart: Any) -> None:
    for sentence in apart.sentences:
        page.text(sentence)
    lines = [
        (
            each.name,
            f"{each.n_rows:,}",
            f"{each.auc:.2f}",
            f"{each.low:.2f} to {each.high:.2f}",
            f"{each.random_low:.2f} to {each.random_high:.2f}",
        )
        for each in apart.parts
    ]
    if lines:
        page.table(["part", "rows", "area under the curve", "95 % interval", "random parts"], lines)


def _add_worst(page: Page, check: SplitCheck) -> None:
    titles = check.report.fold_titles[:N_PARTS]
    shown = check.labels.head(N_LABELS)
    scores = [column for key in measures_per_label() for column in (key, f"{key}_bound") if column in shown]
    lines = []
    for _, row in shown.iterrows():
        figures = [number(float(row[column])) for column in scores]
        counts = [f"{row[title]:,}" for title in titles]
        lines.append([str(row["label"]), f"{row['positives']:,}", *figures, *counts])
    names = ["at best" if column.endswith("_bound") else name_of(column) for column in scores]
    head = ["label", "positives", *names, *titles]
    page.table(head, lines, left=(0,))
    if len(check.labels) > len(shown):
        page.text(f"The {len(shown)} farthest above their best rLD, of {len(check.labels):,}.")
