"""The page: two data sets side by side, then any data set and score, and the form for a run of one's own."""

from __future__ import annotations

import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.studies.impact import SAMPLES_WITH_FEATURES
from optisplit.ui import jobs_panel, keys
from optisplit.ui.datasets import title_of
from optisplit.ui.impact import folds, opening, parts
from optisplit.ui.widgets import md

STUDIES = {each.kind: each for each in (folds.STUDY, parts.STUDY)}


def data_field() -> str | None:
    """Ask which data set to look at; none to begin with, as two of them are shown."""
    at_hand = [key for key in SAMPLES_WITH_FEATURES if key in SAMPLES]
    if not at_hand:
        st.info("No sample data is installed.")
        return None
    return st.segmented_control(
        "Data set with features", at_hand, format_func=title_of, key=keys.IMPACT_DATA, persist_state="session",
        help="A model needs features, so these are the samples that have them. For features of your own, use Python: "
        "`measure_impact((X, Y))`.",
    )  # fmt: skip


def show() -> None:
    """Draw the page."""
    study = STUDIES[
        st.segmented_control(
            "What is reported", list(STUDIES), format_func=lambda kind: STUDIES[kind].title, default=folds.STUDY.kind,
            key=keys.IMPACT_STUDY, persist_state="session", required=True, label_visibility="collapsed",
        )
    ]  # fmt: skip
    job = jobs_panel.shown_job(study.kind)
    if job is not None:
        st.session_state.setdefault(keys.IMPACT_DATA, job.request.data)
    opening.show(study)
    st.header("Any data set, any score, and runs of your own", anchor=False, divider="gray")
    with st.expander("How this is found out", icon=":material/science:", key="impact_how"):
        st.markdown(study.how)
    data = data_field()
    if data is None:
        st.caption("Choose a data set to see all scores of it, and to run the study with other settings.")
        return
    if job is not None and job.request.data == data and job.result is not None:
        st.caption(f"Your own run: {study.settings(job.result)}.")
        study.draw(job.result, job.request.code)
    elif (kept := study.kept(data)) is None:
        st.info("Nothing run yet. Press **Run** below.", icon=":material/lightbulb:")
    else:
        versions = ", ".join(f"{name} {version}" for name, version in kept.versions.items())
        st.caption(f"Made beforehand, on {kept.date}: {study.settings(kept.result)} ({versions}). Run your own below.")
        study.draw(kept.result, study.request_of(kept.result).code)
    st.subheader(f"Run your own on {md(SAMPLES[data].title)}", anchor=False)
    study.form(data)
