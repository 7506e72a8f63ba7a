"""A column of the data that says which rows belong together: told of, chosen and kept, by Streamlit's test driver."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from reference import n_torn
from test_app import bring_groups, captions, compare, job_of, open_app, program, settings, text_of, upload, wait
from test_app_check import as_csv, give

from optisplit.io.splits.base import repaired_name
from optisplit.ui.compare.links import to_query
from optisplit.ui.compare.take_away import recipe

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

N_ROWS = 120
PATIENTS = np.random.default_rng(0).permutation(np.arange(N_ROWS) % 30)
COLUMN, AGAIN = "groups_column_of_file: scans.csv", "Run again, rows of one patient together"


def scans() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    named = {"scan_id": [f"s{row}" for row in range(N_ROWS)], "patient_id": [f"P{each:02d}" for each in PATIENTS],
             "age": 20 + PATIENTS % 17}  # fmt: skip
    return pd.DataFrame(named | {name: (rng.random(N_ROWS) < 0.4).astype(int) for name in ("flu", "rash")})


def brought(page: str = ""):
    return upload(open_app(page, data="emotions"), "scans.csv", as_csv(scans()))


def test_a_comparison_says_which_groups_it_divides_and_runs_again_with_them(tmp_path, monkeypatch):
    app = brought()
    field = app.selectbox(key=COLUMN)
    assert field.value == ""
    assert field.options == ["None: each row may go anywhere", "patient_id · 30 patients", "age"]
    why = (
        "patient_id: 30 of 30 values stand on several rows. Rows of one patient that are divided let a model be "
        "scored on what it knows."
    )
    assert why in [each.value.replace("\\", "") for each in app.info]
    (hint,) = (each.value for each in app.info if "Nothing compared yet" in each.value)
    assert "Say above whether rows of one patient stay together, then press" in hint
    compare(app, ("random", "is", "optisplit-sa"), n_seeds=1)
    assert re.match(r":orange\S+ .+, but rows of one patient are divided ", app.title[0].value.replace("\\", ""))
    (told,) = app.warning
    shown = [each for each in app.main if each.type in ("warning", "title")]
    assert shown.index(told) < len(shown) - 1  # above the grade
    torn = n_torn(job_of(app).result.best_run().folds, PATIENTS)
    assert told.value.replace("\\", "") == (
        f"patient_id repeats: {torn} of 30 patients have rows in more than one fold."
    )
    assert app.button(key="run_grouped").label == AGAIN
    app.button(key="run_grouped").click().run()
    wait(app, lambda each: "30 groups of patient_id kept whole" in settings(each))
    wait(app, lambda each: not each.warning)
    assert app.selectbox(key=COLUMN).value == "patient_id"
    assert why not in [each.value.replace("\\", "") for each in app.info]
    assert "Left out: IS, which cannot keep groups together." in captions(app)
    assert "divided" not in app.title[0].value
    assert to_query(job_of(app).request)["groups"] == "patient_id"
    run = job_of(app).result.best_run()
    assert n_torn(run.folds, PATIENTS) == 0
    assert recipe(job_of(app).result, job_of(app).request, run).groups_from == "patient_id"
    assert "groups='patient_id'" in program(app)
    (tmp_path / "scans.csv").write_bytes(as_csv(scans()))
    monkeypatch.chdir(tmp_path)
    made: dict = {}
    exec(program(app).replace("print(", "("), made)
    np.testing.assert_array_equal(made["folds"], run.folds)


def test_a_check_says_so_without_calling_it_a_fault_and_checks_again_with_them():
    folds = np.arange(N_ROWS) % 4
    app = give(brought("check"), "folds.csv", as_csv(pd.DataFrame({"scan_id": scans()["scan_id"], "fold": folds})))
    app.button(key="check_run").click().run()
    wait(app, lambda each: any(button.key == "check_grouped" for button in each.button))
    said = text_of(app).replace("\\", "")
    assert f"Likely groups divided: {n_torn(folds, PATIENTS)}" in said
    assert f"patient_id repeats: {n_torn(folds, PATIENTS)} of 30 patients have rows in more than one fold." in said
    app.button(key="check_grouped").click().run()
    wait(app, lambda each: "Groups divided: " in text_of(each))
    assert re.search(r"4 folds · 30 groups of patient_id", app.subheader[0].value.replace("\\", ""))
    said = text_of(app).replace("\\", "")
    assert f"{n_torn(folds, PATIENTS)} of 30 groups of patient_id are divided" in said
    assert "Likely groups" not in said

    app.button(key="see_example_check").click().run()
    assert "What a check looks like" in text_of(app)
    assert not any(button.key == "check_run" for button in app.button)
    app.button(key="leave_example_check").click().run()
    assert re.search(r"30 groups of patient_id", app.subheader[0].value.replace("\\", ""))


def test_the_finished_comparison_can_be_seen_again_and_goes_with_the_next_data():
    app = brought()
    app.button(key="see_example_compare").click().run()
    assert not app.exception
    assert any("19 of 53 labels are missing" in each.value for each in app.markdown)
    assert not any(button.key in ("run", "landing_own") for button in app.button)
    app.button(key="leave_example_compare").click().run()
    assert app.selectbox(key="data").value == "file: scans.csv"
    app.button(key="see_example_compare").click().run()
    app.selectbox(key="data").set_value("yeast").run()
    assert app.button(key="run")


def test_groups_of_other_data_are_dropped_with_a_word():
    app = bring_groups(open_app(data="emotions"), "".join(f"p{row % 60}\n" for row in range(593)))
    assert "60 groups" in captions(app)
    app.selectbox(key="data").set_value("yeast").run()
    assert not app.exception
    assert [each.value.replace("\\", "") for each in app.info if "groups of" in each.value] == [
        "patients.txt has groups of Emotions, so they were dropped with it."
    ]
    assert "60 groups" not in captions(app)
    assert not app.button(key="run").disabled
    app.selectbox(key="data").set_value("emotions").run()
    assert not [each.value for each in app.info if "groups of" in each.value]


def test_where_likely_groups_are_divided_the_first_repair_offered_puts_them_together():
    folds = np.random.default_rng(4).permutation(np.arange(N_ROWS) % 4)
    app = give(brought("check"), "folds.csv", as_csv(pd.DataFrame({"scan_id": scans()["scan_id"], "fold": folds})))
    app.button(key="check_run").click().run()
    wait(app, lambda each: any(button.key == "check_repair" for button in each.button))
    assert app.button(key="check_repair_together").label == "Repair, rows of one patient together"
    torn = f"patient_id repeats: {n_torn(folds, PATIENTS)} of 30 patients have rows in more than one fold."
    assert torn in app.warning[0].value.replace("\\", "")

    app.button(key="check_repair").click().run()
    wait(app, lambda each: any(button.key == "check_undo" for button in each.button))
    made = job_of(app).result
    still = f"patient_id repeats: {n_torn(made.repair.folds, PATIENTS)} of 30 patients"
    assert app.warning[0].value.replace("\\", "").startswith(still)
    said = text_of(app).replace("\\", "")
    assert "Train with it" not in said
    assert f"But {still}" in said
    assert "“Groups that stay together”: patient_id" in said

    app.button(key="check_repair_together").click().run()
    wait(app, lambda each: "whole" in each.subheader[0].value)
    made = job_of(app).result
    assert made.file_name == "folds-repaired-in-whole-groups.csv"
    assert n_torn(made.repair.folds, PATIENTS) == 0
    assert not any(button.key == "check_repair_together" for button in app.button)
    assert re.search(
        r"folds-repaired-in-whole-groups.csv.* 30 groups of patient_id", app.subheader[0].value.replace("\\", "")
    )
    assert len(made.repair.moves) < N_ROWS
    app.button(key="check_undo").click().run()
    assert torn in app.warning[0].value.replace("\\", "")


def test_a_repair_with_groups_has_another_name():
    assert repaired_name("folds-repaired.csv.gz", "in-whole-groups") == "folds-repaired-in-whole-groups.csv.gz"
