"""Step 3 of the lesson: the same error for labels of every size, and why LD climbs."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.measures.registry import MEASURES
from optisplit.plots.odds_curve import OddsCurveInfo, plot_odds_curve
from optisplit.plots.synthetic_scores import plot_synthetic_scores, synthetic_scores_alt_text
from optisplit.studies.lesson.formulas import number
from optisplit.studies.lesson.odds import OddsStep, UnevenLabel
from optisplit.studies.synthetic import DIFFERENCE, KINDS, synthetic_scores
from optisplit.text import percent
from optisplit.ui import keys
from optisplit.ui.learn.parts import Field, numbers_table, one_of, seen, to_do
from optisplit.ui.widgets import chart, complaint

if TYPE_CHECKING:
    from optisplit.studies.synthetic import SyntheticScores

ORDER = ("ld", "rld", "dcp")
ROWS = (10_000, 20_000, 50_000, 100_000)
CLASSES = (10, 25, 50, 100)
FOLDS = tuple(range(3, 11))
PERCENTS = tuple(range(5, 101, 5))
SMALL = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
LARGE = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)  # a step of 100 % must stay below 1
MAX_AMOUNT = 300
FIRST_AMOUNTS = (150, 50, 100)
"""What each fold has of what is due, in per cent, until the user says otherwise; further folds have the last."""


def _amounts_from_text(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d{1,3}(-\d{1,3}){1,9}", text, re.ASCII):
        raise ValueError(text)
    amounts = tuple(map(int, text.split("-")))
    if max(amounts) > MAX_AMOUNT or not any(amounts):
        raise ValueError(text)
    return amounts


FIELDS = (
    Field(keys.LEARN_ERROR, "error", "difference", one_of(KINDS)),
    Field(keys.LEARN_ROWS, "rows", 100_000, one_of(ROWS)),
    Field(keys.LEARN_CLASSES, "classes", 50, one_of(CLASSES)),
    Field(keys.LEARN_FOLDS, "folds", 10, one_of(FOLDS)),
    Field(keys.LEARN_DIFFERENCE, "percent", round(100 * DIFFERENCE), one_of(PERCENTS)),
    Field(keys.LEARN_AMOUNTS, "amounts", FIRST_AMOUNTS, _amounts_from_text, lambda given: "-".join(map(str, given))),
    Field(keys.LEARN_SMALL, "small", SMALL[0], one_of(SMALL)),
    Field(keys.LEARN_LARGE, "large", LARGE[0], one_of(LARGE)),
)
"""The experiment's settings, and where the two steps of the lower figure start."""


def show() -> None:
    """Draw the step."""
    to_do(
        "The same error for every label",
        "Choose an error. Every label gets exactly this error, in relation to its size. Then change its size, "
        "and see which measure stays flat.",
    )
    amounts = _controls()
    if amounts is None:
        return
    state = st.session_state
    folds = state[keys.LEARN_FOLDS]
    n_rows = state[keys.LEARN_ROWS] - state[keys.LEARN_ROWS] % folds
    kind = state[keys.LEARN_ERROR]
    info = _scores(
        kind, n_rows, state[keys.LEARN_CLASSES], folds, state[keys.LEARN_DIFFERENCE] / 100,
        amounts if kind == "free" else None,
    )  # fmt: skip
    _panels(info, kind)
    _why(n_rows)


def _controls() -> tuple[int, ...] | None:
    state = st.session_state
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.segmented_control(
                "Error", list(KINDS), format_func=lambda kind: KINDS[kind][0], key=keys.LEARN_ERROR, required=True,
                persist_state="session", help="  \n".join(f"{name}: {what}." for name, what in KINDS.values()),
            )  # fmt: skip
            for title, key, options in (
                ("Rows", keys.LEARN_ROWS, ROWS), ("Labels", keys.LEARN_CLASSES, CLASSES),
                ("Folds", keys.LEARN_FOLDS, FOLDS),
            ):  # fmt: skip
                st.selectbox(title, options, format_func="{:,}".format, key=key, persist_state="session", width=110)
            st.select_slider(
                "Difference", PERCENTS, format_func="{} %".format, key=keys.LEARN_DIFFERENCE, persist_state="session",
                width=280,
                help="How much the first fold is over and the second one under what is due. Also the size of the steps "
                "below.",
            )  # fmt: skip
        if state[keys.LEARN_ERROR] != "free":
            return FIRST_AMOUNTS
        return _amounts(state[keys.LEARN_FOLDS])


def _amounts(n_splits: int) -> tuple[int, ...] | None:
    known = st.session_state[keys.LEARN_AMOUNTS]
    given = []
    st.markdown("What each fold has of every label, in per cent of what is due:")
    with st.container(horizontal=True):
        for fold in range(n_splits):
            key = f"{keys.LEARN_AMOUNTS}_{fold}"
            if key not in st.session_state:
                st.session_state[key] = known[fold] if fold < len(known) else FIRST_AMOUNTS[-1]
            given.append(
                st.number_input(
                    f"Fold {fold}", min_value=0, max_value=MAX_AMOUNT, step=10, key=key, persist_state="session",
                    width=110,
                )
            )  # fmt: skip
    amounts = tuple(int(each or 0) for each in given)
    if not any(amounts):
        st.markdown(complaint("At least one fold needs some, please."))
        return None
    st.session_state[keys.LEARN_AMOUNTS] = amounts
    return amounts


@st.cache_resource(max_entries=64, show_spinner="Computing …")
def _scores(
    kind: str, n_rows: int, n_labels: int, n_splits: int, difference: float, amounts: tuple[int, ...] | None
) -> SyntheticScores:
    return synthetic_scores(
        (kind,), n_rows=n_rows, n_labels=n_labels, n_splits=n_splits, difference=difference, amounts=amounts
    )


def _panels(info: SyntheticScores, kind: str) -> None:
    for measure, place in zip(ORDER, st.columns(3), strict=True):
        with place:
            st.markdown(f"**{MEASURES[measure].name}** · {_growth(info, measure, kind)}")
            figure = plot_synthetic_scores(info, measure)
            figure.update_layout(height=260, showlegend=False)
            chart(
                figure,
                f"label-size-{measure}",
                key=f"learn_sizes_{measure}",
                alt=synthetic_scores_alt_text(info, measure),
            )
    n_spared = int((info.scores["rld"][kind] < 1e-12).sum())
    if kind == "difference" and 0 < n_spared < info.sizes[kind].size:
        st.caption(
            f"A point is a label. The smallest {'one has' if n_spared == 1 else f'{n_spared} have'} no error here: "
            f"{percent(info.difference, 2)} of so few rows in a fold is less than one row."
        )
    elif kind == "free":
        st.caption("A point is a label. The few rows of the smallest labels may not follow the amounts exactly.")
    else:
        st.caption("A point is a label.")
    with st.expander("These figures' data as a table"):
        st.dataframe(info.table, hide_index=True, key="learn_sizes_table", alt="Scores of every label")


def _growth(info: SyntheticScores, measure: str, kind: str) -> str:
    ratio = info.growth(measure, kind)
    if math.isnan(ratio):
        return "0 for every label"
    return "stays flat" if ratio < 1.5 else f"climbs {ratio:,.0f}-fold"


def _why(n_rows: int) -> None:
    state = st.session_state
    relative = state[keys.LEARN_DIFFERENCE] / 100
    st.subheader("Why: the same step, at a small x and at a large x", anchor=False)
    st.markdown(
        ":material/touch_app: **Do.** Move both sliders. The step is always "
        f"**{percent(relative, 2)}** of x (the *Difference* above)."
    )
    left, right = st.columns([11, 9], gap="medium")
    with right:
        for title, key, options in (("Small x", keys.LEARN_SMALL, SMALL), ("Large x", keys.LEARN_LARGE, LARGE)):
            st.select_slider(
                title, options, key=key, persist_state="session",
                format_func=lambda x: f"{number(x)} ({number(x * n_rows)} rows)",
            )  # fmt: skip
        info = OddsCurveInfo(*(OddsStep(state[key], relative) for key in (keys.LEARN_SMALL, keys.LEARN_LARGE)))
        _steps_table(info)
    with left:
        chart(plot_odds_curve(info), "odds", key="learn_odds", alt=info.alt_text)
    _answer(info, n_rows, relative)


def _steps_table(info: OddsCurveInfo) -> None:
    lines: list[dict[str, Any]] = [
        {
            "x": f"{number(step.x)} → {number(step.x_after)}",
            "x rises by": f"{number(step.change)} ({percent(step.relative, 2)})",
            "x/(1−x) rises by": f"{number(step.odds_change)} ({percent(step.relative_odds_change, 3)})",
        }
        for step in (info.small, info.large)
    ]
    numbers_table(lines, "Both steps: by how much x and x/(1-x) rise")


def _answer(info: OddsCurveInfo, n_rows: int, relative: float) -> None:
    n_splits = st.session_state[keys.LEARN_FOLDS]
    small, large = (UnevenLabel(step.x, n_splits, relative) for step in (info.small, info.large))
    rows = [number(each.frequency * n_rows) for each in (small, large)]
    by_x = info.large.change / info.small.change
    seen(
        f"Why does a {percent(relative, 2)} error for a label of {rows[0]} rows move LD less than for one of "
        f"{rows[1]} rows? "
        f"Of {n_rows:,} rows, the part x is {number(small.frequency)} for the one and {number(large.frequency)} for "
        f"the other. LD adds up differences of x/(1−x) as they are. {percent(relative, 2)} of a small x is a small "
        "difference, "
        f"{number(info.small.odds_change)}; {percent(relative, 2)} of a large x is a large one, "
        f"{number(info.large.odds_change)}: **{number(info.ratio)} times** as much. x itself makes it {number(by_x)} "
        "times; the rest is x/(1−x), which gets steeper as x grows. So, with one fold over and one under, LD is "
        f"**{number(small.ld)}** for the small label and **{number(large.ld)}** for the large one. rLD divides by what "
        f"is due: **{number(small.rld)}** in both. DCP looks at the label alone: **{number(small.dcp)}** in both."
    )
