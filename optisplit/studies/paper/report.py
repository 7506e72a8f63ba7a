"""The paper's tables and figures as files: CSV, figures, and one HTML page that needs nothing else."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

from plotly.offline import get_plotlyjs

from optisplit.errors import OptionError
from optisplit.io.target import together, write_file
from optisplit.measures.characteristics import PROPERTIES
from optisplit.measures.registry import MEASURES, PARTS_TITLE
from optisplit.plots.html_page import Page, for_page
from optisplit.plots.summary import titles
from optisplit.plots.synthetic_scores import plot_synthetic_scores, synthetic_scores_alt_text
from optisplit.studies.paper.catalogue import BESIDE, FIGURES
from optisplit.studies.paper.notes import ARTICLE_LINE, NOTES, verdict_line
from optisplit.studies.paper.printed import ARTICLE
from optisplit.studies.paper.runs import LOG_NAME
from optisplit.text import counted, number_with_spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import pandas as pd

    from optisplit.studies.paper.reproduction import Reproduction

GREY_NUMBERS = (
    "In grey, the number to compare with: the article's, or, with an asterisk, that of the authors' published code run "
    "again."
)

FIGURE_ORDER = ("ld", "rld", "dcp")
"""The paper's order: the usual measure, and then the two that do not depend on label size."""

STYLE = "th:last-child, td:last-child:not([colspan]) { text-align: left; font-weight: 600; }"


def figure_texts(line: Mapping[str, Any], figure: str) -> tuple[str, str]:
    """Write one figure of a line of either table, and under it what it is to be compared with."""
    mark = "" if line.get(f"source {figure}", ARTICLE) == ARTICLE else "*"
    printed = line.get(f"printed {figure}", math.nan)
    other = "" if math.isnan(printed) else f"{printed:,.6g}{mark}"
    if math.isnan(line[figure]):
        return "", other
    mean, spread = number_with_spread(line[figure], line.get(f"{figure} std", math.nan))
    return (f"{mean} ± {spread}" if spread and spread != "0" else mean), other


def write_files(made: Reproduction, out: Path) -> list[Path]:
    """Write tables as CSV, figures with their data, and the page."""
    files = {
        "table1.csv": made.table1.to_csv(index=False),
        "table2.csv": made.table2.to_csv(index=False),
        "synthetic.csv": made.synthetic.table.to_csv(index=False),
        "paper.html": make_page(made),
    }
    for measure in FIGURE_ORDER:
        figure = for_page(plot_synthetic_scores(made.synthetic, measure))
        files[f"figure_{measure}.html"] = figure.to_html(include_plotlyjs="directory", full_html=True)
    files["plotly.min.js"] = get_plotlyjs()  # once for the three
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
    """Make one HTML page with both tables, the figures and what to know of them."""
    page = Page("OptiSplit: the paper, re-run", STYLE)
    page.text(ARTICLE_LINE)
    if not made.is_complete:
        page.add("<p><strong>The work was ended early; what is here was done until then.</strong></p>")
    page.heading("Table 1: the data")
    page.text(GREY_NUMBERS)
    _add_table1(page, made.table1)
    page.heading(f"Table 2: every method, mean of {counted(len(made.seeds), 'seed')}, 5 folds")
    page.text(verdict_line(made.table2))
    _add_table2(page, made.table2)
    page.heading("The synthetic experiment: score of a label against its size")
    for measure in FIGURE_ORDER:
        name, alt_text = MEASURES[measure].name, synthetic_scores_alt_text(made.synthetic, measure)
        page.heading(name, 3)
        page.figure(plot_synthetic_scores(made.synthetic, measure), name, alt_text)
    page.heading("What to know")
    for title, text in NOTES:
        page.add(f"<p><strong>{html.escape(title)}</strong> {html.escape(text)}</p>")
    return page.html()


def _add_table1(page: Page, table: pd.DataFrame) -> None:
    lines = [
        [line["title"], line["origin"], *_cells(line, PROPERTIES), line["verdict"]] for line in table.to_dict("records")
    ]
    page.table(["data", "from", *PROPERTIES, "verdict"], lines, notes=table["why"])


def _add_table2(page: Page, table: pd.DataFrame) -> None:
    if table.empty:
        page.text("No run was made.")
        return
    head = ["method", *(titles()[figure] for figure in FIGURES), "runs", "verdict"]
    for title, mine in table.groupby("title", sort=False):
        lines = [
            [line["name"], *_cells(line, FIGURES), f"{line['n_done']} of {line['n_runs']}", line["verdict"]]
            for line in mine.to_dict("records")
        ]
        page.heading(str(title), 3)
        page.table(head, lines, notes=mine["why"])
        page.text(PARTS_TITLE)
        beside = [[line["name"], *_cells(line, BESIDE)] for line in mine.to_dict("records")]
        page.table(["method", *(titles()[figure] for figure in BESIDE)], beside)


def _cells(line: Mapping[str, Any], figures: Iterable[str]) -> list[tuple[str, str]]:
    pairs = (figure_texts(line, figure) for figure in figures)
    return [(ours or "–", other) for ours, other in pairs]
