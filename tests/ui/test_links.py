"""Links to comparisons: what they ask for comes back as it was, and what nobody can mean is said in a sentence."""

from __future__ import annotations

import pytest
from test_app import open_app, settings, upload, wait_for_result
from test_app_check import as_csv
from test_app_groups import COLUMN, scans

from optisplit.errors import OptionError
from optisplit.io.rows import GroupNames
from optisplit.ui import datasets
from optisplit.ui.compare.links import from_query, to_query
from optisplit.ui.compare.request import CompareRequest, Division
from optisplit.ui.groups_file import Groups

OPTIONS = {
    "optisplit": {"measure": "dcp", "max_epochs": 5},
    "optisplit-sa": {"measure": "dcp", "effort": "quick", "balance_pairs": True, "rare": "cover"},
}

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making


@pytest.mark.parametrize("division", [Division(7), Division(3, (0.7, 0.175, 0.125))])
def test_a_comparison_comes_back_from_its_address(division):
    request = CompareRequest(datasets.of_sample("enron"), ("random", "optisplit-sa"), division, 2, OPTIONS, 30.0)
    assert from_query(to_query(request)).request == request


def test_what_an_address_leaves_out_is_as_usual():
    request = from_query({"data": "yeast", "folds": "10"}).request
    assert request.methods == ("random", "is", "optisplit", "optisplit-sa")
    assert (request.division.n_splits, request.n_seeds, request.time_limit_s) == (10, 3, 120.0)
    assert request.options["optisplit-sa"]["rare"] == "share"


def test_what_is_not_in_a_link_is_named_and_nothing_is_run():
    own = datasets.ChosenData("file: mine.csv", "", None)
    query = to_query(CompareRequest(own, ("random",), Division(4), 1, OPTIONS, 30.0))
    assert "data" not in query
    asked = from_query(query)
    assert (asked.request, asked.lacking, asked.fields["folds"]) == (None, ("data",), 4)


def test_a_link_names_the_column_of_groups_and_what_of_groups_and_data_it_cannot_have():
    of_rows = GroupNames.of(["a", "a", "b", "b"], "patient_id")
    own = datasets.ChosenData("file: mine.csv", "", None)
    column = Groups(of_rows, 2, (), "'patient_id'", column="patient_id")
    query = to_query(CompareRequest(own, ("random",), Division(2, groups=column), 1, OPTIONS, 30.0))
    assert (query["groups"], query["own"]) == ("patient_id", "data")
    asked = from_query(query)
    assert (asked.request, asked.lacking, asked.groups) == (None, ("data",), "patient_id")
    assert asked.fields["methods_groups"] == asked.fields["methods"] == ["random"]
    of_file = Groups(of_rows, 2, (), "groups")
    query = to_query(CompareRequest(own, ("random",), Division(2, groups=of_file), 1, OPTIONS, 30.0))
    assert ("groups" in query, query["own"]) == (False, "data,groups")


def test_run_waits_for_the_data_of_a_link_and_their_column_of_groups_is_set():
    app = open_app(own="data", folds="4", methods="random,optisplit-sa", seeds="1", groups="patient_id")
    assert app.selectbox(key="data").value is None
    assert not any(each.key == "run" for each in app.button)
    assert any("The data of this comparison" in each.value for each in app.info)
    upload(app, "other.csv", as_csv(scans().drop(columns="patient_id")))
    assert any("rows of one patient_id together" in each.value.replace("\\", "") for each in app.warning)
    upload(app, "scans.csv", as_csv(scans()))
    assert app.selectbox(key=COLUMN).value == "patient_id"
    assert app.number_input(key="folds").value == 4
    assert not app.warning
    assert app.pills(key="methods_groups").value == ["random", "optisplit-sa"]
    assert not app.button(key="run").disabled


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"folds": "0"}, "folds “0”; a whole number from 2 to 100"),
        ({"folds": "9" * 500}, "from 2 to 100"),
        ({"seeds": "²"}, "seeds “²”"),
        ({"parts": "80,30"}, "these add up to 110"),
        ({"methods": "random,<b>"}, "methods “<b>”; possible here: random, is"),
        ({"methods": "iterstrat", "parts": "80,20"}, "methods “iterstrat”"),
        ({"rare": "", "folds": "5"}, "rare “”"),
        ({"data": "../../etc/passwd", "folds": "5"}, "data “../../etc/passwd”"),
        ({"data": "emotions", "folds": "5", "effort": "endless"}, "possible here: quick, normal and thorough"),
    ],
)
def test_an_address_that_nobody_can_mean_is_refused_in_a_sentence(query, said):
    with pytest.raises(OptionError, match=r".") as error:
        from_query(query)
    assert said in str(error.value)


def test_an_address_runs_its_comparison_and_sets_the_form():
    app = wait_for_result(open_app(data="emotions", folds="3", methods="random,is", seeds="2", seconds="60"))
    assert settings(app).startswith("3 folds · 2 seeds")
    assert "seeds" not in app.query_params
    app = open_app(folds="many")
    assert any("folds “many”" in each.value for each in app.error)
    assert not app.exception
