"""The page that asks whether the way of splitting matters, with data of one's own."""

from __future__ import annotations

import json
import logging

import numpy as np
import pandas as pd
import pytest
from test_app import captions, job_of, open_app, text_of, upload, wait

from optisplit.io.features import has_features
from optisplit.ui.impact import folds, forecast, own, take_away

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

N_ROWS = 120
SECRET = "xylograph"
"""A word of the upload that must not come up anywhere else."""


def clinic(**columns) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    notes = rng.choice(["cough at night", "pain in the chest", f"no fever, {SECRET}", "咳嗽 發燒"], N_ROWS)
    values = {
        "patient_id": [f"P{row // 2:03d}" for row in range(N_ROWS)],
        "age": np.where(rng.random(N_ROWS) < 0.1, np.nan, rng.integers(20, 90, N_ROWS)),
        "site": rng.choice(["north", "south"], N_ROWS),
        "note": notes,
    }
    shares = {"flu": 0.4, "gout": 0.2, "rare": 0.03}
    return pd.DataFrame(values | columns | {key: (rng.random(N_ROWS) < p).astype(int) for key, p in shares.items()})


def brought(frame: pd.DataFrame | bytes, name: str = "clinic.csv"):
    content = frame if isinstance(frame, bytes) else frame.to_csv(index=False).encode()
    return upload(open_app("impact"), name, content)


def small(app, kind: str = "folds"):
    if kind == "folds":
        app.number_input(key="impact_seeds").set_value(2)
        app.number_input(key="impact_holdouts").set_value(2)
        app.number_input(key="impact_folds").set_value(3)
        app.pills(key="impact_methods").set_value(["is"])
    else:
        app.number_input(key="impact_part_seeds").set_value(3)
        app.pills(key="impact_part_methods").set_value(["is"])
    return app.run()


def run(app, key: str = "run_impact"):
    app.button(key=key).click().run()
    return wait(app, lambda each: "Your own run" in captions(each) or each.error)


def test_a_table_that_was_brought_comes_first_and_is_studied(caplog):
    caplog.set_level(logging.DEBUG)
    app = brought(clinic())
    assert app.session_state["impact_data"] == "file: clinic.csv"
    assert not any("Medical" in each.value for each in app.subheader)
    assert "Features: age, site and note." in text_of(app)
    assert "patient_id names the rows, and is no feature." in text_of(app)
    assert "Rows of one patient (patient_id) are not kept together here" in text_of(app)
    assert "Nothing of your data is kept or logged" in text_of(app)
    small(app)
    assert "26 models to train · " in text_of(app)
    run(app)
    said = text_of(app)
    assert "Your own run: 3 folds, 2 seeds, 2 held-out sets, ridge regression" in said
    questions = [each.value for each in app.markdown if each.value.startswith("**:material/") and "?" in each.value]
    assert len(questions) == 3
    assert "**What to do**" in said
    assert "1 column has missing values" in said  # a note of the library
    assert len(app.get("plotly_chart")) == 1
    assert "optisplit.load('clinic.csv')" in app.code[-1].value
    assert "measure_impact(\n    data, ['random', 'is'], n_splits=3" in app.code[-1].value
    # no setting is other than those of the result, until one is
    assert "The result above is of other settings" not in text_of(app)
    app.number_input(key="impact_folds").set_value(4)
    app.multiselect(key="impact_left_out_file: clinic.csv").set_value(["site"]).run()
    said = text_of(app)
    assert "columns left out: site instead of none" in said
    assert "folds: 4 instead of 3" in said
    assert SECRET not in caplog.text
    taken_away_as_json_and_as_a_page(app)


def taken_away_as_json_and_as_a_page(app):
    job = job_of(app)
    told = json.loads(take_away.as_json(folds.STUDY, job.result, job.request, "macro_f1"), parse_constant=pytest.fail)
    # all digits of every number, and null where there is none
    assert [line["macro_f1"] for line in told["runs"]] == job.result.table["macro_f1"].tolist()
    assert told["settings"]["columns left out"] == "none"
    assert len(told["runs"]) == 8
    assert told["notes"] == list(job.result.notes)
    page = take_away.as_html(folds.STUDY, job.result, job.request, "macro_f1")
    assert [each["key"] for each in told["answers"]] == ["luck", "unscored", "distance"]
    for each in told["answers"]:
        assert each["question"] in page
    assert told["advice"][0]["sentence"] in page.replace("&#x27;", "'")
    assert "<svg" in page
    assert SECRET not in page + json.dumps(told)


def test_parts_of_an_own_table_are_studied_without_a_column():
    app = brought(clinic())
    app.session_state["impact_study"] = "impact_parts"
    app.run()
    app.multiselect(key="impact_left_out_file: clinic.csv").set_value(["note"])
    run(small(app, "parts"), "run_impact_parts")
    assert "Your own run: 80/10/10, 3 seeds, ridge regression" in text_of(app)
    assert "leave_out=['note']" in app.code[-1].value
    assert job_of(app).request.left_out == ("note",)


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"a,b\n1,0\n0,1\n1,1\n", "only.csv has labels only, and a model needs something to learn from."),
        (b"x,a,b\n1.5,1,0\n2.5,0,1\n3.5,1,1\n", "only.csv has 3 rows; a study needs 20"),
        (
            b"x,a\n" + b"".join(b"%d.5,%d\n" % (row, row == 7) for row in range(40)),
            "No label of only.csv can be learned and scored",
        ),
        (
            b"x,a\n" + b"".join(b"%d.5,%d\n" % (row, row != 7) for row in range(40)),
            "No label of only.csv can be learned and scored",
        ),
    ],
)
def test_what_cannot_be_studied_is_said_at_once(content, wanted):
    app = brought(content, "only.csv")
    assert wanted in text_of(app)
    assert not any(each.key == "run_impact" for each in app.button)


def test_constant_features_are_said():
    app = run(small(brought(clinic().assign(age=7, site="x", note="the same note"))))
    assert "The study failed." in app.error[0].value
    assert "constant" in app.error[0].value


def test_the_form_does_not_read_columns(monkeypatch):
    app = brought(clinic())
    (upload_,) = app.session_state["uploads"].values()
    assert has_features(upload_.data)
    assert "features" not in upload_.data.__dict__  # a cached property that nobody asked for yet
    assert own.columns_of(upload_) == ("age", "site", "note")


def test_forecasts_grow_with_the_data_and_the_model():
    small_one, large = forecast.Size(500, 30, 5, 15_000), forecast.Size(50_000, 200, 100, 10_000_000)
    for model in forecast.SECONDS:
        assert 0 < forecast.training_seconds(small_one, model) < 0.2
        assert forecast.training_seconds(large, model) > 10 * forecast.training_seconds(small_one, model)
    assert forecast.start_seconds(large, "fast") < 10
    assert forecast.training_seconds(large, "fast") < forecast.training_seconds(large, "ridge") < 3


def test_a_sample_is_studied_as_before_beside_an_own_table():
    app = brought(clinic())
    app.segmented_control(key="impact_data").set_value("emotions").run()
    assert [each.value for each in app.subheader][:2] == ["Medical: it matters", "Bibtex: no difference is shown"]
    assert "Made beforehand" in text_of(app)
    assert not app.multiselect
