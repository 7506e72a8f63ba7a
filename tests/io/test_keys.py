"""Tests of keys: which column of two files says which row is meant, and how names are compared."""

from __future__ import annotations

import gzip
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import optisplit
from optisplit import MultilabelDataset, check_split, load, read_split, repair, save_split, split
from optisplit.errors import FoldAssignmentError, FormatError, OptionError
from optisplit.io.keys import Key, compared
from optisplit.io.rows import groups_of, read_column, read_groups
from optisplit.io.splits import as_split

N_ROWS = 8
NAMES = [f"img/{letter}.png" for letter in "abcdefgh"]
PATIENTS = [f"P{row // 2}" for row in range(N_ROWS)]
BACKWARDS = list(reversed(range(N_ROWS)))
FOLDS = [row // 4 for row in range(N_ROWS)]


def labels(row):
    return f"{row % 2},{int(row % 2 == 0)}"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = (f"{NAMES[row]},{'NS'[row % 2]},{30 + row},{labels(row)}\n" for row in range(N_ROWS))
    (tmp_path / "d.csv").write_text("image,site,age,lab1,lab2\n" + "".join(rows))
    eyes = (f"p{row // 2},{'LR'[row % 2]},{labels(row // 3)}\n" for row in range(N_ROWS))
    (tmp_path / "e.csv").write_text("id,eye,lab1,lab2\n" + "".join(eyes))
    return tmp_path


@pytest.fixture
def data(here):
    return load("d.csv")


@pytest.fixture
def eyes(here):
    return load("e.csv")


def written(name, text):
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return name


def groups_file(names=NAMES, title="image", order=BACKWARDS):
    lines = (f"{names[row]},{PATIENTS[row]}\n" for row in order)
    return written("g.csv", f"{title},patient\n" + "".join(lines))


@pytest.mark.parametrize(
    ("given", "own", "way"),
    [
        ("b; a", "a; b", ""),
        ("a; c", "a; b", ""),  # half of the rows are there
        ("1.0; 2.0", "2; 1", "as numbers"),
        ("7; 12", "007; 012", "as numbers"),
        ("2020-01-02T00:00:00Z; 2020-01-03", "2020-01-03; 2020-01-02 00:00:00", "as dates"),
        ("x/a.png; y\\b.png", "a.png; b.png", "without folders"),
        ("a; b", "x/a.png; b.jpg", "without folders and endings"),
    ],
)
def test_names_are_compared_as_they_stand_or_as_they_are_meant(given, own, way):
    found = compared(given.split("; "), own.split("; "))
    assert found.way.startswith(way)
    assert found.share >= 0.5


@pytest.mark.parametrize(
    ("given", "own"),
    [
        ("s1 s2", "x/s1.png y/s1.png"),  # two rows would be one
        ("1 01", "1.0 2"),
        ("A B", "a b"),
        ("P1.L P1.R", "P1 P2"),
    ],
)
def test_names_that_would_be_mixed_up_are_not_compared_loosely(given, own):
    assert compared(given.split(), own.split()).share <= 0.5


def test_what_is_typed_for_a_key():
    assert Key.of(None) is None
    assert Key.of("File Name") == Key("File Name")
    assert Key.of("File Name = image") == Key("File Name", "image")
    assert Key.of("a=b", ["a=b"]) == Key("a=b")


@pytest.mark.parametrize("title", ["image", "file", "whatever"])
@pytest.mark.parametrize("names", [NAMES, [name[4:] for name in NAMES], list("abcdefgh")])
def test_the_names_of_rows_are_found_by_their_values(data, title, names):
    read = read_column(groups_file(names, title), data)
    assert read.values == PATIENTS
    assert f"matched to the rows by column {title!r}" in read.how
    assert ("(in the data: 'image')" in read.how) == (title != "image")
    assert ("compared without folders" in read.how) == (names is not NAMES)


def test_any_column_that_both_have_may_be_the_key(data):
    years = written("g.csv", "age,patient\n" + "".join(f"{30 + row}.0,{PATIENTS[row]}\n" for row in BACKWARDS))
    assert read_column(years, data).values == PATIENTS
    sites = written("g.csv", "site,hospital\nS,H2\nN,H1\n")  # several rows each
    assert read_column(sites, data).values == ["H1", "H2"] * 4


def test_a_column_that_only_counts_lines_is_not_believed_against_names(here):
    text = "Unnamed: 0,image,lab1,lab2\n" + "".join(f"{row},{NAMES[row]},{labels(row)}\n" for row in range(N_ROWS))
    data = load(written("d.csv", text))
    lines = (f"{at},{NAMES[row]},{FOLDS[row]}\n" for at, row in enumerate(BACKWARDS))
    read = read_split(written("f.csv", "Unnamed: 0,image,fold\n" + "".join(lines)), data)
    assert read.folds.tolist() == FOLDS
    assert "by column 'image'" in read.notes[0]


@pytest.mark.parametrize("name", ["d.csv", "d.xlsx", "d.json", "d.jsonl", "d.parquet", "d.arff"])
@pytest.mark.parametrize("door", ["path", "bytes"])
def test_columns_of_the_data_are_known_whatever_its_file(here, name, door):
    codes = [f"c{row}" for row in range(N_ROWS)]
    frame = pd.read_csv("d.csv").assign(code=codes)[["image", "code", "site", "lab1", "lab2"]]
    if name.endswith("arff"):
        head = "@relation x\n@attribute code string\n@attribute lab1 {0,1}\n@attribute lab2 {0,1}\n@data\n"
        written(name, head + frame[["code", "lab1", "lab2"]].to_csv(index=False, header=False))
    elif name.endswith("json"):
        frame.to_json(name, orient="records")
    elif name.endswith("jsonl"):
        frame.to_json(name, orient="records", lines=True)
    else:
        {"csv": frame.to_csv, "xlsx": frame.to_excel, "parquet": frame.to_parquet}[name[2:]](name, index=False)
    given = name if door == "path" else io.BytesIO(Path(name).read_bytes())
    data = load(given, name=name, label_columns=2 if name.endswith("arff") else ["lab1", "lab2"])
    groups_file(codes, "code")
    assert read_column("g.csv", data).values == PATIENTS
    lists = written("l.json", json.dumps({"train": codes[:4], "test": codes[4:]}))
    assert read_split(lists, data).folds.tolist() == FOLDS


@pytest.mark.parametrize(
    ("title", "names", "told"),
    [
        ("rank", [str(7 - (3 * row) % 8) for row in range(N_ROWS)], "has those of all rows, in another order"),
        ("file", [name.upper() + str(row) for row, name in enumerate(NAMES)], None),  # strangers are no names at all
        ("site", [*"SNSNSNSN"], "has 'S' in line 2, and 'N' in that row of the data"),
        ("image", [name.upper() for name in NAMES], "were it not for upper and lower case"),
        ("file", [name.upper() for name in NAMES], "were it not for upper and lower case"),
        ("image", [f"x{row}" for row in range(N_ROWS)], "Hardly any of the ids"),
    ],
)
def test_lines_are_taken_in_order_only_where_nothing_says_otherwise(data, title, names, told):
    groups_file(names, title, range(N_ROWS))
    if told is None:
        assert read_column("g.csv", data, "patient").how == "column 'patient', in the order of the rows"
        return
    with pytest.raises(FormatError, match=told):
        read_column("g.csv", data, "patient")
    frame = pd.read_csv("g.csv")
    frame[["patient"]].to_csv("g.csv", index=False)  # as the errors advise: without that column
    assert read_column("g.csv", data).values == PATIENTS


def test_numbers_of_rows_under_another_name(here):
    plain = MultilabelDataset.from_labels([[row % 2] for row in range(N_ROWS)])
    order = [(3 * row) % N_ROWS for row in range(N_ROWS)]
    groups_file(list(map(str, range(N_ROWS))), "rank", order)
    with pytest.raises(FormatError, match="call it row_id"):
        read_column("g.csv", plain, "patient")
    assert read_column("g.csv", plain, "patient", key="rank").values == PATIENTS
    groups_file(list(map(str, range(N_ROWS))), "row_id", order)
    assert read_column("g.csv", plain).values == PATIENTS


def test_a_key_that_is_named(data):
    groups_file(list("abcdefgh"), "file")
    assert read_groups("g.csv", data, key="image").values == PATIENTS
    assert read_groups("g.csv", data, key="image=file").values == PATIENTS
    assert read_groups("g.csv", data, key="file").values == PATIENTS  # called so in the file alone
    with pytest.raises(OptionError, match=r"0 of the 8 lines of g\.csv") as raised:
        read_groups("g.csv", data, key="age")
    assert str(raised.value).endswith("'30', '31', '32' and 5 more in the data.\nHint: key='image=file' would do.")
    with pytest.raises(OptionError, match="Unknown column of d: 'nose'; the known ones are 'image', 'site', 'age'"):
        read_groups("g.csv", data, key="nose")
    with pytest.raises(OptionError, match=r"Unknown column of g\.csv: 'nose'"):
        read_groups("g.csv", data, key="image=nose")


def test_rows_without_a_line_are_left_out_on_request(data):
    groups_file(order=BACKWARDS[:6])
    with pytest.raises(FoldAssignmentError, match=r"2 of them missing \('img/a.png', 'img/b.png'\)") as raised:
        read_groups("g.csv", data)
    assert "unmatched='leave-out'" in str(raised.value)
    read = read_groups("g.csv", data, unmatched="leave-out")
    assert read.values == ["row 0 alone", "row 1 alone", *PATIENTS[2:]]
    assert read.notes == (
        "2 rows of the data are not in g.csv: 'img/a.png', 'img/b.png'.",
        "2 rows without a group have one of their own.",
    )
    with pytest.raises(OptionError, match="Unknown way with rows that do not match 'drop'"):
        read_groups("g.csv", data, unmatched="drop")


def test_groups_by_the_name_of_a_column_or_in_a_file(data, eyes):
    groups_file()
    for groups in ("g.csv", "site", PATIENTS):
        wanted = {"g.csv": PATIENTS, "site": ["N", "S"] * 4}.get(str(groups), groups)
        assert groups_of(groups, data) == wanted
        codes = pd.factorize(pd.Series(wanted))[0]
        folds = split(data, 2, groups=groups, random_state=0)
        assert all(len(set(folds[codes == code])) == 1 for code in codes)
        assert optisplit.compare(data, ["random"], n_splits=2, seeds=[0], groups=groups).runs
        assert (check_split(data, FOLDS, groups=groups, n_random=0).faults == ()) == (groups != "site")
    assert groups_of("id", eyes) == [f"p{row // 2}" for row in range(N_ROWS)]


TABLES = {
    "blanks.csv": "\ufeffimage ; fold\n" + "".join(f" {NAMES[row]} ;{FOLDS[row]}\n" for row in BACKWARDS),
    "more.csv": "image,fold\nx,1\n" + "".join(f"{NAMES[row]},{FOLDS[row]}\n" for row in [*BACKWARDS, 3, 3]),
    "lines.jsonl": "".join(json.dumps({"image": NAMES[row], "fold": FOLDS[row]}) + "\n" for row in BACKWARDS),
    "names.json": json.dumps({NAMES[row]: FOLDS[row] for row in BACKWARDS}),
    "lists.json": json.dumps({str(fold): [NAMES[row] for row in BACKWARDS if FOLDS[row] == fold] for fold in (0, 1)}),
    "ages.json": json.dumps([[30 + row for row in range(4)], [30 + row for row in range(4, 8)]]),
}


@pytest.mark.parametrize("name", [*TABLES, "packed.csv.gz", "columns.parquet"])
@pytest.mark.parametrize("door", ["path", "bytes"])
def test_splits_by_names_in_every_form(data, name, door):
    frame = pd.DataFrame({"image": NAMES, "fold": FOLDS}).iloc[::-1]
    if name.endswith("parquet"):
        frame.to_parquet(name)
    elif name.endswith("gz"):
        with gzip.open(name, "wt") as file:
            frame.to_csv(file, index=False)
    else:
        written(name, TABLES[name])
    if door == "bytes":
        with open("d.csv", "rb") as file:
            data = load(io.BytesIO(file.read()), name="d.csv")
    read = read_split(name, data)
    assert read.folds.tolist() == FOLDS
    kinds = ["unknown", "repeated"] if name == "more.csv" else []
    assert [fault.kind for fault in read.faults] == kinds
    assert read_split(name, data, key="image" if name != "ages.json" else "age").folds.tolist() == FOLDS
    if name == "more.csv":
        read = read_split(name, data, unmatched="leave-out")
        assert [fault.kind for fault in read.faults] == ["repeated"]
        assert "1 entry of more.csv names no row of the data, left out: 'x'." in read.notes


def test_a_file_for_each_part(data):
    train, test = [*NAMES[:3], *NAMES[5:]], NAMES[3:5]
    wanted = [0, 0, 0, 1, 1, 0, 0, 0]
    written("a.txt", "image\n" + "\n".join(train))
    written("b.txt", "\n".join([*test, "x.png"]))
    read = read_split({"test": "b.txt", "fit": "a.txt"}, data)
    assert (read.part_names, read.folds.tolist()) == (("fit", "test"), wanted)
    assert [fault.examples for fault in read.faults] == [("x.png",)]
    assert "The first line of a.txt, 'image', was taken for the name of its column." in read.notes
    name, content = read.write_back([0, 1, 0, 1, 0, 0, 0, 0])
    assert name == "parts-repaired.zip"
    assert b"b-repaired.txt" in content
    written("c.json", json.dumps([name[4:] for name in train]))
    written("d.tsv", "n\tpath\n" + "".join(f"{at}\tx/{name[4:]}\n" for at, name in enumerate(test)))
    assert read_split({"train": "c.json", "test": "d.tsv"}, data).folds.tolist() == wanted
    np.save("e.npy", [0, 1, 2, 5, 6, 7])
    written("f.txt", "3\n4\n")
    assert read_split({"train": "e.npy", "test": "f.txt"}, data).folds.tolist() == wanted
    alone = read_split({"train": "a.txt"}, data)
    assert (alone.part_names, alone.folds.tolist()) == (("train", "test"), wanted)
    assert "All rows that it does not name are 'test'." in alone.notes
    with pytest.raises(OptionError, match="A file for each part"):
        read_split({}, data)


def test_a_list_of_one_part_is_told_by_its_name(data):
    read = read_split(written("my_test_list.txt", "\n".join(NAMES[6:])), data)
    assert (read.part_names, read.folds.tolist()) == (("train", "test"), [0] * 6 + [1] * 2)
    assert read.write_back([0, 1] * 4)[1].decode().split() == NAMES[1::2]
    read = read_split(written("training.txt", "\n".join(NAMES[6:])), data)
    assert (read.part_names, read.folds.tolist()) == (("training", "test"), [1] * 6 + [0] * 2)
    with pytest.raises(FormatError, match="neither it nor its name says which one"):
        read_split(written("these.txt", "\n".join(NAMES[6:])), data)
    assert read_split({"test": "these.txt", "train": written("those.txt", "\n".join(NAMES[:6]))}, data).faults == ()


def test_names_on_several_rows_all_have_what_is_said_of_them(eyes):
    written("f.csv", "id,fold\np3,0\np1,1\np2,1\np0,0\n")
    read = read_split("f.csv", eyes)
    assert read.folds.tolist() == [0, 0, 1, 1, 1, 1, 0, 0]
    assert read.faults == ()
    check = check_split(eyes, read, n_random=0)
    assert {fault.kind for fault in check.faults} <= {"missing labels"}
    torn = check_split(eyes, [0, 1, 0, 0, 1, 1, 0, 1], n_random=0).faults[-1]
    assert (torn.kind, torn.severity, torn.count) == ("likely groups", "warning", 2)
    assert torn.sentence == "id repeats: 2 of 4 names have rows in more than one fold."
    assert torn.advice == "Rows of one name together: groups='id'."
    with pytest.raises(FoldAssignmentError, match="rows share a name: 'p0'"):
        read.write_back([0, 1, 1, 1, 1, 1, 0, 0])
    written("f.csv", "id,fold\np3,0\np1,1\np2,1\np0,0\np0,1\np0,0\n")
    (fault,) = read_split("f.csv", eyes).faults
    assert fault.sentence == "2 rows are in two or more test folds ('p0 (row 0)', 'p0 (row 1)')."
    written("f.json", json.dumps({"train": ["p0", "p1"], "test": ["p2", "p3"]}))
    read = read_split("f.json", eyes)
    assert (read.folds.tolist(), read.faults) == (FOLDS, ())
    changed = json.loads(read.write_back([1, 1, 0, 0, 1, 1, 0, 0])[1])
    assert changed == {"train": ["p1", "p3"], "test": ["p2", "p0"]}
    with pytest.raises(FoldAssignmentError, match="1 name would need several folds"):
        read.write_back([1, 0, 0, 0, 1, 1, 0, 0])


@pytest.mark.parametrize("name", ["f.csv", "f.json", "f.npz"])
def test_no_written_name_stands_for_two_rows(eyes, name):
    folds = [0, 1, 0, 1, 0, 1, 1, 0]
    save_split(folds, name, eyes)
    assert read_split(name, eyes).folds.tolist() == folds
    if name == "f.csv":
        assert Path(name).read_text().splitlines()[:3] == ["row,id,fold", "0,p0,0", "1,p0,1"]
        frame = pd.read_csv(name).iloc[[5, 2, 7, 0, 1, 3, 6, 4]]
        frame.to_csv(name, index=False)
        assert read_split(name, eyes).folds.tolist() == folds


@pytest.mark.parametrize(("title", "called"), [("patient_id", "patient_id"), ("row", "id"), ("fold", "id")])
def test_folds_have_ids_that_repeat_under_their_own_name(here, title, called):
    lines = (f"p{row // 2},{row},{row % 3 == 0:d},{row % 2}\n" for row in range(8))
    data = load(written("d.csv", f"{title},age,a,b\n" + "".join(lines)), key=title, label_columns=["a", "b"])
    other = load("d.csv", label_columns=["a", "b"], key="age")
    folds, moved = [0, 1, 0, 1, 0, 1, 1, 0], [1, 0, 0, 1, 0, 1, 1, 0]
    save_split(folds, "f.csv", data)
    assert Path("f.csv").read_text().splitlines()[:2] == [f"row,{called},fold", "0,p0,0"]
    repaired = repair(data, folds, max_moved=0)
    by_numbers = replace(repaired, folds=np.array(moved)).write_back()[1], as_split(folds, data).write_back(moved)[1]
    assert [each.decode().splitlines()[:2] for each in by_numbers] == [[f"row,{called},fold", "0,p0,1"]] * 2
    pd.read_csv("f.csv").sample(frac=1, random_state=0).to_csv("g.csv", index=False)
    for name in ("f.csv", "g.csv"):
        assert read_split(name, data).folds.tolist() == folds
        assert read_split(name, other).folds.tolist() == folds


def test_a_split_of_labels_in_memory_is_written():
    file = io.BytesIO()
    save_split([0, 1], file, np.array([[1], [0]]))
    assert file.getvalue() == b"row,fold\n0,0\n1,1\n"


def test_rows_of_one_name_are_told_apart_by_a_further_column(eyes):
    order = [3, 2, 7, 6, 1, 0, 5, 4]  # right eyes first
    lines = (f"{'LR'[row % 2]},p{row // 2},{row % 2}\n" for row in order)
    read = read_split(written("f.csv", "eye,id,fold\n" + "".join(lines)), eyes)
    assert read.folds.tolist() == [0, 1] * 4
    assert "by columns 'id' and 'eye'" in read.notes[0]
    lines = (f"p{row // 2},{row % 2}\n" for row in order)
    read = read_split(written("f.csv", "id,fold\n" + "".join(lines)), eyes)
    assert "4 names stand on several rows and lines, which were taken in their order." in read.notes


def test_a_first_line_that_is_a_row_is_not_lost(data):
    written("g.csv", "".join(f"{NAMES[row]},{PATIENTS[row]}\n" for row in BACKWARDS))
    for column in (None, "column 2"):
        read = read_groups("g.csv", data, column)
        assert read.values == PATIENTS
        assert read.notes[0].startswith("The first line is a row")


def test_rows_that_were_left_out_are_no_strangers(here):
    lines = (f"n{row},{'' if row in (2, 5) else row % 2},{row // 2 % 2}\n" for row in range(N_ROWS))
    data = load(written("m.csv", "name,a,b\n" + "".join(lines)), missing="drop-rows")
    written("f.csv", "name,fold\n" + "".join(f"n{row},{FOLDS[row]}\n" for row in BACKWARDS))
    read = read_split("f.csv", data)
    assert (read.folds.tolist(), read.faults) == ([0, 0, 0, 1, 1, 1], ())
    assert "2 lines of it are for rows that were left out." in read.notes
    written("f.json", json.dumps([[f"n{row}" for row in range(4)], [f"n{row}" for row in range(4, 8)]]))
    read = read_split("f.json", data)
    assert (read.folds.tolist(), read.faults) == ([0, 0, 0, 1, 1, 1], ())


def test_a_key_of_a_list_of_values_is_refused(data):
    written("f.txt", "".join(f"{fold}\n" for fold in FOLDS))
    with pytest.raises(OptionError, match=r"f\.txt has one value a line, and no column that says which row"):
        read_split("f.txt", data, key="image")
    assert read_split("f.txt", data).folds.tolist() == FOLDS
