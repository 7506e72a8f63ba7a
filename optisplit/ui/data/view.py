"""What a data set is: labels too rare to be divided, label sizes, and all else that there is to say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.labels import positives_per_label
from optisplit.measures.characteristics import Characteristics, characteristics
from optisplit.plots import co_occurrence, labels_per_row
from optisplit.text import counted, joined, number, short_number
from optisplit.ui import datasets, how_read, jobs_panel, keys, session
from optisplit.ui.data import rare
from optisplit.ui.data.terms import INSTANCES, Term, terms
from optisplit.ui.widgets import chart_with_table, download_table, file_stem, long_table, md, said, small_table

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport


MOST_NAMED = 30
"""Labels of a label set that are named: some have a thousand."""

TABLE_1 = ("Rows", "Labels", "Density", "Smallest", "25 %", "Median", "75 %", "Largest")
"""Titles of the columns of the paper's Table 1."""


def show(chosen: ChosenData) -> None:
    """Show what the data is: first what decides how it can be divided, which takes no time to find."""
    data, stem = chosen.data, file_stem(chosen.data.name)
    how_read.show_new(chosen)
    _introduction(chosen)
    rare.show(chosen, positives_per_label(data.labels), stem)
    made = _described(chosen.uploaded is not None, data.digest, data)
    _labels_per_row(made.about, made.per_row, stem)
    _numbers(made.about, data, stem)
    _reading(chosen)
    _together(made.together, stem)
    _label_sets(made.about)
    _all_labels(made.about, data, stem)


@dataclass(frozen=True, slots=True)
class Description:
    """All that takes a while to find out of a data set."""

    about: Characteristics
    per_row: labels_per_row.LabelsPerRowInfo
    together: co_occurrence.CoOccurrenceInfo


@session.cached_for_data(max_entries=4, show_spinner="Describing the data …")
def _described(digest: str, _data: MultilabelDataset) -> Description:
    return jobs_panel.wait_for(describe, _data)


def describe(data: MultilabelDataset, report: OnReport) -> Description:
    """Compute what the page shows; the work of a job."""
    about = characteristics(data)
    report(0.5, "")
    return Description(about, labels_per_row.labels_per_row_info(about), co_occurrence.co_occurrence_info(data))


def _introduction(chosen: ChosenData) -> None:
    data = chosen.data
    sizes = f"{counted(data.n_rows, 'row')}, {counted(data.n_labels, 'label')}"
    mean = f"{short_number(data.n_positives / data.n_rows, 2)} labels a row on average"
    st.markdown(f"**{md(datasets.title_of(chosen.key))}**: {sizes}, {mean}.")


def _reading(chosen: ChosenData) -> None:
    """Say where the data is from, what was noticed, and how its file was understood."""
    st.subheader("Where it is from, and how the file was understood", anchor=False)
    if chosen.key in SAMPLES:
        sample = SAMPLES[chosen.key]
        st.caption(f"{md(sample.source)}. {md(sample.licence_note)}")
    if chosen.data.notes:
        st.markdown("\n".join(f"- {said(note)}" for note in chosen.data.notes))
    if st.session_state.get(keys.JUST_READ) != chosen.key:  # otherwise it stands at the top
        how_read.card(chosen)


def _instances(data: MultilabelDataset) -> Any:
    """Count the instances of each label, where images or other rows hold several; None where that is not known."""
    return None if data.counts is None else data.counts.sum(axis=0)


def _numbers(about: Characteristics, data: MultilabelDataset, stem: str) -> None:
    """Show every number of the data with its formula: drawn when it is opened, since formulas take a while to set."""
    shown = st.expander(
        "Characteristics: cardinality, density, label sets, imbalance", icon=":material/functions:", key="data_terms",
        on_change="rerun",
    )  # fmt: skip
    if not shown.open:
        return
    all_terms = terms(about)
    if (instances := _instances(data)) is not None:
        all_terms = (*all_terms, Term(INSTANCES, f"{int(instances.sum()):,}", "", "Of all labels, in all rows."))
    with shown:
        lines = [
            {"Number": f"**{term.title}**", "Value": term.value, "Meaning": term.help.replace("\n\n", "  \n")}
            for term in all_terms
        ]
        small_table(lines, "Every number of the data with its formula and meaning")
        plain = pd.DataFrame([{"number": term.title, "value": term.value} for term in all_terms])
        download_table("CSV", plain, f"{stem}_numbers.csv", key="numbers_csv")
        st.markdown("**As in Table 1 of the paper**: rows, labels, density, and quantiles of the label sizes")
        # not a static table, whose eight columns would have to be scrolled on a phone, which the keyboard cannot
        st.dataframe(_table_1(about), hide_index=True, key="table_1", alt="The columns of the paper's Table 1")


def _table_1(about: Characteristics) -> pd.DataFrame:
    quantiles = [f"{value:,.6g}" for value in about.size_quantiles]
    values = [f"{about.n_rows:,}", f"{about.n_labels:,}", number(about.density), *quantiles]
    return pd.DataFrame([dict(zip(TABLE_1, values, strict=True))])


def _labels_per_row(about: Characteristics, info: labels_per_row.LabelsPerRowInfo, stem: str) -> None:
    st.subheader(
        "Labels of each row", anchor=False,
        help="Each bar counts the rows with that many labels. Rows with many labels tie these together: where such a "
        "row goes, all its labels go.",
    )  # fmt: skip
    fewest, middle, most = about.labels_per_row
    without = f"{counted(about.n_unlabelled, 'row')} without a label. " if about.n_unlabelled else ""
    st.markdown(f"{without}From {fewest:,} to {most:,} labels, median {middle:g}.")
    chart_with_table(labels_per_row.plot_labels_per_row(info), info, "labels-per-row", stem=stem)


def _together(info: co_occurrence.CoOccurrenceInfo, stem: str) -> None:
    st.subheader(
        "Which labels occur together", anchor=False,
        help="The largest labels. In row i and column j: the part of label i's rows that also carry label j, "
        r"$c_{ij}/c_i$. It is not the same the other way round, since labels differ in size.",
    )  # fmt: skip
    chart_with_table(co_occurrence.plot_co_occurrence(info), info, "co-occurrence", stem=stem)


def _label_sets(about: Characteristics) -> None:
    st.subheader(
        "The commonest label sets", anchor=False,
        help="Rows that carry exactly these labels and no others.",
    )  # fmt: skip
    lines: list[dict[str, Any]] = [
        {"Rows": each.n_rows, "Number of labels": len(each.labels), "Labels": _listed(each.labels)}
        for each in about.label_sets
    ]
    st.dataframe(
        pd.DataFrame(lines), hide_index=True, key="label_sets", alt="The most frequent combinations of labels",
        column_config={"Labels": st.column_config.TextColumn(width="large")},
    )  # fmt: skip


def _listed(names: tuple[str, ...]) -> str:
    return joined(names, limit=MOST_NAMED) or "(none)"


def _all_labels(about: Characteristics, data: MultilabelDataset, stem: str) -> None:
    st.subheader(
        "All labels", anchor=False,
        help="**IRLbl**: rows of the largest label divided by the label's own. **SCUMBLE**: mean of that of its rows; "
        "see above, under Characteristics.",
    )  # fmt: skip
    table, instances = about.per_label, _instances(data)
    if instances is not None:
        of_label = dict(zip(data.label_names, instances.tolist(), strict=True))
        table = table.assign(instances=table["label"].map(of_label))
    long_table(
        table, "labels", alt="Every label, its number of rows, and its imbalance", stem=stem,
        shown=lambda lines: lines.assign(share=100 * lines["share"]),
        config={
            "label": "Label", "positives": st.column_config.NumberColumn("Rows", format="localized"),
            "instances": st.column_config.NumberColumn("Instances", format="localized"),
            "share": st.column_config.NumberColumn("Share of rows", format="%.3g %%"),
            "irlbl": st.column_config.NumberColumn("IRLbl", format="%.3g"),
            "scumble": st.column_config.NumberColumn("SCUMBLE", format="%.3f"),
        },
    )  # fmt: skip
