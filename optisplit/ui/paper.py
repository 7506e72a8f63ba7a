"""The paper: both tables filled, every claim checked, its figures; and everything run again here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.comparison.forecasts import Forecast, forecast, runs_at_a_time, total_seconds
from optisplit.measures.registry import PARTS_TITLE, in_words, name_of
from optisplit.plots.paper_example import plot_paper_example
from optisplit.plots.synthetic_scores import plot_synthetic_scores, synthetic_scores_alt_text
from optisplit.studies.paper import PAPER_DATA, ROWS, Place, as_made_beforehand, find_data, reproduce, tables_html
from optisplit.studies.paper.catalogue import FIGURES, N_SPLITS
from optisplit.studies.paper.example import paper_example
from optisplit.studies.paper.kept import kept
from optisplit.studies.paper.notes import ARTICLE_LINE, CODE_AGAIN, NOTES
from optisplit.studies.paper.report import FIGURE_ORDER
from optisplit.studies.paper.verdicts import RULE
from optisplit.text import about_time, counted
from optisplit.ui import forms, jobs_panel, keys
from optisplit.ui.datasets import UPLOAD_PREFIX
from optisplit.ui.shapes import shape_of
from optisplit.ui.widgets import chart, download, download_table, md, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.methods.shapes import Shape
    from optisplit.studies.paper import Reproduction
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport

DEFAULT_DATA = ("bibtex", "delicious")


@dataclass(frozen=True)
class PaperRequest:
    """What was asked for."""

    data: tuple[str, ...]  # keys of data sets
    rows: tuple[str, ...]  # keys of lines of Table 2
    n_seeds: int  # seeds, from 0
    time_limit_s: int  # most seconds for one run
    given: tuple[Place, ...]  # files that the user brought
    before: Reproduction | None = None  # what was run before, to go on from


def run(request: PaperRequest, report: OnReport) -> Reproduction:
    """Run the paper's methods; the work of a job."""
    report(0.0, "Getting ready")
    return reproduce(
        data=request.data,
        given=request.given,
        before=request.before,
        rows=request.rows,
        seeds=range(request.n_seeds),
        time_limit_s=float(request.time_limit_s),
        on_progress=lambda progress: report(progress.fraction, progress.words),
    )


def brought() -> dict[str, tuple[Place, ChosenData]]:
    """Find the authors' files among the files of this session, by their names."""
    uploads: dict[str, ChosenData] = st.session_state.get(keys.UPLOADS, {})
    found: dict[str, tuple[Place, ChosenData]] = {}
    for upload in uploads.values():
        name = upload.key.removeprefix(UPLOAD_PREFIX).removesuffix(".gz")
        for key, about in PAPER_DATA.items():
            if name == about.authors_file and not about.sample:
                found[key] = (Place(key, "authors' file", Path(name), upload.data), upload)
    return found


def show() -> None:
    """Draw the page: the tables first, and below them what there is to run, the claims, the figures."""
    job = jobs_panel.shown_job("paper")
    made = as_made_beforehand() if job is None else job.result
    st.markdown(f"**{md(made.verdict)}**")
    st.caption(md(RULE))
    first, second, claims, beside, code = _html_at_rest() if job is None else _html(made)
    st.header("Table 1: the data", anchor=False, divider="gray")
    st.html(f"<style>{tables_html.STYLE}</style>{tables_html.legend_html()}{first}")
    st.header("Table 2: every method, 5 folds", anchor=False, divider="gray")
    st.caption(in_words(figure for figure in FIGURES if figure != "time_s"))
    st.html(second)
    st.caption(md(made.sources.kept.sentence))
    _downloads(made, "" if job is None else job.id)
    st.header("Run it here", anchor=False, divider="gray")
    _run_form()
    st.header("What the article says, checked", anchor=False, divider="gray")
    st.html(claims)
    _figures()
    with st.expander(PARTS_TITLE):
        st.html(beside)
    with st.expander("The authors' code, run again"):
        st.markdown(md(CODE_AGAIN))
        st.html(code)
    _notes()


def _html(made: Reproduction) -> tuple[str, str, str, str, str]:
    """Write all tables; in one piece each, since many small ones take the browser long."""
    first, second = tables_html.table1_html(made.table1), tables_html.table2_html(made.table2)
    claims, beside = tables_html.claims_html(made.claims), tables_html.beside_html(made.table2)
    return first, second, claims, beside, tables_html.code_html(made.table2)


@cache
def _html_at_rest() -> tuple[str, str, str, str, str]:
    return _html(as_made_beforehand())


def _run_form() -> None:
    """Draw the form; start the work when asked."""
    given = brought()
    places = find_data() | {key: place for key, (place, _) in given.items()}
    with st.container(border=True):
        data = st.pills(
            "Data", list(PAPER_DATA), selection_mode="multi", default=DEFAULT_DATA,
            format_func=lambda key: places[key].title, key=keys.PAPER_DATA, persist_state="session",
            help="For mediamill, CC, MF and BP, bring the authors' file under its own name (mediamill.arff with 101 "
            "label columns, CC_targets.npz, MF_targets.npz, BP_targets.npz); otherwise data of the same size stand in.",
        )  # fmt: skip
        picked = st.pills(
            "Methods", list(ROWS), selection_mode="multi", default=list(ROWS),
            format_func=lambda row: ROWS[row].name, key=keys.PAPER_ROWS, persist_state="session",
            help="The paper's methods; IS and SOIS both as the paper ran them (scikit-multilearn) and as published; "
            "and OptiSplit-SA.",
        )  # fmt: skip
        seeds_column, limit_column = st.columns(2)
        n_seeds = whole_number(
            seeds_column, "Seeds", (1, forms.MAX_SEEDS), 3, key=keys.PAPER_SEEDS,
            help="The paper has the means over 10.",
        )  # fmt: skip
        limit_s = forms.ask_time_limit(
            limit_column, 60, key=keys.PAPER_LIMIT,
            help="A method that takes longer with one seed is stopped, and not tried with the next.",
        )  # fmt: skip
        rows = tuple(row for row in ROWS if row in picked)
        forecasts = _forecasts(data, rows, n_seeds, limit_s, given)
        request = None
        if data and rows and n_seeds is not None and limit_s is not None:
            used = tuple(place for key, (place, _) in given.items() if key in data)
            earlier = jobs_panel.shown_job("paper")
            before = None if earlier is None else earlier.result
            request = PaperRequest(tuple(data), rows, n_seeds, limit_s, used, before)
        caption = _caption(len(data), len(rows), n_seeds, forecasts)
        if forms.run_button("run_paper", caption, can_run=request is not None):
            jobs_panel.start("paper", run, request)
        forms.show_slow((f"{places[key].title}: ", each) for key, of_data in forecasts.items() for each in of_data)


def _forecasts(
    data: Sequence[str], rows: Sequence[str], n_seeds: int | None, limit_s: int | None,
    given: Mapping[str, tuple[Place, ChosenData]],
) -> dict[str, list[Forecast]]:  # fmt: skip
    """Estimate what each line takes, by data set."""
    found: dict[str, list[Forecast]] = {}
    if n_seeds is None or limit_s is None:
        return found
    for key in data:
        shape = shape_of(given[key][1]) if key in given else kept().data[key].shape
        if shape is not None:
            found[key] = [_forecast_row(row, shape, n_seeds, limit_s) for row in rows]
    return found


def _forecast_row(row: str, shape: Shape, n_seeds: int, limit_s: int) -> Forecast:
    method, options = ROWS[row].method, ROWS[row].options
    made = forecast(shape, [method], N_SPLITS, n_seeds, options={method: options}, limits_s={method: float(limit_s)})[0]
    return replace(made, name=ROWS[row].name)


def _caption(n_data: int, n_rows: int, n_seeds: int | None, forecasts: Mapping[str, list[Forecast]]) -> str:
    """Say how much there is to run, and how long it takes where that is known of all data."""
    if not n_data or not n_rows:
        return "Choose at least one data set and one method."
    if n_seeds is None:
        return ""
    parts = " × ".join((counted(n_data, "data set"), counted(n_rows, "method"), counted(n_seeds, "seed")))
    if len(forecasts) < n_data:
        return parts
    # one line after the other, the seeds of each together
    total_s = sum(total_seconds([each], runs_at_a_time(n_seeds)) for each in chain(*forecasts.values()))
    return f"{parts} · {about_time(total_s)}"


def _downloads(made: Reproduction, job_id: str) -> None:
    with st.container(horizontal=True):
        download("Everything as one page", made.html, "paper.html", mime="text/html", key=f"paper.html_{job_id}")
        download_table("Table 1 as CSV", made.table1, "table1.csv", key=f"table1.csv_{job_id}")
        download_table("Table 2 as CSV", made.table2, "table2.csv", key=f"table2.csv_{job_id}")


def _figures() -> None:
    st.header("Figure 1: splits of different quality", anchor=False, divider="gray")
    st.markdown(
        "24 points, one a column; 8 are of the first class, 4 of the second, 4 of the third. In four folds of 6 points "
        "an even split has 2/6, 1/6 and 1/6 of each fold's points in the three classes: the shares are below each fold."
    )
    chart(_example_figure(), "paper-example", key="paper_example", alt=paper_example().alt_text)
    st.header("Figure 2: what each measure makes of the same error", anchor=False, divider="gray")
    info = as_made_beforehand().synthetic
    st.markdown(
        f"{info.n_rows:,} rows, {len(info.sizes['equal'])} labels from {info.sizes['equal'][0]:,} to "
        f"{info.sizes['equal'][-1]:,} rows, {info.n_splits} folds. Every label of a split has **the same error**: "
        "none (*Equal*), a fifth of one fold's rows in another fold (*Difference*), or one fold without any "
        "(*One missing*). A fair measure gives every label the same score. Left as printed, right with logarithmic "
        "axes, where 0 is drawn at the foot."
    )
    for measure in FIGURE_ORDER:
        st.markdown(f"**{name_of(measure)}** · {_growth_words(measure)}")
        for is_log, place in zip((False, True), st.columns(2), strict=True):
            figure, words = _synthetic_figure(measure, is_log=is_log)
            name = f"synthetic-{measure}{'-log' if is_log else ''}"
            with place:
                chart(figure, name, key=name.replace("-", "_"), alt=words)
    with st.expander("The figures' data as a table"):
        st.dataframe(info.table, hide_index=True, key="synthetic_table", alt="Scores of the synthetic experiment")


def _growth_words(measure: str) -> str:
    ratio = as_made_beforehand().synthetic.growth(measure, "missing")
    if ratio < 1.5:
        return "the same for every label size"
    return f"{ratio:,.0f} times as much for the largest label as for the smallest"


@st.cache_resource(show_spinner=False)
def _example_figure() -> Any:
    return plot_paper_example(paper_example())


@st.cache_resource(show_spinner=False)
def _synthetic_figure(measure: str, *, is_log: bool) -> tuple[Any, str]:
    info = as_made_beforehand().synthetic
    return plot_synthetic_scores(info, measure, is_log=is_log), synthetic_scores_alt_text(info, measure)


def _notes() -> None:
    st.header("What to know", anchor=False, divider="gray")
    for title, text in NOTES:
        st.markdown(f"**{md(title)}** {md(text)}")
    st.caption(md(ARTICLE_LINE))
