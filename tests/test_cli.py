from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import optisplit
from optisplit import cli, evaluate, load, split
from optisplit.folds import folds_to_csv, read_folds

ROOT = Path(__file__).parents[1]


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


def test_info(run):
    code, out, err = run("info", "emotions")
    assert (code, err) == (0, "")
    data = load("emotions")
    lines = out.splitlines()
    assert lines[0] == f"emotions: 593 rows x 6 labels, {data.n_positives:,} positives"
    assert lines[1] == f"labels per row: {data.n_positives / 593:.2f}"
    assert lines[2] == "rows per label: 148 to 264, median 173"
    assert lines[3:] == [f"note: {note}" for note in data.notes]


def test_split_to_standard_output(run):
    code, out, err = run("split", "emotions", "-k", "3", "--seed", "4")
    folds = split(load("emotions"), 3, random_state=4)
    assert code == 0
    assert out == folds_to_csv(folds)
    assert err == f"{evaluate(load('emotions'), folds)}\n"


@pytest.mark.parametrize("name", ["folds.csv", "folds.npz"])
def test_split_to_a_file(run, tmp_path, name):
    code, out, _ = run("split", "emotions", "--measure", "dcp", "-o", tmp_path / name)
    assert (code, out) == (0, "")
    wanted = split(load("emotions"), 5, measure="dcp", random_state=0)
    np.testing.assert_array_equal(read_folds(tmp_path / name), wanted)
    assert b"\r" not in (tmp_path / name).read_bytes() or name.endswith("npz")


def test_split_by_another_method(run):
    _, out, _ = run("split", "emotions", "--method", "random")
    assert out == folds_to_csv(split(load("emotions"), 5, method="random", random_state=0))


@pytest.mark.parametrize("name", ["folds.csv", "folds.npz"])
@pytest.mark.parametrize("data", ["emotions", "go_human_cc"])
def test_check(run, tmp_path, name, data):
    run("split", data, "--method", "random", "-o", tmp_path / name)
    code, out, err = run("check", data, "--folds", tmp_path / name)
    assert (code, err) == (0, "")
    assert out == f"{evaluate(load(data), split(load(data), 5, method='random', random_state=0))}\n"


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
    assert lines[0].split() == ["rld", "rld_bound", "dcp", "dcp_bound", "ld", "ed", "time_s", "runs"]
    assert [line.split()[0] for line in lines[2:]] == ["random", "optisplit"]
    written = pd.read_csv(tmp_path / "table.csv")
    wanted = optisplit.compare(load("emotions"), ["random", "optisplit"], 4, seeds=range(2)).table
    pd.testing.assert_frame_equal(
        written.drop(columns=["time_s", "reason"]), wanted.drop(columns=["time_s", "reason"]), check_dtype=False
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "emotion"], "Unknown data set 'emotion'"),
        (["info", "no/such.arff"], "no/such.arff"),
        (["split", "emotions", "-k", "1"], "n_splits=1 makes no split"),
        (["split", "emotions", "-k", "600"], "n_splits=600 exceeds the number of rows, 593"),
        (["split", "emotions", "--method", "nothing"], "Unknown method 'nothing'"),
        (["split", "emotions", "--method", "random", "--measure", "ld"], "takes no option 'measure'"),
        (["split", "emotions", "--seed", "-1"], "random_state must be a whole number from 0"),
        (["split", "emotions", "-o", "no/such/folder.csv"], "no/such/folder.csv cannot be written: No such file"),
        (["split", "emotions", "-o", "no/such/folder.npz"], "no/such/folder.npz cannot be written: No such file"),
        (["check", "emotions", "--folds", "no.csv"], "no.csv cannot be read: No such file"),
        (["compare", "emotions", "--methods", "random,,"], "Unknown method ''"),
        (["compare", "emotions", "--seeds", "0"], "at least one method and one seed"),
        (["compare", "emotions", "--time-limit", "-1"], "time_limit_s must be a positive number"),
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
    code, _, err = run("check", "emotions", "--folds", tmp_path / "folds.csv")
    assert code == 2
    assert "expected 593, got an array of shape (12,)" in err


def test_labels_that_are_not_binary(run, tmp_path):
    np.savez(tmp_path / "bad.npz", Y=np.array([[0, 2], [1, 0]]))
    code, out, err = run("info", tmp_path / "bad.npz")
    assert (code, out) == (2, "")
    assert err.startswith("optisplit: ")


@pytest.mark.parametrize("arguments", [[], ["fly"], ["info"], ["split", "emotions", "-k", "x"], ["check", "emotions"]])
def test_bad_usage(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("usage: optisplit")


def test_interrupting(run, monkeypatch):
    def interrupt(options):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_info", interrupt)
    assert run("info", "emotions") == (130, "", "\noptisplit: interrupted\n")


def test_as_a_program(table):
    def program(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "optisplit.cli", *map(str, arguments)],
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
