"""Results show themselves in notebooks, and the notebooks that come along run."""

from __future__ import annotations

import os
from html.parser import HTMLParser

import nbformat
import numpy as np
import pytest
from conftest import ROOT
from nbclient import NotebookClient

import optisplit
from optisplit.text import html_table, number, number_with_spread, short_number

HOSTILE = '<script>x</script> & "y"'
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
TABLE_TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td"}


class Cells(HTMLParser):
    """The texts of a table, line by line, and every tag in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines: list[list[str]] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.lines.append([])
        elif tag in ("th", "td"):
            self.lines[-1].append("")

    def handle_data(self, data):
        if self.lines and self.lines[-1]:
            self.lines[-1][-1] += data


@pytest.fixture(scope="module")
def data():
    labels = np.random.default_rng(0).integers(0, 2, (60, 4))
    return optisplit.MultilabelDataset.from_labels(labels, [HOSTILE, "b", "c", "d"], name=HOSTILE)


def read(thing) -> list[list[str]]:
    cells = Cells(thing._repr_html_())
    assert cells.tags <= TABLE_TAGS
    return cells.lines


def test_a_table_shows_names_as_they_are():
    cells = Cells(html_table(HOSTILE, ["", HOSTILE], [[HOSTILE, HOSTILE]]))
    assert cells.tags <= TABLE_TAGS
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


def test_a_comparison_shows_a_line_a_method(data):
    result = optisplit.compare(data, ["random", "optisplit"], n_splits=3, seeds=range(2))
    titles, *lines = read(result)
    assert titles[:3] == ["Method", "Runs done", "rLD"]
    shown, titles = [["Random", "2 of 2"], ["OptiSplit", "2 of 2"]], [["Method", "Runs done"]]
    assert [line[:2] for line in lines] == [*shown, *titles, *shown]  # measures of parts have a table of their own
    assert lines[2][2:] == ["Beyond rounding, positives", "Rare shares", "Row shape"]
    table = result.summary.loc["random"]
    mean, spread = number_with_spread(table["rld", "mean"], table["rld", "std"])
    whole = above(table["rld", "mean"], table["rld_bound", "mean"])
    assert lines[0][2] == whole.replace(mean, f"{mean} ± {spread}", 1)


def test_a_comparison_without_a_finished_run_shows_itself(data):
    def cancel(progress):
        raise optisplit.errors.Cancelled

    _, line, _, second = read(optisplit.compare(data, ["random"], n_splits=3, seeds=[0], on_progress=cancel))
    assert line[:3] == second[:3] == ["Random", "0 of 1", "–"]


def test_there_are_notebooks_and_they_are_kept_without_outputs():
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        assert all(not cell.outputs and cell.execution_count is None for cell in cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_what_it_ends_cells_with_shows_itself(path):
    notebook = nbformat.read(path, as_version=4)
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    NotebookClient(notebook, timeout=120).execute(env={**os.environ, "PYTHONPATH": paths})
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [set(output["data"]) for cell in code for output in cell.outputs if output.output_type == "execute_result"]
    drawn = [set(output["data"]) for cell in code for output in cell.outputs if output.output_type == "display_data"]
    assert sum("text/html" in kinds for kinds in shown) >= 5
    assert sum("application/vnd.plotly.v1+json" in kinds for kinds in drawn) == 2
    assert not [output for cell in code for output in cell.outputs if output.get("name") == "stderr"]
