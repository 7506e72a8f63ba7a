from __future__ import annotations

import dataclasses
import io
import re

import numpy as np
import pytest

from optisplit import MultilabelDataset, check_split, evaluate, label_pairs, load, read_split, repair, split
from optisplit.check import random_splits
from optisplit.check.before_after import before_after_lines, trade_words
from optisplit.check.random_splits import RandomScores
from optisplit.check.verdict import judge, repaired_sentences, repaired_title
from optisplit.errors import Cancelled, FoldAssignmentError, OptionError
from optisplit.io.likely_groups import TornGroups
from optisplit.measures.grade import Grade
from optisplit.measures.score import Score

EMOTIONS = load("emotions")
GOOD = split(EMOTIONS, 5, effort="quick", random_state=0)


def random_folds(n_rows, k, seed=0):
    return np.random.default_rng(seed).permutation(np.arange(n_rows) % k).astype(np.int32)


def read(text, data, name="s.json"):
    return read_split(io.BytesIO(text.encode()), data, name=name)


def kinds(check):
    return [(fault.kind, fault.severity) for fault in check.faults]


def test_a_split_without_faults():
    check = check_split(EMOTIONS, GOOD, n_random=30)
    assert check.faults == ()
    assert (check.verdict.severity, check.grade.key) == ("ok", "best")
    assert check.sentences == (
        "Proven: no split of these sizes is better.",
        "Of 30 random splits of the same sizes, none is better by rLD.",
        "Train with it.",
    )
    assert len(check.untestable) == len(check.untrainable) == 0
    assert check.report.rld == evaluate(EMOTIONS, GOOD).rld
    assert repr(check) == f"SplitCheck of The split on emotions: Best possible. {' '.join(check.sentences)}"


def test_the_same_seed_gives_the_same():
    folds = random_folds(593, 5)
    first, second = (check_split(EMOTIONS, folds, n_random=25, random_state=3) for _ in range(2))
    for key, scores in first.random.items():
        np.testing.assert_array_equal(scores.values, second.random[key].values)
    assert first.verdict == second.verdict


@pytest.mark.parametrize("n_always", [0, 100])
def test_the_random_splits_are_permutations_of_the_parts(n_always):
    """Against a slow twin: the fold numbers shuffled by the same generator, measured class by class."""
    folds = random_folds(593, 4)
    folds[:n_always] = -1
    check = check_split(EMOTIONS, folds, n_random=8, random_state=5)
    rng, dense = np.random.default_rng(5), EMOTIONS.labels.toarray()[n_always:]
    wanted = {key: [] for key in ("rld", "dcp", "ld", "fz", "flz")}
    for _ in range(8):
        mixed = rng.permutation(np.sort(folds[n_always:]))  # the same for all splits of these sizes
        tests = [dense[mixed == fold] for fold in range(4)]
        per_fold = np.array([each.sum(axis=0) for each in tests])
        sizes = np.array([len(each) for each in tests])
        share, total = per_fold / sizes[:, None], dense.mean(axis=0)
        wanted["rld"].append(np.abs((total - share) / total).mean(axis=0).mean())
        wanted["dcp"].append((per_fold / dense.sum(axis=0)).max(axis=0).mean() - 1 / 4)
        wanted["ld"].append(np.abs(share / (1 - share) - total / (1 - total)).mean(axis=0).mean())
        wanted["fz"].append((per_fold == 0).any(axis=1).sum())
        wanted["flz"].append((per_fold == 0).sum())
    for key, values in wanted.items():
        np.testing.assert_allclose(check.random[key].values, np.sort(values), rtol=1e-9)
        assert (np.diff(check.random[key].values) >= 0).all()
        assert check.random[key].value == getattr(evaluate(EMOTIONS, folds), key)


@pytest.mark.parametrize(
    ("value", "percentile", "place"),
    [
        (0.5, 0.0, "0 % are better"),
        (1.0, 12.5, "12 % are better"),
        (2.5, 50.0, "50 % are better"),
        (3.0, 62.5, "62 % are better"),
        (9.0, 100.0, "100 % are better"),
    ],
)
def test_percentiles_count_equal_ones_half(value, percentile, place):
    scores = RandomScores("rld", np.array([1.0, 2.0, 3.0, 4.0]), value)
    assert (scores.percentile, scores.place) == (percentile, place)
    assert scores.mean == 2.5


def test_percentiles_where_most_are_the_same():
    assert RandomScores("fz", np.zeros(5), 0.0).place == "the same in all"
    scores = RandomScores("fz", np.array([0.0, 0.0, 0.0, 1.0]), 0.0)
    assert (scores.percentile, scores.place) == (37.5, "the same in most")
    # what rounding leaves of equal scores is equal
    assert RandomScores("rld", np.array([0.1 + 0.2, 0.4]), 0.3).percentile == 25.0


def test_large_data_is_compared_with_fewer(monkeypatch):
    monkeypatch.setattr(random_splits, "MOST_WORK", 100_000)
    check = check_split(EMOTIONS, GOOD, n_random=200)
    # 1,108 positives, 593 rows, 10 x 5 x 6 counts
    assert check.n_random == 100_000 // (1108 + 593 + 300)
    assert f"{check.n_random} random splits were made instead of 200" in check.notes[-1]
    assert check_split(EMOTIONS, GOOD, n_random=10).n_random == 10
    monkeypatch.setattr(random_splits, "MOST_WORK", 1)
    assert check_split(EMOTIONS, GOOD).n_random == random_splits.FEWEST_RANDOM


def test_progress_and_stopping():
    seen = []
    check_split(EMOTIONS, GOOD, n_random=4, on_progress=lambda done, total, _: seen.append((done, total)))
    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]

    def stop(done, total, score):
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        check_split(EMOTIONS, GOOD, n_random=5, random_state=17, on_progress=stop)  # whatever is kept of others


def test_without_random_splits():
    check = check_split(EMOTIONS, random_folds(593, 5), n_random=0)
    assert (check.random, check.n_random, check.grade.key) == ({}, 0, "weak")
    # what they score on average is worked out
    assert re.match(
        r"Weak\. Only \d+ % of the way from the mean of random splits to the best possible is gained\.",
        check.verdict.sentence,
    )
    assert check.measures["percentile"].isna().all()
    assert check_split(EMOTIONS, GOOD, n_random=0).grade.key == "best"


# one fault each; the labels are such that every fold can have both
ROWS = MultilabelDataset.from_labels([[1, 0], [0, 1]] * 6, ["a", "b"], row_ids=[f"r{i}" for i in range(12)])
WHOLE = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def faulty(change):
    folds = [list(each) for each in WHOLE]
    change(folds)
    return str([[f"r{row}" for row in each] for each in folds]).replace("'", '"')


@pytest.mark.parametrize(
    ("text", "kind", "count", "says"),
    [
        (faulty(lambda folds: folds[0].remove(2)), "missing", 1, "1 row is in no part ('r2'). Put such rows"),
        (faulty(lambda folds: folds[1].append(0)), "two parts", 1, "1 row is in two or more test folds ('r0')"),
        (faulty(lambda folds: folds[2].append(99)), "unknown", 1, "1 entry of s.json names no row of the data"),
        (faulty(lambda folds: folds.append([])), "empty", 1, "1 part has no row: 'fold 3'"),
        ('{"train": ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"], "test": ["r8", "r9", "r10", "r11"]}',
         "overlap", 1, "1 row is both in 'train' and in a part that is tested on ('r8')"),
    ],
)  # fmt: skip
def test_faulty_faults_are_the_verdict(text, kind, count, says):
    check = check_split(ROWS, read(text, ROWS), n_random=5)
    assert kinds(check) == [(kind, "fault")]
    assert check.faults[0].count == count
    assert (check.verdict.severity, check.grade.key) == ("fault", "faulty")
    assert check.verdict.sentence.startswith(f"Faulty. {says}")


def test_divided_groups():
    groups = ["p", "p", "q", "q"] * 3
    check = check_split(
        ROWS, np.repeat([0, 1, 2], 4), groups=[f"{g}{i // 4}" for i, g in enumerate(groups)], n_random=5
    )
    assert check.faults == ()
    check = check_split(ROWS, np.repeat([0, 1, 2], 4), groups=groups, n_random=5)
    (fault,) = check.faults
    assert (fault.kind, fault.count, fault.examples, len(fault.rows)) == ("groups", 2, ("p", "q"), 12)
    assert check.verdict.sentence.startswith("Faulty. 2 of 2 groups are divided: 'p', 'q'. Repair with these groups")
    always = np.array([-1, 0, -1, -1, *[0, 1] * 4])
    only = ["g", "g", *map(str, range(10))]
    faults = check_split(ROWS, always, groups=only, n_random=0).faults
    assert [fault.examples for fault in faults if fault.kind == "groups"] == [("g",)]


def test_identical_rows_on_both_sides():
    folds = np.repeat([0, 1, 2], 4)
    digests = np.arange(12, dtype=np.uint64)
    assert check_split(ROWS, folds, row_digests=digests, n_random=0).faults == ()
    digests[[1, 2]] = 0  # in one fold
    assert check_split(ROWS, folds, row_digests=digests, n_random=0).faults == ()
    digests[5] = 0
    digests[[6, 9]] = 6
    (fault,) = check_split(ROWS, folds, row_digests=digests, n_random=0).faults
    assert (fault.kind, fault.severity, fault.rows.tolist()) == ("identical", "fault", [0, 1, 2, 5, 6, 9])
    assert fault.examples == ("r0 = r1 = r2 = r5", "r6 = r9")


def test_equal_rows_are_those_of_other_groups():
    folds = np.repeat([0, 1, 2], 4)
    digests = np.arange(12, dtype=np.uint64)
    digests[[0, 1, 5]], digests[[6, 9]] = 0, 6
    groups = np.array(list("aabbcdedfegh"))
    check = check_split(ROWS, folds, groups=groups, row_digests=digests, n_random=0)
    (fault,) = (fault for fault in check.faults if fault.kind.startswith("identical"))
    assert (fault.kind, fault.severity, fault.rows.tolist()) == ("identical in others", "warning", [0, 1, 5])
    assert fault.examples == ("r0 = r5",)  # r1 is of r0's group
    assert "3 rows are the same in every feature as a row of another group in another part" in fault.sentence
    groups[5] = "a"
    assert not any("identical" in kind for kind, _ in kinds(check_split(ROWS, folds, groups=groups,
                                                                        row_digests=digests, n_random=0)))  # fmt: skip


def test_equal_rows_of_other_groups_leave_the_grade():
    groups = np.arange(593)
    plain = check_split(EMOTIONS, GOOD, groups=groups, n_random=20)
    check = check_split(EMOTIONS, GOOD, groups=groups, row_digests=np.arange(593) // 8, n_random=20)
    assert kinds(check) == [("identical in others", "warning")]
    assert (check.grade, check.verdict.severity) == (plain.grade, "ok")


def test_a_likely_column_tells_equal_rows_of_others_apart():
    """Equal rows of one patient stay a fault, and so do those where nobody knows whose a row is."""
    patients = ["p1", "p2", "p3", "p3", "p4", "p4", "p5", "p5", "p6", "p6", "", "p7"]
    lines = "".join(f"{patient},{row % 3},{row % 2},{(row + 1) % 2}\n" for row, patient in enumerate(patients))
    data = load(io.BytesIO(f"patient_id,age,a,b\n{lines}".encode()), name="p.csv", label_columns=["a", "b"])
    digests = np.arange(12)
    digests[[0, 4]], digests[[3, 6, 7]], digests[[10, 1]] = 100, 101, 102
    folds = np.array([0, 1, 0, 0, 1, 1, 1, 2, 2, 2, 2, 0])
    found = {f.kind: f for f in check_split(data, folds, row_digests=digests, n_random=0).faults if "ident" in f.kind}
    assert {kind: (fault.severity, fault.rows.tolist()) for kind, fault in found.items()} == {
        "identical": ("fault", [1, 6, 7, 10]), "identical in others": ("warning", [0, 3, 4, 6, 7])
    }  # fmt: skip
    assert "as a row of another patient in another part" in found["identical in others"].sentence
    own = "".join(f"{patient},{fold}\n" for patient, fold in zip(patients, folds, strict=True) if patient)
    ids = MultilabelDataset.from_labels(np.eye(11, 2, dtype=int), list("ab"), row_ids=list(filter(None, patients)))
    told = read_split(io.BytesIO(f"patient_id,fold\n{own}".encode()), ids, name="f.csv").notes
    assert not any("matched to the rows by" in note for note in told)
    with_groups = check_split(data, folds, groups="patient_id", row_digests=digests, n_random=0).faults
    rows = next(fault.rows for fault in with_groups if fault.kind == "identical in others")
    assert rows.tolist() == [0, 1, 3, 4, 6, 7, 10]  # rows without a name are groups of their own
    assert found["identical in others"].advice.startswith("By patient_id these only look the same")
    assert "or repair with groups='patient_id', a column that says" in found["identical"].advice


def test_a_repair_is_told_by_the_count_of_each_fault():
    groups = np.repeat(np.arange(297), 2)[:593]
    folds = np.random.default_rng(0).permutation(593) % 3
    before = check_split(EMOTIONS, folds, groups=groups, n_random=0)
    mended = repair(EMOTIONS, folds, groups=groups, random_state=0).folds
    lines = {line.title: line[1:3] for line in before_after_lines(before, check_split(EMOTIONS, mended, groups=groups,
                                                                                  n_random=0))}  # fmt: skip
    n_divided = next(fault.count for fault in before.faults if fault.kind == "groups")
    assert lines["Groups divided"] == (n_divided, 0)


def test_what_is_put_right_is_said_where_something_is_worse_for_it():
    groups = np.repeat(np.arange(297), 2)[:593]
    before = check_split(EMOTIONS, GOOD, groups=groups, n_random=0)
    whole = repair(EMOTIONS, GOOD, groups=groups, random_state=0).folds
    after = check_split(EMOTIONS, whole, groups=groups, n_random=0)
    n_divided = next(fault.count for fault in before.faults if fault.kind == "groups")
    said = f"Better: Groups divided ({n_divided:,} → 0). Worse: rLD ("
    assert trade_words(before, after).startswith(said)
    assert trade_words(before, before) == ""


def test_a_repair_for_rare_labels_in_every_part_says_that_unfair_parts_are_what_was_asked_for():
    labels = np.zeros((100, 9), dtype=int)
    labels[:, 0] = np.arange(100) % 2
    for label in range(1, 9):
        labels[10 * label : 10 * label + 3, label] = 1
    folds = split(labels, fold_sizes=[0.8, 0.1, 0.1], random_state=0)
    before = check_split(labels, folds, n_random=0)
    repaired = repair(labels, folds, rare="cover", random_state=0)
    after = check_split(labels, repaired.folds, n_random=0)
    assert before.grade.key != after.grade.key == "faulty"
    assert repaired_sentences(before, after, repaired)[-1].startswith("Rare labels are in small parts that are due")


def test_few_identical_rows_are_worth_a_look():
    digests = np.arange(593)
    at = np.flatnonzero(GOOD == 0)[0], np.flatnonzero(GOOD == 1)[0]
    digests[at[1]] = digests[at[0]]
    check = check_split(EMOTIONS, GOOD, row_digests=digests, n_random=20)
    assert kinds(check) == [("identical", "warning")]
    assert (check.verdict.severity, check.grade.key) == ("ok", "best")
    assert check.sentences[-1] == "Worth a look: rows with the same features as a row in another part (2)."


def test_faults_come_in_order():
    text = faulty(lambda folds: (folds[0].remove(2), folds[1].append(0), folds[2].append(99)))
    check = check_split(ROWS, read(text, ROWS), groups=["p"] * 6 + ["q"] * 6, row_digests=np.zeros(12), n_random=0)
    assert [fault.kind for fault in check.faults] == [
        "missing",
        "two parts",
        "unknown",
        "groups",
        "identical in others",
    ]
    assert check.sentences[1:] == (
        "Also: rows in two parts (1), entries that are no row of the data (1), groups divided (2).",
        "Put right in the file, before a repair: entries that are no row of the data (1).",
    )


def test_untestable_and_untrainable_labels():
    labels = np.zeros((12, 5), dtype=int)
    labels[[0, 1, 4], 0] = 1  # could be in all three
    labels[[0, 8], 1] = 1  # two for three folds
    labels[[4, 5], 2] = 1  # all in fold 1: cannot be trained on there
    labels[[9], 3] = 1
    labels[[3, 7, 11], 4] = 1
    check = check_split(MultilabelDataset.from_labels(labels, list("abcde")), np.repeat([0, 1, 2], 4), n_random=0)
    columns = ["label", "positives", "parts", "n_parts", "n_helpable"]
    assert check.untestable[columns].values.tolist() == [
        ["a", 3, "fold 2", 1, 1],
        ["c", 2, "fold 0, fold 2", 2, 1],
        ["b", 2, "fold 1", 1, 0],
        ["d", 1, "fold 0, fold 1", 2, 0],
    ]
    assert check.untrainable[columns].values.tolist() == [["c", 2, "fold 1", 1, 1], ["d", 1, "fold 2", 1, 0]]
    said = "2 of 5 labels are missing from folds that should have them, and cannot be tested there: 'a', 'c'."
    assert check.verdict.sentence == f"Faulty. {said} Repair the split."
    assert [(fault.kind, fault.severity) for fault in check.faults] == [("missing labels", "fault")]


def test_parts_are_tested_but_for_the_first():
    labels = np.zeros((10, 4), dtype=int)
    labels[[8], 0] = 1  # not in train
    labels[[0, 1, 2], 1] = 1  # not in val or test
    labels[[0, 8, 9], 2] = 1  # in all
    labels[[0, 8], 3] = 1  # not in test
    data = MultilabelDataset.from_labels(labels, list("abcd"))
    text = "\n".join(["split", *["train"] * 8, "val", "test", ""])
    check = check_split(data, read(text, data, "s.csv"), n_random=10)
    assert check.untestable[["label", "parts", "n_helpable", "n_due"]].values.tolist() == [
        ["b", "val, test", 2, 0], ["d", "test", 0, 0], ["a", "test", 0, 0],
    ]  # fmt: skip
    assert check.untestable["reason"][0] == "too few rows for its share there"
    assert check.untestable_words == (
        "1 label has too few rows for its share of some part: with “Every label in every part where possible” a repair "
        "or a new split puts one there where it finds a way, and small parts then hold more of the rare labels than is "
        "due to them. 2 labels: no split could help."
    )
    assert check.n_missing == 0
    assert check.untrainable[["label", "parts", "n_helpable"]].values.tolist() == [["a", "val, test", 0]]
    assert check.report.ed == 0  # parts are as large as they are meant to be
    np.testing.assert_allclose(check.report.shares, [0.8, 0.1, 0.1])


def test_positives_that_are_always_in_training():
    labels = [[1, 1], [1, 1], [0, 1], [0, 1]]
    check = check_split(labels, [-1, -1, 0, 1], n_random=0)
    row = check.untestable.iloc[0]
    assert (row["label"], row["parts"], row["reason"]) == (
        "label 0", "fold 0, fold 1", "its 2 rows are always in training",
    )  # fmt: skip
    assert len(check.untrainable) == 0


def test_training_rows_that_the_source_names():
    labels = [[1], [1], [0], [0]]
    pairs = [(np.array([2, 3]), np.array([0, 1])), (np.array([0]), np.array([2, 3]))]
    check = check_split(labels, pairs, n_random=0)
    assert [fault.kind for fault in check.faults] == ["missing labels", "left out"]
    assert check.untrainable[["parts", "reason"]].values.tolist() == [
        ["fold 0", "none of its rows is in the training rows"]
    ]


def test_a_verdict_of_old_names():
    verdict = check_split(EMOTIONS, GOOD, n_random=0).verdict
    with pytest.warns(DeprecationWarning, match=r"key of its grade since 0\.4\.0"):
        assert verdict.rule == "best"


BASE = check_split(EMOTIONS, random_folds(593, 5), n_random=10)


def with_scores(rld, bound, values):
    """Make a check in which nothing but rLD matters."""

    class Made:
        fold_names = ("fold 0", "fold 1")
        shares = np.array([0.5, 0.5])
        is_count = np.zeros(1, np.bool_)  # so that random splits are those that are given

        def score(self, measure):
            return Score(rld, bound)

    random = {} if values is None else {"rld": RandomScores("rld", np.sort(np.array(values, dtype=float)), rld)}
    return dataclasses.replace(BASE, report=Made(), random=random)


@pytest.mark.parametrize(
    ("rld", "bound", "values", "key", "sentences"),
    [
        (0.02, 0.02, [0.1, 0.2], "best", ["none is better by rLD.", "Train with it."]),
        (0.0204, 0.02, [0.1, 0.2], "very good", ["none is better by rLD.", "Train with it: a repair could"]),
        (0.17, 0.02, [0.16, *[0.18] * 9], "weak", ["1 is better by rLD.", "Repair it: much can still be gained."]),
        (0.3, 0.02, [0.1, 0.2], "random", ["Of 2 random splits of the same sizes, 2 are better by rLD.", "new split"]),
        (0.06, 0.02, None, "weak", ["Repair it: much can still be gained."]),
        (np.nan, np.nan, None, "unknown", ["Look at the labels: each has to be on some rows"]),
    ],
)  # fmt: skip
def test_a_verdict_has_a_grade_and_at_most_three_sentences(rld, bound, values, key, sentences):
    verdict = judge(with_scores(rld, bound, values), (), 0)
    assert verdict.grade.key == key
    assert verdict.sentences[0] == verdict.grade.reason
    assert len(verdict.sentences) == 1 + len(sentences)
    for sentence, says in zip(verdict.sentences[1:], sentences, strict=True):
        assert says in sentence


def test_a_repair_is_told_as_the_way_from_grade_to_grade():
    before = check_split(EMOTIONS, random_folds(593, 5))
    repaired = repair(EMOTIONS, before.split, random_state=0)
    after = check_split(EMOTIONS, repaired.split)
    moved, reason, *_, what_to_do = repaired_sentences(before, after, repaired)
    assert repaired_title(before, after) == f"Weak → {after.grade.title}"
    assert moved == f"{repaired.n_moved} rows of 593 moved."
    assert reason == after.grade.reason
    assert what_to_do
    assert repaired_sentences(after, before, repaired)[2].startswith("Worse: rLD (0.0")
    # the random splits of the same sizes are the same
    assert [each.mean for each in before.random.values()] == [each.mean for each in after.random.values()]
    assert repaired_title(before, before) == "Still weak"
    torn = dataclasses.replace(before, torn=TornGroups("patient_id", "Patient", 3, 9, "fold"))
    assert repaired_title(torn, after).startswith("Weak, but rows of one Patient are divided → ")
    assert repaired_title(torn, torn) == "Still weak, but rows of one Patient are divided"
    faulty_still = dataclasses.replace(before, verdict=dataclasses.replace(before.verdict, grade=FAULTY))
    assert repaired_sentences(before, faulty_still, repaired)[-1].startswith("Groups, rows that stay")


FAULTY = Grade.of("faulty", "Labels are missing.")


def test_measures_and_labels_tables():
    folds = random_folds(593, 5)
    check = check_split(EMOTIONS, folds, n_random=20)
    table = check.measures.set_index("measure")
    assert list(table.index) == ["rld", "dcp", "ld", "ed", "fz", "flz", "beyond_rounding", "rare_shares", "row_shape"]
    report = evaluate(EMOTIONS, folds)
    assert (table.loc["rld", "value"], table.loc["rld", "bound"]) == (report.rld, report.rld_bound)
    assert table.loc["dcp", "random_low"] <= table.loc["dcp", "random_mean"] <= table.loc["dcp", "random_high"]
    assert table[["percentile"]].isna()["percentile"].tolist() == [key == "ed" for key in table.index]
    labels = check.labels
    excess = labels["rld"] - labels["rld_bound"]
    assert (np.diff(excess) <= 1e-12).all()
    assert labels[list(check.report.fold_titles)].sum(axis=1).tolist() == labels["positives"].tolist()
    assert sorted(labels["label"]) == sorted(EMOTIONS.label_names)


def test_part_names_do_not_clash_with_columns():
    data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    check = check_split(data, read("split\nlabel\nrld\nlabel\nrld\n", data, "s.csv"), n_random=0)
    assert check.report.fold_titles == ("part label", "part rld")
    assert check.labels["part label"].tolist() == [2]


def test_pairs_of_labels_on_request():
    check = check_split(EMOTIONS, GOOD, pairs=True, n_random=0)
    assert check.pairs.rld == evaluate(label_pairs(EMOTIONS, min_rows=2), GOOD).rld
    assert check_split(EMOTIONS, GOOD, n_random=0).pairs is None


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"n_random": -1}, OptionError, "n_random must be a whole number from 0"),
        ({"n_random": True}, OptionError, "n_random"),
        ({"row_digests": [1, 2]}, OptionError, "row_digests must have one entry a row, 593 in all"),
        ({"groups": ["a"]}, OptionError, "groups"),
        ({"shares": [0.5, 0.5]}, FoldAssignmentError, "shares"),
    ],
)
def test_bad_options(options, error, match):
    with pytest.raises(error, match=match):
        check_split(EMOTIONS, GOOD, **options)
    with pytest.raises(FoldAssignmentError, match="split of 12 rows"):
        check_split(EMOTIONS, read(faulty(list), ROWS))


def test_a_repaired_split_in_the_form_that_it_came_in_is_better():
    data = load("enron")
    text = "\n".join(["row,fold", *(f"{row},{fold + 1}" for row, fold in enumerate(random_folds(1702, 5))), ""])
    given = read(text, data, "s.csv")
    before = check_split(data, given, n_random=20)
    assert before.grade.key == "faulty"
    name, content = repair(data, given, random_state=0).write_back()
    after = check_split(data, read_split(io.BytesIO(content), data, name=name), n_random=20)
    assert after.report.rld < before.report.rld
    assert (after.untestable["n_helpable"] > 0).sum() < (before.untestable["n_helpable"] > 0).sum()


def test_the_page_has_all_of_it_and_needs_no_network():
    labels = np.zeros((12, 3), dtype=int)
    labels[[0, 1, 4], 0] = labels[[9], 1] = labels[[3, 7, 11], 2] = 1
    data = MultilabelDataset.from_labels(labels, ["<b>a</b>", "b & c", "d"], row_ids=[f"<r{i}>" for i in range(12)])
    text = '{"<i>1</i>": ["<r0>", "<r1>", "<r2>", "<r3>"], "two": ["<r4>", "<r5>", "<r7>", "<r6>", "<r9>"]}'
    check = check_split(data, read(text, data), pairs=True, n_random=20)
    page = check.html()
    assert page.startswith("<!doctype html>")
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" role="img"') == 4
    assert not re.search(r"<(?:script|link|img|iframe)\b", page)
    assert not re.search(r"(?:src|href)=|url\(|@import", page)
    texts = (
        "<strong>Faulty</strong><p>3 rows are in no part",
        "&lt;b&gt;a&lt;/b&gt;", "b &amp; c", "&lt;r8&gt;", "How the file was read",
        "Labels that cannot be tested everywhere", "are better",
    )  # fmt: skip
    for wanted in texts:
        assert wanted in page
    for name in ("<b>a", "<i>1", "<r8>"):
        assert name not in page
    assert "<title>a &lt; b</title>" in check.html("a < b")
    assert len(page) < 60_000  # of figures drawn as SVG, without a program
