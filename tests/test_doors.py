"""The library, the command line and the app are three doors to the same answers: names, and numbers to the digit."""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pandas as pd
import pytest
from test_app import bring_groups, complaints, divide_into_parts, job_of, open_app, open_tab, program, upload
from test_app import compare as press_run
from test_app_check import check as press_check
from test_app_check import give, wait_for_button

import optisplit
from optisplit import check_split, cli, evaluate, load, read_split, repair
from optisplit.check.verdict import repaired_sentences
from optisplit.cli import reading
from optisplit.errors import FoldAssignmentError
from optisplit.io.rows import GroupNames, read_column
from optisplit.methods.rare import RARE
from optisplit.model_selection import MultilabelShuffleSplit, train_test_split
from optisplit.ui.compare import take_away

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Streamlit's own making

N_ROWS = 240
LABELS = ("lung, left", "50 %", "<b>Ünï</b>", "rare", "*often*")
MEASURES = ("rld", "dcp", "ld", "ed", "fz", "flz")


def table() -> bytes:
    """A table apart at semicolons, with a comma in quotes, in its header and in its cells."""
    rng = np.random.default_rng(3)
    lines = ['id;"note, free";' + ";".join(f'"{label}"' for label in LABELS)]
    shares = (0.3, 0.2, 0.1, 0.04, 0.7)
    for row in range(N_ROWS):
        cells = [str(int(rng.random() < share)) for share in shares]
        lines.append(f'p{row:03};"{rng.integers(9)}, {row}";' + ";".join(cells))
    return ("\n".join(lines) + "\n").encode()


def lines_of(column: str, values, order) -> bytes:
    return "\n".join([f"id,{column}", *(f"p{row:03},{values[row]}" for row in order), ""]).encode()


RNG = np.random.default_rng(5)
FOLDS = (RNG.permutation(N_ROWS) % 10 + 1).tolist()
PARTS = RNG.choice(["train", "val", "test"], N_ROWS, p=[0.7, 0.15, 0.15]).tolist()
GROUPS = [f"g {row // 3}" for row in range(N_ROWS)]
SHUFFLED = RNG.permutation(N_ROWS).tolist()
SPLITS = {
    "folds.csv": lines_of("fold", FOLDS, SHUFFLED),
    "parts.csv": lines_of("split", PARTS, SHUFFLED),
}
FAULTY = lines_of("fold", FOLDS, SHUFFLED[:-20])  # 20 rows are in no part


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_bytes(table())
    for name, content in SPLITS.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "groups.csv").write_text("\n".join(["group", *GROUPS, ""]))
    return tmp_path


@pytest.fixture
def command(capsys, monkeypatch):
    """Ask the command line, in this process."""

    def ask(*typed):
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        cli.main([*map(str, typed), "--json"])
        return json.loads(capsys.readouterr().out)

    return ask


def opened(page: str = ""):
    return upload(open_app(page, data="emotions"), "data.csv", table())


def chosen_data(app):
    (held,) = app.session_state["uploads"].values()
    return held.data


def scores_of(report) -> dict[str, float]:
    return {key: float(getattr(report, key)) for key in MEASURES}


def bounds_of(report) -> dict[str, float]:
    return {key: float(getattr(report, f"{key}_bound")) for key in ("rld", "dcp")}


def scores_told(measures: dict) -> dict[str, float]:
    return {key: measures[key]["value"] for key in MEASURES}


def bounds_told(measures: dict) -> dict[str, float]:
    return {key: measures[key]["bound"] for key in ("rld", "dcp")}


def test_info(here, command):
    data = load("data.csv")
    assert data.label_names == LABELS
    told = command("info", "data.csv", "-k", N_ROWS)
    app = opened("data")
    in_app = chosen_data(app)
    assert told["data"] == {
        "name": data.name, "n_rows": data.n_rows, "n_labels": data.n_labels, "n_positives": data.n_positives
    }  # fmt: skip
    sizes = dict(zip(data.label_names, np.asarray(data.labels.sum(axis=0)).tolist(), strict=True))
    assert {each["label"]: each["positives"] for each in told["rare_labels"]} == sizes
    assert in_app.digest == data.digest
    assert (in_app.name, in_app.label_names, in_app.row_ids) == (data.name, data.label_names, data.row_ids)
    assert list(in_app.notes) == list(data.notes) == told["notes"]
    said = " ".join(each.value.replace("\\", "") for each in app.main.markdown)
    assert f"{data.n_rows:,} rows, {data.n_labels:,} labels, {told['labels_per_row']:.2g} labels a row" in said


SPLIT_QUESTIONS = {
    "folds": ({"n_splits": 5}, ("-k", 5)),
    "groups": ({"n_splits": 5, "groups": GROUPS}, ("-k", 5, "--groups", "groups.csv")),
    "parts": ({"fold_sizes": [0.8, 0.1, 0.1]}, ("--fold-sizes", "0.8,0.1,0.1")),
}


def asked_of_app(question: str, methods: tuple[str, ...], n_seeds: int):
    app = opened()
    key = "methods"
    if question == "groups":
        bring_groups(app, "\n".join(["group", *GROUPS, ""]), "groups.csv")
        key = "methods_groups"
    if question == "parts":
        divide_into_parts(app)
        key = "methods_fold_sizes"
    return job_of(press_run(app, methods, n_seeds, key=key)).result


@pytest.mark.parametrize("question", SPLIT_QUESTIONS)
def test_split(here, command, question):
    asked, typed = SPLIT_QUESTIONS[question]
    data = load("data.csv")
    folds = optisplit.split(data, **asked, random_state=0)
    shares = asked.get("fold_sizes")
    report = evaluate(data, folds, shares=shares)
    told = command("split", "data.csv", *typed)
    result = asked_of_app(question, ("optisplit-sa",), 1)
    (run,) = result.runs
    assert told["folds"] == folds.tolist() == run.folds.tolist()
    assert told["row_ids"] == list(data.row_ids)
    assert scores_told(told["measures"]) == scores_of(report) == scores_of(run.report)
    assert bounds_told(told["measures"]) == bounds_of(report) == bounds_of(run.report)


@pytest.mark.parametrize("question", SPLIT_QUESTIONS)
def test_compare(here, command, question):
    asked, typed = SPLIT_QUESTIONS[question]
    methods = ["random", "optisplit-sa"]
    wanted = optisplit.compare(load("data.csv"), methods, seeds=range(2), **asked).table
    told = pd.DataFrame(command("compare", "data.csv", *typed, "--methods", ",".join(methods), "--seeds", 2)["runs"])
    in_app = asked_of_app(question, tuple(methods), 2).table
    for found in (told, in_app):
        assert list(found.columns) == list(wanted.columns)
        pd.testing.assert_frame_equal(found.drop(columns="time_s"), wanted.drop(columns="time_s"), check_exact=True)


@pytest.mark.parametrize("rare", RARE)
def test_rare(here, command, rare):
    data, shares = load("data.csv"), [0.8, 0.1, 0.1]
    folds = optisplit.split(data, fold_sizes=shares, rare=rare, random_state=0).tolist()
    told = command("split", "data.csv", "--fold-sizes", "0.8,0.1,0.1", "--rare", rare, "--save-recipe", "recipe.json")
    assert (told["rare"], told["folds"]) == (rare, folds)
    app = divide_into_parts(opened())
    app.selectbox(key="rare").set_value(rare)
    press_run(app, ("optisplit-sa",), 1, key="methods_fold_sizes")
    job = job_of(app)
    (run,) = job.result.runs
    assert run.folds.tolist() == folds
    made: dict = {}
    exec(program(app), made)
    assert made["parts"].tolist() == folds
    in_app = take_away.recipe(job.result, job.request, run)
    for recipe in (optisplit.Recipe.read("recipe.json"), optisplit.Recipe.from_json(in_app.to_json())):
        assert recipe.options["rare"] == rare
        assert recipe.split(data).tolist() == folds
    pairs = MultilabelShuffleSplit(1, test_size=0.2, rare=rare, random_state=0)
    train, test, *_ = train_test_split(
        np.arange(N_ROWS), test_size=0.2, stratify=data.labels, rare=rare, random_state=0
    )
    assert [set(rows.tolist()) for rows in next(pairs.split(None, data.labels))] == [set(train), set(test)]
    two = optisplit.split(data.labels, fold_sizes=[0.8, 0.2], rare=rare, effort="quick", random_state=0)
    assert set(test) == set(np.flatnonzero(two == 1))


def test_what_groups_cost(here, command, capsys):
    data = load("data.csv")
    costs = optisplit.rule_costs(data, optisplit.split(data, 5, groups=GROUPS, random_state=0), groups=GROUPS)
    assert costs.excess["beyond_rounding"] >= costs.n_forced
    assert command("split", "data.csv", "-k", 5, "--groups", "groups.csv")["rule_costs"] == {
        "rules": ["groups"], "excess": costs.excess, "n_forced": costs.n_forced
    }  # fmt: skip
    cli.main(["split", "data.csv", "-k", "5", "--groups", "groups.csv"])
    assert costs.sentence in capsys.readouterr().err.splitlines()
    assert command("split", "data.csv", "-k", 5, "--groups", "groups.csv", "--rare", "score")["rule_costs"] is None
    app = bring_groups(opened(), "\n".join(["group", *GROUPS, ""]), "groups.csv")
    press_run(app, ("optisplit-sa",), 1, key="methods_groups")
    open_tab(app, "One split")
    assert costs.sentence in [each.value for each in app.caption]


def check_of_app(name: str):
    return press_check(give(opened("check"), name, SPLITS[name]))


@pytest.mark.parametrize("name", SPLITS)
def test_check(here, command, name):
    data = load("data.csv")
    split = read_split(name, data)
    check = check_split(data, split, row_digests=optisplit.io.splits.row_digests(data, "data.csv"))
    told = command("check", "data.csv", "--folds", name)
    app = check_of_app(name)
    in_app = job_of(app).result
    parts = ["train", "val", "test"] if name == "parts.csv" else [str(fold) for fold in range(1, 11)]
    assert [part["name"] for part in told["split"]["parts"]] == list(split.part_names) == list(in_app.split.part_names)
    assert [each.removeprefix("fold ") for each in split.part_names] == parts
    assert [part["rows"] for part in told["split"]["parts"]] == split.sizes.tolist() == in_app.split.sizes.tolist()
    assert scores_told(told["measures"]) == scores_of(check.report) == scores_of(in_app.report)
    assert bounds_told(told["measures"]) == bounds_of(check.report) == bounds_of(in_app.report)
    grade = check.grade
    assert tuple(told["verdict"].values()) == (grade.key, grade.title, grade.severity, list(check.sentences))
    assert in_app.verdict == check.verdict
    shown = "".join(each.value for each in (*app.success, *app.warning, *app.error)).replace("\\", "")
    assert f"#### {grade.title}\n{' '.join(check.sentences)}" in shown
    for key in ("rld", "dcp", "ld"):
        wanted, shown = (
            {name: getattr(each.random[key], name) for name in ("percentile", "low", "mean", "high")}
            for each in (check, in_app)
        )
        assert told["measures"][key]["random"] == wanted == shown
    assert [fault["sentence"] for fault in told["faults"]] == [fault.sentence for fault in check.faults]
    assert [fault.sentence for fault in in_app.faults] == [fault.sentence for fault in check.faults]
    for table_of in ("untestable", "untrainable"):
        wanted = getattr(check, table_of).to_dict("records")
        assert told[table_of] == wanted
        assert getattr(in_app, table_of).to_dict("records") == wanted
    assert told["scorable"]["sentences"] == list(check.width_sentences) == list(in_app.width_sentences)
    assert told["scorable"]["widths"] == check.widths.to_dict("records") == in_app.widths.to_dict("records")


def test_check_of_groups(here, command):
    data = load("data.csv")
    split = read_split("folds.csv", data)
    check = check_split(data, split, groups=GroupNames.of(GROUPS, "groups.csv"), n_random=0)
    told = command("check", "data.csv", "--folds", "folds.csv", "--groups", "groups.csv", "--no-random")
    app = give(opened("check"), "folds.csv", SPLITS["folds.csv"])
    app.main.file_uploader[0].upload("groups.csv", (here / "groups.csv").read_bytes(), "text/csv").run()
    in_app = job_of(press_check(app)).result
    (fault,) = [each for each in check.faults if each.kind == "groups"]
    assert fault.count > 0
    assert (told["groups"]["sentence"], told["groups"]["is_whole"]) == (fault.sentence, False)
    assert [each["sentence"] for each in told["faults"]] == [each.sentence for each in check.faults]
    assert [each.sentence for each in in_app.faults] == [each.sentence for each in check.faults]
    assert told["missing_labels"] == check.missing_labels.to_dict("records") == in_app.missing_labels.to_dict("records")
    assert bounds_told(told["measures"]) == bounds_of(check.report) == bounds_of(in_app.report)


def test_check_that_tells_parts_apart(here, command, capsys):
    data = load("data.csv")
    check = check_split(data, read_split("folds.csv", data), n_random=0, apart=True)
    told = command("check", "data.csv", "--folds", "folds.csv", "--no-random", "--tell-apart")
    app = check_of_app("folds.csv")
    app.session_state["check_tab"] = "What a model would see"
    app.run()
    app.button(key="check_apart").click().run()
    in_app = job_of(wait_for_button(app, "check_repair")).result
    assert check.apart.sentences
    assert told["apart"]["sentences"] == check.apart.sentences == in_app.apart.sentences
    assert told["apart"]["parts"] == check.apart.table.to_dict("records") == in_app.apart.table.to_dict("records")
    cli.main(["check", "data.csv", "--folds", "folds.csv", "--no-random", "--tell-apart"])
    printed = capsys.readouterr().out
    assert all(f"  {sentence}\n" in printed for sentence in [*check.width_sentences, *check.apart.sentences])


@pytest.mark.parametrize("name", SPLITS)
def test_parts_are_called_as_they_came_wherever_they_are_shown(here, capsys, name):
    names = ["train", "val", "test"] if name == "parts.csv" else [f"fold {fold}" for fold in range(1, 11)]
    data = load("data.csv")
    report = check_split(data, read_split(name, data), n_random=0).report
    assert cli.main(["check", "data.csv", "--folds", name, "--no-random", "--report", "check.html"]) in (0, 1)
    printed = capsys.readouterr().out
    app = check_of_app(name)
    parts = next(each.value["Part"] for each in app.main.table if "Part" in each.value)
    assert [each.replace("\\", "") for each in parts] == names
    html = (here / "check.html").read_text()
    for text in (repr(report), printed, html):
        assert "fold 0" not in text
    assert all(each in html for each in names)
    lacking = {part for missing in check_split(data, read_split(name, data), n_random=0).missing_labels["missing_from"]
               for part in missing.split(", ")}  # fmt: skip
    assert lacking <= set(names)
    assert all(each in printed for each in lacking)


@pytest.mark.parametrize("name", SPLITS)
def test_repair(here, command, name):
    data = load("data.csv")
    split = read_split(name, data)
    made = repair(data, split, random_state=0)
    told = command("repair", "data.csv", "--folds", name)
    app = check_of_app(name)
    app.button(key="check_repair").click().run()
    wait_for_button(app, "check_undo")
    in_app = job_of(app).result
    assert told["folds"] == made.folds.tolist() == in_app.repair.folds.tolist()
    assert told["n_moved"] == made.n_moved == in_app.repair.n_moved > 0
    checked = command("check", "data.csv", "--folds", name, "--no-random")["measures"]
    assert scores_told(told["before"]) == scores_told(checked)
    assert bounds_told(told["before"]) == bounds_told(checked)
    assert scores_told(told["after"]) == scores_of(made.after) == scores_of(in_app.after.report)
    assert bounds_told(told["after"]) == bounds_of(made.after) == bounds_of(in_app.after.report)
    digests = optisplit.io.splits.row_digests(data, "data.csv")
    was, now = (check_split(data, each, row_digests=digests) for each in (split, made.split))
    assert (told["verdict"]["before"]["grade"], told["verdict"]["after"]["grade"]) == (was.grade.key, now.grade.key)
    assert told["verdict"]["sentences"] == list(repaired_sentences(was, now, made))
    shown = "".join(each.value for each in (*app.success, *app.warning, *app.error)).replace("\\", "")
    assert f"#### {told['verdict']['title']}\n{' '.join(told['verdict']['sentences'])}" in shown
    assert read_split(io.BytesIO(in_app.content), data, name=in_app.file_name).part_names == split.part_names
    cli.main(["repair", "data.csv", "--folds", name, "-o", "again.csv"])
    assert (here / "again.csv").read_bytes() == in_app.content


def test_repair_of_faults(here, command):
    (here / "faulty.csv").write_bytes(FAULTY)
    data = load("data.csv")
    made = repair(data, read_split("faulty.csv", data), random_state=0)
    told = command("repair", "data.csv", "--folds", "faulty.csv", "-o", "again.csv")
    app = press_check(give(opened("check"), "faulty.csv", FAULTY))
    app.button(key="check_repair").click().run()
    wait_for_button(app, "check_undo")
    in_app = job_of(app).result
    assert made.n_placed == told["n_placed"] == in_app.repair.n_placed == 20
    assert told["n_moved"] == made.n_moved == in_app.repair.n_moved
    assert in_app.repair.folds.tolist() == made.folds.tolist()
    assert (here / "again.csv").read_bytes() == in_app.content
    assert command("check", "data.csv", "--folds", "again.csv")["faults"] == []
    assert in_app.after.faults == ()


ERRORS = {
    "none.csv": b"a,b\n3.5,7.25\n2.5,9.75\n",
    "bare.arff": b"@relation x\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0\n",
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(here, command, name):
    content = ERRORS[name]
    (here / name).write_bytes(content)
    with pytest.raises(optisplit.errors.OptisplitError) as raised:
        load(name)
    told = command("info", name)["error"]
    app = upload(open_app("data", data="emotions"), name, content)
    shown = app.error[0].value.replace("\\", "")
    assert told["kind"] == type(raised.value).__name__
    for title, each in (("--label-columns", told["message"]), ("“Label columns”", shown)):
        assert each.replace(title, "label_columns").split()[:8] == str(raised.value).split()[:8]
        assert "label_columns" not in each
        assert title in each
    assert "label_columns" in str(raised.value)


def test_notes(here, command):
    lines = [f"{row},{row % 2},1,{'crime|drama' if row % 2 else 'drama'}\n" for row in range(9)]
    content = "".join(["id,crime,drama,genres\n", *lines]).encode()
    (here / "films.csv").write_bytes(content)
    start = "The column 'genres' seems to name the same labels; it was not used ("
    assert f"{start}layout='tags' uses it)." in load("films.csv").notes
    assert f"{start}--layout tags uses it)." in command("info", "films.csv")["notes"]
    app = upload(open_app(data="emotions"), "films.csv", content)
    told = f"{start}“Where a table has its labels”: One column with a list of labels uses it)."
    assert told in [each.value.replace("\\", "") for each in app.caption]


def keyed(column: str, key: str, rows) -> bytes:
    """Groups apart at semicolons, with a comma in quotes, of rows in another order."""
    lines = [f'"note, free";{key};{column}', *(f'"a, {row}";p{row:03};{GROUPS[row]}' for row in rows), ""]
    return "\n".join(lines).encode()


GROUP_FILES = {
    "row ids": ("id", keyed("group", "id", SHUFFLED)),
    "another column that both files have": ("Image Index", keyed("group", "Image Index", SHUFFLED)),
    "rows that the data has not": ("id", keyed("group", "id", SHUFFLED) + b'"x, y";z1;none\n"x, y";z2;none\n'),
}


@pytest.mark.parametrize("case", GROUP_FILES)
def test_groups(here, command, case):
    key, content = GROUP_FILES[case]
    labels = table().replace(b"id;", key.encode() + b";", 1)
    (here / "data.csv").write_bytes(labels)
    (here / "groups.csv").write_bytes(content)
    data = load("data.csv")
    read = read_column("groups.csv", data)
    assert read.values == GROUPS
    assert read.how == f"column 'group', matched to the rows by column {key!r}"
    wanted = ("2 lines of groups.csv name no row of the data: 'z1', 'z2'.",) if "has not" in case else ()
    assert read.notes == wanted
    told = command("split", "data.csv", "-k", 3, "--method", "random", "--groups", "groups.csv", "-o", "out.csv")
    assert told["notes"][-1 - len(wanted) :] == [f"groups.csv: {read.how}; 80 groups.", *wanted]
    folds = read_split("out.csv", data).folds
    assert all(len(set(folds[row : row + 3])) == 1 for row in range(0, N_ROWS, 3))
    app = bring_groups(upload(open_app(data="emotions"), "data.csv", labels), content.decode(), "groups.csv")
    said = [caption.value.replace("\\", "") for caption in app.caption]
    assert f"80 groups; {read.how}; 240 of 240 rows." in said
    assert set(wanted) <= set(said)
    press_run(app, ("random",), n_seeds=1, key="methods_groups")
    made: dict = {}
    code = program(app)
    exec(code.replace("print(", "("), made)
    assert made["groups"] == GROUPS
    np.testing.assert_array_equal(made["folds"], job_of(app).result.best_run().folds)


def test_groups_of_data_from_standard_input(here, command, monkeypatch):
    key = "Image Index"
    (here / "groups.csv").write_bytes(keyed("group", key, SHUFFLED))
    labels = table().replace(b"id;", key.encode() + b";", 1)
    monkeypatch.setattr(reading, "read_stdin", lambda name: labels)
    told = command("split", "-", "-k", 3, "--method", "random", "--groups", "groups.csv", "-o", "out.csv")
    assert told["notes"][-1] == f"groups.csv: column 'group', matched to the rows by column {key!r}; 80 groups."


def test_groups_that_lack_rows(here, command):
    content = keyed("group", "id", SHUFFLED[2:])
    (here / "groups.csv").write_bytes(content)
    n_lines, missing = N_ROWS - 2, ", ".join(f"'p{row:03}'" for row in sorted(SHUFFLED[:2]))
    said = f"The rows of groups.csv are not those of the data: {n_lines} lines for {N_ROWS} rows, 2 of them missing"
    with pytest.raises(FoldAssignmentError) as raised:
        read_column("groups.csv", load("data.csv"))
    hint = "\nHint: unmatched='leave-out' leaves them without a value."
    assert str(raised.value) == f"{said} ({missing}).{hint}"
    told = command("split", "data.csv", "-k", 3, "--groups", "groups.csv")
    assert told["error"]["message"] == str(raised.value).replace("unmatched='leave-out'", "--unmatched leave-out")
    told = command("split", "data.csv", "-k", 3, "--groups", "groups.csv", "--unmatched", "leave-out")
    assert "2 rows without a group have one of their own." in told["notes"]
    app = bring_groups(opened(), content.decode(), "groups.csv")
    assert any(f"{said} ({missing})." in each.replace("\\", "") for each in complaints(app))
