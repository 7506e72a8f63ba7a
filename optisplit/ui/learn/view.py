"""The lesson's frame: which step, the way to the next one, and the link to exactly this picture."""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.ui import keys
from optisplit.ui.learn.fields import FIELDS, Field, one_of, remember, restore

if TYPE_CHECKING:
    from collections.abc import Mapping

STEPS: Mapping[Any, tuple[str, str]] = MappingProxyType(
    {
        1: ("1 Rows", "points"),
        2: ("2 Formulas", "formulas"),
        3: ("3 Label size", "sizes"),
        4: ("4 Real data", "ranks"),
        5: ("5 OptiSplit", "trace"),
        6: ("6 Rare labels", "rare"),
        "yours": ("Now your data", "yours"),
        "teachers": ("For teachers", "teachers"),
    }
)
"""The title of each step, and the module that shows it."""

STEP = Field(keys.LEARN_STEP, "step", 1, one_of(STEPS))


STYLE = """<style>
.st-key-learn_steps button { padding: 0.15rem 0.6rem; min-height: 2rem; }
.st-key-learn_steps button p { font-size: 0.8125rem; }
.st-key-learn p, .st-key-learn button p { font-size: 0.875rem; line-height: 1.4; }
.st-key-learn button { min-height: 2.1rem; }
.st-key-learn .katex { font-size: 0.95em; }
.st-key-learn .katex-display { margin: 0.2em 0; }
#root [data-testid="stMainBlockContainer"] { padding-bottom: 1.5rem; }
.st-key-learn .still svg { min-width: 0 !important; margin-bottom: 8px; }
.st-key-learn_seen { padding: 0.6rem 0.8rem; }
#root .learn_words { display: grid; gap: 0.4rem 1rem; margin: 0; padding: 0; }
#root .learn_words { grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); }
.learn_words div { font-size: 0.8125rem; line-height: 1.3; }
.learn_words dt { font-weight: 600; display: inline; }
.learn_words dt::after { content: ": "; }
#root .learn_words dd { display: inline; margin: 0; opacity: 0.85; }
/* on a phone the figure comes as early as it can, and nothing runs out of the page */
@media (max-width: 640px) {
  #root [data-testid="stMainBlockContainer"] h1 { font-size: 1.2rem; }
  .st-key-learn [role="radiogroup"] { flex-wrap: wrap; overflow: visible; }
  .st-key-learn .st-key-learn_steps button { padding: 0.1rem 0.4rem; min-height: 1.75rem; }
  .st-key-learn_steps { position: relative; }
  .st-key-learn_next { position: absolute; right: 0; bottom: 0; }
}
/* narrower still, the tabs need the room themselves */
@media (max-width: 410px) { .st-key-learn_next { position: static; } }
</style>"""
"""Each step fits one screen of a projector, 1280 by 720 pixels."""


def show() -> None:
    """Draw the step that is chosen."""
    with st.container(key="learn", gap="small"):
        st.html(STYLE)
        _show()


def _show() -> None:
    every = [STEP, *(field for fields in FIELDS.values() for field in fields)]
    restore(every)
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="learn_steps"
    ):
        st.segmented_control(
            "Step", list(STEPS), format_func=lambda step: STEPS[step][0], key=keys.LEARN_STEP, required=True,
            persist_state="session", label_visibility="collapsed",
        )  # fmt: skip
        step = st.session_state[keys.LEARN_STEP]
        order = list(STEPS)
        following = order[order.index(step) + 1] if step != "teachers" else None
        st.button(
            "Next", key="learn_next", icon=":material/arrow_forward:", icon_position="right", type="primary",
            disabled=following in (None, "teachers"), on_click=_go, args=(following,),
            help="The address of this page opens exactly this picture: copy it to send it.",
        )  # fmt: skip
    # each step is read when it is first needed
    importlib.import_module(f"optisplit.ui.learn.{STEPS[step][1]}").show()
    remember([STEP, *FIELDS.get(step, ())], every)


def _go(step: Any) -> None:
    st.session_state[keys.LEARN_STEP] = step
