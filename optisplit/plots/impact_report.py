"""A study of what the split does to estimates as one HTML page to keep: answers, advice, figure, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.methods.variants import variant_name
from optisplit.plots.html_page import Page
from optisplit.text import short_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    import plotly.graph_objects as go

    from optisplit.studies.impact import Answers


def impact_page(
    result: Any, settings: Mapping[str, str], answers: Answers, figure: tuple[go.Figure, str], score: str
) -> str:
    """Make one HTML page of a study that needs nothing else; the figure, given with its text, is of one score."""
    page = Page(f"Does it matter how {result.data_name} is split?")
    page.text(f"{result.n_rows:,} rows, {result.n_labels:,} labels. Score: {result.score_names[score]}.")
    if answers.caveat:
        page.text(answers.caveat)
    for each in answers.questions:
        page.heading(each.question, 3)
        for sentence in each.sentences:
            page.text(sentence)
    if answers.advice:
        page.heading("What to do")
        for advice in answers.advice:
            page.text(advice.sentence)
    page.heading("Every estimate, less the score on rows never seen")
    page.figure(figure[0], "Every estimate, less the score on rows never seen", figure[1])
    page.heading("All scores")
    for sentence in result.verdicts:
        page.text(sentence)
    _add_numbers(page, result)
    page.heading("How it was made")
    page.table(["setting", "value"], list(settings.items()), left=(0, 1))
    for note in result.notes:
        page.text(note)
    return page.html()


def _add_numbers(page: Page, result: Any) -> None:
    figures = [name for name in result.summary.columns if name not in ("score", "method")]
    lines = [
        [result.score_names[line["score"]], variant_name(line["method"]), *(short_number(line[key]) for key in figures)]
        for line in result.summary.to_dict("records")
    ]
    page.table(["score", "method", *(key.replace("_", " ") for key in figures)], lines, left=(0, 1))
