"""What a check found: the verdict, the faults, then the evidence, the repair and the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from optisplit.check.faults import FAULT_NAMES, faults_by_hand
from optisplit.text import counted, joined
from optisplit.ui import keys
from optisplit.ui.check import evidence
from optisplit.ui.check import repair as check_repair
from optisplit.ui.check.request import shown_check, undo
from optisplit.ui.widgets import download, file_stem, long_table, md

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck
    from optisplit.io.splits import SplitFault, SplitFile
    from optisplit.ui.check.request import CheckRequest
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import Job

REPAIR_ANCHOR = "repair"


def show(current: ChosenData) -> None:
    """Show the latest check of this session."""
    job = shown_check()
    if job is None:
        return
    check: SplitCheck = job.result
    request: CheckRequest = job.request
    st.header(f"{md(check.split.name)}, a split of {md(check.data_name)}", anchor=False, divider="gray")
    if request.chosen.key != current.key:
        st.info(
            f"This is what was found for {md(request.chosen.data.name)}; the data chosen now is "
            f"{md(current.data.name)}.",
            icon=":material/info:",
        )
    form = st.session_state.get(keys.CHECK_CURRENT, "")
    if job.details is not None:
        _repaired_banner(job)
    elif form and form != check.split.name:
        st.info(
            f"This is the check of {md(check.split.name)}; above is {md(form)}. Press **Check this split** for that.",
            icon=":material/info:",
        )
    elif not form:
        st.info(f"This is the earlier check of {md(check.split.name)}; above is no split.", icon=":material/info:")
    _verdict(check)
    stem = file_stem(f"{check.data_name}_{check.split.name}", "split")
    _faults(check, request, stem)
    evidence.show_measures(job.id, check, stem)
    evidence.show_labels(check, request.chosen, stem)
    evidence.show_figures(job.id, check, stem)
    evidence.show_pairs(job, stem)
    check_repair.show(job, stem)
    st.subheader("Keep the report", anchor=False)
    st.markdown("Verdict, faults, measures, labels and figures as one page that opens anywhere, without a network.")
    download("Report as HTML", check.html, f"{stem}_check.html", key="check_html", mime="text/html")


def _repaired_banner(job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="check_repaired"):
        st.markdown(":material/build: **This is the repaired split.**", width="content")
        st.button(
            "Back to the split as it was", key="check_undo", icon=":material/undo:", on_click=undo,
            args=(job,),
        )  # fmt: skip


def _verdict(check: SplitCheck) -> None:
    draw, icon = {
        "ok": (st.success, ":material/check_circle:"),
        "warning": (st.warning, ":material/warning:"),
        "fault": (st.error, ":material/error:"),
    }[check.verdict.severity]
    draw(f"**{md(check.verdict.sentence)}**", icon=icon)
    n_labels = len(check.report.label_names)
    in_the_way = faults_by_hand(check.faults)
    repair = f" · [Repair this split](#{REPAIR_ANCHOR})"
    if in_the_way:
        repair = (
            f" · A repair has to wait: first put right: {joined([FAULT_NAMES[fault.kind] for fault in in_the_way])}"
        )
    st.markdown(
        f"{counted(check.split.n_rows, 'row')}, {counted(n_labels, 'label')}, "
        f"{counted(check.split.n_parts, 'part')}{repair}"
    )


def _faults(check: SplitCheck, request: CheckRequest, stem: str) -> None:
    st.subheader("Faults", anchor=False)
    was_compared = request.compare_rows and request.digests is not None
    if not check.faults:
        compared = " No two rows on different sides are equal." if was_compared else ""
        st.markdown(
            ":material/check: Every row is in one part, training and test rows do not overlap, no part is empty, and "
            f"all {check.split.noun}s are fair to rare labels and to rows." + compared
        )
    if request.compare_rows and not was_compared:
        st.caption("Rows were not compared with each other: the data's file has no features, or is not at hand.")
    in_the_way = faults_by_hand(check.faults)
    for number, fault in enumerate(check.faults):
        color, icon = ("red", "error") if fault.severity == "fault" else ("orange", "warning")
        with st.container(border=True, key=f"check_fault_{number}"):
            st.markdown(f":{color}[:material/{icon}:] **{_title(fault)}: {fault.count:,}**")
            st.markdown(md(fault.sentence) + (f" {md(fault.advice)}" if fault.advice else ""))
            if fault in in_the_way:
                st.markdown(
                    ":material/front_hand: Put this right in the file and check it again: a repair has to wait for it."
                )
            elif fault.severity == "fault" and not in_the_way:
                st.markdown(f":material/build: The [repair](#{REPAIR_ANCHOR}) puts this right.")
            if fault.kind == "identical" and fault.examples:
                st.caption(f"Such as {md('; '.join(fault.examples[:3]))}")
            with st.expander("All of them", key=f"check_fault_rows_{number}"):
                table = _rows_of(fault, check.split)
                by = "row_id" if "row_id" in table else "row" if "row" in table else "what"
                name = f"{fault.kind.replace(' ', '-')}-{number}"
                long_table(table, name, alt=_title(fault), stem=stem, by=by)


def _title(fault: SplitFault) -> str:
    name = FAULT_NAMES[fault.kind]
    return name[:1].upper() + name[1:]


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
