"""Columns of the data's table that are balanced beside the labels: which, how, and how evenly they came out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.encoding.encode import INSTANCES
from optisplit.io.encoding.targets import PERIODS, Target
from optisplit.measures.balanced import balanced_lines
from optisplit.methods import METHODS
from optisplit.text import number, number_with_spread
from optisplit.ui import keys
from optisplit.ui.widgets import md, small_table

if TYPE_CHECKING:
    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.ui.compare.request import Division
    from optisplit.ui.datasets import ChosenData

BINS = (2, 3, 4, 5, 10)

HOW = {
    "": "As its values suggest",
    "category": "Each value",
    **{str(bins): f"Numbers, in {bins} bins" for bins in BINS},
    **{period: f"Dates, by {period}" for period in PERIODS},
    "list": "Lists: each item",
    "count": "Counts, added up",
}
"""What can be made of a column, as :meth:`optisplit.io.encoding.targets.Target.of` takes it."""

MOST_LINES = 100
"""Columns of columns that are shown; a file of dates by day may have thousands."""


def ask(chosen: ChosenData) -> tuple[Target, ...]:
    """Ask for columns to balance, and what to make of each."""
    offered = _columns_of(chosen)
    if not offered:
        return ()
    wanted = st.multiselect(
        "Also balance these columns", offered, key=f"{keys.BALANCE}_{chosen.key}", persist_state="session",
        placeholder="Choose columns of the table",
        help="Sex, site, age, date: what is to be as even in the folds as the labels are. Numbers are put into bins "
        "with as many rows each, dates into periods. The labels' scores are still of the labels alone.",
    )  # fmt: skip
    return tuple(_ask_how(chosen, column) for column in wanted)


def _columns_of(chosen: ChosenData) -> list[str]:
    data = chosen.data
    columns = [] if data.reading is None else list(data.reading.left_out)
    return [*columns, *([] if data.counts is None else [INSTANCES])]


def _ask_how(chosen: ChosenData, column: str) -> Target:
    how_place, weight_place = st.columns([3, 1])
    key = f"{keys.BALANCE}_{chosen.key}_{column}"
    are_instances = column == INSTANCES and chosen.data.counts is not None
    how = how_place.selectbox(
        f"How to balance {md(column)}", ["count"] if are_instances else list(HOW), format_func=HOW.__getitem__,
        key=f"{key}_how", persist_state="session",
    )  # fmt: skip
    weight = weight_place.number_input(
        f"Weight of {md(column)}", min_value=0.01, max_value=1000.0, value=1.0, step=0.5, key=f"{key}_weight",
        persist_state="session", help="How much each of its columns counts, in those of a label.",
    )  # fmt: skip
    target = Target.of(column, how or None)
    return Target.of(column, {**target.settings, "weight": float(weight)})


def need_amounts(targets: tuple[Target, ...]) -> bool:
    """Tell whether a method has to know counts or weights."""
    return any(each.kind == "count" or each.weight != 1 for each in targets)


def show(result: ComparisonResult, run: Run, division: Division) -> None:
    """Show how evenly columns were divided: by every method, and in one split column by column."""
    if result.balance is None or run.report is None or run.report.balanced is None:
        return
    st.subheader("Balanced beside the labels", anchor=False)
    st.caption(md(f"{result.balance.words}."))
    lines = [_line_of(result, key) for key in result.methods if result.runs_of(key)]
    small_table(lines, "How evenly every method divides the columns that are balanced beside the labels")
    columns = [
        {
            "Column": md(str(each["column"])),
            "In all": f"{each['total']:,}",
            **{name: f"{count:,}" for name, count in zip(division.fold_names, each["in_folds"], strict=True)},
            "rLD": number(each["rld"]),
        }
        for each in balanced_lines(run.report.balanced)
    ]
    with st.expander(f"Column by column: {md(METHODS[run.method].name)}, seed {run.seed}", key="balanced_columns"):
        small_table(columns[:MOST_LINES], "The columns that are balanced beside the labels, in each fold")


def _line_of(result: ComparisonResult, method: str) -> dict[str, Any]:
    of_method = result.summary.loc[method]
    mean, spread = number_with_spread(*(float(of_method["balanced_rld", statistic]) for statistic in ("mean", "std")))
    bound = float(of_method["balanced_rld_bound", "mean"])
    return {
        "Method": md(METHODS[method].name),
        "rLD of these columns": mean + (f" ± {md(spread)}" if spread else ""),
        "Best possible": number(bound),
    }
