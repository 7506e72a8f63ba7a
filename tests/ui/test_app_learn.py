"""The lesson in the app, run by Streamlit's own test driver."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from test_app import open_app

from optisplit import evaluate
from optisplit.studies.lesson.points import (
    POINTS,
    folds_from_text,
    folds_to_text,
    points_data,
    random_folds,
    stratified_folds,
)
from optisplit.studies.lesson.trace import trace
from optisplit.ui.learn.view import STEPS

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

EVEN = folds_to_text(stratified_folds())


def open_step(step, **query):
    return open_app("learn", step=str(step), **query)


def address(app):
    return {key: value[0] if isinstance(value, list) else value for key, value in app.query_params.items()}


def words(app):
    return " ".join(each.value for each in app.markdown)


def charts(app):
    return [json.loads(each.proto.spec) for each in app.get("plotly_chart")]


@pytest.mark.parametrize("step", STEPS)
def test_every_step_begins_with_what_to_do_and_ends_with_what_was_seen(step):
    app = open_step(step, data="bibtex")
    assert app.title[0].value == "Why LD depends on the size of a label"
    assert "**Do.**" in words(app)
    assert "**Seen.**" in words(app)
    assert address(app)["step"] == str(step)
    assert all(each.proto.alt for each in app.get("plotly_chart"))


def test_going_through_the_steps_with_the_buttons():
    app = open_step(1, data="yeast")
    for step in list(STEPS)[1:]:
        app.button(key="learn_way_1").click().run()
        assert not app.exception
        assert address(app)["step"] == str(step)
    assert app.button(key="learn_way_1").disabled
    app.button(key="learn_way_-1").click().run()
    assert address(app)["step"] == "4"


def test_a_point_is_moved_and_the_measures_follow():
    app = open_step(1, split=EVEN)
    assert [each.value for each in app.metric] == ["0", "0", "0", "0"]
    app.selectbox(key="learn_point").set_value("C12").run()
    assert app.button(key="learn_to_3").disabled
    app.button(key="learn_to_0").click().run()
    moved = folds_from_text(EVEN)
    moved[POINTS.index("C12")] = 0
    assert address(app)["split"] == folds_to_text(moved)
    assert address(app)["before"] == EVEN
    report = evaluate(points_data(), moved)
    shown = [float(each.value) for each in app.metric]
    np.testing.assert_allclose(shown, [report.ld, report.rld, report.dcp, report.ed], rtol=0.005)
    assert [each.delta for each in app.metric] == [f"+{each.value}" for each in app.metric]
    app.button(key="learn_undo").click().run()
    assert address(app)["split"] == EVEN


def test_the_presets():
    app = open_step(1)
    assert address(app)["split"] == folds_to_text(random_folds(0))
    app.button(key="learn_random").click().run()
    assert address(app)["split"] == folds_to_text(random_folds(1))
    app.button(key="learn_stratified").click().run()
    assert address(app)["split"] == EVEN
    app.button(key="learn_swapped").click().run()
    assert "0.125 for A and 0.375 for C: 3 times" in words(app)


def test_the_formulas_are_those_of_the_split_that_was_left():
    app = open_step(1, split=EVEN)
    app.button(key="learn_swapped").click().run()
    app.button(key="learn_way_1").click().run()
    assert r"\mathbf{0.375}" in app.latex[1].value
    app.segmented_control(key="learn_class").set_value("A").run()
    assert r"\mathbf{0.125}" in app.latex[1].value
    assert address(app)["class"] == "A"
    assert "worst label is **C** by LD (0.375) and **A** by rLD (0.5)" in words(app)


def test_a_split_without_error_says_so():
    assert "without any error" in words(open_step(2, split=EVEN))


def test_the_question_of_the_lesson_is_answered_with_its_numbers():
    text = words(open_step(3))
    assert "Why does a 20 % error for a label of 100 rows move LD less than for one of 10,000 rows?" in text
    assert "**126 times** as much" in text
    assert "LD** · climbs" in text
    assert text.count("· stays flat") == 2


def test_the_experiment_follows_its_controls():
    app = open_step(3, error="missing", rows="10000", classes="10", folds="5", percent="50")
    assert len(charts(app)[0]["data"][0]["x"]["bdata"]) > 0
    assert "A point is a label." in [each.value for each in app.caption]
    app.segmented_control(key="learn_error").set_value("equal").run()
    assert words(app).count("0 for every label") == 3
    app.segmented_control(key="learn_error").set_value("free").run()
    app.number_input(key="learn_amounts_2").set_value(0).run()
    assert address(app)["amounts"] == "150-50-0-100-100"
    for fold in range(5):
        app.number_input(key=f"learn_amounts_{fold}").set_value(0)
    app.run()
    assert "At least one fold needs some" in words(app)
    assert not app.exception


@pytest.mark.parametrize("error", ["equal", "difference", "missing", "free"])
@pytest.mark.parametrize("folds", ["3", "7"])
def test_the_extremes_of_the_experiment_can_be_drawn(error, folds):
    app = open_step(3, error=error, rows="10000", classes="100", folds=folds, percent="100", large="0.45")
    assert not app.exception
    assert not app.error
    assert len(charts(app)) == 4


def test_where_the_order_turns():
    app = open_step(4, data="bibtex")
    assert re.search(r"the clearest is \*\*OptiSplit for LD\*\*", words(app))
    app.segmented_control(key="learn_data_folds").set_value(3).run()
    assert not app.exception
    assert address(app)["folds_of_data"] == "3"


def test_where_no_order_turns_another_data_set_is_offered():
    app = open_step(4, data="emotions")
    assert "no order turns" in app.info[0].value
    assert "LD and rLD agree on every pair" in words(app)
    app.button(key="learn_use_enron").click().run()
    assert address(app)["data"] == "enron"
    assert "pairs turn" in words(app)


def test_data_that_are_too_large_for_a_lesson_are_not_split():
    app = open_step(4, data="go_human_bp")
    assert "Choose a smaller data set" in app.info[0].value
    assert not charts(app)


def test_stepping_through_optisplit():
    steps = trace("rld", 4)
    app = open_step(5)
    for at, step in enumerate(steps):
        assert address(app)["at"] == str(at + 1)
        verdict = "**Kept**" if step.kept else "**Undone**" if step.rows.size else "nothing to decide"
        assert verdict in words(app)
        app.button(key="learn_forward").click().run()
    assert "**The end.**" in words(app)
    assert app.button(key="learn_forward").disabled
    app.button(key="learn_back").click().run()
    assert address(app)["at"] == str(len(steps))
    app.segmented_control(key="learn_measure").set_value("dcp").run()
    assert address(app)["at"] == "1"
    assert "mean DCP" in words(app)


def test_a_link_opens_exactly_the_picture():
    app = open_step(5, measure="ld", start="7", at="3")
    again = open_step(5, **{key: value for key, value in address(app).items() if key != "step"})
    assert address(again) == address(app)
    assert words(again) == words(app)
    assert charts(again) == charts(app)
    assert (address(app)["measure"], address(app)["start"], address(app)["at"]) == ("ld", "7", "3")


@pytest.mark.parametrize(
    ("step", "query"),
    [
        ("9", {}),
        ("<b>", {}),
        ("1", {"split": "9" * 24, "before": "x", "point": "D1"}),
        ("2", {"split": "", "class": "Z"}),
        ("3", {"error": "none", "rows": "-1", "classes": "1e9", "folds": "1", "percent": "0", "small": "nan"}),
        ("3", {"error": "free", "amounts": "0-0-0"}),
        ("3", {"error": "free", "amounts": "9" * 5000}),
        ("4", {"folds_of_data": "1000000"}),
        ("5", {"measure": "fz", "start": "-1", "at": "0"}),
    ],
)
def test_anything_else_in_the_address_is_the_default(step, query):
    plain = open_step(step, data="yeast", **({"error": "free"} if query.get("error") == "free" else {}))
    app = open_step(step, data="yeast", **query)
    assert address(app) == address(plain)


def test_a_position_behind_the_end_is_the_end():
    assert "**The end.**" in words(open_step(5, at="999"))


def test_what_was_set_is_still_there_when_one_comes_back():
    app = open_step(3, error="free", amounts="10-20-30", folds="3")
    before = address(app)
    for way in (1, 1, -1, -1):
        app.button(key=f"learn_way_{way}").click().run()
    assert address(app) == before
