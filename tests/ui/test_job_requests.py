"""What jobs are given and what they give: plain records and arrays, which can leave the process."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import optisplit
from optisplit.io.splits import as_split
from optisplit.ui import groups_file, jobs_panel, matching, paper, uploads
from optisplit.ui.check import form as check_form
from optisplit.ui.check import request as check
from optisplit.ui.check.request import Reading
from optisplit.ui.compare import missing, take_away
from optisplit.ui.compare import request as compare
from optisplit.ui.compare.request import Division
from optisplit.ui.data import view
from optisplit.ui.datasets import ChosenData, Upload
from optisplit.ui.impact import folds as impact_of_folds
from optisplit.ui.impact import parts as impact_of_parts
from optisplit.ui.jobs import Job, Reporter
from optisplit.ui.learn import ranks
from optisplit.ui.matching import Matching

OPTIONS = {
    "optisplit": {"measure": "rld", "max_epochs": 1},
    "optisplit-sa": {"measure": "rld", "effort": "quick", "balance_pairs": False, "rare": "share"},
}
GROUPS = Upload("groups.csv", b"x,group\n" + b"1,a\n2,b\n3,c\n" * 8)
SPLIT = Upload("folds.csv", b"fold\n" + b"0\n1\n2\n" * 8)
TABLE = b"x,a,b,c\n" + b"1,1,0,1\n2,0,1,1\n3,1,1,0\n" * 8
MINE = Upload("mine.csv", TABLE)


def chosen():
    data = optisplit.load(MINE.open(), name="mine.csv", label_columns=["a", "b", "c"])
    return ChosenData("file: mine.csv", "data = ...", data, (MINE,))


def a_comparison():
    return compare.run, compare.CompareRequest(chosen(), ("random", "optisplit"), Division(3), 2, OPTIONS, 60)


def a_check():
    mine = chosen()
    split = as_split(np.arange(24, dtype=np.int32) % 3, mine.data, kind="folds", name="mine")
    return check.run_check, check.CheckRequest(mine, split, Reading("compared"), pairs=True)


def a_repair():
    function, request = a_check()
    return check.run_repair, check.RepairRequest(request, function(request, lambda fraction, message: None))


def a_study():
    return impact_of_folds.run, impact_of_folds.ImpactRequest(chosen(), ("random", "is"), 2, "ridge", (), 2, 2)


def a_study_of_parts():
    return impact_of_parts.run, impact_of_parts.PartsRequest(chosen(), ("random", "is"), 2, "ridge", (), (0.8, 0.2))


def a_paper():
    return paper.run, paper.PaperRequest(("bibtex",), ("random",), 1, 60, ())


KINDS = {
    "compare": a_comparison,
    "check": a_check,
    "repair": a_repair,
    "impact": a_study,
    "impact_parts": a_study_of_parts,
    "paper": a_paper,
    "lesson": lambda: (ranks.rank, (optisplit.load("emotions"), 3)),
}


def a_run():
    function, request = a_comparison()
    return request, function(request, lambda fraction, message: None).runs[0]


WAITED_FOR = {
    "reading": lambda: (
        uploads.read,
        uploads.ReadRequest((MINE,), {}, {"label_columns": ["b", "c"]}),
    ),
    "description": lambda: (view.describe, chosen().data),
    "a split's file": lambda: (check.read_split_file, (Reading("file", SPLIT), chosen().data)),
    "a split's columns": lambda: (check.find_columns, (SPLIT, chosen().data)),
    "a split's keys": lambda: (check.find_keys, Upload("folds.json", b'{"a": [[0, 1], [2]]}')),
    "a pair": lambda: (check_form.read_pair, uploads.ReadRequest((MINE, MINE), {}, {"label_columns": ["a", "b", "c"]})),
    "missing labels": lambda: (missing.look, a_run()),
    "a file to take away": lambda: (take_away.make_file, (*a_run(), "column")),
    "groups": lambda: (groups_file.read_groups, (GROUPS, "group", Matching(), chosen().data)),
    "a column for groups": lambda: (groups_file.read_column, (chosen(), "x")),
    "columns of groups": lambda: (matching.find_columns, GROUPS),
}


def test_these_are_all_kinds_of_jobs():
    assert set(KINDS) == set(jobs_panel.KINDS)


@pytest.mark.parametrize("kind", [*KINDS, *WAITED_FOR])
def test_what_goes_into_a_job_and_what_comes_out_can_be_pickled(kind):
    function, request = (KINDS | WAITED_FOR)[kind]()
    assert pickle.loads(pickle.dumps(function)) is function
    told = []
    result = function(pickle.loads(pickle.dumps(request)), lambda fraction, message: told.append((fraction, message)))
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result)
    assert all(0 <= fraction <= 1 for fraction, _ in told)


def test_a_comparison_in_another_process_gives_the_same():
    function, request = a_comparison()
    here = function(request, lambda fraction, message: None)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(function, request, _no_report).result()
    assert [run.folds.tolist() for run in there.runs] == [run.folds.tolist() for run in here.runs]


def _no_report(fraction, message):
    """Take no notice; a function of a module, so that it can go along."""


def test_a_comparison_hands_over_the_runs_that_have_ended():
    function, request = a_comparison()
    job = Job("1", "me", "compare", function, request)
    told = []
    reporter = Reporter(job)
    keep = reporter.keep
    object.__setattr__(reporter, "keep", lambda runs: (told.append(len(runs)), keep(runs)))
    result = function(request, reporter)
    assert told == sorted(told)
    assert {run.method for run in job.so_far} <= set(request.methods)
    partial = compare.so_far(request, [run for run in result.runs if run.method == "optisplit"][::-1])
    assert (partial.methods, [run.seed for run in partial.runs]) == (("optisplit",), [0, 1])
    assert partial.n_rows == result.n_rows
