"""The paper's tables and figures as files: CSV, figures, and one HTML page that needs nothing else."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pandas as pd

from optisplit.cells import table_csv
from optisplit.errors import OptionError
from optisplit.io.target import together, write_file
from optisplit.measures.registry import MEASURES, PARTS_TITLE
from optisplit.plots.html_page import Page
from optisplit.plots.paper_example import plot_paper_example
from optisplit.plots.synthetic_scores import plot_synthetic_scores, synthetic_scores_alt_text
from optisplit.studies.paper import tables_html
from optisplit.studies.paper.example import paper_example
from optisplit.studies.paper.notes import ARTICLE_LINE, CODE_AGAIN, NOTES
from optisplit.studies.paper.runs import LOG_NAME
from optisplit.studies.paper.verdicts import RULE

if TYPE_CHECKING:
    from pathlib import Path

    from optisplit.studies.paper.reproduction import Reproduction

FIGURE_ORDER = ("ld", "rld", "dcp")
"""The paper's order: the usual measure, and then the two that do not depend on label size."""


def write_files(made: Reproduction, out: Path) -> list[Path]:
    """Write tables as CSV, the figures' data, and the page."""
    files = {
        "table1.csv": table_csv(made.table1),
        "table2.csv": table_csv(made.table2),
        "claims.csv": table_csv(pd.DataFrame(made.claims)),
        "example.csv": table_csv(paper_example().table),
        "synthetic.csv": table_csv(made.synthetic.table),
        "paper.html": make_page(made),
    }
    made_folder(out)
    with together():
        for name, text in files.items():
            write_file(out / name, text)
    return [out / name for name in files]


def made_folder(out: Path) -> Path:
    """Make a folder, if it is not there, into which files can be written."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / LOG_NAME).touch()
    except OSError as error:
        msg = f"The folder {str(out)!r} cannot be written to: {error.strerror or error}."
        raise OptionError(msg) from error
    return out


def make_page(made: Reproduction) -> str:
    """Make one HTML page with both tables, the claims, the figures, and how it was all made."""
    page = Page("OptiSplit: the paper, run again", tables_html.STYLE)
    page.text(ARTICLE_LINE)
    if not made.is_complete:
        page.add("<p><strong>The work was ended early; what is here was done until then.</strong></p>")
    page.add(f"<p><strong>{html.escape(made.verdict)}</strong></p>")
    page.text(RULE)
    page.add(tables_html.legend_html())
    page.heading("Table 1: the data")
    page.add(tables_html.table1_html(made.table1))
    page.heading("Table 2: every method")
    page.add(tables_html.table2_html(made.table2))
    page.heading("What the article says")
    page.add(tables_html.claims_html(made.claims))
    _add_figures(page, made)
    page.heading(PARTS_TITLE)
    page.add(tables_html.beside_html(made.table2))
    page.heading("The authors' code, run again")
    page.text(CODE_AGAIN)
    page.add(tables_html.code_html(made.table2))
    page.heading("How it was made")
    page.text(made.sources.kept.sentence)
    for title, text in NOTES:
        page.add(f"<p><strong>{html.escape(title)}</strong> {html.escape(text)}</p>")
    return page.html()


def _add_figures(page: Page, made: Reproduction) -> None:
    page.heading("Figure 1: splits of different quality")
    page.figure(plot_paper_example(paper_example()), "Splits of different quality", paper_example().alt_text)
    page.heading("Figure 2: score of a label against its size")
    for measure in FIGURE_ORDER:
        name, words = MEASURES[measure].name, synthetic_scores_alt_text(made.synthetic, measure)
        for is_log, how in ((False, "as printed"), (True, "both axes logarithmic, 0 at the foot")):
            page.heading(f"{name}, {how}", 3)
            page.figure(plot_synthetic_scores(made.synthetic, measure, is_log=is_log), f"{name}, {how}", words)
