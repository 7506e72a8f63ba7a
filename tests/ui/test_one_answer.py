"""No two places on a page disagree: verdict, table, charts, files and reports say the same of one comparison."""

from __future__ import annotations

import html
import json
import re

import pytest
from test_app import board, compare, divide_into_parts, job_of, open_app, open_tab, table_with

import optisplit
from optisplit.measures.score import cells_beside
from optisplit.plots.check_report import check_page
from optisplit.plots.summary import summary_info
from optisplit.text import number

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

NAMES = {"random": "Random", "is": "IS", "optisplit-sa": "OptiSplit-SA"}
PARTS = {"fold_sizes": [0.8, 0.1, 0.1]}


def plain(text: str) -> str:
    """Take Markdown's backslashes out."""
    return re.sub(r"\\(.)", r"\1", text)


def titles_of(app, key: str) -> dict[str, str]:
    """What stands above each method's panel in a chart, in one line."""
    chart = next(each for each in app.get("plotly_chart") if each.proto.id.endswith(key))
    return titles_in(json.loads(chart.proto.spec))


def titles_in(figure: dict) -> dict[str, str]:
    """What stands above each method's panel, in one line, in the order in which they stand."""
    texts = [each["text"] for each in figure["layout"]["annotations"] if each.get("text")]
    plain_texts = [html.unescape(re.sub(r"<br>", " ", each)) for each in texts]
    plain_texts = [re.sub(r"<[^>]+>", "", each).replace("\N{NO-BREAK SPACE}", " ") for each in plain_texts]
    return {name: each for each in plain_texts for name in NAMES.values() if each.startswith(f"● {name} ")}


@pytest.mark.parametrize(("name", "rules"), [("emotions", {}), ("medical", {}), ("enron", PARTS)])
def test_verdict_table_charts_file_and_reports_say_the_same(name, rules):
    app = open_app(data=name)
    key = "methods"
    if rules:
        divide_into_parts(app)
        key = "methods_fold_sizes"
    compare(app, list(NAMES), n_seeds=2, key=key)
    result = job_of(app).result
    info = summary_info(result, NAMES)
    table = board(app)
    titles = plain(" ".join(each.value for each in app.title))
    said = plain(" ".join(each.value for each in app.main.markdown))
    # the verdict, and the table's first line
    assert info.grade.title in titles
    for sentence in info.verdict:
        assert sentence in said
    assert table["method"].tolist() == [row.name for row in info.rows]
    assert table["grade"].tolist() == [row.grade_words for row in info.rows]
    assert table["grade"][0].startswith(info.grade.title)
    best = table.loc[0, "rld"]
    assert f"its rLD is {number(best)}, " in said
    # the file to take away, and a check of it
    assert any(each.label == "Take this split" for each in app.get("download_button"))
    run = result.best_runs[info.best]
    data = optisplit.load(name)
    report = optisplit.evaluate(data, run.folds, **({"shares": result.constraints["fold_sizes"]} if rules else {}))
    assert report.rld == pytest.approx(best, rel=1e-12)
    check = optisplit.check_split(data, run.folds, n_random=50)
    assert check.grade.title == info.grade.title
    assert check.report.rld == pytest.approx(best, rel=1e-12)
    page = html.unescape(check_page(check))
    assert check.grade.title in page
    assert number(best) in page
    # what stands above the panels of each chart
    maps = titles_of(app, "fold_maps_chart")
    open_tab(app, "Every label")
    scores = titles_of(app, "per_class_chart")
    for row in info.done:
        score = row.score("rld")
        assert f"mean {number(score.value)}, {score.sentence}" in scores[row.name]
        told = re.search(r"(\d+|none) missing", maps[row.name])
        assert (told[1] if told else "none") == (str(row.n_missing) if row.n_missing else "none")
    # the details, and the notebook
    open_tab(app, "All measures")
    first = table_with(app, "Measure").set_index("Measure").loc["rLD"].map(plain)
    first.index = [plain(name) for name in first.index]
    for row, cell in zip(info.done, cells_beside([row.score("rld") for row in info.done]), strict=True):
        assert first[row.name] == cell
        assert first[row.name].startswith(number(table.set_index("method").loc[row.name, "rld"]))
    in_notebook = titles_in(json.loads(result.plot("maps").to_json()))
    assert list(in_notebook.items()) == list(maps.items())
    shown = html.unescape(result._repr_html_())
    for sentence in info.verdict:
        assert sentence in shown
