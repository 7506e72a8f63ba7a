"""Why a number of ours is not the printed one: what is known, with the numbers that show it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from optisplit.measures.registry import name_of
from optisplit.methods.costs import estimate
from optisplit.studies.paper.catalogue import FIGURES, N_SPLITS, ROWS
from optisplit.studies.paper.verdicts import BETTER, DIFFERS
from optisplit.text import about_time, counted, number, short_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.methods.shapes import Shape
    from optisplit.studies.paper.datasets import DataFacts
    from optisplit.studies.paper.printed import Printed
    from optisplit.studies.paper.runs import PaperRun

PEERS = {"skml-is": "is", "skml-sois": "sois"}
"""Lines of the class that the paper ran, and those of the algorithm as published."""

SLOW_S = 60.0
"""Seconds from which a limit says something of a method, and not of the one who set it."""


def reason_for_property(key: str, name: str, ours: Mapping[str, float], printed: Printed) -> str:
    """Say why a property of the data is not the printed one."""
    value = ours[name]
    told = f"{name.capitalize()}: {value:,.6g}, printed {printed.text}."
    if key == "delicious" and name == "rows" and sorted(f"{value:.0f}") == sorted(f"{printed.value:.0f}"):
        positives = ours["density"] * ours["rows"] * ours["labels"]
        wrong = positives / (printed.value * ours["labels"])
        return (
            f"{told} Two digits are exchanged in print: the printed density of 0.0193 goes with {value:,.0f} rows "
            f"({ours['density']:.4f}), not with {printed.text} ({wrong:.4f})."
        )
    return told


def reason_not_run(row: str, shape: Shape) -> str:
    """Say what a run would take that was not made."""
    found = estimate(ROWS[row].method, shape, N_SPLITS, ROWS[row].options)
    return f"Not run: {found.reason}" if found.reason else f"Not run: {about_time(found.seconds)} a run."


def limit_overstepped(row: str, shape: Shape, runs: Sequence[PaperRun], limit_s: float) -> float:
    """Give the time limit in seconds that a line's runs go over, or would; NaN if that is not why none was done."""
    if any(run.status == "done" for run in runs):
        return math.nan
    if runs:
        return max((run.limit_s or math.nan for run in runs if run.status == "over time"), default=math.nan)
    found = estimate(ROWS[row].method, shape, N_SPLITS, ROWS[row].options)
    return limit_s if not found.reason and found.seconds > limit_s else math.nan


def reason_too_slow(line: Mapping[str, Any], shape: Shape) -> str:
    """Say of a line that went over its time limit, or would, how slow it is."""
    printed, about = line["text time_s"], ROWS[line["row"]]
    found = estimate(about.method, shape, N_SPLITS, about.options)
    said = f" It prints {printed} s." if printed else ""
    here = f" Here {about_time(found.seconds)} a run are expected." if not found.reason else ""
    over = f"over the limit of {line['over_s']:,g} s a run"
    is_as_said = line["row"] in PEERS and line["over_s"] >= SLOW_S
    return f"{f'Prohibitively slow, as the article says: {over}' if is_as_said else over.capitalize()}.{said}{here}"


def reasons_for_row(
    line: Mapping[str, Any], facts: DataFacts, means: Mapping[str, float], equals: Mapping[str, Any]
) -> list[str]:
    """List what is known of why a line's cells differ, and what to know of it.

    `equals` has what OptiSplit gives with the published code's order of equal rows, by data set.
    """
    found = []
    verdicts = {figure: line[f"verdict {figure}"] for figure in FIGURES}
    for verdict, words in ((DIFFERS, "Higher"), (BETTER, "Lower, that is better")):
        figures = [figure for figure in FIGURES if verdicts[figure] == verdict and line[f"text {figure}"] != "error"]
        if figures:
            found.append(f"{words}: {', '.join(_beside(line, figure) for figure in figures)}.")
    if "error" in (line[f"text {figure}"] for figure in FIGURES) and line["n_done"]:
        found.append("The article prints error: its program failed on these data. Ours runs.")
    about = ROWS[line["row"]]
    if about.method == "optisplit":
        found += _of_optisplit(line, facts, equals.get(line["data"]))
    rival = PEERS.get(line["row"])
    if rival and not any(math.isnan(means[row]) or means[row] == 0 for row in (line["row"], rival)):
        found.append(
            f"Its rLD is {means[line['row']] / means[rival]:.2g} times that of {ROWS[rival].name}: the class does not "
            "take the rarest label or pair first."
        )
    return [*found, about.remark] if about.remark and not rival else found


def _beside(line: Mapping[str, Any], figure: str) -> str:
    ours, printed = line[figure], line[f"printed {figure}"]
    name = "time" if figure == "time_s" else name_of(figure)
    code = line[f"published code {figure}"]
    again = "" if math.isnan(code) else f" (the authors' code run again: {number(code)})"
    return f"{name} {number(ours)} against {line[f'text {figure}']}{again}" if printed else f"{name} {number(ours)}"


def _of_optisplit(line: Mapping[str, Any], facts: DataFacts, equals: Mapping[str, float] | None) -> list[str]:
    found = []
    if line["verdict ed"] == DIFFERS:
        found.append(
            "No step of the algorithm holds the fold sizes: ED is what comes of it, and goes with the seed (deviation "
            f"{number(line['ed std'])})."
        )
        away = abs(line["ed"] - line["printed ed"])
        if equals and line["row"] == "optisplit-rld" and abs(equals["ed"] - line["printed ed"]) < away / 2:
            found.append(
                "Which of two rows with equally many labels moves first is left open: in the order that the published "
                f"code's sort leaves, ours has an ED of {number(equals['ed'])} and an rLD of {number(equals['rld'])} "
                f"({counted(int(equals['n_seeds']), 'seed')}); otherwise chance decides."
            )
    if facts.n_larger:
        found.append(
            f"{counted(facts.n_larger, 'label', 'is')} on more than half of the rows: the published code turns label 0 "
            f"round in {'its' if facts.n_larger == 1 else 'their'} stead, so the printed numbers miss what the text "
            "describes."
        )
    if not math.isnan(line["rld_bound"]) and line["row"] == "optisplit-rld":
        excess = line["rld"] / line["rld_bound"] - 1
        found.append(f"Its rLD is {short_number(100 * excess, 3)} % above the best possible at its fold sizes.")
    return found
