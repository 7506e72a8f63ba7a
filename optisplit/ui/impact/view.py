"""The page: which study, of which data, its result and the form for a run of one's own."""

from __future__ import annotations

import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.studies.impact import SAMPLES_WITH_FEATURES
from optisplit.ui import jobs_panel, keys
from optisplit.ui.datasets import title_of
from optisplit.ui.impact import folds, parts
from optisplit.ui.widgets import md

STUDIES = {each.kind: each for each in (folds.STUDY, parts.STUDY)}


def data_field() -> str | None:
    """Ask which data set to study."""
    at_hand = [key for key in SAMPLES_WITH_FEATURES if key in SAMPLES]
    if not at_hand:
        st.info("No sample data is installed.")
        return None
    state = st.session_state
    picked = state.get(keys.DATA)
    # the page follows the picker, until something else is chosen here
    if keys.IMPACT_DATA not in state or (picked in at_hand and picked != state.get(keys.IMPACT_SEEN)):
        state[keys.IMPACT_DATA] = picked if picked in at_hand else at_hand[0]
    state[keys.IMPACT_SEEN] = picked
    if picked and picked not in at_hand:
        st.info(
            f"A model needs features, and of {md(title_of(picked))} the app has labels only. The samples below have "
            "both. For features of your own, use Python: `measure_impact((X, Y))`.",
            icon=":material/info:",
        )
    return st.segmented_control(
        "Data set with features", at_hand, format_func=title_of, key=keys.IMPACT_DATA,
        persist_state="session", required=True,
    )  # fmt: skip


def show() -> None:
    """Draw the page."""
    study = STUDIES[
        st.segmented_control(
            "What is reported", list(STUDIES), format_func=lambda kind: STUDIES[kind].title, default=folds.STUDY.kind,
            key=keys.IMPACT_STUDY, persist_state="session", required=True,
        )
    ]  # fmt: skip
    with st.expander("How this is found out", icon=":material/science:", key="impact_how"):
        st.markdown(study.how)
    data = data_field()
    if data is None:
        return
    job = jobs_panel.shown_job(study.kind)
    if job is not None and job.request.data == data and job.result is not None:
        st.caption(f"Your own run: {study.settings(job.result)}.")
        st.header(md(SAMPLES[data].title), anchor=False, divider="gray")
        study.draw(job.result, job.request.code)
    elif (kept := study.kept(data)) is None:
        st.info("Nothing run yet. Press **Run** below.", icon=":material/lightbulb:")
    else:
        versions = ", ".join(f"{name} {version}" for name, version in kept.versions.items())
        st.caption(f"Made beforehand, on {kept.date}: {study.settings(kept.result)} ({versions}). Run your own below.")
        st.header(md(SAMPLES[data].title), anchor=False, divider="gray")
        study.draw(kept.result, study.request_of(kept.result).code)
    st.header("Run your own", anchor=False, divider="gray")
    study.form(data)
