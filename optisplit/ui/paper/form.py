"""What of the paper to re-run: data sets, methods, seeds; and the data that are at hand for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.comparison.forecasts import Forecast, forecast, runs_at_a_time, total_seconds
from optisplit.errors import OptisplitError
from optisplit.methods.shapes import Shape
from optisplit.studies.paper import PAPER_DATA, ROWS, Place, find_data, read_printed, reproduce
from optisplit.studies.paper.catalogue import N_SPLITS
from optisplit.studies.paper.tables import make_table1
from optisplit.text import about_time, counted
from optisplit.ui import forms, jobs_panel, keys, session
from optisplit.ui.datasets import UPLOAD_PREFIX
from optisplit.ui.widgets import complaint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from optisplit.comparison.experiment import Progress
    from optisplit.labels import MultilabelDataset
    from optisplit.studies.paper import Reproduction
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport

DEFAULT_DATA = ("bibtex", "delicious")


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
    chosen: ChosenData | None = None  # what a reload puts back into the picker: nothing here


def run(request: PaperRequest, report: OnReport) -> Reproduction:
    """Run the paper's methods; the work of a job."""
    report(0.0, "Getting ready")

    def on_progress(progress: Progress) -> None:
        report(progress.fraction, progress.words)

    return reproduce(
        data=request.data,
        given=request.given,
        before=request.before,
        rows=request.rows,
        seeds=range(request.n_seeds),
        time_limit_s=float(request.time_limit_s),
        printed=None if request.printed is None else BytesIO(request.printed),
        on_progress=on_progress,
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
    table: pd.DataFrame = jobs_panel.wait_for(describe, _given)
    return table


def describe(given: Mapping[str, Place], report: OnReport) -> pd.DataFrame:
    """Read all of the paper's data that is at hand, and make its Table 1; the work of a job."""
    found = find_data() | dict(given)
    loaded: dict[str, MultilabelDataset] = {}
    for key, place in found.items():
        report(len(loaded) / len(found), place.title)
        loaded[key] = place.load()
    return make_table1(loaded, found, read_printed())


def show() -> None:
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
        rows = st.pills(
            "Methods", list(ROWS), selection_mode="multi", default=list(ROWS),
            format_func=lambda row: ROWS[row].name, key=keys.PAPER_ROWS, persist_state="session",
            help="The paper's methods; IS and SOIS both as the paper ran them (scikit-multilearn) and as published; "
            "and OptiSplit-SA.",
        )  # fmt: skip
        seeds_column, limit_column, printed_column = st.columns(3)
        n_seeds = forms.ask_seeds(seeds_column, key=keys.PAPER_SEEDS, help="The paper has the means over 10.")
        limit_s = forms.ask_time_limit(
            limit_column, 60, key=keys.PAPER_LIMIT,
            help="A method that takes longer with one seed is stopped, and not tried with the next.",
        )  # fmt: skip
        with printed_column:
            printed, is_fine = _printed()
        rows_in_order = tuple(row for row in ROWS if row in rows)
        forecasts = _forecasts(data, rows_in_order, n_seeds, limit_s, given)
        _run_button(tuple(data), rows_in_order, n_seeds, limit_s, given, printed, forecasts, is_fine=is_fine)
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


def _run_button(
    data: tuple[str, ...], rows: tuple[str, ...], n_seeds: int | None, limit_s: int | None,
    given: Mapping[str, tuple[Place, ChosenData]], printed: bytes | None, forecasts: Mapping[str, list[Forecast]], *,
    is_fine: bool,
) -> None:  # fmt: skip
    caption, request = "Choose at least one data set and one method.", None
    if data and rows and n_seeds is not None:
        parts = (counted(len(data), "data set"), counted(len(rows), "method"), counted(n_seeds, "seed"))
        # one line after the other, the seeds of each together
        total_s = sum(total_seconds([each], runs_at_a_time(n_seeds)) for each in chain(*forecasts.values()))
        caption = " · ".join([" × ".join(parts), *([about_time(total_s)] if len(forecasts) == len(data) else [])])
        if limit_s is not None and is_fine:
            used = tuple(place for key, (place, _) in given.items() if key in data)
            earlier = jobs_panel.shown_job("paper")
            before = None if earlier is None else earlier.result
            request = PaperRequest(data, rows, n_seeds, limit_s, used, printed, before)
    elif data and rows:
        caption = ""
    if forms.run_button("run_paper", caption, can_run=request is not None):
        jobs_panel.start("paper", run, request)
