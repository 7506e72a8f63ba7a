"""What is written for the cases, and checks of them: through the doors, read back, and with the names that came in."""

from __future__ import annotations

import io

import numpy as np
import pytest
from asked import CASES, OF_LABELS, asked, marks_of, no_report, read_by, typed, upload

import optisplit
from optisplit.errors import OptisplitError
from optisplit.io.splits import row_digests
from optisplit.io.writers.splits import split_file
from optisplit.ui.check import request as check_page
from optisplit.ui.datasets import ChosenData

GIVEN = CASES / "given"


def is_text(case) -> bool:
    return case.path.suffix in (".csv", ".tsv", ".txt", ".dat", ".gaf")


def folds_for(data) -> np.ndarray:
    """Put rows in two folds; rows of one name stay together, as a line is for all of them."""
    names = data.row_ids or range(data.n_rows)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([(numbers[name] + 1) // 2 % 2 for name in names], dtype=np.int32)


@pytest.mark.parametrize("case", asked("test_written", of="rows"))
def test_written(case):
    try:
        data = read_by("library", case.path, case.how)
    except OptisplitError:  # which is another test's matter
        return
    folds = folds_for(data)
    for form in ("csv", "json", "npz", "files"):
        try:
            name, content = split_file(folds, data, form, source=case.path)
        except OptisplitError:
            assert form == "files", form  # which not every file has a place for
            continue
        split = optisplit.read_split(io.BytesIO(content), data, name=name)
        assert split.folds.tolist() == folds.tolist(), form
        assert not split.faults, form


def text_of(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


@pytest.mark.parametrize("case", [each for each in asked("test_column", of="rows") if is_text(each.values[0])])
def test_column(case):
    """The written table is the table that came in, with a cell more at the end of each line."""
    try:
        data = read_by("library", case.path, case.how)
        folds = folds_for(data)
        content = split_file(folds, data, "column", source=case.path)[1]
    except OptisplitError:
        return
    before, after = (text_of(each).splitlines() for each in (case.path.read_bytes(), content))
    assert len(after) == len(before)
    cells = []
    for old, new in zip(before, after, strict=True):
        assert new.startswith(old)
        cells += [new[len(old) :].strip(',;|:"\t ')] * (new != old)
    if len(cells) in (data.n_rows, data.n_rows + 1):  # a line a row
        assert cells[-data.n_rows :] == [str(fold) for fold in folds]


def test_a_column_more_is_apart_as_the_others_are(tmp_path):
    path, out = GIVEN / "semicolons.csv", tmp_path / "with_folds.csv"
    data = optisplit.load(path)
    optisplit.save_split([1, 0, 0, 1], out, data, form="column", source=path)
    lines = out.read_text().splitlines()
    before = path.read_text().splitlines()
    assert [line.rpartition(";")[0] for line in lines] == before
    assert [line.rpartition(";")[2] for line in lines[1:]] == ["1", "0", "0", "1"]
    title = lines[0].rpartition(";")[2].strip('"')
    assert title != "fold"  # there is one already
    assert optisplit.read_split(out, data, column=title).folds.tolist() == [1, 0, 0, 1]
    typed("split", path, "-k", 2, "--form", "column", "-o", tmp_path / "typed.csv")
    assert [line.rpartition(";")[0] for line in (tmp_path / "typed.csv").read_text().splitlines()] == before


FORMS_OF_NAMES = ("csv", "json", "npz", "column", "files", "huggingface", "predefined")


@pytest.mark.parametrize("form", FORMS_OF_NAMES)
def test_no_name_stands_for_two_rows(form):
    """Two eyes of a patient in two folds: no form may say so by the patient's name alone."""
    path = GIVEN / "eyes.csv"
    data = optisplit.load(path)
    folds = np.array([0, 1, 0, 1, 1, 0, 0, 1], dtype=np.int32)
    name, content = split_file(folds, data, form, source=path)
    if form == "predefined":
        return
    split = optisplit.read_split(io.BytesIO(content), data, name=name)
    assert split.folds.tolist() == folds.tolist()
    assert not split.faults


def test_names_that_repeat_are_said_and_offered_as_groups():
    notes = [str(note) for note in optisplit.load(GIVEN / "eyes.csv").notes]
    assert any("group" in note and "'id'" in note for note in notes), notes
    told = typed("info", GIVEN / "eyes.csv")
    assert any("group" in note and "'id'" in note for note in told["notes"])


CHECKS = {  # data, split, groups; kinds of faults
    "a table of ids and labels has no equal rows": ("targets.csv", "targets_folds.csv", None, []),
    "rows of one name": ("eyes.csv", "eyes_folds.csv", None, []),
    "by key": ("scans.csv", "scans_split.csv", None, []),
    "groups of another table, in another order": ("scans.csv", "scans_split.csv", "scans_patients.csv", ["groups"]),
    "dictionaries, whole groups": ("ecg.csv", "ecg.csv:strat_fold", "ecg.csv:patient", []),
}


@pytest.mark.parametrize(
    ("file", "split", "groups", "kinds"),
    [pytest.param(*values, id=name, marks=marks_of("test_checks", name)) for name, values in CHECKS.items()],
)
def test_checks(file, split, groups, kinds):
    more = [] if groups is None else ["--groups", GIVEN / groups]
    told = typed("check", GIVEN / file, "--folds", GIVEN / split, "--no-random", *more)
    assert [fault["kind"] for fault in told["faults"] if fault["kind"] not in OF_LABELS] == kinds
    split, _, column = split.partition(":")
    data = optisplit.load(GIVEN / file)
    group_values = None
    if groups is not None:
        groups, _, group_column = groups.partition(":")
        group_values = optisplit.io.rows.read_column(GIVEN / groups, data, group_column or None).values
    read = optisplit.read_split(GIVEN / split, data, column=column or None)
    digests = row_digests(data, GIVEN / file)
    check = optisplit.check_split(data, read, groups=group_values, row_digests=digests, n_random=0)
    assert [fault.kind for fault in check.faults if fault.kind not in OF_LABELS] == kinds
    mine = upload(GIVEN / file)
    chosen = ChosenData("mine", "data = ...", read_by("app", GIVEN / file, {}), (mine,))
    reading = check_page.Reading("file", upload(GIVEN / split), column=column or None)
    request = check_page.CheckRequest(chosen, reading.read(chosen.data), reading)
    found = check_page.run_check(request, no_report)
    by_rows = (*OF_LABELS, "groups")  # which groups of rows say more of
    assert [fault.sentence for fault in found.faults if fault.kind not in by_rows] == [
        fault.sentence for fault in check.faults if fault.kind not in by_rows
    ]


def test_folds_keep_their_names(tmp_path):
    path = GIVEN / "strata.csv"
    data = optisplit.load(path)
    split = optisplit.read_split(path, data, column="strat_fold")
    (missing,) = optisplit.find_missing_labels(data, split).to_dict("records")
    assert (missing["label"], missing["missing_from"]) == ("b", "fold 3")
    check = optisplit.check_split(data, split, n_random=0)
    assert "fold 3" in check.html()
    assert "fold 4" not in check.html()
    told = typed("check", path, "--column", "strat_fold", "--missing-labels", tmp_path / "missing.csv", "--no-random")
    assert [part["name"] for part in told["split"]["parts"]] == ["fold 1", "fold 2", "fold 3"]
    assert told["missing_labels"][0]["missing_from"] == "fold 3"
    assert "fold 3" in (tmp_path / "missing.csv").read_text()
