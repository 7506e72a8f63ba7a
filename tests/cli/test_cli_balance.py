"""Columns balanced beside the labels, as the command line's users type them."""

from __future__ import annotations

import io
import json
import sys

import pytest

import optisplit
from optisplit import cli


@pytest.fixture
def ask(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    lines = [f"r{row},{'xy'[row % 2]},{row % 3 + 20},{'mf'[row % 4 // 2]}" for row in range(24)]
    (tmp_path / "data.csv").write_text("\n".join(["id,label,age,sex", *lines, ""]))

    def typed(*words):
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        code = cli.main([*words, "data.csv", "--label-columns", "label", "--json"])
        return code, json.loads(capsys.readouterr().out)

    return typed


def test_split(ask):
    code, told = ask("split", "-k", "3", "--balance", "sex:2,age=3")
    data = optisplit.load("data.csv", label_columns=["label"])
    balance = {"sex": {"weight": 2}, "age": 3}
    folds = optisplit.split(data, 3, balance=balance, random_state=0)
    assert code == 0
    assert told["folds"] == folds.tolist()
    assert "Balanced beside the labels: sex: category, weight 2; age: number, 3 bins." in told["notes"]
    assert [each["column"] for each in told["balanced"]["columns"]] == ["sex=f", "sex=m", "age=20", "age=21", "age=22"]
    report = optisplit.evaluate(data, folds, balance=balance)
    assert told["balanced"]["measures"]["rld"]["value"] == report.balanced.rld
    assert told["balanced"]["columns"][0]["in_folds"] == report.balanced.counts[:, 0].tolist() == [4, 4, 4]


def test_a_recipe_says_what_was_balanced(ask):
    _, first = ask("split", "-k", "3", "--balance", "sex=category", "--balance", "age=3:0.5", "--save-recipe", "r.json")
    assert optisplit.Recipe.read("r.json").balance == {
        "sex": {"kind": "category"}, "age": {"kind": "number", "bins": 3, "weight": 0.5}
    }  # fmt: skip
    _, again = ask("split", "--recipe", "r.json")
    assert again["folds"] == first["folds"]
    assert again["balanced"] == first["balanced"]
    assert ask("split", "--recipe", "r.json", "--balance", "sex")[0] == 2


def test_compare_takes_the_methods_that_can(ask):
    _, told = ask("compare", "-k", "3", "--balance", "sex", "--seeds", "1")
    assert told["methods"] == ["random", "is", "optisplit", "optisplit-sa"]
    _, told = ask("compare", "-k", "3", "--balance", "age=count,sex", "--seeds", "1")
    assert told["methods"] == ["random", "optisplit-sa"]
    assert [run["balanced_rld_bound"] for run in told["runs"]] == [0, 0]


def test_what_is_wrong_is_said(ask):
    for typed, said in {
        "aeg": "did you mean 'age'",
        "age=x": "'age' cannot be balanced by 'x'",
        "x": "'x' is a label",
        "age:0": "a weight above 0",
        "sex,sex": "named twice: 'sex'",
    }.items():
        code, told = ask("split", "--balance", typed)
        assert code == 2
        assert said in told["error"]["message"], typed
