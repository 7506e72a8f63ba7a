"""The app's pages, run by Streamlit's own test driver: no browser, but real jobs."""

from __future__ import annotations

import io
import re
import time

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import ROOT
from streamlit.testing.v1 import AppTest

import optisplit
from optisplit.check.missing import find_missing, missing_table
from optisplit.methods import METHODS
from optisplit.ui import brand
from optisplit.ui.compare.landing import read
from optisplit.ui.compare.missing import as_shown, summed_up
from optisplit.ui.compare.request import Division, read_shares
from optisplit.ui.jobs import MANAGER

CHARTS = ["fold_maps_chart_narrow", "fold_maps_chart", "per_class_chart_narrow", "per_class_chart"]
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


def table_with(app: AppTest, column: str):
    return next(each.value for each in app.main.table if column in each.value.columns)


def wait(app: AppTest, is_there) -> AppTest:
    """Run the page again as often as its work has ended, until something is there."""
    deadline = time.monotonic() + TIMEOUT_S
    while not is_there(app):
        assert time.monotonic() < deadline, [each.value for each in app.error]
        time.sleep(0.1)
        for job in [each for each in MANAGER._jobs.values() if each.owner == app.session_state["owner"]]:
            job.ended.wait(max(0.0, deadline - time.monotonic()))
        app.run()
        assert not app.exception
    return app


def wait_for_result(app: AppTest) -> AppTest:
    return wait(app, lambda each: each.get("download_button"))


def open_tab(app: AppTest, title: str) -> AppTest:
    app.session_state["details"] = title
    app.run()
    assert not app.exception
    return app


def settings(app: AppTest) -> str:
    """Give the settings that the result below was made with."""
    texts = "\n".join(each.value for each in app.markdown).replace("\\", "")
    return texts.partition("Settings: ")[2].partition("\n")[0]


def program(app: AppTest) -> str:
    """Give the program that makes the split again."""
    open_tab(app, "Take away")
    return next(each.value for each in app.code if "optisplit.split" in each.value)


def board(app: AppTest):
    app.run()  # the job may have ended after its panel was drawn, which shows what is done until then
    return next(each.value for each in app.dataframe if "grade" in each.value)


def compare(app: AppTest, methods=("random", "optisplit"), n_seeds: int = 2, key: str = "methods") -> AppTest:
    app.pills(key=key).set_value(list(methods))
    app.number_input(key="seeds").set_value(n_seeds)
    app.button(key="run").click().run()
    return wait_for_result(app)


@pytest.mark.parametrize(
    ("page", "title", "has_picker"),
    [("compare", "Compare ways to split", True), ("data", "Data", True), ("paper", "The paper, re-run", False)],
)
def test_every_page_says_what_the_product_is_and_those_of_the_chosen_data_ask_which(page, title, has_picker):
    app = open_app(page, data="emotions")
    assert app.title[0].value == title
    assert brand.SENTENCE in app.main.markdown[0].value
    assert [each.key for each in app.selectbox].count("data") == has_picker


@pytest.mark.parametrize("page", ["compare", "data", "paper"])
def test_a_page_file_that_is_run_by_itself_draws_the_whole_app(page):
    app = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=TIMEOUT_S).run()
    assert not app.exception
    assert brand.SENTENCE in app.main.markdown[0].value


def test_the_address_names_the_data_and_unknown_names_are_passed_over():
    assert open_app(data="yeast").selectbox(key="data").value == "yeast"
    assert open_app(data="<script>").selectbox(key="data").value == "enron"


def test_a_finished_comparison_is_there_to_begin_with_and_leads_on_to_its_form():
    app = open_app()
    landing = read()
    assert sum("<svg" in each.value for each in app.markdown) == 2  # for wide and for narrow pages
    assert not app.get("plotly_chart")
    assert any("19 of 53 labels are missing" in each.value for each in app.markdown)
    (table,) = (each.proto.body for each in app.get("html") if "<table>" in each.proto.body)
    assert re.findall(r'<th scope="row"[^>]*>([^<]*)', table) == [line["Method"] for line in landing.leaderboard]
    assert "data" not in app.query_params
    app.button(key="landing_methods").click().run()
    assert (app.selectbox(key="data").value, app.number_input(key="folds").value) == ("enron", 10)
    assert app.query_params["data"] == "enron"


def test_the_way_to_own_data_leads_from_the_landing_through_its_middle_to_the_form():
    app = open_app()
    app.button(key="landing_own").click().run()
    assert not app.sidebar.file_uploader
    app.main.file_uploader[0].upload("mine.npz", npz_of(sp.csr_array(np.eye(9, dtype=np.int8))), "").run()
    assert app.selectbox(key="data").value == "file: mine.npz"
    assert len(app.sidebar.file_uploader) == 1
    assert not app.button(key="run").disabled


def test_whoever_chooses_data_has_begun():
    app = open_app()
    app.selectbox(key="data").set_value("yeast").run()
    assert app.button(key="run").label == "Run"
    assert app.query_params["data"] == "yeast"


def test_before_the_first_run_the_page_says_what_to_do():
    app = open_app(data="emotions")
    assert "press **Run**" in app.info[0].value
    assert not app.get("plotly_chart")


def test_a_comparison_from_run_to_downloads():
    app = compare(open_app(data="emotions"), ("random", "optisplit-sa"))
    assert [each.key for each in app.get("plotly_chart")] == CHARTS
    scale = app.segmented_control(key="per_class_measure_scale")
    assert scale.options == ["Above the label's own best", "Score"]
    assert "0 = best possible for the label" in app.get("plotly_chart")[-1].proto.spec
    scale.set_value("score").run()
    assert "0 = perfect" in app.get("plotly_chart")[-1].proto.spec
    table = board(app)
    assert list(table["method"]) == ["OptiSplit-SA", "Random"]
    result = job_of(app).result
    assert list(table["rld"]) == [result.best_runs[key].report.rld for key in ("optisplit-sa", "random")]
    assert list(table["grade"]) == ["Best possible", "Weak"]  # the better of two random ones
    cards = table_with(app, "Grade")
    assert [name.replace("\\", "") for name in cards["Method"]] == list(table["method"])
    titles = [button.label for button in app.get("download_button")]
    assert titles == ["Take this split", "All 4 runs as CSV", "All as CSV"]
    assert 'optisplit.load("emotions")' in program(app)
    titles = [button.label for button in app.get("download_button")]
    assert titles == ["Take this split", "All 4 runs as CSV", "Folds as CSV", "Folds as NPZ"]
    measures = table_with(open_tab(app, "All measures"), "Measure")
    cell = result.best_runs["optisplit-sa"].report.score("rld").cell
    assert measures["OptiSplit\\-SA"].iloc[0].replace("\\", "") == cell
    open_tab(app, "Rare labels")
    assert [each.key for each in app.get("plotly_chart")] == [
        *CHARTS[:2],
        "rare_shares_chart_narrow",
        "rare_shares_chart",
    ]


def test_results_stay_when_settings_change_and_say_which_did():
    app = compare(open_app(data="emotions"))
    assert not app.button(key="run").disabled
    assert not [each for each in app.button if each.key == "run_changed"]
    app.selectbox(key="data").set_value("yeast")
    app.number_input(key="folds").set_value(4).run()
    said = next(each.value.replace("\\", "") for each in app.info)
    assert said == (
        "The result below is of other settings. Now data: yeast instead of emotions; divided into: 4 folds instead of "
        "5 folds."
    )
    assert len(app.get("plotly_chart")) == len(CHARTS)
    app.button(key="run_changed").click().run()
    app = wait_for_result(app)
    while "4 folds" not in settings(app):
        app.run()
    assert not app.info


def test_settings_and_result_survive_a_page_switch():
    app = compare(open_app(data="emotions"))
    app.number_input(key="folds").set_value(4).run()
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert not app.success  # it was seen on its own page
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
    app.sidebar.file_uploader[0].upload(name, content, "application/octet-stream")
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
    assert "optisplit.load('mine.npz')" in program(app)


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
    app.sidebar.file_uploader[0].set_value([("m.arff", arff, "text/plain"), ("m.xml", xml, "text/xml")])
    app.run()
    assert "angry" in app.error[0].value


@pytest.mark.parametrize(("key", "value", "said"), [("folds", 1000, "From 2 to 100"), ("seeds", 0, "From 1 to 100")])
def test_a_number_out_of_its_limits_is_said_and_nothing_else_is_run(key, value, said):
    app = open_app(data="emotions")
    app.number_input(key=key).set_value(value).run()
    assert any(said in each for each in complaints(app))
    assert app.button(key="run").disabled


def test_what_was_said_of_one_file_is_not_taken_for_the_next():
    app = open_app(data="emotions")
    app.toggle(key="upload_how_0").set_value(True).run()
    app.text_input(key="upload_label_columns_0_0").set_value("1").run()
    upload(app, "first.csv", b"a,b\n1,0\n0,1\n")
    assert app.session_state["uploads"]["file: first.csv"].data.n_labels == 1
    upload(app, "second.csv", b"a,b\n1,0\n0,1\n")
    assert app.session_state["uploads"]["file: second.csv"].data.n_labels == 2


def test_the_result_says_how_it_was_made_and_hands_over_the_split_that_it_praises():
    app = compare(open_app(data="emotions"), ("random", "optisplit", "optisplit-sa"))
    assert settings(app).startswith("5 folds · 2 seeds · OptiSplit lowers rLD · effort normal")
    verdict = next(each.value for each in app.markdown if each.value.startswith("The best split is that of OptiSplit"))
    assert "OptiSplit\\-SA \\(seed" in verdict
    assert "Best possible" in app.title[0].value
    open_tab(app, "Take away")
    method = next(each for each in app.selectbox if each.label == "Method")
    assert method.value == "optisplit-sa"
    assert any("Rows in each fold: 119, 119, 119, 118, 118." in each.value for each in app.markdown)


def test_an_earlier_result_stays_until_there_is_a_new_one():
    app = compare(open_app(data="emotions"), ("random",))
    app.selectbox(key="data").set_value("delicious").run()
    app.pills(key="methods").set_value(["skml-is"])
    app.button(key="run").click().run()
    assert "the comparison before" in app.title[0].value
    assert app.get("download_button")
    app.button(key="cancel_job").click().run()
    wait(app, lambda each: not each.button(key="run").disabled)
    app.run()  # the job may have ended between the drawing of its panel and that of the form
    assert any("Cancelled after" in each.value for each in app.warning)


def divide_into_parts(app: AppTest, shares: str = "80, 10, 10") -> AppTest:
    app.segmented_control(key="divide").set_value("parts").run()
    app.text_input(key="shares").set_value(shares).run()
    assert not app.exception
    return app


def bring_groups(app: AppTest, content: str, name: str = "patients.txt") -> AppTest:
    app.file_uploader(key="groups_0").upload(name, content.encode(), "text/plain").run()
    assert not app.exception
    return app


def captions(app: AppTest) -> str:
    return "\n".join(each.value for each in app.caption).replace("\\", "")


def text_of(app: AppTest) -> str:
    """Give what is written on the page, and not beside it."""
    main = app.main
    shown = [*main.markdown, *main.error, *main.warning, *main.success, *main.info, *main.caption]
    return "\n".join(each.value for each in shown).replace("\\", "")


def complaints(app: AppTest) -> list[str]:
    return [each.value.replace("\\", "") for each in app.markdown if ":red[" in each.value]


def job_of(app: AppTest):
    return MANAGER.get(app.session_state["job_id"], app.session_state["owner"])


def stop_when_started(app: AppTest) -> AppTest:
    """Press Cancel once every worker has something to hand on."""
    deadline = time.monotonic() + TIMEOUT_S
    while "%" not in job_of(app).message:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(1)
    app.button(key="cancel_job").click().run()
    while job_of(app).is_active:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return app.run()


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("80, 10, 10", (0.8, 0.1, 0.1)),
        ("70/15/15", (0.7, 0.15, 0.15)),
        ("33.3 % ; 33.3 %; 33.4 %", (0.333, 0.333, 0.334)),
        ("99.9 .1", (0.999, 0.001)),
    ],
)
def test_shares_are_read_as_people_write_them(text, shares):
    assert read_shares(text) == shares


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("80, 10, 5", "must add up to 100; these add up to 95."),
        ("50, 50.5", "these add up to 100.5."),
        ("100", "From 2 to 10 parts, please; these are 1."),
        (", ".join(["5"] * 20), "these are 20"),
        ("100, 0", "a share above 0"),
        ("80, x", "“x” is no number"),
        ("80, -20, 40", "“-20” is no number"),
        ("1e2, nan", "“1e2” is no number"),
        (" ", "such as 80, 10, 10"),
    ],
)
def test_wrong_shares_are_said_in_the_form_and_nothing_is_run(text, said):
    app = divide_into_parts(open_app(data="emotions"), text)
    assert said in complaints(app)[0]
    assert app.button(key="run").disabled


def test_a_part_of_less_than_a_row_is_said_before_run():
    app = divide_into_parts(open_app(data="emotions"), "99.9, 0.01, 0.09")
    assert "less than one of the 593 rows" in complaints(app)[0]
    assert app.button(key="run").disabled


def test_methods_that_cannot_make_parts_are_shown_but_not_to_be_chosen():
    app = open_app(data="emotions")
    app.pills(key="methods").set_value(["skml-is", "optisplit-sa"]).run()
    divide_into_parts(app)
    able, unable = app.pills(key="methods_fold_sizes"), app.pills(key="methods_unable_fold_sizes")
    assert able.options == [method.name for method in METHODS.values() if "fold_sizes" in method.options]
    assert {"Random", "SS", "OptiSplit-SA"} <= set(able.options)
    assert able.value == ["optisplit-sa"]  # what was chosen, as far as it is able
    assert unable.options == [method.name for method in METHODS.values() if method.name not in able.options]
    assert {"PMBSRS", "IS (scikit-multilearn)", "OptiSplit"} <= set(unable.options)
    assert unable.disabled
    assert "OptiSplit, which cannot make parts of given sizes." in captions(app)
    app.segmented_control(key="divide").set_value("folds").run()
    assert app.pills(key="methods").value == ["skml-is", "optisplit-sa"]
    assert "Left out" not in captions(app)


def test_a_split_into_parts_from_run_to_the_program_that_makes_it_again():
    app = divide_into_parts(open_app(data="emotions"), "70, 15, 15")
    compare(app, ("random", "optisplit-sa"), key="methods_fold_sizes")
    assert settings(app).startswith("parts of 70, 15 and 15 % of the rows · 2 seeds")
    assert any("as fair" in each.value for each in app.markdown if each.value.startswith("The best split"))
    code = program(app)
    texts = [each.value for each in app.markdown]
    assert "Rows in each part: 415 (70 % asked for), 89 (15 %), 89 (15 %)." in texts
    assert any("the part of every row, by its number: 0 (70 %), 1 (15 %), 2 (15 %)." in text for text in texts)
    heatmap = open_tab(app, "One split").get("plotly_chart")[1].proto.spec
    assert '"Part"' in heatmap
    assert "<br>fold " not in heatmap
    assert "train, validation, test = " in code
    run = job_of(app).result.best_run()
    made: dict = {}
    exec(code.replace("print(", "("), made)
    np.testing.assert_array_equal(made["parts"], run.folds)
    assert len(made["validation"]) == 89


def test_groups_stay_whole_and_the_program_makes_the_same_split(tmp_path, monkeypatch):
    groups = [f"p{row % 60}" for row in range(593)]
    app = bring_groups(open_app(data="emotions"), "\n".join(groups) + "\n")
    assert "60 groups; one a line, in the order of the rows; 593 of 593 rows." in captions(app)
    assert "cannot keep groups together" in captions(app)
    compare(app, ("random", "optisplit-sa"), key="methods_groups")
    assert settings(app).startswith("5 folds · 60 groups of patients.txt kept whole · 2 seeds")
    run = job_of(app).result.best_run()
    assert all(len(set(run.folds[np.array(groups) == group])) == 1 for group in set(groups))
    (tmp_path / "patients.txt").write_text("\n".join(groups) + "\n")
    monkeypatch.chdir(tmp_path)
    made: dict = {}
    exec(program(app).replace("print(", "("), made)
    np.testing.assert_array_equal(made["folds"], run.folds)

    # they are still there on the way back from another page, and gone when removed
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    app.switch_page(str(ROOT / "pages" / "compare.py")).run()
    assert "60 groups" in captions(app)
    app.button(key="groups_remove").click().run()
    assert captions(app).count("cannot keep groups together") == 1  # of the result that is still there
    assert app.pills(key="methods").value == ["random", "is", "optisplit", "optisplit-sa"]


def test_a_table_of_groups_has_its_column_chosen(tmp_path, monkeypatch):
    table = "patient,hospital\n" + "".join(f"{row % 60},h{row % 7}\n" for row in range(593))
    app = bring_groups(open_app(data="emotions"), table, "table.csv")
    assert "60 groups; column 'patient', in the order of the rows; 593 of 593 rows." in captions(app)
    app.selectbox(key="groups_column_1").set_value("hospital").run()
    assert "7 groups; column 'hospital', in the order of the rows; 593 of 593 rows." in captions(app)
    compare(app, ("random",), n_seeds=1, key="methods_groups")
    (tmp_path / "table.csv").write_text(table)
    monkeypatch.chdir(tmp_path)
    made: dict = {}
    exec(program(app).replace("print(", "("), made)
    np.testing.assert_array_equal(made["folds"], job_of(app).result.best_run().folds)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a\nb\n", "patients.txt has 2 lines, but the data has 593 rows."),
        ("a\n" * 300 + "\n" + "b\n" * 292, "patients.txt: 1 row has no group, at position '300'. Hint"),
        ("", "empty"),
        ("a\nb\nc\n" * 197 + "a\nb\n", "3 groups cannot fill 5 folds"),
    ],
)
def test_a_wrong_file_of_groups_is_said_in_one_sentence_and_nothing_is_run(content, said):
    app = bring_groups(open_app(data="emotions"), content)
    wrong = complaints(app)
    assert len(wrong) == 1
    assert said in wrong[0]
    assert "/" not in wrong[0]  # nor where it lay on the server
    assert app.button(key="run").disabled


def test_a_group_larger_than_a_fold_is_warned_of_once():
    app = bring_groups(open_app(data="emotions"), "".join(f"{'**big**' if i < 150 else i // 3}\n" for i in range(593)))
    said = "1 group is larger than the 118 rows of the smallest fold: '**big**' (150 rows)"
    assert [said in each.value.replace("\\", "") for each in app.warning] == [True]
    assert "\\*\\*big" in app.warning[0].value
    compare(app, ("random", "optisplit-sa"), n_seeds=1, key="methods_groups")
    assert [said in each.value.replace("\\", "") for each in app.warning] == [True]
    app.button(key="groups_remove").click().run()
    assert len(app.warning) == 1  # the results are still those with the groups


def test_pairs_and_rare_labels_are_in_the_settings_and_in_the_program():
    app = open_app(data="emotions")
    app.toggle(key="balance_pairs").set_value(True)
    app.selectbox(key="rare").set_value("score")
    compare(app, ("optisplit-sa",), n_seeds=1)
    assert "label pairs balanced too · rare labels: lowest score" in settings(app)
    assert "balance_pairs=True, rare='score'" in program(app)
    made: dict = {}
    exec(program(app).replace("print(", "("), made)
    np.testing.assert_array_equal(made["folds"], job_of(app).result.best_run().folds)


def test_labels_that_are_missing_from_a_fold_are_listed():
    app = compare(open_app(data="medical"), ("random", "optisplit-sa"), n_seeds=1)
    open_tab(app, "Missing labels")
    run = job_of(app).result.best_run()
    found = optisplit.find_missing_labels(optisplit.load("medical"), run.folds)
    told = "of 45 labels are missing from folds that should have them, each looked at alone."
    text = next(each.value for each in app.markdown if "each looked at alone." in each.value)
    assert text.startswith("None of 45 labels is missing from folds that should have it, each looked at alone.")
    assert text.endswith(f"{len(found)} labels have fewer rows than folds: no split could help.")
    table = next(each.value for each in app.dataframe if "Label" in each.value)
    assert list(table["Label"]) == list(found["label"])
    assert list(table) == ["Label", "Rows with it", "Folds without it", "How many", "Unavoidable", "Why"]
    method = next(each for each in app.selectbox if each.label == "Method")
    method.set_value("random").run()
    text = next(each.value for each in app.markdown if told in each.value)
    n_missing = next(run.n_missing for run in job_of(app).result.runs if run.method == "random")
    assert text.startswith(f"{n_missing} {told}")
    assert "OptiSplit-SA, with “Every label in every part where possible”, looks for ways" in text


def test_a_label_that_is_missing_more_often_than_need_be_is_said_to_be():
    parts = Division(3, (0.4, 0.3, 0.3))
    data = optisplit.MultilabelDataset.from_labels([[1], [1], [0], [0], [0], [0]])
    found = find_missing(data, np.repeat([0, 1, 2], 2).astype(np.int32), 3)
    found = missing_table(found, data.label_names, parts.fold_names, parts.noun)
    table = as_shown(found, parts.noun)
    assert table["Why"][0] == "2 rows with it, for 3 parts; in 1 part more it is possible for this label alone"
    assert table["Parts without it"][0] == "part 1 (30 %), part 2 (30 %)"
    start = "1 of 1 label is missing from parts that should have it, each looked at alone. "
    no_way = "No way was found that suits the others too."
    cover = " OptiSplit-SA, with “Every label in every part where possible”, looks for ways to get there."
    drawn, one = np.zeros(1, int), np.ones(1, int)
    assert summed_up(found, parts, "cover", drawn, 1) == summed_up(found, parts, "share", drawn, 1) == start + no_way
    assert summed_up(found, parts, "score", drawn, 1) == summed_up(found, parts, None, drawn, 1) == start[:-1] + cover
    none = "None of 1 label is missing from parts that should have it, each looked at alone. "
    less = "1 label has too few rows for its share of some part"
    assert summed_up(found, parts, "cover", one, 1) == f"{none}{less}."
    assert summed_up(found, parts, "share", one, 1) == f"{none}{less}: the seed draws which parts get one.{cover}"


def test_of_very_many_missing_labels_some_are_shown_and_all_can_be_searched():
    labels = sp.csr_array(np.eye(1000, dtype=np.int8))
    app = open_app(data="emotions")
    upload(app, "rare.npz", npz_of(labels))
    compare(app, ("random",), n_seeds=1)
    open_tab(app, "Missing labels")
    table = next(each.value for each in app.dataframe if "Label" in each.value)
    assert len(table) == 300
    assert "The first 300 of 1,000 are shown" in captions(app)
    app.text_input(key="missing_search").set_value("LABEL 99").run()
    table = next(each.value for each in app.dataframe if "Label" in each.value)
    assert set(table["Label"]) == {"label 99", *(f"label 99{digit}" for digit in range(10))}


def test_without_missing_labels_nothing_is_said_of_them():
    app = compare(open_app(data="emotions"))
    open_tab(app, "Missing labels")
    assert any(each.value == "Every label has a row in every fold." for each in app.markdown)


def test_what_a_cancelled_run_had_found_is_kept_even_where_no_run_was_done():
    app = open_app(data="delicious")
    app.selectbox(key="effort").set_value("thorough")
    app.pills(key="methods").set_value(["optisplit-sa"])
    app.button(key="run").click().run()
    app.switch_page(str(ROOT / "pages" / "learn.py")).run()
    stop_when_started(app)
    assert re.fullmatch(
        r"The comparison: cancelled after \d+ s\. No run was done, but the best splits until then are on the page "
        r"Compare\.", warned(app),
    )  # fmt: skip
    app.switch_page(str(ROOT / "pages" / "compare.py")).run()
    assert any("No run was done, but the best splits until then are below." in each.value for each in app.warning)
    kept = job_of(app).result.stopped_runs
    assert kept
    texts = [each.value.replace("\\", "") for each in app.markdown]
    for run in kept:
        start = f"OptiSplit-SA, seed {run.seed}: cancelled; the best split until then has rLD {run.report.rld:.3g}"
        assert any(text.startswith(start) for text in texts), texts
        assert app.download_button(key=f"stopped_csv_optisplit-sa_{run.seed}")
    assert not app.get("plotly_chart")
    app.switch_page(str(ROOT / "pages" / "learn.py")).run()
    assert not app.warning  # it was seen


def test_what_a_run_over_its_time_limit_had_found_is_kept():
    app = open_app(data="delicious")
    app.selectbox(key="effort").set_value("thorough")
    app.number_input(key="limit").set_value(1)
    compare(app, ("random", "optisplit-sa"), n_seeds=1)
    texts = [each.value.replace("\\", "") for each in app.markdown]
    start = "OptiSplit-SA, seed 0: stopped: it reached the time limit of 1 s; the best split until then has rLD "
    assert any(text.startswith(start) for text in texts)
    assert len(app.get("plotly_chart")) == 2  # of the method that was done, which looks the same on a phone


def warned(app: AppTest) -> str:
    return "\n".join(each.value for each in app.warning).replace("\\", "")


def test_how_long_it_takes_is_said_beside_run():
    app = open_app(data="bibtex")
    assert re.search(r"4 methods × 3 seeds · (about \d+|less than a) second", captions(app))
    assert not app.warning


def test_methods_that_take_long_are_named_before_they_are_run():
    app = open_app(data="delicious")
    app.number_input(key="limit").set_value(10)
    app.pills(key="methods").set_value(["random", "skml-sois"]).run()
    said = r"SOIS \(scikit-multilearn\) would take about \d+ (minute|hour)s? a run: it will be stopped after 10 s\."
    assert re.search(said, warned(app))
    assert "2 methods × 3 seeds · about 10 seconds" in captions(app)  # stopped once, then given up
    app.pills(key="methods").set_value(["random"]).run()
    assert not app.warning
    assert "1 method × 3 seeds · less than a second" in captions(app)


def test_methods_that_cannot_run_are_named_with_the_reason(monkeypatch):
    monkeypatch.setenv("OPTISPLIT_MEMORY_MB", "1")  # this process has more already
    app = open_app(data="emotions")
    app.pills(key="methods").set_value(["iterstrat"]).run()
    said = r"cannot run on these data: iterstrat takes only dense labels: .* about \d+ MB of memory, and 0 bytes are"
    assert re.search(said, warned(app))
    assert app.button(key="run").disabled
    assert "None of these methods can run on these data." in captions(app)


def test_the_page_of_the_paper_says_how_long_it_takes():
    app = open_app("paper")
    app.pills(key="paper_data").set_value(["bibtex"])
    app.pills(key="paper_rows").set_value(["random", "optisplit-sa"]).run()
    assert re.search(r"1 data set × 2 methods × 3 seeds · (about \d+|less than a) second", captions(app))
    assert not app.warning
    app.number_input(key="paper_limit").set_value(5)
    app.pills(key="paper_data").set_value(["delicious"])
    app.pills(key="paper_rows").set_value(["random", "skml-sois"]).run()
    assert "delicious: SOIS (scikit-multilearn) would take about " in warned(app)
    assert "it will be stopped after 5 s." in warned(app)


# The page "The paper"


def press_run_of_paper(app: AppTest, rows, n_seeds: int) -> None:
    app.pills(key="paper_data").set_value(["bibtex"])
    app.pills(key="paper_rows").set_value(list(rows))
    app.number_input(key="paper_seeds").set_value(n_seeds)
    app.button(key="run_paper").click().run()


def run_paper(app: AppTest, rows=("random", "optisplit-rld"), n_seeds: int = 2) -> AppTest:
    press_run_of_paper(app, rows, n_seeds)
    wait(app, lambda each: not each.button(key="run_paper").disabled)
    return app.run()  # the work may have ended after the tables, above the button, were drawn


def html_with(app: AppTest, words: str) -> str:
    """Find a piece of HTML on the page by words in it."""
    return next(each.proto.body for each in app.get("html") if words in each.proto.body)


def test_the_paper_opens_with_both_tables_filled_and_a_run_here_takes_the_place_of_its_lines():
    app = open_app("paper")
    assert len(app.get("plotly_chart")) == 7
    assert any("281 printed cells" in each.value for each in app.markdown)
    first, second = html_with(app, "16,015"), html_with(app, "204,823")
    assert first.index("bibtex") < first.index("Wiki10-31K")
    assert second.count("10 of 10") > 40
    assert "here</small>" not in second
    assert "DCP 0.0111 for One missing" in html_with(app, "What checks it")
    run_paper(app)
    second = html_with(app, "204,823")
    assert second.count("2 of 2<br><small>here</small>") == 2
    assert second.count("10 of 10") > 40
    assert len(app.get("download_button")) == 3


def test_runs_of_the_paper_made_before_are_not_made_again_and_both_results_live_side_by_side():
    app = run_paper(open_app("paper", data="emotions"))
    run_paper(app, rows=("random", "optisplit-rld", "is"), n_seeds=1)
    assert html_with(app, "204,823").count("1 of 1<br><small>here</small>") == 3
    app.switch_page(str(ROOT / "pages" / "compare.py")).run()
    assert not app.success  # what was seen on its page is no news on another
    compare(app)
    app.switch_page(str(ROOT / "pages" / "paper.py")).run()
    assert not app.success
    assert html_with(app, "204,823").count("1 of 1<br><small>here</small>") == 3


def test_what_ends_while_another_page_is_looked_at_is_told_there_until_it_was_seen():
    app = open_app("paper", data="emotions")
    press_run_of_paper(app, ("random", "optisplit-rld"), 2)
    app.switch_page(str(ROOT / "pages" / "learn.py")).run()
    wait(app, lambda each: each.success)
    assert app.success[0].value == "The paper's re-run is ready on the page The paper."
    app.switch_page(str(ROOT / "pages" / "paper.py")).run()
    assert not app.success
    app.switch_page(str(ROOT / "pages" / "learn.py")).run()
    assert not app.success


def test_the_authors_file_that_the_user_brings_takes_the_place_of_the_stand_in():
    app = open_app("paper")
    assert "BP (stand-in)" in app.pills(key="paper_data").options
    labels = sp.csr_array(np.random.default_rng(0).integers(0, 2, (200, 8), dtype=np.int8))
    upload(app, "BP_targets.npz", npz_of(labels))
    assert "BP" in app.pills(key="paper_data").options
    assert "BP (stand-in)" not in app.pills(key="paper_data").options


def test_a_split_is_taken_away_in_other_forms():
    app = open_tab(compare(open_app(data="emotions"), ("random",)), "Take away")
    for form in ("json", "predefined", "huggingface", "recipe"):
        app.selectbox(key="take_form").set_value(form).run()
        assert not app.exception
        assert any(each.proto.label == "Download" for each in app.get("download_button"))
    app.selectbox(key="take_form").set_value("files").run()
    app.button(key="make_file").click().run()
    labels = [each.proto.label for each in app.get("download_button")]
    assert any(label.startswith("Download emotions") and label.endswith(".zip") for label in labels)


def test_a_split_of_detection_data_is_taken_away_in_the_form_that_it_came_in():
    app = open_app(data="emotions")
    upload(app, "instances.json", (ROOT / "tests" / "cases" / "given" / "instances.json").read_bytes())
    app.number_input(key="folds").set_value(2).run()
    open_tab(compare(app, ("random",), n_seeds=1), "Take away")
    form = app.selectbox(key="take_form")
    titles = form.options
    assert "A file for each fold, in your own format" in titles
    assert "Your own table, with a column more" not in titles
    form.set_value("files").run()
    app.button(key="make_file").click().run()
    assert not app.exception
    download = next(each for each in app.get("download_button") if each.proto.label.startswith("Download instances"))
    assert ".zip" in download.proto.label
