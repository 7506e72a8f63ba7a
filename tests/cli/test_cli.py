from __future__ import annotations

import dataclasses
import gzip
import io
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import optisplit
from optisplit import check_split, cli, evaluate, find_missing_labels, label_pairs, load, read_split, repair, split
from optisplit.cli import options, terminal
from optisplit.cli.constraints import read_fixed, read_groups
from optisplit.cli.parser import parse
from optisplit.cli.spelling import in_options
from optisplit.errors import FoldAssignmentError, FormatError, OptionError, PeerError
from optisplit.folds.arrays import folds_to_csv
from optisplit.folds.constraints import check_constraints
from optisplit.labels import MultilabelDataset
from optisplit.methods import METHODS
from optisplit.text import percent

ROOT = Path(__file__).parents[2]
NONE_MISSING = "Missing labels: none; every label that has positives is in every fold.\n"
GROUPS = [f"p{row * row % 89}" for row in range(593)]


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = cli.main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,b\n" + "1,0\n0,1\n1,1\n0,0\n" * 3)
    return path


@pytest.fixture
def groups(tmp_path):
    """A file with a group for each row of emotions, in another order."""
    path = tmp_path / "groups.csv"
    lines = [f"{row},{row % 7},{group}" for row, group in enumerate(GROUPS)]
    path.write_text("\n".join(["row,other,group", *reversed(lines), ""]))
    return path


@pytest.fixture
def fixed(tmp_path):
    """A file that fixes some rows of emotions: two in each fold, five in training."""
    path = tmp_path / "fixed.txt"
    path.write_text("".join(f"{place}\n" for place in [*[0, 1, 2, 3, 4] * 2, *[-1] * 5, *[""] * 578]))
    return path


FIXED = np.array([*[0, 1, 2, 3, 4] * 2, *[-1] * 5, *[-2] * 578])


def test_info(run):
    code, out, err = run("info", "emotions")
    assert (code, err) == (0, "")
    data = load("emotions")
    lines = out.splitlines()
    assert lines[0] == f"emotions: 593 rows x 6 labels, {data.n_positives:,} positives"
    assert lines[1] == f"labels per row: {data.n_positives / 593:.2f}"
    assert lines[2] == "rows per label: 148 to 264, median 170.5"
    assert lines[3:5] == ["", "how the file was read:"]
    entries = [f"  {title}: {what}" for title, what in data.reading.entries.items()]
    assert lines[5 : lines.index("", 5)] == [
        line for line in entries if not line.startswith(("  Rows: ", "  Labels: ", "  Labels per row"))
    ]
    assert "  Labels chosen by: 6 of 78 columns are labels: those named in 'emotions.xml'." in lines


def test_info_shows_what_was_understood_and_the_first_rows(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    path = tmp_path / "scans.csv"
    path.write_text("File Name,Findings,note\n" + "".join(
        f"s{row}.png,{'Mass|Edema' if row % 2 else 'Mass'},{'long text ' * 12}\n" for row in range(12)
    ))  # fmt: skip
    _, out, _ = run("info", str(path))
    lines = out.splitlines()
    understood = lines[lines.index("what was understood, as the options that change it:") + 1 :]
    assert any(line.startswith("  --key 'File Name'  (") for line in understood)
    assert "  --label-separator '|'" in "\n".join(understood)
    at = lines.index("first rows as read:")
    assert lines[at + 1].split("  ")[1:3] == ["Row", "File Name"]
    assert all(len(line) <= 60 for line in lines[at : at + 12])
    assert lines[at + 3].split()[:3] == ["1", "s1.png", "Mass,"]
    assert lines[at + 12] == "  Not labels: 'note'."
    _, out, _ = run("info", str(path), "--json")
    told = json.loads(out)
    assert [row["name"] for row in told["preview"]["rows"]] == [f"s{row}.png" for row in range(10)]
    key = next(each for each in told["guesses"] if each["option"] == "key")
    assert (key["flag"], key["value"], key["sure"]) == ("--key", "File Name", True)
    _, out, _ = run("info", str(path), "--key", "")
    assert "  --key ''" in out.splitlines()


def test_split_to_standard_output(run):
    code, out, err = run("split", "emotions", "-k", "3", "--seed", "4")
    folds = split(load("emotions"), 3, random_state=4)
    assert code == 0
    assert out == folds_to_csv(folds)
    assert err == f"{evaluate(load('emotions'), folds)}\n{NONE_MISSING}"


@pytest.mark.parametrize("name", ["folds.csv", "folds.npz"])
def test_split_to_a_file(run, tmp_path, name):
    code, out, _ = run("split", "emotions", "--measure", "dcp", "-o", tmp_path / name)
    assert (code, out) == (0, "")
    wanted = split(load("emotions"), 5, measure="dcp", random_state=0)
    np.testing.assert_array_equal(read_split(tmp_path / name, load("emotions")).folds, wanted)
    assert b"\r" not in (tmp_path / name).read_bytes() or name.endswith("npz")


def test_split_by_another_method(run):
    _, out, _ = run("split", "emotions", "--method", "random")
    assert out == folds_to_csv(split(load("emotions"), 5, method="random", random_state=0))


@pytest.mark.parametrize(("data", "name"), [("emotions", "folds.csv"), ("go_human_cc", "folds.npz")])
def test_check(run, tmp_path, name, data):
    run("split", data, "--method", "random", "-o", tmp_path / name)
    code, out, err = run("check", data, "--folds", tmp_path / name)
    assert code == (1 if data == "go_human_cc" else 0)  # labels are missing from folds where they could be
    assert [line.partition(" ")[0] for line in err.splitlines()] == ["note:"] * 3
    assert ("Rows were compared in 72 columns" in err, "Rows were not compared" in err) == (
        (True, False) if data == "emotions" else (False, True)
    )
    folds = split(load(data), 5, method="random", random_state=0)
    missing = find_missing_labels(load(data), folds)
    assert out.startswith(f"{evaluate(load(data), folds)}\nMissing labels: ")
    check = check_split(load(data), folds)
    lines = out.splitlines()[2 + min(len(missing), 5) + (len(missing) > 5) :]
    assert lines[0] == "Of 200 random splits with the same part sizes:"
    rld = check.random["rld"]
    spread = f"(mean {rld.mean:.4g}, 5 % to 95 %: {rld.low:.4g} to {rld.high:.4g})"
    assert lines[1].split() == ["rLD", f"{rld.value:.4g}:", *f"{rld.place} {spread}".split()]
    assert [line.split()[0] for line in lines[1:6]] == ["rLD", "DCP", "LD", "FZ", "FLZ"]
    assert lines[-1] == f"Verdict: {check.verdict.sentence}"
    short = run("check", data, "--folds", tmp_path / name, "--no-random")[1]
    assert "random splits with" not in short


def test_check_of_pairs(run, tmp_path):
    run("split", "emotions", "--method", "random", "-o", tmp_path / "folds.csv")
    _, out, _ = run("check", "emotions", "--folds", tmp_path / "folds.csv", "--pairs", "--no-random")
    folds = pd.read_csv(tmp_path / "folds.csv")["fold"].to_numpy()
    pairs = evaluate(label_pairs(load("emotions"), min_rows=2), folds)
    (line,) = [line for line in out.splitlines() if line.startswith("Pairs: ")]
    assert f"{len(pairs.label_names)} pairs" in line
    assert f"rLD {pairs.rld:.4g} (bound {pairs.rld_bound:.4g})" in line


def test_check_with_faults_and_a_report(run, tmp_path, table):
    (tmp_path / "parts.csv").write_text("row_id,split\n" + "".join(f"{row},train\n" for row in range(9)) + "9,test\n")
    (tmp_path / "folds.json").write_text("[[1, 2, 3, 4, 5, 6, 6], [6, 7, 8, 9, 10, 12]]")
    given = ("check", table, "--folds", tmp_path / "folds.json")
    code, out, err = run(*given, "--report", tmp_path / "check.html")
    assert code == 1
    assert "rows are numbered from 1" in err
    lines = out.splitlines()
    says = "row is in no part (row numbers from 0: 10). Put such rows in a part, or take them out of the data."
    assert f"Fault: 1 {says}" in lines
    assert any(line.startswith("Fault: 1 row is in two or more test folds") for line in lines)
    assert any(line.startswith("To look at: 1 row is named more than once") for line in lines)
    assert lines[-1] == (
        "Verdict: Faulty. 1 row is in no part (row numbers from 0: 10). Also: rows in two parts (1). Repair it, and "
        "see what is left."
    )
    assert (tmp_path / "check.html").read_text().startswith("<!doctype html>")
    _, out, _ = run(*given, "--rows", "0")
    assert "Fault: 1 entry of folds.json names no row of the data: '12'." in out
    _, out, err = run("check", table, "--folds", f"{tmp_path / 'parts.csv'}:split")
    assert "Models are trained on 'train' and tested on the other." in err
    assert "Fault: 2 rows are in no part" in out


def test_check_and_repair_a_column_of_the_datas_own_table(run, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("id,a,part,b\n" + "".join(f"r{row},{row // 6},{'xy'[row // 6]},{row % 2}\n" for row in range(12)))
    given = ("--label-columns", "a,b", "--column", "part")
    _, out, _ = run("check", path, *given)
    assert "Verdict: Faulty." in out.splitlines()[-1]
    assert "cannot be tested" in out.splitlines()[-1]
    code, out, _ = run("repair", path, *given)
    assert code == 0
    written = pd.read_csv(io.StringIO(out))
    assert written.drop(columns="part").equals(pd.read_csv(path).drop(columns="part"))
    assert written.groupby("part")[["a", "b"]].sum().to_numpy().tolist() == [[3, 3], [3, 3]]


def test_check_and_repair_two_files(run, tmp_path):
    for name, rows in (("x-train.csv", range(12)), ("x-test.csv", range(12, 18))):
        lines = [f"{row / 7:.3f},{int(row >= 12)},{row % 2}\n" for row in rows]
        (tmp_path / name).write_text("f,a,b\n" + "".join(lines))
    given = ("--train", tmp_path / "x-train.csv", "--test", tmp_path / "x-test.csv", "--label-columns", "2")
    code, out, _ = run("check", *given)
    assert code == 1
    assert (
        "Verdict: Faulty. 1 of 2 labels is missing from parts that should have it (train): 'a'. Also: positives" in out
    )
    assert "Untrainable: 1 label has no positive" in out
    code, _, _ = run("repair", *given, "-o", tmp_path / "better.zip")
    assert code == 0
    with zipfile.ZipFile(tmp_path / "better.zip") as archive:
        assert archive.namelist() == ["x-train-repaired.csv", "x-test-repaired.csv"]
        test = pd.read_csv(archive.open("x-test-repaired.csv"))
    assert (len(test), test["a"].sum()) == (6, 2)


def test_repair_writes_the_form_that_came_in(run, tmp_path, table):
    (tmp_path / "folds.json").write_text('{"folds": [[0, 4, 8, 1, 5, 9], [2, 6, 10, 3, 7, 11]], "by": "hand"}')
    given = ("repair", table, "--folds", tmp_path / "folds.json")
    _, out, _ = run(*given)
    assert json.loads(out)["by"] == "hand"
    run(*given, "-o", tmp_path / "better.json")
    assert (tmp_path / "better.json").read_text() == out
    run(*given, "-o", tmp_path / "better.csv")
    folds = pd.read_csv(tmp_path / "better.csv")["fold"].to_numpy()
    assert [sorted(np.flatnonzero(folds == fold)) for fold in (0, 1)] == [*map(sorted, json.loads(out)["folds"])]


def test_a_file_of_ones_own(run, table):
    code, out, _ = run("info", table)
    assert code == 0
    assert out.startswith("labels: 12 rows x 2 labels, 12 positives\n")
    code, out, _ = run("split", table, "-k", "3")
    assert (code, len(out.splitlines())) == (0, 13)


def test_compare(run, tmp_path):
    code, out, err = run(
        "compare", "emotions", "--methods", "random,optisplit", "--seeds", 2, "-k", 4, "-o", tmp_path / "table.csv"
    )
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "GOOD"
    assert lines[1].startswith("The best split is that of OptiSplit (seed ")
    assert lines[2].startswith("The best of 2 random splits spreads the labels ")
    board = next(at for at, line in enumerate(lines) if line.split()[:2] == ["Method", "Grade"])
    assert [line.split()[0] for line in lines[board + 1 : board + 3]] == ["OptiSplit", "Random"]
    lines = lines[lines.index("Means over the seeds:") + 1 :]
    assert " ".join(lines[0].split()) == (
        "rld rld_bound dcp dcp_bound ld ed fz flz flz_bound beyond_rounding beyond_rounding_bound "
        "rare_shares rare_shares_bound row_shape row_shape_bound time_s runs"
    )
    assert [line.split()[0] for line in lines[2:]] == ["random", "optisplit"]
    written = pd.read_csv(tmp_path / "table.csv")
    wanted = optisplit.compare(load("emotions"), ["random", "optisplit"], 4, seeds=range(2)).table
    texts = ["time_s", "unfair", "reason"]  # an empty text is read as no value
    pd.testing.assert_frame_equal(written.drop(columns=texts), wanted.drop(columns=texts), check_dtype=False)
    assert written["unfair"].isna().tolist() == (wanted["unfair"] == "").tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "emotion"], "Unknown data set 'emotion'"),
        (["info", "no/such.arff"], "no/such.arff"),
        (["split", "emotions", "-k", "1"], "-k 1 makes no split; use -k >= 2."),
        (["split", "emotions", "-k", "600"], "-k 600 exceeds the number of rows, 593; use -k <= 593."),
        (["split", "emotions", "--method", "nothing"], "Unknown method 'nothing'"),
        (["split", "emotions", "--method", "random", "--measure", "ld"], "takes no option '--measure'"),
        (["split", "emotions", "--seed", "-1"], "--seed must be a whole number from 0"),
        (["split", "emotions", "-o", "no/such/folder.csv"], "no/such/folder.csv cannot be written: No such file"),
        (["split", "emotions", "-o", "no/such/folder.npz"], "no/such/folder.npz cannot be written: No such file"),
        (["check", "emotions", "--folds", "no.csv"], "There is no file 'no.csv'"),
        (["check", "emotions", "--column", "fold"], "is ARFF"),
        (["split", "emotions", "--fold-sizes", "0.8,0.1,x"], "such as 0.8,0.1,0.1; got '0.8,0.1,x'"),
        (["split", "emotions", "--fold-sizes", "0.8,0.1"], "[0.8, 0.1] add up to 0.9; shares must add up to 1"),
        (["split", "emotions", "--fold-sizes", "80,20"], "add up to 100, but there are 593 rows"),
        (
            ["split", "emotions", "--fold-sizes", "0.8,0.2", "-k", "3"],
            "sizes has 2 entries, but -k 3; leave -k out",
        ),
        (["split", "emotions", "--groups", "no.csv"], "There is no file 'no.csv'"),
        (["split", "emotions", "--fixed", "no.csv:place"], "There is no file 'no.csv:place'"),
        (["split", "emotions", "--method", "random", "--pairs"], "takes no option '--pairs'"),
        (["split", "emotions", "--method", "optisplit", "--rare", "cover"], "takes no option '--rare'"),
        (["split", "emotions", "--missing-labels", "no/such/a.csv"], "no/such/a.csv cannot be written: No such file"),
        (["split", "emotions", "-o", "."], ". cannot be written: Is a directory"),
        (["repair", "emotions", "--folds", "no.csv"], "There is no file 'no.csv'"),
        (
            ["compare", "emotions", "--fold-sizes", "0.5,0.5", "--methods", "optisplit"],
            "takes no option '--fold-sizes'",
        ),
        (["compare", "emotions", "--methods", "random,,"], "Unknown method ''"),
        (["compare", "emotions", "--seeds", "0"], "at least one method and one seed"),
        (["compare", "emotions", "--time-limit", "-1"], "--time-limit must be a positive number"),
    ],
)
def test_bad_input(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    first, *hint = err.rstrip("\n").split("\n")
    assert first.startswith("optisplit: ")
    assert message in first
    assert all(line.startswith("Hint: ") for line in hint)


def test_folds_of_other_data(run, tmp_path, table):
    run("split", table, "-k", "3", "-o", tmp_path / "folds.csv")
    code, out, _ = run("check", "emotions", "--folds", tmp_path / "folds.csv")
    assert code == 1
    assert out.splitlines()[-1].startswith("Verdict: Faulty. 581 rows are in no part")
    (tmp_path / "folds.txt").write_text("0\n1\n" * 6)
    code, _, err = run("check", "emotions", "--folds", tmp_path / "folds.txt")
    assert code == 2
    assert "folds.txt has 12 lines, but the data has 593 rows" in err


def test_labels_that_are_not_binary(run, tmp_path):
    np.savez(tmp_path / "bad.npz", Y=np.array([[0, 2], [1, 0]]))
    code, out, err = run("info", tmp_path / "bad.npz")
    assert (code, out) == (2, "")
    assert err.startswith("optisplit: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], ": the following arguments are required: COMMAND."),
        (["chek"], ": 'chek' is no command; choose from info, split, check, repair, compare, convert, paper, app. "
         "Did you mean 'check'?"),
        (["fly"], ": 'fly' is no command; choose from info, split, check, repair, compare, convert, paper, app."),
        (["info"], " info: the following arguments are required: DATA."),
        (["info", "emotions", "yeast"], " info: 'yeast' is one argument too many."),
        (["split", "emotions", "-k", "x"], " split: argument -k/--n-splits: invalid int value: 'x'."),
        (["split", "emotions", "--sead", "1"], " split: There is no option '--sead'. Did you mean '--seed'?"),
        (["split", "emotions", "--n-split", "3"], " split: There is no option '--n-split'. Did you mean '--n-splits'?"),
        (["split", "emotions", "--zzz=1"], " split: There is no option '--zzz'."),
        (["split", "emotions", "--measure", "rdl"], " split: 'rdl' is no value of --measure; choose from rld, dcp, ld. "
         "Did you mean 'rld'?"),
        (["split"], " split: the following arguments are required: DATA (or --recipe)."),
        (["split", "emotions", "--if-different", "warn"], " split: --if-different goes with --recipe."),
        (["split", "--recipe", "r.json", "--seed", "0"], " split: --seed does not go with --recipe, which says so "
         "itself."),
        (["split", "emotions", "--json", "-o", "-"], " split: with --json the document goes to standard output; give a "
         "file with -o."),
        (["split", "emotions", "--fold-pairs"], " split: --fold-pairs goes with the form files."),
        (["split", "emotions", "--name", "x"], " split: --name is for data from standard input."),
        (["check", "emotions"], " check: give the split: one of --folds, --part, --column, or --train with --test."),
        (["check", "--folds", "f.csv"], " check: the following arguments are required: DATA."),
        (["check", "-", "--folds", "-"], " check: only one of the data and --folds can come from standard input."),
        (["check", "--train", "a"], " check: --train and --test go together, and in place of DATA."),
        (["check", "--train", "a", "--test", "b", "--name", "x"], " check: --name does not go with --train and "
         "--test."),
        (["repair", "x", "--train", "a", "--test", "b"], " repair: --train and --test go together, and in place of "
         "DATA."),
        (["check", "x", "--column", "a", "--folds", "b"], " check: give the split: one of --folds, --part, --column, "
         "or --train with --test."),
        (["check", "x", "--folds", "f", "--max-rld", "-1"], " check: argument --max-rld: '-1' is no number from 0."),
        (["check", "x", "--folds", "f", "--max-rld", "nan"], " check: argument --max-rld: 'nan' is no number from 0."),
        (["check", "x", "--folds", "f", "--max-untrainable", "0.5"], " check: argument --max-untrainable: '0.5' is no "
         "whole number from 0."),
        (["--json", "info", "x"], ": '--json' stands before the command; its options come after it."),
        (["--seed", "1", "split", "x"], ": '--seed' stands before the command; its options come after it."),
        (["check", "x", "--folds", "f", "--measure", "dcp"], " check: --measure goes with --max-excess."),
        (["convert", "emotions"], " convert: give the format with --to, or a file whose ending tells it with -o."),
        (["convert", "emotions", "--json"], " convert: with --json the document goes to standard output; give a file "
         "with -o."),
        (["convert", "emotions", "-o", "x.csv", "--form", "csv"], " convert: --form is for a split; give one with "
         "--folds."),
        (["convert", "emotions", "--folds", "f", "--to", "csv"], " convert: --to is for labels, not for a split."),
    ],
)  # fmt: skip
def test_bad_usage(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, bool(out)) == (2, "--json" in arguments)
    prog = f"optisplit{message.partition(':')[0]}"
    assert err == f"optisplit{message}\nSee: {prog} --help\n"


def test_interrupting(run, monkeypatch):
    def interrupt(options, answer):
        raise KeyboardInterrupt

    monkeypatch.setattr("optisplit.cli.info.run", interrupt)
    assert run("info", "emotions") == (130, "", "\noptisplit: interrupted\n")


@pytest.mark.parametrize("sizes", ["0.7,0.2,0.1", "415,119,59"])
def test_split_into_parts_of_given_sizes(run, tmp_path, sizes):
    code, _, err = run("split", "emotions", "--fold-sizes", sizes, "-o", tmp_path / "parts.csv")
    assert code == 0
    parts = pd.read_csv(tmp_path / "parts.csv")["fold"].to_numpy()
    assert np.bincount(parts).tolist() == [415, 119, 59]
    shares = check_constraints(593, fold_sizes=[0.7, 0.2, 0.1]).shares
    assert err == f"{evaluate(load('emotions'), parts, shares=shares)}\n{NONE_MISSING}"
    _, out, _ = run("check", "emotions", "--folds", tmp_path / "parts.csv", "--fold-sizes", sizes)
    assert out.startswith(err)
    assert run("split", "emotions", "-k", 3, "--fold-sizes", sizes)[1] == folds_to_csv(parts)


def test_split_with_groups_and_fixed_rows(run, groups, fixed):
    code, out, err = run("split", "emotions", "--groups", groups, "--effort", "quick")
    assert code == 0
    assert out == folds_to_csv(split(load("emotions"), groups=GROUPS, effort="quick", random_state=0))
    n_groups = len(set(GROUPS))
    wanted = f"note: groups.csv: column 'group', {BY_NUMBER}; {n_groups} groups."
    assert err.splitlines()[0] == wanted
    code, out, err = run("split", "emotions", "--fixed", fixed, "--effort", "quick")
    assert code == 0
    assert out == folds_to_csv(split(load("emotions"), fixed=FIXED, effort="quick", random_state=0))
    wanted = "fixed.txt: one a line, in the order of the rows; 15 rows are fixed, 5 of them always in training."
    assert err.splitlines()[0] == f"note: {wanted}"


def test_split_with_pairs_and_without_covering(run):
    _, out, err = run("split", "enron", "--pairs", "--rare", "score", "--effort", "quick")
    data = load("enron")
    folds = split(data, balance_pairs=True, rare="score", effort="quick", random_state=0)
    assert out == folds_to_csv(folds)
    pairs = label_pairs(data, min_rows=2)
    score = f"rLD {evaluate(pairs, folds).rld:.4g} (bound {evaluate(pairs, folds).rld_bound:.4g})"
    line = f"Pairs: {pairs.n_labels} pairs of labels that occur together in at least 2 rows: {score}"
    assert err.splitlines()[-1] == line


def test_the_old_name_of_rare_still_works(run):
    code, out, err = run("split", "medical", "--no-cover-rare", "--effort", "quick")
    assert code == 0
    assert err.startswith("note: --no-cover-rare is called --rare score since 0.4.0; the old name goes in 0.5.0.\n")
    assert (out, err.split("\n", 1)[1]) == run("split", "medical", "--rare", "score", "--effort", "quick")[1:]
    code, _, err = run("split", "medical", "--no-cover-rare", "--rare", "cover")
    assert code == 2
    assert "--no-cover-rare is --rare score, which contradicts --rare cover" in err


NOT_FOUND = r"where they should be, but no way was found"


@pytest.mark.parametrize(
    ("rare", "sought"),
    [
        ("cover", rf"\d+ {NOT_FOUND}"),
        ("score", r"\d+ with too few rows for their share there, \d+ where they should be"),
        (None, rf"\d+ with too few rows for their share there, \d+ {NOT_FOUND}"),
    ],
)
def test_missing_labels_by_what_was_asked_for_rare_ones(run, rare, sought):
    typed = [] if rare is None else ["--rare", rare]
    _, _, err = run("split", "medical", "--fold-sizes", "0.8,0.1,0.1", "--effort", "quick", *typed)
    assert re.search(rf" times in all: 24 unavoidable, {sought}\.\n", err)


def test_compare_takes_rare_for_the_methods_that_have_it(run):
    typed = ("compare", "medical", "--fold-sizes", "0.8,0.2", "--seeds", "1", "--methods", "random,optisplit-sa")
    told = [json.loads(run(*typed, "--rare", rare, "--json")[1])["runs"] for rare in ("cover", "score")]
    compared = [
        optisplit.compare(load("medical"), ["optisplit-sa"], fold_sizes=[0.8, 0.2], seeds=[0],
                          options={"optisplit-sa": {"rare": rare}}).table["rld"][0]
        for rare in ("cover", "score")
    ]  # fmt: skip
    assert [runs[1]["rld"] for runs in told] == compared
    assert compared[0] > compared[1]
    assert told[0][0]["rld"] == told[1][0]["rld"]


def test_pairs_where_there_are_none(run, tmp_path):
    (tmp_path / "labels.csv").write_text("a,b\n" + "1,0\n0,1\n" * 4)
    assert "Pairs: 0 pairs" in run("split", tmp_path / "labels.csv", "-k", 2, "--pairs")[2]


def test_missing_labels(run, tmp_path):
    code, _, err = run("split", "enron", "-o", tmp_path / "folds.csv", "--missing-labels", tmp_path / "missing.csv")
    data, folds = load("enron"), pd.read_csv(tmp_path / "folds.csv")["fold"].to_numpy()
    missing = find_missing_labels(data, folds)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "missing.csv"), missing, check_dtype=False)
    n_missing, n_unavoidable = missing["n_missing"].sum(), missing["n_unavoidable"].sum()
    assert code == 0
    assert err.splitlines()[1] == (
        f"Missing labels: {len(missing)} labels are missing from at least one fold, {n_missing} times in all: "
        f"{n_unavoidable} unavoidable, {n_missing - n_unavoidable} where they should be, but no way was found."
    )
    first = missing.iloc[0]
    named = f"  {first['label']!r}, {first['positives']} positives, not in {first['missing_from']}"
    assert err.splitlines()[2].startswith(named)
    code, out, _ = run("check", "enron", "--folds", tmp_path / "folds.csv", "--absences", tmp_path / "again.csv")
    assert code == 1  # some rows are equal to rows of another fold
    assert out.startswith(err.replace(", but no way was found", ""))
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "missing.csv").read_text()


def test_many_missing_labels(run, tmp_path):
    rows = [[int(label == row) for label in range(7)] for row in range(12)]
    text = "\n".join(["a,b,c,d,e,f,g", *(",".join(map(str, row)) for row in rows), ""])
    (tmp_path / "labels.csv").write_text(text)
    _, _, err = run("split", tmp_path / "labels.csv", "-k", 12, "--method", "random")
    lines = err.splitlines()
    assert lines[1].endswith("77 times in all: 77 unavoidable, 0 where they should be.")
    assert "and 1 more: 1 row with it, for 12 folds" in lines[2]
    assert lines[-1] == "  and 2 more labels"


def test_check_with_groups(run, tmp_path, groups):
    run("split", "emotions", "--groups", groups, "--method", "random", "-o", tmp_path / "whole.csv")
    run("split", "emotions", "--method", "random", "-o", tmp_path / "torn.csv")
    n_groups = len(set(GROUPS))
    _, out, _ = run("check", "emotions", "--folds", tmp_path / "whole.csv", "--groups", groups)
    assert f"\nGroups of groups.csv: all {n_groups} are whole.\nMissing labels: " in out
    _, out, _ = run("check", "emotions", "--folds", tmp_path / "torn.csv", "--groups", groups)
    assert re.search(rf"\nFault: \d+ of {n_groups} groups of groups.csv are divided: 'p", out)


def test_a_column_that_looks_like_groups_is_told_of_and_kept_by_its_name(run, tmp_path):
    data, folds = tmp_path / "patients.csv", tmp_path / "folds.csv"
    data.write_text("scan_id,patient_id,a,b\n" + "".join(
        f"s{row},p{row % 20},{row % 3 // 2},{row % 2}\n" for row in range(60)
    ))  # fmt: skip
    remark = "patient_id repeats: 20 of 20 patients have rows in more than one fold. "
    told = f"{remark}Rows of one patient together: --groups patient_id."
    folds.write_text("scan_id,fold\n" + "".join(f"s{row},{row // 20}\n" for row in range(60)))
    code, out, _ = run("check", data, "--folds", folds)
    assert code == 0
    assert f"\nTo look at: {told}\n" in out
    assert run("check", data, "--folds", folds, "--fail-on", "warning")[0] == 0
    code, out, _ = run("check", data, "--folds", folds, "--json")
    (fault,) = json.loads(out)["faults"]
    assert (code, fault["kind"], fault["count"], fault["advice"]) == (0, "likely groups", 20, told[len(remark) :])
    code, _, err = run("split", data, "-k", 3, "--method", "random", "-o", folds)
    assert (code, err.count("patient_id repeats: ")) == (0, 1)
    assert re.search(r"^Warning: patient_id repeats: \d+ of 20 patients have rows .*--groups patient_id\.$", err, re.M)
    code, out, err = run("compare", data, "-k", 3, "--methods", "random", "--seeds", 1, "--json")
    assert [code, *json.loads(out)["warnings"]] == [0, err.strip().removeprefix("Warning: ")]
    code, _, err = run("split", data, "-k", 3, "--groups", "patient_id", "-o", folds)
    assert (code, "repeats" in err) == (0, False)
    code, out, _ = run("check", data, "--folds", folds, "--groups", "patient_id")
    assert "\nGroups of patient_id: all 20 are whole.\n" in out
    _, _, err = run("compare", data, "-k", 3, "--groups", "patient_id", "--seeds", 1)
    assert "note: Left out: IS and OptiSplit, which cannot keep groups together." in err


def test_large_groups_are_warned_of_in_one_line(run, tmp_path):
    (tmp_path / "groups.txt").write_text("big\n" * 300 + "".join(f"g{row}\n" for row in range(293)))
    code, _, err = run("split", "emotions", "--method", "random", "--groups", tmp_path / "groups.txt")
    assert code == 0
    (line,) = [line for line in err.splitlines() if "larger" in line]
    assert line.startswith("Warning: 1 group is larger than the 118 rows of the smallest fold: 'big' (300 rows)")
    assert ".py" not in err


def test_other_warnings_are_shown_as_ever():
    shown = []
    with warnings.catch_warnings():  # pytest's own way of showing them put aside
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, category, *_: shown.append((category, str(message)))
        with terminal.plain_warnings():
            warnings.warn("something else", UserWarning, stacklevel=1)
    assert shown == [(UserWarning, "something else")]


def test_repair(run, tmp_path):
    data = load("enron")
    original = split(data, method="random", random_state=0)
    (tmp_path / "folds.csv").write_text(folds_to_csv(original))
    moves, gains = tmp_path / "moves.csv", tmp_path / "gains.csv"
    code, out, err = run(
        "repair", "enron", "--folds", tmp_path / "folds.csv", "--max-moved", 60, "--seed", 3,
        "--moves", moves, "--gains", gains,
    )  # fmt: skip
    repaired = repair(data, read_split(tmp_path / "folds.csv", data), max_moved=60, random_state=3)
    assert (code, out) == (0, folds_to_csv(repaired.folds))
    pd.testing.assert_frame_equal(pd.read_csv(moves), repaired.moves, check_dtype=False)
    pd.testing.assert_frame_equal(pd.read_csv(gains), repaired.gains, check_dtype=False)
    lines = [line for line in err.splitlines() if not line.startswith("note: ")]
    assert lines[0].split() == ["before", "(bound)", "after", "(bound)"]
    reports = (repaired.before, repaired.after)
    assert lines[1].split() == ["rLD", *(f"{x:.4g}" for report in reports for x in (report.rld, report.rld_bound))]
    assert [line.split()[0] for line in lines[2:7]] == ["DCP", "LD", "ED", "FZ", "FLZ"]
    assert lines[6].split() == ["FLZ", *(str(x) for report in reports for x in (report.flz, report.flz_bound))]
    assert [line[:15].strip() for line in lines[7:10]] == ["Beyond rounding", "Rare shares", "Row shape"]
    assert lines[10] == f"Moved: {repaired.n_moved} of 1,702 rows ({percent(repaired.n_moved / 1702, 3)})."
    first = repaired.gains.iloc[0]
    wanted = f"  {first['label']!r}, {first['positives']} positives: {first['rld_before']:.4g} -> "
    assert lines[11] == "Gained most in rLD:"
    assert lines[12].startswith(wanted)
    assert lines[17].startswith("Missing labels: ")


def test_repair_to_an_archive_of_rows_with_ids(run, tmp_path):
    emotions = load("emotions")
    ids = [f"song {row * 7 % 593}" for row in range(593)]
    data = MultilabelDataset.from_labels(emotions.labels, emotions.label_names, row_ids=ids)
    optisplit.save(data, tmp_path / "songs.csv")
    original = split(data, method="random", random_state=0)
    (tmp_path / "folds.csv").write_text(folds_to_csv(original[::-1], data.row_ids[::-1]))
    code, _, _ = run(
        "repair", tmp_path / "songs.csv", "--folds", tmp_path / "folds.csv", "--max-moved", 20, "--measure", "dcp",
        "-o", tmp_path / "better.npz", "--moves", tmp_path / "moves.csv",
    )  # fmt: skip
    repaired = repair(data, original, max_moved=20, measure="dcp", random_state=0)
    assert code == 0
    np.testing.assert_array_equal(read_split(tmp_path / "better.npz", data).folds, repaired.folds)
    assert pd.read_csv(tmp_path / "moves.csv")["row_id"].tolist() == repaired.moves["row_id"].tolist()


def test_repair_with_groups_sizes_and_fixed_rows(run, tmp_path, groups, fixed):
    data = load("emotions")
    original = split(data, 3, method="random", random_state=0)
    original[20:30] = -1
    (tmp_path / "folds.csv").write_text(folds_to_csv(original))
    given = ("repair", "emotions", "--folds", tmp_path / "folds.csv")
    sizes = ("--fold-sizes", "0.5,0.2,0.1,0.1,0.1")
    code, out, _ = run(*given, *sizes, "--fixed", fixed)
    repaired = repair(data, original, n_splits=5, fold_sizes=[0.5, 0.2, 0.1, 0.1, 0.1], fixed=FIXED, random_state=0)
    assert (code, out) == (0, folds_to_csv(repaired.folds))
    assert (repaired.folds[:15] == FIXED[:15]).all()
    original[20:30] = 0
    (tmp_path / "folds.csv").write_text(folds_to_csv(original))
    code, out, _ = run(*given, "--groups", groups, "--effort", "normal")
    assert (code, out) == (
        0,
        folds_to_csv(repair(data, original, groups=GROUPS, effort="normal", random_state=0).folds),
    )
    code, out, err = run(*given, "--fold-sizes", "0.5,0.5")
    assert (code, out) == (2, "")
    assert "--fold-sizes has 2 entries, but the split has 3 folds; give one for each." in err


def test_repair_places_rows_that_are_in_no_part_or_leaves_them_out(run, tmp_path):
    data = load("emotions")
    folds = split(data, 3, method="random", random_state=0)
    lines = [f"{row},{fold + 1}" for row, fold in enumerate(folds)]
    (tmp_path / "folds.csv").write_text("\n".join(["row,fold", *lines[:500], ""]))
    given = ("repair", "emotions", "--folds", tmp_path / "folds.csv", "-o", tmp_path / "better.csv")
    code, _, err = run(*given)
    assert code == 0
    assert re.search(r"Moved: \d+ of 593 rows \([\d.]+ %\)\. Placed: 93 rows that had no part\.", err)
    placed = read_split(tmp_path / "better.csv", data)
    assert (placed.folds >= 0).all()
    assert placed.part_names == ("fold 1", "fold 2", "fold 3")
    assert placed.sizes.tolist() == [198, 198, 197]
    code, _, err = run(*given, "--leave-missing")
    assert "Placed" not in err
    left = read_split(tmp_path / "better.csv", data)
    assert left.is_missing.tolist() == [False] * 500 + [True] * 93


def test_repair_of_what_is_good_already(run, tmp_path):
    (tmp_path / "labels.csv").write_text("a,b\n" + "1,0\n0,1\n" * 4)
    (tmp_path / "folds.csv").write_text("fold\n" + "0\n0\n1\n1\n" * 2)
    code, _, err = run("repair", tmp_path / "labels.csv", "--folds", tmp_path / "folds.csv")
    assert code == 0
    assert err.endswith(
        f"\nMoved: 0 of 8 rows (0 %).\n{NONE_MISSING}Verdict: Still best possible. 0 rows of 8 moved. Proven: no "
        "split of these sizes is better. Train with it.\n"
    )


def test_compare_with_constraints(run, tmp_path, groups, fixed):
    given = ("compare", "emotions", "--seeds", 1, "-o", tmp_path / "table.csv")
    code, out, _ = run(*given, "--fold-sizes", "0.5,0.3,0.2", "--groups", groups)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[-2:]] == ["random", "optisplit-sa"]
    wanted = optisplit.compare(
        load("emotions"), ["random", "optisplit-sa"], fold_sizes=[0.5, 0.3, 0.2], groups=GROUPS, seeds=[0]
    ).table
    assert pd.read_csv(tmp_path / "table.csv")["rld"].tolist() == pytest.approx(wanted["rld"].tolist())
    code, out, _ = run(*given, "--fixed", fixed, "--methods", "random")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[-2:]] == ["method", "random"]


@pytest.mark.parametrize(
    ("registry", "keys"),
    [
        ("optisplit.methods:METHODS", list(METHODS)),
        ("optisplit.measures.registry:objectives", ["rld", "dcp", "ld"]),
        ("optisplit.io.registry:MISSING", ["error", "zero", "one", "drop-rows", "drop-labels"]),
        (("folds", "parts"), ["folds", "parts"]),
    ],
)
def test_choices_are_those_of_a_registry(registry, keys):
    known = options.Known(registry)
    assert list(known) == keys
    assert str(known) == ", ".join(keys)


def test_a_method_that_is_registered_later_can_be_typed(run, monkeypatch, capsys):
    monkeypatch.setitem(METHODS, "toy", dataclasses.replace(METHODS["random"], key="toy", name="Toy"))
    assert run("split", "emotions", "--method", "toy")[:2] == run("split", "emotions", "--method", "random")[:2]
    with pytest.raises(SystemExit):
        cli.main(["split", "--help"])
    assert "toy" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["split", "compare"])
def test_methods_named_in_the_help(capsys, command):
    with pytest.raises(SystemExit) as end:
        cli.main([command, "--help"])
    assert end.value.code == 0
    assert ",".join(METHODS) in "".join(capsys.readouterr().out.split())  # lines may break within a key


def examples(help_text):
    lines = [line.strip().partition("   ")[0] for line in help_text.splitlines()]
    return [line for line in lines if line.startswith(("optisplit ", "zcat ")) and "[options]" not in line]


@pytest.fixture
def help_of(capsys):
    def ask(*command):
        with pytest.raises(SystemExit) as end:
            cli.main([*command, "--help"])
        assert end.value.code == 0
        return capsys.readouterr().out

    return ask


@pytest.mark.parametrize("command", [(), *((name,) for name in options.COMMANDS)])
def test_examples_in_the_help_can_be_parsed(help_of, command):
    parts = [part for line in examples(help_of(*command)) for part in line.split(" | ")]
    assert len(parts) >= 3
    for example in parts:
        words = shlex.split(example.partition(" < ")[0].partition(" > ")[0])
        if words[0] != "zcat":
            assert parse(words[1:]).command == words[1]


def test_app(run, monkeypatch):
    started = []
    monkeypatch.setattr("optisplit.cli.app.runpy.run_module", lambda *_, **__: started.append(sys.argv[3:]))
    monkeypatch.setattr(sys, "argv", ["optisplit"])
    assert run("app", "--port", 8600, "--no-browser") == (0, "", "")
    assert started == [["--server.port", "8600", "--server.headless", "true"]]
    code, _, err = run("app", "--port", 65_536)
    assert (code, err) == (2, "optisplit: --port 65536 is no port; give a number from 1 to 65535.\n")


def test_examples_of_samples_run(run, help_of, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    known = {line for command in options.COMMANDS for line in examples(help_of(command))}
    quick = sorted(line for line in known if re.match(r"optisplit \w+ (emotions|bibtex)\b(?!.*(thorough|\|))", line))
    assert len(quick) == 3
    for line in quick:
        code, _, err = run(*shlex.split(line)[1:])
        assert code == 0, err
    assert gzip.decompress((tmp_path / "emotions.csv.gz").read_bytes()).count(b"\n") == 594


ROWS = MultilabelDataset.from_labels(np.eye(3, dtype=int), row_ids=["x", "y", "z"])
NUMBERED = MultilabelDataset.from_labels(np.eye(3, dtype=int))
BY_NUMBER = "matched to the rows by their numbers from 0 in column 'row'"


@pytest.mark.parametrize(
    ("text", "column", "wanted", "how"),
    [
        ("a\nb\na\n", "", "aba", "one a line, in the order of the rows"),
        ("a\nb\na\n\n\n", "", "aba", "one a line, in the order of the rows"),
        ("who\na\nb\na\n", "", "aba", "one a line after the header 'who', in the order of the rows"),
        ("who\na\nb\na", ":who", "aba", "column 'who', in the order of the rows"),
        ("group\r\na\r\nb\r\na\r\n", "", "aba", "column 'group', in the order of the rows"),
        ('"a"\n" b"\na\n', "", "aba", "one a line, in the order of the rows"),
        ("note,group\n1,a\n2,b\n3,a\n", "", "aba", "column 'group', in the order of the rows"),
        ("group;note\na;1\n\nb;2,5\na;3\n", "", "aba", "column 'group', in the order of the rows"),
        ("who\tgroup\na\t1\nb\t2\na\t3\n", ":who", "aba", "column 'who', in the order of the rows"),
        (
            "row,group\n2,a\n0,a\n1,b\n",
            "",
            "aba",
            "column 'group', matched to the rows by their numbers from 0 in column 'row'",
        ),
        (
            "\ufeffgroup,row\na,2\na,0\nb,1\n",
            "",
            "aba",
            "column 'group', matched to the rows by their numbers from 0 in column 'row'",
        ),
    ],
)
def test_groups_from_files(tmp_path, text, column, wanted, how):
    (tmp_path / "groups.csv").write_bytes(text.encode())
    found, notes = read_groups(f"{tmp_path / 'groups.csv'}{column}", NUMBERED)
    assert found == list(wanted)
    assert notes == (f"groups.csv: {how}; 2 groups.",)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("row_id,group\nz,c\nx,a\ny,b\n", "matched to the rows by column 'row_id'"),
        ("group,protein\nc,z\na,x\nb,y\n", "matched to the rows by column 'protein'"),
        ("row,group\n2,c\n0,a\n1,b\n", BY_NUMBER),
        ("row,group\n3,c\n1,a\n2,b\n", "matched to the rows by their numbers from 1 in column 'row'"),
        ("row,group\nz,c\nx,a\ny,b\n", "matched to the rows by column 'row'"),
        ("protein,group\np,a\nq,b\nr,c\n", "in the order of the rows"),
    ],
)
def test_groups_of_rows_with_ids(tmp_path, text, how):
    (tmp_path / "groups.csv").write_text(text)
    found, notes = read_groups(str(tmp_path / "groups.csv"), ROWS)
    assert found == ["a", "b", "c"]
    assert notes == (f"groups.csv: column 'group', {how}; 3 groups.",)


def test_a_file_whose_name_has_a_colon(tmp_path):
    (tmp_path / "a:b.csv").write_text("group,c:d\n1,x\n2,x\n3,y\n")
    assert read_groups(f"{tmp_path}/a:b.csv", NUMBERED)[0] == ["1", "2", "3"]
    assert read_groups(f"{tmp_path}/a:b.csv:c:d", NUMBERED)[0] == ["x", "x", "y"]


@pytest.mark.parametrize(
    ("text", "error", "match"),
    [
        ("a\nb\n", FormatError, r"file\.csv has 2 lines, but the data has 3 rows"),
        ("a\nb\na\nb\na\n", FormatError, r"has 5 lines, but the data has 3 rows"),
        ("group\na\nb\n", FormatError, r"has 2 lines below the header with 'group', but the data has 3 rows"),
        ("who,age\na,1\nb,2\na,3\n", OptionError, "has 2 columns; .*FILE:COLUMN.*\nHint: .*'who', 'age'"),
        ("a, b\nb\nc\n", FormatError, "its lines have 1 to 2 columns.\nHint: put texts that hold a comma"),
        ("group,group\na,1\nb,2\na,3\n", OptionError, "2 columns of file.csv are called 'group'"),
        ("row,group\n2,a\n1,b\n1,b\n", FoldAssignmentError, "1 of them missing \\('0'\\)"),
        ("row,group\n0,a\n1,b\n2,a\n1,a\n", FoldAssignmentError, "say different things of 1 row: '1'"),
        ("a\nb\na\nb\n", FormatError, "has 4 lines, but the data has 3 rows"),
        ("", FormatError, "'file.csv' is empty"),
        ("a\0b\nb\nc\n", FormatError, "file.csv is a binary file"),
    ],
)
def test_bad_groups(tmp_path, text, error, match):
    (tmp_path / "file.csv").write_text(text)
    with pytest.raises(error) as raised:
        read_groups(str(tmp_path / "file.csv"), NUMBERED)
    assert re.search(match, raised.value.worded(in_options))


def test_a_column_that_is_not_there(tmp_path):
    (tmp_path / "file.csv").write_text("patient,age\na,1\nb,2\na,3\n")
    with pytest.raises(OptionError, match=r"column of file\.csv: 'patent'; .*\nHint: did you mean 'patient'"):
        read_groups(f"{tmp_path}/file.csv:patent", NUMBERED)
    (tmp_path / "ids.csv").write_text("row_id,group\nx,1\nw,2\nz,3\n")
    with pytest.raises(FoldAssignmentError, match=r"1 of them missing \('y'\)"):
        read_groups(f"{tmp_path}/ids.csv", ROWS)
    (tmp_path / "ids.csv").write_text("protein,group\nx,1\nw,2\nz,3\n")  # ids all the same, whatever they are called
    with pytest.raises(FoldAssignmentError, match=r"1 of them missing \('y'\)"):
        read_groups(f"{tmp_path}/ids.csv", ROWS)


@pytest.mark.parametrize(
    "text",
    ["0\n-1\n\n", "place\n0\n-1\n\n", "fold\n0\n-1\nNA\n", "row,fold\n2,\n0,0.0\n1,-1.0\n", '0\n-1\n""\n\n'],
)
def test_fixed_from_files(tmp_path, text):
    (tmp_path / "fixed.csv").write_text(text)
    found, (note,) = read_fixed(str(tmp_path / "fixed.csv"), NUMBERED)
    assert found.tolist() == [0, -1, -2]
    assert note.endswith("; 2 rows are fixed, 1 of them always in training.")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("0\n1.5\n\n", r"fixed\.csv, line 2: '1\.5' is no place; give a fold's number, -1"),
        ("row,fold\n1,0\n0,x\n2,\n", "line 3: 'x' is no place"),
        ("0\n-1\n", r"has 2 lines, but the data has 3 rows"),
        ("x\n-1\n0\n", r"has 2 lines after the header 'x', but the data has 3 rows"),
    ],
)
def test_bad_fixed(tmp_path, text, match):
    (tmp_path / "fixed.csv").write_text(text)
    with pytest.raises(FormatError, match=match):
        read_fixed(str(tmp_path / "fixed.csv"), NUMBERED)


@pytest.fixture
def ctrl_c(monkeypatch):
    """Press Ctrl-C so many times when progress is first told of."""

    def press(times=1):
        left = iter(range(times))

        def show(watch, fraction, message):
            for _ in left:
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(terminal.Watch, "_show", show)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests run unattended
    yield press
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler


def test_stopping_keeps_the_best_split(run, tmp_path, ctrl_c):
    ctrl_c()
    code, _, err = run(
        "split", "enron", "--fold-sizes", "0.8,0.2", "--effort", "thorough", "-o", tmp_path / "folds.csv"
    )
    folds = pd.read_csv(tmp_path / "folds.csv")["fold"].to_numpy()
    assert code == 130
    assert np.bincount(folds).tolist() == [1362, 340]
    report = evaluate(load("enron"), folds, shares=[1362 / 1702, 340 / 1702])
    first, second, *_ = err.splitlines()
    score = f"rLD {report.rld:.4g} (bound {report.rld_bound:.4g})"
    assert first == f"optisplit: stopped early; the best split so far is written: {score}"
    assert second == str(report)


def test_stopping_without_a_split(run, tmp_path, ctrl_c):
    ctrl_c()
    code, out, err = run("split", "emotions", "--method", "optisplit", "-o", tmp_path / "folds.csv")
    assert (code, out) == (130, "")
    assert err == "optisplit: stopped early; optisplit has no split yet, so nothing is written\n"
    assert not (tmp_path / "folds.csv").exists()


def test_stopping_another_packages_process(run, monkeypatch, ctrl_c):
    def die(*_, on_progress, **__):  # the terminal sends Ctrl-C to that process too
        on_progress(0, 1, float("nan"))
        raise PeerError("KeyboardInterrupt")

    ctrl_c()
    monkeypatch.setattr("optisplit.methods.base.Peer.run", die)
    code, out, err = run("split", "emotions", "--method", "skml-is")
    assert (code, out) == (130, "")
    assert err == "optisplit: stopped early; skml-is has no split yet, so nothing is written\n"


def test_stopping_when_all_is_done(run, monkeypatch, ctrl_c):
    ctrl_c()

    def late(*_, on_progress, **__):
        on_progress(1, 1, 0.0)
        return split(load("emotions"), method="random", random_state=0)

    monkeypatch.setattr("optisplit.cli.split.split", late)
    code, out, err = run("split", "emotions")
    assert code == 130
    assert len(out.splitlines()) == 594
    assert err.startswith("optisplit: Ctrl-C came when the split was done; it is written as it was to be\n")


def test_stopping_a_repair(run, tmp_path, ctrl_c):
    (tmp_path / "folds.csv").write_text(folds_to_csv(split(load("enron"), method="random", random_state=0)))
    ctrl_c()
    code, out, err = run("repair", "enron", "--folds", tmp_path / "folds.csv", "--effort", "thorough")
    assert (code, out) == (130, "")
    assert err.endswith("\noptisplit: stopped early; the split was left as it is, and nothing is written\n")


def test_stopping_a_comparison(run, tmp_path, ctrl_c):
    ctrl_c()
    code, out, err = run("compare", "emotions", "--methods", "random,optisplit", "-o", tmp_path / "table.csv")
    assert code == 130
    assert [line.split()[0] for line in out.splitlines()[-2:]] == ["random", "optisplit"]
    n_done = (pd.read_csv(tmp_path / "table.csv")["status"] == "done").sum()
    assert err == f"optisplit: stopped early; {n_done} of 6 runs were done\n"


def test_a_second_ctrl_c_ends_at_once(run, tmp_path, ctrl_c):
    ctrl_c(2)
    code, out, err = run("split", "enron", "-o", tmp_path / "folds.csv")
    assert (code, out, err) == (130, "", "\noptisplit: interrupted\n")
    assert not (tmp_path / "folds.csv").exists()


def test_a_handler_of_others_is_left_alone():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with terminal.Watch():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    worker = threading.Thread(target=lambda: terminal.Watch().__enter__().__exit__())
    worker.start()
    worker.join()
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_on_a_terminal(tmp_path):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "optisplit", "split", "delicious", "--effort", "thorough"]
    process = subprocess.Popen(
        [*command, "-o", tmp_path / "folds.csv"], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL, stderr=theirs,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while b"rLD" not in shown:
            shown += os.read(ours, 4096)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        while part := _read(ours):
            shown += part
        assert process.wait(10) == 130
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    text = shown.decode().replace("\r", "\n")
    assert "\nstopping; Ctrl-C once more to end at once\n" in text
    assert "\noptisplit: stopped early; the best split so far is written: rLD 0.0" in text
    folds = pd.read_csv(tmp_path / "folds.csv")["fold"].to_numpy()
    assert np.bincount(folds).tolist() == [3221] * 5


def _read(terminal):
    try:
        return os.read(terminal, 4096)
    except OSError:  # how a terminal says that the other side is gone
        return b""


def test_as_a_program(table):
    def program(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "optisplit", *map(str, arguments)],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    version = program("--version")
    assert (version.returncode, version.stdout) == (0, f"optisplit {optisplit.__version__}\n")
    help_text = program("--help")
    assert help_text.returncode == 0
    assert "optisplit compare delicious" in help_text.stdout
    good = program("split", table, "-k", "2")
    assert good.returncode == 0
    assert good.stdout.startswith("row,fold\n")
    bad = program("info", "no/such.csv")
    assert bad.returncode == 2
    assert len(bad.stderr.splitlines()) == 1


def test_advice_on_labels_of_the_wrong_end_is_an_option(run):
    file = ROOT / "tests" / "quirks" / "meka" / "wrong-sign-and-other-end-is-binary.arff"
    code, _, told = run("info", file)
    assert code == 2
    assert "if those are the labels, give --label-columns " in told
    assert "label_columns" not in told


@pytest.fixture
def scans(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "scans.csv": "File Name,Findings,Patient\n" + "".join(
            f"s{at}.png,{finding},P{at % 3}\n" for at, finding in enumerate(["a|b", "a", "b"] * 2, 1)
        ),
        "patients.csv": "image,age,who\n" + "".join(f"x/s{at}.png,{at},Q{at % 3}\n" for at in (6, 2, 4, 1, 5, 3)),
        "train.txt": "s1.png\ns3.png\ns5.png\ns6.png\n",
        "test.txt": "s2.png\ns4.png\n",
    }.items():  # fmt: skip
        Path(name).write_text(text)


def test_groups_and_splits_by_a_key(run, scans):
    wanted = None
    for more in (
        ["--groups", "patients.csv:who"], ["--groups", "patients.csv:who", "--key", "File Name=image"],
        ["--groups", "Patient"], ["--groups", "scans.csv:Patient", "--key", "File Name"],
    ):  # fmt: skip
        quick = (*more, "--effort", "quick")
        code, out, _ = run("split", "scans.csv", "-k", 3, *quick, "--json")
        folds = json.loads(out)["folds"]
        assert (code, folds[:3]) == (0, folds[3:])
        wanted = wanted or folds
        assert run("split", "scans.csv", "-k", 3, *quick, "--save-recipe", "r.json", "-o", "f.csv")[0] == 0
        key = more[2:]
        assert run("split", "--recipe", "r.json", "scans.csv", *key)[1] == Path("f.csv").read_text()
    code, out, err = run("split", "scans.csv", "-k", 3, "--groups", "patients.csv:who", "--key", "File Name=age")
    assert (code, out) == (2, "")
    assert "Hint: --key 'File Name=image' would do." in err
    parts = ("--part", "train=train.txt", "--part", "test=test.txt")
    code, out, _ = run("check", "scans.csv", *parts, "--json", "--no-random")
    found = json.loads(out)
    assert (code, found["faults"]) == (0, [])
    assert [(each["name"], each["rows"]) for each in found["split"]["parts"]] == [("train", 4), ("test", 2)]
    code, out, _ = run("convert", "scans.csv", *parts, "-o", "both.csv")
    assert Path("both.csv").read_text().splitlines()[1:3] == ["s1.png,train", "s2.png,test"]
    for more in (["--part", "train.txt"], ["--part", "a=x", "--part", "a=y"]):
        code, _, err = run("check", "scans.csv", *more)
        assert code == 2
        assert "--part takes a name and a file, as in train=train.txt, once for each part; got " in err


def test_what_does_not_match_is_left_out_on_request(run, scans):
    Path("patients.csv").write_text("".join(Path("patients.csv").read_text().splitlines(keepends=True)[:-1]))
    code, _, err = run("split", "scans.csv", "-k", 3, "--groups", "patients.csv:who")
    assert code == 2
    assert "1 of them missing ('s3.png').\nHint: --unmatched leave-out leaves them without a value." in err
    code, _, err = run("split", "scans.csv", "-k", 3, "--groups", "patients.csv:who", "--unmatched", "leave-out")
    assert code == 0
    assert "note: 1 row without a group has one of its own." in err
    Path("test.txt").write_text("s2.png\ns4.png\ns9.png\n")
    parts = ("--part", "train=train.txt", "--part", "test=test.txt", "--no-random")
    assert run("check", "scans.csv", *parts)[0] == 1
    code, _, err = run("check", "scans.csv", *parts, "--unmatched", "leave-out")
    assert code == 0
    assert "names no row of the data, left out: 's9.png'" in err
