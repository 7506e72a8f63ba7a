"""The three questions of a study, answered in words, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.labels import positives_per_label
from optisplit.studies.impact import answer
from optisplit.ui.widgets import md, said

if TYPE_CHECKING:
    from optisplit.studies.impact import Answers
    from optisplit.ui.impact.request import StudyRequest

ICONS = {"luck": "casino", "unscored": "visibility_off", "distance": "straighten"}


def of(result: Any, request: StudyRequest, score: str) -> Answers:
    """Answer the questions by a score; of one's own data, labels are named."""
    data = request.chosen.uploaded
    if data is None:
        return answer(result, score=score)
    counts = positives_per_label(data.labels)
    return answer(result, score=score, label_counts=counts, label_names=data.label_names)


def show(result: Any, request: StudyRequest, score: str) -> None:
    """Draw what is to be known first, questions and answers beside each other, advice, and what was noticed."""
    found = of(result, request, score)
    if found.caveat:
        st.warning(said(found.caveat), icon=":material/group_work:")
    for place, each in zip(st.columns(len(found.questions), gap="medium"), found.questions, strict=True):
        with place.container(border=True, height="stretch"):
            st.markdown(f"**:material/{ICONS[each.key]}: {md(each.question)}**")
            st.markdown("\n".join(f"- {said(sentence)}" for sentence in each.sentences))
    if found.advice:
        st.markdown("**What to do**\n" + "\n".join(f"- {said(each.sentence)}" for each in found.advice))
    for note in result.notes:
        st.caption(said(note))
