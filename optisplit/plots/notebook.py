"""Results as notebooks show them: the grade and the verdict of the app, its leaderboard and its figures, as HTML."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from optisplit.io.rows import origin_of
from optisplit.measures.balanced import balanced_table
from optisplit.measures.grade import noun_of
from optisplit.measures.score import score_lines
from optisplit.measures.shown import left_out_note, size_note
from optisplit.methods import METHODS
from optisplit.plots.kinds import Splits, drawing_of, kinds_of, splits_of_check
from optisplit.plots.summary import leading, summary_info
from optisplit.text import counted, few, html_table, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import plotly.graph_objects as go

    from optisplit.check.checks import SplitCheck
    from optisplit.check.repairs import Repair
    from optisplit.comparison.experiment import ComparisonResult
    from optisplit.measures.grade import Grade
    from optisplit.measures.report import Report

STYLE = """
.optisplit .verdict { border-left: .3rem solid; margin: .3rem 0 .8rem; padding: .2rem .8rem; }
.optisplit .fault { border-color: #C8452F; } .optisplit .warning { border-color: #D9A400; }
.optisplit .ok { border-color: #2E8B57; } .optisplit .verdict strong { font-size: 1.25em; }
.optisplit table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.optisplit th, .optisplit td { padding: .2rem .6rem; text-align: right; vertical-align: top; }
.optisplit thead th { vertical-align: bottom; } .optisplit tbody th { font-weight: inherit; }
.optisplit th:first-child, .optisplit .left { text-align: left; } .optisplit .wide { overflow-x: auto; }
.optisplit h4 { margin: 1rem 0 .3rem; } .optisplit p { margin: .2rem 0; }
.optisplit summary { cursor: pointer; margin: .4rem 0; }
"""
"""Goes with every piece, as notebooks keep pieces apart; light or dark is as around it."""


def report_html(report: Report) -> str:
    """Show a report: its grade, and every measure beside its bound."""
    said = [report.grade.reason, "Unfair parts, groups and faults are what optisplit.check_split looks for."]
    caption = f"{size_note(report)}; less is better{left_out_note(report)}"
    beside = "" if report.balanced is None else balanced_table(report.balanced)
    table = html_table(caption, ("Measure", "Score"), score_lines(report))
    return _block(verdict_piece(report.grade, said), table, beside, *_pictures(_of_report(report), ["maps"]))


def comparison_html(result: ComparisonResult) -> str:
    """Show a comparison: grade, verdict, leaderboard and maps of the folds; and behind a press, all measures."""
    info = summary_info(result, _names(result))
    titles = [title for title, _ in leading(info.noun).values()]
    lines = [[line[title] for title in titles] for line in info.leaderboard]
    groups = result.constraints.get("groups")
    kept = "" if groups is None else f", {counted(len(set(groups)), 'group')}{origin_of(groups)} kept whole"
    caption = f"{counted(result.n_splits, info.noun)}, {counted(result.n_rows, 'row')}{kept}; the best method first"
    torn = [] if result.torn is None else [f"{result.torn.advice}."]
    pieces = [
        verdict_piece(info.headline, [*info.verdict, *torn]),
        _wide(html_table(caption, titles, lines, left=(0, 1))),
    ]
    if info.done:
        pieces += _pictures(_of_comparison(result), ["maps"])
        more = list(info.details[0])
        lines = [[line[key] for key in more] for line in info.details]
        beside = [run.report.balanced for run in result.best_runs.values() if run.report is not None]
        if None not in beside:
            lines.append(["rLD of balanced columns", *(each.score("rld").cell for each in beside if each is not None)])
        every = html_table("Of each method's best split", more, lines)
        pieces += [_behind("All measures", _wide(every)), *_more_pictures(_of_comparison(result), ["scores", "rare"])]
    if info.remarks:
        pieces.append(_behind("More about this result", _list(info.remarks)))
    return _block(*pieces)


def check_html(check: SplitCheck) -> str:
    """Show a check: grade, verdict, where it is between random splits and the best possible, and faults."""
    splits = splits_of_check(check)
    kinds = kinds_of(splits)
    head = ("Fault", "How many", "What to do", "The first")
    faults = [(each.sentence, f"{each.count:,}", each.advice, few(each.examples, each.count)) for each in check.faults]
    return _block(
        verdict_piece(check.verdict.grade, check.verdict.sentences),
        f"<p>{html.escape(check.groups)}</p>" if check.groups else "",
        *_pictures(splits, kinds[:1]),
        _wide(html_table("", head, faults, left=(0, 2, 3))) if faults else "<p>No fault was found.</p>",
        *_more_pictures(splits, kinds[1:]),
    )


def repair_html(repair: Repair) -> str:
    """Show a repair: the way from grade to grade, every measure before and after, and both maps."""
    was, now = repair.before.grade, repair.after.grade
    way = f"From {was.title.lower()} to {now.title.lower()}" if was.key != now.key else f"Still {now.title.lower()}"
    share = percent(repair.n_moved / max(len(repair.folds), 1), 2)
    placed = f", and {counted(repair.n_placed, 'row')} that had no part got one" if repair.n_placed else ""
    moved = f"{way}: {repair.n_moved:,} of {counted(len(repair.folds), 'row')} moved ({share}){placed}."
    table = html_table("Less is better", ("Measure", "Before", "After"), score_lines(repair.before, repair.after))
    pieces = (table, *_pictures(_of_repair(repair), ["maps"]))
    return _block(verdict_piece(now, [moved, now.reason]), *pieces)


def figure_of(result: Any, of: str, kind: str | None, measure: str) -> go.Figure:
    """Draw a result as Plotly figure that keeps itself as SVG too."""
    from optisplit.plots.shown import ShownFigure  # loads much of plotly

    lay_out: dict[str, Callable[[Any], Splits]] = {
        "report": _of_report, "comparison": _of_comparison, "check": splits_of_check, "repair": _of_repair,
    }  # fmt: skip
    return ShownFigure.of(drawing_of(lay_out[of](result), kind, measure))


def verdict_piece(grade: Grade | None, sentences: Iterable[str]) -> str:
    """Write the grade and the sentences that go with it."""
    title = "No result" if grade is None else grade.title
    severity = "warning" if grade is None else grade.severity
    said = html.escape(" ".join(sentences))
    return f'<div class="verdict {severity}"><strong>{html.escape(title)}</strong><p>{said}</p></div>'


def _of_report(report: Report) -> Splits:
    return Splits({"yours": [report]}, {"yours": "This split"}, report.fold_names, noun_of(report))


def _of_comparison(result: ComparisonResult) -> Splits:
    info = summary_info(result, _names(result))
    folds = [f"{info.noun} {fold}" for fold in range(result.n_splits)]
    return Splits(info.reports, _names(result), folds, info.noun, info.n_missing)


def _of_repair(repair: Repair) -> Splits:
    reports = {"before": [repair.before], "after": [repair.after]}
    names = {"before": "Before", "after": "After the repair"}
    return Splits(reports, names, repair.after.fold_names, noun_of(repair.after))


def _names(result: ComparisonResult) -> dict[str, str]:
    return {method: METHODS[method].name for method in result.methods}


def _pictures(splits: Splits, kinds: Sequence[str]) -> list[str]:
    drawings = [drawing_of(splits, kind) for kind in kinds if kind in kinds_of(splits)]
    return [f"<h4>{html.escape(each.title)}</h4>{_wide(each.svg)}" for each in drawings]


def _more_pictures(splits: Splits, kinds: Sequence[str]) -> list[str]:
    drawings = [drawing_of(splits, kind) for kind in kinds if kind in kinds_of(splits)]
    return [_behind(each.title, _wide(each.svg)) for each in drawings]


def _behind(title: str, piece: str) -> str:
    return f"<details><summary>{html.escape(title)}</summary>{piece}</details>"


def _wide(piece: str) -> str:
    return f'<div class="wide">{piece}</div>'


def _list(sentences: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{html.escape(each)}</li>' for each in sentences)}</ul>"


def _block(*pieces: str) -> str:
    return f'<div class="optisplit"><style>{STYLE}</style>{"".join(pieces)}</div>'
