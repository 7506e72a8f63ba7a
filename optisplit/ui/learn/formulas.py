"""Step 2 of the lesson: the formulas, with the numbers of the 24 rows filled in."""

from __future__ import annotations

import streamlit as st

from optisplit.measures.registry import MEASURES
from optisplit.studies.lesson.formulas import number, work_out, worked_table
from optisplit.studies.lesson.points import LABEL_SIZES
from optisplit.ui import keys
from optisplit.ui.learn import points as learn_points
from optisplit.ui.learn.parts import Field, numbers_table, one_of, seen, to_do

FIELDS = (learn_points.SPLIT, Field(keys.LEARN_CLASS, "class", "C", one_of(LABEL_SIZES)))
"""The split of step 1, and the label whose numbers are filled in."""


def show() -> None:
    """Draw the step."""
    to_do(
        "The formulas, filled in",
        "Choose a label and follow its numbers into the formulas. The split is the one you left in step 1.",
    )
    st.segmented_control(
        "Label", list(LABEL_SIZES), format_func=lambda name: f"{name}: {LABEL_SIZES[name]} rows",
        key=keys.LEARN_CLASS, required=True, persist_state="session",
    )  # fmt: skip
    name: str = st.session_state[keys.LEARN_CLASS]
    label = list(LABEL_SIZES).index(name)
    report = learn_points.current()
    worked = work_out(report, label)
    lines = [
        {
            "Fold": str(line["fold"]), "rows nⱼ": int(line["n_j"]), f"of {name} cⱼ": int(line["c_j"]),
            "pⱼ = cⱼ/nⱼ": float(line["p_j"]), "odds pⱼ/(1−pⱼ)": float(line["odds"]),
            "share cⱼ/c": float(line["share"]),
        }
        for line in worked_table(report, label).to_dict("records")
    ]  # fmt: skip
    numbers_table(lines, f"What the measures of label {name} are made of, fold by fold")
    for pair in (("ld", "rld"), ("dcp", "ed")):
        for key, place in zip(pair, st.columns(2), strict=True):
            with place, st.container(border=True, key=f"learn_{key}"):
                st.markdown(f"**{MEASURES[key].name}: {MEASURES[key].title}**")
                st.latex(worked[key].given)
                st.latex(worked[key].latex)
    _seen(name, label)


def _seen(name: str, label: int) -> None:
    report = learn_points.current()
    d = report.positives[label] / report.n_rows
    text = (
        f"Both LD and rLD compare $p_j$, the part of a fold that has the label, with $d$, the part of all rows "
        f"({number(float(d))} for {name}). rLD divides the difference by $d$: an error counts in relation to what is "
        "due. LD does not: its terms are differences of odds, and the larger the label, the larger its odds. "
    )
    values = {
        measure: dict(zip(LABEL_SIZES, getattr(report, f"{measure}_per_class").tolist(), strict=True))
        for measure in ("ld", "rld")
    }
    worst = {measure: max(of_class, key=of_class.__getitem__) for measure, of_class in values.items()}
    if all(of_class[worst[measure]] > 0 for measure, of_class in values.items()):
        text += (
            f"In this split the worst label is **{worst['ld']}** by LD ({number(values['ld'][worst['ld']])}) and "
            f"**{worst['rld']}** by rLD ({number(values['rld'][worst['rld']])})."
        )
    else:
        text += "This split is without any error; go back to step 1 and move a row."
    seen(text)
