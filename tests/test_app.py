"""The app's pages, run by Streamlit's own test driver: no browser, but real jobs."""

from __future__ import annotations

import io
import time

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import ROOT
from streamlit.testing.v1 import AppTest

TIMEOUT_S = 60

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making


def open_app(page: str = "", **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT_S)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    if page:
        app.switch_page(str(ROOT / "pages" / f"{page}.py")).run()
    assert not app.exception
    return app


def wait_for_result(app: AppTest) -> AppTest:
    deadline = time.monotonic() + TIMEOUT_S
    while not app.get("download_button"):
        assert time.monotonic() < deadline, [each.value for each in app.error]
        time.sleep(0.2)
        app.run()
        assert not app.exception
    return app


def compare(app: AppTest, methods=("random", "optisplit"), n_seeds: int = 2) -> AppTest:
    app.pills(key="methods").set_value(list(methods))
    app.number_input(key="seeds").set_value(n_seeds)
    app.button(key="run").click().run()
    return wait_for_result(app)


@pytest.mark.parametrize("page", ["compare", "data"])
def test_every_page_opens_in_the_app(page):
    app = open_app(page, data="emotions")
    assert app.title[0].value in ("Compare ways to split", "Data")


@pytest.mark.parametrize("page", ["compare", "data"])
def test_a_page_file_that_is_run_by_itself_draws_the_whole_app(page):
    app = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=TIMEOUT_S).run()
    assert not app.exception
    assert app.selectbox(key="data").options[0].startswith("Emotions")


def test_the_address_names_the_data_and_unknown_names_are_passed_over():
    assert open_app(data="yeast").selectbox(key="data").value == "yeast"
    assert open_app(data="<script>").selectbox(key="data").value == "bibtex"


def test_before_the_first_run_the_page_says_what_to_do():
    app = open_app(data="emotions")
    assert "press **Run**" in app.info[0].value
    assert not app.get("plotly_chart")


def test_a_comparison_from_run_to_downloads():
    app = compare(open_app(data="emotions"))
    assert len(app.get("plotly_chart")) == 2
    table = app.table[0].value
    assert list(table["Method"]) == ["Random", "OptiSplit"]
    assert "**" in table["rLD"][1]
    assert "above" in table["rLD"][0]
    assert len(app.get("download_button")) == 3
    assert 'optisplit.load("emotions")' in app.code[0].value


def test_results_stay_when_the_data_changes_and_say_whose_they_are():
    app = compare(open_app(data="emotions"))
    app.selectbox(key="data").set_value("yeast").run()
    assert any("These results are for emotions" in each.value for each in app.info)
    assert len(app.get("plotly_chart")) == 2


def test_settings_and_result_survive_a_page_switch():
    app = compare(open_app(data="emotions"))
    app.number_input(key="folds").set_value(4).run()
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert any("ready on the page Compare" in each.value for each in app.success)
    app.switch_page(str(ROOT / "pages" / "compare.py")).run()
    assert app.number_input(key="folds").value == 4
    assert app.get("download_button")


def test_without_a_method_run_is_off():
    app = open_app(data="emotions")
    app.pills(key="methods").set_value([]).run()
    assert app.button(key="run").disabled


def test_more_folds_than_rows_is_said_before_any_work():
    app = open_app(data="emotions")
    upload(app, "few.csv", b"a,b\n1,0\n0,1\n1,1\n")
    app.number_input(key="folds").set_value(10)
    app.button(key="run").click().run()
    assert "exceeds the number of rows, 3" in app.error[0].value


def upload(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader[0].upload(name, content, "application/octet-stream")
    app.run()
    assert not app.exception
    return app


def npz_of(matrix) -> bytes:
    buffer = io.BytesIO()
    sp.save_npz(buffer, matrix)
    return buffer.getvalue()


def test_an_uploaded_file_is_chosen_and_compared():
    app = open_app(data="emotions")
    labels = sp.csr_array(np.random.default_rng(0).integers(0, 2, (60, 5), dtype=np.int8))
    upload(app, "mine.npz", npz_of(labels))
    assert app.selectbox(key="data").value == "file: mine.npz"
    compare(app)
    assert "optisplit.load('mine.npz')" in app.code[0].value


def test_names_with_markup_are_shown_literally():
    app = open_app("data", data="emotions")
    upload(app, "odd.csv", b"**bold** <b>x</b>,$y$ :red[z]\n1,0\n0,1\n1,1\n")
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert not app.exception
    assert list(app.dataframe[0].value["label"]) == ["**bold** <b>x</b>", "$y$ :red[z]"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty"),
        ("cut.npz", npz_of(sp.csr_array(np.eye(4, dtype=np.int8)))[:200], "damaged"),
        ("text.csv", b"a,b\nfoo,bar\n", "no labels"),
        ("two.arff", b"@relation r\n@attribute a {0,1}\n@data\n1\n", "label"),
    ],
)
def test_a_bad_upload_says_what_is_wrong_and_loses_nothing(name, content, said):
    app = open_app(data="yeast")
    upload(app, name, content)
    assert said in app.error[0].value
    assert app.selectbox(key="data").value == "yeast"


def test_an_xml_that_names_labels_the_arff_lacks_is_said_by_name():
    app = open_app(data="emotions")
    arff = b"@relation r\n@attribute happy {0,1}\n@attribute sad {0,1}\n@data\n1,0\n0,1\n"
    xml = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="happy"/><label name="angry"/></labels>'
    app.file_uploader[0].set_value([("m.arff", arff, "text/plain"), ("m.xml", xml, "text/xml")])
    app.run()
    assert "angry" in app.error[0].value


@pytest.mark.parametrize(("key", "value", "said"), [("folds", 1000, "From 2 to 100"), ("seeds", 0, "From 1 to 100")])
def test_a_number_out_of_its_limits_is_said_and_nothing_else_is_run(key, value, said):
    app = open_app(data="emotions")
    app.number_input(key=key).set_value(value).run()
    assert any(said in each.value for each in app.caption)
    assert app.button(key="run").disabled


def test_what_was_said_of_one_file_is_not_taken_for_the_next():
    app = open_app(data="emotions")
    app.text_input(key="upload_columns_0").set_value("1").run()
    upload(app, "first.csv", b"a,b\n1,0\n0,1\n")
    assert app.session_state["uploads"]["file: first.csv"].data.n_labels == 1
    upload(app, "second.csv", b"a,b\n1,0\n0,1\n")
    assert app.session_state["uploads"]["file: second.csv"].data.n_labels == 2


def test_the_result_says_how_it_was_made_and_hands_over_the_split_that_it_praises():
    app = compare(open_app(data="emotions"), ("random", "optisplit", "optisplit-sa"))
    assert any("5 folds · 2 seeds · OptiSplit lowers rLD · effort normal" in each.value for each in app.caption)
    assert any(each.value.startswith("OptiSplit\\-SA spreads the labels most evenly") for each in app.markdown)
    method = next(each for each in app.selectbox if each.label == "Method")
    assert method.value == "optisplit-sa"
    assert any("Rows in each fold: 119, 119, 119, 118, 118." in each.value for each in app.markdown)


def test_an_earlier_result_stays_until_there_is_a_new_one():
    app = compare(open_app(data="emotions"), ("random",))
    app.selectbox(key="data").set_value("delicious").run()
    app.pills(key="methods").set_value(["skml-is"])
    app.button(key="run").click().run()
    assert any("the comparison before" in each.value for each in app.caption)
    assert app.get("download_button")
    app.button(key="cancel_job").click().run()
    deadline = time.monotonic() + TIMEOUT_S
    while app.button(key="run").disabled:
        assert time.monotonic() < deadline
        time.sleep(0.2)
        app.run()
    assert any("Cancelled after" in each.value for each in app.warning)
