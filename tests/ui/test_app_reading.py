"""Bringing files in the app: how they were understood, reading them in another way, labels that are missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_app import open_app, table_with, text_of, upload

from optisplit.io.registry import FORMATS, READ_OPTIONS

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
TAGS = b"id,text,genres\n1,x,a|b\n2,y,b\n3,z,a|c\n4,w,a;d\n"
GAPS = b"a,b\n1,0\n,1\n1,1\n0,0\n0,1\n"
CARD = "How the file was understood"


@pytest.fixture
def app():
    return open_app("data", data="emotions")


def data_of(app: AppTest, name: str):
    return app.session_state["uploads"][f"file: {name}"].data


def field(app: AppTest, option: str):
    """Find the field of the card for an option."""
    found = [*app.main.selectbox, *app.main.multiselect, *app.main.text_input, *app.main.number_input]
    return next(each for each in found if each.label == READ_OPTIONS[option].title)


def open_fields(app: AppTest) -> AppTest:
    next(each for each in app.main.toggle if each.label == "Read it in another way").set_value(True).run()
    assert not app.exception
    return app


def test_how_a_file_was_read_is_shown(app):
    upload(app, "films.csv", TAGS)
    shown = table_with(app, "What")
    said = dict(zip(shown["What"], shown["How"], strict=True))
    assert said["**Form**"] == "Text table with a comma between columns"
    assert said["**Between labels**"] == r"\'\|\'"
    assert said["**Rows**"] == "4"
    rows = table_with(app, "Labels")
    assert rows["Labels"].tolist()[:3] == ["a, b", "b", "a, c"]
    assert "text: x" in rows["Other columns"].iloc[0].replace("\\", "")
    assert any("**4 rows × 4 labels**" in each.value for each in app.main.markdown)
    assert app.main.code[0].value == "data = optisplit.load('films.csv')"


def test_a_sample_is_told_of_but_not_read_anew(app):
    assert any("MULAN ARFF, dense rows" in each for each in table_with(app, "What")["How"])
    assert len(table_with(app, "Labels")) == 10
    assert not [each for each in app.main.toggle if each.label == "Read it in another way"]


def test_a_file_is_read_in_another_way_at_once_and_as_guessed_again(app):
    upload(app, "films.csv", TAGS)
    assert set(data_of(app, "films.csv").label_names) == {"a", "b", "c", "a;d"}
    open_fields(app)
    separator = field(app, "label_separator")
    assert separator.value == "|"
    separator.set_value(";").run()
    assert set(data_of(app, "films.csv").label_names) == {"a|b", "b", "a|c", "a", "d"}
    assert "label_separator=';'" in app.main.code[0].value
    assert any(each.value == "As you said." for each in app.main.caption)
    app.main.button(key="read_as_guessed").click().run()
    assert set(data_of(app, "films.csv").label_names) == {"a", "b", "c", "a;d"}
    assert app.main.code[0].value == "data = optisplit.load('films.csv')"


def test_there_is_a_field_for_each_option_that_goes_with_the_format(app):
    upload(app, "films.csv", TAGS)
    open_fields(app)
    for option in FORMATS["delimited"].options:
        assert field(app, option) is not None
    assert "genres" in field(app, "label_columns").options
    assert "text" in field(app, "key").options


def test_where_another_way_fails_the_data_stay_as_they_were(app):
    upload(app, "films.csv", TAGS)
    open_fields(app)
    field(app, "layout").set_value("one-hot").run()
    assert not app.exception
    assert "Until then it is read as before" in app.main.error[0].value
    assert set(data_of(app, "films.csv").label_names) == {"a", "b", "c", "a;d"}
    field(app, "layout").set_value("tags").run()
    assert not app.main.error


def test_the_card_is_there_on_the_page_where_a_file_is_brought_until_it_is_closed(app):
    app.switch_page(str(ROOT / "pages" / "compare.py")).run()
    assert not [each for each in app.main.expander if each.label.startswith(CARD)]
    upload(app, "films.csv", TAGS)
    assert [each for each in app.main.expander if each.label.startswith(CARD)]
    app.main.button(key="how_read_done").click().run()
    assert not [each for each in app.main.expander if each.label.startswith(CARD)]


@pytest.mark.parametrize(
    ("answer", "shape"), [("zero", (5, 2)), ("one", (5, 2)), ("drop-rows", (4, 2)), ("drop-labels", (5, 1))]
)
def test_missing_labels_are_asked_about(app, answer, shape):
    upload(app, "gaps.csv", GAPS)
    assert any("missing in 1 row" in each.value for each in app.main.warning)
    assert "file: gaps.csv" not in app.session_state["uploads"]
    radio = next(each for each in app.main.radio if each.label == "What does a missing label mean?")
    assert radio.value is None
    radio.set_value(answer).run()
    assert not app.exception
    data = data_of(app, "gaps.csv")
    assert data.reading.settled[0] in text_of(app)
    assert data.labels.shape == shape
    assert data.labels.sum() == {"zero": 5, "one": 6, "drop-rows": 4, "drop-labels": 3}[answer]


def test_what_a_visitor_has_to_answer_stands_where_the_example_was():
    app = open_app()
    upload(app, "gaps.csv", GAPS)
    shown = text_of(app)
    assert "**gaps.csv** can be used once you say what its empty cells mean." in shown
    assert [each.label for each in app.main.radio] == [READ_OPTIONS["missing"].title]
    assert not [each for each in app.main.button if each.key == "landing_methods"]
    app.main.radio[0].set_value("drop-rows").run()
    assert "1 of 5 rows was left out, since 1 of its label cells is missing." in text_of(app)


def test_missing_and_uncertain_are_two_questions_and_the_answers_are_taken_together(app):
    upload(app, "chexpert.csv", b"a,b\n1,0\n,1\n1,-1\n0,0\n0,1\n1,-1\n")
    for option, answer, is_last in (("missing", "drop-rows", False), ("uncertain", "one", True)):
        radios = {each.label: each for each in app.main.radio}
        assert "file: chexpert.csv" not in app.session_state["uploads"]
        assert is_last == (READ_OPTIONS["uncertain"].title in radios)
        radios[READ_OPTIONS[option].title].set_value(answer).run()
        assert not app.exception
    data = data_of(app, "chexpert.csv")
    assert data.labels.toarray().tolist() == [[1, 0], [1, 1], [0, 0], [0, 1], [1, 1]]


def test_how_to_read_can_be_said_before(app):
    next(each for each in app.sidebar.toggle if each.label == "Say how to read it").set_value(True).run()
    next(each for each in app.sidebar.selectbox if each.label == "Where a table has its labels").set_value("tags")
    next(each for each in app.sidebar.text_input if each.label == "Label columns").set_value("text")
    upload(app, "films.csv", TAGS)
    assert set(data_of(app, "films.csv").label_names) == {"x", "y", "z", "w"}


def test_a_file_that_cannot_be_read_is_not_read_again_at_every_press(app, monkeypatch):
    from optisplit.ui import uploads

    upload(app, "bad.csv", b"a,b\n1,0\n1\n")
    assert "has 1 cell" in app.sidebar.error[0].value
    calls = []
    monkeypatch.setattr(uploads, "load", lambda *given, **options: calls.append(given))
    app.run()
    assert "has 1 cell" in app.sidebar.error[0].value
    assert not calls


def test_what_an_error_speaks_of_can_be_said_below_it(app):
    upload(app, "notes.csv", b"id,note\nx,p\ny,q\nz,r\n")
    assert "Label columns" in app.sidebar.error[0].value
    columns = next(each for each in app.sidebar.multiselect if each.label == "Label columns")
    assert columns.options == ["id", "note"]
    columns.set_value(["note"]).run()
    assert not app.exception
    assert data_of(app, "notes.csv").label_names == ("p", "q", "r")


def test_of_two_text_files_it_is_said_what_each_was_taken_for_and_can_be_changed(app):
    brought = [("points.txt", b"0 1:1\n1 1:1\n0,1 1:1\n", "text/plain"), ("list.txt", b"cat\ndog\n", "text/plain")]
    app.sidebar.file_uploader[0].set_value(brought)
    app.run()
    assert not app.exception
    assert "list.txt (the data)" in app.sidebar.error[0].value.replace("\\", "")
    role = next(each for each in app.sidebar.selectbox if each.label == r"list\.txt is")
    role.set_value("names").run()
    assert not app.exception
    assert data_of(app, "points.txt").label_names == ("cat", "dog")
    open_fields(app)
    role = next(each for each in app.main.selectbox if each.label == r"list\.txt is")
    assert role.value == "names"
    role.set_value("").run()
    assert data_of(app, "points.txt").label_names == ("0", "1")


def test_what_is_not_certain_stands_first_with_what_else_it_could_be(app):
    upload(app, "numbers.csv", b"0,1\n1,0\n1,1\n")
    assert any("not certain" in each.label for each in app.main.expander)
    assert any("not certain" in each.value and "It could also be: no" in each.value for each in app.main.markdown)
    header = field(app, "header")  # without opening the others
    assert header.value is True
    header.set_value(False).run()
    assert data_of(app, "numbers.csv").n_rows == 3
    assert "header=False" in app.main.code[0].value


def test_label_columns_are_chosen_from_those_of_the_file_or_typed(app):
    upload(app, "films.csv", b"id,dx_a,dx_b,other\n1,1,0,1\n2,0,1,0\n3,1,1,0\n")
    assert data_of(app, "films.csv").n_labels == 3
    open_fields(app)
    field(app, "label_columns").set_value(["dx_*"]).run()
    assert not app.exception
    assert data_of(app, "films.csv").label_names == ("dx_a", "dx_b")
    field(app, "label_columns").set_value(["other", "dx_b"]).run()
    assert data_of(app, "films.csv").label_names == ("other", "dx_b")
