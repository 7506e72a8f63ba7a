"""Repairing a split that was checked: what it gains, which rows move, and the split to take away."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.check.faults import faults_by_hand
from optisplit.io.writers.splits import split_bytes
from optisplit.text import counted, number
from optisplit.ui import jobs_panel, keys
from optisplit.ui.check.request import WAIT_S, History, RepairRequest, repair_of, run_check, run_repair
from optisplit.ui.widgets import download, long_table, md, small_table

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck
    from optisplit.ui.check.request import CheckRequest, Repaired
    from optisplit.ui.jobs import Job

AS_GOOD_AS_CAN_BE = ("best", "very good")


def show(job: Job, stem: str) -> None:
    """Offer the repair; show it where it is done."""
    check: SplitCheck = job.result
    st.header("Repair", anchor="repair", divider="gray")
    in_the_way = faults_by_hand(check.faults)
    if in_the_way:
        st.warning(
            "A repair has to wait: these faults need somebody who knows the data. Put them right in the file, and "
            "check it again.  \n" + "  \n".join(md(f"{fault.sentence} {fault.advice}") for fault in in_the_way),
            icon=":material/front_hand:",
        )
        return
    done = repair_of(job)
    st.markdown(_promise(check))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        most = st.number_input(
            "Most rows to move", min_value=0, value=None, step=1, key=f"{keys.CHECK_MOST_MOVED}_{job.id}",
            placeholder="automatic", width=200,
            help="Left empty, a row moves only where that is worth it. Rows that were in no part are not counted.",
        )  # fmt: skip
        clicked = st.button(
            "Repair this split" if done is None else "Repair again",
            type="primary" if done is None and check.grade.key not in AS_GOOD_AS_CAN_BE else "secondary",
            icon=":material/build:", key="check_repair", disabled=jobs_panel.is_busy(),
        )  # fmt: skip
    place = True
    if check.split.is_missing.any():
        place = st.toggle(
            "Give rows that are in no part one", value=True, key=f"{keys.CHECK_PLACE}_{job.id}",
            help="They go where rows are lacking. Switch it off where these rows are left out on purpose.",
        )  # fmt: skip
    if clicked:
        request = RepairRequest(job.request, check, None if most is None else int(most), place)
        jobs_panel.start("repair", run_repair, request, job, wait_s=WAIT_S)
    if done is not None:
        _show_repaired(job, done, stem)


def _promise(check: SplitCheck) -> str:
    """Say what a repair will do here."""
    if check.grade.key in AS_GOOD_AS_CAN_BE:
        return "This split is about as good as can be: there is little left for a repair to gain."
    kinds = {fault.kind for fault in check.faults}
    will = []
    if "missing" in kinds:
        will.append("rows in no part get one")
    if kinds & {"two parts", "overlap"}:
        will.append("rows in several parts stay in the first")
    if kinds & {"groups"}:
        will.append("divided groups are put together")
    if "identical" in kinds and "groups" not in kinds:
        will.append("equal rows are put together")
    if kinds & {"unfair labels", "unfair rows"}:
        will.append("rare labels and rows get what is due to them in each part")
    sizes = "Otherwise the parts keep their sizes" if will else "The parts keep their sizes"
    will.append("then few rows move so that every label is spread more evenly" if will else
                "Few rows move so that every label is spread more evenly")  # fmt: skip
    text = "; ".join(will)
    return f"{text[:1].upper()}{text[1:]}. {sizes}, and your own file stays as it is."


def _show_repaired(job: Job, done: Job, stem: str) -> None:
    check: SplitCheck = job.result
    request: CheckRequest = job.request
    made: Repaired = done.result
    repair = made.repair
    st.subheader("Before and after", anchor=False)
    placed = f", and {counted(repair.n_placed, 'row')} that had no part got one" if repair.n_placed else ""
    st.markdown(f"**{counted(repair.n_moved, 'row')}** of {check.split.n_rows:,} moved{placed}.")
    _before_and_after(check, made)
    left = [md(fault.sentence) for fault in made.after.faults if fault.severity == "fault"]
    if left:
        why = "  \nGroups, rows that stay, the most rows to move, or other labels stand in the way of the rest."
        st.warning("Still wrong: " + "  \n".join(left) + why, icon=":material/warning:")
    st.subheader("Take the repaired split away", anchor=False)
    st.markdown(f"As it came in ({md(check.split.form)}), or as a plain table of rows and folds.")
    with st.container(horizontal=True):
        download(
            md(made.file_name), made.content, made.file_name, key="check_take", type="primary",
            mime="application/octet-stream",
        )  # fmt: skip
        named = partial(
            split_bytes, made.repair.folds, request.chosen.data, "csv", request.split.kind, request.split.part_names
        )
        download("Folds as CSV", named, f"{stem}_repaired_folds.csv", key="check_take_csv")
        clicked = st.button(
            "Check the repaired split", key="check_again", icon=":material/fact_check:", disabled=jobs_panel.is_busy()
        )
    if clicked:
        reading = request.reading
        if reading.file is not None:
            reading = reading.rewritten(made.file_name, made.content)
        again = replace(request, split=made.again, reading=reading)
        jobs_panel.start("check", run_check, again, History(job, done), wait_s=WAIT_S)
    moves = repair.moves
    gains = repair.gains.rename(columns=lambda name: name.replace("_", " "))
    with st.expander(f"Rows that moved ({len(moves):,})", key="check_moves_box"):
        by = "row_id" if "row_id" in moves else "row"
        config = {"row": "Row", "row_id": "Row id", "from_fold": "From", "to_fold": "To"}
        long_table(moves, "moved-rows", alt="The rows that moved", stem=stem, by=by, config=config)
    with st.expander(f"Labels that changed ({len(gains):,})", key="check_gains_box"):
        long_table(gains, "gains", alt="What each label gained", stem=stem)


def _before_and_after(check: SplitCheck, made: Repaired) -> None:
    after = made.after
    lines: list[tuple[str, ...]] = []
    for was, now in zip(check.measures.itertuples(), after.measures.itertuples(), strict=True):
        bound = number(now.bound) if now.bound == now.bound else ""
        lines.append((was.name, number(was.value), number(now.value), bound))
    for title, was_table, now_table in (
        ("Labels that cannot be tested somewhere", check.untestable, after.untestable),
        ("Labels that cannot be trained on somewhere", check.untrainable, after.untrainable),
    ):
        lines.append((title, f"{len(was_table):,}", f"{len(now_table):,}", ""))
    faults = [sum(fault.severity == "fault" for fault in each.faults) for each in (check, after)]
    lines.append(("Faults", *map(str, faults), "0"))
    lines.append(("Rows in no part", *(f"{int(each.split.is_missing.sum()):,}" for each in (check, after)), "0"))
    cells = [
        {"": title, "Before": md(was), "After": f"**{md(now)}**", "Best possible": md(best)}
        for title, was, now, best in lines
    ]
    small_table(cells, "The split before and after the repair")
