"""A method is one entry: what is registered while the program runs arrives everywhere."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import optisplit
from optisplit import METHODS, cli, plots
from optisplit.methods import Method
from optisplit.methods.base import Peer

ROOT = Path(__file__).parents[2]
EMOTIONS = optisplit.load("emotions")


def in_turn(labels, n_splits, *, rng, fold_sizes=None, on_progress=None):
    """Deal the rows out, one by one."""
    return (np.arange(labels.shape[0]) % n_splits).astype(np.int32)


@pytest.fixture
def toy(monkeypatch):
    method = Method("turn", "In turn", "Deals the rows out.", "none", "n", in_turn, options=("fold_sizes",))
    monkeypatch.setitem(METHODS, "turn", method)
    return method


@pytest.fixture
def app():
    opened = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    opened.query_params["data"] = "emotions"
    return opened


WANTED = np.arange(593) % 3


def test_it_arrives_in_the_library(toy):
    folds = optisplit.split(EMOTIONS, 3, method="turn")
    assert folds.tolist() == WANTED.tolist()
    result = optisplit.compare(EMOTIONS, ["random", "turn"], 3, seeds=[0])
    assert [run.method for run in result.runs if run.status == "done"] == ["random", "turn"]
    assert "In turn" in result._repr_html_()
    assert np.isnan(optisplit.estimate_times(EMOTIONS)["turn"])
    recipe = optisplit.make_recipe(EMOTIONS, folds, method="turn", seed=0)
    assert optisplit.Recipe.from_json(recipe.to_json()).split(EMOTIONS).tolist() == WANTED.tolist()


def test_it_arrives_in_the_command_line(toy, tmp_path, capsys):
    out = tmp_path / "folds.csv"
    assert cli.main(["split", "emotions", "--method", "turn", "-k", "3", "-o", str(out)]) == 0
    assert optisplit.read_split(out, optisplit.load("emotions")).folds.tolist() == WANTED.tolist()
    capsys.readouterr()
    assert cli.main(["compare", "emotions", "--methods", "random,turn", "-k", "3", "--seeds", "1"]) == 0
    assert "turn" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making
def test_it_arrives_in_the_app_and_in_charts(toy, app):
    app.run()
    assert not app.exception
    assert app.pills(key="methods").options == [method.name for method in METHODS.values()]
    app.pills(key="methods").set_value(["random", "turn"])
    app.button(key="run").click().run()
    deadline = time.monotonic() + 60
    while not app.get("download_button"):
        assert time.monotonic() < deadline
        time.sleep(0.2)
        app.run()
    assert not app.exception
    assert any("In turn" in each.value.to_string() for each in app.dataframe)
    style = plots.method_style("turn")
    assert style.color.startswith("#")
    assert style not in [plots.method_style(key) for key in METHODS if key != "turn"]
    own = Method("turn", "In turn", "Deals the rows out.", "none", "n", in_turn, color="#123456", symbol="star")
    METHODS["turn"] = own
    assert plots.method_style("turn") == plots.MethodStyle("#123456", "star")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_package_that_is_missing_is_said_in_the_app(monkeypatch, app):
    monkeypatch.setitem(
        METHODS,
        "gone",
        Peer("gone", "Gone", "Is not there.", "none", "n", in_turn, package="gone", module="gone.fishing"),
    )
    app.run()
    assert not app.exception
    assert "Gone" not in app.pills(key="methods").options
    assert app.pills(key="methods_unable").options == ["Gone"]
    (said,) = [each.value for each in app.caption if "gone needs" in each.value]
    assert "not installed" in said
    assert "optisplit\\[peers\\]" in said


def test_a_package_that_is_missing_is_said_on_the_command_line(monkeypatch, capsys):
    monkeypatch.setitem(
        METHODS,
        "gone",
        Peer("gone", "Gone", "Is not there.", "none", "n", in_turn, package="gone", module="gone.fishing"),
    )
    assert cli.main(["split", "emotions", "--method", "gone"]) != 0
    assert "pip install 'optisplit[peers]'" in capsys.readouterr().err
