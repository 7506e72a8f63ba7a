"""The page that asks whether the way of splitting matters."""

from __future__ import annotations

import json

import pytest
from test_app import captions, open_app, wait


@pytest.fixture
def app():
    return open_app("impact")


def chosen(app, data):
    app.session_state["impact_data"] = data
    return app.run()


def said(app):
    return [
        each.value for each in app.markdown if each.value.startswith(":material/") and "95 % interval" in each.value
    ]


def test_the_page_opens_where_it_matters_beside_where_it_does_not(app):
    assert app.title[0].value == "Does it matter?"
    assert [each.value for each in app.subheader] == ["Medical: it matters", "Bibtex: no difference is shown"]
    lines = said(app)
    assert len(lines) == 4
    assert all(
        "estimates differ less by chance" in each and "nearer to the held-out score" in each for each in lines[:2]
    )
    assert all(
        "**18 labels** (mean of the seeds) cannot be scored in some fold; with random folds 24.7; 30 % of the rows are "
        "held out first" in each
        for each in lines[:2]
    )
    assert all("no difference in spread that these runs can show" in each for each in lines[2:])
    charts = [each.proto for each in app.get("plotly_chart")]
    assert len(charts) == 2
    for chart in charts:
        ticks = json.loads(chart.spec)["layout"]["yaxis"]["ticktext"]
        assert ticks == 3 * [f"held-out set {number}" for number in range(1, 6)]
    captions = " ".join(each.value for each in app.caption)
    assert "Made beforehand, on 20" in captions
    assert "not shown in “macro average precision” and “micro F1”" in captions


def test_any_data_set_is_shown_when_it_is_chosen(app):
    assert not app.selectbox
    chosen(app, "enron")
    assert not app.exception
    assert len(app.get("plotly_chart")) == 3
    assert any("IS: 6.2 labels" in each.value.replace("\\", "") for each in app.markdown)
    assert any("rare=cover: every label in every part" in each.value.replace("\\", "") for each in app.caption)


def test_studies_of_data_that_do_not_come_along_are_shown_alone(app):
    chosen(app, "flags")
    assert not app.exception
    assert any("These data do not come along" in each.value for each in app.caption)
    assert "optisplit.load('flags.arff')" in app.code[-1].value
    assert not any(each.key == "run_impact" for each in app.button)


def test_a_study_is_run(app):
    chosen(app, "emotions")
    app.number_input(key="impact_seeds").set_value(2)
    app.number_input(key="impact_holdouts").set_value(2)
    app.number_input(key="impact_folds").set_value(3)
    app.run()
    app.button(key="run_impact").click().run()
    wait(app, lambda each: "Your own run: 3 folds, 2 seeds, 2 held-out sets" in captions(each))
    assert "measure_impact" in app.code[0].value


def test_numbers_out_of_their_limits_are_said(app):
    chosen(app, "emotions")
    app.number_input(key="impact_seeds").set_value(1).run()
    assert any("From 2 to 50" in each.value for each in app.markdown)
    assert app.button(key="run_impact").disabled


def test_random_alone_is_nothing_to_compare(app):
    chosen(app, "emotions")
    app.pills(key="impact_methods").set_value(["random"]).run()
    assert app.button(key="run_impact").disabled
    assert any("Choose at least one method besides random folds" in each.value for each in app.caption)


def in_parts(app):
    app.session_state["impact_study"] = "impact_parts"
    return app.run()


def test_parts_that_come_along_are_seen_and_labelled(app):
    in_parts(app)
    assert [each.value for each in app.subheader] == ["Medical: it matters", "Bibtex: no difference is shown"]
    assert len(said(app)) == 8
    chosen(app, "medical")
    assert not app.exception
    assert any("Made beforehand, on 20" in each.value and "80/10/10, 30 seeds" in each.value for each in app.caption)
    assert len(app.get("plotly_chart")) == 3
    app.selectbox(key="impact_part_score").set_value("rare_ap").run()
    assert not app.exception
    assert "'optisplit-sa, rare=cover'" in app.code[0].value


def test_a_study_of_parts_is_run(app):
    app.session_state["impact_data"] = "emotions"
    in_parts(app)
    assert any("Made beforehand" in each.value for each in app.caption)
    app.pills(key="impact_part_methods").set_value(["is"])
    app.number_input(key="impact_part_seeds").set_value(2)
    app.selectbox(key="impact_part_sizes").set_value("80/20").run()
    assert any("4 models to train" in each.value for each in app.caption)
    app.button(key="run_impact_parts").click().run()
    wait(app, lambda each: "Your own run: 80/20, 2 seeds, ridge regression" in captions(each))
    assert "measure_parts_impact" in app.code[0].value
