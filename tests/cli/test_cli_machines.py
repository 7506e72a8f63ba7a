"""The command line for programs: JSON, exit codes and limits, pipes, conversions, recipes."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import math
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from optisplit import check_split, cli, evaluate, find_missing_labels, load, read_split, split
from optisplit.cli import answer, reading, terminal
from optisplit.cli.spelling import in_options
from optisplit.errors import OptionError, argument, worded
from optisplit.folds.arrays import folds_to_csv
from optisplit.methods.recipes import Recipe

ROOT = Path(__file__).parents[2]
COMMON = {"optisplit", "command", "exit_code", "notes", "warnings"}
TABLE = "a,b\n" + "1,0\n0,1\n1,1\n0,0\n" * 3


@pytest.fixture
def run(capsysbinary, monkeypatch):
    def call(*arguments, given=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = cli.main([str(argument) for argument in arguments])
        shown = capsysbinary.readouterr()
        return code, shown.out, shown.err.decode()

    return call


def documented(command):
    """The keys that --help lists."""
    text = (Path(cli.__file__).parent / "help" / f"{command}.txt").read_text()
    return set(re.findall(r"^  (\w+): ", text.partition("\nthe JSON document's keys:\n")[2], re.MULTILINE))


@pytest.fixture
def run_json(run):
    """Run a command for its document, which must have the keys that --help lists."""

    def call(command, *arguments, **more):
        code, out, err = run(command, *arguments, "--json", **more)
        assert out.count(b"\n") == 1
        document = json.loads(out)
        assert document["command"] == command
        assert document["exit_code"] == code
        if "error" not in document and code < 130:
            assert set(document) == COMMON | documented(command)
        return code, document, err

    return call


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a table of twelve rows and a split of it, and one that forgets a row."""
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text(TABLE)
    Path("folds.csv").write_text("fold\n" + "0\n0\n0\n0\n1\n1\n1\n1\n2\n2\n2\n2\n")
    Path("short.csv").write_text("row,fold\n" + "".join(f"{row},{row % 3}\n" for row in range(11)))
    return tmp_path


def test_info_as_json(run_json, here):
    code, told, err = run_json("info", "data.csv", "-k", 7)
    assert (code, err) == (0, "")
    assert told["data"] == {"name": "data", "n_rows": 12, "n_labels": 2, "n_positives": 12}
    assert told["labels_per_row"] == 1.0
    assert told["rows_per_label"] == {"min": 6, "median": 6.0, "max": 6}
    assert told["n_rows_without_label"] == 3
    assert told["rare_labels"] == [{"label": "a", "positives": 6}, {"label": "b", "positives": 6}]
    assert told["understood"]["options"] == load("data.csv").reading.options
    assert told["understood"]["file_name"] == "data.csv"
    assert told["notes"] == list(load("data.csv").notes)
    assert run_json("info", "data.csv")[1]["rare_labels"] is None


def test_info_of_rare_labels(run, here):
    lines = run("info", "medical", "-k", 10)[1].decode().splitlines()
    sizes = np.asarray(load("medical").labels.sum(axis=0)).ravel()
    assert (sizes < 10).sum() > 20
    assert f"{(sizes < 10).sum()} labels on fewer than 10 rows, so not in every one of as many folds:" in lines
    assert lines[-1] == f"  and {(sizes < 10).sum() - 20} more; --json lists all"
    assert run("info", "data.csv", "-k", 6)[1].endswith(b"\n\nevery label is on at least 6 rows\n")
    assert run("info", "data.csv", "-k", 0)[0] == 2


def test_split_as_json(run_json, here):
    code, told, err = run_json("split", "emotions", "-k", 3, "--seed", 4, "--effort", "quick", "--pairs")
    data = load("emotions")
    folds = split(data, 3, effort="quick", balance_pairs=True, random_state=4)
    report = evaluate(data, folds)
    assert (code, err) == (0, "")
    assert told["folds"] == folds.tolist()
    assert told["row_ids"] is told["output"] is told["recipe"] is None
    assert (told["method"], told["seed"], told["n_splits"], told["kind"]) == ("optisplit-sa", 4, 3, "folds")
    assert told["sizes"] == report.fold_sizes.tolist()
    assert told["measures"]["rld"]["value"] == report.rld
    assert told["measures"]["rld"]["bound"] == report.rld_bound
    assert told["measures"]["rld"]["excess_percent"] == pytest.approx(100 * (report.rld / report.rld_bound - 1))
    assert told["measures"]["ld"]["bound"] is None
    assert told["pairs"]["n_pairs"] > 0
    assert told["stopped_early"] is False
    told = run_json("split", "data.csv", "-k", 3, "-o", "f.npz")[1]
    assert (told["folds"], told["output"]) == (None, "f.npz")
    assert np.load("f.npz")["test_fold"].shape == (12,)


def test_warnings_and_notes_are_in_the_document(run_json, here):
    Path("groups.txt").write_text("big\n" * 8 + "a\nb\nc\nd\n")
    code, told, err = run_json("split", "data.csv", "-k", 3, "--method", "random", "--groups", "groups.txt")
    assert code == 0
    assert told["notes"] == ["groups.txt: one a line, in the order of the rows; 5 groups."]
    assert len(told["warnings"]) == 1
    assert err == f"Warning: {told['warnings'][0]}\n"


def test_check_as_json(run_json, here):
    code, told, err = run_json("check", "data.csv", "--folds", "short.csv", "--pairs", "--max-rld", 0.5)
    data = load("data.csv")
    check = check_split(data, read_split("short.csv", data), pairs=True)
    assert (code, err) == (1, "")
    assert told["verdict"]["severity"] == "fault"
    assert told["verdict"]["sentences"] == list(check.sentences)
    (fault,) = told["faults"]
    assert (fault["kind"], fault["count"], fault["examples"]) == ("missing", 1, ["11"])
    assert told["split"]["parts"] == [
        {"name": "fold 0", "rows": 4}, {"name": "fold 1", "rows": 4}, {"name": "fold 2", "rows": 3}
    ]  # fmt: skip
    assert told["split"]["n_in_no_part"] == 1
    assert told["measures"]["rld"]["random"]["mean"] == pytest.approx(check.random["rld"].mean)
    assert told["measures"]["ed"]["random"] is None
    assert told["n_random"] == 200
    assert told["pairs"]["measures"]["rld"]["value"] == check.pairs.rld
    assert told["limits"] == [
        {"option": "--max-rld", "limit": 0.5, "value": check.report.rld, "is_passed": check.report.rld > 0.5}
    ]  # fmt: skip
    assert told["missing_labels"] == json.loads(find_missing_labels(data, check.split).to_json(orient="records"))
    Path("groups.txt").write_text("x\n" * 8 + "y\n" * 4)
    told = run_json("check", "data.csv", "--folds", "folds.csv", "--no-random", "--groups", "groups.txt")[1]
    assert told["groups"] == {"sentence": "1 of 2 groups of groups.txt is divided: 'x'.", "is_whole": False}


def test_repair_as_json(run_json, here):
    Path("bad.json").write_text("[[0, 4, 8, 2, 6, 10], [1, 3, 5, 7, 9, 11]]")
    code, told, err = run_json("repair", "data.csv", "--folds", "bad.json")
    assert (code, err) == (0, "")
    assert told["n_moved"] == len(told["moves"]) > 0
    assert told["after"]["rld"]["value"] < told["before"]["rld"]["value"]
    assert [told["folds"].count(fold) for fold in (0, 1)] == [6, 6]
    assert {each["label"] for each in told["gains"]} <= {"a", "b"}
    again = run_json("repair", "data.csv", "--folds", "bad.json", "-o", "better.json")[1]
    assert again["folds"] is None
    data = load("data.csv")
    assert read_split("better.json", data).folds.tolist() == told["folds"]


def test_compare_as_json(run_json, here):
    code, told, err = run_json("compare", "data.csv", "--methods", "random,optisplit", "--seeds", 2, "-k", 2)
    assert (code, err) == (0, "")
    assert [(run["method"], run["seed"], run["status"]) for run in told["runs"]] == [
        ("random", 0, "done"), ("random", 1, "done"), ("optisplit", 0, "done"), ("optisplit", 1, "done")
    ]  # fmt: skip
    assert told["best"] in ("random", "optisplit")
    assert (told["grade"]["severity"], len(told["verdict"])) == ("warning", 3)
    first = told["summary"][0]
    assert (first["method"], first["n_done"], first["n_runs"]) == ("random", 2, 2)
    assert first["rld"]["mean"] == pytest.approx(np.mean([run["rld"] for run in told["runs"][:2]]))
    out = run_json("compare", "data.csv", "--methods", "random", "--seeds", 1, "-o", "t.csv")[1]
    assert out["output"] == "t.csv"
    assert out["summary"][0]["rld"]["std"] is None  # of one run there is none
    assert len(pd.read_csv("t.csv")) == 1


def test_compare_to_standard_output(run, here):
    code, out, err = run("compare", "data.csv", "--methods", "random", "--seeds", 1, "-o", "-")
    assert code == 0
    assert pd.read_csv(io.BytesIO(out))["method"].tolist() == ["random"]
    assert err.splitlines()[-1].startswith("random ")


def test_paper_as_json(run_json, here, monkeypatch):
    class Made:
        table1 = pd.DataFrame({"data": ["bibtex"], "rows": [7395]})
        table2 = pd.DataFrame({"rld": [np.nan]})
        is_complete = True
        verdict = "All as printed."

    monkeypatch.setattr("optisplit.cli.paper.reproduce", lambda out, **options: Made)
    monkeypatch.setattr("optisplit.cli.paper._lines", lambda table: "")
    code, told, _ = run_json("paper", "--out", "paper", "--seeds", 1)
    assert code == 0
    assert told["table1"] == [{"data": "bibtex", "rows": 7395}]
    assert told["table2"] == [{"rld": None}]
    assert told["verdict"] == "All as printed."


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (("info", "emotion"), "OptionError", "Unknown data set 'emotion'"),
        (("info", "no.csv"), "FormatError", "There is no file 'no.csv'"),
        (
            ("info", "missing.csv"),
            "MissingLabelsError",
            "--missing zero reads them as 0, --missing one as 1, --missing drop-rows leaves",
        ),
        (("split", "data.csv", "-k", "99"), "FoldAssignmentError", "-k 99 exceeds"),
        (("split", "data.csv", "--sead", "1"), "UsageError", "Did you mean '--seed'?"),
        (("check", "data.csv"), "UsageError", "give the split"),
    ],
)
def test_errors_as_json(run_json, here, arguments, kind, message):
    Path("missing.csv").write_text("a,b\n1,0\n,1\n1,1\n")
    code, told, err = run_json(*arguments)
    assert code == 2
    assert set(told) == {"optisplit", "command", "exit_code", "error"}
    assert told["error"]["kind"] == kind
    assert message in told["error"]["message"]
    assert err.startswith("optisplit")
    assert told["error"]["message"] in err


def test_an_interrupt_as_json(run_json, here, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("optisplit.cli.info.run", interrupt)
    code, told, _ = run_json("info", "data.csv")
    assert (code, told["error"]["kind"]) == (130, "Interrupted")


def test_standard_output_on_a_full_disk(run, here, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("optisplit.cli.info.run", fail)
    told = "optisplit: standard output cannot be written: No space left on device.\n"
    assert run("info", "data.csv") == (2, b"", told)


def test_values_that_json_does_not_have():
    table = pd.DataFrame({"a": [1.5, math.nan], "b": ["x", "y"]})
    given = {"t": table, "n": np.float64("inf"), "i": np.int32(3), "p": Path("x"), "l": (np.bool_(True), None)}
    assert answer.plain(given) == {
        "t": [{"a": 1.5, "b": "x"}, {"a": None, "b": "y"}], "n": None, "i": 3, "p": "x", "l": [True, None]
    }  # fmt: skip


# the label is on 1, 2 and 3 rows of three folds of four: rLD (1/2 + 0 + 1/2) / 3, DCP 3/6 - 1/3, LD (2/3 + 0 + 2) / 3
UNEVEN = "a\n" + "1\n0\n0\n0\n1\n1\n0\n0\n1\n1\n1\n0\n"


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ((), 0),
        (("--max-rld", "0.3334"), 0),
        (("--max-rld", "0.333"), 1),
        (("--max-dcp", "0.167"), 0),
        (("--max-dcp", "0.166"), 1),
        (("--max-ld", "0.89"), 0),
        (("--max-ld", "0.88"), 1),
        (("--max-ed", "0"), 0),
        (("--max-excess", "1e9"), 1),  # the bound is 0
        (("--max-excess", "100", "--measure", "dcp"), 1),
        (("--max-untrainable", "0"), 0),
        (("--max-missing-labels", "0"), 0),
        (("--max-rld", "0.4", "--max-dcp", "0.1", "--fail-on", "never"), 1),
        (("--fail-on", "warning"), 1),
        (("--fail-on", "never"), 0),
    ],
)
def test_limits(run, here, limits, code):
    Path("uneven.csv").write_text(UNEVEN)
    got, out, _ = run("check", "uneven.csv", "--label-columns", "a", "--folds", "folds.csv", "--no-random", *limits)
    assert got == code
    n_passed = 0 if "warning" in limits else code
    assert sum(line.startswith(b"Limit passed: ") for line in out.splitlines()) == n_passed


def test_an_excess_over_a_bound(run, here):
    Path("rare.csv").write_text("a,b\n" + "1,0\n1,1\n1,0\n0,1\n1,1\n0,0\n1,0\n0,1\n0,1\n1,1\n1,0\n0,0\n1,1\n")
    Path("rare-folds.csv").write_text("fold\n" + "0\n1\n2\n" * 4 + "2\n")
    report = evaluate(load("rare.csv"), read_split("rare-folds.csv", load("rare.csv")).folds)
    excess = 100 * (report.rld / report.rld_bound - 1)
    assert 1 < excess < 1000
    given = ("check", "rare.csv", "--folds", "rare-folds.csv", "--no-random", "--max-excess")
    assert run(*given, excess + 1)[0] == 0
    code, out, _ = run(*given, excess - 1)
    assert code == 1
    last = out.decode().splitlines()[-1]
    assert last == (
        f"Limit passed: rLD above the best possible, in %, is {excess:,.4g}, above the {excess - 1:,.4g} of "
        "--max-excess."
    )


def test_limits_on_labels(run, here):
    Path("rare.csv").write_text("a,b\n" + "1,0\n" + "0,1\n" * 5 + "0,0\n" * 6)
    Path("parts.csv").write_text("split\n" + "test\n" * 4 + "train\n" * 8)
    given = ("check", "rare.csv", "--no-random", "--fail-on", "never", "--folds", "parts.csv")
    assert [run(*given, "--max-untrainable", n)[0] for n in (0, 1)] == [1, 0]
    assert [run(*given, "--max-missing-labels", n)[0] for n in (0, 1)] == [1, 0]


def test_a_limit_on_what_is_not_defined_is_passed(run, here):
    Path("same.csv").write_text("a\n" + "1\n" * 12)
    given = ("check", "same.csv", "--label-columns", "a", "--no-random", "--folds", "folds.csv", "--max-rld", "1")
    code, out, _ = run(*given)
    assert code == 1
    assert out.endswith(b"Limit passed: rLD is not defined, so it is not known to be within --max-rld.\n")


@pytest.mark.parametrize(("fail_on", "code"), [("fault", 1), ("warning", 1), ("never", 0)])
def test_a_fault_makes_the_exit_code(run, here, fail_on, code):
    got, out, _ = run("check", "data.csv", "--folds", "short.csv", "--no-random", "--fail-on", fail_on)
    assert got == code
    assert b"Fault: 1 row is in no part" in out


def test_a_warning_beside_a_good_verdict(run, here):
    even = [[0, 1, 2, 3, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    Path("twice.json").write_text(json.dumps(even))
    given = ("check", "data.csv", "--folds", "twice.json", "--no-random", "--fail-on")
    assert [run(*given, each)[0] for each in ("fault", "warning")] == [0, 1]


def test_data_from_standard_input(run, run_json, here):
    packed = gzip.compress(TABLE.encode())
    code, out, err = run("info", "-", "--name", "mine.csv", given=packed)
    assert (code, err) == (0, "")
    assert out.startswith(b"mine: 12 rows x 2 labels, 12 positives\n")
    assert run_json("split", "-", "-k", 2, given=TABLE.encode())[1]["data"]["name"] == "stdin"
    code, out, _ = run("check", "-", "--folds", "folds.csv", "--no-random", given=TABLE.encode())
    assert code == 0
    table = "a,b,part\n" + "1,0,x\n0,1,y\n0,0,x\n1,1,y\n" * 2
    given = ("check", "-", "--label-columns", "a,b", "--column", "part", "--no-random")
    code, out, _ = run(*given, given=table.encode())  # read for the labels, the split and equal rows
    assert b"rLD" in out
    code, out, _ = run("split", "-", "-k", 2, "--form", "column", "--method", "random", given=TABLE.encode())
    assert code == 0
    assert pd.read_csv(io.BytesIO(out)).columns.tolist() == ["a", "b", "fold"]
    assert run("info", "-", given=b"")[0] == 2


def test_folds_from_standard_input(run, here):
    expected = run("check", "data.csv", "--folds", "folds.csv", "--no-random")[1]
    given = Path("folds.csv").read_bytes()
    assert run("check", "data.csv", "--folds", "-", "--no-random", given=given)[:2] == (0, expected)
    table = pd.read_csv("folds.csv").assign(other=0).to_csv(index=False).encode()
    assert run("check", "data.csv", "--folds=-:fold", "--no-random", given=table)[:2] == (0, expected)
    code, out, _ = run("repair", "data.csv", "--folds", "-", given=b"[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]")
    assert code == 0
    assert len(json.loads(out)) == 2


def test_standard_input_that_is_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    with pytest.raises(OptionError, match="standard input, which is a terminal; pipe a file into it"):
        reading.read_stdin("The data")


@pytest.mark.parametrize("form", ["csv", "json", "npz", "column", "files", "predefined", "huggingface"])
def test_a_split_to_standard_output_is_that_to_a_file(run, here, form):
    given = ("split", "data.csv", "-k", 3, "--method", "random", "--form", form)
    code, out, _ = run(*given, "-o", "-")
    assert code == 0
    assert run(*given)[1] == out
    assert run(*given, "-o", "written")[:2] == (0, b"")
    assert Path("written").read_bytes() == out
    wanted = split(load("data.csv"), 3, method="random", random_state=0)
    if form in ("csv", "json", "npz", "column", "files", "huggingface"):
        name = {"json": "s.json", "huggingface": "s.json", "npz": "s.npz", "files": "s.zip"}.get(form, "s.csv")
        Path(name).write_bytes(out)
        assert read_split(name, load("data.csv")).folds.tolist() == wanted.tolist()


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (("--fold-sizes", "0.5,0.25,0.25"), "parts"),
        (("--fold-sizes", "6,3,3"), "parts"),
        (("--fold-sizes", "4,4,4"), "folds"),
        (("--fold-sizes", "0.5,0.25,0.25", "--kind", "folds"), "folds"),
        (("-k", "3"), "folds"),
        (("-k", "3", "--kind", "parts"), "parts"),
    ],
)
def test_parts_have_names(run, here, options, kind):
    _, out, _ = run("split", "data.csv", *options, "--form", "json")
    assert set(json.loads(out)) == ({"train", "validation", "test"} if kind == "parts" else {"folds"})


def program(*arguments, **more):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-m", "optisplit", *arguments], env=environment, **more)


def test_a_pipe_of_programs(here):
    with Path("data.csv").open("rb") as data:
        first = program("split", "-", "-k", "3", "--format", "delimited", stdin=data, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)  # fmt: skip
        second = program("check", "data.csv", "--folds", "-", "--no-random", "--json", stdin=first.stdout,
                         stdout=subprocess.PIPE)  # fmt: skip
        first.stdout.close()
        told = json.loads(second.communicate(timeout=120)[0])
        first.communicate(timeout=120)
    assert (first.returncode, second.returncode) == (0, 0)
    assert [part["rows"] for part in told["split"]["parts"]] == [4, 4, 4]
    assert told["measures"]["rld"]["value"] == 0


def test_a_reader_that_goes_away_is_no_error(here):
    # 2.7 MB are more than a pipe holds, so that the writer meets the closed end
    Path("long.csv").write_text("a,b\n" + "1,0\n0,1\n" * 40_000)
    process = program("split", "long.csv", "--method", "random", "--form", "json", stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)  # fmt: skip
    process.stdout.read(4)
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    assert process.wait(120) == cli.BROKEN_PIPE
    assert told == b""


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("out.csv", ()), ("out.tsv.xz", ()), ("out.jsonl", ()), ("out.parquet", ()), ("out.npz", ()),
        ("out.libsvm", ()), ("out.arff", ()), ("out.txt", ("--to", "xmc-labels")),
        ("tags.csv", ("--to-layout", "tags", "--to-separator", "|")),
    ],
)  # fmt: skip
def test_labels_are_converted(run, run_json, here, name, more):
    code, told, err = run_json("convert", "emotions", "-o", name, *more)
    assert (code, err) == (0, "")
    assert told["what"] == "labels"
    assert told["files"][0] == name
    assert all(Path(file).is_file() for file in told["files"])
    again, data = load(name, **told["options"]), load("emotions")
    at = [again.label_names.index(label) for label in data.label_names]
    assert (again.labels[:, at] != data.labels).nnz == 0
    code, out, err = run("convert", "emotions", "-o", name, *more)
    assert (code, out) == (0, b"")
    assert err.endswith("".join(f"optisplit: {file} is written\n" for file in told["files"]))


def test_labels_to_standard_output(run, here):
    code, out, err = run("convert", "data.csv", "--to", "csv")
    assert (code, out, err) == (0, TABLE.encode(), "")
    code, out, _ = run("convert", "-", "-o", "-", "--to", "parquet", given=TABLE.encode())
    assert code == 0
    assert out.startswith(b"PAR1")
    code, out, err = run("convert", "data.csv", "--to", "libsvm")
    assert (code, out) == (2, b"")
    assert "libsvm has names in a file of its own, so a path is needed" in err


def test_no_binary_file_is_written_to_a_terminal(run, here, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(sys.stdout, "isatty", lambda: True)
        code, out, err = run("convert", "data.csv", "--to", "parquet")
        assert (code, out) == (2, b"")
        assert "This is no text, and standard output is a terminal" in err
        assert run("convert", "data.csv", "--to", "csv")[1] == TABLE.encode()


def test_errors_of_writing_name_the_options_of_writing(run, here):
    Path("bare.csv").write_text(TABLE)
    code, _, err = run("convert", "bare.csv", "-o", "o.csv", "--to-layout", "long")
    assert code == 2
    assert "use --to-layout tags" in err
    code, _, err = run("convert", "bare.csv", "-o", "o.strange")
    assert (code, err[:60]) == (2, "optisplit: The ending of 'o.strange' tells no format; give --to: csv, tsv"[:60])


def test_errors_call_arguments_by_their_options(run, here):
    code, _, err = run("info", "data.csv", "--label-columns", 5)
    assert code == 2
    assert err.startswith("optisplit: --label-columns 5 does not fit 2 column")
    given = [argument("layout", "tags", of="save"), argument("n_splits", 3, of="split"), argument("label_file")]
    assert [worded(each, in_options) for each in given] == ["--to-layout tags", "-k 3", "--xml"]
    assert worded(argument("label_columns", ["row", "label"]), in_options) == "--label-columns row,label"
    assert worded(argument("rows", "from 0", of="read_split"), in_options) == "--rows 0"


@pytest.mark.parametrize("name", ["out.json", "out.npz", "out.csv.gz", "out.zip", "out.py"])
def test_a_split_is_converted(run, run_json, here, name):
    code, told, _ = run_json("convert", "data.csv", "--folds", "folds.csv", "-o", name)
    assert (code, told["what"], told["files"], told["options"]) == (0, "split", [name], None)
    if name == "out.py":
        found = {}
        exec(Path(name).read_text(), found)
        assert found["test_fold"].tolist() == [0] * 4 + [1] * 4 + [2] * 4
    else:
        assert read_split(name, load("data.csv")).folds.tolist() == [0] * 4 + [1] * 4 + [2] * 4


def test_the_files_of_folds(run, here):
    run("convert", "data.csv", "--folds", "folds.csv", "-o", "out.zip", "--fold-pairs")
    with zipfile.ZipFile("out.zip") as archive:
        names = archive.namelist()
        assert sum("train" in name for name in names) == sum("test" in name for name in names) == 3


def test_a_split_that_is_no_split_is_not_converted(run, here):
    code, _, err = run("convert", "data.csv", "--folds", "short.csv", "-o", "out.json")
    assert code == 2
    assert "The split cannot be written in another form as it is: 1 row is in no part" in err
    assert not Path("out.json").exists()


def test_two_files_have_no_file_of_their_own(run, here):
    Path("a.csv").write_text("a,b\n1,0\n0,1\n")
    Path("b.csv").write_text("a,b\n1,1\n0,1\n")
    given = ("convert", "--train", "a.csv", "--test", "b.csv")
    code, out, _ = run(*given, "--form", "json")
    assert (code, json.loads(out)) == (0, {"train": [0, 1], "test": [2, 3]})
    code, _, err = run(*given, "--form", "files", "-o", "out.zip")
    assert code == 2
    assert "the form files is made from the data's own file, so DATA is needed" in err


def test_a_recipe_makes_the_same_folds(run, run_json, here):
    Path("groups.csv").write_text("group\n" + "".join(f"g{row // 2}\n" for row in range(12)))
    given = ("split", "data.csv", "--fold-sizes", "0.5,0.5", "--groups", "groups.csv:group", "--seed", 5)
    code, told, _ = run_json(*given, "--save-recipe", "recipe.json")
    assert (code, told["recipe"]) == (0, "recipe.json")
    recipe = Recipe.read("recipe.json")
    assert (recipe.seed, recipe.source, recipe.groups_from) == (5, "data.csv", "groups.csv:group")
    code, again, _ = run_json("split", "--recipe", "recipe.json")
    assert code == 0
    assert again["folds"] == told["folds"]
    assert (again["seed"], again["n_splits"], again["data"]["name"]) == (5, 2, "data")
    assert again["notes"] == ["groups.csv: column 'group', in the order of the rows; 6 groups."]
    code, _, err = run("split", "-", "--recipe", "recipe.json", given=TABLE.encode())
    assert code == 0, err
    Path("groups.csv").write_text("group\n" + "".join(f"g{row // 3}\n" for row in range(12)))
    code, out, err = run("split", "--recipe", "recipe.json", "-o", "again.csv")
    assert (code, out) == (2, b"")
    assert "These are not the groups of the recipe (from 'groups.csv:group')" in err or "groups" in err
    assert not Path("again.csv").exists()


def test_a_recipe_of_other_data_or_versions(run, here):
    assert run("split", "data.csv", "-k", 3, "--save-recipe", "recipe.json", "-o", "folds3.csv")[0] == 0
    code, _, err = run("split", "emotions", "--recipe", "recipe.json")
    assert code == 2
    assert "12 rows then, 593 now; 2 labels then, 6 now" in err
    recipe = json.loads(Path("recipe.json").read_text())
    recipe["folds"] = "0" * 32
    recipe["versions"]["numpy"] = "1.0"
    Path("other.json").write_text(json.dumps(recipe))
    code, out, err = run("split", "--recipe", "other.json")
    assert (code, out) == (2, b"")
    assert f"numpy 1.0, now {np.__version__}" in err
    code, out, err = run("split", "--recipe", "other.json", "--if-different", "warn")
    assert (code, out) == (0, Path("folds3.csv").read_bytes())
    assert "Warning: The folds of 'optisplit-sa', seed 0, came out other than they were." in err


def test_a_recipe_does_not_choose_files_elsewhere(run, here):
    Path("groups.txt").write_text("".join(f"g{row // 2}\n" for row in range(12)))
    given = ("split", "data.csv", "-k", 2, "--groups", here / "groups.txt", "--save-recipe", "recipe.json")
    assert run(*given)[0] == 0
    code, _, err = run("split", "--recipe", "recipe.json")
    assert code == 2
    assert "so they must be given again" in err
    assert run("split", "--recipe", "recipe.json", "--groups", "groups.txt")[0] == 0


def test_progress_where_there_is_no_terminal(run, here, monkeypatch):
    seconds = itertools.count(0, 2)
    monkeypatch.setattr(terminal, "time", SimpleNamespace(monotonic=lambda: float(next(seconds))))
    given = ("split", "data.csv", "-k", 3, "--method", "random")
    code, _, err = run(*given, "--progress")
    assert code == 0
    assert err.splitlines()[0] == "100 % reading data.csv"
    assert "% reading" not in run(*given)[2]
    assert "% reading" not in run(*given, "--no-progress")[2]
    with terminal.Watch("rLD", progress=True) as watch:  # at most a line in five seconds
        for done in range(4):
            watch.of_search(done, 4, 0.125)
    told = run("info", "data.csv")[2]
    assert told == "  0 % rLD 0.125\n 75 % rLD 0.125\n"


def test_how_to_read_is_said_with_options(run, here):
    Path("tags.csv").write_text("id,tags\nr1,a-b\nr2,b\nr3,a-c\n")
    given = ("info", "tags.csv", "--layout", "tags", "--label-columns", "tags", "--label-separator", "-")
    code, out, _ = run(*given)
    assert code == 0
    assert out.startswith(b"tags: 3 rows x 3 labels, 5 positives\n")
    np.savez("y.npz", Y=np.eye(3, dtype=int))
    Path("names.txt").write_text("x\ny\nz\n")
    assert b"'x': 1" in run("info", "y.npz", "--names", "names.txt", "-k", 2)[1]
    Path("missing.csv").write_text("a,b\n1,0\n,1\n1,1\n")
    assert run("info", "missing.csv", "--missing", "drop-rows")[1].startswith(b"missing: 2 rows x 2 labels")
    code, _, err = run("info", "tags.csv", "--format", "jsonl")
    assert code == 2
    assert err.startswith("optisplit: ")


def test_tables_are_packed_as_their_names_say(run, here):
    run("split", "data.csv", "-k", 12, "-o", "f.csv.gz", "--missing-labels", "a.csv.gz")
    folds = split(load("data.csv"), 12, random_state=0)
    assert gzip.decompress(Path("f.csv.gz").read_bytes()).decode() == folds_to_csv(folds)
    assert gzip.decompress(Path("a.csv.gz").read_bytes()).startswith(b"label,positives,missing_from")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ("split", "data.csv", "-o", "f.csv", "--missing-labels", "f.csv"),
            "--missing-labels and -o are the same file, 'f.csv'",
        ),
        (("split", "data.csv", "-o", "data.csv"), "-o and DATA are the same file, 'data.csv'"),
        (
            ("repair", "data.csv", "--folds", "f.csv:fold", "-o", "out.csv", "--moves", "f.csv"),
            "--moves and --folds are",
        ),
        (("convert", "data.csv", "--to", "tsv", "-o", "data.csv"), "-o and DATA are the same file, 'data.csv'"),
        (("check", "data.csv", "--folds", "f.csv", "--report", "f.csv"), "--report and --folds are the same file"),
    ],
)
def test_no_file_destroys_another(run, here, given, said):
    Path("f.csv").write_text("fold\n0\n")
    before = {each.name: each.read_bytes() for each in Path().iterdir()}
    code, out, err = run(*given)
    assert (code, out) == (2, b"")
    assert said in err
    assert {each.name: each.read_bytes() for each in Path().iterdir()} == before
