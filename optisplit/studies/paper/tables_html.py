"""Both tables and the claims as HTML, for the page on disk and for the app: ours, the printed number, the verdict."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

from optisplit.measures.characteristics import PROPERTIES
from optisplit.measures.registry import name_of
from optisplit.studies.paper.catalogue import BESIDE, FIGURES
from optisplit.studies.paper.tables import BEFOREHAND, HERE
from optisplit.studies.paper.verdicts import DIFFERS
from optisplit.text import counted, number, number_with_spread, short_number

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import pandas as pd

    from optisplit.studies.paper.claims import Claim

STYLE = """
.paper { overflow-x: auto; font-size: 14px; line-height: 1.35; }
.paper table { border-collapse: collapse; width: 100%; }
.paper th, .paper td { padding: .3rem .7rem .3rem 0; text-align: right; vertical-align: top; white-space: nowrap;
  border: 0; border-bottom: 1px solid #8884; font-weight: inherit; }
.paper thead th { font-weight: 600; vertical-align: bottom; }
.paper th:first-child, .paper.claims th { text-align: left; }
.paper h4 { margin: 1.2rem 0 .2rem; padding: 0; font-size: 1.05rem; }
.paper small { font-size: 12px; opacity: 1; }
.paper .words { text-align: left; white-space: normal; min-width: 11rem; }
.paper.claims td:last-child { min-width: 20rem; }
.paper .agrees, .paper .better, .paper .holds { color: light-dark(#0B6B31, #5FD38D); }
.paper .differs, .paper .fails, .paper .slip { color: light-dark(#9A4A00, #F2A65A); }
.paper .grey { color: light-dark(#5D5D66, #A9A9B2); }
.paper details { margin: .4rem 0 .8rem; }
.paper li { margin: .2rem 0; font-size: 14px; }
@media (max-width: 640px) {
  .paper thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .paper :is(table, tbody, tr, th, td) { display: block; min-width: 0; border: 0; padding: .1rem 0; text-align: left; }
  .paper tr { border-bottom: 1px solid #8884; padding: .5rem 0; }
  .paper:not(.claims) tbody th { font-weight: 600; }
  .paper:not(.claims) td::before { content: attr(data-title); display: inline-block; width: 5.5rem; opacity: .75; }
  .paper:not(.claims) td br { display: none; }
  .paper:not(.claims) td small { float: right; }
}
"""
"""Of these tables, on pages of any background."""

CLASSES = {"holds": "holds", "holds in part": "grey", "does not hold": "fails", "a slip": "slip"}
MARKS = {"agrees": "=", "better": "▼", "differs": "▲", "other data": "○"}
"""Before a verdict, so that colour is not the only difference."""

COLOURED = ("agrees", "better", "differs")


def _row(cells: Sequence[str], head: Sequence[str], words: Collection[int]) -> str:
    """Write a line; each cell has its column's title with it, for pages too narrow for columns."""
    line = [f'<th scope="row">{cells[0]}</th>']
    for at, (title, cell) in enumerate(zip(head[1:], cells[1:], strict=True), start=1):
        line.append(f'<td data-title="{html.escape(title)}"{_css_class(at, words)}>{cell}</td>')
    return f"<tr>{''.join(line)}</tr>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words: Collection[int] = ()) -> str:
    """Write a table; the columns `words` are of words."""
    titles = "".join(f'<th scope="col"{_css_class(at, words)}>{title}</th>' for at, title in enumerate(head))
    body = "".join(_row(row, head, words) for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _css_class(column: int, words: Collection[int]) -> str:
    return ' class="words"' if column in words else ""


def verdict_html(verdict: str, *, is_short: bool = False) -> str:
    """Write a verdict with its colour and its mark; a short one is the mark alone."""
    css_class, mark = verdict if verdict in COLOURED else "grey", MARKS.get(verdict, "")
    if is_short and mark:
        about = html.escape(verdict)
        return f'<span class="{css_class}" role="img" aria-label="{about}" title="{about}">{mark}</span>'
    return f'<span class="{css_class}">{mark} {html.escape(verdict)}</span>' if verdict else ""


def _cell(ours: str, line: Mapping[str, Any], figure: str, *, is_short: bool = False) -> str:
    printed, verdict = str(line[f"text {figure}"]), verdict_html(str(line[f"verdict {figure}"]), is_short=is_short)
    below = f"<br><small>{html.escape(printed)} {verdict}</small>" if printed else ""
    return f"{ours or '–'}{below}"


def mean_text(line: Mapping[str, Any], figure: str) -> str:
    """Write one of our means with its deviation."""
    value = float(line[figure])
    if math.isnan(value):
        return ""
    if figure == "time_s":
        return short_number(value, 3)
    mean, spread = number_with_spread(value, float(line[f"{figure} std"]))
    told = f' <span class="grey">± {spread}</span>' if spread and spread != "0" else ""
    return html.escape(mean) + told


def table1_html(table: pd.DataFrame) -> str:
    """Write Table 1."""
    head = ["Data", "From", *(name.capitalize() for name in PROPERTIES)]
    rows, reasons = [], []
    for line in table.to_dict("records"):
        cells = [html.escape(line["title"]), html.escape(_origin(line))]
        for name in PROPERTIES:
            ours = f"{line[name]:.4f}" if name == "density" else f"{line[name]:,.6g}"
            cells.append(_cell(ours, line, name, is_short=True))
        rows.append(cells)
        if line["why"]:
            reasons.append((line["title"], line["why"]))
    about = '<p class="grey">Min to Max: how many rows a label has, from the rarest to the commonest.</p>'
    written = _table(head, rows, words=(1,))
    return f'<div class="paper">{about}{written}{_reasons("Why a cell differs", reasons)}</div>'


def _origin(line: Mapping[str, Any]) -> str:
    """Say where data are from, and what is printed otherwise of the very same data."""
    others = [f"{line[f'text {name}']} {name}" for name in PROPERTIES if line[f"verdict {name}"] == DIFFERS]
    return f"{line['origin']}; in print {', '.join(others)}: see below" if others else str(line["origin"])


def table2_html(table: pd.DataFrame) -> str:
    """Write Table 2, a data set below the other."""
    parts = []
    for title, mine in table.groupby("title", sort=False):
        lines = mine.to_dict("records")
        parts += [f"<h4>{html.escape(str(title))}</h4>", _of_data(lines)]
        told = [(line["name"], line["why"]) for line in lines if line["why"]]
        n_differ = sum(line[f"verdict {figure}"] == DIFFERS for line in lines for figure in FIGURES)
        heading = "What to know, line by line" + (f" ({counted(n_differ, 'cell')} differ)" if n_differ > 1 else "")
        parts.append(_reasons(heading, told))
    return f'<div class="paper">{"".join(parts)}</div>'


def _of_data(lines: Sequence[Mapping[str, Any]]) -> str:
    head = ["Method", *("Time, s" if figure == "time_s" else name_of(figure) for figure in FIGURES), "Runs"]
    rows = []
    for line in lines:
        runs = f"{line['n_done']} of {line['n_runs']}" + (f"<br><small>{HERE}</small>" if line["made"] == HERE else "")
        if not math.isnan(line["over_s"]):
            runs += f"<br><small>over {line['over_s']:,g} s</small>"
        rows.append([html.escape(line["name"]), *(_cell(mean_text(line, each), line, each) for each in FIGURES), runs])
    return _table(head, rows)


def beside_html(table: pd.DataFrame) -> str:
    """Write what the article's measures do not see, a line a method."""
    head = ["Data", "Method", *(name_of(figure) for figure in BESIDE)]
    rows = [
        [html.escape(line["title"]), html.escape(line["name"])] + [mean_text(line, figure) or "–" for figure in BESIDE]
        for line in table.to_dict("records")
        if line["n_done"]
    ]
    return f'<div class="paper">{_table(head, rows, words=(1,))}</div>'


def code_html(table: pd.DataFrame) -> str:
    """Write the lines for which the authors' published code was run again: printed, the code again, ours."""
    rows = []
    for line in table.to_dict("records"):
        found = [figure for figure in FIGURES if not math.isnan(line[f"published code {figure}"])]
        if found:
            cells = [html.escape(line["title"]), html.escape(line["name"])]
            for figure in FIGURES:
                again = number(line[f"published code {figure}"]) if figure in found else "–"
                cells.append(f"{again}<br><small class='grey'>{html.escape(line[f'text {figure}'])}</small>")
            rows.append(cells)
    head = ["Data", "Method", *("Time, s" if figure == "time_s" else name_of(figure) for figure in FIGURES)]
    return f'<div class="paper">{_table(head, rows, words=(1,))}</div>'


def claims_html(claims: Iterable[Claim]) -> str:
    """Write the claims, a line each."""
    rows = []
    for claim in claims:
        css_class = CLASSES[claim.verdict]
        said = f"{html.escape(claim.said)}<br><small class='grey'>{html.escape(claim.section)}</small>"
        details = html.escape(claim.details)
        more = f"<details><summary>All data sets</summary>{details}</details>" if details else ""
        shown = f"{html.escape(claim.shown)}<br><small class='grey'>{html.escape(claim.source)}</small>{more}"
        rows.append([f'<span class="{css_class}">{html.escape(claim.verdict)}</span>', said, shown])
    head = ["Verdict", "What the article says", "What checks it"]
    return f'<div class="paper claims">{_table(head, rows, words=(1, 2))}</div>'


def _reasons(heading: str, told: Sequence[tuple[str, str]]) -> str:
    if not told:
        return ""
    items = "".join(f"<li>{html.escape(name)}: {html.escape(why)}</li>" for name, why in told)
    return f"<details><summary>{html.escape(heading)}</summary><ul>{items}</ul></details>"


def legend_html() -> str:
    """Say what a cell holds."""
    return (
        '<div class="paper"><p>In every cell our mean ± deviation over seeds, and with it, small, the printed number '
        f"and how ours stands to it: {', '.join(verdict_html(verdict) for verdict in MARKS)}. Runs were made "
        f"{BEFOREHAND} unless they are marked {HERE}.</p></div>"
    )
