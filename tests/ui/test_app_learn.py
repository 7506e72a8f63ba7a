"""The lesson in the app, run by Streamlit's own test driver."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from test_app import open_app, wait

from optisplit import evaluate
from optisplit.studies.lesson.points import (
    POINTS,
    folds_from_text,
    folds_to_text,
    points_data,
    random_folds,
    stratified_folds,
    swapped_folds,
)
from optisplit.studies.lesson.trace import frames_of, trace
from optisplit.ui.learn import stage
from optisplit.ui.learn.fields import FIELDS, STRATIFIED, SWAPPED
from optisplit.ui.learn.view import STEPS

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

ANSWERED = {f"guess{step}": "unsure" for step in FIELDS}


def open_step(step, **query):
    """Open a step with its question answered, unless the query says otherwise."""
    return open_app("learn", step=str(step), **(ANSWERED | query))


def address(app):
    """Read the address, without what the first page left there."""
    found = app.query_params.items()
    return {key: value[0] if isinstance(value, list) else value for key, value in found if key != "data"}


def words(app):
    return " ".join(each.value for each in app.markdown)


def drawings(app):
    """Give the figures: each twice, for a narrow page and for a wide one."""
    return [each.value for each in app.markdown if "<svg" in each.value]


def scene(app):
    """Read what the component that moves is given."""
    (component,) = app.get("bidi_component")
    return json.loads(component.proto.json)


@pytest.mark.parametrize("step", FIELDS)
def test_every_step_asks_before_it_shows(step):
    app = open_step(step, **{f"guess{step}": "", "set": "emotions"})
    assert app.title[0].value == "Why LD depends on the size of a label"
    assert ":material/help:" in words(app)
    assert "**Seen.**" not in words(app)
    assert f"guess{step}" not in address(app)
    guess = app.segmented_control(key=f"learn_guess_{step}")
    guess.set_value("unsure").run()
    assert not app.exception
    assert "**Seen.**" in words(app) if step != 5 else len(scene(app)["frames"]) > 1  # there the run says it
    assert address(app)[f"guess{step}"] == "unsure"
    assert all(re.search("<desc>.+</desc>", each) for each in drawings(app))
    assert not app.get("plotly_chart")  # its program would be most of what the browser loads


def test_going_through_the_steps_with_the_button():
    app = open_step(1, set="emotions", guess4="")
    for step in list(STEPS)[1:-1]:
        app.button(key="learn_next").click().run()
        assert not app.exception
        assert address(app)["step"] == str(step)
    assert app.button(key="learn_next").disabled
    assert "Five questions" in [each.value for each in app.subheader]
    app.segmented_control(key="learn_step").set_value("teachers").run()
    assert words(app).count("**Ask:**") == 6


def test_the_answer_is_told_from_the_right_one_and_the_swap_is_made():
    assert folds_to_text(stratified_folds()) == STRATIFIED
    assert folds_to_text(swapped_folds()) == SWAPPED
    app = open_step(1, guess1="")
    assert set(scene(app)["frames"][0]["scores"][0]["texts"]) == {"0"}
    app.segmented_control(key="learn_guess_1").set_value("A").run()
    assert address(app)["split"] == SWAPPED
    assert "Not quite: **C (12 rows).**" in words(app)
    assert "**A**: fold 0 has 0 of 1 due, none at all; **C**: fold 0 has 4 of 3 due, a third more than due" in words(
        app
    )
    assert "**LD** is highest for **C**, 0.375: 3 times as much as for A" in words(app)
    assert "**rLD** is highest for **A**, 0.5: 3 times as much as for C" in words(app)
    app.segmented_control(key="learn_guess_1").set_value("C").run()
    assert "**Right:** C (12 rows)." in words(app)


def test_the_bars_are_the_measures_of_the_split_on_the_screen():
    moved = folds_from_text(STRATIFIED)
    moved[POINTS.index("C12")] = 0
    app = open_step(1, split=folds_to_text(moved), before=STRATIFIED)
    report = evaluate(points_data(), moved)
    (frame,) = scene(app)["frames"]
    for scores, measure in zip(frame["scores"], ("ld", "rld", "dcp"), strict=True):
        np.testing.assert_allclose([float(text) for text in scores["texts"]], report.per_label(measure), atol=0.0005)
        assert float(scores["mean"]) == pytest.approx(report.value(measure), abs=0.0005)
    assert frame["folds"] == moved.tolist()
    assert "The folds are no longer of one size: on average 0.5 rows off (ED, example differences)" in words(app)
    app.button(key="learn_undo").click().run()
    assert address(app)["split"] == STRATIFIED
    assert "all measures are 0" in words(app)
    assert "**C (12 rows).**" not in words(app)  # no verdict that the bars contradict
    assert address(open_step(1))["split"] == SWAPPED
    app.button(key="learn_random").click().run()
    assert address(app)["split"] == folds_to_text(random_folds(0))
    assert "For which does LD rise more?" not in words(app)
    assert "**C (12 rows).**" not in words(app)
    app.button(key="learn_swapped").click().run()
    assert "For which does LD rise more?" in words(app)
    assert "**C (12 rows).**" in words(app)


def test_what_the_browser_says_is_checked(monkeypatch):
    from optisplit.ui.learn import points

    for asked in (
        None,
        "x",
        {"row": 99, "fold": 0},
        {"row": 0, "fold": 9},
        {"row": "0", "fold": 1},
        {"row": -1, "fold": 0},
    ):
        state = {"learn_split": STRATIFIED, points.SCENE.key: {"move": asked}}
        monkeypatch.setattr(points.st, "session_state", state)
        points._move()
        assert state["learn_split"] == STRATIFIED
    state = {"learn_split": STRATIFIED, points.SCENE.key: {"move": {"row": 0, "fold": 3}}}
    monkeypatch.setattr(points.st, "session_state", state)
    points._move()
    assert state["learn_split"] == "3" + STRATIFIED[1:]


def test_the_chosen_row_is_in_the_address(monkeypatch):
    from optisplit.ui.learn import points

    app = open_step(1, row="C7")
    assert scene(app)["chosen"] == POINTS.index("C7")
    assert address(app)["row"] == "C7"
    assert scene(open_step(1, row="D1"))["chosen"] == 0
    for asked, row in ((None, "A1"), ("3", "A1"), (24, "A1"), (-1, "A1"), (3, POINTS[3])):
        state = {"learn_row": "A1", points.SCENE.key: {"chosen": asked}}
        monkeypatch.setattr(points.st, "session_state", state)
        points._choose()
        assert state["learn_row"] == row


def test_the_first_step_says_what_its_words_mean():
    (meanings,) = [each.value for each in open_app("learn").get("html") if "<dl" in each.value]
    assert meanings.count("<dt>") == 8
    assert "A has 4 positives, C has 12" in meanings


def test_the_formulas_are_those_of_the_split_that_was_asked_about():
    app = open_step(2, split=STRATIFIED)
    assert "the folds have 0, 2, 1, 1 of A and 4, 2, 3, 3 of C" in words(app)
    assert r"\mathbf{0.375}" in app.latex[0].value
    assert "For **C** fold 0 has 4 of 3 due" in words(app)
    app.segmented_control(key="learn_class").set_value("A").run()
    assert r"\mathbf{0.125}" in app.latex[0].value
    assert address(app)["class"] == "A"
    assert "0.375 and 0.167 for C" in words(app)
    app.segmented_control(key="learn_guess_2").set_value("A").run()
    assert "**Right:** A (4 rows)." in words(app)
    assert "Not quite: **A (4 rows).**" in words(open_step(2, guess2="same", split=folds_to_text(random_folds(0))))
    assert "Choose A or C" in words(open_step(2, **{"class": "B"}))


def test_the_words_follow_the_error():
    app = open_step(3, guess3="LD")  # as teachers may write it
    assert "Of 100,000 rows, labels of 10 to 50,000" in words(app)
    assert address(app)["guess3"] == "ld"
    assert "one fold has a fifth more than due, another a fifth less" in words(app)
    assert "**Right:** LD." in words(app)
    assert "**LD** climbs 20,829-fold; the lines of **rLD** (0.04) and **DCP** (0.02) stay flat" in words(app)
    why = "0.0002 for a label of 100 rows, 0.0253 for one of 10,000 rows, 126 times as much"
    assert "the fold that has a fifth more than due: LD adds up how far x/(1−x) moves there" in words(app)
    assert f"The same part of a larger x is more: {why}" in words(app)
    app.selectbox(key="learn_error").set_value("missing").run()
    assert "one fold has none at all" in words(app)
    assert "the lines of **rLD** (0.2) and **DCP** (0.0111) stay flat" in words(app)
    assert "the fold that has none at all" in words(app)
    assert "0.111 for one of 10,000 rows" in words(app)
    assert app.selectbox(key="learn_difference").disabled
    app.selectbox(key="learn_error").set_value("equal").run()
    assert "No label has an error but that of whole rows" in words(app)
    assert not re.search("Right:|Not quite|Which measure|None of them", words(app))  # that was asked of another error
    assert "there is no step at the right" in words(app)
    app.selectbox(key="learn_error").set_value("free").run()
    app.number_input(key="learn_amounts_2").set_value(0).run()
    assert address(app)["amounts"].startswith("150-50-0-100")
    assert "the folds have the amounts that you set" in words(app)
    app.selectbox(key="learn_error").set_value("difference").run()
    assert "Which measure grows" in words(app)
    assert "**Right:** LD." in words(app)
    assert "**Right:** None of them." in words(open_step(3, guess3="none", error="equal"))


@pytest.mark.parametrize("error", ["equal", "free"])
def test_the_extremes_of_the_experiment_can_be_drawn(error):
    app = open_step(3, error=error, folds="3", percent="100", large="0.45", axes="linear")
    assert not app.exception
    assert not app.error
    assert len(drawings(app)) == 4


def test_the_best_split_by_ld_is_nearer_to_random_by_rld():
    app = open_step(4, guess4="worst")
    assert address(app)["set"] == "go_human_cc"
    assert "19,869 rows, 2,024 labels. By LD, OptiSplit for LD is the best of 7 splits" in words(app)
    assert "**Right:** Nearer random." in words(app)
    assert "By LD **OptiSplit for LD** is 4.1 times better than **IS**, the best by rLD" in words(app)
    assert "In 9 of the 21 pairs of splits LD and rLD disagree" in words(app)
    assert [">rLD<" in each for each in drawings(app)] == [True, True]  # of a narrow page and of a wide one
    app.selectbox(key="learn_data").set_value("emotions").run()
    assert not re.search("Right:|Not quite|Where is it by rLD", words(app))  # that was asked of other data
    app.selectbox(key="learn_data").set_value("go_human_cc").run()
    assert "**Right:** Nearer random." in words(app)
    app.segmented_control(key="learn_guess_4").set_value(None).run()
    assert [">rLD<" in each for each in drawings(app)] == [False, False]


def test_where_no_order_turns_it_says_so():
    app = open_step(4, set="emotions")
    assert (
        "The best split by LD is the best by rLD too. In none of the 21 pairs of splits LD and rLD disagree"
        in words(app)
    )


def test_a_run_is_given_whole_and_the_address_keeps_its_picture():
    frames = frames_of(trace("rld", 4), "rld")
    app = open_step(5, at="3")
    data = scene(app)
    assert (data["at"], len(data["frames"])) == (3, len(frames))
    assert [each["folds"] for each in data["frames"]] == [frame.folds.tolist() for frame in frames]
    assert [each["says"] for each in data["frames"]] == [[list(line) for line in frame.says] for frame in frames]
    assert data["frames"][0]["tally"] == ""
    assert data["frames"][-1]["tally"] == "So far 4 moves kept and 4 undone; mean rLD fell from 0.35 to 0.171."
    assert [each["proof"] for each in data["frames"][:6]] == [False] * 4 + [True] * 2
    assert data["verdict"] == ["", "Only if the mean falls."]
    assert "0.171" not in words(app)  # nothing of what is still to come
    again = open_step(5, **{key: value for key, value in address(app).items() if key != "step"})
    assert address(again) == address(app)
    assert scene(again) == data
    app.segmented_control(key="learn_measure").set_value("dcp").run()
    assert address(app)["at"] == "1"
    assert "mean DCP" in scene(app)["frames"][-1]["tally"]
    assert scene(open_step(5, at="999"))["at"] == len(frames)
    assert len(scene(open_step(5, guess5=""))["frames"]) == 1


def test_a_fold_with_all_rows_fits():
    from optisplit.studies.lesson.trace import Frame
    from optisplit.ui.learn.points import SCENE

    data = stage.scene_data(SCENE, [Frame(np.zeros(24, np.int32))], 1)
    assert data["width"] == 24
    assert data["frames"][0]["columns"] == list(range(24))
    assert max(max(each["heights"]) for each in data["frames"][0]["scores"]) <= 1
    assert "Fold 1: no rows" in data["frames"][0]["alt"]


def test_the_slider_stands_at_the_answer():
    app = open_step(6, guess6="")
    for answer, chosen in (("due", 20), ("half", 10), ("none", 0)):
        app.segmented_control(key="learn_guess_6").set_value(answer).run()
        assert app.slider(key="learn_in_test").value == chosen
        assert f"({chosen} of 20)" in words(app)
        assert open_step(6, guess6=answer).slider(key="learn_in_test").value == chosen
    assert open_step(6, guess6="due", in_test="7").slider(key="learn_in_test").value == 7


def test_what_even_rld_does_not_see():
    app = open_step(6, guess6="none")
    assert "**Right:** None." in words(app)
    assert "the test part has none at all (0 of 20)" in words(app)
    app.slider(key="learn_in_test").set_value(20).run()
    assert "the test part has just what is due (20 of 20)" in words(app)
    assert address(app)["in_test"] == "20"
    app.segmented_control(key="learn_view").set_value("methods").run()
    assert not app.exception
    assert "The lowest is **IS**" in words(app)
    assert "Of the 113 **rows without a label** a tenth is due to test: Random 3.5 %, IS 0 %" in words(app)
    assert "How many are there where rLD is lowest?" not in words(app)  # that was asked of the other figure
    assert "**Right:** None." not in words(app)
    assert len(drawings(app)) == 2


@pytest.mark.parametrize(
    ("step", "query"),
    [
        ("9", {}),
        ("<b>", {"guess1": "D"}),
        ("1", {"split": "9" * 24, "before": "x"}),
        ("2", {"split": "", "class": "Z"}),
        ("3", {"error": "none", "folds": "1", "percent": "0", "small": "nan", "axes": "polar", "amounts": "9" * 5000}),
        ("3", {"error": "free", "amounts": "0-0-0"}),
        ("4", {"folds_of_data": "1000000", "set": "../../etc"}),
        ("5", {"measure": "fz", "start": "-1", "at": "0"}),
        ("6", {"view": "all", "in_test": "51"}),
    ],
)
def test_anything_else_in_the_address_is_the_default(step, query):
    plain = open_app("learn", step=step, **({"error": "free"} if query.get("error") == "free" else {}))
    app = open_app("learn", step=step, **query)
    assert address(app) == address(plain)


def test_what_was_set_is_still_there_when_one_comes_back():
    app = open_step(3, error="free", amounts="10-20-30", folds="3", set="emotions")
    before = address(app)
    for step in (5, 6, 3):
        app.segmented_control(key="learn_step").set_value(step).run()
    assert address(app) == before


def test_large_data_are_split_in_the_background(monkeypatch):
    from optisplit.ui.learn import ranks

    monkeypatch.setattr(ranks, "MAX_POSITIVES", 0)
    app = open_step(4, set="emotions")
    assert "made in the background" in app.info[0].value
    app.button(key="learn_split_it").click().run()
    wait(app, lambda each: "**Seen.**" in words(each))
    assert drawings(app)
