"""The page Data, run by Streamlit's own test driver."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import ROOT
from test_app import npz_of, open_app, upload

from optisplit.io.samples import load
from optisplit.measures.characteristics import characteristics
from optisplit.ui.data.terms import terms

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

CHARTS = ["label_sizes", "labels_per_row", "co_occurrence"]


def open_data(**query):
    return open_app("data", **query)


def open_upload(name, content):
    app = upload(open_app(data="emotions"), name, content)
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert not app.exception
    return app


def table_of(app, column):
    return next(each.value for each in app.dataframe if column in each.value.columns)


def texts_of(app):
    return [each.value for each in app.markdown]


def open_numbers(app):
    app.session_state["data_terms"] = True
    return app.run()


def test_the_page_opens_with_the_labels_that_are_too_rare():
    app = open_data(data="medical")
    texts = texts_of(app)
    at = texts.index("**Medical**: 978 rows, 45 labels, 1.2 labels a row on average.")
    assert texts[at + 1].startswith("**20 labels of 45 (44 %) are too rare for 5 folds**: on fewer than 5 rows.")
    rare = table_of(app, "What helps")
    assert len(rare) == 20
    assert set(zip(rare["Positives"], rare["What helps"], strict=True)) == {
        (1, "merge it or leave it out"),
        *((n, f"merge it, leave it out, or at most {n} folds") for n in (2, 3, 4)),
    }
    chart = app.get("plotly_chart")[0].proto
    assert "20 labels are too rare for 5 folds" in chart.alt
    assert {json.loads(chart.spec)["layout"][axis]["type"] for axis in ("xaxis", "yaxis")} == {"log"}


def test_the_number_of_folds_is_that_of_the_page_compare_both_ways():
    app = open_app(data="emotions")
    app.number_input(key="folds").set_value(7).run()
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert app.number_input(key="folds").value == 7
    assert any("No label is too rare for 7 folds" in text and "148 rows or more" in text for text in texts_of(app))
    assert table_of(app, "Due in each fold")["Due in each fold"].iloc[0] == "21.1"
    app.number_input(key="folds").set_value(1000).run()
    assert any("From 2 to 100" in text for text in texts_of(app))
    app.number_input(key="folds").set_value(3).run()
    app.switch_page(str(ROOT / "pages" / "compare.py")).run()
    assert app.number_input(key="folds").value == 3


def test_parts_are_those_of_the_page_compare():
    app = open_app(data="medical")
    app.segmented_control(key="divide").set_value("parts").run()
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    said = next(text for text in texts_of(app) if "too rare for 3 parts" in text)
    sizes = characteristics(load("medical")).sizes
    assert f"**{(sizes < 3).sum()} labels of 45" in said
    more = ((sizes >= 3) & (sizes < 10)).sum()
    assert f"{more} more labels have less than one row due in the smallest part, which holds 10 %" in said


@pytest.mark.parametrize(
    ("button", "n_labels", "code"), [("rare_drop", 25, "drop_labels"), ("rare_merge", 26, "merge_")]
)
def test_the_data_without_rare_labels_can_be_chosen(button, n_labels, code):
    app = open_data(data="medical")
    app.button(key=button).click().run()
    assert not app.exception
    key = app.session_state["data"]
    chosen = app.session_state["uploads"][key]
    assert chosen.data.n_labels == n_labels
    assert code in chosen.load_code
    made: dict[str, object] = {}
    exec(f"import optisplit\n{chosen.load_code}", made)
    assert made["data"].digest == chosen.data.digest
    assert not any("are too rare for 5 folds" in text for text in texts_of(app)) or button == "rare_merge"


def test_every_number_has_a_meaning():
    assert all(term.meaning for term in terms(characteristics(load("emotions"))))


def test_the_characteristics_are_behind_an_expander():
    app = open_data(data="bibtex")
    assert not any("Smallest" in each.value.columns for each in app.dataframe)
    open_numbers(app)
    table = table_of(app, "Smallest")
    assert table.iloc[0].tolist() == ["7,395", "159", "0.0151", "51", "61", "82", "129.5", "1,042"]
    numbers = numbers_of(app)
    assert (numbers["**Cardinality**"], numbers["**MeanIR**"], numbers["**SCUMBLE**"]) == ("2.40", "12.5", "0.0938")


def numbers_of(app):
    table = next(each.value for each in app.main.table if "Meaning" in each.value.columns)
    return dict(zip(table["Number"], table["Value"], strict=True))


@pytest.mark.parametrize("name", ["emotions", "wiki10_31k"])
def test_every_chart_has_words_its_numbers_and_a_camera(name):
    app = open_data(data=name)
    charts = [each.proto for each in app.get("plotly_chart")]
    assert len(charts) == len(CHARTS)
    for chart in charts:
        assert len(chart.alt) > 40
        assert json.loads(chart.config)["toImageButtonOptions"]["format"] == "svg"
    assert [each.label for each in app.expander].count("The data as a table") == len(CHARTS)
    assert table_of(app, "from rows")["labels"].sum() == load(name).n_labels
    assert table_of(app, "to labels")["rows"].sum() == load(name).n_rows


def test_many_labels_can_be_searched():
    app = open_data(data="wiki10_31k")
    assert len(table_of(app, "irlbl")) == 300
    app.text_input(key="labels_search").set_value("LABEL 3001").run()
    assert set(table_of(app, "irlbl")["label"]) == {"label 3001", *(f"label 3001{digit}" for digit in range(10))}


def test_names_are_shown_as_they_are():
    app = open_upload("odd.csv", b"**bold** <b>x</b>,$y$ :red[z]\n1,0\n0,1\n1,1\n")
    assert sorted(table_of(app, "irlbl")["label"]) == ["$y$ :red[z]", "**bold** <b>x</b>"]
    ticks = json.loads(app.get("plotly_chart")[2].proto.spec)["layout"]["yaxis"]["ticktext"]
    assert ticks[0].startswith("**bold** &lt;b&gt;")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (np.zeros((4, 2), dtype=np.int8), "2 labels on no row"),
        (np.ones((4, 1), dtype=np.int8), "1 label on every row"),
        (np.array([[1, 1], [1, 0], [1, 0]], dtype=np.int8), "1 label on every row"),
        (np.array([[1], [0]], dtype=np.int8), "1 row without a label"),
    ],
)
def test_odd_data_is_shown(labels, said):
    app = open_upload("odd.npz", npz_of(sp.csr_array(labels)))
    assert len(app.get("plotly_chart")) == len(CHARTS)
    assert any(said in text for text in texts_of(app))


def test_instances_are_shown_beside_rows():
    app = open_upload("instances.json", (ROOT / "tests" / "cases" / "given" / "instances.json").read_bytes())
    numbers = numbers_of(open_numbers(app))
    assert (numbers["**Rows**"], numbers["**Instances**"]) == ("5", "7")
    table = table_of(app, "irlbl")
    assert dict(zip(table["label"], table["instances"], strict=True)) == {"cat": 3, "dog": 4}
    rows = next(each.value for each in app.main.table if "Labels" in each.value.columns)
    assert any("×" in text for text in rows["Labels"])
