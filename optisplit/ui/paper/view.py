"""The paper, re-run: the synthetic experiment, the data, every method, and what to know of the printed numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.measures.registry import name_of
from optisplit.plots.summary import titles
from optisplit.plots.synthetic_scores import plot_synthetic_scores, synthetic_scores_alt_text
from optisplit.studies.paper import FIGURES, PROPERTIES
from optisplit.studies.paper.notes import ARTICLE_LINE, NOTES, verdict_line
from optisplit.studies.paper.report import FIGURE_ORDER, GREY_NUMBERS, figure_texts
from optisplit.studies.synthetic import SyntheticScores, synthetic_scores
from optisplit.text import counted
from optisplit.ui import jobs_panel
from optisplit.ui.paper import form
from optisplit.ui.widgets import chart, download, download_table, md, small_table

if TYPE_CHECKING:
    from optisplit.studies.paper import Reproduction
VERDICT_COLORS = {"agrees": "green", "better": "green", "differs": "orange"}
"""Colours of Streamlit's markdown; any other verdict is grey."""


def show() -> None:
    """Draw the page."""
    st.caption(md(ARTICLE_LINE))
    _synthetic()
    _table1()
    _table2()
    _notes()


def _synthetic() -> None:
    st.header("Figure: what each measure makes of the same error", anchor=False, divider="gray")
    info = _synthetic_scores()
    st.markdown(
        f"{info.n_rows:,} rows, {len(info.sizes['equal'])} labels from {info.sizes['equal'][0]:,} to "
        f"{info.sizes['equal'][-1]:,} rows, {info.n_splits} folds. Every label of a split has **the same error**: "
        "none (*Equal*), a fifth of one fold's rows in another fold (*Difference*), or one fold without any "
        "(*One missing*). A fair measure gives every label the same score."
    )
    for measure, place in zip(FIGURE_ORDER, st.columns(3), strict=True):
        figure, words = _synthetic_figure(measure)
        with place:
            st.markdown(f"**{name_of(measure)}** · {_growth_words(info, measure)}")
            chart(figure, f"synthetic-{measure}", key=f"synthetic_{measure}", alt=words)
    with st.expander("The figures' data as a table"):
        st.dataframe(info.table, hide_index=True, key="synthetic_table", alt="Scores of the synthetic experiment")


def _growth_words(info: SyntheticScores, measure: str) -> str:
    ratio = info.growth(measure, "missing")
    if ratio < 1.5:
        return "the same for every label size"
    return f"{ratio:,.0f} times as much for the largest label as for the smallest"


@st.cache_resource(show_spinner="Computing …")
def _synthetic_scores() -> SyntheticScores:
    return synthetic_scores()


@st.cache_resource(show_spinner=False)
def _synthetic_figure(measure: str) -> tuple[Any, str]:
    info = _synthetic_scores()
    return plot_synthetic_scores(info, measure), synthetic_scores_alt_text(info, measure)


def _table1() -> None:
    st.header("Table 1: the data", anchor=False, divider="gray")
    table = form.table1()
    titles = {"rows": "Rows", "labels": "Labels", "density": "Density"}
    lines = []
    for line in table.to_dict("records"):
        cells = {"Data": md(line["title"]), "From": md(line["origin"])}
        for name in PROPERTIES:
            cells[titles.get(name, f"Label size, {name}")] = _cell(*figure_texts(line, name))
        lines.append(cells | {"Verdict": _verdict(line["verdict"])})
    small_table(lines, "Properties of the paper's data sets")
    st.caption(GREY_NUMBERS)
    missing = [line for line in table.to_dict("records") if line["verdict"] == "not at hand"]
    if missing:
        names = ", ".join(md(line["title"]) for line in missing)
        st.caption(
            f"{names}: not at hand, since they are not in the public copy of the authors' repository. Bring the file "
            "at the left under its own name (mediamill.arff with 101 label columns, CC_targets.npz, MF_targets.npz, "
            "BP_targets.npz), or one of the same size to stand in (go_scale_cc.npz, go_scale_mf.npz, go_scale_bp.npz)."
        )


def _table2() -> None:
    st.header("Table 2: every method", anchor=False, divider="gray")
    form.show()
    job = jobs_panel.shown_job("paper")
    if job is None:
        if not jobs_panel.is_busy():
            st.info(
                "Nothing run yet. Press **Run**: every method's scores will stand here beside the printed ones, with a "
                "verdict a line.",
                icon=":material/lightbulb:",
            )
        return
    made: Reproduction = job.result
    if made.table2.empty:
        return
    st.markdown(f"**{md(verdict_line(made.table2))}**")
    for title, mine in made.table2.groupby("title", sort=False):
        st.subheader(md(f"{title}, 5 folds, mean of {counted(len(made.seeds), 'seed')}"), anchor=False)
        small_table([_line(line) for line in mine.to_dict("records")], f"Scores of every method on {title}")
        with st.expander("Every verdict, and why"):
            for line in mine.to_dict("records"):
                st.markdown(f"- **{md(line['name'])}**: {_verdict(line['verdict'])}. {md(line['why'])}")
    _downloads(job.id, made)


def _line(line: dict[str, Any]) -> dict[str, str]:
    cells = {"Method": md(line["name"])}
    for figure in FIGURES:
        cells[titles()[figure]] = _cell(*figure_texts(line, figure))
    verdict = _verdict(line["verdict"])
    if 0 < line["n_done"] < line["n_runs"]:
        verdict += f"  \n:gray[{line['n_done']} of {line['n_runs']} runs]"
    return cells | {"Verdict": verdict}


def _cell(ours: str, other: str) -> str:
    return md(ours) + (f"  \n:gray[{md(other)}]" if other else "")


def _verdict(verdict: str) -> str:
    return f":{VERDICT_COLORS.get(verdict, 'gray')}[{md(verdict)}]"


def _downloads(job_id: str, made: Reproduction) -> None:
    with st.container(horizontal=True):
        download("Everything as one page", made.html, "paper.html", mime="text/html", key=f"paper.html_{job_id}")
        download_table("Table 2 as CSV", made.table2, "table2.csv", key=f"table2.csv_{job_id}")
        download_table("Table 1 as CSV", made.table1, "table1.csv", key=f"table1.csv_{job_id}")


def _notes() -> None:
    st.header("What to know", anchor=False, divider="gray")
    for title, text in NOTES:
        st.markdown(f"**{md(title)}** {md(text)}")
