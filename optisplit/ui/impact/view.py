"""The page: two data sets side by side, then any data set and score, and the form for a run of one's own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.studies.impact import SAMPLES_WITH_FEATURES
from optisplit.studies.impact.kept import kept_names
from optisplit.ui import datasets, jobs_panel, keys
from optisplit.ui.datasets import title_of
from optisplit.ui.impact import answers, folds, opening, own, parts, take_away
from optisplit.ui.widgets import chart_with_table, md, small_table

if TYPE_CHECKING:
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.impact.request import StudyRequest
    from optisplit.ui.impact.study import Study
    from optisplit.ui.jobs import Job

_kept_names = cache(kept_names)

STUDIES = {each.kind: each for each in (folds.STUDY, parts.STUDY)}


def _settle() -> dict[str, ChosenData]:
    """Choose what was brought last, or chosen on another page; give all data of one's own."""
    state = st.session_state
    uploads: dict[str, ChosenData] = state.get(keys.UPLOADS, {})
    current = state.get(keys.DATA)
    if current in uploads and state.get(keys.IMPACT_OWN_SEEN) != current:
        state[keys.IMPACT_OWN_SEEN] = state[keys.IMPACT_DATA] = current
    return uploads


def _ask_data(study: Study, uploads: dict[str, ChosenData]) -> ChosenData | None:
    """Ask which data set to look at, one's own first; none to begin with, as two of them are shown."""
    elsewhere = [key for key in _kept_names(study.kind) if key not in SAMPLES]  # their studies come along alone
    at_hand = [*uploads, *(key for key in SAMPLES_WITH_FEATURES if key in SAMPLES), *elsewhere]
    if not at_hand:
        st.info("No sample data is installed; bring a file of your own at the left.")
        return None
    if st.session_state.get(keys.IMPACT_DATA) not in at_hand:
        st.session_state.pop(keys.IMPACT_DATA, None)
    key = st.segmented_control(
        "Data set with features", at_hand, format_func=title_of, key=keys.IMPACT_DATA, persist_state="session",
        help="A model needs features: these are the samples that have them, and the files that you brought. Bring one "
        "at the left, under **Use your own data**.",
    )  # fmt: skip
    return uploads[key] if key in uploads else None if key is None else datasets.of_sample(key)


def show() -> None:
    """Draw the page; where data of one's own are chosen, without the two data sets side by side."""
    study = STUDIES[
        st.segmented_control(
            "What is reported", list(STUDIES), format_func=lambda kind: STUDIES[kind].title, default=folds.STUDY.kind,
            key=keys.IMPACT_STUDY, persist_state="session", required=True, label_visibility="collapsed",
        )
    ]  # fmt: skip
    job = jobs_panel.shown_job(study.kind)
    if job is not None:
        st.session_state.setdefault(keys.IMPACT_DATA, job.request.chosen.key)
    uploads = _settle()
    if st.session_state.get(keys.IMPACT_DATA) not in uploads:
        opening.show(study)
        st.header("Any data set, any score, and runs of your own", anchor=False, divider="gray")
    with st.expander("How this is found out", icon=":material/science:", key="impact_how"):
        st.markdown(study.how)
    chosen = _ask_data(study, uploads)
    if chosen is None:
        st.caption(
            "Choose a data set to see all scores of it, and to run the study with other settings; or bring your own, "
            "at the left."
        )
    elif chosen.uploaded is not None:
        _own(study, chosen, job)
    else:
        _sample(study, chosen, job)


def _own(study: Study, chosen: ChosenData, job: Job | None) -> None:
    """Show the study of one's own data, and ask for it."""
    problem = own.obstacle(chosen)
    if problem:
        st.info(md(problem), icon=":material/table_rows:")
        return
    is_shown = job is not None and job.request.chosen.key == chosen.key
    if job is not None and is_shown:
        _result(study, job)
    st.subheader(f"{'Run it again' if is_shown else 'Run it'} on {md(title_of(chosen.key))}", anchor=False)
    if not is_shown:
        st.caption("Nothing of your data is kept or logged: it is gone when you leave.")
    _form(study, chosen, job if is_shown else None)


def _sample(study: Study, chosen: ChosenData, job: Job | None) -> None:
    """Show the study of a sample: as it was run here, or as it was made beforehand; and ask for another run."""
    is_shown = job is not None and job.request.chosen.key == chosen.key
    if job is not None and is_shown:
        _result(study, job)
    elif (kept := study.kept(chosen.key)) is None:
        st.info("Nothing run yet. Press **Run** below.", icon=":material/lightbulb:")
    else:
        versions = ", ".join(f"{name} {version}" for name, version in kept.versions.items())
        st.caption(f"Made beforehand, on {kept.date}: {study.settings(kept.result)} ({versions}).")
        _draw(study, kept.result, study.request_of(kept.result))
    if chosen.key not in SAMPLES:
        st.caption("These data do not come along, only their study. Bring a copy to run it yourself.")
        return
    st.subheader(f"Run your own on {md(title_of(chosen.key))}", anchor=False)
    _form(study, chosen, job if is_shown else None)


def _result(study: Study, job: Job) -> None:
    if job is jobs_panel.current_job():
        jobs_panel.to_the_top(job, keys.IMPACT_SEEN)
    st.caption(f"Your own run: {study.settings(job.result)}.")
    _draw(study, job.result, job.request)


def _draw(study: Study, result: Any, request: StudyRequest) -> None:
    """Draw a result by a score that is asked for."""
    score = study.ask_score(result)
    answers.show(result, request, score)
    title, told = study.points
    st.subheader(title, anchor=False, help=told)
    info, figure = study.figure(result, score)
    chart_with_table(figure, info, "estimates", stem=take_away.stem_of(study, result), by="method")
    lines = [study.line(line) for line in result.summary.to_dict("records") if line["score"] == score]
    small_table(lines, study.table_alt)
    take_away.show(study, result, request, score)


def _form(study: Study, chosen: ChosenData, shown: Job | None) -> None:
    """Ask for a run, and say which settings are other than those of the result that is shown."""
    place = st.container()
    request = study.form(chosen)
    changes = [] if shown is None or request is None else request.changes(shown.request)
    if changes:
        place.info(
            f"The result above is of other settings. Now {md('; '.join(changes))}. Press **Run** for that.",
            icon=":material/info:",
        )
