"""What the page opens with: the data set where the split matters most, beside one where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.text import joined
from optisplit.ui.widgets import chart, md

if TYPE_CHECKING:
    from optisplit.studies.impact.kept import Kept
    from optisplit.ui.impact.study import Study

SIDE_BY_SIDE = ("medical", "bibtex")
"""Many rare labels; none that is rare."""


def show(study: Study) -> None:
    """Draw two data sets side by side: what is found, with intervals, and every estimate."""
    kept = {name: study.kept(name) for name in SIDE_BY_SIDE}
    if not all(kept.values()):
        return
    for place, (name, found) in zip(st.columns(2, gap="medium"), kept.items(), strict=True):
        with place:
            _half(study, name, found)
    any_kept = kept[SIDE_BY_SIDE[0]]
    st.caption(
        f"Score: {study.score_names[study.score]}. Made beforehand, on {any_kept.date}: "
        f"{study.settings(any_kept.result)}. Each point is one run."
    )


def _half(study: Study, name: str, found: Kept[Any]) -> None:
    sample, summary = SAMPLES[name], found.result.summary
    lines = [line for line in summary.to_dict("records") if line["method"] != "random"]
    shows = {line["score"] for line in lines if study.differs(line)}
    answer = "it matters" if study.score in shows else "no difference is shown"
    st.subheader(f"{md(sample.title)}: {answer}", anchor=False)
    st.markdown(f":small[{sample.n_rows:,} rows, {sample.n_labels:,} labels: {md(sample.what)}.]")
    for line in study.headlines(found.result, study.score):
        st.markdown(line)
    info, figure = study.figure(found.result, study.score)
    chart(figure, f"{study.kind}-{name}", key=f"opening_{study.kind}_{name}", alt=info.alt_text)
    st.caption(_other_scores(study, shows))


def _other_scores(study: Study, shows: set[str]) -> str:
    """Say for which of the other scores a difference is shown, and for which none is."""
    said = []
    for is_shown in (True, False):
        others = [key for key in study.score_names if key != study.score and (key in shows) == is_shown]
        if others:
            names = joined([f"“{study.score_names[key]}”" for key in others])
            said.append(f"a difference is {'' if is_shown else 'not '}shown in {names}")
    return f"By other scores, {'; '.join(said)}."
