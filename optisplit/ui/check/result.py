"""What a check found, on one screen: the grade and why, the faults, where the scores are, what to do; then the rest."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.check.faults import FAULT_NAMES, faults_by_hand
from optisplit.check.verdict import repaired_title
from optisplit.measures.registry import in_words
from optisplit.plots.random_range import plot_random_range, random_range_info
from optisplit.text import capital, counted
from optisplit.ui import groups_file, jobs_panel, keys, session
from optisplit.ui.check import evidence
from optisplit.ui.check import repair as check_repair
from optisplit.ui.check.request import differences
from optisplit.ui.widgets import chart_with_table, file_stem, long_table, md, said

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck
    from optisplit.io.splits import SplitFault, SplitFile
    from optisplit.ui.check.request import CheckRequest
    from optisplit.ui.check.seen import Seen
    from optisplit.ui.datasets import ChosenData

N_FAULTS = 3
"""Faults that are shown at once; the others are folded away."""


def show(seen: Seen, current: ChosenData, wanted: CheckRequest | None) -> None:
    """Show a check; `wanted` is what the form above would check."""
    check = seen.check
    stem = file_stem(f"{check.data_name}_{check.split.name}", "split")
    _say_what_differs(seen, current, wanted)
    _verdict(seen)
    check_repair.show_actions(seen, stem)
    left, right = st.columns([5, 6], gap="medium")
    with left:
        if seen.made is None:
            _faults(seen, stem)
        else:
            check_repair.show_repaired(seen, stem)
    with right:
        _range(seen, stem)
    evidence.show(seen, stem)


def _say_what_differs(seen: Seen, current: ChosenData, wanted: CheckRequest | None) -> None:
    """Say where the form above speaks of something else than what is shown."""
    if seen.request.chosen.key != current.key:
        found = f"This is what was found for {md(seen.request.chosen.data.name)}; the data chosen now is "
        st.info(f"{found}{md(current.data.name)}.", icon=":material/info:")
        return
    others = [] if wanted is None else differences(wanted, seen.asked)
    if others:
        st.info(
            f"The form says otherwise than what is shown here: {md(', '.join(others))}. Press **Check this split** "
            "for that.",
            icon=":material/info:",
        )


def _verdict(seen: Seen) -> None:
    check, grade = seen.check, seen.check.grade
    draw, icon = {
        "ok": (st.success, ":material/check_circle:"),
        "warning": (st.warning, ":material/warning:"),
        "fault": (st.error, ":material/error:"),
    }[grade.severity]
    title = grade.title if seen.before is None else repaired_title(seen.before, check)
    whose = f"{md(check.split.name)}, {'a' if seen.made is None else 'the repaired'} split of {md(check.data_name)}"
    sizes = [counted(check.split.n_rows, "row"), counted(len(check.report.label_names), "label")]
    sizes.append(counted(check.split.n_parts, check.split.noun))
    if seen.request.groups is not None:
        sizes.append(md(seen.request.groups.words))
    st.subheader(f"{whose} :small[:gray[{' · '.join(sizes)}]]", anchor=False)
    check_repair.offer_together(seen)
    draw(f"#### {title}\n{' '.join(map(said, seen.sentences))}", icon=icon)


def _range(seen: Seen, stem: str) -> None:
    st.markdown("**Between random splits and the best possible**", help=in_words(seen.check.measures["measure"]))
    before, after = (seen.check, None) if seen.before is None else (seen.before, seen.check)
    if not before.random:
        st.caption("No random splits were made.")
        return
    of = (seen.job.id, "range", "" if seen.repaired is None or after is None else seen.repaired.id)
    drawn = session.drawn(of, partial(random_range_info, before, after), plot_random_range)
    chart_with_table(*drawn, "random-range", stem=stem, by="measure")


def _faults(seen: Seen, stem: str) -> None:
    check, request = seen.check, seen.request
    n_faults = sum(fault.severity == "fault" for fault in check.faults)
    counts = {"to put right": n_faults, "to look at": len(check.faults) - n_faults}
    todo = " and ".join(f"{counted(count, 'thing')} {what}" for what, count in counts.items() if count)
    st.markdown(f"**{todo or 'No faults'}**")
    was_compared = request.compare_rows and request.digests is not None
    if not check.faults:
        compared = " No two rows on different sides are equal." if was_compared else ""
        st.markdown(
            ":material/check: Every row is in one part, training and test rows do not overlap, no part is empty, every "
            f"label is in each {check.split.noun} that should have it, and all {check.split.noun}s are fair to rare "
            "labels and to rows." + compared
        )
    for number, fault in enumerate(check.faults[:N_FAULTS]):
        _fault(seen, fault, number, stem)
    if len(check.faults) > N_FAULTS:
        with st.expander(f"{len(check.faults) - N_FAULTS} more", key="check_more_faults"):
            for number, fault in enumerate(check.faults[N_FAULTS:], N_FAULTS):
                _fault(seen, fault, number, stem)
    if request.compare_rows and not was_compared:
        st.caption("Rows were not compared with each other: the data's file has no features, or is not at hand.")


def _fault(seen: Seen, fault: SplitFault, number: int, stem: str) -> None:
    """Show one fault: how many, the first few, what to do, and all of them on request."""
    check = seen.check
    by_hand = fault in faults_by_hand(check.faults)
    advice = "Put this right in the file and check it again: a repair has to wait for it." if by_hand else fault.advice
    column = _column_of(fault, check, seen.request.chosen)
    if fault.kind == "identical" and seen.made is None and not by_hand:
        advice = "Repair this split, which puts such rows in one part: models are tested on what they have seen."
    text = md(fault.sentence) if column else f"{md(fault.sentence)} {said(advice)}"
    if fault.kind in ("identical", "identical in others"):
        text += f"  \n:small[Such as {md('; '.join(fault.examples[:3]))}]"
    with st.container(key=f"check_fault_{number}", gap="xsmall"):
        st.markdown(f"{check_repair.SIGNS[fault.severity]} **{_title(fault)}: {fault.count:,}**  \n{text}")
        if column:
            st.button(
                "Check again with these groups", key="check_grouped", icon=":material/group_work:",
                on_click=groups_file.choose, args=(seen.request.chosen, column, keys.CHECK_AT_ONCE),
                disabled=jobs_panel.is_busy(),
            )  # fmt: skip
        if not len(fault.rows) and len(fault.examples) <= 1:
            return
        with st.popover("All of them", key=f"check_fault_rows_{number}", type="tertiary", icon=":material/list:"):
            table = _rows_of(fault, check.split)
            by = "row_id" if "row_id" in table else "row" if "row" in table else "what"
            name = f"{fault.kind.replace(' ', '-')}-{number}"
            long_table(table, name, alt=_title(fault), stem=stem, by=by)


def _column_of(fault: SplitFault, check: SplitCheck, chosen: ChosenData) -> str:
    """Give the column that names likely groups, where it can be chosen now; otherwise nothing."""
    column = check.torn.column if fault.kind == "likely groups" and check.torn is not None else ""
    return column if column and groups_file.can_choose(chosen, column) else ""


def _title(fault: SplitFault) -> str:
    name = FAULT_NAMES[fault.kind]
    return capital(name)


def _rows_of(fault: SplitFault, split: SplitFile) -> pd.DataFrame:
    import pandas as pd

    if not len(fault.rows):
        return pd.DataFrame({"what": list(fault.examples)})
    columns: dict[str, object] = {"row": fault.rows}
    if split.row_ids is not None:
        columns["row_id"] = [split.row_ids[row] for row in fault.rows]
    names = [*split.part_names, ""]
    columns["part"] = [names[part] for part in split.folds[fault.rows]]
    return pd.DataFrame(columns)
