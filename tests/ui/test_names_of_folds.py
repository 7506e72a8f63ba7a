"""A fold is called what the user calls it: in the library, on the command line, in the app, and in files."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from test_app import open_app, text_of, upload
from test_app_check import check, give, open_tab, taken_away, wait_for_button

import optisplit
from optisplit import check_split, cli, find_missing_labels, repair

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

N_ROWS = 24
NAMES = {"folds": ("7", "8", "9"), "parts": ("train", "val", "test")}
"""Folds that are called by numbers from 7 are "fold 7" and so on in words."""


def table() -> bytes:
    """Give labels of which one is not in the second fold, and another is on one row only."""
    labels = np.zeros((N_ROWS, 3), dtype=int)
    labels[::2, 0] = 1
    labels[[0, 1, 2, 16, 17], 1] = 1
    labels[5, 2] = 1
    return b"often,some,once\n" + "".join(",".join(map(str, row)) + "\n" for row in labels).encode()


def split_file(kind: str) -> bytes:
    title = "fold" if kind == "folds" else "split"
    return f"{title}\n".encode() + "".join(f"{NAMES[kind][row // 8]}\n" for row in range(N_ROWS)).encode()


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_bytes(table())
    for kind in NAMES:
        (tmp_path / f"{kind}.csv").write_bytes(split_file(kind))
    return tmp_path


def run(capsys, *typed) -> str:
    cli.main(list(map(str, typed)))
    return capsys.readouterr().out


def called(kind: str) -> tuple[str, ...]:
    return tuple(f"fold {name}" for name in NAMES[kind]) if kind == "folds" else NAMES[kind]


@pytest.mark.parametrize("kind", NAMES)
def test_check(capsys, here, kind):
    names = called(kind)
    data = optisplit.load("data.csv")
    split = optisplit.read_split(f"{kind}.csv", data)
    found = check_split(data, split, n_random=20)
    assert found.split.part_names == found.report.fold_names == names
    assert set(names) < set(found.labels.columns)
    assert set(names) < set(found.report.per_class.columns)
    missing = found.missing_labels
    assert dict(zip(missing["label"], missing["missing_from"], strict=True)) == {
        "some": names[1], "once": f"{names[1]}, {names[2]}"
    }  # fmt: skip
    assert missing.equals(find_missing_labels(data, split))
    parts = dict(zip(found.untestable["label"], found.untestable["parts"], strict=True))
    assert parts == {"some": names[1], "once": f"{names[1]}, {names[2]}"}

    given = ("check", "data.csv", "--folds", f"{kind}.csv")
    told = json.loads(run(capsys, *given, "--json", "--missing-labels", "missing.csv", "--report", "check.html"))
    assert [part["name"] for part in told["split"]["parts"]] == list(names)
    for key in ("missing_labels", "untestable", "untrainable"):
        assert told[key] == json.loads(getattr(found, key).to_json(orient="records"))
    with open("missing.csv") as file:
        assert [line["missing_from"] for line in csv.DictReader(file)] == missing["missing_from"].tolist()
    text = run(capsys, *given)
    assert f"'some', 5 positives, not in {names[1]}: possible for this label alone" in text
    page = (here / "check.html").read_text()
    for name in names:
        assert f">{name}</th>" in page
    wrong = r"fold [0-6]\b" if kind == "folds" else r"fold \d|part \d"
    assert not re.search(wrong, text)
    assert not re.search(wrong, re.sub(r"(?s)<script.*?</script>", "", page))
    figures = "".join(re.findall(r"(?s)<svg.*?</svg>", page))
    assert not re.search(wrong, figures)

    app = check(give(data_in_app(), f"{kind}.csv", split_file(kind)))
    open_tab(app, "Missing labels")
    frames = [each.value for each in app.dataframe]
    shown = [dict(zip(each["label"], each["parts"], strict=True)) for each in frames if "reason" in each]
    assert shown == [parts] + ([{"once": names[0]}] if kind == "folds" else [])
    open_tab(app, "Labels")
    assert any(set(names) < set(each.value.columns) for each in app.dataframe)
    open_tab(app, "Maps")
    drawn = json.dumps([json.loads(each.proto.spec) for each in app.get("plotly_chart")])
    assert names[1] in drawn
    assert not re.search(wrong, drawn + text_of(app))


def data_in_app():
    app = open_app("check", data="emotions")
    upload(app, "data.csv", table())
    return app


@pytest.mark.parametrize("kind", NAMES)
def test_repair(capsys, here, kind):
    names = called(kind)
    data = optisplit.load("data.csv")
    split = optisplit.read_split(f"{kind}.csv", data)
    done = repair(data, split, random_state=0)
    assert done.n_moved > 0
    assert set(done.moves["from_fold"]) | set(done.moves["to_fold"]) <= set(names)
    name, content = done.write_back()
    assert name == f"{kind}-repaired.csv"
    values = content.decode().split()[1:]
    assert values == [NAMES[kind][fold] for fold in done.folds]

    given = ("repair", "data.csv", "--folds", f"{kind}.csv")
    told = json.loads(run(capsys, *given, "--json", "--moves", "moves.csv", "-o", "better.csv"))
    assert told["fold_names"] == list(names)
    assert told["moves"] == json.loads(done.moves.to_json(orient="records"))
    with open("moves.csv") as file:
        assert [line["to_fold"] for line in csv.DictReader(file)] == done.moves["to_fold"].tolist()
    assert (here / "better.csv").read_bytes() == content

    app = check(give(data_in_app(), f"{kind}.csv", split_file(kind)))
    app.button(key="check_repair").click().run()
    wait_for_button(app, "check_undo")
    assert taken_away(app) == (name, content)
    moves = next(each.value for each in app.dataframe if "from_fold" in each.value)
    assert moves.reset_index(drop=True).equals(done.moves)


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("name", ["out.csv", "out.json", "out.zip", "column.csv"])
def test_files_in_other_forms(capsys, here, kind, name):
    form = ("--form", "column") if name == "column.csv" else ()
    run(capsys, "convert", "data.csv", "--folds", f"{kind}.csv", "-o", name, *form)
    data = optisplit.load("data.csv")
    again = optisplit.read_split(name, data)
    assert again.kind == kind
    assert dict(zip(again.part_names, again.sizes.tolist(), strict=True)) == dict.fromkeys(called(kind), 8)
    assert optisplit.evaluate(data, again.folds).rld == optisplit.evaluate(data, np.arange(N_ROWS) // 8).rld


def test_folds_beyond_those_of_the_file_get_the_next_names(here):
    data = optisplit.load("data.csv")
    split = optisplit.read_split(io.BytesIO(b"fold\n" + b"1\n2\n" * 12), data, name="two.csv")
    done = repair(data, split, n_splits=4, fold_sizes=[0.25] * 4, random_state=0)
    assert done.after.fold_names == ("fold 1", "fold 2", "fold 3", "fold 4")
