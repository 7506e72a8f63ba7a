"""A measure is one function, one entry, one test: it arrives in the library, the command line and the app."""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pytest
from test_app import compare as press_run
from test_app import open_app, table_with
from test_app import open_tab as open_tab_of_result
from test_app_check import check as press_check
from test_app_check import give, open_tab

import optisplit
from optisplit import cli
from optisplit.measures.registry import MEASURES, Measure

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

LABELS = np.array([[1, 0], [1, 1], [0, 1], [0, 1], [0, 0], [1, 0]])
FOLDS = [0, 0, 0, 0, 1, 1]  # label 0: 2 and 1 rows; label 1: 3 and 0


@pytest.fixture
def toy(monkeypatch):
    """How far apart the folds with most and fewest positives are; at best 0 or 1."""
    entry = Measure(
        "toy",
        "Toy",
        "most less fewest positives",
        "Most positives in a fold less the fewest.",
        per_label=lambda counts, sizes, shares: counts.max(axis=0) - counts.min(axis=0),
        bound_per_label=lambda positives, sizes, shares: (positives % len(sizes) > 0) * 1.0,
    )
    monkeypatch.setitem(MEASURES, "toy", entry)
    return entry


@pytest.fixture
def run(capsys, monkeypatch):
    def ask(*typed):
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        cli.main([*map(str, typed)])
        return capsys.readouterr().out

    return ask


def test_it_arrives_in_the_library(toy):
    report = optisplit.evaluate(LABELS, FOLDS)
    score = report.score("toy")
    assert (score.value, score.bound, score.sentence) == (2.0, 1.0, "at most 100 % above the best possible")
    assert report.per_class[["toy", "toy_bound"]].to_numpy().tolist() == [[1, 1], [3, 1]]
    assert "Toy 2 (bound 1)" in repr(report)
    assert '<th scope="row">Toy</th><td>2 (100 % above 1)</td>' in report._repr_html_()
    result = optisplit.compare(LABELS, ["random"], 2, seeds=range(2))
    assert (result.table["toy_excess_percent"] == 100 * (result.table["toy"] / result.table["toy_bound"] - 1)).all()
    assert ">Toy</th>" in result._repr_html_()
    check = optisplit.check_split(LABELS, FOLDS, n_random=20)
    assert check.measures.set_index("measure").loc["toy", ["name", "value"]].tolist() == ["Toy", 2.0]
    assert "Toy" in check.html()


def test_it_arrives_in_the_command_line(toy, run, tmp_path):
    (tmp_path / "folds.csv").write_text("fold\n" + "\n".join(str(row % 3) for row in range(593)) + "\n")
    given = ("emotions", "--folds", tmp_path / "folds.csv")
    report = optisplit.evaluate(optisplit.load("emotions"), np.arange(593) % 3)
    told = json.loads(run("check", *given, "--json"))["measures"]["toy"]
    assert (told["value"], told["bound"]) == (report.value("toy"), report.score("toy").bound)
    assert told["random"]["low"] <= told["random"]["mean"] <= told["random"]["high"]
    assert "Limit passed: Toy is" in run("check", *given, "--no-random", "--max-toy", 0)
    given = ("compare", "emotions", "--methods", "random", "--seeds", 1)
    assert " toy  toy_bound" in run(*given)
    told = json.loads(run(*given, "--json"))
    assert told["summary"][0]["toy"]["mean"] == told["runs"][0]["toy"] > told["runs"][0]["toy_bound"]


def test_it_arrives_in_the_app(toy):
    app = press_run(open_app(data="emotions"), ("random",), 1)
    measures = table_with(open_tab_of_result(app, "All measures"), "Measure")
    (line,) = (line for line in measures.to_dict("records") if line["Measure"] == "Toy")
    assert "above" in line["Random"]
    assert any(toy.help in each.value for each in app.markdown)
    choice = open_tab_of_result(app, "Every label").segmented_control(key="per_class_measure")
    assert choice.options[-1] == "Toy"
    choice.set_value("toy").run()
    assert not app.exception


def test_it_arrives_in_the_app_s_check(toy):
    app = open_app("check", data="emotions")
    give(app, "folds.txt", "".join(f"{row % 3}\n" for row in range(593)).encode())
    press_check(app)
    open_tab(app, "Measures")
    measures = [table.value for table in app.table if "Measure" in table.value]
    assert any("**Toy**" in list(table["Measure"]) for table in measures)
    open_tab(app, "Labels")
    assert any({"toy", "toy_bound"} <= set(each.value.columns) for each in app.dataframe)
