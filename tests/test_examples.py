"""Results show themselves in notebooks, and the notebooks that come along run."""

from __future__ import annotations

import html
import os
import re
from html.parser import HTMLParser

import nbformat
import numpy as np
import plotly.graph_objects as go
import pytest
from conftest import ROOT
from nbclient import NotebookClient

import optisplit
from optisplit.plots.summary import summary_info
from optisplit.text import html_table, number, short_number

HOSTILE = '<b><script>x</script> & "y"'
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


class Cells(HTMLParser):
    """The texts of a table, line by line, and every tag in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines: list[list[str]] = []
        self.tags: set[str] = set()
        self.is_in_cell = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.is_in_cell = self.is_in_cell or tag in ("td", "th")
        if tag == "tr":
            self.lines.append([])
        elif tag in ("th", "td"):
            self.lines[-1].append("")

    def handle_endtag(self, tag):
        self.is_in_cell = self.is_in_cell and tag not in ("td", "th")

    def handle_data(self, data):
        if self.is_in_cell:
            self.lines[-1][-1] += data


@pytest.fixture(scope="module")
def data():
    labels = np.random.default_rng(0).integers(0, 2, (60, 4))
    return optisplit.MultilabelDataset.from_labels(labels, [HOSTILE, "b", "c", "d"], name=HOSTILE)


def read(thing) -> list[list[str]]:
    cells = Cells(thing._repr_html_())
    assert not cells.tags & {"script", "link", "img", "iframe", "b"}
    return cells.lines


def verdict(thing) -> list[str]:
    """The grade, and the sentences below it."""
    return re.findall(r'<div class="verdict \w+"><strong>(.*?)</strong><p>(.*?)</p></div>', thing._repr_html_())[0]


def test_a_table_shows_names_as_they_are():
    cells = Cells(html_table(HOSTILE, ["", HOSTILE], [[HOSTILE, HOSTILE]]))
    assert cells.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert cells.lines == [["", HOSTILE], [HOSTILE, HOSTILE]]


def test_data_shows_itself(data):
    titles, line = read(data)
    assert titles[:3] == ["Data", "Rows", "Labels"]
    assert line[:3] == [HOSTILE, "60", "4"]
    assert len(line) == len(titles)


def above(score, bound):
    """Write a score above its bound, which is not 0."""
    return f"{number(score)} ({short_number(100 * (score / bound - 1), 3)} % above {number(bound)})"


def test_a_report_shows_itself(data):
    report = optisplit.evaluate(data, np.arange(60) % 3)
    titles, *lines = read(report)
    assert titles == ["Measure", "Score"]
    of_parts = ["Beyond rounding, positives", "Rare shares", "Row shape"]
    assert [line[0] for line in lines] == ["rLD", "DCP", "LD", "ED, rows", "FZ, folds", "FLZ, pairs", *of_parts]
    assert lines[0][1] == above(report.rld, report.rld_bound)
    assert lines[2][1] == number(report.ld)
    grade, said = verdict(report)
    assert grade == report.grade.title
    assert said.startswith(report.grade.reason)


def test_a_report_on_nothing_that_can_be_scored_shows_itself():
    _, first, *_ = read(optisplit.evaluate([[1], [1]], [0, 1]))
    assert first == ["rLD", "–"]


def test_a_repair_shows_before_and_after(data):
    repaired = optisplit.repair(data, np.random.default_rng(1).permutation(60) % 3, random_state=0)
    titles, first, *_ = read(repaired)
    assert titles == ["Measure", "Before", "After"]
    before, after = repaired.before, repaired.after
    assert after.rld == pytest.approx(after.rld_bound)
    assert first[1:] == [above(before.rld, before.rld_bound), f"{number(after.rld)} (best possible)"]
    assert f"{repaired.n_moved} of 60 rows moved" in repr(repaired)


def test_a_comparison_shows_the_verdict_the_leaderboard_and_all_measures(data):
    result = optisplit.compare(data, ["random", "optisplit-sa"], n_splits=3, seeds=range(2))
    info = summary_info(result, {"random": "Random", "optisplit-sa": "OptiSplit-SA"})
    lines = read(result)
    assert verdict(result) == (info.grade.title, html.escape(" ".join(info.verdict)))
    n_leading = 1 + len(info.leaderboard)
    assert lines[:n_leading] == [list(info.leaderboard[0]), *(list(line.values()) for line in info.leaderboard)]
    assert lines[n_leading:] == [list(info.details[0]), *(list(line.values()) for line in info.details)]
    assert [line[0] for line in lines[1:n_leading]] == ["OptiSplit-SA", "Random"]


def test_a_comparison_without_a_finished_run_shows_itself(data):
    def cancel(progress):
        raise optisplit.errors.Cancelled

    result = optisplit.compare(data, ["random"], n_splits=3, seeds=[0], on_progress=cancel)
    assert verdict(result)[0] == "No result"
    assert read(result)[1][0] == "Random"
    with pytest.raises(optisplit.OptisplitError, match="nothing to draw"):
        result.plot()


def test_a_check_shows_its_verdict_its_range_and_its_faults(data):
    folds = np.arange(60) % 3
    check = optisplit.check_split(data, np.where(folds == 1, 0, folds) // 2, n_random=20)
    assert verdict(check) == (check.grade.title, html.escape(" ".join(check.sentences)))
    assert [line[0] for line in read(check)[1:]] == [fault.sentence for fault in check.faults]


def test_figures_stay_where_no_script_runs(data):
    folds = np.random.default_rng(1).permutation(60) % 3
    report, check = optisplit.evaluate(data, folds), optisplit.check_split(data, folds, n_random=20)
    repaired = optisplit.repair(data, folds, random_state=0)
    result = optisplit.compare(data, ["random", "is"], n_splits=3, seeds=[0])
    for thing, first in ((report, "How far"), (check, "Between"), (repaired, "How far"), (result, "How far")):
        assert thing._repr_html_().count("<svg xmlns") >= 1
        figure = thing.plot()
        assert isinstance(figure, go.Figure)
        shown = figure._repr_mimebundle_()["text/html"]
        assert re.search(rf"<title>{first}.*</title><desc>.+</desc>", shown)
        assert HOSTILE not in shown
        assert all(thing.plot(kind).svg.startswith("<svg") for kind in ("maps", "scores", "rare"))
    with pytest.raises(optisplit.OptisplitError, match="Unknown figure"):
        report.plot("range")
    assert "DCP" in report.plot("scores", measure="dcp").svg


def test_there_are_notebooks_and_they_are_kept_without_outputs():
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        assert all(not cell.outputs and cell.execution_count is None for cell in cells)


def test_a_notebook_runs_in_a_kernel_and_what_it_shows_needs_no_script(tmp_path):
    """The others run while the guide is built; a kernel takes seconds to start."""
    notebook = nbformat.read(ROOT / "docs/notebooks/compare-and-repair.ipynb", as_version=4)
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env={**os.environ, "PYTHONPATH": paths})
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert all(output.output_type == "execute_result" for output in outputs)
    assert all("text/html" in output["data"] for output in outputs)
    assert not any("<script" in output["data"]["text/html"] for output in outputs)
    drawn = [output["data"] for output in outputs if "application/vnd.plotly.v1+json" in output["data"]]
    assert ["<svg" in each["text/html"] for each in drawn] == [True]
    assert sum("<svg" in output["data"]["text/html"] for output in outputs) == 5
    assert sum(len(output["data"]["text/html"]) for output in outputs) < 300_000
