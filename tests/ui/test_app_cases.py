"""Some of the cases of ``tests/cases``, as visitors bring them to the app's pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_app import bring_groups, captions, compare, job_of, open_app, text_of, upload
from test_app_check import check, give

from optisplit.ui import keys

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

GIVEN = Path(__file__).parents[1] / "cases" / "given"


def opened(name: str, page: str = ""):
    return upload(open_app(page, data="emotions"), name, (GIVEN / name).read_bytes())


def chosen(app):
    (held,) = app.session_state["uploads"].values()
    return held.data


def test_groups_in_another_order():
    app = bring_groups(opened("scans.csv"), (GIVEN / "scans_patients.csv").read_text(), "scans_patients.csv")
    if app.selectbox(key="groups_column_1").value != "patient":
        app.selectbox(key="groups_column_1").select("patient").run()
    assert "3 groups" in captions(app)
    assert "File Name" in captions(app)
    app.number_input(key=keys.N_SPLITS).set_value(3).run()
    compare(app, ("random",), n_seeds=1, key="methods_groups")
    folds = job_of(app).result.best_run().folds.tolist()
    assert folds[:3] == folds[3:]


@pytest.mark.parametrize(
    ("data", "split", "sizes"),
    [("scans.csv", "scans_split.csv", [4, 2]), ("scans.csv", "scans_lists.json", [4, 2]),
     ("targets.csv", "targets_folds.csv", [3, 3]), ("eyes.csv", "eyes_folds.csv", [4, 4])],
)  # fmt: skip
def test_check(data, split, sizes):
    app = opened(data, "check")
    app.segmented_control(key=keys.CHECK_FROM).set_value("file").run()
    app = check(give(app, split, (GIVEN / split).read_bytes()))
    result = job_of(app).result
    assert result.split.sizes.tolist() == sizes
    assert not [fault.sentence for fault in result.faults]


def test_folds_keep_their_names():
    app = opened("strata.csv", "check")
    app.segmented_control(key=keys.CHECK_FROM).set_value("column").run()
    check(app)
    assert job_of(app).result.split.part_names == ("fold 1", "fold 2", "fold 3")
    shown = text_of(app) + " ".join(frame.value.to_csv() for frame in app.dataframe)
    assert "fold 3" in shown
    assert "fold 0" not in shown


def test_what_minus_one_and_blank_mean_is_asked():
    app = opened("uncertain.csv")
    asked = {radio.label: radio for radio in app.radio}
    assert {"What does a missing label mean?", "What does -1 mean?"} & set(asked)
    while app.radio and any("mean?" in radio.label and radio.value is None for radio in app.radio):
        radio = next(radio for radio in app.radio if "mean?" in radio.label and radio.value is None)
        zero = next(option for option in radio.options if "as 0" in option)
        app = radio.set_value(zero).run()
    assert chosen(app).labels.sum() == 2 + 2
