"""Modules under the names that they had until 0.4."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys

import pytest

import optisplit
from optisplit._moved import MOVED


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_name_gives_the_very_module_and_warns(old, new, monkeypatch):
    monkeypatch.delitem(sys.modules, f"optisplit.{old}", raising=False)
    with pytest.warns(DeprecationWarning, match=rf"optisplit\.{old} is called optisplit\.{new} now"):
        found = importlib.import_module(f"optisplit.{old}")
    assert found is importlib.import_module(f"optisplit.{new}")
    assert found.__name__ == found.__spec__.name == f"optisplit.{new}"


@pytest.mark.parametrize(
    "statement",
    [
        "from optisplit.paper import reproduce",
        "from optisplit.paper.tables import judge",
        "from optisplit.impact import measure_impact",
        "from optisplit.figures import plot_per_class",
        "from optisplit.data import MultilabelDataset",
        "from optisplit.writers import split_file",
        "from optisplit.split_files import row_digests",
        "from optisplit.runs import Progress",
        "from optisplit.bounds import rld_bound_per_class, dcp_bound_per_class",
        "from optisplit import lesson",
        "import optisplit.checks; optisplit.checks.SplitCheck",
    ],
)
def test_what_the_guide_told_to_write_still_works(statement):
    told = subprocess.run(
        [sys.executable, "-W", "always::DeprecationWarning", "-c", statement],
        capture_output=True, text=True, check=True,
    ).stderr  # fmt: skip
    assert "<string>:1: DeprecationWarning: optisplit." in told  # at the line that is to be changed


def test_an_old_pickle_is_of_the_new_class():
    pickled = b"\x80\x03coptisplit.data\nMultilabelDataset\nq\x00."
    sys.modules.pop("optisplit.data", None)
    with pytest.warns(DeprecationWarning, match=r"optisplit\.labels"):
        assert pickle.loads(pickled) is optisplit.MultilabelDataset


def test_what_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"optisplit\.nothing"):
        importlib.import_module("optisplit.nothing")
    sys.modules.pop("optisplit.figures", None)
    with (
        pytest.warns(DeprecationWarning, match="plots now"),
        pytest.raises(ModuleNotFoundError, match=r"plots\.nothing"),
    ):
        importlib.import_module("optisplit.figures.nothing")
