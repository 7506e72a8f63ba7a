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
from optisplit.ui.data import OVERVIEW, terms

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


def test_the_numbers_at_the_top():
    metrics = {each.label: each.value for each in open_data(data="emotions").metric}
    assert metrics == {
        "Rows": "593", "Labels": "6", "Cardinality": "1.87", "Density": "0.311", "Label sets": "27",
        "MeanIR": "1.48", "SCUMBLE": "0.0110",
    }  # fmt: skip


def test_every_number_has_a_meaning_and_those_at_the_top_exist():
    all_terms = terms(characteristics(load("emotions")))
    assert all(term.meaning for term in all_terms)
    assert set(OVERVIEW) <= {term.title for term in all_terms}


def test_the_columns_of_table_1():
    table = table_of(open_data(data="bibtex"), "Smallest")
    assert table.iloc[0].tolist() == ["7,395", "159", "0.0151", "51", "61", "82", "129.5", "1,042"]


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


def test_labels_with_fewer_rows_than_folds_are_named_and_counted():
    app = open_data(data="medical")
    assert any("**20 labels** of 45 (44.4%) have fewer than 5 rows" in text for text in texts_of(app))
    assert len(table_of(app, "Folds without it, at least")) == 20
    app.number_input(key="data_folds").set_value(2).run()
    rare = table_of(app, "Folds without it, at least")
    assert set(rare["Rows"]) == {1}
    app.number_input(key="data_folds").set_value(1000).run()
    assert any("From 2 to 100" in text for text in texts_of(app))


def test_folds_are_those_of_the_page_compare_to_begin_with():
    app = open_app(data="emotions")
    app.number_input(key="folds").set_value(7).run()
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert app.number_input(key="data_folds").value == 7
    assert any("None: every label has at least 7 rows" in text for text in texts_of(app))


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
    metrics = {each.label: each.value for each in app.metric}
    assert (metrics["Rows"], metrics["Instances"]) == ("5", "7")
    table = table_of(app, "irlbl")
    assert dict(zip(table["label"], table["instances"], strict=True)) == {"cat": 3, "dog": 4}
    rows = next(each.value for each in app.main.table if "Labels" in each.value.columns)
    assert any("×" in text for text in rows["Labels"])
