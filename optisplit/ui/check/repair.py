"""Repairing a split that was checked: the buttons, what moved, and the split to take away."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.check.before_after import before_after_lines
from optisplit.check.faults import faults_by_hand
from optisplit.errors import OptisplitError
from optisplit.io.writers.splits import split_bytes
from optisplit.methods.rare import RARE
from optisplit.text import capital
from optisplit.ui import groups_file, jobs_panel, keys
from optisplit.ui.check.request import WAIT_S, RepairRequest, run_repair
from optisplit.ui.check.seen import redo, undo
from optisplit.ui.widgets import complaint, download, file_stem, long_table, md, small_table

if TYPE_CHECKING:
    from optisplit.check.checks import SplitCheck
    from optisplit.ui.check.request import Repaired
    from optisplit.ui.check.seen import Seen
    from optisplit.ui.groups_file import Groups

AS_GOOD_AS_CAN_BE = ("best", "very good")
"""Keys of grades that leave a repair next to nothing to gain."""

SIGNS = {"fault": ":red[:material/error:]", "warning": ":orange[:material/warning:]"}
"""What stands before a fault, and before what is only worth a look."""


def show_actions(seen: Seen, stem: str) -> None:
    """Draw the buttons: repair, or undo it; take the split away, and the report."""
    with st.container(horizontal=True, vertical_alignment="center", key="check_actions"):
        if seen.made is None:
            _offer_repair(seen)
        else:
            _offer_to_take(seen, seen.made)
        download("Report as HTML", seen.check.html, f"{stem}_check.html", key="check_html", mime="text/html")


def offer_together(seen: Seen) -> None:
    """Say which groups, that a column of the data seems to name, the split divides; offer the repair that they need."""
    torn, chosen = seen.check.torn, seen.request.chosen
    if torn is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="check_torn"):
        st.warning(md(torn.sentence), icon=":material/group_work:", width="stretch")
        if not groups_file.can_choose(chosen, torn.column) or faults_by_hand(seen.check.faults):
            return
        again = "Repair" if seen.made is None else "Repair again"
        if st.button(
            f"{again}, rows of one {torn.noun} together", key="check_repair_together", icon=":material/build:",
            type="primary", disabled=jobs_panel.is_busy(),
        ):  # fmt: skip
            try:
                groups = groups_file.of_column(chosen, torn.column)
            except OptisplitError as error:
                st.markdown(complaint(error))
                return
            most = st.session_state.get(f"{keys.CHECK_MOST_MOVED}_{seen.first.id}")
            _repair_as_it_came(seen, groups, max_moved=most)


def offer_cover(seen: Seen) -> None:
    """Offer the repair that puts labels into parts too that are due none, where that could be; it was not made yet."""
    lacking = seen.check.untestable
    was_made = seen.made is not None and seen.repaired is not None and seen.repaired.request.rare == "cover"
    if was_made or not (lacking["n_helpable"] > lacking["n_due"]).any() or faults_by_hand(seen.check.faults):
        return
    if st.button(
        f"Repair with “{RARE['cover'].title}”", key="check_repair_cover", icon=":material/build:",
        disabled=jobs_panel.is_busy(), help=f"Then {RARE['cover'].help}.",
    ):  # fmt: skip
        _repair_as_it_came(seen, seen.request.groups, rare="cover")


def _repair_as_it_came(seen: Seen, groups: Groups | None, **how: Any) -> None:
    """Repair the split as it came, in another way than the first button does."""
    first = seen.first
    place = st.session_state.get(f"{keys.CHECK_PLACE}_{first.id}", True)
    request = RepairRequest(replace(first.request, groups=groups), first.result, place_missing=place, **how)
    jobs_panel.start("repair", run_repair, request, first, wait_s=WAIT_S)


def _offer_repair(seen: Seen) -> None:
    if faults_by_hand(seen.check.faults):
        st.markdown(":material/front_hand: A repair has to wait: see below.", width="content")
        return
    is_torn = seen.check.torn is not None  # what they need stands above
    is_second = is_torn or seen.check.grade.key in AS_GOOD_AS_CAN_BE
    clicked = st.button(
        "Repair row by row" if is_torn else "Repair this split", type="secondary" if is_second else "primary",
        icon=":material/build:", key="check_repair", disabled=jobs_panel.is_busy(), help=_promise(seen.check),
    )  # fmt: skip
    most, place = _ask_how(seen)
    if clicked:
        request = RepairRequest(seen.request, seen.check, most, place)
        jobs_panel.start("repair", run_repair, request, seen.job, wait_s=WAIT_S)
    if seen.repaired is not None:
        st.button(
            "Show the repaired split", key="check_redo", icon=":material/redo:", on_click=redo, args=(seen,)
        )  # fmt: skip


def _ask_how(seen: Seen) -> tuple[int | None, bool]:
    """Ask what few have to say: how many rows may move, and whether rows that are in no part get one."""
    place = True
    with st.popover("How", key="check_how", icon=":material/tune:"):
        most = st.number_input(
            "Most rows to move", min_value=0, value=None, step=1, key=f"{keys.CHECK_MOST_MOVED}_{seen.job.id}",
            placeholder="automatic",
            help="Left empty, a row moves only where that is worth it. Rows that were in no part are not counted.",
        )  # fmt: skip
        if seen.check.split.is_missing.any():
            place = st.toggle(
                "Give rows that are in no part one", value=True, key=f"{keys.CHECK_PLACE}_{seen.job.id}",
                help="They go where rows are lacking. Switch it off where these rows are left out on purpose.",
            )  # fmt: skip
    return (None if most is None else int(most)), place


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
        will.append("rows with the same features are put together")
    if kinds & {"unfair labels", "unfair rows"}:
        will.append("rare labels and rows get what is due to them in each part")
    sizes = "Otherwise the parts keep their sizes" if will else "The parts keep their sizes"
    will.append("then few rows move so that every label is spread more evenly" if will else
                "Few rows move so that every label is spread more evenly")  # fmt: skip
    text = "; ".join(will)
    return f"{capital(text)}. {sizes}, and your own file stays as it is."


def _offer_to_take(seen: Seen, made: Repaired) -> None:
    split, data = seen.request.split, seen.request.chosen.data
    download(
        "Take the repaired split away", made.content, made.file_name, key="check_take", type="primary",
        mime="application/octet-stream",
    )  # fmt: skip
    folds = partial(split_bytes, made.repair.folds, data, "csv", split.kind, split.part_names)
    download("Folds as CSV", folds, f"{file_stem(Path(made.file_name).stem)}_folds.csv", key="check_take_csv")
    st.button("Undo the repair", key="check_undo", icon=":material/undo:", on_click=undo, args=(seen,))


def show_repaired(seen: Seen, stem: str) -> None:
    """Show the split before and after, and what moved."""
    before, made = seen.before, seen.made
    assert before is not None
    assert made is not None
    st.markdown("**Before and after**")
    lines = before_after_lines(before, seen.check)
    cells = [
        {"": title, "Before": md(was), "After": f"**{md(now)}**", "Best possible": md(best)}
        for title, was, now, best in (line.cells for line in lines)
    ]
    small_table(cells, "The split before and after the repair")
    for fault in seen.check.faults:
        st.markdown(f"{SIGNS[fault.severity]} {md(fault.sentence)}")
    moves, gains = made.repair.moves, made.repair.gains.rename(columns=lambda name: name.replace("_", " "))
    with st.expander(f"Rows that moved ({len(moves):,})", key="check_moves_box"):
        by = "row_id" if "row_id" in moves else "row"
        config = {"row": "Row", "row_id": "Row id", "from_fold": "From", "to_fold": "To"}
        long_table(moves, "moved-rows", alt="The rows that moved", stem=stem, by=by, config=config)
    with st.expander(f"Labels that changed ({len(gains):,})", key="check_gains_box"):
        long_table(gains, "gains", alt="What each label gained", stem=stem)
