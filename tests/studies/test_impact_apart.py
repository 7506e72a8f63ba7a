"""Whether parts can be told apart, and what gives them away."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from reference import n_torn
from sklearn.metrics import roc_auc_score

from optisplit.errors import Cancelled, OptionError
from optisplit.methods.api import split
from optisplit.studies.impact import encode_features, tell_apart
from optisplit.studies.impact.apart import area_under_curve, areas_of, inner_folds, tell

N = 300


def rows(seed, n=N, n_columns=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_columns))
    return rng, X, (X[:, :3] + rng.normal(size=(n, 3)) > 0.7).astype(np.int8)


# ---- areas and intervals


def test_the_area_is_scikit_learns_and_its_variance_right():
    rng = np.random.default_rng(1)
    scores, is_mine = rng.integers(0, 9, 200).astype(float), rng.random(200) < 0.3
    assert area_under_curve(scores, is_mine)[0] == pytest.approx(roc_auc_score(is_mine, scores))
    both = areas_of(np.stack([scores, -scores], axis=1), sp.csr_array(np.stack([is_mine, is_mine], axis=1)))
    assert both.tolist() == pytest.approx([roc_auc_score(is_mine, scores), roc_auc_score(is_mine, -scores)])
    drawn = [area_under_curve(np.r_[rng.normal(1, 1, 40), rng.normal(size=90)], np.arange(130) < 40, with_variance=True)
             for _ in range(400)]  # fmt: skip
    areas, variances = np.transpose(drawn)
    assert variances.mean() == pytest.approx(areas.var(), rel=0.15)


def test_inner_folds_hold_each_part_in_proportion():
    parts = np.repeat([0, 1, 2], [100, 37, 21])
    inner, n_folds = inner_folds(parts, np.random.default_rng(0))
    assert n_folds == 7
    counts = np.stack([np.bincount(inner[parts == part], minlength=7) for part in range(3)])
    assert (np.ptp(counts, axis=1) <= 1).all()
    assert inner_folds(np.repeat([0, 1], [50, 5]), np.random.default_rng(0))[1] == 0


def test_intervals_of_random_parts_cover_the_middle():
    # 1,000 draws, and parts that differ, are in benchmarks/bench_intervals.py
    rng, n_covered = np.random.default_rng(4), 0
    parts = np.repeat([0, 1], [60, 30])
    for _ in range(60):
        told = tell(rng.normal(size=(90, 5)), parts, 1, rng)
        n_covered += told.low[1] <= 0.5 <= told.high[1]
    assert n_covered >= 53


# ---- parts


def test_random_parts_cannot_be_told_apart():
    alarms = 0
    for seed in range(6):
        rng, X, Y = rows(seed, 120)
        alarms += tell_apart(X, Y, rng.integers(0, 3, 120)).is_apart
    assert alarms == 0


def test_a_part_that_differs_is_told():
    rng, X, Y = rows(1)
    folds = rng.integers(0, 3, N)
    X[folds == 2, 1] += 1
    found = tell_apart(X, Y, folds, part_names=["train", "validation", "test"])
    part = found.parts[2]
    assert (part.name, part.is_apart, found.is_apart, found.p_value) == ("test", True, True, 0.005)
    assert 0.6 < part.low < part.auc < part.high < 0.9
    assert part.random_low < 0.5 < part.random_high < part.low
    assert any(said.startswith("Test can be told from the others by features and labels") for said in found.sentences)
    assert found.table["name"].tolist() == ["train", "validation", "test"]


def test_labels_alone_tell_and_balanced_parts_are_alike():
    rng, _, Y = rows(2)
    folds = rng.integers(0, 2, N)
    Y[folds == 0, 1] = rng.random(int((folds == 0).sum())) < 0.8
    assert tell_apart(None, sp.csr_array(Y), folds).is_apart
    found = tell_apart(None, Y, split(Y, 3, random_state=0))
    assert not found.is_apart
    assert max(part.auc for part in found.parts) < 0.5
    assert found.sentences[0].startswith("Parts cannot be told apart by features and labels.")


def test_the_same_seed_says_the_same():
    _, X, Y = rows(3)
    folds = np.arange(N) % 3
    assert tell_apart(X, Y, folds).parts == tell_apart(X, Y, folds).parts


def test_rows_always_in_training_are_a_part_and_small_parts_are_said():
    _, X, Y = rows(4)
    folds = np.arange(N) % 2
    folds[:100] = -1
    folds[-3:] = 2
    found = tell_apart(X, Y, folds)
    assert [part.name for part in found.parts] == ["part 0", "part 1", "rows always in training"]
    assert found.notes == ("1 part has fewer than 6 rows, too few to look at: 'part 2'.",)


# ---- leaks


def kinds(found):
    return {(leak.kind, leak.name) for leak in found.leaks}


def test_columns_that_tell_a_part_are_named():
    rng, X, Y = rows(5)
    folds = rng.integers(0, 3, N)
    table = pd.DataFrame(X[:, :2], columns=["a", "b"]).assign(
        site=np.where(rng.random(N) < 0.9, np.array(["x", "y", "z"])[folds], "x"),
        middle=np.where(folds == 1, rng.normal(0, 0.1, N), rng.normal(0, 2, N)),  # neither high nor low
        seen=pd.Timestamp("2024-01-01") + pd.to_timedelta(folds * 40 + rng.integers(0, 30, N), unit="D"),
    )
    found = tell_apart(table, Y, folds)
    assert {("column", "site"), ("column", "middle"), ("order", "seen")} <= kinds(found)
    assert not {name for _, name in kinds(found)} & {"a", "b", ""}
    site = next(leak for leak in found.leaks if leak.name == "site")
    assert site.auc > 0.85
    assert site.sentence.startswith(f"Column 'site' alone tells {site.part} from the others: area under the curve 0.")


def test_words_that_tell_a_part_are_named():
    rng, _, Y = rows(6)
    folds = rng.integers(0, 2, N)
    words = (rng.random((N, 50)) < 0.1).astype(float)
    words[:, 7] = folds == 1
    found = tell_apart(sp.csr_array(words), Y, folds)
    assert kinds(found) == {("column", "column 7")}


def test_parts_in_the_order_of_rows_are_said():
    _, X, Y = rows(7)
    found = tell_apart(X, Y, np.arange(N) // 100)
    assert kinds(found) == {("order", "")}
    assert found.leaks[0].auc == pytest.approx(1, abs=0.02)
    late = np.random.default_rng(0).permutation(N)
    assert kinds(tell_apart(X, Y, late // 100)) == set()
    assert kinds(tell_apart(X, Y, late // 100, order=late)) == {("order", "")}


def test_rows_that_are_there_twice_are_counted():
    rng, X, Y = rows(8)
    folds = rng.integers(0, 2, N)
    X[np.flatnonzero(folds == 1)[:4]] = X[np.flatnonzero(folds == 0)[:4]]
    for features in (X, sp.csr_array(X)):
        found = tell_apart(features, Y, folds)
        assert [(leak.kind, leak.count) for leak in found.leaks] == [("duplicates", 8)]
    assert kinds(tell_apart((X > 0).astype(float), Y, folds)) == set()  # 64 kinds of rows are no wonder


def test_divided_groups_are_counted():
    rng, X, Y = rows(9)
    patients = rng.permutation(np.arange(N) // 3)
    folds = rng.integers(0, 2, N)
    found = tell_apart(X, Y, folds, groups=patients)
    assert [(leak.kind, leak.count) for leak in found.leaks] == [("groups", n_torn(folds, patients))]
    assert kinds(tell_apart(X, Y, (patients % 2), groups=patients)) == set()


# ---- use


def test_progress_and_cancel():
    _, X, Y = rows(10)
    seen = []
    tell_apart(X, Y, np.arange(N) % 2, on_progress=lambda *each: seen.append(each[:2]))
    assert seen[0] == (0, 100)
    assert seen[-1] == (100, 100)

    def stop(done, total, score):
        raise Cancelled

    with pytest.raises(Cancelled):
        tell_apart(X, Y, np.arange(N) % 2, on_progress=stop)


def test_unlike_numbers_of_rows_are_said():
    _, X, Y = rows(11)
    with pytest.raises(OptionError, match="features of 200 rows, but labels of 300"):
        tell_apart(X[:200], Y, np.arange(N) % 2)
    assert tell_apart(encode_features(X), Y, np.arange(N) % 2).parts


def test_what_is_given_is_left_alone_and_zeros_that_are_stored_do_not_tell_rows_apart():
    rng, _, labels = rows(8, 60)
    indices = np.tile(np.array([2, 0], dtype=np.int64), 60)
    values = np.where(np.arange(120) % 2, 0.0, rng.integers(1, 50, 120))
    X = sp.csr_array((values, indices, np.arange(0, 121, 2, dtype=np.int64)), shape=(60, 3))
    before, dense = (X.data.copy(), X.indices.copy()), X.toarray()
    folds = np.arange(60) % 2
    folds[1] = 1 - folds[0]
    X.data[2] = X.data[0]  # row 1 has the feature of row 0
    before[0][2], dense[1, 2] = X.data[2], X.data[0]
    only = sp.csr_array(dense)  # without stored zeros
    counts = [[leak.count for leak in tell_apart(each, labels, folds).leaks if leak.kind == "duplicates"]
              for each in (X, only)]  # fmt: skip
    assert counts[0] == counts[1]
    assert np.array_equal(X.data, before[0])
    assert np.array_equal(X.indices, before[1])
    assert np.array_equal(X.toarray(), dense)


def test_of_many_words_that_tell_a_part_the_strongest_are_named():
    rng = np.random.default_rng(9)
    folds = np.arange(400) % 2
    dense = (rng.random((400, 200)) < np.where(folds, 0.9, 0.3)[:, None]).astype(float)
    dense[:, 150] = folds
    found = tell_apart(sp.csr_array(dense), rng.integers(0, 2, (400, 2)), folds, order=rng.permutation(400))
    assert found.leaks[0].name == "column 150"
    assert found.leaks[0].auc == 1
    assert sum(leak.kind == "column" for leak in found.leaks) == 5


def test_columns_are_not_left_out_of_features_that_are_encoded_already():
    _, X, labels = rows(10)
    encoded = encode_features(pd.DataFrame(X, columns=list("abcdef")))
    with pytest.raises(OptionError, match="leave_out names columns of a table, but these features are encoded already"):
        tell_apart(encoded, labels, np.arange(N) % 2, leave_out=["a"])
