"""The paper, re-run: the synthetic experiment, the data, every method, and what to know of the printed numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.comparison.forecasts import Forecast, forecast, runs_at_a_time, total_seconds
from optisplit.errors import OptisplitError
from optisplit.measures.registry import PARTS_TITLE, name_of
from optisplit.methods.shapes import Shape
from optisplit.plots.summary import titles
from optisplit.plots.synthetic_scores import plot_synthetic_scores, synthetic_scores_alt_text
from optisplit.studies.paper import (
    BESIDE,
    FIGURES,
    PAPER_DATA,
    PROPERTIES,
    ROWS,
    Place,
    find_data,
    read_printed,
    reproduce,
)
from optisplit.studies.paper.catalogue import N_SPLITS
from optisplit.studies.paper.notes import ARTICLE_LINE, NOTES, verdict_line
from optisplit.studies.paper.report import FIGURE_ORDER, GREY_NUMBERS, figure_texts
from optisplit.studies.paper.tables import make_table1
from optisplit.studies.synthetic import SyntheticScores, synthetic_scores
from optisplit.text import about_time, counted
from optisplit.ui import forms, jobs_panel, keys, session
from optisplit.ui.datasets import UPLOAD_PREFIX
from optisplit.ui.widgets import chart, complaint, download, download_table, md, small_table, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from optisplit.labels import MultilabelDataset
    from optisplit.studies.paper import Reproduction
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport


DEFAULT_DATA = ("bibtex", "delicious")
VERDICT_COLORS = {"agrees": "green", "better": "green", "differs": "orange"}
"""Colours of Streamlit's markdown; any other verdict is grey."""


@dataclass(frozen=True)
class PaperRequest:
    """What was asked for."""

    data: tuple[str, ...]  # keys of data sets and of lines of Table 2
    rows: tuple[str, ...]  # keys of data sets and of lines of Table 2
    n_seeds: int  # seeds, from 0
    time_limit_s: int  # most seconds for one run
    given: tuple[Place, ...]  # files that the user brought
    printed: bytes | None = None  # a CSV with more printed numbers
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
        printed=None if request.printed is None else BytesIO(request.printed),
        on_progress=lambda progress: report(progress.fraction, progress.words),
    )


def brought() -> dict[str, tuple[Place, ChosenData]]:
    """Find the paper's data among the files of this session, by their names."""
    uploads: dict[str, ChosenData] = st.session_state.get(keys.UPLOADS, {})
    found: dict[str, tuple[Place, ChosenData]] = {}
    for upload in uploads.values():
        name = upload.key.removeprefix(UPLOAD_PREFIX).removesuffix(".gz")
        for key, about in PAPER_DATA.items():
            if name == about.authors_file and not about.sample:
                found[key] = (Place(key, "authors' file", Path(name), upload.data), upload)
            elif name == about.stand_in and key not in found:
                found[key] = (Place(key, "stand-in", Path(name), upload.data), upload)
    return found


def table1() -> pd.DataFrame:
    """Make Table 1 of all that is at hand."""
    given = brought()
    digests = tuple((key, place.origin, chosen.data.digest) for key, (place, chosen) in given.items())
    return _table1(bool(given), digests, {key: place for key, (place, _) in given.items()})


@session.cached_for_data(max_entries=4, show_spinner="Reading the paper's data …")
def _table1(digests: tuple[Any, ...], _given: Mapping[str, Place]) -> pd.DataFrame:
    return jobs_panel.wait_for(describe, _given)


def describe(given: Mapping[str, Place], report: OnReport) -> pd.DataFrame:
    """Read all of the paper's data that is at hand, and make its Table 1; the work of a job."""
    found = find_data() | dict(given)
    loaded: dict[str, MultilabelDataset] = {}
    for key, place in found.items():
        report(len(loaded) / len(found), place.title)
        loaded[key] = place.load()
    return make_table1(loaded, found, read_printed())


def _run_form() -> None:
    """Draw the form; start the work when asked."""
    given = brought()
    places = {**find_data(), **{key: place for key, (place, _) in given.items()}}
    at_hand = [key for key in PAPER_DATA if key in places]
    with st.container(border=True):
        data = st.pills(
            "Data", at_hand, selection_mode="multi", default=[key for key in DEFAULT_DATA if key in at_hand],
            format_func=lambda key: places[key].title, key=keys.PAPER_DATA, persist_state="session",
            help="Those of the paper's data sets that are at hand.",
        )  # fmt: skip
        picked = st.pills(
            "Methods", list(ROWS), selection_mode="multi", default=list(ROWS),
            format_func=lambda row: ROWS[row].name, key=keys.PAPER_ROWS, persist_state="session",
            help="The paper's methods; IS and SOIS both as the paper ran them (scikit-multilearn) and as published; "
            "and OptiSplit-SA.",
        )  # fmt: skip
        seeds_column, limit_column, printed_column = st.columns(3)
        n_seeds = whole_number(
            seeds_column, "Seeds", (1, forms.MAX_SEEDS), 3, key=keys.PAPER_SEEDS,
            help="The paper has the means over 10.",
        )  # fmt: skip
        limit_s = forms.ask_time_limit(
            limit_column, 60, key=keys.PAPER_LIMIT,
            help="A method that takes longer with one seed is stopped, and not tried with the next.",
        )  # fmt: skip
        with printed_column:
            printed, is_fine = _printed()
        rows = tuple(row for row in ROWS if row in picked)
        forecasts = _forecasts(data, rows, n_seeds, limit_s, given)
        request = None
        if data and rows and n_seeds is not None and limit_s is not None and is_fine:
            used = tuple(place for key, (place, _) in given.items() if key in data)
            earlier = jobs_panel.shown_job("paper")
            before = None if earlier is None else earlier.result
            request = PaperRequest(tuple(data), rows, n_seeds, limit_s, used, printed, before)
        caption = _caption(len(data), len(rows), n_seeds, forecasts)
        if forms.run_button("run_paper", caption, can_run=request is not None):
            jobs_panel.start("paper", run, request)
        forms.show_slow((f"{places[key].title}: ", each) for key, of_data in forecasts.items() for each in of_data)


def _forecasts(
    data: Sequence[str], rows: Sequence[str], n_seeds: int | None, limit_s: int | None,
    given: Mapping[str, tuple[Place, ChosenData]],
) -> dict[str, list[Forecast]]:  # fmt: skip
    """Estimate what each line takes, by data set; those of which nothing is known before they are read are left out."""
    found: dict[str, list[Forecast]] = {}
    if n_seeds is None or limit_s is None:
        return found
    for key in data:
        shape = forms.shape_of(given[key][1]) if key in given else Shape.of_sample(PAPER_DATA[key].sample)
        if shape is not None:
            found[key] = [_forecast_row(row, shape, n_seeds, limit_s) for row in rows]
    return found


def _forecast_row(row: str, shape: Shape, n_seeds: int, limit_s: int) -> Forecast:
    method, options = ROWS[row].method, ROWS[row].options
    made = forecast(shape, [method], N_SPLITS, n_seeds, options={method: options}, limits_s={method: float(limit_s)})[0]
    return replace(made, name=ROWS[row].name)


def _printed() -> tuple[bytes | None, bool]:
    file = st.file_uploader(
        "More printed numbers (CSV)", type=["csv"], key="printed_file",
        help="If you have the article at hand: columns table, data, row, figure, value, such as "
        "2,delicious,ss,rld,0.06. Keys as in table2.csv.",
    )  # fmt: skip
    if file is None:
        return None, True
    try:
        read_printed(BytesIO(file.getvalue()))
    except OptisplitError as error:
        st.markdown(complaint(error))
        return None, False
    return file.getvalue(), True


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


def show() -> None:
    """Draw the page."""
    st.caption(md(ARTICLE_LINE))
    _synthetic()
    _data_table()
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


def _data_table() -> None:
    st.header("Table 1: the data", anchor=False, divider="gray")
    table = table1()
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
    _run_form()
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
        lines = mine.to_dict("records")
        small_table([_line(line) for line in lines], f"Scores of every method on {title}")
        st.markdown(f"**{PARTS_TITLE}**")
        small_table([_line_beside(line) for line in lines], f"How much the folds look like the whole, on {title}")
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


def _line_beside(line: dict[str, Any]) -> dict[str, str]:
    return {"Method": md(line["name"])} | {titles()[figure]: _cell(*figure_texts(line, figure)) for figure in BESIDE}


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
