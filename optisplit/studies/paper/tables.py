"""The paper's tables with our numbers beside the printed ones, and a verdict on every line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from optisplit.labels import positives_per_label
from optisplit.measures.characteristics import PROPERTIES, properties_of
from optisplit.measures.registry import name_of
from optisplit.studies.paper.catalogue import BESIDE, FIGURES, PAPER_DATA, ROWS
from optisplit.studies.paper.printed import ARTICLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from optisplit.labels import MultilabelDataset
    from optisplit.studies.paper.datasets import Place
    from optisplit.studies.paper.printed import Key, Printed
    from optisplit.studies.paper.runs import PaperRun, RunLog

CONFIDENCE = 0.99
"""Our mean agrees where a difference as large has a chance of more than 1 - this, by the spread over the seeds."""

TOLERANCE = 0.05
"""Relative difference within which it agrees in any case: the other number is a mean of random runs too."""

SAME_TIME = 2.0
"""Ratio of times below which they are called about equal."""

MAJORITY = (
    "More than half of the rows carry some label. There the published code turns label 0 round in place of that label "
    "(it looks for such labels in a matrix of one row and takes row numbers for label numbers); ours balances the "
    "label that the text means."
)

NO_NUMBER = "no number at hand"
OTHER_DATA = "other data"


def make_table1(
    loaded: Mapping[str, MultilabelDataset], found: Mapping[str, Place], printed: Mapping[Key, Printed]
) -> pd.DataFrame:
    """Compare the properties of the data with the paper's Table 1."""
    lines = []
    for key, about in PAPER_DATA.items():
        ours = properties_of(loaded[key]) if key in loaded else dict.fromkeys(PROPERTIES, math.nan)
        theirs = {name: printed.get((1, key, "", name)) for name in PROPERTIES}
        origin: str = found[key].origin if key in loaded else "not read" if key in found else "not at hand"
        verdict, why = _verdict_on_data(key, origin, ours, theirs)
        line: dict[str, Any] = {"data": key, "title": about.title, "origin": origin}
        for name in PROPERTIES:
            line[name] = ours[name]
            given = theirs[name]
            line[f"printed {name}"] = math.nan if given is None else given.value
        lines.append(line | {"verdict": verdict, "why": why})
    return pd.DataFrame(lines)


def _verdict_on_data(
    key: str, origin: str, ours: Mapping[str, float], theirs: Mapping[str, Printed | None]
) -> tuple[str, str]:
    about = PAPER_DATA[key]
    if origin == "not read":
        return origin, "At hand, but not chosen."
    if origin == "not at hand":
        stand_in = f", or {about.stand_in} to stand in" if about.stand_in else ""
        return origin, f"Put the authors' {about.authors_file}{stand_in} into a folder, and name it."
    known = {name: number for name, number in theirs.items() if number is not None}
    if not known:
        return NO_NUMBER, ""
    wrong = [name for name, number in known.items() if abs(ours[name] - number.value) > number.precision]
    if origin == "stand-in":
        return OTHER_DATA, "Made from public annotations, of the same size and kind; not the authors' file."
    if not wrong:
        return "agrees", f"All {len(known)} printed numbers that are known."
    told = "; ".join(f"{name} {ours[name]:,.6g}, printed {known[name].text}" for name in wrong)
    return "differs", f"{told}."


def make_table2(
    log: RunLog,
    loaded: Mapping[str, MultilabelDataset],
    found: Mapping[str, Place],
    rows: Sequence[str],
    seeds: Sequence[int],
    printed: Mapping[Key, Printed],
) -> pd.DataFrame:
    """Compare the scores of every method with the paper's Table 2."""
    lines = []
    for key, data in loaded.items():
        has_majority = bool((positives_per_label(data.labels) > data.n_rows / 2).any())
        of_row = {row: log.runs_of(key, data.digest, row, seeds) for row in rows}
        for row, runs in of_row.items():
            about = ROWS[row]
            numbers = {figure: printed.get((2, key, row, figure)) for figure in FIGURES}
            line: dict[str, Any] = {
                "data": key, "title": found[key].title, "row": row, "name": about.name, "paper_name": about.paper_name,
                "n_done": sum(run.status == "done" for run in runs), "n_runs": len(seeds),
            }  # fmt: skip
            for figure, number in numbers.items():
                line[figure], line[f"{figure} std"] = _mean_and_std(runs, figure)
                line[f"printed {figure}"] = math.nan if number is None else number.value
                line[f"source {figure}"] = "" if number is None else number.source
            line["rld_bound"], _ = _mean_and_std(runs, "rld_bound")
            for figure in BESIDE:
                line[figure], line[f"{figure} std"] = _mean_and_std(runs, figure)
            verdict, why = _verdict_on_row(line, numbers, found[key].origin)
            remarks = [why, about.remark, *_reasons(runs)]
            if about.method == "optisplit" and has_majority:
                remarks.append(MAJORITY)
            rival = {"skml-is": "is", "skml-sois": "sois"}.get(row)
            if rival in of_row:
                remarks.append(_set_against(line["rld"], _mean_and_std(of_row[rival], "rld")[0], ROWS[rival].name))
            lines.append(line | {"verdict": verdict, "why": " ".join(filter(None, remarks))})
    return pd.DataFrame(lines)


def _mean_and_std(runs: Iterable[PaperRun], figure: str) -> tuple[float, float]:
    values = np.array([getattr(run, figure) for run in runs if run.status == "done"], dtype=np.float64)
    values = values[~np.isnan(values)]
    if not values.size:
        return math.nan, math.nan
    return float(values.mean()), float(values.std(ddof=1)) if values.size > 1 else math.nan


def _reasons(runs: Iterable[PaperRun]) -> list[str]:
    return [f"{reason.rstrip('.')}." for reason in dict.fromkeys(run.reason for run in runs if run.reason)]


def _set_against(ours: float, rival: float, name: str) -> str:
    if math.isnan(ours) or math.isnan(rival) or rival == 0:
        return ""
    return f"Here its rLD is {ours / rival:.2g} times that of {name}."


def judge(mean: float, std: float, n_seeds: int, number: Printed) -> str:
    """Say how our mean stands to another number: lower is better."""
    margin = max(_chance(std, n_seeds, number.std, number.n_seeds), TOLERANCE * number.value, number.precision)
    if abs(mean - number.value) <= margin:
        return "agrees"
    return "better" if mean < number.value else "differs"


def _chance(std: float, n_seeds: int, other_std: float, n_other: int) -> float:
    known = [each for each, n in ((std, n_seeds), (other_std, n_other)) if n > 1 and not math.isnan(each)]
    if not known or max(known) == 0:
        return 0.0
    pairs = [(std, n_seeds), (other_std, n_other)]
    parts = [((each if n > 1 and not math.isnan(each) else known[0]) ** 2 / n, n) for each, n in pairs]
    total = sum(part for part, _ in parts)
    # a deviation that was borrowed brings no freedom of its own
    spread = [(part, n) for (part, n), (each, _) in zip(parts, pairs, strict=True) if n > 1 and not math.isnan(each)]
    freedom = total**2 / sum(part**2 / (n - 1) for part, n in spread) if len(spread) == 2 else spread[0][1] - 1
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * math.sqrt(total)


def _verdict_on_row(line: Mapping[str, Any], numbers: Mapping[str, Printed | None], origin: str) -> tuple[str, str]:
    """Give the verdict on a line by its scores; time is told, but decides nothing: the machines are not the same."""
    if not line["n_done"]:
        return "not done", ""
    verdicts: dict[str, list[str]] = {"agrees": [], "better": [], "differs": []}
    time = ""
    for figure, number in numbers.items():
        if number is None or math.isnan(line[figure]):
            continue
        if figure == "time_s":
            time = _time_sentence(line[figure], number)
        else:
            verdicts[judge(line[figure], line[f"{figure} std"], line["n_done"], number)].append(name_of(figure))
    words = {"agrees": "Agrees in", "better": "Lower, that is better, in", "differs": "Higher in"}
    told = [f"{words[verdict]} {', '.join(figures)}." for verdict, figures in verdicts.items() if figures]
    if time:
        told.append(time)
    if origin == "stand-in":
        return OTHER_DATA, time
    given = [verdict for verdict in ("differs", "better", "agrees") if verdicts[verdict]]
    return given[0] if given else NO_NUMBER, " ".join(told)


def _time_sentence(seconds: float, number: Printed) -> str:
    if seconds <= 0 or number.value <= 0:
        return ""
    ratio = number.value / seconds
    if ratio >= SAME_TIME:
        how = f"{ratio:,.0f} times less than"
    else:
        how = "about as long as" if ratio * SAME_TIME > 1 else f"{1 / ratio:,.0f} times more than"
    machine = " (on another machine)" if number.source == ARTICLE else ""
    return f"{seconds:,.2g} s, {how} the {number.text} s of the {number.source}{machine}."
