"""The page that asks whether the way of splitting matters."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def app():
    opened = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    opened.switch_page(str(ROOT / "pages" / "impact.py")).run()
    assert not opened.exception
    return opened


def test_what_comes_along_is_seen_at_once_and_labelled(app):
    assert app.title[0].value == "Does it matter?"
    assert any("Made beforehand, on 20" in each.value for each in app.caption)
    assert sum(each.value.startswith(":material/") and "95 % interval" in each.value for each in app.markdown) == 2
    assert app.get("plotly_chart")


def test_labels_that_could_not_be_scored_are_in_the_headline(app):
    app.selectbox(key="data").set_value("medical").run()
    assert app.session_state["impact_data"] == "medical"
    said = [each.value for each in app.markdown if "of random folds' spread" in each.value]
    assert len(said) == 2
    assert all("**18.0 labels** cannot be scored in some fold; with random folds 24.7." in each for each in said)


def test_data_without_features_is_said_and_samples_are_offered(app):
    assert not app.info
    app.selectbox(key="data").set_value("go_human_cc").run()
    assert "the app has labels only. The samples below have both" in app.info[0].value
    assert app.session_state["impact_data"] == "bibtex"
    assert app.get("plotly_chart")


def test_a_study_is_run(app):
    app.get("button_group")  # the page is drawn
    app.session_state["impact_data"] = "emotions"
    app.number_input(key="impact_seeds").set_value(2)
    app.number_input(key="impact_holdouts").set_value(2)
    app.number_input(key="impact_folds").set_value(3)
    app.run()
    app.button(key="run_impact").click().run()
    deadline = time.monotonic() + 100
    while not any("Your own run: 3 folds, 2 seeds, 2 held-out sets" in each.value for each in app.caption):
        assert time.monotonic() < deadline
        time.sleep(0.3)
        app.run()
    assert not app.exception
    assert "measure_impact" in app.code[0].value


def test_numbers_out_of_their_limits_are_said(app):
    app.number_input(key="impact_seeds").set_value(1).run()
    assert any("From 2 to 50" in each.value for each in app.markdown)
    assert app.button(key="run_impact").disabled


def test_random_alone_is_nothing_to_compare(app):
    app.pills(key="impact_methods").set_value(["random"]).run()
    assert app.button(key="run_impact").disabled
    assert any("Choose at least one method besides random folds" in each.value for each in app.caption)


def in_parts(app):
    app.session_state["impact_study"] = "impact_parts"
    return app.run()


def test_parts_that_come_along_are_seen_and_labelled(app):
    app.selectbox(key="data").set_value("medical").run()
    in_parts(app)
    assert not app.exception
    assert any("Made beforehand, on 20" in each.value and "80/10/10, 30 seeds" in each.value for each in app.caption)
    assert sum(each.value.startswith(":material/") and "95 % interval" in each.value for each in app.markdown) == 4
    assert app.get("plotly_chart")
    app.selectbox(key="impact_part_score").set_value("rare_ap").run()
    assert not app.exception
    assert "'optisplit-sa, rare=cover'" in app.code[0].value


def test_a_study_of_parts_is_run(app):
    app.session_state["impact_data"] = "emotions"
    in_parts(app)
    assert "Nothing run yet" in app.info[0].value
    app.pills(key="impact_part_methods").set_value(["is"])
    app.number_input(key="impact_part_seeds").set_value(2)
    app.selectbox(key="impact_part_sizes").set_value("80/20").run()
    assert any("4 models to train" in each.value for each in app.caption)
    app.button(key="run_impact_parts").click().run()
    deadline = time.monotonic() + 100
    while not any("Your own run: 80/20, 2 seeds, ridge regression" in each.value for each in app.caption):
        assert time.monotonic() < deadline
        time.sleep(0.3)
        app.run()
    assert not app.exception
    assert "measure_parts_impact" in app.code[0].value
