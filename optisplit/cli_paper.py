"""The command ``optisplit paper``: the paper's tables and figures, re-run into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from optisplit.cli_terminal import INTERRUPTED, Watch, tell

if TYPE_CHECKING:
    import argparse

    import pandas as pd

PAPER_EXAMPLES = """\
examples:
  optisplit paper --out paper                                    all that comes along, ten seeds
  optisplit paper --out paper --data bibtex --seeds 3            a first look, in half a minute
  optisplit paper --out paper --folder authors --data bp,cc      the authors' files, or stand-ins of their size
  optisplit paper --out paper --printed article.csv              with more of the article's numbers

The folder gets table1.csv, table2.csv, synthetic.csv, the figures, and paper.html, which has all of it. Every run is
written down when it is done (runs.jsonl): the same command again goes on where it was ended. Ctrl-C ends it.

--folder is searched for mediamill.arff, CC_targets.npz, MF_targets.npz, BP_targets.npz, and then for go_scale_cc.npz,
go_scale_mf.npz and go_scale_bp.npz, which stand in for them and are named as such.
--printed is a CSV with the columns table (1 or 2), data, row, figure, value.
"""


def add_paper_options(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The command's parser.
    """
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write, and to go on from")
    parser.add_argument("--data", metavar="KEYS", help="with commas between (default: all at hand): mediamill, bibtex, "
                        "delicious, cc, mf, bp, wiki10_31k")  # fmt: skip
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the authors' files or the stand-ins are")
    parser.add_argument("--rows", metavar="KEYS", help="lines of Table 2, with commas between (default: all): random, "
                        "pmbsrs, ss, skml-is, is, skml-sois, sois, optisplit-dcp, optisplit-rld, "
                        "optisplit-sa")  # fmt: skip
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds, from 0 (default: 10)")
    parser.add_argument(
        "--time-limit", type=float, default=300.0, metavar="S",
        help="most seconds for one run (default: 300); 0 for no limit: two methods then take days on the larger data",
    )  # fmt: skip
    parser.add_argument("--printed", type=Path, metavar="FILE", help="CSV with more of the article's numbers")


def run_paper(options: argparse.Namespace) -> int:
    """Re-run the paper, as the command line asks.

    Parameters
    ----------
    options : argparse.Namespace
        What was typed.

    Returns
    -------
    int
        Exit code: 0, or 130 after Ctrl-C.
    """
    from optisplit.paper import reproduce
    from optisplit.paper.notes import verdict_line

    with Watch() as watch:
        made = reproduce(
            options.out,
            data=_keys(options.data),
            folder=options.folder,
            rows=_keys(options.rows),
            seeds=range(options.seeds),
            time_limit_s=options.time_limit or None,
            printed=options.printed,
            on_progress=watch.of_comparison,
        )
    print(_lines(made.table2))
    tell(verdict_line(made.table2), f"optisplit: written to {options.out}; open {options.out / 'paper.html'}")
    if not made.is_complete:
        tell("optisplit: stopped early; the same command again goes on from here")
        return INTERRUPTED
    return 0


def _keys(text: str | None) -> list[str] | None:
    return None if text is None else [key.strip() for key in text.split(",") if key.strip()]


def _lines(table: pd.DataFrame) -> str:
    from optisplit.paper import FIGURES

    if table.empty:
        return "No run was made."
    shown: dict[str, Any] = {"data": table["title"], "method": table["name"]}
    shown |= {figure: table[figure] for figure in FIGURES} | {"printed rld": table["printed rld"]}
    shown |= {"runs": table["n_done"].astype(str) + "/" + table["n_runs"].astype(str), "verdict": table["verdict"]}
    return str(table.assign(**shown)[list(shown)].to_string(index=False, float_format="{:.4g}".format, na_rep="-"))
