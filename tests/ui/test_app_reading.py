"""Bringing files in the app: how they were read, reading them in another way, labels that are missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
TAGS = b"id,text,genres\n1,x,a|b\n2,y,b\n3,z,a|c\n4,w,a;d\n"
GAPS = b"a,b\n1,0\n,1\n1,1\n0,0\n0,1\n"


@pytest.fixture
def app():
    opened = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    opened.query_params["data"] = "emotions"
    opened.run()
    opened.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert not opened.exception
    return opened


def bring(app: AppTest, name: str, content: bytes) -> AppTest:
    app.sidebar.file_uploader[0].upload(name, content, "application/octet-stream")
    app.run()
    assert not app.exception
    return app


def data_of(app: AppTest, name: str):
    return app.session_state["uploads"][f"file: {name}"].data


def test_how_a_file_was_read_is_shown(app):
    bring(app, "films.csv", TAGS)
    shown = app.table[0].value
    said = dict(zip(shown["What"], shown["How"], strict=True))
    assert said["**Form**"] == "Text table with a comma between columns"
    assert said["**Between labels**"] == r"\'\|\'"
    assert said["**Rows**"] == "4"
    assert said["**First rows**"].startswith(r"a, b; b; a, c")


def test_a_sample_is_told_of_but_not_read_anew(app):
    assert any("MULAN ARFF, dense rows" in each for each in app.table[0].value["How"])
    assert not [each for each in app.toggle if each.label == "Read it in another way"]


def test_a_file_is_read_in_another_way(app):
    bring(app, "films.csv", TAGS)
    assert set(data_of(app, "films.csv").label_names) == {"a", "b", "c", "a;d"}
    next(each for each in app.toggle if each.label == "Read it in another way").set_value(True).run()
    separator = next(each for each in app.selectbox if each.label == "Between the labels of a list")
    assert separator.value == "|"
    assert app.button(key="read_again").disabled
    separator.set_value(";").run()
    app.button(key="read_again").click().run()
    assert set(data_of(app, "films.csv").label_names) == {"a|b", "b", "a|c", "a", "d"}
    assert any("label_separator=';'" in upload.load_code for upload in app.session_state["uploads"].values())


@pytest.mark.parametrize(("answer", "shape"), [("zero", (5, 2)), ("drop-rows", (4, 2)), ("drop-labels", (5, 1))])
def test_missing_labels_are_asked_about(app, answer, shape):
    bring(app, "gaps.csv", GAPS)
    assert any("missing in 1 row" in each.value for each in app.sidebar.warning)
    assert "file: gaps.csv" not in app.session_state["uploads"]
    radio = next(each for each in app.sidebar.radio if each.label == "What does a missing label mean?")
    assert radio.value is None
    radio.set_value(answer).run()
    assert not app.exception
    assert data_of(app, "gaps.csv").labels.shape == shape


def test_how_to_read_can_be_said_before(app):
    app.sidebar.toggle[0].set_value(True).run()
    next(each for each in app.sidebar.selectbox if each.label == "Where a table has its labels").set_value("tags")
    app.sidebar.text_input[0].set_value("text")
    bring(app, "films.csv", TAGS)
    assert set(data_of(app, "films.csv").label_names) == {"x", "y", "z", "w"}


def test_a_file_that_cannot_be_read_is_not_read_again_at_every_press(app, monkeypatch):
    from optisplit.ui import uploads

    bring(app, "bad.csv", b"a,b\n1,0\n1\n")
    assert "has 1 cell" in app.sidebar.error[0].value
    calls = []
    monkeypatch.setattr(uploads, "load", lambda *given, **options: calls.append(given))
    app.run()
    assert "has 1 cell" in app.sidebar.error[0].value
    assert not calls
