"""The paper, re-run: its tables, the printed numbers, verdicts, resuming, files."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats

from optisplit import MultilabelDataset, load
from optisplit.cli import main
from optisplit.errors import Cancelled, FormatError, OptionError, SplitWarning
from optisplit.measures.characteristics import properties_of
from optisplit.methods import METHODS
from optisplit.studies.paper.catalogue import FIGURES, PAPER_DATA, ROWS
from optisplit.studies.paper.datasets import Place, find_data, without_constant_labels
from optisplit.studies.paper.printed import Printed, read_printed
from optisplit.studies.paper.reproduction import reproduce
from optisplit.studies.paper.runs import LOG_NAME, PaperRun, RunLog
from optisplit.studies.paper.tables import judge

QUICK = {"data": ["bibtex"], "rows": ["random", "optisplit-rld"], "seeds": range(2)}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("paper")
    return reproduce(out, **QUICK), out


# Table 1


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("bibtex", [7395, 159, 51, 61, 82, 129.5, 1042]),
        ("delicious", [16105, 983, 21, 58, 105, 258, 6495]),
        ("wiki10_31k", [20762, 30938, 2, 2, 3, 6, 16756]),
    ],
)
def test_the_data_that_come_along_are_those_of_table_1(name, wanted):
    found = properties_of(load(name))
    assert found.pop("density") == pytest.approx(load(name).n_positives / (wanted[0] * wanted[1]))
    assert list(found.values()) == wanted


def test_table_1_has_every_data_set_of_the_paper_and_says_which_are_not_at_hand(made):
    table = made[0].table1.set_index("data")
    assert list(table.index) == list(PAPER_DATA)
    assert table.loc["bibtex", "verdict"] == "agrees"
    assert table.loc["delicious", "verdict"] == "not read"
    assert table.loc["mediamill", "verdict"] == "not at hand"
    assert "CC_targets.npz" in table.loc["cc", "why"]
    assert table.loc["bp", "printed rows"] == 666_349
    assert np.isnan(table.loc["bp", "rows"])


def test_a_wrong_data_set_under_the_papers_name_is_found_out():
    place = Place("bibtex", "authors' file", data=load("emotions"))
    result = reproduce(data=["bibtex"], given=[place], rows=["random"], seeds=[0])
    line = result.table1.set_index("data").loc["bibtex"]
    assert line["verdict"] == "differs"
    assert "rows 593, printed 7,395" in line["why"]


# Table 2


def test_table_2_has_means_deviations_and_what_they_are_compared_with(made):
    table = made[0].table2.set_index("row")
    assert list(table.index) == ["random", "optisplit-rld"]
    line = table.loc["optisplit-rld"]
    assert (line["n_done"], line["n_runs"], line["name"]) == (2, 2, "OptiSplit, rLD")
    scores = [run.rld for run in made[0].log if run.row == "optisplit-rld"]
    assert line["rld"] == pytest.approx(np.mean(scores))
    assert line["rld std"] == pytest.approx(np.std(scores, ddof=1))
    assert line["source rld"] == "published code"
    assert line["verdict"] == "agrees"
    assert table.loc["random", "ed"] == 0


def test_every_line_runs_a_method_that_there_is_with_options_that_it_takes():
    for row in ROWS.values():
        METHODS[row.method].check_options(row.options)
    assert {row.method for row in ROWS.values()} <= set(METHODS)
    assert set(FIGURES) == {"ed", "ld", "dcp", "rld", "time_s"}


@pytest.mark.parametrize(
    ("mean", "std", "n_seeds", "verdict"),
    [
        (0.0500, 0.0, 10, "agrees"),
        (0.0520, 0.0, 10, "agrees"),  # 4 % off
        (0.0600, 0.0, 10, "differs"),
        (0.0550, 0.0035, 10, "agrees"),  # t(9) = 3.250, times sqrt(1/10 + 1/10): 1.453 deviations of 0.0035 are 0.0051
        (0.0550, 0.0034, 10, "differs"),
        (0.0600, 0.0016, 3, "agrees"),  # t(2) = 9.925, times sqrt(1/3 + 1/10): 6.53 deviations
        (0.0600, 0.0015, 3, "differs"),
        (0.0400, 0.001, 10, "better"),
        (0.0400, float("nan"), 1, "better"),
    ],
)
def test_verdicts(mean, std, n_seeds, verdict):
    assert judge(mean, std, n_seeds, Printed(0.05, 0.0005, "article")) == verdict


def test_a_number_of_a_single_run_says_less():
    assert judge(0.06, 0.0029, 10, Printed(0.05, 0.0005, "published code", 1)) == "differs"
    assert judge(0.06, 0.0030, 10, Printed(0.05, 0.0005, "published code", 1)) == "agrees"  # 3.41 deviations


def test_the_deviation_of_the_other_counts_where_it_is_known():
    """Welch: t of (s1²/n1 + s2²/n2)² / (s1⁴/n1²(n1 - 1) + s2⁴/n2²(n2 - 1)) degrees of freedom."""
    result = stats.ttest_ind_from_stats(0.06, 0.001, 3, 0.05, 0.009, 10, equal_var=False)
    assert 0.005 < result.pvalue < 0.01
    assert judge(0.06, 0.001, 3, Printed(0.05, 0.0005, "published code", 10, 0.009)) == "differs"
    result = stats.ttest_ind_from_stats(0.06, 0.001, 3, 0.05, 0.0098, 10, equal_var=False)
    assert 0.01 < result.pvalue < 0.02
    assert judge(0.06, 0.001, 3, Printed(0.05, 0.0005, "published code", 10, 0.0098)) == "agrees"


def test_half_a_printed_digit_is_no_difference():
    assert judge(0.0049, 0.0, 10, Printed(0.0, 0.005, "article")) == "agrees"


def test_stand_ins_are_named_and_never_judged(tmp_path):
    labels = np.random.default_rng(0).random((400, 12)) < 0.2
    sp.save_npz(tmp_path / "go_scale_bp.npz", sp.csr_matrix(labels.astype(np.int8)))
    result = reproduce(data=["bp"], folder=tmp_path, rows=["optisplit-rld", "ss"], seeds=[0])
    assert set(result.table2["verdict"]) == {"other data"}
    assert set(result.table2["title"]) == {"BP (stand-in)"}
    assert result.table1.set_index("data").loc["bp", "verdict"] == "other data"


def test_the_authors_files_are_found_before_stand_ins_and_cleaned_as_they_do(tmp_path):
    labels = np.array([[1, 1, 0, 0], [1, 0, 0, 1], [1, 1, 0, 0], [1, 0, 0, 1]], dtype=np.int8)
    for name in ("go_scale_cc.npz", "CC_targets.npz"):
        sp.save_npz(tmp_path / name, sp.csr_matrix(labels))
    place = find_data(tmp_path)["cc"]
    assert (place.origin, place.path.name) == ("authors' file", "CC_targets.npz")
    data = place.load()
    assert data.labels.toarray().tolist() == labels[:, [1, 3]].tolist()
    assert data.label_names == ("label 1", "label 3")
    assert "Left out, as the authors' code does: 2 labels on no row" in data.notes[-1]


def test_mediamill_is_read_with_its_last_101_columns(tmp_path):
    names = [f"a{i}" for i in range(3)] + [f"l{i}" for i in range(101)]
    head = "@relation m\n" + "".join(f"@attribute {n} {'numeric' if n[0] == 'a' else '{0,1}'}\n" for n in names)
    rows = "".join(",".join(["0.5"] * 3 + [str((r + c) % 2) for c in range(101)]) + "\n" for r in range(6))
    (tmp_path / "mediamill.arff").write_text(f"{head}@data\n{rows}")
    data = find_data(tmp_path)["mediamill"].load()
    assert data.labels.shape == (6, 101)
    assert data.label_names[0] == "l0"


def test_classes_on_more_than_half_of_the_rows_are_spoken_of_where_they_matter():
    labels = np.random.default_rng(0).random((200, 4)) < [0.9, 0.2, 0.2, 0.1]
    data = without_constant_labels(load("emotions"))
    assert data is load("emotions") or data.n_labels == 6
    place = Place("cc", "authors' file", data=MultilabelDataset.from_labels(labels))
    result = reproduce(data=["cc"], given=[place], rows=["optisplit-rld", "random"], seeds=[0])
    why = result.table2.set_index("row")["why"]
    assert "turns label 0 round" in why["optisplit-rld"]
    assert "turns label 0 round" not in why["random"]


def test_a_file_that_is_read_already_is_cleaned_as_the_others_are():
    labels = np.column_stack([np.arange(10) < 4, np.ones(10), np.zeros(10)]).astype(np.int8)
    place = Place("cc", "authors' file", data=MultilabelDataset.from_labels(labels))
    result = reproduce(data=["cc"], given=[place], rows=["random"], seeds=[0])
    assert result.table1.set_index("data").loc["cc", "labels"] == 1
    assert result.table2["n_done"].tolist() == [1]


def test_the_papers_is_stands_beside_the_true_algorithm():
    result = reproduce(data=["bibtex"], rows=["skml-is", "is"], seeds=[0])
    table = result.table2.set_index("row")
    assert "does not take the rarest label first" in table.loc["skml-is", "why"]
    assert "times that of IS (as published)" in table.loc["skml-is", "why"]
    assert table.loc["is", "rld"] < 0.6 * table.loc["skml-is", "rld"]


# Printed numbers


def test_more_printed_numbers_from_a_file_count_before_the_known_ones(tmp_path):
    path = tmp_path / "article.csv"
    path.write_text("table,data,row,figure,value\n2,bibtex,random,rld,0.168\n2,bibtex,optisplit-rld,rld,0.0011\n")
    numbers = read_printed(path)
    given = numbers[2, "bibtex", "random", "rld"]
    assert (given.value, given.precision, given.source, given.n_seeds) == (0.168, 0.0005, "article", 10)
    result = reproduce(**{**QUICK, "seeds": range(6)}, printed=path)
    assert result.table2.set_index("row")["verdict"].to_dict() == {"random": "agrees", "optisplit-rld": "differs"}
    with path.open("rb") as file:
        assert list(read_printed(file)) == list(numbers)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data,row\n", "has no column .table., .figure., .value.; it needs"),
        ("table,data,row,figure,value\n2,bibtex,random,rld,much\n", "line 2: table, value, seeds and std must be"),
        ("table,data,row,figure,value\n2,bibtex,random,rdl,1\n", "line 2: figure must be one of"),
        ("table,data,row,figure,value\n2,bibtexx,random,rld,1\n", "line 2: data must be one of"),
        ("table,data,row,figure,value\n3,bibtex,random,rld,1\n", "line 2: table must be one of 1, 2"),
        ("table,data,row,figure,value\n2,bibtex,random,rld,-1\n", "line 2: value must be a number from 0"),
        ("table,data,row,figure,value\n2,bibtex\n", "line 2: table, value, seeds and std must be numbers"),
    ],
)
def test_bad_printed_numbers_are_refused_with_their_line(text, message):
    with pytest.raises(FormatError, match=message):
        read_printed(io.BytesIO(text.encode()))


def test_a_file_of_printed_numbers_that_is_not_there_is_said():
    with pytest.raises(OptionError, match=r"There is no file 'nowhere\.csv'"):
        read_printed("nowhere.csv")


# Going on


def test_runs_that_are_there_are_not_made_again(made, monkeypatch):
    first, out = made
    monkeypatch.setattr("optisplit.studies.paper.runs.compare", None)
    again = reproduce(out, **QUICK)
    assert again.table2.drop(columns="why").equals(first.table2.drop(columns="why"))
    assert reproduce(**QUICK, before=first).n_done == 4


def test_a_cancel_keeps_what_was_done_and_the_next_call_goes_on(tmp_path):
    def stop_at_half(progress):
        if progress.fraction >= 0.5:
            raise Cancelled

    part = reproduce(tmp_path, **QUICK, on_progress=stop_at_half)
    assert not part.is_complete
    assert 0 < part.n_done < 4
    assert "ended early" in (tmp_path / "paper.html").read_text()
    lines = (tmp_path / LOG_NAME).read_text().splitlines()
    assert len(lines) == part.n_done
    whole = reproduce(tmp_path, **QUICK)
    assert whole.is_complete
    assert whole.n_done == 4
    assert (tmp_path / LOG_NAME).read_text().splitlines()[: len(lines)] == lines


def run_of(**changes):
    return PaperRun(**{"data": "bibtex", "digest": "d", "row": "ss", "seed": 0, "status": "done", **changes})


def test_a_last_line_cut_short_is_dropped_and_any_other_damage_is_said(tmp_path):
    path = tmp_path / LOG_NAME
    log = RunLog(path)
    log.add([run_of(), run_of(seed=1)])
    whole = path.read_text()
    path.write_text(whole + whole[:40])
    assert [run.seed for run in RunLog(path)] == [0, 1]
    assert path.read_text() == whole
    path.write_text("{}\n" + whole)
    with pytest.raises(FormatError, match="line 1 is not a run"):
        RunLog(path)


@pytest.mark.parametrize(
    ("run", "limit", "settles"),
    [
        (run_of(), 1.0, True),
        (run_of(status="failed"), 1.0, False),
        (run_of(status="over time", limit_s=10.0), 10.0, True),
        (run_of(status="over time", limit_s=10.0), 20.0, False),
        (run_of(status="over time", limit_s=10.0), None, False),
    ],
)
def test_which_runs_need_not_be_made_again(run, limit, settles):
    assert run.settles(limit) is settles


def test_a_method_over_its_limit_is_not_tried_with_the_next_seed(tmp_path):
    with pytest.warns(SplitWarning, match="will be stopped after 0.5 s"):
        result = reproduce(tmp_path, data=["delicious"], rows=["skml-is"], seeds=range(6), time_limit_s=0.5)
    line = result.table2.iloc[0]
    assert (line["n_done"], line["verdict"]) == (0, "not done")
    assert "0.5" in line["why"]
    assert len((tmp_path / LOG_NAME).read_text().splitlines()) < 6


# What cannot be


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"data": ["bibtx"]}, "bibtex"),
        ({"data": ["mediamill"]}, "mediamill is not at hand.*mediamill.arff"),
        ({"rows": ["iss"]}, "line of Table 2"),
        ({"rows": []}, "at least one line"),
        ({"seeds": []}, "at least one"),
        ({"seeds": [-1]}, "whole numbers from 0"),
        ({"folder": "no such folder"}, "no folder 'no such folder'"),
    ],
)
def test_bad_arguments_are_said(given, message):
    with pytest.raises(OptionError, match=message):
        reproduce(**{**QUICK, **given})


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="cannot be written to"):
        reproduce(tmp_path / "file" / "out", **QUICK)


# Files


def test_the_folder_has_tables_figures_and_one_page_that_needs_no_network(made):
    out = made[1]
    names = {path.name for path in out.iterdir()}
    assert names == {
        "table1.csv", "table2.csv", "synthetic.csv", "paper.html", "figure_ld.html", "figure_rld.html",
        "figure_dcp.html", "plotly.min.js", LOG_NAME,
    }  # fmt: skip
    page = (out / "paper.html").read_text()
    assert page.count("<svg xmlns") == 3
    assert 'src="http' not in page
    assert "OptiSplit, rLD" in page
    assert "scikit-multilearn 0.2.0" in page
    assert "turns label 0 round" in page


def test_names_in_the_page_are_escaped(made):
    table = made[0].table2.assign(why="<script>alert(1)</script>")
    import dataclasses

    page = dataclasses.replace(made[0], table2=table).html()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_on_the_command_line(tmp_path, capsys):
    arguments = ["paper", "--out", str(tmp_path / "out"), "--data", "bibtex", "--rows", "random", "--seeds", "2"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert "Random" in printed.out
    assert "paper.html" in printed.err
    runs = [json.loads(line) for line in (tmp_path / "out" / LOG_NAME).read_text().splitlines()]
    assert [run["seed"] for run in runs] == [0, 1]
    assert main([*arguments[:4], "nothing"]) == 2
    assert "data set of the paper" in capsys.readouterr().err
