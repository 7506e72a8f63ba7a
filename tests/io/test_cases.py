"""Small twins of files as they are met with, asked through three doors; answers were written by hand, beside them."""

from __future__ import annotations

import numpy as np
import pytest
from asked import DOORS, answer_by, asked, balance_by, groups_by, read_by, split_by, used

from optisplit.errors import OptisplitError


@pytest.mark.parametrize("case", asked("test_labels", of="rows"))
def test_labels(case):
    answers = {door: answer_by(door, case.path, case.how) for door in DOORS}
    if case.may_refuse and all("refused" in found for found in answers.values()):
        return
    for door, found in answers.items():
        assert "refused" not in found, (door, found["refused"])
        assert (found["rows"], used(found["labels"])) == (case.rows, used(case.labels)), door
        for text in case.says:
            assert any(text in note for note in found["notes"]), (door, text, found["notes"])


@pytest.mark.parametrize("case", asked("test_refusal", of="refused"))
def test_refusal(case):
    answers = {door: answer_by(door, case.path, case.how) for door in DOORS}
    for door, found in answers.items():
        assert "refused" in found, (door, found)
        for text in case.refused:
            assert text in found["refused"], (door, text)
    assert answers["library"]["refused"] == answers["app"]["refused"]


@pytest.mark.parametrize("case", asked("test_advice", of="advice"))
def test_advice(case):
    error = answer_by("library", case.path, case.how)["error"]
    sentence = error.args[0]
    named = {part.name for part in getattr(sentence, "parts", ()) if not isinstance(part, str)}
    for advice in case.advice:
        options = {key: value for key, value in advice.items() if key not in ("rows", "labels")}
        assert set(options) <= named, (options, str(error))
        for door in DOORS:
            found = answer_by(door, case.path, case.how | options)
            assert "refused" not in found, (door, found["refused"])
            assert (found["rows"], used(found["labels"])) == (advice["rows"], used(advice["labels"])), (door, options)


@pytest.mark.parametrize("case", asked("test_names_of_rows", of="ids"))
def test_names_of_rows(case):
    for door in ("library", "app"):
        try:
            data = read_by(door, case.path, case.how)
        except OptisplitError:
            assert case.may_refuse, door
            continue
        assert data.row_ids is not None, door
        assert list(data.row_ids) == case.ids, door
        assert case.key is None or data.key == case.key


@pytest.mark.parametrize("case", asked("test_counts", of="counts"))
def test_counts(case):
    for door in ("library", "app"):
        data = read_by(door, case.path, case.how)
        sums = np.asarray(data.counts.sum(axis=0)).tolist()
        assert dict(zip(data.label_names, sums, strict=True)) == case.counts


@pytest.mark.parametrize(("case", "each"), asked("test_groups", of="groups"))
def test_groups(case, each):
    file, column = case.folder / each["file"], each.get("column")
    for door in DOORS:
        found = groups_by(door, case.path, case.how, file, column)
        if "refused" in each:
            assert each["refused"] in str(found.get("refused", found.get("error"))), door
            continue
        assert "refused" not in found, (door, found["refused"])
        assert found.get("error") is None, (door, found["error"])
        for text in each.get("says", ()):
            assert text in " ".join([found["how"], *found.get("notes", ())]), (door, text)
        if "groups" in found:
            assert found["groups"] == each["groups"], door
        else:
            pairs = set(zip(each["groups"], found["folds"], strict=True))
            assert len(pairs) == len(set(each["groups"])), door


@pytest.mark.parametrize(("case", "each"), asked("test_balance", of="balance"))
def test_balance(case, each):
    answers = [balance_by(door, case.path, case.how, each["columns"]) for door in DOORS]
    for found in answers:
        assert found["totals"] == each["totals"]
        assert found["folds"] == answers[0]["folds"]


@pytest.mark.parametrize(("case", "each"), asked("test_splits", of="splits"))
def test_splits(case, each):
    named = each.get("files", each.get("file"))
    is_one = isinstance(named, str)
    file = case.folder / named if is_one else {part: case.folder / name for part, name in named.items()}
    said = {option: each[option] for option in ("column", "kind", "rows") if option in each}
    wanted = each.get("parts", {})
    sizes = {part: len(rows) for part, rows in wanted.items()}
    for door in DOORS:
        found = split_by(door, case.path, case.how, file, said)
        if "refused" in each:
            assert each["refused"] in found.get("refused", ""), (door, found)
            continue
        if each.get("may_refuse") and "refused" in found:
            continue
        assert "refused" not in found, (door, found["refused"])
        assert {part.removeprefix("fold "): size for part, size in found["sizes"].items()} == sizes, door
        if "parts" in found:
            assert {part.removeprefix("fold "): rows for part, rows in found["parts"].items()} == wanted, door
        for text in each.get("faults", ()):
            assert any(text in fault for fault in found["faults"]), (door, text, found["faults"])
        if not each.get("faults"):
            assert not found["faults"], door
