"""The command ``optisplit compare``."""

from __future__ import annotations

import shutil
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from optisplit.cells import table_csv
from optisplit.cli.answer import is_stdout
from optisplit.cli.constraints import read_balance, read_constraints
from optisplit.cli.options import given_only
from optisplit.cli.reading import load_data
from optisplit.cli.terminal import INTERRUPTED, Watch
from optisplit.cli.writing import check_outputs, write_table
from optisplit.comparison.experiment import compare
from optisplit.io.encoding.encode import whole_of
from optisplit.measures.balanced import BALANCED
from optisplit.measures.registry import MEASURES
from optisplit.methods import METHODS, get_method
from optisplit.methods.abilities import AMOUNTS, left_out_words
from optisplit.methods.base import DEFAULT_METHODS
from optisplit.plots.summary import summary_info
from optisplit.text import short_number

if TYPE_CHECKING:
    import argparse

    from optisplit.cli.answer import Answer
    from optisplit.comparison.experiment import ComparisonResult
    from optisplit.labels import MultilabelDataset
    from optisplit.plots.summary import SummaryInfo


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Compare methods, as the command line asks."""
    check_outputs(options)
    data, _ = load_data(options, answer)
    constraints = read_constraints(options, data, answer)
    balance = read_balance(options, data, answer)
    methods = _methods(options.methods, constraints, whole_of(data, balance), answer)
    with Watch(progress=answer.progress) as watch:
        result = compare(
            data,
            methods,
            options.n_splits,
            seeds=range(options.seeds),
            options={key: _options_of(key, options) for key in methods},
            time_limit_s=options.time_limit,
            backend=None if options.dask is None else "dask",
            cluster=options.dask,
            balance=balance,
            on_progress=watch.of_comparison,
            **constraints,
        )
    is_piped = options.output is not None and is_stdout(options.output)
    if is_piped:
        answer.write(table_csv(result.table).encode())
    else:
        write_table(result.table, options.output)
    info = summary_info(result, {key: METHODS[key].name for key in result.methods})
    answer.put(
        n_splits=result.n_splits,
        methods=methods,
        best=info.best or None,
        grade=None if info.grade is None else asdict(info.grade),
        verdict=info.verdict,
        remarks=info.remarks,
        summary=_summary(result) if answer.as_json else None,
        runs=result.table,
        stopped_early=watch.is_asked_to_stop,
        output=None if is_stdout(options.output) else options.output,
    )
    columns = [column for key in (*MEASURES, BALANCED) for column in (key, f"{key}_bound") if column in result.table]
    shown = result.summary[[(column, "mean") for column in (*columns, "time_s")] + [("runs", "done")]]
    if watch.is_asked_to_stop:  # runs that were not done all have the same reason
        n_done = sum(run.status == "done" for run in result.runs)
        answer.tell(f"optisplit: stopped early; {n_done} of {len(result.runs)} runs were done")
    else:
        answer.tell(*(f"optisplit: {run.method}, seed {run.seed}: {run.reason}" for run in result.runs if run.reason))
    stream = sys.stderr if is_piped else sys.stdout
    width = shutil.get_terminal_size().columns if stream.isatty() else None  # columns that do not fit stand below
    table = shown.droplevel(1, axis=1).to_string(float_format=short_number, line_width=width)
    (answer.tell if is_piped else answer.print)(*_verdict_lines(info), "", "Means over the seeds:", table)
    return INTERRUPTED if watch.is_asked_to_stop else 0


def _verdict_lines(info: SummaryInfo) -> list[str]:
    """Write the verdict, and the methods in the order that follows from it."""
    import pandas as pd

    board = pd.DataFrame(info.leaderboard)
    words = board.columns[:2]  # the method and its grade, which begin at the left
    board[words] = board[words].apply(lambda column: column.str.ljust(column.str.len().max()))
    grade = [] if info.headline is None else [info.headline.title.upper()]
    return [*grade, *info.verdict, "", board.to_string(index=False, justify="right"), "", *info.remarks]


def _methods(typed: str | None, constraints: dict[str, Any], columns: MultilabelDataset, answer: Answer) -> list[str]:
    if typed is not None:
        return [key.strip() for key in typed.split(",")]
    able = [key for key in DEFAULT_METHODS if METHODS[key].keeps(*constraints) and METHODS[key].can_balance(columns)]
    if len(able) < len(DEFAULT_METHODS):
        needed = [*constraints, *([AMOUNTS] if columns.has_amounts else [])]
        answer.note(left_out_words([key for key in DEFAULT_METHODS if key not in able], needed))
    return able


def _options_of(key: str, options: argparse.Namespace) -> dict[str, Any]:
    """Pick what a method takes of what was typed."""
    typed = given_only(measure=options.measure, rare=options.rare)
    return {name: value for name, value in typed.items() if name in get_method(key).options}


def _summary(result: ComparisonResult) -> list[dict[str, Any]]:
    table = result.summary
    lines = []
    for method in result.methods:
        line: dict[str, Any] = {"method": method}
        for figure, statistic in table.columns:
            value = table.loc[method][figure, statistic]
            if figure == "runs":
                line[{"done": "n_done", "all": "n_runs", "unfair": "n_unfair"}[statistic]] = int(value)
            else:
                line.setdefault(figure, {})[statistic] = float(value)
        lines.append(line)
    return lines
