"""The lesson's frame: which step, the way to the next one, and the link to exactly this picture."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.ui import keys
from optisplit.ui.learn import formulas, parts, points, ranks, sizes, trace
from optisplit.ui.learn.parts import Field, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

STEPS: Mapping[int, tuple[str, ModuleType]] = MappingProxyType(
    {
        1: ("Rows", points),
        2: ("Formulas", formulas),
        3: ("Label size", sizes),
        4: ("Real data", ranks),
        5: ("OptiSplit", trace),
    }
)
"""Name of each step and the module that shows it."""

STEP = Field(keys.LEARN_STEP, "step", 1, one_of(STEPS))


def show() -> None:
    """Draw the step that is chosen."""
    fields = [STEP, *(field for _, module in STEPS.values() for field in module.FIELDS)]
    parts.restore(fields)
    st.segmented_control(
        "Step", list(STEPS), format_func=lambda step: f"{step} {STEPS[step][0]}", key=keys.LEARN_STEP, required=True,
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    step: int = st.session_state[keys.LEARN_STEP]
    module = STEPS[step][1]
    module.show()
    _way_on(step)
    parts.remember([STEP, *module.FIELDS], fields)
    st.caption("The address of this page opens exactly this picture: copy it to send it.")


def _way_on(step: int) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for way, icon in ((-1, ":material/arrow_back:"), (1, ":material/arrow_forward:")):
            there = step + way
            title = f"{there} {STEPS[there][0]}" if there in STEPS else ("Start" if way < 0 else "End")
            st.button(
                title, key=f"learn_way_{way}", icon=icon, icon_position="left" if way < 0 else "right",
                disabled=there not in STEPS, type="primary" if way > 0 else "secondary", on_click=_go, args=(there,),
            )  # fmt: skip


def _go(step: int) -> None:
    st.session_state[keys.LEARN_STEP] = step
