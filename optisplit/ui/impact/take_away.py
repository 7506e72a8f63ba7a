"""What a study found, to take away: as tables, as JSON, as a page, and as Python that makes it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.plots.impact_report import impact_page
from optisplit.text import plain
from optisplit.ui.impact import answers
from optisplit.ui.widgets import download, download_table, file_stem, md

if TYPE_CHECKING:
    from optisplit.ui.impact.request import StudyRequest
    from optisplit.ui.impact.study import Study


def stem_of(study: Study, result: Any) -> str:
    """Make the beginning of the names of files."""
    return file_stem(f"{result.data_name}_{study.kind.replace('_', '-')}")


def show(study: Study, result: Any, request: StudyRequest, score: str) -> None:
    """Offer what is found for every score, in sentences and as files, and Python that does the same."""
    stem = stem_of(study, result)
    with st.expander("All scores, and Python that does the same", icon=":material/table_rows:", key="impact_all"):
        st.markdown("\n".join(f"- {md(sentence)}" for sentence in result.verdicts))
        with st.container(horizontal=True):
            download_table("All numbers as CSV", result.summary, f"{stem}_summary.csv", key=f"{study.kind}_csv")
            download_table("Every run as CSV", result.table, f"{stem}_runs.csv", key=f"{study.kind}_runs_csv")
            download("JSON", lambda: as_json(study, result, request, score), f"{stem}.json", key=f"{study.kind}_json")
            download(
                "Report as HTML", lambda: as_html(study, result, request, score), f"{stem}.html",
                key=f"{study.kind}_html",
            )  # fmt: skip
        st.code(request.code, language="python")


def as_json(study: Study, result: Any, request: StudyRequest, score: str) -> str:
    """Write everything that was asked for and found."""
    found = answers.of(result, request, score)
    document = {
        "study": study.kind,
        "settings": request.settings,
        "rows": result.n_rows,
        "labels": result.n_labels,
        "score": result.score_names[score],
        "caveat": found.caveat,
        "answers": [
            {"key": each.key, "question": each.question, "answer": each.sentences, "figures": each.figures}
            for each in found.questions
        ],
        "advice": [{"kind": each.kind, "sentence": each.sentence, "figure": each.figure} for each in found.advice],
        "notes": result.notes,
        "verdicts": result.verdicts,
        "summary": result.summary,
        "runs": result.table,
    }
    return json.dumps(plain(document), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_html(study: Study, result: Any, request: StudyRequest, score: str) -> str:
    """Make a page of it that needs nothing else."""
    info, figure = study.figure(result, score)
    return impact_page(result, request.settings, answers.of(result, request, score), (figure, info.alt_text), score)
