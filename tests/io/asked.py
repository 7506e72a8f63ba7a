"""The cases of ``tests/cases``, and the three doors that each is asked through: library, command line and app."""

from __future__ import annotations

import io
import json
import sys
import tomllib
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import optisplit
from optisplit import cli
from optisplit.errors import OptisplitError
from optisplit.io.encoding.targets import Target
from optisplit.io.registry import READ_OPTIONS
from optisplit.io.rows import read_column
from optisplit.ui import groups_file, uploads
from optisplit.ui.check import request as check_page
from optisplit.ui.compare import request as compare_page
from optisplit.ui.compare.request import CompareRequest, Division
from optisplit.ui.datasets import ChosenData, Upload
from optisplit.ui.matching import Matching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.labels import MultilabelDataset

CASES = Path(__file__).parents[1] / "cases"
DOORS = ("library", "command line", "app")
QUIET = ("--json", "--no-progress")


@dataclass(frozen=True)
class Case:
    """A file, how it is read, and what it holds or why it is refused; written by hand."""

    name: str
    folder: Path
    file: str
    how: dict[str, Any] = field(default_factory=dict)  # arguments of load
    rows: int | None = None
    labels: dict[str, int] = field(default_factory=dict)  # rows that have each; a label on no row may be left out
    ids: list[str] | None = None  # what the rows are called
    key: str | None = None  # the column that says so
    counts: dict[str, int] | None = None  # instances of each label
    says: list[str] = field(default_factory=list)  # texts that are in the notes
    may_refuse: bool = False  # whether it may be refused as well, through every door
    refused: list[str] = field(default_factory=list)  # texts that are in the error
    advice: list[dict[str, Any]] = field(default_factory=list)  # what it advises, and what comes of it
    groups: list[dict[str, Any]] = field(default_factory=list)  # other tables, and the value of each row
    splits: list[dict[str, Any]] = field(default_factory=list)  # splits, and the rows of their parts
    balance: list[dict[str, Any]] = field(default_factory=list)  # columns to balance, and how much there is of each
    later: str = ""  # why it is not asked

    @property
    def path(self) -> Path:
        return self.folder / self.file


OF_LABELS = ("missing labels", "unfair labels", "unfair rows")
"""Kinds of faults that speak of how labels are divided, not of what was read."""


def _all_cases() -> Iterator[Case]:
    for answers in sorted(CASES.glob("*/answers.toml")):
        for entry in tomllib.loads(answers.read_text(encoding="utf-8"))["case"]:
            yield Case(folder=answers.parent, **entry)


ALL = list(_all_cases())
NOT_YET = set((CASES / "not_yet.txt").read_text(encoding="utf-8").splitlines())
"""Tests of cases that do not work yet, one a line: whoever makes one work takes its line out."""


def marks_of(test: str, title: str) -> list[Any]:
    """Mark what does not work yet."""
    return [pytest.mark.xfail(reason="not yet", strict=True)] if f"{test}[{title}]" in NOT_YET else []


def asked(test: str, of: str) -> list[Any]:
    """Give a test its cases: those that have an answer to what is asked for, or each answer where there are many."""
    params = []
    for case in ALL:
        answers = getattr(case, of)
        is_many = of in ("groups", "splits", "balance")
        for number, each in enumerate(answers, 1) if is_many else [(1, answers)] * bool(answers):
            title = f"{case.folder.name}: {case.name}" + (f": {number} {_files(each)}" if is_many else "")
            marks = [*marks_of(test, title), *[pytest.mark.skip(reason=case.later)] * bool(case.later)]
            params.append(pytest.param(case, *([each] if is_many else []), id=title, marks=marks))
    return params


def _files(each: dict[str, Any]) -> str:
    if "columns" in each:
        return " and ".join(each["columns"])
    return " and ".join(each["files"].values()) if "files" in each else str(each["file"])


def as_typed(how: dict[str, Any]) -> list[str]:
    """Type arguments of load at the command line."""
    typed = []
    for key, value in how.items():
        flag = READ_OPTIONS[key].flag
        if isinstance(value, bool):
            typed.append(flag if value else flag.replace("--", "--no-", 1))
        else:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            typed.append(f"{flag}={text}")
    return typed


def typed(*words: object) -> dict[str, Any]:
    """Ask the command line, in this process, for its JSON document."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO())
        cli.main([*map(str, words), *QUIET])
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


def upload(path: Path) -> Upload:
    return Upload(path.name, path.read_bytes())


def no_report(fraction: float, message: str) -> None:
    """Listen to nothing."""


def read_by(door: str, path: Path, how: dict[str, Any]) -> MultilabelDataset:
    """Read a file through the library or the app."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if door == "library":
            return optisplit.load(path, **how)
        file = upload(path)
        data = uploads.read(uploads.ReadRequest((file,), {}, how), no_report)
        assert data.reading is not None
        return replace(data, reading=replace(data.reading, file=file.content))  # as uploads.parse does


def answer_by(door: str, path: Path, how: dict[str, Any]) -> dict[str, Any]:
    """Say what is read through a door: the rows, and how many have each label; or why the file is refused."""
    if door == "command line":
        told = typed("info", path, *as_typed(how), "-k", 1_000_000)
        if "error" in told:
            return {"refused": told["error"]["message"]}
        sizes = {each["label"]: each["positives"] for each in told["rare_labels"]}
        return {"rows": told["data"]["n_rows"], "labels": sizes, "notes": told["notes"]}
    try:
        data = read_by(door, path, how)
    except OptisplitError as error:
        return {"refused": str(error), "error": error}
    sizes = dict(zip(data.label_names, np.asarray(data.labels.sum(axis=0)).tolist(), strict=True))
    return {"rows": data.n_rows, "labels": sizes, "notes": [str(note) for note in data.notes]}


def used(labels: dict[str, int]) -> dict[str, int]:
    """Leave out labels on no row, which formats may or may not list."""
    return {label: count for label, count in labels.items() if count}


def groups_by(door: str, path: Path, how: dict[str, Any], file: Path, column: str | None) -> dict[str, Any]:
    """Say which group each row has, through a door."""
    if door == "command line":
        name = file if column is None else f"{file}:{column}"
        told = typed("split", path, *as_typed(how), "-k", 2, "--method", "random", "--groups", name)
        return {"how": " ".join(told.get("notes", ())), "folds": told.get("folds"), "error": told.get("error")}
    try:
        data = read_by(door, path, how)
        if door == "library":
            column_read = read_column(file, data, column)
            return {"how": column_read.how, "groups": column_read.values, "notes": column_read.notes}
        groups = groups_file.read_groups((upload(file), column, Matching(), data), no_report)
    except OptisplitError as error:
        return {"refused": str(error)}
    return {"how": " ".join(groups.notes), "groups": groups.of_rows}


def balance_by(door: str, path: Path, how: dict[str, Any], columns: dict[str, Any]) -> dict[str, Any]:
    """Say what columns to balance are made into through a door, how much there is of each, and the split."""
    if door == "command line":
        asked = [f"--balance={column}" + (f"={what}" if what else "") for column, what in columns.items()]
        told = typed("split", path, *as_typed(how), "-k", 3, "--effort=quick", *asked)
        return {
            "totals": {each["column"]: each["total"] for each in told["balanced"]["columns"]},
            "folds": told["folds"],
        }
    data = read_by(door, path, how)
    if door == "library":
        given = {column: what or None for column, what in columns.items()}
        folds = optisplit.split(data, 3, balance=given, effort="quick", random_state=0)
        report = optisplit.evaluate(data, folds, balance=given).balanced
    else:
        targets = tuple(Target.of(column, str(what) or None) for column, what in columns.items())
        options = {"optisplit-sa": {"effort": "quick"}}
        request = CompareRequest(
            ChosenData("file", "", data), ("optisplit-sa",), Division(3), 1, options, 60.0, targets
        )  # fmt: skip
        (run,) = compare_page.run(request, no_report).runs
        folds, report = run.folds, run.report.balanced
    return {"totals": dict(zip(report.label_names, report.positives.tolist(), strict=True)), "folds": folds.tolist()}


def split_by(
    door: str, path: Path, how: dict[str, Any], file: Path | dict[str, Path], said: dict[str, Any]
) -> dict[str, Any]:
    """Say how many rows each part of a split has, which they are (not at the command line), and what is wrong."""
    if door == "command line":
        typed_how = [f"--{option}={value}" for option, value in said.items() if option != "column"]
        if isinstance(file, dict):
            given = [f"--part={part}={each}" for part, each in file.items()]
        else:
            given = ["--folds", f"{file}:{said['column']}" if "column" in said else str(file)]
        told = typed("check", path, *as_typed(how), *given, "--no-random", *typed_how)
        if "error" in told:
            return {"refused": told["error"]["message"]}
        sizes = {part["name"]: part["rows"] for part in told["split"]["parts"]}
        faults = [fault["sentence"] for fault in told["faults"] if fault["kind"] not in OF_LABELS]
        return {"sizes": sizes, "faults": faults}
    try:
        data = read_by(door, path, how)
        if door == "library":
            split = optisplit.read_split(file, data, **said)
        else:
            files = list(file.values()) if isinstance(file, dict) else [file]
            split = replace(check_page.Reading.of([upload(each) for each in files]), **said).read(data)
    except OptisplitError as error:
        return {"refused": str(error)}
    names = [str(row) for row in range(data.n_rows)] if data.row_ids is None else list(data.row_ids)
    parts = {
        part: [names[row] for row in np.flatnonzero(split.folds == number)]
        for number, part in enumerate(split.part_names)
    }
    faults = [each for each in optisplit.check_split(data, split, n_random=0).faults if each.kind not in OF_LABELS]
    sizes = {name: len(rows) for name, rows in parts.items()}
    return {"sizes": sizes, "parts": parts, "faults": [fault.sentence for fault in faults], "notes": split.notes}
