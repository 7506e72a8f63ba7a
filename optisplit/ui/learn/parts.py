"""What the steps of the lesson have in common: a question before something is shown, and what was seen after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.plots.svg import to_svg
from optisplit.ui.learn.fields import NOT_SURE, guess_key
from optisplit.ui.widgets import PHONE, still_chart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import plotly.graph_objects as go


@dataclass(frozen=True)
class Question:
    """What is asked before a step shows anything."""

    step: int
    text: str  # markdown
    answers: Mapping[str, str]  # what can be answered, by the keys that the address knows
    right: str  # key of the right answer, computed


def is_answered(step: int) -> bool:
    """Tell whether the step's question has been answered, so that all may be shown."""
    return st.session_state[guess_key(step)] is not None


def is_of_picture(step: int, picture: Any) -> bool:
    """Tell whether the step's question is that of this picture: an answer belongs to the picture it was given to."""
    key = f"{guess_key(step)}_of"
    if is_answered(step):
        return bool(st.session_state.setdefault(key, picture) == picture)
    st.session_state.pop(key, None)
    return True


def ask(question: Question, on_answer: Callable[[], None] | None = None) -> None:
    """Ask."""
    st.markdown(f":material/help: **{question.text}**")
    answers = {**question.answers, NOT_SURE: "Show me"}
    st.segmented_control(
        "Your answer", list(answers), format_func=answers.__getitem__, key=guess_key(question.step),
        persist_state="session", label_visibility="collapsed", on_change=on_answer,
    )  # fmt: skip


def drawing(figure: go.Figure, title: str, alt: str, *, key: str, width: int, narrow: go.Figure | None = None) -> None:
    """Draw a figure without Plotly's program, which takes a browser longer than all else of the lesson.

    It is laid out for a width in pixels, and for a phone, where another figure may stand in its place.
    """
    wide = to_svg(figure, title, alt, width=width)
    still_chart(wide, key=key, narrow=to_svg(figure if narrow is None else narrow, title, alt, width=PHONE))


def verdict(question: Question) -> tuple[str, str]:
    """Say of what was answered whether it is right, and what is."""
    right, answer = question.answers[question.right], st.session_state[guess_key(question.step)]
    lead = {question.right: "Right:", NOT_SURE: ""}.get(answer, "Not quite:")
    return lead, f"{right}."


def seen(question: Question, text: str, *, is_asked_of: bool = True) -> None:
    """Say whether the answer was right, where the screen shows what was asked, and what is to be seen on it."""
    lead, right = verdict(question)
    if not is_asked_of:
        words = ""
    elif lead == "Right:":
        words = f":green[:material/check: **{lead}** {right}]"
    else:
        words = f":material/arrow_forward: {f'{lead} ' if lead else ''}**{right}**"
    with st.container(border=True, key="learn_seen"):
        st.markdown(f"{words} :material/visibility: **Seen.** {text}")
