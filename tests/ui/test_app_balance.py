"""Columns of the table balanced beside the labels, from the form to the program that does it again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from test_app import captions, compare, job_of, open_app, open_tab, program, settings, table_with, upload

import optisplit

MIXED = Path(__file__).parents[1] / "cases" / "given" / "mixed.csv"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making


def field(app, kind: str, label: str):
    return next(each for each in app.get(kind) if each.label == label)


def test_columns_are_chosen_balanced_shown_and_handed_over(tmp_path, monkeypatch):
    app = upload(open_app(data="emotions"), "mixed.csv", MIXED.read_bytes())
    field(app, "multiselect", "Also balance these columns").set_value(["age", "sex"]).run()
    field(app, "selectbox", "How to balance age").set_value("3").run()
    compare(app, ("random", "is"), n_seeds=1)
    assert "balanced too: age and sex" in settings(app)
    open_tab(app, "One split")
    assert "age: number, 3 bins; sex: category." in captions(app).replace("\\", "")
    result = job_of(app).result
    assert [column.settings for column in result.balance.columns] == [
        {"kind": "number", "bins": 3},
        {"kind": "category"},
    ]
    lines = table_with(app, "rLD of these columns")
    assert lines["Method"].tolist() == ["Random", "IS"]
    columns = table_with(app, "In all")
    assert [name.replace("\\", "") for name in columns["Column"]] == [
        "age=20-39", "age=40-59", "age=60-79", "sex=f", "sex=m"
    ]  # fmt: skip

    (tmp_path / "mixed.csv").write_bytes(MIXED.read_bytes())
    monkeypatch.chdir(tmp_path)
    code = program(app)
    assert "balance = {'age': 3, 'sex': 'category'}" in code
    made: dict = {}
    exec(code.replace("print(", "("), made)
    np.testing.assert_array_equal(made["folds"], result.best_run().folds)


def test_counts_and_weights_are_for_the_methods_that_can():
    app = upload(open_app(data="emotions"), "mixed.csv", MIXED.read_bytes())
    field(app, "multiselect", "Also balance these columns").set_value(["n_lesions"]).run()
    assert "Left out" not in captions(app)
    field(app, "number_input", "Weight of n\\_lesions").set_value(2.0).run()
    assert "which cannot balance counts or weights" in captions(app)
    assert app.pills(key="methods_amounts").options == ["Random", "OptiSplit-SA"]


def test_what_cannot_be_balanced_is_said():
    table = "\n".join(["id,label,name", *(f"{row},{'ab'[row % 2]},n{row}" for row in range(30)), ""])
    app = upload(open_app(data="emotions"), "names.csv", table.encode())
    field(app, "multiselect", "Also balance these columns").set_value(["name"]).run()
    app.pills(key="methods").set_value(["random"])
    app.button(key="run").click().run()
    while job_of(app).is_active:
        app.run()
    app.run()
    assert any("on one row only, as names have" in each.value.replace("\\", "") for each in app.error)


def test_instances_of_detection_data():
    content = json.loads((MIXED.parent / "instances.json").read_text())
    app = upload(open_app(data="emotions"), "instances.json", json.dumps(content).encode())
    assert field(app, "multiselect", "Also balance these columns").options == ["instances"]
    assert optisplit.load(MIXED.parent / "instances.json").counts is not None
