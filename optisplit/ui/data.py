"""What a data set is: how it was read, its numbers, label sizes, rare labels, and labels that occur together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.measures.characteristics import Characteristics, characteristics
from optisplit.plots import co_occurrence, label_sizes, labels_per_row
from optisplit.text import counted, joined, number
from optisplit.ui import how_read, jobs_panel, keys, session
from optisplit.ui.forms import MAX_FOLDS
from optisplit.ui.widgets import (
    chart_with_table,
    download_table,
    file_stem,
    long_table,
    md,
    said,
    small_table,
    whole_number,
)

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.characteristics import Characteristics
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport


MOST_NAMED = 30
"""Labels of a label set that are named: some have a thousand."""

DEFAULT_FOLDS = 5

OVERVIEW = ("Rows", "Labels", "Cardinality", "Density", "Label sets", "MeanIR", "SCUMBLE")
"""Titles of the terms that stand at the top of the page."""

INSTANCES = "Instances"
"""What it is called how often labels occur in all rows, where one may occur several times."""

TABLE_1 = ("Rows", "Labels", "Density", "Smallest", "25 %", "Median", "75 %", "Largest")
"""Titles of the columns of the paper's Table 1."""

CHARTE_2015 = "Charte, Rivera, del Jesus, Herrera, *Neurocomputing* 163, 2015"
CHARTE_2014 = "Charte, Rivera, del Jesus, Herrera, *HAIS* 2014"
TSOUMAKAS = "Tsoumakas, Katakis, *IJDWM* 3, 2007"


@dataclass(frozen=True, slots=True)
class Term:
    """One number of a data set."""

    title: str  # what it is called
    value: str  # the number, as it is shown
    formula: str  # its formula, in LaTeX; empty where there is nothing to compute
    meaning: str  # what it means, in markdown
    source: str = ""  # who defined it, in markdown; may be empty

    @property
    def help(self) -> str:
        """All that there is to say of it, in markdown."""
        parts = [self.meaning, f"${self.formula}$" if self.formula else "", self.source]
        return "\n\n".join(part for part in parts if part)


def terms(about: Characteristics) -> tuple[Term, ...]:
    """Put the numbers of a data set into words."""
    return (*_sizes(about), *_imbalance(about))


def _sizes(about: Characteristics) -> tuple[Term, ...]:
    fewest, middle, most = about.labels_per_row
    top = about.label_sets[0].n_rows
    return (
        Term("Rows", f"{about.n_rows:,}", "n", "Rows of the data; others call them instances or examples."),
        Term("Labels", f"{about.n_labels:,}", "q", "Others call them classes. Each row may carry any number of them."),
        Term(
            "Positives", f"{about.n_positives:,}", r"\textstyle\sum_l c_l",
            "Pairs of a row and a label that it carries; $c_l$ is the number of rows with label $l$.",
        ),
        Term(
            "Cardinality", number(about.cardinality), r"\textstyle\sum_l c_l\,/\,n", "Labels of a row, on average.",
            TSOUMAKAS,
        ),
        Term(
            "Density", number(about.density), r"\textstyle\sum_l c_l\,/\,(nq)",
            "Cardinality divided by the number of labels: the part of all pairs of row and label that is positive.",
            TSOUMAKAS,
        ),
        Term("Labels of a row, fewest", number(fewest), r"\min_i |L_i|", "$L_i$ are the labels of row $i$."),
        Term("Labels of a row, median", number(middle), "", "Half of the rows have at most that many."),
        Term("Labels of a row, most", number(most), r"\max_i |L_i|", "The row with the most labels."),
        Term("Rows without a label", f"{about.n_unlabelled:,}", r"|\{i : L_i = \emptyset\}|", "They count as rows."),
        Term(
            "Label sets", f"{about.n_label_sets:,}", r"|\{L_1, \dots, L_n\}|",
            "Different combinations of labels that rows have; also called diversity.",
        ),
        Term(
            "Label sets a row", number(about.label_set_share), r"|\{L_1, \dots, L_n\}|\,/\,n",
            "1 where no two rows have the same labels.",
        ),
        Term("Label sets of one row", f"{about.n_single_label_sets:,}", "", "Combinations that only one row has."),
        Term("Rows with the commonest label set", f"{top:,}", "", "Rows with exactly the same labels, at most."),
    )  # fmt: skip


def _imbalance(about: Characteristics) -> tuple[Term, ...]:
    return (
        Term(
            "MeanIR", number(about.mean_ir), r"\textstyle\sum_l \mathrm{IRLbl}_l\,/\,q",
            r"How many times rarer than the largest label a label is, $\mathrm{IRLbl}_l = \max_m c_m / c_l$, on "
            "average. 1 where all are of equal size. Labels on no row are left out.", CHARTE_2015,
        ),
        Term("MaxIR", number(about.max_ir), r"\max_l \mathrm{IRLbl}_l", "The same for the rarest label.", CHARTE_2015),
        Term(
            "CVIR", number(about.cv_ir), r"\mathrm{sd}(\mathrm{IRLbl})\,/\,\mathrm{MeanIR}",
            "How much the imbalance differs between labels: deviation ($q-1$) over mean.", CHARTE_2015,
        ),
        Term(
            "SCUMBLE", number(about.scumble), r"\textstyle\sum_i (1 - G_i/A_i)\,/\,n",
            "How far rare and frequent labels stand in the same rows, from 0 to 1; $G_i$ and $A_i$ are the geometric "
            "and the arithmetic mean of IRLbl over the labels of row $i$. Where it is high, rare labels cannot be "
            "moved without frequent ones. A row without labels counts 0.", CHARTE_2014,
        ),
        Term("Labels on no row", f"{about.n_empty_labels:,}", r"|\{l : c_l = 0\}|", "No split can help that."),
        Term("Labels on all rows", f"{about.n_full_labels:,}", r"|\{l : c_l = n\}|", "They are the same in any split."),
    )  # fmt: skip


def show(chosen: ChosenData) -> None:
    """Show what the data is."""
    data = chosen.data
    made = _described(chosen.uploaded is not None, data.digest, data)
    about, stem = made.about, file_stem(data.name)
    st.header(md(data.name), anchor=False)
    _origin(chosen)
    _numbers(about, data, stem)
    _label_sizes(about, made.sizes, stem)
    _rare(about, stem)
    _labels_per_row(about, made.per_row, stem)
    _together(made.together, stem)
    _label_sets(about)
    _all_labels(about, data, stem)


@dataclass(frozen=True, slots=True)
class Description:
    """All that the page says of a data set."""

    about: Characteristics
    sizes: label_sizes.LabelSizesInfo
    per_row: labels_per_row.LabelsPerRowInfo
    together: co_occurrence.CoOccurrenceInfo


@session.cached_for_data(max_entries=4, show_spinner="Describing the data …")
def _described(digest: str, _data: MultilabelDataset) -> Description:
    return jobs_panel.wait_for(describe, _data)


def describe(data: MultilabelDataset, report: OnReport) -> Description:
    """Compute what the page shows; the work of a job."""
    about = characteristics(data)
    report(0.5, "")
    sizes = label_sizes.label_sizes_info(about.sizes)
    return Description(about, sizes, labels_per_row.labels_per_row_info(about), co_occurrence.co_occurrence_info(data))


def _origin(chosen: ChosenData) -> None:
    if chosen.key in SAMPLES:
        sample = SAMPLES[chosen.key]
        st.caption(f"{md(sample.source)}. {md(sample.licence_note)}")
    if chosen.data.notes:
        st.markdown("\n".join(f"- {said(note)}" for note in chosen.data.notes))
    how_read.card(chosen, is_new=st.session_state.get(keys.JUST_READ) == chosen.key)


def _instances(data: MultilabelDataset) -> Any:
    """Count the instances of each label, where images or other rows hold several; None where that is not known."""
    return None if data.counts is None else data.counts.sum(axis=0)


def _numbers(about: Characteristics, data: MultilabelDataset, stem: str) -> None:
    all_terms = terms(about)
    if (instances := _instances(data)) is not None:
        all_terms = (*all_terms, Term(INSTANCES, f"{int(instances.sum()):,}", "", "Of all labels, in all rows."))
    with st.container(horizontal=True, key="data_numbers"):
        for term in all_terms:
            if term.title in (*OVERVIEW, INSTANCES):
                st.metric(term.title, term.value, help=term.help, width="content")
    with st.expander("All numbers, with their formulas", icon=":material/functions:", key="data_terms"):
        lines = [
            {"Number": f"**{term.title}**", "Value": term.value, "Meaning": term.help.replace("\n\n", "  \n")}
            for term in all_terms
        ]
        small_table(lines, "Every number of the data with its formula and meaning")
        plain = pd.DataFrame([{"number": term.title, "value": term.value} for term in all_terms])
        download_table("CSV", plain, f"{stem}_numbers.csv", key="numbers_csv")
    st.markdown("**As in Table 1 of the paper**: rows, labels, density, and quantiles of the labels' numbers of rows")
    # not a static table, whose eight columns would have to be scrolled on a phone, which the keyboard cannot
    st.dataframe(_table_1(about), hide_index=True, key="table_1", alt="The columns of the paper's Table 1")


def _table_1(about: Characteristics) -> pd.DataFrame:
    quantiles = [f"{value:,.6g}" for value in about.size_quantiles]
    values = [f"{about.n_rows:,}", f"{about.n_labels:,}", number(about.density), *quantiles]
    return pd.DataFrame([dict(zip(TABLE_1, values, strict=True))])


def _label_sizes(about: Characteristics, info: label_sizes.LabelSizesInfo, stem: str) -> None:
    st.subheader(
        "Label sizes: rows of each label", anchor=False,
        help="Each bar counts the labels with that many rows; the axis is logarithmic. The long tail at the left is "
        "what makes a split hard: a label on few rows goes missing from a fold by chance.",
    )  # fmt: skip
    odd = {"no row": about.n_empty_labels, "every row": about.n_full_labels}
    told = [f"{counted(n, 'label')} on {where}" for where, n in odd.items() if n]
    if told:
        st.markdown(f"{joined(told)}: no split can do anything about that, and the measures leave such labels out.")
    chart_with_table(label_sizes.plot_label_sizes(info), info, "label-sizes", stem=stem)


def _rare(about: Characteristics, stem: str) -> None:
    st.subheader("Labels with fewer rows than folds", anchor=False)
    compared = st.session_state.get(keys.N_SPLITS)
    default = compared if isinstance(compared, int) and 2 <= compared <= MAX_FOLDS else DEFAULT_FOLDS
    n_splits = whole_number(
        st.container(width=160), "Folds", (2, MAX_FOLDS), default, key=keys.DATA_FOLDS,
        help="To begin with, as many as on the page Compare.",
    )  # fmt: skip
    if n_splits is None:
        return
    table = about.rarer_than(n_splits)
    if table.empty:
        st.markdown(f"None: every label has at least {n_splits} rows, so that each of {n_splits} folds can have one.")
        return
    share = len(table) / about.n_labels
    st.markdown(
        f"**{counted(len(table), 'label')}** of {about.n_labels:,} ({share:.1%}) "
        f"{'has' if len(table) == 1 else 'have'} fewer than {n_splits} rows. Whatever the split, some fold will have "
        "none of these, and a model cannot be tested on them there."
    )
    titles = {"label": "Label", "positives": "Rows", "folds_without": "Folds without it, at least"}
    long_table(
        table, f"rarer-than-{n_splits}", alt=f"Labels with fewer than {n_splits} rows", stem=stem,
        shown=lambda lines: lines.rename(columns=titles),
    )  # fmt: skip


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
        "see above, under all numbers.",
    )  # fmt: skip
    table, instances = about.per_label, _instances(data)
    if instances is not None:
        of_label = dict(zip(data.label_names, instances.tolist(), strict=True))
        table = table.assign(instances=table["label"].map(of_label))
    long_table(
        table, "labels", alt="Every label, its number of rows, and its imbalance", stem=stem,
        config={
            "label": "Label", "positives": st.column_config.NumberColumn("Rows", format="localized"),
            "instances": st.column_config.NumberColumn("Instances", format="localized"),
            "share": st.column_config.NumberColumn("Part of rows", format="percent"),
            "irlbl": st.column_config.NumberColumn("IRLbl", format="%.3g"),
            "scumble": st.column_config.NumberColumn("SCUMBLE", format="%.3f"),
        },
    )  # fmt: skip
