"""The command ``optisplit paper``: the paper's tables and figures, re-run into a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.cli.terminal import INTERRUPTED, Watch
from optisplit.studies.paper.catalogue import BESIDE, FIGURES
from optisplit.studies.paper.reproduction import as_made_beforehand, reproduce
from optisplit.studies.paper.tables import HERE
from optisplit.text import short_number

if TYPE_CHECKING:
    import argparse

    import pandas as pd

    from optisplit.cli.answer import Answer
    from optisplit.studies.paper.reproduction import Reproduction


def run(options: argparse.Namespace, answer: Answer) -> int:
    """Re-run the paper, as the command line asks."""
    if options.beforehand:
        made = as_made_beforehand()
        made.write(options.out)
        return _tell(made, options, answer)
    with Watch(progress=answer.progress) as watch:
        made = reproduce(
            options.out,
            data=_keys(options.data),
            folder=options.folder,
            rows=_keys(options.rows),
            seeds=range(options.seeds),
            time_limit_s=options.time_limit or None,
            on_progress=watch.of_comparison,
        )
    return _tell(made, options, answer)


def _tell(made: Reproduction, options: argparse.Namespace, answer: Answer) -> int:
    verdict = made.verdict
    answer.print(_lines(made.table2))
    answer.tell(verdict, f"optisplit: written to {options.out}; open {options.out / 'paper.html'}")
    answer.put(
        out=options.out, table1=made.table1, table2=made.table2, verdict=verdict, is_complete=made.is_complete
    )  # fmt: skip
    if not made.is_complete:
        answer.tell("optisplit: stopped early; the same command again goes on from here")
        return INTERRUPTED
    return 0


def _keys(text: str | None) -> list[str] | None:
    return None if text is None else [key.strip() for key in text.split(",") if key.strip()]


def _lines(table: pd.DataFrame) -> str:
    table = table[table["made"] == HERE]
    if table.empty:
        return "No run was made."
    shown: dict[str, Any] = {"data": table["title"], "method": table["name"]}
    shown |= {figure: table[figure] for figure in (*FIGURES, *BESIDE)}
    shown |= {"printed rld": table["text rld"], "verdict": table["verdict rld"]}
    shown |= {"runs": table["n_done"].astype(str) + "/" + table["n_runs"].astype(str)}
    return str(table.assign(**shown)[list(shown)].to_string(index=False, float_format=short_number, na_rep="-"))
